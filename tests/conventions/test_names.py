"""One name, one class within a room: who reads a class's name knows which it is, and a search finds it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest

from tests.conventions.test_code import name_of, of_room, tree_of

BY_DJANGO = {"Command", "Migration"}
"""Django finds these by their names, one a file."""
EACH_BY_ITSELF = ("rules/games/", "rules/edge/")
"""A game and its house edge are read by themselves; their words (a shoe's deal, a family's solution) are their own."""


def classes_of(room: str) -> Iterator[tuple[str, str]]:
    """The classes of its modules, with their files; private ones are their module's own business."""
    for path in of_room(room):
        if not name_of(path).startswith(EACH_BY_ITSELF):
            for node in tree_of(path).body:
                if isinstance(node, ast.ClassDef) and node.name not in BY_DJANGO and node.name[0] != "_":
                    yield node.name, name_of(path)


def twins(classes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, file in classes:
        found[name].append(file)
    return {name: files for name, files in found.items() if len(files) > 1}


@pytest.mark.parametrize("room", ["config", "jackpots", "ledger", "people", "rules", "simulator", "tables"])
def test_a_room_has_one_class_of_a_name(room: str) -> None:
    classes = list(classes_of(room))
    assert classes
    assert twins(classes) == {}


def test_the_test_finds_twins() -> None:
    classes = [*classes_of("ledger"), ("GamingDay", "ledger/elsewhere.py")]
    assert twins(classes) == {"GamingDay": ["ledger/models.py", "ledger/elsewhere.py"]}
