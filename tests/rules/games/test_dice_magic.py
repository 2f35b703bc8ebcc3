"""Dice Magic (gb-2011 8.49-8.65): all 36 throws for every bet, and the shooter's spot over whole streams."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from rules import RuleError, check_wagers, round_from_json, settle
from rules.codec import carried_to_json
from tests.rules.laws import lines, rules_of, settled, wager


def a_throw(dice: list[int], wagers: list[dict[str, Any]], point: int = 0, **more: Any) -> dict[str, Any]:
    document = {"game": "dice-magic", "rulebook": "gb-2011", "wagers": wagers, "dealt": {"dice": dice}}
    if point:
        document["carried"] = {"table": {"point": point}}
    return document | more


def bet(kind: str, stake: str = "10.00", selection: str = "", **more: Any) -> dict[str, Any]:
    return wager(kind, stake, 0, **({"selection": selection} if selection else {}), **more)


PLACE = {2: 330, 3: 160, 4: 100, 5: 70, 6: 50, 8: 50, 9: 70, 10: 100, 11: 160, 12: 330}
BETS = [
    *[("place", str(n), lambda a, b, n=n: PLACE[n] if a + b == n else 0) for n in PLACE],
    ("any-seven", "", lambda a, b: 40 if a + b == 7 else 0),
    ("under-7", "", lambda a, b: 10 if a + b in (2, 3, 4, 5, 6) else 0),
    ("over-7", "", lambda a, b: 10 if a + b in (8, 9, 10, 11, 12) else 0),
    ("double", "", lambda a, b: 70 if (a, b) in ((2, 2), (3, 3), (4, 4), (5, 5)) else 0),
]


@pytest.mark.parametrize(("kind", "selection", "wins"), BETS)
@pytest.mark.parametrize("point", [0, 5])
def test_8_64_every_throw(kind: str, selection: str, wins: Any, point: int) -> None:
    for a, b in product(range(1, 7), repeat=2):
        (got,) = lines(settled(a_throw([a, b], [bet(kind, "10.00", selection)], point))).values()
        assert got == (f"win +{wins(a, b)}.00 back 10.00" if wins(a, b) else "lose"), (a, b)


@pytest.mark.parametrize("total", range(2, 13))
def test_8_64_a_shooters_spot(total: int) -> None:
    dice = [max(1, total - 6), total - max(1, total - 6)]
    first = settled(a_throw(dice, [bet("shooters-spot")]))
    if total == 7:
        assert (lines(first), first.carried.table) == ({"shooters-spot": "lose"}, {})
        return
    assert (lines(first), first.carried.table) == (
        {"shooters-spot": "stands stays 10.00"},
        {"point": total},
    )
    carried = carried_to_json(first.carried)
    made = settled(a_throw(dice, [], carried=carried))
    assert (lines(made), made.carried.table) == ({"shooters-spot": "win +10.00 back 10.00"}, {})
    assert rules_of(made)["shooters-spot"] == "8.64(a)"
    seven = settled(a_throw([3, 4], [], carried=carried))
    assert (lines(seven), seven.carried.table) == ({"shooters-spot": "lose"}, {})
    other = settled(a_throw([1, 2] if total != 3 else [1, 1], [], carried=carried))
    assert (lines(other), other.carried.table) == (
        {"shooters-spot": "stands stays 10.00"},
        {"point": total},
    )


def test_a_void_throw_decides_nothing_and_lets_wagers_come_down() -> None:
    void = [{"kind": "no-roll"}]
    first = settled(a_throw([3, 4], [bet("under-7"), bet("shooters-spot")], irregularities=void))
    assert lines(first) == {"under-7": "stands stays 10.00", "shooters-spot": "stands stays 10.00"}
    carried = carried_to_json(first.carried)
    down = [{"kind": "take-down", "wager": "under-7"}, {"kind": "take-down", "wager": "shooters-spot"}]
    gone = settled(a_throw([3, 4], [], carried=carried, decisions=down))
    assert set(lines(gone).values()) == {"void back 10.00"}
    stays = settled(a_throw([3, 4], [], carried=carried))
    assert set(lines(stays).values()) == {"lose"}
    with pytest.raises(RuleError, match="stays until") as caught:
        settled(a_throw([3, 4], [], carried=carried | {"table": {"point": 4}}, decisions=down[1:]))
    assert caught.value.rule == "gb-2011 8.57"


def test_an_invalidated_game_begins_with_a_come_out_roll() -> None:
    carried = {"table": {"point": 4}, "wagers": [{"wager": bet("shooters-spot")}]}
    answer = settled(a_throw([3, 4], [], carried=carried, irregularities=[{"kind": "invalidated"}]))
    assert (lines(answer), answer.carried.table) == ({"shooters-spot": "void back 10.00"}, {})


@pytest.mark.parametrize(
    ("point", "wagers", "field", "rule"),
    [
        (4, [bet("shooters-spot")], "wagers[0]", "8.64(a)"),
        (0, [bet("place", selection="7")], "wagers[0].selection", "8.64"),
        (0, [bet("place")], "wagers[0].selection", "8.64"),
        (0, [bet("double", selection="2")], "wagers[0].selection", "8.64"),
        (0, [bet("horn")], "wagers[0].kind", None),
    ],
)
def test_wrong_wagers(point: int, wagers: list[dict[str, Any]], field: str, rule: str | None) -> None:
    faults = check_wagers(round_from_json(a_throw([3, 4], wagers, point)))
    assert [(f.field, f.rule) for f in faults] == [(field, rule and f"gb-2011 {rule}")]


@pytest.mark.parametrize("table", [{"point": 7}, {"point": 1}, {"point": "4"}, {"point": None}])
def test_wrong_state(table: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="a point is"):
        settled(a_throw([3, 4], [bet("any-seven")], carried={"table": table}))


def test_8_65_better_odds() -> None:
    own = {"under-7": {"win": "6 to 5"}}
    assert lines(settled(a_throw([1, 2], [bet("under-7")], paytables=own))) == {
        "under-7": "win +12.00 back 10.00"
    }


def test_streams_of_spots_end_as_the_list_of_totals_says() -> None:
    for seed in range(60):
        random = Random(seed)
        throws = [[random.randint(1, 6), random.randint(1, 6)] for _ in range(20)]
        totals = [sum(throw) for throw in throws]
        carried: dict[str, Any] = {}
        got: dict[str, str] = {}
        starts: dict[str, int] = {}
        for at, throw in enumerate(throws):
            wagers = []
            if not carried.get("table"):
                wagers = [bet("shooters-spot", id=str(at))]
                starts[str(at)] = at
            answer = settle(round_from_json(json.loads(json.dumps(a_throw(throw, wagers, carried=carried)))))
            carried = carried_to_json(answer.carried)
            got |= {line.wager.id: line.outcome.value for line in answer.lines}
        for id, at in starts.items():
            point = totals[at]
            rest = [t for t in totals[at + 1 :] if t in (7, point)]
            expected = (
                "lose" if point == 7 else "stands" if not rest else "win" if rest[0] == point else "lose"
            )
            assert got[id] == expected, (seed, at)
