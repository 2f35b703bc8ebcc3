"""How far a table has vouched and counted, signed: the hallmark of a table's log, by a key that is not in the database.

What others may take as final follows from a table's watermark, which its terminal alone can move; where its next lock
stands, from its last place and what is known of its clocks. A process of Potline signs all of it with each change.
One that does not hold was moved by somebody else: the fold waits (`jackpots.fold.folding`), `manage.py verify` names
the table, and no later request makes it good; only opening the table anew does.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.kit import keys
from config.kit.canonical_json import canonical_json_of_plain
from jackpots.models import Event, ServerClock, Share, TableLog
from jackpots.models.log import COUNTED, SIGNED, VOUCHED

NEWEST = 500
"""Among so many of a table's last events its last place is found: a hit may be told after later stakes."""
LONGEST_LEASE = timedelta(minutes=1)
NONE_OF_OURS = "?"
"""Begins what stands in the place of a hallmark where the one before it did not hold."""


def is_genuine(table_log: TableLog) -> bool:
    """Whether the row is as a process of Potline left it. One from before hallmarks has none, until it changes; the
    first ones were of how far it has vouched alone, and hold until they are renewed: no change keeps its hallmark."""
    if table_log.hallmark is None:
        return True
    return any(
        keys.is_signed(keys.WATERMARKS, _content(table_log, columns), table_log.hallmark)
        for columns in (SIGNED, VOUCHED)
    )


def floor() -> datetime | None:
    """The greatest time at which any table was heard: the order's time is never before it. What none of our processes
    has written does not count, however late it says it is."""
    for table_log in TableLog.objects.filter(heard_at__isnull=False).order_by("-heard_at").iterator(50):
        hallmark = table_log.hallmark
        if hallmark and keys.is_signed(keys.WATERMARKS, _content(table_log, SIGNED), hallmark):
            return table_log.heard_at
    return None


def check(table_log: TableLog) -> TableLog:
    """Of a row that was just read under its lock: what does not hold now is not signed by what follows, and nothing is
    built on it."""
    if not is_genuine(table_log):
        table_log.hallmark = NONE_OF_OURS
        _derive(table_log)
    return table_log


def _derive(table_log: TableLog) -> None:
    """Counts and places by the log's own rows, times not beyond now, clocks not known: so its table plays on, and
    what it tells stands where it can be. People open it anew meanwhile."""
    newest = list(Event.objects.filter(table_log=table_log).order_by("-number")[:NEWEST])
    places = Share.objects.filter(event__in=[event.pk for event in newest])
    waiting = list(table_log.undecided.all())
    locks = [row.locked.place for row in waiting]
    table_log.last_number = newest[0].number if newest else 0
    table_log.last_place = max([*places.values_list("place", flat=True), *locks], default=None)
    rounds = [event.round_id for event in newest] + [row.round_id for row in waiting]
    table_log.last_round = max(rounds, default=0)
    table_log.clocks = {}
    line = ServerClock.objects.first()
    now = timezone.now() + timedelta(microseconds=(line and line.offset_us) or 0)
    for name in ("watermark", "heard_at", "returned_at", "lease_until"):
        at = getattr(table_log, name)
        setattr(
            table_log, name, None if at is None else min(at, now + LONGEST_LEASE * (name == "lease_until"))
        )


def save(table_log: TableLog, columns: Sequence[str] = VOUCHED) -> None:
    """These of the signed columns, which are all that was changed."""
    renew(table_log)
    table_log.save(update_fields=[*columns, "hallmark"])


def renew(table_log: TableLog) -> None:
    """The hallmark of what is about to be stored; none of ours where the one before it did not hold."""
    if (table_log.hallmark or "").startswith(NONE_OF_OURS):
        table_log.hallmark = NONE_OF_OURS + secrets.token_hex(16)
    else:
        sign(table_log)


def sign(table_log: TableLog) -> None:
    """Not saved yet."""
    table_log.hallmark = keys.hallmark(keys.WATERMARKS, _content(table_log, SIGNED))


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


def _content(table_log: TableLog, columns: Sequence[str]) -> bytes:
    """All of it is plain: times as text, numbers, and the clocks as they stand in the column."""
    values = [_value(getattr(table_log, name)) for name in columns]
    return canonical_json_of_plain([table_log.pk, *values]).encode()


def _value(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


__all__ = [
    "COUNTED",
    "SIGNED",
    "VOUCHED",
    "check",
    "floor",
    "is_genuine",
    "renew",
    "save",
    "sign",
    "sign_all",
]
