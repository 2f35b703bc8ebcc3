"""Finance's pages: gaming days and their close, trial balance, journal, dues between premises, reconciliation, reports,
exports, seals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from typing import Any, TypeVar

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from config.kit import keys
from config.kit.forms import attempt
from config.kit.refusals import WRONG
from config.kit.sheets.columns import Cell, Row
from config.kit.sheets.writers import as_text
from ledger import queries
from ledger.books import balances, book_lists
from ledger.books.snapshot import snapshot
from ledger.close import closing, dues, reconciliation
from ledger.exports import bundle, download, service
from ledger.forms import (
    AbandonForm,
    BareForm,
    CarryOverForm,
    ClearingForm,
    CompareForm,
    DaySearchForm,
    EntrySearchForm,
    ExportForm,
    ExportSearchForm,
    SpanForm,
)
from ledger.models import Entry, Export, GamingDay, OpenItem, Seal
from ledger.queries import BOOK_READERS, DAY_READERS
from ledger.reports import comparing, drill, reports
from ledger.seals import seals
from people.access import may, person, require, role_required
from people.models import ApprovalRequest, Premises, Role, User
from people.pages import filters, lists
from people.pages.page_context import premises_for

PAGE_ROWS = 1_000
"""Of a report on a page; a part of a report has no totals, so that nobody takes it for the whole."""


F = TypeVar("F", bound=Form)


def asked_by(request: HttpRequest, form: type[F]) -> F:
    """What a page's address asks for. What cannot be read is said, and does not narrow."""
    filled = form(request.GET)
    for name, faults in filled.errors.items():
        messages.warning(
            request,
            gettext("Left out: %(label)s %(given)s. %(fault)s")
            % {"label": filled[name].label, "given": repr(request.GET.get(name)), "fault": faults[0]},
        )
    return filled


def span_of(request: HttpRequest, premises: Premises) -> tuple[date, date]:
    """The gaming days asked for (`first`, `last`); today where none is, one day where only one is given."""
    today = queries.today(premises)
    asked = asked_by(request, SpanForm).cleaned_data
    first, last = asked.get("first"), asked.get("last")
    begin, end = first or last or today, last or first or today
    return min(begin, end), max(begin, end)


# --- Gaming days ----------------------------------------------------------------------------------------------
@require_GET
@role_required(*DAY_READERS)
def days(request: HttpRequest) -> HttpResponse:
    premises = premises_for(request, DAY_READERS)
    form = filters.read(request, DaySearchForm(request.GET))
    found = queries.find_days(premises, form.cleaned_data)
    if lists.asked(request):
        return book_lists.days(request, premises, found)
    items = OpenItem.objects.filter(day__premises=premises).select_related("day", "approval__decided_by")
    context = {
        "premises": premises,
        "form": form,
        "days": lists.stretch(request, found),
        "items": lists.stretch(request, items.order_by("-day__date", "-pk"), "carried"),
        "may_read_books": may(request.user, BOOK_READERS, premises),
    }
    return render(request, "ledger/days.html", context)


def _day(premises: Premises, text: str) -> GamingDay:
    found = GamingDay.objects.select_related("premises", "closing_by", "closed_by")
    asked = SpanForm({"first": text})
    asked.full_clean()
    return get_object_or_404(found, premises=premises, date=asked.cleaned_data.get("first") or date.min)


@require_GET
@role_required(*DAY_READERS)
def day(request: HttpRequest, premises: Premises, date: str) -> HttpResponse:
    one = _day(premises, date)
    return book_lists.checklist(request, one) if lists.asked(request) else _day_page(request, one)


def _day_page(
    request: HttpRequest, one: GamingDay, step: str = "", refused: Form | None = None
) -> HttpResponse:
    """The checklist of a day, and the step that comes next for whoever may take it. `refused`: the form of `step` that
    was not taken, with what was typed and why."""
    premises = one.premises
    open_requests = ApprovalRequest.objects.filter(
        premises=premises, action=closing.CARRY_OVER.name, state__in=["requested", "approved"]
    )
    asked = {
        (request.payload["check"], request.payload["item"]): request
        for request in open_requests
        if request.payload["day_id"] == str(one.pk)
    }
    context: dict[str, Any] = {
        "premises": premises,
        "day": one,
        "abandon_form": refused if step == "abandon" and refused else AbandonForm(auto_id="abandon-%s"),
        "carry_form": refused if step == "carry" else None,
        "refused": refused,
        "may_close": may(request.user, closing.CLOSE_ROLES, premises),
        "may_ask": may(request.user, closing.CARRY_OVER.request_roles, premises),
        "items": OpenItem.objects.filter(day=one).select_related(
            "approval__requested_by", "approval__decided_by"
        ),
    }
    if one.state != GamingDay.State.CLOSED:
        found = closing.checklist(one)
        context |= {
            "checklist": found,
            "early": timezone.now() < found.ends_at,
            # What stands in the way first, then what was carried over, then what holds.
            "results": [
                (result, [(line, asked.get((line.check, line.finding.key))) for line in result.lines])
                for result in sorted(found.results, key=lambda result: (result.holds, not result.lines))
            ],
        }
    return render(request, "ledger/day.html", context, status=200 if refused is None else WRONG)


