"""What config.kit.database promises, on real sessions: limits by the work at hand, raised, lowered and set back."""

from __future__ import annotations

import contextvars
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection, transaction

from config.kit import database
from config.kit.database import TimeLimits, is_busy, is_lock_timeout, lock_timeout, time_limits, work_for
from jackpots.models import TableLog
from people.models import Premises
from tests.live import ROOT, LiveProcesses

TERMINAL, PAGE, REPORT = ("2s", "10s", "15s"), ("3s", "30s", "30s"), ("10s", "2min", "10min")
NONE = ("0", "0", "0")
NAMES = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")


def shown() -> tuple[str, ...]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'current_setting({name!r})' for name in NAMES)}")
        return tuple(cursor.fetchone())


def apart(work: Callable[[], None]) -> None:
    """As a request: in a context of its own, on a session of its own."""
    connection.close()
    contextvars.copy_context().run(work)
    connection.close()


@pytest.fixture
def pooled(committed_db: str) -> Iterator[None]:
    """A pool of one, so that whoever comes gets the session of whoever was there before."""
    options = connection.settings_dict["OPTIONS"]
    connection.close()
    options["pool"] = {"min_size": 1, "max_size": 1, "timeout": 5}
    yield
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    del options["pool"]


def test_a_session_from_the_pool_has_the_limits_of_the_work_at_hand(pooled: None) -> None:
    pids: set[int] = set()

    def as_(name: str, expected: tuple[str, ...]) -> Callable[[], None]:
        def work() -> None:
            work_for(name)
            assert shown() == expected
            pids.add(connection.connection.info.backend_pid)

        return work

    for name, expected in [("terminal", TERMINAL), ("page", PAGE), ("terminal", TERMINAL), ("command", NONE)]:
        apart(as_(name, expected))
    assert len(pids) == 1


def test_limits_are_raised_and_set_back(committed_db: str) -> None:
    def work() -> None:
        work_for("page")
        with time_limits("report"):
            assert shown() == REPORT
            with time_limits("terminal"):
                assert shown() == REPORT, "never lowered"
            with transaction.atomic():
                assert shown() == REPORT
            connection.close()
            assert shown() == REPORT, "a new session too"
        assert shown() == PAGE
        with pytest.raises(OperationalError), time_limits("report"), transaction.atomic():
            lock_out(committed_db)
        assert shown() == PAGE

    apart(work)


def test_limits_raised_inside_of_a_transaction_end_with_it(committed_db: str) -> None:
    def work() -> None:
        work_for("terminal")
        with transaction.atomic():
            with time_limits("page"):
                assert shown() == PAGE
            assert shown() == TERMINAL
        with pytest.raises(OperationalError), transaction.atomic(), time_limits("page"):
            lock_out(committed_db)
        assert shown() == TERMINAL

    apart(work)


def lock_out(url: str) -> None:
    """Fails as a row does that somebody holds."""
    Premises.objects.get_or_create(
        code="p", defaults={"name": "P", "currency": "NZD", "time_zone": "UTC", "rollover_hour": 6}
    )
    with lock_timeout(50), psycopg.connect(url) as other:
        other.execute("LOCK TABLE people_roleGrant")
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM people_rolegrant")


def test_a_lock_is_waited_for_so_long_and_no_longer(committed_db: str) -> None:
    with pytest.raises(RuntimeError, match="transaction"), lock_timeout(50):
        pass
    began = time.monotonic()
    with pytest.raises(OperationalError) as caught, transaction.atomic():
        lock_out(committed_db)
    assert time.monotonic() - began < 5
    assert is_lock_timeout(caught.value)
    assert is_busy(caught.value)
    with transaction.atomic():
        with lock_timeout(50):
            assert shown()[0] == "50ms"
        assert shown()[0] == "0"


def test_only_what_passes_by_itself_is_busy() -> None:
    assert is_busy(OperationalError("the connection is lost"))
    assert is_busy(InterfaceError("the connection is closed"))
    assert is_busy(psycopg.errors.QueryCanceled())
    assert not is_busy(ValueError())
    too_large = OperationalError("index row size exceeds")
    too_large.__cause__ = psycopg.errors.ProgramLimitExceeded()
    assert not is_busy(too_large)
    assert not is_lock_timeout(OperationalError("the connection is lost"))


def test_without_end_is_the_longest() -> None:
    assert TimeLimits(0, 5, 9).at_least(TimeLimits(3, 7, 0)) == TimeLimits(0, 7, 0)


HOLD = """
import sys, time, os
os.environ["POTLINE_PROCESS"] = "worker"
import django
django.setup()
from django.db import connection, transaction
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute("SELECT 1 FROM jackpots_tablelog FOR UPDATE")
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.timeout(60)
def test_a_transaction_that_somebody_left_open_is_ended(processes: LiveProcesses, committed_db: str) -> None:
    """A process of Potline that hangs, with a row in its hands: the row is free again without it."""
    premises = Premises.objects.create(code="p", name="P", currency="NZD", time_zone="UTC", rollover_hour=6)
    TableLog.objects.create(premises=premises, table_code="T-1")
    env = processes.env | {"POTLINE_DATABASE_LIMITS": "worker=1/10/0.5"}
    hanging = subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        assert hanging.stdout is not None
        assert hanging.stdout.readline() == "held\n"
        with psycopg.connect(committed_db) as other:
            other.execute("SET lock_timeout = '20s'")
            assert other.execute("SELECT table_code FROM jackpots_tablelog FOR UPDATE").fetchall() == [
                ("T-1",)
            ]
        assert hanging.poll() is None, "it hangs as before, and holds nothing"
    finally:
        hanging.kill()
        hanging.wait()


def test_the_limits_of_the_house_are_in_order() -> None:
    limits = database.DEFAULT_LIMITS
    assert limits["worker"].lock_ms < limits["terminal"].lock_ms
    for each in limits.values():
        assert each.lock_ms <= each.statement_ms or each.statement_ms == 0
