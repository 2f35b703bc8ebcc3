"""`python -m rules edge` as a person or a program calls it."""

import json
import os
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from rules.edge import __main__ as command
from rules.edge.registry import all_entries, variants

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POTLINE_CACHE", str(tmp_path / "cache"))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["edge", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["edge", *arguments, "--json"]) == 2
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
        (["faro"], "game", "not in the catalogue; there is 2-to-1-baccarat, "),
        (["pocketpairs"], "game", "not in the catalogue; there is pocket-pairs"),
        (["roulette"], "rulebook", "gb-2011, nz-1996"),
        (["big-six", "--wager", "colour"], "wager", "known for big-six: symbol"),
        (["big-six", "--wager", "symbol", "--selection", "Z"], "selection", "not one of A"),
        (["big-six", "--wager", "symbol", "--option", "nothing"], "option", "name=value"),
        (["big-six", "--wager", "symbol", "--odds", "/nowhere.json"], "/nowhere.json", "cannot be read"),
        (["casino-stud", "--wager", "progressive", "--meter", "minor=5.00"], "level", "no level 'minor'"),
        (["casino-stud", "--wager", "progressive", "--meter=-5.00"], "meter", "nothing or more"),
        (["casino-stud", "--wager", "progressive", "--stake", "0.00"], "stake", "more than nothing"),
        (["casino-stud", "--wager", "progressive", "--tables", "0"], "tables", "at least one table"),
        (["casino-war", "--wager", "tie", "--decks", "9"], "decks", "between 1 and 8"),
        (["pocket-pairs", "--decks", "2"], "decks", "are not to choose"),
        (["casino-war", "--paytable", "standard"], "wager", "say for which wager, with --wager: bet, tie"),
        (["pocket-pairs", "--paytable", "26-11"], "paytables.pocket-pairs", "not one of 25-11"),
        (["pocket-pairs", "--option", "wheel=single"], "options", "no option of Pocket Pairs; it has none"),
        (["pai-gow-poker", "--wager", "standrd"], "wager", "known for pai-gow-poker: standard"),
        (["double-chance", "--wager", "jackpot"], "progressive", "no amounts"),
        (["pocket-pairs", "--simulate", "-5"], "simulate", "a number of rounds, not -5"),
        (["--all", "--wager", "tie"], "wager", "--all is every wager of every game; leave wager out"),
    ],
)
def test_wrong_questions(
    capsys: pytest.CaptureFixture[str], arguments: list[str], field: str, part: str
) -> None:
    error = refused(capsys, *arguments)
    assert error["field"] == field
    assert part in error["message"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{ half a fi", "cannot be read as JSON: "),
        ("[26, 14]", "paytables.pocket-pairs: odds are an object of line"),
        ('{"same-colour-pair": "26 to 1"}', "the line 'mixed-colour-pair' is missing (gb-2011 2.6)"),
        ('{"same-colour-pair": "lots", "mixed-colour-pair": "14 to 1"}', "not 'lots' (gb-2011 2.6)"),
        ("{}", "the file names no odds"),
        (
            '{"same-colour-pair": "26 to 1", "mixed-colour-pair": "14 to 1", "pair": "1 to 1"}',
            "'pair' is no line",
        ),
        (
            '{"same-colour-pair": "16 to 1", "mixed-colour-pair": "14 to 1"}',
            "same-colour-pair: 16 to 1 is below the minimum of 17 to 1 (gb-2011 2.6)",
        ),
    ],
)
def test_odds_that_cannot_be_are_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, sentence: str
) -> None:
    odds = tmp_path / "odds.json"
    odds.write_text(text)
    assert main(["edge", "pocket-pairs", "--odds", str(odds)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_options_and_packs_are_for_every_wager_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    """With two packs 7 of the 103 other cards have the rank of the first; a tie pays 10 to 1."""
    assert said(capsys, "casino-war", "--decks", "2").splitlines()[1] == (
        f"{100 * (1 - 11 * 7 / 103):>10.4f}%  Casino War (gb-2011), tie, 2 packs"
    )
    rows = said(capsys, "roulette", "--rulebook", "gb-2011", "--option", "wheel=double-zero").splitlines()
    assert rows[0] == "    5.2632%  Roulette (gb-2011), straight-up, on 17, wheel=double-zero"


def test_a_user_without_a_home(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("POTLINE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", staticmethod(nowhere))
    assert len(said(capsys, "big-six").splitlines()) == 7


def test_changed_odds_are_computed_anew(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """18.10: 1 of 17 hands is a pair, a third of them of one colour. A cache that cannot be written does no harm."""
    odds = tmp_path / "odds.json"
    for same, cache in ((17, "cache"), (18, "cache"), (17, "cache"), (18, "odds.json")):
        odds.write_text(json.dumps({"same-colour-pair": f"{same} to 1", "mixed-colour-pair": "14 to 1"}))
        os.environ["POTLINE_CACHE"] = str(tmp_path / cache)
        answer = json.loads(said(capsys, "pocket-pairs", "--odds", str(odds), "--json"))
        assert Fraction(answer["house_edge"]["fraction"]) == 1 - Fraction(same + 1 + 2 * 15, 51)
    kept = list((tmp_path / "cache").iterdir())
    assert len(kept) == 2
    for path in kept:
        path.write_text(path.read_text().replace('"1"', '"1/0"'))
    os.environ["POTLINE_CACHE"] = str(tmp_path / "cache")
    assert json.loads(said(capsys, "pocket-pairs", "--odds", str(odds), "--json")) == answer


def test_a_jackpot(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "casino-stud", "--wager", "progressive", "--meter", "300000", "--stake", "1.00")
    assert "the meter of 300,000.00 is above the break-even of 263,205.27" in text
    assert "1 in 649740   royal-flush" in text
    answer = json.loads(said(capsys, "casino-stud", "--wager", "progressive", "--json", "--tables", "4"))
    assert answer["levels"][0]["break_even"] == "263205.27"
    assert answer["levels"][0]["hours_between_top_wins"] == "812.1750"
    assert answer["favours_player"] is False


def test_jackpots_in_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Without its meter a jackpot wager has no house edge to show; without amounts it has not even a meter."""
    assert (
        said(capsys, "casino-holdem").splitlines()[2] == "   by meter  Casino Hold'em (gb-2011), progressive"
    )
    answers = json.loads(said(capsys, "double-chance", "--json"))
    assert [(answer["wager"], answer["jackpot"]) for answer in answers] == [
        ("wager", ""),
        ("jackpot", "nsw-double-chance"),
    ]


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
    with command.Progress(case, lambda: next(clock), shown=True) as watched:
        watched.tick(1, 10)
        watched.tick(3, 10)
        watched.tick(4, 10)
    told = capsys.readouterr().err
    assert "10%" not in told
    assert "30% after 3 s" in told
    assert "40%" not in told, "once a second at most"
    assert "done in 9 s" in told


def test_work_that_does_not_say_how_far_it_is_shows_too(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0]
    with command.Progress(
        next(variants(all_entries()[0])), lambda: now[0], beat_ms=10, shown=True
    ) as watched:
        assert watched.game.name == all_entries()[0].game
        now[0] = 4
        deadline = time.monotonic() + 5
        while "at work after 4 s" not in (told := capsys.readouterr().err):
            assert time.monotonic() < deadline, told
            time.sleep(0.01)
    assert "done in 4 s" in capsys.readouterr().err


def test_nothing_of_it_is_loaded_with_the_core() -> None:
    code = "import sys, rules, rules.__main__; print([m for m in sys.modules if m.startswith('rules.edge')])"
    plain = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert plain.stdout.strip() == "[]"


@pytest.mark.parametrize("game", ["blackjack", "baccarat", "dragon21"])
def test_stated_odds_with_a_line_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    """Refused in words wherever the rulebook leaves the odds of Perfect Pairs to the layout; `--odds` names the
    option."""
    asked = [game, "--rulebook", "nz-consultation", "--wager", "perfect-pairs"]
    error = refused(capsys, *asked, "--option", 'perfect-pairs-odds={"mixed-pair": "5 to 1"}')
    assert error["field"] == "options.perfect-pairs-odds"
    assert "state the odds of coloured-pair too" in error["message"]
    if game != "blackjack":  # there it has a pay table beside
        (tmp_path / "odds.json").write_text('{"mixed-pair": "5 to 1"}')
        error = refused(capsys, *asked, "--odds", str(tmp_path / "odds.json"))
        assert "--option perfect-pairs-odds=" in error["message"]


def test_json_and_text_of_a_jackpot_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Hold'em Bonus: 495% comes back at any meter (gb-2011 11.44), so a house edge of 100% would be a lie."""
    asked = ["texas-holdem-bonus", "--rulebook", "gb-2011"]
    listed = json.loads(said(capsys, *asked, "--json"))
    (jackpot,) = (answer for answer in listed if answer["wager"] == "progressive")
    assert jackpot["house_edge"] is None
    assert jackpot["favours_player"] is None
    assert Fraction(jackpot["hits"]["four-of-a-kind"]["fraction"]) == Fraction(224_848, 133_784_560)
    alone = json.loads(said(capsys, *asked, "--wager", "progressive", "--json"))
    text = said(capsys, *asked, "--wager", "progressive")
    assert alone["favours_player"] is True
    assert alone["verdict"] in text
    # 50, 100 and 500 times the wager, and the royal and straight flushes at a meter of 10,000.00 and a tenth of it.
    assert Fraction(alone["house_edge"]["fraction"]) < Fraction(-39, 10)
    assert alone["house_edge"]["percent"][:8] in text


def test_progress_is_for_people_at_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Written to a file or to another program it would be in the way."""
    clock = iter([0, 3, 9])
    with command.Progress(next(variants(all_entries()[0])), lambda: next(clock)) as watched:
        watched.tick(1, 2)
    assert capsys.readouterr().err == ""
