"""Electronic Tai-Sai (nz-consultation 9A): terminals, their limits and credits, recalculation, malfunctions."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_wagers, round_from_json
from rules.codec import carried_to_json
from tests.rules.laws import lines, rules_of, settled, wager

LIMITS = {"kinds": {"*": {"minimum": "5.00", "maximum": "52.00", "increment": "5.00"}}}


def a_round(thrown: str, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    document = {"game": "electronic-tai-sai", "rulebook": "nz-consultation", "wagers": list(wagers), **more}
    if not thrown:
        return document
    return document | {"dealt": {"dice": [int(face) for face in thrown]} | more.get("dealt", {})}


def bet(kind: str, stake: str = "10.00", seat: int = 1, selection: str = "", **more: Any) -> dict[str, Any]:
    picked: dict[str, Any] = {"selection": selection} if selection else {}
    return wager(kind, stake, seat, **picked, **more)


def test_6_1_wagers_are_settled_as_in_tai_sai() -> None:
    answer = settled(a_round("666", bet("single", selection="6"), bet("big"), bet("double", selection="6")))
    assert lines(answer) == {
        "single@1": "win +120.00 back 10.00",
        "big@1": "lose",
        "double@1": "win +110.00 back 10.00",
    }
    assert set(rules_of(answer).values()) == {"6.1"}
    assert [line.also for line in answer.lines] == [
        ("nz-1996 VI 3.1(h)(i)",),
        ("nz-1996 VI 3.1(b)(ii)",),
        ("nz-1996 VI 3.1(d)(ii)",),
    ]


# stake offered on Small, what the terminal takes of it with 5 to 52 in steps of 5; then Small wins and loses
@pytest.mark.parametrize(
    ("stake", "wins", "loses", "rule"),
    [
        ("4.99", "void back 4.99", "void back 4.99", "3.3(c)(ii)"),
        ("5.00", "win +5.00 back 5.00", "lose", None),
        ("9.99", "win +5.00 back 9.99", "lose back 4.99", "3.3(c)(iii)"),
        ("10.00", "win +10.00 back 10.00", "lose", None),
        ("52.00", "win +50.00 back 52.00", "lose back 2.00", "3.3(c)(iii)"),
        ("53.00", "win +50.00 back 53.00", "lose back 3.00", "3.3(c)(iii)"),
        ("500.00", "win +50.00 back 500.00", "lose back 450.00", "3.3(c)(iii)"),
    ],
)
def test_3_3c_a_terminal_takes_the_next_lowest_permitted_wager(
    stake: str, wins: str, loses: str, rule: str | None
) -> None:
    won = settled(a_round("112", bet("small", stake), limits=LIMITS))
    lost = settled(a_round("665", bet("small", stake), limits=LIMITS))
    assert (lines(won)["small@1"], lines(lost)["small@1"]) == (wins, loses)
    cited = [won.lines[0].rule, *won.lines[0].also]
    assert (rule is None) or f"nz-consultation 9A {rule}" in cited
    faults = check_wagers(round_from_json(a_round("112", bet("small", stake), limits=LIMITS)))
    assert len(faults) == (0 if rule is None else 1)


def test_the_increment_counts_from_the_minimum() -> None:
    limits = {"kinds": {"*": {"minimum": "25.00", "increment": "10.00"}}}
    answer = settled(a_round("112", bet("small", "44.00"), limits=limits))
    assert lines(answer) == {"small@1": "win +35.00 back 44.00"}


def test_4_8_limits_differ_from_terminal_to_terminal_and_at_the_table() -> None:
    limits = {
        "kinds": {"*": {"minimum": "5.00"}},
        "players": {"2": {"*": {"minimum": "20.00"}}, "3": {"small": {"minimum": "1.00"}}},
    }
    wagers = [bet("small", "10.00", seat) for seat in (1, 2)] + [bet("small", "2.00", 3)]
    answer = settled(a_round("112", *wagers, limits=limits))
    assert lines(answer) == {
        "small@1": "win +10.00 back 10.00",
        "small@2": "void back 10.00",
        "small@3": "win +2.00 back 2.00",
    }


def test_3_2_wagers_on_the_table_keep_the_general_rules() -> None:
    limits = {"kinds": {"*": {"minimum": "5.00", "maximum": "50.00", "increment": "5.00"}}, "chip": "1.00"}
    at_table = [
        wager("small", "2.50", id="low", player="blue"),
        wager("small", "62.00", id="high", player="green"),
        wager("small", "7.00", id="odd", player="pink"),
    ]
    options = {"table_layout": True}
    first = settled(a_round("112", *at_table, bet("small", "7.50"), limits=limits, options=options))
    assert lines(first) == {
        "low": "win +3.00 back 2.50",  # I 14.2(a) valid once, I 15.3 paid up to the next chip
        "high": "win +50.00 back 62.00",  # I 14.2(b)
        "odd": "win +7.00 back 7.00",  # I 13.5 gives no remedy once it lies there
        "small@1": "win +5.00 back 7.50",  # 3.3(c)(iii), in credits
    }
    again = settled(
        a_round("112", *at_table, limits=limits, options=options, carried=carried_to_json(first.carried))
    )
    assert lines(again)["low"] == "void back 2.50"


def test_credits_are_paid_to_the_cent_whatever_the_chips() -> None:
    answer = settled(a_round("112", bet("small", "0.55"), limits={"chip": "1.00"}))
    assert lines(answer) == {"small@1": "win +0.55 back 0.55"}


def test_3_3c_iv_wagers_under_the_aggregate_minimum_are_not_recognised() -> None:
    wagers = [
        bet("small", "5.00", 1),
        bet("total", "4.00", 1, selection="4"),
        bet("small", "5.00", 2),
        bet("total", "5.00", 2, selection="4"),
        bet("small", "5.00", 3),
    ]
    options = {"aggregate_minimum": "10.00", "terminal_aggregate_minimums": {"3": "5.00"}}
    answer = settled(a_round("112", *wagers, options=options))
    assert lines(answer) == {
        "small@1": "void back 5.00",
        "total@1": "void back 4.00",
        "small@2": "win +5.00 back 5.00",
        "total@2": "win +310.00 back 5.00",
        "small@3": "win +5.00 back 5.00",
    }
    assert rules_of(answer)["small@1"] == "3.3(c)(iv)"


def test_3_3c_iv_counts_what_the_terminal_took() -> None:
    """12.00 and 4.00 offered at 5 to 52 in steps of 5: 10.00 and nothing are taken, 10.00 in all."""
    wagers = [bet("small", "12.00"), bet("big", "4.00")]
    answer = settled(a_round("112", *wagers, limits=LIMITS, options={"aggregate_minimum": "10.01"}))
    assert lines(answer) == {"small@1": "void back 12.00", "big@1": "void back 4.00"}
    answer = settled(a_round("112", *wagers, limits=LIMITS, options={"aggregate_minimum": "10.00"}))
    assert lines(answer) == {"small@1": "win +10.00 back 12.00", "big@1": "void back 4.00"}


@pytest.mark.parametrize(
    ("cause", "rule"),
    [("not-flat", "7.1"), ("exposed-early", "7.1"), ("disruption", "7.2"), (None, "7.1")],
)
def test_7_1_and_7_2_a_void_spin_refunds_all(cause: str | None, rule: str) -> None:
    void: dict[str, Any] = {"kind": "no-spin"} | ({"value": {"cause": cause}} if cause else {})
    answer = settled(a_round("", bet("small", seat=1), bet("big", seat=2), irregularities=[void]))
    assert lines(answer) == {"small@1": "void back 10.00", "big@2": "void back 10.00"}
    assert set(rules_of(answer).values()) == {rule}


def test_7_3_a_wrong_result_is_recalculated_on_the_actual_outcome() -> None:
    """112 was thrown, 115 entered: Small and single 1 on two dice either way, total 4 pays 62 and not total 7's 12."""
    wagers = [
        bet("small", "10.00", 1),
        bet("total", "5.00", 1, selection="7"),
        bet("total", "5.00", 2, selection="4"),
        bet("single", "5.00", 3, selection="1"),
    ]
    wrong = [{"kind": "wrong-result", "value": {"entered": [1, 1, 5]}}]
    answer = settled(a_round("112", *wagers, irregularities=wrong))
    assert lines(answer) == {
        "small@1": "win +10.00 back 10.00",
        "total@1": "lose",
        "total@2": "win +310.00 back 5.00",
        "single@3": "win +10.00 back 5.00",
    }
    assert all("nz-consultation 9A 7.3" in line.also for line in answer.lines)
    assert answer.result == {
        "dice": "double 1, 2; total 4",
        "terminal 1 recalculated": "-65.00",  # 60.00 and the stake had been credited on total 7
        "terminal 2 recalculated": "+315.00",
        "terminal 3 recalculated": "+0.00",
    }


