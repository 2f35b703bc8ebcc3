"""The sign's page: full screen, no log-in, found by its token alone."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from config import origin
from jackpots.signs import displays


@require_GET
def sign(request: HttpRequest, token: str) -> HttpResponse:
    if settings.SIGNS_PORT and settings.PROCESS == "web":
        host = split_domain_port(request.get_host())[0]
        return redirect(f"{request.scheme}://{host}:{settings.SIGNS_PORT}{request.path}")
    display = displays.by_token(token, origin.current().ip)
    if display is None:
        raise Http404("No sign has this address; a jackpot manager can issue a new one.")
    response = render(request, "jackpots/sign.html", {"display": display})
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
