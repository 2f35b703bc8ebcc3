"""Workers while a session holds one table, one round, one progressive or one day: everybody else's rounds are settled,
and when it lets go, nothing is missing."""

from __future__ import annotations

import contextvars
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from psycopg.errors import AdminShutdown

from config.kit import database
from jackpots.models import Progressive, Win
from jackpots.set_up.configure import create_progressive
from jackpots.tasks import sweep_progressives
from ledger.models import GamingDay
from people import overlong
from tables.floor.opening import create_table, open_table
from tables.models import Round, Table
from tables.settle.settlement import BATCH
from tables.tasks import settle_closed, sweep_closed
from tests import door as intake
from tests.conftest import PART_ROLES
from tests.floor import Floor, stud_rules
from tests.terminal import PLAIN, stud_round

FLUSH = "2d 4d 6d 8d Jd"


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str) -> Floor:
    return committed_floor


@contextmanager
def held(url: str, statement: str, *parameters: Any) -> Iterator[None]:
    with psycopg.connect(url) as stuck:
        assert stuck.execute(statement.encode(), parameters).fetchall()
        yield
        stuck.rollback()


def as_worker(job: Callable[[], object]) -> float:
    """Runs a job with a worker's limits and tells how many seconds it took."""

    def run() -> float:
        connection.close()
        database.work_for("worker")
        began = time.monotonic()
        job()
        return time.monotonic() - began

    try:
        return contextvars.copy_context().run(run)
    finally:
        connection.close()


def play(table: Table, hand: str = PLAIN[0], number: int = 1) -> UUID:
    now, round_id = timezone.now(), uuid4()
    body = stud_round({1: hand}, first_card=now - timedelta(milliseconds=5))
    event = {"number": number, "kind": "round", "at": now.isoformat(), "round": str(round_id), "body": body}
    intake.take(table.pk, event)
    return round_id


