"""What a premises asks of a hand pay: tiers by amount, what is reported, when a win is set aside. Changed by two
people, from a gaming day on, never for a day that has begun. The first rules of new premises may hold from the day on
which they are asked for: nothing was done by others yet."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.gaming_day import gaming_day
from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.models import Advance, HandPayRules, Win
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.money import format_money, say

ASK = (Role.JACKPOT_MANAGER, Role.FINANCE)
SUMS = ("three_people_above", "surveillance_above", "evidence_above", "report_above", "correct_alone")
DAYS = ("unclaimed_days", "expiry_days", "second_thought_days")


def in_force(premises: Premises, day: date | None = None) -> HandPayRules:
    """Those of a gaming day; where nobody has set any, none of the limits is."""
    on = gaming_day(premises, timezone.now()) if day is None else day
    found = HandPayRules.objects.filter(premises=premises, from_day__lte=on).order_by("from_day", "pk").last()
    return found or HandPayRules(premises=premises, from_day=on)


def refuse_unconfirmed(win: Win, confirmations: Mapping[str, Any]) -> None:
    """What must be on record before a win of this amount is verified."""
    rules = in_force(win.table_log.premises)
    for above, name, words in (
        (rules.surveillance_above_micros, "surveillance_reference", "a reference of surveillance"),
        (rules.evidence_above_micros, "evidence", "where pictures and deck are kept"),
    ):
        if above is not None and win.amount_micros > above and not str(confirmations.get(name, "")).strip():
            raise wrong(name, f"Above {say(above)} a win is verified with {words}.")


def refuse_payer(win: Win, actor: User) -> None:
    """Above the limit three different people verify, approve and pay."""
    above = in_force(win.table_log.premises).three_people_above_micros
    if above is None or win.amount_micros <= above:
        return
    did = {win.verified_by_id: "verified", win.approval.decided_by_id if win.approval else None: "approved"}
    if actor.pk in did:
        text = (
            f"You {did[actor.pk]} it yourself: above {say(above)} a third person pays, so that three have "
            f"looked at it."
        )
        raise Refused("third_person", text, status=NOT_NOW)
    if win.approval is None:
        text = f"Above {say(above)} a second person approves first: verify it again."
        raise Refused("third_person", text, status=NOT_NOW)


def earliest(premises: Premises) -> date:
    """The first gaming day from which rules may hold: tomorrow, or today where no win was verified or paid yet by what
    held without any."""
    today = gaming_day(premises, timezone.now())
    if HandPayRules.objects.filter(premises=premises, from_day__lte=today).exists():
        return today + timedelta(days=1)
    begun = Win.objects.filter(table_log__premises=premises).exclude(verified_at=None)
    handed_out = Advance.objects.filter(share__event__table_log__premises=premises)
    return today + timedelta(days=1) if begun.exists() or handed_out.exists() else today


def _from_when(premises: Premises) -> str:
    return f"They may hold from the gaming day {earliest(premises)} on: what has begun is not changed."


@transaction.atomic
def request_rules(premises: Premises, actor: User, given: Mapping[str, Any], reason: str) -> ApprovalRequest:
    """One person asks for rules from a gaming day on; another approves exactly these."""
    access.require(actor, ASK, premises)
    if given["from_day"] < earliest(premises):
        raise wrong("from_day", _from_when(premises))
    if given["expiry_days"] < given["unclaimed_days"]:
        raise wrong("expiry_days", "A win cannot expire before it is set aside.")
    return approvals.request_approval(actor, premises, CHANGE.name, _payload(premises, given), reason)


def _payload(premises: Premises, given: Mapping[str, Any]) -> dict[str, Any]:
    sums = {name: None if given[name] is None else format_money(given[name]) for name in SUMS}
    micros = {f"{name}_micros": given[name] for name in SUMS}
    days = {name: given[name] for name in DAYS}
    return {
        "premises": premises.code,
        "from_day": given["from_day"].isoformat(),
        "report_to": given["report_to"],
        **sums,
        **micros,
        **days,
    }


def _change(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    from_day = date.fromisoformat(given["from_day"])
    if from_day < earliest(request.premises):
        text = f"The gaming day {from_day} has begun: ask anew. {_from_when(request.premises)}"
        raise Refused("day_begun", text, status=NOT_NOW)
    approvals.use_approval(request, CHANGE.name, given, approver)
    rules = HandPayRules.objects.create(
        premises=request.premises,
        from_day=from_day,
        report_to=given["report_to"],
        reason=request.reason,
        approval=request,
        **{f"{name}_micros": given.get(f"{name}_micros") for name in SUMS},
        **{name: given[name] for name in DAYS},
    )
    audit.record(
        approver,
        "jackpots.hand_pay_rules",
        premises=request.premises,
        subject=rules,
        reason=request.reason,
        details=given,
    )


CHANGE = approvals.declare(
    "jackpots.hand_pay_rules",
    gettext_noop("Change the rules of hand pays"),
    request_roles=ASK,
    approve_roles=ASK,
    perform=_change,
)
