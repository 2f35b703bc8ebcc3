"""How many random examples a property test tries: a handful in `make test`, many in `make soak`."""

from __future__ import annotations

import os

SOAK = os.environ.get("POTLINE_SOAK") == "1"


def examples(count: int, soak: int | None = None) -> int:
    return (soak or 20 * count) if SOAK else count
