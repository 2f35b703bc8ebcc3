"""One coup of baccarat: points, the table of play, and the two hands that an order of cards makes by it.

Pure and without wagers. Every rulebook here has the same table of play: nz-1996 IV, V, IX 9.2-9.6, gb-2011 6.22-6.27.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.cards import Card

POINTS: tuple[int, ...] = (
    tuple(rank if rank < 10 else 0 for rank in range(2, 14) for _ in range(4)) + (1,) * 4
)
"""By card: two to nine count their face, ten to king nothing, the ace one."""

NATURAL = 8
PLAYER, BANKER, TIE = "player", "banker", "tie"

_BANKER_DRAWS = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset((0, 1, 2, 3, 4, 5, 6, 7, 9)),
    4: frozenset((2, 3, 4, 5, 6, 7)),
    5: frozenset((4, 5, 6, 7)),
    6: frozenset((6, 7)),
    7: frozenset[int](),
}
"""Table 2: the banker's two-card point → the points of the player's third card on which it draws."""


def points(hand: Sequence[Card]) -> int:
    """The last digit of the sum."""
    return sum(POINTS[card] for card in hand) % 10


def player_draws(player: int, banker: int) -> bool:
    """Table 1, by the two-card points of both hands: nobody draws against a natural."""
    return player <= 5 and banker < NATURAL


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Table 2, by the two-card points; `third`: the points of the player's third card, None where it stands."""
    if player >= NATURAL or banker >= NATURAL:
        return False
    if third is None:
        return banker <= 5
    return third in _BANKER_DRAWS[banker]


class Coup(NamedTuple):
    """Both hands as they end."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int

    @property
    def winner(self) -> str:
        if self.player_points == self.banker_points:
            return TIE
        return PLAYER if self.player_points > self.banker_points else BANKER

    def hand(self, side: str) -> tuple[Card, ...]:
        return self.player if side == PLAYER else self.banker

    def points_of(self, side: str) -> int:
        return self.player_points if side == PLAYER else self.banker_points


class Missing(NamedTuple):
    """The hand for which the table of play asks one more card than there is."""

    side: str


def play_out(drawn: Sequence[Card]) -> Coup | Missing:
    """The coup that cards make in the order in which they leave the shoe; what it does not need is left over."""
    if len(drawn) < 4:
        return Missing(BANKER if len(drawn) % 2 else PLAYER)
    player, banker = (drawn[0], drawn[2]), (drawn[1], drawn[3])
    of_player, of_banker = points(player), points(banker)
    used = 4
    third: int | None = None
    hand_of_player: tuple[Card, ...] = player
    hand_of_banker: tuple[Card, ...] = banker
    if player_draws(of_player, of_banker):
        if len(drawn) <= used:
            return Missing(PLAYER)
        hand_of_player = (*player, drawn[used])
        third = POINTS[drawn[used]]
        used += 1
    if banker_draws(of_player, of_banker, third):
        if len(drawn) <= used:
            return Missing(BANKER)
        hand_of_banker = (*banker, drawn[used])
    return Coup(hand_of_player, hand_of_banker, points(hand_of_player), points(hand_of_banker))


def is_natural(hand: Sequence[Card]) -> bool:
    """Eight or nine in two cards."""
    return len(hand) == 2 and points(hand) >= NATURAL


def classify_win(coup: Coup, side: str) -> str | None:
    """How a hand wins, where some rulebook has odds of its own for it (gb-2011 6.29; nz-consultation 5 13.3-13.4)."""
    if coup.winner != side:
        return None
    score = coup.points_of(side)
    if score == 6:
        return "six"
    return "three-card-eight-or-nine" if score >= NATURAL and len(coup.hand(side)) == 3 else "win"


def describe(hand: Sequence[Card]) -> str:
    """'natural nine', 'six in three cards', 'zero'."""
    word = _WORDS[points(hand)]
    if is_natural(hand):
        return f"natural {word}"
    return f"{word} in three cards" if len(hand) == 3 else word


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
