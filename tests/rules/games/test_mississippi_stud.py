"""Mississippi Stud (gb-2011 7.36-7.49): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.contract import Decision, Wager
from tests.rules.games.poker import FEW, MANY, Player, full_tables, reversed_seats, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, money, rules_of, settled, wager

STREETS = ("third-street", "fourth-street", "fifth-street")


def bets(seat: int, *multiples: int) -> list[dict[str, Any]]:
    """An ante of 5 and wagers of so many antes on the streets."""
    laid = [wager("ante", "5.00", seat)]
    return laid + [
        wager(kind, f"{5 * n}.00", seat) for kind, n in zip(STREETS[: len(multiples)], multiples, strict=True)
    ]


def a_round(
    seats: dict[str, str], community: str, wagers: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    dealt = {"seats": hands(**seats), "community": community.split()}
    return {"game": "mississippi-stud", "rulebook": "gb-2011", "wagers": wagers, "dealt": dealt, **more}


# hand, community cards, odds by 7.49 (0 is a push, None loses)
HANDS: list[tuple[str, str, int | None]] = [
    ("As Ks", "Qs Js Ts", 500),
    ("5s 6s", "7s 8s 9s", 100),
    ("5s 5d", "5h 5c 9s", 30),
    ("5s 5d", "9h 9c 9s", 6),
    ("2s 5s", "7s 8s Ks", 5),
    ("As 2d", "3s 4s 5s", 4),
    ("5s 5d", "5h 8s 9s", 3),
    ("2s 2d", "3h 3s 9s", 2),
    ("As 3d", "Ah 8s 9s", 1),
    ("Js Jd", "2h 8s 9s", 1),
    ("Ts Td", "2h 8s 9s", 0),
    ("6s Td", "2h 6h 9s", 0),
    ("5s 5d", "2h 8s 9s", None),
    ("As Kd", "2h 8s 9s", None),
]


@pytest.mark.parametrize(("hand", "community", "odds"), HANDS, ids=[h[0] for h in HANDS])
def test_7_49_each_bet_is_paid_by_the_table(hand: str, community: str, odds: int | None) -> None:
    answer = settled(a_round({"s1": hand}, community, bets(1, 1, 2, 3)))
    stakes = {"ante": 5, "third-street": 5, "fourth-street": 10, "fifth-street": 15}

    def line(stake: int) -> str:
        if odds is None:
            return "lose"
        return f"win +{odds * stake}.00 back {stake}.00" if odds else f"push back {stake}.00"

    assert lines(answer) == {f"{kind}@1": line(stake) for kind, stake in stakes.items()}
    assert set(rules_of(answer).values()) == {"7.49"}


@pytest.mark.parametrize(("placed", "rule"), [((), "7.42"), ((3,), "7.44"), ((1, 1), "7.46")])
def test_a_fold_loses_what_lies_there(placed: tuple[int, ...], rule: str) -> None:
    given_round = a_round({}, "", bets(1, *placed), decisions=[{"kind": "fold", "seat": 1}])
    answer = settled(given_round)
    assert set(lines(answer).values()) == {"lose"}
    assert set(rules_of(answer).values()) == {rule}
    assert len(answer.lines) == 1 + len(placed)


WRONG: list[tuple[str, list[dict[str, Any]], dict[str, Any], str, str]] = [
    ("7.42 four antes", bets(1, 4), {}, "wagers[1].stake", "7.42"),
    (
        "7.44 half an ante more",
        [*bets(1, 1), wager("fourth-street", "7.50", 1)],
        {},
        "wagers[2].stake",
        "7.44",
    ),
    ("7.46 a street left out", [*bets(1, 1), wager("fifth-street", "5.00", 1)], {}, "wagers[2]", "7.46"),
    (
        "7.46 folded at the end",
        bets(1, 1, 1, 1),
        {"decisions": [{"kind": "fold", "seat": 1}]},
        "decisions[0]",
        "7.46",
    ),
    (
        "7.39 two positions",
        [w | {"player": "Ann"} for w in bets(1) + bets(2)],
        {},
        "wagers[1].seat",
        "7.39",
    ),
]


@pytest.mark.parametrize(
    ("wagers", "more", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], field: str, rule: str
) -> None:
    faults = check_wagers(round_from_json({**a_round({}, "", wagers), **more}, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


def test_decisions_have_their_moments() -> None:
    third = Decision("third-street", seat=1, wager="t"), Wager("t", "third-street", money("15.00"), 1)
    assert (
        check_decision(round_from_json(a_round({"s1": "As Kd"}, "", bets(1)), partial=True), *third) is None
    )
    late = check_decision(round_from_json(a_round({"s1": "As Kd"}, "2h", bets(1)), partial=True), *third)
    assert late is not None
    assert late.rule == "gb-2011 7.42"
    gone = a_round({"s1": "As Kd"}, "", bets(1), decisions=[{"kind": "fold", "seat": 1}])
    assert check_decision(round_from_json(gone, partial=True), *third) is not None


def test_all_three_streets_are_needed() -> None:
    with pytest.raises(RuleError, match="3 cards are needed to settle, 2 are given") as refused:
        settled(a_round({"s1": "As Kd"}, "2h 3h", bets(1, 1, 1, 1)))
    assert (refused.value.field, refused.value.rule) == ("dealt.community", "gb-2011 7.47")


def players() -> st.SearchStrategy[Player]:
    def build(multiples: list[int]) -> Player:
        laid = [{"kind": "ante", "stake": "5.00"}]
        laid += [
            {"kind": kind, "stake": f"{5 * n}.00"}
            for kind, n in zip(STREETS[: len(multiples)], multiples, strict=True)
        ]
        return laid, [] if len(multiples) == 3 else [{"kind": "fold"}]

    return st.lists(st.integers(1, 3), max_size=3).map(build)


TABLES = full_tables("mississippi-stud", players(), hand=2, dealt=lambda draw: {"community": draw(3)})


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
