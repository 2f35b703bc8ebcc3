"""The verbs about premises: made by two people, changed by one as long as nothing is booked, and the first of all in an
empty installation, which whoever runs the machine sets up by a code.

A gaming day follows from time zone and rollover hour, so these and the currency stay once there is one.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit import keys, turns
from config.kit.refusals import FORM, NOT_NOW, Fault, Refused, wrong
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Premises, Role, User
from people.staff import staff
from rules.rulebooks import BOOKS

NEW_PREMISES = "people.new_premises"
CLOCK = ("currency", "time_zone", "rollover_hour")
"""What the days and amounts of its books rest on."""


@dataclass(frozen=True)
class PremisesFacts:
    """What premises are."""

    code: str
    name: str
    currency: str
    time_zone: str
    rollover_hour: int
    rulebook: str = ""


FACTS = ("code", "name", "currency", "time_zone", "rollover_hour", "rulebook")
"""As forms and answers name them."""
_uses: list[Callable[[Premises], str]] = []


def register_use(says: Callable[[Premises], str]) -> None:
    """A room hands in why the premises' clock may not change any more; '' where nothing speaks against it."""
    _uses.append(says)


def declare_action() -> None:
    approvals.declare(
        NEW_PREMISES,
        gettext_noop("Open new premises"),
        request_roles=[Role.ADMINISTRATOR],
        approve_roles=staff.APPROVERS,
        perform=_add_as_approved,
    )


def _checked(premises: Premises) -> Premises:
    faults = []
    if premises.rulebook and premises.rulebook not in BOOKS:
        faults.append(Fault("rulebook", f"One of {', '.join(BOOKS)}, or none for the games of all."))
    if not 0 <= premises.rollover_hour <= 23:
        faults.append(Fault("rollover_hour", "An hour from 0 to 23."))
    if re.fullmatch("[A-Z]{3}", premises.currency) is None:
        faults.append(Fault("currency", "Three capitals, as in ISO 4217: NZD."))
    try:
        premises.full_clean(validate_constraints=False)  # what these say is said above, by fields
    except ValidationError as error:
        faults += [Fault(field, " ".join(texts)) for field, texts in error.message_dict.items()]
    if faults:
        raise Refused(FORM, "; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults=faults)
    return premises


@transaction.atomic
def add_premises(
    actor: User | str,
    code: str,
    name: str,
    currency: str,
    time_zone: str,
    rollover_hour: int,
    rulebook: str = "",
) -> Premises:
    """At once: at the command line, by an approval, or for an empty installation."""
    facts = PremisesFacts(code, name, currency, time_zone, rollover_hour, rulebook)
    premises = _checked(Premises(**asdict(facts)))
    premises.save()
    audit.record(actor, "people.premises_added", premises=premises, subject=premises, details=asdict(facts))
    return premises


@transaction.atomic
def ask_for_premises(actor: User, home: Premises, facts: PremisesFacts, reason: str) -> ApprovalRequest:
    """Asked for at premises that the actor administers; another person there approves."""
    access.require(actor, Role.ADMINISTRATOR, home)
    proof.demand(actor, "access")
    _checked(Premises(**asdict(facts)))
    return approvals.request_approval(actor, home, NEW_PREMISES, asdict(facts), reason)


def _add_as_approved(request: ApprovalRequest) -> None:
    approvals.use_approval(request, NEW_PREMISES, request.payload, approvals.decider(request))
    open_premises(request, PremisesFacts(**request.payload))


def open_premises(request: ApprovalRequest, facts: PremisesFacts) -> Premises:
    """By an approval that is used: whoever asked and whoever approved have there the roles in which they did it, since
    an installation takes two."""
    approver = approvals.decider(request)
    made = add_premises(approver, **asdict(facts))
    theirs = access.roles_at(approver, request.premises) & set(staff.APPROVERS)
    staff.grant_role(approver, request.requested_by, made, Role.ADMINISTRATOR, request.reason)
    for role in theirs:
        staff.grant_role(approver, approver, made, role, request.reason)
    return made


@transaction.atomic
def change_premises(
    actor: User, premises_id: int, *, name: str, currency: str, time_zone: str, rollover_hour: int, rulebook: str,
    reason: str,
) -> Premises:  # fmt: skip
    """Its name and rulebook at any time, its clock and currency only while nothing is booked there. The row's lock
    keeps out the first gaming day meanwhile."""
    premises = Premises.objects.select_for_update().get(pk=premises_id)
    access.require(actor, Role.ADMINISTRATOR, premises)
    proof.demand(actor, "access")
    now = asdict(PremisesFacts(premises.code, name, currency, time_zone, rollover_hour, rulebook))
    changed = {
        field: [getattr(premises, field), value]
        for field, value in now.items()
        if getattr(premises, field) != value
    }
    if not changed:
        raise Refused("nothing_changed", f"{premises} is as you say already.", status=NOT_NOW)
    for field in CLOCK:
        why = next(filter(None, (says(premises) for says in _uses)), "") if field in changed else ""
        if why:
            raise wrong(field, f"It stays: {why}")
    for field, value in now.items():
        setattr(premises, field, value)
    _checked(premises).save(update_fields=list(changed))
    audit.record(
        actor, "people.premises_changed", premises=premises, subject=premises, reason=reason, details=changed
    )
    return premises


# --- An empty installation --------------------------------------------------------------------------------------
def set_up_code() -> str:
    """For whoever can read the machine's secret; it serves only while there are no people."""
    text = keys.signature(keys.SET_UP, b"an empty house")[:20]
    return "-".join(text[at : at + 5] for at in range(0, 20, 5))


def is_empty() -> bool:
    return not User.objects.exists()


@transaction.atomic
def set_up_installation(
    code: str, facts: dict[str, Any], first: tuple[str, str], second: tuple[str, str], second_role: Role
) -> list[tuple[User, str]]:
    """Premises, their administrator and a second person, with the tokens of their links, told once. Two from the start:
    whatever gives power or moves money takes two."""
    turns.take("people.set_up_installation")  # of two at the same time one finds Potline no longer empty
    if not is_empty():
        raise Refused("not_empty", "Potline has people already: log in.", status=NOT_NOW)
    if not hmac.compare_digest(code.strip().lower(), set_up_code()):
        raise wrong(
            "set_up_code", "That is not the code that `manage.py set_up_code` prints on this machine."
        )
    premises = Premises.objects.filter(code=facts["code"]).first() or add_premises("set-up page", **facts)
    made = []
    for fields, (username, name), role in (
        ("first", first, Role.ADMINISTRATOR),
        ("second", second, second_role),
    ):
        try:
            user, token = staff.add_person("set-up page", username, name)
        except Refused as refused:
            raise Refused(
                FORM,
                refused.sentence,
                faults=[Fault(f"{fields}_{fault.field}", fault.message) for fault in refused.faults],
            ) from None
        staff.grant_role("set-up page", user, premises, role, "Potline is set up")
        made.append((user, token))
    return made
