"""How every REST endpoint reads a body (strict JSON of a bounded size) and how it tells what went wrong.

The shape is that of config.kit.problems. A view raises; nobody builds an error's answer by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

import structlog
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import exceptions, parsers, serializers, status, views
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import problems, strict_json
from config.kit.database import is_busy
from config.kit.errors import UNFIT_TEXT, is_unfit_text
from config.kit.problems import MAX_BODY_BYTES
from config.kit.refusals import FORM, Fault, Refused, by_rule
from rules import RuleError
from rules.money import format_money

logger = structlog.get_logger(__name__)

MAX_NAME = 64
_BUSY = status.HTTP_503_SERVICE_UNAVAILABLE


class BodyTooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"The body is larger than {MAX_BODY_BYTES} bytes: send fewer items in one request."
    default_code = "too_large"


class JSONParser(parsers.JSONParser):
    """Strict, and neither size nor depth can exhaust the process."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        given = stream.read(MAX_BODY_BYTES + 1)
        if len(given) > MAX_BODY_BYTES:
            raise BodyTooLarge
        encoding = (parser_context or {}).get("encoding") or settings.DEFAULT_CHARSET
        try:
            return strict_json.loads(given.decode(encoding))
        except strict_json.SaidTwice as twice:
            raise serializers.ValidationError({twice.name[:MAX_NAME]: [str(twice)]}) from None
        except (ValueError, LookupError) as error:
            raise exceptions.ParseError(f"This is no JSON: {error}") from None
        except RecursionError:
            raise exceptions.ParseError("The JSON is nested too deep.") from None


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Whatever a view raises, as a problem; None for what nobody expected, which Django logs and answers by 500.

    A view that has done a part before it raised says so by `problem_members`.
    """
    view, path = context["view"], context["request"].path
    members: dict[str, Any] = view.problem_members() if hasattr(view, "problem_members") else {}
    problem = problem_of(error, path, members)
    if problem is not None:
        again = {"Retry-After": str(problems.RETRY_AFTER_S)} if problem["status"] == _BUSY else {}
        return problems.answer(problem, headers=again)
    if isinstance(error, RequestDataTooBig):
        error = BodyTooLarge()
    by_framework = views.exception_handler(error, context)
    if by_framework is None:
        return None
    headers = {
        name: by_framework[name] for name in ("WWW-Authenticate", "Retry-After") if name in by_framework
    }
    return problems.answer(_by_status(path, by_framework, members), headers=headers)


def problem_of(error: Exception, path: str, members: dict[str, Any]) -> dict[str, Any] | None:
    """What a verb raised, as a problem; None for what is the framework's, or nobody expected."""
    if is_busy(error):
        logger.warning("answered_as_busy", error=" ".join(str(error).split()))
        return problems.busy(path, **members)
    if is_unfit_text(error):
        return problems.body(path, 400, "parse_error", UNFIT_TEXT, **members)
    refused = _as_refused(error)
    return None if refused is None else _told(path, refused, members)


def _as_refused(error: Exception) -> Refused | None:
    """What is refused by a verb, by a rule, or by a form; the last is told in the same way as a rule's refusal."""
    if isinstance(error, Refused) and error.status < 500:
        return error
    if isinstance(error, RuleError):
        return by_rule([error])
    if isinstance(error, exceptions.ValidationError):
        faults = list(faults_of(error.detail))
        sentence = "; ".join(
            f"{each.field}: {each.message}" if each.field else each.message for each in faults
        )
        return Refused(FORM, sentence, faults=faults)
    return None


def _told(path: str, refused: Refused, members: dict[str, Any]) -> dict[str, Any]:
    return problems.body(
        path,
        refused.status,
        refused.code,
        refused.sentence,
        retry=refused.retry,
        faults=refused.faults,
        **members,
    )


def _by_status(path: str, answer: Any, members: dict[str, Any]) -> dict[str, Any]:
    detail = answer.data["detail"]
    retry = answer.status_code == status.HTTP_429_TOO_MANY_REQUESTS
    return problems.body(path, answer.status_code, detail.code, str(detail), retry=retry, **members)


def faults_of(detail: Any, path: str = "") -> Iterator[Fault]:
    """The framework's tree of faults as a list, with paths like those of the rules core: `events[2].at`."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if name == "non_field_errors":
                yield from faults_of(inner, path)
            elif isinstance(name, int):
                yield from faults_of(inner, f"{path}[{name}]")
            else:
                yield from faults_of(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list)
            yield from faults_of(inner, f"{path}[{index}]" if nested else path)
    else:
        yield Fault(path, str(detail))


class Pages(PageNumberPagination):
    """A long list, 100 a page: `?page=2` goes on."""

    page_size = 100


def paged(view: views.APIView, request: Request, rows: Any, tell: Callable[[Any], Any]) -> Response:
    """The page of rows that is asked for, as `Pages` of the view; each row as `tell` has it."""
    pages = Pages()
    found: list[Any] = pages.paginate_queryset(rows, request, view) or []
    return pages.get_paginated_response([tell(row) for row in found])


@extend_schema_field({"type": "string", "pattern": r"^-?\d+\.\d{2,6}$", "example": "2.50"})
class MoneyOut(serializers.Field[int, Any, str, int]):
    """Micros inside, text outside: '2.50'. Money comes in by forms."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: int) -> str:
        return format_money(value)
