"""The best play of games as it was solved and kept: `rules.edge.strategy_tables` makes it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

KEPT = Path(__file__).with_name("strategy_tables.json")


@cache
def kept() -> dict[str, Any]:
    """By 'game rulebook wager'."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found
