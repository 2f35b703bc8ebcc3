"""A table's sittings by gaming day: from its opening to its close, by whom. Read from the audit trail, which is where
opening and closing are on record; nothing is stored here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime

from ledger.queries import span_of_day
from people.audit import audit
from people.models import AuditRecord, Premises
from tables.models import Table

OPENED = "tables.table_opened"
CLOSED = ("tables.table_closed", "tables.goodbye")


@dataclass(frozen=True)
class Sitting:
    opened_at: datetime
    opened_by: str
    closed_at: datetime | None = None
    closed_by: str = ""


def sittings(premises: Premises, day: date, tables: Iterable[Table]) -> dict[int, list[Sitting]]:
    """By table: those that lie in the gaming day or reach into it, in order."""
    begins, ends = span_of_day(premises, day)
    owners = {audit.label_of(table): table.pk for table in tables}
    records = AuditRecord.objects.filter(
        premises=premises, subject__in=owners, action__in=(OPENED, *CLOSED)
    ).order_by("subject", "-at", "-id")
    before = records.filter(at__lt=begins).distinct("subject")
    within = records.filter(at__gte=begins, at__lt=ends)
    found: dict[int, list[Sitting]] = {}
    for record in sorted([*before, *within], key=lambda record: (record.at, record.pk)):
        of = found.setdefault(owners[record.subject], [])
        if record.action == OPENED:
            of.append(Sitting(record.at, record.actor_label))
        elif of and of[-1].closed_at is None:
            of[-1] = replace(of[-1], closed_at=record.at, closed_by=record.actor_label)
    return found
