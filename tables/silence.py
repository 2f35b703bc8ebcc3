"""A linked table that is no longer heard holds up the wins of its progressive. Two people may stop waiting for it.

Nobody can vouch alone for a silent table: a round with a better hand may still lie in its terminal.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from config.celery import ring
from jackpots import log as jackpot_log
from jackpots.models import LinkedTable
from jackpots.tasks import fold_progressive
from people import access, approvals, audit
from people.models import ApprovalRequest, Role, User
from tables.errors import Refused
from tables.models import Table

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)


def silent_link(table: Table) -> LinkedTable | None:
    """The table's link, if it may take part in a jackpot and its lease has run out."""
    link = table.link
    if link is None or not link.is_open or link.lease_until is None or link.lease_until > timezone.now():
        return None
    return link


def payload(table: Table, link: LinkedTable) -> dict[str, Any]:
    """Exactly what the second person approves: if anything was heard meanwhile, it is another silence."""
    watermark = link.watermark.isoformat() if link.watermark else ""
    return {
        "table": table.code,
        "progressive": link.progressive.code,
        "last_event": link.last_number,
        "heard_until": watermark,
    }


@transaction.atomic
def request_stop(table_id: int, actor: User, reason: str, *, ip: str | None = None) -> ApprovalRequest:
    """One person asks; when another approves, it is done."""
    table = _locked(Table.objects.filter(pk=table_id))
    access.require(actor, STAFF, table.premises)
    link = silent_link(table)
    if link is None:
        raise Refused("not_silent", f"{table} is heard, or holds up no jackpot: nothing to do.", status=409)
    asked = waiting_request(table)
    if asked is not None:
        text = f"{asked.requested_by} has asked for it already: another person must approve it."
        raise Refused("already_asked", text, status=409)
    return approvals.request_approval(
        actor, table.premises, STOP_WAITING.name, payload(table, link), reason, ip=ip
    )


def _stop_waiting(request: ApprovalRequest, ip: str | None) -> None:
    """The table is fenced off its progressive, and wins of other tables go on without it."""
    code = request.payload["table"]
    table = _locked(Table.objects.filter(premises=request.premises, code=code))
    link = silent_link(table)
    if link is None or payload(table, link) != request.payload:
        raise approvals.ApprovalRefused(
            "heard", f"{table} was heard meanwhile. Reject this; ask anew if need be."
        )
    approvals.use_approval(request, STOP_WAITING.name, request.payload, ip=ip)
    jackpot_log.fence(link)
    audit.record(
        request.requested_by,
        "tables.table_fenced",
        premises=table.premises,
        subject=table,
        reason=request.reason,
        ip=ip,
        details=request.payload,
    )
    ring(fold_progressive, link.progressive_id)


STOP_WAITING = approvals.declare(
    "tables.stop_waiting",
    "Stop waiting for a silent table",
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_stop_waiting,
)


def waiting_request(table: Table) -> ApprovalRequest | None:
    """What was asked about this very silence and is not decided yet."""
    link = silent_link(table)
    if link is None:
        return None
    requests = ApprovalRequest.objects.filter(
        premises=table.premises,
        action=STOP_WAITING.name,
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    now = payload(table, link)
    return next((request for request in requests.order_by("-pk") if request.payload == now), None)


def _locked(tables: QuerySet[Table]) -> Table:
    """With its link: no event and no heartbeat comes in between."""
    table = (
        tables.select_for_update(no_key=True, of=("self",))
        .select_related("premises", "link__progressive")
        .get()
    )
    if table.link is not None:
        table.link = jackpot_log.locked(table.link)
    return table
