"""The live figure for signs and pages: the final meters plus the tail of the log, as if it were final already."""

from __future__ import annotations

from dataclasses import dataclass

from jackpots.barrier import Waiting, waiting_for
from jackpots.folding import unfolded
from jackpots.models import Progressive, Share, state_of
from jackpots.replay import replay
from rules.money import CENT, floor_to
from rules.progressive import Payment, State


@dataclass(frozen=True, slots=True)
class Pending:
    """A jackpot hand whose win is not final yet: what it would get now, and what it waits for."""

    share: Share
    payments: tuple[Payment, ...]
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class Live:
    state: State
    pending: tuple[Pending, ...]
    tail: dict[int, tuple[int, int]]
    """By table log, the first and the last number of the events that are not final yet."""

    def shown(self) -> dict[str, int]:
        """What a sign shows: whole cents, rounded down."""
        return {level.name: floor_to(level.meter_micros, CENT) for level in self.state.levels}


def live(progressive: Progressive) -> Live:
    """Never above the cap, because the tail goes the same way as the fold will."""
    state = state_of(list(progressive.meters.order_by("position")))
    pending: list[Pending] = []
    shares = unfolded(progressive)
    for run in replay(shares, state, progressive.config, progressive.armed_config):
        state = run.after
        if run.resolution is not None:
            share = run.shares[0]
            pending.append(Pending(share, run.resolution.payments, tuple(waiting_for(share))))
    numbers: dict[int, list[int]] = {}
    for share in shares:
        numbers.setdefault(share.event.table_log_id, []).append(share.event.number)
    return Live(state, tuple(pending), {table: (min(all_), max(all_)) for table, all_ in numbers.items()})
