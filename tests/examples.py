"""How many random examples a property test tries: a handful in `make test`, many in `make soak`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")
SOAK = os.environ.get("POTLINE_SOAK") == "1"


def examples(count: int, soak: int | None = None) -> int:
    return (soak or 20 * count) if SOAK else count


def by_turns(number: int, alike: Sequence[One]) -> list[One]:
    """Of what is treated alike, one by turns in `make test`, all of it in `make soak`."""
    return list(alike) if SOAK or not alike else [alike[number % len(alike)]]
