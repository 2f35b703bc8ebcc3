"""Four-card hands in the order of Crazy 4 Poker (gb-2011 15.7): the best four of four, five or six cards."""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import DECK, Card, cards_text
from rules.errors import RuleError
from rules.ranking.keys import BUCKET, KEYS, SLOTS, SUIT_UNIT, Tables, fill
from rules.ranking.sets import best_four, best_four_flush

_TABLES: dict[int, Tables] = {size: Tables([], [], [], {}) for size in (4, 5, 6)}


def rank4(cards: Sequence[Card]) -> int:
    """The value of the best four of four, five or six cards of one pack."""
    try:
        suits, shifts, values, flushes = _TABLES[len(cards)]
        total = 0
        for card in cards:
            total += KEYS[card]
        suited = suits[total // SUIT_UNIT]
        value = values[(total + shifts[total & BUCKET]) % SLOTS]
        if suited is None:
            return value
        bits = 0
        for card in cards:
            bits |= suited[card]
        # Three or four of a kind may lie beside the flush among five or six cards, and are above it.
        return max(value, flushes[bits])
    except LookupError as problem:
        size = len(cards)
        if size not in _TABLES or size != len(set(cards)) or not all(card in DECK for card in cards):
            hint = "four to six different cards without a joker are needed"
            raise RuleError(f"{hint}, not {cards_text(cards)!r}", field="cards") from problem
        four_card_tables(size)
        return rank4(cards)


def four_card_tables(size: int) -> Tables:
    """The tables for the best four of `size` cards (4, 5 or 6). Beside a flush look at `values` too."""
    return fill(_TABLES[size], size, 4, best_four, best_four_flush)
