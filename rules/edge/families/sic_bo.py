"""Sic Bo and Tai-Sai: three dice, all wagers decided by one throw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from rules.contract import Wager
from rules.edge.core import UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games.tai_sai import dice, gb_2011, nz_1996

THROWS = tuple(product(range(1, 7), repeat=3))
_SHOWN: Mapping[str, tuple[str, ...]] = {
    "triple": ("1",),
    "double": ("1",),
    "total": dice.TOTALS,
    "combination": ("1-2",),
    "single": ("1",),
    "four-numbers": (dice.FOURS[0],),
    "three-numbers": ("1-2-3",),
    "double-and-single": ("1-1-2",),
}


def _result(case: Case, thrown: tuple[int, ...]) -> Result:
    line = dice.classify(case.entry.wager, case.selection, dice.sorted_dice(thrown))
    return paid(case.pays("layout"), line)


def compute(case: Case) -> Distribution:
    return Distribution.of_results(_result(case, thrown) for thrown in THROWS)


def trial(case: Case, chance: Chance) -> Trial:
    thrown = chance.choice(THROWS)
    seat = 1 if case.game.terminals else 0
    wager = Wager("w", case.entry.wager, UNIT, seat, selection=case.selection)
    return Trial(_result(case, thrown), (case.round([wager], {"dice": thrown}),), frozenset("w"))


def _entries() -> Iterator[EdgeEntry]:
    for game, rulebook, kinds in (
        ("tai-sai", "nz-1996", nz_1996.PERMITTED),
        ("electronic-tai-sai", "nz-consultation", nz_1996.PERMITTED),
        ("sic-bo", "gb-2011", gb_2011.PERMITTED),
    ):
        for kind in kinds:
            shown = _SHOWN.get(kind, ("",))
            yield EdgeEntry(game, rulebook, kind, compute, trial, slots=("layout",), selections=shown)


ENTRIES = tuple(_entries())