Step = Callable[[GamingDay, User, dict[str, Any]], object]
STEPS: dict[str, tuple[frozenset[Role], type[Form], Step, str]] = {
    "begin": (
        frozenset(closing.CLOSE_ROLES),
        BareForm,
        lambda day, actor, given: closing.begin_close(day, actor),
        "The close has begun. Postings go on until the day is locked.",
    ),
    "abandon": (
        frozenset(closing.CLOSE_ROLES),
        AbandonForm,
        lambda day, actor, given: closing.abandon_close(day, actor, given["reason"]),
        "The close is abandoned; the day is open again.",
    ),
    "close": (
        frozenset(closing.CLOSE_ROLES),
        BareForm,
        lambda day, actor, given: closing.close_day(day, actor),
        "The day is closed. What comes late goes to the next day, marked with its own date.",
    ),
    "carry": (
        closing.CARRY_OVER.request_roles,
        CarryOverForm,
        lambda day, actor, given: closing.request_carry_over(
            day, given["check"], given["item"], actor, given["reason"]
        ),
        "Asked for. It counts once another person has approved it.",
    ),
}


@require_POST
@role_required(*closing.CARRY_OVER.request_roles)
def take_step(request: HttpRequest, premises: Premises, date: str, step: str) -> HttpResponse:
    """One step of the close. Who may not take it is told so before what they filled in."""
    if step not in STEPS:
        raise Http404(f"{step!r} is no step of a close.")
    roles, shape, act, done = STEPS[step]
    require(person(request), roles, premises)
    one, form = _day(premises, date), shape(request.POST, auto_id=f"{step}-%s")
    if attempt(form, lambda given: act(one, person(request), given)) is None:
        return _day_page(request, _day(premises, date), step, form)
    messages.success(request, done)
    return redirect("ledger-day", premises=premises.code, date=date)


# --- The books ------------------------------------------------------------------------------------------------
@require_GET
@role_required(*BOOK_READERS)
def trial_balance(request: HttpRequest) -> HttpResponse:
    premises = premises_for(request, BOOK_READERS)
    first, last = span_of(request, premises)
    lines = balances.trial_balance(premises, first, last)
    compare = asked_by(request, CompareForm).cleaned_data.get("compare", "")
    other = comparing.then(first, last, compare)
    before = balances.trial_balance(premises, other.first, other.last) if other else []
    was = {line.code: line for line in before}
    if lists.asked(request):
        return book_lists.trial_balance(request, premises, lines)
    context = {
        "premises": premises,
        "first": first,
        "last": last,
        "lines": [(line, was.get(line.code)) for line in lines],
        "compare": compare,
        "compare_with": comparing.WITH,
        "then": other,
        "debits": sum(line.debit_micros for line in lines),
        "credits": sum(line.credit_micros for line in lines),
        "closing": sum(line.closing_micros for line in lines),
    }
    return render(request, "ledger/trial_balance.html", context)


@require_GET
@role_required(*BOOK_READERS)
def journal(request: HttpRequest) -> HttpResponse:
    """Search of the journal; the newest first, page after page."""
    premises = premises_for(request, BOOK_READERS)
    search = queries.Search(**asked_by(request, EntrySearchForm).cleaned_data)
    if lists.asked(request):
        return book_lists.journal(request, premises, search)
    found = queries.find_entries(premises, search)
    following = request.GET.copy()
    if len(found) == queries.PAGE:
        following["before_id"] = str(found[-1].pk)
    context = {
        "premises": premises,
        "entries": found,
        "search": search,
        "next": following.urlencode() if len(found) == queries.PAGE else "",
    }
    return render(request, "ledger/journal.html", context)


