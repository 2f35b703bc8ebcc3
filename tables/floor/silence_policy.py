"""What a progressive does by itself about a silent table, as its managers have set it: hold its wins (nothing happens
here), suspend the table, or play on without it. People may still leave the table out everywhere:
`tables.floor.silence`."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit.fastsql.statements import rows_of
from config.kit.moments import told
from config.kit.wake_ups import ring
from jackpots.log import event_log
from jackpots.models import Link, Progressive, Share, TableLog
from jackpots.models.progressives import AWAITED
from jackpots.order import clocks, server_clock
from jackpots.order.instants import clock_of, micros_of
from jackpots.order.links import links_of
from jackpots.tasks import fold_progressive
from people.alerts import alerts
from people.audit import audit
from people.models import Role
from rules.progressive.places import is_silent, may_be_left_out
from tables.models import Table

Silence = Progressive.Silence
LEFT_OUT = alerts.declare(
    "tables.left_out_by_policy",
    gettext_noop("A jackpot no longer waits for a silent table"),
    severity=alerts.Severity.WARNING,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
)
WIN_WAITS = alerts.declare(
    "tables.win_waits",
    gettext_noop("A jackpot win waits for a silent table"),
    severity=alerts.Severity.URGENT,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
    again_after=timedelta(minutes=10),
)
WORDS = {
    Silence.SUSPEND: "its wagers do not count until two people resume it",
    Silence.PLAY_ON: "it plays on without contribution and entitlement until it is heard again",
}


def enforce() -> int:
    """Every open table that a progressive would wait for although its policy says not to; gives back how many."""
    found = rows_of(_WAITED_FOR, [list(WORDS), server_clock.read().now - clocks.SHORTEST_SILENCE])
    return sum(_leave_out(link_id, log_id) for link_id, log_id in found)


_WAITED_FOR = """
    SELECT l.id, l.table_log_id FROM jackpots_link l JOIN jackpots_tablelog t ON t.id = l.table_log_id
    JOIN jackpots_progressive p ON p.id = l.progressive_id
    WHERE p.silence = ANY(%s) AND l.left_out_at IS NULL AND t.is_open AND t.left_out_at IS NULL
        AND t.watermark < %s
        AND NOT (l.suspended_at IS NOT NULL AND l.suspended_at <= t.watermark AND l.resumed_at IS NULL)
    ORDER BY l.id
"""


# ----------------------------------------------------------------------------------------- wins that are held up


_HELD_UP = f"""
    SELECT s.id, t.id FROM jackpots_progressive p
    JOIN jackpots_share s ON s.progressive_id = p.id AND s.place >= COALESCE(p.folded_until, '-infinity')
        AND s.public_at < %s
    JOIN jackpots_link l ON l.progressive_id = p.id JOIN jackpots_tablelog t ON t.id = l.table_log_id
    WHERE p.silence = %s AND {AWAITED} AND t.watermark <= s.latest AND t.watermark < %s
    ORDER BY s.id, t.id
"""  # noqa: S608 (only the words of the barrier are interpolated)
"""Hits that are public, each with a table that has not vouched beyond it."""


def tell_of_waiting_wins() -> int:
    """Where a policy holds wins for silent tables: an alert for each win, with the tables that it waits for, at its
    host and at the tables' premises. Gives back how many wins wait."""
    now = server_clock.read().now
    found = rows_of(_HELD_UP, [now, Silence.HOLD, now - clocks.SHORTEST_SILENCE])
    if not found:  # as nearly always
        return 0
    logs = TableLog.objects.select_related("premises").in_bulk({log_id for _, log_id in found})
    silent = {log.pk: log for log in logs.values() if _is_silent(log, now)}
    shares = Share.objects.select_related("event__table_log", "progressive__host").in_bulk(
        {share_id for share_id, log_id in found if log_id in silent}
    )
    for share in shares.values():
        _tell_waits(share, [silent[pk] for of, pk in found if of == share.pk and pk in silent])
    return len(shares)


def _is_silent(log: TableLog, now: datetime) -> bool:
    timing = clocks.timing_of(links_of(log))
    return log.watermark is not None and is_silent(micros_of(log.watermark), micros_of(now), timing)


def _tell_waits(share: Share, silent: list[TableLog]) -> None:
    event, host = share.event, share.progressive.host
    since = ", ".join(
        f"{log} at {log.premises}, which has told everything until "
        f"{clock_of(micros_of(log.watermark), log.premises)} only"
        for log in silent
        if log.watermark is not None
    )
    text = (
        f"{event.table_log}: {event.hands} on {share.progressive} waits to be paid for {since}. "
        f"Bring its terminal back, or have two people leave the table out on its page."
    )
    alerts.raise_alert(WIN_WAITS, share, text, premises=host)
    for log in silent:
        if log.premises_id != host.pk:
            link = Link.objects.get(table_log=log, progressive=share.progressive_id)
            alerts.raise_alert(WIN_WAITS, link, text, premises=log.premises)


@transaction.atomic
def _leave_out(link_id: int, log_id: int) -> bool:
    """The table first, then progressives, then the log, as everywhere: nothing comes in between."""
    table = Table.objects.select_for_update(no_key=True, of=("self",)).filter(table_log=log_id).first()
    if table is None:
        return False
    log = event_log.locked_with_progressives(table.table_log)
    link = Link.objects.select_related("progressive").get(pk=link_id)
    timing, server = clocks.timing_of(links_of(log)), server_clock.read()
    now, until = micros_of(server.now), clocks.lease_until(log, server, timing)
    policy = link.progressive.silence
    if policy not in WORDS or link.left_out_at is not None or not log.is_open or log.watermark is None:
        return False
    if not is_silent(micros_of(log.watermark), now, timing):
        return False
    if until is not None and not may_be_left_out(micros_of(until), now, timing):
        return False
    event_log.leave_out_link(log, link, suspend=policy == Silence.SUSPEND)
    words = WORDS[Silence(policy)]
    audit.record(
        "policy",
        "jackpots.link_left_out",
        premises=table.premises,
        subject=link,
        reason=f"{table} is silent; {words}",
        details={
            "progressive": link.progressive.code,
            "policy": policy,
            "heard_until": log.watermark.isoformat(),
        },
    )
    since = told(log.watermark, table.premises)
    text = f"{table} has been silent since {since}. {link.progressive} does not wait for it: {words}."
    alerts.raise_alert(LEFT_OUT, link, text, premises=table.premises)
    ring(fold_progressive, link.progressive_id)
    return True
