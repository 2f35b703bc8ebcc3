"""No page costs more after years: each list is paged, and asks the database as often for 10,000 rows as for ten."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jackpots.signs.frames import snapshot
from people import alerts
from people.models import Role, RoleGrant, User
from tables.models import Table
from tests.conventions.test_permissions import with_a_win
from tests.floor import Floor, make_floor
from tests.people.test_console import page
from tests.people.test_outbox import LATER

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
    """More rows like the table's first: columns as SQL, with `n` for the number of the copy."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = 'public'"
            " AND column_name NOT IN ('id', 'xact_id')",
            [table],
        )
        columns = [name for (name,) in cursor.fetchall()]
        values = ", ".join(changes.get(name, f'first."{name}"') for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM (SELECT * FROM {table} ORDER BY id LIMIT 1) first,"
            f" generate_series(1, {times}) n"
        )


def grow(times: int, mark: str) -> None:
    """History: rounds that are settled, wins that are paid, and so on; what is open does not grow with the years."""
    multiply(
        "tables_round", times, uid="gen_random_uuid()", number=f"{mark} + n", state="'settled'", error="''",
        settled_at="now()", settlement="NULL",
    )  # fmt: skip
    multiply("people_auditrecord", times)
    multiply(
        "people_alert",
        times,
        subject=f"'tests.thing:{mark}' || n",
        until="clock_timestamp() + interval '200 ms'",
    )
    multiply(
        "people_approvalrequest", times, requested_at="now() - interval '2 days'", state="'requested'", used_at="NULL",
        expires_at="now() - interval '1 day'", decided_by_id="NULL", decided_at="NULL",
    )  # fmt: skip
    multiply("ledger_entry", times, key=f"'tests:{mark}:' || n")
    with connection.cursor() as cursor:  # with the legs of the first
        cursor.execute(
            "INSERT INTO ledger_posting (entry_id, account_id, amount_micros)"
            " SELECT e.id, p.account_id, p.amount_micros"
            " FROM ledger_entry e, ledger_posting p WHERE e.key LIKE %s"
            " AND p.entry_id = (SELECT min(id) FROM ledger_entry)",
            [f"tests:{mark}:%"],
        )
    multiply("jackpots_foldrun", times, number=f"{mark} + n", entry_key=f"'tests:{mark}:' || n",
             last_place="first.last_place - n * interval '1 second'")  # fmt: skip
    multiply("jackpots_frame", times, sequence=f"{mark} + n")
    time.sleep(0.3)  # until those alerts are over
    with connection.cursor() as cursor:  # as the server does by itself: without it a plan is a guess
        cursor.execute("ANALYZE")


def costs(floor: Floor) -> Iterator[tuple[str, str, int]]:
    clients: dict[str, Client] = {name: page(floor.people[name]) for name in PAGES}
    for name, paths in PAGES.items():
        for path in paths:
            clients[name].get(path)  # what is read once a process or a log-in
            with CaptureQueriesContext(
                connection,
            ) as asked:
                answer = clients[name].get(path)
            assert answer.status_code in (200, 302), (path, answer.status_code)
            yield name, path, len(asked)


@pytest.mark.django_db
def test_every_list_asks_as_often_with_ten_thousand_rows_as_with_ten() -> None:
    floor = make_floor()
    with_a_win(floor)
    snapshot(floor.progressive.pk)  # a frame
    ada = User.objects.create_user("ada", name="Ada", password=None)
    RoleGrant.objects.create(user=ada, premises=floor.harbour, role=Role.ADMINISTRATOR)
    floor.people["ada"] = ada
    alerts.raise_alert(LATER, "tests.thing:0", "dusty", premises=floor.harbour)
    # Silent in both looks, however slow this machine is between them.
    Table.objects.update(last_heard_at=timezone.now() - timedelta(hours=1))
    grow(10, "1000")
    few = list(costs(floor))
    grow(10_000, "1000000")
    many = list(costs(floor))
    assert few == many
    assert max(count for _, _, count in many) <= 60
