"""The five rulebooks and their general provisions: limits, rounding, invalidation, vouchers, own pay tables.

What holds for every game of a rulebook stands here once; what one game says otherwise stands in that game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.contract import KindLimits
from rules.declare import IrregularityKind
from rules.shape import ListOf, Struct, Text

INVALIDATED = "invalidated"
DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Provisions:
    """A rulebook's answers to what can happen to any wager in any of its games."""

    rulebook: str
    title: str
    below_minimum: Literal["once", "valid", "void"]
    """A stake under the minimum, found after the start: valid once a player, always valid, or void."""
    below_rule: str
    above_rule: str
    """A stake over the maximum counts up to the maximum; the excess is returned."""
    rounding_rule: str
    """An amount that cannot be paid exactly is paid up to the next that can."""
    own_paytables: str = ""
    """The rule under which an operator may use a pay table of its own; '' where the rulebook's odds are fixed."""
    invalidation_rule: str = ""
    """The outcome of the round is invalidated: wagers refunded, a cheat's may be forfeited."""
    device_rule: str = ""
    """Wagers of a player who used a calculating device may be declared void."""
    promo_rule: str = ""
    """Where the rulebook knows promotional chips or vouchers: what was staked by one does not come back with a win.
    '' where it has none, and then they are refused."""
    off_increment: Literal["valid", "down"] = "valid"
    """A stake that is not the minimum and a multiple of the increment: valid, or cut to the next lowest that is."""
    credits: bool = False
    """Paid in credits to the cent, not in chips: nothing is rounded to chips."""

    def taken(self, stake: int, bounds: KindLimits) -> int:
        """The part of a stake not under the minimum that counts."""
        most = stake if bounds.maximum is None else min(stake, bounds.maximum)
        if self.off_increment == "down" and bounds.increment and most > bounds.minimum:
            most -= (most - bounds.minimum) % bounds.increment
        return most

    def irregularities(self) -> tuple[IrregularityKind, ...]:
        """What may happen at any table of the rulebook."""
        kinds: list[IrregularityKind] = []
        if self.invalidation_rule:
            forfeit = ListOf(Text(), about="ids of the wagers that are forfeited for fraud")
            shape = Struct(optional={"reason": Text(), "forfeit": forfeit})
            about = "the outcome of the round is invalidated; wagers are refunded"
            kinds.append(IrregularityKind(INVALIDATED, self.invalidation_rule, shape, about))
        if self.device_rule:
            about = "the wager, or every wager of the seat, is declared void for use of a device"
            kinds.append(IrregularityKind(DEVICE, self.device_rule, None, about))
        return tuple(kinds)


NZ_1996 = Provisions(
    rulebook="nz-1996",
    title="Rules of Casino Table Games, New Zealand Gazette, January 1996",
    below_minimum="once",
    below_rule="nz-1996 I 14.2(a)",
    above_rule="nz-1996 I 14.2(b)",
    rounding_rule="nz-1996 I 15.3",
    invalidation_rule="nz-1996 I 12.2",
    device_rule="nz-1996 I 11.2(a)",
    promo_rule="nz-1996 I 17.2",
)

# The later New Zealand divisions stand under the same Division I general rules.
NZ_CONSULTATION = replace(
    NZ_1996,
    rulebook="nz-consultation",
    title="Later divisions of the New Zealand rules, as put out for consultation",
)

# gb-2011 is silent on stakes outside of the limits and leaves what it does not cover to the operator (1.5).
GB_2011 = Provisions(
    rulebook="gb-2011",
    title="Rules of casino games in Great Britain, final edition, June 2011",
    below_minimum="valid",
    below_rule="gb-2011 1.5",
    above_rule="gb-2011 1.5",
    rounding_rule="gb-2011 2.5",
    own_paytables="gb-2011 2.6",
    invalidation_rule="gb-2011 1.5",
)

# The rulebook pays odds (9.1, 9.3) and has no rule for amounts that no chips make: they are paid up, never below the
# odds.
NSW_DOUBLE_CHANCE = Provisions(
    rulebook="nsw-double-chance",
    title="Rules of Double Chance, New South Wales",
    below_minimum="valid",
    below_rule="nsw-double-chance 6.2",
    above_rule="nsw-double-chance 6.3",
    rounding_rule="nsw-double-chance 9.1, 9.3",
    invalidation_rule="nsw-double-chance 14.5",
    device_rule="nsw-double-chance 14.3.1",
    promo_rule="nsw-double-chance 5.1",
)

# Stakes outside of the limits and invalid rounds are left to other sections of its regulations, which are not at hand.
DOUBLE_DOWN_STUD = Provisions(
    rulebook="double-down-stud",
    title="Double Down Stud",
    below_minimum="valid",
    below_rule="double-down-stud (f)",
    above_rule="double-down-stud (f)",
    rounding_rule="double-down-stud (j)(2)",
    own_paytables="double-down-stud (j)(2)",
)

BOOKS = {
    book.rulebook: book for book in (NZ_1996, NZ_CONSULTATION, GB_2011, NSW_DOUBLE_CHANCE, DOUBLE_DOWN_STUD)
}
