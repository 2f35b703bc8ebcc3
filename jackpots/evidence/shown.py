"""What each sign said that it showed while a hit became public and its win was resolved, with the frames it named."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from jackpots.models import DisplayMinute, Win
from jackpots.signs.frame_texts import text_of, with_texts
from ledger.months import months

BEFORE, AFTER = timedelta(seconds=15), timedelta(seconds=45)
"""Around each of the two moments: a sign tells every five seconds what it shows."""
A_MINUTE = 600
"""Frames that a minute has at most."""
MAX_REPORTS = 5_000
"""Reports in a pack: of a thousand signs the first minute."""


def shown(win: Win, rest_on: Callable[..., None]) -> dict[str, Any]:
    """By sign, each frame with the moment from which on it stood there. Which frames these were is under a seal for the
    first of each minute (`rest_on` is told, and their texts go along, which give the hashes in these rows); the others
    can be made again from the log."""
    spans = [(at - BEFORE, at + AFTER) for at in _moments(win)]
    told = _told(win, spans)
    named = {sequence for reports in told.values() for _, sequence, _ in reports}
    stood = Q(sequence__in=named) | _sealed_near(named, spans)
    frames = with_texts(win.progressive.frames.filter(stood).order_by("sequence"))
    sealed = [frame for frame in frames if frame.xact_id is not None]
    rest_on(*sealed)
    away = months.minutes_elsewhere(*_moments(win))
    frames_away = months.elsewhere_of([frame.pk for frame in sealed if frame.body is None], months.FRAMES)
    return {
        **({"kept_elsewhere": away} if away else {}),
        **(
            {"frames_kept_elsewhere": {str(pk): month for pk, month in frames_away.items()}}
            if frames_away
            else {}
        ),
        "from_to": [[first.isoformat(), last.isoformat()] for first, last in spans],
        "signs": [
            {"sign": sign, "showed": [_report(*report) for report in reports]}
            for sign, reports in sorted(told.items())
        ],
        "frames": [
            {
                "sequence": frame.sequence,
                "at": frame.at.isoformat(),
                "levels": frame.figures,
                "pending": frame.body["pending"],
                "wins": [each["id"] for each in frame.body["wins"]],
            }
            for frame in frames
            if frame.body is not None
        ],
        "texts": {
            str(frame.pk): text_of(frame.body, frame.basis)
            for frame in sealed
            if frame.sha256 is not None and frame.body is not None
        },
    }


def _moments(win: Win) -> list[datetime]:
    """When it became public, and when the meter went on from there."""
    public = win.place if win.share is None else win.share.public_at or win.share.place
    return sorted({public, win.resolved_at})


def _sealed_near(named: set[int], spans: list[tuple[datetime, datetime]]) -> Q:
    """The first frames of these minutes, found by their numbers."""
    found = Q(pk__in=[])
    for first, last in spans if named else ():
        near = Q(sequence__range=(min(named) - A_MINUTE, max(named)), xact_id__isnull=False)
        found |= near & Q(at__gte=first - timedelta(minutes=1), at__lte=last)
    return found


def _told(
    win: Win, spans: list[tuple[datetime, datetime]]
) -> dict[str, list[tuple[datetime, int, dict[str, str]]]]:
    minutes = Q(pk__in=[])
    for first, last in spans:
        minutes |= Q(minute__gt=first - timedelta(minutes=1), minute__lte=last)
    rows = DisplayMinute.objects.filter(minutes, progressive=win.progressive_id)
    found: dict[str, list[tuple[datetime, int, dict[str, str]]]] = {}
    count = 0
    for row in rows.select_related("display__premises").order_by("minute", "display"):
        sign = f"{row.display} ({row.display.premises.code})"
        for sequence, offset_ms in row.showed:
            at = row.minute + timedelta(milliseconds=offset_ms)
            if count < MAX_REPORTS and any(first <= at <= last for first, last in spans):
                wrong = [told[2] for told in row.wrong if told[:2] == [sequence, offset_ms]]
                found.setdefault(sign, []).append((at, sequence, wrong[-1] if wrong else {}))
                count += 1
    return found


def _report(at: datetime, sequence: int, other: dict[str, str]) -> dict[str, Any]:
    """`other`: figures on the glass that were not the frame's."""
    return {"at": at.isoformat(), "sequence": sequence} | ({"not_as_sent": other} if other else {})
