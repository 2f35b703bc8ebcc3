"""How many five-card hands a dealer can hold beside five known cards, by kind of hand: counted, not dealt.

Ranks and suits are counted apart: the ranks of the known cards say how many hands there are of each kind with suits
left out, the known cards of each suit say how many of them are flushes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb

from rules.cards import Card
from rules.ranking import Category, category, deciding_ranks

Left = tuple[int, ...]
"""For each rank from two to ace: how many of its cards the dealer may hold."""

# Kinds of a dealer's hand. High cards by their highest rank, from seven at 0; ace-king is a kind of its own, since
# with it the dealer plays in every game that asks for a qualifying hand here.
ACE_HIGH = 7
ACE_KING, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(8, 18)
KINDS = 18
ACE, KING = 12, 11
"""Places of ranks, as everywhere below: two is 0."""
STRAIGHTS: tuple[tuple[int, ...], ...] = (
    (ACE, 0, 1, 2, 3),
    *(tuple(range(low, low + 5)) for low in range(9)),
)
_KIND_OF = {
    Category.PAIR: PAIR,
    Category.TWO_PAIRS: TWO_PAIRS,
    Category.THREE_OF_A_KIND: THREE,
    Category.STRAIGHT: STRAIGHT,
    Category.FLUSH: FLUSH,
    Category.FULL_HOUSE: FULL_HOUSE,
    Category.FOUR_OF_A_KIND: FOUR,
    Category.STRAIGHT_FLUSH: STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH: ROYAL,
}


def kind_of(value: int) -> int:
    """The kind of a five-card value."""
    of = category(value)
    if of is not Category.HIGH_CARD:
        return _KIND_OF[of]
    first, second = deciding_ranks(value)[:2]
    return ACE_KING if (first, second) == (14, 13) else first - 7


def left_beside(hand: Sequence[Card]) -> Left:
    left = [4] * 13
    for card in hand:
        left[card >> 2] -= 1
    return tuple(left)


def suits_of(hand: Sequence[Card]) -> tuple[int, ...]:
    """The ranks of the hand's cards, suit by suit, as bits."""
    suits = [0, 0, 0, 0]
    for card in hand:
        suits[card & 3] |= 1 << (card >> 2)
    return tuple(suits)


def _elementary(numbers: Sequence[int], most: int) -> list[int]:
    """Sums of products of so many different ones of the numbers: nothing, one, two, ..."""
    sums = [1] + [0] * most
    for number in numbers:
        for size in range(most, 0, -1):
            sums[size] += number * sums[size - 1]
    return sums


@cache
def different(left: Left) -> list[int]:
    """Hands of five different ranks by kind, flushes still among them."""
    found = [0] * KINDS
    one = two = three = four = 0
    for top, number in enumerate(left):  # sums of products of so many of the ranks below
        if top == ACE:  # without the king: his part is taken out of the sums again
            king = left[KING]
            one -= king
            two -= king * one
            three -= king * two
            four -= king * three
            found[ACE_KING] = number * king * three
        if top > 4:  # six high or lower is a straight, or has the ace
            found[top - 5] = number * four
        four += number * three
        three += number * two
        two += number * one
        one += number
    for straight in STRAIGHTS:
        ways = 1
        for rank in straight:
            ways *= left[rank]
        found[STRAIGHT] += ways
        if straight == STRAIGHTS[0]:
            found[ACE_HIGH] -= ways
        elif straight[-1] == ACE:
            found[ACE_KING] -= ways
        elif straight[-1] > 4:
            found[straight[-1] - 5] -= ways
    return found


@cache
def by_ranks(left: Left) -> tuple[int, ...]:
    """All hands by kind, flushes counted as what they would be without their suit."""
    found = list(different(left))
    pairs = [comb(number, 2) for number in left]
    threes = [comb(number, 3) for number in left]
    cards, two_alike = sum(left), sum(pairs)
    singles = _elementary(left, 3)
    for rank, number in enumerate(left):
        if number < 2:
            continue
        without = [1]
        for size in (1, 2, 3):
            without.append(singles[size] - number * without[-1])
        found[PAIR] += pairs[rank] * without[3]
        found[THREE] += threes[rank] * without[2]
        found[FULL_HOUSE] += threes[rank] * (two_alike - pairs[rank])
        if number == 4:
            found[FOUR] += cards - 4
        for other in range(rank):
            found[TWO_PAIRS] += pairs[rank] * pairs[other] * (cards - number - left[other])
    return tuple(found)


@cache
def flushes(known: int) -> tuple[int, ...]:
    """Flushes of one suit of which these ranks are known, by the kind that their ranks would be otherwise."""
    return tuple(different(tuple(0 if known >> rank & 1 else 1 for rank in range(13))))


@cache
def royal_left(known: int) -> int:
    return int(not known & 0b11111 << 8)


def dealer_kinds(hand: Sequence[Card]) -> list[int]:
    """All 1,533,939 hands that the dealer can hold beside these five cards, by kind."""
    found = list(by_ranks(left_beside(hand)))
    for known in suits_of(hand):
        suited = flushes(known)
        for kind in range(ACE_KING + 1):
            found[kind] -= suited[kind]
            found[FLUSH] += suited[kind]
        found[STRAIGHT] -= suited[STRAIGHT]
        found[STRAIGHT_FLUSH] += suited[STRAIGHT] - royal_left(known)
        found[ROYAL] += royal_left(known)
    return found


# ------------------------------------------------------------------------------- hands that hold a given up card


@cache
def different_with(left: Left, up: int) -> tuple[int, ...]:
    """Hands of five different ranks by kind that hold one given card of the rank `up`; flushes among them."""
    one = (*left[:up], 1, *left[up + 1 :])
    none = (*left[:up], 0, *left[up + 1 :])
    return tuple(a - b for a, b in zip(different(one), different(none), strict=True))


@cache
def flushes_with(known: int, up: int) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(flushes(known), flushes(known | 1 << up), strict=True))


def high_kinds_with(left: Left, known: int, up: int) -> list[int]:
    """High-card hands of the dealer, ace-king included, that hold one card, by kind.

    `left`: the ranks beside the player's cards; `known`: the player's ranks in the suit of the up card.
    """
    plain, suited = different_with(left, up), flushes_with(known, up)
    return [plain[kind] - suited[kind] for kind in range(ACE_KING + 1)]
