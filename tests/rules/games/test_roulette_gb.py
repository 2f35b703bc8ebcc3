"""Roulette of Great Britain (gb-2011 3.1-3.50): wheels, zero, side wagers over several spins, Crown Double Zero."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, find_game, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Decision, Settlement
from rules.games.roulette import layout, newar, streaks
from tests.rules.laws import lines, rules_of, settled, wager

SINGLE = [str(n) for n in range(37)]
DOUBLE = ["0", "00", *SINGLE[1:]]
ALL_SIDES = {"side_wagers": ["rage", "colours", "newar"]}
RED, BLACK, ZERO = "1", "2", "0"


def a_round(
    number: str | None, *wagers: dict[str, Any], game: str = "roulette", **more: Any
) -> dict[str, Any]:
    document = {"game": game, "rulebook": "gb-2011", "wagers": list(wagers), **more}
    return document if number is None else document | {"dealt": {"number": number}}


def bet(kind: str, selection: str = "", stake: str = "10.00", **more: Any) -> dict[str, Any]:
    picked: dict[str, Any] = {"selection": selection} if selection else {}
    return wager(kind, stake, id=more.pop("id", f"{kind} {selection}".strip()), **picked, **more)


def one(number: str, kind: str, selection: str = "", stake: str = "10.00", **more: Any) -> tuple[str, str]:
    answer = settled(a_round(number, bet(kind, selection, stake, id="w"), **more))
    return lines(answer)["w"], rules_of(answer)["w"]


# wager, number, line for a stake of 10, rule: from 3.2 and 3.3
CASES = [
    ("straight-up", "36", "36", "win +350.00 back 10.00", "3.2(A)"),
    ("straight-up", "36", "35", "lose", "3.2(A)"),
    ("straight-up", "36", "0", "lose", "3.3(c)"),
    ("split", "35-36", "36", "win +170.00 back 10.00", "3.2(B)"),
    ("split", "0-2", "0", "win +170.00 back 10.00", "3.2(B)"),
    ("street", "1-2-3", "3", "win +110.00 back 10.00", "3.2(C)"),
    ("street", "0-1-2", "0", "win +110.00 back 10.00", "3.2(C)"),
    ("corner", "32-33-35-36", "32", "win +80.00 back 10.00", "3.2(D)"),
    ("first-four", "0-1-2-3", "3", "win +80.00 back 10.00", "3.2(E)"),
    ("first-four", "0-1-2-3", "4", "lose", "3.2(E)"),
    ("six-line", "31-32-33-34-35-36", "31", "win +50.00 back 10.00", "3.2(F)"),
    ("column", "3", "3", "win +20.00 back 10.00", "3.2(G)"),
    ("column", "3", "0", "lose", "3.3(c)"),
    ("dozen", "3", "25", "win +20.00 back 10.00", "3.2(H)"),
    ("red", "", "1", "win +10.00 back 10.00", "3.2(I)"),
    ("black", "", "1", "lose", "3.2(I)"),
    ("odd", "", "1", "win +10.00 back 10.00", "3.2(J)"),
    ("even", "", "1", "lose", "3.2(J)"),
    ("low", "", "1", "win +10.00 back 10.00", "3.2(K)"),
    ("high", "", "1", "lose", "3.2(K)"),
    ("split-columns", "1-2", "35", "win +5.00 back 10.00", "3.2(L)"),
    ("split-columns", "1-2", "36", "lose", "3.2(L)"),
    ("split-columns", "1-2", "0", "lose", "3.3(c)"),
    ("split-dozens", "2-3", "13", "win +5.00 back 10.00", "3.2(M)"),
    ("split-dozens", "2-3", "12", "lose", "3.2(M)"),
    ("split-dozens", "2-3", "0", "lose", "3.3(c)"),
]


@pytest.mark.parametrize(
    ("kind", "selection", "number", "line", "rule"),
    CASES,
    ids=[f"{c[4]} {c[0]} {c[1]} on {c[2]}" for c in CASES],
)
def test_wagers(kind: str, selection: str, number: str, line: str, rule: str) -> None:
    assert one(number, kind, selection) == (line, rule)


@pytest.mark.parametrize("kind", layout.EVEN_CHANCES)
@pytest.mark.parametrize("zero", ["0", "00"])
def test_3_3b_even_chances_on_zero_lose_half_or_all(kind: str, zero: str) -> None:
    wheel = {"wheel": "double-zero"}
    assert one(zero, kind, options=wheel) == ("lose back 5.00", "3.3(b)(i)")
    assert one(zero, kind, options=wheel | {"on_zero": "all"}) == ("lose", "3.3(b)(ii)")


def test_3_3b_half_of_an_odd_amount_comes_back_up_to_what_can_be_paid() -> None:
    assert one("0", "red", stake="0.05") == ("lose back 0.03", "3.3(b)(i)")
    assert one("0", "red", stake="5.00", limits={"chip": "1.00"}) == ("lose back 3.00", "3.3(b)(i)")
    assert one("0", "red", stake="0.50", limits={"chip": "1.00"}) == ("lose back 0.50", "3.3(b)(i)")
    answer = settled(a_round("0", bet("red", stake="5.00"), limits={"chip": "1.00"}))
    assert answer.lines[0].also == ("gb-2011 2.5",)


def test_3_5b_double_zero_wins_its_own_places_and_loses_the_rest() -> None:
    own = ["straight-up 00", "split 0-00", "split 00-1", "split 00-2", "split 00-3"]
    own += ["street 0-00-2", "street 00-1-2", "street 00-2-3", "first-four 00-1-2-3"]
    other = ["straight-up 0", "split 0-1", "first-four 0-1-2-3", "dozen 1", "split-columns 2-3"]
    wagers = [bet(*place.split()) for place in own + other]
    answer = settled(a_round("00", *wagers, options={"wheel": "double-zero"}))
    outcomes = {line.wager.id: line.outcome.value for line in answer.lines}
    assert outcomes == dict.fromkeys(own, "win") | dict.fromkeys(other, "lose")
    assert answer.lines[0].also == ("gb-2011 3.3(a)",)


def places(game: str, zeros: int) -> list[tuple[str, str]]:
    found = find_game(game, "gb-2011")
    pairs = [
        (kind.name, selection)
        for kind in found.wagers
        if kind.slot == "layout"
        for selection in (kind.selection.choices if kind.selection else ("",))  # type: ignore[attr-defined]
    ]
    return [(k, s) for k, s in pairs if zeros == 2 or "00" not in s.split("-")]


@pytest.mark.parametrize(
    ("game", "wheel", "zero", "edge_even", "edge_rest"),
    [
        ("roulette", "single-zero", "half", Fraction(1, 74), Fraction(1, 37)),
        ("roulette", "single-zero", "all", Fraction(1, 37), Fraction(1, 37)),
        ("roulette", "double-zero", "half", Fraction(1, 38), Fraction(2, 38)),
        ("crown-double-zero-roulette", "", "", Fraction(2, 38), Fraction(2, 38)),
    ],
    ids=["3.3(b)(i)", "3.3(b)(ii)", "3.5(b)", "3.50 says 5.26%"],
)
def test_every_place_keeps_what_its_wheel_keeps(
    game: str, wheel: str, zero: str, edge_even: Fraction, edge_rest: Fraction
) -> None:
    """All odds of 3.2 and 3.49 are those of a wheel of 36: the edge is a zero's share, halved where half comes back."""
    numbers = SINGLE if wheel == "single-zero" else DOUBLE
    options = {"wheel": wheel, "on_zero": zero} if wheel else {}
    wagers = [
        bet(kind, selection, "1.00") for kind, selection in places(game, 1 if wheel == "single-zero" else 2)
    ]
    back = dict.fromkeys((w["id"] for w in wagers), 0)
    for number in numbers:
        answer = settle(round_from_json(a_round(number, *wagers, game=game, options=options)))
        for line in answer.lines:
            back[line.wager.id] += line.to_player
    for place, micros in back.items():
        edge = 1 - Fraction(micros, 1_000_000 * len(numbers))
        assert edge == (edge_even if place in layout.EVEN_CHANCES else edge_rest), place


