"""Side wagers at baccarat: what a finished coup is called by each of them.

The classify functions are pure: coup and selection in, the line of the pay table out. A name that the table does not
have loses; None: it loses without a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rules.cards import is_red, rank_of, suit_of
from rules.games.baccarat.coup import BANKER, PLAYER, TIE, Coup, is_natural, points

EGALITE_RANGES = {"0": (0,), "1-3": (1, 2, 3), "4-5": (4, 5), "6-7": (6, 7), "8-9": (8, 9)}


@dataclass(frozen=True, slots=True)
class SideWager:
    """How a kind of side wager is decided: its classify function and the rules by what it says."""

    classify: Callable[[Coup, str], str | None]
    rule: str
    """Decides where `rules` has nothing special for the name."""
    rules: Mapping[str | None, str] = field(default_factory=dict)
    stand_offs: tuple[str, ...] = ()
    stated_odds: str = ""
    """The option that states the odds on the layout, where the rulebook at hand has no pay table for the wager."""


def classify_dragon_bonus(coup: Coup, side: str) -> str | None:
    """gb-2011 6.38-6.44. A winner that is no natural counts by its margin, with two cards as with three."""
    hand, winner = coup.hand(side), coup.winner
    if is_natural(hand) and winner in (side, TIE):
        return "natural" if winner == side else "natural-tie"
    if winner != side:
        return None
    margin = abs(coup.player_points - coup.banker_points)
    return f"win-by-{margin}" if margin >= 4 else "narrow"


def classify_egalite(coup: Coup, score: str) -> str | None:
    """gb-2011 6.50-6.52: a tie of exactly this score."""
    return score if coup.winner == TIE and coup.player_points == int(score) else None


def classify_super_pay_egalite(coup: Coup, scores: str) -> str | None:
    """gb-2011 6.68-6.71: a tie of one of these scores."""
    return scores if coup.winner == TIE and coup.player_points in EGALITE_RANGES[scores] else None


def classify_three_giving_eight(coup: Coup, _selection: str = "") -> str | None:
    """gb-2011 6.56-6.59: the player's third card against a banker with three points in its first two."""
    if len(coup.player) < 3 or points(coup.banker[:2]) != 3:
        return None
    return "eight" if rank_of(coup.player[2]) == 8 else "other"


def classify_pair(coup: Coup, side: str) -> str | None:
    """The first two cards of a hand are of one rank (gb-2011 6.78; nz-consultation 5 11C.6)."""
    first, second = coup.hand(side)[:2]
    return "pair" if rank_of(first) == rank_of(second) else None


def classify_perfect_pair(coup: Coup, side: str) -> str | None:
    """nz-consultation 5 11A: a pair by suit and colour."""
    first, second = coup.hand(side)[:2]
    if rank_of(first) != rank_of(second):
        return None
    if suit_of(first) == suit_of(second):
        return "perfect-pair"
    return "coloured-pair" if is_red(first) == is_red(second) else "mixed-pair"


def classify_lucky_match(coup: Coup, side: str) -> str | None:
    """nz-consultation 5 11D.6, 11D.9: as a pair, and three cards of one suit and rank above it."""
    pair = classify_perfect_pair(coup, side)
    if pair != "perfect-pair":
        return {"coloured-pair": "coloured-match", "mixed-pair": "mixed-match"}.get(pair or "")
    hand = coup.hand(side)
    return "lucky-triple-match" if len(hand) == 3 and hand[2] == hand[0] else "lucky-match"


SIDES = (PLAYER, BANKER)
"""The hands that a side wager may select."""
