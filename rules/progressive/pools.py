"""The money of a progressive between wins: the split of a wager, what it adds to each pot, its return, corrections.

Every movement adds up: what the players' side gave equals what the pots took plus what went to the house.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar

from rules.errors import RuleError
from rules.money import CENT, say
from rules.progressive.config import WHOLE_BP, Level, Overflow, ProgressiveRules, percent


class Pot(StrEnum):
    """Where a level's money lies. Base and increment together are the meter."""

    BASE = "base"
    INCREMENT = "increment"
    RESERVE = "reserve"
    OVERFLOW = "overflow"


class StepKind(StrEnum):
    CONTRIBUTE = "contribute"
    RETURN = "return"
    ADJUST = "adjust"
    TRANSFER = "transfer"
    PAY = "pay"
    PASS_OVER = "passed-over"  # noqa: S105  # not a password
    SWEEP = "sweep"
    RESEED = "reseed"
    OVERFLOW_IN = "overflow-in"


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One thing that happened to one level, for people: the rule, the meter before and after, a sentence."""

    kind: StepKind
    level: str
    rule: str
    amount_micros: int
    meter_before_micros: int
    meter_after_micros: int
    text: str
    seat: int | None = None


# ------------------------------------------------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class LevelState:
    """The pots of one level, and how often its meter was won: a contribution of an earlier run is not in this one."""

    name: str
    base_micros: int = 0
    increment_micros: int = 0
    reserve_micros: int = 0
    overflow_micros: int = 0
    resets: int = 0

    def __post_init__(self) -> None:
        if (
            min(
                self.base_micros,
                self.increment_micros,
                self.reserve_micros,
                self.overflow_micros,
                self.resets,
            )
            < 0
        ):
            raise RuleError("a pot cannot hold less than nothing", field=f"state.{self.name}")

    @property
    def meter_micros(self) -> int:
        return self.base_micros + self.increment_micros

    @property
    def total_micros(self) -> int:
        return self.meter_micros + self.reserve_micros + self.overflow_micros

    def pot(self, pot: Pot) -> int:
        value: int = getattr(self, f"{pot}_micros")
        return value

    def add(self, pot: Pot, micros: int) -> LevelState:
        change: dict[str, Any] = {f"{pot}_micros": self.pot(pot) + micros}
        return replace(self, **change)

    def pay(self, micros: int) -> LevelState:
        """Off the meter, the increment first: the base is the operator's promise and goes last."""
        from_increment = min(self.increment_micros, micros)
        return replace(
            self,
            increment_micros=self.increment_micros - from_increment,
            base_micros=self.base_micros - (micros - from_increment),
        )


@dataclass(frozen=True, slots=True)
class State:
    """The pots of all levels."""

    levels: tuple[LevelState, ...]

    def level(self, name: str) -> LevelState:
        for level in self.levels:
            if level.name == name:
                return level
        raise RuleError(f"the state has no level {name!r}", field="state.levels")

    @property
    def total_micros(self) -> int:
        return sum(level.total_micros for level in self.levels)


def opening_state(rules: ProgressiveRules) -> State:
    """A new progressive: every meter at its seed, which is the house's own money."""
    return State(tuple(LevelState(level.name, base_micros=level.seed_micros) for level in rules.levels))


@dataclass(slots=True)
class Work:
    """The state being worked on and the trace so far; lives within one function call."""

    rules: ProgressiveRules
    levels: dict[str, LevelState]
    trace: list[TraceStep] = field(default_factory=list)

    @classmethod
    def on(cls, rules: ProgressiveRules, state: State) -> Work:
        names = [level.name for level in state.levels]
        if names != [level.name for level in rules.levels]:
            raise RuleError(
                f"the state has levels {names}, the rules have {[level.name for level in rules.levels]}",
                field="state.levels",
            )
        return cls(rules, {level.name: level for level in state.levels})

    def put(
        self, kind: StepKind, new: LevelState, rule: str, micros: int, text: str, seat: int | None = None
    ) -> None:
        before = self.levels[new.name].meter_micros
        self.levels[new.name] = new
        self.trace.append(TraceStep(kind, new.name, rule, micros, before, new.meter_micros, text, seat))

    @property
    def state(self) -> State:
        return State(tuple(self.levels[level.name] for level in self.rules.levels))


# ------------------------------------------------------------------------------------------------------- split


