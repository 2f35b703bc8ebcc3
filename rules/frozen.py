"""Frozen values made fast. No value lives here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def maker(frozen: type[T]) -> Callable[..., T]:
    """Makes instances of a frozen dataclass with slots, all fields given in their order.

    The class itself sets each field through `object.__setattr__`, which takes longer than all else that is done for a
    line of a settlement. The maker fills a twin of the same slots that is not frozen yet, and then freezes it.
    """
    names = [(field.name, Any) for field in fields(frozen)]  # type: ignore[arg-type]
    twin: Any = make_dataclass(frozen.__name__, names, slots=True)

    def make(*values: Any) -> T:
        made: Any = twin(*values)
        made.__class__ = frozen
        value: T = made
        return value

    return make
