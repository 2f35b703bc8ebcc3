"""Many at once, on a database where everything commits: balances, the first use of accounts, the race with the close.

Each guard has its negative control: the same scene with the lock taken out of the database's functions goes wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from config.kit.refusals import Refused
from ledger.books import balances
from ledger.books.balances import balance, roll_up, trial_balance
from ledger.books.journal import Posted, post
from ledger.close import closing
from ledger.models import Entry, GamingDay
from people.models import Premises, Role, User
from tests.ledger.conftest import DAY, entry_maker, make_person, make_premises

pytestmark = pytest.mark.usefixtures("committed_db", "only_checks")
BANK = "harbour/tables/CS-01/bank"
WAIT_S = 20


@pytest.fixture
def house(committed_db: str) -> Premises:
    premises = make_premises("harbour")
    with transaction.atomic():
        post(entry_maker(premises)("first"))
    return premises


@pytest.fixture
def closer(house: Premises) -> User:
    return make_person("fiona", Role.FINANCE, at=house)


@contextmanager
def threads(count: int) -> Iterator[Callable[..., Future[Any]]]:
    """Threads with a connection of their own, closed when they end."""
    with ThreadPoolExecutor(count) as pool:

        def start(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
            def work() -> Any:
                try:
                    return function(*arguments)
                finally:
                    connections.close_all()

            return pool.submit(work)

        yield start


class Held:
    """A posting in a transaction that stays open until it is told to end."""

    def __init__(self, premises: Premises, key: str) -> None:
        self.entry = entry_maker(premises)(key)
        self.posted, self.end = threading.Event(), threading.Event()

    def run(self) -> Posted:
        with transaction.atomic():
            result = post(self.entry)
            self.posted.set()
            assert self.end.wait(WAIT_S)
        return result


def truth() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(amount_micros), 0)::bigint FROM ledger_posting p JOIN ledger_account a"
            " ON a.id = p.account_id WHERE a.code = %s",
            [BANK],
        )
        return int(cursor.fetchone()[0])


def test_a_transaction_held_open_is_never_lost(house: Premises) -> None:
    """It takes its number and its ids first and commits last, after folds have gone by."""
    held = Held(house, "held")
    with threads(1) as start:
        running = start(held.run)
        assert held.posted.wait(WAIT_S)
        with transaction.atomic():
            post(entry_maker(house)("meanwhile"))
        mark_by_id = Entry.objects.latest("id").pk
        roll_up()
        assert balance(BANK) == truth() == 10_000_000
        held.end.set()
        late = running.result(WAIT_S)
    assert balance(BANK) == truth() == 15_000_000
    roll_up()
    assert balance(BANK) == truth() == 15_000_000
    assert roll_up() == 0
    # The control: a roll-up that had gone up to the highest id it saw would have passed it by for ever.
    assert late.id < mark_by_id


@pytest.mark.parametrize(("own_mark", "read"), [(True, 10_000_000), (False, 20_000_000)], ids=["", "control"])
def test_a_fold_between_the_mark_and_the_read_counts_nothing_twice(
    house: Premises, monkeypatch: pytest.MonkeyPatch, own_mark: bool, read: int
) -> None:
    """The mark read first is for the planner, the statement has its own; the control goes by the first alone."""
    with transaction.atomic():
        post(entry_maker(house)("second"))
    if not own_mark:
        monkeypatch.setattr(balances, "_TAIL", balances._TAIL.split(" AND e.xact_id >= coalesce")[0])

    def fold_after_the_mark(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if sql.startswith("SELECT below_xact"):
            with threads(1) as start:
                start(roll_up).result(WAIT_S)
        return result

    with connection.execute_wrapper(fold_after_the_mark):
        assert balance(BANK) == read
    assert balance(BANK) == truth() == 10_000_000


def test_a_balance_read_while_a_fold_commits_is_of_one_moment(house: Premises) -> None:
    stop = threading.Event()

    def post_and_fold() -> int:
        count = 0
        while not stop.is_set():
            with transaction.atomic():
                post(entry_maker(house)(f"more:{count}"))
            roll_up()
            count += 1
        return count

    with threads(1) as start:
        running = start(post_and_fold)
        for _ in range(60):
            lines = {line.code: line.closing_micros for line in trial_balance(house)}
            assert lines[BANK] == -lines["harbour/tables/CS-01/win"]
            assert lines[BANK] % 5_000_000 == 0
        stop.set()
        count = running.result(WAIT_S)
    assert balance(BANK) == truth() == 5_000_000 * (count + 1)


def test_64_writers_on_one_account_do_not_queue(house: Premises) -> None:
    """All 64 hold their uncommitted posting at the same moment: nobody waits for another's commit."""
    together = threading.Barrier(64)

    def write(number: int) -> None:
        with transaction.atomic():
            post(entry_maker(house)(f"writer:{number}"))
            together.wait(WAIT_S)

    with threads(64) as start:
        for future in [start(write, number) for number in range(64)]:
            future.result(WAIT_S)
    assert balance(BANK) == truth() == 65 * 5_000_000


