"""Nothing costs more after years: lists are paged, ask the database as often for 3,000 rows as for 200, and neither
pages nor jobs read more rows of history for them. Counted by PostgreSQL, not by the clock. With ten rows and ten
thousand in tests/soak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.signs.frames import snapshot
from ledger.books import balances
from ledger.close import closing
from ledger.models import SEAL_VERSION, GamingDay, Seal
from ledger.seals import seals
from ledger.verify import verify, watchdog
from people.alerts import alerts
from people.models import Role
from tables.models import Table
from tables.settle.settlement import settle_batch
from tests.conventions.test_permissions import with_a_win
from tests.floor import Floor, make_floor
from tests.on_record import add_user, give
from tests.people.test_console import page
from tests.people.test_outbox import LATER


@pytest.fixture
def clean_tables(committed_db: str) -> Iterator[None]:
    """In a database of its own: what other tests have rolled back lies in an index until it is swept, and counts."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


PAGES = {
    "sefa": ["/", "/waiting/", "/approvals/", "/alerts/", "/floor/", "/floor/harbour/tables/CS-01/", "/jackpots/",
             "/jackpots/stud/history/?span=year", "/search/?q=CS-0", "/search/?q=flush", "/rules/",
             "/floor/harbour/tables/CS-01/hold/?span=month",
             "/rules/games/caribbean-stud/nz-1996/", "/rules/books/nz-1996-VIII/"],
    "fiona": ["/", "/finance/journal/", "/finance/days/", "/finance/trial-balance/", "/finance/seals/"],
    "arne": ["/audit/", "/audit/?act=people.&who=sefa", "/alerts/"],
    "ada": ["/", "/people/", "/audit/?failed=on"],
}  # fmt: skip


