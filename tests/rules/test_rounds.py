"""Every example round settles by the command line, obeys the laws, and fits its game's JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from rules import all_games, find_game
from rules.__main__ import main
from rules.schema import round_schema
from tests.rules.laws import settled

ROUNDS = sorted((Path(__file__).parent / "rounds").glob("*.json"))


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_example_round(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(path.read_text())
    assert main(["settle", str(path)]) == 0
    answers = json.loads(capsys.readouterr().out)
    for round, answer in zip(
        *([document], [answers]) if isinstance(document, dict) else (document, answers), strict=True
    ):
        jsonschema.Draft202012Validator(round_schema(find_game(round["game"], round["rulebook"]))).validate(
            round
        )
        settled(round)
        assert answer["lines"]


def test_every_game_has_an_example_round() -> None:
    shown = set()
    for path in ROUNDS:
        document = json.loads(path.read_text())
        for round in document if isinstance(document, list) else [document]:
            shown.add((round["game"], round["rulebook"]))
    assert shown == {(game.name, game.rulebook) for game in all_games()}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}-{game.rulebook}")
def test_every_schema_is_a_schema(game: object) -> None:
    jsonschema.Draft202012Validator.check_schema(round_schema(game))  # type: ignore[arg-type]
