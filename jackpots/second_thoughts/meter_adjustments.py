"""A meter put up or down by two people, for a listed cause only: an ordered event with its entry, like every other."""

from __future__ import annotations

from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_noop

from config.kit.refusals import Refused, by_rule, wrong
from config.kit.wake_ups import ring
from jackpots.fold import adjusting
from jackpots.models import Adjustment, Progressive, state_of
from jackpots.models.adjustments import EFFECT_VERSION
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules import RuleError
from rules.money import CENT, format_money
from rules.progressive import encode
from rules.progressive.pools import Movement, adjust
from rules.progressive.second_thoughts import PotsAdjustment

WHO = (Role.JACKPOT_MANAGER, Role.FINANCE)


class Cause(models.TextChoices):
    """Why a meter may be adjusted, with the rule that is cited."""

    ADDITION = "addition", gettext_noop("The house adds money (gb-2011 2.4)")
    MALFUNCTION = (
        "malfunction",
        gettext_noop("A malfunction: wagers not counted, or counted twice (gb-2011 2.4)"),
    )
    REVERSAL = "reversal", gettext_noop("An earlier adjustment was wrong")


RULES = {
    Cause.ADDITION: "gb-2011 2.4",
    Cause.MALFUNCTION: "gb-2011 2.4",
    Cause.REVERSAL: "corrects an earlier adjustment",
}


@transaction.atomic
def request_adjustment(
    code: str, level: str, actor: User, *, amount_micros: int, cause: str, reason: str
) -> ApprovalRequest:
    """One person of the host asks that a meter go up, or down by a negative sum; another approves it."""
    progressive = _locked(code)
    access.require(actor, WHO, progressive.host)
    proof.demand(actor, "rule")
    if cause not in Cause.values:
        raise wrong("cause", f"One of {', '.join(Cause.values)}, not {cause!r}.")
    if cause == Cause.ADDITION and amount_micros < 0:
        raise wrong("amount", "The house adds money here; it takes none.")
    _moved(progressive, level, amount_micros, reason)
    return approvals.request_approval(
        actor, progressive.host, ADJUST.name, _payload(progressive, level, amount_micros, cause), reason
    )


def _payload(progressive: Progressive, level: str, amount_micros: int, cause: str) -> dict[str, Any]:
    return {
        "progressive": progressive.code,
        "level": level,
        "amount": format_money(amount_micros),
        "amount_micros": amount_micros,
        "cause": cause,
        "rule": RULES[Cause(cause)],
    }


def _moved(progressive: Progressive, level: str, amount_micros: int, reason: str) -> Movement:
    """As the rules have it, on the meter as it is now."""
    adjusting.refuse_ended(progressive)
    adjusting.refuse_pending(progressive)
    if not amount_micros or amount_micros % CENT:
        raise wrong("amount", "Whole cents, and not nothing.")
    state = state_of(list(progressive.meters.order_by("position")))
    try:
        return adjust(progressive.config.rules, state, level, amount_micros, reason)
    except RuleError as fault:
        raise by_rule((fault,)) from None


def _adjust(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    progressive = _locked(given["progressive"])
    level, amount_micros = given["level"], given["amount_micros"]
    moved = _moved(progressive, level, amount_micros, request.reason)
    approvals.use_approval(
        request, ADJUST.name, _payload(progressive, level, amount_micros, given["cause"]), approver
    )
    adjustment = Adjustment.objects.create(
        progressive=progressive,
        kind=Adjustment.Kind.METER,
        place=adjusting.place_of_now(progressive),
        cause=given["cause"],
        rule=given["rule"],
        reason=request.reason,
        postings=encode(PotsAdjustment(moved.applied.postings, amount_micros)),
        effect={
            "version": EFFECT_VERSION,
            "meter": {"level": level, "amount_micros": amount_micros},
            "due": [],
            "wins": [],
            "superseded": [],
            "stands": [],
            "returned": [],
            "trace": [],
            "not_owed": {meter.level: 0 for meter in progressive.meters.all()},
            "house_micros": amount_micros,
        },
        approval=request,
    )
    audit.record(
        approver,
        "jackpots.meter_adjusted",
        premises=progressive.host,
        subject=adjustment,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )
    from jackpots.tasks import fold_progressive

    ring(fold_progressive, progressive.pk)


ADJUST = approvals.declare(
    "jackpots.adjust_meter",
    gettext_noop("Adjust a jackpot meter"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_adjust,
)


def _locked(code: str) -> Progressive:
    found = Progressive.objects.select_for_update(no_key=True, of=("self",)).select_related("host", "config")
    progressive = found.filter(code=code).first()
    if progressive is None:
        raise Refused("unknown_progressive", f"There is no progressive {code}.", status=404)
    return progressive