def test_3_48_crown_loses_even_chances_on_either_zero() -> None:
    for zero in ("0", "00"):
        answer = settled(a_round(zero, bet("red"), bet("dozen", "1"), game="crown-double-zero-roulette"))
        assert (lines(answer), rules_of(answer)) == (
            {"red": "lose", "dozen 1": "lose"},
            {"red": "3.48", "dozen 1": "3.47"},
        )
    with pytest.raises(RuleError, match="no wager 'split-dozens'"):
        settled(a_round("1", bet("split-dozens", "1-2"), game="crown-double-zero-roulette"))


def test_results_speak_american_or_french() -> None:
    assert settled(a_round("17")).result == {"number": "17 black odd low"}
    assert settled(a_round("17", options={"names": "french"})).result == {"number": "17 noir impair manque"}


# Side wagers


def spin(numbers: list[str], wagers: dict[int, list[dict[str, Any]]], **more: Any) -> list[Settlement]:
    """Settles one spin after the other; `wagers` by the spin for which they are placed, counted from 0."""
    carried: dict[str, Any] = {}
    answers = []
    for index, number in enumerate(numbers):
        document = a_round(number, *wagers.get(index, []), carried=carried, options=ALL_SIDES, **more)
        answers.append(settled(document))
        carried = carried_to_json(answers[-1].carried)
    return answers


