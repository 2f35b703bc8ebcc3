"""Pages of counts: every table of a gaming day from opener to closer, its variance to accept, what the premises asks of
counts, and slips to print."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from jackpots.queries import READERS
from ledger.close.reconciliation import ReconciledTable, register_counts
from ledger.models import GamingDay
from ledger.queries import today
from people.access import may, person, role_required
from people.models import Premises
from people.pages import lists
from people.pages.page_context import premises_for
from rules.money import format_money
from tables import list_files
from tables.chips import chips, count_rules, counts, slips
from tables.floor.sittings import sittings
from tables.forms import AcceptCountForm, CountRulesForm, CountsForm
from tables.models import ChipSlip, CountRules, Table


def counts_url(premises: Premises, day: date) -> str:
    return f"{reverse('counts', args=[premises.code])}?day={day.isoformat()}"


@require_GET
@role_required(*READERS)
def counts_here(request: HttpRequest) -> HttpResponse:
    """Those of the premises that the person works at."""
    return redirect("counts", premises=premises_for(request, READERS).code)


@require_GET
@role_required(*READERS)
def counts_page(request: HttpRequest, premises: Premises) -> HttpResponse:
    asked = CountsForm(request.GET)
    day = (asked.cleaned_data.get("day") if asked.is_valid() else None) or today(premises)
    return _page(request, premises, day)


def _page(request: HttpRequest, premises: Premises, day: date, **refused: Form) -> HttpResponse:
    """`refused`: the form that was not taken, with what was typed and why."""
    tables = list(Table.objects.filter(premises=premises).order_by("code"))
    found = {one.table.pk: one for one in counts.counts(premises, day, day)}
    sat = sittings(premises, day, tables)
    if lists.asked(request, "counts"):
        return list_files.COUNTS.file(request, found.values(), premises, about=day.isoformat())
    if lists.asked(request, "sittings"):
        sittings_of = [(table, one) for table in tables for one in sat.get(table.pk, [])]
        return list_files.SITTINGS.file(request, sittings_of, premises, about=day.isoformat())
    accept_form = refused.get("accept_form")
    rows = [
        {"table": table, "count": found.get(table.pk), "sittings": sat.get(table.pk, [])}
        for table in tables
        if table.pk in found or table.pk in sat
    ]
    context: dict[str, Any] = {
        "premises": premises,
        "day": day,
        "today": today(premises),
        "state": GamingDay.objects.filter(premises=premises, date=day)
        .values_list("state", flat=True)
        .first(),
        "rows": rows,
        "rules": count_rules.in_force(premises, day),
        "all_rules": lists.stretch(
            request, CountRules.objects.filter(premises=premises).order_by("-from_day", "-pk"), "rules"
        ),
        "may_accept": may(request.user, counts.ACCEPT, premises),
        "may_ask": may(request.user, count_rules.ASK, premises),
        "rules_form": CountRulesForm(initial={"from_day": today(premises)}, auto_id="rules-%s"),
        "refused_table": accept_form.table_code if accept_form is not None else "",  # type: ignore[attr-defined]
        **refused,
    }
    return render(request, "tables/counts.html", context, status=WRONG if refused else 200)


@require_POST
@role_required(*counts.ACCEPT)
def accept_count(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Accepts the variance of a table's count, as it was seen."""
    table = get_object_or_404(Table.objects.select_related("premises"), premises=premises, code=code)
    form = AcceptCountForm(request.POST)
    row = attempt(
        form,
        lambda given: counts.accept(
            table.pk, given["day"], person(request), given["variance"], given["explanation"]
        ),
    )
    if row is None:
        form.table_code = code  # type: ignore[attr-defined]
        day = form.cleaned_data.get("day") or today(premises)
        return _page(request, premises, day, accept_form=form)
    messages.success(
        request,
        gettext("%(code)s: its variance of %(variance)s is accepted and booked.")
        % {"code": code, "variance": format_money(row.variance_micros)},
    )
    return redirect(counts_url(premises, row.day))


@require_POST
@role_required(*count_rules.ASK)
def ask_rules(request: HttpRequest, premises: Premises) -> HttpResponse:
    form = CountRulesForm(request.POST, auto_id="rules-%s")
    asked = attempt(
        form,
        lambda given: count_rules.request_rules(
            premises, person(request), given["from_day"], given["explain_above"], given["reason"]
        ),
    )
    if asked is None:
        return _page(request, premises, today(premises), rules_form=form)
    messages.success(
        request, gettext("Asked. It holds from that gaming day on once another person approves.")
    )
    return redirect("counts", premises=premises.code)


@require_POST
@role_required(*chips.ANY_OF)
def print_slip(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """The slip to print; each call is one more print, on record."""
    row = get_object_or_404(ChipSlip.objects.select_related("table"), table__premises=premises, pk=pk)
    form = Form(request.POST)
    printed = attempt(form, lambda _: slips.print_slip(pk, person(request)))
    if printed is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
        return redirect("table", premises=premises.code, code=row.table.code)
    context = {"slip": slips.document(printed), "row": printed, "table": row.table, "premises": premises}
    return render(request, "tables/slip.html", context)


@register_counts
def reconciled(premises: Premises, first: date, last: date) -> Iterator[ReconciledTable]:
    for one in counts.counts(premises, first, last):
        yield ReconciledTable(
            table=one.table.code,
            day=one.day,
            url=counts_url(premises, one.day),
            play_micros=one.play_micros,
            count_micros=one.result_micros if one.counted else None,
            variance_micros=one.variance_micros if one.counted else 0,
            accepted=one.open_micros == 0,
            explanation=one.explanation,
        )
