"""Events in order, through `rules.progressive`: the one reading of the log, for the final meters and the live figure.

Pure but for the models it reads; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from jackpots.models import Event, FoldRun, ProgressiveConfig
from rules.progressive import (
    Applied,
    Hit,
    Hits,
    Movement,
    ProgressiveRules,
    Resolution,
    State,
    contribute,
    decode,
    encode,
    give_back,
    resolve_round,
    split,
)
from rules.progressive.pools import Posting, Pot

LAST_SEAT = 100
"""Seats count from the dealer's left; payment goes from the dealer's right, so position = LAST_SEAT - seat."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of the log that moved the pots in one step."""

    kind: Event.Kind
    events: tuple[Event, ...]
    config: ProgressiveConfig
    before: State
    after: State
    outcome: tuple[Movement | Resolution, ...]
    applied: Mapping[str, Any] | None = None

    @property
    def stake_micros(self) -> int:
        return sum(event.stake_micros for event in self.events)

    @property
    def house_micros(self) -> int:
        return sum(o.house_micros for o in self.outcome if isinstance(o, Movement))

    @property
    def resolution(self) -> Resolution | None:
        first = self.outcome[0]
        return first if isinstance(first, Resolution) else None

    def trace(self) -> list[Any]:
        return (
            [encode(step) for o in self.outcome for step in o.trace] if self.kind != Event.Kind.STAKES else []
        )


def order_key(event: Event) -> tuple[datetime, str, str, int]:
    """The one place of an event: its time, then premises, table, number."""
    return (event.place, event.link.premises.code, event.link.table_code, event.number)


def in_order(events: Iterable[Event]) -> list[Event]:
    return sorted(events, key=order_key)


def replay(
    events: Iterable[Event],
    state: State,
    config: ProgressiveConfig,
    armed: ProgressiveConfig | None = None,
    boundaries: Iterable[datetime] = (),
) -> Iterator[Run]:
    """The runs of ordered events from a state. A run of stakes ends at a boundary (a gaming day), at other rates, at
    a return and at a win; rules that are armed take over after a win of a whole meter."""
    edges = sorted(boundaries)
    batch: list[Event] = []
    past: list[Run] = []
    for event in events:
        if batch and (event.kind != Event.Kind.STAKES or _breaks(batch[-1], event, edges)):
            past.append(_fold_stakes(batch, state))
            state, batch = past[-1].after, []
            yield past[-1]
        if event.kind == Event.Kind.STAKES:
            batch.append(event)
            continue
        if event.kind == Event.Kind.RETURN:
            run = _fold_return(event, state, config, past)
        else:
            run = _resolve(event, state, config)
            if armed is not None and run.resolution and run.resolution.levels_won:
                config, armed = armed, None
        past.append(run)
        state = run.after
        yield run
    if batch:
        yield _fold_stakes(batch, state)


def _breaks(last: Event, event: Event, edges: list[datetime]) -> bool:
    return last.config_id != event.config_id or any(last.place < edge <= event.place for edge in edges)


def _fold_stakes(batch: list[Event], state: State) -> Run:
    """All at once where no cap is near (the split of a sum is the sum of the splits), else wager by wager."""
    config = batch[0].config
    rules = config.rules
    total = split(sum(event.stake_micros for event in batch), rules.levels)
    if not _near_cap(rules, state, {part.level: part.increment_micros for part in total.levels}):
        movement = contribute(rules, state, total)
        return Run(Event.Kind.STAKES, tuple(batch), config, state, movement.state, (movement,))
    before, movements, applied = state, [], {}
    for event in batch:
        for wager in event.body:
            movement = contribute(rules, state, split(wager["stake"], rules.levels))
            state = movement.state
            movements.append(movement)
            applied[_wager_key(event.link_id, event.number, wager["wager"])] = encode(movement.applied)
    return Run(Event.Kind.STAKES, tuple(batch), config, before, state, tuple(movements), applied)


def _near_cap(rules: ProgressiveRules, state: State, increments: Mapping[str, int]) -> bool:
    capped = {level.name: level.cap_micros for level in rules.levels if level.cap_micros is not None}
    return any(
        state.level(name).meter_micros + increments.get(name, 0) >= cap for name, cap in capped.items()
    )


def _fold_return(event: Event, state: State, config: ProgressiveConfig, past: list[Run]) -> Run:
    before, movements = state, []
    for wager in event.body:
        applied = _applied_of(event, wager, past)
        movement = give_back(config.rules, state, applied, wager["rule"])
        state = movement.state
        movements.append(movement)
    return Run(Event.Kind.RETURN, (event,), config, before, state, tuple(movements))


def _applied_of(event: Event, wager: Mapping[str, Any], past: list[Run]) -> Applied:
    """Where a returned wager's money went when it was folded: in this replay, or in a run on record."""
    key = _wager_key(event.link_id, wager["origin"], wager["wager"])
    for run in past:
        if any((e.link_id, e.number) == (event.link_id, wager["origin"]) for e in run.events):
            return _applied_in(key, wager["stake"], run.config.rules, run.before, run.applied)
    origin = Event.objects.select_related("link__premises").get(link_id=event.link_id, number=wager["origin"])
    runs = FoldRun.objects.filter(progressive_id=event.progressive_id, kind=Event.Kind.STAKES)
    for record in (
        runs.filter(last_place__gte=origin.place)
        .order_by("number")
        .select_related("config", "last_event__link__premises")
    ):
        if order_key(record.last_event) >= order_key(origin):
            state = decode(State, record.meters)
            return _applied_in(key, wager["stake"], record.config.rules, state, record.applied)
    raise LookupError(f"event {wager['origin']} of link {event.link_id} is in no fold run")


def _applied_in(
    key: str, stake: int, rules: ProgressiveRules, state: State, applied: Mapping[str, Any] | None
) -> Applied:
    if applied is not None:
        return decode(Applied, applied[key])
    parts = split(stake, rules.levels)
    postings: list[Posting] = []
    for part in parts.levels:
        resets = state.level(part.level).resets
        for pot, amount in ((Pot.INCREMENT, part.increment_micros), (Pot.RESERVE, part.reserve_micros)):
            if amount:
                postings.append(Posting(part.level, pot, amount, resets))
    return Applied(stake, tuple(postings))


def _resolve(event: Event, state: State, config: ProgressiveConfig) -> Run:
    resolution = resolve_round(config.rules, state, claims(event.round_id, event.body))
    return Run(Event.Kind.HITS, (event,), config, state, resolution.state, (resolution,))


def claims(round_id: UUID, body: Iterable[Mapping[str, Any]]) -> Hits:
    """The hits of a round, as they stand in the log, for the rules."""
    hits = tuple(
        Hit(
            trigger=hit["trigger"],
            seat=hit["seat"],
            position=LAST_SEAT - hit["seat"],
            wager_micros=hit["stake"],
            player=hit["player"],
            on_board=hit["on_board"],
            folded=hit["folded"],
        )
        for hit in body
    )
    return Hits(str(round_id), hits)


def _wager_key(link_id: int, number: int, wager_id: str) -> str:
    return f"{link_id}:{number}:{wager_id}"
