"""Two Way Texas Hold'em (gb-2011 11.101-11.117): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_wagers, round_from_json
from tests.rules.games.poker import (
    FEW,
    MANY,
    Player,
    at,
    document,
    full_tables,
    reversed_seats,
    settle_or_refuse,
    spoilt,
)
from tests.rules.laws import lines, rules_of, settled

LOW = "2c 5d 9h Jc Kd"
FULL = {"ante": "5.00", "blind": "5.00", "two_way": "5.00", "flop": "5.00", "river": "5.00"}


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("two-way-texas-holdem", wagers, seats, **more)


WON, LOST, BACK, VOID = "win +5.00 back 5.00", "lose", "push back 5.00", "void back 5.00"
# board, dealer, hole cards; the ante; blind, flop and river; their rules
CASES = [
    ("11.110 no pair, lower", LOW, "Qs 3d", "As 3h", (WON, "11.110"), (VOID, "11.109")),
    ("11.111 no pair, higher", LOW, "As 3d", "Qs 3h", (LOST, "11.111"), (VOID, "11.109")),
    ("1.5 no pair, equal", LOW, "As 3d", "Ah 3h", (BACK, "1.5"), (VOID, "11.109")),
    ("11.113 pair, lower", LOW, "Js 4d", "Ks 3s", (WON, "11.113"), (WON, "11.113")),
    ("11.114 pair, higher", LOW, "Ks 3s", "Js 4d", (LOST, "11.114"), (LOST, "11.114")),
    ("1.5 pair, equal", LOW, "Ks Ah", "Kc As", (BACK, "1.5"), (BACK, "1.5")),
]


@pytest.mark.parametrize(
    ("board", "dealer", "hole", "ante", "rest"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_contested_wagers(
    board: str, dealer: str, hole: str, ante: tuple[str, str], rest: tuple[str, str]
) -> None:
    answer = settled(a_round({"s1": hole}, at(1, **FULL), board=board, dealer=dealer))
    got = {
        kind: (lines(answer)[f"{kind}@1"], rules_of(answer)[f"{kind}@1"])
        for kind in FULL
        if kind != "two_way"
    }
    assert got == {"ante": ante, "blind": rest, "flop": rest, "river": rest}
    assert lines(answer)["two-way@1"] == "lose"
    assert rules_of(answer)["two-way@1"] == "11.115"


# hole cards, dealer, board; odds of the better hand by 11.117
TWO_WAY = [
    ("neither", "As 3h", "Qs 3d", LOW, None),
    ("player's straight", "8s 9d", "Qd 2s", "5c 6d 7h Qc Ks", 2),
    ("dealer's straight", "Qd 2s", "8s 9d", "5c 6d 7h Qc Ks", 2),
    ("player's flush", "Ac 4c", "Jh 3d", "2c 5c 9c Jd Kh", 3),
    ("full house against four", "9s 9d", "2h 2s", "2c 2d 9h Jc Kd", 25),
    ("four against full house", "2h 2s", "9s 9d", "2c 2d 9h Jc Kd", 25),
    ("full house against two pairs", "9s 9d", "Ks 3s", "2c 2d 9h Jc Kd", 4),
    ("straight flush", "8c 9c", "Kd 3s", "5c 6c 7c Jd Kh", 50),
    ("royal flush is one", "Ac Kc", "2s 2h", "Tc Jc Qc 2d 3h", 50),
    ("both play the board", "2d 3d", "2h 3h", "Tc Jd Qh Ks Ac", 2),
]


@pytest.mark.parametrize(
    ("hole", "dealer", "board", "odds"), [t[1:] for t in TWO_WAY], ids=[t[0] for t in TWO_WAY]
)
def test_11_116_two_way_pays_the_better_hand(hole: str, dealer: str, board: str, odds: int | None) -> None:
    wagers = at(1, ante="5.00", blind="5.00", two_way="5.00")
    answer = settled(a_round({"s1": hole}, wagers, board=board, dealer=dealer))
    assert lines(answer)["two-way@1"] == (f"win +{5 * odds}.00 back 5.00" if odds else "lose")
    assert rules_of(answer)["two-way@1"] == ("11.116" if odds else "11.115")


WRONG = [
    ("11.102 ante alone", at(1, ante="5.00"), {}, [("wagers[0]", "11.102")]),
    (
        "11.102 unequal",
        at(1, ante="5.00", blind="5.00", two_way="6.00"),
        {},
        [("wagers[2].stake", "11.102")],
    ),
    (
        "11.104 flop of two antes",
        at(1, ante="5.00", blind="5.00", two_way="5.00", flop="10.00"),
        {},
        [("wagers[3].stake", "11.104")],
    ),
    (
        "11.106 river of two antes",
        at(1, ante="5.00", blind="5.00", two_way="5.00", river="10.00"),
        {},
        [("wagers[3].stake", "11.106")],
    ),
    (
        "11.106 river of any amount",
        at(1, ante="5.00", blind="5.00", two_way="5.00", river="10.00"),
        {"options": {"river-wager": "any"}},
        [],
    ),
]


@pytest.mark.parametrize(("wagers", "more", "faults"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers(
    wagers: list[dict[str, Any]], more: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    found = check_wagers(round_from_json(a_round({}, wagers, **more), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in found] == faults


def test_all_cards_are_needed() -> None:
    with pytest.raises(RuleError, match="is missing: 5 cards"):
        settled(a_round({"s1": "Ks 3s"}, at(1, ante="5.00", blind="5.00", two_way="5.00")))


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, bool]) -> Player:
        laid = [{"kind": kind, "stake": "5.00"} for kind in ("ante", "blind", "two-way")]
        laid += [
            {"kind": kind, "stake": "5.00"} for kind, on in zip(("flop", "river"), parts, strict=True) if on
        ]
        return laid, [{"kind": "flop" if parts[0] else "check"}]

    return st.tuples(st.booleans(), st.booleans()).map(build)


TABLES = full_tables(
    "two-way-texas-holdem", players(), hand=2, dealt=lambda draw: {"board": draw(5), "dealer": draw(2)}
)


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
