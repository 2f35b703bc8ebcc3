"""Instants at the door and on a page: which of them the database keeps, and how one is told with its time zone."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone

YEARS = range(1970, 3000)
"""Days and instants outside of them nobody means; at the ends of time neither zones nor the next day can be counted."""
OFFSETS = timedelta(hours=16)
"""Python reads offsets up to 23:59, PostgreSQL below this; no clock on earth shows more than 14 hours."""
MINUTE, CLOCK, EXACT = "%H:%M", "%H:%M:%S", "%H:%M:%S.%f"
MOMENT, WHOLE = "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f"


def is_kept(given: date) -> bool:
    """Whether the database, its zones and the days beside it can hold the day or the instant."""
    if given.year not in YEARS:
        return False
    offset = given.utcoffset() if isinstance(given, datetime) else None
    return offset is None or abs(offset) < OFFSETS


class HasTimeZone(Protocol):
    """What is asked of a premises."""

    @property
    def time_zone(self) -> str: ...


def told(at: datetime, where: HasTimeZone | tzinfo | None = None, form: str = CLOCK) -> str:
    """'10:59:03 NZDT': by the clock of the premises, with the name of its zone. Of no premises it is the clock of the
    page that is being made, else UTC."""
    zone = where if where is None or isinstance(where, tzinfo) else ZoneInfo(where.time_zone)
    local = timezone.localtime(at, zone)
    return f"{local.strftime(form)} {local.tzname()}"
