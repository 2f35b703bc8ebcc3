"""JSON as programs send it: no NaN, and no name twice in the same object, of which Python would take the last and say
nothing."""

from __future__ import annotations

import json
from typing import Any

MAX_DIGITS = 1_000


class SaidTwice(ValueError):
    """Which of the values was meant, nobody can tell."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__("This stands twice in the same object: say it once.")


def loads(text: str) -> Any:
    """ValueError where it is no such JSON."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse, parse_int=_whole)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        said: set[str] = set()
        for name, _ in pairs:
            if name in said:
                raise SaidTwice(name)
            said.add(name)
    return found


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits; {MAX_DIGITS} at most")
    return int(digits)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON's.")
