"""What every request passes: its origin for log and audit trail, a strict Content-Security-Policy, and no cache."""

from __future__ import annotations

import re
import time
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from config.kit import origin

logger = structlog.get_logger("potline.request")

_EVENTS = re.compile(r"^/api/v1/tables/[^/]+/[^/]+/events$")
SLOW_MS = 1_000
QUIET_PATHS = ("/healthz", "/readyz", "/metrics", "/static/")

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)


@sync_and_async_middleware
def request_id_middleware(get_response: Any) -> Any:
    """Says where the request comes from and under which id (config.kit.origin), and sends the id back."""
    if iscoroutinefunction(get_response):

        async def with_id(request: HttpRequest) -> HttpResponseBase:
            began = time.perf_counter()
            with origin.acting_from(origin.of_request(request)):
                return _end(request, await get_response(request), began)

        return with_id

    def with_id_sync(request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        with origin.acting_from(origin.of_request(request)):
            return _end(request, get_response(request), began)

    return with_id_sync


def _end(request: HttpRequest, response: HttpResponseBase, began: float) -> HttpResponseBase:
    response.headers["X-Request-ID"] = origin.current().request_id
    if not request.path.startswith(QUIET_PATHS):
        took_ms = round((time.perf_counter() - began) * 1000, 1)
        routine = _is_routine(request, response) and response.status_code < 400 and took_ms < SLOW_MS
        (logger.debug if routine else logger.info)(
            "request", method=request.method, path=request.path, status=response.status_code, took_ms=took_ms
        )
    return response


def _is_routine(request: HttpRequest, response: HttpResponseBase) -> bool:
    """A terminal's beat (nothing new: 200, not 201), or a page that refreshes itself: several a second, and no news
    while they go well."""
    polls = request.method == "GET" and "HX-Request" in request.headers
    return polls or (response.status_code == 200 and bool(_EVENTS.match(request.path)))


@sync_and_async_middleware
def content_security_policy_middleware(get_response: Any) -> Any:
    """Only our own files run. A view may loosen the policy for itself by setting the header first."""
    if iscoroutinefunction(get_response):

        async def guarded(request: HttpRequest) -> HttpResponseBase:
            return _guard(await get_response(request))

        return guarded

    def guarded_sync(request: HttpRequest) -> HttpResponseBase:
        return _guard(get_response(request))

    return guarded_sync


def _guard(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    # Pages and answers hold money and names: neither a proxy nor a shared tablet keeps them. Static files say theirs.
    response.headers.setdefault("Cache-Control", "no-store")
    return response
