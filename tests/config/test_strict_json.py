"""JSON as programs send it: what Python lets pass is refused, and no text takes long."""

from __future__ import annotations

from typing import Any

import pytest
from django.forms import ValidationError

from config.kit import strict_json
from config.kit.forms import ObjectField


@pytest.mark.parametrize(
    ("text", "name"),
    [('{"a": 1, "a": 1}', "a"), ('[{"b": {"c": 1, "d": 2, "c": 3}}]', "c"), ('{"": 1, "": 2}', "")],
)
def test_a_name_stands_once(text: str, name: str) -> None:
    with pytest.raises(strict_json.SaidTwice) as twice:
        strict_json.loads(text)
    assert twice.value.name == name


@pytest.mark.parametrize("text", ["NaN", '{"a": -Infinity}', "{'a': 1}", "", "1" * 5_000])
def test_what_is_no_json_is_none(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (its kind is Python's own)
        strict_json.loads(text)


def test_the_same_name_may_stand_in_two_objects() -> None:
    assert strict_json.loads('[{"a": 1}, {"a": {"a": 2}}]') == [{"a": 1}, {"a": {"a": 2}}]


def test_a_million_names_are_looked_at_once_each() -> None:
    """Each beside each, that would be hours."""
    text = "{" + ",".join(f'"{number:x}":0' for number in range(400_000)) + ',"5":0}'
    with pytest.raises(strict_json.SaidTwice):
        strict_json.loads(text)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"a": NaN}', "[1]", '"text"', "5", "{", "null"])
def test_a_document_is_given_as_strictly_as_text(text: str) -> None:
    with pytest.raises(ValidationError):
        ObjectField(1_000).clean(text)


@pytest.mark.parametrize("given", ['{"a": {"b": [1]}}', {"a": {"b": [1]}}])
def test_a_document_is_taken_as_text_or_as_it_is(given: Any) -> None:
    assert ObjectField(1_000).clean(given) == {"a": {"b": [1]}}
