"""What tables gave by the hour is kept as the order becomes final: each share once, by nobody else, and verify counts
again."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Event, GivenHour, Progressive, Share
from jackpots.reading import history
from jackpots.verify.settings import given_hours_hold
from ledger.verify.put_right import without_triggers
from ledger.verify.verify import Span
from tests.floor import Floor
from tests.jackpots.test_wins import win_at

REFUSED = [
    "INSERT INTO jackpots_givenhour SELECT p.id, now(), t.id, 9 FROM jackpots_progressive p, jackpots_tablelog t",
    "UPDATE jackpots_givenhour SET micros = micros + 1",
    "DELETE FROM jackpots_givenhour",
    "TRUNCATE jackpots_givenhour",
]
EVERYTHING = Span(0, 2**62)


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def kept() -> Counter[tuple[datetime, int]]:
    return Counter({(row.hour, row.table_log_id): row.micros for row in GivenHour.objects.all()})


def counted(*, final: bool) -> Counter[tuple[datetime, int]]:
    """By hand, share by share."""
    limit = Progressive.objects.get().final_until
    found: Counter[tuple[datetime, int]] = Counter()
    for share in Share.objects.filter(event__kind=Event.Kind.STAKES).select_related("event"):
        if limit is not None and (share.place < limit) == final:
            hour = share.place.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
            found[hour, share.event.table_log_id] += share.slice_micros
    return found


def shift_limit(to: datetime) -> None:
    """Whatever the tables have vouched for."""
    unvouched = without_triggers(Progressive, "progressive_final_as_vouched")
    with transaction.atomic(), unvouched, connection.cursor() as cursor:
        cursor.execute("UPDATE jackpots_progressive SET final_until = %s", [to])


def test_each_share_is_counted_once_when_it_becomes_final(floor: Floor) -> None:
    assert not GivenHour.objects.exists()
    for _ in range(3):
        win_at(floor)
        assert kept() == counted(final=True) != Counter()
        assert list(given_hours_hold(EVERYTHING)) == []
    before = kept()
    fold(floor.progressive.pk)
    assert kept() == before
    shift_limit(timezone.now() + timedelta(days=1))
    assert kept() == counted(final=True)
    assert not counted(final=False)


def test_the_hours_hold_what_is_final_and_what_is_not(floor: Floor) -> None:
    """The limit is put between the shares, one after another: the chart shows the same all the while."""
    win_at(floor)
    win_at(floor)
    shares = list(Share.objects.filter(event__kind=Event.Kind.STAKES).order_by("place"))
    total = sum(share.slice_micros for share in shares)
    seen = set()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE jackpots_progressive SET final_until = NULL, folded_until = NULL")
        cursor.execute("DELETE FROM jackpots_givenhour")
        cursor.execute("SET LOCAL session_replication_role = origin")
    for share in shares:
        shift_limit(share.place)
        hours = history.by_hour(floor.progressive, share.place + timedelta(hours=1))
        assert sum(hour.micros for hour in hours) == total
        seen.add(sum(kept().values()))
    assert len(seen) == len({share.place for share in shares}) > 1


@pytest.mark.parametrize("statement", REFUSED)
def test_nobody_writes_it_by_hand(floor: Floor, statement: str) -> None:
    win_at(floor)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else a TRUNCATE fails by itself
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_verify_finds_an_hour_that_is_not_what_was_given(floor: Floor) -> None:
    win_at(floor)
    row = GivenHour.objects.first()
    assert row is not None
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_givenhour SET micros = micros + 1 WHERE table_log_id = %s", [row.table_log_id]
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
    (fault,) = given_hours_hold(EVERYTHING)
    assert f"{row.micros + 1} micros are told as given" in str(fault)
    assert f"there are {row.micros}" in str(fault)
