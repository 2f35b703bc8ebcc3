"""Golden rounds with one to three things changed at random: each settles by all laws or is refused."""

from __future__ import annotations

import copy
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import RuleError, check_decision, check_wagers, round_from_json, settle
from tests.rules.golden import files, goldens
from tests.rules.laws import hold_laws

MUTANTS = 150
JUNK: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    7,
    99,
    "",
    "x",
    "6",
    "As",
    "2c",
    "Jo",
    "0.00",
    "10.00",
    "0.01",
    [],
    {},
]


PARTS: dict[str, list[dict[str, Any]]] = {
    "limits": [
        {"kinds": {"*": {"maximum": "0.00"}}},
        {"kinds": {"*": {"minimum": "1000.00"}}, "chip": "5.00"},
        {"kinds": {"*": {"increment": "0.07"}}},
        {"differential": "0.00"},
        {"hand_payout": "0.00"},
    ],
    "carried": [
        {"table": {"point": 6, "run": 3}},
        {"table": {"point": [1]}},
        {"table": {"below-minimum": ["1", {}]}},
        {"table": {"first-cards": ["As"]}},
        {"table": {"void-hand": "x"}},
        {"wagers": [{"wager": {"id": "s", "kind": "pass", "stake": "5.00"}, "state": {"fee": -5}}]},
    ],
}
"""What another table or another round might say."""


def _places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys: list[Any] = list(node) if isinstance(node, dict) else list(range(len(node)))
    inner = [(*path, key) for key in keys]
    deeper = [key for key in keys if isinstance(node[key], (dict, list))]
    return inner + [place for key in deeper for place in _places(node[key], (*path, key))]


def _mutate(random: Random, document: dict[str, Any], others: list[Any]) -> None:
    *path, key = random.choice(_places(document))
    node: Any = document
    for step in path:
        node = node[step]
    choice = random.random()
    if choice < 0.1:
        name = random.choice(sorted(PARTS))
        document[name] = copy.deepcopy(random.choice(PARTS[name]))
    elif choice < 0.3:
        node[key] = copy.deepcopy(random.choice(JUNK))
    elif choice < 0.6:
        node[key] = copy.deepcopy(random.choice(others))
    elif choice < 0.75:
        del node[key]
    elif isinstance(node, list):
        node.insert(random.randrange(len(node) + 1), copy.deepcopy(node[key]))
    elif isinstance(node[key], list):
        random.shuffle(node[key])
    else:
        node[key] = copy.deepcopy(random.choice(JUNK))


def _asked(document: dict[str, Any]) -> None:
    """As a terminal asks while the round is under way; whatever its wagers are, the answer is a refusal or none."""
    round = round_from_json(document, partial=True)
    check_wagers(round)
    for decision in round.decisions:
        check_decision(round, decision)


def _values(node: Any) -> list[Any]:
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [node, *(found for value in inner for found in _values(value))]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_changed_round_settles_or_is_refused(path: Path) -> None:
    documents = [each.round for each in goldens(path)]
    accepted = 0
    for seed in range(MUTANTS):
        random = Random(seed)
        document = copy.deepcopy(documents[seed % len(documents)])
        others = _values(document)
        for _ in range(random.randint(1, 3)):
            _mutate(random, document, others)
        with suppress(RuleError):
            _asked(document)
        try:
            round = round_from_json(document)
            answer = settle(round)
        except RuleError:
            continue
        accepted += 1
        if accepted <= 20:
            hold_laws(round, answer)
    assert accepted < MUTANTS, "no change was ever refused"
