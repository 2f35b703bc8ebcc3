"""Choices at the poker tables that a round says twice, or not at all: what a player has to decide is not guessed.

A wager that is laid says what was chosen; a fold, a wager pulled back or left to ride, only a decision says.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, round_from_json, settle
from tests.rules.games.poker import at, choices, document
from tests.rules.laws import hands, lines, settled

BOARD = "2c 5d 9h Jc Kd"
DEALER = "As Qd"


def stud(game: str, wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    rulebook = more.pop("rulebook", "gb-2011")
    return document(game, wagers, more.pop("seats", {}), **more) | {"rulebook": rulebook}


def holdem(game: str, wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return stud(game, wagers, seats={"s1": "Ks 3s"}, board=BOARD, dealer=DEALER, **more)


def ride(*decisions: dict[str, Any]) -> dict[str, Any]:
    dealt = {"seats": hands(s1="As Kd 3h"), "community": ["8s", "2s"]}
    wagers = at(1, bet_1="5.00", bet_2="5.00", bet_3="5.00")
    return {
        "game": "let-it-ride",
        "rulebook": "gb-2011",
        "wagers": wagers,
        "dealt": dealt,
        "decisions": [*decisions],
    }


LUNAR = {"rulebook": "nz-consultation", "seats": {"s1": "2c 5d 9h Jc Kd"}}
CARIBBEAN = {"rulebook": "nz-1996"}

# A seat that neither laid the wager that keeps it in the game nor folded: the round, and the rule that asks for it
MISSING: dict[str, tuple[dict[str, Any], str]] = {
    "casino-stud": (stud("casino-stud", at(1, ante="5.00")), "gb-2011 7.12"),
    "caribbean-stud": (stud("caribbean-stud", at(1, ante="5.00"), **CARIBBEAN), "nz-1996 VIII 4.4"),
    "three-card-poker": (stud("three-card-poker", at(1, ante="5.00")), "gb-2011 5.13-5.14"),
    "crazy-four": (
        stud("crazy-four", at(1, ante="5.00", super_bonus="5.00", queens_up="1.00")),
        "gb-2011 15.14, 15.16",
    ),
    "mississippi-stud": (stud("mississippi-stud", at(1, ante="5.00", third_street="5.00")), "gb-2011 7.44"),
    "big-raise-stud": (
        stud("big-raise-stud", at(1, ante="5.00"), rulebook="nz-consultation"),
        "nz-consultation Big Raise Stud 5.2",
    ),
    "lunar-poker": (stud("lunar-poker", at(1, ante="5.00"), **LUNAR), "nz-consultation 21 5.2"),
    "texas-holdem-bonus": (holdem("texas-holdem-bonus", at(1, ante="5.00")), "gb-2011 11.19-11.20"),
    "casino-holdem": (holdem("casino-holdem", at(1, ante="5.00")), "gb-2011 11.81-11.82"),
    "ultimate-texas-holdem": (
        holdem(
            "ultimate-texas-holdem",
            at(1, ante="5.00", blind="5.00"),
            decisions=choices(1, "check", "check"),
        ),
        "gb-2011 11.60-11.62",
    ),
    "let-it-ride, first wager": (ride(), "gb-2011 12.18"),
    "let-it-ride, second wager": (
        ride({"kind": "let-it-ride", "seat": 1, "value": "bet-1"}),
        "gb-2011 12.22",
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_decision_that_is_missing_is_asked_for(name: str) -> None:
    given, rule = MISSING[name]
    with pytest.raises(RuleError) as refused:
        settle(round_from_json(given))
    assert (refused.value.field, refused.value.rule) == ("decisions.1", rule)


@pytest.mark.parametrize("name", [name for name in MISSING if not name.startswith("let-it-ride")])
def test_once_it_is_said_the_fold_is_settled(name: str) -> None:
    given = MISSING[name][0]
    decisions = [*given.get("decisions", ()), *choices(1, "fold")]
    assert set(lines(settled(given | {"decisions": decisions})).values()) == {"lose"}


@pytest.mark.parametrize(
    "name", [name for name in MISSING if not name.startswith(("caribbean", "big", "lunar"))]
)
def test_a_void_or_dead_hand_decides_nothing(name: str) -> None:
    given = MISSING[name][0]
    for kind, outcome in (("void-hand", "void"), ("dead-hand", "lose")):
        answer = settled(given | {"irregularities": [{"kind": kind, "seat": 1}]})
        assert {line.outcome.value for line in answer.lines} == {outcome}


@pytest.mark.parametrize("name", ["caribbean-stud", "big-raise-stud", "lunar-poker"])
def test_who_is_not_there_has_folded(name: str) -> None:
    answer = settled(MISSING[name][0] | {"irregularities": [{"kind": "absent", "seat": 1}]})
    assert set(lines(answer).values()) == {"lose"}


# Wagers, decisions, and the place and rule of the one that is too much
TWICE: dict[str, tuple[dict[str, Any], str, str]] = {
    "casino-stud, fold and fold": (
        stud("casino-stud", at(1, ante="5.00"), decisions=choices(1, "fold", "fold")),
        "decisions[1]",
        "gb-2011 7.12",
    ),
    "casino-stud, double and double": (
        stud(
            "casino-stud",
            at(1, ante="5.00", insurance="1.00", double="1.00"),
            decisions=choices(1, "double", "double", "fold"),
        ),
        "decisions[1]",
        "gb-2011 7.27",
    ),
    "caribbean-stud, bet and bet": (
        stud(
            "caribbean-stud", at(1, ante="5.00", bet="10.00"), decisions=choices(1, "bet", "bet"), **CARIBBEAN
        ),
        "decisions[1]",
        "nz-1996 VIII 4.4",
    ),
    "caribbean-stud, folded and then face down": (
        stud("caribbean-stud", at(1, ante="5.00"), decisions=choices(1, "fold", "face-down"), **CARIBBEAN),
        "decisions[1]",
        "nz-1996 VIII 9.6",
    ),
    "three-card-poker": (
        stud("three-card-poker", at(1, ante="5.00", play="5.00"), decisions=choices(1, "play", "play")),
        "decisions[1]",
        "gb-2011 5.13-5.14",
    ),
    "crazy-four, two ways to fold": (
        stud(
            "crazy-four",
            at(1, ante="5.00", super_bonus="5.00"),
            decisions=choices(1, "fold", "fold-but-queens-up"),
        ),
        "decisions[1]",
        "gb-2011 15.14",
    ),
    "mississippi-stud, a street after the fold": (
        stud(
            "mississippi-stud",
            at(1, ante="5.00", third_street="5.00"),
            decisions=choices(1, "fold", "third-street"),
        ),
        "decisions[1]",
        "gb-2011 7.42, 7.44, 7.46",
    ),
    "big-raise-stud": (
        stud(
            "big-raise-stud",
            at(1, ante="5.00"),
            decisions=choices(1, "fold", "fold"),
            rulebook="nz-consultation",
        ),
        "decisions[1]",
        "nz-consultation Big Raise Stud 5.2",
    ),
    "lunar-poker": (
        stud("lunar-poker", at(1, ante="5.00"), decisions=choices(1, "fold", "fold"), **LUNAR),
        "decisions[1]",
        "nz-consultation 21 5.2",
    ),
    "texas-holdem-bonus, a third check": (
        holdem(
            "texas-holdem-bonus",
            at(1, ante="5.00", flop="10.00"),
            decisions=choices(1, "flop", "check", "check", "check"),
        ),
        "decisions[3]",
        "gb-2011 11.19-11.28",
    ),
    "texas-holdem-bonus, a check after the fold": (
        holdem("texas-holdem-bonus", at(1, ante="5.00"), decisions=choices(1, "fold", "check")),
        "decisions[1]",
        "gb-2011 11.19-11.28",
    ),
    "two-way-texas-holdem, the flop after a check": (
        holdem(
            "two-way-texas-holdem",
            at(1, ante="5.00", blind="5.00", two_way="5.00", flop="5.00"),
            decisions=choices(1, "check", "flop"),
        ),
        "decisions[1]",
        "gb-2011 11.104, 11.106",
    ),
    "casino-holdem": (
        holdem("casino-holdem", at(1, ante="5.00"), decisions=choices(1, "fold", "fold")),
        "decisions[1]",
        "gb-2011 11.81-11.82",
    ),
    "pocket-pairs, folded and forfeited": (
        stud("pocket-pairs", at(1, pocket_pairs="5.00"), decisions=choices(1, "fold", "forfeit")),
        "decisions[1]",
        "gb-2011 18.6, 18.8",
    ),
}


@pytest.mark.parametrize("name", TWICE)
def test_a_choice_is_made_once_and_in_its_order(name: str) -> None:
    given, field, rule = TWICE[name]
    with pytest.raises(RuleError) as refused:
        settle(round_from_json(given))
    assert (refused.value.field, refused.value.rule) == (field, rule)


def test_two_way_11_104_the_further_wagers_are_optional() -> None:
    """Who says nothing has placed none: nothing has to be said."""
    given = holdem("two-way-texas-holdem", at(1, ante="5.00", blind="5.00", two_way="5.00"))
    assert lines(settled(given)) == lines(settled(given | {"decisions": choices(1, "check", "check")}))


# Ante and blind of 20 where the maximum is 10: what is over goes back, and of the play wager as many antes stay in play
@pytest.mark.parametrize(
    ("checks", "laid", "in_play"),
    [(0, 80, 40), (0, 60, 30), (1, 40, 20), (2, 20, 10)],
    ids=["11.52 four times", "11.52 three times", "11.57 twice", "11.61 once"],
)
def test_a_cut_ante_leaves_the_play_wager_its_multiple(checks: int, laid: int, in_play: int) -> None:
    given = holdem(
        "ultimate-texas-holdem",
        at(1, ante="20.00", blind="20.00", play=f"{laid}.00"),
        decisions=choices(1, *["check"] * checks, "bet"),
        limits={"kinds": {"ante": {"maximum": "10.00"}}},
    )
    # ace high against a pair of kings: the ante is off (11.75), play pays 1 to 1 on what counts (11.68)
    assert lines(settled(given))["play@1"] == f"win +{in_play}.00 back {laid}.00"
