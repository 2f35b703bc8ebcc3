"""A linked table that is no longer heard holds up the wins of its progressive. Two people may stop waiting for it.

Nobody can vouch alone for a silent table: a round with a better hand may still lie in its terminal.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
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
STOP_WAITING = approvals.declare(
    "tables.stop_waiting",
    "Stop waiting for a silent table",
    request_roles=STAFF,
    approve_roles=STAFF,
)


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
    """One person asks; another approves; then `stop_waiting` does it."""
    table, link = _silent(table_id, actor)
    asked = waiting_request(table)
    if asked is not None:
        text = f"{asked.requested_by} has asked for it already: another person must approve it."
        raise Refused("already_asked", text, status=409)
    return approvals.request_approval(
        actor, table.premises, STOP_WAITING.name, payload(table, link), reason, ip=ip
    )


@transaction.atomic
def stop_waiting(table_id: int, actor: User, *, ip: str | None = None) -> LinkedTable:
    """Uses the approval: the table is fenced off its progressive, and wins of other tables go on without it."""
    table, link = _silent(table_id, actor)
    request = waiting_request(table)
    if request is None:
        text = f"Nobody has asked to stop waiting for {table} as it now stands: ask first."
        raise Refused("not_asked", text, status=409)
    approvals.use_approval(request, STOP_WAITING.name, payload(table, link), ip=ip)
    link = jackpot_log.fence(link)
    audit.record(
        actor,
        "tables.table_fenced",
        premises=table.premises,
        subject=table,
        reason=request.reason,
        ip=ip,
        details=request.payload,
    )
    ring(fold_progressive, link.progressive_id)
    return link


def waiting_request(table: Table) -> ApprovalRequest | None:
    """What was asked, and perhaps approved, about this very silence."""
    link = silent_link(table)
    if link is None:
        return None
    requests = ApprovalRequest.objects.filter(
        premises=table.premises,
        action=STOP_WAITING.name,
        state__in=[ApprovalRequest.State.REQUESTED, ApprovalRequest.State.APPROVED],
        expires_at__gt=Now(),
    )
    now = payload(table, link)
    return next((request for request in requests.order_by("-pk") if request.payload == now), None)


def _silent(table_id: int, actor: User) -> tuple[Table, LinkedTable]:
    tables = Table.objects.select_for_update(no_key=True, of=("self",))
    table = tables.select_related("premises", "link__progressive").get(pk=table_id)
    access.require(actor, STAFF, table.premises)
    if table.link is not None:
        table.link = jackpot_log.locked(table.link)
    link = silent_link(table)
    if link is None:
        raise Refused("not_silent", f"{table} is heard, or holds up no jackpot: nothing to do.", status=409)
    return table, link
