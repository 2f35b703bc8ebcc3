"""Four-card hands in the order of Crazy 4 Poker (gb-2011 15.7): the best four of four, five or six cards."""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card, cards_text
from rules.errors import RuleError
from rules.ranking.keys import KEYS, RANK_MASK, SUIT_SHIFT, UNFILLED_FOUR, four_card_tables, rank_bits


def rank4(cards: Sequence[Card]) -> int:
    """The value of the best four of four, five or six cards of one pack."""
    try:
        no_flush, values, flushes = UNFILLED_FOUR[len(cards)]
        total = 0
        for card in cards:
            total += KEYS[card]
        value = values[total & RANK_MASK]
        if no_flush[total >> SUIT_SHIFT]:
            return value
        for suit in range(4):
            suited = [card for card in cards if card & 3 == suit]
            if len(suited) >= 4:
                # Three or four of a kind may lie beside the flush among five or six cards, and are above it.
                return max(value, flushes[rank_bits(suited)])
        raise LookupError("no suit has four cards")
    except LookupError as problem:
        if len(cards) not in UNFILLED_FOUR or UNFILLED_FOUR[len(cards)].values:
            hint = "four to six different cards without a joker are needed"
            raise RuleError(f"{hint}, not {cards_text(cards)!r}", field="cards") from problem
        four_card_tables(len(cards))
        return rank4(cards)
