"""Which cards make the hand: for the dealer who sets it out and the sign that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from rules.cards import ACE, JOKER, Card, rank_of
from rules.ranking.five import rank
from rules.ranking.four import rank4
from rules.ranking.paigow import rank_pai_gow
from rules.ranking.values import CATEGORY_SHIFT, Category, FourCard, ThreeCard, deciding_ranks

_STRAIGHTS = {
    *(Category.STRAIGHT, Category.STRAIGHT_FLUSH, ThreeCard.STRAIGHT, ThreeCard.STRAIGHT_FLUSH),
    *(FourCard.STRAIGHT, FourCard.STRAIGHT_FLUSH),
}
_SINGLES = {Category.HIGH_CARD, ThreeCard.HIGH_CARD, FourCard.HIGH_CARD}
_KICKERS_AFTER: dict[int, int] = {
    **dict.fromkeys((Category.PAIR, ThreeCard.PAIR, FourCard.PAIR), 1),
    **dict.fromkeys((Category.THREE_OF_A_KIND, ThreeCard.THREE_OF_A_KIND, FourCard.THREE_OF_A_KIND), 1),
    **dict.fromkeys((Category.FOUR_OF_A_KIND, FourCard.FOUR_OF_A_KIND), 1),
    **dict.fromkeys((Category.TWO_PAIRS, FourCard.TWO_PAIRS), 2),
    **dict.fromkeys(_SINGLES, 1),
}
"""How many of the deciding ranks make the combination; the rest are kickers. Not named: all cards make it."""


def best_of(cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """The value of five, six or seven cards and the five that make it, as one would lay them out."""
    return _best(cards, 5, rank)


def best_of_four(cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """The four-card value of four, five or six cards and the four that make it."""
    return _best(cards, 4, rank4)


def best_of_pai_gow(cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """The pai gow value of five, six or seven cards, perhaps with a joker, and the five that make it."""
    return _best(cards, 5, rank_pai_gow)


def _best(
    cards: Sequence[Card], size: int, rank_cards: Callable[[Sequence[Card]], int]
) -> tuple[int, tuple[Card, ...]]:
    value = rank_cards(cards)
    chosen = next(some for some in combinations(cards, size) if rank_cards(some) == value)
    return value, laid_out(value, chosen)


def laid_out(value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """In reading order: sets before kickers, high before low, a wheel's ace and the joker last."""
    ranks = [rank_of(card) for card in cards]
    wheel = value >> CATEGORY_SHIFT in _STRAIGHTS and deciding_ranks(value)[-1] == len(cards)

    def order(card: Card) -> tuple[int, int, int]:
        if card == JOKER:
            return (0, 0, 0)
        rank_here = rank_of(card)
        return ranks.count(rank_here), 1 if wheel and rank_here == ACE else rank_here, card

    return tuple(sorted(cards, key=order, reverse=True))


def combination(value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that make the hand's category, the kickers left out; of a high-card hand the highest card.

    `cards` are the hand itself, as `best_of` gives it, and none of them is wild.
    """
    count = _KICKERS_AFTER.get(value >> CATEGORY_SHIFT)
    if count is None:
        return tuple(cards)
    making = deciding_ranks(value)[:count]
    return tuple(card for card in cards if rank_of(card) in making)
