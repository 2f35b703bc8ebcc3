"""Points of blackjack hands and how two hands compare: pure functions of cards, which no rulebook owns.

`settle` and the house edge use the same ones. Who may draw, and what a result pays, is not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from rules.cards import ACE, Card, rank_of

POINTS: tuple[int, ...] = tuple(1 if rank_of(card) == ACE else min(rank_of(card), 10) for card in range(52))
"""Points by card, with the ace as one; `score` counts the first ace as eleven where that does no harm."""

ACE_POINTS, TEN_POINTS = 1, 10


class Result(StrEnum):
    """How a player's hand stands against the dealer's."""

    BUST = "bust"
    DEALER_BLACKJACK = "dealer-blackjack"
    BOTH_BLACKJACK = "both-blackjack"
    BLACKJACK = "blackjack"
    DEALER_BUST = "dealer-bust"
    DEALER_22 = "dealer-22"
    DEALER_15 = "dealer-15"
    FEWER_CARDS = "fewer-cards"
    """Both have 21: the player in two cards that are no blackjack, the dealer in more."""
    HIGHER = "higher"
    TIE = "tie"
    LOWER = "lower"


WINS = frozenset({Result.BLACKJACK, Result.DEALER_BUST, Result.FEWER_CARDS, Result.HIGHER})
LOSSES = frozenset({Result.BUST, Result.DEALER_BLACKJACK, Result.LOWER})


def score(cards: Iterable[Card]) -> tuple[int, bool]:
    """(points, soft): soft while an ace counts as eleven."""
    hard, ace = 0, False
    for card in cards:
        hard += POINTS[card]
        ace = ace or POINTS[card] == ACE_POINTS
    return (hard + 10, True) if ace and hard <= 11 else (hard, False)


def is_natural(cards: Sequence[Card]) -> bool:
    """An ace and a ten-point card as the only two."""
    return len(cards) == 2 and {POINTS[cards[0]], POINTS[cards[1]]} == {ACE_POINTS, TEN_POINTS}


def dealer_draws(total: int, soft: bool, *, hits_soft_17: bool = False) -> bool:
    """Must a hand that is played like the dealer's take another card?"""
    return total < 17 or (hits_soft_17 and soft and total == 17)


def compare(
    total: int,
    natural: bool,
    dealer: int,
    dealer_natural: bool,
    *,
    push_22: bool = False,
    push_15: bool = False,
    short_21: bool = False,
) -> Result:
    """A player's final points against the dealer's. `push_22`, `push_15`: dealer totals that are stand-offs for
    all but blackjacks; the caller knows whether the dealer's 15 is final. `short_21`: the hand is a 21 in two cards,
    no blackjack, that beats a longer 21 here."""
    if total > 21:
        return Result.BUST
    if dealer_natural:
        return Result.BOTH_BLACKJACK if natural else Result.DEALER_BLACKJACK
    if natural:
        return Result.BLACKJACK
    if push_15 and dealer == 15:
        return Result.DEALER_15
    if dealer > 21:
        return Result.DEALER_22 if push_22 and dealer == 22 else Result.DEALER_BUST
    if total == dealer:
        return Result.FEWER_CARDS if short_21 else Result.TIE
    return Result.HIGHER if total > dealer else Result.LOWER
