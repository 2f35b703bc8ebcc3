"""One snapshot for many reads: exports and verification see the books of a single moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from config.kit.database import time_limits


@contextmanager
def snapshot() -> Iterator[None]:
    """A read-only REPEATABLE READ transaction. Inside another transaction it is that one's, at its own level."""
    outermost = not connection.in_atomic_block
    with time_limits("report"), transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
