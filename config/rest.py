"""How every REST endpoint reads a body (strict JSON of a bounded size; what cannot be read is a 400 or 413 in words),
and how it says that the database has no time now, or cannot hold what was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import structlog
from rest_framework import parsers, status, views
from rest_framework.exceptions import APIException, ParseError
from rest_framework.response import Response

from config.admission import RETRY_AFTER_S, busy_body
from config.database import is_busy
from config.errors import UNFIT_TEXT, is_unfit_text

logger = structlog.get_logger(__name__)

MAX_BODY_BYTES = 4 * 1024 * 1024


class BodyTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"The body is larger than {MAX_BODY_BYTES} bytes: send fewer items in one request."
    default_code = "too_large"


class JSONParser(parsers.JSONParser):
    """As the framework's own, and neither size nor depth can exhaust the process."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        request = (parser_context or {}).get("request")
        if request is not None and int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY_BYTES:
            raise BodyTooLarge
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The JSON is nested too deep.") from None


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """As the framework's own, and for the database's refusals."""
    if is_busy(error):
        return busy(error)
    if is_unfit_text(error):
        error = ParseError(UNFIT_TEXT)
    return views.exception_handler(error, context)


def busy(error: BaseException, answers: list[dict[str, Any]] | None = None) -> Response:
    """503: the same may be sent again as it is. `answers`: of the events before, which stand."""
    logger.warning("answered_as_busy", error=" ".join(str(error).split()))
    body = busy_body() if answers is None else {"answers": answers, **busy_body()}
    return Response(
        body, status=status.HTTP_503_SERVICE_UNAVAILABLE, headers={"Retry-After": str(RETRY_AFTER_S)}
    )