def test_control_two_writers_on_a_balance_row_do_queue(house: Premises) -> None:
    """The same scene with a balance kept by UPDATE: the second writer waits for the first one's commit."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE hot AS SELECT 1 AS id, 0::bigint AS micros")
    together = threading.Barrier(2)

    def write() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '1s'")
            try:
                cursor.execute("UPDATE hot SET micros = micros + 1")
            except OperationalError:
                together.abort()  # the first need not wait for the second any more
                raise
            together.wait(WAIT_S)

    with threads(2) as start:
        futures = [start(write) for _ in range(2)]
        errors = [type(future.exception(WAIT_S)) for future in futures]
    assert OperationalError in errors


def test_the_same_key_from_many_at_once_is_one_entry(house: Premises) -> None:
    together = threading.Barrier(8)

    def write() -> Posted:
        together.wait(WAIT_S)
        with transaction.atomic():
            return post(entry_maker(house)("contested"))

    with threads(8) as start:
        answers = [future.result(WAIT_S) for future in [start(write) for _ in range(8)]]
    assert len({answer.id for answer in answers}) == 1
    assert sum(answer.created for answer in answers) == 1
    assert balance(BANK) == truth() == 10_000_000


def test_accounts_first_used_by_many_at_once(house: Premises) -> None:
    together = threading.Barrier(8)

    def write(number: int) -> None:
        together.wait(WAIT_S)
        with transaction.atomic():
            post(entry_maker(house)(f"new:{number}", {"tables/NEW/bank": 1, "tables/NEW/win": -1}))

    with threads(8) as start:
        for future in [start(write, number) for number in range(8)]:
            future.result(WAIT_S)
    assert balance("harbour/tables/NEW/bank") == 8


# --- The race with the close ----------------------------------------------------------------------------------
def take_out_the_locks() -> None:
    """Rewrites every function of the database that takes a day's lock, without it. For the controls alone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE prosrc LIKE '%ledger_gamingday%FOR KEY SHARE%'"
            " AND pronamespace = 'public'::regnamespace"
        )
        definitions = [row[0] for row in cursor.fetchall()]
        assert len(definitions) == 2
        for definition in definitions:
            without = definition.replace(" FOR KEY SHARE", "")
            assert without != definition
            cursor.execute(without)


def close(day: GamingDay, closer: User) -> int:
    """Closes the day; returns the bank as the close saw it."""
    closing.begin_close(day, closer)
    seen: list[int] = []

    @closing.register("test.total", "Notes the total")
    def note(day: GamingDay) -> list[closing.Finding]:
        seen.append(truth())
        return []

    closing.close_day(day, closer)
    return seen[-1]


def race(house: Premises, closer: User, until: Callable[[Future[int]], None]) -> tuple[int, int]:
    """A posting is under way when the close begins. Returns what the close saw and what the day holds in the end."""
    day = GamingDay.objects.select_related("premises").get()
    held = Held(house, "racing")
    with threads(2) as start:
        posting = start(held.run)
        assert held.posted.wait(WAIT_S)
        running = start(close, day, closer)
        until(running)
        held.end.set()
        posting.result(WAIT_S)
        saw = running.result(WAIT_S)
    held_in_the_end = sum(line.closing_micros for line in trial_balance(house, DAY, DAY) if line.code == BANK)
    return saw, held_in_the_end


def waits_for_the_lock(running: Future[int]) -> None:
    while True:
        assert not running.done(), "the close did not wait"
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")
            if cursor.fetchone()[0]:
                return


def ends(running: Future[int]) -> None:
    running.result(WAIT_S)


def test_the_close_waits_for_postings_under_way(house: Premises, closer: User) -> None:
    saw, holds = race(house, closer, waits_for_the_lock)
    assert saw == holds == 10_000_000


def test_control_without_the_lock_the_close_misses_a_posting(
    house: Premises, closer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_out_the_locks()
    monkeypatch.setattr(closing, "lock_exclusively", lambda day: None)
    saw, holds = race(house, closer, ends)
    assert (saw, holds) == (5_000_000, 10_000_000)
    assert GamingDay.objects.get().state == "closed"


def test_a_posting_that_comes_during_the_close_waits_and_goes_to_the_next_day(
    house: Premises, closer: User
) -> None:
    day = GamingDay.objects.select_related("premises").get()
    locked, go_on = threading.Event(), threading.Event()

    @closing.register("test.slow", "Takes its time")
    def slow(day: GamingDay) -> list[closing.Finding]:
        locked.set()
        assert go_on.wait(WAIT_S)
        return []

    def post_late() -> Posted:
        with transaction.atomic():
            return post(entry_maker(house)("during"))

    closing.begin_close(day, closer)
    with threads(2) as start:
        running = start(closing.close_day, day, closer)
        assert locked.wait(WAIT_S)
        posting = start(post_late)
        waits_for_the_lock(posting)
        go_on.set()
        running.result(WAIT_S)
        posted = posting.result(WAIT_S)
    assert posted.late
    assert posted.day > DAY


def test_a_stuck_posting_stops_the_close_in_words(
    house: Premises, closer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "LOCK_TIMEOUT_S", 1)
    day = GamingDay.objects.select_related("premises").get()
    closing.begin_close(day, closer)
    held = Held(house, "stuck")
    with threads(1) as start:
        posting = start(held.run)
        assert held.posted.wait(WAIT_S)
        with pytest.raises(Refused, match="stuck worker"):
            closing.close_day(day, closer)
        held.end.set()
        posting.result(WAIT_S)
    assert closing.close_day(day, closer).state == "closed"
