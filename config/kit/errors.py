"""Pages for what went wrong: the database has no time now (503), text that it cannot hold (400), what a page would tell
and cannot as things stand (409), and Django's own.

The REST API says the same in its own shape, in config.kit.rest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

import psycopg
import structlog
from django.contrib import messages
from django.db import close_old_connections, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import is_valid_path, reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.views import defaults

from config.kit import problems
from config.kit.database import is_busy
from config.kit.forms import page_of_form
from config.kit.refusals import NOT_NOW, ConfirmFirst, Refused

logger = structlog.get_logger(__name__)

UNFIT_TEXT = "Text with a NUL or a broken character cannot be stored or searched. Take it out."
_UNFIT = (psycopg.errors.UntranslatableCharacter, psycopg.errors.CharacterNotInRepertoire)


def is_unfit_text(error: BaseException) -> bool:
    """Text that fits no column, wherever a request puts it: as text, or inside of a JSON document."""
    if isinstance(error, UnicodeEncodeError):
        return "surrogates" in error.reason
    return "NUL (0x00)" in str(error) or isinstance(error.__cause__, _UNFIT)


def busy_page(request: HttpRequest, error: BaseException) -> HttpResponse:
    logger.warning("answered_as_busy", error=" ".join(str(error).split()))
    answer = render(None, "503.html", status=503)  # without the request: the page must not ask the database
    answer.headers["Retry-After"] = str(problems.RETRY_AFTER_S)
    return answer


def confirm_page(request: HttpRequest, refused: ConfirmFirst) -> HttpResponse:
    """To where the person shows that it is them, and from there back to the page with the form."""
    messages.warning(request, refused.sentence)
    return redirect(f"{reverse('confirm')}?{urlencode({'next': page_of_form(request), 'unsent': '1'})}")


class RefusalMiddleware(MiddlewareMixin):
    """What a view's queries could not do, in words; the whole request is undone."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if is_busy(error):
            return busy_page(request, error)
        if isinstance(error, ConfirmFirst):
            return confirm_page(request, error)
        if isinstance(error, Refused) and error.status == NOT_NOW and request.method == "GET":
            return render(request, "409.html", {"sentence": error.sentence}, status=NOT_NOW)
        if is_unfit_text(error):
            return HttpResponseBadRequest(UNFIT_TEXT)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """An address that only takes forms, loaded anew or come back to: the page above it has the form."""
        looked_at = request.method == "GET" and not problems.is_api(request.path)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not looked_at:
            return response
        return redirect(_page_above(request.path))


def _page_above(path: str) -> str:
    """The nearest address above it that there is. If that one takes forms only, too, the next request goes on up."""
    parts = path.rstrip("/").split("/")
    while len(parts) > 2:
        parts.pop()
        above = "/".join(parts) + "/"
        if is_valid_path(above):
            return above
    return "/"


Handler = Callable[..., HttpResponseBase]


def _page(status: int, handler: Handler) -> Handler:
    """Django's own page, but under /api/ nothing: config.kit.problems says there what the status means.

    Django calls these in a thread that is not the request's, and nobody else would give back the session that the page
    took from the database.
    """

    @wraps(handler)
    def handle(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if problems.is_api(request.path):
            return HttpResponse(status=status)
        try:
            return handler(request, *args, **kwargs)
        finally:
            if not connection.in_atomic_block:  # a caller's transaction is the caller's
                close_old_connections()

    return handle


bad_request = _page(400, defaults.bad_request)
permission_denied = _page(403, defaults.permission_denied)
page_not_found = _page(404, defaults.page_not_found)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """A form from another log-in or too old a page: nothing was done, and the way on is told."""
    logger.warning("form_refused", reason=reason)
    if problems.is_api(request.path):
        return HttpResponse(status=403)
    return render(request, "csrf.html", {"back": page_of_form(request)}, status=403)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Also called where a middleware, not a view, found the database away."""
    error = sys.exc_info()[1]
    return busy_page(request, error) if error and is_busy(error) else defaults.server_error(request)
