"""Every field of every call with what is no value of its kind: refused as a problem that programs read, never by a
fault of ours.

schemathesis (test_schema.py) sends what the document allows; here comes what it does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern
from drf_spectacular.generators import SchemaGenerator

from config.api_docs.api_reference import EXAMPLES
from config.kit.problems import CONTENT_TYPE
from people.models import Role
from tests.conventions.test_permissions import TABLE, TERMINAL, Site, client_of, may, routes
from tests.conventions.test_permissions import site as site  # the fixture
from tests.examples import SOAK, by_turns
from tests.floor import forget_wrong_tokens

WRONG = (
    "5", "true", "null", '"text"', '""', "[]", "[5]", "[null]", "{}", '{"a": null}', '{"\\ud800": {}}', "1.5",
    '"\\ud800"', '["\\ud800"]', f'"{"9" * 5_000}"', "9" * 5_000, "-1", "9" * 30, '"a\\u0000b"',
    "[" * 600 + "]" * 600, '{"a": ' * 600 + "1" + "}" * 600,
)  # fmt: skip
"""As JSON's text: Python itself writes no number of 5,000 digits."""
MOMENTS = (
    '"2026-03-01T21:14:03+23:59"', '"2026-03-01T21:14:03-16:00"', '"0001-01-01T00:00:00+14:00"',
    '"0001-01-01T00:00:00"', '"9999-12-31T23:59:59-12:00"', '"9999-12-31T23:59:59"', '"0001-01-01"', '"9999-12-31"',
)  # fmt: skip
"""Python reads them, and PostgreSQL, a time zone or the next day does not: offsets beyond 15:59, the ends of time."""
HERE = "@wrong@"
Path = tuple[str | int, ...]


def pattern_of(path: str) -> str:
    return re.sub(r"\{[^}]*\}|<[^>]*>", "{}", path.strip("/"))