# repeats of red after the establishing red, then the spin that ends the run; table 1 with a stake of 10
RAGE_CASES = [
    (0, BLACK, "lose", "3.24"),
    (0, ZERO, "lose", "3.24"),
    (3, BLACK, "lose", "3.24"),
    (4, BLACK, "win +60.00 back 10.00", "3.26"),
    (4, ZERO, "win +60.00 back 10.00", "3.26"),
    (5, BLACK, "win +100.00 back 10.00", "3.26"),
    (6, BLACK, "win +200.00 back 10.00", "3.26"),
    (7, BLACK, "win +300.00 back 10.00", "3.26"),
    (8, BLACK, "win +400.00 back 10.00", "3.26"),
    (9, BLACK, "win +600.00 back 10.00", "3.26"),
    (10, BLACK, "win +1000.00 back 10.00", "3.26"),
    (11, BLACK, "win +2000.00 back 10.00", "3.26"),
    (12, BLACK, "win +4000.00 back 10.00", "3.26"),
    (13, BLACK, "win +10000.00 back 10.00", "3.26"),
    (14, BLACK, "win +20000.00 back 10.00", "3.27"),
    (17, ZERO, "win +20000.00 back 10.00", "3.27"),
]


@pytest.mark.parametrize(("repeats", "end", "line", "rule"), RAGE_CASES, ids=lambda v: str(v))
def test_3_26_rage_is_paid_by_the_length_of_the_run_when_it_ends(
    repeats: int, end: str, line: str, rule: str
) -> None:
    numbers = [BLACK, RED, *[RED] * repeats, end]
    answers = spin(numbers, {2: [bet("rage")]})
    for before in answers[2:-1]:
        assert lines(before) == {"rage": "stands stays 10.00"}
    assert (lines(answers[-1]), rules_of(answers[-1])) == ({"rage": line}, {"rage": rule})
    assert answers[-1].carried.wagers == ()


@pytest.mark.parametrize(
    ("table", "four", "five"),
    [("table-1", "60.00", "100.00"), ("table-2", "50.00", "90.00"), ("minimum", "50.00", "80.00")],
)
def test_3_28_and_3_31_rage_tables(table: str, four: str, five: str) -> None:
    chosen = {"paytables": {"rage": table}}
    answers = spin([RED] * 5 + [BLACK], {1: [bet("rage")]}, **chosen)
    assert lines(answers[-1]) == {"rage": f"win +{four} back 10.00"}
    answers = spin([RED] * 6 + [BLACK], {1: [bet("rage")]}, **chosen)
    assert lines(answers[-1]) == {"rage": f"win +{five} back 10.00"}