def test_7_5_a_refused_payment_refunds_the_terminal_and_no_other() -> None:
    wagers = [bet("small", seat=1), bet("big", seat=1), bet("small", seat=2)]
    answer = settled(a_round("112", *wagers, irregularities=[{"kind": "malfunction", "seat": 1}]))
    assert lines(answer) == {
        "small@1": "void back 10.00",
        "big@1": "void back 10.00",
        "small@2": "win +10.00 back 10.00",
    }
    assert rules_of(answer)["big@1"] == "7.5(c)"
    with pytest.raises(RuleError, match="name the terminal"):
        settled(a_round("112", *wagers, irregularities=[{"kind": "malfunction"}]))


def test_5_4_the_terminal_shows_its_credits_after_the_spin() -> None:
    """100 held: 10 won, 20 lost, 3.99 under the minimum not taken."""
    wagers = [bet("small"), bet("big", "20.00"), bet("any-triple", "3.99")]
    answer = settled(a_round("112", *wagers, dealt={"credits": {"1": "100.00", "4": "7.00"}}, limits=LIMITS))
    assert answer.result["terminal 1 credits"] == "90.00"
    assert answer.result["terminal 4 credits"] == "7.00"


WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("31 terminals", a_round("112", bet("small", seat=31)), "wagers[0].seat", "3.1(b)"),
    ("no table", a_round("112", wager("small", "10.00")), "wagers[0].seat", "5.3"),
    (
        "more than the credits",
        a_round("112", bet("small"), bet("big"), dealt={"credits": {"1": "19.99"}}),
        "dealt.credits.1",
        "3.3(b)(iii)",
    ),
    ("total 3", a_round("112", bet("total", selection="3")), "wagers[0].selection", "4.2(a)"),
]


