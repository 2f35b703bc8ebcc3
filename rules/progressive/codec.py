"""JSON in and out of the progressive's dataclasses, without loss, from their own field types.

`x_micros` travels as money text under `x`, `x_bp` as a four-decimal rate under `x_rate`; no JSON number is a fraction.
"""

from __future__ import annotations

import hashlib
import json
import re
import types
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from rules.codec import hit_from_json, hit_to_json, wager_from_json, wager_to_json
from rules.contract import Hit, Wager
from rules.errors import RuleError
from rules.money import format_money, parse_money

T = TypeVar("T")
_RATE = re.compile(r"(\d{1,9})(?:\.(\d{1,4}))?")
_FRACTION = re.compile(r"\d{1,18}(/[1-9]\d{0,17})?")


def encode(value: object) -> Any:
    """Plain JSON data of a value of this package. Hits and wagers are spelled as everywhere, by `rules.codec`."""
    if isinstance(value, Hit):
        return hit_to_json(value)
    if isinstance(value, Wager):
        return wager_to_json(value)
    if is_dataclass(value) and not isinstance(value, type):
        tag = getattr(value, "TAG", None)
        data: dict[str, Any] = {"kind": tag} if tag else {}
        for f in fields(value):
            data[_key(f.name)] = _encode_field(f.name, getattr(value, f.name))
        return data
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Fraction):
        return str(value)
    if value is None or isinstance(value, str | bool | int):
        return value
    raise TypeError(f"{type(value).__name__} has no JSON form here")


def decode(cls: type[T], data: object, field: str = "") -> T:
    """The value again. Unknown and missing keys, floats and money as numbers are a `RuleError` with their path."""
    return cast(T, _decode(cls, data, field or cls.__name__))


def content_hash(value: object) -> str:
    """SHA-256 of the canonical JSON: equal documents have equal hashes, whoever wrote them."""
    text = json.dumps(encode(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _key(name: str) -> str:
    return name.removesuffix("_micros") if name.endswith("_micros") else re.sub(r"_bp$", "_rate", name)


def _encode_field(name: str, value: object) -> Any:
    if isinstance(value, int) and name.endswith("_micros"):
        return format_money(value)
    if isinstance(value, int) and name.endswith("_bp"):
        return f"{value // 10_000}.{value % 10_000:04d}"
    return encode(value)


@cache
def _shape(cls: type) -> tuple[dict[str, Field[Any]], dict[str, Any]]:
    # A dataclass's hints are resolved once: the types never change while the program runs.
    return {_key(f.name): f for f in fields(cls)}, get_type_hints(cls)


def _decode(kind: Any, data: object, at: str) -> object:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _decode_union(get_args(kind), data, at)
    if origin is tuple:
        if not isinstance(data, list):
            raise RuleError(f"a list is needed, not {_what(data)}", field=at)
        return tuple(_decode(get_args(kind)[0], item, f"{at}[{i}]") for i, item in enumerate(data))
    if kind is Hit:
        return hit_from_json(data, at)
    if kind is Wager:
        return wager_from_json(data, at)
    if is_dataclass(kind) and isinstance(kind, type):
        return _decode_dataclass(kind, data, at)
    if kind is Fraction:
        if not isinstance(data, str) or not _FRACTION.fullmatch(data):
            raise RuleError(f"a fraction is a string such as '5/2', not {_what(data)}", field=at)
        return Fraction(data)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if not isinstance(data, str) or data not in list(kind):
            raise RuleError(f"{data!r} is not one of {', '.join(kind)}", field=at)
        return kind(data)
    if type(data) is not kind:
        raise RuleError(f"{kind.__name__} is needed, not {_what(data)}", field=at)
    return data


def _decode_union(members: tuple[Any, ...], data: object, at: str) -> object:
    if data is None and type(None) in members:
        return None
    real = [m for m in members if m is not type(None)]
    if len(real) == 1:
        return _decode(real[0], data, at)
    tag = data.get("kind") if isinstance(data, dict) else None
    for member in real:
        if tag == member.TAG:
            return _decode(member, data, at)
    raise RuleError(f"kind {tag!r} is not one of {', '.join(m.TAG for m in real)}", field=f"{at}.kind")


def _decode_dataclass(cls: type, data: object, at: str) -> object:
    if not isinstance(data, dict):
        raise RuleError(f"an object is needed, not {_what(data)}", field=at)
    known, hints = _shape(cls)
    tag = getattr(cls, "TAG", None)
    if tag and data.get("kind") != tag:
        raise RuleError(f"kind {data.get('kind')!r} is not {tag}", field=f"{at}.kind")
    for key in data:
        if key not in known and not (tag and key == "kind"):
            raise RuleError(f"there is no such field; there are {', '.join(known)}", field=f"{at}.{key}")
    values: dict[str, object] = {}
    for key, f in known.items():
        if key in data:
            values[f.name] = _decode_field(f.name, hints[f.name], data[key], f"{at}.{key}")
        elif f.default is MISSING and f.default_factory is MISSING:
            raise RuleError("this is missing", field=f"{at}.{key}")
    return cls(**values)


def _decode_field(name: str, kind: Any, data: object, at: str) -> object:
    if data is not None and name.endswith("_micros"):
        return parse_money(data, at)
    if data is not None and name.endswith("_bp"):
        match = _RATE.fullmatch(data) if isinstance(data, str) else None
        if not match:
            raise RuleError(
                f"a rate is a string with at most four decimals such as '0.7250', not {_what(data)}", field=at
            )
        return int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0"))
    return _decode(kind, data, at)


def _what(data: object) -> str:
    return repr(data) if isinstance(data, str | int | float | None) else f"a {type(data).__name__}"
