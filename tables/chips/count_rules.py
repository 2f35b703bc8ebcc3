"""What a premises asks of its counts: from which gaming day on tables must be counted, and above which variance it is
explained. Changed by two people, never for a day that is closed."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, wrong
from ledger.queries import today
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.money import CENT, format_money, parse_money
from tables.models import CountRules

ASK = frozenset({Role.FINANCE, Role.SUPERVISOR})


def in_force(premises: Premises, day: date) -> CountRules | None:
    """None: tables need not be counted yet."""
    found = CountRules.objects.filter(premises=premises, from_day__lte=day)
    return found.order_by("from_day", "pk").last()


@transaction.atomic
def request_rules(
    premises: Premises, actor: User, from_day: date, explain_above_micros: int, reason: str
) -> ApprovalRequest:
    """One person asks; another approves exactly this."""
    access.require(actor, ASK, premises)
    if explain_above_micros < 0 or explain_above_micros % CENT:
        raise wrong("explain_above", "Whole cents, 0.00 or more.")
    if from_day < today(premises):
        raise wrong("from_day", f"From {today(premises)} on, or later: nothing is changed for a day before.")
    payload = {"from_day": from_day.isoformat(), "explain_above": format_money(explain_above_micros)}
    return approvals.request_approval(actor, premises, CHANGE.name, payload, reason)


def _change(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    from_day = date.fromisoformat(given["from_day"])
    if from_day < today(request.premises):
        raise Refused("day_begun", f"The gaming day {from_day} is over: ask anew.", status=NOT_NOW)
    approvals.use_approval(request, CHANGE.name, given, approver)
    rules = CountRules.objects.create(
        premises=request.premises,
        from_day=from_day,
        explain_above_micros=parse_money(given["explain_above"]),
        approval=request,
    )
    audit.record(
        approver,
        "tables.count_rules",
        premises=request.premises,
        subject=rules,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )


CHANGE = approvals.declare(
    "tables.count_rules",
    gettext_noop("Change what is asked of counts"),
    request_roles=ASK,
    approve_roles=ASK,
    perform=_change,
)