@dataclass(frozen=True, slots=True)
class LevelSplit:
    """One level's part of a wager; `secondary` stands in for the increment where the meter is at its cap."""

    level: str
    increment_micros: int
    reserve_micros: int
    secondary_micros: int


@dataclass(frozen=True, slots=True)
class Split:
    """A wager divided. What no level takes is the house's."""

    stake_micros: int
    levels: tuple[LevelSplit, ...]
    slice_micros: int
    """What of the stake came to this progressive: all of it, unless the wager feeds others too."""

    @property
    def house_micros(self) -> int:
        """The house's part while no meter is at its cap."""
        return self.slice_micros - sum(part.increment_micros + part.reserve_micros for part in self.levels)


def split(stake_micros: int, levels: Iterable[Level], slice_micros: int | None = None) -> Split:
    """Exact, so the split of a sum is the sum of the splits: whole cents times four decimals are whole micros.

    Rates are of the whole stake. `slice_micros` is what of it came to this progressive; None: all of it.
    """
    if stake_micros < 0 or stake_micros % CENT:
        raise RuleError(f"a stake is whole cents, not negative; not {say(stake_micros)}", field="stake")
    units = stake_micros // WHOLE_BP
    parts = tuple(
        LevelSplit(
            level=level.name,
            increment_micros=units * level.increment_bp,
            reserve_micros=units * level.reserve_bp,
            secondary_micros=units
            * (level.increment_bp if level.secondary_bp is None else level.secondary_bp),
        )
        for level in levels
    )
    whole = Split(stake_micros, parts, stake_micros if slice_micros is None else slice_micros)
    if whole.house_micros < 0:
        raise RuleError("the rates of all levels together are more than the whole wager", field="levels")
    return whole


# --------------------------------------------------------------------------------------------------- movements


@dataclass(frozen=True, slots=True)
class PotChange:
    """An amount into a pot (negative: out of it), and which period of the meter it belonged to."""

    level: str
    pot: Pot
    amount_micros: int
    resets: int


@dataclass(frozen=True, slots=True)
class Applied:
    """Where a wager's money went. Kept with a contribution, it says what a return has to take back."""

    stake_micros: int
    postings: tuple[PotChange, ...]

    @property
    def house_micros(self) -> int:
        """To the house; negative where the house gives."""
        return self.stake_micros - sum(posting.amount_micros for posting in self.postings)


@dataclass(frozen=True, slots=True)
class Movement:
    """The answer to a contribution, a return or an adjustment."""

    TAG: ClassVar[str] = "movement"
    applied: Applied
    state: State
    trace: tuple[TraceStep, ...]

    @property
    def house_micros(self) -> int:
        return self.applied.house_micros


def contribute(rules: ProgressiveRules, state: State, wager: Split) -> Movement:
    """Add a wager to the pots.

    A wager that finds a meter below its cap gives at the increment rate and what passes the cap overflows; one that
    finds the meter at its cap gives at the secondary rate, and all of it overflows.
    """
    work = Work.on(rules, state)
    postings: list[PotChange] = []
    for part in wager.levels:
        level = rules.level(part.level)
        at_cap = level.cap_micros is not None and work.levels[level.name].meter_micros >= level.cap_micros
        if amount := part.secondary_micros if at_cap else part.increment_micros:
            rate = level.secondary_bp if at_cap and level.secondary_bp is not None else level.increment_bp
            _fill(
                work, postings, level, amount, f"{say(wager.stake_micros)} wagered at {percent(rate)}", set()
            )
        if part.reserve_micros:
            text = f"{say(wager.stake_micros)} wagered at {percent(level.reserve_bp)} for the next seed"
            _post(work, postings, level, Pot.RESERVE, part.reserve_micros, text)
    applied = Applied(wager.slice_micros, tuple(postings))
    if applied.house_micros < 0:
        raise RuleError(
            "the levels take more than the whole wager", field="levels", rule=rules.contribution_rule
        )
    return Movement(applied, work.state, tuple(work.trace))


