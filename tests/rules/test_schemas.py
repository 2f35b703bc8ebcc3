"""docs/schemas holds the JSON Schema of every game's round, as `python -m rules games --schemas` makes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import all_games
from rules.__main__ import main
from rules.schema import DRAFT, round_schema

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schemas"


def test_the_files_are_what_the_command_makes(tmp_path: Path) -> None:
    assert main(["games", "--schemas", str(tmp_path)]) == 0
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in FOLDER.glob("*.json")}
    assert len(made) == len(all_games())
    assert made == kept, "make them anew: python -m rules games --schemas docs/schemas"


def test_each_file_is_the_schema_of_its_game() -> None:
    for game in all_games():
        found = json.loads((FOLDER / f"{game.name}.{game.rulebook}.json").read_text())
        assert found == round_schema(game)
        assert found["$schema"] == DRAFT


def test_one_game_alone_can_be_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "craps", "--schemas", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["craps.gb-2011.json", "craps.nz-1996.json"]
    assert capsys.readouterr().out == ""
