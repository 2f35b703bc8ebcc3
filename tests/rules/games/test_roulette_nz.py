"""Roulette of New Zealand (nz-1996 III): every place of the cloth on every number, zero, void spins, wrong input."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, find_game, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Decision
from rules.games.roulette import layout, nz_1996
from tests.rules.laws import lines, rules_of, settled, wager

GAME = find_game("roulette", "nz-1996")
WHEEL = [str(n) for n in range(37)]
SPOTS = [
    (kind.name, selection)
    for kind in GAME.wagers
    for selection in (kind.selection.choices if kind.selection else ("",))  # type: ignore[attr-defined]
]


def a_round(number: str | None, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    document = {"game": "roulette", "rulebook": "nz-1996", "wagers": list(wagers), **more}
    return document if number is None else document | {"dealt": {"number": number}}


def bet(kind: str, selection: str = "", stake: str = "10.00", **more: Any) -> dict[str, Any]:
    picked: dict[str, Any] = {"selection": selection} if selection else {}
    return wager(kind, stake, id=more.pop("id", f"{kind} {selection}".strip()), **picked, **more)


# wager, number spun, line for a stake of 10, rule: from 4.1, 5.1-5.3
CASES = [
    ("straight-up", "17", "17", "win +350.00 back 10.00", "4.1(a)(i)"),
    ("straight-up", "17", "18", "lose", "4.1(a)(ii)"),
    ("straight-up", "0", "0", "win +350.00 back 10.00", "4.1(a)(i)"),
    ("straight-up", "17", "0", "lose", "4.1(a)(ii)"),
    ("split", "17-20", "20", "win +170.00 back 10.00", "4.1(b)(i)"),
    ("split", "17-18", "20", "lose", "4.1(b)(iii)"),
    ("split", "0-3", "3", "win +170.00 back 10.00", "4.1(b)(ii)"),
    ("split", "0-3", "0", "win +170.00 back 10.00", "4.1(b)(ii)"),
    ("street", "34-35-36", "35", "win +110.00 back 10.00", "4.1(c)(i)"),
    ("street", "0-1-2", "0", "win +110.00 back 10.00", "4.1(c)(ii)"),
    ("street", "0-2-3", "3", "win +110.00 back 10.00", "4.1(c)(iii)"),
    ("street", "0-2-3", "1", "lose", "4.1(c)(iv)"),
    ("corner", "1-2-4-5", "5", "win +80.00 back 10.00", "4.1(d)(i)"),
    ("corner", "0-1-2-3", "2", "win +80.00 back 10.00", "4.1(d)(ii)"),
    ("corner", "0-1-2-3", "4", "lose", "4.1(d)(iii)"),
    ("six-line", "1-2-3-4-5-6", "6", "win +50.00 back 10.00", "4.1(e)(i)"),
    ("six-line", "1-2-3-4-5-6", "0", "lose", "4.1(e)(ii)"),
    ("column", "1", "34", "win +20.00 back 10.00", "4.1(f)(i)"),
    ("column", "3", "34", "lose", "4.1(f)(ii)"),
    ("dozen", "2", "13", "win +20.00 back 10.00", "4.1(g)(i)"),
    ("dozen", "2", "12", "lose", "4.1(g)(ii)"),
    ("low", "", "18", "win +10.00 back 10.00", "4.1(h)(i)"),
    ("low", "", "19", "lose", "4.1(h)(ii)"),
    ("high", "", "19", "win +10.00 back 10.00", "4.1(i)(i)"),
    ("even", "", "36", "win +10.00 back 10.00", "4.1(j)(i)"),
    ("even", "", "0", "lose", "4.1(j)(ii)"),
    ("odd", "", "35", "win +10.00 back 10.00", "4.1(k)(i)"),
    ("red", "", "36", "win +10.00 back 10.00", "4.1(l)(i)"),
    ("red", "", "0", "lose", "4.1(l)(ii)"),
    ("black", "", "35", "win +10.00 back 10.00", "4.1(m)(i)"),
    ("black", "", "36", "lose", "4.1(m)(ii)"),
]


@pytest.mark.parametrize(
    ("kind", "selection", "number", "line", "rule"),
    CASES,
    ids=[f"{c[4]} {c[0]} {c[1]} on {c[2]}" for c in CASES],
)
def test_wagers(kind: str, selection: str, number: str, line: str, rule: str) -> None:
    answer = settled(a_round(number, bet(kind, selection, id="w")))
    assert (lines(answer)["w"], rules_of(answer)["w"]) == (line, rule)


def test_5_2_and_5_3_zero_names_its_own_rules() -> None:
    answer = settled(a_round("0", bet("red"), bet("corner", "0-1-2-3")))
    assert [line.also for line in answer.lines] == [("nz-1996 III 5.2",), ("nz-1996 III 5.3",)]
    assert answer.result == {"number": "0 green"}


def cloth() -> dict[str, set[frozenset[str]]]:
    """The inside of the cloth from its geometry alone: three columns, twelve rows, zero across the top."""
    at = {(row, col): str(3 * row + col + 1) for row in range(12) for col in range(3)}
    square = [{at[r, c], at[r, c + 1], at[r + 1, c], at[r + 1, c + 1]} for r in range(11) for c in range(2)]
    touching = [{at[a], at[b]} for a in at for b in at if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    rows = [{at[r, c] for c in range(3)} for r in range(12)]
    return {
        "split": {frozenset(s) for s in touching} | {frozenset({"0", n}) for n in "123"},
        "street": {frozenset(s) for s in rows} | {frozenset("012"), frozenset("023")},
        "corner": {frozenset(s) for s in square} | {frozenset("0123")},
        "six-line": {frozenset(a | b) for a, b in pairwise(rows)},
    }


def test_the_cloth_has_exactly_the_places_of_its_geometry() -> None:
    for kind, places in cloth().items():
        found = [layout.covered(k, s) for k, s in SPOTS if k == kind]
        assert len(found) == len(set(found))
        assert set(found) == places


@pytest.mark.parametrize(("kind", "selection"), SPOTS, ids=[f"{k} {s}" for k, s in SPOTS])
def test_every_place_wins_on_its_numbers_and_keeps_a_thirty_seventh(kind: str, selection: str) -> None:
    """5.1: all odds are those of a wheel of 36, so over 37 spins of 1.00 each place loses exactly 1.00."""
    total = 0
    for number in WHEEL:
        answer = settle(round_from_json(a_round(number, bet(kind, selection, "1.00"))))
        total += answer.lines[0].to_player
    assert total == 36_000_000


def test_red_and_black_alternate_around_the_wheel() -> None:
    """2.3, on the one sequence that the books print in words (gb-2011 3.5(b)); the set of reds is the same."""
    order = (
        "28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1|27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
    )
    for half in order.split("|"):
        colours = [layout.colour(n) for n in half.split()]
        assert all(a != b for a, b in pairwise(colours))
    assert (len(layout.RED), len(layout.BLACK), layout.colour("0")) == (18, 18, "green")


@pytest.mark.parametrize("cause", nz_1996.VOID_SPINS)
def test_6_8_a_void_spin_leaves_wagers_for_the_re_spin(cause: str) -> None:
    void = [{"kind": "no-spin", "value": {"cause": cause}}]
    first = settled(a_round(None, bet("red"), bet("split", "0-1"), irregularities=void))
    assert lines(first) == {"red": "stands stays 10.00", "split 0-1": "stands stays 10.00"}
    assert set(rules_of(first).values()) == {nz_1996.VOID_SPINS[cause]}
    second = settled(a_round("1", bet("black"), carried=carried_to_json(first.carried)))
    assert lines(second) == {
        "red": "win +10.00 back 10.00",
        "split 0-1": "win +170.00 back 10.00",
        "black": "lose",
    }
    assert second.carried.wagers == ()


def test_4_5_a_wager_may_be_taken_off_before_the_re_spin_and_only_then() -> None:
    first = settled(a_round(None, bet("red"), bet("odd"), irregularities=[{"kind": "no-spin"}]))
    carried = carried_to_json(first.carried)
    second = settled(a_round("2", decisions=[{"kind": "withdraw", "wager": "red"}], carried=carried))
    assert lines(second) == {"red": "void back 10.00", "odd": "lose"}
    assert rules_of(second)["red"] == "4.5"
    with pytest.raises(RuleError, match="'low' is no wager from a void spin") as late:
        settled(a_round("2", bet("low"), decisions=[{"kind": "withdraw", "wager": "low"}]))
    assert (late.value.field, late.value.rule) == ("decisions[0].wager", "nz-1996 III 4.5")
    waiting = round_from_json(a_round(None, carried=carried), partial=True)
    assert check_decision(waiting, Decision("withdraw", wager="odd")) is None
    refused = check_decision(waiting, Decision("withdraw", wager="low"))
    assert refused is not None
    assert (refused.field, refused.rule) == ("decision.wager", "nz-1996 III 4.5")


def test_a_void_spin_may_return_the_wagers_where_the_house_does_so() -> None:
    void = [{"kind": "no-spin", "value": {"cause": "ball-out"}}]
    answer = settled(a_round(None, bet("red"), irregularities=void, options={"void_spin": "returned"}))
    assert lines(answer) == {"red": "void back 10.00"}
    assert answer.carried.wagers == ()


def test_6_7_a_void_spin_has_no_result_even_if_the_ball_came_to_rest() -> None:
    void = [{"kind": "no-spin", "value": {"cause": "same-direction"}}]
    with pytest.raises(RuleError, match="a void spin has no result") as refused:
        settled(a_round("17", bet("red"), irregularities=void))
    assert (refused.value.field, refused.value.rule) == ("dealt.number", "nz-1996 III 6.7")


def test_i_14_2_stakes_outside_of_the_limits() -> None:
    limits = {"kinds": {"*": {"minimum": "5.00"}, "straight-up": {"minimum": "5.00", "maximum": "100.00"}}}
    over = settled(a_round("17", bet("straight-up", "17", "150.00"), limits=limits))
    assert lines(over) == {"straight-up 17": "win +3500.00 back 150.00"}
    over = settled(a_round("18", bet("straight-up", "17", "150.00"), limits=limits))
    assert lines(over) == {"straight-up 17": "lose back 50.00"}
    small = bet("red", stake="2.00", player="blue")
    first = settled(a_round("1", small, limits=limits))
    assert lines(first) == {"red": "win +2.00 back 2.00"}
    again = settled(a_round("1", small, limits=limits, carried=carried_to_json(first.carried)))
    assert lines(again) == {"red": "void back 2.00"}


def test_i_11_2_a_device_voids_the_wagers_of_its_player_alone() -> None:
    wagers = [bet("red", player="blue"), bet("odd", player="blue"), bet("black", player="green")]
    answer = settled(a_round("1", *wagers, irregularities=[{"kind": "device", "player": "blue"}]))
    assert lines(answer) == {"red": "void back 10.00", "odd": "void back 10.00", "black": "lose"}
    with pytest.raises(RuleError, match="name the wager, player or seat"):
        settled(a_round("1", *wagers, irregularities=[{"kind": "device"}]))


WRONG = [
    ("4.4 not side by side", bet("split", "1-5", id="w"), "wagers[0].selection", "4.1(b)"),
    ("4.4 not in order", bet("split", "2-1", id="w"), "wagers[0].selection", "4.1(b)"),
    ("2.3 no double zero", bet("straight-up", "00", id="w"), "wagers[0].selection", "4.1(a)"),
    ("4.1(c) no selection", bet("street", id="w"), "wagers[0].selection", "4.1(c)"),
    ("4.1(l) nothing to select", bet("red", "1", id="w"), "wagers[0].selection", "4.1(l)"),
    ("4.1 split dozens are not offered", bet("split-dozens", "1-2", id="w"), "wagers[0].kind", None),
    ("whole cents", bet("red", stake="1.005", id="w"), "wagers[0].stake", "4.1(l)"),
]


@pytest.mark.parametrize(("wrong", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(wrong: dict[str, Any], field: str, rule: str | None) -> None:
    faults = check_wagers(round_from_json(a_round(None, wrong), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


@pytest.mark.parametrize("number", ["37", "00", "-1", "", 17, None])
def test_a_number_that_is_not_on_the_wheel_is_refused(number: Any) -> None:
    with pytest.raises(RuleError) as refused:
        settled(a_round(None, bet("red")) | {"dealt": {"number": number}})
    assert refused.value.field == "dealt.number"


def test_a_round_without_a_number_cannot_be_settled() -> None:
    with pytest.raises(RuleError, match=r"dealt\.number: is missing"):
        settled(a_round(None, bet("red")))
    with pytest.raises(RuleError, match=r"dealt\.number: is missing"):
        settle(round_from_json(a_round(None, bet("red")), partial=True))


spots = st.sampled_from(SPOTS)


@given(st.sampled_from(WHEEL), st.lists(st.tuples(spots, st.integers(1, 10**6)), max_size=12), st.randoms())
def test_lines_do_not_depend_on_the_order_of_wagers(
    number: str, laid: list[tuple[tuple[str, str], int]], random: Any
) -> None:
    wagers = [
        bet(kind, selection, f"{cents / 100:.2f}", id=str(i))
        for i, ((kind, selection), cents) in enumerate(laid)
    ]
    there = lines(settled(a_round(number, *wagers)))
    random.shuffle(wagers)
    assert lines(settled(a_round(number, *wagers))) == there


@given(
    st.lists(
        st.tuples(st.sampled_from([*WHEEL, None]), st.lists(spots, max_size=3), st.booleans()), max_size=8
    )
)
def test_void_spins_lose_no_money_on_the_way(
    spins: list[tuple[str | None, list[tuple[str, str]], bool]],
) -> None:
    """A stream of spins, some void: each wager ends once, as if its deciding spin had been its only one."""
    carried: dict[str, Any] = {}
    waiting: dict[str, tuple[str, str]] = {}
    for index, (number, laid, withdraws) in enumerate(spins):
        new = {f"{index}-{i}": place for i, place in enumerate(laid)}
        wagers = [bet(kind, selection, id=key) for key, (kind, selection) in new.items()]
        taken = next(iter(waiting), None) if withdraws else None
        document = a_round(number, *wagers, carried=carried)
        if number is None:
            document["irregularities"] = [{"kind": "no-spin"}]
        if taken:
            document["decisions"] = [{"kind": "withdraw", "wager": taken}]
        answer = settled(document)
        expected = {}
        for key, (kind, selection) in (waiting | new).items():
            if key == taken:
                expected[key] = "void back 10.00"
            elif number is None:
                expected[key] = "stands stays 10.00"
            else:
                expected[key] = lines(settled(a_round(number, bet(kind, selection, id="x"))))["x"]
        assert lines(answer) == expected
        waiting = {k: v for k, v in (waiting | new).items() if expected[k].startswith("stands")}
        carried = carried_to_json(answer.carried)
