"""The sign's page, full screen, and its frames for those who poll: no log-in, found by its token alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from config.kit import origin
from config.kit.canonical_json import sha256_of
from jackpots.models import Display
from jackpots.signs import displays, wire
from jackpots.signs.set_up import set_up_of


def _at_the_signs(view: Callable[[HttpRequest, str], HttpResponse]) -> Callable[..., HttpResponse]:
    """Where signs have a process of their own, web servers send them there."""

    @require_GET
    @wraps(view)
    def at_the_signs(request: HttpRequest, token: str) -> HttpResponse:
        if settings.SIGNS_PORT and settings.PROCESS == "web":
            host = split_domain_port(request.get_host())[0]
            return redirect(f"{request.scheme}://{host}:{settings.SIGNS_PORT}{request.path}")
        return view(request, token)

    return at_the_signs


_OWN = ("sign-words", "sign-panel", "sign-board", "sign-scene", "sign")
SCRIPTS = ["potline/times.js", *(f"jackpots/{name}.js" for name in _OWN)]
"""In the order in which they run."""


@_at_the_signs
def sign(request: HttpRequest, token: str) -> HttpResponse:
    display = _display(token)
    return sign_page(request, display, set_up_of(display))


def sign_page(request: HttpRequest, display: Display, set_up: dict[str, Any]) -> HttpResponse:
    told = set_up | {"time_zone": display.premises.time_zone}
    context = {"display": display, "set_up": told, "scripts": SCRIPTS}
    response = render(request, "jackpots/sign.html", context)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _display(token: str) -> Display:
    display = displays.by_token(token, origin.current().ip)
    if display is None:
        raise Http404("No sign has this address; a jackpot manager can issue a new one.")
    return display


@_at_the_signs
def frames(request: HttpRequest, token: str) -> HttpResponse:
    """The newest of everything that the sign shows. Not changed is answered only while it is live: a meter that is not
    sent any more must not look as if it stood still."""
    display = _display(token)
    found = [json.loads(text) for text in map(wire.newest, wire.channels_of(display)) if text is not None]
    told = [frame | {"live": wire.is_live(frame)} for frame in found]
    tags = [f"{wire.channel_of(frame)}#{frame['sequence']}{'' if frame['live'] else '!'}" for frame in told]
    tag = f'"{sha256_of([display.set_up_as, *tags])[:32]}"'
    same = request.headers.get("If-None-Match") == tag and all(frame["live"] for frame in told)
    response: HttpResponse = HttpResponseNotModified() if same else JsonResponse({"frames": told})
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response
