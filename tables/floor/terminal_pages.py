"""The page of the terminals' tokens: issue, renew, from where and until when, revoke. Signs have theirs on the page of
the displays (jackpots.signs.display_pages)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from people import access, tokens
from people.access import role_required
from people.models import Role, User
from people.pages import lists
from people.token_forms import RenewForm, RevokeForm
from tables import list_files
from tables.floor import terminals
from tables.forms import IssueTerminalForm, RestrictTerminalForm
from tables.models import Terminal
from tables.queries import administered_tables, administered_terminals


@require_safe
@role_required(Role.ADMINISTRATOR)
def credentials(request: HttpRequest) -> HttpResponse:
    return _page(request, {})


def _page(request: HttpRequest, refused: dict[str, Any]) -> HttpResponse:
    person = access.person(request)
    rows = administered_terminals(person).order_by("revoked_at", "table__code", "name")
    if lists.asked(request):
        return list_files.TERMINALS.file(request, rows)
    context: dict[str, Any] = {
        "terminals": rows,
        "form": IssueTerminalForm(tables=administered_tables(person), auto_id="terminal-%s"),
        "refused": None,
    }
    return render(request, "tables/credentials.html", context | refused, status=WRONG if refused else 200)


@require_POST
@role_required(Role.ADMINISTRATOR)
def issue(request: HttpRequest) -> HttpResponse:
    """A new terminal; its token is told this once."""
    person = access.person(request)
    form = IssueTerminalForm(request.POST, tables=administered_tables(person), auto_id="terminal-%s")
    token = attempt(form, lambda given: _issue(person, given))
    return (
        _page(request, {"form": form}) if token is None else _told(request, form.cleaned_data["name"], token)
    )


def _issue(person: User, given: dict[str, Any]) -> str:
    return terminals.issue_token(
        person,
        given["table"],
        given["name"],
        networks=tokens.read_networks(given["networks"]),
        expires_at=given["expires_at"],
        must_sign=given["must_sign"],
    )


def _told(request: HttpRequest, name: str, token: str) -> HttpResponse:
    context = {"name": name, "token": token, "key": terminals.signing_key(token)}
    return render(request, "tables/token.html", context)


@require_POST
@role_required(Role.ADMINISTRATOR)
def credential_step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    person = access.person(request)
    if step not in STEPS:
        raise Http404("There is no such step.")
    return STEPS[step](request, person, get_object_or_404(administered_terminals(person), pk=pk))


def _renew(request: HttpRequest, person: User, row: Terminal) -> HttpResponse:
    form = RenewForm(request.POST)
    token = attempt(
        form,
        lambda given: terminals.renew_token(person, row.pk, timedelta(hours=given["overlap_hours"])),
    )
    return _page(request, {"refused": form}) if token is None else _told(request, row.name, token)


def _restrict(request: HttpRequest, person: User, row: Terminal) -> HttpResponse:
    form = RestrictTerminalForm(request.POST)

    def do(given: dict[str, Any]) -> Any:
        networks = tokens.read_networks(given["networks"])
        return terminals.restrict_terminal(
            person, row.pk, networks, given["expires_at"], must_sign=given["must_sign"]
        )

    if attempt(form, do) is None:
        return _page(request, {"refused": form})
    messages.success(request, gettext("%(row)s: from where and until when is changed.") % {"row": row.name})
    return redirect("credentials")


def _revoke(request: HttpRequest, person: User, row: Terminal) -> HttpResponse:
    form = RevokeForm(request.POST)

    def do(given: dict[str, Any]) -> bool:
        terminals.revoke_terminal(person, row, given["reason"])
        return True

    if attempt(form, do) is None:
        return _page(request, {"refused": form})
    messages.success(
        request,
        gettext("%(row)s is revoked: its token is void, and open sockets are closed.") % {"row": row.name},
    )
    return redirect("credentials")


STEPS: dict[str, Callable[[HttpRequest, User, Any], HttpResponse]] = {
    "renew": _renew,
    "restrict": _restrict,
    "revoke": _revoke,
}
