"""The hallmark of a log-in, by a key that is not in the database: of whose it is, since when, when it was last used,
and when password and code were last given. One that does not hold opens nothing (people.log_ins.sessions)."""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

from django.db import connection, transaction

from config.kit import keys
from config.kit.canonical_json import canonical_json
from people.models import LogIn

_SIGNED = ("began_at", "last_used_at", "proved_at", "second_factor_at")
_NEXT = "SELECT nextval(pg_get_serial_sequence('people_login', 'id'))"


def create(**given: Any) -> LogIn:
    row = LogIn(**given)
    with connection.cursor() as cursor:
        cursor.execute(_NEXT)
        (row.pk,) = cursor.fetchone()
    sign(row)
    row.save(force_insert=True)
    return row


def sign(row: LogIn) -> None:
    """Not saved yet."""
    row.hallmark = keys.hallmark(keys.LOG_INS, _content(row))


@transaction.atomic
def save(row: LogIn, **changes: datetime) -> None:
    """Changes these of a log-in that is under way and holds; two requests of a person do it one after another."""
    found = LogIn.objects.select_for_update(no_key=True).get(pk=row.pk)
    if found.ended_at is not None or not is_genuine(found):
        return
    for name, value in changes.items():
        setattr(found, name, value)
        setattr(row, name, value)
    sign(found)
    row.hallmark = found.hallmark
    found.save(update_fields=[*changes, "hallmark"])


def is_genuine(row: LogIn) -> bool:
    """Whether a process of Potline left it as it is. One from before hallmarks is over: the person logs in again."""
    return row.hallmark is not None and keys.is_signed(keys.LOG_INS, _content(row), row.hallmark)


def _content(row: LogIn) -> bytes:
    times = [_time(getattr(row, name)) for name in _SIGNED]
    ip = None if row.ip is None else str(ip_address(row.ip))
    return canonical_json([row.pk, row.person_id, *times, ip, row.browser]).encode()


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.astimezone(UTC).isoformat()
