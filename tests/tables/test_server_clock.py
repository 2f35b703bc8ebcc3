"""The database's clock is set while tables play: the order's time goes on, and hits stand as they were. The clock that
statements read is replaced in the test's own session, by a function of its name that comes first in the search path."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from config.kit import keys
from jackpots.fold.folding import fold
from jackpots.models import ServerClock, Share, TableLog, Win
from jackpots.order import server_clock, vouched
from jackpots.order.clocks import CLOCK_TROUBLE
from jackpots.order.instants import micros_of
from ledger.verify import verify
from people.models import Alert
from simulator.terminal.core import Terminal
from tables.door import beats, requests
from tables.models import Table
from tables.settle.settlement import settle_batch
from tests.floor import Floor, make_floor
from tests.terminal import stud_bets, stud_wagers

ROYAL, STRAIGHT_FLUSH = "Th Jh Qh Kh Ah", "5s 6s 7s 8s 9s"
DEALER = "As Kd 9c 5h 3s"
SEAM = """
    CREATE TABLE clock_set (by_s float NOT NULL, timeline text NOT NULL);
    INSERT INTO clock_set VALUES (0, '00000001');
    CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT pg_catalog.clock_timestamp() + (SELECT by_s FROM clock_set) * interval ''1 second''';
    CREATE FUNCTION public.pg_walfile_name(lsn pg_lsn) RETURNS text LANGUAGE sql
        AS 'SELECT timeline FROM clock_set';
    DO $$ DECLARE guard text; BEGIN -- they ask the same clock
        FOR guard IN SELECT oid::regprocedure FROM pg_proc
            WHERE proname ~ '^pgtrigger_(server_clock_not|table_log_heard)'
        LOOP EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_catalog, pg_temp', guard); END LOOP;
    END $$;
    SET LOCAL search_path = public, pg_catalog
"""


def sql(statement: str, given: list[Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)


def set_clock(by_s: float) -> None:
    """The clock of the database's machine shows so much more than it should, from now on."""
    sql("UPDATE clock_set SET by_s = %s", [by_s])


@dataclass
class At:
    """A table and its terminal, whose own clock is right."""

    table: Table
    terminal: Terminal = field(default_factory=Terminal)

    def send(self) -> requests.Answered:
        request = self.terminal.request()
        answered = requests.receive(self.table.pk, request)
        assert answered.refused is None, answered.refused
        self.terminal.answered(request, 200, answered.as_json())
        return answered

    def play(self, hand: str) -> None:
        uid, wagers = uuid4(), stud_wagers(1)
        for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
            self.terminal.tell(kind, uid, body)
        self.send()
        self.terminal.mark(uid, "first-card", [1], source="shoe")
        self.send()
        dealt = {"dealer": DEALER.split(), "seats": {"1": hand.split()}}
        self.terminal.tell("result", uid, {"wagers": stud_bets(wagers), "dealt": dealt})
        self.send()

    @property
    def log(self) -> TableLog:
        return TableLog.objects.get(table=self.table)


@pytest.fixture
def process() -> Iterator[None]:
    """As a process that knows nothing yet; and nothing of the test stays in this one."""
    server_clock.forget()
    yield
    server_clock.forget()


@dataclass
class Night:
    floor: Floor
    at: dict[str, At]

    def beat(self, times: int = 3) -> list[datetime]:
        return [each.send().at for _ in range(times) for each in self.at.values()]


@pytest.fixture
def night(standing_floor: Floor, process: None) -> Night:
    sql(SEAM)
    made = Night(standing_floor, {code: At(table) for code, table in standing_floor.tables.items()})
    made.beat()
    return made


# ------------------------------------------------------------------------------------------------- hits swap


@pytest.mark.parametrize("by_s", [-2, -5, -30, 2, 30, -100_000, 100_000])
def test_hits_on_both_sides_of_a_step_are_paid_as_they_were(night: Night, by_s: int) -> None:
    """A royal takes the whole grand of 20,000 and what was staked; the straight flush after it a tenth of the next one.
    Swapped, the straight flush takes a tenth first and the royal has some 18,001.14."""
    night.at["CS-01"].play(ROYAL)
    night.beat(1)
    set_clock(by_s)
    night.beat()
    night.at["CS-02"].play(STRAIGHT_FLUSH)
    night.beat()
    settle_batch()
    # What a tap or a shoe may be wrong by has to be over before it is final.
    sql("SELECT pg_sleep(0.2)")
    night.beat()
    fold(night.floor.progressive.pk)
    won = {win.trigger: win.amount_micros for win in Win.objects.all()}
    assert list(Win.objects.order_by("pk").values_list("trigger", flat=True)) == [
        "royal-flush",
        "straight-flush",
    ]
    assert won["royal-flush"] >= 20_000_000_000
    assert 2_000_000_000 <= won["straight-flush"] < 2_001_000_000
    assert not Share.objects.filter(late=True).exists()
    assert not Alert.objects.filter(kind=CLOCK_TROUBLE.name).exists(), "no terminal is to blame"
    assert Alert.objects.filter(kind=server_clock.STEPPED.name).count() == 1


@pytest.mark.parametrize("by_s", [-30, 30, -0.05, 0.05])
def test_a_step_begins_a_line_and_time_goes_on(night: Night, by_s: float) -> None:
    lines, before = ServerClock.objects.count(), night.beat(1)[-1]
    set_clock(by_s)
    after = night.beat(2)
    assert ServerClock.objects.count() == lines + 1
    line = ServerClock.objects.first()
    assert line is not None
    assert line.offset_us == pytest.approx(-by_s * 1_000_000, abs=25_000)
    assert line.step_us == pytest.approx(by_s * 1_000_000, abs=25_000)
    assert before < line.began_at <= after[0] < before + timedelta(seconds=10)
    assert after == sorted(after)


def test_it_never_goes_back_and_never_stands_still(night: Night) -> None:
    told = night.beat(1)
    for by_s in (-1, 0, 7, -3, -40, 5, 5, 0):
        set_clock(by_s)
        told += night.beat(1)
        told.append(server_clock.read().now)
    assert all(one < other for one, other in itertools.pairwise(told))


def test_a_process_that_begins_holds_to_the_floor(night: Night) -> None:
    """The whole house was restarted, and its machine's clock was set back meanwhile."""
    heard = max(each.log.heard_at for each in night.at.values() if each.log.heard_at)
    assert vouched.floor() == heard
    set_clock(-30)
    server_clock.forget()
    told = night.beat(1)[0]
    assert heard + timedelta(seconds=5) < told < heard + timedelta(seconds=12)
    set_clock(-25)  # forward, which leads to no time before the floor, and nobody was there to see it
    server_clock.forget()
    assert told < night.beat(1)[0]


@pytest.mark.parametrize("knows", [True, False], ids=["processes that lived on", "processes that began"])
@pytest.mark.parametrize("by_s", [-5, 5])
def test_a_server_that_takes_over_is_not_behind(night: Night, by_s: int, knows: bool) -> None:
    before = night.beat(1)[-1]
    sql("UPDATE clock_set SET timeline = '00000009'")
    set_clock(by_s)
    if not knows:
        server_clock.forget()
    after = night.beat(2)
    line = ServerClock.objects.first()
    assert line is not None
    assert line.line.split("/")[1].startswith("00000009")
    assert before < line.began_at <= after[0]
    assert after == sorted(after)


def test_what_was_told_since_the_last_agreement_is_late(night: Night) -> None:
    """The process has not looked at the clock for a while, and another one has taken a hit meanwhile."""
    night.at["CS-01"].play(ROYAL)
    share = Share.objects.get(event__kind="hits")
    agreed = share.event.received_at - timedelta(seconds=1)
    set_clock(-5)
    with patch.object(server_clock._watch, "agreed_at", lambda: micros_of(agreed)):
        night.beat(1)
    (doubt,) = share.doubts.all()
    assert doubt.earliest <= share.earliest
    assert doubt.latest >= share.event.received_at - timedelta(seconds=1)


def test_leases_begin_anew(night: Night) -> None:
    set_clock(-30)
    night.at["CS-02"].send()
    line = ServerClock.objects.first()
    assert line is not None
    night.beat(2)
    log = night.at["CS-01"].log
    assert log.lease_until is not None
    assert log.lease_until > line.began_at + timedelta(seconds=15)
    assert list(log.clocks) == [night.at["CS-01"].terminal.clock.id]


# ---------------------------------------------------------------------------------------------------- forged


def refused(statement: str, match: str, given: list[Any] | None = None) -> None:
    with pytest.raises(DatabaseError, match=match), transaction.atomic():
        sql(statement, given)


def test_a_floor_far_ahead_is_refused_or_does_not_count(night: Night) -> None:
    change = "UPDATE jackpots_tablelog SET heard_at = now() + interval '{}', hallmark = 'x' WHERE table_code = 'CS-01'"
    refused(change.format("11 seconds"), "that is to come")
    refused(change.format("3 years"), "that is to come")
    floor = vouched.floor()
    assert floor is not None
    sql(change.format("9 seconds"))
    found = vouched.floor()
    assert found is not None
    assert found <= floor, "the other tables' times are"
    span = verify.Span(0, verify.end_of_stamps(), whole=False)
    (check,) = (each for each in verify.checks() if each.name == "jackpots.watermarks")
    assert [str(fault) for fault in check.check(span)] != []


def test_a_line_of_somebody_else_does_not_count(night: Night) -> None:
    add = """INSERT INTO jackpots_serverclock (line, began_at, offset_us, step_us, hallmark)
        VALUES ('x', now() + %s * interval '1 second', %s * 1000000::bigint, 0, {})"""
    refused(add.format("NULL"), "bears a hallmark", [1, 1])
    refused(add.format("'x'"), "begins far ahead", [90_000, 0])
    refused(add.format("'x'"), "begins far ahead", [0, 90_000])
    before = server_clock.read()
    sql(add.format("'x'"), [3_600, 3_600])
    told = night.beat(2)[-1]
    assert told < before.now + timedelta(seconds=20)
    assert Alert.objects.filter(kind=server_clock.FORGED.name).count() == 1
    span = verify.Span(0, verify.end_of_stamps(), whole=False)
    (check,) = (each for each in verify.checks() if each.name == "jackpots.server_clock")
    (fault,) = check.check(span)
    assert "no process of this installation signed" in str(fault)
    set_clock(-30)  # and a step is found beside it
    assert told < night.beat(2)[0] < told + timedelta(seconds=10)


def test_a_new_key_signs_the_line(night: Night, settings: Any) -> None:
    set_clock(-30)
    told = night.beat(1)[-1]
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another one" * 5
    for renew in keys.renewals():
        renew()
    settings.SECRET_KEY_FALLBACKS = []
    server_clock.forget()
    assert told < night.beat(1)[0] < told + timedelta(seconds=20)
    assert not Alert.objects.filter(kind=server_clock.FORGED.name).exists()


# ----------------------------------------------------------------------------------------------------- races


def meanwhile(act: Callable[[], object]) -> Callable[[TableLog], None]:
    """Done once, between the statement that reads the time and the one that stores by it."""
    sign, done = vouched.sign, list[bool]()

    def signed(log: TableLog) -> None:
        if not done:
            done.append(True)
            act()
        sign(log)

    return signed


def a_new_line() -> None:
    set_clock(-30)
    server_clock.begin()


UNGUARDED = beats._WRITE.replace(f"= {server_clock.NEWEST}", "IS NOT NULL")


@pytest.mark.parametrize("guarded", [True, False])
def test_a_beat_stores_nothing_by_a_line_that_is_over(night: Night, guarded: bool) -> None:
    """Another process begins a line while a beat thinks. Without the guard the beat's time is of the old one."""
    one = night.at["CS-01"]
    with (
        patch.object(vouched, "sign", meanwhile(a_new_line)),
        patch.object(beats, "_WRITE", beats._WRITE if guarded else UNGUARDED),
    ):
        one.send()
    line = ServerClock.objects.first()
    assert line is not None
    assert one.log.heard_at is not None
    assert (one.log.heard_at >= line.began_at) is guarded


def test_a_step_that_was_taken_by_a_line_that_is_over_is_taken_again(night: Night) -> None:
    one = night.at["CS-01"]
    with patch.object(vouched, "sign", meanwhile(a_new_line)), patch.object(beats, "beat", lambda *_: None):
        answered = one.send()
    line = ServerClock.objects.first()
    assert line is not None
    assert one.log.heard_at is not None
    assert line.began_at <= one.log.heard_at <= answered.at


@pytest.mark.parametrize("held", [True, False])
def test_a_line_begins_after_the_steps_that_are_being_stored(
    committed_db: None, process: None, held: bool
) -> None:
    """A step has read the time and is about to store it: the line waits, so that its floor is not below. Without the
    hold it begins in the middle of the step, which is taken again."""
    floor = make_floor()
    one, read, go_on, seen = At(floor.tables["CS-01"]), threading.Event(), threading.Event(), list[datetime]()
    one.send()

    def wait() -> None:
        read.set()
        assert go_on.wait(20)

    def step() -> None:
        try:
            with patch.object(beats, "beat", lambda *_: None), patch.object(vouched, "sign", meanwhile(wait)):
                seen.append(one.send().at)
        finally:
            connection.close()

    stepping = threading.Thread(target=step)
    stepping.start()
    assert read.wait(20)
    begun = list[server_clock.ServerTime]()

    def begin() -> None:
        try:
            with (
                patch.object(server_clock._watch, "agrees", lambda *_: False),
                patch.object(server_clock, "_hold_logs", server_clock._hold_logs if held else lambda: None),
            ):
                begun.append(server_clock.begin())
        finally:
            connection.close()

    beginning = threading.Thread(target=begin)
    beginning.start()
    beginning.join(1)
    assert bool(begun) is not held
    go_on.set()
    beginning.join(20)
    stepping.join(20)
    line, heard = ServerClock.objects.first(), one.log.heard_at
    assert line is not None
    assert heard is not None
    assert begun
    assert (heard < line.began_at) is held
    assert seen
