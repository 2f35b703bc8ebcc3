"""The pages about premises: those that one administrates, new ones, and the first of all in an empty installation."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.kit.forms import attempt
from config.kit.refusals import NOT_NOW, WRONG
from people import access, list_files
from people.access import role_required
from people.forms import ChangePremisesForm, NewPremisesForm, SetUpForm
from people.models import Premises, Role, User
from people.pages import lists
from people.pages.page_context import current_premises
from people.premises import premises
from people.premises.premises import FACTS, PremisesFacts


def _own(request: HttpRequest) -> Any:
    return access.premises_of(request.user, Role.ADMINISTRATOR)


@require_safe
@role_required(Role.ADMINISTRATOR)
def premises_list(request: HttpRequest) -> HttpResponse:
    rows = _own(request).order_by("code")
    if lists.asked(request):
        return list_files.PREMISES.file(request, rows)
    return render(request, "people/premises_list.html", {"rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@role_required(Role.ADMINISTRATOR)
def new_premises(request: HttpRequest) -> HttpResponse:
    form = NewPremisesForm(request.POST or None)
    here = current_premises(request)
    home: Premises = here if here and here in _own(request) else _own(request).order_by("code")[0]

    def verb(given: dict[str, Any]) -> object:
        facts = PremisesFacts(**{name: given[name] for name in FACTS})
        return premises.ask_for_premises(access.person(request), home, facts, given["reason"])

    if request.method == "POST" and attempt(form, verb) is not None:
        messages.success(
            request,
            gettext("Asked: they are there once another person of %(home)s approves it (Approvals).")
            % {"home": home},
        )
        return redirect("premises-list")
    context = {
        "form": form,
        "title": gettext("New premises"),
        "verb": gettext("Ask for it at %(home)s") % {"home": home},
    }
    return render(request, "people/premises.html", context, status=WRONG if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required(Role.ADMINISTRATOR)
def premises_page(request: HttpRequest, premises: Premises) -> HttpResponse:
    stands = {name: getattr(premises, name) for name in FACTS}
    form = ChangePremisesForm(request.POST or None, initial=stands)
    if (
        request.method == "POST"
        and attempt(form, lambda given: _change(request, premises, given)) is not None
    ):
        messages.success(request, gettext("Changed, and on record."))
        return redirect("premises-page", premises=premises.code)
    context = {"form": form, "title": premises.name, "verb": gettext("Change"), "premises": premises}
    return render(request, "people/premises.html", context, status=WRONG if form.errors else 200)


def _change(request: HttpRequest, row: Premises, given: dict[str, Any]) -> Premises:
    return premises.change_premises(access.person(request), row.pk, **given)


# --- An empty installation --------------------------------------------------------------------------------------
def initial_of_set_up() -> dict[str, Any]:
    """Premises that were made on the command line are those that Potline is set up with."""
    first = Premises.objects.order_by("code").first()
    return {} if first is None else {name: getattr(first, name) for name in FACTS}


def set_up_page(request: HttpRequest, form: SetUpForm) -> HttpResponse:
    return render(request, "people/set_up.html", {"form": form}, status=WRONG if form.errors else 200)


@csrf_protect
@require_POST
def set_up(request: HttpRequest) -> HttpResponse:
    """Whoever knows the code, which the machine alone can print, as long as there is nobody."""
    form = SetUpForm(request.POST)
    if not premises.is_empty():
        context = {"why": "Potline is set up: log in."}
        return render(request, "people/set_up_done.html", context, status=NOT_NOW)
    made = attempt(form, _set_up)
    if made is None:
        return set_up_page(request, form)
    links = [(user, _link(request, token)) for user, token in made]
    return render(request, "people/set_up_done.html", {"links": links})


def _set_up(given: dict[str, Any]) -> list[tuple[User, str]]:
    return premises.set_up_installation(
        given["set_up_code"],
        {name: given[name] for name in FACTS},
        (given["first_username"], given["first_name"]),
        (given["second_username"], given["second_name"]),
        Role(given["second_role"]),
    )


def _link(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[token]))
