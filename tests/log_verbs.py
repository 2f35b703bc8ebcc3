"""The log's verbs for tests that know every moment to the microsecond: bare times instead of a clock's bounds.

Each is `jackpots.log.event_log`'s own, with a moment that stands where it is told but not before its lock or what the
table has vouched for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from jackpots.log import event_log
from jackpots.log.event_log import (
    close_log,
    come_back,
    decide_plain,
    decide_seats,
    leave_out,
    locked,
    open_log,
)
from jackpots.models import Event, TableLog
from jackpots.order import clocks, vouched
from jackpots.order.instants import Stamp
from jackpots.order.links import links_of
from rules.contract import Hit, Wager

__all__ = [
    "beat",
    "carry_stakes",
    "close_log",
    "come_back",
    "decide",
    "decide_plain",
    "decide_seats",
    "leave_out",
    "locked",
    "open_log",
    "record_stakes",
    "return_stakes",
    "step",
]


def _lock(table_log: TableLog, at: datetime) -> Stamp:
    table_log = locked(table_log)
    floors = [floor for floor in (table_log.watermark, table_log.last_place) if floor is not None]
    return replace(Stamp.exactly(max([at, *floors])), told=at)


def record_stakes(
    table_log: TableLog, round_id: int, wagers: Iterable[Wager], at: datetime, **more: Any
) -> Event | None:
    return event_log.record_stakes(table_log, round_id, wagers, _lock(table_log, at), **more)


def carry_stakes(table_log: TableLog, round_id: int, wagers: Iterable[Wager], at: datetime) -> None:
    event_log.carry_stakes(table_log, round_id, wagers, _lock(table_log, at))


def return_stakes(
    table_log: TableLog, round_id: int, wagers: Iterable[Wager], at: datetime, rule: str
) -> list[Event]:
    return event_log.return_stakes(table_log, round_id, wagers, Stamp.exactly(at), rule)


def decide(
    table_log: TableLog,
    round_id: int,
    hits: Iterable[Hit],
    moments: Mapping[int, Mapping[str, datetime]],
    at: datetime,
    **more: Any,
) -> Event | None:
    """A moment that is not told is that of the result."""
    won = list(hits)
    row = table_log.undecided.filter(round_id=round_id).first()
    floor = at if row is None else row.locked.place
    names = ("first-card", "all-cards", "deciding-card-or-throw")
    stamps = {
        hit.wager.seat: {
            name: replace(
                Stamp.exactly(max(min(moments.get(hit.wager.seat, {}).get(name, at), at), floor)),
                told=moments.get(hit.wager.seat, {}).get(name, at),
            )
            for name in names
        }
        for hit in won
    }
    timing = clocks.timing_of(links_of(table_log))
    return event_log.decide(table_log, round_id, won, stamps, Stamp.exactly(at), timing, **more)


def beat(table_log: TableLog, at: datetime) -> TableLog:
    """The table has vouched until an instant, and may go on."""
    found = locked(table_log)
    found.watermark = max(found.watermark or at, min(at, timezone.now()))
    found.lease_until = timezone.now() + timedelta(seconds=15)
    vouched.save(found)
    return found


def step(table_log: TableLog, at: datetime) -> TableLog:
    """A numbered event has come, so everything from before it has; the table's next lock stands no earlier."""
    found = beat(table_log, at)
    found.last_place = max(found.last_place or at, at)
    vouched.save(found, ["last_place"])
    return found
