"""The way of a prepared statement: values there and back, errors and transactions as psycopg has them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from psycopg.pq import TransactionStatus

from config.kit.fastsql.prepared import run

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Iterator[psycopg.Connection[Any]]:
    """A session of its own, which a test may break."""
    given = connection.get_connection_params()
    given.pop("cursor_factory", None)
    with psycopg.connect(**given, autocommit=True) as made:
        yield made


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("bigint", 7),
        ("bigint", 2**62),
        ("text", "Zoë's"),
        ("text", None),
        ("boolean", True),
        ("date", date(2026, 3, 1)),
        ("timestamptz", datetime(2026, 3, 1, 21, 14, 3, 250_001, tzinfo=UTC)),
        ("uuid", UUID(int=5)),
        ("bytea", b"\x00\xff"),
        ("bigint[]", [1, 2**40]),
        ("uuid[]", []),
    ],
)
def test_values_come_back_as_they_went(session: psycopg.Connection[Any], kind: str, value: object) -> None:
    for _ in range(2):
        assert run(session, f"SELECT %s::{kind}, 1", [value]) == [(value, 1)]


def test_a_time_is_of_utc(session: psycopg.Connection[Any]) -> None:
    ((at,),) = run(session, "SELECT clock_timestamp()", []) or []
    assert at.utcoffset() == timedelta(0)


def test_names_of_values_may_come_twice(session: psycopg.Connection[Any]) -> None:
    assert run(session, "SELECT %(a)s::int + %(b)s::int * %(a)s::int, 5 %% 3", {"a": 2, "b": 3}) == [(8, 2)]


def test_one_that_gives_no_rows(session: psycopg.Connection[Any]) -> None:
    assert run(session, "SET application_name = 'none'", []) is None
    assert run(session, "SELECT 1 WHERE %s", [False]) == []


def test_begins_a_transaction_where_the_session_does_not_commit_by_itself(
    session: psycopg.Connection[Any],
) -> None:
    for autocommit, left in ((False, TransactionStatus.INTRANS), (True, TransactionStatus.IDLE)):
        session.autocommit = autocommit
        run(session, "SELECT 1", [])
        assert session.info.transaction_status == left
        session.rollback()


def test_errors_are_psycopgs_and_the_session_goes_on(session: psycopg.Connection[Any]) -> None:
    for _ in range(2):
        with pytest.raises(psycopg.errors.DivisionByZero):
            run(session, "SELECT 1 / %s::int", [0])
        with pytest.raises(psycopg.errors.UndefinedTable):
            run(session, "SELECT 1 FROM there_is_none", [])
    assert run(session, "SELECT 1 / %s::int", [1]) == [(1,)]
    session.execute("SET statement_timeout = 50")
    with pytest.raises(psycopg.errors.QueryCanceled):
        run(session, "SELECT pg_sleep(%s::int)", [60])


def test_a_session_that_was_ended_is_an_operational_error(session: psycopg.Connection[Any]) -> None:
    """So that whoever asked is told to come again, not that his request is wrong."""
    run(session, "SELECT 1", [])
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [session.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        run(session, "SELECT 1", [])
    assert session.closed
