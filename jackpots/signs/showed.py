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
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from jackpots.frames import made_again
from jackpots.models import Display, DisplayMinute, Frame, Progressive
from people.gaming_day import day_start
from rules.money import CENT, floor_to, format_money, parse_money

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

    @cached_property
    def figures(self) -> dict[str, int]:
        """What stood on the glass, by level."""
        if self.frame is None:
            return {}
        sent = {level["level"]: level["value"] for level in self.frame.body["levels"]}
        return {level: parse_money(value) for level, value in (sent | self.wrong).items()}

    @cached_property
    def by_the_log(self) -> dict[str, int]:
        """What should have stood there, exact; empty where the frame does not say what it was made of."""
        return (made_again(self.frame) if self.frame is not None else None) or {}


def last_shown(progressive: Progressive, day: date) -> list[Shown]:
    """By sign, the newest report first. A sign that told nothing of the day is not in it: it showed nothing live."""
    found = []
    for display in signs_of(progressive, day):
        minute = _minutes(display, progressive, day).order_by("minute").last()
        if minute is None or not minute.showed:
            continue
        sequence, offset_ms = max(minute.showed, key=lambda item: (item[1], item[0]))
        wrong = [item for item in minute.wrong if item[:2] == [sequence, offset_ms]]
        frame = Frame.objects.filter(progressive=progressive, sequence=sequence).first()
        at = minute.minute + timedelta(milliseconds=offset_ms)
        found.append(Shown(display, sequence, at, frame, wrong[-1][2] if wrong else {}))
    return sorted(found, key=lambda shown: shown.at, reverse=True)


def signs_of(progressive: Progressive, day: date) -> list[Display]:
    begin = day_start(progressive.host, day)
    in_use = progressive.displays.filter(Q(revoked_at__isnull=True) | Q(revoked_at__gte=begin))
    return list(in_use.select_related("premises").order_by("name", "pk"))


def _minutes(display: Display, progressive: Progressive, day: date) -> Any:
    begin, end = day_start(progressive.host, day), day_start(progressive.host, day + timedelta(days=1))
    return DisplayMinute.objects.filter(display=display, minute__gte=begin, minute__lt=end)


def troubles(progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    """Key and sentence of everything that a sign showed otherwise than it should have."""
    lasts = {shown.display.pk: shown for shown in last_shown(progressive, day)}
    for display in signs_of(progressive, day):
        last = lasts.get(display.pk)
        if last is None:
            continue
        yield from _never_sent(display, progressive, day)
        yield from _wrong_on_the_glass(display, progressive, day)
        yield from _not_by_the_log(last)
        yield from _behind(last, progressive, day)


def _never_sent(display: Display, progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    told = {
        item[0]
        for row in _minutes(display, progressive, day).values_list("showed", flat=True)
        for item in row
    }
    sent = progressive.frames.filter(sequence__in=told).values_list("sequence", flat=True)
    unknown = sorted(told - set(sent))
    if unknown:
        names = ", ".join(str(number) for number in unknown[:5]) + (" …" if len(unknown) > 5 else "")
        text = (
            f"The sign {display} says that it showed frame {names} of {progressive}, which was never sent: "
            "see what runs on that screen."
        )
        yield f"never-sent:{display.pk}:{len(unknown)}", text


def _wrong_on_the_glass(display: Display, progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    rows = _minutes(display, progressive, day).exclude(wrong=[]).order_by("minute")
    wrong = [(row.minute, *item) for row in rows for item in row.wrong]
    if not wrong:
        return
    minute, sequence, offset_ms, figures = wrong[0]
    frame = progressive.frames.get(sequence=sequence)
    sent = {level["level"]: level["value"] for level in frame.body["levels"]}
    said = "; ".join(f"{level} {value} instead of {sent[level]}" for level, value in sorted(figures.items()))
    more = f", and {len(wrong) - 1} more times" if len(wrong) > 1 else ""
    at = _clock(progressive, minute + timedelta(milliseconds=offset_ms))
    text = f"The sign {display} showed {said} at {at} (frame {sequence}){more}: see what it shows now."
    # The same figure told again is the same trouble; another one is to be looked at anew.
    different = {(item[1], *sorted(item[3].items())) for item in wrong}
    yield f"figure:{display.pk}:{len(different)}", text


def _not_by_the_log(last: Shown) -> Iterator[tuple[str, str]]:
    if last.frame is None:
        return
    for level in last.frame.body["levels"]:
        right = last.by_the_log.get(level["level"])
        if right is not None and floor_to(right, CENT) != parse_money(level["value"]):
            text = (
                f"Frame {last.sequence}, the last on the sign {last.display}, says {level['value']} for "
                f"{level['level']}; the event log gives {format_money(floor_to(right, CENT))}."
            )
            yield f"frame:{last.display.pk}:{last.sequence}:{level['level']}", text


def _behind(last: Shown, progressive: Progressive, day: date) -> Iterator[tuple[str, str]]:
    """The figures went on, and the sign did not: it was dark, or it stood still."""
    end = min(day_start(progressive.host, day + timedelta(days=1)), timezone.now()) - GRACE
    missed = progressive.frames.filter(sequence__gt=last.sequence, at__lt=end).order_by("sequence")
    first, newest = missed.first(), missed.last()
    if first is None or newest is None:
        return
    told = _clock(progressive, last.at)
    if last.at < newest.at:
        text = (
            f"The sign {last.display} has told nothing since {told} (frame {last.sequence}), and the figures went on "
            f"to frame {newest.sequence} at {_clock(progressive, newest.at)}: see whether it was dark."
        )
    else:
        text = (
            f"The sign {last.display} still showed frame {last.sequence} at {told}, which frame {first.sequence} had "
            f"replaced at {_clock(progressive, first.at)}: it stands still, or its clock is wrong."
        )
    yield f"behind:{last.display.pk}:{last.sequence}", text


def _clock(progressive: Progressive, at: datetime) -> str:
    return at.astimezone(ZoneInfo(progressive.host.time_zone)).strftime("%H:%M:%S")
