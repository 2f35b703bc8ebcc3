"""What is known of a table's terminal clocks, as the table's log keeps it: bounds, watermark, lease.

`rules.progressive.clocks` and `places` hold all of the reasoning; here rows become their arguments and their answers
become rows. The caller holds the log's lock, and saves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext_noop

from jackpots.models import Progressive, Share, TableLog
from jackpots.order import barrier, doubts
from jackpots.order.by_place import lock_of, pending_hits, placed_of
from jackpots.order.instants import Stamp, clock_of, instant_of, micros_of
from jackpots.order.links import Links
from jackpots.order.server_clock import ServerTime
from people.alerts import alerts
from people.models import Role
from rules.progressive.clocks import (
    Bounds,
    Envelope,
    Heard,
    Sample,
    Timing,
    Trouble,
    has_echoed_ahead,
    hear,
    since_failover,
    troubles,
)
from rules.progressive.places import Placed, doubted, is_silent, lease_of_server, renews, watermark

_BOUNDS = tuple(item.name for item in fields(Bounds) if item.name != "clock")
KEPT = 4
"""The newest clocks of a table: a terminal that restarts has a new one, and may still tell what the last stamped."""
SHORTEST_SILENCE = timedelta(seconds=4)
"""No table is silent sooner, whatever its lease."""
CLOCK_TROUBLE = alerts.declare(
    "jackpots.clock_trouble",
    gettext_noop("A terminal's clock is in trouble"),
    severity=alerts.Severity.WARNING,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
)
TOLD_LATE = alerts.declare(
    "jackpots.told_late",
    gettext_noop("A jackpot hand was told late"),
    severity=alerts.Severity.WARNING,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
)


def timing_of(links: Links) -> Timing:
    return timing_of_progressives(links.progressives)


def timing_of_progressives(given: Sequence[Progressive]) -> Timing:
    """The strictest of the progressives that a table is linked to."""
    if not given:
        return Timing()
    return timing_within(
        min(progressive.lease_ms for progressive in given), min(progressive.skew_ms for progressive in given)
    )


def timing_within(lease_ms: int, skew_ms: int) -> Timing:
    lease_us = 1_000 * lease_ms
    return Timing(beat_us=min(Timing().beat_us, lease_us // 4), lease_us=lease_us, skew_us=1_000 * skew_ms)


@dataclass(frozen=True, slots=True)
class KnownClock:
    """What a technician sees of one clock."""

    clock: str
    bounds: Bounds
    heard_at: datetime
    jumps: int

    @property
    def offset_ms(self) -> float:
        return self.bounds.applied_us / 1_000

    @property
    def width_ms(self) -> float | None:
        width = self.bounds.width_us(micros_of(self.heard_at), Timing().drift_ppm)
        return None if width is None else width / 1_000


def known_clocks(table_log: TableLog) -> list[KnownClock]:
    """Newest first."""
    found = [_known(clock, kept) for clock, kept in table_log.clocks.items()]
    return sorted(found, key=lambda known: known.heard_at, reverse=True)


def _known(clock: str, kept: dict[str, Any]) -> KnownClock:
    return KnownClock(clock, _bounds(clock, kept), datetime.fromisoformat(kept["heard_at"]), kept["jumps"])


def bounds_of(table_log: TableLog, clock: str) -> Bounds | None:
    kept = table_log.clocks.get(clock)
    return None if kept is None else _bounds(clock, kept)


def _bounds(clock: str, kept: dict[str, Any]) -> Bounds:
    given = dict(kept["bounds"])
    low, high = Sample(**given.pop("low")), given.pop("high")
    return Bounds(clock=clock, low=low, high=None if high is None else Sample(**high), **given)


def _bounds_to_json(bounds: Bounds) -> dict[str, Any]:
    """What `_bounds` reads; `asdict` takes five times as long, and every beat asks."""
    given = {name: getattr(bounds, name) for name in _BOUNDS}
    low, high = bounds.low, bounds.high
    return {
        **given,
        "low": {"offset_us": low.offset_us, "at": low.at},
        "high": None if high is None else {"offset_us": high.offset_us, "at": high.at},
    }


def _keep(table_log: TableLog, bounds: Bounds, heard_at: datetime, jumps: int) -> None:
    table_log.clocks[bounds.clock] = {
        "bounds": _bounds_to_json(bounds),
        "heard_at": heard_at.isoformat(),
        "jumps": jumps,
    }
    newest = sorted(table_log.clocks, key=lambda name: table_log.clocks[name]["heard_at"], reverse=True)
    table_log.clocks = {name: table_log.clocks[name] for name in newest[:KEPT]}


# --------------------------------------------------------------------------------------------------- a request


def counted(envelope: Envelope, server: ServerTime) -> Envelope:
    """The times of a request as they may count by this line: an answer by the one before it was of another clock."""
    return envelope if server.began_at is None else since_failover(envelope, micros_of(server.began_at))


def take_in(table_log: TableLog, envelope: Envelope, server: ServerTime, timing: Timing) -> Heard:
    """The `counted` times of a request, before its events: what they tell of its clock, and what is doubtful by it."""
    heard = measure(table_log, envelope, server, timing)
    _tell(table_log, heard, micros_of(server.now), timing)
    if heard.doubtful_since is not None:
        _doubt_hits(table_log, heard, server, timing)
    return heard


def is_trouble(heard: Heard, server: ServerTime, timing: Timing) -> bool:
    """Whether anybody is to be told of what was heard, or anything told before is doubtful by it."""
    return heard.doubtful_since is not None or bool(troubles(heard, micros_of(server.now), timing))


def measure(table_log: TableLog, envelope: Envelope, server: ServerTime, timing: Timing) -> Heard:
    """What the times tell of the clock; changes nothing but the row in hand."""
    received, doubtful_since = server.now, None
    if _is_of_before(table_log, server):
        doubtful_since = server.agreed_at
        table_log.lease_until = lease_until(table_log, server, timing)
        table_log.clocks = {}
    kept = table_log.clocks.get(envelope.clock)
    known = None if kept is None else _bounds(envelope.clock, kept)
    anew = server.began_at is not None and known is None
    heard = hear(known, envelope, micros_of(received), timing, failed_over=anew)
    jumps = (0 if kept is None else kept["jumps"]) + (heard.jump_us is not None)
    _keep(table_log, heard.bounds, received, jumps)
    table_log.heard_at = received
    if doubtful_since is not None:
        heard = replace(heard, doubtful_since=micros_of(doubtful_since), every_clock=True)
    return heard


def _is_of_before(table_log: TableLog, server: ServerTime) -> bool:
    """What is known of the table was measured by another line of the server's time: there was a step or a failover."""
    began_at, heard_at = server.began_at, table_log.heard_at
    return began_at is not None and heard_at is not None and heard_at < began_at


