"""One text for one value: canonical JSON and its SHA-256, for everything that is hashed, approved or compared."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_PLAIN = frozenset((str, int, bool, type(None)))
_HOLDS_MORE = frozenset((dict, list, tuple))
_WRITE = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
).encode


def canonical_json(value: Any) -> str:
    """Sorted keys, no blanks, ASCII only. A float has no exact form and is refused: money is a string or an int."""
    if not _is_plain(value):
        _check(value, "$")
    return _WRITE(value)


def sha256_of(value: Any) -> str:
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def canonical_json_of_plain(value: Any) -> str:
    """The same for what holds nothing but texts, whole numbers, lists and objects for sure, since the caller has looked
    already: looking again takes as long as writing."""
    return _WRITE(value)


def sha256_of_plain(value: Any) -> str:
    return hashlib.sha256(_WRITE(value).encode("ascii")).hexdigest()


def _is_plain(value: Any) -> bool:
    """Whether all of it has an exact form for sure: looks at the types of a whole list or object at once, since this is
    asked for every message and every entry. Where it is not sure, `_check` goes through it piece by piece."""
    waiting, seen = [(value,)], 0
    while waiting:
        held: Any = waiting.pop()
        if type(held) is dict:
            if not {str}.issuperset(map(type, held)):
                return False
            held = held.values()
        kinds = set(map(type, held))
        if kinds <= _PLAIN:
            continue
        if not kinds <= _PLAIN | _HOLDS_MORE:
            return False
        within = [item for item in held if type(item) in _HOLDS_MORE]
        seen += len(within)
        if seen > _MANY:  # also what holds itself
            return False
        waiting += within
    return True


_MANY = 100_000


def _check(value: Any, path: str) -> None:
    if value is None or isinstance(value, str | bool | int):
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{path}: the key {key!r} is not a string.")
            _check(item, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _check(item, f"{path}[{index}]")
    else:
        raise TypeError(f"{path}: {type(value).__name__} has no exact JSON form; give an int or a string.")
