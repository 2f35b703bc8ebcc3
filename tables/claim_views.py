"""Pages of what players hold, may still come for, or complain about: non-value chips, unclaimed money, disputes."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.forms import attempt
from config.refusals import WRONG
from jackpots.queries import READERS
from ledger.queries import today
from people import audit
from people.access import may, person, require, role_required
from people.models import Premises, User
from people.page_context import current_premises
from rules.money import format_money
from tables import disputes, non_value, unclaimed
from tables.forms import (
    DecideForm,
    DisputeForm,
    EndForm,
    HoldForm,
    InspectForm,
    IssueColourForm,
    RedeemColourForm,
)
from tables.models import ColourStep, Dispute, Table, UnclaimedMoney
from tables.views import table_page

ASKED = "Asked. It is done when another person approves it on the page Approvals."
STEPS = {
    "decide": disputes.Kind.DECIDED,
    "review": disputes.Kind.REVIEWED,
    "inspect": disputes.Kind.INSPECTED,
}


def _here(request: HttpRequest, page: str) -> HttpResponse:
    premises = current_premises(request)
    if premises is None or not may(request.user, READERS, premises):
        raise Http404("You have no role that sees this here.")
    return redirect(page, premises=premises.code)


# --- Non-value chips --------------------------------------------------------------------------------------------
@require_POST
@role_required(*non_value.WHO)
def colour(request: HttpRequest, premises: Premises, code: str, step: str) -> HttpResponse:
    """Chips of a colour are issued, or come back, on the table's page."""
    if step not in ("issue", "redeem"):
        raise Http404(f"{step!r} is nothing that is done with non-value chips.")
    found = get_object_or_404(
        Table.objects.select_related("premises", "config", "table_log"), premises=premises, code=code
    )
    form = (IssueColourForm if step == "issue" else RedeemColourForm)(request.POST, auto_id=f"{step}-%s")

    def verb(given: dict[str, Any]) -> ColourStep:
        actor = person(request)
        if step == "issue":
            return non_value.issue(
                found.pk, actor, given["colour"], given["player"], given["value"], given["chips"]
            )
        return non_value.redeem(found.pk, actor, given["colour"], given["chips"], given["left"])

    made = attempt(form, verb)
    if made is None:
        return table_page(request, found, **{f"{step}_form": form})
    owed = format_money(made.owed_micros)
    messages.success(
        request, f"{made.colour.capitalize()} chips of {made.player}: {owed} are owed for them now."
    )
    return redirect("table", premises=premises.code, code=code)


# --- Unclaimed money --------------------------------------------------------------------------------------------
@require_GET
@role_required(*READERS)
def unclaimed_here(request: HttpRequest) -> HttpResponse:
    return _here(request, "unclaimed")


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
    context: dict[str, Any] = {
        "premises": premises,
        "today": today(premises),
        "held": rows.filter(end__isnull=True).order_by("expires_on", "pk")[:200],
        "over": rows.filter(end__isnull=False).order_by("-end__pk")[:50],
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


# --- Disputes ---------------------------------------------------------------------------------------------------
@require_GET
@role_required(*READERS)
def disputes_here(request: HttpRequest) -> HttpResponse:
    return _here(request, "disputes")


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
    rows = list(disputes.disputes_of([premises])[:200])
    context = {
        "premises": premises,
        "rows": sorted(rows, key=lambda row: (not disputes.next_steps(row), -row.pk)),
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
        (ways[kind], kind.label, refused if refused and ways[kind] == step else _form(ways[kind]))
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


def _form(step: str, data: Any = None) -> Form:
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
    form = _form(step, request.POST)
    if attempt(form, lambda given: disputes.decide(pk, person(request), STEPS[step], given)) is None:
        return _dispute(request, premises, pk, step, form)
    messages.success(request, "It is on record. Print it for both sides.")
    return redirect("dispute", premises=premises.code, pk=pk)
