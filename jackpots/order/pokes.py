"""Pokes: a table that holds up a hit which everybody may know of is asked to speak up at once, instead of with its next
beat. A poke has no content, and none is ever sent before the hit is public: to be poked tells something.

They go over Redis to the lines (`tables.door.line`). Any may be lost: the table's own beat does the same a little
later.
"""

from __future__ import annotations

import structlog
from redis.exceptions import RedisError

from config.kit.redis import client
from jackpots.models import Progressive
from jackpots.order import server_clock
from jackpots.order.barrier import awaited_tables
from jackpots.order.by_place import pending_hits, placed_of
from jackpots.order.instants import instant_of

logger = structlog.get_logger(__name__)
PREFIX = "potline:poke:"
PATTERN = f"{PREFIX}*"
PACE_MS = 1_000
"""At most one a table in so long."""


def held_up_by(progressive: Progressive) -> list[int]:
    """The logs of tables that have not vouched yet for the time of a hit that is public and not in the meters."""
    hits = list(pending_hits(progressive).filter(public_at__lte=server_clock.read().now))
    if not hits:
        return []
    latest = instant_of(max(placed_of(share).latest for share in hits))
    tables = awaited_tables(progressive.pk).filter(watermark__lte=latest)
    return list(tables.values_list("pk", flat=True))


def poke(progressive_id: int) -> int:
    """Pokes whom a public hit waits for; gives back how many. Without Redis nobody is."""
    tables = held_up_by(Progressive.objects.get(pk=progressive_id))
    try:
        return sum(_poke_table(table_log_id) for table_log_id in tables)
    except RedisError as error:
        logger.warning("pokes_not_sent", error=str(error))
        return 0


def _poke_table(table_log_id: int) -> bool:
    if not client().set(f"potline:poked:{table_log_id}", b"1", nx=True, px=PACE_MS):
        return False
    client().publish(f"{PREFIX}{table_log_id}", b"")
    return True


def poked(channel: bytes) -> int:
    """The table log that a message is for; ValueError for junk."""
    return int(channel.decode().removeprefix(PREFIX))
