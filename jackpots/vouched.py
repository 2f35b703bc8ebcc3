"""How far a table has vouched, signed: the hallmark of a table's log, by a key that is not in the database.

What others may take as final follows from a table's watermark, which its terminal alone can move. A process of the
house signs it with each change. One that does not hold was moved by somebody else: the fold waits (`jackpots.folding`),
`manage.py verify` names the table, and no later request makes it good; only opening the table anew does.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from django.db import transaction

from config import keys
from config.canonical_json import canonical_json
from jackpots.models import TableLog

SIGNED = ("watermark", "is_open", "left_out_at", "returned_at", "lease_until")
"""The columns that the hallmark is of; a trigger asks for a new one with each change."""
NONE_OF_OURS = "?"
"""Begins what stands in the place of a hallmark where the one before it did not hold."""


def is_genuine(table_log: TableLog) -> bool:
    """Whether the row is as a process of the house left it. One from before hallmarks has none, until it changes."""
    if table_log.hallmark is None:
        return True
    return keys.is_signed(keys.WATERMARKS, _content(table_log), table_log.hallmark)


def check(table_log: TableLog) -> TableLog:
    """Of a row that was just read under its lock: what does not hold now is not signed by what follows."""
    if not is_genuine(table_log):
        table_log.hallmark = NONE_OF_OURS
    return table_log


def save(table_log: TableLog, *more: str) -> None:
    """The signed columns and `more`."""
    renew(table_log)
    table_log.save(update_fields=[*SIGNED, "hallmark", *more])


def renew(table_log: TableLog) -> None:
    """The hallmark of what is about to be stored; none of ours where the one before it did not hold."""
    if (table_log.hallmark or "").startswith(NONE_OF_OURS):
        table_log.hallmark = NONE_OF_OURS + secrets.token_hex(16)
    else:
        sign(table_log)


def sign(table_log: TableLog) -> None:
    """Not saved yet."""
    table_log.hallmark = keys.hallmark(keys.WATERMARKS, _content(table_log))


@keys.on_renewal
def sign_all() -> str:
    """By the key in use, each that holds now; the others stay as they are."""
    signed = 0
    for pk in TableLog.objects.filter(hallmark__isnull=False).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            table_log = TableLog.objects.select_for_update(no_key=True).get(pk=pk)
            if is_genuine(table_log):
                save(table_log)
                signed += 1
    return f"{signed} watermarks of tables are signed by the key in use."


def _content(table_log: TableLog) -> bytes:
    return canonical_json([table_log.pk, *(_value(getattr(table_log, name)) for name in SIGNED)]).encode()


def _value(value: datetime | bool | None) -> str | bool | None:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
