"""What each sign showed at a win: what stood there when the hand fell, from when on it was pending, from when on won.

By what the signs themselves reported (jackpots.signs.reports), with the frames that they name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from config.kit.gaming_day import gaming_day
from jackpots.models import Display, DisplayMinute, Frame, Win
from jackpots.signs.frame_texts import with_texts
from jackpots.signs.showed import signs_of
from rules.codec import hit_from_json, hit_to_json
from rules.money import parse_money

AROUND = timedelta(minutes=2)
"""Before and after the hand and its resolution; a sign reports every five seconds."""


@dataclass(frozen=True)
class Told:
    """What stood on a glass, from when on."""

    at: datetime
    frame: Frame
    wrong: dict[str, str]
    """By level, what stood there instead."""

    def figure(self, level: str) -> int | None:
        sent = self.frame.figures | self.wrong
        return parse_money(sent[level]) if level in sent else None


@dataclass(frozen=True)
class AtAWin:
    display: Display
    stood: Told | None
    """The last that it told before the hand was public; None: nothing of the two minutes before."""
    stood_micros: int | None
    """Of the win's level."""
    pending_at: datetime | None
    won_at: datetime | None


def at_a_win(win: Win) -> list[AtAWin]:
    """By sign. The hand counts from when it was public: before that no sign may show it. Where all tables had vouched
    before that, the meter went on from it sooner."""
    progressive = win.progressive
    public_at = win.place if win.share is None else win.share.public_at or win.share.place
    hand_at = min(public_at, win.resolved_at)
    displays = signs_of(progressive, gaming_day(progressive.host, win.resolved_at))
    told = _told(win, displays, [hand_at, win.resolved_at])
    return [_at_a_win(win, display, told.get(display.pk, []), hand_at) for display in displays]


def _at_a_win(win: Win, display: Display, told: list[Told], hand_at: datetime) -> AtAWin:
    stood = next((one for one in reversed(told) if one.at <= hand_at), None)

    return AtAWin(
        display,
        stood,
        None if stood is None else stood.figure(win.level),
        _first(told, lambda body: any(is_hand_of(win, hand) for hand in body["pending"])),
        _first(told, lambda body: any(won["id"] == win.pk for won in body["wins"])),
    )


def is_hand_of(win: Win, pending: dict[str, Any]) -> bool:
    """Codes of tables are their premises' own. Frames of the first version say neither premises nor hit."""
    log = win.table_log
    if (pending["table"], pending["seat"], pending["hand"]) != (log.table_code, win.seat, win.trigger):
        return False
    if "hit" not in pending:
        return True
    hit = hit_to_json(hit_from_json(win.hit).without_player())
    return bool(pending["premises"] == log.premises.code and pending["hit"] == hit)


def _first(told: list[Told], shows: Callable[[dict[str, Any]], bool]) -> datetime | None:
    return next((one.at for one in told if one.frame.body is not None and shows(one.frame.body)), None)


def _told(win: Win, displays: list[Display], moments: list[datetime]) -> dict[int, list[Told]]:
    """By display, in the order of time."""
    spans = [(at - AROUND, at + AROUND) for at in moments]
    minutes = Q(pk__in=[])
    for first, last in spans:
        minutes |= Q(minute__gt=first - timedelta(minutes=1), minute__lte=last)
    rows = DisplayMinute.objects.filter(minutes, display__in=displays, progressive=win.progressive_id)
    named = [
        (row, sequence, offset_ms, row.minute + timedelta(milliseconds=offset_ms))
        for row in rows
        for sequence, offset_ms in row.showed
    ]
    sequences = {sequence for _, sequence, _, _ in named}
    sent = with_texts(win.progressive.frames.filter(sequence__in=sequences))
    frames = {frame.sequence: frame for frame in sent}
    found: dict[int, list[Told]] = {}
    for row, sequence, offset_ms, at in named:
        if sequence in frames and any(first <= at <= last for first, last in spans):
            wrong = [told[2] for told in row.wrong if told[:2] == [sequence, offset_ms]]
            told = Told(at, frames[sequence], wrong[-1] if wrong else {})
            found.setdefault(row.display_id, []).append(told)
    return {display: sorted(told, key=lambda one: one.at) for display, told in found.items()}
