"""Two Way Texas Hold'em's ante and blind (gb-2011 11.101-11.114): nobody folds; a wager on the flop and one at the end
may be added, each worth it by itself. The Two Way wager is `rules.edge.families.two_way`'s."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

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
    meets,
    ratio,
    totals,
    ways_of,
)
from rules.edge.holdem.sorts import Tally, sort_of
from rules.edge.holdem.sums import Counts, gather
from rules.errors import RuleError
from rules.ranking import Category, make_value

QUALIFIES_FROM = make_value(Category.PAIR)
"""11.108"""
WIN, WIN_IDLE, TIE, LOSE, LOSE_IDLE = range(5)
ENDS = 5
"""Idle: the dealer does not qualify, and the ante alone is contested. The same again for boards with a river wager."""


class Values:
    def __init__(self, case: Case) -> None:
        if case.options["river-wager"] != "ante":
            text = "without a limit to the river wager there is no best play: leave river-wager at 'ante'"
            raise RuleError(text, field="options.river-wager", rule="gb-2011 11.106")
        self.ante, self.bet = ratio(case.pays("ante"), "win"), ratio(case.pays("bet"), "win")

    def unit(self, counts: Sequence[int]) -> Fraction:
        """What one more unit gains over these deals."""
        return self.bet * counts[WIN] - counts[LOSE]

    def adds(self, counts: Sequence[int]) -> bool:
        """Is one more unit worth it?"""
        return self.bet.numerator * counts[WIN] > self.bet.denominator * counts[LOSE]

    def place(self, met: Met) -> Counts:
        if met.value < QUALIFIES_FROM:
            idle_lost = met.unqualified - met.lower - met.equal
            counts = (0, met.lower, met.equal, DEALERS - met.unqualified, idle_lost)
        else:
            lost = DEALERS - met.lower - met.equal
            counts = (met.lower - met.unqualified, met.unqualified, met.equal, lost, 0)
        first = ENDS if self.adds(counts) else 0
        return [(first + end, count) for end, count in enumerate(counts)]

    def result(self, end: int, flop: bool, river: bool) -> Result:
        more = f"{', flop' if flop else ''}{', river' if river else ''}"
        units = 1 + flop + river
        net = {
            WIN: self.ante + units * self.bet,
            WIN_IDLE: self.ante,
            TIE: Fraction(0),
            LOSE: Fraction(-1 - units),
            LOSE_IDLE: Fraction(-1),
        }[end]
        name = ("win", "win, dealer does not qualify", "equal", "lose", "lose, dealer does not qualify")[end]
        return Result(name + more, net, Fraction(1 + units))


def _whole(counts: Sequence[int]) -> list[int]:
    return [one + other for one, other in zip(counts[:ENDS], counts[ENDS:], strict=True)]


def solve(case: Case) -> Solution:
    values = Values(case)
    (sums,) = gather((3,), 2 * ENDS, values.place, QUALIFIES_FROM, case.tick)
    ends = {
        flop: [values.result(end, flop, river) for river in (False, True) for end in range(ENDS)]
        for flop in (False, True)
    }
    weights: Weights = {}
    opening: dict[str, Fraction] = {}
    tally, scale = Tally(("flop", "check")), values.bet.denominator
    for number, (first, ways) in enumerate(classes(3)):
        found = sums.of(number)
        for block, at, name in fields(first):
            counts = [table[block][at] for table in found]
            whole = _whole(counts)
            here = ends[values.adds(whole)]
            tally.add(sort_of(hole_of(block, at), first), ways, (int(scale * values.unit(whole)), 0))
            gained = Fraction(0)
            for end, count in zip(here, counts, strict=True):
                weights[end] = weights.get(end, 0) + ways * count
                gained += count * end.net
            opening[name] = opening.get(name, Fraction(0)) + ways * gained
    of = comb(50, 3) * AFTER_FLOP
    worths = {name: {"play": gained / (of * ways_of(name))} for name, gained in opening.items()}
    sorts = tally.sorts(ON_FLOP, scale * AFTER_FLOP)
    return Solution(Distribution.of_weights(weights), worths, sorts)


def choices(case: Case, hole: Sequence[Card], board: Sequence[Card]) -> dict[str, Fraction]:
    """What the wager on the flop, or the one at the end, adds in antes."""
    values = Values(case)
    if len(board) == 5:
        counts, of, name = [0] * (2 * ENDS), DEALERS, "river"
        for number, count in values.place(meets(hole, board, QUALIFIES_FROM)):
            counts[number] += count
    else:
        counts, of, name = totals(hole, board, 2 * ENDS, values.place, QUALIFIES_FROM), AFTER_FLOP, "flop"
    return {name: values.unit(_whole(counts)) / of, "check": Fraction(0)}
