"""What signs report to have shown: kept by the minute and progressive, and judged against what they were sent."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpots.models import Display, DisplayMinute, Frame, Progressive
from people import alerts
from people.models import Role
from rules.money import parse_money

MAX_SHOWN_A_REPORT = 100
MAX_WRONG_A_MINUTE = 20
_FIGURE = re.compile(r"\d{1,12}\.\d\d", re.ASCII)
DAY_MS = 86_400_000
"""A sign's clock that is further off says nothing about when."""
ROLL_GRACE = timedelta(seconds=60)
"""For the roll and the way of a report: a sign may be between two frames that long after the first was replaced."""
SHOWED_OTHER = alerts.declare(
    "jackpots.sign_showed_other",
    "A sign showed something else than it was sent",
    severity=alerts.Severity.URGENT,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
    again_after=timedelta(minutes=10),
)


def record_report(display_id: int, report: Any) -> bool:
    """Keeps which sequences were on the sign and when, a row a minute and progressive, and what of it was not as it was
    sent. False: the sign is no longer known."""
    with transaction.atomic():
        known = Display.objects.select_for_update(of=("self",)).select_related("progressive", "premises")
        display = known.filter(pk=display_id, revoked_at__isnull=True).first()
        if display is None:
            return False
        display.last_seen_at = timezone.now()
        parts = _parts(display, report)
        progressives = {row.code: row for row in Progressive.objects.filter(code__in=list(parts))}
        for code, part in parts.items():
            _keep(display, progressives[code], part)
        display.save(update_fields=["last_seen_at", "last_sequence", "last_shown"])
    return True


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


def _keep(display: Display, progressive: Progressive, report: dict[str, Any]) -> None:
    shown = _shown(report)
    if not shown:
        return
    if progressive.pk == display.progressive_id:
        display.last_sequence = shown[-1][0]
    last = {"sequence": shown[-1][0], "figures": _told(report)}
    display.last_shown = (display.last_shown or {}) | {progressive.code: last}
    wrong = _wrong(progressive.pk, shown, report)
    for minute in sorted({_minute(at_ms) for _, at_ms in shown}):
        row, _ = DisplayMinute.objects.get_or_create(display=display, progressive=progressive, minute=minute)
        told = {tuple(item) for item in row.showed}  # by a report that came twice
        fresh = [
            [sequence, at_ms % 60_000]
            for sequence, at_ms in shown
            if _minute(at_ms) == minute and (sequence, at_ms % 60_000) not in told
        ]
        row.showed += fresh
        row.wrong += [
            [sequence, at_ms % 60_000, figures]
            for sequence, at_ms, figures in wrong
            if _minute(at_ms) == minute and [sequence, at_ms % 60_000] in fresh
        ]
        row.wrong = row.wrong[:MAX_WRONG_A_MINUTE]
        row.save(update_fields=["showed", "wrong"])
    if wrong:
        _alert(display, progressive, wrong[0][0], wrong[0][2])


def _told(report: dict[str, Any]) -> dict[str, str]:
    """The figures by level, as far as they can be any."""
    figures = report.get("figures")
    given = figures if isinstance(figures, dict) else {}
    return {
        str(level): value
        for level, value in list(given.items())[:20]
        if isinstance(value, str) and len(str(level)) <= 32 and _FIGURE.fullmatch(value)
    }


def _alert(display: Display, progressive: Progressive, sequence: int, wrong: dict[str, str]) -> None:
    """Told once until somebody has looked, however often the sign says it again."""
    what = f"frame {sequence} of {progressive}, which was never sent"
    if wrong:
        frame = Frame.objects.get(progressive=progressive, sequence=sequence)
        sent = {level["level"]: level["value"] for level in frame.body["levels"]}
        figures = (f"{level} {figure} instead of {sent[level]}" for level, figure in sorted(wrong.items()))
        what = f"{'; '.join(figures)} (frame {sequence} of {progressive})"
    text = f"The sign {display} says that it showed {what}: see what it shows now."
    alerts.raise_alert(SHOWED_OTHER, display, text, premises=display.premises)


def _wrong(
    progressive_id: int, shown: list[tuple[int, int]], report: dict[str, Any]
) -> list[tuple[int, int, dict[str, str]]]:
    """Sequence, time and figures of what was not as sent; no figures where no such frame was ever sent. A frame is
    logged before it is sent, so a report can be judged when it comes."""
    last, last_ms = shown[-1]
    toward = report.get("toward")
    if type(toward) is not int or not last < toward < 2**63:
        toward = last
    asked = {sequence for sequence, _ in shown} | {last + 1, toward}
    found = Frame.objects.filter(progressive=progressive_id, sequence__in=asked)
    frames = {frame.sequence: frame for frame in found}
    wrong: list[tuple[int, int, dict[str, str]]] = [
        (sequence, at_ms, {}) for sequence, at_ms in shown if sequence not in frames
    ]
    if last in frames:
        # A roll takes less than a second: who leaves a frame that was replaced long ago is not rolling but wrong.
        following = frames.get(last + 1)
        rolls = following is not None and timezone.now() - following.at < ROLL_GRACE
        figures = _not_as_sent(frames[last], frames.get(toward) if rolls else None, _told(report))
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
    return {level["level"]: parse_money(level["value"]) for level in frame.body["levels"]}


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
