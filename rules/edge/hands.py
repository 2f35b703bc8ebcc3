"""Counting poker hands by symmetry: suits are alike, so one hand stands for all that differ by a swap of suits.

Every count is of hands from one pack of 52. What a hand is worth is `rules.ranking`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb, factorial
from typing import TypeVar

from rules.cards import DECK, Card
from rules.edge.core import Chance, Distribution, Result
from rules.ranking.keys import rank_sets
from rules.ranking.sets import best_five, best_flush

Hand = tuple[Card, ...]
K = TypeVar("K")


@cache
def _masks(size: int) -> tuple[int, ...]:
    """Sets of so many ranks as bits 0 to 12, rising."""
    return tuple(mask for mask in range(1 << 13) if mask.bit_count() == size)


@cache
def _cards_of(mask: int, suit: int) -> Hand:
    return tuple(4 * place + suit for place in range(13) if mask >> place & 1)


@cache
def classes(size: int) -> tuple[tuple[Hand, int], ...]:
    """One hand of each class and how many hands the class has. Five cards: 134,459 classes for 2,598,960 hands."""
    return tuple(
        hand
        for first in range(size, -1, -1)
        for second in range(min(first, size - first), -1, -1)
        for third in range(min(second, size - first - second), -1, -1)
        if third >= (fourth := size - first - second - third)
        for hand in _suits_filled(first, second, third, fourth)
    )


def _suits_filled(first: int, second: int, third: int, fourth: int) -> Iterator[tuple[Hand, int]]:
    """So many cards of each suit. Suits with equally many are taken in falling order: each class comes once."""
    for a in _masks(first):
        for b in _masks(second):
            if first == second and b > a:
                break
            for c in _masks(third):
                if second == third and c > b:
                    break
                for d in _masks(fourth):
                    if third == fourth and d > c:
                        break
                    cards = _cards_of(a, 0) + _cards_of(b, 1) + _cards_of(c, 2) + _cards_of(d, 3)
                    yield cards, _arrangements(a == b, b == c, c == d)


@cache
def _arrangements(first: bool, second: bool, third: bool) -> int:
    """Ways to give four sets of ranks, equal ones side by side, to four suits."""
    ways, run = factorial(4), 1
    for same in (first, second, third):
        run = run + 1 if same else 1
        ways //= run
    return ways


def one_colour_classes(size: int) -> Iterator[tuple[Hand, int]]:
    """As `classes`, for keys that ask whether all cards are of one colour: every hand is counted three times."""
    for hand, ways in classes(size):
        suits = {card & 3 for card in hand}
        if suits == {0, 1}:  # the two suits are of one colour in one of three ways to colour the suits
            yield tuple(card + 2 * (card & 1) for card in hand), ways
            yield hand, 2 * ways
        else:
            yield hand, 3 * ways


def without(*hands: Sequence[Card]) -> Hand:
    """The pack without these cards."""
    gone = {card for hand in hands for card in hand}
    return tuple(card for card in DECK if card not in gone)


def deal(chance: Chance, *sizes: int, pack: Sequence[Card] = DECK) -> list[Hand]:
    """Hands of these sizes from one shuffled pack."""
    cards = iter(chance.sample(pack, sum(sizes)))
    return [tuple(next(cards) for _ in range(size)) for size in sizes]


def tally(hands: Iterable[tuple[Hand, int]], key: Callable[[Hand], K]) -> dict[K, int]:
    """The weights of the hands, by key."""
    found: dict[K, int] = {}
    for hand, ways in hands:
        here = key(hand)
        found[here] = found.get(here, 0) + ways
    return found


def spread(counts: Mapping[K, int], result: Callable[[K], Result]) -> Distribution:
    """Counts by key as a distribution of results."""
    weights: dict[Result, int] = {}
    for key, ways in counts.items():
        here = result(key)
        weights[here] = weights.get(here, 0) + ways
    return Distribution.of_weights(weights)


@cache
def values(size: int) -> Mapping[int, int]:
    """Value of the best five of so many cards (5, 6 or 7) → number of hands.

    With five cards of a suit among seven there is neither a full house nor four of a kind, so a flush is the best of
    the hand; without, suits do not matter.
    """
    found: dict[int, int] = {}
    for _, (once, twice, thrice, all_four) in rank_sets(size):
        sizes = [_times(place, once, twice, thrice, all_four) for place in range(2, 15)]
        ways = unsuited_ways(tuple(sorted(n for n in sizes if n)), 5)
        value = best_five((once, twice, thrice, all_four))
        found[value] = found.get(value, 0) + ways
    for suited in range(5, size + 1):
        for mask in _masks(suited):
            value = best_flush(mask << 2)
            found[value] = found.get(value, 0) + 4 * comb(39, size - suited)
    return {value: ways for value, ways in sorted(found.items()) if ways}


def _times(rank: int, *sets: int) -> int:
    return sum(held >> rank & 1 for held in sets)


@cache
def unsuited_ways(sizes: tuple[int, ...], needed: int) -> int:
    """Ways to give suits to ranks held so many times each, with fewer cards of every suit than are needed.

    At most one suit can have as many: seven cards and five, six and four.
    """
    ways = 1
    for held in sizes:
        ways *= comb(4, held)
    # How many of these have exactly so many cards of one given suit.
    by_suit = [1]
    for held in sizes:
        longer = [0] * (len(by_suit) + 1)
        for have, number in enumerate(by_suit):
            longer[have] += number * comb(3, held)
            longer[have + 1] += number * comb(3, held - 1)
        by_suit = longer
    return ways - 4 * sum(by_suit[needed:])


def by_colour(*sizes: int) -> Iterator[tuple[list[Hand], int]]:
    """Hands of these sizes for keys that look at colours alone: one for each number of red cards, with its weight."""
    red = [card for card in DECK if card & 3 in (1, 2)]
    black = [card for card in DECK if card & 3 in (0, 3)]
    for reds in product(*(range(size + 1) for size in sizes)):
        hands: list[Hand] = []
        weight, at_red, at_black = 1, 0, 0
        for size, number in zip(sizes, reds, strict=True):
            hands.append((*red[at_red : at_red + number], *black[at_black : at_black + size - number]))
            weight *= comb(26 - at_red, number) * comb(26 - at_black, size - number)
            at_red += number
            at_black += size - number
        if weight:
            yield hands, weight
