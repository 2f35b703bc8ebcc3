"""Many rows on their way to PostgreSQL: each column as an array in PostgreSQL's own binary form.

A document of rows is read twice there, as JSON and then value by value, and each text in it is escaped and read back;
an array's values are taken as they are. `of` makes a column of a model's attributes, ARRAYS says its SQL type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import cache
from struct import Struct
from typing import Any
from uuid import UUID

from django.db import models

EPOCH, EPOCH_DAY = datetime(2000, 1, 1, tzinfo=UTC), date(2000, 1, 1).toordinal()
"""From where PostgreSQL counts."""
_length, _long, _short = Struct(">i").pack, Struct(">iq").pack, Struct(">ii").pack
_head = Struct(">iiiii").pack
_NULL = _length(-1)
_write = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class PackedArray(bytes):
    """An array in binary form: `config.kit.fastsql.prepared` hands it on as it is."""


# ------------------------------------------------------------------------------- a value, with its length before it


def _number(value: int) -> bytes:
    return _long(8, value)


def _text(value: str) -> bytes:
    written = value.encode()
    return _length(len(written)) + written


def _truth(value: bool) -> bytes:
    return b"\0\0\0\1\1" if value else b"\0\0\0\1\0"


def _time(value: datetime) -> bytes:
    since = value - EPOCH
    return _long(8, (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)


def _day(value: date) -> bytes:
    return _short(4, value.toordinal() - EPOCH_DAY)


def _uuid(value: UUID) -> bytes:
    return b"\0\0\0\x10" + value.bytes


def _bytes(value: bytes | memoryview) -> bytes:
    return _length(len(value)) + value


def _document(value: Any) -> bytes:
    """jsonb: a version, then the text."""
    if value == [] or value == {}:
        return b"\0\0\0\3\1[]" if type(value) is list else b"\0\0\0\3\1{}"
    written = _write(value).encode()
    return _length(len(written) + 1) + b"\1" + written


ARRAYS: dict[str, tuple[int, Callable[[Any], bytes]]] = {
    "bigint[]": (20, _number),
    "text[]": (25, _text),
    "boolean[]": (16, _truth),
    "timestamptz[]": (1184, _time),
    "date[]": (1082, _day),
    "uuid[]": (2950, _uuid),
    "bytea[]": (17, _bytes),
    "jsonb[]": (3802, _document),
}
"""By SQL type the number of its elements' type, and how one is written."""
_KINDS: tuple[tuple[type[models.Field[Any, Any]], str], ...] = (
    (models.BooleanField, "boolean[]"),
    (models.IntegerField, "bigint[]"),  # smaller columns take what fits
    (models.DateTimeField, "timestamptz[]"),
    (models.DateField, "date[]"),
    (models.UUIDField, "uuid[]"),
    (models.BinaryField, "bytea[]"),
    (models.JSONField, "jsonb[]"),
    (models.CharField, "text[]"),
    (models.TextField, "text[]"),
)


def array_of(kind: str, values: Sequence[Any]) -> PackedArray:
    """None is NULL, as for a document, too."""
    number, write = ARRAYS[kind]
    nulls = None in values
    written = [_NULL if value is None else write(value) for value in values] if nulls else map(write, values)
    return PackedArray(_head(1, nulls, number, len(values), 1) + b"".join(written))


@cache
def kind_of(model: type[models.Model], name: str) -> str:
    """The SQL type of the array that fills a column, by the name of its attribute."""
    field: Any = next(field for field in model._meta.concrete_fields if field.attname == name)
    while field.is_relation:
        field = field.target_field
    for sort, kind in _KINDS:
        if isinstance(field, sort):
            return kind
    raise TypeError(f"{model.__name__}.{name} has no form as an array here")
