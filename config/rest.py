"""How every REST endpoint reads a body: strict JSON of a bounded size; what cannot be read is a 400 or 413 in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework import parsers, status
from rest_framework.exceptions import APIException, ParseError

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
