"""The hands with which a dealer qualifies or a wager begins to pay, as predicates over values."""

from __future__ import annotations

from rules.cards import ACE, KING, QUEEN
from rules.ranking.values import AnyCategory, Category, FourCard, ThreeCard, make_value

_ACE_KING = make_value(Category.HIGH_CARD, ACE, KING)
_PAIR = make_value(Category.PAIR)
_PAIR_OF_FOURS = make_value(Category.PAIR, 4)
_THREE_CARD_QUEEN_HIGH = make_value(ThreeCard.HIGH_CARD, QUEEN)
_FOUR_CARD_KING_HIGH = make_value(FourCard.HIGH_CARD, KING)


def at_least(value: int, category: AnyCategory, *ranks: int) -> bool:
    """`at_least(value, Category.PAIR, JACK)`: jacks or better. Value and category must be of one order."""
    return value >= make_value(category, *ranks)


def is_pair_between(value: int, low: int, high: int) -> bool:
    """A pair of one of these ranks or between, no more: the bands of gb-2011 7.49, double-down-stud (i)(2)."""
    return make_value(Category.PAIR, low) <= value < make_value(Category.PAIR, high + 1)


def has_ace_king(value: int) -> bool:
    """Ace and king or better: nz-1996 VIII, gb-2011 7.13, 7.32, nz-consultation Lunar Poker 10.1."""
    return value >= _ACE_KING


def has_pair(value: int) -> bool:
    """Any pair or better: gb-2011 11.64, 11.108."""
    return value >= _PAIR


def has_pair_of_fours(value: int) -> bool:
    """A pair of fours or better: gb-2011 11.87."""
    return value >= _PAIR_OF_FOURS


def has_three_card_queen_high(value: int) -> bool:
    """Three cards, queen high or better: gb-2011 5.16."""
    return value >= _THREE_CARD_QUEEN_HIGH


def has_four_card_king_high(value: int) -> bool:
    """Four cards, king high or better: gb-2011 15.18."""
    return value >= _FOUR_CARD_KING_HIGH
