"""`python -m rules edge` as a person or a program calls it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from rules.edge import __main__ as command
from rules.edge import report
from rules.edge.registry import all_entries, edge_of, variants

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POTLINE_CACHE", str(tmp_path / "cache"))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["edge", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["edge", *arguments]) == 2
    error: dict[str, Any] = json.loads(capsys.readouterr().err)["error"]
    return error


def test_one_wager_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "casino-war", "--wager", "tie", "--decks", "8")
    assert text.startswith("Casino War (gb-2011), tie, 8 packs\n")
    assert "house edge            17.8313%   of the initial stake (74/415)" in text
    assert "win          10 to 1      7.469880%" in text


def test_one_wager_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(
        said(capsys, "craps", "--rulebook", "nz-1996", "--wager", "buy", "--selection", "4", "--json")
    )
    assert answer["house_edge"] == {"fraction": "1/20", "percent": "5.00000000"}
    assert answer["element_of_risk"]["fraction"] == "1/21"
    assert answer["staked"] == "21/20"
    assert answer["selection"] == "4"
    assert answer["favours_player"] is False
    assert {line["line"]: line["probability"]["fraction"] for line in answer["lines"]} == {
        "4": "1/3",
        "lose": "2/3",
    }


def test_all_wagers_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    rows = said(capsys, "big-six").splitlines()
    assert len(rows) == 7
    assert rows[2] == "   19.2308%  Big Six (Wheel of Fortune) (gb-2011), symbol, on C"


def test_own_odds_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odds = tmp_path / "odds.json"
    odds.write_text(json.dumps({"same-colour-pair": "26 to 1", "mixed-colour-pair": "14 to 1"}))
    text = said(capsys, "pocket-pairs", "--wager", "pocket-pairs", "--odds", str(odds))
    assert "This wager favours the player: over time it costs the house" in text
    odds.write_text(json.dumps({"same-colour-pair": "9 to 1", "mixed-colour-pair": "14 to 1"}))
    error = refused(capsys, "pocket-pairs", "--wager", "pocket-pairs", "--odds", str(odds))
    assert error["rule"] == "gb-2011 2.6"
    assert error["field"] == "paytables.pocket-pairs.same-colour-pair"


def test_named_tables_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert "5.3175%" in said(capsys, "crazy-four", "--wager", "queens-up", "--paytable", "queens-up=table-3")
    red = ("roulette", "--rulebook", "gb-2011", "--wager", "red")
    assert "5.2632%" in said(capsys, *red, "--option", "wheel=double-zero", "--option", "on_zero=all")


@pytest.mark.parametrize(
    ("arguments", "field", "part"),
    [
        ([], "game", "--all"),
        (["faro"], "game", "not in the catalogue"),
        (["roulette"], "rulebook", "gb-2011, nz-1996"),
        (["big-six", "--wager", "colour"], "wager", "known for big-six: symbol"),
        (["big-six", "--wager", "symbol", "--selection", "Z"], "selection", "not one of A"),
        (["big-six", "--wager", "symbol", "--option", "nothing"], "option", "name=value"),
        (["big-six", "--wager", "symbol", "--odds", "/nowhere.json"], "/nowhere.json", "cannot be read"),
        (["casino-stud", "--wager", "progressive", "--meter", "minor=5.00"], "level", "no level 'minor'"),
        (["double-chance", "--wager", "jackpot"], "progressive", "no amounts"),
    ],
)
def test_wrong_questions(
    capsys: pytest.CaptureFixture[str], arguments: list[str], field: str, part: str
) -> None:
    error = refused(capsys, *arguments)
    assert error["field"] == field
    assert part in error["message"]


def test_a_jackpot(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "casino-stud", "--wager", "progressive", "--meter", "300000", "--stake", "1.00")
    assert "the meter of 300,000.00 is above the break-even of 263,205.27" in text
    assert "1 in 649740   royal-flush" in text
    answer = json.loads(said(capsys, "casino-stud", "--wager", "progressive", "--json", "--tables", "4"))
    assert answer["levels"][0]["break_even"] == "263205.27"
    assert answer["hours_between_top_wins"] == "812.1750"
    assert answer["favours_player"] is False


def test_simulation_beside_the_figure(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(
        capsys, "big-six", "--wager", "symbol", "--selection", "G", "--simulate", "400", "--seed", "3"
    )
    assert "400 random rounds (seed 3) settled, each with the same money" in text


def test_the_cache_is_used_and_can_be_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    question = ("big-six", "--wager", "symbol", "--json")
    first = said(capsys, *question)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_text(kept.read_text().replace('"50"', '"60"'))
    assert said(capsys, *question) != first
    assert said(capsys, *question, "--no-cache") == first


def test_progress_is_told_after_two_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0, 1, 3, 3, 9])
    case = next(variants(all_entries()[0]))
    with command.Progress(case, lambda: next(clock)) as watched:
        watched.tick(1, 10)
        watched.tick(3, 10)
        watched.tick(4, 10)
    told = capsys.readouterr().err
    assert "10%" not in told
    assert "30% after 3 s" in told
    assert "40%" not in told, "once a second at most"
    assert "done in 9 s" in told


def test_nothing_of_it_is_loaded_with_the_core() -> None:
    code = "import sys, rules, rules.__main__; print([m for m in sys.modules if m.startswith('rules.edge')])"
    plain = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert plain.stdout.strip() == "[]"


# Quick ones of every sort; the whole page takes minutes.
ON_THE_PAGE = (
    "big-six",
    "casino-war",
    "craps",
    "crown-double-zero-roulette",
    "dice-magic",
    "pocket-pairs",
    "sic-bo",
)


def test_the_page_shows_what_the_code_computes() -> None:
    page = (ROOT / "docs" / "house-edges.md").read_text(encoding="utf-8")
    edges = [
        edge_of(case) for entry in all_entries() if entry.game in ON_THE_PAGE for case in variants(entry)
    ]
    for row in report.as_markdown(edges):
        assert row.strip() in page, (
            "generate it anew: python -m rules edge --all --markdown > docs/house-edges.md"
        )