@require_GET
@role_required(*BOOK_READERS)
def entry(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """One entry with its legs, what it corrects or was corrected by, and the seal that covers it."""
    found = queries.with_legs(
        Entry.objects.filter(premises=premises, pk=pk).select_related("day", "corrects")
    )
    if not found:
        raise Http404("No entry of these books has that number.")
    one = found[0]
    covering = (
        Seal.objects.defer("leaves").filter(from_xact__lte=one.xact_id, below_xact__gt=one.xact_id).first()
    )
    context = {
        "premises": premises,
        "entry": one,
        "corrections": one.corrections.order_by("id"),
        "seal": covering,
        "seal_hash": bytes(covering.hash).hex() if covering else "",
        "source": bytes(one.source_sha256).hex(),
    }
    return render(request, "ledger/entry.html", context)


@require_GET
@role_required(*BOOK_READERS)
def open_dues(request: HttpRequest) -> HttpResponse:
    return _dues_page(request, premises_for(request, BOOK_READERS))


def _dues_page(request: HttpRequest, premises: Premises, refused: ClearingForm | None = None) -> HttpResponse:
    """What is open between premises, by pair, and what waits to be cleared."""
    if lists.asked(request):
        return book_lists.dues(request, premises, dues.open_dues(premises))
    asked = dues.waiting(premises)
    context = {
        "premises": premises,
        "dues": dues.open_dues(premises),
        "asked": asked,
        "asked_pairs": {code for each in asked for code in (each.premises.code, each.payload["other"])},
        "may_ask": may(request.user, dues.FINANCE, premises),
        "refused": refused,
    }
    return render(request, "ledger/dues.html", context, status=200 if refused is None else WRONG)


@require_POST
@role_required(*dues.FINANCE)
def clear_dues(request: HttpRequest, premises: Premises) -> HttpResponse:
    form = ClearingForm(request.POST)
    asked = attempt(
        form,
        lambda given: dues.request_clearing(
            person(request), premises, given["other"], given["we_owe"], given["they_owe"], given["reason"]
        ),
    )
    if asked is None:
        return _dues_page(request, premises, form)
    messages.success(request, gettext("Asked for. It is cleared when another person of finance approves it."))
    return redirect("dues")


@require_GET
@role_required(*BOOK_READERS)
def reconcile(request: HttpRequest) -> HttpResponse:
    """Progressives by level and tables, opening to closing, with what does not tie out in words."""
    premises = premises_for(request, BOOK_READERS)
    first, last = span_of(request, premises)
    with snapshot():  # books, meters and signs of one moment
        levels = reconciliation.reconcile(premises, first, last)
        tables = reconciliation.reconcile_tables(premises, first, last)
    if lists.asked(request, "tables"):
        return book_lists.TABLES.file(request, tables, premises)
    accounts = f"{premises.code}/jackpots/"
    context = {
        "premises": premises,
        "first": first,
        "last": last,
        "days": urlencode({"first": first.isoformat(), "last": last.isoformat()}),
        "levels": [(level, f"{accounts}{level.progressive}/levels/{level.level}/") for level in levels],
        "tables": tables,
        "reports": [source for source in reports.sources() if not source.large],
    }
    return render(request, "ledger/reconciliation.html", context)


@require_GET
@role_required(*BOOK_READERS)
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Any registered report that is short enough for a page."""
    premises = premises_for(request, BOOK_READERS)
    try:
        source = reports.source_named(name)
    except LookupError as error:
        raise Http404(str(error)) from error
    first, last = span_of(request, premises)
    rows: list[Row] = []
    old: list[Row] = []
    asked = asked_by(request, CompareForm).cleaned_data
    other = comparing.then(first, last, asked.get("compare", ""))
    most = lists.MAX_ROWS if lists.asked(request) else PAGE_ROWS
    if not source.large:
        scope = reports.Scope(premises, first, last, asked.get("table", ""), asked.get("progressive", ""))
        with snapshot():
            rows = list(islice(source.rows(scope), most + 1))
            if other is not None:
                of_then = replace(scope, first=other.first, last=other.last)
                old = list(islice(source.rows(of_then), PAGE_ROWS + 1))
    if lists.asked(request) and not source.large:
        return lists.answer(request, premises, source.name, source.title, source.columns, rows)
    more = len(rows) > PAGE_ROWS or len(old) > PAGE_ROWS
    summed = any(column.total for column in source.columns) and not more
    pairs: list[tuple[Row, Row | None]] = [(row, None) for row in rows]
    if other is not None:
        pairs = comparing.side_by_side(source, rows[:PAGE_ROWS], old[:PAGE_ROWS], other.days)
    totals = reports.totals(source, rows) if summed else None
    totals_then = reports.totals(source, old) if summed and other is not None else None
    context = {
        "premises": premises,
        "source": source,
        "first": first,
        "last": last,
        "compare": asked.get("compare", ""),
        "compare_with": comparing.WITH,
        "then": other,
        "rows": [_cells(source, row, was, (premises, first, last)) for row, was in pairs[:PAGE_ROWS]],
        "more": more,
        "totals": _cells(source, totals, totals_then) if totals else [],
    }
    return render(request, "ledger/report.html", context)


LONG_TEXT = 40


def _cells(
    source: reports.Source,
    row: Row,
    was: Row | None = None,
    about: tuple[Premises, date, date] | None = None,
) -> list[dict[str, Any]]:
    """Cells as people read them: text, class, whether it is money, which the template writes; what it was in the span
    that it is compared with; where it leads."""
    return [
        {
            "text": _text(value, column.cell),
            "class": _class(value, column.cell),
            "is_money": column.cell is Cell.MONEY,
            "compared": was is not None and column.cell in comparing.FIGURES,
            "was": _text(was[place], column.cell) if was is not None else None,
            "url": drill.address_of(about[0], source, column, row, *about[1:]) if about else "",
        }
        for place, (value, column) in enumerate(zip(row, source.columns, strict=True))
    ]


def _class(value: Any, cell: Cell) -> str:
    if cell in comparing.FIGURES:
        return "number"
    return "long" if isinstance(value, str) and len(value) > LONG_TEXT else ""


def _text(value: Any, cell: Cell) -> Any:
    """Exports and REST give figures exactly; a page gives dates in words and two places of a per cent."""
    if cell is Cell.MONEY:
        return value
    if value is None:
        return ""
    if cell is Cell.PERCENT:
        hundredths = round(value * 10_000)
        return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}%"
    if cell is Cell.DATE:
        return formats.date_format(value, "j M Y")
    if cell is Cell.INSTANT:
        return formats.date_format(timezone.localtime(value), "j M H:i:s T")
    return as_text(value, cell)


# --- Exports and seals ----------------------------------------------------------------------------------------
@require_GET
@role_required(*service.READ_ROLES)
def exports(request: HttpRequest) -> HttpResponse:
    return _exports_page(request, premises_for(request, tuple(service.READ_ROLES)))


def _exports_page(
    request: HttpRequest, premises: Premises, refused: ExportForm | None = None
) -> HttpResponse:
    narrowed = filters.read(request, ExportSearchForm(request.GET, auto_id="list-%s"))
    rows = queries.find_exports(premises, narrowed.cleaned_data)
    if lists.asked(request):
        return book_lists.EXPORTS.file(request, rows, premises)
    found = lists.stretch(request, rows)
    today = queries.today(premises)
    asked = {"first": today - timedelta(days=1), "last": today, "formats": bundle.FORMATS}
    context = {
        "premises": premises,
        "filters": narrowed,
        "exports": found,
        "working": any(one.state in {"requested", "building"} for one in found),
        "may_request": may(request.user, service.REQUEST_ROLES, premises),
        "form": refused or ExportForm(initial=asked),
    }
    template = "ledger/_exports.html" if request.headers.get("HX-Request") else "ledger/exports.html"
    return render(request, template, context, status=200 if refused is None else WRONG)


@require_POST
@role_required(*service.REQUEST_ROLES)
def request_export(request: HttpRequest, premises: Premises) -> HttpResponse:
    form = ExportForm(request.POST)
    answer = attempt(
        form,
        lambda given: service.request_export(
            person(request), premises, bundle.Request(premises=premises.code, **given)
        ),
    )
    if answer is None:
        return _exports_page(request, premises, form)
    made, created = answer
    known = "It is being built." if created else "This was asked for before; here it is."
    messages.success(request, f"{made.file_name}: {known}")
    return redirect("exports")


@require_GET
@role_required(*service.READ_ROLES)
def download_export(request: HttpRequest, premises: Premises, pk: str) -> HttpResponseBase:
    export = get_object_or_404(Export, premises=premises, pk=pk)
    answer = download.send(export, person(request))
    if answer is None:
        messages.error(request, gettext("%(file_name)s is not ready.") % {"file_name": export.file_name})
        return redirect("exports")
    return answer


@require_GET
@role_required(*BOOK_READERS)
def seal_list(request: HttpRequest) -> HttpResponse:
    if lists.asked(request):
        return book_lists.seals(request)
    found = lists.stretch(request, Seal.objects.defer("leaves").order_by("-number"))
    context = {
        "seals": [(seal, bytes(seal.hash).hex(), bytes(seal.root).hex()) for seal in found],
        "stretch": found,
        "troubles": [text for _, text in seals.troubles()],
        "evidence_keys": keys.public_keys(keys.EVIDENCE),
    }
    return render(request, "ledger/seals.html", context)
