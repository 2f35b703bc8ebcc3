"""What a reject, a hit that came too late, a corrected result or a void round changes, long after the fold has passed.

The log is replayed from the hit's place to the fold's end with the correction. Nobody's paid amount is reduced
silently: more is a supplementary win, less is a new figure while it is unpaid and recoverable once it is paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from rules.errors import RuleError
from rules.progressive.clusters import Paid, paid_in
from rules.progressive.config import ProgressiveRules
from rules.progressive.order import Contribution, Event, History, Return, resolve_in_order
from rules.progressive.pools import Applied, Movement, Pot, PotChange, State
from rules.progressive.resolve import Hits, Payment, Resolution

Whose = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Done:
    """An event as it was folded: where it stood, and by which rules. A ruled or drawn hit stands where it was put."""

    place: int
    rules: ProgressiveRules
    event: Event


@dataclass(frozen=True, slots=True)
class Correction:
    """What one round really had."""

    round: str
    hits: Hits | None
    """None: nothing. Reject of its only hit, or void."""
    place: int | None = None
    """Where its hits belong, if the log has none of it: they came after the table was left out, or by a new result."""
    returned: tuple[Return, ...] = ()
    """Stakes of a void round that go back at its place, with where they had gone."""


class Change(StrEnum):
    SUPPLEMENTARY = "supplementary"
    """More is due, or something where nothing was: a win of its own, of the difference."""
    SUPERSEDED = "superseded"
    """Less is due and nothing is paid: a row with the new amount takes its place."""
    STANDS = "stands"
    """Less is due and it is paid: the difference is recoverable, or house money by two people's word."""


@dataclass(frozen=True, slots=True)
class WinChange:
    """One win that the correction changes."""

    change: Change
    win: Paid
    """With the amount that is due now."""
    before_micros: int


@dataclass(frozen=True, slots=True)
class PotsAdjustment:
    """The one event that moves the pots to where the replay has them."""

    TAG: ClassVar[str] = "pots-adjustment"
    postings: tuple[PotChange, ...]
    """By level and pot, with the count of the meter's runs as the replay has it."""
    house_micros: int
    """What the house gives to pots and winners together; negative: what comes back to it."""


@dataclass(frozen=True, slots=True)
class SecondThought:
    changes: tuple[WinChange, ...]
    adjustment: PotsAdjustment
    state: State
    """The pots after the adjustment."""
    events: tuple[Event, ...]
    history: History
    """The log as it is seen now, replayed: an outcome for each of the events."""

    @property
    def payments(self) -> dict[Whose, Payment]:
        """What is due now, by whose it is."""
        return {
            (event.name, paid.wager.id, paid.hit.wager.id, paid.trigger, paid.level): paid
            for event, outcome in zip(self.events, self.history.outcomes, strict=True)
            if isinstance(event, Hits) and isinstance(outcome, Resolution)
            for paid in outcome.payments
        }


def second_thought(
    before: State,
    log: Sequence[Done],
    corrections: Iterable[Correction],
    paid: Iterable[Whose] = (),
    *,
    earlier: Iterable[Correction] = (),
    house_only: bool = False,
) -> SecondThought:
    """The log from the first correction's place to the fold's end, and the pots before it.

    `paid` are the wins that were handed out. `earlier` are the second thoughts of the same stretch, in their order:
    they are given again with the new one, and their adjustments left out of the log; of one round the newest counts.
    Beyond the limit in days, `house_only`: the pots stay, what is due on top is paid by the house, and of what is too
    much only the corrected rounds' own unpaid wins go.
    """
    known, new = list(earlier), list(corrections)
    was = _replay(before, _corrected(log, _newest(known)))
    found = _replay(before, _corrected(log, _newest([*known, *new])))
    changes = tuple(_changes(_due(was), _due(found), set(paid)))
    if house_only:
        own = {correction.round for correction in new}
        changes = tuple(
            change
            for change in changes
            if change.change is Change.SUPPLEMENTARY
            or (change.change is Change.SUPERSEDED and change.win.round in own)
        )
    state = was.history.state if house_only else found.history.state
    owed = sum(
        change.win.amount_micros - change.before_micros
        for change in changes
        if change.change is not Change.STANDS
    )
    postings = tuple(_postings(was.history.state, state))
    # What the players' side gave differs by the stakes of void rounds only; they get those back.
    back = 0 if house_only else was.stakes_micros - found.stakes_micros
    house = sum(posting.amount_micros for posting in postings) + owed + back
    return SecondThought(changes, PotsAdjustment(postings, house), state, found.events, found.history)


