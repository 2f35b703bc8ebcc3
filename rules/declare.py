"""How a game declares itself: wagers, options, pay tables, decisions, irregularities, all as data.

`check_wagers`, `check_decision`, `settle`, the JSON Schema and the catalogue read these same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rules.contract import Decision, Round, Wager
from rules.errors import RuleError
from rules.money import CENT, rounded_down
from rules.odds import Odds, odds
from rules.shape import Int, Shape, Struct, Text

if TYPE_CHECKING:
    from rules.play import Play
    from rules.rulebooks import Provisions


@dataclass(frozen=True, slots=True)
class Amount:
    """The stake of one kind measured by another's at the same seat: exactly twice the ante, up to the ante, ..."""

    of: str
    low: Fraction
    high: Fraction
    whole: bool = False
    """Only whole multiples between the two."""
    joined_by: tuple[str, ...] = ()
    """Kinds that join the other at the same spot, so that the most is measured by all of them together."""
    _bounds: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)
    """Low and high in whole numbers: each later-stage wager of each round comes by here."""

    def __post_init__(self) -> None:
        bounds = (*self.low.as_integer_ratio(), *self.high.as_integer_ratio())
        object.__setattr__(self, "_bounds", bounds)

    def fault(self, stake: int, base: int, joined: int = 0) -> str | None:
        least, of_least, most, of_most = self._bounds
        within = least * base <= stake * of_least and stake * of_most <= most * (base + joined)
        if within and not (self.whole and stake % base):
            return None
        return f"must be {self}"

    def permitted(self, stake: int, base: int, joined: int = 0, *, multiple: int = 0) -> int:
        """The part of a stake that may stand beside so much of the base. `multiple`: which whole multiple of the base
        it was laid as; it stays that, for where several are allowed each is a choice of its own."""
        part = min(stake, rounded_down(self.high * (base + joined), CENT))
        return min(part - part % base, multiple * base) if self.whole and base else part

    def __str__(self) -> str:
        of = f"{self.of} with what joined it" if self.joined_by else self.of
        if self.low == self.high:
            return f"equal to the {of}" if self.low == 1 else f"exactly {self.low} times the {of}"
        steps = f"a whole multiple of the {self.of}, " if self.whole else ""
        return f"{steps}{self.low} to {self.high} times the {of}"


def times(of: str, multiple: int | Fraction = 1, *, joined_by: tuple[str, ...] = ()) -> Amount:
    return Amount(of, Fraction(multiple), Fraction(multiple), joined_by=joined_by)


def between(
    of: str,
    low: int | Fraction,
    high: int | Fraction,
    *,
    whole: bool = False,
    joined_by: tuple[str, ...] = (),
) -> Amount:
    return Amount(of, Fraction(low), Fraction(high), whole, joined_by)


@dataclass(frozen=True, slots=True)
class WagerKind:
    """A wager that the layout offers."""

    name: str
    rule: str
    """Where the rulebook permits it, e.g. 'nz-1996 VIII 4.1(a)'."""
    stage: str = "start"
    needs: tuple[str, ...] = ()
    """Kinds of which one must stand at the same seat for the same player. Without them it is refused."""
    amount: Amount | None = None
    amount_rule: str = ""
    minimum_of: str = ""
    """The kind whose minimum on the limits sign the rulebook asks of this one too; '' where it has none but its own."""
    shared_maximum: str = ""
    """The rule by which the maximum is for all players of a box or area together, or may be made so."""
    selection: Shape | None = None
    """What can be backed; None where the kind says it all."""
    many: bool = False
    """Several of the kind may stand at one seat for one player (with other selections, or in other hands)."""
    jackpot: bool = False
    """The stake feeds a progressive; it does not come back with a prize and its winnings are not odds."""
    entitles: bool = False
    """An ordinary wager that may also hit a progressive, one fed by a share of all wagers or by the house."""
    fee: bool = False
    """Not a wager but a price: always kept by the house."""
    slot: str = ""
    """The pay table slot that pays it, if it is paid by a table."""
    ceiling_rule: str = ""
    """Where the rulebook lets the operator set a maximum payout; '' is nowhere, and then none may be configured."""
    ceiling_lines: tuple[str, ...] = ()
    """The lines of the pay table that the ceiling may touch; () is all of them."""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that the rulebook leaves to the operator, or a reading that casinos differ on."""

    name: str
    shape: Shape
    default: Any
    rule: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class PayTable:
    """Odds by line, in the order of the rulebook. `minimum`: the least that the rulebook allows, not meant to be
    played."""

    slot: str
    name: str
    rule: str
    lines: Mapping[str, Odds]
    minimum: bool = False
    optional: tuple[str, ...] = ()
    """Lines that an operator's own table may leave out; said with the least odds of the slot."""

    def pays(self, key: str) -> Odds | None:
        return self.lines.get(key)


