"""What a progressive does by itself about a silent table, as its managers have set it: hold its wins (nothing happens
here), suspend the table, or play on without it. People may still leave the table out everywhere: `tables.silence`."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_noop

from config.moments import told
from config.statements import rows_of
from config.wake_ups import ring
from jackpots import clocks, event_log, server_clock
from jackpots.instants import micros_of
from jackpots.links import links_of
from jackpots.models import Link, Progressive
from jackpots.tasks import fold_progressive
from people import alerts, audit
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
