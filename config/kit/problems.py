"""The one shape of every error under /api/: problem details (RFC 9457) with our members `code`, `retry` and `faults`.

config.kit.rest fills it from what a view raised, config.kit.http.admission where the server is full; whatever else
answers with an error under /api/ (an unknown address, Django itself) is put into this shape by the middleware here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from config.kit.refusals import Fault

CONTENT_TYPE = "application/problem+json"
TYPE = "urn:problem-type:potline:"
"""Then the code: what RFC 9457 calls the type of a problem."""
RETRY_AFTER_S = 1
MAX_BODY_BYTES = 4 * 1024 * 1024
"""Of a request under /api/."""
BUSY = (
    "Too much is going on here, or somebody holds what this needs. Nothing was changed: send the same again."
)

# What is said where nobody has said more.
_PLAIN = {
    400: ("bad_request", "The request cannot be read."),
    401: ("not_authenticated", "Log in first, or send a terminal's token."),
    403: ("permission_denied", "You may not do this."),
    404: ("not_found", "There is nothing at this address; /api/docs/ lists what there is."),
    405: ("method_not_allowed", "This address does not take this method."),
    408: (
        "too_slow",
        "The body did not come to its end in time: send it again on a better line, or in parts.",
    ),
    413: ("too_large", "The body is too large: send fewer items in one request."),
    429: (
        "throttled",
        "These are more requests than one caller may send: wait a moment, then send the same again.",
    ),
    500: ("unexpected", "Something went wrong here; it is in the log under this request's X-Request-ID."),
    503: ("busy", BUSY),
}
_TRY_AGAIN = {408, 429, 503}


def is_api(path: str) -> bool:
    return path.startswith("/api/") or path == "/api"


def body(
    path: str,
    status: int,
    code: str,
    detail: str,
    *,
    retry: bool = False,
    faults: Iterable[Fault] = (),
    **members: Any,
) -> dict[str, Any]:
    return {
        "type": TYPE + code,
        "title": _title(status),
        "status": status,
        "detail": detail,
        "instance": path,
        "code": code,
        "retry": retry,
        "faults": [fault.as_json() for fault in faults],
        **members,
    }


def _title(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def plain(path: str, status: int, **members: Any) -> dict[str, Any]:
    """By the status alone."""
    code, detail = _PLAIN.get(status, ("error", _title(status)))
    return body(path, status, code, detail, retry=status in _TRY_AGAIN, **members)


def busy(path: str, **members: Any) -> dict[str, Any]:
    """503: the same may be sent again as it is, after RETRY_AFTER_S."""
    return plain(path, 503, **members)


def answer(content: dict[str, Any], headers: dict[str, str] | None = None) -> HttpResponse:
    """Not REST framework's Response: no renderer that a caller asks for may change the shape."""
    return HttpResponse(
        json.dumps(content), status=content["status"], content_type=CONTENT_TYPE, headers=headers
    )


@sync_and_async_middleware
def problem_middleware(get_response: Any) -> Any:
    """Nothing but problem details leaves /api/ as an error, whoever made it."""
    if iscoroutinefunction(get_response):

        async def guarded(request: HttpRequest) -> HttpResponseBase:
            shaped: HttpResponseBase = _shape(request, await get_response(request))
            return shaped

        return guarded

    def guarded_sync(request: HttpRequest) -> HttpResponseBase:
        shaped: HttpResponseBase = _shape(request, get_response(request))
        return shaped

    return guarded_sync


_OF_THE_BODY = {"content-type", "content-length", "content-encoding"}


def _shape(request: HttpRequest, given: Any) -> Any:
    if given.status_code < 400 or not is_api(request.path) or given.headers["Content-Type"] == CONTENT_TYPE:
        return given
    kept = {name: value for name, value in given.headers.items() if name.lower() not in _OF_THE_BODY}
    shaped: Any = answer(plain(request.path, given.status_code), kept)
    shaped.cookies = given.cookies
    shaped._resource_closers.extend(given._resource_closers)  # what the answer's own end closes
    return shaped