def multiply(table: str, times: int, **changes: str) -> None:
    """More rows like the table's first: columns as SQL, with `n` for the number of the copy. No trigger looks at them,
    and their stamp is of long ago: they are history."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = 'public'"
            " AND column_name <> 'id'",
            [table],
        )
        columns = [name for (name,) in cursor.fetchall()]
        changes = {"xact_id": "1"} | changes
        values = ", ".join(changes.get(name, f'first."{name}"') for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM (SELECT * FROM {table} ORDER BY id LIMIT 1) first,"
            f" generate_series(1, {times}) n"
        )


AGO = "now() - interval '3 days' - n * interval '1 minute'"
BEFORE = f"{AGO} - interval '1 hour'"
DAY = f"({AGO})::date"
SOMEBODY = "(SELECT min(id) FROM people_user)"


def grow(times: int, mark: str) -> None:
    """History of earlier days: rounds that are settled, wins that are paid, and so on; what is open does not grow."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        if not GamingDay.objects.filter(state=GamingDay.State.CLOSED).exists():
            multiply(
                "ledger_gamingday", 8, date="first.date - n::int - 1", state="'closed'", closed_at="now()",
                closed_by_id=SOMEBODY, closing_at="first.opened_at - n * interval '1 day'",
            )  # fmt: skip
        days = (
            "(SELECT d.id FROM ledger_gamingday d WHERE d.premises_id = first.premises_id AND d.state = 'closed'"
            f" ORDER BY abs(d.date - {DAY}), d.id LIMIT 1)"
        )
        multiply(
            "tables_round", times, uid="gen_random_uuid()", number=f"{mark} + n", state="'settled'", error="''",
            opened_at=AGO, locked_at=AGO, closed_at=AGO, settled_at=AGO, gaming_day=DAY, settlement="NULL",
        )  # fmt: skip
        multiply(
            "people_auditrecord", times, at=AGO, action="'tests.done'", subject=f"'tests.thing:{mark}' || n"
        )
        multiply(
            "people_alert",
            times,
            subject=f"'tests.thing:{mark}' || n",
            raised_at=f"{AGO} - interval '1 hour'",
            until=AGO,
        )
        multiply(
            "people_approvalrequest", times, requested_at=BEFORE, state="'requested'", used_at="NULL", expires_at=AGO,
            decided_by_id="NULL", decided_at="NULL",
        )  # fmt: skip
        multiply("ledger_entry", times, key=f"'tests:{mark}:' || n", day_id=days, posted_at=AGO)
        cursor.execute(  # with the legs of the first
            "INSERT INTO ledger_posting (entry_id, account_id, amount_micros)"
            " SELECT e.id, p.account_id, p.amount_micros"
            " FROM ledger_entry e, ledger_posting p WHERE e.key LIKE %s"
            " AND p.entry_id = (SELECT min(id) FROM ledger_entry)",
            [f"tests:{mark}:%"],
        )
        multiply("ledger_step", times, at=AGO, row_id=f"{mark} + n")
        multiply("jackpots_event", times, number=f"{mark} + n", received_at=AGO)
        multiply(
            "jackpots_share", times, place=AGO, earliest=AGO, latest=AGO, public_at="NULL",
            event_id=f"(SELECT max(e.id) FROM jackpots_event e) - {times} + n",
        )  # fmt: skip
        multiply("jackpots_foldrun", times, number=f"{mark} + n", entry_key=f"'tests:{mark}:' || n",
                 first_place=AGO, last_place=AGO, at=AGO)  # fmt: skip
        multiply(
            "jackpots_win", times, state="'paid'", wager_id=f"'{mark}' || n", hand_wager_id=f"'{mark}' || n",
            paid_at=AGO, resolved_at=AGO, paid_micros="first.amount_micros", paid_by_id=SOMEBODY,
            verified_by_id=SOMEBODY, verified_at=AGO,
        )  # fmt: skip
        multiply("jackpots_frame", times, sequence=f"{mark} + n", at=AGO)
        cursor.execute(
            "INSERT INTO jackpots_frametext (frame_id, text) SELECT f.id, (SELECT min(text) FROM jackpots_frametext)"
            " FROM jackpots_frame f WHERE f.sequence > %s",
            [mark],
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")  # as the server does by itself: without it a plan is a guess


# Alerts stay as they are told, and each reader's open ones are found among all. A chart of a month reads that month.
NOT_FLAT = {
    "people_alert_premises_id_477d780e", "people_alert_pkey", "alert_by_premises",
    "sefa /floor/harbour/tables/CS-01/hold/?span=month",
}  # fmt: skip
READ = """
    SELECT c.relname, pg_stat_get_xact_tuples_returned(c.oid) FROM pg_class c
    WHERE c.relkind IN ('r', 'i') AND c.relnamespace IN ('public'::regnamespace, 'months'::regnamespace)
"""
BY_INDEX = "".join(f"SET LOCAL enable_{way} = {{0}};" for way in ("seqscan", "hashjoin", "mergejoin"))
"""Small tables are better read from end to end, and a plan would say nothing about large ones."""
ALLOWED = 100
"""Rows that a work may read more of a table than before; a work that reads its history reads thousands."""
FEW = 10
"""A table with so few rows at all has no history: the planner may read each of them beside every row of another."""


def without_history() -> dict[str, int]:
    """Tables, and their indexes, that hold a few rows at all: so many."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, reltuples FROM pg_class WHERE reltuples BETWEEN 2 AND %s", [FEW])
        return {name: int(rows) for name, rows in cursor.fetchall()}


STATEMENTS_TO_COUNT = 4
"""Of rows_read itself."""


def rows_read(work: Callable[[], object]) -> Counter[str]:
    """By table and index, what it reads, as PostgreSQL counts it."""
    with connection.cursor() as cursor:
        cursor.execute(BY_INDEX.format("off") + "DISCARD PLANS")  # a kept plan would not know of it
        cursor.execute(READ)
        before = Counter(dict(cursor.fetchall()))
        work()
        cursor.execute(READ)
        after = Counter(dict(cursor.fetchall()))
        cursor.execute(BY_INDEX.format("on") + "DISCARD PLANS")
    return after - before


def jobs(floor: Floor) -> Iterator[tuple[str, Counter[str]]]:
    """What workers do over and over."""
    day = GamingDay.objects.filter(premises=floor.harbour, state=GamingDay.State.OPEN).latest("date")
    end = verify.end_of_stamps()
    work: dict[str, Callable[[], object]] = {
        "settlement": settle_batch,
        "fold": partial(fold, floor.progressive.pk),
        "frame": partial(snapshot, floor.progressive.pk),
        "roll-up": balances.roll_up,
        "seal": partial(seals.rows_between, end - 1, end),
        "watchdog": partial(verify.check_span, end, end + 1),
        "checklist": partial(closing.checklist, day),
    }
    for name, does in work.items():
        yield name, rows_read(does)


def logged_in(floor: Floor) -> dict[str, Client]:
    """By name, with what is read once a process or a log-in read already."""
    clients: dict[str, Client] = {name: page(floor.people[name]) for name in PAGES}
    for name, paths in PAGES.items():
        for path in paths:
            clients[name].get(path)
    return clients


def costs(clients: dict[str, Client]) -> Iterator[tuple[str, int, Counter[str]]]:
    """By page its statements, and the rows that they read."""
    for name, paths in PAGES.items():
        for path in paths:
            with CaptureQueriesContext(connection) as asked:
                read = rows_read(partial(draw, clients[name], path))
            yield f"{name} {path}", len(asked) - STATEMENTS_TO_COUNT, read


def draw(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (200, 302), (path, answer.status_code)


def watched_floor() -> Floor:
    """Something of everything, and nothing that changes by itself between two looks."""
    floor = make_floor()
    with_a_win(floor)
    snapshot(floor.progressive.pk)  # a frame
    ada = add_user("ada", name="Ada", password=None)
    give(user=ada, premises=floor.harbour, role=Role.ADMINISTRATOR)
    floor.people["ada"] = ada
    # History is sealed, and all there is verified: rows of this one transaction are no stretch among others.
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # neither is so yet
    Seal.objects.create(
        number=1, version=SEAL_VERSION, chain=uuid4(), from_xact=0, below_xact=2, rows=0, entries=0, postings=0,
        root=bytes(32), previous_hash=bytes(32), hash=bytes(32), sealed_at=timezone.now(), classes=b"", leaves=b"",
    )  # fmt: skip
    watchdog.remember(Seal(number=1, below_xact=verify.end_of_stamps()))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")
    alerts.raise_alert(LATER, "tests.thing:0", "dusty", premises=floor.harbour)
    # Silent in both looks, however slow this machine is between them.
    Table.objects.update(last_heard_at=timezone.now() - timedelta(hours=1))
    return floor


@pytest.mark.usefixtures("clean_tables")
def test_nothing_asks_or_reads_more_with_three_thousand_rows_than_with_two_hundred() -> None:
    floor = watched_floor()
    grow(200, "1000")
    clients = logged_in(floor)
    few, few_jobs = list(costs(clients)), dict(jobs(floor))
    grow(3_000, "1000000")
    many, many_jobs = list(costs(clients)), dict(jobs(floor))
    assert [(path, asked) for path, asked, _ in few] == [(path, asked) for path, asked, _ in many]
    assert max(asked for _, asked, _ in many) <= 60
    before = {path: rows for path, _, rows in few} | few_jobs
    after = {path: rows for path, _, rows in many} | many_jobs
    small = without_history()
    grown = [
        f"{work}: {count - before[work][table]} rows more of {table}, {count} in all"
        for work, rows in after.items()
        for table, count in rows.items()
        if count > before[work][table] + ALLOWED * small.get(table, 1) and not {work, table} & NOT_FLAT
    ]
    assert not grown, "\n".join(grown)
