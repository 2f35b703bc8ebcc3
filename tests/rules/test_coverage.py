"""The coverage tables in docs/coverage: every rule of the five rulebooks has a row, every row leads somewhere.

`rule_numbers/` holds the numbers of all rules, extracted once from the books: `VIII 9.8` is division and rule. A part
without numbered rules is its heading (`3.0`). The last three rules of nz-1996 IX part 12 stand as 12.7 to 12.9 (the
book prints 11.7 to 11.9).
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from rules import all_games
from rules.declare import Game
from tables.rules_room.books import Key, key, spans

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "rules-coverage.md"
FILES = sorted((ROOT / "docs" / "coverage").glob("*.md"))
NUMBERS = {
    path.stem: path.read_text().split("\n")[:-1]
    for path in (Path(__file__).parent / "rule_numbers").iterdir()
}
BOOKS = sorted(NUMBERS)
DIVIDED = ("nz-1996", "nz-consultation")
"""Books whose numbers start again in each division, which is then a file."""

NOT_PRINTED = {"gb-2011-10": ["10.1"], "nz-consultation-2": ["15.4", "15.5"]}
"""Rules that rows name because the rulebook refers to them; the text at hand does not print them."""

REFERENCE = re.compile(r"`([a-z0-9_/]+\.py):([A-Za-z_][A-Za-z0-9_.]*)`")


def book_of(path: Path) -> str:
    return next(book for book in BOOKS if path.stem == book or path.stem.startswith(f"{book}-"))


def rules_of(path: Path) -> list[Key]:
    """The rules of the rulebook, or of the division, that a file is about."""
    book = book_of(path)
    if book not in DIVIDED:
        return [key(number) for number in NUMBERS[book]]
    division = path.stem.removeprefix(f"{book}-")
    return [key(entry.split()[1]) for entry in NUMBERS[book] if entry.split()[0] == division]


def rows(path: Path) -> list[list[str]]:
    cells = [
        [cell.strip() for cell in line.strip("|\n ").split(" | ")]
        for line in path.read_text().splitlines()
        if line.startswith("|")
    ]
    assert cells[0] == ["rule", "what", "where"], f"{path.name}: no table of rule, what, where"
    return cells[2:]


def covered(path: Path) -> set[Key]:
    found = [span for row in rows(path) for span in spans(row[0])]
    return {rule for rule in rules_of(path) if any(span.first <= rule <= span.last for span in found)}


def show(rule: Key) -> str:
    return ".".join(f"{number}{letter}" for number, letter in rule)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_row_leads_to_code_or_says_why_no_money_moves(path: Path) -> None:
    for row in rows(path):
        assert len(row) == 3, f"{path.name}: {row}"
        references = REFERENCE.findall(row[2])
        assert references or re.match(r"-- no money.*: ", row[2]), f"{path.name}: {row}"
        for file, name in references:
            where = importlib.import_module(
                file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            )
            for attribute in name.split("."):
                assert hasattr(where, attribute), f"{path.name}: {file} has no {name}"
                where = getattr(where, attribute)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_row_names_rules_of_its_book(path: Path) -> None:
    known = {*rules_of(path), *map(key, NOT_PRINTED.get(path.stem, ()))}
    for row in rows(path):
        for span in spans(row[0]):
            assert span.first <= span.last, f"{path.name}: {row[0]} runs backwards"
            assert any(span.first <= rule <= span.last for rule in known), (
                f"{path.name}: the rulebook has no {row[0]}"
            )


@pytest.mark.parametrize("book", BOOKS)
def test_every_rule_has_a_row(book: str) -> None:
    files = [path for path in FILES if book_of(path) == book]
    if book in DIVIDED:
        divisions = {entry.split()[0] for entry in NUMBERS[book]}
        assert {path.stem.removeprefix(f"{book}-") for path in files} == divisions
        missing = {
            path.stem: [show(rule) for rule in rules_of(path) if rule not in covered(path)] for path in files
        }
        assert not {name: rules for name, rules in missing.items() if rules}
    else:
        found = set().union(*(covered(path) for path in files))
        assert not [show(rule) for rule in rules_of(files[0]) if rule not in found]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}-{game.rulebook}")
def test_every_game_is_in_the_index(game: Game) -> None:
    parts = re.split(r"\n## ", INDEX.read_text())
    assert any(f"`{game.name}`" in part for part in parts if part.splitlines()[0].find(game.rulebook) >= 0)


def test_the_index_lists_every_table_once() -> None:
    linked = re.findall(r"\]\(coverage/([^)]+)\)", INDEX.read_text())
    assert sorted(linked) == [path.name for path in FILES]