def _fill(work: Work, postings: list[PotChange], level: Level, amount: int, why: str, seen: set[str]) -> None:
    """Into the increment as far as the cap allows, the rest by the level's overflow policy."""
    seen.add(level.name)
    meter = work.levels[level.name].meter_micros
    room = amount if level.cap_micros is None else max(0, level.cap_micros - meter)
    fits = min(amount, room)
    if fits:
        _post(work, postings, level, Pot.INCREMENT, fits, why)
    over = amount - fits
    if not over:
        return
    why = f"{why}, above the cap of {say(level.cap_micros or 0)}"
    if level.overflow is Overflow.LEVEL and level.overflow_to not in seen:
        _fill(work, postings, work.rules.level(level.overflow_to), over, f"{why} of {level.name}", seen)
    elif level.overflow is Overflow.RESERVE:
        _post(work, postings, level, Pot.RESERVE, over, why)
    elif level.overflow is not Overflow.HOUSE:
        # Also the end of a ring of levels that are all full: the money is held, never lost.
        _post(work, postings, level, Pot.OVERFLOW, over, why)


def _post(work: Work, postings: list[PotChange], level: Level, pot: Pot, amount: int, why: str) -> None:
    now = work.levels[level.name]
    postings.append(PotChange(level.name, pot, amount, now.resets))
    text = f"{why}: {say(amount)} to the {pot} of {level.name}."
    work.put(StepKind.CONTRIBUTE, now.add(pot, amount), work.rules.contribution_rule, amount, text)


def give_back(rules: ProgressiveRules, state: State, applied: Applied, rule: str = "") -> Movement:
    """Return a void wager: out of the pots it went to, and from the house what is no longer there.

    A level whose meter was won since then paid the money out with it; the base is never touched.
    """
    work = Work.on(rules, state)
    rule = rule or rules.contribution_rule
    postings: list[PotChange] = []
    for put in applied.postings:
        now = work.levels[rules.level(put.level).name]
        taken = min(put.amount_micros, now.pot(put.pot)) if now.resets == put.resets else 0
        from_house = put.amount_micros - taken
        text = f"Void wager of {say(applied.stake_micros)}: {say(taken)} back out of the {put.pot} of {put.level}"
        if from_house:
            text += f", {say(from_house)} from the house because that money was already paid out"
        postings.append(PotChange(put.level, put.pot, -taken, now.resets))
        work.put(StepKind.RETURN, now.add(put.pot, -taken), rule, -taken, f"{text}.")
    return Movement(Applied(-applied.stake_micros, tuple(postings)), work.state, tuple(work.trace))


def adjust(rules: ProgressiveRules, state: State, level: str, amount_micros: int, reason: str) -> Movement:
    """House money onto a meter (gb-2011 2.4 allows additional sums), or an approved correction down."""
    work = Work.on(rules, state)
    config, now = rules.level(level), work.levels[rules.level(level).name]
    if not reason.strip():
        raise RuleError("an adjustment needs a reason", field="reason")
    if now.increment_micros + amount_micros < 0:
        raise RuleError(
            f"the increment holds {say(now.increment_micros)}; the base cannot be adjusted away",
            field="amount",
        )
    if (
        config.cap_micros is not None
        and amount_micros > 0
        and now.meter_micros + amount_micros > config.cap_micros
    ):
        raise RuleError(f"the meter would pass its cap of {say(config.cap_micros)}", field="amount")
    text = f"{say(amount_micros)} by adjustment: {reason}."
    work.put(StepKind.ADJUST, now.add(Pot.INCREMENT, amount_micros), rules.seed_rule, amount_micros, text)
    posting = PotChange(level, Pot.INCREMENT, amount_micros, now.resets)
    return Movement(Applied(0, (posting,)), work.state, tuple(work.trace))


def adjust_as_far(
    rules: ProgressiveRules, state: State, level: str, amount_micros: int, reason: str
) -> Movement:
    """An adjustment that was made when the meter was thought to stand elsewhere: what passes the cap is held as
    overflow, and no more is taken than players have put in; the house bears the rest."""
    work = Work.on(rules, state)
    config, now = rules.level(level), work.levels[rules.level(level).name]
    room = amount_micros if config.cap_micros is None else max(0, config.cap_micros - now.meter_micros)
    onto = min(amount_micros, room) if amount_micros > 0 else max(amount_micros, -now.increment_micros)
    held = max(0, amount_micros - onto) if amount_micros > 0 else 0
    postings: list[PotChange] = []
    for pot, micros in ((Pot.INCREMENT, onto), (Pot.OVERFLOW, held)):
        if micros:
            now = work.levels[config.name]
            text = f"{say(micros)} to the {pot} of {level} by adjustment: {reason}."
            work.put(StepKind.ADJUST, now.add(pot, micros), rules.seed_rule, micros, text)
            postings.append(PotChange(level, pot, micros, now.resets))
    return Movement(Applied(0, tuple(postings)), work.state, tuple(work.trace))
