"""The reference meaning of an event log: contributions, returns, adjustments, transfers and hits, one after another.

Whoever folds faster, in batches or on several machines, must come to the same payments and pots as this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.errors import RuleError
from rules.progressive.config import ProgressiveRules
from rules.progressive.pools import Applied, Movement, Split, State, TraceStep, adjust, contribute, give_back
from rules.progressive.resolve import Hits, Payment, Resolution, resolve_round
from rules.progressive.transfers import TransferIn, TransferOut, transfer_in, transfer_out


@dataclass(frozen=True, slots=True)
class Contribution:
    """A jackpot wager accepted. It brings its own split: rates may have changed since."""

    TAG: ClassVar[str] = "contribution"
    name: str
    wager: Split


@dataclass(frozen=True, slots=True)
class Return:
    """A void wager goes back. `applied` where its contribution was folded before this log begins."""

    TAG: ClassVar[str] = "return"
    contribution: str
    applied: Applied | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """House money onto a meter, or an approved correction."""

    TAG: ClassVar[str] = "adjustment"
    level: str
    amount_micros: int
    reason: str


Event = Contribution | Return | Adjustment | TransferOut | TransferIn | Hits


@dataclass(frozen=True, slots=True)
class History:
    """One outcome for each event, in order, and the pots at the end."""

    outcomes: tuple[Movement | Resolution, ...]
    state: State

    @property
    def payments(self) -> tuple[Payment, ...]:
        return tuple(
            p for outcome in self.outcomes if isinstance(outcome, Resolution) for p in outcome.payments
        )

    @property
    def trace(self) -> tuple[TraceStep, ...]:
        return tuple(step for outcome in self.outcomes for step in outcome.trace)


def resolve_in_order(
    rules: ProgressiveRules, state: State, events: Iterable[Event], armed: ProgressiveRules | None = None
) -> History:
    """Fold the events in the order given. `armed` rules take over when a whole meter was won; others that change take
    effect by folding the rest with the new ones."""
    outcomes: list[Movement | Resolution] = []
    put: dict[str, Applied] = {}
    returned: set[str] = set()
    for i, event in enumerate(events):
        outcome: Movement | Resolution
        match event:
            case Contribution(name=name, wager=wager):
                if name in put:
                    raise RuleError(f"contribution {name!r} comes twice", field=f"events[{i}].name")
                outcome = contribute(rules, state, wager)
                put[name] = outcome.applied
            case Return(contribution=name, applied=given, rule=rule):
                applied = given or put.get(name)
                if applied is None or name in returned:
                    why = "was already returned" if name in returned else "is not known"
                    raise RuleError(f"contribution {name!r} {why}", field=f"events[{i}].contribution")
                returned.add(name)
                outcome = give_back(rules, state, applied, rule)
            case Adjustment(level=level, amount_micros=micros, reason=reason):
                outcome = adjust(rules, state, level, micros, reason)
            case TransferOut(postings=postings, reason=reason):
                outcome = transfer_out(rules, state, postings, reason)
            case TransferIn(level=level, amount_micros=micros, reason=reason):
                outcome = transfer_in(rules, state, level, micros, reason)
            case Hits():
                outcome = resolve_round(rules, state, event)
                if armed is not None and outcome.levels_won:
                    rules, armed = armed, None
        state = outcome.state
        outcomes.append(outcome)
    return History(tuple(outcomes), state)
