"""Figures that follow from a distribution, asking for cases, and the disk cache."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from rules import RuleError
from rules.edge import report
from rules.edge.chains import solve
from rules.edge.core import LOST, PUSHED, Distribution, Edge, Result
from rules.edge.registry import case_of, edge_of, entries_of, variants
from rules.edge.simulate import Mismatch, check_trial, simulate
from rules.edge.store import Store, fingerprint

F = Fraction


def an_edge(chances: dict[Result, Fraction]) -> Edge:
    return Edge(case_of(entries_of("roulette", "gb-2011", "red")[0]), Distribution(chances))


def test_figures_by_hand() -> None:
    """Wins 2 to 1 in one of four, pushes in one, loses in two, once with a raise of one: -1/4 on a stake of 1."""
    raised = Result("lose raised", F(-2), F(2))
    edge = an_edge({Result("win", F(2)): F(1, 4), PUSHED: F(1, 4), LOST: F(1, 4), raised: F(1, 4)})
    assert edge.house_edge == F(1, 4)
    assert edge.staked == F(5, 4)
    assert edge.element_of_risk == F(1, 5)
    assert edge.per_decided == F(1, 3)
    assert (edge.hit_frequency, edge.push_frequency) == (F(1, 4), F(1, 4))
    assert edge.variance == F(9, 4) - F(1, 16)
    assert [line.line for line in edge.lines] == ["win", "push", "lose", "lose raised"]
    assert not edge.favours_player
    assert report.verdict(edge) == ""


def test_a_wager_that_favours_the_player_says_so_in_one_line() -> None:
    edge = an_edge({Result("win", F(2)): F(1, 2), LOST: F(1, 2)})
    assert edge.favours_player
    assert report.verdict(edge) == (
        "This wager favours the player: over time it costs the house 50.0000% of every stake."
    )


def test_chances_sum_to_one() -> None:
    with pytest.raises(ValueError, match="sum to 3/4"):
        Distribution({LOST: F(1, 2), PUSHED: F(1, 4)})


def test_chain_by_hand() -> None:
    """Two heads in a row before the first tails after a head; tails at first change nothing: wins 1 in 2."""

    def step(heads: int, side: str) -> int | Result:
        if side == "tails":
            return LOST if heads else 0
        return Result("win", F(1)) if heads else 1

    assert solve(0, {"heads": 1, "tails": 1}, step).chances == {Result("win", F(1)): F(1, 2), LOST: F(1, 2)}


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (F(1, 37), 4, "0.0270"),
        (F(-1, 37), 4, "-0.0270"),
        (F(5, 100), 1, "0.1"),
        (F(-1, 1000), 2, "0.00"),
        (F(49), 0, "49"),
    ],
)
def test_decimals_are_rounded_half_up(value: Fraction, places: int, text: str) -> None:
    assert report.decimal(value, places) == text


# ------------------------------------------------------------------------------------------------ asking for it


def test_unknown_things_are_said() -> None:
    with pytest.raises(RuleError, match="known for roulette: straight-up, split"):
        entries_of("roulette", "gb-2011", "neighbours")
    with pytest.raises(RuleError, match="not in the catalogue"):
        entries_of("faro", "gb-2011")
    red = entries_of("roulette", "gb-2011", "red")[0]
    with pytest.raises(RuleError, match="nothing to select"):
        case_of(red, selection="17")
    with pytest.raises(RuleError, match="the packs of red are not to choose"):
        case_of(red, decks=6)
    with pytest.raises(RuleError, match="between 1 and 8"):
        case_of(entries_of("casino-war", "gb-2011", "tie")[0], decks=9)
    with pytest.raises(RuleError, match="'triple-zero' is not one of"):
        case_of(red, options={"wheel": "triple-zero"})


def test_own_odds_are_refused_below_the_minimum_and_counted_above_it() -> None:
    """gb-2011 2.6a; a tie at 11 to 1 with six packs: 23 of 311 win."""
    tie = entries_of("casino-war", "gb-2011", "tie")[0]
    with pytest.raises(RuleError, match="9 to 1 is below the minimum of 10 to 1"):
        case_of(tie, paytables={"win": "9 to 1"})
    assert edge_of(case_of(tie, paytables={"win": "11 to 1"})).house_edge == 1 - F(12 * 23, 311)
    fixed = entries_of("roulette", "nz-1996", "red")[0]
    with pytest.raises(RuleError, match="nz-1996 fixes the odds"):
        case_of(fixed, paytables={"red": "2 to 1"})


# ------------------------------------------------------------------------------------------------ the disk cache


def test_store_keeps_by_content(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "cache")
    entry = entries_of("pocket-pairs", "gb-2011", "pocket-pairs")[0]
    cases = list(variants(entry))
    first = edge_of(cases[0], store)
    (kept,) = store.folder.iterdir()
    again = edge_of(cases[0], store)
    assert again.distribution.chances == first.distribution.chances
    assert edge_of(cases[1], store).house_edge != first.house_edge
    assert len(list(store.folder.iterdir())) == 2

    document = json.loads(kept.read_text())
    assert document["of"]["paytables"]["pocket-pairs"] == {
        "same-colour-pair": "25",
        "mixed-colour-pair": "11",
    }
    document["distribution"] = [["lose", "-1", "1", [], "1"]]
    kept.write_text(json.dumps(document))
    assert edge_of(cases[0], store).house_edge == 1, "it is read, not computed again"
    kept.write_text("{ half a fi")
    assert edge_of(cases[0], store).house_edge == first.house_edge, "a spoilt file is as if it were not there"


def test_store_without_a_folder_to_write_to(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    case = case_of(entries_of("pocket-pairs", "gb-2011", "pocket-pairs")[0])
    assert edge_of(case, Store(blocked / "below")).house_edge == edge_of(case).house_edge


def test_fingerprint_follows_imports() -> None:
    """A change in the ranking of hands or in the game must not leave old figures behind."""
    import rules.edge.store as store

    seen: list[str] = []
    original = Path.read_bytes

    class Spy(type(Path())):  # type: ignore[misc]
        def read_bytes(self) -> bytes:
            seen.append(str(self))
            return original(self)

    files = store._files
    fingerprint.cache_clear()
    try:
        store._files = lambda module: [Spy(path) for path in files(module)]
        digest = fingerprint("rules.edge.families.three_card", "rules.games.three_card_poker")
    finally:
        store._files = files
        fingerprint.cache_clear()
    names = {Path(path).stem for path in seen}
    assert {"three_card", "three_card_poker", "hands", "core", "three", "values", "odds"} <= names
    assert "craps" not in names
    assert digest != fingerprint("rules.edge.families.craps")


# ------------------------------------------------------------------------------------------------- the tie itself


def test_a_wrong_enumeration_is_found() -> None:
    case = case_of(entries_of("roulette", "gb-2011", "red")[0])
    trial = case.entry.trial(case, Random(1))
    wrong = type(trial)(Result("red", F(5)), trial.rounds, trial.counts)
    with pytest.raises(Mismatch, match="enumerated Result"):
        check_trial(case, wrong)


def test_simulation_comes_near(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of(entries_of("roulette", "gb-2011", "red")[0])
    found = simulate(case, Random(2011), 2000)
    assert found.rounds == 2000
    assert 0.020 < float(found.error) < 0.024
    assert abs(found.house_edge - F(1, 74)) < 4 * found.error
