"""Rocket 7 (gb-2011 8.20-8.48): all 36 throws for every bet, runs of sevens, the Free Roll."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from rules import RuleError, check_decision, check_wagers, round_from_json, settle
from rules.codec import carried_to_json, decision_from_json, settlement_to_json
from tests.rules.laws import hold_laws, lines, rules_of, settled, wager

SEVEN, OTHER = [3, 4], [2, 3]


def a_throw(dice: list[int], wagers: list[dict[str, Any]], run: int = 0, **more: Any) -> dict[str, Any]:
    document = {"game": "rocket-7", "rulebook": "gb-2011", "wagers": wagers, "dealt": {"dice": dice}}
    if run:
        document["carried"] = {"table": {"run": run}}
    return document | more


def bet(kind: str, stake: str = "10.00", selection: str = "", seat: int = 1, **more: Any) -> dict[str, Any]:
    return wager(kind, stake, seat, **({"selection": selection} if selection else {}), **more)


# 8.25 for a bet of 10.00: what the two dice must show → winnings ('push' is the stand off)
BETS = [
    ("low", "", lambda a, b: "push" if a + b == 7 else {2: "5.00"}.get(a + b, "10.00" if a + b < 7 else "")),
    (
        "high",
        "",
        lambda a, b: "push" if a + b == 7 else {12: "5.00"}.get(a + b, "10.00" if a + b > 7 else ""),
    ),
    ("single-die", "4", lambda a, b: "40.00" if a == b == 4 else "20.00" if 4 in (a, b) else ""),
    ("double", "1", lambda a, b: "340.00" if a == b == 1 else ""),
    ("double", "5", lambda a, b: "340.00" if a == b == 5 else ""),
    ("any-double", "", lambda a, b: "40.00" if a == b else ""),
    ("seven", "", lambda a, b: "40.00" if a + b == 7 else ""),
    ("seven-or-eleven", "", lambda a, b: "30.00" if a + b in (7, 11) else ""),
    ("craps", "", lambda a, b: "70.00" if a + b in (2, 3, 12) else ""),
    ("score", "3", lambda a, b: "160.00" if a + b == 3 else ""),
    ("score", "4", lambda a, b: "100.00" if a + b == 4 else ""),
    ("score", "5", lambda a, b: "70.00" if a + b == 5 else ""),
    ("score", "6", lambda a, b: "60.00" if a + b == 6 else ""),
    ("score", "8", lambda a, b: "60.00" if a + b == 8 else ""),
    ("score", "9", lambda a, b: "70.00" if a + b == 9 else ""),
    ("score", "10", lambda a, b: "100.00" if a + b == 10 else ""),
    ("score", "11", lambda a, b: "160.00" if a + b == 11 else ""),
]


@pytest.mark.parametrize(("kind", "selection", "wins"), BETS)
def test_8_25_every_throw(kind: str, selection: str, wins: Any) -> None:
    for a, b in product(range(1, 7), repeat=2):
        (got,) = lines(settled(a_throw([a, b], [bet(kind, "10.00", selection)]))).values()
        won = wins(a, b)
        expected = "lose" if not won else "push back 10.00" if won == "push" else f"win +{won} back 10.00"
        assert got == expected, (a, b)


def test_8_40_to_8_42_each_further_seven_pays_and_the_sixth_takes_the_jackpot() -> None:
    carried: dict[str, Any] = {}
    triggers = []
    for throw in range(1, 7):
        wagers = [bet("seven", id=f"s{throw}")] + ([bet("side", "2.00")] if throw == 1 else [])
        answer = settled(a_throw(SEVEN, wagers, carried=carried))
        carried = carried_to_json(answer.carried)
        triggers.append([hit.trigger for hit in answer.hits])
        stays = "" if throw == 6 else " stays 2.00"
        assert lines(answer)["side@1"] == ("stands" if throw == 1 else "win") + stays
    assert triggers == [
        [],
        ["two-sevens"],
        ["three-sevens"],
        ["four-sevens"],
        ["five-sevens"],
        ["six-sevens"],
    ]
    assert carried == {"table": {}, "wagers": []}


@pytest.mark.parametrize("run", [0, 1, 4])
def test_8_48_another_total_ends_the_run_and_the_side_bet(run: int) -> None:
    standing = [{"wager": bet("side", "2.00")}] if run else []
    wagers = [bet("low")] + ([] if run else [bet("side", "2.00")])
    answer = settled(a_throw(OTHER, wagers, carried={"table": {"run": run}, "wagers": standing}))
    assert lines(answer)["side@1"] == "lose"
    assert rules_of(answer)["side@1"] == ("8.41" if run else "8.48")
    assert answer.carried.table == {}


def test_8_41_all_side_bets_are_paid() -> None:
    sides = [{"wager": bet("side", "2.00", seat=seat)} for seat in (1, 3, 7)]
    answer = settled(a_throw(SEVEN, [], carried={"table": {"run": 2}, "wagers": sides}))
    assert [(hit.wager.seat, hit.trigger) for hit in answer.hits] == [
        (1, "three-sevens"),
        (3, "three-sevens"),
        (7, "three-sevens"),
    ]


FREE_ROLL = {
    **dict.fromkeys([6, 7, 8, 9, 33, 34, 35, 36], "free-roll-jackpot"),
    **dict.fromkeys([10, 11, 12, 13, 29, 30, 31, 32], "free-roll-bonus-1"),
    **dict.fromkeys([14, 15, 16, 17, 18, 24, 25, 26, 27, 28], "free-roll-bonus-2"),
    **dict.fromkeys([19, 20, 21, 22, 23], "free-roll-bonus-3"),
}


def three_throws(total: int) -> list[list[int]]:
    faces = [1] * 6
    for place in range(6):
        faces[place] += min(5, total - sum(faces))
    return [faces[0:2], faces[2:4], faces[4:6]]


@pytest.mark.parametrize("total", range(6, 37))
@pytest.mark.parametrize("double", [1, 6])
def test_8_46_free_roll(total: int, double: int) -> None:
    dealt: dict[str, Any] = {"dice": [double, double], "free_roll": three_throws(total)}
    assert sum(map(sum, dealt["free_roll"])) == total
    answer = settled(a_throw([], [bet("low"), bet("side", "2.00")]) | {"dealt": dealt})
    assert [hit.trigger for hit in answer.hits] == [FREE_ROLL[total]]
    assert lines(answer)["low@1"] == ("win +5.00 back 10.00" if double == 1 else "lose")
    assert answer.carried.wagers == ()


def test_8_43_a_double_that_ends_a_run_of_sevens_gives_the_free_roll_too() -> None:
    carried = {"table": {"run": 3}, "wagers": [{"wager": bet("side", "2.00")}]}
    dealt = {"dice": [6, 6], "free_roll": three_throws(36)}
    answer = settled(a_throw([], [], carried=carried) | {"dealt": dealt})
    assert [hit.trigger for hit in answer.hits] == ["free-roll-jackpot"]
    assert answer.carried.table == {}


def test_8_34_one_or_both_features() -> None:
    both = [bet("low"), bet("side", "2.00")]
    no_free_roll = settled(a_throw([1, 1], both, options={"free_roll": False}))
    assert lines(no_free_roll)["side@1"] == "lose"
    carried = {"table": {"run": 2}, "wagers": [{"wager": bet("side", "2.00")}]}
    no_run = settled(a_throw(SEVEN, [], carried=carried, options={"rocket_jackpot": False}))
    assert (lines(no_run)["side@1"], no_run.hits) == ("stands stays 2.00", ())
    none = {"rocket_jackpot": False, "free_roll": False}
    with pytest.raises(RuleError, match="offers no side bet"):
        settled(a_throw(SEVEN, both, options=none))


def test_8_32_an_invalid_throw_decides_nothing() -> None:
    invalid = [{"kind": "no-roll", "value": {"cause": "one-on-the-other"}}]
    wagers = [bet("low"), bet("side", "2.00")]
    first = settled(a_throw([1, 2], wagers, irregularities=invalid))
    assert lines(first) == {"low@1": "stands stays 10.00", "side@1": "stands stays 2.00"}
    carried = carried_to_json(first.carried)
    again = settled(a_throw([1, 2], [], carried=carried))
    assert lines(again) == {"low@1": "win +10.00 back 10.00", "side@1": "lose"}
    down = [{"kind": "take-down", "wager": "low@1"}, {"kind": "take-down", "wager": "side@1"}]
    gone = settled(a_throw([1, 2], [], carried=carried, decisions=down))
    assert lines(gone) == {"low@1": "void back 10.00", "side@1": "void back 2.00"}
    with pytest.raises(RuleError, match="under way"):
        settled(a_throw([1, 2], [], carried=carried | {"table": {"run": 1}}, decisions=down[1:]))
    round = round_from_json(a_throw([1, 2], [bet("low")]))
    assert check_decision(round, decision_from_json(round.game, down[0])) is not None


def test_an_invalidated_game_ends_the_run() -> None:
    carried = {"table": {"run": 3}, "wagers": [{"wager": bet("side", "2.00")}]}
    answer = settled(a_throw(SEVEN, [], carried=carried, irregularities=[{"kind": "invalidated"}]))
    assert (lines(answer), answer.carried.table) == ({"side@1": "void back 2.00"}, {})


WRONG = [
    ("8.35 side bet alone", 0, [bet("side", "2.00")], "wagers[0]", "8.35"),
    (
        "8.36 two in one circle",
        0,
        [bet("low"), bet("side", "2.00"), bet("low", player="b", id="l"), bet("side", player="b", id="s")],
        "wagers[3]",
        "8.36",
    ),
    ("8.48 side bet after the first throw", 1, [bet("low"), bet("side", "2.00")], "wagers[1]", "8.48"),
    ("8.25 no such score", 0, [bet("score", selection="7")], "wagers[0].selection", "8.25(i)"),
    ("8.25 no such face", 0, [bet("double", selection="7")], "wagers[0].selection", "8.25(d)"),
    ("no seat", 0, [wager("low", "5.00")], "wagers[0].seat", "8.25(a)"),
]


@pytest.mark.parametrize(
    ("run", "wagers", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers(run: int, wagers: list[dict[str, Any]], field: str, rule: str) -> None:
    faults = check_wagers(round_from_json(a_throw(SEVEN, wagers, run)))
    assert [(f.field, f.rule) for f in faults] == [(field, f"gb-2011 {rule}")]


@pytest.mark.parametrize(
    ("dealt", "message"),
    [
        ({"dice": [1, 1]}, "three more throws"),
        ({"dice": [3, 3], "free_roll": three_throws(20)}, "only a double one or a double six"),
        ({"dice": [1, 1], "free_roll": [[1, 2], [3, 4]]}, "expected 3 items"),
        ({"dice": [1, 7]}, "from 1 to 6"),
    ],
)
def test_wrong_dice(dealt: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_throw([], [bet("low"), bet("side", "2.00")]) | {"dealt": dealt})


@pytest.mark.parametrize("table", [{"run": 6}, {"run": -1}, {"run": "2"}, {"run": True}, {"run": None}])
def test_wrong_state(table: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="a run is"):
        settled(a_throw(SEVEN, [bet("low")], carried={"table": table}))


def test_a_stream_one_by_one_through_json_gives_the_same() -> None:
    for seed in range(15):
        random = Random(seed)
        in_memory: Any = None
        written: dict[str, Any] = {}
        owed: list[str] = []
        sevens = 0
        for at in range(25):
            dice = SEVEN if random.random() < 0.6 else [random.randint(1, 6), random.randint(1, 6)]
            wagers = [bet("low", id=f"l{at}"), bet("seven", id=f"v{at}")]
            if sevens == 0 and random.random() < 0.7:
                wagers.append(bet("side", "2.00", id=f"d{at}"))
            document = a_throw(dice, wagers)
            if dice in ([1, 1], [6, 6]):
                document["dealt"]["free_roll"] = three_throws(random.randint(6, 36))
            side_alive = any(w["kind"] == "side" for w in wagers) or bool(written.get("wagers"))
            by_json = settle(round_from_json(json.loads(json.dumps(document | {"carried": written}))))
            round = round_from_json(document)
            if in_memory is not None:
                round = replace(round, carried=in_memory)
            answer = settle(round)
            hold_laws(round, answer)
            assert settlement_to_json(answer) == settlement_to_json(by_json)
            in_memory, written = answer.carried, json.loads(json.dumps(carried_to_json(by_json.carried)))
            # by the rulebook: the n-th seven in a row pays from the second on, and after six all begins anew
            sevens = (sevens + 1) % 6 if sum(dice) == 7 else 0
            names = {2: "two", 3: "three", 4: "four", 5: "five", 0: "six"}
            if side_alive and sum(dice) == 7 and sevens in names:
                owed.append(f"{names[sevens]}-sevens")
            elif side_alive and dice in ([1, 1], [6, 6]):
                owed.append(FREE_ROLL[sum(map(sum, document["dealt"]["free_roll"]))])
            assert [hit.trigger for hit in answer.hits] == owed[-1:] * len(answer.hits)
            assert len(answer.hits) == len(owed)
            owed.clear()