def fields_of(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By the pattern of an address: an example of what it takes, with every field that it knows."""
    found = {}
    for path, operations in document["paths"].items():
        if "requestBody" in operations.get("post", {}):
            (content,) = operations["post"]["requestBody"]["content"].values()
            schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            known = dict.fromkeys(schema["properties"])
            found[pattern_of(path)] = {"known": known, "example": EXAMPLES["post", path]}
    return found


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where something stands in a document, however deep; of a list its first item stands for the others."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


PLAYERS = {"players": {"3": {"ante": {"minimum": "5.00", "maximum": "2000.00"}}}}
"""What no example has, and what other code reads."""


def whole(example: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """What is taken here, with all that an example has beside it."""
    made = example | body
    for name, value in made.items():
        if isinstance(value, dict) and isinstance(example.get(name), dict):
            made[name] = example[name] | value
    for held in (made, made.get("rules")):
        if isinstance(held, dict) and isinstance(held.get("limits"), dict):
            held["limits"] = held["limits"] | PLAYERS
    return made


def with_text(body: dict[str, Any], paths: list[Path], text: str) -> str:
    """The body with this text of JSON at these places."""
    made = json.loads(json.dumps(body))
    for path in paths:
        inner = made
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = HERE
    return json.dumps(made).replace(f'"{HERE}"', text)


def calls(site: Site) -> Iterator[tuple[str, dict[str, Any], list[Path], Client]]:
    """Each call that takes something, what it is sent, and where in that something can be wrong."""
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    taken = fields_of(document)
    people = {role: client_of(role, site.floor.harbour) for role in Role}
    token = {"Authorization": f"Bearer {site.floor.tokens['CS-01']}"}
    terminal = Client(raise_request_exception=False, headers=token)
    found: dict[str, URLPattern] = {str(route.name): route for route in routes()}
    ends = {pattern.rpartition("api/v1/")[2]: given for pattern, given in taken.items()}
    for name, rules in TABLE.items():
        rule = next((rule for rule in rules if rule.method == "post"), None)
        given = ends.get(pattern_of(str(found[name].pattern)).rpartition("api/v1/")[2])
        if name.startswith("api-") and rule is not None and given is not None:
            body = whole(given["example"], rule.body)
            inside = list(places(body)) + [(field,) for field in given["known"] if field not in body]
            yield name, body, inside, terminal if rule.who == TERMINAL else people[may(rule)[0]]


@pytest.mark.parametrize("at_once", [True, False], ids=["all at once", "one at a time"])
def test_no_value_of_a_wrong_kind_is_a_fault_of_ours(site: Site, at_once: bool) -> None:
    """All fields wrong at once, and each alone: some of them and some ways by turns, in `make soak` each in each."""
    forget_wrong_tokens()
    wrong: list[str] = []
    tried = number = 0
    for index, (name, body, everywhere, client) in enumerate(calls(site)):
        inside = everywhere if SOAK or at_once else everywhere[index % 3 :: 3]
        fields = sorted({path[:1] for path in inside})
        for paths in [fields] if at_once else [[path] for path in inside]:
            number += 1
            for text in (WRONG if SOAK else WRONG[number % 5 :: 5]) if at_once else by_turns(number, WRONG):
                sent = with_text(body, paths, text)
                with transaction.atomic():
                    answer = client.post(site.url(name), sent, content_type="application/json")
                    transaction.set_rollback(True)
                tried += 1
                problem = answer.status_code < 400 or answer["Content-Type"] == CONTENT_TYPE
                if answer.status_code >= 500 or not problem:
                    where = ".".join(str(step) for step in paths[0]) if len(paths) == 1 else "all"
                    wrong.append(f"{name} {where}={text[:20]}: {answer.status_code}")
    assert tried > (1_500 if SOAK else 150)
    assert not wrong, "\n".join(wrong)


TELLS_WHEN = re.compile(
    r"(^|_)(at|until|since|begin|end|day|from|first|last|place|hour|date|echo|[a-z-]*card)$"
)


def test_no_moment_that_no_database_keeps_is_a_fault_of_ours(site: Site) -> None:
    """In the body of every call, and behind every address that is read."""
    forget_wrong_tokens()
    wrong: list[str] = []
    tried = 0
    for name, body, everywhere, client in calls(site):
        for path in everywhere:
            if not TELLS_WHEN.search(str(path[-1])):
                continue
            for text in MOMENTS:
                sent = with_text(body, [path], text)
                with transaction.atomic():
                    answer = client.post(site.url(name), sent, content_type="application/json")
                    transaction.set_rollback(True)
                tried += 1
                problem = answer.status_code < 400 or answer["Content-Type"] == CONTENT_TYPE
                if answer.status_code >= 500 or not problem:
                    wrong.append(f"{name} {'.'.join(map(str, path))}={text}: {answer.status_code}")
    assert tried > 200
    assert not wrong, "\n".join(wrong)


def test_no_moment_behind_an_address_is_a_fault_of_ours(site: Site) -> None:
    """Pages and calls that are read: by every name under which one of them is asked when."""
    people = {role: client_of(role, site.floor.harbour) for role in Role}
    wrong: list[str] = []
    tried = 0
    for name, rules in TABLE.items():
        rule = next((rule for rule in rules if rule.method == "get" and rule.who != TERMINAL), None)
        if rule is None or not may(rule) or name == "readyz":  # there is no broker here, as it says
            continue
        for text in MOMENTS:
            given = json.loads(text)
            asked = dict.fromkeys(
                ("at", "since", "begin", "end", "hour", "first", "last", "day", "month", "from", "to"), given
            )
            with transaction.atomic():
                answer = people[may(rule)[0]].get(site.url(name), asked)
                transaction.set_rollback(True)
            tried += 1
            if answer.status_code >= 500:
                wrong.append(f"{name} {text}: {answer.status_code}")
    assert tried > 200
    assert not wrong, "\n".join(wrong)
