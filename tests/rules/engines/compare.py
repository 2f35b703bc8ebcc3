"""An engine's answer beside the core's settlement of the same round: every line and every hit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.rules.engines.chips import Answer, Document, Hit, Line, ratio

AMOUNTS = ("winnings", "returned", "standing", "commission")


def differences(expected: Answer, settled: Document) -> list[str]:
    """A sentence for each thing in which the core's settlement (as JSON) is not what the engine says."""
    found = []
    lines = {line["wager"]["id"]: line for line in settled["lines"]}
    if set(lines) != set(expected.lines):
        found.append(f"lines of {sorted(lines)} where the engine has {sorted(expected.lines)}")
    for name in sorted(set(lines) & set(expected.lines)):
        found += [f"{name}: {text}" for text in _of_a_line(expected.lines[name], lines[name])]
    theirs = sorted((_of_a_hit(hit) for hit in settled["hits"]), key=str)
    ours = sorted((_as_compared(hit) for hit in expected.hits), key=str)
    if theirs != ours:
        found.append(f"hits {theirs} where the engine has {ours}")
    return found


def _of_a_line(ours: Line, theirs: dict[str, Any]) -> list[str]:
    odds = None if theirs["odds"] is None else ratio(theirs["odds"])
    pairs: dict[str, tuple[Any, Any]] = {
        "outcome": (theirs["outcome"], ours.outcome),
        "odds": (odds, ours.odds),
    }
    pairs |= {name: (Fraction(theirs[name]), getattr(ours, name)) for name in AMOUNTS}
    return [f"{what} {it} where the engine has {our}" for what, (it, our) in pairs.items() if it != our]


def _of_a_hit(hit: dict[str, Any]) -> tuple[Any, ...]:
    return (
        hit["wager"]["id"],
        hit["trigger"],
        Fraction(hit["wager"]["stake"]),
        hit.get("folded", False),
        hit.get("on_board", False),
    )


def _as_compared(hit: Hit) -> tuple[Any, ...]:
    return (hit.wager, hit.trigger, hit.stake, hit.folded, hit.on_board)
