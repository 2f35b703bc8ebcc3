"""Pai Gow Tiles: the bank in a player's hands (gb-2011 14.21), against one opponent who sets by the House Way.

The levy is on what the bank gains of a round, so with several opponents who partly win and partly lose it is less than
here: the figure of one is the least that the bank is worth by each.
"""

from __future__ import annotations

from fractions import Fraction

from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.families.pai_gow_tiles import (
    GIVEN,
    OPEN,
    WAYS,
    Counts,
    Four,
    Way,
    dealers,
    drawn,
    hands_of,
    one_differs,
)
from rules.games.pai_gow_tiles.hands import SetHands
from rules.games.pai_gow_tiles.settle import LEVY, classify_standard


def _results(case: Case) -> dict[str, Result]:
    """By how the opponent fares, for each unit of his wager."""
    owed = case.pays("standard").lines["win"].ratio
    levy = LEVY if case.options["bank-levy"] else Fraction(0)
    return {
        "lose": Result("the bank wins", 1 - levy, owed),
        "stand-off": Result(PUSHED.line, PUSHED.net, owed),
        "win": Result("the bank loses", -owed, owed),
    }


def _best(case: Case, tiles: Four) -> tuple[SetHands, Counts]:
    """The bank wins what is equal, so its counts are of hands at least as high."""
    ends = _results(case)
    gain, pays = ends["lose"].net, -ends["win"].net
    found = dealers(Way.of(case)).settings(tiles, bank=True)
    return max(found, key=lambda one: gain * one[1].win - pays * one[1].lose)


def compute(case: Case) -> Distribution:
    ends, weights = _results(case), dict[Result, int]()
    for tiles, ways in hands_of(case):
        _, counts = _best(case, tiles)
        for outcome, number in (("lose", counts.win), ("stand-off", counts.stand_off), ("win", counts.lose)):
            weights[ends[outcome]] = weights.get(ends[outcome], 0) + ways * number
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    tiles, other = drawn(chance)
    hands, theirs = _best(case, tiles)[0], Way.of(case).set(other)
    end = _results(case)[classify_standard(theirs, hands)]
    owed = case.pays("standard").lines["win"].ratio
    wagers = [Wager("w", "bank", int(UNIT * owed), 1), Wager("other", "standard", UNIT, 2)]
    decisions = [
        Decision("set", 1, value={"high": hands.high}),
        Decision("set", 2, value={"high": theirs.high}),
    ]
    rounds = (case.round(wagers, {"seats": {1: tiles, 2: other}}, decisions=decisions),)
    return Trial(end, rounds, frozenset("w"))


ENTRIES = (
    EdgeEntry(
        *("pai-gow-tiles", "gb-2011", "bank", compute, trial),
        slots=("standard",),
        options={**WAYS, "bank-levy": (True,), "player-bank": (True,)},
        listed=one_differs,
        given={**GIVEN, "player-bank": True},
        method=BEST_PLAY,
        left_open=OPEN,
        about="Of the wager of one opponent, who sets by the House Way; equal hands are the bank's; less the levy.",
    ),
)
