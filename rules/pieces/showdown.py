"""A player's hand against the dealer's, who may have to hold some hand to play at all."""

from __future__ import annotations

from enum import Enum


class Contest(Enum):
    """How a hand that stayed in the game came out."""

    NO_GAME = "the dealer does not qualify"
    WIN = "higher than the dealer's"
    LOSE = "lower than the dealer's"
    TIE = "equal to the dealer's"


def contest(player: int, dealer: int, *, qualifies: bool = True) -> Contest:
    """Compares two values of one order; `qualifies`: the dealer holds what the rulebook asks of a dealer's hand."""
    if not qualifies:
        return Contest.NO_GAME
    if player > dealer:
        return Contest.WIN
    return Contest.LOSE if player < dealer else Contest.TIE
