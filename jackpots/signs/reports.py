"""What signs report to have shown: kept by the minute and progressive, and judged against what they were sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from jackpots.models import Display, DisplayMinute, Frame, Progressive
from jackpots.signs.frame_texts import with_texts
from people.alerts import alerts
from people.models import Role
from rules.money import parse_money

MAX_SHOWN_A_REPORT = 100
MAX_WRONG_A_MINUTE = 20
_LEVEL = re.compile(r"[\w -]{1,32}")
_FIGURE = re.compile(r"\d{1,12}\.\d\d", re.ASCII)
DAY_MS = 86_400_000
"""A sign's clock that is further off says nothing about when."""
ROLL_GRACE = timedelta(seconds=60)
"""For the roll and the way of a report: a sign may be between two frames that long after the first was replaced."""
Fault = tuple[int, int, dict[str, str]]
"""Sequence, time and figures by level of what was not as sent."""
SHOWED_OTHER = alerts.declare(
    "jackpots.sign_showed_other",
    gettext_noop("A sign showed something else than it was sent"),
    severity=alerts.Severity.URGENT,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
    again_after=timedelta(minutes=10),
)


@dataclass
class Part:
    """What a sign tells of one progressive."""

    display: Display
    progressive: Progressive
    shown: list[tuple[int, int]]
    figures: dict[str, str]
    toward: int
    """The frame that it rolls to; the last that stood there whole, where it does not roll."""


Frames = dict[tuple[int, int], Frame]
"""By progressive and sequence."""


def record_reports(told: Sequence[tuple[int, Any]]) -> list[bool]:
    """Keeps which sequences were on the signs and when, a row a minute and progressive, and what was not as sent. Many
    at once, because a thousand signs report two hundred times a second. False: that sign is not known."""
    with transaction.atomic():
        found = Display.objects.select_for_update(of=("self",)).select_related("progressive", "premises")
        found = found.filter(pk__in={pk for pk, _ in told}, revoked_at__isnull=True).order_by("pk")
        displays = {display.pk: display for display in found}
        parts = _all_parts([(displays[pk], report) for pk, report in told if pk in displays])
        frames = _frames_of(parts)
        wrong = [_wrong(part, frames) for part in parts]
        _keep_minutes(parts, wrong)
        _keep_last(displays.values(), parts)
        for part, faults in zip(parts, wrong, strict=True):
            if faults:
                _alert(part, faults[0][0], faults[0][2], frames)
    return [pk in displays for pk, _ in told]


def _all_parts(told: list[tuple[Display, Any]]) -> list[Part]:
    named = [
        (display, code, given) for display, report in told for code, given in _parts(display, report).items()
    ]
    rows = {row.code: row for row in Progressive.objects.filter(code__in={code for _, code, _ in named})}
    parts = []
    for display, code, given in named:
        shown = _shown(given)
        if shown:
            last, toward = shown[-1][0], given.get("toward")
            if type(toward) is not int or not last < toward < 2**63:
                toward = last
            parts.append(Part(display, rows[code], shown, _told(given), toward))
    return parts


def _frames_of(parts: list[Part]) -> Frames:
    """Those that the reports name, and the ones after the last: most signs tell of the same."""
    asked: dict[int, set[int]] = {}
    for part in parts:
        numbers = {sequence for sequence, _ in part.shown} | {part.shown[-1][0] + 1, part.toward}
        asked.setdefault(part.progressive.pk, set()).update(number for number in numbers if number < 2**63)
    return {
        (pk, frame.sequence): frame
        for pk, numbers in asked.items()
        for frame in with_texts(Frame.objects.filter(progressive=pk, sequence__in=numbers))
    }


def _keep_minutes(parts: list[Part], wrong: list[list[Fault]]) -> None:
    minutes = {_minute(at_ms) for part in parts for _, at_ms in part.shown}
    known = DisplayMinute.objects.filter(display__in={part.display.pk for part in parts}, minute__in=minutes)
    rows = {(row.display_id, row.progressive_id, row.minute): row for row in known}
    for part, faults in zip(parts, wrong, strict=True):
        for minute in {_minute(at_ms) for _, at_ms in part.shown}:
            key = (part.display.pk, part.progressive.pk, minute)
            if key not in rows:
                rows[key] = DisplayMinute(display=part.display, progressive=part.progressive, minute=minute)
            _add(rows[key], part, faults)
    DisplayMinute.objects.bulk_create(
        [rows[key] for key in sorted(rows)],
        update_conflicts=True,
        unique_fields=["display", "minute", "progressive"],
        update_fields=["showed", "wrong"],
    )


def _add(row: DisplayMinute, part: Part, faults: list[Fault]) -> None:
    told = {tuple(item) for item in row.showed}  # by a report that came twice
    fresh = [
        [sequence, at_ms % 60_000]
        for sequence, at_ms in part.shown
        if _minute(at_ms) == row.minute and (sequence, at_ms % 60_000) not in told
    ]
    row.showed += fresh
    row.wrong += [
        [sequence, at_ms % 60_000, figures]
        for sequence, at_ms, figures in faults
        if _minute(at_ms) == row.minute and [sequence, at_ms % 60_000] in fresh
    ]
    row.wrong = row.wrong[:MAX_WRONG_A_MINUTE]


