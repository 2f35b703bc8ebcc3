"""Django's database backend for PostgreSQL, with a check of a session that costs no round trip.

Before a request or a job uses a session again, Django (and its pool) sends a statement to see whether the server is
still there. A server that ends a session, restarts or dies closes its side, which the socket tells: only where
something waits to be read there is it worth asking.
"""

from __future__ import annotations

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool


def has_news(session: psycopg.Connection[Any]) -> bool:
    """Something came that nobody asked for: the end of the session, in nearly all cases."""
    if session.closed:
        return True
    poll = select.poll()
    poll.register(session.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def check(session: psycopg.Connection[Any]) -> None:
    """For a pool: raises where the session is not to be used any more."""
    if has_news(session):
        ConnectionPool.check_connection(session)


class DatabaseWrapper(base.DatabaseWrapper):
    @property
    def pool(self) -> Any:
        found = super().pool
        if found is not None and found._check is not None:
            found._check = check
        return found

    def is_usable(self) -> bool:
        session = self.connection
        if session is None or self.errors_occurred or has_news(session):
            return bool(super().is_usable())
        return bool(session.info.transaction_status != TransactionStatus.INERROR)
