"""The gaming day of an instant, with the clock changes worked out by hand from the zones' rules."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.kit.gaming_day import day_start, gaming_day


@dataclass(frozen=True)
class Casino:
    time_zone: str
    rollover_hour: int


AUCKLAND = Casino("Pacific/Auckland", 6)


@pytest.mark.parametrize(
    ("casino", "instant", "day"),
    [
        # NZDT is UTC+13: 06:00 on 16 January is 17:00 UTC on the 15th.
        (AUCKLAND, "2026-01-15T16:59:59.999999", date(2026, 1, 15)),
        (AUCKLAND, "2026-01-15T17:00:00", date(2026, 1, 16)),
        # NZST is UTC+12.
        (AUCKLAND, "2026-07-15T17:59:59", date(2026, 7, 15)),
        (AUCKLAND, "2026-07-15T18:00:00", date(2026, 7, 16)),
        # 5 April 2026: at 03:00 NZDT the clock goes back to 02:00. Rollover 2: first stroke is 13:00 UTC on the 4th.
        (Casino("Pacific/Auckland", 2), "2026-04-04T12:59:59", date(2026, 4, 4)),
        (Casino("Pacific/Auckland", 2), "2026-04-04T13:00:00", date(2026, 4, 5)),
        (Casino("Pacific/Auckland", 2), "2026-04-04T14:30:00", date(2026, 4, 5)),
        # 27 September 2026: at 02:00 NZST it becomes 03:00. Rollover 2 is skipped: 14:00 UTC on the 26th.
        (Casino("Pacific/Auckland", 2), "2026-09-26T13:59:59", date(2026, 9, 26)),
        (Casino("Pacific/Auckland", 2), "2026-09-26T14:00:00", date(2026, 9, 27)),
        # Newfoundland, 7 November 2010: at 00:01 NDT (UTC-2:30) back to 23:01 on the 6th. The day that began at
        # 00:00 (02:30 UTC) goes on although the wall shows the 6th again.
        (Casino("America/St_Johns", 0), "2010-11-07T02:29:59", date(2010, 11, 6)),
        (Casino("America/St_Johns", 0), "2010-11-07T02:30:00", date(2010, 11, 7)),
        (Casino("America/St_Johns", 0), "2010-11-07T03:00:00", date(2010, 11, 7)),
        (Casino("UTC", 0), "2026-03-01T00:00:00", date(2026, 3, 1)),
        (Casino("UTC", 23), "2026-03-01T22:59:59", date(2026, 2, 28)),
    ],
)
def test_day_of_an_instant(casino: Casino, instant: str, day: date) -> None:
    assert gaming_day(casino, datetime.fromisoformat(instant).replace(tzinfo=UTC)) == day


def test_naive_instants_are_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        gaming_day(AUCKLAND, datetime(2026, 1, 1))  # noqa: DTZ001


@settings(max_examples=200)
@given(
    zone=st.sampled_from(
        ["Pacific/Auckland", "Europe/London", "America/St_Johns", "Asia/Macau", "Pacific/Chatham"]
    ),
    hour=st.integers(0, 23),
    instant=st.datetimes(datetime(2005, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_each_instant_lies_in_exactly_one_day(zone: str, hour: int, instant: datetime) -> None:
    casino = Casino(zone, hour)
    day = gaming_day(casino, instant)
    assert day_start(casino, day) <= instant < day_start(casino, day + timedelta(days=1))
