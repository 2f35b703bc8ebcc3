"""The page of programs that may come in: terminals and signs, their tokens, from where and until when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.forms import attempt
from config.refusals import WRONG
from jackpots.models import Display, Progressive
from jackpots.signs import displays
from people import access, tokens
from people.access import role_required
from people.models import Role, User
from tables import terminals
from tables.forms import (
    IssueSignForm,
    IssueTerminalForm,
    RenewForm,
    RestrictForm,
    RestrictTerminalForm,
    RevokeForm,
)
from tables.queries import administered_tables, administered_terminals

ROLES = displays.SIGN_ROLES


def _signs(person: User) -> Any:
    own = access.premises_of(person, ROLES)
    return Display.objects.filter(premises__in=own).select_related("premises", "progressive")


@require_safe
@role_required(*ROLES)
def credentials(request: HttpRequest) -> HttpResponse:
    return _page(request, {})


def _page(request: HttpRequest, refused: dict[str, Any]) -> HttpResponse:
    person = access.person(request)
    context: dict[str, Any] = {
        "kinds": [
            (
                "terminal",
                "Terminals",
                administered_terminals(person).order_by("revoked_at", "table__code", "name"),
            ),
            ("sign", "Signs", _signs(person).order_by("revoked_at", "name")),
        ],
        "terminal_form": IssueTerminalForm(tables=administered_tables(person), auto_id="terminal-%s"),
        "sign_form": _sign_form(None, person),
        "refused": None,
    }
    return render(request, "tables/credentials.html", context | refused, status=WRONG if refused else 200)


def _sign_form(data: Any, person: User) -> IssueSignForm:
    own = access.premises_of(person, ROLES)
    currencies = own.values_list("currency", flat=True)
    shown = Progressive.objects.filter(host__currency__in=list(currencies))
    return IssueSignForm(data, premises=own, progressives=shown, auto_id="sign-%s")


@require_POST
@role_required(*ROLES)
def issue(request: HttpRequest, kind: str) -> HttpResponse:
    """A new terminal or sign; its token is told this once."""
    person = access.person(request)
    if kind == "terminal":
        access.require(person, Role.ADMINISTRATOR, None)
        form: forms.Form = IssueTerminalForm(
            request.POST, tables=administered_tables(person), auto_id="terminal-%s"
        )
        token = attempt(form, lambda given: _issue_terminal(person, given))
        refused: dict[str, Any] = {"terminal_form": form}
    elif kind == "sign":
        form = _sign_form(request.POST, person)
        token = attempt(form, lambda given: _issue_sign(person, given))
        refused = {"sign_form": form}
    else:
        raise Http404("There is no such kind.")
    return (
        _page(request, refused) if token is None else _told(request, kind, form.cleaned_data["name"], token)
    )


def _issue_terminal(person: User, given: dict[str, Any]) -> str:
    return terminals.issue_token(
        person,
        given["table"],
        given["name"],
        networks=tokens.read_networks(given["networks"]),
        expires_at=given["expires_at"],
        must_sign=given["must_sign"],
    )


def _issue_sign(person: User, given: dict[str, Any]) -> str:
    _, token = displays.create_display(person, given["premises"], given["name"], given["progressive"])
    return token


def _told(request: HttpRequest, kind: str, name: str, token: str) -> HttpResponse:
    address = request.build_absolute_uri(reverse("sign", args=[token])) if kind == "sign" else ""
    key = terminals.signing_key(token) if kind == "terminal" else ""
    context = {"kind": kind, "name": name, "token": token, "address": address, "key": key}
    return render(request, "tables/token.html", context)


@require_POST
@role_required(*ROLES)
def credential_step(request: HttpRequest, kind: str, pk: int, step: str) -> HttpResponse:
    person = access.person(request)
    rows = {"terminal": administered_terminals, "sign": _signs}.get(kind)
    if rows is None or step not in STEPS:
        raise Http404("There is no such step.")
    return STEPS[step](request, person, kind, get_object_or_404(rows(person), pk=pk))


def _renew(request: HttpRequest, person: User, kind: str, row: Any) -> HttpResponse:
    form = RenewForm(request.POST)
    verb = terminals.renew_token if kind == "terminal" else displays.renew_display
    token = attempt(form, lambda given: verb(person, row.pk, timedelta(hours=given["overlap_hours"])))
    return _page(request, {"refused": form}) if token is None else _told(request, kind, row.name, token)


def _restrict(request: HttpRequest, person: User, kind: str, row: Any) -> HttpResponse:
    is_terminal = kind == "terminal"
    form = RestrictTerminalForm(request.POST) if is_terminal else RestrictForm(request.POST)
    verb: Callable[..., Any] = terminals.restrict_terminal if is_terminal else displays.restrict_display

    def do(given: dict[str, Any]) -> Any:
        more = {"must_sign": given["must_sign"]} if is_terminal else {}
        return verb(person, row.pk, tokens.read_networks(given["networks"]), given["expires_at"], **more)

    if attempt(form, do) is None:
        return _page(request, {"refused": form})
    messages.success(request, f"{row.name}: from where and until when is changed.")
    return redirect("credentials")


def _revoke(request: HttpRequest, person: User, kind: str, row: Any) -> HttpResponse:
    form = RevokeForm(request.POST)
    verb: Callable[..., Any] = terminals.revoke_terminal if kind == "terminal" else displays.revoke_display

    def do(given: dict[str, Any]) -> bool:
        verb(person, row, given["reason"])
        return True

    if attempt(form, do) is None:
        return _page(request, {"refused": form})
    messages.success(request, f"{row.name} is revoked: its token is void, and open sockets are closed.")
    return redirect("credentials")


STEPS: dict[str, Callable[[HttpRequest, User, str, Any], HttpResponse]] = {
    "renew": _renew,
    "restrict": _restrict,
    "revoke": _revoke,
}