@pytest.mark.parametrize(
    ("history", "allowed"),
    [
        ([], False),
        ([RED], True),
        ([RED, RED], False),
        ([RED, BLACK], True),
        ([RED, BLACK, BLACK], False),
        ([RED, ZERO], False),
        ([RED, ZERO, ZERO], False),
        ([RED, ZERO, RED], True),
        ([RED, ZERO, RED, RED], False),
    ],
    ids=lambda v: "-".join(v) or "opening" if isinstance(v, list) else str(v),
)
def test_3_15_to_3_17_rage_is_taken_only_on_an_establishing_spin(history: list[str], allowed: bool) -> None:
    carried = carried_to_json(spin(history, {})[-1].carried) if history else {}
    document = a_round(None, bet("rage"), carried=carried, options=ALL_SIDES)
    faults = check_wagers(round_from_json(document, partial=True))
    assert [fault.rule for fault in faults] == ([] if allowed else ["gb-2011 3.16"])


def test_a_void_spin_neither_breaks_nor_lengthens_a_run() -> None:
    answers = spin([BLACK, RED, RED], {2: [bet("rage"), bet("colours", "red")]})
    carried = carried_to_json(answers[-1].carried)
    void = settled(
        a_round(
            None,
            irregularities=[{"kind": "no-spin"}],
            carried=carried,
            options=ALL_SIDES | {"void_spin": "returned"},
        )
    )
    assert lines(void) == {"rage": "stands stays 10.00", "colours red": "stands stays 10.00"}
    assert carried_to_json(void.carried) == carried
    waiting = round_from_json(a_round(None, carried=carried, options=ALL_SIDES), partial=True)
    assert "stays until decided" in str(check_decision(waiting, Decision("withdraw", wager="rage")))
    with pytest.raises(RuleError, match="stays until decided"):
        settled(
            a_round(
                RED, decisions=[{"kind": "withdraw", "wager": "rage"}], carried=carried, options=ALL_SIDES
            )
        )


COLOURS_CASES = [
    ([RED, RED, RED], "red", ["stands stays 10.00", "stands stays 10.00", "win +70.00 back 10.00"], "3.36"),
    (
        [BLACK, BLACK, BLACK],
        "black",
        ["stands stays 10.00", "stands stays 10.00", "win +70.00 back 10.00"],
        "3.36",
    ),
    ([BLACK], "red", ["lose"], "3.38"),
    ([RED, BLACK], "red", ["stands stays 10.00", "lose"], "3.38"),
    ([RED, RED, BLACK], "red", ["stands stays 10.00", "stands stays 10.00", "lose"], "3.38"),
    ([RED, RED, ZERO], "red", ["stands stays 10.00", "stands stays 10.00", "lose"], "3.39"),
    ([ZERO], "black", ["lose"], "3.39"),
]


@pytest.mark.parametrize(("numbers", "colour", "expected", "rule"), COLOURS_CASES)
def test_3_34_to_3_39_colours(numbers: list[str], colour: str, expected: list[str], rule: str) -> None:
    answers = spin(numbers, {0: [bet("colours", colour, id="w")]})
    assert [lines(answer)["w"] for answer in answers] == expected
    assert rules_of(answers[-1])["w"] == rule


