"""The one clock of the order: PostgreSQL's `clock_timestamp()`, of whichever machine leads.

A failover is another machine and so another clock: it is seen by the database's timeline, and everything that was
known of terminals' clocks begins anew from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from jackpots.models import ServerClock

COLUMNS = """clock_timestamp(), left(pg_walfile_name(pg_current_wal_lsn()), 8), c.line, c.began_at,
        (SELECT count(*) FROM jackpots_serverclock)"""
"""Of any statement that reads the time along with something else, with JOIN; `known` understands them."""
JOIN = """LEFT JOIN LATERAL (SELECT line, began_at FROM jackpots_serverclock ORDER BY id DESC LIMIT 1) c
        ON true"""
_NOW = f"SELECT {COLUMNS} FROM (SELECT 1) one {JOIN}"  # noqa: S608 (only the parts above are interpolated)


@dataclass(frozen=True, slots=True)
class ServerTime:
    now: datetime
    began_at: datetime | None
    """When this machine's clock took over from another's; None: there was no other."""


def read() -> ServerTime:
    """The time, and since when it is told by this machine."""
    with connection.cursor() as cursor:
        cursor.execute(_NOW)
        row = cursor.fetchone()
    return known(*row) or _taken_over(*row)


def answered(at: datetime) -> datetime:
    """The time of an answer, which the statement that stores a request reads."""
    return at


def known(
    now: datetime, line: str, newest: str | None, began_at: datetime | None, clocks: int
) -> ServerTime | None:
    """None: this machine has just taken over, which nobody has written down yet."""
    return ServerTime(now, began_at if clocks > 1 else None) if newest == line else None


def _taken_over(
    now: datetime, line: str, newest: str | None, began_at: datetime | None, clocks: int
) -> ServerTime:
    """Of two requests that see it at once, one writes it down; both begin anew."""
    made, _ = ServerClock.objects.get_or_create(line=line, defaults={"began_at": now})
    return ServerTime(now, made.began_at if clocks else None)
