"""Events in order, through `rules.progressive`: the one reading of the log, for the final meters and the live figure.

Pure but for the models it reads; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from config.kit.documents import check_version
from jackpots.models import Adjustment, Event, FoldRun, ProgressiveConfig, Share
from jackpots.models.log import BODY_VERSION, FIRST_VERSION
from jackpots.order.by_place import hits_won, order_key
from jackpots.order.instants import micros_of
from rules.codec import hit_from_json, wager_from_json
from rules.contract import Wager
from rules.progressive import (
    Applied,
    Hits,
    Movement,
    Payment,
    ProgressiveRules,
    Resolution,
    Split,
    State,
    contribute,
    decode,
    encode,
    give_back,
    resolve_round,
    split,
)
from rules.progressive.clusters import ClusterDecision
from rules.progressive.config import WHOLE_BP
from rules.progressive.order import Contribution, Return
from rules.progressive.order import Event as LogEvent
from rules.progressive.pools import Pot, PotChange
from rules.progressive.second_thoughts import MeterPeriod, seen_in_periods


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the log that moved the pots in one step."""

    kind: str
    shares: tuple[Share, ...]
    config: ProgressiveConfig
    before: State
    after: State
    outcome: tuple[Movement | Resolution, ...]
    applied: Mapping[str, Any] | None = None
    position: datetime | None = None
    """Of hits: where they were folded, which may not be their own place; see `rules.progressive.clusters`."""
    decision: ClusterDecision | None = None
    """Of hits among others that may have come first: how their order was decided."""

    @property
    def slice_micros(self) -> int:
        return sum(share.slice_micros for share in self.shares)

    @property
    def house_micros(self) -> int:
        return sum(o.house_micros for o in self.outcome if isinstance(o, Movement))

    @property
    def resolution(self) -> Resolution | None:
        first = self.outcome[0] if self.outcome else None
        return first if isinstance(first, Resolution) else None

    @property
    def last_place(self) -> datetime:
        return self.shares[-1].place if self.position is None else self.position

    @property
    def payments(self) -> tuple[Payment, ...]:
        """With what the house adds where nobody knows who was first."""
        if self.resolution is None:
            return ()
        return tuple(
            replace(
                payment,
                amount_micros=payment.amount_micros + more,
                from_house_micros=payment.from_house_micros + more,
            )
            if (more := self._added(payment))
            else payment
            for payment in self.resolution.payments
        )

    @property
    def added_micros(self) -> int:
        return sum(self._added(payment) for payment in self.resolution.payments) if self.resolution else 0

    def _added(self, payment: Payment) -> int:
        if self.decision is None:
            return 0
        whose = (
            str(self.shares[0].event.round_id),
            payment.wager.id,
            payment.hit.wager.id,
            payment.trigger,
            payment.level,
        )
        return sum(extra.amount_micros for extra in self.decision.added if extra.whose == whose)

    def trace(self) -> list[Any]:
        return (
            [encode(step) for o in self.outcome for step in o.trace] if self.kind != Event.Kind.STAKES else []
        )


def replay(
    shares: Iterable[Share],
    state: State,
    config: ProgressiveConfig,
    armed: ProgressiveConfig | None = None,
    boundaries: Iterable[datetime] = (),
    past: list[Stretch] | None = None,
) -> Iterator[Stretch]:
    """The runs of ordered shares from a state. A run of stakes ends at a boundary (a gaming day), at other rates, at
    a return and at a win; rules that are armed take over after a win of a whole meter. `past`: what was replayed
    before, to which this adds."""
    edges = sorted(boundaries)
    batch: list[Share] = []
    past = [] if past is None else past
    for share in shares:
        kind = share.event.kind
        if batch and (kind != Event.Kind.STAKES or _breaks(batch[-1], share, edges)):
            past.append(_fold_stakes(batch, state, config))
            state, batch = past[-1].after, []
            yield past[-1]
        if kind == Event.Kind.STAKES:
            batch.append(share)
            continue
        if kind == Event.Kind.RETURN:
            run = _fold_return(share, state, config, past)
        else:
            run = _resolve(share, state, config)
            if armed is not None and run.resolution and run.resolution.levels_won:
                config, armed = armed, None
        past.append(run)
        state = run.after
        yield run
    if batch:
        past.append(_fold_stakes(batch, state, config))
        yield past[-1]


