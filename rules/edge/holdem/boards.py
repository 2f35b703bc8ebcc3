"""What every holding of two cards meets on a board: how many of the dealer's 990 are lower, equal or do not qualify.

Suits matter only where three or more cards of the board share one, so 134,459 boards that differ by more than a swap
of suits are 42,783 kinds. For a kind the holdings are sorted by value and swept once: what lies below a holding is all
that came before, less what holds one of its own cards, which a counter for every card knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import NamedTuple

from rules.cards import Card
from rules.edge.hands import classes
from rules.ranking import five_card_tables
from rules.ranking.keys import RANK_KEY_OF
from rules.ranking.sets import best_flush

DEALERS = comb(45, 2)
"""Holdings that the dealer may have, the board and the player's own cards gone."""
SUITED, MIXED, OTHER = range(3)
"""Two cards of the suit that the board has three times; the first of it alone; none, or there is no such suit."""


@dataclass(frozen=True)
class Kind:
    """All boards that are alike to the value of every holding."""

    ranks: tuple[int, ...]
    """Places (0 to 12) of all five, rising."""
    flush: tuple[int, ...] = ()
    """Of these, those of the suit that comes three times or more."""


class Met(NamedTuple):
    """What one holding meets: `place` is 13 times the first rank plus the second, in the table of its sort."""

    sort: int
    place: int
    value: int
    lower: int
    equal: int
    unqualified: int
    """Of the dealer's holdings, lower ones or not: those below the value with which he plays."""


def kind_of(board: Sequence[Card]) -> tuple[Kind, int]:
    """The kind of a board and the suit of its flush; -1 where it has none."""
    suits = [card & 3 for card in board]
    ranks = tuple(sorted(card >> 2 for card in board))
    for suit in range(4):
        if suits.count(suit) >= 3:
            return Kind(ranks, tuple(sorted(card >> 2 for card in board if card & 3 == suit))), suit
    return Kind(ranks), -1


@cache
def boards() -> dict[Kind, list[tuple[tuple[Card, ...], int, int]]]:
    """Every kind with its boards, one of each class: the cards, the suit of the flush, how many the class has."""
    found: dict[Kind, list[tuple[tuple[Card, ...], int, int]]] = {}
    for hand, ways in classes(5):
        kind, suit = kind_of(hand)
        found.setdefault(kind, []).append((hand, suit, ways))
    return found


@cache
def _flush(mask: int) -> int:
    return best_flush(mask << 2)


Group = tuple[int, int, int, int, int, int, int, int]
"""Holdings alike: value, sort, place, the classes of both cards, how many, and how many hold one card of each class."""


def _groups(kind: Kind) -> Iterator[Group]:
    """Cards are of 26 classes: by rank those of the flush's suit, then by rank the others."""
    unsuited = five_card_tables(7).unsuited
    board = sum(RANK_KEY_OF[rank] for rank in kind.ranks)
    own = len(kind.flush)
    mask = sum(1 << rank for rank in kind.flush)
    single = [own > 0 and not mask >> rank & 1 for rank in range(13)]
    other = [4 - kind.ranks.count(rank) - single[rank] for rank in range(13)]
    always = _flush(mask) if own == 5 else 0
    for low in range(13):
        for high in range(low, 13):
            if not (single[low] or other[low]) or not (single[high] or other[high]):
                continue
            if low == high and other[low] + single[low] < 2:
                continue
            plain = always or unsuited(board + RANK_KEY_OF[low] + RANK_KEY_OF[high])
            if low == high:
                if other[low] > 1:
                    ways = comb(other[low], 2)
                    yield plain, OTHER, 14 * low, 13 + low, 13 + low, ways, other[low] - 1, 0
            elif other[low] and other[high]:
                place, ways = 13 * low + high, other[low] * other[high]
                yield plain, OTHER, place, 13 + low, 13 + high, ways, other[high], other[low]
            for one, two in ((low, high), (high, low))[: 1 + (low != high)]:
                if single[one] and other[two]:
                    value = _flush(mask | 1 << one) if own >= 4 else plain
                    yield value, MIXED, 13 * one + two, one, 13 + two, other[two], other[two], 1
            if low != high and single[low] and single[high]:
                value = _flush(mask | 1 << low | 1 << high)
                yield value, SUITED, 13 * low + high, low, high, 1, 1, 1


def sweep(kind: Kind, qualifies_from: int = 0) -> list[Met]:
    """What every holding meets on boards of a kind. `qualifies_from`: the least value with which the dealer plays."""
    groups = sorted(_groups(kind))
    idle, idle_by_card = 0, [0] * 26
    for value, _, _, one, two, ways, of_one, of_two in groups:
        if value >= qualifies_from:
            break
        idle += ways
        idle_by_card[one] += of_one
        idle_by_card[two] += of_two
    found: list[Met] = []
    below, below_by_card = 0, [0] * 26
    start = 0
    while start < len(groups):
        value = groups[start][0]
        equal, equal_by_card = 0, dict[int, int]()
        end = start
        while end < len(groups) and groups[end][0] == value:
            _, _, _, one, two, ways, of_one, of_two = groups[end]
            equal += ways
            equal_by_card[one] = equal_by_card.get(one, 0) + of_one
            equal_by_card[two] = equal_by_card.get(two, 0) + of_two
            end += 1
        own = value < qualifies_from
        for _, sort, place, one, two, *_ in groups[start:end]:
            found.append(
                Met(
                    sort,
                    place,
                    value,
                    below - below_by_card[one] - below_by_card[two],
                    equal - equal_by_card[one] - equal_by_card[two] + 1,
                    idle - idle_by_card[one] - idle_by_card[two] + own,
                )
            )
        below += equal
        for card, number in equal_by_card.items():
            below_by_card[card] += number
        start = end
    return found
