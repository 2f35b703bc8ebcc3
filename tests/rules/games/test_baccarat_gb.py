"""Punto Banco and Punto 2000 (gb-2011 6): odds, ties, all side wagers and their pay tables, own odds, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import RuleError, check_wagers, find_game, round_from_json
from tests.rules.games.poker import settle_or_refuse
from tests.rules.laws import lines, money, rules_of, settled, wager

PUNTO = "9c 2d Kc 3d"  # natural nine against five
BANCO = "7c Kd Kc 5d 3c"  # seven against eight in three cards
BANCO_SIX = "5c 2d Kc Kd Tc 4d"  # five against six
TIE_7 = "7c 7d Kc Kd"
TIE_9 = "9c 9d Kc Kd"
TIE_0 = "Ac Kd 4c Jd 5c Qd"
TIE_3 = "Kc 2d 5c Ad 8c"  # the banker's three stands against the eight


def a_round(shoe: str, *wagers: dict[str, Any], game: str = "punto-banco", **more: Any) -> dict[str, Any]:
    document = {"game": game, "rulebook": "gb-2011", "wagers": list(wagers), **more}
    return document | {"dealt": {"shoe": shoe.split()}}


# game, shoe, kind and selection, line of a stake of 10, rule
CASES = [
    ("punto-banco", PUNTO, "punto", "", "win +10.00 back 10.00", "6.19"),
    ("punto-banco", PUNTO, "banco", "", "lose", "6.25"),
    ("punto-banco", PUNTO, "egalite", "", "lose", "6.26"),
    ("punto-banco", BANCO, "banco", "", "win +9.50 back 10.00", "6.18"),
    ("punto-banco", BANCO_SIX, "banco", "", "win +9.50 back 10.00", "6.18"),
    ("punto-banco", BANCO, "punto", "", "lose", "6.25"),
    ("punto-banco", TIE_7, "punto", "", "void back 10.00", "6.26"),
    ("punto-banco", TIE_7, "banco", "", "void back 10.00", "6.26"),
    ("punto-banco", TIE_7, "egalite", "", "win +80.00 back 10.00", "6.20"),
    ("punto-2000", BANCO, "banco", "", "win +10.00 back 10.00", "6.29"),
    ("punto-2000", BANCO_SIX, "banco", "", "win +5.00 back 10.00", "6.29"),
    ("punto-2000", PUNTO, "punto", "", "win +10.00 back 10.00", "6.19"),
    ("punto-banco", PUNTO, "dragon-bonus", "player", "win +10.00 back 10.00", "6.39"),
    ("punto-banco", PUNTO, "dragon-bonus", "banker", "lose", "6.44"),
    ("punto-banco", TIE_9, "dragon-bonus", "banker", "push back 10.00", "6.40"),
    ("punto-banco", TIE_7, "dragon-bonus", "player", "lose", "6.44"),
    ("punto-banco", BANCO, "dragon-bonus", "banker", "lose", "6.43"),
    ("punto-banco", "4c Td Kc Kd 5c Qd", "dragon-bonus", "player", "win +300.00 back 10.00", "6.41"),
    ("punto-banco", TIE_7, "ur-way-egalite", "7", "win +450.00 back 10.00", "6.50"),
    ("punto-banco", TIE_7, "ur-way-egalite", "6", "lose", "6.52"),
    ("punto-banco", TIE_0, "ur-way-egalite", "0", "win +1500.00 back 10.00", "6.50"),
    ("punto-banco", PUNTO, "ur-way-egalite", "9", "lose", "6.52"),
    ("punto-banco", TIE_3, "three-giving-eight", "", "win +1800.00 back 10.00", "6.57"),
    ("punto-banco", "Kc 2d 5c Ad 7c Kd", "three-giving-eight", "", "lose", "6.63"),
    ("punto-banco", TIE_3, "three-giving-any", "", "win +1000.00 back 10.00", "6.59"),
    ("punto-banco", "Kc 2d 5c Ad 7c Kd", "three-giving-any", "", "win +60.00 back 10.00", "6.59"),
    ("punto-banco", PUNTO, "three-giving-any", "", "lose", "6.63"),
    ("punto-banco", TIE_0, "super-pay-egalite", "0", "win +1600.00 back 10.00", "6.71"),
    ("punto-banco", TIE_3, "super-pay-egalite", "1-3", "win +700.00 back 10.00", "6.71"),
    ("punto-banco", TIE_7, "super-pay-egalite", "6-7", "win +220.00 back 10.00", "6.71"),
    ("punto-banco", TIE_9, "super-pay-egalite", "8-9", "win +400.00 back 10.00", "6.71"),
    ("punto-banco", TIE_9, "super-pay-egalite", "4-5", "lose", "6.71"),
    ("punto-2000", "Kc 2d Kc 3d 8c", "baccarat-pairs", "player", "win +110.00 back 10.00", "6.79"),
    ("punto-2000", "Kc 2d Kc 3d 8c", "baccarat-pairs", "banker", "lose", "6.78"),
    ("punto-2000", "Kc 2d Tc 3d 8c", "baccarat-pairs", "player", "lose", "6.78"),
]


@pytest.mark.parametrize(("game", "shoe", "kind", "pick", "line", "rule"), CASES)
def test_wagers(game: str, shoe: str, kind: str, pick: str, line: str, rule: str) -> None:
    chosen: dict[str, Any] = {"selection": pick} if pick else {}
    answer = settled(a_round(shoe, wager(kind, "10.00", id="w", **chosen), game=game))
    assert (lines(answer)["w"], rules_of(answer)["w"]) == (line, rule)


def test_two_packs_have_a_card_twice() -> None:
    document = a_round("Kc Kc Kc 7d 7c", options={"decks": 2})
    with pytest.raises(RuleError, match="Kc is dealt 3 times from 2 packs") as refused:
        settled(document)
    assert refused.value.rule == "gb-2011 6.11"


# 6.42: what each margin pays by table; the shoes give the margins 9 to 4 to the punter
BY_MARGIN = {
    9: "4c Td Kc Kd 5c Qd",
    8: "4c Td Kc Kd 4d Qd",
    7: "7c Td Kc Kd Qd",
    6: "6c 2d Kc Kd 8c",
    5: "6c 2d Kc Kd 9c",
    4: "7c 2d Kc Kd Ac",
}
TABLES = {
    "minimum": (20, 8, 4, 4, 2, 1),
    "table-1": (30, 10, 6, 4, 2, 1),
    "table-2": (20, 8, 7, 4, 3, 1),
    "table-3": (30, 10, 4, 4, 2, 2),
}


@pytest.mark.parametrize("table", TABLES)
def test_6_42_dragon_bonus_tables(table: str) -> None:
    won = []
    for shoe in BY_MARGIN.values():
        bet = wager("dragon-bonus", "1.00", selection="player")
        answer = settled(a_round(shoe, bet, paytables={"dragon-bonus": table}))
        won.append(answer.lines[0].winnings // money("1.00"))
    assert tuple(won) == TABLES[table]


# 6.50-6.51
EGALITES = {
    "minimum": (140, 200, 200, 180, 110, 100, 40, 40, 70, 70),
    "table-1": (150, 215, 225, 200, 120, 110, 45, 45, 80, 80),
    "table-2": (150, 200, 210, 190, 120, 110, 45, 45, 80, 80),
    "table-3": (140, 200, 210, 190, 110, 100, 40, 40, 75, 75),
}
TIES = (
    *(TIE_0, "Kc Ad Kh Kd Ac Qd", "Kc 2d Kh Kd 2c Qd", TIE_3, "Kc 4d Kh Kd 4c Td"),
    *("Kc 5d Kh Kd 5c Qd", "6c 6d Kc Kd", TIE_7, "8c 8d Kc Kd", TIE_9),
)


@pytest.mark.parametrize("table", EGALITES)
def test_6_51_ur_way_tables(table: str) -> None:
    won = []
    for score, shoe in enumerate(TIES):
        bet = wager("ur-way-egalite", "1.00", selection=str(score))
        answer = settled(a_round(shoe, bet, paytables={"ur-way-egalite": table}))
        won.append(answer.lines[0].winnings // money("1.00"))
    assert tuple(won) == EGALITES[table]


def test_2_6_own_odds_may_be_better_and_never_worse() -> None:
    better = a_round(BANCO, wager("banco", "10.00"), paytables={"banco": {"win": "1 to 1"}})
    assert lines(settled(better))["banco"] == "win +10.00 back 10.00"
    with pytest.raises(RuleError, match="below the minimum of 8 to 1"):
        settled(a_round(BANCO, paytables={"egalite": {"win": "7 to 1"}}))


def test_19_to_20_is_paid_up_to_the_next_chip() -> None:
    answer = settled(a_round(BANCO, wager("banco", "25.00"), limits={"chip": "0.50"}))
    assert lines(answer)["banco"] == "win +24.00 back 25.00", "23.75 is not payable"
    assert answer.lines[0].rounding == money("0.25")


SIDE = st.sampled_from(
    [("punto", ""), ("banco", ""), ("egalite", ""), ("three-giving-eight", ""), ("three-giving-any", "")]
    + [(kind, side) for kind in ("dragon-bonus", "baccarat-pairs") for side in ("player", "banker")]
    + [("ur-way-egalite", str(score)) for score in range(10)]
    + [("super-pay-egalite", scores) for scores in ("0", "1-3", "4-5", "6-7", "8-9")]
)


WRONG = [
    (
        "6.35 dragon bonus on both hands",
        {},
        [wager("dragon-bonus", "1.00", id=side, selection=side) for side in ("player", "banker")],
        ("wagers[1]", "gb-2011 6.35"),
    ),
    (
        "6.50 no such score",
        {},
        [wager("ur-way-egalite", "1.00", selection="10")],
        ("wagers[0].selection", "gb-2011 6.50"),
    ),
    (
        "6.50 a score twice",
        {},
        [wager("ur-way-egalite", "1.00", id=name, selection="1") for name in "ab"],
        ("wagers[1]", "gb-2011 6.50"),
    ),
    (
        "6.61 not offered",
        {"side-wagers": ["three-giving-eight"]},
        [wager("three-giving-any", "1.00")],
        ("wagers[0].kind", "gb-2011 6.58"),
    ),
    (
        "6.47 only beside a hand",
        {"ur-way-needs-a-hand": True},
        [wager("egalite", "1.00"), wager("ur-way-egalite", "1.00", selection="1")],
        ("wagers[1]", "gb-2011 6.47"),
    ),
    (
        "6.55 only beside a hand",
        {"three-giving-eight-needs-a-hand": True},
        [wager("three-giving-eight", "1.00", 2), wager("punto", "1.00", 1)],
        ("wagers[0]", "gb-2011 6.55"),
    ),
    ("6.78 which hand", {}, [wager("baccarat-pairs", "1.00")], ("wagers[0].selection", "gb-2011 6.76")),
]


@pytest.mark.parametrize(("options", "wagers", "fault"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(
    options: dict[str, Any], wagers: list[Any], fault: tuple[str, str]
) -> None:
    document = {"game": "punto-banco", "rulebook": "gb-2011", "options": options, "wagers": wagers}
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule) for f in faults] == [fault]


def test_side_wagers_stand_alone_unless_the_table_says_otherwise_and_both_hands_may_be_backed() -> None:
    bets = [
        wager("punto", "1.00"),
        wager("banco", "1.00"),
        wager("baccarat-pairs", "1.00", selection="player"),
    ]
    bets += [wager("baccarat-pairs", "1.00", id="other", selection="banker")]
    assert check_wagers(round_from_json(a_round(PUNTO, *bets))) == ()


def test_the_book_has_no_table_differential() -> None:
    with pytest.raises(RuleError, match="no table differential"):
        settled(a_round(PUNTO, limits={"differential": "100.00"}))


KINDS = [kind.name for kind in find_game("punto-banco", "gb-2011").wagers]


@given(
    st.lists(st.sampled_from(["9c", "2d", "Kc", "5h", "7s", "6d"]), max_size=8),
    st.lists(
        st.tuples(
            st.sampled_from(KINDS),
            st.sampled_from(["", "player", "banker", "0", "9", "1-3", "x"]),
            st.integers(0, 2),
        ),
        max_size=5,
    ),
    st.booleans(),
)
@settings(max_examples=150)
def test_anything_is_settled_or_refused(shoe: list[str], bets: list[Any], gone: bool) -> None:
    document = a_round(" ".join(shoe))
    document["wagers"] = [
        wager(kind, "5.00", seat, id=f"w{i}", selection=pick) for i, (kind, pick, seat) in enumerate(bets)
    ]
    document["irregularities"] = [{"kind": "invalidated"}] if gone else []
    settle_or_refuse(document)


def test_this_book_leaves_no_card_to_the_next_round() -> None:
    document = {
        "game": "punto-2000",
        "rulebook": "gb-2011",
        "wagers": [wager("punto", "10.00", 1)],
        "dealt": {"shoe": ["9c", "2d", "Kc", "3d"]},
        "carried": {"table": {"first-cards": ["As"]}},
    }
    with pytest.raises(RuleError) as refused:
        settled(document)
    assert refused.value.field == "carried.table.first-cards"
