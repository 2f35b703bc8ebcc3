"""A linked table that is no longer heard holds up the wins of its progressive. Two people may stop waiting for it.

Nobody can vouch alone for a silent table: a round with a better hand may still lie in its terminal.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from config.refusals import NOT_NOW, Refused
from config.wake_ups import ring
from jackpots import event_log
from jackpots.models import TableLog
from jackpots.tasks import fold_progressive
from people import access, approvals, audit
from people.models import ApprovalRequest, Role, User
from tables.models import Table

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)


def silent_log(table: Table) -> TableLog | None:
    """The table's log, if it may take part in a jackpot and its lease has run out."""
    table_log = table.table_log
    lease = table_log.lease_until
    if not table_log.is_open or lease is None or lease > timezone.now():
        return None
    return table_log


def payload(table: Table, table_log: TableLog) -> dict[str, Any]:
    """Exactly what the second person approves: if anything was heard meanwhile, it is another silence."""
    watermark = table_log.watermark.isoformat() if table_log.watermark else ""
    return {
        "table": table.code,
        "progressives": sorted(progressive.code for progressive in table.progressives),
        "last_event": table_log.last_number,
        "heard_until": watermark,
    }


@transaction.atomic
def request_stop(table_id: int, actor: User, reason: str) -> ApprovalRequest:
    """One person asks; when another approves, it is done."""
    table = _locked(Table.objects.filter(pk=table_id))
    access.require(actor, STAFF, table.premises)
    table_log = silent_log(table)
    if table_log is None:
        raise Refused(
            "not_silent", f"{table} is heard, or holds up no jackpot: nothing to do.", status=NOT_NOW
        )
    asked = waiting_request(table)
    if asked is not None:
        text = f"{asked.requested_by} has asked for it already: another person must approve it."
        raise Refused("already_asked", text, status=NOT_NOW)
    return approvals.request_approval(
        actor, table.premises, STOP_WAITING.name, payload(table, table_log), reason
    )


def _stop_waiting(request: ApprovalRequest) -> None:
    """The table is fenced off its progressives, and wins of other tables go on without it."""
    code = request.payload["table"]
    table = _locked(Table.objects.filter(premises=request.premises, code=code))
    table_log = silent_log(table)
    if table_log is None or payload(table, table_log) != request.payload:
        text = f"{table} was heard meanwhile. Reject this; ask anew if need be."
        raise Refused("heard", text, status=NOT_NOW)
    approver = approvals.decider(request)
    approvals.use_approval(request, STOP_WAITING.name, request.payload, approver)
    event_log.fence(table_log)
    audit.record(
        approver,
        "tables.table_fenced",
        premises=table.premises,
        subject=table,
        reason=request.reason,
        details=request.payload | {"requested_by": audit.name_of(request.requested_by)},
    )
    for progressive in table.progressives:
        ring(fold_progressive, progressive.pk)


STOP_WAITING = approvals.declare(
    "tables.stop_waiting",
    "Stop waiting for a silent table",
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_stop_waiting,
)


def waiting_request(table: Table) -> ApprovalRequest | None:
    """What was asked about this very silence and is not decided yet."""
    table_log = silent_log(table)
    if table_log is None:
        return None
    requests = ApprovalRequest.objects.filter(
        premises=table.premises,
        action=STOP_WAITING.name,
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    now = payload(table, table_log)
    return next((request for request in requests.order_by("-pk") if request.payload == now), None)


def _locked(tables: QuerySet[Table]) -> Table:
    """With its log: no event and no heartbeat comes in between."""
    table = tables.select_for_update(no_key=True, of=("self",)).select_related("premises", "table_log").get()
    table.table_log = event_log.locked(table.table_log)
    return table
