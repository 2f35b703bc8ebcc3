"""Double Action Roulette (gb-2011 3.51-3.57): wagers on one ring and on both, and the edges that the rulebook
prints."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_wagers, find_game, round_from_json
from rules.codec import carried_to_json
from rules.games.roulette import double_action
from tests.rules.laws import lines, rules_of, settled, wager

WHEEL = [str(n) for n in range(37)]
GAME = find_game("double-action-roulette", "gb-2011")
TWELVE = "-".join(str(n) for n in range(7, 19))


def a_round(outer: str, inner: str, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    dealt = {"outer": outer, "inner": inner}
    document = {"game": "double-action-roulette", "rulebook": "gb-2011", "wagers": list(wagers)}
    return document | {"dealt": dealt} | more


def bet(kind: str, selection: str = "", **more: Any) -> dict[str, Any]:
    picked: dict[str, Any] = {"selection": selection} if selection else {}
    return wager(kind, "10.00", id=more.pop("id", "w"), **picked, **more)


# wager, outer and inner number, line for a stake of 10, all by 3.56
CASES = [
    ("double-action", "17", "17", "17", "win +12000.00 back 10.00"),
    ("double-action", "17", "18", "18", "lose"),
    ("double-action", "17", "17", "18", "lose"),
    ("double-action", "0", "0", "0", "win +12000.00 back 10.00"),
    ("dual-star", "", "0", "6", "win +250.00 back 10.00"),
    ("dual-star", "", "6", "7", "lose"),
    ("both-black", "", "2", "35", "win +30.00 back 10.00"),
    ("both-black", "", "2", "36", "lose"),
    ("both-red", "", "1", "0", "lose"),
    ("both-odd", "", "1", "35", "win +30.00 back 10.00"),
    ("both-even", "", "0", "2", "lose"),
    ("both-low", "", "1", "18", "win +30.00 back 10.00"),
    ("both-high", "", "18", "19", "lose"),
    ("both-dozen", "2", "13", "24", "win +80.00 back 10.00"),
    ("both-dozen", "2", "12", "13", "lose"),
    ("both-column", "3", "3", "36", "win +80.00 back 10.00"),
    ("both-column", "3", "3", "35", "lose"),
    ("outer-seven-star", "", "0", "36", "win +40.00 back 10.00"),
    ("inner-seven-star", "", "0", "36", "lose"),
    ("outer-twelve-numbers", TWELVE, "18", "0", "win +20.00 back 10.00"),
    ("inner-twelve-numbers", TWELVE, "18", "19", "lose"),
    ("inner-six-numbers", "13-14-15-16-17-18", "1", "13", "win +50.00 back 10.00"),
    ("outer-corner", "1-2-7-8", "8", "1", "win +80.00 back 10.00"),
    ("inner-split", "5-11", "0", "11", "win +170.00 back 10.00"),
    ("outer-straight-up", "0", "0", "5", "win +350.00 back 10.00"),
    ("outer-straight-up", "5", "0", "5", "lose"),
    ("inner-three-numbers", "0-5-6", "9", "0", "win +110.00 back 10.00"),
]


@pytest.mark.parametrize(
    ("kind", "selection", "outer", "inner", "line"),
    CASES,
    ids=[f"{c[0]} {c[1]} on {c[2]} and {c[3]}" for c in CASES],
)
def test_3_56_wagers(kind: str, selection: str, outer: str, inner: str, line: str) -> None:
    answer = settled(a_round(outer, inner, bet(kind, selection)))
    assert (lines(answer)["w"], rules_of(answer)["w"]) == (line, "3.56")


@pytest.mark.parametrize(
    ("kind", "selection", "percent"),
    [
        ("double-action", "17", "12.27"),
        ("outer-straight-up", "17", "2.7"),
        ("inner-straight-up", "0", "2.7"),
        ("outer-seven-star", "", "5.41"),
        ("inner-seven-star", "", "5.41"),
    ],
)
def test_3_57_edges_of_the_book(kind: str, selection: str, percent: str) -> None:
    """37 × 37 equally likely pairs; the printed edge for identical numbers fits a named number only."""
    won = sum(double_action.wins(kind, selection, o, i) for o, i in product(WHEEL, WHEEL))
    odds = next(iter(GAME.paytables)).lines[double_action.line_of(kind)].ratio
    edge = 1 - Fraction(won) * (odds + 1) / 37**2
    assert abs(100 * edge - Fraction(percent)) < Fraction(1, 100)


def test_any_numbers_of_a_ring_keep_a_thirty_seventh() -> None:
    for place, count in double_action.RING_WAGERS.items():
        assert double_action.ODDS[place] == f"{36 // count - 1} to 1"


WRONG = [
    ("five numbers", bet("outer-six-numbers", "1-2-3-4-5")),
    ("not rising", bet("outer-split", "11-5")),
    ("twice", bet("outer-split", "5-5")),
    ("no such number", bet("inner-corner", "1-2-3-37")),
    ("leading zero", bet("inner-split", "01-2")),
    ("double zero", bet("double-action", "00")),
    ("nothing", bet("inner-split")),
]


@pytest.mark.parametrize("wrong", [w[1] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_selections_are_refused(wrong: dict[str, Any]) -> None:
    faults = check_wagers(round_from_json(a_round("0", "0", wrong)))
    assert [(f.field, f.rule) for f in faults] == [("wagers[0].selection", "gb-2011 3.56")]


def test_both_rings_are_needed_and_none_of_a_void_spin() -> None:
    document = a_round("1", "1", bet("both-red"))
    del document["dealt"]["inner"]
    with pytest.raises(RuleError, match=r"dealt\.inner: is missing"):
        settled(document)
    with pytest.raises(RuleError, match="a void spin has no result"):
        settled(a_round("1", "1", bet("both-red"), irregularities=[{"kind": "no-spin"}]))
    void = {"game": "double-action-roulette", "rulebook": "gb-2011", "wagers": [bet("both-red")]}
    first = settled(void | {"irregularities": [{"kind": "no-spin"}]})
    assert lines(first) == {"w": "stands stays 10.00"}
    second = settled(a_round("1", "3", carried=carried_to_json(first.carried)))
    assert lines(second) == {"w": "win +30.00 back 10.00"}


@given(st.sampled_from(WHEEL), st.sampled_from(WHEEL))
def test_turning_the_rings_around_turns_their_wagers_around(outer: str, inner: str) -> None:
    places = {
        "straight-up": "5",
        "split": "5-11",
        "corner": "1-2-7-8",
        "seven-star": "",
        "twelve-numbers": TWELVE,
    }

    def play(first: str, second: str, names: tuple[str, str]) -> list[str]:
        wagers = [
            bet(f"{ring}-{place}", picked, id=f"{ring}-{place}")
            for ring in names
            for place, picked in places.items()
        ]
        return list(lines(settled(a_round(first, second, *wagers))).values())

    assert play(outer, inner, ("outer", "inner")) == play(inner, outer, ("inner", "outer"))
