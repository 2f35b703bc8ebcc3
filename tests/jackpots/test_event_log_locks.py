"""Who may wait for whom: terminals never wait for a fold, and the two never wait for each other in a circle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Event, Share, TableLog, Win
from jackpots.signs.frames import snapshot
from jackpots.verify.identities import broken_identities, broken_log
from people.audit import audit
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Moment
from tests import log_verbs as event_log
from tests.floor import Floor, new_round_id

DECIDING = Moment.DECIDING.value

GROW_SHARE = (
    "UPDATE jackpots_share SET stake_micros = stake_micros + 1000000, slice_micros = slice_micros + 1000000"
    " FROM jackpots_event e WHERE e.id = event_id AND e.number = "
)


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return committed_floor


def links(floor: Floor) -> dict[str, TableLog]:
    return {link.table_code: link for link in TableLog.objects.filter(links__progressive=floor.progressive)}


def short_lock_timeout() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '3s'")


@contextmanager
def held_open(work: Callable[[], object]) -> Iterator[None]:
    """Does the work in another connection's transaction, which stays open for as long as the block."""
    done, release = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            with transaction.atomic():
                work()
                done.set()
                release.wait(30)
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert done.wait(30)
    try:
        yield
    finally:
        release.set()
        thread.join(30)
    assert errors == []


def hit_on(link: TableLog) -> None:
    """A flush at the table, and nothing that the fold would still have to wait for."""
    with transaction.atomic():
        round_id, at = new_round_id(), timezone.now() - timedelta(milliseconds=1)
        event_log.record_stakes(link, round_id, [Wager("w", "jackpot", dollars(1), 1)], at)
        hit = Hit(Wager("w", "jackpot", dollars(1), 1), "flush", "test")
        event_log.decide(link, round_id, [hit], {1: {DECIDING: timezone.now()}}, timezone.now())
    for each in TableLog.objects.all():
        with transaction.atomic():
            event_log.beat(each, timezone.now())


def test_a_terminal_does_not_wait_for_a_fold_under_way(floor: Floor) -> None:
    """The log takes no lock on the meter, not even by a foreign key that is checked at the commit."""
    link = links(floor)["CS-01"]
    hit_on(link)
    with held_open(lambda: fold(floor.progressive.pk)):
        short_lock_timeout()
        for code in ("CS-01", "CS-02"):
            with transaction.atomic():
                event_log.record_stakes(
                    links(floor)[code], new_round_id(), [Wager("x", "jackpot", dollars(1), 1)], timezone.now()
                )
    assert Win.objects.count() == 1


def test_a_fold_does_not_wait_for_a_terminal_under_way(floor: Floor) -> None:
    """The win names the table; the table's row is locked by its terminal's event at that moment."""
    link = links(floor)["CS-01"]
    hit_on(link)

    def send() -> None:
        event_log.record_stakes(link, new_round_id(), [Wager("x", "jackpot", dollars(1), 1)], timezone.now())

    with held_open(send):
        short_lock_timeout()
        assert len(fold(floor.progressive.pk).wins) == 1


def test_a_fold_under_way_does_not_overtake_what_a_left_out_table_still_says(floor: Floor) -> None:
    """Nobody waits for CS-02 any more, and a fold that has read the log is not done: the wager that goes back at that
    moment stands behind what the fold makes final, not in the middle of it."""
    one, two, three = (links(floor)[code] for code in ("CS-01", "CS-02", "CS-03"))
    round_id, stake, at = new_round_id(), Wager("w", "jackpot", dollars(1), 1), timezone.now()
    with transaction.atomic():
        event_log.record_stakes(two, round_id, [stake], at)
        event_log.leave_out(two)
        audit.record("test", "tables.left_out", subject=two)
    time.sleep(0.01)
    for link in (one, three):
        with transaction.atomic():
            event_log.beat(link, timezone.now())

    def goes_back() -> None:
        with transaction.atomic():
            event_log.return_stakes(two, round_id, [stake], at, "test")
            event_log.decide(two, round_id, [], {}, at)
        connection.close()

    late = threading.Thread(target=goes_back)
    with held_open(lambda: fold(floor.progressive.pk)):
        late.start()
        late.join(0.5)
    late.join(30)
    floor.progressive.refresh_from_db()
    returned = Share.objects.get(event__kind=Event.Kind.RETURN)
    assert returned.place == floor.progressive.final_until
    for link in (one, three):
        with transaction.atomic():
            event_log.beat(link, timezone.now())
    fold(floor.progressive.pk)
    assert broken_identities(floor.progressive.pk) == []


def test_a_replay_of_the_whole_log_freezes_neither_folds_nor_signs(floor: Floor) -> None:
    """It takes as long as there is history, and runs on a page: it must hold no lock while it does."""
    hit_on(links(floor)["CS-01"])
    with held_open(lambda: broken_log(floor.progressive.pk)):
        short_lock_timeout()
        assert len(fold(floor.progressive.pk).wins) == 1
        assert snapshot(floor.progressive.pk)["sequence"] == 1
    assert broken_log(floor.progressive.pk) == []


