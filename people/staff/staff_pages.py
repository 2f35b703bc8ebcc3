"""The administrator's pages about people: who there is, inviting, roles, links, log-ins, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import OuterRef, Q, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from people import access, list_files
from people.access import role_required
from people.audit import audit
from people.forms import InviteForm, LogInsForm, RoleForm, TakeRoleForm, WhyForm
from people.log_ins import guard, second_factor, sessions
from people.models import LogIn, Role, User
from people.pages import lists
from people.staff import staff

ADMINISTRATOR = Role.ADMINISTRATOR


@require_safe
@role_required(*staff.READERS)
def people(request: HttpRequest) -> HttpResponse:
    rows = staff.readable_by(access.person(request))
    query = request.GET.get("q", "").strip()
    if query:
        rows = rows.filter(Q(username__icontains=query) | Q(name__icontains=query))
    under_way = LogIn.objects.filter(person=OuterRef("pk"), ended_at__isnull=True).order_by("-last_used_at")
    rows = rows.annotate(last_used=Subquery(under_way.values("last_used_at")[:1]))
    rows = rows.prefetch_related("role_grants__premises", "invitations").select_related("second_factor")
    rows = rows.order_by("-is_active", "name", "pk")
    if lists.asked(request):
        return list_files.PEOPLE.file(request, rows)
    may_invite = access.may(request.user, ADMINISTRATOR, None)
    page = Paginator(rows, 50).get_page(request.GET.get("page"))
    return render(request, "people/people.html", {"page": page, "query": query, "may_invite": may_invite})


def _whom(request: HttpRequest, pk: int) -> User:
    """People of other premises are not there."""
    return get_object_or_404(staff.visible_to(access.person(request)), pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required(ADMINISTRATOR)
def invite(request: HttpRequest) -> HttpResponse:
    actor = access.person(request)
    own = access.premises_of(actor, ADMINISTRATOR)
    form = InviteForm(request.POST or None, premises=own)
    if request.method == "POST":
        made = attempt(form, lambda given: staff.invite(actor, **given | {"role": Role(given["role"])}))
        if made is not None:
            return _link_page(request, *made, asked=True)
    return render(request, "people/invite.html", {"form": form}, status=WRONG if form.errors else 200)


def _link_page(request: HttpRequest, person: User, token: str, *, asked: bool = False) -> HttpResponse:
    """The link, this once."""
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    context = {"person": person, "link": link, "asked": asked}
    return render(request, "people/link.html", context)


@require_safe
@role_required(*staff.READERS)
def person(request: HttpRequest, pk: int) -> HttpResponse:
    whom = get_object_or_404(staff.readable_by(access.person(request)), pk=pk)
    return _person_page(request, whom, {})


def _person_page(request: HttpRequest, whom: User, refused: dict[str, forms.Form]) -> HttpResponse:
    actor = access.person(request)
    own = access.premises_of(actor, ADMINISTRATOR)
    read = access.premises_of(actor, staff.READERS)
    grants = whom.role_grants.select_related("premises").order_by("premises__name", "role")
    context: dict[str, Any] = {
        "whom": whom,
        "grants": [(grant, grant.premises in own) for grant in grants],
        "has_factor": second_factor.is_set_up(whom),
        "locked": guard.is_locked(whom),
        "log_ins": sessions.under_way(whom),
        "invitation": whom.invitations.order_by("-pk").first(),
        "approved_link": staff.approved_link(whom),
        "alone": not grants and whom.last_login is None,
        "is_self": actor.pk == whom.pk,
        # Who reads alone is shown no verb; an administrator of other premises is refused by it.
        "may_change": own.exists(),
        "story": audit.visible_at(read)
        .filter(subject=f"people.user:{whom.pk}")
        .select_related("premises")
        .order_by("-pk")[:20],
        "role_form": RoleForm(premises=own, auto_id="role-%s"),
        "link_form": WhyForm(auto_id="link-%s"),
        "leave_form": WhyForm(auto_id="leave-%s"),
    }
    return render(request, "people/person.html", context | refused, status=WRONG if refused else 200)


@require_POST
@role_required(ADMINISTRATOR)
def person_step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    """One of an administrator's verbs about a person, by its name."""
    if step not in STEPS:
        raise Http404("There is no such step.")
    whom = _whom(request, pk)
    return STEPS[step](request, access.person(request), whom)


def _done(request: HttpRequest, whom: User, text: str) -> HttpResponse:
    messages.success(request, text)
    return redirect("person", pk=whom.pk)


def _ask_for_role(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    form = RoleForm(request.POST, premises=access.premises_of(actor, ADMINISTRATOR), auto_id="role-%s")
    asked = attempt(
        form, lambda g: staff.ask_for_role(actor, whom, g["premises"], Role(g["role"]), g["reason"])
    )
    if asked is None:
        return _person_page(request, whom, {"role_form": form})
    return _done(request, whom, "Asked: the role holds once another person approves it (Approvals).")


def _take_role(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    form = TakeRoleForm(request.POST)

    def verb(given: dict[str, Any]) -> bool:
        premises = get_object_or_404(access.premises_of(actor, ADMINISTRATOR), code=given["premises"])
        staff.take_role(actor, whom, premises, Role(given["role"]), given["reason"])
        return True

    if attempt(form, verb) is None:
        return _person_page(request, whom, {"leave_form": form})
    return _done(request, whom, "The role is taken; what was asked for in it has lapsed.")


def _ask_for_link(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    form = WhyForm(request.POST, auto_id="link-%s")
    if attempt(form, lambda given: staff.ask_for_link(actor, whom, given["reason"])) is None:
        return _person_page(request, whom, {"link_form": form})
    return _done(request, whom, "Asked: once another person approves it, you can make the link here.")


def _make_link(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    form = forms.Form(request.POST)
    token = attempt(form, lambda _: staff.make_link(actor, whom))
    if token is None:
        return _person_page(request, whom, {"link_form": form})
    return _link_page(request, whom, token)


def _unlock(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    staff.unlock(actor, whom)
    return _done(request, whom, f"{whom.username} is unlocked.")


def _end_log_ins(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    form = LogInsForm(request.POST)
    ended = staff.end_log_ins(actor, whom, form.cleaned_data["log_in"]) if form.is_valid() else 0
    return _done(request, whom, f"{ended} log-in{'s' if ended != 1 else ''} ended.")


def _leave(request: HttpRequest, actor: User, whom: User) -> HttpResponse:
    form = WhyForm(request.POST, auto_id="leave-%s")

    def verb(given: dict[str, Any]) -> bool:
        staff.leave(actor, whom, given["reason"])
        return True

    if attempt(form, verb) is None:
        return _person_page(request, whom, {"leave_form": form})
    messages.success(
        request,
        gettext("%(whom)s has left: no role, no log-in; open requests of theirs have lapsed.")
        % {"whom": whom},
    )
    return redirect("people")


STEPS: dict[str, Callable[[HttpRequest, User, User], HttpResponse]] = {
    "ask-role": _ask_for_role,
    "take-role": _take_role,
    "ask-link": _ask_for_link,
    "make-link": _make_link,
    "unlock": _unlock,
    "end-log-ins": _end_log_ins,
    "leave": _leave,
}
