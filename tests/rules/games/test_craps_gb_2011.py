"""Dice/Craps (gb-2011 8.1-8.19): where it differs from nz-1996 X, and every odds line of rule 8.17."""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, check_wagers, round_from_json
from tests.rules.laws import lines, rules_of, settled, wager

THROWS = {total: (max(1, total - 6), total - max(1, total - 6)) for total in range(2, 13)}
THROWS |= {4: (1, 3), 6: (2, 4), 8: (2, 6), 10: (4, 6)}


def a_throw(
    dice: int | tuple[int, int], wagers: list[dict[str, Any]], point: int = 0, standing: Any = (), **more: Any
) -> dict[str, Any]:
    carried = {
        "table": {"point": point} if point else {},
        "wagers": [{"wager": w, "state": s} for w, s in standing],
    }
    faces = list(THROWS[dice] if isinstance(dice, int) else dice)
    document = {"game": "craps", "rulebook": "gb-2011", "wagers": wagers, "dealt": {"dice": faces}}
    return document | {"carried": carried} | more


def bet(kind: str, stake: str = "10.00", selection: str = "", **more: Any) -> dict[str, Any]:
    return wager(kind, stake, 0, **({"selection": selection} if selection else {}), **more)


def only(document: dict[str, Any]) -> str:
    (text,) = lines(settled(document)).values()
    return text


EVEN, GONE, STAYS, BACK = "win +10.00 back 10.00", "lose", "stands stays 10.00", "void back 10.00"


@pytest.mark.parametrize("kind", ["dont-pass", "dont-come"])
def test_8_17_b_and_d_two_is_barred_and_twelve_wins(kind: str) -> None:
    point = 0 if kind == "dont-pass" else 9
    first = {2: BACK, 3: EVEN, 12: EVEN, 7: GONE, 11: GONE}
    for total in range(2, 13):
        assert only(a_throw(total, [bet(kind)], point)) == first.get(total, STAYS)


@pytest.mark.parametrize("kind", ["pass", "come"])
def test_8_17_a_and_c(kind: str) -> None:
    point = 0 if kind == "pass" else 9
    first = {7: EVEN, 11: EVEN, 2: GONE, 3: GONE, 12: GONE}
    for total in range(2, 13):
        assert only(a_throw(total, [bet(kind)], point)) == first.get(total, STAYS)


# what 110.00 wins: behind the win line, behind the don't win line, place to win, place to lose, hard
ODDS_OF_110 = {
    4: ("220.00", "55.00", "209.00", "50.00", "825.00"),
    5: ("165.00", "73.34", "154.00", "68.75", ""),
    6: ("132.00", "91.67", "128.34", "88.00", "1045.00"),
}
ODDS_OF_110 |= {8: ODDS_OF_110[6], 9: ODDS_OF_110[5], 10: ODDS_OF_110[4]}


