"""Two Way Texas Hold'em's Two Way wager: the better of two seven-card hands that share a board, counted by boards.

Suits matter only where three or more cards of the board share one. For a board the holdings of two cards are sorted
into levels (the lines of the pay table); from how often each card lies in the holdings up to a level follows in how
many ways two players hold such, without a card in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

from rules.contract import Wager
from rules.edge.core import UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.hands import deal, spread
from rules.games.holdem.two_way import TWO_WAY_ODDS, classify_two_way
from rules.ranking import five_card_tables, rank7
from rules.ranking.keys import RANK_KEY_OF
from rules.ranking.sets import best_flush

Key = str | None
LEVELS: tuple[Key, ...] = (None, *reversed(tuple(TWO_WAY_ODDS.lines)))
_LEVEL = {key: place for place, key in enumerate(LEVELS)}
Ranks = tuple[int, ...]
"""The places (0 to 12) of a board's ranks, rising."""


@cache
def _level(value: int) -> int:
    return _LEVEL[classify_two_way(value, value)]


@cache
def _flush_level(mask: int) -> int:
    return _level(best_flush(mask << 2))


def _boards() -> Iterator[tuple[Ranks, Ranks, int]]:
    """All ranks of a board, the ranks of the three or more that share a suit, and how many boards are such."""
    for ranks in combinations_with_replacement(range(13), 5):
        ways = _ways_without(ranks)
        if ways:
            yield ranks, (), ways
    for suited in (3, 4, 5):
        rest = 5 - suited
        for flush in combinations(range(13), suited):
            for others in combinations_with_replacement(range(13), rest):
                ways = 4
                for rank in set(others):
                    ways *= comb(3, others.count(rank))
                yield tuple(sorted(flush + others)), flush, ways


@cache
def _shape_ways(sizes: tuple[int, ...]) -> int:
    """Ways to give suits to ranks held so many times, no suit three times."""
    counts: dict[tuple[int, ...], int] = {(0, 0, 0, 0): 1}
    for size in sizes:
        longer: dict[tuple[int, ...], int] = {}
        for have, ways in counts.items():
            for suits in combinations(range(4), size):
                now = tuple(number + (suit in suits) for suit, number in enumerate(have))
                longer[now] = longer.get(now, 0) + ways
        counts = longer
    return sum(ways for have, ways in counts.items() if max(have) <= 2)


def _ways_without(ranks: Ranks) -> int:
    if max(ranks.count(rank) for rank in ranks) > 4:
        return 0
    return _shape_ways(tuple(sorted(ranks.count(rank) for rank in set(ranks))))


@cache
def _unsuited(ranks: Ranks) -> tuple[Sequence[Sequence[int]], list[int], list[list[int]]]:
    """By the ranks of a board alone: the level of each pair of ranks, holdings by level, and by card and level."""
    tables = five_card_tables(7)
    board = sum(RANK_KEY_OF[rank] for rank in ranks)
    left = [4 - ranks.count(rank) for rank in range(13)]
    levels = [[0] * 13 for _ in range(13)]
    holdings = [0] * len(LEVELS)
    by_card = [[0] * len(LEVELS) for _ in range(13)]
    for low in range(13):
        for high in range(low, 13):
            both = left[low] * left[high] if low != high else comb(left[low], 2)
            if not both:
                continue
            level = _level(tables.unsuited(board + RANK_KEY_OF[low] + RANK_KEY_OF[high]))
            levels[low][high] = levels[high][low] = level
            holdings[level] += both
            by_card[low][level] += left[high] - (low == high)
            if low != high:
                by_card[high][level] += left[low]
    return levels, holdings, by_card


