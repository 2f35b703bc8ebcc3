"""What the four games share: names of holdings, sums over boards to come for one holding, what a solution is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb, lcm

from rules.cards import DECK, RANKS, Card
from rules.declare import PayTable
from rules.edge.core import Distribution, Result
from rules.edge.holdem.boards import DEALERS, MIXED, OTHER, SUITED, Kind, Met, kind_of, sweep
from rules.edge.holdem.sorts import Sorts
from rules.edge.holdem.sums import BLOCKS, FIELDS, Place, holding

ALL = comb(52, 2) * comb(50, 3) * comb(47, 2) * DEALERS
"""Deals to two hands and a board, the flop told apart from the cards after it."""
AFTER_FLOP = comb(47, 2) * DEALERS
ON_FLOP = comb(52, 2) * comb(50, 3)
"""Two cards and a flop."""
Weights = dict[Result, int]


@dataclass(frozen=True)
class Solution:
    """Best play of one game at one set of odds."""

    distribution: Distribution
    opening: Mapping[str, Mapping[str, Fraction]]
    """Two cards ('AKs') → what each choice before the flop is worth, in antes, with best play from there on."""
    flop: Sorts
    """Sorts of situations on the flop, of hands that are played so far."""


@cache
def name_of(one: Card, two: Card) -> str:
    """'AKs', 'AKo' or 'AA'."""
    high, low = max(one, two), min(one, two)
    ranks = RANKS[high >> 2] + RANKS[low >> 2]
    return ranks if high >> 2 == low >> 2 else ranks + ("s" if (high ^ low) & 3 == 0 else "o")


def ways_of(name: str) -> int:
    """Holdings of a name: 6 pairs, 4 suited, 12 others."""
    return 6 if len(name) == 2 else 4 if name[2] == "s" else 12


@cache
def _all_fields() -> tuple[tuple[int, int, str, int], ...]:
    found: list[tuple[int, int, str, int]] = []
    for block in range(len(BLOCKS)):
        for place in range(FIELDS):
            cards = holding(block, place)
            if cards is not None:
                found.append((block, place, name_of(*cards), 1 << cards[0] | 1 << cards[1]))
    return tuple(found)


def hole_of(block: int, place: int) -> tuple[Card, Card]:
    """The two cards of a field that `fields` has named."""
    cards = holding(block, place)
    if cards is None:
        raise ValueError(f"no cards in field {place} of block {block}")
    return cards


def fields(first: Sequence[Card]) -> Iterator[tuple[int, int, str]]:
    """Block, place and name of all holdings without a card of the first ones."""
    gone = sum(1 << card for card in first)
    return ((block, place, name) for block, place, name, bits in _all_fields() if not bits & gone)


def ratio(table: PayTable, key: str) -> Fraction:
    return table.lines[key].ratio


def parts(nets: Sequence[Fraction]) -> tuple[int, list[int]]:
    """Nets as whole numbers of a common part of the ante, and how many parts an ante has."""
    scale = lcm(*(net.denominator for net in nets))
    return scale, [int(net * scale) for net in nets]


def worth(nets: Sequence[int], counts: Sequence[int]) -> int:
    return sum([net * count for net, count in zip(nets, counts, strict=True)])


_sweep = lru_cache(maxsize=2048)(sweep)


@lru_cache(maxsize=2048)
def _by_field(kind: Kind, qualifies_from: int) -> Mapping[tuple[int, int], Met]:
    return {(met.sort, met.place): met for met in _sweep(kind, qualifies_from)}


def meets(hole: Sequence[Card], board: Sequence[Card], qualifies_from: int) -> Met:
    """What one holding meets on one board."""
    kind, flush = kind_of(board)
    one, two = sorted(hole)
    own = [card & 3 == flush for card in (one, two)]
    sort = SUITED if all(own) else MIXED if any(own) else OTHER
    if sort == MIXED and own[1]:
        one, two = two, one
    return _by_field(kind, qualifies_from)[sort, 13 * (one >> 2) + (two >> 2)]


def boards_after(hole: Sequence[Card], first: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    left = [card for card in DECK if card not in hole and card not in first]
    for rest in combinations(left, 5 - len(first)):
        yield (*first, *rest)


def totals(
    hole: Sequence[Card], first: Sequence[Card], numbers: int, place: Place, qualifies_from: int
) -> list[int]:
    """For one holding and the first cards of the board: the sums over all boards that may come. By itself, for
    whoever asks about one situation; the tables of all situations come from `sums`."""
    found = [0] * numbers
    for board in boards_after(hole, first):
        for number, count in place(meets(hole, board, qualifies_from)):
            found[number] += count
    return found
