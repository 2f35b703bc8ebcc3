"""Ultimate Texas Hold'em (gb-2011 11.48-11.76): the play wager before the flop, on it, or at the end, or a fold.

Sums are kept of all boards and of those on which the hand is folded at the end; what is left is what bets there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
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
    boards_after,
    fields,
    hole_of,
    meets,
    parts,
    ratio,
    ways_of,
    worth,
)
from rules.edge.holdem.sorts import Tally, sort_of
from rules.edge.holdem.sums import Counts, Sums, gather
from rules.games.holdem.ultimate import BLIND_ODDS, PLAY_TIMES, classify_blind
from rules.ranking import Category, make_value

QUALIFIES_FROM = make_value(Category.PAIR)
"""11.64"""
KEYS = (*BLIND_ODDS.lines, None)
_SIZE = len(KEYS)
TIE, LOSE, LOSE_IDLE = 2 * _SIZE, 2 * _SIZE + 1, 2 * _SIZE + 2
ENDS = 2 * _SIZE + 3
"""By blind line: won against a dealer who qualifies; by blind line: against one who does not; equal; lost; lost to a
dealer who does not qualify. The same again for boards on which the hand folds."""
FOLD = Result("fold", Fraction(-2), Fraction(2))


@cache
def _line(value: int) -> int:
    return KEYS.index(classify_blind(value))


def ends_of(met: Met) -> list[tuple[int, int]]:
    line = _line(met.value)
    if met.value < QUALIFIES_FROM:
        return [
            (_SIZE + line, met.lower),
            (TIE, met.equal),
            (LOSE, DEALERS - met.unqualified),
            (LOSE_IDLE, met.unqualified - met.lower - met.equal),
        ]
    return [
        (line, met.lower - met.unqualified),
        (_SIZE + line, met.unqualified),
        (TIE, met.equal),
        (LOSE, DEALERS - met.lower - met.equal),
    ]


def results(case: Case, times: int) -> list[Result]:
    """Ante, blind and a play wager of so many antes, in antes."""
    ante, play = ratio(case.pays("ante"), "win"), times * ratio(case.pays("play"), "win")
    blind = [Fraction(0) if key is None else ratio(case.pays("blind"), key) for key in KEYS]
    names = [", less than a straight" if key is None else f", {key}" for key in KEYS]
    bet, staked = f", {times} played", Fraction(2 + times)
    return [
        *(
            Result(f"win{name}{bet}", ante + play + odds, staked)
            for name, odds in zip(names, blind, strict=True)
        ),
        *(
            Result(f"win, ante off{name}{bet}", play + odds, staked)
            for name, odds in zip(names, blind, strict=True)
        ),
        Result(f"equal{bet}", Fraction(0), staked),
        Result(f"lose{bet}", Fraction(-2 - times), staked),
        Result(f"lose, ante off{bet}", Fraction(-1 - times), staked),
    ]


class Values:
    """What ends are worth, in parts of an ante, by how many antes were played."""

    def __init__(self, case: Case) -> None:
        self.results = {times: results(case, times) for times in (4, 3, 2, 1)}
        flat = [end.net for ends in self.results.values() for end in ends]
        self.scale, nets = parts(flat)
        self.nets = {times: nets[ENDS * at : ENDS * at + ENDS] for at, times in enumerate(self.results)}

    def bets_at_the_end(self, met: Met) -> bool:
        """An ante played against a fold, which loses ante and blind."""
        nets = self.nets[1]
        return sum([nets[end] * count for end, count in ends_of(met)]) > -2 * self.scale * DEALERS

    def place(self, met: Met) -> Counts:
        ends = ends_of(met)
        if not self.bets_at_the_end(met):
            ends += [(ENDS + end, count) for end, count in ends]
        return ends

    def checked(self, counts: Sequence[int]) -> int:
        """A check on the flop: an ante at the end or a fold."""
        everything, folded = counts[:ENDS], counts[ENDS:]
        bet = [all_of - away for all_of, away in zip(everything, folded, strict=True)]
        return worth(self.nets[1], bet) - 2 * self.scale * sum(folded)


Cards = Sequence[Card]


def _each(sums: Sums, add: Callable[[Cards, Cards, str, int, list[int]], None]) -> None:
    """Every holding on every class of flops."""
    for number, (flop, ways) in enumerate(classes(3)):
        found = sums.of(number)
        for block, at, name in fields(flop):
            add(hole_of(block, at), flop, name, ways, [table[block][at] for table in found])


def solve(case: Case) -> Solution:
    values = Values(case)
    (sums,) = gather((3,), 2 * ENDS, values.place, QUALIFIES_FROM, case.tick)
    before = PLAY_TIMES[0]
    totals: dict[str, list[int]] = {}

    def open_with(_hole: Cards, _flop: Cards, name: str, ways: int, counts: list[int]) -> None:
        total = totals.setdefault(name, [0] * (len(before) + 1))
        for at, times in enumerate(before):
            total[at] += ways * worth(values.nets[times], counts[:ENDS])
        total[-1] += ways * max(worth(values.nets[2], counts[:ENDS]), values.checked(counts))

    _each(sums, open_with)
    played: dict[str, int] = {}
    for name, (*bets, check) in totals.items():
        most = max(bets)
        played[name] = before[bets.index(most)] if most > check else 0
    weights: Weights = {}
    tally = Tally(("bet 2", "check"))

    def end_with(hole: Cards, flop: Cards, name: str, ways: int, counts: list[int]) -> None:
        times, ends = played[name], counts[:ENDS]
        if not times:
            gains = worth(values.nets[2], ends), values.checked(counts)
            tally.add(sort_of(hole, flop), ways, gains)
            times = 2 if gains[0] > gains[1] else 1
        if times == 1:
            folded = counts[ENDS:]
            weights[FOLD] = weights.get(FOLD, 0) + ways * sum(folded)
            ends = [all_of - away for all_of, away in zip(ends, folded, strict=True)]
        for end, count in zip(values.results[times], ends, strict=True):
            if count:
                weights[end] = weights.get(end, 0) + ways * count

    _each(sums, end_with)
    names = [*(f"bet {times}" for times in before), "check"]
    opening = {}
    for name, total in totals.items():
        of = values.scale * comb(50, 3) * AFTER_FLOP * ways_of(name)
        opening[name] = {choice: Fraction(gained, of) for choice, gained in zip(names, total, strict=True)}
    sorts = tally.sorts(ON_FLOP, values.scale * AFTER_FLOP)
    return Solution(Distribution.of_weights(weights), opening, sorts)


def choices(case: Case, hole: Sequence[Card], board: Sequence[Card]) -> dict[str, Fraction]:
    """What can be chosen on a flop or at the end, in antes."""
    values = Values(case)
    if len(board) == 5:
        met = meets(hole, board, QUALIFIES_FROM)
        bet = sum(values.nets[1][end] * count for end, count in ends_of(met))
        return {"bet 1": Fraction(bet, values.scale * DEALERS), "fold": FOLD.net}
    counts = [0] * (2 * ENDS)
    for whole in boards_after(hole, board):
        for number, count in values.place(meets(hole, whole, QUALIFIES_FROM)):
            counts[number] += count
    of = values.scale * AFTER_FLOP
    return {
        "bet 2": Fraction(worth(values.nets[2], counts[:ENDS]), of),
        "check": Fraction(values.checked(counts), of),
    }
