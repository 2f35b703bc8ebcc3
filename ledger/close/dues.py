"""What linked premises owe each other, by pair, and its clearing by two people of finance.

Stakes that a table takes for a jackpot elsewhere, and wins that it pays for one, stand on due-to and due-from in the
books of both premises (jackpots.fold.ledger_entries). A clearing takes them off in both books at once, against the
owner's funds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit import turns
from config.kit.refusals import NOT_NOW, Refused, wrong
from config.kit.sheets.columns import Cell, Column, Row
from ledger.books import balances, chart
from ledger.books.errors import DayClosed
from ledger.books.journal import NewEntry, post_many, sum_legs
from ledger.models import Entry
from ledger.reports.reports import Scope, Source, register
from ledger.verify.entries import vouch
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.money import format_money, parse_money, say

FINANCE = frozenset({Role.FINANCE})


@dataclass(frozen=True)
class Due:
    """What is open between two premises, seen from the first, as it stands in the books of each."""

    premises: Premises
    other: Premises
    we_owe_micros: int
    they_owe_micros: int
    we_owe_by_their_books_micros: int
    they_owe_by_their_books_micros: int

    @property
    def to_pay_micros(self) -> int:
        """What we would pay if all of it were cleared; below zero: what they would."""
        return self.we_owe_micros - self.they_owe_micros

    @property
    def to_receive_micros(self) -> int:
        return -self.to_pay_micros

    @property
    def differences(self) -> list[str]:
        """Where the two books do not say the same. An entry in one is always posted with its twin in the other."""
        sides = (
            (self.premises, self.other, self.we_owe_micros, self.we_owe_by_their_books_micros),
            (self.other, self.premises, self.they_owe_micros, self.they_owe_by_their_books_micros),
        )
        return [
            f"{owing.name} owes {owed.name} {say(ours)} by the books of {self.premises.name}, "
            f"{say(theirs)} by those of {self.other.name}: {say(abs(ours - theirs))} apart."
            for owing, owed, ours, theirs in sides
            if ours != theirs
        ]

    @property
    def agreed_micros(self) -> tuple[int, int]:
        """What we owe and what they owe as far as both books say so: that much can be cleared."""
        return (
            min(self.we_owe_micros, self.we_owe_by_their_books_micros),
            min(self.they_owe_micros, self.they_owe_by_their_books_micros),
        )

    @property
    def can_be_cleared(self) -> bool:
        return min(self.agreed_micros) >= 0 and max(self.agreed_micros) > 0

    def covers(self, we_owe_micros: int, they_owe_micros: int) -> bool:
        we_owe, they_owe = self.agreed_micros
        return we_owe_micros <= we_owe and they_owe_micros <= they_owe


def open_dues(premises: Premises) -> list[Due]:
    """Every pair with something open in either book, all of one moment."""
    others = Premises.objects.exclude(pk=premises.pk).order_by("code")
    return [due for due in _dues(premises, others) if due.differences or any(due.agreed_micros)]


def _dues(premises: Premises, others: Iterable[Premises]) -> list[Due]:
    others = list(others)
    found = balances.balances(
        _account(ours, name, theirs)
        for other in others
        for ours, theirs in ((premises, other), (other, premises))
        for name in ("due-to", "due-from")
    )
    return [
        Due(
            premises,
            other,
            -found[_account(premises, "due-to", other)],
            found[_account(premises, "due-from", other)],
            found[_account(other, "due-from", premises)],
            -found[_account(other, "due-to", premises)],
        )
        for other in others
    ]


def _account(ours: Premises, name: str, theirs: Premises) -> str:
    return chart.account(ours.code, name, theirs.code)


# --- Clearing -------------------------------------------------------------------------------------------------
@transaction.atomic
def request_clearing(
    actor: User,
    premises: Premises,
    other_code: str,
    we_owe_micros: int,
    they_owe_micros: int,
    reason: str,
) -> ApprovalRequest:
    """One of finance asks that these very amounts be cleared; when another approves, it is done."""
    access.require(actor, FINANCE, premises)
    _lock(premises.code, other_code)
    due = next((due for due in open_dues(premises) if due.other.code == other_code), None)
    if due is None:
        text = f"Nothing is open between {premises.code} and {other_code}."
        raise Refused("nothing_open", text, status=NOT_NOW)
    if min(we_owe_micros, they_owe_micros) < 0 or not we_owe_micros + they_owe_micros:
        raise wrong("we_owe", "Amounts are not below 0.00, and one of them is above.")
    if not due.covers(we_owe_micros, they_owe_micros):
        raise Refused("more_than_open", _not_open(due), status=NOT_NOW)
    for asked in waiting(premises):
        if other_code in (asked.premises.code, asked.payload["other"]):
            text = f"{asked.requested_by} has asked to clear this pair: another must approve or reject that first."
            raise Refused("already_asked", text, status=NOT_NOW)
    payload = {
        "premises": premises.code,
        "other": due.other.code,
        "due_to": format_money(we_owe_micros),
        "due_from": format_money(they_owe_micros),
        "currency": premises.currency,
        "pays": _who_pays(due, we_owe_micros - they_owe_micros),
    }
    return approvals.request_approval(actor, premises, CLEAR.name, payload, reason)


def waiting(premises: Premises) -> list[ApprovalRequest]:
    """What was asked here or at the other side about a pair of this premises, and nobody has decided yet."""
    requests = ApprovalRequest.objects.filter(
        action=CLEAR.name, state=ApprovalRequest.State.REQUESTED, expires_at__gt=Now()
    ).select_related("premises", "requested_by")
    return [
        each
        for each in requests.order_by("pk")
        if premises.code in (each.premises.code, each.payload["other"])
    ]


def _clear(request: ApprovalRequest) -> None:
    """Both books at once. Play goes on between asking and approving, so more may be open by now: what was approved is
    cleared, to the micro, and the rest stays. If less is open, somebody cleared it, and nothing is done."""
    premises, payload = request.premises, request.payload
    _lock(premises.code, payload["other"])
    (due,) = _dues(premises, Premises.objects.filter(code=payload["other"]))
    _expect_both_sides(request, due)
    we_owe, they_owe = parse_money(payload["due_to"]), parse_money(payload["due_from"])
    if not due.covers(we_owe, they_owe):
        text = f"The books have moved since this was asked for. {_not_open(due)} Reject this and ask anew."
        raise Refused("moved", text, status=NOT_NOW)
    approver = approvals.decider(request)
    approvals.use_approval(request, CLEAR.name, payload, approver)
    try:
        post_many(_entries(request, due, we_owe, they_owe))
    except DayClosed:
        text = "A gaming day was closed at this very moment: approve it again, for the next one."
        raise DayClosed(text) from None
    for side in (premises, due.other):  # the auditors of each look into their own
        audit.record(
            approver,
            "ledger.dues_cleared",
            premises=side,
            subject=request,
            reason=request.reason,
            details=payload | {"requested_by": audit.name_of(request.requested_by)},
        )


CLEAR = approvals.declare(
    "ledger.clear_dues",
    gettext_noop("Clear what two premises owe each other"),
    request_roles=FINANCE,
    approve_roles=FINANCE,
    perform=_clear,
)


def _expect_both_sides(request: ApprovalRequest, due: Due) -> None:
    """The owner's funds move at the other premises too: not without one of its finance."""
    two = [person for person in (request.requested_by, request.decided_by) if person is not None]
    if not any(access.may(person, FINANCE, due.other) for person in two):
        text = f"The books of {due.other.name} move as well: one of the two must be of finance there."
        raise Refused("other_side", text, status=NOT_NOW)


