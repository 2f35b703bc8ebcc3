"""Hands dealt by seat: who must hold cards, who may not, and the name under which a pay table knows a hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.cards import check_dealt
from rules.errors import RuleError
from rules.ranking import Category, ThreeCard, three_card_category
from rules.ranking.values import CATEGORY_SHIFT

_KEYS = {int(kind): kind.name.lower().replace("_", "-") for kind in Category}


def hand_key(value: int) -> str:
    """The pay table key of a five-card value: 'royal-flush', 'two-pairs', 'high-card'."""
    return _KEYS[value >> CATEGORY_SHIFT]


_THREE_CARD_KEYS = {
    ThreeCard.PAIR: "pair",
    ThreeCard.FLUSH: "flush",
    ThreeCard.STRAIGHT: "straight",
    ThreeCard.THREE_OF_A_KIND: "three-of-a-kind",
    ThreeCard.STRAIGHT_FLUSH: "straight-flush",
    ThreeCard.MINI_ROYAL: "straight-flush",
}


def three_card_key(value: int) -> str | None:
    """The pay table key of a three-card value from a pair up; ace, king and queen of a suit are a straight flush."""
    return _THREE_CARD_KEYS.get(three_card_category(value))


def pack_fault(
    named: Iterable[tuple[str, Sequence[int]]], *, rule: str, decks: int = 1, jokers: int = 0
) -> RuleError | None:
    """The fault of cards that the pack cannot give, or None."""
    try:
        check_dealt(named, decks=decks, jokers=jokers, rule=rule)
    except RuleError as fault:
        return fault
    return None