@pytest.mark.parametrize(("document", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_rounds_name_field_and_rule(document: dict[str, Any], field: str, rule: str) -> None:
    faults = check_wagers(round_from_json(document))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


KINDS = [("small", ""), ("big", ""), ("any-triple", ""), ("single", "6"), ("total", "11"), ("double", "1")]
IRREGULAR = [
    {"kind": "wrong-result", "value": {"entered": [1, 1, 1]}},
    {"kind": "wrong-result"},
    {"kind": "malfunction", "seat": 2},
    {"kind": "wrong-lights"},
    {"kind": "no-spin"},
]


@given(
    st.lists(st.integers(1, 6), max_size=3),
    st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 4), st.integers(1, 9000)), max_size=8),
    st.lists(st.sampled_from(IRREGULAR), max_size=2),
    st.integers(0, 6000),
)
def test_whatever_can_be_read_is_settled_or_refused(
    throw: list[int], laid: list[tuple[tuple[str, str], int, int]], irregular: list[Any], aggregate: int
) -> None:
    wagers = [
        bet(kind, f"{cents // 100}.{cents % 100:02d}", seat, selection, id=str(i))
        for i, ((kind, selection), seat, cents) in enumerate(laid)
    ]
    options = {"table_layout": True, "aggregate_minimum": f"{aggregate // 100}.{aggregate % 100:02d}"}
    document = a_round("", *wagers, limits=LIMITS, options=options, irregularities=irregular)
    with suppress(RuleError):
        settled(document | ({"dealt": {"dice": throw}} if throw else {}))
