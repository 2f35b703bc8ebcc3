"""Money between progressives: what may leave a level for another, what leaves when a progressive ends, and how it comes
in. Wagers form part of a prize pool (nz-1996 VIII 11.3, gb-2011 2.4): what players have put in goes to another pool,
never to the house; the seed is the house's own and stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rules.errors import RuleError
from rules.money import say
from rules.progressive.config import ProgressiveRules
from rules.progressive.pools import Applied, LevelState, Movement, Pot, PotChange, State, StepKind, Work


@dataclass(frozen=True, slots=True)
class TransferOut:
    """Money that has left for another progressive, by pot; amounts are negative."""

    TAG: ClassVar[str] = "transfer-out"
    postings: tuple[PotChange, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TransferIn:
    """Money that has come from another progressive, onto the meter of a level."""

    TAG: ClassVar[str] = "transfer-in"
    level: str
    amount_micros: int
    reason: str


def above_seed(rules: ProgressiveRules, state: State, level: str) -> tuple[PotChange, ...]:
    """The meter of a level less its seed, and what its cap kept out of it. The reserve stays: it is for this level."""
    config = rules.level(level)
    now = state.level(config.name)
    above = min(now.increment_micros, max(0, now.meter_micros - config.seed_micros))
    postings = _out(now, {Pot.INCREMENT: above, Pot.OVERFLOW: now.overflow_micros})
    if not postings:
        raise RuleError(
            f"{level} holds {say(now.meter_micros)}, nothing above its seed of {say(config.seed_micros)}",
            field="level",
            rule=rules.seed_rule,
        )
    return postings


def emptied(state: State) -> tuple[PotChange, ...]:
    """Every pot of every level to nothing: the progressive ends."""
    return tuple(
        posting for level in state.levels for posting in _out(level, {pot: level.pot(pot) for pot in Pot})
    )


def players_part(state: State, not_owed: Mapping[str, int]) -> dict[str, int]:
    """By level what goes on to another pool when a progressive ends: all but the house money in the base."""
    return {level.name: level.total_micros - not_owed[level.name] for level in state.levels}


def _out(level: LevelState, amounts: Mapping[Pot, int]) -> tuple[PotChange, ...]:
    return tuple(
        PotChange(level.name, pot, -micros, level.resets) for pot, micros in amounts.items() if micros
    )


def transfer_out(
    rules: ProgressiveRules, state: State, postings: Iterable[PotChange], reason: str
) -> Movement:
    """Out of the pots. What has left has left: where they hold less, seen otherwise later, the house bears the rest."""
    work = Work.on(rules, state)
    done: list[PotChange] = []
    asked_micros = 0
    for put in postings:
        now = work.levels[rules.level(put.level).name]
        asked_micros += put.amount_micros
        taken = min(-put.amount_micros, now.pot(put.pot))
        text = f"{say(taken)} out of the {put.pot} of {put.level}: {reason}"
        if missing := -put.amount_micros - taken:
            text += f"; {say(missing)} from the house"
        done.append(PotChange(put.level, put.pot, -taken, now.resets))
        work.put(
            StepKind.TRANSFER,
            now.add(put.pot, -taken),
            rules.contribution_rule,
            put.amount_micros,
            f"{text}.",
        )
    return Movement(Applied(asked_micros, tuple(done)), work.state, tuple(work.trace))


def transfer_in(
    rules: ProgressiveRules, state: State, level: str, amount_micros: int, reason: str
) -> Movement:
    """Onto the meter of a level as far as its cap allows; the rest is held as its overflow until the next restart."""
    if amount_micros <= 0:
        raise RuleError("a transfer moves something", field="amount")
    work = Work.on(rules, state)
    config = rules.level(level)
    now = work.levels[config.name]
    room = amount_micros if config.cap_micros is None else max(0, config.cap_micros - now.meter_micros)
    onto = min(amount_micros, room)
    done: list[PotChange] = []
    for pot, micros in ((Pot.INCREMENT, onto), (Pot.OVERFLOW, amount_micros - onto)):
        if micros:
            now = work.levels[config.name]
            done.append(PotChange(config.name, pot, micros, now.resets))
            text = f"{say(micros)} to the {pot} of {config.name}: {reason}."
            work.put(StepKind.TRANSFER, now.add(pot, micros), rules.contribution_rule, micros, text)
    return Movement(Applied(amount_micros, tuple(done)), work.state, tuple(work.trace))
