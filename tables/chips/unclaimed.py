"""Money of tables that nobody claims (nz-1996 I 16): chips and winnings left behind, and non-value chips that are not
redeemed. Two people hold it, pay it to who comes, or let it expire when its time is over. Jackpots have their own."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.wins import hand_pay_rules
from ledger.books import chart, holdings
from ledger.books.journal import NewEntry, post_many
from ledger.queries import today
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Role, User
from rules.money import CENT, dollars, format_money, parse_money
from tables.chips import non_value
from tables.models import Round, Table, UnclaimedEnd, UnclaimedMoney

WHO = frozenset({Role.SUPERVISOR, Role.FINANCE})
MAX_MICROS = dollars(10_000_000)
Kind = UnclaimedEnd.Kind


@transaction.atomic
def request_hold(
    table_id: int, actor: User, what: str, amount_micros: int | None, *, round: str = "", colour: str = ""
) -> ApprovalRequest:
    """One person says what was found and how much, or which colour nobody came for; another approves it."""
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises").get(pk=table_id)
    )
    access.require(actor, WHO, table.premises)
    if not what.strip():
        raise wrong("what", "Say what was found, and where.")
    number = _round(table, round)
    if colour:
        amount_micros = _owed(table, colour, amount_micros)
    if amount_micros is None or not 0 < amount_micros <= MAX_MICROS or amount_micros % CENT:
        raise wrong("amount", f"Whole cents, above 0.00 and up to {format_money(MAX_MICROS)}.")
    payload = {
        "step": "hold",
        "table": table.code,
        "what": what.strip(),
        "amount": format_money(amount_micros),
        "round": number,
        "colour": colour.strip().lower(),
        "day": today(table.premises).isoformat(),
    }
    return approvals.request_approval(actor, table.premises, STEP.name, payload, what.strip())


def _round(table: Table, number: str) -> int | None:
    if not number.strip():
        return None
    found = table.rounds.filter(number=int(number)).first() if number.strip().isdecimal() else None
    if found is None:
        raise wrong("round", f"{table} has played no round {number}.")
    return found.number


def _owed(table: Table, colour: str, amount_micros: int | None) -> int:
    for row in non_value.outstanding(table):
        if row.colour == colour.strip().lower() and row.left is not None:
            if amount_micros not in (None, row.owed_micros):
                raise wrong("amount", f"For {row.colour} chips {format_money(row.owed_micros)} are owed.")
            return row.owed_micros
    raise wrong("colour", f"Nothing that was counted is out of {colour} chips of {table}.")


@transaction.atomic
def request_end(money_id: int, actor: User, step: str, reason: str) -> ApprovalRequest:
    """Somebody has come for it (who, and by what they showed it, is the reason), or it is to expire."""
    money = _money(money_id)
    access.require(actor, WHO, money.table.premises)
    _refuse(money, step)
    return approvals.request_approval(actor, money.table.premises, STEP.name, _payload(money, step), reason)


def _payload(money: UnclaimedMoney, step: str) -> dict[str, Any]:
    return {
        "step": step,
        "unclaimed": money.pk,
        "table": money.table.code,
        "what": money.what,
        "amount": format_money(money.amount_micros),
    }


def _refuse(money: UnclaimedMoney, step: str) -> None:
    end = UnclaimedEnd.objects.filter(money=money).first()
    if end is not None:
        raise Refused("wrong_state", f"It is over: {end.get_kind_display().lower()}.", status=NOT_NOW)
    if step == "expire" and today(money.table.premises) < money.expires_on:
        text = f"It is held until {money.expires_on} for whoever comes; it expires from then on."
        raise Refused("too_early", text, status=NOT_NOW)


def _money(pk: int) -> UnclaimedMoney:
    rows = UnclaimedMoney.objects.select_for_update(no_key=True, of=("table",))
    return rows.select_related("table__premises").get(pk=pk)


# --- Done on approval -------------------------------------------------------------------------------------------
def _perform(request: ApprovalRequest) -> None:
    (_hold if request.payload["step"] == "hold" else _end)(request)


def _hold(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises").get(
        premises=request.premises, code=given["table"]
    )  # fmt: skip
    step = None
    if given["colour"]:
        if _owed(table, given["colour"], None) != parse_money(given["amount"]):
            raise Refused(
                "changed", "Another amount is owed for the colour by now. Reject this.", status=NOT_NOW
            )
        step = non_value.set_aside(table, approver, given["colour"])
    approvals.use_approval(request, STEP.name, given, approver)
    day = today(table.premises)
    money = UnclaimedMoney.objects.create(
        table=table,
        round=Round.objects.filter(table=table, number=given["round"]).first() if given["round"] else None,
        colour_step=step,
        what=given["what"],
        amount_micros=parse_money(given["amount"]),
        found_on=date.fromisoformat(given["day"]),
        expires_on=day + timedelta(days=hand_pay_rules.in_force(table.premises, day).expiry_days),
        approval=request,
    )
    post_many([held_entry(money)])
    _record(request, approver, money, "tables.unclaimed_held")


def _end(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    money = _money(given["unclaimed"])
    _refuse(money, given["step"])
    if given["step"] == "claim":
        premises = money.table.premises
        wanted = {holdings.cage(premises.code, "cash"): money.amount_micros}
        holdings.refuse_unheld(premises, wanted, "Put money into the cage first.")
    approvals.use_approval(request, STEP.name, _payload(money, given["step"]), approver)
    kind = Kind.EXPIRED if given["step"] == "expire" else Kind.CLAIMED
    end = UnclaimedEnd.objects.create(
        money=money, kind=kind, day=today(money.table.premises), approval=request
    )
    post_many([end_entry(end)])
    _record(request, approver, money, f"tables.unclaimed_{kind.value}")


def _record(request: ApprovalRequest, approver: User, money: UnclaimedMoney, action: str) -> None:
    details = request.payload | {"requested_by": audit.name_of(request.requested_by)}
    audit.record(
        approver,
        action,
        premises=money.table.premises,
        subject=money,
        reason=request.reason,
        details=details,
    )


STEP = approvals.declare(
    "tables.unclaimed",
    gettext_noop("Hold, pay or let expire unclaimed money of a table"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_perform,
)


# --- Entries ----------------------------------------------------------------------------------------------------
def held_entry(money: UnclaimedMoney) -> NewEntry:
    """Chips that were left behind go to the cage and are owed; what is owed for a colour is owed as unclaimed now."""
    premises = money.table.premises
    if money.colour_step_id is None:
        origin = chart.account(premises.code, "cage", "chips")
    else:
        origin = chart.table(premises.code, money.table.code, "non-value-chips")
    legs = {origin: money.amount_micros, chart.account(premises.code, "unclaimed"): -money.amount_micros}
    return _entry(money, "unclaimed.held", money.pk, legs, money.found_on)


def end_entry(end: UnclaimedEnd) -> NewEntry:
    """Paid from the cage, or income of the table."""
    money = end.money
    premises = money.table.premises
    if end.kind == Kind.CLAIMED:
        target = chart.account(premises.code, "cage", "cash")
    else:
        target = chart.table(premises.code, money.table.code, "expired")
    legs = {chart.account(premises.code, "unclaimed"): money.amount_micros, target: -money.amount_micros}
    return _entry(money, f"unclaimed.{end.kind}", end.pk, legs, end.day)


def _entry(money: UnclaimedMoney, kind: str, number: int, legs: dict[str, int], day: date) -> NewEntry:
    source = {"kind": kind, "unclaimed": money.pk, "what": money.what, "micros": money.amount_micros}
    return NewEntry(
        key=f"tables:{kind}:{number}",
        premises=money.table.premises,
        kind=kind,
        reference=f"tables.unclaimedmoney:{money.pk}",
        source_hash=sha256_of(source),
        legs=legs,
        day=day,
        memo=money.what[:100],
    )
