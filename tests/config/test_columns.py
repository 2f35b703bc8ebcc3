"""Columns as PostgreSQL reads them: what it finds in an array is what was put there."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest

from config.kit.fastsql.columns import array_of, kind_of
from config.kit.fastsql.statements import MANY, Part, fresh, insertion, rows_of, together
from jackpots.models import Link
from people.models import Premises
from tables.models import Round, TableEvent

pytestmark = pytest.mark.django_db

VALUES: dict[str, list[Any]] = {
    "bigint[]": [0, 1, -1, 2**63 - 1, -(2**63)],
    "text[]": ["", "plain", 'a "quoted" \\ back', "Zoë 🂡", "{,}", "NULL"],
    "boolean[]": [True, False],
    "timestamptz[]": [
        datetime(2026, 3, 1, 21, 14, 3, 250_001, tzinfo=UTC),
        datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2000, 1, 1, tzinfo=UTC),
    ],
    "date[]": [date(2026, 3, 1), date(1999, 12, 31), date(2000, 1, 1)],
    "uuid[]": [UUID(int=0), UUID(int=2**128 - 1)],
    "bytea[]": [b"", b"\x00\xff"],
}


@pytest.mark.parametrize("kind", VALUES)
def test_each_value_arrives(kind: str) -> None:
    for values in (VALUES[kind], [None, *VALUES[kind], None], [], [None]):
        found = rows_of(f"SELECT * FROM unnest(%s::{kind})", [array_of(kind, values)])
        assert [value for (value,) in found] == values


def test_documents_arrive() -> None:
    values: list[Any] = [{"a": [1, "ü\"'\\", None, True]}, [], {}, None, "text", 5, [[]]]
    found = rows_of("SELECT * FROM unnest(%s::jsonb[])", [array_of("jsonb[]", values)])
    assert [None if value is None else json.loads(value) for (value,) in found] == values


def test_a_time_of_another_zone_is_the_same_moment() -> None:
    here = datetime(2026, 3, 1, 21, tzinfo=timezone(timedelta(hours=13)))
    assert rows_of("SELECT * FROM unnest(%s::timestamptz[])", [array_of("timestamptz[]", [here])]) == [
        (here,)
    ]


def test_kinds_of_columns() -> None:
    kinds = {name: kind_of(Round, name) for name in ("id", "table_id", "uid", "state", "wagers", "attempts")}
    assert kinds == {
        "id": "bigint[]",
        "table_id": "bigint[]",
        "uid": "uuid[]",
        "state": "text[]",
        "wagers": "jsonb[]",
        "attempts": "bigint[]",
    }
    assert (kind_of(TableEvent, "head"), kind_of(TableEvent, "received_at")) == ("bytea[]", "timestamptz[]")
    with pytest.raises(TypeError, match=r"Link.kinds"):
        kind_of(Link, "kinds")


@pytest.mark.parametrize("count", [MANY - 1, MANY])
def test_few_rows_and_many_are_stored_alike(count: int) -> None:
    """As a document, and as arrays."""
    made = [
        fresh(
            Premises,
            id=900 + number,
            code=f"p{number}",
            name=f"Name {number} 'ü'",
            currency="NZD",
            time_zone="Pacific/Auckland",
            rollover_hour=6,
        )
        for number in range(count)
    ]
    together([insertion(made)], Part("SELECT 1", []))
    for row in made:
        found = Premises.objects.get(pk=row.pk)
        assert {field.attname: getattr(found, field.attname) for field in Premises._meta.concrete_fields} == {
            field.attname: getattr(row, field.attname) for field in Premises._meta.concrete_fields
        }