def _breaks(last: Share, share: Share, edges: list[datetime]) -> bool:
    return last.config_id != share.config_id or any(last.place < edge <= share.place for edge in edges)


def _fold_stakes(batch: list[Share], state: State, config: ProgressiveConfig) -> Stretch:
    """All at once where no cap is near (the split of a sum is the sum of the splits), else wager by wager. Rates are
    those by which the wagers were taken; caps, and what becomes of the overflow, those in force where they come in."""
    rules = config.rules
    total = split_of(batch)
    if not _near_cap(rules, state, {part.level: part.increment_micros for part in total.levels}):
        movement = contribute(rules, state, total)
        return Stretch(Event.Kind.STAKES, tuple(batch), config, state, movement.state, (movement,))
    before, movements, applied = state, [], {}
    for share in batch:
        for wager in wagers_of(share.event):
            if wager.kind in share.slices:
                movement = contribute(rules, state, _split(wager, share))
                state = movement.state
                movements.append(movement)
                applied[_wager_key(share.event, wager.id)] = encode(movement.applied)
    return Stretch(Event.Kind.STAKES, tuple(batch), config, before, state, tuple(movements), applied)


def split_of(shares: Sequence[Share]) -> Split:
    """The wagers of several shares, all taken by the same rates, as one: the split of a sum is the sum of the
    splits."""
    both = [(share.stake_micros, share.slice_micros) for share in shares]
    levels = shares[0].config.rules.levels
    return split(sum(stake for stake, _ in both), levels, sum(part for _, part in both))


def _split(wager: Wager, share: Share) -> Split:
    """One wager as it came to the progressive with this share."""
    return split(wager.stake, share.config.rules.levels, slice_of(wager.stake, share.slices[wager.kind]))


def as_events(share: Share, beside: Iterable[Share], past: list[Stretch]) -> list[LogEvent]:
    """Stakes or a return as `rules.progressive` compares orders: one event a wager. `beside`: what is compared with it,
    among which the stakes of a return may be."""
    event, table_log = share.event, share.event.table_log_id
    wagers = [wager for wager in wagers_of(event) if wager.kind in share.slices]
    if event.kind == Event.Kind.STAKES:
        return [Contribution(_wager_key(event, wager.id), _split(wager, share)) for wager in wagers]
    origin, rule = event.body["origin"], event.body["rule"]
    here = any((each.event.table_log_id, each.event.number) == (table_log, origin) for each in beside)
    return [
        Return(
            contribution_name(table_log, origin, wager.id),
            None if here else _applied_of(share, wager, past),
            rule,
        )
        for wager in wagers
    ]


def _near_cap(rules: ProgressiveRules, state: State, increments: Mapping[str, int]) -> bool:
    capped = {level.name: level.cap_micros for level in rules.levels if level.cap_micros is not None}
    return any(
        state.level(name).meter_micros + increments.get(name, 0) >= cap for name, cap in capped.items()
    )


def _fold_return(share: Share, state: State, config: ProgressiveConfig, past: list[Stretch]) -> Stretch:
    before, movements = state, []
    for wager in wagers_of(share.event):
        if wager.kind in share.slices:
            applied = _applied_of(share, wager, past)
            movement = give_back(config.rules, state, applied, share.event.body["rule"])
            state = movement.state
            movements.append(movement)
    return Stretch(Event.Kind.RETURN, (share,), config, before, state, tuple(movements))


def _applied_of(share: Share, wager: Wager, past: list[Stretch]) -> Applied:
    """Where a returned wager's money went when it was folded: in this replay, or in a run on record."""
    log, origin = share.event.table_log_id, share.event.body["origin"]
    return applied_when_folded(share.progressive_id, log, origin, wager, past, share.place)


