"""Craps by another road, for tests: each wager is followed alone through the whole list of throws.

Written from the books without a look at `rules.games.craps`: no layout, no carried state, money in cents as fractions.
A throw is a pair of faces, or None for a no roll.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

Throw = tuple[int, int] | None
BOXES = {4, 5, 6, 8, 9, 10}
TRUE = {
    4: Fraction(2),
    5: Fraction(3, 2),
    6: Fraction(6, 5),
    8: Fraction(6, 5),
    9: Fraction(3, 2),
    10: Fraction(2),
}

NZ: dict[str, Any] = {
    "barred": 12,
    "place": {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)},
    "hardway": {4: 7, 6: 9, 8: 9, 10: 7},
    "field": {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2},
    "one": {
        "any-seven": ({7}, 4),
        "any-craps": ({2, 3, 12}, 7),
        "craps-two": ({2}, 30),
        "craps-three": ({3}, 15),
        "craps-twelve": ({12}, 30),
        "eleven": ({11}, 15),
    },
    "idle on come out": {"place", "buy", "come-odds", "hardway"},
    "callable": {"place", "buy", "come-odds", "hardway"},
    "calls count always": True,
}
GB: dict[str, Any] = {
    "barred": 2,
    "place": {4: Fraction(19, 10), 5: Fraction(7, 5), 6: Fraction(7, 6)},
    "place-lose": {4: Fraction(5, 11), 5: Fraction(5, 8), 6: Fraction(4, 5)},
    "hardway": {4: Fraction(15, 2), 6: Fraction(19, 2), 8: Fraction(19, 2), 10: Fraction(15, 2)},
    "field": {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 3},
    "one": {
        "any-seven": ({7}, 4),
        "any-craps": ({2, 3, 12}, Fraction(15, 2)),
        "craps-two": ({2}, 33),
        "craps-three": ({3}, 16),
        "craps-twelve": ({12}, 33),
        "eleven": ({11}, 16),
    },
    "idle on come out": {"place", "come-odds"},
    "callable": {"place", "come-odds", "dont-come-lay", "place-lose"},
    "calls count always": False,
}
BOOKS = {"nz-1996": NZ, "gb-2011": GB}


@dataclass
class Bet:
    """A wager as a player makes it: before throw `at`, with everything that its owner later says about it."""

    id: str
    kind: str
    cents: int
    at: int
    player: str
    number: int = 0
    selection: str = ""
    calls: dict[int, str] = field(default_factory=dict)
    down_at: int | None = None
    reduced: dict[int, int] = field(default_factory=dict)
    """Before this throw, down to so many cents."""


@dataclass
class Fate:
    received: int = 0
    """Cents from the house over the whole stream: winnings and stakes back, less fees."""
    ended: int | None = None
    """The throw that decided it, or before which it came down."""
    point_at: int | None = None
    """Line bets: the throw that gave them their point."""
    left: int = 0
    """Cents still on the layout."""


def come_outs(throws: list[Throw]) -> list[bool]:
    """Is throw i a come out roll?"""
    answer, point = [], 0
    for throw in throws:
        answer.append(point == 0)
        if throw is None:
            continue
        total = sum(throw)
        if point == 0:
            point = total if total in BOXES else 0
        elif total in (7, point):
            point = 0
    return answer


def fate(bet: Bet, throws: list[Throw], rulebook: str) -> Fate:
    book, out, first = BOOKS[rulebook], Fate(), come_outs(throws)
    cents, call, point = bet.cents, "", 0
    out.received -= _fee(bet, bet.reduced.get(bet.at, cents))
    for i in range(bet.at, len(throws)):
        call = bet.calls.get(i, call)
        if bet.down_at == i:
            out.received += cents + _fee(bet, cents if i > bet.at else bet.reduced.get(i, cents))
            out.ended = i
            return out
        if i in bet.reduced:
            out.received += cents - bet.reduced[i]
            if i > bet.at:
                out.received += _fee(bet, cents) - _fee(bet, bet.reduced[i])
            cents = bet.reduced[i]
        throw = throws[i]
        if throw is None:
            continue
        idle = _idle(bet, call, first[i], book)
        ratio = _ratio(bet, throw, point, book)
        if ratio is None:
            if bet.kind in ("pass", "dont-pass", "come", "dont-come") and not point:
                point, out.point_at = sum(throw), i
            continue
        if idle and bet.kind not in ("come-odds", "dont-come-lay"):
            continue
        out.received += cents if idle else _paid(bet, cents, ratio)
        out.ended = i
        return out
    out.left = cents
    return out


def _paid(bet: Bet, cents: int, ratio: Fraction) -> int:
    """Of `cents` at stake: what comes over the table when each of its units wins or loses `ratio`."""
    parts = {"horn": 4, "horn-high": 5, "world": 5}.get(bet.kind)
    if bet.kind == "c-and-e":
        parts = sum(map(int, bet.selection.split("+")))
    if parts is None:
        return 0 if ratio < 0 else cents + ceil(ratio * cents)
    return ceil(ratio * cents / parts)  # already counted in units of the whole bet


def _idle(bet: Bet, call: str, come_out: bool, book: dict[str, Any]) -> bool:
    if bet.kind not in book["callable"]:
        return False
    if not come_out and not book["calls count always"]:
        return False
    if call:
        return call == "off"
    return come_out and bet.kind in book["idle on come out"]


def _fee(bet: Bet, cents: int) -> int:
    if bet.kind == "buy":
        return floor(Fraction(cents) / 20)
    if bet.kind == "lay":
        return floor(cents / TRUE[bet.number] / 20)
    return 0


def _ratio(bet: Bet, throw: tuple[int, int], point: int, book: dict[str, Any]) -> Fraction | None:
    """What the throw pays a unit: None undecided, -1 lost, 0 void. For bets of several parts: units received."""
    total, low = sum(throw), min(throw)
    kind, number = bet.kind, bet.number
    box = {4: 4, 10: 4, 5: 5, 9: 5, 6: 6, 8: 6}.get(number, 0)
    if kind in ("pass", "come"):
        return _line(total, point)
    if kind in ("dont-pass", "dont-come"):
        if not point and total == book["barred"]:
            return Fraction(0)
        other = _line(total, point)
        return None if other is None else -other
    if kind in ("pass-odds", "come-odds", "buy", "place", "big-six", "big-eight"):
        if total not in (7, number):
            return None
        evens = {"big-six": Fraction(1), "big-eight": Fraction(1)}
        win = evens.get(kind) or (book["place"][box] if kind == "place" else TRUE[number])
        return win if total == number else Fraction(-1)
    if kind in ("dont-pass-lay", "dont-come-lay", "lay", "place-lose"):
        if total not in (7, number):
            return None
        win = book["place-lose"][box] if kind == "place-lose" else 1 / TRUE[number]
        return win if total == 7 else Fraction(-1)
    if kind == "hardway":
        if total == number and low * 2 == number:
            return Fraction(book["hardway"][number])
        return Fraction(-1) if total in (7, number) else None
    if kind == "field":
        return Fraction(book["field"].get(total, -1))
    if kind in ("pair", "non-pair"):
        won = bet.selection == f"{low}-{max(throw)}"
        return Fraction(33 if kind == "pair" else 16) if won else Fraction(-1)
    if kind in book["one"]:
        totals, win = book["one"][kind]
        return Fraction(win) if total in totals else Fraction(-1)
    return _units(bet, total)


def _line(total: int, point: int) -> Fraction | None:
    if point:
        return Fraction(1) if total == point else Fraction(-1) if total == 7 else None
    return Fraction(1) if total in (7, 11) else Fraction(-1) if total in (2, 3, 12) else None


def _units(bet: Bet, total: int) -> Fraction:
    """Units that come back for a horn, horn high, world or C & E, the winning units' own stake included."""
    if bet.kind == "c-and-e":
        craps, eleven = map(int, bet.selection.split("+"))
        return Fraction(craps * 8 if total in (2, 3, 12) else eleven * 16 if total == 11 else 0)
    if bet.kind == "world" and total == 7:
        return Fraction(5)
    one = {2: 31, 3: 16, 11: 16, 12: 31}.get(total, 0)
    return Fraction(one * (2 if bet.kind == "horn-high" and bet.selection == str(total) else 1))