def _lock(one: str, other: str) -> None:
    """One request and one clearing of a pair at a time: nothing is cleared twice."""
    turns.take("ledger.dues:" + ":".join(sorted((one, other))))


def _entries(request: ApprovalRequest, due: Due, we_owe_micros: int, they_owe_micros: int) -> list[NewEntry]:
    sides = (
        (due.premises, due.other, we_owe_micros, they_owe_micros),
        (due.other, due.premises, they_owe_micros, we_owe_micros),
    )
    return [
        NewEntry(
            key=f"ledger:dues:{request.pk}:{ours.code}",
            premises=ours,
            kind="dues.cleared",
            reference=f"approval:{request.pk}",
            source_hash=request.payload_sha256,
            legs=sum_legs(
                [
                    (_account(ours, "due-to", theirs), owe_micros),
                    (_account(ours, "due-from", theirs), -owed_micros),
                    (chart.account(ours.code, "house", "funds"), owed_micros - owe_micros),
                ]
            ),
            occurred_at=request.decided_at,
            memo=f"With {theirs.code}",
        )
        for ours, theirs, owe_micros, owed_micros in sides
    ]


@vouch("dues.cleared")
def clearings(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    """A clearing is what two people approved."""
    for entry in entries:
        number = entry.reference.partition(":")[2]
        request = ApprovalRequest.objects.select_related("premises").filter(
            pk=int(number) if number.isdecimal() else 0, action=CLEAR.name, state=ApprovalRequest.State.USED
        )
        found = request.first()
        other = Premises.objects.filter(code=found.payload["other"]).first() if found else None
        if found is None or other is None:
            yield entry, f"no two people approved {entry.reference}"
            continue
        due = Due(found.premises, other, 0, 0, 0, 0)
        owe, owed = parse_money(found.payload["due_to"]), parse_money(found.payload["due_from"])
        made = {one.key: one for one in _entries(found, due, owe, owed)}
        yield entry, made.get(entry.key, f"{entry.reference} is booked by other entries")


def _not_open(due: Due) -> str:
    we_owe, they_owe = due.agreed_micros
    return (
        f"By the books of both, {due.premises.name} owes {due.other.name} {say(we_owe)}, and "
        f"{due.other.name} owes {due.premises.name} {say(they_owe)}."
    )


def _who_pays(due: Due, micros: int) -> str:
    """The clearing in words, for whoever approves it."""
    if not micros:
        return "nobody: the two are equal"
    payer, payee = (due.premises, due.other) if micros > 0 else (due.other, due.premises)
    return f"{payer.code} pays {format_money(abs(micros))} to {payee.code}"


# --- Report ---------------------------------------------------------------------------------------------------
def _report(scope: Scope) -> Iterator[Row]:
    """By the premises' own books and gaming days; the other's days may begin at another hour."""
    ours = scope.premises.code
    for line in balances.trial_balance(scope.premises, scope.first, scope.last, prefix=f"{ours}/due-"):
        _, name, other = line.code.split("/")
        if name == "due-to":
            arisen, cleared = -line.credit_micros, line.debit_micros
            yield ours, other, line.currency, -line.opening_micros, arisen, cleared, -line.closing_micros
        else:
            arisen, cleared = line.debit_micros, -line.credit_micros
            yield other, ours, line.currency, line.opening_micros, arisen, cleared, line.closing_micros


DUES = register(
    Source(
        "ledger.dues",
        gettext_noop("Dues between premises"),
        (
            Column("owing", gettext_noop("Who owes")),
            Column("owed", gettext_noop("To whom")),
            Column("currency", gettext_noop("Currency")),
            Column("opening", gettext_noop("Opening"), Cell.MONEY),
            Column("arisen", gettext_noop("Arisen"), Cell.MONEY),
            Column("cleared", gettext_noop("Cleared"), Cell.MONEY),
            Column("closing", gettext_noop("Closing"), Cell.MONEY),
        ),
        _report,
        gettext_noop(
            "What linked premises owe each other by these books: stakes taken for a jackpot "
            "elsewhere, wins paid for one, and what two people cleared."
        ),
    )
)
