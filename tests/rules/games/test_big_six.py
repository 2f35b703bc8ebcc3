"""Money Wheel (nz-1996 VII) and Big Six (gb-2011 10): odds by symbol, void spins, the clapper between two segments."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_wagers, find_game, round_from_json
from rules.codec import carried_to_json
from rules.games import big_six
from tests.rules.laws import lines, rules_of, settled, wager

BOOKS = {"money-wheel": "nz-1996", "big-six": "gb-2011"}
BETWEEN = {"kind": "between-segments", "value": {"passed": "C"}}


def a_round(game: str, symbol: str | None, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    document = {"game": game, "rulebook": BOOKS[game], "wagers": list(wagers), **more}
    return document if symbol is None else document | {"dealt": {"symbol": symbol}}


def bet(symbol: str, stake: str = "10.00", **more: Any) -> dict[str, Any]:
    return wager("symbol", stake, selection=symbol, id=more.pop("id", symbol), **more)


# symbol, compartments and winnings of 10: nz-1996 VII 2.3 and 5.0, gb-2011 10.2 and 10.9
WHEELS = [
    ("money-wheel", "A", 24, "10"),
    ("money-wheel", "B", 12, "30"),
    ("money-wheel", "C", 8, "50"),
    ("money-wheel", "D", 4, "110"),
    ("money-wheel", "E", 2, "230"),
    ("money-wheel", "F", 1, "470"),
    ("money-wheel", "G", 1, "470"),
    ("big-six", "A", 1, "500"),
    ("big-six", "B", 1, "500"),
    ("big-six", "C", 2, "200"),
    ("big-six", "D", 4, "100"),
    ("big-six", "E", 8, "50"),
    ("big-six", "F", 12, "30"),
    ("big-six", "G", 24, "10"),
]


@pytest.mark.parametrize(("game", "symbol", "compartments", "won"), WHEELS)
def test_a_wager_wins_on_its_symbol_alone(game: str, symbol: str, compartments: int, won: str) -> None:
    answer = settled(a_round(game, symbol, *[bet(other) for other in big_six.SYMBOLS]))
    assert lines(answer) == dict.fromkeys(big_six.SYMBOLS, "lose") | {symbol: f"win +{won}.00 back 10.00"}
    win, lose = ("4.1(a)", "4.1(b)") if game == "money-wheel" else ("10.9", "10.9")
    assert rules_of(answer) == dict.fromkeys(big_six.SYMBOLS, lose) | {symbol: win}
    assert big_six.COMPARTMENTS[BOOKS[game]][symbol] == compartments


def test_each_wheel_has_52_compartments_and_the_house_keeps_something_on_every_symbol() -> None:
    for game, book in BOOKS.items():
        wheel = big_six.COMPARTMENTS[book]
        assert sum(wheel.values()) == 52
        table = find_game(game, book).paytables[0]
        for symbol, count in wheel.items():
            assert Fraction(count, 52) * (table.lines[symbol].ratio + 1) < 1


@pytest.mark.parametrize(
    ("cause", "rule"),
    [
        ("interference", "6.1"),
        ("unbalanced", "6.1"),
        ("malfunction", "6.1"),
        ("on-peg", "6.2"),
        ("under-four-revolutions", "6.3"),
        (None, "6.4"),
    ],
)
def test_vii_6_a_void_spin_of_the_money_wheel(cause: str | None, rule: str) -> None:
    void: dict[str, Any] = {"kind": "no-spin"} | ({"value": {"cause": cause}} if cause else {})
    answer = settled(a_round("money-wheel", None, bet("A"), irregularities=[void]))
    assert (lines(answer), rules_of(answer)) == ({"A": "void back 10.00"}, {"A": rule})
    stands = settled(
        a_round("money-wheel", None, bet("A"), irregularities=[void], options={"void_spin": "stands"})
    )
    assert lines(stands) == {"A": "stands stays 10.00"}
    again = settled(a_round("money-wheel", "A", carried=carried_to_json(stands.carried)))
    assert lines(again) == {"A": "win +10.00 back 10.00"}
    with pytest.raises(RuleError, match="a void spin has no result"):
        settled(a_round("money-wheel", "A", bet("A"), irregularities=[void]))


def test_10_10a_between_two_segments_the_one_passed_before_wins() -> None:
    answer = settled(a_round("big-six", None, bet("C"), bet("G"), irregularities=[BETWEEN]))
    assert lines(answer) == {"C": "win +200.00 back 10.00", "G": "lose"}
    assert {line.also for line in answer.lines} == {("gb-2011 10.10(a)",)}


def test_10_10b_between_two_segments_the_wheel_is_spun_again() -> None:
    options = {"between_segments": "re-spin"}
    first = settled(a_round("big-six", None, bet("C"), bet("G"), irregularities=[BETWEEN], options=options))
    assert lines(first) == {"C": "stands stays 10.00", "G": "stands stays 10.00"}
    assert set(rules_of(first).values()) == {"10.10(b)"}
    carried = carried_to_json(first.carried)
    taken = [{"kind": "withdraw", "wager": "C"}]
    second = settled(a_round("big-six", "G", bet("A"), carried=carried, decisions=taken, options=options))
    assert lines(second) == {"C": "void back 10.00", "G": "win +10.00 back 10.00", "A": "lose"}
    back = settled(
        a_round(
            "big-six", None, bet("C"), irregularities=[BETWEEN], options=options | {"void_spin": "returned"}
        )
    )
    assert lines(back) == {"C": "void back 10.00"}


@pytest.mark.parametrize(
    ("more", "symbol", "message"),
    [
        ({"irregularities": [BETWEEN]}, "C", "has settled in neither"),
        ({"irregularities": [BETWEEN, {"kind": "no-spin"}]}, None, "say which"),
        ({"irregularities": [{"kind": "between-segments"}]}, None, "passed: is missing"),
        ({"irregularities": [{"kind": "between-segments", "value": {}}]}, None, "passed: is missing"),
        ({}, None, "symbol: is missing"),
        ({}, "H", "'H' is not one of"),
        ({"decisions": [{"kind": "withdraw", "wager": "A"}]}, "A", "no wager from a void spin"),
    ],
)
def test_wrong_spins_are_refused(more: dict[str, Any], symbol: str | None, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round("big-six", symbol, bet("A"), **more))


@pytest.mark.parametrize("game", BOOKS)
def test_wrong_wagers_name_field_and_rule(game: str) -> None:
    rule = {"money-wheel": "nz-1996 VII 4.1", "big-six": "gb-2011 10.9"}[game]
    for wrong in (bet("H"), wager("symbol", "10.00")):
        faults = check_wagers(round_from_json(a_round(game, "A", wrong)))
        assert [(f.field, f.rule) for f in faults] == [("wagers[0].selection", rule)]


def test_2_6_own_odds_must_reach_the_minimum() -> None:
    own = {key: value.text for key, value in big_six.GB_ODDS.lines.items()}
    answer = settled(a_round("big-six", "D", bet("D"), paytables={"layout": own | {"D": "11 to 1"}}))
    assert lines(answer) == {"D": "win +110.00 back 10.00"}
    with pytest.raises(RuleError, match="49 to 1 is below the minimum of 50 to 1"):
        settled(a_round("big-six", "D", paytables={"layout": own | {"A": "49 to 1"}}))


@given(
    st.sampled_from(sorted(BOOKS)),
    st.sampled_from(big_six.SYMBOLS),
    st.lists(st.tuples(st.sampled_from(big_six.SYMBOLS), st.integers(1, 10**6)), max_size=10),
    st.randoms(),
)
def test_lines_do_not_depend_on_the_order_of_wagers(
    game: str, symbol: str, laid: list[tuple[str, int]], random: Any
) -> None:
    wagers = [
        bet(picked, f"{cents // 100}.{cents % 100:02d}", id=str(i)) for i, (picked, cents) in enumerate(laid)
    ]
    there = lines(settled(a_round(game, symbol, *wagers)))
    random.shuffle(wagers)
    assert lines(settled(a_round(game, symbol, *wagers))) == there
