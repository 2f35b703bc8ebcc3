"""What a hand's value is: one comparable int of category and deciding ranks. No card is looked at here.

A value is `category << 20` and up to five deciding ranks as hex digits from the left: kings and fours with an
ace kicker is 0x3D4E00. So values compare, and can be read without a table, by eye too.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

from rules.cards import rank_name, rank_plural

CATEGORY_SHIFT = 20


class Category(IntEnum):
    """Five-card hands from lowest to highest; two-card hands (gb-2011 13.8) are the first two of them.

    Five of a kind stands where gb-2011 16.11 puts it, below the straight flush; five aces where gb-2011 13.7
    does, above the royal flush. No other game makes either of them.
    """

    HIGH_CARD = 1
    PAIR = 2
    TWO_PAIRS = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    FIVE_OF_A_KIND = 9
    STRAIGHT_FLUSH = 10
    ROYAL_FLUSH = 11
    FIVE_ACES = 12


class ThreeCard(IntEnum):
    """Three-card hands from lowest to highest (gb-2011 5.8, 12.30): the straight is above the flush."""

    HIGH_CARD = 0x31
    PAIR = 0x32
    FLUSH = 0x33
    STRAIGHT = 0x34
    THREE_OF_A_KIND = 0x35
    STRAIGHT_FLUSH = 0x36
    MINI_ROYAL = 0x37
    """Ace, king and queen of one suit: the highest straight flush, with odds of its own in gb-2011 12.30."""


class FourCard(IntEnum):
    """Four-card hands from lowest to highest (gb-2011 15.7)."""

    HIGH_CARD = 0x41
    PAIR = 0x42
    TWO_PAIRS = 0x43
    STRAIGHT = 0x44
    FLUSH = 0x45
    THREE_OF_A_KIND = 0x46
    STRAIGHT_FLUSH = 0x47
    FOUR_OF_A_KIND = 0x48


AnyCategory = Category | ThreeCard | FourCard


def make_value(category: AnyCategory, *ranks: int) -> int:
    """`make_value(Category.PAIR, 4)` is the lowest value of a pair of fours, so a threshold."""
    value = int(category) << CATEGORY_SHIFT
    shift = 16
    for rank in ranks:
        value |= rank << shift
        shift -= 4
    return value


_CATEGORIES = {int(of): of for of in Category}


def category(value: int) -> Category:
    """The category of a five-card or two-card value."""
    return _CATEGORIES[value >> CATEGORY_SHIFT]


def three_card_category(value: int) -> ThreeCard:
    return ThreeCard(value >> CATEGORY_SHIFT)


def four_card_category(value: int) -> FourCard:
    return FourCard(value >> CATEGORY_SHIFT)


def deciding_ranks(value: int) -> tuple[int, ...]:
    """What decides between hands of one category, weightiest first: kings and fours, ace → (13, 4, 14).

    A straight has its top card alone. Pai gow's five-high straight, second to the ace-high one, is (13, 5).
    """
    digits = (value >> 16 & 15, value >> 12 & 15, value >> 8 & 15, value >> 4 & 15, value & 15)
    return tuple(digit for digit in digits if digit)


def label(of: AnyCategory) -> str:
    """`Category.TWO_PAIRS` → 'two pairs'."""
    return of.name.replace("_", " ").lower()


@lru_cache(maxsize=8192)  # every settled hand is put in words, and there are only so many hands
def describe(value: int) -> str:
    """Any value of this package in words: 'two pairs, kings and fours, ace kicker'."""
    code = value >> CATEGORY_SHIFT
    of: AnyCategory = Category(code) if code < 0x31 else ThreeCard(code) if code < 0x41 else FourCard(code)
    return _describe(of.name, label(of), deciding_ranks(value))


def _describe(name: str, words: str, ranks: tuple[int, ...]) -> str:
    first, rest = ranks[0], ranks[1:]
    match name:
        case "ROYAL_FLUSH" | "MINI_ROYAL" | "FIVE_ACES":
            return words
        case "STRAIGHT" | "STRAIGHT_FLUSH":
            return f"{words}, {rank_name(rest[0] if rest else first)} high"
        case "HIGH_CARD":
            return f"{rank_name(first)} high, {_names(rest)}"
        case "FLUSH":
            return f"flush, {_names(ranks)}"
        case "PAIR":
            return f"pair of {rank_plural(first)}" + _kickers(rest)
        case "TWO_PAIRS":
            return f"two pairs, {rank_plural(first)} and {rank_plural(rest[0])}" + _kickers(rest[1:])
        case "FULL_HOUSE":
            return f"full house, {rank_plural(first)} over {rank_plural(rest[0])}"
        case _:
            return f"{words}, {rank_plural(first)}" + _kickers(rest)


def _kickers(ranks: tuple[int, ...]) -> str:
    if not ranks:
        return ""
    return f", {_names(ranks)} kicker{'s' if len(ranks) > 1 else ''}"


def _names(ranks: tuple[int, ...]) -> str:
    return "-".join(rank_name(rank) for rank in ranks)
