"""Rounds as text on the command line: what cannot be meant is refused in a sentence, nothing ends in a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules import RuleError, round_from_json
from rules.__main__ import main
from rules.reading import read_json

ROUND = {
    "game": "money-wheel",
    "rulebook": "nz-1996",
    "wagers": [{"id": "w", "kind": "symbol", "selection": "A", "stake": "5.00"}],
    "dealt": {"symbol": "A"},
}


def refusal(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    path = tmp_path / "round.json"
    path.write_text(text)
    assert main(["settle", str(path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    error: dict[str, Any] = json.loads(shown.err)["error"]
    return error | {"field": error["field"].replace(str(path), "FILE")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"game": "craps", "game": "roulette"}', "the key 'game' stands twice in one object"),
        ('{"wagers": [{"stake": "5.00", "id": "w", "stake": "500.00"}]}', "the key 'stake' stands twice"),
        ('{"dealt": {"number": 0.5}}', "0.5 is no whole number"),
        ('{"carried": {"table": {"point": NaN}}}', "NaN is no whole number"),
        ('{"carried": {"table": {"point": 1e999}}}', "1e999 is no whole number"),
        ("{", "cannot be read as JSON"),
        ("9" * 5000, "cannot be read as JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"a":' * 100_000, "is nested too deeply"),
    ],
)
def test_a_text_that_cannot_be_meant(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = refusal(text, tmp_path, capsys)
    assert error["field"] == "FILE"
    assert message in error["message"]


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main(["settle", str(path)]) == 2
        assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "raw").write_bytes(b"\xff\xfe\x00")
    assert main(["settle", str(tmp_path / "raw")]) == 2


@pytest.mark.parametrize("levels", [50, 900, 990, 995, 5_000])
def test_nesting_that_json_can_read_is_refused_where_a_value_is_wanted(levels: int) -> None:
    """Close to what Python can follow, its own words for a wrong value would be too deep."""
    deep: Any = "As"
    for _ in range(levels):
        deep = [deep]
    carried = ROUND | {"carried": {"table": {"below-minimum": deep}}}
    for document in (
        [deep],
        ROUND | {"wagers": deep},
        ROUND | {"game": deep},
        ROUND | {"dealt": deep},
        carried,
    ):
        with pytest.raises(RuleError):
            round_from_json(document)


def test_what_a_game_remembers_may_be_nested_a_little() -> None:
    table = {"streak": {"colour": "red", "repeats": 4}}
    document = {"game": "roulette", "rulebook": "gb-2011", "carried": {"table": table}}
    assert round_from_json(document, partial=True).carried.table == table


def test_in_a_list_of_rounds_a_refusal_says_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = ROUND | {"wagers": [{"id": "w", "kind": "symbol", "selection": "Z", "stake": "5.00"}]}
    error = refusal(json.dumps([ROUND, ROUND, wrong]), tmp_path, capsys)
    assert error["field"] == "[2].wagers[0].selection"
    assert error["rule"] == "nz-1996 VII 4.1"
    assert refusal(json.dumps([ROUND, 7]), tmp_path, capsys)["field"] == "[1].round"
    assert refusal(json.dumps(wrong), tmp_path, capsys)["field"] == "wagers[0].selection"


def test_a_text_in_order_is_read() -> None:
    assert read_json('{"a": [1, {"b": "2.50", "c": null}], "b": true}', "x") == {
        "a": [1, {"b": "2.50", "c": None}],
        "b": True,
    }
