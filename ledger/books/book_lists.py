"""Finance's lists as files: the journal by leg, the trial balance by account, gaming days with the checklist of each,
dues, tables' counts, exports, seals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from ledger import queries
from ledger.books import chart
from ledger.books.balances import TrialLine
from ledger.close import closing
from ledger.close.dues import Due
from ledger.models import GamingDay, Seal
from people.models import Premises
from people.pages import lists
from people.pages.lists import Listing, day, moment, money, number, text

_LEGS = (
    Column("entry", gettext_noop("Entry"), Cell.NUMBER),
    Column("day", gettext_noop("Gaming day"), Cell.DATE),
    Column("own_date", gettext_noop("Late, of"), Cell.DATE),
    Column("posted_at", gettext_noop("Posted"), Cell.INSTANT),
    Column("kind", gettext_noop("Kind")),
    Column("reference", gettext_noop("Reference")),
    Column("account", gettext_noop("Account")),
    Column("account_title", gettext_noop("Account in words")),
    Column("amount", gettext_noop("Amount (debit above 0)"), Cell.MONEY),
    Column("currency", gettext_noop("Currency")),
)
_BALANCES = (
    Column("account", gettext_noop("Account")),
    Column("account_title", gettext_noop("Account in words")),
    Column("opening", gettext_noop("Opening"), Cell.MONEY),
    Column("debit", gettext_noop("Debit"), Cell.MONEY),
    Column("credit", gettext_noop("Credit"), Cell.MONEY),
    Column("closing", gettext_noop("Closing"), Cell.MONEY),
    Column("currency", gettext_noop("Currency")),
)


def journal(request: HttpRequest, premises: Premises, search: queries.Search) -> HttpResponse:
    return lists.answer(request, premises, "journal", "Journal", _LEGS, _legs(premises, search))


def _legs(premises: Premises, search: queries.Search) -> Iterator[Row]:
    """Page after page, so that a long journal does not stand in memory."""
    given = 0
    while given < lists.MAX_ROWS:
        found = queries.find_entries(premises, search)
        for entry in found:
            for code, micros in entry.legs:  # type: ignore[attr-defined]
                yield (
                    entry.pk, entry.day.date, entry.own_date, entry.posted_at, entry.kind, entry.reference, code,
                    chart.title_of(code), micros, premises.currency,
                )  # fmt: skip
                given += 1
        if len(found) < queries.PAGE:
            return
        search = replace(search, before_id=found[-1].pk)


def trial_balance(request: HttpRequest, premises: Premises, lines: Iterable[TrialLine]) -> HttpResponse:
    rows = (
        (
            line.code, chart.title_of(line.code), line.opening_micros, line.debit_micros, line.credit_micros,
            line.closing_micros, premises.currency,
        )
        for line in lines
    )  # fmt: skip
    return lists.answer(request, premises, "trial-balance", "Trial balance", _BALANCES, rows)


_DAYS = (
    Column("day", gettext_noop("Gaming day"), Cell.DATE),
    Column("state", gettext_noop("State")),
    Column("opened_at", gettext_noop("Opened"), Cell.INSTANT),
    Column("closed_at", gettext_noop("Closed"), Cell.INSTANT),
    Column("closed_by", gettext_noop("By")),
)
_DUES = (
    Column("other", gettext_noop("With")),
    Column("we_owe", gettext_noop("Owed by us"), Cell.MONEY),
    Column("they_owe", gettext_noop("Owed to us"), Cell.MONEY),
    Column("to_pay", gettext_noop("To pay (to receive below 0)"), Cell.MONEY),
    Column("differences", gettext_noop("Where the books of both differ")),
)
_SEALS = (
    Column("number", gettext_noop("Seal"), Cell.NUMBER),
    Column("sealed_at", gettext_noop("Sealed"), Cell.INSTANT),
    Column("root", gettext_noop("Root")),
    Column("hash", gettext_noop("Hash")),
)


def days(request: HttpRequest, premises: Premises, found: QuerySet[GamingDay]) -> HttpResponse:
    rows = (
        (
            day.date,
            day.get_state_display(),
            day.opened_at,
            day.closed_at,
            str(day.closed_by or day.closing_by or ""),
        )
        for day in found.iterator()
    )
    return lists.answer(request, premises, "gaming-days", "Gaming days", _DAYS, rows)


def dues(request: HttpRequest, premises: Premises, found: Iterable[Due]) -> HttpResponse:
    rows = (
        (
            due.other.name,
            due.we_owe_micros,
            due.they_owe_micros,
            due.to_pay_micros,
            "; ".join(due.differences),
        )
        for due in found
    )
    return lists.answer(request, premises, "between-premises", "Between premises", _DUES, rows)


def seals(request: HttpRequest) -> HttpResponse:
    """Of the whole installation: seals have no premises."""
    found = Seal.objects.defer("leaves").order_by("-number").iterator()
    rows = ((seal.number, seal.sealed_at, bytes(seal.root).hex(), bytes(seal.hash).hex()) for seal in found)
    return lists.answer(request, None, "seals", "Seals", _SEALS, rows)


TABLES = Listing(
    "reconciled-tables",
    "Tables, reconciled",
    (
        text("table", "Table"),
        day("day", "Gaming day"),
        money("play", "Got by play"),
        money("count", "Count result"),
        money("variance", "Variance", lambda row: None if row.count_micros is None else row.variance_micros),
        text("accepted", "Accepted"),
        text("explanation", "Explanation"),
    ),
)
EXPORTS = Listing(
    "exports",
    "Exports",
    (
        text("file", "File", "file_name"),
        text("sha256", "SHA-256", "file_sha256"),
        number("bytes", "Bytes", "file_bytes"),
        day("first", "From"),
        day("last", "To"),
        text("as_of", "As of"),
        text("asked_by", "Asked by", "requested_by"),
        moment("asked_at", "Asked", "requested_at"),
        text("state", "State", lambda row: row.get_state_display()),
        text("error", "Error"),
        moment("finished_at", "Ready"),
    ),
)
CHECKLIST = Listing(
    "checklist",
    "Checklist",
    (
        text("check", "Check", lambda row: row[0]),
        text("holds", "Holds", lambda row: row[1]),
        text("finding", "What stands in the way, or is named", lambda row: row[2]),
        text("carried", "Carried over", lambda row: row[3]),
    ),
)


def checklist(request: HttpRequest, one: GamingDay) -> HttpResponse:
    """As it stands, or as it stood at the close."""
    rows: list[tuple[str, bool, str, bool | None]] = []
    if one.state == GamingDay.State.CLOSED:
        for check in one.checklist or []:
            told = [finding["text"] for finding in check["findings"]] or [""]
            rows += [(check["title"], True, each, None) for each in told]
    else:
        for result in closing.checklist(one).results:
            rows += [
                (result.title, result.holds, line.finding.text, line.carried) for line in result.lines
            ] or [(result.title, result.holds, "", None)]
    return CHECKLIST.file(request, rows, one.premises, about=one.date.isoformat())
