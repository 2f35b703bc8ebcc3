"""The settlement contract: what goes into `rules.settle` and what comes out, as frozen values.

A round holds everything that decides money: the game and its configuration, wagers, what was dealt, decisions,
irregularities, and what earlier rounds left standing. No logic lives here; JSON lives in `rules.codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rules.odds import Odds

if TYPE_CHECKING:
    from rules.declare import Game, PayTable

EMPTY: Mapping[str, Any] = MappingProxyType({})
"""For parameters only: a field's default must be hashable, so fields make their own."""


class Outcome(StrEnum):
    """How a wager stands after the round."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"
    STANDS = "stands"


@dataclass(frozen=True, slots=True)
class Wager:
    """Chips on one place of the layout. Raises, doubles, insurance and odds are wagers of a later stage."""

    id: str
    kind: str
    stake: int
    """Micros."""
    seat: int = 0
    """Seat or box, counted clockwise from the dealer's left; 0 where the game has none."""
    player: str = ""
    """Who owns it, where several play on one box or a game has no seats; '' is the player of the seat."""
    selection: str = ""
    """What is backed, where the kind alone does not say it: '17', '1-2-4-5', '8'."""
    promo: bool = False
    """A promotional voucher: its face value is not money and does not come back with a win."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice made during the round. One that costs money names the wager it placed."""

    kind: str
    seat: int = 0
    player: str = ""
    wager: str = ""
    hand: int = 0
    """Which hand of the seat, where a seat may hold several (0 is the first)."""
    value: Any = None
    """What was chosen, in the shape that the game declares for this kind."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that went wrong and that the rulebook settles in its own way; stated by a person, never guessed."""

    kind: str
    seat: int = 0
    wager: str = ""
    value: Any = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A wager that an earlier round left on the layout, with what the game must remember of it."""

    wager: Wager
    state: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Carried:
    """What one round hands to the next: the table's own state (a craps point) and the standing wagers."""

    table: Mapping[str, Any] = field(default_factory=dict)
    wagers: tuple[Standing, ...] = ()


NOTHING = Carried()


@dataclass(frozen=True, slots=True)
class KindLimits:
    """What the limits sign says of one kind of wager. None is no limit."""

    minimum: int = 0
    maximum: int | None = None
    increment: int | None = None
    max_payout: int | None = None
    """The most that one wager of this kind may win; caps winnings, never the returned stake."""


@dataclass(frozen=True, slots=True)
class Limits:
    """All that the limits sign says about money."""

    kinds: Mapping[str, KindLimits] = field(default_factory=dict)
    """By kind of wager; '*' is for kinds that are not named, but those that the rulebook measures by another wager."""
    chip: int = 0
    """The smallest amount payable in chips at the table; 0: any cent is payable."""
    hand_payout: int | None = None
    """The most that one hand may win over all of its wagers, where the rulebook knows such a limit."""
    differential: int | None = None
    """The greatest difference between two opposed sides, where the rulebook knows one (baccarat)."""
    players: Mapping[str, Mapping[str, KindLimits]] = field(default_factory=dict)
    """Exceptions for a player or seat ('3'), as in nz-1996 I 13.4; '*' is for kinds that are not named."""

    def of(self, wager: Wager, *, by_name: bool = False) -> KindLimits:
        """`by_name`: only what the limits sign says of this very kind, not what it says of all that are not named."""
        for who in (wager.player, str(wager.seat)) if self.players else ():
            own = self.players.get(who) if who else None
            found = _limits_of(own, wager.kind, by_name) if own else None
            if found is not None:
                return found
        return _limits_of(self.kinds, wager.kind, by_name) or NO_LIMITS


def _limits_of(kinds: Mapping[str, KindLimits], kind: str, by_name: bool) -> KindLimits | None:
    return kinds.get(kind) or (None if by_name else kinds.get("*"))


NO_LIMITS = KindLimits()
OPEN = Limits()


@dataclass(frozen=True, slots=True)
class Round:
    """One round of one game, complete enough to settle, or as far as it has come."""

    game: Game
    wagers: tuple[Wager, ...] = ()
    dealt: Mapping[str, Any] = field(default_factory=dict)
    """What was dealt, rolled or spun, in the shape that the game declares."""
    decisions: tuple[Decision, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    """Every option of the game, resolved: what was not given has its default."""
    paytables: Mapping[str, PayTable] = field(default_factory=dict)
    """The pay table in force for each of the game's pay table slots, resolved."""
    limits: Limits = OPEN
    carried: Carried = NOTHING


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one wager, to the micro, and the rule that decided it.

    stake = returned + lost + standing. To the player goes winnings + returned - commission.
    """

    wager: Wager
    outcome: Outcome
    rule: str
    odds: Odds | None = None
    winnings: int = 0
    returned: int = 0
    standing: int = 0
    """The part of the stake that stays on the layout for the next round."""
    commission: int = 0
    """What the house keeps of the winnings or charges on top; negative when a fee is given back."""
    rounding: int = 0
    """The part of the winnings that comes from rounding up to an amount payable in chips."""
    also: tuple[str, ...] = ()
    """Further rules that had a hand in it: limits, rounding, an irregularity."""

    @property
    def lost(self) -> int:
        return self.wager.stake - self.returned - self.standing

    @property
    def to_player(self) -> int:
        return self.winnings + self.returned - self.commission


@dataclass(frozen=True, slots=True)
class Hit:
    """A hand or throw that wins a jackpot. How much it wins is for `rules.progressive` and the meter."""

    wager: Wager
    """As it counts: its stake is without the part above the maximum, which goes back."""
    trigger: str
    """The winning hand by its name: 'royal-flush', 'straight-flush', ..."""
    rule: str
    cards: tuple[int, ...] = ()
    on_board: bool = False
    """The hand is made of shared cards alone."""
    hand_folded: bool = False
    strength: int = 0
    """Orders hands of the same trigger where the best takes all; higher is better, 0 where nothing orders them."""

    def without_player(self) -> Hit:
        """For whom it is not to be told whose it is."""
        return replace(self, wager=replace(self.wager, player=""))


@dataclass(frozen=True, slots=True)
class Settlement:
    """The answer: a line for each wager new or standing, in their order; hits; what the next round inherits."""

    lines: tuple[Line, ...]
    hits: tuple[Hit, ...] = ()
    carried: Carried = NOTHING
    result: Mapping[str, str] = field(default_factory=dict)
    """The outcome in words for staff and signs: {'dealer': 'pair of kings', '3': 'flush, ace high'}."""
