"""What the signs showed over a gaming day, from what they report, set against the frames they were sent and the log.

Figures are compared at the same sequence: a frame says what of the log it was made of and is made again from that, so
neither a sign's clock nor an event on its way makes a difference that is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from config.kit.gaming_day import day_start
from config.kit.moments import told
from jackpots.models import Display, DisplayMinute, Frame, Progressive
from jackpots.signs.frame_texts import first_with_text
from jackpots.signs.frames import figures_from_log
from rules.money import CENT, format_money, parse_money, rounded_down

GRACE = timedelta(seconds=60)
"""A sign's clock and the way of a frame: nobody is behind by less."""


@dataclass(frozen=True)
class Shown:
    """The last that a sign told of a gaming day. `frame` is None where it names one that was never sent."""

    display: Display
    sequence: int
    at: datetime
    frame: Frame | None
    wrong: dict[str, str]
    """By level, what stood on the glass instead of the frame's figure."""
    by_the_log: dict[str, int]
    """What should have stood there, exact; empty where the frame does not say what it was made of."""

    @cached_property
    def figures(self) -> dict[str, int]:
        """What stood on the glass, by level."""
        if self.frame is None:
            return {}
        return {level: parse_money(value) for level, value in (self.frame.figures | self.wrong).items()}


def last_shown(progressive: Progressive, day: date) -> list[Shown]:
    """By sign, the newest report first. A sign that told nothing of the day is not in it: it showed nothing live."""
    found = []
    frames: dict[int, Frame | None] = {}
    by_the_log: dict[int, dict[str, int]] = {}
    for display in signs_of(progressive, day):
        minute = _minutes(display, progressive, day).order_by("minute").last()
        if minute is None or not minute.showed:
            continue
        sequence, offset_ms = max(minute.showed, key=lambda item: (item[1], item[0]))
        wrong = [item for item in minute.wrong if item[:2] == [sequence, offset_ms]]
        if sequence not in frames:  # most signs show the same
            frame = frames[sequence] = first_with_text(progressive.frames.filter(sequence=sequence))
            by_the_log[sequence] = (figures_from_log(frame) if frame is not None else None) or {}
        at = minute.minute + timedelta(milliseconds=offset_ms)
        figures = wrong[-1][2] if wrong else {}
        found.append(Shown(display, sequence, at, frames[sequence], figures, by_the_log[sequence]))
    return sorted(found, key=lambda shown: shown.at, reverse=True)


def signs_of(progressive: Progressive, day: date) -> list[Display]:
    begin = day_start(progressive.host, day)
    """Those that show it, and those that showed it on that day."""
    shows = Q(setup__isnull=True, progressive=progressive) | Q(
        setup__progressives__contains=[progressive.code]
    )
    told = DisplayMinute.objects.filter(
        display=OuterRef("pk"), progressive=progressive, **_within(progressive, day)
    )
    in_use = Display.objects.filter(shows | Exists(told))
    in_use = in_use.filter(Q(revoked_at__isnull=True) | Q(revoked_at__gte=begin))
    return list(in_use.select_related("premises", "progressive").order_by("name", "pk"))


def _minutes(display: Display, progressive: Progressive, day: date) -> Any:
    return DisplayMinute.objects.filter(display=display, progressive=progressive, **_within(progressive, day))


def _within(progressive: Progressive, day: date) -> dict[str, datetime]:
    begin, end = day_start(progressive.host, day), day_start(progressive.host, day + timedelta(days=1))
    return {"minute__gte": begin, "minute__lt": end}


def troubles(progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    """Key and sentence of everything that a sign showed otherwise than it should have."""
    lasts = {shown.display.pk: shown for shown in last_shown(progressive, day)}
    for display in signs_of(progressive, day):
        last = lasts.get(display.pk)
        if last is None:
            continue
        yield from _not_as_sent(display, progressive, day)
        yield from _not_by_the_log(last)
        if progressive.code in display.codes:  # else it was set up to show another thing, which is no fault
            yield from _behind(last, progressive, day)


def _not_as_sent(display: Display, progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    rows = _minutes(display, progressive, day).exclude(wrong=[]).order_by("minute")
    told = [
        (row.minute + timedelta(milliseconds=item[1]), item[0], item[2]) for row in rows for item in row.wrong
    ]
    unknown = sorted({sequence for _, sequence, figures in told if not figures})
    if unknown:
        names = ", ".join(str(number) for number in unknown[:5]) + (" …" if len(unknown) > 5 else "")
        text = (
            f"The sign {display} says that it showed frame {names} of {progressive}, which was never sent: "
            "see what runs on that screen."
        )
        yield f"never-sent:{display.pk}", text
    wrong = [item for item in told if item[2]]
    if wrong:
        at, sequence, figures = wrong[0]
        frame = first_with_text(progressive.frames.filter(sequence=sequence))
        sent = {} if frame is None else frame.figures  # of a month that is kept elsewhere nobody knows here
        said = "; ".join(
            f"{level} {value} instead of {sent.get(level, 'what it was sent')}"
            for level, value in sorted(figures.items())
        )
        more = f", and {len(wrong) - 1} more times" if len(wrong) > 1 else ""
        clock = _clock(progressive, at)
        text = f"The sign {display} showed {said} at {clock} (frame {sequence}){more}: see what it shows now."
        # One trouble a sign and day, whatever else it says: two people who have looked end it for good, and a sign
        # that goes on lying cannot hold up the close. Each is on record, and alerts go on.
        yield f"figure:{display.pk}", text


def _not_by_the_log(last: Shown) -> Iterator[tuple[str, str]]:
    if last.frame is None:
        return
    for level, value in last.frame.figures.items():
        right = last.by_the_log.get(level)
        if right is not None and rounded_down(right, CENT) != parse_money(value):
            text = (
                f"Frame {last.sequence}, the last on the sign {last.display}, says {value} for "
                f"{level}; the event log gives {format_money(rounded_down(right, CENT))}."
            )
            yield f"frame:{last.display.pk}:{last.sequence}:{level}", text


def _behind(last: Shown, progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    """The figures went on, and the sign did not: it was dark, or it stood still."""
    end = min(day_start(progressive.host, day + timedelta(days=1)), timezone.now())
    if last.display.revoked_at is not None:  # taken down
        end = min(end, last.display.revoked_at)
    missed = progressive.frames.filter(sequence__gt=last.sequence, at__lt=end - GRACE).order_by("sequence")
    first, newest = missed.first(), missed.last()
    if first is None or newest is None:
        return
    heard = _clock(progressive, last.at)
    if last.at < newest.at:
        text = (
            f"The sign {last.display} has told nothing since {heard} (frame {last.sequence}), and the figures went on "
            f"to frame {newest.sequence} at {_clock(progressive, newest.at)}: see whether it was dark."
        )
    else:
        text = (
            f"The sign {last.display} still showed frame {last.sequence} at {heard}, which frame {first.sequence} had "
            f"replaced at {_clock(progressive, first.at)}: it stands still, or its clock is wrong."
        )
    yield f"behind:{last.display.pk}:{last.sequence}", text


def _clock(progressive: Progressive, at: datetime) -> str:
    return told(at, progressive.host)
