"""Craps: bets that one throw decides, and bets that stand until they are decided, as chains of throws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from rules.contract import NOTHING, Carried, Decision, Round, Standing, Wager
from rules.edge.chains import solve
from rules.edge.core import LOST, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games.craps import gb_2011, nz_1996
from rules.games.craps.bets import POINTS, Bet, CrapsRules, Form
from rules.games.craps.outcomes import Fate, split_units, throw_verdict, verdict
from rules.pieces.dice import Dice

THROWS: tuple[Dice, ...] = tuple((a, b) for a, b in product(range(1, 7), repeat=2))
BOOKS: Mapping[str, CrapsRules] = {"nz-1996": nz_1996.BOOK, "gb-2011": gb_2011.BOOK}
_ONE_THROW = (Form.ONE_THROW, Form.DICE, Form.SPLIT)


@dataclass(frozen=True, slots=True)
class Stands:
    """A bet that is not decided; `number` is its point or the number that it backs, 0: none yet."""

    number: int


def _bet(case: Case) -> tuple[CrapsRules, Bet]:
    book = BOOKS[case.game.rulebook]
    return book, book.bets[case.entry.wager]


def _fee(case: Case, bet: Bet, book: CrapsRules, number: int) -> Fraction:
    """What is charged on top when the bet is placed, for each unit of it."""
    if not bet.fee:
        return Fraction(0)
    won = case.pays(bet.name).lines[str(number)].ratio
    return book.fee_share * (1 if bet.fee == "stake" else won)


def step(case: Case, at: Stands, thrown: Dice) -> Stands | Result:
    """What a throw makes of a bet."""
    book, bet = _bet(case)
    if bet.form is Form.SPLIT:
        return _split(case, book, bet, thrown)
    fate, line = verdict(bet, thrown, at.number, case.selection, book.barred)
    if fate is Fate.STAYS:
        return Stands(at.number or (sum(thrown) if bet.is_line else 0))
    if fate is Fate.VOID:
        return PUSHED
    result = paid(case.pays(bet.name), line) if fate is Fate.WIN else LOST
    fee = _fee(case, bet, book, at.number)
    return Result(result.line, result.net - fee, 1 + fee) if fee else result


def _split(case: Case, book: CrapsRules, bet: Bet, thrown: Dice) -> Result:
    """Parts are paid as the separate wagers that they are; the others are lost."""
    units = split_units(bet, case.selection)
    whole = sum(units.values())
    for kind, count in units.items():
        fate, line = throw_verdict(book.bets[kind], thrown, "")
        if fate is Fate.WIN:
            ratio = case.pays(kind).lines[line].ratio
            return Result(kind, (ratio * count - (whole - count)) / whole)
    return LOST


def _starts(case: Case) -> dict[Stands, int]:
    """Where the bet begins, with weights: a bet behind a line without a selection has the point of that line."""
    _, bet = _bet(case)
    if bet.backs_number:
        return {Stands(int(case.selection)): 1}
    if bet.is_behind:
        return {Stands(point): sum(sum(thrown) == point for thrown in THROWS) for point in POINTS}
    return {Stands(bet.number): 1}


def compute(case: Case) -> Distribution:
    starts = _starts(case)
    total = sum(starts.values())
    mixed: dict[Result, Fraction] = {}
    for start, weight in starts.items():
        ends = solve(start, dict.fromkeys(THROWS, 1), lambda at, thrown: step(case, at, thrown))
        for result, chance in ends.chances.items():
            mixed[result] = mixed.get(result, Fraction(0)) + chance * Fraction(weight, total)
    return Distribution(mixed)


def trial(case: Case, chance: Chance) -> Trial:
    """The bet is placed when the rulebook lets it be placed, called on where it could be off, and thrown for."""
    _, bet = _bet(case)
    starts = _starts(case)
    possible = [at for at, weight in starts.items() for _ in range(weight)]
    start = chance.choice(possible) if len(starts) > 1 else possible[0]
    at: Stands | Result = start
    wager = Wager("w", bet.name, UNIT, selection=case.selection)
    calls = [Decision("on", wager="w")] if bet.may_call else []
    rounds: list[Round] = []
    while not isinstance(at, Result):
        thrown = chance.choice(THROWS)
        if rounds:
            rounds.append(case.round([], {"dice": thrown}))
        else:
            rounds.append(
                case.round([wager], {"dice": thrown}, decisions=calls, carried=_before(bet, start.number))
            )
        at = step(case, at, thrown)
    return Trial(at, tuple(rounds), frozenset("w"), fees=bool(bet.fee))


def _before(bet: Bet, number: int) -> Carried:
    """The layout on which the bet may be placed."""
    if bet.is_line and not bet.after_point:
        return NOTHING
    if not bet.is_behind:
        return Carried({"point": 4})
    line = Wager("line", bet.base, 2 * UNIT)
    point = number if bet.base in ("pass", "dont-pass") else 4
    state: Mapping[str, Any] = {"point": number}
    return Carried({"point": point}, (Standing(line, state),))


_ABOUT_BEHIND = "Of the amount behind the line alone; the point is any, as often as each comes."
_ABOUT_CALLED = "While it is on: called on, where it would be off on come out rolls."
_ABOUT_UNTIL = "From its placement until it is decided."


def _about(bet: Bet) -> str:
    if bet.form in _ONE_THROW:
        return ""
    if bet.is_behind and not bet.choices:
        return _ABOUT_BEHIND
    return _ABOUT_CALLED if bet.off_on_come_out else _ABOUT_UNTIL


def _selections(bet: Bet) -> tuple[str, ...]:
    if bet.units_selected:
        return ("1+1",)
    if bet.form is Form.DICE:
        return bet.choices[:1]
    return bet.choices or ("",)


def _slots(bet: Bet, book: CrapsRules) -> tuple[str, ...]:
    if bet.form is not Form.SPLIT:
        return (bet.name,)
    return tuple(kind for kind in bet.parts if kind in book.bets)


def _entries() -> Iterator[EdgeEntry]:
    for rulebook, book in BOOKS.items():
        for bet in book.bets.values():
            yield EdgeEntry(
                *("craps", rulebook, bet.name, compute, trial),
                slots=_slots(bet, book),
                selections=_selections(bet),
                about=_about(bet),
            )


ENTRIES = tuple(_entries())
