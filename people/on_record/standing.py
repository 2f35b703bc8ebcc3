"""How people, terminals and signs stand on record: what of their rows lets somebody in, under a hallmark.

Each verb that changes a password, a role or a token names in its audit record the state that follows from it, with a
mark by a key that is not in the database. The newest record with such a mark says how the row must stand. A row that
stands otherwise opens nothing, whoever changed it or put an old one back. So whoever reads a row to let somebody in
reads that record in the same statement (`Kind.newest`): both are of one moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection, transaction

from config.kit import keys
from config.kit.canonical_json import canonical_json

State = Any
"""Plain, as JSON has it."""
Standing = tuple["Kind", State]
"""What a verb hands to `audit.record`."""
MANY = 100
LOOK = "look who has a log-in to the database"
"""Of whatever is not as on record: somebody wrote it."""


@dataclass(frozen=True)
class Kind:
    """Rows that open something. `label` is of the model, as in `people.user:7`; `records` is where its records are
    read: signs may not read the audit trail, and have a view of what is about them."""

    label: str
    purpose: str
    records: str = "people_auditrecord"

    def subject(self, pk: int) -> str:
        return f"{self.label}:{pk}"

    def newest(self, row: str) -> str:
        """SQL for the number and the standing of the newest record about a row, as a text for `on_record`. Only names
        are in it, no value and no sign of a percentage."""
        return (
            f"(SELECT json_build_array(a.id, a.standing)::text FROM {self.records} a"  # noqa: S608
            f" WHERE a.subject = '{self.label}:' || {row}.id AND a.standing IS NOT NULL"
            " ORDER BY a.id DESC LIMIT 1)"
        )


PEOPLE = Kind("people.user", keys.PEOPLE)


def marked(kind: Kind, subject: str, record: int, state: State) -> dict[str, Any]:
    """What the record of this number keeps."""
    return {"state": state, "mark": keys.hallmark(kind.purpose, _content(subject, record, state))}


def _content(subject: str, record: int, state: State) -> bytes:
    """The record's number is in it, so that what one says is no other's."""
    return canonical_json([subject, record, state]).encode()


# --- Reading --------------------------------------------------------------------------------------------------
def on_record(kind: Kind, pk: int, newest: str | None) -> State | None:
    """The state that the newest genuine record about the row names; None: no record of ours names any."""
    if newest is None:
        return None
    found = _read(tuple(keys.keys_for(kind.purpose)), kind, pk, newest)
    if found is not None:
        return found
    return _below(kind, pk, json.loads(newest)[0])


def now_on_record(kind: Kind, pk: int) -> State | None:
    """The same for a row that the caller has locked."""
    return _below(kind, pk, None)


@lru_cache(maxsize=4_096)
def _read(under: tuple[bytes, ...], kind: Kind, pk: int, text: str) -> State | None:
    """None: not by one of these keys. What a record says under its mark is the same for ever."""
    record, standing = json.loads(text)
    try:
        content = _content(kind.subject(pk), record, standing["state"])
        return standing["state"] if keys.is_signed(kind.purpose, content, standing["mark"]) else None
    except (
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
    ):  # whoever has the database writes what they like
        return None


def _below(kind: Kind, pk: int, record: int | None) -> State | None:
    """Of the records before this one: somebody without the key has put some on top."""
    under, statement = (
        tuple(keys.keys_for(kind.purpose)),
        (
            f"SELECT a.id, json_build_array(a.id, a.standing)::text FROM {kind.records} a"  # noqa: S608
            " WHERE a.subject = %s AND a.standing IS NOT NULL AND (%s::bigint IS NULL OR a.id < %s::bigint)"
            f" ORDER BY a.id DESC LIMIT {MANY}"
        ),
    )
    while True:
        with connection.cursor() as cursor:
            cursor.execute(statement, [kind.subject(pk), record, record])
            rows = cursor.fetchall()
        for number, text in rows:
            found = _read(under, kind, pk, text)
            if found is not None:
                return found
            record = number
        if len(rows) < MANY:
            return None


# --- Every row of a kind ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Rows:
    """What a room hands in about a kind of its rows: all there are, one of them locked, and how it stands now."""

    kind: Kind
    word: str
    numbers: Callable[[], list[int]]
    locked: Callable[[int], Any]
    state_of: Callable[[Any], State]


_rows: dict[str, Rows] = {}


def register(rows: Rows) -> Rows:
    _rows[rows.kind.label] = rows
    return rows


def registered() -> list[Rows]:
    return [_rows[label] for label in sorted(_rows)]


@keys.on_renewal
def renew_all() -> str:
    """Under the key in use, what is on record under an earlier one: of the records alone, so that no row that was
    changed meanwhile is vouched for."""
    from people.audit import audit

    renewed = 0
    for rows in registered():
        for pk in rows.numbers():
            with transaction.atomic():
                row = rows.locked(pk)
                state = now_on_record(rows.kind, pk)
                if row is None or state is None or _is_in_use(rows.kind, pk):
                    continue
                audit.record("command line", RENEWED, subject=row, standing=(rows.kind, state))
                renewed += 1
    return f"{renewed} passwords with their roles, and tokens, stand on record under the key in use."


RENEWED = "people.standing_renewed"


def _is_in_use(kind: Kind, pk: int) -> bool:
    """Whether the newest record about the row is by the key in use."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT a.id, a.standing::text FROM {kind.records} a WHERE a.subject = %s"  # noqa: S608
            " AND a.standing IS NOT NULL ORDER BY a.id DESC LIMIT 1",
            [kind.subject(pk)],
        )
        record, text = cursor.fetchone()
    standing = json.loads(text)
    if not isinstance(standing, dict) or "state" not in standing:
        return False
    return marked(kind, kind.subject(pk), record, standing["state"]) == standing
