"""The API's document for people who write programs: a summary each, examples of the right form, every error code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from config.api_reference import CODES, EXAMPLES, SUMMARIES
from people.models import Role
from people.navigation import entries_for
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


def test_the_document_lists_the_codes_of_the_guide(document: dict[str, Any]) -> None:
    """The guide's own list is held to what the code raises by tests/conventions/test_code.py."""
    guide = (ROOT / "docs" / "api.md").read_text().split("## Errors")[1].split("\n## ")[0]
    tables = "\n".join(line for line in guide.splitlines() if line.startswith("| "))
    listed = set(re.findall(r"`([a-z_]+)`", tables)) - {"faults"}
    assert {code for codes in CODES.values() for code in codes} == listed
    assert set(document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == listed


def test_the_document_is_in_the_menu_of_those_whose_programs_read() -> None:
    for role in (Role.ADMINISTRATOR, Role.FINANCE, Role.AUDITOR):
        assert "/api/docs/" in [entry.url for entry in entries_for([role])]
