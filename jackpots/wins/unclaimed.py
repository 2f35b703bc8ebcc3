"""Wins that nobody comes for: set aside by two people after some days, claimed after all, or expired."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.moments import MOMENT, told
from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import adjusting, ledger_entries
from jackpots.models import Win
from jackpots.order import server_clock
from jackpots.wins import advances, hand_pay_rules
from jackpots.wins.hand_pay import CHANGES, STAFF, locked
from ledger.books.journal import post_many
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules.money import format_money

WHO = (Role.JACKPOT_MANAGER, Role.FINANCE)
ACTIONS = {"set-aside": "set aside", "expire": "expired"}


@transaction.atomic
def request_step(win_id: int, actor: User, step: str, reason: str) -> ApprovalRequest:
    """One person asks that a win be set aside, or that one that was expire; another approves it."""
    win = locked(win_id)
    access.require(actor, WHO, win.progressive.host)
    proof.demand(actor, "rule")
    _refuse(win, step)
    return approvals.request_approval(actor, win.progressive.host, STEP.name, _payload(win, step), reason)


def _payload(win: Win, step: str) -> dict[str, Any]:
    return {
        "win": win.pk,
        "step": step,
        "table": win.table_log.table_code,
        "seat": win.seat,
        "hand": win.trigger,
        "amount": format_money(win.amount_micros),
    }


def _refuse(win: Win, step: str) -> None:
    if step not in ACTIONS:
        raise Refused("unknown_step", f"One of {', '.join(ACTIONS)}, not {step!r}.")
    adjusting.refuse_pending(win.progressive)
    advances.refuse_advanced(win)
    rules = hand_pay_rules.in_force(win.progressive.host)
    days = rules.unclaimed_days if step == "set-aside" else rules.expiry_days
    may = Win.OPEN if step == "set-aside" else (Win.State.UNCLAIMED,)
    if win.state not in may:
        raise Refused(
            "wrong_state", f"This win is {win.state}; it cannot be {ACTIONS[step]}.", status=NOT_NOW
        )
    due = win.place + timedelta(days=days)
    if due > server_clock.read().now:
        begins = told(due, win.table_log.premises, MOMENT)
        text = f"It may be {ACTIONS[step]} {days} days after it was won, from {begins} on."
        raise Refused("too_early", text, status=NOT_NOW)


def _step(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    win = locked(given["win"])
    _refuse(win, given["step"])
    approvals.use_approval(request, STEP.name, _payload(win, given["step"]), approver)
    set_aside = given["step"] == "set-aside"
    win.state = Win.State.UNCLAIMED if set_aside else Win.State.EXPIRED
    win.save(update_fields=["state"])
    kind = ledger_entries.UNCLAIMED if set_aside else ledger_entries.EXPIRED
    post_many([ledger_entries.unclaimed_entry(win, kind, request.pk, request.decided_at or timezone.now())])
    audit.record(
        approver,
        "jackpots.win_set_aside" if set_aside else "jackpots.win_expired",
        premises=win.progressive.host,
        subject=win,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )


STEP = approvals.declare(
    "jackpots.unclaimed",
    gettext_noop("Set a jackpot win aside"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_step,
)


@transaction.atomic
def claim(win_id: int, actor: User, reason: str) -> Win:
    """The winner has come after all: it is owed again, and walked to paid from the first step on."""
    win = locked(win_id)
    access.require(actor, STAFF, win.table_log.premises)
    adjusting.refuse_pending(win.progressive)
    if win.state != Win.State.UNCLAIMED:
        raise Refused("wrong_state", f"This win is {win.state}, not set aside.", status=NOT_NOW)
    win.state, win.verified_by, win.verified_at, win.approval = Win.State.PENDING, None, None, None
    win.verification = {}
    win.save(update_fields=CHANGES)
    record = audit.record(
        actor, "jackpots.win_claimed", premises=win.table_log.premises, subject=win, reason=reason
    )
    entry = ledger_entries.unclaimed_entry(win, ledger_entries.CLAIMED, record.pk, timezone.now())
    post_many([entry])
    return win