def applied_when_folded(
    progressive_id: int,
    table_log: int,
    number: int,
    wager: Wager,
    past: Iterable[Stretch] = (),
    at: datetime | None = None,
) -> Applied:
    """Where the money of a wager that came in with this event of a table's log went, as it is seen at an instant:
    second thoughts that stand before it may have it in another period of the meter."""
    for run in past:
        for came in run.shares:
            if (came.event.table_log_id, came.event.number) == (table_log, number):
                return _applied_in(came, wager, run.before, run.applied)
    came = Share.objects.select_related("event__table_log__premises", "config").get(
        event__table_log=table_log, event__number=number, progressive=progressive_id
    )
    runs = (
        FoldRun.objects.filter(progressive_id=progressive_id, kind=Event.Kind.STAKES)
        .select_related("config", "last_share__event__table_log__premises")
        .order_by("last_place", "number")
    )
    # One that ends at the same instant, perhaps, or else the next: what was folded since is not read.
    for record in (*runs.filter(last_place=came.place), *runs.filter(last_place__gt=came.place)[:1]):
        if record.last_share is not None and order_key(record.last_share) >= order_key(came):
            applied = _applied_in(came, wager, record.state, record.applied)
            return _as_seen(applied, came, wager, record, at)
    raise LookupError(f"event {number} of table log {table_log} is in no fold run")


def _as_seen(applied: Applied, came: Share, wager: Wager, record: FoldRun, at: datetime | None) -> Applied:
    thoughts = Adjustment.objects.filter(
        progressive=record.progressive_id,
        place__gt=came.place,
        first_run__lte=record.number,
        house_only=False,
        runs__isnull=False,
    ).order_by("pk")
    if at is not None:
        thoughts = thoughts.filter(place__lte=at)
    if any(level.cap_micros is not None for level in record.config.rules.levels):
        # Where the money went depends on how full the meter was found: that the replay alone knows.
        from jackpots.fold.hindsight import applied_after

        last = thoughts.select_related("progressive", "table_log__premises").last()
        return applied if last is None else applied_after(last, _wager_key(came.event, wager.id), applied)
    last = thoughts.filter(effect__has_key="meter_runs").last()
    if last is None:
        return applied
    runs = last.known_effect["meter_runs"]
    won = [MeterPeriod(*one) for one in runs["won"]]
    return seen_in_periods(applied, micros_of(came.place), runs["before"], won)


def _applied_in(came: Share, wager: Wager, state: State, applied: Mapping[str, Any] | None) -> Applied:
    if applied is not None:
        return decode(Applied, applied[_wager_key(came.event, wager.id)])
    parts = _split(wager, came)
    postings: list[PotChange] = []
    for part in parts.levels:
        resets = state.level(part.level).resets
        for pot, amount in ((Pot.INCREMENT, part.increment_micros), (Pot.RESERVE, part.reserve_micros)):
            if amount:
                postings.append(PotChange(part.level, pot, amount, resets))
    return Applied(parts.slice_micros, tuple(postings))


def _resolve(share: Share, state: State, config: ProgressiveConfig) -> Stretch:
    resolution = resolve_round(config.rules, state, hits_in(share))
    return Stretch(Event.Kind.HITS, (share,), config, state, resolution.state, (resolution,))


def wagers_of(event: Event) -> list[Wager]:
    """The wagers of a stakes or return event."""
    check_body(event.body, event)
    return [wager_from_json(given) for given in event.body["wagers"]]


def slice_of(stake_micros: int, slice_bp: int) -> int:
    """Exact: whole cents times four decimals are whole micros."""
    return stake_micros // WHOLE_BP * slice_bp


def hits_in(share: Share) -> Hits:
    """The hits of a round that win from this progressive, as they stand in the log, and who took part in it."""
    body = share.event.body
    check_body(body, share.event)
    entered = (wager_from_json(given) for given in body["entered"])
    return Hits(
        str(share.event.round_id),
        tuple(hit_from_json(hit) for hit in hits_won(share)),
        tuple(wager for wager in entered if wager.kind in share.slices),
    )


def check_body(body: Mapping[str, Any], what: object) -> None:
    """Of an event, or held as one: wagers and hits are spelled alike in both versions."""
    if body["version"] != FIRST_VERSION:
        check_version(body["version"], BODY_VERSION, what)


def _wager_key(event: Event, wager_id: str) -> str:
    return contribution_name(event.table_log_id, event.number, wager_id)


def contribution_name(table_log_id: int, number: int, wager_id: str) -> str:
    """Of a wager, by the event with which it came in."""
    return f"{table_log_id}:{number}:{wager_id}"
