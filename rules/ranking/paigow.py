"""Pai Gow Poker's hands (gb-2011 13.7-13.9): five cards with a joker and a high wheel, and two cards.

How seven cards are set into two hands is the game's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rules.cards import ACE, DECK, JOKER, KING, Card, cards_text
from rules.errors import RuleError
from rules.ranking.five import five_card_tables, rank
from rules.ranking.keys import KEYS, RANK_KEY_OF, RANK_KEYS, SUIT_UNIT, flush_suits
from rules.ranking.sets import ALL_BITS, WHEEL_BITS, rank_bits, top_ranks
from rules.ranking.values import CATEGORY_SHIFT, Category, make_value

# Best first. The five-high straight comes second (13.7(c), (g)): its ranks are written as those of a
# king-high straight with a five after it.
_STRAIGHTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (0b11111 << 10, (ACE,)),
    (WHEEL_BITS, (KING, 5)),
    *((0b11111 << top - 4, (top,)) for top in range(KING, 5, -1)),
)
_JOKER_AS_ACE_KEY = RANK_KEY_OF[12]
_LOW_RANKS = [*((card >> 2) + 2 for card in DECK), ACE]
# Plain ints, which compare faster than members of an enum.
_HIGH_CARD, _PAIR = make_value(Category.HIGH_CARD), make_value(Category.PAIR)
_STRAIGHT, _STRAIGHT_FLUSH = int(Category.STRAIGHT), int(Category.STRAIGHT_FLUSH)

_unsuited: dict[tuple[int, int], int] = {}
"""By the rank keys' sum of the cards beside the joker and their number; filled as hands come."""


def rank_pai_gow(cards: Sequence[Card]) -> int:
    """The value of the best five of five, six or seven cards, at most one of them the joker."""
    if JOKER not in cards:
        return _with_high_wheel(rank(cards), cards)
    naturals = [card for card in cards if card != JOKER]
    size = len(naturals)
    if size != len(cards) - 1 or not 4 <= size <= 6 or len(set(naturals)) != size:
        hint = "five to seven different cards with one joker at most are needed"
        raise RuleError(f"{hint}, not {cards_text(cards)!r}", field="cards")
    total = sum([KEYS[card] for card in naturals])
    # Suits leave no trace in this remainder, see SUIT_UNIT.
    ranks = total % SUIT_UNIT, size
    best = _unsuited.get(ranks) or _unsuited.setdefault(ranks, _unsuited_with_joker(naturals))
    suited = _suits_with_joker(size)[total // SUIT_UNIT]
    if suited is None:
        return best
    return max(best, _flush_with_joker(sum([suited[card] for card in naturals])))


def rank_low2(cards: Sequence[Card]) -> int:
    """The value of a two-card hand: a pair or two single cards (13.8), the joker an ace (13.9).

    It compares with five-card values as 13.19 needs: equal so far as it goes, the five-card hand is higher.
    """
    if len(cards) != 2:
        raise RuleError(f"two cards are needed, not {cards_text(cards)!r}", field="cards")
    one, other = cards
    low, high = _LOW_RANKS[one], _LOW_RANKS[other]
    if low == high:
        return _PAIR | high << 16
    return _HIGH_CARD | (high << 16 | low << 12 if low < high else low << 16 | high << 12)


def _with_high_wheel(value: int, cards: Sequence[Card]) -> int:
    """The same hand in pai gow's order, where a wheel is above any straight but the ace-high one."""
    kind = value >> CATEGORY_SHIFT
    if kind == _STRAIGHT:
        return make_value(Category.STRAIGHT, *_straight(rank_bits(cards), missing=0))
    if kind == _STRAIGHT_FLUSH:
        suits = (rank_bits([card for card in cards if card & 3 == suit]) for suit in range(4))
        return make_value(
            Category.STRAIGHT_FLUSH, *next(filter(None, (_straight(bits, missing=0) for bits in suits)))
        )
    return value


def _unsuited_with_joker(naturals: Sequence[Card]) -> int:
    """The joker as an ace or in a straight."""
    aces = sum(card >= 48 for card in naturals)
    if aces == 4:
        return make_value(Category.FIVE_ACES, ACE)
    key = sum(RANK_KEYS[card] for card in naturals) + _JOKER_AS_ACE_KEY
    best = five_card_tables(len(naturals) + 1).unsuited(key)
    straight = _straight(rank_bits(naturals), missing=1)
    return max(best, make_value(Category.STRAIGHT, *straight)) if straight else best


@cache
def _suits_with_joker(size: int) -> list[list[int] | None]:
    return flush_suits(size, 4)


def _flush_with_joker(suited: int) -> int:
    """Four or more cards of one suit and the joker, which stands for the best card that is not among them."""
    straight = _straight(suited, missing=1)
    if straight == (ACE,):
        return make_value(Category.ROYAL_FLUSH, ACE)
    if straight:
        return make_value(Category.STRAIGHT_FLUSH, *straight)
    absent = ALL_BITS & ~suited
    return make_value(Category.FLUSH, *top_ranks(suited | 1 << absent.bit_length() - 1, 5))


@cache
def _straight(bits: int, *, missing: int) -> tuple[int, ...]:
    """The deciding ranks of the best straight that lacks at most so many of its ranks; empty if none does."""
    for straight, ranks in _STRAIGHTS:
        if (straight & ~bits).bit_count() <= missing:
            return ranks
    return ()
