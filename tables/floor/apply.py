"""A document of the floor (tables.floor.document) put in force: as one change, in one transaction, that two people
want.

One person has it filed, another approves it on the page. Only where nobody can log in yet, or in a demo, it is applied
at once. What is done for each entry is in tables.floor.apply_entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Fault, Refused
from jackpots.set_up.changes import APPROVERS as JACKPOT_APPROVERS
from people import access
from people.approvals import approvals
from people.models import ApprovalRequest, Premises, User
from people.premises.premises import is_empty
from tables.floor import edges, set_up
from tables.floor.apply_entries import By, faults_of_entry, nobody_knows
from tables.floor.document import differences, export, rules_of
from tables.floor.document_form import SECTIONS, refuse
from tables.floor.opening import resolved

APPLY = "tables.apply_floor"
MACHINE = "command line"


class _Undone(Exception):
    """Takes a trial back."""


def check(document: dict[str, Any]) -> list[str]:
    """What it would change, after it was applied and taken back: all that is refused is told at once."""
    try:
        with transaction.atomic():
            by = By(MACHINE, document, export(), trial=True)
            found = differences(document, by.there)
            _apply(by)
            raise _Undone
    except _Undone:
        return found


def apply_at_once(
    document: dict[str, Any], actor: str = MACHINE, token_of: Callable[[str], str] = nobody_knows
) -> list[str]:
    """For an empty installation and for a demo, by whoever runs the machine; what it has changed."""
    if not (settings.DEMO or is_empty()):
        text = "There are people here: have it filed by one of them (--as), and another approves it."
        raise Refused("two_people", text)
    with transaction.atomic():
        by = By(actor, document, export(), token_of=token_of)
        found = differences(document, by.there)
        _apply(by)
    return found


@transaction.atomic
def ask(document: dict[str, Any], actor: User, home: Premises, reason: str) -> ApprovalRequest:
    """Files it, as one change that another person approves at `home`."""
    _require(document, actor, set_up.ASKERS)
    found = check(document)
    if not found:
        raise Refused("nothing_changed", "The floor is as the document says.", status=NOT_NOW)
    there = export()
    payload = {**_edges(document, there), "changes": found, "was": sha256_of(there), "document": document}
    return approvals.request_approval(actor, home, APPLY, payload, reason)


def _edges(document: dict[str, Any], there: dict[str, Any]) -> dict[str, Any]:
    """By table whose rules are new: what the second person has to know of what it pays."""
    favours: dict[str, list[str]] = {}
    told: dict[str, dict[str, str]] = {}
    for name, given in document.get("tables", {}).items():
        stands = there["tables"].get(name, {}).get("rules", {})
        rules = resolved(rules_of(stands, given))
        if rules != stands:
            found = edges.figures(rules)
            told[name] = edges.in_words(found)
            if edges.favouring(found):
                favours[name] = edges.favouring(found)
    return ({"FAVOURS THE PLAYER": favours} if favours else {}) | ({"house edge": told} if told else {})


def _require(document: dict[str, Any], actor: User, roles: Any) -> None:
    """At all premises that there are already and that it speaks of."""
    named = {
        name.partition("/")[0] for section in ("tables", "displays") for name in document.get(section, {})
    }
    named |= {given.get("host", "") for given in document.get("progressives", {}).values()}
    for premises in Premises.objects.filter(code__in=named):
        access.require(actor, roles, premises)


def _require_for_jackpots(document: dict[str, Any], approver: User, there: dict[str, Any]) -> None:
    """A new meter, or a table that feeds one, is approved by whoever may approve it on its own page."""
    linked = {
        name: {"links": given["links"]}
        for name, given in document.get("tables", {}).items()
        if given.get("links")
    }
    made = {"progressives": document.get("progressives", {}), "tables": linked}
    if not differences(made, there):
        return
    _require(made, approver, JACKPOT_APPROVERS)
    codes = {code for given in linked.values() for code in given["links"]}
    for host in Premises.objects.filter(progressives__code__in=codes).distinct():
        access.require(approver, JACKPOT_APPROVERS, host)


def _apply_as_approved(request: ApprovalRequest) -> None:
    payload, approver, there = request.payload, approvals.decider(request), export()
    if payload["was"] != sha256_of(there):
        text = "The floor was changed since it was asked for. Reject this, and have it filed anew."
        raise Refused("changed", text, status=NOT_NOW)
    document = payload["document"]
    _require(document, approver, set_up.APPROVERS)
    _require_for_jackpots(document, approver, there)
    approvals.use_approval(request, APPLY, payload, approver)
    _apply(By(approver, document, there, request=request))


approvals.declare(
    APPLY,
    gettext_noop("Set the floor up as a document says"),
    request_roles=set_up.ASKERS,
    approve_roles=set_up.APPROVERS,
    perform=_apply_as_approved,
)


def _apply(by: By) -> None:
    """In the order of the sections. A trial goes on after what is refused, to find the rest as well."""
    faults: list[Fault] = []
    for section in SECTIONS:
        for name, given in by.document.get(section, {}).items():
            faults += faults_of_entry(section, name, given, by)
            if not by.trial:
                refuse(faults)
    refuse(faults)
