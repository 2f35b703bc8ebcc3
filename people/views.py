"""People's pages. They ask people.access, call the verbs of people.approvals, and decide nothing themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Q
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from config.forms import attempt
from config.refusals import WRONG
from people import access, approvals, audit, first_steps
from people.forms import DecisionForm, PremisesForm
from people.models import ApprovalRequest, Premises, Role, User
from people.page_context import SESSION_KEY, current_premises


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    premises = current_premises(request)
    waiting = 0
    if premises:
        queue = _open_requests(premises)
        waiting = sum(_may_decide(row, access.person(request), premises) for row in queue)
    steps = []
    if premises and access.may(request.user, Role.ADMINISTRATOR, premises):
        steps = first_steps.steps_of(premises)
    return render(request, "people/home.html", {"waiting": waiting, "steps": steps})


@require_POST
@login_required
def choose_premises(request: HttpRequest) -> HttpResponse:
    form = PremisesForm(request.POST)
    if not form.is_valid():
        raise Http404("No premises of yours have that name.")
    premises = get_object_or_404(access.premises_of(request.user), code=form.cleaned_data["premises"])
    request.session[SESSION_KEY] = premises.code
    target = form.cleaned_data["next"] or "/"
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return redirect(target if safe else "/")


def _open_requests(premises: Premises) -> list[ApprovalRequest]:
    states = [ApprovalRequest.State.REQUESTED, ApprovalRequest.State.APPROVED]
    rows = ApprovalRequest.objects.filter(premises=premises, state__in=states, expires_at__gt=Now())
    found = rows.select_related("premises", "requested_by", "decided_by").order_by("requested_at")
    return [row for row in found if approvals.why_lapsed(row) is None]


def _may_decide(row: ApprovalRequest, user: User, premises: Premises) -> bool:
    if row.state != ApprovalRequest.State.REQUESTED or row.requested_by_id == user.pk:
        return False
    return approvals.declared(row.action) and access.may(
        user, approvals.action_named(row.action).approve_roles, premises
    )


def _here(request: HttpRequest) -> Premises:
    premises = current_premises(request)
    if premises is None:
        raise PermissionDenied("You have no role at any premises; an administrator can grant one.")
    return premises


@require_safe
@access.role_required()
def approval_queue(request: HttpRequest) -> HttpResponse:
    return _queue_page(request, _here(request))


def _queue_page(
    request: HttpRequest, premises: Premises, decided: int = 0, refused: DecisionForm | None = None
) -> HttpResponse:
    """`refused`: the form for the request `decided` that was not taken, with what was typed and why."""
    rows: list[Any] = list(_open_requests(premises))
    for row in rows:
        row.title = approvals.title_of(row.action)
        row.page = approvals.page_of(row)
        row.rows = _lines_of(row.payload)
        row.own = row.requested_by_id == request.user.pk
        row.may_decide = _may_decide(row, access.person(request), premises)
        row.form = DecisionForm(auto_id=f"{row.pk}-%s")
        if refused is not None and row.pk == decided:
            row.form = refused
    context = {
        "requests": rows,
        "premises": premises,
        # Decided by another meanwhile: it is no longer on the list, and what was refused is told all the same.
        "missed": None if any(row.form is refused for row in rows if row.may_decide) else refused,
    }
    return render(request, "people/approvals.html", context, status=200 if refused is None else WRONG)


def _lines_of(payload: Any) -> list[tuple[str, str]]:
    """Exactly what is approved, a row for each part, lists and objects as lines."""
    parts = payload if isinstance(payload, dict) else {"what": payload}
    return [(name, "\n".join(_told(value))) for name, value in parts.items()]


def _told(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _told(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and not path:
        for each in value:
            yield from _told(each)
    else:
        words = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        yield f"{path}: {words}" if path else words


@require_POST
@access.role_required()
def decide_approval(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    row = get_object_or_404(ApprovalRequest, pk=pk, premises=premises)
    form = DecisionForm(request.POST, auto_id=f"{pk}-%s")

    def verb(given: dict[str, Any]) -> ApprovalRequest:
        decide = approvals.approve if given["decision"] == "approve" else approvals.reject
        return decide(row, access.person(request), given["note"])

    if attempt(form, verb) is None:
        return _queue_page(request, premises, pk, form)
    done = row.state == ApprovalRequest.State.USED
    what = "approved and done" if done else row.get_state_display().lower()
    messages.success(request, f"{approvals.title_of(row.action)}: {what}.")
    return redirect("approvals")


AUDIT_ROLES = (Role.AUDITOR, Role.ADMINISTRATOR)


@require_safe
@access.role_required(*AUDIT_ROLES)
def audit_trail(request: HttpRequest) -> HttpResponse:
    """The records of the premises at which the reader has the role, and of their people's log-ins."""
    own = access.premises_of(request.user, AUDIT_ROLES)
    records = audit.visible_at(own)
    query = request.GET.get("q", "").strip()
    if query:
        records = records.filter(
            Q(action__icontains=query)
            | Q(actor_label__icontains=query)
            | Q(subject__icontains=query)
            | Q(reason__icontains=query)
        )
    page = Paginator(records.order_by("-id"), 50).get_page(request.GET.get("page"))
    return render(request, "people/audit.html", {"page": page, "query": query})
