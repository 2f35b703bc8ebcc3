"""Golden rounds settle as their files expect and by the command line, obey the laws, fit their game's JSON Schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from rules import all_games, find_game
from rules.__main__ import main
from rules.schema import round_schema
from tests.rules import golden
from tests.rules.golden import COMMAND, Golden, all_goldens, difference, files, goldens, read, written
from tests.rules.laws import settled

GOLDENS = list(all_goldens())


@pytest.mark.parametrize("each", GOLDENS, ids=str)
def test_a_golden_round_settles_as_expected(each: Golden) -> None:
    changed = difference(each)
    if changed:
        pytest.fail(
            f"{changed}\n\nWhere the rulebook wants it so: {COMMAND}, then review the diff.", pytrace=False
        )


@pytest.mark.parametrize("each", GOLDENS, ids=str)
def test_a_golden_round_obeys_the_laws_and_fits_the_schema(each: Golden) -> None:
    game = find_game(each.round["game"], each.round["rulebook"])
    jsonschema.Draft202012Validator(round_schema(game)).validate(each.round)
    assert settled(each.round).lines


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_the_command_line_settles_the_rounds_of_a_file(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = [each.round for each in goldens(path)]
    given = tmp_path / "rounds.json"
    given.write_text(json.dumps(rounds))
    assert main(["settle", str(given)]) == 0
    answers = json.loads(capsys.readouterr().out)
    wagers = [[line["wager"]["id"] for line in answer["lines"]] for answer in answers]
    assert wagers == [list(each.expected["lines"]) for each in goldens(path)]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_golden_file_is_whole_and_written_in_one_way(path: Path) -> None:
    document = read(path)
    assert list(document) == ["checked", "rounds"]
    assert document["checked"].startswith("by hand, ")
    for each in document["rounds"]:
        assert list(each) == ["id", "by_hand", "round", "expected"]
        assert each["by_hand"], "how the answer was worked out"
    ids = [each["id"] for each in document["rounds"]]
    assert len(ids) == len(set(ids))
    game, rulebook = {(each["round"]["game"], each["round"]["rulebook"]) for each in document["rounds"]}.pop()
    assert path.stem == f"{game}.{rulebook}"
    assert path.read_text() == written(document) + "\n", f"{COMMAND} writes it"


def test_every_game_has_golden_rounds() -> None:
    shown = {(each.round["game"], each.round["rulebook"]) for each in GOLDENS}
    assert shown == {(game.name, game.rulebook) for game in all_games()}


def test_a_changed_settlement_shows_as_a_diff_with_its_place() -> None:
    first = next(each for each in GOLDENS if each.path.stem == "money-wheel.nz-1996")
    wrong = first.expected | {
        "lines": first.expected["lines"] | {"w1": "push, returned 20.00 (nz-1996 VII 4.1)"}
    }
    shown = difference(replace(first, expected=wrong))
    assert "--- money-wheel.nz-1996.json: symbol-e (expected)" in shown
    assert '-    "w1": "push, returned 20.00 (nz-1996 VII 4.1)",' in shown
    assert '+    "w1": "lose (nz-1996 VII 4.1(b))",' in shown
    assert '"w2"' in shown
    assert not [line for line in shown.splitlines() if line[0] in "+-" and "w2" in line]


def test_the_command_rewrites_what_is_expected_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = (golden.FOLDER / "money-wheel.nz-1996.json").read_text()
    spoilt = tmp_path / "money-wheel.nz-1996.json"
    spoilt.write_text(original.replace("23 to 1, winnings 115.00", "22 to 1, winnings 110.00"))
    assert spoilt.read_text() != original
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    assert golden.main() == 0
    assert "rewritten: money-wheel.nz-1996.json" in capsys.readouterr().out
    assert spoilt.read_text() == original
    assert golden.main() == 0
    assert "1 files, 0 changed" in capsys.readouterr().out


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}-{game.rulebook}")
def test_every_schema_is_a_schema(game: object) -> None:
    jsonschema.Draft202012Validator.check_schema(round_schema(game))  # type: ignore[arg-type]