def test_a_changed_meter_or_a_gap_is_found_by_the_replay(floor: Floor) -> None:
    hit_on(links(floor)["CS-01"])
    fold(floor.progressive.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE jackpots_meter SET increment_micros = increment_micros + 1 WHERE level = 'grand'"
        )
    spoil("UPDATE jackpots_tablelog SET last_number = 3 WHERE table_code = 'CS-01'")
    found = " ".join(broken_identities(floor.progressive.pk))
    assert "grand: the meter is" in found
    assert "increment of grand" in found
    assert "CS-01 are not numbered 1 to 3" in found


def test_a_replay_from_a_closed_day_on_reads_no_earlier_event_and_finds_what_changed_since(
    floor: Floor,
) -> None:
    one = links(floor)["CS-01"]
    hit_on(one)
    fold(floor.progressive.pk)
    cut = timezone.now()
    assert broken_log(floor.progressive.pk, since=cut) == []  # nothing happened since
    hit_on(one)
    fold(floor.progressive.pk)
    assert [broken_log(floor.progressive.pk, since=at) for at in (None, cut)] == [[], []]
    spoil(GROW_SHARE + "1")
    whole, part = (broken_log(floor.progressive.pk, since=at) for at in (None, cut))
    assert len(whole) == 1
    assert whole[0].startswith("run 1 at ")
    assert part == []
    spoil(GROW_SHARE + "3")
    assert broken_log(floor.progressive.pk, since=cut)[0].startswith("run 3 at ")
    spoil("DELETE FROM jackpots_event WHERE number = 3")
    assert "not numbered" in broken_log(floor.progressive.pk, since=cut)[0]


def test_a_replay_up_to_a_days_end_reads_no_later_event_and_finds_what_changed_before(floor: Floor) -> None:
    one = links(floor)["CS-01"]
    hit_on(one)
    fold(floor.progressive.pk)
    cut = timezone.now()
    assert (
        broken_log(floor.progressive.pk, until=cut + timedelta(days=1)) == []
    )  # closed before its end by the clock
    hit_on(one)
    fold(floor.progressive.pk)
    assert broken_log(floor.progressive.pk, until=cut) == []
    spoil(GROW_SHARE + "3")
    assert broken_log(floor.progressive.pk, until=cut) == []
    assert broken_log(floor.progressive.pk, since=cut)[0].startswith("run 3 at ")
    spoil("UPDATE jackpots_meter SET increment_micros = increment_micros + 1 WHERE level = 'grand'")
    assert broken_log(floor.progressive.pk, until=cut)[0].startswith("grand: the meter is")
    spoil(GROW_SHARE + "1")
    assert broken_log(floor.progressive.pk, until=cut)[0].startswith("run 1 at ")


@pytest.mark.parametrize("gone", [1, 2, 3, 4])
def test_whatever_event_is_gone_one_of_two_days_misses_it(floor: Floor, gone: int) -> None:
    """The first and the last of a day, too, and the newest of all; the log alone tells, without the runs on record."""
    one = links(floor)["CS-01"]
    hit_on(one)
    fold(floor.progressive.pk)
    cut = timezone.now()
    hit_on(one)
    fold(floor.progressive.pk)
    spoil(f"DELETE FROM jackpots_event WHERE number = {gone}")
    day, next_day = broken_log(floor.progressive.pk, until=cut), broken_log(floor.progressive.pk, since=cut)
    assert any("not numbered" in sentence for sentence in day + next_day)


def test_a_win_of_the_last_round_before_the_cut_may_be_told_after_the_first_stakes_behind_it(
    floor: Floor,
) -> None:
    """Settled a moment later, it has the higher number and the earlier place: no event is missing."""
    one = links(floor)["CS-01"]
    before, after = new_round_id(), new_round_id()
    start = timezone.now()
    at = [start + timedelta(milliseconds=20 * step) for step in range(4)]
    time.sleep(0.1)
    with transaction.atomic():
        event_log.record_stakes(one, before, [Wager("a", "jackpot", dollars(1), 1)], at[0])
        event_log.record_stakes(one, after, [Wager("b", "jackpot", dollars(1), 1)], at[3])
        hit = Hit(Wager("a", "jackpot", dollars(1), 1), "flush", "test")
        told = event_log.decide(one, before, [hit], {1: {DECIDING: at[1]}}, at[3])
        event_log.decide(one, after, [], {}, at[3])
        for link in links(floor).values():
            event_log.beat(link, timezone.now())
    assert told is not None
    assert (told.number, told.shares.get().place) == (3, at[1])
    assert len(fold(floor.progressive.pk).wins) == 1
    assert [broken_log(floor.progressive.pk, since=since) for since in (None, at[2])] == [[], []]
    spoil("DELETE FROM jackpots_event WHERE number = 3")
    assert "not numbered" in broken_log(floor.progressive.pk, since=at[2])[0]


def spoil(statement: str) -> None:
    """As a superuser who switches the guards off."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET session_replication_role = origin")
