"""How long a session may wait in PostgreSQL, by what it works for, and which failures are nobody's fault.

Each kind of process connects with limits of its own: a lock that is not had, a statement that does not end and a
transaction that is left open end after them, so that one stuck row or one stuck process holds up what needs it and
nothing else. Inside a process, `time_limits` raises them for work that is known to take longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.signals import connection_created
from django.dispatch import receiver


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """In milliseconds; 0 is without end."""

    lock_ms: int
    statement_ms: int
    idle_in_transaction_ms: int

    def at_least(self, other: TimeLimits) -> TimeLimits:
        return TimeLimits(
            _longer(self.lock_ms, other.lock_ms),
            _longer(self.statement_ms, other.statement_ms),
            _longer(self.idle_in_transaction_ms, other.idle_in_transaction_ms),
        )

    def as_settings(self) -> dict[str, int]:
        return {
            "lock_timeout": self.lock_ms,
            "statement_timeout": self.statement_ms,
            "idle_in_transaction_session_timeout": self.idle_in_transaction_ms,
        }

    def as_options(self) -> str:
        """For the connection itself, so that they cost no round trip."""
        return " ".join(f"-c {name}={value}" for name, value in self.as_settings().items())


def _longer(one_ms: int, other_ms: int) -> int:
    return 0 if 0 in (one_ms, other_ms) else max(one_ms, other_ms)


# What a session may work for. The workers' wait for a lock lies below the terminals': whoever settles a batch holds the
# rows of several tables, so it must give up before their terminals do; and it comes again by itself.
DEFAULT_LIMITS = {
    "terminal": TimeLimits(2_000, 10_000, 15_000),
    "page": TimeLimits(3_000, 30_000, 30_000),
    "report": TimeLimits(10_000, 120_000, 600_000),
    "worker": TimeLimits(500, 60_000, 30_000),
    "long": TimeLimits(30_000, 0, 3_600_000),
    "command": TimeLimits(0, 0, 0),
}


def limits_named(process: str) -> str:
    """Whose limits a process begins with."""
    return {"web": "terminal", "signs": "page"}.get(process, process)


SESSION, HOLDS_SECRET = "potline ", " with the secret"


def session_name(process: str, *, with_secret: bool) -> str:
    """`application_name` of a part's sessions (config.kit.logins). Web and workers hold the secret; signs should
    not."""
    return f"{SESSION}{process}{HOLDS_SECRET if with_secret and process == 'signs' else ''}"


def read_limits(text: str) -> dict[str, TimeLimits]:
    """`terminal=2/10/15 page=3/30/60`: seconds for a lock, a statement, an idle transaction, over the defaults."""
    found = dict(DEFAULT_LIMITS)
    for item in text.split():
        name, _, given = item.partition("=")
        try:
            lock_ms, statement_ms, idle_ms = (round(float(part) * 1000) for part in given.split("/"))
        except ValueError:
            lock_ms = statement_ms = idle_ms = -1
        if name not in found or min(lock_ms, statement_ms, idle_ms) < 0:
            names = ", ".join(found)
            raise ValueError(
                f"POTLINE_DATABASE_LIMITS: {item!r} is not like terminal=2/10/15 (seconds; names: {names})."
            )
        found[name] = TimeLimits(lock_ms, statement_ms, idle_ms)
    return found


# --- What the session at hand works for -----------------------------------------------------------------------
_limits: ContextVar[TimeLimits | None] = ContextVar("limits", default=None)


def limits_of(name: str) -> TimeLimits:
    found: TimeLimits = settings.DATABASE_LIMITS[name]
    return found


def _of_process() -> TimeLimits:
    return limits_of(limits_named(settings.PROCESS))


def _now() -> TimeLimits:
    return _limits.get() or _of_process()


def work_for(name: str) -> None:
    """From here on in this context (a request's) sessions have these limits."""
    _limits.set(limits_of(name))


@contextmanager
def time_limits(name: str) -> Iterator[None]:
    """Inside, limits are at least those of `name`. Within a transaction they end with it at the latest."""
    before = _now()
    wanted = before.at_least(limits_of(name))
    token = _limits.set(wanted)
    in_transaction = connection.in_atomic_block
    try:
        _set(wanted, local=in_transaction)
        yield
        if in_transaction:
            _set(before, local=True)
    finally:
        _limits.reset(token)
        if not in_transaction:
            with suppress(psycopg.Error):  # a session that cannot be set back is broken, and thrown away
                _set(before, local=False)


def _set(wanted: TimeLimits, *, local: bool) -> None:
    """On the session at hand, if there is one; a new one gets them when it is taken."""
    session: Any = connection.connection
    if session is None or session.closed:
        return
    if local:
        with connection.cursor() as cursor:
            _execute(cursor, wanted, local=True)
    elif getattr(session, "potline_limits", _of_process()) != wanted:
        session.potline_limits = None  # unknown, until it is done
        with session.cursor() as cursor:
            _execute(cursor, wanted, local=False)
        session.potline_limits = wanted


def _execute(cursor: Any, wanted: TimeLimits, *, local: bool) -> None:
    calls = ", ".join(["set_config(%s, %s, %s)"] * 3)
    values = [part for name, ms in wanted.as_settings().items() for part in (name, str(ms), local)]
    cursor.execute(f"SELECT {calls}", values)


@receiver(connection_created)
def _on_taking(connection: Any, **_: Any) -> None:
    """A session from the pool has the limits of whoever had it before: set anew only where they differ."""
    if connection.alias == "default":
        _set(_now(), local=False)


@contextmanager
def lock_timeout(milliseconds: int) -> Iterator[None]:
    """Inside, which is inside of a transaction, a lock is waited for exactly so long."""
    if not connection.in_atomic_block:
        raise RuntimeError("lock_timeout is of a transaction; begin one first.")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('lock_timeout'), set_config('lock_timeout', %s, true)",
            [str(milliseconds)],
        )
        before = cursor.fetchone()[0]
        yield  # where it raises, the transaction or its savepoint takes the setting back
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [before])


# --- Failures -------------------------------------------------------------------------------------------------
_NOT_BY_CHANCE = (psycopg.errors.ProgramLimitExceeded,)
"""Operational errors that come again however often one tries."""


def is_busy(error: BaseException | None) -> bool:
    """Nothing is wrong with the request: a lock was not had in time, the database is away, or too much is going on.
    Nothing of its transaction was written, or it is not known; the same request may be sent again."""
    if isinstance(error, OperationalError | InterfaceError):
        return not isinstance(error.__cause__, _NOT_BY_CHANCE)
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return not isinstance(error, _NOT_BY_CHANCE)
    return BEHIND_SEALS in str(error)


BEHIND_SEALS = "counts transactions from a lower number"
"""What the triggers of `config.kit.triggers.sealed` say where nothing can be written: until a copy is adopted, or a
seal that somebody forged is gone. /readyz says the same."""


def is_lock_timeout(error: BaseException | None) -> bool:
    """Somebody else holds what was asked for, and went on holding it."""
    while error is not None and not isinstance(error, psycopg.errors.LockNotAvailable):
        error = error.__cause__
    return error is not None
