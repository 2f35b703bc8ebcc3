"""Strategy with the cost of mistakes, odds for a wanted edge, odds that the rulebook forbids, a table's win an hour."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules.edge.__main__ import main
from rules.edge.core import Case
from rules.edge.estimate import SEED, Row
from rules.edge.families.blackjack_draws import shoe
from rules.edge.families.blackjack_strategy import Against, Rules
from rules.edge.odds_for import forbidden, odds_for, what_if
from rules.edge.questions import table_of
from rules.edge.registry import case_of, edge_of, entries_of
from rules.edge.situations import rows
from rules.edge.strategy import _worth, advice, cost_of_play, situations
from rules.errors import RuleError

F = Fraction


def case(game: str, wager: str, **more: Any) -> Case:
    return case_of(entries_of(game, "gb-2011", wager)[0], **more)


# ------------------------------------------------------------------------------------------------------- strategy


@pytest.mark.parametrize(("game", "wager"), [("three-card-poker", "ante"), ("ultimate-texas-holdem", "ante")])
def test_the_best_choices_make_the_figure(game: str, wager: str) -> None:
    here = case(game, wager)
    found = situations(here)
    assert sum(one.chance for one in found) == 1
    assert sum(one.chance * one.worth[one.best] for one in found) == -edge_of(here).house_edge


def test_three_card_poker_has_two_rows() -> None:
    fold, play = rows(situations(case("three-card-poker", "ante")))
    assert (fold.best, fold.last) == ("fold", "queen high, six-three")
    assert (play.best, play.first) == ("play", "queen high, six-four")
    assert all(least >= 0 for row in (fold, play) for least, _ in row.costs.values())


def test_a_play_of_ones_own() -> None:
    """Others have published 7.65% for playing every hand; whoever folds every hand loses the ante."""
    here = case("three-card-poker", "ante")
    found, best = situations(here), edge_of(here).house_edge
    assert abs(best + cost_of_play(found, "always=play") - F("0.0765")) < F(1, 20_000)
    assert best + cost_of_play(found, "always=fold") == 1
    assert cost_of_play(found, {"queen high, six-four": "fold"}) > 0
    assert cost_of_play(found, {}) == 0


def test_always_surrendering_at_casino_war_by_hand() -> None:
    """Six packs: 23 of 311 cards tie, and a surrender gives up half."""
    here = case("casino-war", "bet", decks=6)
    own = edge_of(here).house_edge + cost_of_play(situations(here), "always=surrender")
    assert own == F(23, 311) / 2


def test_eleven_against_six_is_doubled() -> None:
    against = Against(Rules(), shoe(1), 6)
    against.solve(lambda: None)
    worth = _worth(against, (5, 6))
    assert max(worth, key=lambda choice: worth[choice]) == "double"
    assert set(worth) == {"hit", "double"}
    assert set(_worth(against, (8, 8))) == {"split", "stand", "hit"}


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ("always=double", "cannot be chosen"),
        ({"queen high": "play"}, "is no situation"),
        ({"queen high, six-four": "raise"}, "there is play, fold"),
        (["play"], "an object"),
    ],
)
def test_a_play_that_cannot_be(chosen: object, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        cost_of_play(situations(case("three-card-poker", "ante")), chosen)


def test_no_table_of_decisions() -> None:
    with pytest.raises(RuleError, match="there is one for"):
        situations(case("casino-stud", "insurance"))


def test_advice_asks_for_the_right_cards() -> None:
    here = case("ultimate-texas-holdem", "ante")
    assert set(advice(here, (48, 49), ())) == {"bet 4", "bet 3", "check"}
    for hand, board, told in (
        ((48, 48), (), "two cards"),
        ((48, 52), (), "two cards"),
        ((48, 49), (1,), "3 or 5 cards"),
        ((48, 49), (48, 1, 2), "other cards"),
    ):
        with pytest.raises(RuleError, match=told):
            advice(here, hand, board)
    with pytest.raises(RuleError, match="hold'em"):
        advice(case("three-card-poker", "ante"), (1, 2), ())


# ----------------------------------------------------------------------------------------------------------- odds


def test_which_odds_give_five_percent_by_hand() -> None:
    """37 numbers: 1 - (x + 1) / 37 is a twentieth where x is 34.15."""
    answer = odds_for(case("roulette", "straight-up"), F(5, 100))
    assert answer.ratio == F("34.15")
    exact, lower, higher = answer.edges
    assert exact.house_edge == F(1, 20)
    assert (lower.house_edge, higher.house_edge) == (F(2, 37), F(1, 37))
    assert "below the minimum of 35 to 1" in forbidden(lower.case, "layout")
    assert forbidden(higher.case, "layout") == ""


def test_odds_of_a_line_with_decisions_behind_it() -> None:
    """The ante bonus changes nothing that is decided at a straight, so the edge is a straight line of its odds."""
    answer = odds_for(case("three-card-poker", "ante"), F(2, 100), "straight")
    assert abs(answer.edges[0].house_edge - F(2, 100)) < F(1, 10**9)


@pytest.mark.parametrize(
    ("wanted", "line", "told"),
    [("0.05", "", "say which line"), ("0.05", "nope", "is no line"), ("0.5", "straight", "no odds")],
)
def test_odds_that_are_not_there(wanted: str, line: str, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        odds_for(case("three-card-poker", "ante"), F(wanted), line)


def test_what_the_book_forbids_is_computed_and_marked() -> None:
    usual = case("roulette", "straight-up")
    here = what_if(usual, "layout", {"straight-up": "33 to 1"})
    assert edge_of(here).house_edge == F(3, 37)
    assert "gb-2011 2.6" in forbidden(here, "layout")
    with pytest.raises(RuleError, match="is no line"):
        what_if(usual, "layout", {"nope": "33 to 1"})
    for wrong in ({"straight-up": 33}, ["33 to 1"]):
        with pytest.raises(RuleError, match="odds are an object"):
            what_if(usual, "layout", wrong)


# -------------------------------------------------------------------------------------------------- command line


def said(capsys: pytest.CaptureFixture[str], *asked: str) -> str:
    assert main([*asked, "--no-cache"]) == 0
    return capsys.readouterr().out


def test_a_table_by_the_hour(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """27.03 of the straight ups and 20.27 of red, by hand; 500 lost in eight hours may well be luck."""
    path = tmp_path / "table.json"
    path.write_text(
        json.dumps(
            [
                {"wager": "straight-up", "stake": "5.00", "an_hour": 200},
                {"wager": "red", "stake": "25.00", "an_hour": 60},
            ]
        )
    )
    asked = (
        "roulette",
        "--rulebook",
        "gb-2011",
        "--table",
        str(path),
        "--hours",
        "8",
        "--observed",
        "-500.00",
    )
    told = said(capsys, *asked)
    assert "27.02  200 an hour of 5.00 at 2.7027%" in told
    assert "47.29  together" in told
    assert "This could well be luck." in told
    found = json.loads(said(capsys, *asked, "--json"))
    assert found["staked"] == "20000.00"
    assert found["luck"]["verdict"] == "This could well be luck."


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, "a list"),
        ([5], "an object"),
        ([{"wager": "red", "stake": "1.00", "an_hour": 1, "hours": 2}], "hours is not known"),
        ([{"wager": "nope", "stake": "1.00", "an_hour": 1}], "no house edge of 'nope'"),
        ([{"wager": "red", "stake": "0.00", "an_hour": 1}], "a stake above nothing"),
        ([{"wager": "red", "stake": "1.00", "an_hour": True}], "a whole number an hour"),
        ([{"wager": "red", "stake": "1.00", "an_hour": 1, "options": 5}], "an object of options"),
        ([{"wager": "red", "stake": "1.00", "an_hour": 1, "selection": 5}], "as text"),
        ([{"wager": "red", "stake": "1.00", "an_hour": 1, "decks": "two"}], "a number of packs"),
    ],
)
def test_a_table_that_cannot_be(document: object, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        table_of("roulette", "gb-2011", document, edge_of)


def test_questions_by_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    three = ("three-card-poker", "--wager", "ante")
    assert "queen high, six-four to mini royal: fold costs" in said(capsys, *three, "--show-strategy")
    assert "7.6538%   with this play" in said(capsys, *three, "--strategy", "always=play")
    assert json.loads(said(capsys, *three, "--show-strategy", "--json"))["situations"][0]["best"] == "fold"
    play = tmp_path / "play.json"
    play.write_text('{"queen high, six-four": "fold"}')
    assert "mistakes cost" in said(capsys, *three, "--strategy", str(play))
    straight = ("roulette", "--rulebook", "gb-2011", "--wager", "straight-up")
    assert "straight-up at 683 to 20 gives the house 5.0000%" in said(capsys, *straight, "--want-edge", "5%")
    assert json.loads(said(capsys, *straight, "--want-edge", "5", "--json"))["odds"] == "683/20"
    odds = tmp_path / "odds.json"
    odds.write_text('{"straight-up": "33 to 1"}')
    told = said(capsys, *straight, "--odds", str(odds), "--what-if")
    assert told.startswith("NOT ALLOWED, computed all the same: ")
    assert "8.1081%" in told
    ultimate = ("ultimate-texas-holdem", "--wager", "ante")
    assert "bet 4" in said(capsys, *ultimate, "--hand", "As Ad").splitlines()[2]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--show-strategy", "--want-edge", "5"], "one question at a time"),
        (["--board", "As Ks Qs"], "--board goes with --hand"),
        (["--what-if"], "--what-if goes with --odds"),
        (["--observed", "1.00"], "--observed goes with --table"),
        (["--want-edge", "five"], "a percentage such as"),
    ],
)
def test_questions_that_cannot_be_answered(
    capsys: pytest.CaptureFixture[str], asked: list[str], told: str
) -> None:
    assert main(["roulette", "--rulebook", "gb-2011", "--wager", "straight-up", *asked]) == 2
    assert told in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------------ estimates


def test_the_row_of_numbers_is_the_published_one() -> None:
    """SplitMix64 from 1234567, as its authors' program prints it."""
    row = Row(1_234_567)
    assert [row.number() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_the_row_deals_every_card_alike() -> None:
    row = Row(SEED)
    seen = [0] * 53
    for _ in range(2_000):
        hand = row.sample(range(53), 7)
        assert len(set(hand)) == 7
        for card in hand:
            seen[card] += 1
    assert all(abs(times - 2_000 * 7 / 53) < 80 for times in seen)


CHOSEN_ON = 20_111
"""The seed of the rounds by which the play of Lunar Poker was chosen."""


@pytest.mark.parametrize(("game", "wager"), [("pai-gow-poker", "standard"), ("lunar-poker", "ante")])
def test_an_estimate_says_so(game: str, wager: str) -> None:
    book = {"lunar-poker": "nz-consultation"}.get(game, "gb-2011")
    (entry,) = entries_of(game, book, wager)
    assert entry.sample >= 100_000
    assert entry.method.startswith(
        f"an estimate of {entry.sample:,} rounds with seed {SEED}, on which nothing was "
    )
    assert SEED != CHOSEN_ON
