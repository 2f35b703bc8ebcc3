"""The pages about one's own log-in: in, confirm, the link of an invitation, password, second factor, log-ins."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from config.kit import languages
from config.kit.forms import attempt, put_beside
from config.kit.refusals import WRONG, Refused
from people import access
from people.forms import (
    ChangePasswordForm,
    CodeForm,
    ConfirmForm,
    LanguageForm,
    LogInForm,
    LogInsForm,
    NextForm,
    SetPasswordForm,
    SetUpForm,
)
from people.log_ins import guard, invitations, proof, second_factor, sessions
from people.models import User
from people.on_record import vouched
from people.premises.premises import is_empty
from people.premises.premises_pages import initial_of_set_up, set_up_page
from people.staff import staff

page_or_post = require_http_methods(["GET", "HEAD", "POST"])
NOT_RIGHT = (
    "User name, password and code do not fit together. Who has set up an authenticator gives its code, too."
)


def safe_target(request: HttpRequest, given: str) -> str:
    """Where to go on to: a page of ours, by its path. A word alone would be looked up as the name of a page."""
    fits = url_has_allowed_host_and_scheme(given, {request.get_host()}, require_https=request.is_secure())
    return given if given.startswith("/") and fits else "/"


def _target(request: HttpRequest) -> str:
    sent = NextForm(request.POST)
    wanted = sent.cleaned_data["next"] if sent.is_valid() else ""
    return safe_target(request, wanted or request.GET.get("next", ""))


@sensitive_post_parameters()
@csrf_protect
@page_or_post
def log_in(request: HttpRequest) -> HttpResponse:
    target = _target(request)
    if request.user.is_authenticated:
        return redirect(target)
    if is_empty():
        return set_up_page(request, SetUpForm(initial=initial_of_set_up()))
    form, status = LogInForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        try:
            person = _who(request, **form.cleaned_data)
        except Refused as refused:
            put_beside(form, refused)
            status = refused.status
        else:
            login(request, person)
            answer = redirect(target)
            guard.remember(request, answer, person)
            return answer
    context = {"form": form, "next": target, "unsent": "unsent" in request.GET}
    return render(request, "people/login.html", context, status=status)


def _who(request: HttpRequest, username: str, password: str, code: str) -> User:
    """Whoever can give all of it; wrong in any part is wrong in the same words."""
    known = User.objects.filter(username__iexact=username).first()
    knock = guard.admit(guard.Knock.of(username, browser=guard.browser_of(request, known)))
    person = authenticate(request, username=known.username if known else username, password=password)
    if isinstance(person, User):
        vouched.demand_log_in(person)
        has_factor = second_factor.is_set_up(person)
        if not has_factor or second_factor.check(person, code):
            request.second_factor_given = has_factor  # type: ignore[attr-defined]
            guard.forgive(knock)
            invitations.renew_hash(person, password)
            return person
    guard.failed(knock, known, "log-in")
    raise Refused("not_right", NOT_RIGHT, status=429 if guard.has_locked(knock) else 200)


@sensitive_post_parameters()
@page_or_post
@login_required
@access.at_home
def confirm(request: HttpRequest) -> HttpResponse:
    """Shows that it is still the same person (people.log_ins.proof), then goes back to the page with what was to be
    done."""
    target = _target(request)
    person, row = access.person(request), proof.current()
    form = ConfirmForm(request.POST or None, initial={"next": target})
    has_factor = second_factor.is_set_up(person)
    if not has_factor:
        del form.fields["code"]
    if request.method == "POST" and row is not None:

        def verb(given: dict[str, Any]) -> bool:
            proof.confirm(row, person, given["password"], given.get("code", ""))
            return True

        if attempt(form, verb):
            return redirect(target)
    status = WRONG if form.errors else 200
    context = {"form": form, "next": target, "has_factor": has_factor, "unsent": "unsent" in request.GET}
    return render(request, "people/confirm.html", context, status=status)


@sensitive_post_parameters()
@csrf_protect
@page_or_post
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """For whoever has the link: sets a password, once."""
    found = invitations.by_token(token)
    form = SetPasswordForm(request.POST or None)
    if found is not None and request.method == "POST":
        done = attempt(form, lambda given: invitations.accept(token, given["password"]))
        if done is not None:
            messages.success(
                request,
                gettext("Your password is set. Log in as %(username)s.") % {"username": done.username},
            )
            return redirect("login")
    status = 404 if found is None else WRONG if form.errors else 200
    # The address is a secret: the policy of all pages (same-origin) tells it to nobody else. A stricter one would have
    # browsers send the form without an origin, which looks forged.
    return render(request, "people/invitation.html", {"form": form, "found": found}, status=status)


@sensitive_post_parameters()
@page_or_post
@login_required
@access.at_home
def me(request: HttpRequest) -> HttpResponse:
    """About one's own log-in: password, second factor, where one is logged in."""
    person = access.person(request)
    form = ChangePasswordForm(request.POST or None)
    if request.method == "POST":

        def verb(given: dict[str, Any]) -> bool:
            invitations.change_password(person, given["old"], given["new"], proof.current())
            return True

        if attempt(form, verb):
            update_session_auth_hash(request, person)
            messages.success(request, gettext("Your password is changed. Elsewhere you are logged out."))
            return redirect("me")
    return _own_page(request, person, {"password_form": form}, WRONG if form.errors else 200)


def _own_page(request: HttpRequest, person: User, forms: dict[str, Any], status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "password_form": ChangePasswordForm(),
        "code_form": CodeForm(),
        "language_form": LanguageForm(initial={"language": person.language}),
        "languages": settings.LANGUAGES,
        "has_factor": second_factor.is_set_up(person),
        "log_ins": sessions.under_way(person),
        "this_log_in": proof.current(),
    }
    if not context["has_factor"] and proof.is_fresh(context["this_log_in"]):
        secret = second_factor.begin(person, anew=request.method != "POST")
        context |= {"secret": secret, "qr_code": second_factor.qr_code(person, secret)}
    return render(request, "people/me.html", context | forms, status=status)


@require_POST
@login_required
@access.at_home
def set_up_second_factor(request: HttpRequest) -> HttpResponse:
    """The first code of the authenticator; whoever sets it up has given the password lately."""
    person = access.person(request)
    form = CodeForm(request.POST)

    def verb(given: dict[str, Any]) -> bool:
        row = proof.current()
        proof.demand_fresh(person)
        second_factor.confirm(person, given["code"])
        if row is not None:
            proof.has_given_code(row)
        return True

    if attempt(form, verb):
        messages.success(
            request, gettext("Your second factor is set up: every log-in asks for a code from now on.")
        )
        return redirect("me")
    return _own_page(request, person, {"code_form": form}, WRONG)


@require_POST
@login_required
def choose_language(request: HttpRequest) -> HttpResponse:
    person, form = access.person(request), LanguageForm(request.POST)
    if attempt(form, lambda given: staff.choose_language(person, given["language"])):
        languages.speak(request, person.language)
        messages.success(request, gettext("Kept. It holds wherever you log in."))
        return redirect("me")
    return _own_page(request, person, {"language_form": form}, WRONG)


@require_POST
@login_required
def end_own_log_ins(request: HttpRequest) -> HttpResponse:
    person = access.person(request)
    form = LogInsForm(request.POST)
    if attempt(form, lambda given: staff.end_log_ins(person, person, given["log_in"])):
        messages.success(request, gettext("Ended."))
    return redirect("me")
