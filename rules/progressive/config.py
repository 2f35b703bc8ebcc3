"""The configuration document of a progressive: levels, prizes in stages, and the provisions a rulebook makes.

Shape and form only. The rulebooks' own figures are in `presets`, whether a document may go live is in `check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

from rules.errors import RuleError
from rules.money import CENT, rounded_up, say

WHOLE_BP = 10_000
"""Rates are basis points: four decimals of a wager or of a meter, so every split of a whole cent is whole micros."""


def percent(bp: int) -> str:
    """1000 → '10%', 725 → '7.25%'."""
    whole, part = divmod(bp, 100)
    return f"{whole}{f'.{part:02d}'.rstrip('0') if part else ''}%"


def _need(holds: bool, message: str, field: str) -> None:
    if not holds:
        raise RuleError(message, field=field)


# ---------------------------------------------------------------------------------------------------- amounts


@dataclass(frozen=True, slots=True)
class Fixed:
    """A sum of money, whatever the wager and the meter."""

    TAG: ClassVar[str] = "fixed"
    amount_micros: int

    def __post_init__(self) -> None:
        _need(
            self.amount_micros >= 0 and self.amount_micros % CENT == 0,
            "a fixed prize is whole cents, not negative",
            "amount",
        )

    def __str__(self) -> str:
        return say(self.amount_micros)


@dataclass(frozen=True, slots=True)
class TimesWager:
    """A multiple of the jackpot wager: 100, or 5/2 for the rulebook's 2.5."""

    TAG: ClassVar[str] = "times-wager"
    times: Fraction

    def __post_init__(self) -> None:
        _need(self.times >= 0, "a multiple of the wager is not negative", "times")

    def __str__(self) -> str:
        tenths = self.times * 10
        number = (
            f"{self.times}"
            if tenths.denominator != 1
            else f"{tenths.numerator // 10}.{tenths.numerator % 10}"
        )
        return f"{number.removesuffix('.0')} times the wager"


@dataclass(frozen=True, slots=True)
class PercentOfMeter:
    """A part of the level's meter; 10000 is the whole of it, and the level then restarts at its seed."""

    TAG: ClassVar[str] = "percent-of-meter"
    share_bp: int

    def __post_init__(self) -> None:
        _need(0 < self.share_bp <= WHOLE_BP, "a share of the meter lies above 0 and is at most 1", "share")

    def __str__(self) -> str:
        return f"{percent(self.share_bp)} of the meter"


@dataclass(frozen=True, slots=True)
class GrowingOdds:
    """Odds that grow until won (gb-2011 16.26): the meter is the prize of a wager of one unit, other wagers pro rata.

    What a smaller wager leaves of the meter goes to the reserve, because the odds start again for everybody.
    """

    TAG: ClassVar[str] = "growing-odds"
    unit_micros: int

    def __post_init__(self) -> None:
        _need(
            self.unit_micros > 0 and self.unit_micros % CENT == 0,
            "the unit is whole cents, above zero",
            "unit",
        )

    def __str__(self) -> str:
        return f"the meter for each {say(self.unit_micros)} wagered"


@dataclass(frozen=True, slots=True)
class GreaterOf:
    """The greater of two. Where the other amount is a share of the meter, the minimum is each winner's own."""

    TAG: ClassVar[str] = "greater-of"
    minimum: Fixed | TimesWager
    amount: PercentOfMeter | GrowingOdds | TimesWager

    def __str__(self) -> str:
        return f"the greater of {self.minimum} and {self.amount}"


Amount = Fixed | TimesWager | PercentOfMeter | GrowingOdds | GreaterOf


def inner(amount: Amount) -> Fixed | TimesWager | PercentOfMeter | GrowingOdds:
    """The amount without its minimum."""
    return amount.amount if isinstance(amount, GreaterOf) else amount


def takes_whole(amount: Amount) -> bool:
    """Does a win of this amount win the level, so that it restarts at its seed?"""
    match inner(amount):
        case PercentOfMeter(share_bp=bp):
            return bp == WHOLE_BP
        case GrowingOdds():
            return True
    return False


# ------------------------------------------------------------------------------------------- prizes and stages


class Mode(StrEnum):
    """How the winners of one stage of one round are paid."""

    EACH_IN_FULL = "each-in-full"
    """Everyone on the meter as it stood when the stage began."""
    EQUAL_SHARE = "equal-share"
    """The winners of a prize divide it, on the meter at the first winner's turn."""
    IN_TURN = "in-turn"
    """In seating order from the dealer's right, each on what remains of the meter; restart when the round is paid."""
    LOCK_RESEED = "lock-reseed"
    """In seating order; a win of the whole meter restarts the level at once and the next is paid on the new value."""
    BEST_HAND = "best-hand"
    """One prize a level a round: the best hand takes it, equal hands divide it."""
    ENVY = "envy"
    """A sum to every other qualifying player, once for each premium hand, never for one's own."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What one trigger hand takes from one level."""

    trigger: str
    level: str
    amount: Amount
    rule: str
    from_pool: bool = True
    """False: the house pays it and the meter does not move."""
    from_pool_with_others: bool = False
    """The house pays it to a lone winner; where several hands qualify it comes off the pool (nz-1996 VIII 12.2(a))."""

    def bears(self, several: bool) -> bool:
        """Does the pool pay it in a round in which one hand, or `several`, qualified?"""
        return self.from_pool or (several and self.from_pool_with_others)


@dataclass(frozen=True, slots=True)
class Stage:
    """Prizes settled together. Stages go one after another; a later one sees what the earlier ones left.

    Prizes stand best hand first: the order decides under `best-hand`.
    """

    mode: Mode
    prizes: tuple[Prize, ...]
    rule: str
    """What the rulebook says of several winners here."""
    by_player: bool = False
    """Equal shares are counted by player, not by hand: a second hand of the same player adds none."""


