"""Craps: wagers, decisions, carried state and dice that are refused, with the field and the rule."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json, settle
from rules.codec import decision_from_json
from rules.contract import Decision
from tests.rules.games.test_craps_nz_1996 import a_throw, bet
from tests.rules.laws import hold_laws, lines, settled

GONE, BACK = "lose", "void back 10.00"

WRONG = [
    ("3.1(a) pass while a point stands", 6, [], [bet("pass")], "wagers[0]", "3.1(a)"),
    ("3.1(b) don't pass while a point stands", 6, [], [bet("dont-pass")], "wagers[0]", "3.1(b)"),
    ("3.1(c) come on the come out roll", 0, [], [bet("come")], "wagers[0]", "3.1(c)"),
    ("3.1(d) don't come on the come out roll", 0, [], [bet("dont-come")], "wagers[0]", "3.1(d)"),
    ("3.1(e) odds without a pass bet", 6, [], [bet("pass-odds")], "wagers[0]", "3.1(e)"),
    (
        "3.1(g) odds on another point",
        6,
        [(bet("come"), {"point": 8})],
        [bet("come-odds", selection="9")],
        "wagers[0]",
        "3.1(g)",
    ),
    (
        "3.1(e) odds on another's pass bet",
        6,
        [(bet("pass", player="anna"), {"point": 6})],
        [bet("pass-odds", player="ben")],
        "wagers[0]",
        "3.1(e)",
    ),
    ("3.1(i) no such number", 6, [], [bet("place", selection="7")], "wagers[0].selection", "3.1(i)"),
    ("3.1(i) no number", 6, [], [bet("place")], "wagers[0].selection", "3.1(i)"),
    ("3.1(l) no hard five", 6, [], [bet("hardway", selection="5")], "wagers[0].selection", "3.1(l)"),
    ("3.1(v) no four parts", 0, [], [bet("horn", "1.01")], "wagers[0].stake", "3.1(v)"),
    ("3.1(w) units of five", 0, [], [bet("horn-high", "4.01", "2")], "wagers[0].stake", "3.1(w)"),
    ("3.1(y) one unit on each", 0, [], [bet("c-and-e", "2.00", "2+0")], "wagers[0].selection", "3.1(y)"),
    ("nothing to select", 0, [], [bet("field", selection="9")], "wagers[0].selection", "3.1(o)"),
]


@pytest.mark.parametrize(
    ("point", "standing", "wagers", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_name_field_and_rule(
    point: int, standing: Any, wagers: list[dict[str, Any]], field: str, rule: str
) -> None:
    document = a_throw(7, wagers, point, standing)
    faults = check_wagers(round_from_json(document))
    assert (field, f"nz-1996 X {rule}") in [(f.field, f.rule) for f in faults]
    with pytest.raises(RuleError):
        settle(round_from_json(document))


PASS_ON_SIX = {"wager": bet("pass"), "state": {"point": 6}}


@pytest.mark.parametrize(
    "carried",
    [
        {"table": {"point": 7}},
        {"table": {"point": "6"}},
        {"table": {"point": True}},
        {"table": {"point": [6]}},
        {"table": {}, "wagers": [PASS_ON_SIX]},
        {"table": {"point": 6}, "wagers": [PASS_ON_SIX, PASS_ON_SIX]},
        {"table": {"point": 6}, "wagers": [{"wager": bet("pass"), "state": {}}]},
        {"table": {"point": 6}, "wagers": [{"wager": bet("ante"), "state": {}}]},
        {"table": {}, "wagers": [{"wager": bet("pass-odds"), "state": {}}]},
        {"table": {}, "wagers": [{"wager": bet("come"), "state": {"point": 3}}]},
        {"table": {}, "wagers": [{"wager": bet("place", selection="3"), "state": {}}]},
        {"table": {}, "wagers": [{"wager": bet("place", "0.00", "4"), "state": {}}]},
        {"table": {}, "wagers": [{"wager": bet("buy", "20.00", "4"), "state": {"fee": "1.00"}}]},
        {"table": {}, "wagers": [{"wager": bet("place", selection="4"), "state": {"call": "perhaps"}}]},
        {"table": {}, "wagers": [{"wager": bet("horn", "1.01"), "state": {}}]},
    ],
)
def test_carried_state_that_no_settlement_wrote_is_refused(carried: dict[str, Any]) -> None:
    with pytest.raises(RuleError):
        settled(a_throw(7, []) | {"carried": carried})


@pytest.mark.parametrize(
    ("decision", "rule"),
    [
        ({"kind": "take-down", "wager": "nothing"}, "3.5"),
        ({"kind": "take-down"}, "3.5"),
        ({"kind": "reduce", "wager": "place"}, "3.5"),
        ({"kind": "reduce", "wager": "place", "value": {"to": "10.00"}}, "3.5"),
        ({"kind": "reduce", "wager": "place", "value": {"to": "0.00"}}, "3.5"),
        ({"kind": "reduce", "wager": "place", "value": {"to": "5.005"}}, "3.5"),
        ({"kind": "take-down", "wager": "place", "player": "someone else"}, "3.5"),
        ({"kind": "on", "wager": "pass"}, "3.8(b)"),
    ],
)
def test_wrong_decisions_are_refused_by_terminal_and_settlement_alike(decision: Any, rule: str) -> None:
    standing = [(bet("pass", player="anna"), {"point": 6}), (bet("place", selection="8", player="anna"), {})]
    document = a_throw(7, [], 6, standing)
    round = round_from_json(document, partial=True)
    refused = check_decision(round, decision_from_json(round.game, decision))
    assert refused is not None
    assert refused.rule == f"nz-1996 X {rule}"
    with pytest.raises(RuleError):
        settled(document | {"decisions": [decision]})
    twice = [{"kind": "take-down", "wager": "place"}] * 2
    with pytest.raises(RuleError, match="not on the layout"):
        settled(document | {"decisions": twice})


def test_a_device_voids_the_wager_named_and_what_stood_behind_it() -> None:
    standing = [(bet("pass"), {"point": 6}), (bet("pass-odds"), {}), (bet("field", id="f"), {})]
    void = [{"kind": "device", "wager": "pass"}]
    answer = settled(a_throw(6, [], 6, standing, irregularities=void))
    assert lines(answer) == {"pass": BACK, "pass-odds": BACK, "f": GONE}
    with pytest.raises(RuleError, match="name the wager"):
        settled(a_throw(6, [], 6, standing, irregularities=[{"kind": "device"}]))


def test_no_dice_is_said_plainly() -> None:
    with pytest.raises(RuleError, match="is missing"):
        settled({"game": "craps", "rulebook": "nz-1996", "wagers": [bet("field")]})
    with pytest.raises(RuleError, match="two dice"):
        settled(
            {
                "game": "craps",
                "rulebook": "nz-1996",
                "wagers": [bet("field")],
                "irregularities": [{"kind": "device", "wager": "field"}],
            }
        )


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 12) | st.sampled_from(["on", "off", "6", "10.00", "pass"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["point", "fee"]), inner),
    max_leaves=3,
)
KINDS = ["pass", "dont-pass", "come", "come-odds", "pass-odds", "place", "buy", "lay", "hardway", "horn-high"]
ANY_WAGER = st.builds(
    lambda kind, stake, selection, id, player: {
        "id": id,
        "kind": kind,
        "stake": stake,
        "selection": selection,
        "player": player,
    },
    st.sampled_from([*KINDS, "c-and-e", "field"]),
    st.sampled_from(["10.00", "0.01", "0.00", "3.333"]),
    st.sampled_from(["", "4", "6", "7", "1+1", "x"]),
    st.sampled_from(["a", "b", "c", ""]),
    st.sampled_from(["", "anna"]),
)


@given(st.data())
def test_any_json_gives_a_settlement_or_a_rule_error(data: st.DataObject) -> None:
    standing = st.fixed_dictionaries(
        {"wager": ANY_WAGER},
        optional={"state": st.dictionaries(st.sampled_from(["point", "fee", "call", "only"]), JUNK)},
    )
    decisions = st.fixed_dictionaries(
        {"kind": st.sampled_from(["take-down", "on", "off", "reduce"]), "wager": st.sampled_from(["a", "b"])},
        optional={"value": st.just({"to": "5.00"})},
    )
    document = {
        "game": "craps",
        "rulebook": data.draw(st.sampled_from(["nz-1996", "gb-2011"])),
        "wagers": data.draw(st.lists(ANY_WAGER, max_size=3)),
        "dealt": {"dice": data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=2))},
        "decisions": data.draw(st.lists(decisions, max_size=2)),
        "irregularities": data.draw(st.sampled_from([[], [{"kind": "no-roll"}], [{"kind": "invalidated"}]])),
        "carried": {
            "table": data.draw(st.dictionaries(st.just("point"), JUNK)),
            "wagers": data.draw(st.lists(standing, max_size=3)),
        },
    }
    try:
        round = round_from_json(document)
        answer = settle(round)
    except RuleError:
        return
    hold_laws(round, answer)


@pytest.mark.parametrize("rulebook", ["gb-2011", "nz-1996"])
@pytest.mark.parametrize(
    ("standing", "new", "field"),
    [("pass", "horns", "wagers[0].kind"), ("pas", "field", "carried.wagers[0].wager.kind")],
)
def test_nothing_is_decided_among_wagers_that_are_none(
    rulebook: str, standing: str, new: str, field: str
) -> None:
    document = {
        "game": "craps",
        "rulebook": rulebook,
        "wagers": [{"id": "n", "kind": new, "stake": "5.00", "player": "anna"}],
        "carried": {
            "table": {"point": 6},
            "wagers": [
                {
                    "wager": {"id": "s", "kind": standing, "stake": "5.00", "player": "anna"},
                    "state": {"point": 6},
                }
            ],
        },
    }
    round = round_from_json(document, partial=True)
    refused = check_decision(round, Decision("take-down", player="anna", wager="s"))
    assert refused is not None
    assert refused.field == field
