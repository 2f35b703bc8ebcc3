"""Every error under /api/ is a problem (RFC 9457), whoever makes it: a view, the framework, Django, the door."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.http import HttpResponse, HttpResponseNotFound, StreamingHttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework import serializers
from rest_framework.exceptions import Throttled, ValidationError

from config.api_docs.api_schema import PROBLEM
from config.kit import problems, rest
from config.kit.problems import MAX_BODY_BYTES
from config.kit.refusals import Fault, Refused
from tables.door import line
from tables.models import TableEvent
from tests.floor import Floor, give_every_role
from tests.on_record import add_user

MEMBERS = set(PROBLEM["required"])


def api_routes(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, str, Any]]:
    """Name, address and view of every route under /api/, with something in the place of each argument."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from api_routes(pattern, prefix + str(pattern.pattern))
        elif isinstance(pattern, URLPattern):
            route = prefix + str(pattern.pattern)
            if route.startswith("api/"):
                yield str(pattern.name), "/" + re.sub(r"<[^>]+>", _example, route), pattern.callback


def _example(argument: re.Match[str]) -> str:
    kind, _, name = argument[0].strip("<>").partition(":")
    if kind == "uuid":
        return "6f9d1c1e-3f1e-4a43-9d6e-0c6f6a3f9a11"
    by_name = {
        "code": "stud",
        "premises": "harbour",
        "table": "CS-01",
        "date": "2026-03-14",
        "name": "ledger.journal",
        "level": "grand",
        "at": "harbour",
    }
    return "987654321" if kind == "int" else by_name[name]  # of no row, whatever came before


OF_EVENTS = {
    "at",
    "session",
    "expected",
    "under_way",
    "lease_ms",
    "no_lease",
    "new_clock",
    "beat_ms",
    "answers",
}
"""To a terminal's request also what it would have been told otherwise: those before a refused event stand."""
ROUTES = list(api_routes())
TERMINALS = {"api-table-events", "api-table-round", "api-table-layout"}
OPEN_TO_ALL = {"api-schema", "api-docs"}


def problem_of(answer: Any, *statuses: int) -> dict[str, Any]:
    """The answer's body, once it is seen to be a problem of one of these statuses."""
    about = (answer.status_code, answer.headers["Content-Type"], answer.content[:300])
    assert answer.status_code in statuses, about
    assert answer.headers["Content-Type"] == "application/problem+json", about
    problem: dict[str, Any] = json.loads(answer.content)
    assert MEMBERS <= problem.keys() <= MEMBERS | OF_EVENTS, about
    assert problem["status"] == answer.status_code
    assert problem["type"] == f"urn:problem-type:potline:{problem['code']}"
    assert re.fullmatch(r"[a-z][a-z_]*", problem["code"])
    assert problem["instance"] == answer.request["PATH_INFO"]
    assert problem["title"]
    assert problem["detail"]
    assert isinstance(problem["retry"], bool)
    for fault in problem["faults"]:
        assert fault.keys() == {"field", "rule", "message"}
    return problem


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def clients(floor: Floor) -> dict[str, Client]:
    """A person with every role at harbour, and CS-01's terminal."""
    everybody = add_user("all", name="All", password=None)
    give_every_role(everybody, floor.harbour)
    person = Client(raise_request_exception=False)
    person.force_login(everybody, "django.contrib.auth.backends.ModelBackend")
    token = {"Authorization": f"Bearer {floor.tokens['CS-01']}"}
    return {"person": person, "terminal": Client(raise_request_exception=False, headers=token)}


def test_there_are_routes() -> None:
    assert len(ROUTES) > 30


def test_bad_json_everywhere(floor: Floor) -> None:
    """Where a route takes a body, it says that it cannot be read; elsewhere that it takes none."""
    by_kind = clients(floor)
    read = 0
    for name, address, view in ROUTES:
        client = by_kind["terminal" if name in TERMINALS else "person"]
        answer = client.post(address, "{not json", content_type="application/json")
        takes = hasattr(view.view_class, "post")
        # A step without a body of its own (begin a close) or of a row that is not there may answer before it reads.
        problem = problem_of(answer, *((400, 404, 409) if takes else (405,)))
        read += problem["code"] == "parse_error"
    assert read >= 6


