"""Craps (nz-1996 X): what each throw does to each wager, by rules 3.1 to 3.11, 6.1 to 6.4 and 7.1.

Whole streams of throws are compared with a reference in test_craps_streams.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, Settlement, check_wagers, round_from_json
from rules.codec import carried_to_json
from tests.rules.laws import lines, money, rules_of, settled, wager

THROWS = {total: (max(1, total - 6), total - max(1, total - 6)) for total in range(2, 13)}
"""One way to throw each total; never the hard way where there is another."""
THROWS |= {4: (1, 3), 6: (2, 4), 8: (2, 6), 10: (4, 6)}


def a_throw(
    dice: int | tuple[int, int],
    wagers: list[dict[str, Any]],
    point: int = 0,
    standing: list[tuple[dict[str, Any], dict[str, Any]]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    table = {"point": point} if point else {}
    carried = {"table": table, "wagers": [{"wager": w, "state": s} for w, s in standing or []]}
    faces = list(THROWS[dice] if isinstance(dice, int) else dice)
    return {
        "game": "craps",
        "rulebook": "nz-1996",
        "wagers": wagers,
        "dealt": {"dice": faces},
        "carried": carried,
        **more,
    }


def bet(kind: str, stake: str = "10.00", selection: str = "", **more: Any) -> dict[str, Any]:
    return wager(kind, stake, 0, **({"selection": selection} if selection else {}), **more)


def only(settlement: Settlement) -> str:
    (text,) = lines(settlement).values()
    return text


EVEN, GONE, STAYS, BACK = "win +10.00 back 10.00", "lose", "stands stays 10.00", "void back 10.00"

# kind, its point (0: first throw), total, what becomes of 10.00, rule
LINE_CASES = [
    *[("pass", 0, total, EVEN, "3.1(a)(i)(A)") for total in (7, 11)],
    *[("pass", 0, total, GONE, "3.1(a)(ii)(A)") for total in (2, 3, 12)],
    *[("pass", 0, total, STAYS, "3.1(a)") for total in (4, 5, 6, 8, 9, 10)],
    *[("pass", point, point, EVEN, "3.1(a)(i)(B)") for point in (4, 5, 6, 8, 9, 10)],
    *[("pass", point, 7, GONE, "3.1(a)(ii)(B)") for point in (4, 5, 6, 8, 9, 10)],
    *[("pass", 6, total, STAYS, "3.1(a)") for total in (2, 3, 4, 5, 8, 9, 10, 11, 12)],
    *[("dont-pass", 0, total, EVEN, "3.1(b)(i)(A)") for total in (2, 3)],
    *[("dont-pass", 0, total, GONE, "3.1(b)(ii)(A)") for total in (7, 11)],
    ("dont-pass", 0, 12, BACK, "3.1(b)(iii)"),
    *[("dont-pass", 0, total, STAYS, "3.1(b)") for total in (4, 5, 6, 8, 9, 10)],
    *[("dont-pass", point, 7, EVEN, "3.1(b)(i)(B)") for point in (4, 5, 6, 8, 9, 10)],
    *[("dont-pass", point, point, GONE, "3.1(b)(ii)(B)") for point in (4, 5, 6, 8, 9, 10)],
    *[("dont-pass", 9, total, STAYS, "3.1(b)") for total in (2, 3, 4, 5, 6, 8, 10, 11, 12)],
]


@pytest.mark.parametrize(("kind", "point", "total", "expected", "rule"), LINE_CASES)
def test_pass_and_dont_pass(kind: str, point: int, total: int, expected: str, rule: str) -> None:
    standing = [(bet(kind), {"point": point})] if point else []
    answer = settled(a_throw(total, [] if point else [bet(kind)], point, standing))
    assert only(answer) == expected
    assert rules_of(answer)[kind] == rule
    established = total if not point and total in (4, 5, 6, 8, 9, 10) else 0
    left = point if point and total not in (point, 7) else established
    assert dict(answer.carried.table) == ({"point": left} if left else {})


@pytest.mark.parametrize(
    ("kind", "total", "expected", "rule"),
    [(k.replace("pass", "come"), t, e, r) for k, p, t, e, r in LINE_CASES if not p],
)
def test_a_come_bet_takes_the_next_throw_as_a_pass_bet_takes_the_come_out_roll(
    kind: str, total: int, expected: str, rule: str
) -> None:
    answer = settled(a_throw(total, [bet(kind)], 5))
    assert only(answer) == expected
    assert rules_of(answer)[kind] == rule.replace("(a)", "(c)", 1).replace("(b)", "(d)", 1)
    if expected == STAYS:
        assert answer.carried.wagers[0].state == {"point": total}


@pytest.mark.parametrize(
    ("kind", "point", "total", "expected", "rule"),
    [(k.replace("pass", "come"), p, t, e, r) for k, p, t, e, r in LINE_CASES if p],
)
def test_a_come_bet_lives_by_its_own_point(
    kind: str, point: int, total: int, expected: str, rule: str
) -> None:
    for table_point in (0, 4, 10):
        answer = settled(a_throw(total, [], table_point, [(bet(kind), {"point": point})]))
        assert only(answer) == expected
        assert rules_of(answer)[kind] == rule.replace("(a)", "(c)", 1).replace("(b)", "(d)", 1)


# 6.1 at a stake of 60.00: true odds, lay odds, place odds
PAID_60 = {4: ("120", "30", "108"), 5: ("90", "40", "84"), 6: ("72", "50", "70")}
PAID_60 |= {8: PAID_60[6], 9: PAID_60[5], 10: PAID_60[4]}


@pytest.mark.parametrize("number", [4, 5, 6, 8, 9, 10])
def test_6_1_odds_lays_place_buy_and_lay_bets(number: int) -> None:
    true, lay, place = PAID_60[number]
    on, other = str(number), 4 if number != 4 else 6
    behind = [
        (bet("pass", "60.00"), {"point": number}),
        (bet("pass-odds", "60.00"), {}),
        (bet("dont-pass", "60.00"), {"point": number}),
        (bet("dont-pass-lay", "60.00"), {}),
    ]
    point_made = lines(settled(a_throw(number, [], number, behind)))
    assert point_made["pass-odds"] == f"win +{true}.00 back 60.00"
    assert point_made["dont-pass-lay"] == "lose"
    seven_out = lines(settled(a_throw(7, [], number, behind)))
    assert seven_out["pass-odds"] == "lose"
    assert seven_out["dont-pass-lay"] == f"win +{lay}.00 back 60.00"
    alone = [
        (bet("come", "60.00"), {"point": number}),
        (bet("come-odds", "60.00", on), {}),
        (bet("dont-come", "60.00"), {"point": number}),
        (bet("dont-come-lay", "60.00", on), {}),
        (bet("place", "60.00", on), {}),
        (bet("buy", "60.00", on), {"fee": money("3.00")}),
        (bet("lay", "60.00", on), {"fee": money("1.50")}),
    ]
    thrown = lines(settled(a_throw(number, [], other, alone)))
    assert thrown["come-odds"] == thrown["buy"] == f"win +{true}.00 back 60.00"
    assert thrown["dont-come-lay"] == thrown["lay"] == "lose"
    assert thrown["place"] == f"win +{place}.00 back 60.00"
    seven = lines(settled(a_throw(7, [], other, alone)))
    assert seven["come-odds"] == seven["buy"] == seven["place"] == "lose"
    assert seven["dont-come-lay"] == seven["lay"] == f"win +{lay}.00 back 60.00"
    neither = lines(settled(a_throw(11, [], other, alone)))
    assert set(neither.values()) == {"stands stays 60.00"}


# 3.1(l)-(u) with 10.00 on each: kind, selection, winning throws → winnings
SIMPLE = [
    ("hardway", "4", {(2, 2): 70}, [(1, 3), (3, 4)]),
    ("hardway", "6", {(3, 3): 90}, [(2, 4), (1, 5), (1, 6)]),
    ("hardway", "8", {(4, 4): 90}, [(2, 6), (3, 5), (2, 5)]),
    ("hardway", "10", {(5, 5): 70}, [(4, 6), (3, 4)]),
    ("big-six", "", {(3, 3): 10, (1, 5): 10}, [(3, 4)]),
    ("big-eight", "", {(4, 4): 10, (2, 6): 10}, [(3, 4)]),
]


@pytest.mark.parametrize(("kind", "selection", "wins", "loses"), SIMPLE)
def test_hardways_and_big_bets(kind: str, selection: str, wins: dict[Any, int], loses: list[Any]) -> None:
    for one in range(1, 7):
        for two in range(one, 7):
            answer = only(settled(a_throw((one, two), [bet(kind, "10.00", selection)], 9)))
            if (one, two) in wins:
                assert answer == f"win +{wins[one, two]}.00 back 10.00"
            elif (one, two) in loses or one + two == 7:
                assert answer == GONE
            else:
                assert answer == STAYS or kind.startswith("big")
                number = {"big-six": 6, "big-eight": 8}.get(kind)
                assert (answer == STAYS) == (one + two != number)


ONE_THROW = [
    ("field", {2: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10, 12: 20}),
    ("any-seven", {7: 40}),
    ("any-craps", {2: 70, 3: 70, 12: 70}),
    ("craps-two", {2: 300}),
    ("craps-three", {3: 150}),
    ("craps-twelve", {12: 300}),
    ("eleven", {11: 150}),
]


@pytest.mark.parametrize(("kind", "wins"), ONE_THROW)
@pytest.mark.parametrize("point", [0, 8])
def test_one_roll_wagers(kind: str, wins: dict[int, int], point: int) -> None:
    for total in range(2, 13):
        answer = only(settled(a_throw(total, [bet(kind)], point)))
        assert answer == (f"win +{wins[total]}.00 back 10.00" if total in wins else GONE)


# kind, selection, stake, total → winnings and what comes back of the stake (the winning unit or units)
SPLITS = [
    ("horn", "", "4.00", {2: (30, 1), 3: (15, 1), 11: (15, 1), 12: (30, 1)}),
    ("horn-high", "12", "5.00", {2: (30, 1), 3: (15, 1), 11: (15, 1), 12: (60, 2)}),
    ("horn-high", "3", "10.00", {2: (60, 2), 3: (60, 4), 11: (30, 2), 12: (60, 2)}),
    ("world", "", "5.00", {2: (30, 1), 3: (15, 1), 7: (4, 1), 11: (15, 1), 12: (30, 1)}),
    ("c-and-e", "1+1", "2.00", {2: (7, 1), 3: (7, 1), 11: (15, 1), 12: (7, 1)}),
    ("c-and-e", "3+2", "5.00", {2: (21, 3), 3: (21, 3), 11: (30, 2), 12: (21, 3)}),
]


@pytest.mark.parametrize(("kind", "selection", "stake", "wins"), SPLITS)
def test_6_2_to_6_4_paid_as_separate_wagers(
    kind: str, selection: str, stake: str, wins: dict[int, tuple[int, int]]
) -> None:
    for total in range(2, 13):
        answer = settled(a_throw(total, [bet(kind, stake, selection)]))
        won, back = wins.get(total, (0, 0))
        assert only(answer) == (f"win +{won}.00 back {back}.00" if won else "lose")
        assert answer.lines[0].also[0] in ("nz-1996 X 6.2", "nz-1996 X 6.3", "nz-1996 X 6.4")


# 3.1(j): 5% of the wager; 3.1(k): 5% of what it would win
@pytest.mark.parametrize(
    ("kind", "selection", "stake", "fee"),
    [
        ("buy", "4", "20.00", "1.00"),
        ("buy", "9", "50.00", "2.50"),
        ("buy", "6", "1.10", "0.05"),  # 5.5 cents: never above 5%
        ("lay", "10", "40.00", "1.00"),
        ("lay", "5", "30.00", "1.00"),
        ("lay", "8", "24.00", "1.00"),
    ],
)
def test_commission_is_charged_at_placement_and_returned_when_the_bet_comes_down(
    kind: str, selection: str, stake: str, fee: str
) -> None:
    placed = settled(a_throw(3, [bet(kind, stake, selection)], 9 if selection != "9" else 4))
    assert only(placed) == f"stands stays {stake} fee {fee}"
    carried = carried_to_json(placed.carried)
    again = settled(a_throw(3, []) | {"carried": carried})
    assert only(again) == f"stands stays {stake}", "charged once"
    down = [{"kind": "take-down", "wager": kind}]
    off = settled(a_throw(7, [], decisions=down) | {"carried": carried})
    assert only(off) == f"void back {stake} fee -{fee}"
    assert off.lines[0].also == ("nz-1996 X 3.10",)
    gone = settled(a_throw(7, [], irregularities=[{"kind": "invalidated"}]) | {"carried": carried})
    assert only(gone) == f"void back {stake} fee -{fee}"
    assert gone.carried.table == {}, "the next throw is a come out roll"
    for total in (7, int(selection)):
        decided = settled(a_throw(total, []) | {"carried": carried})
        assert "fee" not in only(decided), "3.10: kept once the wager is decided"


def test_commission_on_a_bet_that_the_first_throw_decides() -> None:
    seven = settled(a_throw(7, [bet("buy", "20.00", "4"), bet("lay", "24.00", "6")], 9))
    assert lines(seven) == {"buy": "lose fee 1.00", "lay": "win +20.00 back 24.00 fee 1.00"}
    number = settled(a_throw(4, [bet("buy", "20.00", "4"), bet("lay", "40.00", "4")], 9))
    assert lines(number) == {"buy": "win +40.00 back 20.00 fee 1.00", "lay": "lose fee 1.00"}
    never = settled(
        a_throw(7, [bet("buy", "20.00", "4")], 9, decisions=[{"kind": "take-down", "wager": "buy"}])
    )
    assert only(never) == "void back 20.00"


def test_3_5_reducing_a_bet_gives_back_its_part_of_the_commission() -> None:
    standing = [(bet("buy", "60.00", "10"), {"fee": money("3.00")})]
    reduce = [{"kind": "reduce", "wager": "buy", "value": {"to": "20.00"}}]
    answer = settled(a_throw(3, [], 4, standing, decisions=reduce))
    assert only(answer) == "stands back 40.00 stays 20.00 fee -2.00"
    assert answer.lines[0].also == ("nz-1996 X 3.10",)
    assert answer.carried.wagers[0].state == {"fee": money("1.00")}
    assert only(settled(a_throw(10, [], 4, standing, decisions=reduce))) == "win +40.00 back 60.00 fee -2.00"
    assert only(settled(a_throw(7, [], 4, standing, decisions=reduce))) == "lose back 40.00 fee -2.00"


def test_3_5_pass_and_come_bets_with_a_point_stay_and_others_may_come_down() -> None:
    standing = [
        (bet("pass"), {"point": 6}),
        (bet("pass-odds"), {}),
        (bet("come"), {"point": 8}),
        (bet("come-odds", selection="8"), {}),
        (bet("dont-pass"), {"point": 6}),
        (bet("dont-come"), {"point": 9}),
        (bet("place", selection="4"), {}),
    ]
    for fixed in ("pass", "come"):
        for kind, value in (("take-down", {}), ("reduce", {"value": {"to": "5.00"}})):
            with pytest.raises(RuleError, match="stays as it is") as caught:
                settled(a_throw(7, [], 6, standing, decisions=[{"kind": kind, "wager": fixed, **value}]))
            assert caught.value.rule == "nz-1996 X 3.5"
    for free in ("pass-odds", "come-odds", "dont-pass", "dont-come", "place"):
        down = [{"kind": "take-down", "wager": free}]
        answer = settled(a_throw(7, [], 6, standing, decisions=down))
        assert lines(answer)[free] == BACK
        assert rules_of(answer)[free] == "3.5"
    before = settled(a_throw(7, [bet("pass")], decisions=[{"kind": "take-down", "wager": "pass"}]))
    assert only(before) == BACK, "no point yet"


def test_a_lay_goes_with_the_dont_bet_that_it_stood_behind() -> None:
    standing = [(bet("dont-pass"), {"point": 4}), (bet("dont-pass-lay", "20.00"), {})]
    down = [{"kind": "take-down", "wager": "dont-pass"}]
    answer = settled(a_throw(7, [], 4, standing, decisions=down))
    assert lines(answer) == {"dont-pass": BACK, "dont-pass-lay": "void back 20.00"}
    reduce = [{"kind": "reduce", "wager": "dont-pass", "value": {"to": "5.00"}}]
    with pytest.raises(RuleError, match="may not exceed the dont-pass bet of 5") as caught:
        settled(a_throw(7, [], 4, standing, decisions=reduce))
    assert caught.value.rule == "nz-1996 X 3.1(f)"
    two = [*standing, (bet("dont-pass", "6.00", id="second"), {"point": 4})]
    with pytest.raises(RuleError, match="may not exceed the dont-pass bet of 6"):
        settled(a_throw(7, [], 4, two, decisions=down))
    both = [*reduce, {"kind": "reduce", "wager": "dont-pass-lay", "value": {"to": "10.00"}}]
    assert lines(settled(a_throw(7, [], 4, standing, decisions=both[::-1]))) == {
        "dont-pass": "win +5.00 back 10.00",
        "dont-pass-lay": "win +5.00 back 20.00",
    }


OFF_KINDS = [("place", "6"), ("buy", "6"), ("hardway", "6")]


@pytest.mark.parametrize(("kind", "number"), OFF_KINDS)
def test_3_8_inactive_on_the_come_out_roll_unless_called_on(kind: str, number: str) -> None:
    standing = [(bet(kind, "10.00", number), {"fee": money("0.50")} if kind == "buy" else {})]
    for total in (7, 6):
        idle = settled(a_throw(total, [], 0, standing))
        assert (only(idle), rules_of(idle)[kind]) == (STAYS, "3.8(a)")
    on = [{"kind": "on", "wager": kind}]
    assert only(settled(a_throw(7, [], 0, standing, decisions=on))) == GONE
    assert only(settled(a_throw((3, 3), [], 0, standing, decisions=on))).startswith("win")
    off = settled(a_throw(7, [], 9, standing, decisions=[{"kind": "off", "wager": kind}]))
    assert (only(off), rules_of(off)[kind]) == (STAYS, "3.8(b)")
    assert off.carried.wagers[0].state["call"] == "off", "until called on"
    assert only(settled(a_throw(7, [], 9, standing))) == GONE


def test_3_8_odds_on_a_come_bet_come_back_when_it_is_decided_on_the_come_out_roll() -> None:
    standing = [(bet("come"), {"point": 4}), (bet("come-odds", selection="4"), {})]
    seven = settled(a_throw(7, [], 0, standing))
    assert lines(seven) == {"come": GONE, "come-odds": BACK}
    assert rules_of(seven)["come-odds"] == "3.8(a)"
    made = settled(a_throw(4, [], 0, standing))
    assert lines(made) == {"come": EVEN, "come-odds": BACK}
    on = [{"kind": "on", "wager": "come-odds"}]
    assert lines(settled(a_throw(4, [], 0, standing, decisions=on)))["come-odds"] == "win +20.00 back 10.00"
    assert lines(settled(a_throw(7, [], 0, standing, decisions=on)))["come-odds"] == GONE
    off = [{"kind": "off", "wager": "come-odds"}]
    assert lines(settled(a_throw(7, [], 9, standing, decisions=off)))["come-odds"] == BACK


def test_3_8_a_one_on_marker_is_for_all_similar_wagers_of_that_player() -> None:
    def places(**owners: str) -> list[dict[str, Any]]:
        return [bet("place", "10.00", n.lstrip("n"), id=n, player=who) for n, who in owners.items()]

    wagers = places(n4="anna", n5="anna", n9="ben")
    on = [{"kind": "on", "wager": "n4"}]
    answer = settled(a_throw(7, wagers, decisions=on))
    assert lines(answer) == {"n4": GONE, "n5": GONE, "n9": STAYS}
    alone = [{"kind": "on", "wager": "n4", "value": {"only": True}}]
    assert lines(settled(a_throw(7, wagers, decisions=alone))) == {"n4": GONE, "n5": STAYS, "n9": STAYS}
    except_five = [*on, {"kind": "off", "wager": "n5"}]
    assert lines(settled(a_throw(7, wagers, decisions=except_five)))["n5"] == STAYS
    marked = settled(a_throw(3, wagers, decisions=on))
    later = [bet("place", "10.00", "6", id="later", player="anna")]
    document = a_throw(7, later) | {"carried": carried_to_json(marked.carried)}
    assert lines(settled(document))["later"] == GONE, "the marker speaks for later wagers too"


def test_other_wagers_are_always_active() -> None:
    wagers = [bet("lay", "40.00", "4"), bet("big-six"), bet("field")]
    answer = settled(a_throw(7, wagers))
    assert lines(answer) == {"lay": "win +20.00 back 40.00 fee 1.00", "big-six": GONE, "field": GONE}
    with pytest.raises(RuleError, match="only come-odds, place, buy, hardway can be called"):
        settled(a_throw(7, wagers, decisions=[{"kind": "off", "wager": "big-six"}]))


@pytest.mark.parametrize(
    ("cause", "rule"), [("off-the-table", "7.1(a)"), ("improper", "7.2(c)"), (None, "7.2")]
)
def test_7_1_no_roll_decides_nothing(cause: str | None, rule: str) -> None:
    wagers = [bet("field"), bet("come"), bet("buy", "20.00", "4"), bet("horn", "4.00")]
    void = [{"kind": "no-roll", **({"value": {"cause": cause}} if cause else {})}]
    first = settled(a_throw(2, wagers, 8, [(bet("pass"), {"point": 8})], irregularities=void))
    assert lines(first) == {
        "pass": STAYS,
        "field": STAYS,
        "come": STAYS,
        "buy": "stands stays 20.00 fee 1.00",
        "horn": "stands stays 4.00",
    }
    assert set(rules_of(first).values()) == {rule}
    assert first.carried.table == {"point": 8}
    second = settled(a_throw(3, []) | {"carried": carried_to_json(first.carried)})
    assert lines(second) == {
        "pass": STAYS,
        "field": EVEN,
        "come": GONE,
        "buy": "stands stays 20.00",
        "horn": "win +15.00 back 1.00",
    }


# 3.1(e)-(h)(i): point, line bet, chip, then what may and may not stand behind it
LIMITS = [
    ("pass-odds", "pass", 4, "10.00", "1.00", ["1.00", "10.00"], ["11.00", "20.00"]),
    ("pass-odds", "pass", 6, "7.00", "1.00", ["7.00", "10.00"], ["8.00", "9.00", "15.00"]),
    ("pass-odds", "pass", 5, "7.00", "1.00", ["6.00", "7.00", "8.00"], ["9.00", "10.00"]),
    ("pass-odds", "pass", 5, "7.00", "0.50", ["7.00"], ["8.00"]),
    ("dont-pass-lay", "dont-pass", 4, "10.00", "1.00", ["20.00", "3.00"], ["21.00", "22.00"]),
    ("dont-pass-lay", "dont-pass", 6, "7.00", "1.00", ["8.00", "12.00"], ["9.00", "10.00", "13.00"]),
    ("dont-pass-lay", "dont-pass", 9, "7.00", "1.00", ["10.00", "12.00"], ["11.00", "15.00"]),
]


@pytest.mark.parametrize(("kind", "base", "point", "line", "chip", "good", "bad"), LIMITS)
def test_3_1_e_to_h_odds_up_to_the_line_or_to_a_payable_unit(
    kind: str, base: str, point: int, line: str, chip: str, good: list[str], bad: list[str]
) -> None:
    for come in (False, True):
        names = [name.replace("pass", "come") if come else name for name in (kind, base)]
        standing = [(bet(names[1], line), {"point": point})]

        def faults(
            stake: str, standing: Any = standing, name: str = names[0], come: bool = come
        ) -> list[Any]:
            odds = bet(name, stake, str(point) if come else "")
            document = a_throw(7, [odds], 8 if come else point, standing, limits={"chip": chip})
            return [(f.field, f.rule) for f in check_wagers(round_from_json(document))]

        for stake in good:
            assert faults(stake) == []
        letter = {"pass-odds": "e", "dont-pass-lay": "f", "come-odds": "g", "dont-come-lay": "h"}[names[0]]
        for stake in bad:
            assert faults(stake) == [("wagers[0].stake", f"nz-1996 X 3.1({letter})")]


def test_the_operator_may_double_the_limit_and_odds_add_up() -> None:
    standing = [(bet("pass"), {"point": 6}), (bet("pass-odds", "8.00"), {})]
    more = [bet("pass-odds", "12.00", id="more")]
    document = a_throw(6, more, 6, standing)
    with pytest.raises(RuleError, match="may not exceed the pass bet of 10"):
        settled(document)
    answer = settled(document | {"options": {"odds-limit": "double"}})
    assert lines(answer) == {
        "pass": EVEN,
        "pass-odds": "win +9.60 back 8.00",
        "more": "win +14.40 back 12.00",
    }
    with pytest.raises(RuleError, match="may not exceed double the pass bet"):
        settled(
            a_throw(6, [bet("pass-odds", "12.01", id="m")], 6, standing, options={"odds-limit": "double"})
        )


def test_i_15_3_paid_up_to_the_next_chip() -> None:
    answer = settled(a_throw(6, [bet("place", "10.00", "6")], 9, limits={"chip": "1.00"}))
    assert only(answer) == "win +12.00 back 10.00", "7 to 6 of 10.00 is 11.67"
    assert answer.lines[0].also == ("nz-1996 I 15.3",)


def test_i_14_2_over_the_maximum_only_the_maximum_plays() -> None:
    limits = {"kinds": {"*": {"maximum": "10.00"}}}
    thrown = settled(a_throw(8, [bet("pass", "25.00"), bet("horn", "25.00")], limits=limits))
    assert lines(thrown) == {"pass": "stands back 15.00 stays 10.00", "horn": "lose back 15.00"}
    won = settled(a_throw(2, [bet("horn", "24.00")], limits=limits))
    assert only(won) == "win +75.00 back 16.50", "2.50 of the 10.00 win at 30 to 1, 7.50 are lost"


@pytest.mark.parametrize(
    ("kind", "selection", "right", "wrong"),
    [
        ("horn", "", "20.00", "10.00"),  # four parts of 5.00
        ("horn-high", "12", "25.00", "20.00"),  # 3.1(w)(i): units of five
        ("world", "", "25.00", "5.00"),  # 3.1(x)(i)
        ("c-and-e", "1+1", "10.00", "5.00"),  # 3.1(y)(i): units of at least two
        ("c-and-e", "2+1", "15.00", "10.00"),
    ],
)
def test_3_1_a_bet_of_several_parts_is_laid_in_units_of_the_chip(
    kind: str, selection: str, right: str, wrong: str
) -> None:
    limits = {"chip": "5.00"}
    settled(a_throw(8, [bet(kind, right, selection)], limits=limits))
    with pytest.raises(RuleError, match=r"units of chips of 5\.00") as refused:
        settled(a_throw(8, [bet(kind, wrong, selection)], limits=limits))
    assert refused.value.field == "wagers[0].stake"


def test_i_14_2_of_a_bet_of_several_parts_whole_units_play() -> None:
    # a horn of 40.00 where 30.00 is the most: four chips of 5.00 can be laid of it, 20.00 are no part of the bet
    limits = {"chip": "5.00", "kinds": {"horn": {"maximum": "30.00"}}}
    won = settled(a_throw(12, [bet("horn", "40.00")], limits=limits))
    assert only(won) == "win +150.00 back 25.00", "5.00 of the 20.00 win at 30 to 1, 15.00 are lost"
