"""The fold of a progressive's whole log: contributions at their places, hits by clusters, up to where it is final.

It depends on the rows alone: who folds, how often and how far at a time makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.progressive.clusters import (
    ClusterDecision,
    HitRound,
    Kind,
    Order,
    PlacedEvent,
    Ruling,
    clusters,
    decide,
    is_complete,
)
from rules.progressive.config import ProgressiveRules
from rules.progressive.order import Adjustment, Contribution, Event, History, Return, resolve_in_order
from rules.progressive.pools import Applied, Movement, State
from rules.progressive.resolve import Resolution
from rules.progressive.second_thoughts import PotsAdjustment, adjusted
from rules.progressive.transfers import TransferIn, TransferOut


@dataclass(frozen=True, slots=True)
class Arming:
    """Other rules that two people have approved, at their place in the order."""

    rules: ProgressiveRules
    place: int
    effect: int | None = None
    withdrawn: bool = False
    """Taken back before they were in force."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What two people have put right or added. It stands where the fold had come to when they did: after all that was
    folded, before all else."""

    place: int
    what: Adjustment | TransferIn | TransferOut | PotsAdjustment
    applied: Mapping[str, Applied] = field(default_factory=dict)
    """Where contributions are that are seen otherwise now."""


Acts = Sequence[Arming | Moved]
"""What people did, in the order in which they did it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a progressive's log is folded, and what the next fold needs to know of it."""

    rules: ProgressiveRules
    state: State
    until: int
    """Everything placed before this instant is in the pots."""
    armed: ProgressiveRules | None = None
    armed_from: int = 0
    """Where the arming stands in the order: hits that begin before it bring nothing into force, whenever folded."""
    effect: int | None = None
    """Armed rules come into force at this instant; None: after a win of a whole meter."""
    applied: Mapping[str, Applied] = field(default_factory=dict)
    """By contribution where its money went: a return takes it from there."""
    day: int = 0
    added_micros: int = 0
    """What the house has added on that day so that winners had their best."""
    taken: int = 0
    """How many of people's acts are in it."""

    def with_armed(self, acts: Acts) -> Progress:
        """With the next rules that are armed: of several one after the other, each once the last ones are in force."""
        found = self
        while found.armed is None and found.taken < len(acts):
            act = acts[found.taken]
            if isinstance(act, Moved):
                break
            found = replace(found, taken=found.taken + 1)
            if not act.withdrawn:
                found = replace(found, armed=act.rules, armed_from=act.place, effect=act.effect)
        return found

    def armed_for_win(self, start: int) -> ProgressiveRules | None:
        """What a win among hits that begin here brings into force."""
        return None if self.effect is not None or self.armed_from > start else self.armed

    def in_force(self) -> Progress:
        """With the armed rules."""
        return replace(self, rules=self.armed or self.rules, armed=None, effect=None)


@dataclass(frozen=True, slots=True)
class Rulings:
    """All that people have said of this progressive's order."""

    pairs: tuple[Ruling, ...] = ()
    best: frozenset[str] = frozenset()
    """Rounds of which the cameras cannot tell the order: each is paid its best."""


@dataclass(frozen=True, slots=True)
class RulingLimits:
    """What the house gives rather than let winners wait."""

    ruling_micros: int = 0
    daily_micros: int = 0
    day_of: Callable[[int], int] = lambda place: 0
    """The gaming day of a place, as a number."""


