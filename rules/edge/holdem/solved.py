"""Solutions that are kept with the code, at the rulebooks' own odds: `python -m rules.edge.holdem` makes them anew.

A game is solved in three to six minutes; other odds are solved when they are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from rules.cards import Card
from rules.edge.core import Case
from rules.edge.holdem import bonus, casino, two_way, ultimate
from rules.edge.holdem.play import Solution
from rules.edge.holdem.sorts import Sort
from rules.edge.store import distribution_from_json, distribution_to_json

FILE = Path(__file__).with_name("solved.json")
SOLVERS: Mapping[str, Callable[[Case], Solution]] = {
    "casino-holdem": casino.solve,
    "texas-holdem-bonus": bonus.solve,
    "two-way-texas-holdem": two_way.solve,
    "ultimate-texas-holdem": ultimate.solve,
}
CHOICES: Mapping[str, Callable[[Case, Sequence[Card], Sequence[Card]], dict[str, Fraction]]] = {
    "casino-holdem": casino.choices,
    "texas-holdem-bonus": bonus.choices,
    "two-way-texas-holdem": two_way.choices,
    "ultimate-texas-holdem": ultimate.choices,
}
MOMENTS: Mapping[str, tuple[int, ...]] = {
    "casino-holdem": (3,),
    "texas-holdem-bonus": (3, 4),
    "two-way-texas-holdem": (3, 5),
    "ultimate-texas-holdem": (3, 5),
}
"""How many cards of the board lie face up when something is chosen after the deal."""


@cache
def _kept() -> Mapping[str, Solution]:
    if not FILE.is_file():
        return {}
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return {_key(one["of"]): _from_json(one) for one in found.values()}


_made: dict[str, Solution] = {}


def _key(identity: Mapping[str, Any]) -> str:
    return json.dumps(identity, sort_keys=True)


def solution_of(case: Case) -> Solution:
    """The one that is kept, or the work of some minutes."""
    key = _key(case.identity())
    found = _kept().get(key) or _made.get(key)
    if found is None:
        found = _made[key] = SOLVERS[case.game.name](case)
    return found


def _from_json(document: Mapping[str, Any]) -> Solution:
    opening = {name: _fractions(choices) for name, choices in document["opening"].items()}
    flop = {
        name: Sort(Fraction(one["chance"]), _fractions(one["best"]), _fractions(one["cost"]))
        for name, one in document.get("flop", {}).items()
    }
    return Solution(distribution_from_json(document["distribution"]), opening, flop)


def _fractions(document: Mapping[str, str]) -> dict[str, Fraction]:
    return {choice: Fraction(value) for choice, value in document.items()}


def _texts(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {choice: str(value) for choice, value in values.items()}


def keep(case: Case, solution: Solution) -> None:
    """Writes one game's solution beside those of the others."""
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    found[case.game.name] = {
        "of": case.identity(),
        "method": "all 134,459 classes of boards, each holding of both players, best decisions from the end backwards",
        "distribution": distribution_to_json(solution.distribution),
        "opening": {name: _texts(solution.opening[name]) for name in sorted(solution.opening)},
        "flop": {
            name: {"chance": str(one.chance), "best": _texts(one.best), "cost": _texts(one.cost)}
            for name, one in sorted(solution.flop.items())
        },
    }
    text = json.dumps(dict(sorted(found.items())), indent=1) + "\n"
    part = FILE.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(FILE)
