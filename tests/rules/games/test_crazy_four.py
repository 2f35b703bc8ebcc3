"""Crazy 4 Poker (gb-2011 15): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, find_game, round_from_json
from rules.cards import parse_cards
from rules.contract import Decision, Wager
from rules.games.crazy_four import may_triple
from rules.ranking import rank4
from tests.rules.games.poker import (
    FEW,
    MANY,
    Player,
    at,
    choices,
    document,
    full_tables,
    reversed_seats,
    settle_or_refuse,
    spoilt,
)
from tests.rules.laws import lines, money, rules_of, settled

KING, QUEEN = "Kc 9d 7h 4s 2c", "Qc 9d 7h 4s 2c"
BASE = {"ante": "10.00", "super_bonus": "10.00"}


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("crazy-four", wagers, seats, **more)


WON, BACK = "win +10.00 back 10.00", "push back 10.00"
# dealer, hand; ante, play and super bonus of 10
CASES = [
    ("15.19 queen high, player lower", QUEEN, "Jc 9h 7d 4d 2d", BACK, WON, "lose", "15.19", "15.24(b)"),
    ("15.19 queen high, player higher", QUEEN, "Kd 9h 7d 4d 2s", BACK, WON, BACK, "15.19", "15.24(a)"),
    ("15.19 queen high, equal", QUEEN, "Qd 9h 7d 4d 3s", BACK, WON, BACK, "15.19", "15.24(a)"),
    ("15.20 lower", KING, "Qd Jh Td 8d 3s", "lose", "lose", "lose", "15.20", "15.24(b)"),
    ("15.20 higher", KING, "Ad 9h 7d 4d 2s", WON, WON, BACK, "15.20", "15.24(a)"),
    (
        "15.21 equal, the fifth card does not count",
        KING,
        "Kd 9h 7d 4d 3s",
        BACK,
        BACK,
        BACK,
        "15.21",
        "15.24(a)",
    ),
    ("15.24 two pairs", KING, "9s 9h 7d 7s 2s", WON, WON, BACK, "15.20", "15.24(a)"),
    (
        "15.22 straight",
        KING,
        "9s 8h 7d 6s 2s",
        WON,
        WON,
        WON,
        "15.20",
        "15.22",
    ),
    ("15.6 four high straight", KING, "As 2h 3d 4d 9s", WON, WON, WON, "15.20", "15.22"),
    ("15.22 flush", KING, "9s 8s 7s 2s 3d", WON, WON, "win +15.00 back 10.00", "15.20", "15.22"),
    ("15.22 three", KING, "9s 9h 9c 2s 3d", WON, WON, "win +20.00 back 10.00", "15.20", "15.22"),
    ("15.22 straight flush", KING, "9s 8s 7s 6s 3d", WON, WON, "win +150.00 back 10.00", "15.20", "15.22"),
    ("15.22 four", KING, "8s 8h 8c 8d 3d", WON, WON, "win +300.00 back 10.00", "15.20", "15.22"),
    ("15.22 four aces", KING, "As Ah Ac Ad 3d", WON, WON, "win +2000.00 back 10.00", "15.20", "15.22"),
    (
        "15.22 a straight against a better one",
        "9c 8d 7h 6s Kc",
        "5s 4h 3d 2s Kd",
        "lose",
        "lose",
        WON,
        "15.20",
        "15.22",
    ),
    (
        "15.7 three above flush",
        "9c 8c 7c 2c Kd",
        "5s 5h 5d 2s Kh",
        WON,
        WON,
        "win +20.00 back 10.00",
        "15.20",
        "15.22",
    ),
]


@pytest.mark.parametrize(
    ("dealer", "hand", "ante", "bet", "bonus", "rule", "bonus_rule"),
    [c[1:] for c in CASES],
    ids=[c[0] for c in CASES],
)
def test_ante_play_and_super_bonus(
    dealer: str, hand: str, ante: str, bet: str, bonus: str, rule: str, bonus_rule: str
) -> None:
    wagers = at(1, **BASE, play="10.00")
    answer = settled(a_round({"s1": hand}, wagers, dealer=dealer))
    assert lines(answer) == {"ante@1": ante, "super-bonus@1": bonus, "play@1": bet}
    assert rules_of(answer) == {"ante@1": rule, "super-bonus@1": bonus_rule, "play@1": rule}


# hand, odds by the minimum and tables 1 to 4 of 15.26
QUEENS_UP: list[tuple[str, tuple[int, ...]]] = [
    ("8s 8h 8c 8d 3d", (50, 50, 50, 50, 50)),
    ("9s 8s 7s 6s 3d", (30, 30, 40, 30, 40)),
    ("9s 9h 9c 3s 5d", (7, 9, 8, 8, 7)),
    ("9s 8s 7s 2s 3d", (4, 4, 4, 4, 4)),
    ("9s 8h 7d 6s 3s", (3, 3, 3, 3, 3)),
    ("3s 3h 5d 5s 9s", (2, 2, 2, 2, 2)),
    ("Qs Qh 5d 3s 9s", (1, 1, 1, 1, 1)),
    ("As Ah 5d 3s 9s", (1, 1, 1, 1, 1)),
    ("Js Jh 5d 3s 9s", (0, 0, 0, 0, 0)),
]
TABLE_NAMES = ("minimum", "table-1", "table-2", "table-3", "table-4")


@pytest.mark.parametrize(("hand", "odds"), QUEENS_UP, ids=[q[0] for q in QUEENS_UP])
@pytest.mark.parametrize("folded", [False, True], ids=["played", "15.23 folded but queens up"])
def test_15_26_queens_up_by_every_table(hand: str, odds: tuple[int, ...], folded: bool) -> None:
    wagers = at(1, **BASE, queens_up="2.00") + ([] if folded else at(1, play="10.00"))
    given_round = a_round({"s1": hand}, wagers, dealer=KING)
    if folded:
        given_round["decisions"] = [{"kind": "fold-but-queens-up", "seat": 1}]
    for table, figure in zip(TABLE_NAMES, odds, strict=True):
        answer = settled(given_round | {"paytables": {"queens-up": table}})
        line = f"win +{2 * figure}.00 back 2.00" if figure else "lose"
        assert lines(answer)["queens-up@1"] == line, table
        assert rules_of(answer)["queens-up@1"] == ("15.26" if figure else "15.27")
        if folded:
            assert (lines(answer)["ante@1"], lines(answer)["super-bonus@1"]) == ("lose", "lose")


def test_2_7_no_table_pays_less_than_the_minimum() -> None:
    tables = find_game("crazy-four", "gb-2011").tables_of("queens-up")
    for hand, least in tables["minimum"].lines.items():
        assert least.ratio == min(tables[name].lines[hand].ratio for name in TABLE_NAMES[1:])


def test_15_23_who_only_folds_gives_queens_up_up_as_well() -> None:
    wagers = at(1, **BASE, queens_up="2.00")
    answer = settled(a_round({}, wagers, decisions=choices(1, "fold")))
    assert set(lines(answer).values()) == {"lose"}
    assert rules_of(answer) == {"ante@1": "15.16", "super-bonus@1": "15.23", "queens-up@1": "15.23"}


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("As Ad 8c 5h 3d", True),
        ("2s 2d 3c 3h 9d", True),
        ("Ks Kd 8c 5h 3d", False),
        ("As Kd 8c 5h 3d", False),
    ],
)
def test_15_15_three_antes_for_aces_or_better(hand: str, may: bool) -> None:
    assert may_triple(rank4(parse_cards(hand))) == may
    for stake in ("20.00", "25.00", "30.00"):
        wagers = at(1, **BASE, play=stake)
        faults = check_wagers(round_from_json(a_round({"s1": hand}, wagers), partial=True))
        assert [(f.field, f.rule) for f in faults] == ([] if may else [("wagers[2].stake", "gb-2011 15.15")])


WRONG: list[tuple[str, list[dict[str, Any]], dict[str, Any], list[tuple[str, str]]]] = [
    ("15.10 ante alone", at(1, ante="5.00"), {}, [("wagers[0]", "15.10(i)")]),
    ("15.11 unequal", at(1, ante="5.00", super_bonus="6.00"), {}, [("wagers[1].stake", "15.11")]),
    ("15.10 queens up alone", at(1, queens_up="5.00"), {}, [("wagers[0]", "15.10(iii)")]),
    ("15.15 four antes", at(1, **BASE, play="40.00"), {}, [("wagers[2].stake", "15.15")]),
    ("15.14 half an ante", at(1, **BASE, play="5.00"), {}, [("wagers[2].stake", "15.15")]),
    (
        "15.16 folded and played",
        at(1, **BASE, play="10.00"),
        {"decisions": [{"kind": "fold-but-queens-up", "seat": 1}]},
        [("decisions[0]", "15.16")],
    ),
]


@pytest.mark.parametrize(("wagers", "more", "faults"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    found = check_wagers(round_from_json(a_round({}, wagers, **more), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in found] == faults


def test_missing_dealer() -> None:
    with pytest.raises(RuleError, match="is missing: 5 cards"):
        settled(a_round({"s1": "As Ad 8c 5h 3d"}, at(1, **BASE, play="10.00")))


def test_decisions_are_checked_one_by_one() -> None:
    given_round = a_round({"s1": "Ks Kd 8c 5h 3d"}, at(1, **BASE))
    round = round_from_json(given_round, partial=True)
    play = Decision("play", seat=1, wager="p")
    assert check_decision(round, play, Wager("p", "play", money("10.00"), 1)) is None
    tripled = check_decision(round, play, Wager("p", "play", money("30.00"), 1))
    assert tripled is not None
    assert tripled.rule == "gb-2011 15.15"
    folded = given_round | {"decisions": [{"kind": "fold", "seat": 1}]}
    assert (
        check_decision(round_from_json(folded, partial=True), Decision("fold-but-queens-up", seat=1))
        is not None
    )


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, str]) -> Player:
        queens_up, choice = parts
        kinds = ["ante", "super-bonus"] + (["queens-up"] if queens_up else [])
        kinds += ["play"] if choice == "play" else []
        return [{"kind": kind, "stake": "5.00"} for kind in kinds], [{"kind": choice}]

    return st.tuples(st.booleans(), st.sampled_from(["play", "fold", "fold-but-queens-up"])).map(build)


TABLES = full_tables("crazy-four", players(), hand=5, dealt=lambda draw: {"dealer": draw(5)})


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
