"""Tai-Sai (nz-1996 VI) and Sic Bo (gb-2011 9): every wager against all 216 throws, odds, void spins, layouts."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_wagers, find_game, round_from_json
from rules.games.tai_sai import dice, gb_2011
from tests.rules.laws import lines, rules_of, settled, wager

BOOKS = {"tai-sai": "nz-1996", "sic-bo": "gb-2011"}
THROWS = list(product(range(1, 7), repeat=3))


def a_round(game: str, thrown: str, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    document = {"game": game, "rulebook": BOOKS[game], "wagers": list(wagers), **more}
    return document | {"dealt": {"dice": [int(face) for face in thrown]}} if thrown else document


def bet(kind: str, selection: str = "", stake: str = "10.00", **more: Any) -> dict[str, Any]:
    picked: dict[str, Any] = {"selection": selection} if selection else {}
    return wager(kind, stake, id=more.pop("id", f"{kind} {selection}".strip()), **picked, **more)


# wager, dice, winnings of 10 and rule under nz-1996 VI 3.1 and 4.0, winnings and rule under gb-2011 9.12
LOSES = None
CASES = [
    ("small", "", "112", "10", "(a)(i)", "10", "(a)"),
    ("small", "", "343", "10", "(a)(i)", "10", "(a)"),
    ("small", "", "222", LOSES, "(a)(ii)", LOSES, "(a)"),
    ("small", "", "333", LOSES, "(a)(ii)", LOSES, "(a)"),
    ("small", "", "111", LOSES, "(a)(ii)", LOSES, "(a)"),
    ("small", "", "146", LOSES, "(a)(ii)", LOSES, "(a)"),
    ("big", "", "146", "10", "(b)(i)", "10", "(b)"),
    ("big", "", "665", "10", "(b)(i)", "10", "(b)"),
    ("big", "", "444", LOSES, "(b)(ii)", LOSES, "(b)"),
    ("big", "", "666", LOSES, "(b)(ii)", LOSES, "(b)"),
    ("triple", "4", "444", "1800", "(c)(i)", "1800", "(e)"),
    ("triple", "4", "445", LOSES, "(c)(ii)", LOSES, "(e)"),
    ("triple", "4", "555", LOSES, "(c)(ii)", LOSES, "(e)"),
    ("double", "2", "262", "110", "(d)(i)", "100", "(f)"),
    ("double", "2", "222", "110", "(d)(ii)", "100", "(f)"),
    ("double", "2", "266", LOSES, "(d)(iii)", LOSES, "(f)"),
    ("any-triple", "", "111", "310", "(e)(i)", "300", "(g)"),
    ("any-triple", "", "112", LOSES, "(e)(ii)", LOSES, "(g)"),
    ("total", "4", "211", "620", "(f)(i)", "600", "(h)"),
    ("total", "17", "566", "620", "(f)(i)", "600", "(h)"),
    ("total", "5", "221", "310", "(f)(i)", "300", "(h)"),
    ("total", "16", "664", "310", "(f)(i)", "300", "(h)"),
    ("total", "6", "222", "180", "(f)(i)", "180", "(h)"),
    ("total", "15", "555", "180", "(f)(i)", "180", "(h)"),
    ("total", "7", "115", "120", "(f)(i)", "120", "(h)"),
    ("total", "14", "662", "120", "(f)(i)", "120", "(h)"),
    ("total", "8", "116", "80", "(f)(i)", "80", "(h)"),
    ("total", "13", "661", "80", "(f)(i)", "80", "(h)"),
    ("total", "9", "126", "70", "(f)(i)", "70", "(h)"),
    ("total", "12", "345", "70", "(f)(i)", "70", "(h)"),
    ("total", "10", "136", "60", "(f)(i)", "60", "(h)"),
    ("total", "11", "146", "60", "(f)(i)", "60", "(h)"),
    ("total", "11", "136", LOSES, "(f)(ii)", LOSES, "(h)"),
    ("combination", "2-5", "552", "60", "(g)(i)", "60", "(i)"),
    ("combination", "2-5", "125", "60", "(g)(i)", "60", "(i)"),
    ("combination", "2-5", "555", LOSES, "(g)(ii)", LOSES, "(i)"),
    ("single", "6", "126", "10", "(h)(i)", "10", "(j)"),
    ("single", "6", "166", "20", "(h)(i)", "20", "(j)"),
    ("single", "6", "666", "120", "(h)(i)", "30", "(j)"),
    ("single", "6", "555", LOSES, "(h)(ii)", LOSES, "(j)"),
]
# only in gb-2011 9.12
MORE = [
    ("odd", "", "236", "10", "(c)"),
    ("odd", "", "333", LOSES, "(c)"),
    ("odd", "", "235", LOSES, "(c)"),
    ("even", "", "235", "10", "(d)"),
    ("even", "", "444", LOSES, "(d)"),
    ("four-numbers", "3-4-5-6", "653", "70", "(k)"),
    ("four-numbers", "3-4-5-6", "655", LOSES, "(k)"),
    ("four-numbers", "2-3-5-6", "654", LOSES, "(k)"),
    ("four-numbers", "1-2-3-4", "421", "70", "(k)"),
    ("three-numbers", "1-4-6", "614", "300", "(l)"),
    ("three-numbers", "1-4-6", "644", LOSES, "(l)"),
    ("double-and-single", "5-5-1", "515", "500", "(m)"),
    ("double-and-single", "5-5-1", "115", LOSES, "(m)"),
    ("double-and-single", "5-5-1", "555", LOSES, "(m)"),
]
ALL_CASES = [
    *[("tai-sai", k, s, d, won, f"3.1{rule}") for k, s, d, won, rule, _, _ in CASES],
    *[("sic-bo", k, s, d, won, f"9.12{rule}") for k, s, d, _, _, won, rule in CASES],
    *[("sic-bo", k, s, d, won, f"9.12{rule}") for k, s, d, won, rule in MORE],
]


@pytest.mark.parametrize(
    ("game", "kind", "selection", "thrown", "won", "rule"),
    ALL_CASES,
    ids=[f"{c[0]} {c[5]} {c[1]} {c[2]} on {c[3]}" for c in ALL_CASES],
)
def test_wagers(game: str, kind: str, selection: str, thrown: str, won: str | None, rule: str) -> None:
    answer = settled(a_round(game, thrown, bet(kind, selection, id="w")))
    assert lines(answer)["w"] == (f"win +{won}.00 back 10.00" if won else "lose")
    assert rules_of(answer)["w"] == rule


# how many of the 216 throws win, counted by hand: a triple is one throw, a double with another face three,
# three different faces six
TOTALS = {4: 3, 5: 6, 6: 10, 7: 15, 8: 21, 9: 25, 10: 27}
COUNTS: dict[str, dict[str, int]] = {
    "small": {"small": 105},
    "big": {"big": 105},
    "odd": {"odd": 105},
    "even": {"even": 105},
    "triple": {"triple": 1},
    "double": {"double": 1 + 5 * 3},
    "any-triple": {"any-triple": 6},
    "combination": {"combination": 4 * 6 + 2 * 3},
    "single": {"single-1": 75, "single-2": 15, "single-3": 1},
    "four-numbers": {"four-numbers": 4 * 6},
    "three-numbers": {"three-numbers": 6},
    "double-and-single": {"double-and-single": 3},
}
POSITIONS = [
    (kind.name, selection)
    for kind in find_game("sic-bo", "gb-2011").wagers
    for selection in dice.SELECTIONS.get(kind.name, ("",))
]


@pytest.mark.parametrize(("kind", "selection"), POSITIONS, ids=[f"{k} {s}" for k, s in POSITIONS])
def test_how_often_each_position_wins_in_216_throws(kind: str, selection: str) -> None:
    expected = COUNTS.get(kind)
    if expected is None:
        total = int(selection)
        expected = {f"total-{total}": TOTALS[min(total, 21 - total)]}
    found = Counter(dice.classify(kind, selection, dice.sorted_dice(throw)) for throw in THROWS)
    del found[None]
    assert found == expected


def test_9_1_the_layouts_have_50_and_106_positions() -> None:
    assert len(POSITIONS) == 106
    assert len([kind for kind, _ in POSITIONS if kind not in gb_2011.ONLY_ON_106]) == 50
    assert len(dice.TRIOS) == 20


@pytest.mark.parametrize(("kind", "selection"), [(k, s) for k, s, *_ in MORE])
def test_9_1_the_smaller_layout_lacks_what_the_larger_adds(kind: str, selection: str) -> None:
    small = round_from_json(a_round("sic-bo", "123", bet(kind, selection), options={"layout": "50"}))
    assert [(f.field, f.rule) for f in check_wagers(small)] == [("wagers[0].kind", "gb-2011 9.1")]
    large = round_from_json(a_round("sic-bo", "123", bet(kind, selection), options={"layout": "106"}))
    assert check_wagers(large) == ()


@pytest.mark.parametrize(
    ("cause", "rule"),
    [
        ("not-flat", "7.1"),
        ("tumbler-fault", "7.2"),
        ("exposed-early", "7.3"),
        ("not-activated", "7.4"),
        (None, "7.5"),
    ],
)
def test_7_1_to_7_5_a_void_spin_voids_the_round(cause: str | None, rule: str) -> None:
    void: dict[str, Any] = {"kind": "no-spin"} | ({"value": {"cause": cause}} if cause else {})
    answer = settled(a_round("tai-sai", "", bet("small"), bet("triple", "1"), irregularities=[void]))
    assert lines(answer) == {"small": "void back 10.00", "triple 1": "void back 10.00"}
    assert set(rules_of(answer).values()) == {rule}
    with pytest.raises(RuleError, match="a void spin has no result") as refused:
        settled(a_round("tai-sai", "111", bet("small"), irregularities=[void]))
    assert refused.value.rule == "nz-1996 VI 7.5"


def test_6_7_and_7_6_a_wrong_entry_or_wrong_lights_leave_the_dice_to_decide() -> None:
    wrong = [{"kind": "wrong-entry", "value": {"entered": [6, 6, 6]}}, {"kind": "wrong-lights"}]
    answer = settled(a_round("tai-sai", "112", bet("small"), bet("triple", "6"), irregularities=wrong))
    assert lines(answer) == {"small": "win +10.00 back 10.00", "triple 6": "lose"}
    assert set(answer.lines[0].also) == {"nz-1996 VI 7.6", "nz-1996 VI 6.7"}


@pytest.mark.parametrize(
    ("thrown", "called"),
    [
        ("613", "1, 3, 6; total 10"),
        ("343", "double 3, 4; total 10"),
        ("466", "4, double 6; total 16"),
        ("555", "triple 5; total 15"),
    ],
)
def test_6_3_and_6_4_the_call(thrown: str, called: str) -> None:
    assert settled(a_round("tai-sai", thrown)).result == {"dice": called}


def test_2_6_own_odds_must_reach_the_minimum() -> None:
    own = {key: value.text for key, value in gb_2011.ODDS.lines.items()}
    better = {"layout": own | {"double": "11 to 1"}}
    answer = settled(a_round("sic-bo", "112", bet("double", "1", id="w"), paytables=better))
    assert lines(answer)["w"] == "win +110.00 back 10.00"
    with pytest.raises(RuleError, match="9 to 1 is below the minimum of 10 to 1"):
        settled(a_round("sic-bo", "112", paytables={"layout": own | {"double": "9 to 1"}}))
    with pytest.raises(RuleError, match="fixes the odds"):
        settled(a_round("tai-sai", "112", paytables=better))


WRONG = [
    ("3.1(f) total 3", "tai-sai", bet("total", "3", id="w"), "wagers[0].selection", "3.1(f)"),
    ("3.1(g) pair", "tai-sai", bet("combination", "2-2", id="w"), "wagers[0].selection", "3.1(g)"),
    ("3.1(g) order", "tai-sai", bet("combination", "5-2", id="w"), "wagers[0].selection", "3.1(g)"),
    ("3.1 odd is gb only", "tai-sai", bet("odd", id="w"), "wagers[0].kind", None),
    (
        "9.12(k) other four",
        "sic-bo",
        bet("four-numbers", "1-2-3-5", id="w"),
        "wagers[0].selection",
        "9.12(k)",
    ),
    ("9.12(m) triple", "sic-bo", bet("double-and-single", "5-5-5", id="w"), "wagers[0].selection", "9.12(m)"),
    ("nothing to select", "sic-bo", bet("small", "1", id="w"), "wagers[0].selection", "9.12(a)"),
]


@pytest.mark.parametrize(
    ("game", "wrong", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_name_field_and_rule(
    game: str, wrong: dict[str, Any], field: str, rule: str | None
) -> None:
    faults = check_wagers(round_from_json(a_round(game, "123", wrong)))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


@pytest.mark.parametrize("shown", [[1, 2], [1, 2, 3, 4], [0, 1, 2], [1, 2, 7], ["1", 2, 3], "123", None])
def test_wrong_dice_are_refused(shown: Any) -> None:
    for game in BOOKS:
        with pytest.raises(RuleError) as refused:
            settled(a_round(game, "", bet("small")) | {"dealt": {"dice": shown}})
        assert refused.value.field.startswith("dealt.dice")


def test_dice_that_an_irregularity_left_incomplete_settle_nothing() -> None:
    document = a_round("tai-sai", "", bet("small"), irregularities=[{"kind": "wrong-lights"}])
    for dealt in ({}, {"dice": [1, 2]}):
        with pytest.raises(RuleError, match="three dice are needed"):
            settled(document | {"dealt": dealt})


@given(
    st.permutations([0, 1, 2]),
    st.tuples(*[st.integers(1, 6)] * 3),
    st.lists(st.tuples(st.sampled_from(POSITIONS), st.integers(1, 10**6)), max_size=10),
)
def test_which_die_shows_a_face_does_not_matter(
    order: list[int], throw: tuple[int, int, int], laid: list[tuple[tuple[str, str], int]]
) -> None:
    wagers = [
        bet(kind, selection, f"{cents // 100}.{cents % 100:02d}", id=str(i))
        for i, ((kind, selection), cents) in enumerate(laid)
    ]
    one = settled(a_round("sic-bo", "".join(map(str, throw)), *wagers))
    other = settled(a_round("sic-bo", "".join(str(throw[i]) for i in order), *wagers[::-1]))
    assert lines(one) == lines(other)
