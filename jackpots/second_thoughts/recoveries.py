"""What was paid and is not due, to be recovered from its winner: what is open, and settling it. Money that has come
back is put into the cage, or two people write the rest off; either way one asks and another approves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.fold import adjusting, ledger_entries
from jackpots.models import Overpaid, Recovery, Win
from jackpots.wins.hand_pay import locked
from ledger.books.journal import post_many
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules.money import format_money, say

WHO = (Role.JACKPOT_MANAGER, Role.FINANCE)


@dataclass(frozen=True)
class RecoveryStanding:
    """How a win stands with its winner."""

    too_much_micros: int
    recovered_micros: int
    written_off_micros: int

    @property
    def open_micros(self) -> int:
        return self.too_much_micros - self.recovered_micros - self.written_off_micros


def standing(win: Win) -> RecoveryStanding:
    by_kind = dict(win.recoveries.order_by().values_list("kind").annotate(Sum("amount_micros")))
    asked = win.overpaid.filter(borne=Overpaid.Borne.RECOVERABLE)
    return RecoveryStanding(
        asked.aggregate(total=Sum("amount_micros"))["total"] or 0,
        by_kind.get(Recovery.Kind.RECOVERED, 0),
        by_kind.get(Recovery.Kind.WRITTEN_OFF, 0),
    )


def with_recoverable(wins: QuerySet[Win]) -> QuerySet[Win]:
    """Wins of which something was to be recovered, each with what of it is open: `open_micros`, `too_much_micros`."""
    asked = Overpaid.objects.filter(win=OuterRef("pk"), borne=Overpaid.Borne.RECOVERABLE)
    settled = Recovery.objects.filter(win=OuterRef("pk"))
    found = wins.annotate(too_much_micros=_total(asked), settled_micros=_total(settled))
    found = found.annotate(open_micros=Coalesce("too_much_micros", 0) - Coalesce("settled_micros", 0))
    return found.filter(overpaid__borne=Overpaid.Borne.RECOVERABLE).distinct()


def _total(rows: QuerySet[Any]) -> Subquery:
    return Subquery(rows.order_by().values("win").annotate(total=Sum("amount_micros")).values("total"))


@transaction.atomic
def request_settlement(
    win_id: int, actor: User, *, kind: str, amount: int, method: str, reason: str
) -> ApprovalRequest:
    """One person of the host says that money has come back, or that none will; another approves it."""
    win = locked(win_id)
    access.require(actor, WHO, win.progressive.host)
    proof.demand(actor, "rule")
    document = _payload(win, kind, amount, method)
    return approvals.request_approval(actor, win.progressive.host, SETTLE.name, document, reason)


def _payload(win: Win, kind: str, amount_micros: int, method: str) -> dict[str, Any]:
    """Exactly what the second person approves."""
    adjusting.refuse_pending(win.progressive)
    if kind not in Recovery.Kind.values:
        raise wrong("kind", f"One of {', '.join(Recovery.Kind.values)}, not {kind!r}.")
    if (kind == Recovery.Kind.RECOVERED) != bool(method):
        raise wrong("method", "Say in what the money came back; what is written off came in nothing.")
    is_open = standing(win).open_micros
    if not is_open:
        raise Refused("nothing_to_recover", f"Nothing of win {win.pk} is to be recovered.", status=NOT_NOW)
    if not 0 < amount_micros <= is_open:
        raise wrong("amount", f"Above nothing, and no more than is open: {say(is_open)}.")
    return {
        "win": win.pk,
        "progressive": win.progressive.code,
        "level": win.level,
        "table": win.table_log.table_code,
        "seat": win.seat,
        "hand": win.trigger,
        "kind": kind,
        "amount": format_money(amount_micros),
        "amount_micros": amount_micros,
        "method": method,
        "open": format_money(is_open),
    }


def _settle(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    win = locked(given["win"])
    if _payload(win, given["kind"], given["amount_micros"], given["method"]) != given:
        text = "What is open is no longer what it was. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, SETTLE.name, given, approver)
    recovery = Recovery.objects.create(
        win=win,
        kind=given["kind"],
        amount_micros=given["amount_micros"],
        method=given["method"],
        reason=request.reason,
        approval=request,
    )
    post_many([ledger_entries.recovery_entry(recovery, settled_at(recovery))])
    audit.record(
        approver,
        "jackpots.recoverable_settled",
        premises=win.progressive.host,
        subject=recovery,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )


def settled_at(recovery: Recovery) -> datetime:
    return recovery.approval.decided_at or timezone.now()


SETTLE = approvals.declare(
    "jackpots.settle_recoverable",
    gettext_noop("Settle what is to be recovered of a jackpot"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_settle,
)
