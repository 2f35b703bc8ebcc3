"""What the floor hands to `manage.py verify` of rounds that people ended: each is on record with who asked for it, and
nothing was told by Potline's clock without such a record."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.verify.verify import Fault, Span, register
from people.audit import audit
from people.models import AuditRecord
from tables.door.messages import OWN_CLOCK
from tables.models import RoundEnding, TableEvent


@register(
    "tables.endings", "Rounds that people ended are on record, and nothing else was told for a terminal"
)
def endings_recorded(span: Span) -> Iterator[Fault]:
    for ending in RoundEnding.objects.filter(**span.of()).select_related("round__table"):
        where = f"end of round {ending.round_id}"
        record = AuditRecord.objects.filter(
            action="tables.round_ended", subject=audit.label_of(ending.round)
        ).first()
        if record is None or record.details.get("asked_by") != audit.name_of(ending.asked_by):
            yield Fault(where, "the audit trail does not know that this person asked for it")
        elif record.details.get("rule") != ending.rule:
            yield Fault(where, f"it is by {ending.rule}, and was asked for by {record.details.get('rule')}")
    told = TableEvent.objects.filter(**span.of(), clock=OWN_CLOCK).exclude(round__ending__isnull=False)
    for event in told.order_by("id"):
        yield Fault(
            f"terminal event {event.pk}", "it was told by Potline's clock, and nobody has ended its round"
        )
