"""Big Six and Money Wheel: one spin of a wheel of 52 compartments."""

from __future__ import annotations

from rules.contract import Wager
from rules.edge.core import UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games.big_six import COMPARTMENTS, SYMBOLS, wins


def _compartments(case: Case) -> tuple[str, ...]:
    return tuple(symbol for symbol, count in COMPARTMENTS[case.game.rulebook].items() for _ in range(count))


def _result(case: Case, symbol: str) -> Result:
    return paid(case.pays("layout"), symbol if wins(case.selection, symbol) else None)


def compute(case: Case) -> Distribution:
    return Distribution.of_results(_result(case, symbol) for symbol in _compartments(case))


def trial(case: Case, chance: Chance) -> Trial:
    symbol = chance.choice(_compartments(case))
    wager = Wager("w", "symbol", UNIT, selection=case.selection)
    return Trial(_result(case, symbol), (case.round([wager], {"symbol": symbol}),), frozenset("w"))


ENTRIES = tuple(
    EdgeEntry(game, rulebook, "symbol", compute, trial, slots=("layout",), selections=SYMBOLS)
    for game, rulebook in (("money-wheel", "nz-1996"), ("big-six", "gb-2011"))
)