def lease_until(table_log: TableLog, server: ServerTime, timing: Timing) -> datetime | None:
    """Until when jackpot wagers count. By a new line a lease runs anew: nobody knows how long it took."""
    until = table_log.lease_until
    if until is None or server.began_at is None or not _is_of_before(table_log, server):
        return until
    return max(until, instant_of(lease_of_server(micros_of(server.began_at), timing)))


def _tell(table_log: TableLog, heard: Heard, received: int, timing: Timing) -> None:
    found = troubles(heard, received, timing)
    if Trouble.JUMP in found and heard.jump_us is not None:
        text = (
            f"The clock of {table_log}'s terminal went {_way(heard.jump_us)}. "
            f"Hits that it told since may have been at another time. Have its clock looked at."
        )
        alerts.raise_alert(CLOCK_TROUBLE, table_log, text, premises=table_log.premises)
    elif Trouble.WIDTH in found:
        width_ms = (heard.bounds.width_us(received, timing.drift_ppm) or 0) // 1_000
        text = f"The clock of {table_log}'s terminal is known within {width_ms} ms only: its line is slow or bad."
        alerts.raise_alert(CLOCK_TROUBLE, table_log, text, premises=table_log.premises)


def _doubt_hits(table_log: TableLog, heard: Heard, server: ServerTime, timing: Timing) -> None:
    """Hits that this clock stamped and that nothing has decided yet: less is known of them now. Where the server's own
    clock was set, those of every clock."""
    since = heard.doubtful_since
    if since is None or not (heard.every_clock or heard.contradiction):
        return
    whose = {} if heard.every_clock else {"clock": heard.bounds.clock}
    vouched = micros_of(table_log.watermark) if table_log.watermark else 0
    for link in table_log.links.select_related("progressive"):
        limit = None if barrier.stands_ahead(link.progressive) else link.progressive.final_until
        found_by = doubts.FoundBy(
            heard.bounds.clock,
            None if heard.every_clock else heard.contradiction,
            timing.drift_ppm,
            since,
            vouched,
            micros_of(limit) if limit else 0,
            *((micros_of(server.began_at), server.step_us) if heard.every_clock and server.began_at else ()),
        )
        for share in pending_hits(link.progressive).filter(event__table_log=table_log, **whose):
            before, lock = placed_of(share), lock_of(share)
            after = found_by.applied(before, lock.placed.earliest)
            if after != before:
                doubts.add(share, after, found_by)
                _tell_doubted(share, link.progressive, found_by, after)


