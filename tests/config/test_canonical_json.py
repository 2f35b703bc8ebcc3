"""Canonical JSON: one text for one value, and no value without an exact text."""

import hashlib
from decimal import Decimal

import pytest

from config.kit.canonical_json import canonical_json, sha256_of


def test_text_does_not_depend_on_order_or_blanks() -> None:
    text = '{"a":[1,true,null,"\\u00e9"],"b":{"x":"2.50","y":-3}}'
    assert canonical_json({"b": {"y": -3, "x": "2.50"}, "a": (1, True, None, "é")}) == text
    assert (
        sha256_of({"b": {"x": "2.50", "y": -3}, "a": [1, True, None, "é"]})
        == hashlib.sha256(text.encode()).hexdigest()
    )


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"a": [1, 2.5]}, r"\$\.a\[1\]: float"),
        (Decimal("1.5"), r"\$: Decimal"),
        ({1: 2}, r"\$: the key 1"),
        ({"s": {1}}, r"\$\.s"),
    ],
)
def test_inexact_values_are_refused_by_name(value: object, where: str) -> None:
    with pytest.raises(TypeError, match=where):
        canonical_json(value)
