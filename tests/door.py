"""The terminals' door for tests in one process whose clocks are exact: each event is taken as from a terminal that has
a lease, whose clock is known to the microsecond, and that has told everything before it.

What clocks do to the order is tested with real terminals (`simulator.terminal`), not with these."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from jackpots.models import TableLog
from jackpots.order import vouched
from jackpots.order.clocks import _keep
from jackpots.order.instants import micros_of
from rules.progressive.clocks import Bounds, Sample
from tables.door import requests
from tables.door.intake import Answer
from tables.models import Table

CLOCK = "exact"


def grant(table_id: int) -> TableLog:
    """A lease from now on, and a clock that is right."""
    log = vouched.check(Table.objects.select_related("table_log").get(pk=table_id).table_log)
    now = timezone.now()
    exact = Sample(0, micros_of(now))
    _keep(log, Bounds(CLOCK, exact, exact, echo=micros_of(now), agreed_at=micros_of(now)), now, 0)
    log.lease_until = now + timedelta(seconds=15)
    vouched.save(log, vouched.SIGNED)
    return log


def take(table_id: int, event: dict[str, Any]) -> Answer:
    """One event; raises what refuses it."""
    grant(table_id)
    answered = requests.receive(table_id, {"events": [stamped(event)]})
    if answered.refused is not None:
        raise answered.refused
    (answer,) = answered.answers
    vouch(table_id, datetime.fromisoformat(event["at"]))
    return Answer(answer.pop("new"), answer)


def stamped(event: dict[str, Any]) -> dict[str, Any]:
    """By the exact clock; what does not say when no more bets was called, means the event's own time."""
    if not event or not isinstance(event.get("body", {}), dict):
        return event
    body = event.get("body", {})
    if event.get("kind") in ("round", "result") and "locked_at" not in body:
        body = {**body, "locked_at": event["at"]}
    return {**event, "clock": CLOCK, "body": body}


def heartbeat(table_id: int, last_number: int, at: datetime) -> dict[str, Any]:
    """The terminal has nothing left to send from before this moment, unless something is on its way."""
    table = Table.objects.get(pk=table_id)
    if last_number != table.last_event:
        return {"status": "behind", "expected": table.last_event + 1}
    grant(table_id)
    vouch(table_id, at)
    return {"status": "ok", "expected": table.last_event + 1}


def vouch(table_id: int, at: datetime) -> None:
    log = vouched.check(Table.objects.select_related("table_log").get(pk=table_id).table_log)
    if log.is_open and log.watermark is not None:
        log.watermark = max(log.watermark, min(at, timezone.now()))
        vouched.save(log)