@pytest.mark.parametrize("number", [4, 5, 6, 8, 9, 10])
def test_8_17_odds(number: int) -> None:
    behind, lay, to_win, to_lose, hard = ODDS_OF_110[number]
    on, faces = str(number), (number // 2, number - number // 2)
    standing = [
        (bet("come", "110.00"), {"point": number}),
        (bet("come-odds", "110.00", on), {}),
        (bet("dont-come", "110.00"), {"point": number}),
        (bet("dont-come-lay", "110.00", on), {}),
        (bet("place", "110.00", on), {}),
        (bet("place-lose", "110.00", on), {}),
    ]
    if hard:
        standing.append((bet("hardway", "110.00", on), {}))
    other = 5 if number != 5 else 9
    made = lines(settled(a_throw(faces, [], other, standing)))
    assert made["come-odds"] == f"win +{behind} back 110.00"
    assert made["place"] == f"win +{to_win} back 110.00"
    assert made["dont-come-lay"] == made["place-lose"] == "lose"
    assert made.get("hardway", "") == (f"win +{hard} back 110.00" if hard else "")
    seven = lines(settled(a_throw(7, [], other, standing)))
    assert seven["dont-come-lay"] == f"win +{lay} back 110.00"
    assert seven["place-lose"] == f"win +{to_lose} back 110.00"
    assert {seven[k] for k in ("come-odds", "place")} == {"lose"}
    lines_on_point = [
        (bet("pass", "110.00"), {"point": number}),
        (bet("pass-odds", "110.00"), {}),
        (bet("dont-pass", "110.00"), {"point": number}),
        (bet("dont-pass-lay", "110.00"), {}),
    ]
    assert lines(settled(a_throw(number, [], number, lines_on_point)))["pass-odds"] == made["come-odds"]
    assert lines(settled(a_throw(7, [], number, lines_on_point)))["dont-pass-lay"] == seven["dont-come-lay"]


ONE_THROW = [
    ("any-craps", "8.17(l)", {2: "75.00", 3: "75.00", 12: "75.00"}),
    ("craps-two", "8.17(m)", {2: "330.00"}),
    ("craps-three", "8.17(n)", {3: "160.00"}),
    ("craps-twelve", "8.17(o)", {12: "330.00"}),
    ("eleven", "8.17(p)", {11: "160.00"}),
    ("any-seven", "8.17(q)", {7: "40.00"}),
    (
        "field",
        "8.17(t)",
        {2: "20.00", 3: "10.00", 4: "10.00", 9: "10.00", 10: "10.00", 11: "10.00", 12: "30.00"},
    ),
]


@pytest.mark.parametrize(("kind", "rule", "wins"), ONE_THROW)
def test_8_17_one_throw(kind: str, rule: str, wins: dict[int, str]) -> None:
    for total in range(2, 13):
        answer = settled(a_throw(total, [bet(kind)]))
        assert lines(answer)[kind] == (f"win +{wins[total]} back 10.00" if total in wins else GONE)
        assert rules_of(answer)[kind] == rule


def test_8_17_r_and_s_specific_faces() -> None:
    for one in range(1, 7):
        for two in range(1, 7):
            pair = only(a_throw((one, two), [bet("pair", selection="3-3")]))
            assert pair == ("win +330.00 back 10.00" if one == two == 3 else GONE)
            mixed = only(a_throw((one, two), [bet("non-pair", selection="2-5")]))
            assert mixed == ("win +160.00 back 10.00" if {one, two} == {2, 5} else GONE)
    for kind, selection in (("pair", "1-2"), ("non-pair", "3-3"), ("non-pair", "5-2")):
        faults = check_wagers(round_from_json(a_throw(7, [bet(kind, selection=selection)])))
        assert [fault.field for fault in faults] == ["wagers[0].selection"]


# kind, on a come out seven: without a call, called on, called off; and on a seven with a point, called off
CALLS = [
    ("place", "stands stays 10.00", "lose", "stands stays 10.00", "lose"),
    ("come-odds", "void back 10.00", "lose", "void back 10.00", "lose"),
    (
        "place-lose",
        "win +8.00 back 10.00",
        "win +8.00 back 10.00",
        "stands stays 10.00",
        "win +8.00 back 10.00",
    ),
    (
        "dont-come-lay",
        "win +8.34 back 10.00",
        "win +8.34 back 10.00",
        "void back 10.00",
        "win +8.34 back 10.00",
    ),
]


@pytest.mark.parametrize(("kind", "silent", "on", "off", "off_later"), CALLS)
def test_8_17_g_h_j_k_calls_count_on_the_come_out_roll_only(
    kind: str, silent: str, on: str, off: str, off_later: str
) -> None:
    standing: list[Any] = [(bet(kind, selection="6"), {})]
    if "come" in kind:
        standing.insert(0, (bet("come" if kind == "come-odds" else "dont-come"), {"point": 6}))

    def thrown(point: int, call: str = "") -> str:
        decisions = [{"kind": call, "wager": kind}] if call else []
        return lines(settled(a_throw(7, [], point, standing, decisions=decisions)))[kind]

    assert (thrown(0), thrown(0, "on"), thrown(0, "off"), thrown(9, "off")) == (silent, on, off, off_later)


def test_8_17_i_hardways_are_always_in_play_and_one_on_is_for_one_wager() -> None:
    assert only(a_throw(7, [bet("hardway", selection="8")])) == GONE
    two = [bet("place", selection="6", id="six"), bet("place", selection="8", id="eight")]
    answer = settled(a_throw(7, two, decisions=[{"kind": "on", "wager": "six"}]))
    assert lines(answer) == {"six": GONE, "eight": STAYS}


# 8.17 e-h: what stands behind a line of 10.00 on 6
@pytest.mark.parametrize(
    ("kind", "stake", "allowed"),
    [
        ("pass-odds", "500.00", True),  # the rulebook sets no limit
        ("come-odds", "10.00", True),
        ("come-odds", "10.01", False),
        ("dont-pass-lay", "12.00", True),
        ("dont-pass-lay", "12.01", False),
        ("dont-come-lay", "12.00", True),
        ("dont-come-lay", "13.00", False),
    ],
)
def test_8_17_e_to_h_limits(kind: str, stake: str, allowed: bool) -> None:
    base = {"pass-odds": "pass", "come-odds": "come", "dont-pass-lay": "dont-pass"}.get(kind, "dont-come")
    selection = "6" if "come" in kind else ""
    document = a_throw(7, [bet(kind, stake, selection)], 6, [(bet(base), {"point": 6})])
    faults = check_wagers(round_from_json(document | {"limits": {"chip": "5.00"}}))
    assert [fault.field for fault in faults] == ([] if allowed else ["wagers[0].stake"])


def test_the_note_to_8_17_win_line_and_come_stay_once_they_have_a_point() -> None:
    standing = [(bet("pass"), {"point": 6}), (bet("dont-pass"), {"point": 6})]
    down = [{"kind": "take-down", "wager": "dont-pass"}]
    assert lines(settled(a_throw(7, [], 6, standing, decisions=down))) == {"pass": GONE, "dont-pass": BACK}
    with pytest.raises(RuleError, match="stays as it is"):
        settled(a_throw(7, [], 6, standing, decisions=[{"kind": "take-down", "wager": "pass"}]))


def test_8_19_better_odds_are_taken_and_worse_refused() -> None:
    better = {"any-seven": {"win": "5 to 1"}}
    assert only(a_throw(7, [bet("any-seven")], paytables=better)) == "win +50.00 back 10.00"
    with pytest.raises(RuleError, match="below the minimum of 4 to 1"):
        settled(a_throw(7, [bet("any-seven")], paytables={"any-seven": {"win": "39 to 10"}}))


def test_a_void_throw_is_the_operators_matter() -> None:
    answer = settled(a_throw(7, [bet("pass")], irregularities=[{"kind": "no-roll"}]))
    assert (lines(answer), rules_of(answer)) == ({"pass": STAYS}, {"pass": "1.5"})


def test_gb_has_no_buy_lay_horn_or_big_bets() -> None:
    for kind in ("buy", "lay", "horn", "big-six", "world", "c-and-e"):
        faults = check_wagers(round_from_json(a_throw(7, [bet(kind)])))
        assert [fault.field for fault in faults] == ["wagers[0].kind"]
