"""Pages of disputes (nz-1996 I 8): opened, decided, reviewed, printed for both sides."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from jackpots.queries import READERS
from people.access import may, person, require, role_required
from people.audit import audit
from people.models import Premises, User
from people.pages import filters, lists
from people.pages.page_context import premises_for
from tables import list_files
from tables.corrections import disputes
from tables.forms import (
    DecideForm,
    DisputeForm,
    DisputeSearchForm,
    InspectForm,
)
from tables.models import Dispute, Table

STEPS = {
    "decide": disputes.Kind.DECIDED,
    "review": disputes.Kind.REVIEWED,
    "inspect": disputes.Kind.INSPECTED,
}


@require_GET
@role_required(*READERS)
def disputes_here(request: HttpRequest) -> HttpResponse:
    return redirect("disputes", premises=premises_for(request, READERS).code)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def disputes_page(request: HttpRequest, premises: Premises) -> HttpResponse:
    """Those of the premises, open ones first, and the form for a new one."""
    codes = list(Table.objects.filter(premises=premises).order_by("code").values_list("code", flat=True))
    asked = {name: request.GET.get(name, "") for name in ("table", "round", "seat")}
    form = DisputeForm(request.POST or None, tables=codes, initial=asked)
    if form.is_bound:
        actor = person(request)
        require(actor, disputes.OPEN_ROLES, premises)
        made = attempt(form, lambda given: _open(premises, actor, given))
        if made is not None:
            return redirect("dispute", premises=premises.code, pk=made.pk)
    narrowed = filters.read(request, DisputeSearchForm(request.GET, auto_id="list-%s"))
    found = disputes.matching(disputes.disputes_of([premises]), narrowed.cleaned_data)
    if lists.asked(request):
        return list_files.DISPUTES.file(request, found, premises)
    over = lists.stretch(request, disputes.ended(found))
    rows = [*(disputes.still_open(found) if over.number == 1 else []), *over]
    context = {
        "premises": premises,
        "filters": narrowed,
        "rows": rows,
        "over": over,
        "open": {row.pk for row in rows if disputes.next_steps(row)},
        "may_open": may(request.user, disputes.OPEN_ROLES, premises),
        "form": form,
    }
    return render(request, "tables/disputes.html", context, status=WRONG if form.is_bound else 200)


def _open(premises: Premises, actor: User, given: dict[str, Any]) -> Dispute:
    table = get_object_or_404(Table, premises=premises, code=given["table"])
    return disputes.open_dispute(
        table.pk, actor, given["complainant"], given["complaint"], round=given["round"], seat=given["seat"]
    )


@require_GET
@role_required(*READERS)
def dispute_page(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    return _dispute(request, premises, pk)


def _dispute(
    request: HttpRequest, premises: Premises, pk: int, step: str = "", refused: Form | None = None
) -> HttpResponse:
    found = get_object_or_404(disputes.disputes_of([premises]), pk=pk)
    ways = {kind: name for name, kind in STEPS.items()}
    forms = [
        (ways[kind], kind.label, refused if refused and ways[kind] == step else _form(None, ways[kind]))
        for kind in disputes.next_steps(found)
        if may(request.user, disputes.ROLES[kind], premises)
    ]
    told = disputes.document(found)
    context = {
        "premises": premises,
        "dispute": found,
        "told": told,
        "forms": forms,
        "rules": ", ".join(dict.fromkeys(line["rule"] for line in told["settlement"])),
        "subject": audit.label_of(found),
        "refused": refused if refused and step not in [name for name, _, _ in forms] else None,
    }
    return render(request, "tables/dispute.html", context, status=WRONG if refused else 200)


def _form(data: Any, step: str) -> Form:
    return (InspectForm if step == "inspect" else DecideForm)(data, auto_id=f"{step}-%s")


@require_GET
@role_required(*READERS)
def dispute_paper(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """To print, once for each side."""
    found = get_object_or_404(disputes.disputes_of([premises]), pk=pk)
    context = {"premises": premises, "dispute": found, "told": disputes.document(found)}
    return render(request, "tables/dispute_paper.html", context)


@require_POST
@role_required(*disputes.REVIEW_ROLES)
def dispute_step(request: HttpRequest, premises: Premises, pk: int, step: str) -> HttpResponse:
    if step not in STEPS:
        raise Http404(f"{step!r} is no step of a dispute.")
    get_object_or_404(Dispute, table__premises=premises, pk=pk)
    require(person(request), disputes.ROLES[STEPS[step]], premises)
    form = _form(request.POST, step)
    if attempt(form, lambda given: disputes.decide(pk, person(request), STEPS[step], given)) is None:
        return _dispute(request, premises, pk, step, form)
    messages.success(request, gettext("It is on record. Print it for both sides."))
    return redirect("dispute", premises=premises.code, pk=pk)
