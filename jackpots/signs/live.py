"""The live figure for signs and pages: the final meters plus the tail of the log, as if it were final already.

Hits that are not public yet are left out. Where people have to rule on the order of hits, it is the lowest figure that
any order gives, and nobody is told an amount.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from jackpots.fold.decided_order import FoldProgress, Tail, armed_of, fold_through
from jackpots.fold.folding import tail_of
from jackpots.models import Progressive, Share, state_of
from jackpots.order import server_clock
from jackpots.order.barrier import WaitingReason, waiting_for
from rules.money import CENT, rounded_down
from rules.progressive import Payment, State


@dataclass(frozen=True, slots=True)
class Pending:
    """A jackpot hand whose win is not final yet: what it would get now (unless people have to rule on it first), and
    what it waits for."""

    share: Share
    payments: tuple[Payment, ...]
    waiting: tuple[WaitingReason, ...]
    to_rule: bool = False


@dataclass(frozen=True, slots=True)
class Live:
    meters: dict[str, int]
    """By level, exact."""
    resets: int
    pending: tuple[Pending, ...]
    tail: dict[int, tuple[int, int]]
    """By table log, the first and the last number of the events that are not final yet."""
    hidden: tuple[int, ...]
    """Events of hits that are not public yet."""

    def shown(self) -> dict[str, int]:
        """What a sign shows: whole cents, rounded down."""
        return {level: rounded_down(micros, CENT) for level, micros in self.meters.items()}


def live(progressive: Progressive, now: datetime | None = None) -> Live:
    """Never above the cap, because the tail goes the same way as the fold will. `now` is the order's own clock, so that
    a web server or worker whose clock is ahead shows no hit before it is public."""
    state = state_of(list(progressive.meters.order_by("position")))
    tail = tail_of(progressive)
    hidden: Sequence[Share] = ()
    if tail.hits:
        tail, hidden = public_part(tail, now or server_clock.read().now)
    ways = as_if_final(tail, FoldProgress(state, progressive.config, armed_of(progressive)))
    pending = [
        Pending(
            made.shares[0],
            made.payments,
            tuple(waiting_for(made.shares[0])),
            to_rule=len(ways) > 1,
        )
        for made in ways[0].stretches
        if made.resolution is not None
    ]
    numbers: dict[int, list[int]] = {}
    for share in (*tail.others, *tail.hits, *hidden):
        numbers.setdefault(share.event.table_log_id, []).append(share.event.number)
    return Live(
        lowest(way.state for way in ways),
        sum(level.resets for level in ways[0].state.levels),
        tuple(pending),
        {table: (min(all_), max(all_)) for table, all_ in numbers.items()},
        tuple(share.event_id for share in hidden),
    )


def public_part(tail: Tail, now: datetime) -> tuple[Tail, Sequence[Share]]:
    """Without hits that nobody may be shown yet, and these."""
    hidden = [share for share in tail.hits if share.public_at is not None and share.public_at > now]
    shown = [share for share in tail.hits if share not in hidden]
    return replace(tail, hits=shown), hidden


def as_if_final(tail: Tail, progress: FoldProgress) -> list[FoldProgress]:
    """The tail taken to its end; where people have to rule, once for each order that may be true. The first is by
    place, as far as rulings allow."""
    done = fold_through(tail, progress)
    if done.waiting is None:
        return [done]
    orders = [option.order for option in done.waiting.decision.options]
    orders = orders or [tuple(hit.name for hit in done.waiting.decision.order)]
    return [_in_order(tail, done, order) for order in orders]


def _in_order(tail: Tail, done: FoldProgress, order: tuple[str, ...]) -> FoldProgress:
    """As if people had ruled so; the rest of the tail by place."""
    copy = FoldProgress(done.state, done.config, done.armed, list(done.stretches))
    until = done.until
    rest = replace(
        tail,
        others=[share for share in tail.others if until is None or share.place >= until],
        hits=[share for share in tail.hits if until is None or share.place >= until],
        supposed=order,
    )
    return fold_through(rest, copy)


def lowest(states: Iterable[State]) -> dict[str, int]:
    found: dict[str, int] = {}
    for state in states:
        for level in state.levels:
            found[level.name] = min(found.get(level.name, level.meter_micros), level.meter_micros)
    return found
