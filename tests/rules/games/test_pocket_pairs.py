"""Pocket Pairs (gb-2011 18): what the wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, find_game
from tests.rules.games.poker import FEW, MANY, at, full_tables, reversed_seats, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, rules_of, settled

# 18.9 in the order of the rulebook
PRINTED = [
    *((25, 11), (24, 11), (23, 11), (23, 12), (22, 12), (21, 12)),
    *((21, 13), (20, 13), (19, 13), (19, 14), (18, 14), (17, 14)),
]


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    dealt = {"seats": hands(**seats)}
    return {"game": "pocket-pairs", "rulebook": "gb-2011", "wagers": wagers, "dealt": dealt, **more}


@pytest.mark.parametrize(("same", "mixed"), PRINTED)
def test_18_9_every_pair_of_odds(same: int, mixed: int) -> None:
    seats = {"s1": "7c 7s", "s2": "Kd Kh", "s3": "Ac Ad", "s4": "2s 2h", "s5": "Ks Qs"}
    wagers = [w for seat in range(1, 6) for w in at(seat, pocket_pairs="2.00")]
    answer = settled(a_round(seats, wagers, paytables={"pocket-pairs": f"{same}-{mixed}"}))
    won = [f"win +{2 * odds}.00 back 2.00" for odds in (same, same, mixed, mixed)]
    assert list(lines(answer).values()) == [*won, "lose"]
    assert list(rules_of(answer).values()) == ["18.9"] * 4 + ["18.3"]


def test_18_9_lists_twelve_tables() -> None:
    tables = find_game("pocket-pairs", "gb-2011").tables_of("pocket-pairs")
    assert list(tables) == [f"{same}-{mixed}" for same, mixed in PRINTED]


def test_18_6_and_18_8_a_folded_hand_plays_on_and_a_hidden_one_does_not() -> None:
    wagers = [w for seat in (1, 2, 3) for w in at(seat, pocket_pairs="2.00")]
    chosen = [
        {"kind": "fold", "seat": 1},
        {"kind": "forfeit", "seat": 2},
        {"kind": "keep-hidden", "seat": 3},
    ]
    answer = settled(a_round({"s1": "7c 7s", "s3": "Kd Kh"}, wagers, decisions=chosen))
    assert list(lines(answer).values()) == ["win +50.00 back 2.00", "lose", "lose"]
    assert list(rules_of(answer).values()) == ["18.9", "18.6", "18.8"]


@pytest.mark.parametrize(
    ("seats", "field"),
    [
        ({}, "dealt.seats.1"),
        ({"s1": "7c 7c"}, "dealt.seats.1[1]"),
        ({"s1": "7c 7d", "s2": "8c 8d"}, "dealt.seats.2"),
        ({"s1": "7c 7d 8c"}, "dealt.seats.1"),
    ],
)
def test_wrong_cards(seats: dict[str, str], field: str) -> None:
    with pytest.raises(RuleError) as refused:
        settled(a_round(seats, at(1, pocket_pairs="2.00")))
    assert refused.value.field == field


ROUNDS = full_tables(
    "pocket-pairs",
    st.sampled_from(["fold", "forfeit", "keep-hidden"]).map(
        lambda kind: ([{"kind": "pocket-pairs", "stake": "2.00"}], [{"kind": kind}])
    ),
    hand=2,
    dealt=lambda draw: {},
)


@FEW
@given(ROUNDS)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 12)))


@MANY
@given(spoilt(ROUNDS))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
