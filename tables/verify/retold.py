"""A round made again from nothing but the messages in which its terminal told it, for `manage.py verify`: what the
round holds must be that. Where moments stand in the order is not asked here, only what was told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rules.codec import same_wagers
from tables.door import marks
from tables.door.messages import merge_dealt, parse_time
from tables.models import Round, TableEvent

Told = tuple[datetime, str]
"""A reading, and of which clock."""


@dataclass
class Retold:
    wagers: list[Any] = field(default_factory=list)
    dealt: dict[str, Any] = field(default_factory=dict)
    decisions: list[Any] = field(default_factory=list)
    irregularities: list[Any] = field(default_factory=list)
    moments: dict[tuple[str, str], Told] = field(default_factory=dict)
    lock: Told | None = None
    result: Told | None = None


def retell(events: Iterable[TableEvent], back: set[str]) -> Retold:
    """In their order. `back`: ids of the jackpot wagers that did not count, which left the round at its lock."""
    made = Retold()
    for event in events:
        message = json.loads(event.message or "{}")
        kind, body, at = message["kind"], message.get("body", {}), parse_time(message["at"], "at")
        made.wagers += body.get("wagers", [])
        if kind in ("cards", "result", "round"):
            merge_dealt(made.dealt, body.get("dealt", {}))
        if kind == "decision":
            made.decisions.append(body["decision"])
            made.wagers += [body["wager"]] if "wager" in body else []
        made.decisions += body.get("decisions", [])
        made.irregularities += body.get("irregularities", [])
        if kind in ("no-more-bets", "result", "round") and made.lock is None:
            locked_at = at
            if "locked_at" in body and kind != "no-more-bets":
                locked_at = min(at, parse_time(body["locked_at"], "locked_at"))
            made.lock = (locked_at, event.clock)
            made.wagers = [wager for wager in made.wagers if wager.get("id") not in back]
        for seat, moment, told in _moments(kind, body, at):
            made.moments.setdefault((seat, moment), (told, event.clock))
        if kind in ("result", "round"):
            made.result = (at, event.clock)
    return made


def _moments(kind: str, body: dict[str, Any], at: datetime) -> Iterator[tuple[str, str, datetime]]:
    if kind == "mark":
        for seat in body.get("seats", [marks.ALL]):
            yield str(seat), body["moment"], at
    elif kind in ("cards", "result", "round"):
        yield from marks.told_moments(body)


def differences(round: Round, events: Iterable[TableEvent]) -> Iterator[str]:
    """What the round holds that its terminal did not tell so."""
    back = {given["wager"]["id"] for given in round.not_accepted}
    told = retell(events, back)
    if not same_wagers(round.wagers, told.wagers):
        yield "its wagers are not what its terminal told"
    for name in ("dealt", "decisions", "irregularities"):
        if getattr(round, name) != getattr(told, name):
            yield f"its {name} are not what its terminal told"
    kept = {
        (seat, moment): _told(stamp)
        for seat, moments in round.moments.items()
        for moment, stamp in moments.items()
    }
    if kept != told.moments:
        yield "its moments are not what its terminal told"
    if _told(round.lock) != told.lock:
        yield "its no more bets is not what its terminal told"
    if _told(round.result_told) != told.result:
        yield "its result is not of when its terminal told it"


def _told(stamp: dict[str, Any] | None) -> Told | None:
    return None if stamp is None else (datetime.fromisoformat(stamp["told"]), stamp["clock"])
