"""The displays' pages: how all of them stand, one of them with what it shows and its preview, and their tokens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.kit.forms import attempt
from config.kit.http.middleware import CONTENT_SECURITY_POLICY
from config.kit.refusals import WRONG
from jackpots import list_files
from jackpots.models import Display, Progressive, TableLog
from jackpots.queries import READERS
from jackpots.signs import displays, preview
from jackpots.signs.forms import DisplayForm, NewDisplayForm, filled_in
from jackpots.signs.set_up import USUAL, set_up_of
from jackpots.signs.sign_pages import sign_page
from jackpots.signs.watch import standings, visible_displays
from people import access, tokens
from people.access import role_required
from people.models import Role, User
from people.pages import lists
from people.token_forms import RenewForm, RestrictForm, RevokeForm

VIEWERS = tuple({*READERS, *displays.SIGN_ROLES})
EDITORS = displays.SIGN_ROLES
WITH_FRAMES = CONTENT_SECURITY_POLICY.replace("frame-ancestors", "frame-src 'self'; frame-ancestors")
IN_A_FRAME = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")


def _own(person: User, roles: tuple[Role, ...]) -> Any:
    return visible_displays(access.premises_of(person, roles))


@require_safe
@role_required(*VIEWERS)
def all_displays(request: HttpRequest) -> HttpResponse:
    """Those that need someone first, then by name; revoked ones last."""
    person = access.person(request)
    rows = standings(_own(person, VIEWERS))
    rows.sort(key=lambda row: (row.state == "revoked", not row.bad, row.display.name))
    if lists.asked(request):
        return list_files.DISPLAYS.file(request, rows)
    context = {
        "rows": rows,
        "bad": sum(row.bad for row in rows),
        "may_add": access.premises_of(person, EDITORS).exists(),
    }
    template = "jackpots/_displays.html" if request.headers.get("HX-Request") else "jackpots/displays.html"
    return render(request, template, context)


def _choices(person: User) -> dict[str, Any]:
    own = access.premises_of(person, EDITORS)
    shown = Progressive.objects.filter(host__currency__in=list(own.values_list("currency", flat=True)))
    logs = TableLog.objects.filter(premises__in=own).select_related("premises")
    return {
        "codes": list(shown.order_by("name").values_list("code", "name")),
        "tables": logs.order_by("premises__name", "table_code"),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@role_required(*EDITORS)
def new_display(request: HttpRequest) -> HttpResponse:
    person = access.person(request)
    begins = filled_in(USUAL, "")
    form = NewDisplayForm(request.POST or None, initial=begins, **_choices(person))
    form.fields["premises"].queryset = access.premises_of(person, EDITORS)  # type: ignore[attr-defined]
    if request.method == "POST":
        made = attempt(
            form,
            lambda given: displays.create_display(
                person, given["premises"], given["name"], setup=given["setup"]
            ),
        )
        if made is not None:
            return _told(request, made[0], made[1])
    return _form_page(request, {"form": form, "display": None})


@require_http_methods(["GET", "HEAD", "POST"])
@role_required(*VIEWERS)
def display(request: HttpRequest, pk: int) -> HttpResponse:
    person = access.person(request)
    row = get_object_or_404(_own(person, VIEWERS), pk=pk)
    may = access.may(person, EDITORS, row.premises)
    form = None
    if may and row.revoked_at is None:
        begins = filled_in(set_up_of(row), row.name)
        form = DisplayForm(request.POST or None, initial=begins, **_choices(person))
    if request.method == "POST":
        access.require(person, EDITORS, row.premises)
        if form is None:
            raise Http404("It was revoked.")
        verb = lambda given: displays.set_up_display(person, row.pk, given["name"], given["setup"])  # noqa: E731
        if attempt(form, verb) is not None:
            messages.success(
                request, gettext("%(row)s is set up: its page shows it within seconds.") % {"row": row.name}
            )
            return redirect("display", pk=row.pk)
    return _form_page(request, {"form": form, "display": row})


def _form_page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    row, form = context["display"], context["form"]
    if row is not None:
        context["standing"] = standings([row])[0]
        context["preview"] = preview.query_of(set_up_of(row), row.premises.code)
    refused = bool((form is not None and form.is_bound and form.errors) or context.get("refused"))
    context["moments"] = preview.MOMENTS
    response = render(request, "jackpots/display.html", context, status=WRONG if refused else 200)
    response.headers["Content-Security-Policy"] = WITH_FRAMES
    return response


def _told(request: HttpRequest, row: Display, token: str) -> HttpResponse:
    address = request.build_absolute_uri(reverse("sign", args=[token]))
    return render(request, "jackpots/display_token.html", {"display": row, "address": address})


@require_safe
@role_required(*EDITORS)
def display_preview(request: HttpRequest) -> HttpResponse:
    """The sign's own page with what is on the form, at a moment of one's choice; figures of now, or made up."""
    person = access.person(request)
    own = access.premises_of(person, EDITORS)
    premises = own.filter(code=request.GET.get("premises", "")).first() or own.first()
    form = DisplayForm(request.GET)
    form.is_valid()  # whatever is wrong is as usual; the form beside says what it is
    setup = form.cleaned_data.get("setup", dict(USUAL))
    row = Display(premises=premises, name=form.cleaned_data.get("name", ""), setup=setup)
    shown = preview.document(row, request.GET.get("moment", "live"))
    response = sign_page(request, row, setup | {"preview": shown})
    response.headers["Content-Security-Policy"] = IN_A_FRAME
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@require_POST
@role_required(*EDITORS)
def display_step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    person = access.person(request)
    if step not in STEPS:
        raise Http404("There is no such step.")
    return STEPS[step](request, person, get_object_or_404(_own(person, EDITORS), pk=pk))


def _renew(request: HttpRequest, person: User, row: Display) -> HttpResponse:
    form = RenewForm(request.POST)
    token = attempt(
        form, lambda given: displays.renew_display(person, row.pk, timedelta(hours=given["overlap_hours"]))
    )
    return _refuse(request, row, form) if token is None else _told(request, row, token)


def _restrict(request: HttpRequest, person: User, row: Display) -> HttpResponse:
    form = RestrictForm(request.POST)

    def do(given: dict[str, Any]) -> Display:
        networks = tokens.read_networks(given["networks"])
        return displays.restrict_display(person, row.pk, networks, given["expires_at"])

    if attempt(form, do) is None:
        return _refuse(request, row, form)
    messages.success(request, gettext("%(row)s: from where and until when is changed.") % {"row": row.name})
    return redirect("display", pk=row.pk)


def _revoke(request: HttpRequest, person: User, row: Display) -> HttpResponse:
    form = RevokeForm(request.POST)

    def do(given: dict[str, Any]) -> bool:
        displays.revoke_display(person, row, given["reason"])
        return True

    if attempt(form, do) is None:
        return _refuse(request, row, form)
    messages.success(
        request,
        gettext("%(row)s is revoked: its address is void, and its page says so within seconds.")
        % {"row": row.name},
    )
    return redirect("displays")


def _refuse(request: HttpRequest, row: Display, refused: forms.Form) -> HttpResponse:
    begins = filled_in(set_up_of(row), row.name)
    form = None if row.revoked_at else DisplayForm(initial=begins, **_choices(access.person(request)))
    return _form_page(request, {"form": form, "display": row, "refused": refused})


STEPS: dict[str, Callable[[HttpRequest, User, Display], HttpResponse]] = {
    "renew": _renew,
    "restrict": _restrict,
    "revoke": _revoke,
}
