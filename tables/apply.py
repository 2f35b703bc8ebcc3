"""A document of the floor (tables.document) put in force: as one change, in one transaction, that two people want.

One person has it filed at the command line, another approves it on the page. Only where nobody can log in yet, or in a
demo, it is applied at once. What exists of premises, progressives and signs is changed on its own page, not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop

from config.canonical_json import sha256_of
from config.refusals import NOT_NOW, Refused, by_rule
from jackpots import configure
from jackpots.models import Display, Progressive
from jackpots.signs.displays import create_display
from jackpots.signs.forms import DisplayForm, filled_in
from jackpots.signs.set_up import USUAL
from people import access, approvals
from people.models import ApprovalRequest, Premises, User
from people.premises import Place, add_premises, is_empty, open_premises
from rules import RuleError
from rules.progressive import ProgressiveRules, decode
from tables import changes, set_up
from tables.document import differences, export, rules_of, settings_of
from tables.floor import create_table, link_table, refuse_links
from tables.models import Table, TableChange
from tables.terminals import issue_token

APPLY = "tables.apply_floor"


@dataclass(frozen=True)
class _By:
    """Who does it: the second person of a request, or whoever runs the machine. `trial`: it is taken back."""

    actor: User | str
    request: ApprovalRequest | None
    trial: bool = False


class _Undone(Exception):
    """Takes a trial back."""


def check(document: dict[str, Any]) -> list[str]:
    """What it would change, after it was applied and taken back: what the rules refuse is refused here."""
    found = differences(document)
    try:
        with transaction.atomic():
            _apply(document, _By("command line", None, trial=True))
            raise _Undone
    except _Undone:
        return found


def apply_at_once(document: dict[str, Any]) -> list[str]:
    """For an empty house and for a demo, by whoever runs the machine."""
    if not (settings.DEMO or is_empty()):
        text = "There are people here: have it filed by one of them (--as), and another approves it."
        raise Refused("two_people", text)
    with transaction.atomic():
        found = differences(document)
        _apply(document, _By("command line", None))
    return found


@transaction.atomic
def ask(document: dict[str, Any], actor: User, home: Premises, reason: str) -> ApprovalRequest:
    """Files it, as one change that another person approves at `home`."""
    found = check(document)
    if not found:
        raise Refused("nothing_changed", "The floor is as the document says.", status=NOT_NOW)
    _require(document, actor, set_up.ASKERS)
    payload = {"changes": found, "was": sha256_of(export()), "document": document}
    return approvals.request_approval(actor, home, APPLY, payload, reason)


def _require(document: dict[str, Any], actor: User, roles: Any) -> None:
    """At all premises that there are already and that it speaks of."""
    named = {
        name.partition("/")[0] for section in ("tables", "displays") for name in document.get(section, {})
    }
    named |= {given["host"] for given in document.get("progressives", {}).values()}
    for premises in Premises.objects.filter(code__in=named):
        access.require(actor, roles, premises)


def _apply_as_approved(request: ApprovalRequest) -> None:
    payload, approver = request.payload, approvals.decider(request)
    if payload["was"] != sha256_of(export()):
        text = "The floor was changed since it was asked for. Reject this, and have it filed anew."
        raise Refused("changed", text, status=NOT_NOW)
    _require(payload["document"], approver, set_up.APPROVERS)
    approvals.use_approval(request, APPLY, payload, approver)
    _apply(payload["document"], _By(approver, request))


approvals.declare(
    APPLY,
    gettext_noop("Set the floor up as a document says"),
    request_roles=set_up.ASKERS,
    approve_roles=set_up.APPROVERS,
    perform=_apply_as_approved,
)


# --- What is done -----------------------------------------------------------------------------------------------
def _apply(document: dict[str, Any], by: _By) -> None:
    try:
        for code, given in document.get("premises", {}).items():
            _premises(code, given, by)
        for code, given in document.get("progressives", {}).items():
            _progressive(code, given, by)
        for name, given in document.get("tables", {}).items():
            _table(name, given, by)
        for name, shows in document.get("displays", {}).items():
            _display(name, shows)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    except (KeyError, TypeError, AttributeError) as fault:
        raise Refused("document", f"Something is missing or is not of its kind: {fault}.") from None


def _stays(section: str, name: str, given: Any) -> bool:
    """Whether it is there, as the document says; refused where the document wants it otherwise."""
    stands = export()[section].get(name)
    if stands is None:
        return False
    wanted = {**stands, **given} if isinstance(given, dict) else given
    if wanted != stands:
        raise Refused("document", f"{section} {name} is there otherwise: change it on its own page.")
    return True


def _premises(code: str, given: dict[str, Any], by: _By) -> None:
    if not _stays("premises", code, given):
        place = Place(code=code, **given)
        if by.request is None:
            add_premises(by.actor, **vars(place))
        else:
            open_premises(by.request, place)


def _progressive(code: str, given: dict[str, Any], by: _By) -> None:
    if not _stays("progressives", code, given):
        host = _place(given["host"])
        rules = decode(ProgressiveRules, given["rules"])
        configure.create_progressive(
            by.actor, host, code, given["name"], rules, **settings_of(given.get("settings", {}))
        )


def _place(code: str) -> Premises:
    found = Premises.objects.filter(code=code).first()
    if found is None:
        raise Refused("document", f"There are no premises {code!r}, and the document makes none.")
    return found


def _progressive_of(code: str) -> Progressive:
    found = Progressive.objects.filter(code=code).first()
    if found is None:
        raise Refused("document", f"There is no progressive {code!r}, and the document makes none.")
    return found


def _table(name: str, given: dict[str, Any], by: _By) -> None:
    place, _, code = name.partition("/")
    premises = _place(place)
    table = Table.objects.filter(premises=premises, code=code).first()
    if table is None:
        config, chips = set_up.check_rules(premises, given["rules"], given.get("chips"))
        set_up.check_seats(config.game, given.get("seats"))
        set_up.check_device_error(given.get("device_error_ms"))
        table = create_table(
            by.actor,
            premises,
            code,
            config.document,
            pit=given.get("pit", ""),
            chips=chips,
            seats=given.get("seats"),
            reserved_for=given.get("reserved_for") or "",
            device_error_ms=given.get("device_error_ms"),
        )
    else:
        _change(changes.locked(table.pk), given, by)
    _add_to(table, given, by)


def _add_to(table: Table, given: dict[str, Any], by: _By) -> None:
    """Links and terminals that it has not yet; their tokens nobody knows."""
    links = {link.progressive.code for link in table.table_log.links.select_related("progressive")}
    for progressive, kinds in given.get("links", {}).items():
        if progressive not in links:
            link_table(by.actor, table, _progressive_of(progressive), kinds)
    known = set(table.terminals.filter(revoked_at__isnull=True).values_list("name", flat=True))
    for terminal, held in given.get("terminals", {}).items():
        if terminal not in known:
            issue_token(
                "floor document",
                table,
                terminal,
                networks=held.get("networks", []),
                must_sign=held.get("must_sign", False),
            )


def _change(table: Table, given: dict[str, Any], by: _By) -> None:
    """Of a table that is there: where it stands at once, its rules by a change that is shown first if it is worse."""
    names = ("pit", "seats", "reserved_for", "device_error_ms")
    place = {name: given.get(name, getattr(table, name)) for name in names}
    if place != {name: getattr(table, name) for name in place}:
        set_up.put(table, by.actor, **place, reason="" if by.request is None else by.request.reason)
    rules = rules_of(table.config.document, given)
    set_up.refuse_other_game(table, rules)
    config, chips = set_up.check_rules(table.premises, rules, given.get("chips", table.chips))
    if config == table.config and chips == table.chips:
        return
    refuse_links(config, table.table_log)
    if by.request is None:
        if by.trial:
            return  # who wants it is not known yet
        raise Refused(
            "two_people", f"What {table} pays takes two people: have it filed by one of them (--as)."
        )
    changes.plan(
        table,
        TableChange.Kind.RULES,
        config,
        asked_by=by.request.requested_by,
        approved_by=approvals.decider(by.request),
        reason=by.request.reason,
        chips=chips,
    )


def _display(name: str, shows: str | dict[str, Any]) -> None:
    if not _stays("displays", name, shows):
        place, _, sign = name.partition("/")
        premises = _place(place)
        if Display.objects.filter(premises=premises, name=sign).exists():
            raise Refused("document", f"The sign {name} was revoked: choose another name.")
        if isinstance(shows, str):
            create_display("floor document", premises, sign, _progressive_of(shows))
        else:
            create_display("floor document", premises, sign, setup=_set_up(name, shows))


def _set_up(name: str, shows: dict[str, Any]) -> dict[str, Any]:
    """As staff would have filled it in."""
    form = DisplayForm(filled_in(USUAL | shows, name))
    if not form.is_valid():
        faults = "; ".join(f"{field}: {told[0]}" for field, told in form.errors.items())
        raise Refused("document", f"The sign {name} cannot be set up so: {faults}")
    setup: dict[str, Any] = form.cleaned_data["setup"]
    return setup
