"""Five cards with wild ones (gb-2011 16.11-16.13): the joker, and any cards that the house declares wild."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from rules.cards import ACE, JOKER, Card, cards_text
from rules.errors import RuleError
from rules.ranking.five import rank5
from rules.ranking.sets import ALL_BITS, WHEEL_BITS, top_ranks
from rules.ranking.values import Category, make_value


def is_wild(card: Card, wild: Collection[Card] = ()) -> bool:
    """The joker always is; other cards where the house says so (16.12, 16.27)."""
    return card == JOKER or card in wild


def rank_wild(cards: Sequence[Card], wild: Collection[Card] = ()) -> int:
    """The best value that five cards have when each wild one may be any card.

    In a flush a wild card stands for the highest card of the suit that is not there: only five of a kind has
    the same card twice.
    """
    naturals = [card for card in cards if card != JOKER and card not in wild]
    if len(cards) != 5 or len(set(naturals)) != len(naturals):
        raise RuleError(f"five different cards are needed, not {cards_text(cards)!r}", field="cards")
    if len(naturals) == 5:
        return rank5(cards)
    ranks = tuple(sorted([(card >> 2) + 2 for card in naturals], reverse=True))
    return _best(ranks, len({card & 3 for card in naturals}) == 1)


@cache
def _best(ranks: tuple[int, ...], suited: bool) -> int:
    """The best value of four natural cards or fewer, from the highest rank, and wild ones that make them five."""
    wilds = 5 - len(ranks)
    if not ranks:
        return make_value(Category.ROYAL_FLUSH, ACE)
    bits = sum(1 << rank for rank in set(ranks))
    top = _straight_top(bits) if len(set(ranks)) == len(ranks) else 0
    if suited and top:
        return make_value(Category.ROYAL_FLUSH if top == ACE else Category.STRAIGHT_FLUSH, top)
    alike, rank = max((ranks.count(rank), rank) for rank in ranks)
    others = bits ^ 1 << rank
    if alike + wilds == 5:
        return make_value(Category.FIVE_OF_A_KIND, rank)
    if alike + wilds == 4:
        return make_value(Category.FOUR_OF_A_KIND, rank, *top_ranks(others, 1))
    if len(set(ranks)) == 2:
        return make_value(Category.FULL_HOUSE, rank, *top_ranks(others, 1))
    if suited:
        absent = top_ranks(ALL_BITS & ~bits, wilds)
        return make_value(Category.FLUSH, *top_ranks(bits | sum(1 << extra for extra in absent), 5))
    if top:
        return make_value(Category.STRAIGHT, top)
    if alike + wilds == 3:
        return make_value(Category.THREE_OF_A_KIND, rank, *top_ranks(others, 2))
    return make_value(Category.PAIR, rank, *top_ranks(others, 3))


def _straight_top(bits: int) -> int:
    """The top of the best straight that holds all of these ranks, 0 if none does."""
    for top in range(ACE, 5, -1):
        if not bits & ~(0b11111 << top - 4):
            return top
    return 0 if bits & ~WHEEL_BITS else 5