NO_RULINGS = Rulings()
NO_LIMITS = RulingLimits()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Events that were folded together: between clusters, or one cluster with what stands among its hits."""

    before: State
    events: tuple[Event, ...]
    history: History
    decision: ClusterDecision | None = None
    rules: ProgressiveRules | None = None
    armed: ProgressiveRules | None = None
    """They take over after a win of a whole meter among these."""
    moved: Moved | None = None
    """What people moved there, instead of events."""


@dataclass(frozen=True, slots=True)
class Folded:
    progress: Progress
    stretches: tuple[Stretch, ...] = ()
    waiting: ClusterDecision | None = None
    """The cluster that people have to rule on before the fold goes on."""


def fold(
    progress: Progress,
    hits: Iterable[HitRound],
    others: Iterable[PlacedEvent],
    limit: int,
    rulings: Rulings = NO_RULINGS,
    limits: RulingLimits = NO_LIMITS,
    acts: Acts = (),
) -> Folded:
    """Go on to the limit, or to the first place of a cluster that is not complete or waits for people. `acts` are all
    that people ever did of it: how many are taken, `progress` knows."""
    left = sorted(others, key=lambda other: other.key)
    stretches: list[Stretch] = []
    for cluster in clusters(hits):
        start, end = cluster[0].moment.place, max(hit.moment.latest for hit in cluster)
        if start >= limit:
            break
        progress, left = _plain(progress, left, start, stretches, acts)
        if not is_complete(cluster, limit):
            return Folded(progress, tuple(stretches))
        among = [other for other in left if other.place <= end]
        decision = _decide(progress, cluster, among, rulings, limits)
        if decision.kind is Kind.RULING or decision.history is None:
            return Folded(progress, tuple(stretches), decision)
        day = limits.day_of(start)
        added = decision.added_micros + (progress.added_micros if progress.day == day else 0)
        armed = progress.armed_for_win(start)
        stretches.append(
            Stretch(progress.state, decision.events, decision.history, decision, progress.rules, armed)
        )
        progress = _after(replace(progress, day=day, added_micros=added), stretches[-1], end + 1, start)
        left = left[len(among) :]
    progress, _ = _plain(progress, left, limit, stretches, acts)
    return Folded(progress, tuple(stretches))


def _decide(
    progress: Progress, cluster: Order, among: Sequence[PlacedEvent], rulings: Rulings, limits: RulingLimits
) -> ClusterDecision:
    same_day = progress.day == limits.day_of(cluster[0].moment.place)
    spent = progress.added_micros if same_day else 0
    return decide(
        progress.rules,
        progress.state,
        cluster,
        [replace(other, event=_known(progress, other.event)) for other in among],
        armed=progress.armed_for_win(cluster[0].moment.place),
        rulings=rulings.pairs,
        limit_micros=min(limits.ruling_micros, limits.daily_micros - spent),
        pay_best=all(hit.name in rulings.best for hit in cluster),
    )


def _plain(
    progress: Progress, left: list[PlacedEvent], until: int, stretches: list[Stretch], acts: Acts
) -> tuple[Progress, list[PlacedEvent]]:
    """What stands before an instant, without hits. Dated rules come into force on the way: hits that are compared with
    one another across that instant are all paid by the old ones. So does what people moved, at its place."""
    while True:
        progress = progress.with_armed(acts)
        move = acts[progress.taken] if progress.taken < len(acts) else None
        at = move.place if isinstance(move, Moved) else until + 1
        if progress.effect is not None and progress.effect <= min(at, until):
            progress, left = _before(progress, left, progress.effect, stretches)
            progress = progress.in_force()
        elif isinstance(move, Moved) and at <= until:
            progress, left = _before(progress, left, at, stretches)
            progress = _moved(progress, move, stretches)
        else:
            return _before(progress, left, until, stretches)


def _moved(progress: Progress, move: Moved, stretches: list[Stretch]) -> Progress:
    if isinstance(move.what, PotsAdjustment):
        history = History((), adjusted(progress.state, move.what))
        made = Stretch(progress.state, (), history, rules=progress.rules, moved=move)
    else:
        history = resolve_in_order(progress.rules, progress.state, (move.what,))
        made = Stretch(progress.state, (move.what,), history, rules=progress.rules, moved=move)
    stretches.append(made)
    applied = {**progress.applied, **move.applied}
    return replace(progress, state=history.state, taken=progress.taken + 1, applied=applied)


def _before(
    progress: Progress, left: list[PlacedEvent], until: int, stretches: list[Stretch]
) -> tuple[Progress, list[PlacedEvent]]:
    here = [other for other in left if other.place < until]
    if here:
        events = tuple(_known(progress, other.event) for other in here)
        history = resolve_in_order(progress.rules, progress.state, events)
        stretches.append(Stretch(progress.state, events, history, rules=progress.rules))
        progress = _after(progress, stretches[-1], until, until)
    return replace(progress, until=max(progress.until, until)), left[len(here) :]


def _known(progress: Progress, event: Event) -> Event:
    if isinstance(event, Return) and event.applied is None:
        return replace(event, applied=progress.applied.get(event.contribution))
    return event


def _after(progress: Progress, stretch: Stretch, until: int, start: int) -> Progress:
    """`start`: where its hits begin."""
    applied = dict(progress.applied)
    won = False
    for event, outcome in zip(stretch.events, stretch.history.outcomes, strict=True):
        if isinstance(event, Contribution) and isinstance(outcome, Movement):
            applied[event.name] = outcome.applied
        won = won or (isinstance(outcome, Resolution) and bool(outcome.levels_won))
    if won and progress.armed_for_win(start) is not None:
        progress = progress.in_force()
    return replace(progress, state=stretch.history.state, until=until, applied=applied)
