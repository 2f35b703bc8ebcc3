"""The demo casino: the mark that makes a database a demo, the loaders that the apps register, and the guard elsewhere.

The demo's passwords and tokens are public. So it lives only in a database that was marked when it was made: the mark
is a table that only the database's owner can make, and it is made only while the database is empty. A server starts
only where POTLINE_DEMO and the mark agree, and never on a real database in which a public password or token works.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn

import structlog
from django.conf import settings
from django.db import Error, connection

from config.kit import keys, logins, rights

logger = structlog.get_logger(__name__)

EX_CONFIG = 78
"""The exit code of a server that no new start would help (sysexits.h)."""


class DatabaseKind(Enum):
    EMPTY = "empty"
    DEMO = "demo"
    REAL = "real"


@dataclass(frozen=True)
class Secret:
    """A public password or token that works in this database, and how to end that."""

    label: str
    retire: Callable[[], None]


@dataclass(frozen=True)
class Loader:
    order: int
    name: str
    load: Callable[[], str | None]
    secrets: Callable[[], list[Secret]]


_loaders: dict[str, Loader] = {}


def register(
    name: str,
    load: Callable[[], str | None],
    *,
    order: int,
    secrets: Callable[[], list[Secret]] = list,
) -> None:
    """`load` makes what is missing, safe to run again, and may return a line to print. `secrets` finds what of it would
    let a stranger into a real installation. Lower orders first: the floor 10, its people 20."""
    _loaders[name] = Loader(order, name, load, secrets)


def loaders() -> list[Loader]:
    return sorted(_loaders.values(), key=lambda loader: (loader.order, loader.name))


def public_secrets() -> list[Secret]:
    """People's first, who can do most."""
    return [secret for loader in reversed(loaders()) for secret in loader.secrets()]


# The mark

# Names are qualified, and the mark counts only if the database's owner made it: no other role can pretend.
_LOOK = r"""
    SELECT coalesce(bool_or(c.relname = 'potline_demo' AND n.nspname = 'public' AND c.relkind = 'r'
                            AND c.relowner = d.datdba), false),
           count(*) > 0
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
"""


TABLE = "potline_demo"
"""The mark of a database that was made as a demo; no role of the application reads or writes it."""


def kind_of(cursor: Any) -> DatabaseKind:
    """Of the cursor's database; Django's cursor or psycopg's, any role."""
    cursor.execute(_LOOK)
    marked, has_relations = cursor.fetchone()
    if marked:
        return DatabaseKind.DEMO
    return DatabaseKind.REAL if has_relations else DatabaseKind.EMPTY


def mark_if_empty(**_: Any) -> None:
    """Before a migration with POTLINE_DEMO=1: an empty database becomes a demo, one with anything in it never does."""
    if not settings.DEMO:
        return
    with connection.cursor() as cursor:
        kind = kind_of(cursor)
        if kind is DatabaseKind.REAL:
            from django.core.management.base import CommandError  # only here: servers need no commands

            raise CommandError(NOT_MARKED)
        if kind is DatabaseKind.EMPTY:
            cursor.execute(
                "CREATE TABLE public.potline_demo (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),"
                " marked_at timestamptz NOT NULL DEFAULT now());"
                "INSERT INTO public.potline_demo DEFAULT VALUES"
            )


# The guard

NOT_MARKED = (
    "POTLINE_DEMO is 1, but this database was not made as a demo, and the demo's passwords are public. Nothing was "
    "done. Run without POTLINE_DEMO, or name an empty database: it becomes a demo when it is migrated."
)
IS_DEMO = (
    "This database was made as a demo, with public passwords. Set POTLINE_DEMO=1 to show it, or name another database "
    "for a real installation."
)
SECRETS_FOUND = (
    "This database is not a demo, but anyone can get in by the demo's public passwords and tokens: {found}. "
    "`manage.py retire_demo` closes them; to see the demo, use a database of its own."
)


KEY_MISSING = (
    "POTLINE_SECRET_KEY is not set. Web and workers must share it: by it they sign what goes to signs, and encrypt "
    "second factors. Set it to at least 50 random characters, the same for all (docs/operations.md)."
)


def refusal() -> str | None:
    """Why no server may start on this database, in a sentence; None if it may."""
    with connection.cursor() as cursor:
        kind = kind_of(cursor)
    if settings.DEMO:
        return None if kind is DatabaseKind.DEMO else NOT_MARKED
    if kind is DatabaseKind.DEMO:
        return IS_DEMO
    # Signs may not read whose passwords there are; web and workers, who may, do not start.
    asks = kind is not DatabaseKind.EMPTY and settings.PROCESS != rights.SIGNS
    found = public_secrets() if asks else []
    return SECRETS_FOUND.format(found=", ".join(secret.label for secret in found)) if found else None


def guard_server() -> None:
    """Called once when a web server, a worker or beat starts: ends the process where it must not serve."""
    if not (settings.SECRET_KEY_GIVEN or (settings.HELD_KEYS and settings.PROCESS in keys.HELD_BY)):
        _end(EX_CONFIG, KEY_MISSING)
    # In a thread of its own: a web server loads the application inside its event loop, where Django bars queries.
    with ThreadPoolExecutor(max_workers=1) as pool:
        try:
            reason = pool.submit(_ask).result()
        except Error as error:
            _end(1, f"The database cannot be asked whether it is a demo: {' '.join(str(error).split())}")
    if reason is not None:
        _end(EX_CONFIG, reason)


def _ask() -> str | None:
    try:
        reason = refusal()
        for fault in logins.faults() if reason is None else ():
            logger.warning("parts_are_not_apart", fault=fault)
        return reason
    finally:
        connection.close()
        if settings.DATABASE_POOL:  # workers fork from here: the pool is opened anew after it
            connection.close_pool()  # type: ignore[attr-defined]


def _end(code: int, sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
    raise SystemExit(code)
