"""JSON texts as people write them, read without guessing: no key twice in one object, no number with a fraction, no
nesting without end. What they mean is `rules.codec`'s."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from rules.errors import RuleError


def read_json(text: str, field: str) -> Any:
    """`field` names the text in a refusal: a file, an option."""
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_float=_refuse_number, parse_constant=_refuse_number
        )
    except RuleError as fault:
        fault.field = field
        raise
    except RecursionError:
        raise RuleError("is nested too deeply", field=field) from None
    except ValueError as error:
        raise RuleError(f"cannot be read as JSON: {error}", field=field) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RuleError(f"the key {twice!r} stands twice in one object: which of the two is meant?", field="")
    return found


def _refuse_number(text: str) -> NoReturn:
    raise RuleError(f"{text} is no whole number; money and odds are texts such as '2.50'", field="")
