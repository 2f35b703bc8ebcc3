"""Putting right what somebody wrote past Potline's own programs, and what stops people until it is gone: a verb for
the tables' owner, on record. Rooms register what they look for (`register`); `manage.py put_right` lists and mends it.

What the roles of web, workers and signs can write at all is refused or bounded by the database; this is for what a
superuser did, or what an earlier version let through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, models, transaction

from ledger.models import Seal
from ledger.seals.epochs import expect_owner
from ledger.verify import seals
from people.audit import audit


@dataclass(frozen=True)
class Wrong:
    """One thing that cannot be so: the row, what is wrong, and how it is mended."""

    where: str
    what: str
    mend: Callable[[], str]
    """Done in a transaction as the tables' owner; says what was done."""


Look = Callable[[], Iterator[Wrong]]
_looks: list[Look] = []


def register(look: Look) -> Look:
    """Decorates what a room looks for. Called at start."""
    _looks.append(look)
    return look


def found() -> list[Wrong]:
    return [wrong for look in _looks for wrong in look()]


def mend(wrong: Wrong, reason: str) -> str:
    """Whole or not at all, and on the audit trail."""
    with transaction.atomic():
        expect_owner()
        done = wrong.mend()
        audit.record(
            "put_right",
            "ledger.put_right",
            subject=wrong.where,
            reason=reason,
            details={"wrong": wrong.what, "done": done},
        )
    return done


@contextmanager
def without_triggers(model: type[models.Model], *names: str) -> Iterator[None]:
    """Those that refuse what is to be done; only the tables' owner may. All others stay."""
    table = connection.ops.quote_name(model._meta.db_table)
    triggers = {trigger.name: trigger.get_pgid(model) for trigger in model._meta.triggers}  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what waits for the end would be in the way
        for name in names:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {triggers[name]}")
        yield  # where it raises, the transaction takes the rest back
        for name in names:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER {triggers[name]}")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


@register
def seals_ahead() -> Iterator[Wrong]:
    """Seals of transactions that are still to come: nothing can be written below them. In a restored copy rows have
    such stamps as well; that one is adopted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT potline_stamp(pg_snapshot_xmax(pg_current_snapshot()))")
        (end,) = cursor.fetchone()
    ahead = list(Seal.objects.filter(below_xact__gt=end).order_by("number").values_list("number", flat=True))
    if not ahead or seals.count_from(end):
        return

    def remove() -> str:
        with without_triggers(Seal, "seal_no_delete"):
            Seal.objects.filter(number__gte=ahead[0]).delete()
        return f"seals from {ahead[0]} to {ahead[-1]} are gone; the next one follows from seal {ahead[0] - 1}"

    yield Wrong(
        f"ledger.seal:{ahead[0]}",
        "it covers transactions that are still to come, so nothing can be written",
        remove,
    )
