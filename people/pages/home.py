"""People's pages: home, the search, approvals. They ask people.access, call the verbs of people.approvals.approvals,
and decide nothing themselves. The audit trail and alerts are in people.audit.record_pages."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from people import access, list_files
from people.approvals import approvals, tellings
from people.audit import audit
from people.forms import ApprovalSearchForm, DecisionForm, PremisesForm
from people.log_ins.log_in_pages import safe_target
from people.models import ApprovalRequest, AuditRecord, Premises, Role, User
from people.pages import console, filters, lists, references, search
from people.pages.page_context import SESSION_KEY, current_premises
from people.premises import first_steps
from people.staff import staff

APPROVALS_A_PAGE = 10
HISTORY_A_PAGE = 25
MAX_OPEN = 500
"""Requests expire within hours: more than these are never open at once unless somebody floods Potline."""


@require_safe
@login_required
@access.at_home
def home(request: HttpRequest) -> HttpResponse:
    """What waits for the reader over all their premises, and how things stand in the rooms of their roles."""
    user = access.person(request)
    held = console.roles_of(user)
    sorts = console.waiting_for(user, held)
    context = {
        "sorts": sorts,
        "tasks": console.in_order(sorts),
        "panels": console.panels_for(user, held),
        "now": timezone.now(),
    }
    here = current_premises(request) if Role.ADMINISTRATOR in held else None
    if here is not None and access.may(user, Role.ADMINISTRATOR, here):
        context["steps"] = first_steps.steps_of(here)
    part = request.headers.get("HX-Request")
    return render(request, "people/_home.html" if part else "people/home.html", context)


@require_safe
@login_required
@access.at_home
def waiting(request: HttpRequest) -> HttpResponse:
    """The badge in the menu: how many things wait for the reader."""
    sorts = console.waiting_for(access.person(request))
    context = {
        "marks": [f"{crc32(f'{task.url} {task.what}'.encode()):x}" for task in console.in_order(sorts)],
        "count": sum(len(sort.tasks) for sort in sorts),
        "more": any(sort.more for sort in sorts),
        "urgent": any(task.urgent for sort in sorts for task in sort.tasks),
    }
    return render(request, "people/_badge.html", context)


@require_safe
@login_required
@access.at_home
def go(request: HttpRequest, reference: str) -> HttpResponse:
    """To the page of a row that is named elsewhere. One of other premises is not found, as one that there is not."""
    page = references.page_of(access.person(request), reference)
    if reference.startswith("people.user:") and not access.may(access.person(request), staff.READERS, None):
        page = f"{reverse('audit-trail')}?{urlencode({'subject': reference})}"  # who may not open the person's page
    if page is None:
        raise Http404(f"No page shows {reference!r}.")
    return redirect(page)


@require_safe
@access.role_required()
def find(request: HttpRequest) -> HttpResponse:
    """The one box: rounds, wins, slips, tables, people and entries that the reader may see."""
    query = request.GET.get("q", "").replace("\0", "").strip()[:200]
    found = search.everywhere(access.person(request), query) if query else []
    only = [row for _, rows in found for row in rows]
    if len(only) == 1 and "stay" not in request.GET:
        return redirect(only[0].url)
    return render(request, "people/search.html", {"query": query, "found": found})


@require_POST
@login_required
def choose_premises(request: HttpRequest) -> HttpResponse:
    form = PremisesForm(request.POST)
    if not form.is_valid():
        raise Http404("No premises of yours have that name.")
    premises = get_object_or_404(access.premises_of(request.user), code=form.cleaned_data["premises"])
    request.session[SESSION_KEY] = premises.code
    target = form.cleaned_data["next"] or "/"
    return redirect(safe_target(request, target))


@require_safe
@access.role_required()
def approval_queue(request: HttpRequest) -> HttpResponse:
    if lists.asked(request):
        rows = ApprovalRequest.objects.filter(premises__in=access.premises_of(request.user))
        return list_files.APPROVALS.file(request, _matching(rows, _filters(request).cleaned_data))
    return _queue_page(request)


def _filters(request: HttpRequest) -> ApprovalSearchForm:
    own = access.premises_of(request.user)
    return filters.read(request, ApprovalSearchForm(request.GET, premises=own, actions=approvals.titles()))


def _matching(rows: QuerySet[ApprovalRequest], given: dict[str, Any]) -> QuerySet[ApprovalRequest]:
    """Those that the filters leave, the newest first."""
    if given.get("what"):
        rows = rows.filter(action=given["what"])
    if given.get("who"):
        people = User.objects.filter(Q(name__icontains=given["who"]) | Q(username__icontains=given["who"]))
        rows = rows.filter(Q(requested_by__in=people) | Q(decided_by__in=people))
    if given.get("premises"):
        rows = rows.filter(premises=given["premises"])
    if given.get("state"):
        rows = rows.filter(state=given["state"])
    if given.get("before"):
        rows = rows.filter(pk__lt=given["before"])
    rows = filters.between(rows, "requested_at", given, given.get("premises"))
    return rows.select_related("premises", "requested_by", "decided_by").order_by("-pk")


def _queue_page(request: HttpRequest, decided: int = 0, refused: DecisionForm | None = None) -> HttpResponse:
    """What waits for a second person at any of the reader's premises, those they may decide first; below, what was
    decided. `refused`: the form for the request `decided` that was not taken, with what was typed and why."""
    user = access.person(request)
    own = list(access.premises_of(user))
    mine, others = _split(user, own)
    waiting = Paginator(mine + others, APPROVALS_A_PAGE).get_page(request.GET.get("page"))
    rows: list[Any] = list(waiting)
    if decided and all(row.pk != decided for row in rows):
        rows += [row for row in mine + others if row.pk == decided]
    may = {row.pk for row in mine}
    for row in rows:
        row.title = approvals.title_of(row.action)
        row.page = approvals.page_of(row)
        row.told = tellings.telling_of(row)
        row.own = row.requested_by_id == user.pk
        row.may_decide = row.pk in may
        row.form = (
            refused if refused is not None and row.pk == decided else DecisionForm(auto_id=f"{row.pk}-%s")
        )
    past = ApprovalRequest.objects.filter(premises__in=own).exclude(pk__in=[row.pk for row in mine + others])
    form = _filters(request)
    history: list[Any] = list(_matching(past, form.cleaned_data)[: HISTORY_A_PAGE + 1])
    for row in history:
        row.title = approvals.title_of(row.action)
    older = request.GET.copy()
    older["before"] = str(history[HISTORY_A_PAGE - 1].pk) if len(history) > HISTORY_A_PAGE else ""
    context = {
        "form": form,
        "requests": rows,
        "waiting": waiting,
        "count": len(mine),
        "history": history[:HISTORY_A_PAGE],
        "older": older.urlencode() if older["before"] else "",
        "now": timezone.now(),
        # Decided by another meanwhile: it is no longer on the list, and what was refused is told all the same.
        "missed": None if any(row.form is refused for row in rows if row.may_decide) else refused,
    }
    return render(request, "people/approvals.html", context, status=200 if refused is None else WRONG)


def _split(user: User, own: list[Premises]) -> tuple[list[ApprovalRequest], list[ApprovalRequest]]:
    """Open requests that have not lapsed: those that the reader may decide, and the others; the oldest first."""
    rows = approvals.standing(approvals.open_at(own)[:MAX_OPEN])
    may = approvals.may_decide(user, rows)
    return [row for row in rows if row.pk in may], [row for row in rows if row.pk not in may]


@require_safe
@access.role_required()
def approval(request: HttpRequest, pk: int) -> HttpResponse:
    """One request from its beginning to its end: what it says, who decided, and everything on record about it."""
    own = access.premises_of(request.user)
    row: Any = get_object_or_404(
        ApprovalRequest.objects.select_related("premises", "requested_by", "decided_by"),
        premises__in=own,
        pk=pk,
    )
    row.title = approvals.title_of(row.action)
    row.page = approvals.page_of(row)
    row.told = tellings.telling_of(row)
    row.own = row.requested_by_id == request.user.pk
    row.lapsed = approvals.why_lapsed(row)
    row.over = row.expires_at <= timezone.now()
    row.may_decide = (
        not row.lapsed and not row.over and bool(approvals.may_decide(access.person(request), [row]))
    )
    row.form = DecisionForm(auto_id=f"{row.pk}-%s")
    story = AuditRecord.objects.filter(subject=audit.label_of(row)).select_related("premises").order_by("pk")
    return render(request, "people/approval.html", {"row": row, "story": story[:50], "now": timezone.now()})


@require_POST
@access.role_required()
def decide_approval(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    row = get_object_or_404(ApprovalRequest, pk=pk, premises=premises)
    form = DecisionForm(request.POST, auto_id=f"{pk}-%s")

    def verb(given: dict[str, Any]) -> ApprovalRequest:
        decide = approvals.approve if given["decision"] == "approve" else approvals.reject
        return decide(row, access.person(request), given["note"])

    if attempt(form, verb) is None:
        return _queue_page(request, pk, form)
    done = row.state == ApprovalRequest.State.USED
    what = gettext("approved and done") if done else gettext(row.get_state_display()).lower()
    messages.success(request, f"{gettext(approvals.title_of(row.action))}: {what}.")
    return redirect("approvals")
