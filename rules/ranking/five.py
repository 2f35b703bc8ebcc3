"""The value of five, six or seven different cards without a joker, as the best five of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.cards import Card, cards_text
from rules.errors import RuleError
from rules.ranking.keys import (
    KEYS,
    RANK_KEYS,
    RANK_MASK,
    SUIT_SHIFT,
    UNFILLED_FIVE,
    five_card_tables,
    rank_bits,
)

# Empty until the first hand: an empty table raises, and only then is there something to do.
_NO_FLUSH_6, _VALUES_6, _FLUSHES_6 = UNFILLED_FIVE[6]
_NO_FLUSH_7, _VALUES_7, _FLUSHES_7 = UNFILLED_FIVE[7]
_VALUES_5, _FLUSHES_5 = UNFILLED_FIVE[5].values, UNFILLED_FIVE[5].flushes


def rank5(cards: Sequence[Card]) -> int:
    """The value of exactly five cards; of two values the higher is the better hand."""
    try:
        a, b, c, d, e = cards
        if (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3:
            return _VALUES_5[RANK_KEYS[a] + RANK_KEYS[b] + RANK_KEYS[c] + RANK_KEYS[d] + RANK_KEYS[e]]
        return _FLUSHES_5[rank_bits(cards)]
    except (LookupError, ValueError) as problem:
        return _first_use(cards, 5, problem)


def rank6(cards: Sequence[Card]) -> int:
    """The value of the best five of exactly six cards."""
    try:
        a, b, c, d, e, f = cards
        total = KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e] + KEYS[f]
        if _NO_FLUSH_6[total >> SUIT_SHIFT]:
            return _VALUES_6[total & RANK_MASK]
        return _FLUSHES_6[_flush_bits(cards)]
    except (LookupError, ValueError) as problem:
        return _first_use(cards, 6, problem)


def rank7(cards: Sequence[Card]) -> int:
    """The value of the best five of exactly seven cards."""
    try:
        a, b, c, d, e, f, g = cards
        total = KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e] + KEYS[f] + KEYS[g]
        if _NO_FLUSH_7[total >> SUIT_SHIFT]:
            return _VALUES_7[total & RANK_MASK]
        return _FLUSHES_7[_flush_bits(cards)]
    except (LookupError, ValueError) as problem:
        return _first_use(cards, 7, problem)


def rank(cards: Sequence[Card]) -> int:
    """The value of the best five of five, six or seven cards."""
    size = len(cards)
    return rank5(cards) if size == 5 else rank7(cards) if size == 7 else rank6(cards)


def rank_many(hands: Iterable[Sequence[Card]]) -> list[int]:
    """The values of many hands of five, six or seven cards."""
    return [rank(cards) for cards in hands]


def _flush_bits(cards: Sequence[Card]) -> int:
    """The ranks in the suit that has five cards or more."""
    for suit in range(4):
        suited = [card for card in cards if card & 3 == suit]
        if len(suited) >= 5:
            return rank_bits(suited)
    raise LookupError("no suit has five cards")


def _first_use(cards: Sequence[Card], size: int, problem: Exception) -> int:
    """Fill the tables if they are empty and rank again; else the cards are at fault."""
    if len(cards) == size and not UNFILLED_FIVE[size].values:
        five_card_tables(size)
        return rank(cards)
    hint = f"{size} different cards without a joker are needed"
    raise RuleError(f"{hint}, not {cards_text(cards)!r}", field="cards") from problem
