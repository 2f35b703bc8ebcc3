"""The tail of a progressive's log through the rules, hits in the order that is certain, decided or ruled.

Contributions and returns keep their places. Hits stand by clusters: those whose intervals overlap are compared in every
order that may be true (`rules.progressive.clusters`). One meaning for the fold, the live figure, rulings and frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from jackpots.fold.replay import Stretch, as_events, hits_in, replay
from jackpots.models import Progressive, ProgressiveConfig, RuledMoment, Ruling, Share
from jackpots.order.by_place import hit_round, in_order, table_name
from jackpots.order.instants import instant_of, micros_of
from rules.progressive import State
from rules.progressive.clusters import (
    ClusterDecision,
    HitRound,
    Kind,
    Order,
    PlacedEvent,
    clusters,
    decide,
    is_complete,
    positions,
    sequence,
)
from rules.progressive.clusters import Ruling as Pair
from rules.progressive.order import Return

FOREVER = 1 << 62


@dataclass(frozen=True)
class Tail:
    """What of a log is to be folded, and what decides the order of its hits."""

    others: Sequence[Share]
    """In order."""
    hits: Sequence[Share]
    """All that are not folded, also beyond the limit: they may belong to a cluster."""
    budget: Callable[[datetime, int], int] = lambda place, added: 0
    """What the house may add for hits at a place, beyond what it has just added: by cluster and by gaming day."""
    last_ruling: int | None = None
    """Rulings up to this one alone; None: all."""
    edges: Sequence[datetime] = ()
    supposed: tuple[str, ...] = ()
    """Rounds in the order that they would be ruled to have; hits that wait for a ruling after them go by place."""


@dataclass(frozen=True)
class Armed:
    """Rules that two people have approved and that are not in force yet."""

    config: ProgressiveConfig
    place: int
    """Where the arming stands in the order: what began before it is not touched."""
    effect: int | None = None
    """They come into force here; None: after a win of a whole meter."""


def armed_of(progressive: Progressive) -> Armed | None:
    config, at, effect = progressive.armed_config, progressive.armed_at, progressive.effect_at
    if config is None:
        return None
    return Armed(config, 0 if at is None else micros_of(at), None if effect is None else micros_of(effect))


@dataclass
class FoldProgress:
    """How far the tail has come."""

    state: State
    config: ProgressiveConfig
    armed: Armed | None = None
    stretches: list[Stretch] = field(default_factory=list)
    until: datetime | None = None
    """Everything placed before it has been taken."""
    waiting: WaitingCluster | None = None

    def take(self, shares: Iterable[Share], edges: Sequence[datetime], start: int = 0) -> Iterator[Stretch]:
        """Shares in this sequence; rules that were armed at their `start` take over after a win of a whole meter."""
        armed = self.armed_for_win(start)
        for stretch in replay(shares, self.state, self.config, armed, edges, self.stretches):
            self.state = stretch.after
            if stretch.resolution and stretch.resolution.levels_won and armed is not None:
                armed = None
                self.switch()
            yield stretch

    def armed_for_win(self, start: int) -> ProgressiveConfig | None:
        """What a win among hits that begin here would bring into force. Hits that began before the arming never do,
        whenever they are folded."""
        armed = self.armed
        return None if armed is None or armed.effect is not None or armed.place > start else armed.config

    def due_before(self, until: int) -> int | None:
        """Where dated rules come into force, if that is not after this instant."""
        effect = None if self.armed is None else self.armed.effect
        return None if effect is None or effect > until else effect

    def switch(self) -> None:
        if self.armed is not None:
            self.config, self.armed = self.armed.config, None


@dataclass(frozen=True)
class WaitingCluster:
    """Hits that people have to order before the fold goes on."""

    decision: ClusterDecision
    shares: tuple[Share, ...]
    """By place, as far as rulings allow."""
    rulings: tuple[Pair, ...] = ()
    """What people have said of some of them already."""


def fold_through(tail: Tail, progress: FoldProgress, limit: datetime | None = None) -> FoldProgress:
    """Goes on to the limit, or to the first place of a cluster that is not complete or waits for people. Without a
    limit: as if all of it were final already."""
    until = FOREVER if limit is None else micros_of(limit)
    left = list(tail.others)
    rounds = {str(share.event.round_id): share for share in tail.hits}
    for cluster in clusters(hit_round(share, hits_in(share)) for share in tail.hits):
        start, end = cluster[0].moment.place, max(hit.moment.latest for hit in cluster)
        if start >= until:
            break
        left = _plain(tail, progress, left, start)
        progress.until = instant_of(start)
        if limit is not None and not is_complete(cluster, until):
            return progress
        among = [share for share in left if micros_of(share.place) <= end]
        decision = _decide(tail, progress, cluster, among)
        if decision is not None and decision.kind is Kind.RULING and tail.supposed:
            decision = replace(decision, order=_as_supposed(decision.order, tail.supposed), added=())
        elif decision is not None and decision.kind is Kind.RULING:
            ruled, _ = _rulings(cluster, tail)
            progress.waiting = WaitingCluster(
                decision, tuple(rounds[hit.name] for hit in decision.order), tuple(ruled)
            )
            return progress
        _take_cluster(
            tail, progress, decision, cluster if decision is None else decision.order, among, rounds
        )
        left = left[len(among) :]
        progress.until = instant_of(end + 1)
    _plain(tail, progress, left, until)
    if limit is not None:
        progress.until = limit if progress.until is None else max(progress.until, limit)
    return progress


def _plain(tail: Tail, progress: FoldProgress, left: list[Share], until: int) -> list[Share]:
    """What stands before an instant, without hits; gives back the rest. Dated rules come into force on the way: hits
    that are compared with one another across that instant are all paid by the old ones."""
    due = progress.due_before(until)
    if due is not None:
        left = _before(tail, progress, left, due)
        progress.switch()
    return _before(tail, progress, left, until)


def _before(tail: Tail, progress: FoldProgress, left: list[Share], until: int) -> list[Share]:
    here = [share for share in left if micros_of(share.place) < until]
    list(progress.take(here, tail.edges))
    return left[len(here) :]


def _decide(tail: Tail, progress: FoldProgress, cluster: Order, among: list[Share]) -> ClusterDecision | None:
    """None for a hit that no other can have come before."""
    if len(cluster) == 1:
        return None
    pairs, best = _rulings(cluster, tail)
    armed = progress.armed_for_win(cluster[0].moment.place)
    others = [
        PlacedEvent(micros_of(share.place), table_name(share), share.event.round_id, event)
        for share in among
        for event in as_events(share, among, progress.stretches)
    ]
    return decide(
        progress.config.rules,
        progress.state,
        cluster,
        others,
        armed=None if armed is None else armed.rules,
        rulings=pairs,
        limit_micros=tail.budget(
            instant_of(cluster[0].moment.place), sum(made.added_micros for made in progress.stretches)
        ),
        pay_best=all(hit.name in best for hit in cluster),
    )


def _as_supposed(order: Order, supposed: tuple[str, ...]) -> Order:
    names = {hit.name: hit for hit in order}
    return tuple(names[name] for name in supposed) if set(supposed) == set(names) else order


def _rulings(cluster: Order, tail: Tail) -> tuple[list[Pair], set[str]]:
    """All that people have said of these moments, whichever progressive asked."""
    kinds = {share.event.round_id: share.moment for share in tail.hits}
    rounds = [hit.number for hit in cluster]
    found = RuledMoment.objects.filter(round_id__in=rounds).select_related("ruling")
    if tail.last_ruling is not None:
        found = found.filter(ruling_id__lte=tail.last_ruling)
    said: dict[int, list[RuledMoment]] = {}
    for moment in found.order_by("ruling_id", "position"):
        if kinds.get(moment.round_id) == moment.moment:
            said.setdefault(moment.ruling_id, []).append(moment)
    pairs: list[Pair] = []
    best: set[str] = set()
    for moments in said.values():
        names = [str(moment.round_id) for moment in moments]
        if moments[0].ruling.kind == Ruling.Kind.BEST:
            best.update(names)
        else:
            pairs += [Pair(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return pairs, best


def _take_cluster(
    tail: Tail,
    progress: FoldProgress,
    decision: ClusterDecision | None,
    order: Order,
    among: list[Share],
    rounds: dict[str, Share],
) -> None:
    """Hits in the decided order among the contributions, each stretch of hits with where it was put and why."""
    shares = in_order(among)
    # Named by its position, so that the merged sequence leads back to the row.
    standing = [
        PlacedEvent(micros_of(share.place), table_name(share), share.event.round_id, Return(str(number)))
        for number, share in enumerate(shares)
    ]
    where = {hit.name: at for hit, at in zip(order, positions(order), strict=True)}
    merged = [
        rounds[each.name]
        if isinstance(each, HitRound)
        else shares[int(each.event.contribution if isinstance(each.event, Return) else 0)]
        for each in sequence(order, standing)
    ]
    first = len(progress.stretches)
    list(progress.take(merged, tail.edges, min(hit.moment.place for hit in order)))
    for i, made in enumerate(progress.stretches[first:], start=first):
        if made.resolution is not None:
            at = instant_of(where[str(made.shares[0].event.round_id)])
            progress.stretches[i] = replace(made, position=at, decision=decision)