# -------------------------------------------------------------------------------------------------- the levels


class Overflow(StrEnum):
    """Where contributions go that a meter at its cap cannot take."""

    NEXT_METER = "next-meter"
    """Held, and added to the meter after its next restart."""
    RESERVE = "reserve"
    LEVEL = "level"
    HOUSE = "house"


class Reseed(StrEnum):
    """When the house restores the seed."""

    WON = "won"
    """Only when the whole meter was won; other prizes may bring it below its seed."""
    BELOW_SEED = "below-seed"
    """Also at the end of any round that leaves the base short."""


@dataclass(frozen=True, slots=True)
class Level:
    """One meter. Base and increment make the meter; the reserve, fed by the hidden rate, pays for the next seed."""

    name: str
    seed_micros: int = 0
    increment_bp: int = 0
    reserve_bp: int = 0
    cap_micros: int | None = None
    secondary_bp: int | None = None
    """Replaces the increment rate for a wager that finds the meter at its cap; None: the rate stays."""
    overflow: Overflow = Overflow.NEXT_METER
    overflow_to: str = ""
    """The level that takes the overflow, where the policy is `level`."""
    reseed: Reseed = Reseed.WON

    def __post_init__(self) -> None:
        _need(bool(self.name), "a level needs a name", "levels.name")
        for field, bp in (
            ("increment", self.increment_bp),
            ("reserve", self.reserve_bp),
            ("secondary", self.secondary_bp or 0),
        ):
            _need(
                0 <= bp <= WHOLE_BP,
                "a rate lies between 0.0000 and 1.0000",
                f"levels.{self.name}.{field}_rate",
            )
        for field, micros in (("seed", self.seed_micros), ("cap", self.cap_micros or 0)):
            _need(
                micros >= 0 and micros % CENT == 0,
                "this is whole cents, not negative",
                f"levels.{self.name}.{field}",
            )


# ------------------------------------------------------------------------------------------------ the document


class ContributionSource(StrEnum):
    """Whose money moves the meters."""

    JACKPOT_WAGER = "jackpot-wager"
    ALL_WAGERS = "all-wagers"
    HOUSE = "house"


class Moment(StrEnum):
    """The instant that gives a win its place among wins on linked tables."""

    FIRST_CARD = "first-card"
    ALL_CARDS = "all-cards"
    DECIDING = "deciding-card-or-throw"


class Rounding(StrEnum):
    """What becomes of the part of a prize that is smaller than the unit in which it is paid."""

    UP = "up"
    """To the next unit, the difference being house money: what a rulebook prints is the least that a winner gets."""
    DOWN = "down"
    """The rest stays in the pool. Only for amounts that no rulebook prints."""


@dataclass(frozen=True, slots=True)
class Priority:
    """The moment by the device that the cards come from."""

    shoe: Moment
    shuffler: Moment
    other: Moment
    rule: str


@dataclass(frozen=True, slots=True)
class Provision:
    """A yes or no that the rulebook decides, with the place where it does."""

    holds: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ProgressiveRules:
    """Everything that decides amounts. Stored as a document by its content hash; never changed, only replaced."""

    name: str
    rulebook: str
    """`gb-2011`, `nz-1996`, ...; decides which of a rulebook's conditions `check_config` applies."""
    schedule: str
    """The preset whose printed amounts hold for this progressive, or empty for an operator's own."""
    levels: tuple[Level, ...]
    triggers: tuple[str, ...]
    """The hands that qualify. Each must have a prize."""
    stages: tuple[Stage, ...]
    source: ContributionSource
    contribution_rule: str
    seed_rule: str
    priority: Priority
    folded_hand_wins: Provision
    """Whether a hit of a hand that was folded is paid. Which folded hand is a hit at all is the game's matter."""
    misdeal_carries_wager: Provision
    """True: the jackpot wager stands for the next round (no event). False: it is returned."""
    shared_board: Provision | None = None
    """Do winners whose hand lies wholly on the board divide one prize? None: the game has no board."""
    round_to_micros: int = CENT
    """Shares of a meter are rounded to this."""
    rounding: Rounding = Rounding.DOWN
    """Which way. Down where a document does not say: it was written before there was a choice."""
    chip_micros: int = 0
    """The smallest amount payable in chips; 0: any cent is. What is won stays what it is, see `payable`."""

    def __post_init__(self) -> None:
        _need(
            self.round_to_micros > 0 and self.round_to_micros % CENT == 0,
            "the rounding unit is whole cents, above zero",
            "round_to",
        )
        _need(
            self.chip_micros >= 0 and self.chip_micros % CENT == 0,
            "the smallest amount payable in chips is whole cents, not negative",
            "chip",
        )

    def payable(self, amount_micros: int, unit_micros: int | None = None) -> int:
        """What is handed out for a prize: the next amount that can be paid, never less than the prize (nz-1996 I 15.3,
        VIII 11.8). `unit_micros`: the smallest amount that can be, where it is not the declared chip."""
        unit = self.chip_micros if unit_micros is None else unit_micros
        return rounded_up(amount_micros, unit) if unit else amount_micros

    def level(self, name: str) -> Level:
        for level in self.levels:
            if level.name == name:
                return level
        known = ", ".join(level.name for level in self.levels) or "none"
        raise RuleError(f"there is no level {name!r}; there is {known}", field="level")

    @property
    def prizes(self) -> tuple[Prize, ...]:
        return tuple(prize for stage in self.stages for prize in stage.prizes)
