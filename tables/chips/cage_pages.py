"""The page of a cage: what it and the trays hold by the books, slips that wait and that are booked, the next one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from jackpots.queries import READERS
from ledger.queries import today
from people.access import may, person, require, role_required
from people.models import Premises
from people.pages import lists
from people.pages.page_context import premises_for
from rules.money import say
from tables import list_files
from tables.chips import cage
from tables.forms import CageSlipForm
from tables.models import CageSlip


@require_GET
@role_required(*READERS)
def cage_here(request: HttpRequest) -> HttpResponse:
    """That of the premises at which the person works."""
    return redirect("cage", premises=premises_for(request, READERS).code)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def cage_page(request: HttpRequest, premises: Premises) -> HttpResponse:
    """What it holds, its slips, and the form for the next one."""
    if request.method == "POST":
        actor = person(request)
        require(actor, cage.WHO, premises)
        form = CageSlipForm(request.POST)
        made = attempt(form, lambda given: cage.enter_slip(premises, actor, **entered(given)))
        if made is None:
            return _page(request, premises, form)
        about = {"number": made.number, "kind": made.kind, "amount": say(made.amount_micros)}
        what = gettext("Slip %(number)s: %(kind)s of %(amount)s") % about
        told = (
            gettext("%(what)s was booked before; nothing has changed.")
            if made.booked
            else gettext("%(what)s is booked when another person approves it on the page Approvals.")
        )
        messages.success(request, told % {"what": what})
        return redirect("cage", premises=premises.code)
    return _page(request, premises, None)


def entered(given: dict[str, Any]) -> dict[str, Any]:
    """What a form of a slip says, as `cage.enter_slip` takes it."""
    return {
        "kind": given["kind"],
        "money": given["money"],
        "amount_micros": given["amount"],
        "slip": given["slip"],
        "day": given["day"],
        "counted_as": given["denominations"],
    }


def _page(request: HttpRequest, premises: Premises, refused: CageSlipForm | None) -> HttpResponse:
    rows = CageSlip.objects.filter(premises=premises).select_related(
        "approval__requested_by", "approval__decided_by"
    )
    if lists.asked(request):
        return list_files.CAGE.file(request, rows.order_by("pk"), premises)
    first = CageSlipForm(initial={"day": today(premises), "kind": _next_kind(premises)})
    context: dict[str, Any] = {
        "premises": premises,
        "held": cage.held(premises),
        "is_opened": cage.is_opened(premises),
        "waiting": cage.waiting(premises),
        "slips": lists.stretch(request, rows.order_by("-pk")),
        "may_enter": may(request.user, cage.WHO, premises),
        "form": refused or first,
    }
    return render(request, "tables/cage.html", context, status=WRONG if refused is not None else 200)


def _next_kind(premises: Premises) -> str:
    kind = cage.CageKind.FUNDING if cage.is_opened(premises) else cage.CageKind.OPENING
    return kind.value


@require_POST
@role_required(*cage.WHO)
def print_slip(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """The slip to print; each call is one more print, on record."""
    get_object_or_404(CageSlip, premises=premises, pk=pk)
    form = Form(request.POST)
    printed = attempt(form, lambda _: cage.print_slip(pk, person(request)))
    if printed is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
        return redirect("cage", premises=premises.code)
    context = {"slip": cage.document(printed), "row": printed, "premises": premises}
    return render(request, "tables/cage_slip.html", context)