def play_dice(floor: Floor, rounds: int) -> Table:
    """Sic Bo hands nothing on, so its rounds wait for a worker, however many."""
    table = create_table("test", floor.harbour, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"})
    open_table(table.pk, floor.people["sefa"])
    for number in range(1, rounds + 1):
        wager = {"id": "w", "kind": "small", "stake": "1.00", "player": "A"}
        body = {"wagers": [wager], "dealt": {"dice": [1, 2, 3]}}
        at = timezone.now().isoformat()
        event = {"number": number, "kind": "round", "at": at, "round": str(uuid4()), "body": body}
        intake.take(table.pk, event)
    return table


def states(table: Table) -> set[str]:
    return set(Round.objects.filter(table=table).values_list("state", flat=True))


HELD = {
    "its table": "SELECT 1 FROM tables_table WHERE id = %(table)s FOR UPDATE",
    "its log": "SELECT 1 FROM jackpots_tablelog WHERE id = %(log)s FOR UPDATE",
    "its round": "SELECT 1 FROM tables_round WHERE table_id = %(table)s FOR UPDATE",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", HELD)
def test_other_tables_are_settled_while_one_is_held(floor: Floor, committed_db: str, what: str) -> None:
    stuck, other = floor.tables["CS-01"], floor.tables["CS-02"]
    play(stuck, FLUSH)
    play(other, FLUSH)
    with psycopg.connect(committed_db) as session:
        session.execute(HELD[what].encode(), {"table": stuck.pk, "log": stuck.table_log_id})
        assert as_worker(settle_closed) < 3
        assert (states(stuck), states(other)) == ({"closed"}, {"settled"})
    as_worker(sweep_closed)
    assert states(stuck) == {"settled"}


@pytest.mark.timeout(60)
def test_a_held_tables_backlog_does_not_fill_every_batch(floor: Floor, committed_db: str) -> None:
    stuck, other = play_dice(floor, BATCH + 1), floor.tables["CS-02"]
    play(other)
    with held(committed_db, "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE", stuck.pk):
        as_worker(settle_closed)
        assert (states(stuck), states(other)) == ({"closed"}, {"settled"})
    as_worker(settle_closed)
    assert states(stuck) == {"settled"}


@pytest.mark.timeout(60)
def test_a_table_that_is_held_for_a_moment_is_waited_for(floor: Floor, committed_db: str) -> None:
    """As by its own terminal: its round must not wait for the sweeper."""
    table = floor.tables["CS-01"]
    play(table)
    session = psycopg.connect(committed_db)
    session.execute("SET idle_in_transaction_session_timeout = '50ms'")
    session.execute("SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE", [table.pk])
    as_worker(settle_closed)
    session.close()
    assert states(table) == {"settled"}


@pytest.mark.timeout(60)
def test_a_close_at_one_premises_holds_up_no_other(floor: Floor, committed_db: str) -> None:
    harbour, lakeside = floor.tables["CS-01"], floor.tables["CS-03"]
    for number in (1, 2):  # the first rounds make the days
        play(harbour, number=number)
        play(lakeside, number=number)
        if number == 1:
            as_worker(settle_closed)
    day = GamingDay.objects.get(premises=floor.harbour)
    with held(committed_db, "SELECT 1 FROM ledger_gamingday WHERE id = %s FOR UPDATE", day.pk):
        assert as_worker(settle_closed) < 5
        assert states(lakeside) == {"settled"}
        assert "closed" in states(harbour)
    as_worker(settle_closed)
    assert states(harbour) == {"settled"}


@pytest.mark.timeout(60)
def test_a_held_progressive_holds_up_no_table(floor: Floor, committed_db: str) -> None:
    """Whoever may change one of its columns may lock the row: linked tables go on, wagers and hands. The fold waits for
    as long as the database lets the session hold it (tests/config/test_held_open.py)."""
    harbour, lakeside = floor.tables["CS-01"], floor.tables["CS-03"]
    held_row = "SELECT 1 FROM jackpots_progressive WHERE id = %s FOR UPDATE"
    with held(committed_db, held_row, floor.progressive.pk):
        for table in (harbour, lakeside):
            began = time.monotonic()
            play(table)
            play(table, FLUSH, number=2)
            assert time.monotonic() - began < 1.5
        assert as_worker(settle_closed) < 5
        assert (states(harbour), states(lakeside)) == ({"settled"}, {"settled"})
        as_worker(sweep_progressives)
        assert not Win.objects.exists(), "the fold takes the row"
    as_worker(sweep_progressives)
    assert Progressive.objects.get(pk=floor.progressive.pk).folded_until is not None


@pytest.mark.timeout(60)
def test_a_progressive_that_is_held_for_long_is_let_go(floor: Floor, committed_db: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE parts.limits SET writing_s = 1")
    with suppress(AdminShutdown), psycopg.connect(committed_db, user=PART_ROLES["worker"]) as stuck:
        stuck.execute("SELECT 1 FROM jackpots_progressive FOR UPDATE")
        time.sleep(1.1)
        assert overlong.end() == 1
        as_worker(sweep_progressives)
        assert Progressive.objects.get(pk=floor.progressive.pk).folded_until is not None


@pytest.mark.parametrize("table", ["share", "undecidedround", "heldhand", "heldcontribution"])
def test_no_row_names_a_progressive_that_is_not_there(floor: Floor, table: str) -> None:
    """In the place of a foreign key, which locks the progressive's row."""
    columns = {
        "share": "(progressive_id, place) VALUES (0, now())",
        "undecidedround": "(progressive_id, round_id) VALUES (0, 1)",
        "heldhand": "(progressive_id, round_id) VALUES (0, 1)",
        "heldcontribution": "(progressive_id, place) VALUES (0, now())",
    }[table]
    with (
        pytest.raises(IntegrityError, match="There is no progressive 0"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"INSERT INTO jackpots_{table} {columns}")


@pytest.mark.timeout(60)
def test_other_progressives_are_folded_while_one_is_held(floor: Floor, committed_db: str) -> None:
    later = create_progressive("test", floor.harbour, "later", "Later", stud_rules())
    assert later.pk > floor.progressive.pk, "the held one comes first"
    held_row = "SELECT 1 FROM jackpots_progressive WHERE id = %s FOR UPDATE"
    with held(committed_db, held_row, floor.progressive.pk):
        assert as_worker(sweep_progressives) < 5
        assert Progressive.objects.get(pk=later.pk).folded_until is not None
        assert Progressive.objects.get(pk=floor.progressive.pk).folded_until is None
    as_worker(sweep_progressives)
    assert Progressive.objects.get(pk=floor.progressive.pk).folded_until is not None
