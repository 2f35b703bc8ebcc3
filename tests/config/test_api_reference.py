"""The API's document for people who write programs: a summary each, examples of the right form, every error code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft4Validator

from config.api_docs.api_document import DocumentView
from config.api_docs.api_reference import CODES, EXAMPLES, SUMMARIES
from people.alerts import alerts
from people.models import Role
from people.pages.navigation import entries_for
from tests.conventions.test_code import ROOT


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return found


def operations(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (method, path): operation
        for path, each in document["paths"].items()
        for method, operation in each.items()
    }


def test_every_operation_has_a_summary_of_its_own(document: dict[str, Any]) -> None:
    assert set(SUMMARIES) == set(operations(document))
    assert len(set(SUMMARIES.values())) == len(SUMMARIES)
    assert all(each["summary"] == SUMMARIES[key] for key, each in operations(document).items())


def test_every_operation_that_takes_something_has_an_example_of_its_form(document: dict[str, Any]) -> None:
    takes = {key: each for key, each in operations(document).items() if "requestBody" in each}
    assert set(EXAMPLES) == set(takes)
    for key, operation in takes.items():
        (content,) = operation["requestBody"]["content"].values()
        schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        assert content["example"] == EXAMPLES[key]
        assert set(EXAMPLES[key]) <= set(schema["properties"]), key
        assert set(schema.get("required", [])) <= set(EXAMPLES[key]), key


def answers(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for (method, path), operation in operations(document).items():
        for status, response in operation["responses"].items():
            for content in response.get("content", {}).values() if status != "default" else ():
                yield f"{method} {path} {status}", content


def plain_json_schema(schema: Any) -> Any:
    """OpenAPI's `nullable` in JSON Schema's own words."""
    if isinstance(schema, list):
        return [plain_json_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: plain_json_schema(each) for key, each in schema.items() if key not in ("nullable", "example")
    }
    return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") is True else made


def test_every_answer_has_an_example_of_its_schema(document: dict[str, Any]) -> None:
    """Held to the schema by another program than the one that made it."""
    registry = {"components": document["components"]}
    found = 0
    for name, content in answers(document):
        schema = plain_json_schema(registry | content["schema"])
        faults = [error.message for error in Draft4Validator(schema).iter_errors(content["example"])]
        assert faults == [], name
        assert content["example"] not in ({}, [], None), name
        found += 1
    assert found > 90


def test_every_call_names_the_codes_that_it_may_be_answered(document: dict[str, Any]) -> None:
    known = set(document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"])
    named: set[str] = set()
    for key, operation in operations(document).items():
        default = operation["responses"]["default"]
        (content,) = default["content"].values()
        codes = set(content["schema"]["allOf"][1]["properties"]["code"]["enum"])
        assert {"not_authenticated", "permission_denied", "unexpected"} <= codes <= known, key
        assert all(f"`{code}`" in default["description"] for code in codes)
        named |= codes
    # The last two are of pages alone, and of the command line.
    assert known - named <= {"no_invitation", "not_empty", "document", "two_people"}


def test_the_document_lists_the_codes_of_the_guide(document: dict[str, Any]) -> None:
    """The guide's own list is held to what the code raises by tests/conventions/test_code.py."""
    guide = (ROOT / "docs" / "api.md").read_text().split("## Errors")[1].split("\n## ")[0]
    tables = "\n".join(line for line in guide.splitlines() if line.startswith("| "))
    listed = set(re.findall(r"`([a-z_]+)`", tables)) - {"faults"}
    assert {code for codes in CODES.values() for code in codes} == listed
    assert set(document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == listed


def test_the_guide_lists_every_alert_with_whose_business_it_is() -> None:
    guide = (ROOT / "docs" / "api.md").read_text().split("## Alerts")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z]+\.[a-z_]+)` \| (\w+) \| .+ \| ([\w, ]+) \|$", guide, re.M)
    told = {name: (severity, set(roles.split(", "))) for name, severity, roles in rows}
    assert len(told) == len(rows)
    declared = [kind for name, kind in alerts._kinds.items() if not name.startswith("tests.")]
    assert told == {
        kind.name: (
            kind.severity.name.lower(),
            {role.value.replace("_", " ").replace("-", " ") for role in kind.roles},
        )
        for kind in declared
    }


def test_the_document_over_http_is_this_one_whoever_asks_for_another(document: dict[str, Any]) -> None:
    """A request that chooses language and version is the first, and leaves nothing to the next."""
    DocumentView.made.clear()
    asked = [Client().get(f"/api/schema?format=json{more}") for more in ("&lang=xx&version=9", "")]
    assert [json.loads(answer.content) for answer in asked] == [document, document]
    assert {answer["Content-Type"] for answer in asked} == {"application/vnd.oai.openapi+json"}
    as_yaml = Client().get("/api/schema")
    assert as_yaml["Content-Type"] == "application/vnd.oai.openapi; charset=utf-8"
    assert as_yaml.text.startswith("openapi: ")


def test_the_document_is_in_the_menu_of_those_whose_programs_read() -> None:
    for role in (Role.ADMINISTRATOR, Role.FINANCE, Role.AUDITOR):
        assert "/api/docs/" in [entry.url for entry in entries_for([role])]
