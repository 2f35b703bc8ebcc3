"""A prepared statement's way to PostgreSQL and back, by libpq's own call.

psycopg's cursor waits for a socket in steps that can be interrupted, looks up how each value is read with every call,
and takes longer for the way than a small statement runs. Here a session keeps the names of its statements and how
values go there and back; nothing else is prepared on it, since Django's statements hold their values. A statement ends
by itself or by its time limit (config.kit.database).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import psycopg
from psycopg import pq
from psycopg.adapt import AdaptersMap, Dumper, PyFormat, Transformer
from psycopg.types.datetime import TimestamptzLoader

from config.kit.fastsql.columns import PackedArray

_GOOD = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)
Rows = list[tuple[Any, ...]]
Given = Sequence[Any] | Mapping[str, Any]


class _AsItIs(Dumper):
    """Of an array that is written already; its type follows from the statement."""

    format, oid = pq.Format.BINARY, 0

    def dump(self, obj: PackedArray) -> PackedArray:
        return obj


class _Kept:
    """Of one session: its statements by text and types of values, and what reads and writes values."""

    def __init__(self, session: psycopg.Connection[Any]) -> None:
        self.connection, self.names = session, dict[tuple[bytes, tuple[int, ...]], bytes]()
        self.adapters = AdaptersMap(session.adapters)
        self.adapters.register_loader("timestamptz", TimestamptzLoader)  # Django's is not in C
        self.adapters.register_dumper(PackedArray, _AsItIs)
        self.values = Transformer(self)


_PLACE = re.compile(r"%(?:%|s|\((\w+)\)s)")


@lru_cache(maxsize=1_000)
def _numbered(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """The statement as PostgreSQL writes its places ($1), which psycopg would make of it anew with every call; and the
    names of those that have one."""
    names: list[str] = []
    count = itertools.count(1)

    def number(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        if found[1]:
            names.append(found[1])
        return f"${next(count)}"

    text = _PLACE.sub(number, statement)
    return text.encode(), tuple(names)


def run(session: psycopg.Connection[Any], statement: str, given: Given) -> Rows | None:
    """The rows of a statement; None of one that gives none. Begins a transaction where the session is not to commit by
    itself, as psycopg does."""
    text, places = _numbered(statement)
    if isinstance(given, Mapping):
        given = [given[place] for place in places]
    kept = getattr(session, "potline_statements", None)
    if kept is None:
        kept = _Kept(session)
        session.potline_statements = kept  # type: ignore[attr-defined]
    values, wire = kept.values, session.pgconn
    with session.lock:
        if not session.autocommit and wire.transaction_status == pq.TransactionStatus.IDLE:
            _check(session, wire.exec_(b"BEGIN"))
        parameters: Any = values.dump_sequence(given, [PyFormat.AUTO] * len(given))
        types = values.types or ()
        name = kept.names.get((text, types))
        if name is None:
            name = b"potline_%d" % len(kept.names)
            _check(session, wire.prepare(name, text, types))
            kept.names[text, types] = name
        result = wire.exec_prepared(name, parameters, values.formats)
        _check(session, result)
        if not result.nfields:
            return None
        values.set_pgresult(result)
        found: Rows = values.load_rows(0, result.ntuples, tuple)
        return found


def _check(session: psycopg.Connection[Any], result: pq.abc.PGresult) -> None:
    if result.status in _GOOD:
        return
    if session.pgconn.status == pq.ConnStatus.BAD:
        raise psycopg.OperationalError(session.pgconn.get_error_message())
    raise psycopg.errors.error_from_result(result, encoding=session.info.encoding)


class Cursor:
    """As much of a cursor as Django needs to count and log statements."""

    description: object = None

    def __init__(self, session: psycopg.Connection[Any]) -> None:
        self.session, self.rows = session, Rows()

    def execute(self, statement: str, given: Given) -> None:
        self._query = SimpleNamespace(query=_numbered(statement)[0])  # what Django puts down
        found = run(self.session, statement, given)
        self.description, self.rows = found, found or []

    def fetchall(self) -> Rows:
        return self.rows

    def close(self) -> None:
        """Holds nothing."""
