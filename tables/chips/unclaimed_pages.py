"""The page of unclaimed money of tables: held, paid to who comes, expired."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from jackpots.queries import READERS
from ledger.queries import today
from people.access import may, person, require, role_required
from people.models import Premises, User
from people.pages import lists
from people.pages.page_context import premises_for
from tables import list_files
from tables.chips import unclaimed
from tables.forms import (
    EndForm,
    HoldForm,
)
from tables.models import Table, UnclaimedMoney

ASKED = "Asked. It is done when another person approves it on the page Approvals."


@require_GET
@role_required(*READERS)
def unclaimed_here(request: HttpRequest) -> HttpResponse:
    return redirect("unclaimed", premises=premises_for(request, READERS).code)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def unclaimed_page(request: HttpRequest, premises: Premises) -> HttpResponse:
    """What is held, and the form for more."""
    codes = list(Table.objects.filter(premises=premises).order_by("code").values_list("code", flat=True))
    form = HoldForm(request.POST or None, tables=codes)
    if form.is_bound:
        actor = person(request)
        require(actor, unclaimed.WHO, premises)
        if attempt(form, lambda given: _hold(premises, actor, given)) is not None:
            messages.success(request, ASKED)
            return redirect("unclaimed", premises=premises.code)
    return _unclaimed(request, premises, hold_form=form)


def _hold(premises: Premises, actor: User, given: dict[str, Any]) -> object:
    table = get_object_or_404(Table, premises=premises, code=given["table"])
    return unclaimed.request_hold(
        table.pk, actor, given["what"], given["amount"], round=given["round"], colour=given["colour"]
    )


def _unclaimed(request: HttpRequest, premises: Premises, **forms: Form) -> HttpResponse:
    rows = UnclaimedMoney.objects.filter(table__premises=premises).select_related("table", "round", "end")
    if lists.asked(request):
        return list_files.UNCLAIMED.file(request, rows.order_by("pk"), premises)
    context: dict[str, Any] = {
        "premises": premises,
        "today": today(premises),
        "held": lists.stretch(request, rows.filter(end__isnull=True).order_by("expires_on", "pk")),
        "over": lists.stretch(request, rows.filter(end__isnull=False).order_by("-end__pk"), "over"),
        "may_ask": may(request.user, unclaimed.WHO, premises),
        "end_form": EndForm(auto_id=False),
        **forms,
    }
    refused = any(form.is_bound for form in forms.values())
    return render(request, "tables/unclaimed.html", context, status=WRONG if refused else 200)


@require_POST
@role_required(*unclaimed.WHO)
def end_unclaimed(request: HttpRequest, premises: Premises, pk: int, step: str) -> HttpResponse:
    """Somebody came for it, or it expires: asked for here, done by a second person."""
    if step not in ("claim", "expire"):
        raise Http404(f"{step!r} is nothing that is done with unclaimed money.")
    get_object_or_404(UnclaimedMoney, table__premises=premises, pk=pk)
    form = EndForm(request.POST, auto_id=False)
    asked = attempt(form, lambda given: unclaimed.request_end(pk, person(request), step, given["reason"]))
    if asked is None:
        return _unclaimed(request, premises, end_form=form, hold_form=HoldForm())
    messages.success(request, ASKED)
    return redirect("unclaimed", premises=premises.code)