def test_wrong_methods_everywhere(floor: Floor) -> None:
    by_kind = clients(floor)
    for name, address, view in ROUTES:
        client = by_kind["terminal" if name in TERMINALS else "person"]
        for method in ("get", "post", "put", "patch", "delete", "trace"):
            if not hasattr(view.view_class, method):
                answer = getattr(client, method)(address)
                assert problem_of(answer, 405)["code"] == "method_not_allowed", (name, method)
                assert answer.headers["Allow"]


def test_nobody_everywhere(floor: Floor) -> None:
    nobody = Client(raise_request_exception=False)
    wrong = Client(raise_request_exception=False, headers={"Authorization": "Bearer not-a-token"})
    for name, address, view in ROUTES:
        if name in OPEN_TO_ALL:
            continue
        method = "get" if hasattr(view.view_class, "get") else "post"
        problem = problem_of(getattr(nobody, method)(address), 401, 403)
        assert (problem["code"], problem["retry"]) == ("not_authenticated", False), name
        assert problem_of(getattr(wrong, method)(address), 401, 403)["code"] in (
            "not_authenticated",
            "authentication_failed",
        )


@pytest.mark.parametrize("accept", ["text/html", "application/vnd.oai.openapi", "image/png"])
def test_what_the_caller_would_like_does_not_change_the_shape(floor: Floor, accept: str) -> None:
    by_kind = clients(floor)
    for _, address, view in ROUTES:
        if not hasattr(view.view_class, "delete"):
            problem_of(by_kind["person"].delete(address, headers={"Accept": accept}), 401, 403, 405, 406)


@pytest.mark.parametrize(
    "address", ["/api/", "/api/v1/", "/api/v1/nothing", "/api/v2/wins", "/api/v1/wins/x"]
)
@pytest.mark.parametrize("debug", [False, True])
def test_an_unknown_address(db: None, address: str, debug: bool) -> None:
    with override_settings(DEBUG=debug):
        assert problem_of(Client().get(address), 404)["code"] == "not_found"
    assert Client().get(address.replace("/api/", "/pages/")).headers["Content-Type"].startswith("text/html")


def test_an_oversized_body(floor: Floor) -> None:
    terminal = clients(floor)["terminal"]
    address = "/api/v1/tables/harbour/CS-01/events"
    much = json.dumps({"events": ["x" * MAX_BODY_BYTES]})
    problem = problem_of(terminal.post(address, much, content_type="application/json"), 413)
    assert (problem["code"], problem["answers"]) == ("too_large", [])


def test_a_form_where_json_is_asked_for(floor: Floor) -> None:
    person = clients(floor)["person"]
    problem_of(person.post("/api/v1/alerts/1/acknowledge", {"note": "x"}), 404, 415)
    address = "/api/v1/tables/harbour/CS-01/chips"
    assert problem_of(person.post(address, {"kind": "fill"}), 415)["code"] == "unsupported_media_type"


def test_each_wrong_field_is_a_fault(floor: Floor) -> None:
    address = "/api/v1/tables/harbour/CS-01/chips"
    answer = clients(floor)["person"].post(
        address, {"kind": "gift", "amount": "x"}, content_type="application/json"
    )
    problem = problem_of(answer, 422)
    assert (problem["code"], problem["retry"]) == ("form", False)
    assert {"kind", "amount"} <= {fault["field"] for fault in problem["faults"]}


@pytest.mark.parametrize("body", [[], "text", 5, [{"kind": "fill"}]])
def test_json_that_is_no_object(floor: Floor, body: Any) -> None:
    by_kind, text = clients(floor), json.dumps(body)
    for who, what in (("person", "chips"), ("terminal", "events")):
        address = f"/api/v1/tables/harbour/CS-01/{what}"
        answer = by_kind[who].post(address, text, content_type="application/json")
        assert problem_of(answer, 422)["code"] == "form"