def adjusted(state: State, adjustment: PotsAdjustment) -> State:
    """The pots after an adjustment."""
    levels = {level.name: level for level in state.levels}
    for posting in adjustment.postings:
        moved = levels[posting.level].add(posting.pot, posting.amount_micros)
        levels[posting.level] = replace(moved, resets=posting.resets)
    return State(tuple(levels.values()))


# ----------------------------------------------------------------------------------------------------- replay


@dataclass(frozen=True, slots=True)
class _Replayed:
    events: tuple[Event, ...]
    history: History

    @property
    def stakes_micros(self) -> int:
        moved = (outcome for outcome in self.history.outcomes if isinstance(outcome, Movement))
        return sum(movement.applied.stake_micros for movement in moved)


def _newest(corrections: Sequence[Correction]) -> list[Correction]:
    """Of each round the last word, at the place where the first one put it."""
    by_round: dict[str, Correction] = {}
    for correction in corrections:
        first = by_round.get(correction.round)
        placed = first is not None and correction.place is None
        by_round[correction.round] = (
            replace(correction, place=first.place) if placed and first else correction
        )
    return list(by_round.values())


def _corrected(log: Sequence[Done], corrections: Sequence[Correction]) -> list[Done]:
    """The log as it should have been: hits replaced where they stood, or put where they belong."""
    fixed = list(log)
    for correction in corrections:
        at = next((i for i, done in enumerate(fixed) if _is_round(done.event, correction.round)), None)
        if at is None and correction.place is None:
            raise RuleError(
                f"the log has no hits of {correction.round!r}: say where they belong", field="place"
            )
        if at is None:
            at = next((i for i, done in enumerate(fixed) if done.place > (correction.place or 0)), len(fixed))
            if not fixed:
                raise RuleError("the log from that place on is empty", field="place")
            rules, place = fixed[min(at, len(fixed) - 1)].rules, correction.place or 0
        else:
            rules, place = fixed[at].rules, fixed[at].place
            del fixed[at]
        # As when it is played: hands stand at their moment, wagers go back with the result.
        new: list[Event] = [*([correction.hits] if correction.hits else []), *correction.returned]
        fixed[at:at] = [Done(place, rules, event) for event in new]
    return fixed


def _is_round(event: Event, name: str) -> bool:
    return isinstance(event, Hits) and event.name == name


def _replay(state: State, log: Sequence[Done]) -> _Replayed:
    """Each event by the rules that it was folded by: configurations switch as they did."""
    outcomes: list[Movement | Resolution] = []
    events: list[Event] = []
    put: dict[str, Applied] = {}
    for done in log:
        event = done.event
        if isinstance(event, Return) and event.contribution in put:
            event = replace(event, applied=put[event.contribution])
        (outcome,) = resolve_in_order(done.rules, state, (event,)).outcomes
        if isinstance(event, Contribution) and isinstance(outcome, Movement):
            put[event.name] = outcome.applied
        state = outcome.state
        events.append(event)
        outcomes.append(outcome)
    return _Replayed(tuple(events), History(tuple(outcomes), state))


# ---------------------------------------------------------------------------------------------------- compare


def _due(replayed: _Replayed) -> dict[Whose, Paid]:
    return {paid.whose: paid for paid in paid_in(replayed.events, replayed.history)}


def _changes(was: Mapping[Whose, Paid], found: Mapping[Whose, Paid], paid: set[Whose]) -> Iterable[WinChange]:
    for whose in sorted(was.keys() | found.keys()):
        before = was[whose].amount_micros if whose in was else 0
        now = found.get(whose) or replace(was[whose], amount_micros=0)
        if now.amount_micros > before:
            yield WinChange(Change.SUPPLEMENTARY, now, before)
        elif now.amount_micros < before:
            yield WinChange(Change.STANDS if whose in paid else Change.SUPERSEDED, now, before)


def _postings(was: State, now: State) -> Iterable[PotChange]:
    for before, after in zip(was.levels, now.levels, strict=True):
        for pot in Pot:
            if (moved := after.pot(pot) - before.pot(pot)) or before.resets != after.resets:
                yield PotChange(after.name, pot, moved, after.resets)
