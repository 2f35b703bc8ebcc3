"""What is done one after another: whoever takes a turn has it until the transaction ends.

A turn is a row (`people_turn`), which takes a right. An advisory lock is no guard: every role may take every one.
"""

from __future__ import annotations

from django.db import connection

from config.kit.fastsql.statements import rows_of


def take(name: str) -> None:
    """Waits for whoever has it."""
    _take(name, waits=True)


def try_take(name: str) -> bool:
    """False where somebody has it."""
    return _take(name, waits=False)


def _take(name: str, *, waits: bool) -> bool:
    if not connection.in_atomic_block:
        raise RuntimeError("A turn is of a transaction; begin one first.")
    ((had,),) = rows_of("SELECT potline_take_turn(%s, %s)", [name, waits])
    return bool(had)