def _keep_last(displays: Iterable[Display], parts: list[Part]) -> None:
    """When each was last heard of and what stood there, in one statement for all."""
    for part in parts:
        if part.progressive.pk == part.display.progressive_id:
            part.display.last_sequence = part.shown[-1][0]
        last = {"sequence": part.shown[-1][0], "figures": part.figures}
        part.display.last_shown = (part.display.last_shown or {}) | {part.progressive.code: last}
    rows = [
        (row.pk, row.last_sequence, json.dumps(row.last_shown) if row.last_shown else None)
        for row in displays
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE jackpots_display d SET last_seen_at = statement_timestamp(), last_sequence = v.sequence,
                last_shown = v.shown::jsonb
            FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) AS v (id, sequence, shown) WHERE d.id = v.id""",
            [list(column) for column in zip(*rows, strict=True)] or [[], [], []],
        )


def _parts(display: Display, report: Any) -> dict[str, dict[str, Any]]:
    """By progressive what is told of it. A sign of one may tell of it without a name."""
    codes = display.codes
    if not isinstance(report, dict) or not codes:
        return {}
    given = report.get("reports", [report])
    parts = [part for part in given if isinstance(part, dict)] if isinstance(given, list) else []
    named = {part.get("progressive", codes[0]): part for part in parts if _is_text(part, codes[0])}
    return {code: named[code] for code in codes if code in named}


def _is_text(part: dict[str, Any], usual: str) -> bool:
    return isinstance(part.get("progressive", usual), str)


def _told(report: dict[str, Any]) -> dict[str, str]:
    """The figures by level, as far as they can be any."""
    figures = report.get("figures")
    given = figures if isinstance(figures, dict) else {}
    return {
        str(level): value
        for level, value in list(given.items())[:20]
        if isinstance(value, str) and _LEVEL.fullmatch(str(level)) and _FIGURE.fullmatch(value)
    }


def _alert(part: Part, sequence: int, wrong: dict[str, str], frames: Frames) -> None:
    """Told once until somebody has looked, however often the sign says it again."""
    display, progressive = part.display, part.progressive
    what = f"frame {sequence} of {progressive}, which was never sent"
    if wrong:
        sent = frames[progressive.pk, sequence].figures
        figures = (f"{level} {figure} instead of {sent[level]}" for level, figure in sorted(wrong.items()))
        what = f"{'; '.join(figures)} (frame {sequence} of {progressive})"
    text = f"The sign {display} says that it showed {what}: see what it shows now."
    alerts.raise_alert(SHOWED_OTHER, display, text, premises=display.premises)


def _wrong(part: Part, frames: Frames) -> list[Fault]:
    """What was not as sent; no figures where no such frame was ever sent. A frame is logged before it is sent, so a
    report can be judged when it comes."""
    pk, (last, last_ms) = part.progressive.pk, part.shown[-1]
    wrong: list[Fault] = [(number, at_ms, {}) for number, at_ms in part.shown if (pk, number) not in frames]
    if (pk, last) in frames:
        # A roll takes less than a second: who leaves a frame that was replaced long ago is not rolling but wrong.
        following = frames.get((pk, last + 1))
        rolls = following is not None and timezone.now() - following.at < ROLL_GRACE
        toward = frames.get((pk, part.toward)) if rolls else None
        figures = _not_as_sent(frames[pk, last], toward, part.figures)
        if figures:
            wrong.append((last, last_ms, figures))
    return wrong


def _not_as_sent(frame: Frame, toward: Frame | None, told: dict[str, str]) -> dict[str, str]:
    """By level, what stood on the glass and is neither what the frame says nor on the way up from there to the next."""
    lowest, highest = _figures(frame), _figures(toward or frame)
    return {
        level: told[level]
        for level, low in lowest.items()
        if level in told and not low <= parse_money(told[level]) <= max(low, highest.get(level, low))
    }


def _figures(frame: Frame) -> dict[str, int]:
    return {level: parse_money(value) for level, value in frame.figures.items()}


def _minute(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms // 60_000 * 60, UTC)


def _shown(report: dict[str, Any]) -> list[tuple[int, int]]:
    """Sequence and time of what can be true; the rest of a report is passed over. The figures are the last one's."""
    given = report.get("shown")
    now_ms = int(timezone.now().timestamp() * 1000)
    return [
        (item[0], item[1])
        for item in (given if isinstance(given, list) else [])[-MAX_SHOWN_A_REPORT:]
        if isinstance(item, list)
        and [type(part) for part in item] == [int, int]
        and 0 <= item[0] < 2**63
        and abs(item[1] - now_ms) <= DAY_MS
    ]
