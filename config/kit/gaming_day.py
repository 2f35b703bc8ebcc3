"""Which gaming day an instant belongs to: a premises' local date, shifted by its rollover hour. Pure functions."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo


class HasGamingDay(Protocol):
    """What is asked of a premises; the model fits, and so does anything with these two fields."""

    @property
    def time_zone(self) -> str: ...

    @property
    def rollover_hour(self) -> int: ...


def gaming_day(premises: HasGamingDay, instant: datetime) -> date:
    """The gaming day of an instant: before the rollover hour on the local clock it is still yesterday.

    Where the clock is set back across the rollover hour, the day begins at the hour's first stroke and does
    not turn back: days follow one another in time, each instant has one.
    """
    if instant.tzinfo is None:
        raise ValueError("gaming_day needs an instant with a time zone, not a naive datetime.")
    clock = (premises.time_zone, premises.rollover_hour)
    last = _last.get(clock)
    if last is None or not last[1] <= instant < last[2]:
        found = _find(premises, instant)
        last = _last[clock] = (
            found,
            day_start(premises, found),
            day_start(premises, found + timedelta(days=1)),
        )
    return last[0]


_last: dict[tuple[str, int], tuple[date, datetime, datetime]] = {}
"""By clock the day that was found last, with its bounds: nearly all that is asked lies in the same one."""


def _find(premises: HasGamingDay, instant: datetime) -> date:
    local_date = instant.astimezone(ZoneInfo(premises.time_zone)).date()
    # The instant lies in the day of its local date, the one before or (clock set back) the one after.
    for candidate in (local_date + timedelta(days=1), local_date):
        if instant >= day_start(premises, candidate):
            return candidate
    return local_date - timedelta(days=1)


def day_start(premises: HasGamingDay, day: date) -> datetime:
    """The instant (UTC) at which a gaming day begins; the day ends where the next one begins.

    A rollover hour that the clock skips begins when the clock would have shown it; one that comes twice, at
    its first stroke (PEP 495, fold=0).
    """
    zone = ZoneInfo(premises.time_zone)
    return datetime.combine(day, time(premises.rollover_hour), tzinfo=zone).astimezone(ZoneInfo("UTC"))
