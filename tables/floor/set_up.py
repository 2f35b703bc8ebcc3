"""Setting up a table and changing what it pays: asked for by one person, done when another approves exactly that.

What a table pays is checked by the rules, and its exact house edge is a part of what the second person decides on.
Limits are a supervisor's business (tables.floor.limits).
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from config.kit.refusals import NOT_NOW, Refused, by_rule, wrong
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules import RuleError
from rules.declare import Game
from rules.money import CENT, format_money, parse_money
from tables.door.marks import MAX_ERROR_MS
from tables.floor import changes, edges
from tables.floor.limits import refuse_against_book
from tables.floor.opening import create_table, refuse_code, refuse_links, store_config
from tables.models import Table, TableChange, TableConfig

ASKERS = (Role.ADMINISTRATOR,)
APPROVERS = (Role.ADMINISTRATOR, Role.SUPERVISOR, Role.FINANCE)
NEW_TABLE, NEW_RULES = "tables.new_table", "tables.new_rules"
DIVISION_I = ("nz-1996", "nz-consultation")
"""The later divisions stand under the general rules of the first rulebook: premises of one have the games of both."""
MAX_CHIPS = 20


def rulebooks_of(premises: Premises) -> tuple[str, ...]:
    """Whose games a table of the premises may have; (): of any."""
    if not premises.rulebook:
        return ()
    return DIVISION_I if premises.rulebook in DIVISION_I else (premises.rulebook,)


# --- What is asked for ------------------------------------------------------------------------------------------
@transaction.atomic
def ask_for_table(
    actor: User,
    premises: Premises,
    code: str,
    document: dict[str, Any],
    reason: str,
    *,
    pit: str = "",
    chips: list[str] | None = None,
    seats: int | None = None,
    reserved_for: str = "",
    device_error_ms: int | None = None,
) -> ApprovalRequest:
    """A table with its rules; it is there, closed, once another person has approved it."""
    access.require(actor, ASKERS, premises)
    code = code.strip()
    refuse_code(premises, code)
    if Table.objects.filter(premises=premises, code=code).exists():
        raise wrong("code", f"{premises} has a table {code} already.")
    config, values = check_rules(premises, document, chips)
    check_seats(config.game, seats)
    check_device_error(device_error_ms)
    payload = {
        "table": code,
        "pit": pit.strip(),
        "rules": config.document,
        "chips": values,
        "seats": seats,
        "reserved for": reserved_for.strip(),
        **({} if device_error_ms is None else {"device error ms": device_error_ms}),
        **_edges(config),
    }
    if any(each.payload["table"] == code for each in waiting(premises, NEW_TABLE)):
        raise Refused("already_asked", f"A table {code} is asked for already.", status=NOT_NOW)
    return approvals.request_approval(actor, premises, NEW_TABLE, payload, reason)


@transaction.atomic
def ask_for_rules(
    table_id: int,
    actor: User,
    document: dict[str, Any],
    reason: str,
    *,
    chips: list[str] | None = None,
    exception: str = "",
) -> ApprovalRequest:
    """Other options, pay tables, chips or limits for a table, of the game that it has."""
    table = changes.locked(table_id)
    access.require(actor, ASKERS, table.premises)
    refuse_other_game(table, document)
    if exception:
        changes.refuse_unknown_exception(table, exception)
    given = {name: table.config.document[name] for name in ("game", "rulebook")} | document
    config, values = check_rules(table.premises, given, chips if chips is not None else table.chips)
    refuse_links(config, table.table_log)
    if config == table.config and values == table.chips:
        raise Refused("nothing_changed", f"{table} has these rules already.", status=NOT_NOW)
    if any(each.payload["table"] == table.code for each in waiting(table.premises, NEW_RULES)):
        text = f"Other rules are asked for {table} already: another person must decide on them."
        raise Refused("already_asked", text, status=NOT_NOW)
    payload = {
        "table": table.code,
        "changes": difference(table.config.document, config.document),
        "was": table.config.sha256,
        "rules": config.document,
        "chips": values,
        "without a sign before by I 13.3": exception,
        **_edges(config),
    }
    return approvals.request_approval(actor, table.premises, NEW_RULES, payload, reason)


def _edges(config: TableConfig) -> dict[str, Any]:
    """What the second person has to know of what is paid; first of all, what favours the player."""
    found = edges.figures(config.document)
    favours = edges.favouring(found)
    told: dict[str, Any] = {"FAVOURS THE PLAYER": favours} if favours else {}
    return told | {"house edge": edges.in_words(found)}


@transaction.atomic
def arrange(
    table_id: int,
    actor: User,
    *,
    pit: str,
    seats: int | None,
    reserved_for: str,
    reason: str,
    device_error_ms: int | None = None,
) -> Table:
    """Where it stands, how many seats are in use, whether it is private (nz-1996 I 20) and how exact its shoe or
    shuffler is: by one person."""
    table = changes.locked(table_id)
    access.require(actor, (Role.ADMINISTRATOR, Role.SUPERVISOR), table.premises)
    return put(table, actor, pit, seats, reserved_for, device_error_ms, reason)


def put(
    table: Table,
    actor: User | str,
    pit: str,
    seats: int | None,
    reserved_for: str | None,
    device_error_ms: int | None,
    reason: str,
) -> Table:
    """The same for a table whose row the caller holds, who has asked who may."""
    check_seats(table.config.game, seats)
    if seats != table.seats and table.rounds.filter(state__in=changes.UNDER_WAY).exists():
        raise Refused(
            "round_under_way", f"A round of {table} must end first: it has its seats.", status=NOT_NOW
        )
    check_device_error(device_error_ms)
    names = ("pit", "seats", "reserved_for", "device_error_ms")
    was = {name: getattr(table, name) for name in names}
    table.pit, table.seats, table.reserved_for = pit.strip(), seats, (reserved_for or "").strip() or None
    table.device_error_ms = device_error_ms
    now = {name: getattr(table, name) for name in names}
    if was == now:
        raise Refused("nothing_changed", f"{table} stands as it is.", status=NOT_NOW)
    table.save(update_fields=list(now))
    details = {"was": was, "now": now}
    audit.record(
        actor, "tables.arranged", premises=table.premises, subject=table, reason=reason, details=details
    )
    return table


# --- What is checked --------------------------------------------------------------------------------------------
def check_rules(
    premises: Premises, document: dict[str, Any], chips: list[str] | None
) -> tuple[TableConfig, list[str] | None]:
    """The rules of a table by their content; refused where the rulebook, the rules or the premises do not have them."""
    books = rulebooks_of(premises)
    if books and document.get("rulebook") not in books:
        text = f"{premises} plays by {' and '.join(books)}, not by {document.get('rulebook')!r}."
        raise wrong("rulebook", text)
    values = read_chips(chips)
    if values is not None:
        limits = document.get("limits", {})
        if not isinstance(limits, dict):
            raise wrong("rules.limits", "An object of what may be wagered, as in a round's document.")
        document = document | {"limits": {**limits, "chip": values[0]}}
    try:
        config = store_config(document)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    refuse_against_book(config.game, changes.limits_of(config))
    return config, values


def refuse_other_game(table: Table, document: dict[str, Any]) -> None:
    for name in ("game", "rulebook"):
        if document.get(name, table.config.document[name]) != table.config.document[name]:
            text = "A table keeps its game: what it has played is settled by it. Set up another table."
            raise wrong(name, text)


def read_chips(given: list[str] | None) -> list[str] | None:
    """The values of the chips in use, the least first."""
    if not given:
        return None
    try:
        micros = sorted({parse_money(each, "chips") for each in given})
    except RuleError as fault:
        raise wrong("chips", str(fault)) from None
    if len(micros) > MAX_CHIPS or any(each <= 0 or each % CENT for each in micros):
        raise wrong("chips", f"Up to {MAX_CHIPS} values of whole cents, such as 0.50, 1.00, 5.00.")
    return [format_money(each) for each in micros]


def check_seats(game: Game, seats: int | None) -> None:
    if seats is not None and not 1 <= seats <= game.seats:
        has = f"1 to {game.seats}" if game.seats else "none: its players have no seats"
        raise wrong("seats", f"{game.title} has {has}.")


def check_device_error(error_ms: int | None) -> None:
    if error_ms is not None and not 1 <= error_ms <= MAX_ERROR_MS:
        raise wrong("device_error_ms", f"1 to {MAX_ERROR_MS} ms; none: as usual for a shoe or shuffler.")


def difference(was: Any, now: Any, path: str = "") -> list[str]:
    """What changes from one set of rules to the next, a line each."""
    if isinstance(was, dict) and isinstance(now, dict):
        found: list[str] = []
        for name in sorted({*was, *now}):
            found += difference(was.get(name), now.get(name), f"{path}.{name}" if path else name)
        return found
    if was == now:
        return []
    return [f"{path}: {_told(was)} → {_told(now)}"]


def _told(value: Any) -> str:
    return "none" if value is None or value == {} else str(value)


# --- What is done on approval -----------------------------------------------------------------------------------
def waiting(premises: Premises, *actions: str) -> list[ApprovalRequest]:
    """What was asked for and nobody has decided on."""
    rows = ApprovalRequest.objects.filter(
        premises=premises, action__in=actions, state=ApprovalRequest.State.REQUESTED, expires_at__gt=Now()
    )
    return list(rows.select_related("requested_by").order_by("pk"))


def _create_as_approved(request: ApprovalRequest) -> None:
    payload, approver = request.payload, approvals.decider(request)
    approvals.use_approval(request, NEW_TABLE, payload, approver)
    if Table.objects.filter(premises=request.premises, code=payload["table"]).exists():
        raise Refused("changed", f"Table {payload['table']} is there already. Reject this.", status=NOT_NOW)
    check_rules(request.premises, payload["rules"], payload["chips"])
    create_table(
        approver,
        request.premises,
        payload["table"],
        payload["rules"],
        pit=payload["pit"],
        chips=payload["chips"],
        seats=payload["seats"],
        reserved_for=payload["reserved for"],
        device_error_ms=payload.get("device error ms"),
    )


def _change_as_approved(request: ApprovalRequest) -> None:
    payload, approver = request.payload, approvals.decider(request)
    pk = Table.objects.get(premises=request.premises, code=payload["table"]).pk
    table = changes.locked(pk)
    if table.config.sha256 != payload["was"]:
        text = f"The rules of {table} were changed meanwhile. Reject this, and ask anew."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, NEW_RULES, payload, approver)
    config, chips = check_rules(request.premises, payload["rules"], payload["chips"])
    refuse_links(config, table.table_log)
    changes.plan(
        table,
        TableChange.Kind.RULES,
        config,
        asked_by=request.requested_by,
        approved_by=approver,
        reason=request.reason,
        exception=payload["without a sign before by I 13.3"],
        chips=chips,
    )


for _name, _title, _perform in (
    (NEW_TABLE, "Set up a table", _create_as_approved),
    (NEW_RULES, "Change what a table pays", _change_as_approved),
):
    approvals.declare(_name, _title, request_roles=ASKERS, approve_roles=APPROVERS, perform=_perform)
