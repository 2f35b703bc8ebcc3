"""The one clock of the order: PostgreSQL's `clock_timestamp()`, of whichever machine leads.

A failover is another machine and so another clock: it is seen by the database's timeline, and everything that was
known of terminals' clocks begins anew from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from jackpots.models import ServerClock

_NOW = """
    SELECT clock_timestamp(), left(pg_walfile_name(pg_current_wal_lsn()), 8), c.line, c.began_at,
        (SELECT count(*) FROM jackpots_serverclock)
    FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT line, began_at FROM jackpots_serverclock ORDER BY id DESC LIMIT 1) c
        ON true
"""


@dataclass(frozen=True, slots=True)
class ServerTime:
    now: datetime
    began_at: datetime | None
    """When this machine's clock took over from another's; None: there was no other."""


def read() -> ServerTime:
    """The time, and since when it is told by this machine."""
    with connection.cursor() as cursor:
        cursor.execute(_NOW)
        now, line, known, began_at, clocks = cursor.fetchone()
    if known == line:
        return ServerTime(now, began_at if clocks > 1 else None)
    # Of two requests that see it at once, one writes it down; both begin anew.
    made, _ = ServerClock.objects.get_or_create(line=line, defaults={"began_at": now})
    return ServerTime(now, made.began_at if clocks else None)
