"""What differs between the baccarat games: names of wagers, commission, ties, antes, and the rules to cite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rules.games.baccarat.coup import BANKER, PLAYER, TIE
from rules.games.baccarat.sides import SideWager


@dataclass(frozen=True, slots=True)
class Cites:
    """The rules of one rulebook or division, whole ('nz-1996 IV 5.2')."""

    deal: str
    natural: str
    player_draws: str
    banker_draws: str
    banker_draws_alone: str
    """Where the player stands."""
    no_more: str
    """Never a fourth card."""
    decks: str
    wins: Mapping[str, str]
    loses: Mapping[str, str]
    equal: Mapping[str, str]
    """By hand: player, banker, tie."""
    wins_with: Mapping[str, str] = field(default_factory=dict)
    """By the way of winning (`classify_win`), where the pay table has odds for it by a rule of its own."""
    opposed: str = ""
    """Not on both hands at once; '' where the rulebook allows it."""
    places: str = ""
    shared_area: str = ""
    exact: str = ""
    """A banker wager that cannot be paid exactly is not accepted."""
    exact_part: str = ""
    """Of such a wager, once accepted, the part that can be paid exactly is valid."""
    differential: str = ""
    """'' where the rulebook knows no table differential."""
    irregular: Mapping[str, str] = field(default_factory=dict)
    """By kind of irregularity."""
    ante: Mapping[str, str] = field(default_factory=dict)
    """'required', 'waived', 'collected', 'void', 'amount', where the game has an ante."""


@dataclass(frozen=True, slots=True)
class GameRules:
    """One game of the family."""

    cites: Cites
    roles: Mapping[str, str]
    """Kind of wager → the hand it is on, or a tie."""
    commission: Fraction = Fraction(0)
    """Of what a wager on the banker wins."""
    tie_loses: bool = False
    """Wagers on the hands lose on a tie instead of being void."""
    sides: Mapping[str, SideWager] = field(default_factory=dict)
    numbered_places: int = 0
    """Where the seats are numbered and yet seat 0, standing players, may wager too."""
    players_per_area: int = 0
    """At most so many players on one numbered area; 0: the rulebook does not say."""
    ante: bool = False

    def kind_of(self, role: str) -> str:
        return next(kind for kind, of in self.roles.items() if of == role)


NZ_ROLES = {"banker": BANKER, "player": PLAYER, "tie": TIE}
GB_ROLES = {"punto": PLAYER, "banco": BANKER, "egalite": TIE}