@given(
    st.lists(
        st.tuples(
            st.sampled_from([RED, BLACK, ZERO, RED, BLACK]),
            st.booleans(),
            st.sampled_from(["", "red", "black"]),
        ),
        max_size=40,
    )
)
def test_a_stream_of_spins_pays_what_the_whole_history_says(spins: list[tuple[str, bool, str]]) -> None:
    """Rage and Colours read off the finished list of colours by run lengths, beside settling spin by spin."""
    colours = [layout.colour(number) for number, _, _ in spins]
    placed: dict[int, list[dict[str, Any]]] = {}
    expected: dict[str, int] = {}
    for index, (_, rages, picked) in enumerate(spins):
        establishing = (
            index > 0
            and colours[index - 1] != "green"
            and colours[index - 1] not in colours[index - 2 : index - 1]
        )
        if rages and establishing:
            placed.setdefault(index, []).append(bet("rage", stake="1.00", id=f"r{index}"))
            length = len(list(next(groupby(colours[index - 1 :]))[1])) - 1
            ended = index + length < len(colours)
            pays = {4: 6, 5: 10, 6: 20, 7: 30, 8: 40, 9: 60, 10: 100, 11: 200, 12: 400, 13: 1000}
            if ended:
                expected[f"r{index}"] = (pays.get(length, 2000) + 1 if length >= 4 else 0) * 1_000_000
        if picked:
            placed.setdefault(index, []).append(bet("colours", picked, "1.00", id=f"c{index}"))
            window = colours[index : index + 3]
            if window == [picked] * 3:
                expected[f"c{index}"] = 8_000_000
            elif any(colour != picked for colour in window):
                expected[f"c{index}"] = 0
    paid: dict[str, int] = {}
    for answer in spin([number for number, _, _ in spins], placed):
        paid |= {line.wager.id: line.to_player for line in answer.lines if not line.standing}
    assert paid == expected


def test_3_43_newar_groups_are_the_red_even_and_the_black_odd_numbers() -> None:
    assert newar.GROUPS["newar-red-even"] == {"12", "14", "16", "18", "30", "32", "34", "36"}
    assert newar.GROUPS["newar-black-odd"] == {"11", "13", "15", "17", "29", "31", "33", "35"}


# row of 3.44: winnings of 10 on the group, on the bonus number, and the edge that the rulebook prints
NEWAR_ROWS = [
    ("row-1", "30.00", "10.00", "8.1"),
    ("row-2", "30.00", "15.00", "6.75"),
    ("row-3", "30.00", "20.00", "5.4"),
    ("row-4", "30.00", "25.00", "4.05"),
    ("row-5", "20.00", "90.00", "8.1"),
    ("row-6", "20.00", "95.00", "6.75"),
    ("row-7", "20.00", "100.00", "5.4"),
    ("row-8", "20.00", "105.00", "4.05"),
]


@pytest.mark.parametrize(("row", "group", "bonus", "edge"), NEWAR_ROWS)
@pytest.mark.parametrize("kind", ["newar-red-even", "newar-black-odd"])
def test_3_44_newar_rows(kind: str, row: str, group: str, bonus: str, edge: str) -> None:
    more: dict[str, Any] = {"options": ALL_SIDES, "paytables": {"newar": row}}
    hit = min(newar.GROUPS[kind])
    assert one(hit, kind, **more) == (f"win +{group} back 10.00", "3.44")
    assert one("0", kind, **more) == (f"win +{bonus} back 10.00", "3.44")
    assert one("1", kind, **more) == ("lose", "3.43")
    back = 0
    for number in SINGLE:
        answer = settle(round_from_json(a_round(number, bet(kind, stake="1.00"), **more)))
        back += answer.lines[0].to_player
    percent = 100 * (1 - Fraction(back, 37_000_000))
    assert abs(percent - Fraction(edge)) < Fraction(1, 100)


def test_3_44_another_bonus_number_and_none_inside_its_group() -> None:
    options = ALL_SIDES | {"newar_bonus_red_even": "11"}
    assert one("11", "newar-red-even", options=options)[0] == "win +10.00 back 10.00"
    assert one("0", "newar-red-even", options=options)[0] == "lose"
    assert one("0", "newar-black-odd", options=options)[0] == "win +10.00 back 10.00"
    with pytest.raises(RuleError, match="a bonus number is another one"):
        one("1", "newar-red-even", options=ALL_SIDES | {"newar_bonus_red_even": "12"})