def board_counts(ranks: Ranks, flush: Ranks) -> list[int]:
    """For each level: in how many ways player and dealer hold two cards each, the better of them of this level."""
    levels, holdings, by_card = _unsuited(ranks)
    left = [4 - ranks.count(rank) for rank in range(13)]
    if not flush:
        return _pairs(holdings, [(left[rank], by_card[rank]) for rank in range(13) if left[rank]])
    holdings = list(holdings)
    mask = sum(1 << rank for rank in flush)
    suited = [rank for rank in range(13) if rank not in flush]
    single = {rank: list(by_card[rank]) for rank in suited}
    """The card of the flush's suit, by its rank; the other cards of the rank follow."""
    off = {rank: left[rank] - (rank in single) for rank in range(13) if left[rank] > (rank in single)}
    others = {rank: list(by_card[rank]) for rank in off}
    for low, high in combinations(suited, 2):
        was, now = levels[low][high], _flush_level(mask | 1 << low | 1 << high)
        for counts in (holdings, single[low], single[high]):
            _move(counts, was, now, 1)
    if len(flush) >= 4:
        for rank in suited:
            now = _flush_level(mask | 1 << rank)
            for other, number in off.items():
                was = levels[rank][other]
                _move(holdings, was, now, number)
                _move(single[rank], was, now, number)
                _move(others[other], was, now, 1)
    if len(flush) == 5:  # two cards of other suits leave the board's own flush
        now = _flush_level(mask)
        for low, high in combinations_with_replacement(off, 2):
            was = levels[low][high]
            if low == high:
                _move(holdings, was, now, comb(off[low], 2))
                _move(others[low], was, now, off[low] - 1)
            else:
                _move(holdings, was, now, off[low] * off[high])
                _move(others[low], was, now, off[high])
                _move(others[high], was, now, off[low])
    cards = [(1, by_level) for by_level in single.values()]
    cards += [(off[rank], by_level) for rank, by_level in others.items()]
    return _pairs(holdings, cards)


def _move(counts: list[int], was: int, now: int, number: int) -> None:
    counts[was] -= number
    counts[now] += number


def _pairs(holdings: Sequence[int], cards: Sequence[tuple[int, Sequence[int]]]) -> list[int]:
    """Ordered pairs of holdings without a common card, by the better level. Of all pairs up to a level those that share
    a card are taken off; a holding paired with itself shares two and is taken off twice, so it is given back once."""
    found: list[int] = []
    before = up_to = 0
    degrees = [0] * len(cards)
    for level, number in enumerate(holdings):
        up_to += number
        shared = 0
        for place, (alike, by_level) in enumerate(cards):
            degrees[place] += by_level[level]
            shared += alike * degrees[place] ** 2
        disjoint = up_to * up_to - shared + up_to
        found.append(disjoint - before)
        before = disjoint
    return found


@cache
def _counts() -> Mapping[Key, int]:
    total = [0] * len(LEVELS)
    for ranks, flush, ways in _boards():
        for level, number in enumerate(board_counts(ranks, flush)):
            total[level] += ways * number
    if sum(total) != comb(52, 5) * comb(47, 2) * comb(45, 2):
        raise RuntimeError("not every deal was counted once")
    return dict(zip(LEVELS, total, strict=True))


def _result(case: Case, key: Key) -> Result:
    return paid(case.pays("two-way"), key)


def compute(case: Case) -> Distribution:
    return spread(_counts(), lambda key: _result(case, key))


def trial(case: Case, chance: Chance) -> Trial:
    hole, dealer, board = deal(chance, 2, 2, 5)
    wagers = [Wager(kind, kind, UNIT, 1) for kind in ("ante", "blind")] + [Wager("w", "two-way", UNIT, 1)]
    key = classify_two_way(rank7(hole + board), rank7(dealer + board))
    rounds = (case.round(wagers, {"seats": {1: hole}, "dealer": dealer, "board": board}),)
    return Trial(_result(case, key), rounds, frozenset("w"))


ENTRIES = (EdgeEntry("two-way-texas-holdem", "gb-2011", "two-way", compute, trial, slots=("two-way",)),)
