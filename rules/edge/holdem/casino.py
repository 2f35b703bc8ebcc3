"""Casino Hold'em (gb-2011 11.77-11.91): one decision, on the flop."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from rules.cards import Card
from rules.edge.core import Case, Distribution, Result
from rules.edge.hands import classes
from rules.edge.holdem.boards import DEALERS, Met
from rules.edge.holdem.play import (
    AFTER_FLOP,
    ON_FLOP,
    Solution,
    Weights,
    fields,
    hole_of,
    parts,
    ratio,
    totals,
    ways_of,
    worth,
)
from rules.edge.holdem.sorts import Tally, sort_of
from rules.edge.holdem.sums import Counts, gather
from rules.games.holdem.casino import ANTE_ODDS, classify_ante
from rules.pieces.showdown import Contest
from rules.ranking import Category, make_value

QUALIFIES_FROM = make_value(Category.PAIR, 4)
"""11.87"""
CALL = 2
KEYS = tuple(ANTE_ODDS.lines)
_SIZE = len(KEYS)
LOSE, TIE = 2 * _SIZE, 2 * _SIZE + 1
NUMBERS = 2 * _SIZE + 2
"""By ante line: no game; by ante line: won; lost; equal."""
FOLD = Result("fold", Fraction(-1))


@cache
def _line(value: int) -> int:
    return KEYS.index(classify_ante(value))


def place(met: Met) -> Counts:
    line = _line(met.value)
    if met.value < QUALIFIES_FROM:
        return (line, met.unqualified), (LOSE, DEALERS - met.unqualified)
    return (
        (line, met.unqualified),
        (_SIZE + line, met.lower - met.unqualified),
        (LOSE, DEALERS - met.lower - met.equal),
        (TIE, met.equal),
    )


def result(case: Case, key: str, contest: Contest) -> Result:
    """Ante and call together, for a hand that called."""
    ante, call = ratio(case.pays("ante"), key), CALL * ratio(case.pays("call"), "win")
    net = {
        Contest.NO_GAME: ante,
        Contest.WIN: ante + call,
        Contest.LOSE: Fraction(-1 - CALL),
        Contest.TIE: Fraction(0),
    }[contest]
    told = contest in (Contest.NO_GAME, Contest.WIN)
    return Result(f"{contest.value}, {key}" if told else contest.value, net, Fraction(1 + CALL))


def results(case: Case) -> list[Result]:
    return [
        *(result(case, key, Contest.NO_GAME) for key in KEYS),
        *(result(case, key, Contest.WIN) for key in KEYS),
        result(case, KEYS[0], Contest.LOSE),
        result(case, KEYS[0], Contest.TIE),
    ]


def solve(case: Case) -> Solution:
    """Every flop of every holding."""
    ends = results(case)
    scale, nets = parts([end.net for end in ends])
    (sums,) = gather((3,), NUMBERS, place, QUALIFIES_FROM, case.tick)
    weights: Weights = {}
    opening: dict[str, int] = {}
    tally = Tally(("call", "fold"))
    for number, (flop, ways) in enumerate(classes(3)):
        found = sums.of(number)
        for block, at, name in fields(flop):
            counts = [table[block][at] for table in found]
            gained = worth(nets, counts)
            tally.add(sort_of(hole_of(block, at), flop), ways, (gained, -scale * AFTER_FLOP))
            if gained > -scale * AFTER_FLOP:
                for end, count in zip(ends, counts, strict=True):
                    weights[end] = weights.get(end, 0) + ways * count
            else:
                gained = -scale * AFTER_FLOP
                weights[FOLD] = weights.get(FOLD, 0) + ways * AFTER_FLOP
            opening[name] = opening.get(name, 0) + ways * gained
    all_of = scale * 19_600 * AFTER_FLOP
    worths = {name: {"play": Fraction(gained, all_of * ways_of(name))} for name, gained in opening.items()}
    sorts = tally.sorts(ON_FLOP, scale * AFTER_FLOP)
    return Solution(Distribution.of_weights(weights), worths, sorts)


def choices(case: Case, hole: Sequence[Card], board: Sequence[Card]) -> dict[str, Fraction]:
    """What call and fold are worth in antes, on a flop."""
    scale, nets = parts([end.net for end in results(case)])
    counts = totals(hole, board, NUMBERS, place, QUALIFIES_FROM)
    return {"call": Fraction(worth(nets, counts), scale * AFTER_FLOP), "fold": FOLD.net}
