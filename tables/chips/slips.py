"""Printing the slip of an opener, fill, credit, closer or drop: REPRINT on every copy after the first."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from config.kit.refusals import NOT_NOW, Refused
from people import access
from people.audit import audit
from people.models import ApprovalRequest, User
from tables.chips import chips
from tables.chips.denominations import lines
from tables.models import ChipSlip, SlipPrint

State = ApprovalRequest.State


@transaction.atomic
def print_slip(slip_id: int, actor: User) -> SlipPrint:
    """One more print, on record. It goes with the chips, so it is printed before they are booked as well."""
    # Rows that are only added cannot be locked by the application's role: its table's row stands for them.
    slip = (
        ChipSlip.objects.select_for_update(of=("table",), no_key=True)
        .select_related("table__premises", "approval__requested_by", "approval__decided_by")
        .get(pk=slip_id)
    )
    access.require(actor, chips.ANY_OF, slip.table.premises)
    if slip.approval.state not in (State.REQUESTED, State.USED):
        text = f"Slip {slip.number} was {slip.approval.state}: it moves nothing, and is not printed."
        raise Refused("not_approved", text, status=NOT_NOW)
    made = SlipPrint.objects.create(slip=slip, copy=slip.prints.count(), printed_by=actor)
    made.refresh_from_db(fields=["at"])
    audit.record(
        actor,
        "tables.slip_printed",
        premises=slip.table.premises,
        subject=slip.table,
        details={"slip": slip.number, "copy": made.copy},
    )
    return made


def document(made: SlipPrint) -> dict[str, Any]:
    """What stands on it."""
    slip = made.slip
    asked, content = slip.approval, slip.approval.payload
    return {
        "number": slip.number,
        "reprint": made.copy > 0,
        "copy": made.copy,
        "printed_at": made.at.isoformat(),
        "printed_by": made.printed_by.name,
        "premises": slip.table.premises.name,
        "currency": slip.table.premises.currency,
        "table": slip.table.code,
        "kind": content["kind"],
        "day": content["day"],
        "denominations": lines(content.get("denominations", "")),
        "amount": content["amount"],
        "promotional": content.get("promotional"),
        "entered_by": asked.requested_by.name,
        "approved_by": asked.decided_by.name if asked.decided_by else None,
        "booked": asked.state == State.USED,
    }
