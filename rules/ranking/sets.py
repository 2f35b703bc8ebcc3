"""The best hand of a set of ranks, by the definitions of the books. Tables are made of it; it is never in a hurry."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rules.cards import ACE, Card
from rules.ranking.keys import RANK_BITS, RankSets
from rules.ranking.values import CATEGORY_SHIFT, AnyCategory, Category, FourCard, ThreeCard

ALL_BITS = 0b111111111111100
WHEEL_BITS = 1 << ACE | 0b111100


def rank_bits(cards: Iterable[Card]) -> int:
    """The ranks of the cards as a set: bit r for rank r (2..14)."""
    bits = 0
    for card in cards:
        bits |= RANK_BITS[card]
    return bits


@cache
def top_ranks(bits: int, count: int) -> tuple[int, ...]:
    """The highest `count` ranks of a set, or all of them, from the highest."""
    ranks: list[int] = []
    while bits and len(ranks) < count:
        ranks.append(bits.bit_length() - 1)
        bits ^= 1 << ranks[-1]
    return tuple(ranks)


@cache
def straight_top(bits: int, length: int) -> int:
    """The top rank of the best run of so many ranks, the ace also below the two; 0 if there is none."""
    run = bits | bits >> 13 & 2
    for _ in range(length - 1):
        run &= run << 1
    return run.bit_length() - 1 if run else 0


def best_five(held: RankSets) -> int:
    """The best five-card hand of these ranks, suits aside."""
    once, twice, thrice, all_four = held
    if all_four:
        rank = all_four.bit_length() - 1
        return _value(Category.FOUR_OF_A_KIND, (rank,), once ^ 1 << rank, 1)
    if thrice:
        rank = thrice.bit_length() - 1
        if others := twice ^ 1 << rank:
            return _value(Category.FULL_HOUSE, (rank,), others, 1)
    if top := straight_top(once, 5):
        return _value(Category.STRAIGHT, (top,))
    if thrice:
        return _value(Category.THREE_OF_A_KIND, (rank,), once ^ 1 << rank, 2)
    return _pairs(once, twice, 5, (Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIRS))


def best_flush(bits: int) -> int:
    """The best hand of cards of one suit, five or more."""
    if top := straight_top(bits, 5):
        return _value(Category.ROYAL_FLUSH if top == ACE else Category.STRAIGHT_FLUSH, (top,))
    return _value(Category.FLUSH, (), bits, 5)


def best_four(held: RankSets) -> int:
    """The best four-card hand of these ranks, suits aside, in the order of gb-2011 15.7."""
    once, twice, thrice, all_four = held
    if all_four:
        return _value(FourCard.FOUR_OF_A_KIND, (), all_four, 1)
    if thrice:
        rank = thrice.bit_length() - 1
        return _value(FourCard.THREE_OF_A_KIND, (rank,), once ^ 1 << rank, 1)
    if top := straight_top(once, 4):
        return _value(FourCard.STRAIGHT, (top,))
    return _pairs(once, twice, 4, (FourCard.HIGH_CARD, FourCard.PAIR, FourCard.TWO_PAIRS))


def best_four_flush(bits: int) -> int:
    """The best four-card hand of cards of one suit, four or more."""
    if top := straight_top(bits, 4):
        return _value(FourCard.STRAIGHT_FLUSH, (top,))
    return _value(FourCard.FLUSH, (), bits, 4)


def three_cards(held: RankSets) -> int:
    """Three cards, suits aside, in the order of gb-2011 5.8."""
    once, twice, thrice, _ = held
    if thrice:
        return _value(ThreeCard.THREE_OF_A_KIND, (), thrice, 1)
    if top := straight_top(once, 3):
        return _value(ThreeCard.STRAIGHT, (top,))
    return _pairs(once, twice, 3, (ThreeCard.HIGH_CARD, ThreeCard.PAIR))


def _pairs(once: int, twice: int, size: int, kinds: tuple[AnyCategory, ...]) -> int:
    """No pair, a pair or the best two pairs, and kickers up to the size of the hand."""
    paired = top_ranks(twice, 2)
    for rank in paired:
        once ^= 1 << rank
    return _value(kinds[len(paired)], paired, once, size - 2 * len(paired))


def _value(kind: AnyCategory, first: tuple[int, ...], kickers: int = 0, count: int = 0) -> int:
    """As `make_value` of the first ranks and of the highest `count` of the kickers."""
    digits = 0
    for rank in (*first, *top_ranks(kickers, count)):
        digits = digits << 4 | rank
    return kind << CATEGORY_SHIFT | digits << 20 - 4 * (len(first) + count)