def paytable(
    slot: str,
    name: str,
    rule: str,
    lines: Mapping[str, str],
    *,
    minimum: bool = False,
    optional: tuple[str, ...] = (),
) -> PayTable:
    """`paytable('bet', 'standard', 'nz-1996 VIII 10.1', {'flush': '5 to 1', ...})`."""
    return PayTable(slot, name, rule, {key: odds(text) for key, text in lines.items()}, minimum, optional)


def paytables(
    slot: str,
    lines: Sequence[str],
    figures: Mapping[str, Sequence[int]],
    rule: str,
    *,
    minimum_rule: str = "",
) -> tuple[PayTable, ...]:
    """Tables of a slot that differ in figures alone: by name, what each of `lines` pays to 1. The one named 'minimum'
    is the least that the rulebook allows; `minimum_rule` where another rule prints it."""
    return tuple(
        paytable(
            slot,
            name,
            minimum_rule if minimum_rule and name == "minimum" else rule,
            {line: f"{figure} to 1" for line, figure in zip(lines, paid, strict=True)},
            minimum=name == "minimum",
        )
        for name, paid in figures.items()
    )


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """A choice that the game knows; `value` is the shape of what is chosen, if anything."""

    name: str
    rule: str
    value: Shape | None = None
    wager: str = ""
    """The kind of wager that it places, if it costs money."""
    about: str = ""
    again: bool = False
    """The same place may decide so again in one round: another card, a check at the next cards."""


@dataclass(frozen=True, slots=True)
class IrregularityKind:
    """Something that may go wrong and that the rulebook settles."""

    name: str
    rule: str
    value: Shape | None = None
    about: str = ""


IRREGULARITY_FIELDS: Mapping[str, Shape] = {"seat": Int(0, 99), "player": Text(), "wager": Text()}
DECISION_FIELDS: Mapping[str, Shape] = {**IRREGULARITY_FIELDS, "hand": Int(0, 20)}
"""What a decision or irregularity may name besides its kind and value."""


def _written(value: Shape | None, fields: Mapping[str, Shape]) -> Struct:
    """A decision or an irregularity as JSON: its kind, who or what it touches, and its value in the kind's shape."""
    return Struct({"kind": Text()}, {**fields, "value": value} if value is not None else fields)


def _no_faults(_round: Round) -> Iterable[RuleError]:
    return ()


def _any_decision(_round: Round, _decision: Decision) -> RuleError | None:
    return None


def _as_it_is(_play: Play) -> None:
    """The table's state outlives an invalidated round."""


