"""Statements of the doors: prepared once a session, whatever else runs on it."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from config.kit.fastsql.statements import first_row, rows_of

pytestmark = pytest.mark.django_db


def _prepared(text: str) -> int:
    found = first_row(
        "SELECT count(*) FROM pg_prepared_statements WHERE statement = $1".replace("$1", "%s"), [text]
    )
    return 0 if found is None else int(found[0])


def test_is_parsed_once_a_session() -> None:
    for number in range(3):
        assert rows_of("SELECT %s::int + 41", [number]) == [(number + 41,)]
    assert _prepared("SELECT $1::int + 41") == 1


def test_leaves_djangos_own_statements_as_they_are() -> None:
    rows_of("SELECT %s::int + 42", [1])
    for _ in range(10):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 'of Django', %s", [43])
    row = first_row("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ["%of Django%43%"])
    assert row == (0,)


def test_is_run_again_after_it_has_failed() -> None:
    statement = "INSERT INTO people_premises (id) VALUES (%s::bigint)"
    for _ in range(3):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows_of(statement, [1])
    assert rows_of("SELECT %s::int", [1]) == [(1,)]


def test_is_planned_once_a_session_also_where_the_values_would_make_a_cheaper_plan() -> None:
    """PostgreSQL takes generate_series for a thousand rows where it does not know the number: with a small one it
    would plan anew for every call."""
    for number in range(8):
        rows_of("SELECT count(*) FROM generate_series(1, %s::int)", [number])
    row = first_row(
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = %s",
        ["SELECT count(*) FROM generate_series(1, $1::int)"],
    )
    assert row == (8, 0)