def test_who_may_not_is_told_what_it_takes(floor: Floor) -> None:
    arne = Client()
    arne.force_login(floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    answer = arne.post("/api/v1/tables/harbour/CS-01/chips", {}, content_type="application/json")
    problem = problem_of(answer, 403)
    assert problem["code"] == "permission_denied"
    assert "it takes the role" in problem["detail"]


def test_without_csrf_token_a_session_changes_nothing(floor: Floor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    answer = client.post("/api/v1/tables/harbour/CS-01/chips", {}, content_type="application/json")
    assert "CSRF" in problem_of(answer, 403)["detail"]


@pytest.mark.parametrize("debug", [False, True])
def test_what_nobody_expected_tells_no_secret(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, debug: bool
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("tables.door.api.receive", broken)
    monkeypatch.setattr("people.alerts.alerts.visible_to", broken)
    by_kind = clients(floor)
    with override_settings(DEBUG=debug):
        problem = problem_of(by_kind["person"].get("/api/v1/alerts"), 500)
        assert (problem["code"], problem["retry"]) == ("unexpected", False)
        answer = by_kind["terminal"].post(
            "/api/v1/tables/harbour/CS-01/events", {"events": [{}]}, content_type="application/json"
        )
    assert b"secret" not in answer.content
    problem_of(answer, 500)


def test_a_fault_of_ours_is_not_told_as_theirs(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program made an entry that the books do not take: nothing that the caller could mend."""
    from ledger.books.errors import InvalidEntry

    def broken(*_: object) -> None:
        raise InvalidEntry("round:1: the legs sum to 5")

    monkeypatch.setattr("people.alerts.alerts.visible_to", broken)
    answer = clients(floor)["person"].get("/api/v1/alerts")
    assert problem_of(answer, 500)["code"] == "unexpected"


def test_busy_in_a_view_and_in_a_middleware(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise OperationalError("lock") from psycopg.errors.LockNotAvailable("lock")

    by_kind = clients(floor)
    for target in (
        "people.alerts.alerts.visible_to",
        "django.contrib.sessions.backends.db.SessionStore.load",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, busy)
            answer = by_kind["person"].get("/api/v1/alerts")
        problem = problem_of(answer, 503)
        assert (problem["code"], problem["retry"], answer.headers["Retry-After"]) == ("busy", True, "1")


def handled(error: Exception) -> Any:
    request = RequestFactory().get("/api/v1/x")
    answer = rest.exception_handler(error, {"view": object(), "request": request})
    assert answer is not None
    answer.request = {"PATH_INFO": "/api/v1/x"}  # type: ignore[attr-defined]
    return answer


def test_throttling_says_when_to_come_again() -> None:
    answer = handled(Throttled(wait=7))
    problem = problem_of(answer, 429)
    assert (problem["code"], problem["retry"], answer.headers["Retry-After"]) == ("throttled", True, "7")


def test_a_refusal_is_told_whole() -> None:
    refused = Refused(
        "out_of_chips",
        "No chips.",
        status=409,
        retry=True,
        faults=[Fault("chips", "none left", "nz-1996 I 1")],
    )
    problem = problem_of(handled(refused), 409)
    assert (problem["code"], problem["detail"], problem["retry"]) == ("out_of_chips", "No chips.", True)
    assert problem["faults"] == [{"field": "chips", "rule": "nz-1996 I 1", "message": "none left"}]


def test_paths_of_faults() -> None:
    class Inner(serializers.Serializer[Any]):
        at = serializers.DateField()

    class Outer(serializers.Serializer[Any]):
        events = Inner(many=True)
        names = serializers.ListField(child=serializers.CharField())

        def validate(self, attrs: Any) -> Any:
            raise ValidationError("as a whole")

    form = Outer(data={"events": [{"at": "2026-01-01"}, {}], "names": ["a", []]})
    assert not form.is_valid()
    assert {fault.field for fault in rest.faults_of(form.errors)} == {"events[1].at", "names[1]"}
    whole = Outer(data={"events": [], "names": []})
    assert not whole.is_valid()
    assert list(rest.faults_of(whole.errors)) == [Fault("", "as a whole")]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('{"events": [], "events": [{}]}', "events"),
        ('{"events": [{"number": 1, "number": 2}]}', "number"),
        ('{"envelope": {"clock": "a", "clock": "a"}}', "clock"),
    ],
)
def test_a_name_that_stands_twice_is_refused_by_name(floor: Floor, body: str, named: str) -> None:
    """Nobody can tell which of the two was meant, nor what was hashed: of a terminal nothing is taken."""
    terminal, address = clients(floor)["terminal"], "/api/v1/tables/harbour/CS-01/events"
    answer = terminal.post(address, body, content_type="application/json")
    problem = problem_of(answer, 422)
    assert (problem["code"], [fault["field"] for fault in problem["faults"]]) == ("form", [named])
    assert not TableEvent.objects.exists()
    assert line._read(body) is None


@pytest.mark.parametrize("body", ["NaN", '{"a": Infinity}', "[" * 100_000, "9" * 5_000, b"\xff\xfe", "{"])
def test_what_is_no_json_is_refused_in_words(floor: Floor, body: Any) -> None:
    answer = clients(floor)["person"].post("/api/v1/confirm", body, content_type="application/json")
    assert problem_of(answer, 400)["code"] == "parse_error"


@pytest.mark.parametrize("charset", ["rot13", "zip", "utf-16", "none-such"])
def test_an_odd_charset_is_no_fault_of_ours(floor: Floor, charset: str) -> None:
    kind = f"application/json; charset={charset}"
    problem_of(clients(floor)["person"].generic("POST", "/api/v1/confirm", "{}", kind), 400, 422)


def test_the_address_of_the_api_itself_is_one_of_its_own(db: None) -> None:
    for address in ("/api", "/api/", "/api/none"):
        assert problem_of(Client().get(address), 404)["code"] == "not_found"


# --- The guard ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "given",
    [
        HttpResponseNotFound("<h1>Not here</h1>"),
        HttpResponse("{}", status=418, content_type="application/json"),
        StreamingHttpResponse([b"x"], status=502),
    ],
)
def test_whatever_answers_under_api_is_put_into_the_shape(given: Any) -> None:
    given.headers["X-Kept"] = "1"
    given.set_cookie("kept", "1")
    answer = problems.problem_middleware(lambda _: given)(RequestFactory().get("/api/v1/x"))
    answer.request = {"PATH_INFO": "/api/v1/x"}
    problem_of(answer, given.status_code)
    assert answer.headers["X-Kept"] == "1"
    assert "kept" in answer.cookies


def test_pages_and_good_answers_are_left_alone() -> None:
    page, good = HttpResponseNotFound("<h1>"), HttpResponse("{}")
    guard = problems.problem_middleware
    assert guard(lambda _: page)(RequestFactory().get("/floor/")) is page
    assert guard(lambda _: good)(RequestFactory().get("/api/v1/x")) is good


# --- Told in the documents ------------------------------------------------------------------------------------
def test_openapi_tells_of_it_at_every_operation(db: None) -> None:
    document = json.loads(Client().get("/api/schema?format=json").content)
    operations = [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) >= len(ROUTES) - len(OPEN_TO_ALL)
    for path, method, operation in operations:
        responses = operation["responses"]
        (told,) = responses["default"]["content"].items()
        shape, codes = told[1]["schema"]["allOf"]
        assert (told[0], shape) == ("application/problem+json", {"$ref": "#/components/schemas/Problem"})
        assert {"unexpected", "not_found"} <= set(codes["properties"]["code"]["enum"]), (path, method)
        assert [status for status in responses if status.startswith(("4", "5"))] == [], (path, method)
    assert set(document["components"]["schemas"]["Problem"]["properties"]) == MEMBERS | {"answers"}


def test_the_guide_shows_the_shape() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()
    (example,) = re.findall(r"```json\n(\{\"type\": \"urn:.*?)```", guide, re.DOTALL)
    shown = json.loads(example)
    assert shown.keys() == MEMBERS | {"answers"}
    assert shown["type"] == problems.TYPE + shown["code"]
