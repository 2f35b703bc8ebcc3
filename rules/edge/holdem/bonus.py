"""Texas Hold'em Bonus (gb-2011 11.16-11.38): two antes to see the flop or a fold, then a wager before the turn and one
before the river, each worth it by itself. Whoever folds does so before the flop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
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
    ratio,
    totals,
    ways_of,
)
from rules.edge.holdem.sorts import Sort, Tally, sort_of
from rules.edge.holdem.sums import (
    BLOCKS,
    FIELDS,
    PERMUTATIONS,
    Counts,
    Sums,
    classed,
    gather,
    packed,
    unpacked,
)
from rules.games.holdem.bonus import classify_ante

WIN_HIGH, WIN, TIE, LOSE = range(4)
"""Won with a straight or better; won with less; equal; lost."""
FLOP = 2
FOLD = Result("fold", Fraction(-1))
AFTER_TURN = 46 * DEALERS
_NAMES = ("win, straight or better", "win, less than a straight", "equal", "lose")


@cache
def pays_ante(value: int) -> bool:
    return classify_ante(value) is not None


def place(met: Met) -> Counts:
    """The lost are what is left."""
    return (WIN_HIGH if pays_ante(met.value) else WIN, met.lower), (TIE, met.equal)


def _all(counts: Sequence[int], of: int) -> list[int]:
    return [*counts, of - sum(counts)]


class Values:
    def __init__(self, case: Case) -> None:
        self.ante = ratio(case.pays("ante"), "straight-or-better")
        self.bet = ratio(case.pays("bet"), "win")

    def unit(self, counts: Sequence[int]) -> Fraction:
        """What one unit gains over these deals."""
        return self.bet * (counts[WIN_HIGH] + counts[WIN]) - counts[LOSE]

    def to_see_the_flop(self, counts: Sequence[int]) -> Fraction:
        """Ante and flop wager together."""
        return self.ante * counts[WIN_HIGH] - counts[LOSE] + FLOP * self.unit(counts)

    def result(self, end: int, turn: bool, river: bool) -> Result:
        units = FLOP + turn + river
        net = {
            WIN_HIGH: self.ante + units * self.bet,
            WIN: units * self.bet,
            TIE: Fraction(0),
            LOSE: Fraction(-1 - units),
        }[end]
        more = f"{', turn' if turn else ''}{', river' if river else ''}"
        return Result(_NAMES[end] + more, net, Fraction(1 + units))


Blocks = list[int]
"""By both suits, 16 of them: a field for each holding."""


def _turned(block: Sequence[int]) -> list[int]:
    return [block[13 * (place % 13) + place // 13] for place in range(FIELDS)]


class _Flops:
    """What holdings do on every flop, and what they are worth over all of them."""

    def __init__(self, values: Values, sums: Sums) -> None:
        self.bets: list[Blocks] = []
        self.opening: dict[str, Fraction] = {}
        """By name, over all deals: with the turn wager where it is worth it, without the river wager."""
        for number, (flop, ways) in enumerate(classes(3)):
            found = sums.of(number)
            marks = [[0] * FIELDS for _ in BLOCKS]
            for block, at, name in fields(flop):
                counts = _all([table[block][at] for table in found], AFTER_FLOP)
                more = values.unit(counts)
                marks[block][at] = more > 0
                gained = values.to_see_the_flop(counts) + max(more, Fraction(0))
                self.opening[name] = self.opening.get(name, Fraction(0)) + ways * gained
            by_suits = [0] * 16
            for (one, two), mark in zip(BLOCKS, marks, strict=True):
                by_suits[4 * one + two] = packed(mark)
                if one != two:
                    by_suits[4 * two + one] = packed(_turned(mark))
            self.bets.append(by_suits)

    def bet_before(self, cards: Sequence[Card]) -> list[tuple[int, ...]]:
        """For the first four cards of a board: on how many of the four flops that they may have begun with each holding
        made the turn wager. By block."""
        found = [0] * len(BLOCKS)
        for flop in combinations(cards, 3):
            number, suits = classed(flop)
            back = _INVERSE[suits]
            for place, (one, two) in enumerate(BLOCKS):
                found[place] += self.bets[number][4 * back[one] + back[two]]
        return [unpacked(block) for block in found]


_INVERSE = {suits: tuple(suits.index(suit) for suit in range(4)) for suits in PERMUTATIONS}


def solve(case: Case) -> Solution:
    values = Values(case)
    by_flop, by_turn = gather((3, 4), 3, place, 0, case.tick)
    flops = _Flops(values, by_flop)
    ends = {
        (turn, river): [values.result(end, turn, river) for end in range(4)]
        for turn in (False, True)
        for river in (False, True)
    }
    # A flop's sums are over pairs of turn and river; four cards stand for four flops with their turn.
    gained = {name: 2 * worth for name, worth in flops.opening.items()}
    kept: dict[str, dict[tuple[bool, bool], list[int]]] = {name: {} for name in gained}
    for number, (cards, ways) in enumerate(classes(4)):
        found, bet = by_turn.of(number), flops.bet_before(cards)
        for block, at, name in fields(cards):
            counts = _all([table[block][at] for table in found], AFTER_TURN)
            more = values.unit(counts)
            if more > 0:
                gained[name] += 4 * ways * more
            before = bet[block][at]
            for turn, flops_of in ((True, before), (False, 4 - before)):
                if flops_of:
                    total = kept[name].setdefault((turn, more > 0), [0] * 4)
                    for end, count in enumerate(counts):
                        total[end] += flops_of * ways * count
    weights: Weights = {}
    opening: dict[str, dict[str, Fraction]] = {}
    of = 2 * comb(50, 3) * AFTER_FLOP
    for name, worth in gained.items():
        every = of * ways_of(name)
        opening[name] = {"flop": worth / every, "fold": FOLD.net}
        if worth <= -every:
            weights[FOLD] = weights.get(FOLD, 0) + every
            continue
        for key, total in kept[name].items():
            for came, count in zip(ends[key], total, strict=True):
                weights[came] = weights.get(came, 0) + count
    return Solution(Distribution.of_weights(weights), opening, _on_flop(values, by_flop, opening))


def _on_flop(values: Values, sums: Sums, opening: Mapping[str, Mapping[str, Fraction]]) -> dict[str, Sort]:
    """The turn wager, of hands that see the flop."""
    tally, scale = Tally(("turn", "check")), values.bet.denominator
    for number, (flop, ways) in enumerate(classes(3)):
        found = sums.of(number)
        for block, at, name in fields(flop):
            if opening[name]["flop"] > opening[name]["fold"]:
                counts = _all([table[block][at] for table in found], AFTER_FLOP)
                tally.add(sort_of(hole_of(block, at), flop), ways, (int(scale * values.unit(counts)), 0))
    return tally.sorts(ON_FLOP, scale * AFTER_FLOP)


def choices(case: Case, hole: Sequence[Card], board: Sequence[Card]) -> dict[str, Fraction]:
    """What the wager before the turn, or the one before the river, adds in antes."""
    of, name = (AFTER_FLOP, "turn") if len(board) == 3 else (AFTER_TURN, "river")
    counts = _all(totals(hole, board, 3, place, 0), of)
    return {name: Values(case).unit(counts) / of, "check": Fraction(0)}