@dataclass(frozen=True)
class Game:
    """One game under one rulebook."""

    name: str
    rulebook: str
    title: str
    cites: str
    """How its rules are cited: 'nz-1996 VIII', 'gb-2011'."""
    provisions: Provisions
    wagers: tuple[WagerKind, ...]
    dealt: Struct
    settle: Callable[[Play], None]
    """Gives every wager of the play exactly one line, through the verbs of `rules.play`."""
    seats: int = 0
    """How many seats or boxes; 0 where players have none."""
    stages: tuple[str, ...] = ("start",)
    """When wagers may be placed, in order; 'start' closes with "no more bets"."""
    decisions: tuple[DecisionKind, ...] = ()
    irregularities: tuple[IrregularityKind, ...] = ()
    options: tuple[Option, ...] = ()
    paytables: tuple[PayTable, ...] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)
    """The pay table used for a slot when none is named; a slot with one playable table needs no entry."""
    terminals: Provisions | None = None
    """The provisions for wagers at electronic terminals, which are then the seats; seat 0 is the table itself."""
    shared_option: str = ""
    """The option by which the operator makes maximums shared (`WagerKind.shared_maximum`); '': the rulebook itself
    does."""
    differential_rule: str = ""
    """Where the rulebook knows a greatest difference between two opposed sides; '' is nowhere."""
    hand_payout_rule: str = ""
    """Where the rulebook lets the operator limit what a hand wins over all of its wagers; '' is nowhere."""
    carries: bool = False
    """Rounds of one table must be settled in their order, because one hands state to the next."""
    check: Callable[[Round], Iterable[RuleError]] = _no_faults
    """What the declarations cannot say about wagers, dealt cards and decisions."""
    check_decision: Callable[[Round, Decision], RuleError | None] = _any_decision
    invalidated: Callable[[Play], None] = _as_it_is
    """What becomes of the table's state once the round is invalidated and all wagers are refunded."""
    kinds: Mapping[str, WagerKind] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", {kind.name: kind for kind in self.wagers})
        known = (*self.irregularities, *self.provisions.irregularities())
        object.__setattr__(self, "irregularities", known)

    @property
    def longest_round_s(self) -> int:
        """How long a round may take from "no more bets" to its result before somebody should look: three minutes for
        cards, dice or ball, and where players decide half a minute a seat each time they are asked. No rulebook
        says."""
        asked = max(1, len(self.stages) - 1) if self.decisions else 0
        return 180 + 30 * self.seats * asked

    # What follows from the declarations and is asked for in every round.

    @cached_property
    def decision_kinds(self) -> Mapping[str, DecisionKind]:
        return {kind.name: kind for kind in self.decisions}

    @cached_property
    def decision_shapes(self) -> Mapping[str, Struct]:
        return {kind.name: _written(kind.value, DECISION_FIELDS) for kind in self.decisions}

    @cached_property
    def irregularity_shapes(self) -> Mapping[str, Struct]:
        return {kind.name: _written(kind.value, IRREGULARITY_FIELDS) for kind in self.irregularities}

    @cached_property
    def named_options(self) -> Mapping[str, Option]:
        return {option.name: option for option in self.options}

    @cached_property
    def default_options(self) -> Mapping[str, Any]:
        return {option.name: option.default for option in self.options}

    @cached_property
    def default_tables(self) -> Mapping[str, PayTable]:
        return {slot: self.default_table(slot) for slot in self.slots()}

    @cached_property
    def sharing(self) -> Mapping[str, WagerKind]:
        """The kinds whose maximum is, or may be made, one for all players of a box."""
        return {kind.name: kind for kind in self.wagers if kind.shared_maximum}

    @property
    def in_order(self) -> bool:
        """Must the rounds of a table be settled one after another? Where the game carries state, and where the rulebook
        remembers who has already had a stake under the minimum count."""
        return self.carries or self.provisions.below_minimum == "once"

    def rule(self, number: str) -> str:
        return f"{self.cites} {number}"

    def provisions_for(self, wager: Wager) -> Provisions:
        return self.provisions if self.terminals is None or not wager.seat else self.terminals

    def slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(table.slot for table in self.paytables))

    def tables_of(self, slot: str) -> dict[str, PayTable]:
        return {table.name: table for table in self.paytables if table.slot == slot}

    def default_table(self, slot: str) -> PayTable:
        tables = self.tables_of(slot)
        if slot in self.defaults:
            return tables[self.defaults[slot]]
        return next((t for t in tables.values() if not t.minimum), next(iter(tables.values())))

    def optional_lines(self, slot: str) -> tuple[str, ...]:
        """What an operator's own table of the slot may leave out."""
        return tuple(dict.fromkeys(key for t in self.tables_of(slot).values() for key in t.optional))

    def least_odds(self, slot: str) -> dict[str, Odds]:
        """The lowest odds that the rulebook allows for each line of a slot (gb-2011 2.6a, 2.7)."""
        tables = self.tables_of(slot).values()
        minimum = next((t for t in tables if t.minimum), None)
        if minimum is not None:
            return dict(minimum.lines)
        least: dict[str, Odds] = {}
        for table in tables:
            for key, value in table.lines.items():
                if key not in least or value.ratio < least[key].ratio:
                    least[key] = value
        return least
