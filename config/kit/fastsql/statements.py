"""Statements that a terminal's request runs thousands of times: PostgreSQL reads and plans each once a session, and
many rows go as arrays, a few as one document.

The ORM's are written out anew with every call, and planned anew. These are few, so that they are worth writing by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import JSONField, Model
from django.db.models.base import ModelState
from django.db.models.expressions import DatabaseDefault

from config.kit.fastsql import prepared
from config.kit.fastsql.columns import array_of, kind_of

M = TypeVar("M", bound=Model)


def rows_of(statement: str, given: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Runs a statement, in a transaction of its own where none is under way. Errors are Django's, and tests that count
    statements count it."""
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    if wrapper.queries_logged or wrapper.execute_wrappers:
        with wrapper._prepare_cursor(prepared.Cursor(wrapper.connection)) as cursor:
            cursor.execute(statement, given)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found
    # The same without Django's wrappers, which take longer than the statement's way there and back.
    wrapper.validate_thread_sharing()
    wrapper.validate_no_broken_transaction()
    with wrapper.wrap_database_errors:
        return prepared.run(wrapper.connection, statement, given) or []


def first_row(statement: str, given: Sequence[Any] | Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The same for one that gives at most one row."""
    return next(iter(rows_of(statement, given)), None)


# ------------------------------------------------------------------------------------------- rows as the ORM's


@cache
def columns(model: type[Model], alias: str) -> str:
    """All columns of a model for a statement, in the order in which `made` takes them."""
    return ", ".join(f"{alias}.{field.column}" for field in model._meta.concrete_fields)


@cache
def width(model: type[Model]) -> int:
    return len(model._meta.concrete_fields)


@cache
def _shape(model: type[Model]) -> tuple[list[str], list[int]]:
    fields = model._meta.concrete_fields
    documents = [index for index, field in enumerate(fields) if isinstance(field, JSONField)]
    return [field.attname for field in fields], documents


def made(model: type[M], values: Sequence[Any]) -> M:
    """A row of `columns` as the ORM would have made it."""
    names, documents = _shape(model)
    read = list(values)
    for index in documents:
        if read[index] is not None:
            read[index] = json.loads(read[index])
    return model.from_db(DEFAULT_DB_ALIAS, names, read)


@cache
def _documents(model: type[Model], names: tuple[str, ...]) -> list[str]:
    written = {field.attname for field in model._meta.concrete_fields if isinstance(field, JSONField)}
    return [name for name in names if name in written]


def made_in_part(model: type[M], names: tuple[str, ...], values: Sequence[Any]) -> M:
    """A stored row of which these attributes were read: as `only` makes it, in a fraction of the time. The others are
    read when they are asked for."""
    row = model.__new__(model)
    row._state = ModelState()
    stored([row])
    row.__dict__.update(zip(names, values, strict=True))
    for name in _documents(model, names):
        if row.__dict__[name] is not None:
            row.__dict__[name] = json.loads(row.__dict__[name])
    return row


@cache
def _plan(model: type[Model]) -> tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]], dict[str, str]]:
    """Defaults that are the same for all, those that are made for each row, and by relation the name of its key."""
    fields = model._meta.concrete_fields
    made_anew = {
        field.attname: field.default for field in fields if field.has_default() and callable(field.default)
    }
    alike = {field.attname: field.get_default() for field in fields if field.attname not in made_anew}
    return (
        alike,
        list(made_anew.items()),
        {field.name: field.attname for field in fields if field.is_relation},
    )


def fresh(model: type[M], **given: Any) -> M:
    """A row that is to be stored, as `model(**given)` would make it, in a tenth of the time."""
    alike, made_anew, relations = _plan(model)
    row = model.__new__(model)
    row._state = ModelState()
    values = row.__dict__
    values.update(alike)
    for name, make in made_anew:
        values[name] = make()
    for name, value in given.items():
        if name in relations and value is not None:
            values[relations[name]], row._state.fields_cache[name] = value.pk, value
        else:
            values[name] = value
    return row


# ------------------------------------------------------------------------------------------------------ writing


MANY = 8
"""From so many rows on each column goes as an array: for fewer, setting up the arrays takes longer than it saves."""


@dataclass(frozen=True, slots=True)
class Part:
    """A statement that writes, and what it is given, for `together`."""

    text: str
    given: Sequence[Any]


def together(parts: Sequence[Part], answer: Part) -> tuple[Any, ...]:
    """Runs all of them as one statement, which is one way to the database and back, and gives the one row of `answer`.
    None of them sees what another writes; which is first is not said. A guard that needs more is a deferred one."""
    head = ", ".join(f"part_{number} AS ({part.text})" for number, part in enumerate(parts))
    given = [value for part in (*parts, answer) for value in part.given]
    row = first_row(f"WITH {head} {answer.text}" if parts else answer.text, given)
    if row is None:
        raise RuntimeError("the statement gives one row, whatever there is")
    return row


def insertion(rows: Sequence[Model]) -> Part:
    """New rows of one model, in their order. The database gives what none of them has: see `stored`."""
    model, names = type(rows[0]), _given(rows[0])
    if len(rows) < MANY:
        return Part(_insert(model, names), [_as_json(rows, names)])
    by_name = [row.__dict__ for row in rows]
    arrays = [array_of(kind_of(model, name), [row[name] for row in by_name]) for name in names]
    return Part(_insert_many(model, names), arrays)


def change(row: Model, names: Iterable[str]) -> Part:
    """Some columns of one row, by the names of its attributes."""
    wanted = tuple(sorted(names))
    return Part(_update(type(row), wanted), [_as_json([row], wanted), row.pk])


def stored(rows: Iterable[Model]) -> None:
    """These are in the database now."""
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _given(row: Model) -> tuple[str, ...]:
    """The attributes that have a value: the database gives the others theirs, the same of all rows."""
    key, values = type(row)._meta.pk.attname, row.__dict__
    return tuple(
        name
        for name in _shape(type(row))[0]
        if name in values
        and not isinstance(values[name], DatabaseDefault)
        and not (name == key and values[name] is None)
    )


def _as_json(rows: Sequence[Model], names: tuple[str, ...]) -> str:
    return _WRITE([{name: getattr(row, name) for name in names} for row in rows])


def _plain(value: object) -> str:
    if isinstance(value, date):  # a datetime too
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return "\\x" + bytes(value).hex()
    raise TypeError(f"{type(value).__name__} has no form for the database here")


_WRITE = json.JSONEncoder(default=_plain, separators=(",", ":"), check_circular=False).encode


# Names are those of models: nothing of a request is interpolated. The columns of these models are named as attributes.
@cache
def _insert(model: type[Model], names: tuple[str, ...]) -> str:
    table, listed = model._meta.db_table, ", ".join(names)
    return f"INSERT INTO {table} ({listed}) SELECT {listed} FROM json_populate_recordset(NULL::{table}, %s::json)"  # noqa: S608


@cache
def _insert_many(model: type[Model], names: tuple[str, ...]) -> str:
    table, listed = model._meta.db_table, ", ".join(names)
    arrays = ", ".join(f"%s::{kind_of(model, name)}" for name in names)
    return f"INSERT INTO {table} ({listed}) SELECT {listed} FROM unnest({arrays}) AS given ({listed})"  # noqa: S608


@cache
def _update(model: type[Model], names: tuple[str, ...]) -> str:
    table = model._meta.db_table
    listed = ", ".join(f"{name} = g.{name}" for name in names)
    return f"UPDATE {table} t SET {listed} FROM json_populate_recordset(NULL::{table}, %s::json) g WHERE t.id = %s"  # noqa: S608
