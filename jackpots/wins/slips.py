"""The numbered slip of a hand pay: made when it is first printed, and REPRINT on every copy after that."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max

from config.kit import turns
from config.kit.refusals import NOT_NOW, Refused
from jackpots.models import Slip, Win
from jackpots.wins.hand_pay import STAFF
from people import access
from people.audit import audit
from people.models import User
from rules.money import format_money


@transaction.atomic
def print_slip(win_id: int, actor: User) -> Slip:
    """Numbers have no gaps in a premises: whoever prints waits for who prints just now."""
    win = Win.objects.select_for_update(of=("self",)).select_related("table_log__premises").get(pk=win_id)
    premises = win.table_log.premises
    access.require(actor, STAFF, premises)
    if win.state not in (Win.State.APPROVED, Win.State.PAID):
        text = f"This win is {win.state}: a slip is printed once it is approved."
        raise Refused("not_approved", text, status=NOT_NOW)
    last = win.slips.order_by("-copy").first()
    if last is None:
        turns.take(f"jackpots.slip:{premises.pk}")
        newest = Slip.objects.filter(premises=premises).aggregate(number=Max("number"))["number"] or 0
        slip = Slip.objects.create(win=win, premises=premises, number=newest + 1, copy=0, printed_by=actor)
    else:
        slip = Slip.objects.create(
            win=win, premises=premises, number=last.number, copy=last.copy + 1, printed_by=actor
        )
    slip.refresh_from_db()
    audit.record(
        actor,
        "jackpots.slip_printed",
        premises=premises,
        subject=win,
        details={"slip": str(slip), "copy": slip.copy},
    )
    return slip


def document(slip: Slip) -> dict[str, Any]:
    """What stands on it."""
    win = slip.win
    approval = win.approval
    return {
        "number": str(slip),
        "reprint": slip.copy > 0,
        "copy": slip.copy,
        "printed_at": slip.at.isoformat(),
        "printed_by": slip.printed_by.name,
        "premises": slip.premises.name,
        "currency": slip.premises.currency,
        "table": win.table_log.table_code,
        "round": win.round_id,
        "seat": win.seat,
        "hand": win.trigger,
        "cards": win.cards,
        "progressive": win.progressive.name,
        "level": win.level,
        "rule": win.rule,
        "amount": format_money(win.amount_micros),
        "state": win.state,
        "paid": None if win.paid_micros is None else format_money(win.paid_micros),
        "method": win.get_method_display() if win.method else None,
        "parts": {name: format_money(micros) for name, micros in (win.parts or {}).items()},
        "verified_by": win.verified_by.name if win.verified_by else None,
        "approved_by": approval.decided_by.name if approval and approval.decided_by else None,
        "paid_by": win.paid_by.name if win.paid_by else None,
        "win": win.pk,
        "adjustment": win.adjustment_id,
    }