def test_2_6_own_odds_reach_a_row_of_the_book_or_are_refused() -> None:
    better = {"newar": {"group": "3 to 1", "bonus": "5 to 1"}}
    assert one("0", "newar-red-even", options=ALL_SIDES, paytables=better)[0] == "win +50.00 back 10.00"
    worse = {"newar": {"group": "2 to 1", "bonus": "1 to 1"}}
    with pytest.raises(RuleError, match="reach no row of the rulebook"):
        one("0", "newar-red-even", options=ALL_SIDES, paytables=worse)
    tops = {str(n): "2000 to 1" for n in range(4, 15)}
    own = settled(a_round(RED, options=ALL_SIDES, paytables={"rage": tops}))
    assert own.lines == ()
    with pytest.raises(RuleError, match="4 to 1 is below the minimum of 5 to 1") as refused:
        settled(a_round(RED, paytables={"rage": tops | {"4": "4 to 1"}}))
    assert (refused.value.field, refused.value.rule) == ("paytables.rage.4", "gb-2011 2.6")


WRONG = [
    ("3.5(a) no double zero", bet("straight-up", "00", id="w"), {}, "wagers[0].selection", "3.5(a)"),
    ("3.5(a) nor beside it", bet("split", "00-1", id="w"), {}, "wagers[0].selection", "3.5(a)"),
    ("3.2(E) corner is no first four", bet("corner", "0-1-2-3", id="w"), {}, "wagers[0].selection", "3.2(D)"),
    ("3.2(L) not side by side", bet("split-columns", "1-3", id="w"), {}, "wagers[0].selection", "3.2(L)"),
    ("3.33 colours not offered", bet("colours", "red", id="w"), {}, "wagers[0].kind", "3.33"),
    ("3.42 newar not offered", bet("newar-red-even", id="w"), {}, "wagers[0].kind", "3.42"),
    ("3.34 green", bet("colours", "green", id="w"), ALL_SIDES, "wagers[0].selection", "3.34"),
    (
        "3.4 left out",
        bet("split-dozens", "1-2", id="w"),
        {"not_offered": ["split-dozens"]},
        "wagers[0].kind",
        "3.4",
    ),
]


@pytest.mark.parametrize(
    ("wrong", "options", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_name_field_and_rule(
    wrong: dict[str, Any], options: dict[str, Any], field: str, rule: str
) -> None:
    faults = check_wagers(round_from_json(a_round(None, wrong, options=options), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


def test_3_5a_a_single_zero_wheel_spins_no_double_zero() -> None:
    with pytest.raises(RuleError, match="no double zero") as refused:
        settled(a_round("00", bet("red")))
    assert refused.value.field == "dealt.number"


state = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(["red", "green", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["colour", "repeats", "spins"]), inner, max_size=3)
    ),
    max_leaves=4,
)


@given(
    st.sampled_from([*DOUBLE, None]),
    st.lists(
        st.sampled_from([*places("roulette", 2), ("rage", ""), ("colours", "red"), ("newar-red-even", "")]),
        max_size=4,
    ),
    st.lists(st.tuples(st.sampled_from(["rage", "colours", "red", "x"]), state), max_size=2),
    state,
    st.sampled_from(["single-zero", "double-zero"]),
)
def test_whatever_can_be_read_is_settled_or_refused(
    number: str | None, laid: list[tuple[str, str]], standing: list[tuple[str, Any]], table: Any, wheel: str
) -> None:
    wagers = [bet(kind, selection, id=str(i)) for i, (kind, selection) in enumerate(laid)]
    left = [
        {"wager": bet(kind, "red" if kind == "colours" else "", id=f"s{i}"), "state": kept}
        for i, (kind, kept) in enumerate(standing)
        if isinstance(kept, dict)
    ]
    carried = {"table": {streaks.STREAK: table}, "wagers": left}
    document = a_round(number, *wagers, carried=carried, options=ALL_SIDES | {"wheel": wheel})
    if number is None:
        document["irregularities"] = [{"kind": "no-spin"}]
    with suppress(RuleError):
        settled(document)
