"""House edges that take a second and more to count, kept with the code for every case that the rulebooks print.

`python -m rules.edge.known` prints rules/edge/known.json anew, which takes most of an hour without a cache.
They are the figures of docs/house-edges.md, to eight places of a percent; an operator's own odds are not among them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path

from rules.edge.core import Case, Edge, EdgeEntry
from rules.edge.registry import all_entries, variants
from rules.edge.report import percent

FILE = Path(__file__).with_name("known.json")
TOO_LONG = frozenset(
    {
        ("caribbean-stud", "ante"),
        ("casino-holdem", "progressive"),
        ("casino-stud", "ante"),
        ("casino-stud", "insurance"),
        ("crazy-four", "ante"),
        ("double-chance", "wager"),
        ("dragon21", "dragon"),
        ("live-draw-poker", "bet"),
        ("mississippi-stud", "ante"),
        ("neverbust-blackjack", "main"),
        ("pai-gow-poker", "fortune"),
        ("pai-gow-tiles", "standard"),
        ("pai-gow-tiles", "bank"),
        ("two-way-texas-holdem", "two-way"),
    }
)
"""Wagers that take a second and more, beside those that their entry calls slow: nobody waits so long for a page."""


def takes_long(entry: EdgeEntry) -> bool:
    return bool(entry.slow or entry.sample or (entry.game, entry.wager) in TOO_LONG)


def known_cases() -> Iterable[Case]:
    """Those that are kept."""
    slow = (entry for entry in all_entries() if takes_long(entry) and not entry.jackpot)
    return (case for entry in slow for case in variants(entry))


def known_edge(case: Case) -> Fraction | None:
    """None for a case that no rulebook prints."""
    kept = _read().get(_key(case))
    return None if kept is None else Fraction(kept[1]) / 100


def document(edges: Iterable[Edge]) -> str:
    """The file: by the content of a case its name, for readers, and its house edge in percent."""
    rows = []
    for edge in edges:
        case = edge.case
        name = f"{case.game.name} {case.game.rulebook} {case.entry.wager}"
        rows.append(f"{json.dumps(_key(case))}: {json.dumps([name, percent(edge.house_edge, 8)])}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


@cache
def _read() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _key(case: Case) -> str:
    return hashlib.sha256(json.dumps(case.identity(), sort_keys=True).encode()).hexdigest()[:32]


if __name__ == "__main__":
    from rules.edge.__main__ import own_cache
    from rules.edge.registry import edge_of
    from rules.edge.store import Store

    folder = own_cache()
    keeper = None if folder is None else Store(folder)
    sys.stdout.write(document(edge_of(case, keeper) for case in known_cases()))