def _tell_doubted(share: Share, progressive: Progressive, found_by: doubts.FoundBy, after: Placed) -> None:
    """Each hand by itself: the alert about the clock may stand since another jump."""
    log, premises = share.event.table_log, share.event.table_log.premises
    if found_by.contradiction is None:
        what = f"The clock of the database's machine was set, or another one took over. {log}'s terminal"
    else:
        what = f"The clock of {log}'s terminal went {_way(found_by.jump_us or 0)}. It"
    text = (
        f"{what} had told of a {share.event.hands} on "
        f"{progressive}, which may have been at any time from {clock_of(after.earliest, premises)} to "
        f"{clock_of(after.latest, premises)}. Have the cameras looked at before it is paid."
    )
    alerts.raise_alert(CLOCK_TROUBLE, share, text, premises=premises)


def _way(jump_us: int) -> str:
    return f"{'forward' if jump_us > 0 else 'back'} by {abs(jump_us) // 1_000} ms without saying so"


def doubt(stamp: Stamp, lock: Stamp, heard: Heard, table_log: TableLog) -> Stamp:
    """A moment of a round that is not decided yet, when its clock is found to have jumped."""
    if heard.doubtful_since is None or not (heard.every_clock or stamp.clock == heard.bounds.clock):
        return stamp
    if stamp.placed.received < heard.doubtful_since:
        return stamp
    vouched = micros_of(table_log.watermark) if table_log.watermark else 0
    return stamp.moved(doubted(stamp.placed, lock.placed.earliest, vouched, 0))


def vouch(table_log: TableLog, heard: Heard, envelope: Envelope, arrived: int, timing: Timing) -> None:
    """After a request's events: how far the table has vouched now."""
    if heard.overtaken:
        return
    found = watermark(heard.bounds, envelope, arrived, timing)
    if found is not None and table_log.watermark is not None:
        table_log.watermark = max(table_log.watermark, instant_of(found))


ECHO_AHEAD = "echo_ahead"


def new_clock(heard: Heard | None, received: datetime) -> str | None:
    """Why the terminal has to begin a new clock id, as a code: nothing that this one says would count."""
    ahead = heard is not None and has_echoed_ahead(heard.bounds, micros_of(received))
    return ECHO_AHEAD if ahead else None


def renew(
    table_log: TableLog, heard: Heard, envelope: Envelope, received: datetime, timing: Timing
) -> str | None:
    """Grants the lease anew, or says in a sentence why not: the terminal takes no jackpot wagers then."""
    at = micros_of(received)
    if not table_log.is_open or table_log.watermark is None:
        return f"{table_log} is not open to jackpots."
    if new_clock(heard, received) is not None:
        return (
            "This clock has echoed an answer that was not given yet: begin a new clock id, as new_clock says."
        )
    if heard.jump_us is not None:
        return "The terminal's clock has jumped: it is measured anew with the next requests."
    if not renews(envelope, at, timing):
        return "The request echoes no answer of the last seconds: beat, and echo the answers."
    if is_silent(micros_of(table_log.watermark), at, timing):
        return (
            "The table has not vouched for its past: tell everything, and say until when nothing is untold."
        )
    until = instant_of(lease_of_server(at, timing))
    table_log.lease_until = max(table_log.lease_until or until, until)
    return None
