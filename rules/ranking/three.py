"""Three-card hands: Three Card Poker (gb-2011 5.8) and the three-card side wagers (gb-2011 4.36, 12.30)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import ACE, DECK, Card, cards_text
from rules.errors import RuleError
from rules.ranking.keys import RANK_KEYS, rank_sets
from rules.ranking.sets import three_cards
from rules.ranking.values import CATEGORY_SHIFT, ThreeCard, deciding_ranks, make_value

_UNSUITED: dict[int, int] = {}


def rank3(cards: Sequence[Card]) -> int:
    """The value of three cards, from one pack or from several that may give the same card again."""
    try:
        a, b, c = cards
        value = _UNSUITED[RANK_KEYS[a] + RANK_KEYS[b] + RANK_KEYS[c]]
    except (LookupError, ValueError) as problem:
        if len(cards) != 3 or not all(card in DECK for card in cards):
            raise RuleError(
                f"three cards without a joker are needed, not {cards_text(cards)!r}", field="cards"
            ) from problem
        _UNSUITED.update([(key, three_cards(held)) for key, held in rank_sets(3)])
        return rank3(cards)
    if (a ^ b) & 3 or (a ^ c) & 3:
        return value
    return _suited(value, cards)


def _suited(value: int, cards: Sequence[Card]) -> int:
    kind = value >> CATEGORY_SHIFT
    if kind == ThreeCard.THREE_OF_A_KIND:
        return value
    if kind == ThreeCard.STRAIGHT:
        (top,) = deciding_ranks(value)
        royal = top == ACE
        return make_value(ThreeCard.MINI_ROYAL if royal else ThreeCard.STRAIGHT_FLUSH, top)
    return make_value(ThreeCard.FLUSH, *sorted((card // 4 + 2 for card in cards), reverse=True))
