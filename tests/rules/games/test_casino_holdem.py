"""Casino Hold'em (gb-2011 11.77-11.100): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import card_text
from rules.contract import Decision, Settlement, Wager
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

LOW = "2c 5d 9h Jc Kd"


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("casino-holdem", wagers, seats, **more)


# board, dealer, hole cards, ante of 5 and call of 10, rule of both
CASES = [
    ("11.88 threes are no hand", LOW, "3s 3d", "Qs 7h", "win +5.00 back 5.00", "void back 10.00", "11.88"),
    ("11.87 fours are", LOW, "4s 4d", "Qs 7h", "lose", "lose", "11.90"),
    (
        "11.88 flush",
        "2c 5c 9c Jd Kh",
        "3s 8d",
        "Ac 4c",
        "win +10.00 back 5.00",
        "void back 10.00",
        "11.88",
    ),
    ("11.91 pair", LOW, "Js 4d", "Ks 3s", "win +5.00 back 5.00", "win +10.00 back 10.00", "11.91"),
    (
        "11.91 straight",
        "5c 6d 7h Qc Ks",
        "Qd 2s",
        "8s 9d",
        "win +5.00 back 5.00",
        "win +10.00 back 10.00",
        "11.91",
    ),
    (
        "11.91 flush",
        "2c 5c 9c Jd Kh",
        "Jh 3d",
        "Ac 4c",
        "win +10.00 back 5.00",
        "win +10.00 back 10.00",
        "11.91",
    ),
    (
        "11.91 full house",
        "2c 2d 9h Jc Kd",
        "Ks 3s",
        "9s 9d",
        "win +15.00 back 5.00",
        "win +10.00 back 10.00",
        "11.91",
    ),
    (
        "11.91 four of a kind",
        "2c 2d 9h Jc Kd",
        "Ks 3s",
        "2h 2s",
        "win +50.00 back 5.00",
        "win +10.00 back 10.00",
        "11.91",
    ),
    (
        "11.91 straight flush",
        "5c 6c 7c Jd Kh",
        "Kd 3s",
        "8c 9c",
        "win +100.00 back 5.00",
        "win +10.00 back 10.00",
        "11.91",
    ),
    (
        "11.91 royal flush",
        "Tc Jc Qc 2d 3h",
        "2s 2h",
        "Ac Kc",
        "win +500.00 back 5.00",
        "win +10.00 back 10.00",
        "11.91",
    ),
    ("11.90 lower", LOW, "Ks Kh", "Js Jd", "lose", "lose", "11.90"),
    (
        "1.5 both play the board",
        "Tc Jd Qh Ks Ac",
        "2c 3d",
        "2d 3h",
        "push back 5.00",
        "push back 10.00",
        "1.5",
    ),
]


@pytest.mark.parametrize(
    ("board", "dealer", "hole", "ante", "call", "rule"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_ante_and_call(board: str, dealer: str, hole: str, ante: str, call: str, rule: str) -> None:
    wagers = at(3, ante="5.00", call="10.00")
    answer = settled(a_round({"s3": hole}, wagers, board=board, dealer=dealer))
    assert lines(answer) == {"ante@3": ante, "call@3": call}
    assert set(rules_of(answer).values()) == {rule}


@pytest.mark.parametrize(
    ("hole", "board", "line"),
    [
        ("Ah Ad", "7h 8s Kc 2c 3c", "win +14.00 back 2.00"),
        ("Ah 3d", "Ac 8s Kd 2c 5c", "win +14.00 back 2.00"),
        ("2c 2d", "3h 3s 9c Jc Kh", "win +14.00 back 2.00"),
        ("Ac 2d", "3h 4s 5c Jc Kh", "win +14.00 back 2.00"),
        ("2c 9c", "4c 6c Jc Jh Kh", "win +50.00 back 2.00"),
        ("4d 4h", "4c 9h 9c Jh Kh", "win +50.00 back 2.00"),
        ("Ac Kc", "Qc Jc Tc Jh Kh", "win +50.00 back 2.00"),
        ("Kh 3d", "Kc 8s 2d 4c 5c", "lose"),
        ("Ah Kh", "9c 8s 2d 4c 5c", "lose"),
        ("Kh 3d", "9c 8s 2d Ac Ad", "lose"),
    ],
)
def test_11_83_aa_bonus_looks_at_the_hole_cards_and_the_flop(hole: str, board: str, line: str) -> None:
    wagers = at(1, ante="5.00", aa_bonus="2.00", call="10.00")
    answer = settled(a_round({"s1": hole}, wagers, board=board, dealer="6s 7d"))
    assert lines(answer)["aa-bonus@1"] == line
    assert rules_of(answer)["aa-bonus@1"] == ("11.84" if line == "lose" else "11.83")


def test_11_82_a_folded_hand_loses_ante_and_aa_bonus_and_needs_no_cards() -> None:
    wagers = at(1, ante="5.00", aa_bonus="2.00")
    fold = [{"kind": "fold", "seat": 1}]
    for seats, board in (({"s1": "As Ad"}, "2c 3c 4c"), ({}, None)):
        answer = settled(a_round(seats, wagers, board=board, decisions=fold))
        assert lines(answer) == {"ante@1": "lose", "aa-bonus@1": "lose"}
        assert set(rules_of(answer).values()) == {"11.82"}


def hits(answer: Settlement) -> list[tuple[int, str, str, bool, bool]]:
    """Seat, hand, cards, on the board, folded."""
    return [
        (h.wager.seat, h.trigger, " ".join(map(card_text, h.cards)), h.on_board, h.hand_folded)
        for h in answer.hits
    ]


@pytest.mark.parametrize("call", [True, False], ids=["called", "11.100 folded"])
@pytest.mark.parametrize(
    ("hole", "board", "hand", "cards"),
    [
        ("Ac 2d", "Tc Jc Qc Kc 4d", "royal-flush", "Ac Kc Qc Jc Tc"),
        ("8c 9c", "5c 6c 7c Jd Kh", "straight-flush", "9c 8c 7c 6c 5c"),
        ("Ac 9c", "2c 3c 4c 5c Kh", "straight-flush", "5c 4c 3c 2c Ac"),
        ("2h 2s", "2c 2d 9h Jc Kd", "four-of-a-kind", "2s 2h 2d 2c Kd"),
        ("9s 9d", "2c 2d 9h Jc Kd", "full-house", "9s 9h 9d 2d 2c"),
        ("Ac 4c", "2c 5c 9c Jd Kh", None, ""),
    ],
)
def test_11_97_progressive_on_all_seven_cards(
    hole: str, board: str, hand: str | None, cards: str, call: bool
) -> None:
    wagers = at(2, ante="5.00", progressive="1.00") + (at(2, call="10.00") if call else [])
    decisions = [] if call else choices(2, "fold")
    answer = settled(a_round({"s2": hole}, wagers, board=board, dealer="Qh 3h", decisions=decisions))
    assert hits(answer) == ([(2, hand, cards, False, not call)] if hand else [])
    assert lines(answer)["progressive@2"] == ("win" if hand else "lose")
    assert rules_of(answer)["progressive@2"] == "11.97"


def test_11_96_progressive_wins_although_the_dealer_does() -> None:
    wagers = at(1, ante="5.00", call="10.00", progressive="1.00")
    answer = settled(a_round({"s1": "9s 9d"}, wagers, board="2c 2d 9h Jc Kd", dealer="2h 2s"))
    assert lines(answer) == {"ante@1": "lose", "call@1": "lose", "progressive@1": "win"}


def test_11_98_the_board_plays_for_all_and_a_better_hand_is_its_owners_alone() -> None:
    wagers = [w for seat in (1, 2, 5) for w in at(seat, ante="5.00", progressive="1.00")]
    seats = {"s1": "Kd 2h", "s2": "Tc 2d", "s5": "As Ad"}
    folds = [fold for seat in (1, 2, 5) for fold in choices(seat, "fold")]
    answer = settled(a_round(seats, wagers, board="5c 6c 7c 8c 9c", decisions=folds))
    assert hits(answer) == [
        (1, "straight-flush", "9c 8c 7c 6c 5c", True, True),
        (2, "straight-flush", "Tc 9c 8c 7c 6c", False, True),
        (5, "straight-flush", "9c 8c 7c 6c 5c", True, True),
    ]
    assert rules_of(answer)["progressive@1"] == "11.98"
    assert rules_of(answer)["progressive@2"] == "11.97"


@pytest.mark.parametrize(
    ("board", "hole", "hand", "on_board"),
    [
        ("Tc Jc Qc Kc Ac", "2d 3d", "royal-flush", True),
        ("9c 9d 9h 9s Ac", "Kd 3h", "four-of-a-kind", True),
        ("9c 9d 9h 9s 2c", "Kd 3h", "four-of-a-kind", False),
        ("9c 9d 9h 2s 2c", "Kd 3h", "full-house", True),
        ("9c 9d 9h 2s 2c", "Kd Kh", "full-house", False),
    ],
)
def test_11_98_which_hands_are_on_the_board(board: str, hole: str, hand: str, on_board: bool) -> None:
    wagers = at(1, ante="5.00", progressive="1.00")
    answer = settled(a_round({"s1": hole}, wagers, board=board, decisions=choices(1, "fold")))
    assert [(h.trigger, h.on_board) for h in answer.hits] == [(hand, on_board)]


def test_void_and_dead_hands_touch_their_seat_alone() -> None:
    wagers = [w for seat in (1, 2, 3) for w in at(seat, ante="5.00", progressive="1.00", call="10.00")]
    wrong = [{"kind": "void-hand", "seat": 1}, {"kind": "dead-hand", "seat": 2}]
    seats = {"s1": "9s", "s3": "Ks 3s"}
    answer = settled(a_round(seats, wagers, board=LOW, dealer="Js 4d", irregularities=wrong))
    assert lines(answer) == {
        "ante@1": "void back 5.00",
        "progressive@1": "void back 1.00",
        "call@1": "void back 10.00",
        "ante@2": "lose",
        "progressive@2": "lose",
        "call@2": "lose",
        "ante@3": "win +5.00 back 5.00",
        "progressive@3": "lose",
        "call@3": "win +10.00 back 10.00",
    }


@pytest.mark.parametrize(("kind", "seat"), [("void-hand", 0), ("dead-hand", 0), ("dead-hand", 2)])
def test_a_void_or_dead_hand_is_somebodys(kind: str, seat: int) -> None:
    wrong = [{"kind": kind, "seat": seat}]
    wagers = at(1, ante="5.00", call="10.00")
    with pytest.raises(RuleError, match="name the seat"):
        settled(a_round({"s1": "Ks 3s"}, wagers, board=LOW, dealer="Js 4d", irregularities=wrong))


def test_1_5_an_invalidated_round_is_refunded() -> None:
    gone = [{"kind": "invalidated", "value": {"reason": "a card too many in the pack"}}]
    answer = settled(a_round({}, at(1, ante="5.00", progressive="1.00"), irregularities=gone))
    assert lines(answer) == {"ante@1": "void back 5.00", "progressive@1": "void back 1.00"}


def test_2_6_own_odds_may_be_better_and_never_worse() -> None:
    own = {
        "royal-flush": "100 to 1",
        "straight-flush": "20 to 1",
        "four-of-a-kind": "10 to 1",
        "full-house": "3 to 1",
        "flush": "5 to 2",
        "straight-or-less": "1 to 1",
    }
    given = a_round({"s1": "Ac 4c"}, at(1, ante="5.00", call="10.00"), board="2c 5c 9c Jd Kh", dealer="Jh 3d")
    answer = settled(given | {"paytables": {"ante": own}})
    assert lines(answer)["ante@1"] == "win +12.50 back 5.00"
    with pytest.raises(RuleError, match="3 to 2 is below the minimum of 2 to 1") as refused:
        settled(given | {"paytables": {"ante": own | {"flush": "3 to 2"}}})
    assert refused.value.rule == "gb-2011 2.6"


WRONG = [
    ("11.81 call of three antes", at(1, ante="5.00", call="15.00"), {}, "wagers[1].stake", "11.81"),
    ("11.79 aa bonus alone", at(1, aa_bonus="5.00"), {}, "wagers[0]", "11.79"),
    ("11.94 progressive alone", at(1, progressive="1.00"), {}, "wagers[0]", "11.94"),
    (
        "11.94 an ante elsewhere",
        at(2, ante="5.00") + at(1, progressive="1.00"),
        {},
        "wagers[1]",
        "11.94",
    ),
    (
        "11.9 two positions",
        [w | {"player": "Ann"} for w in at(1, ante="5.00") + at(2, ante="5.00")],
        {},
        "wagers[1].seat",
        "11.9",
    ),
    (
        "11.9 two players",
        [w | {"player": p, "id": p} for w, p in zip(at(1, ante="5.00") * 2, ("Ann", "Bob"), strict=True)],
        {},
        "wagers[1].player",
        "11.9",
    ),
    (
        "11.92 no progressive here",
        at(1, ante="5.00", progressive="1.00"),
        {"options": {"side-wagers": ["aa-bonus"]}},
        "wagers[1].kind",
        "11.94",
    ),
    (
        "11.82 folded and called",
        at(1, ante="5.00", call="10.00"),
        {"decisions": [{"kind": "fold", "seat": 1}]},
        "decisions[0]",
        "11.82",
    ),
    (
        "a decision of nobody",
        at(1, ante="5.00"),
        {"decisions": [{"kind": "fold", "seat": 2}]},
        "decisions[0].seat",
        "11.82",
    ),
    (
        "a decision for another wager",
        at(1, ante="5.00", call="10.00"),
        {"decisions": [{"kind": "call", "seat": 1, "wager": "ante@1"}]},
        "decisions[0].wager",
        "11.81",
    ),
]


@pytest.mark.parametrize(
    ("wagers", "more", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], field: str, rule: str
) -> None:
    faults = check_wagers(round_from_json(a_round({}, wagers, **more), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


@pytest.mark.parametrize(
    ("seats", "board", "dealer", "message"),
    [
        ({"s1": "Ks Kd"}, LOW, "3s 3d", r"dealt.board\[4\]: Kd is dealt 2 times"),
        ({"s1": "Ks 3s", "s2": "4s 4d"}, LOW, "3h 3d", "seat 2 has cards but no wager"),
        ({}, LOW, "3h 3d", "dealt.seats.1: is missing"),
        ({"s1": "Ks"}, LOW, "3h 3d", "expected 2 items"),
        ({"s1": "Ks 3s"}, "2c 5d 9h Jc", "3h 3d", "dealt.board: 5 cards are needed to settle, 4 are given"),
        ({"s1": "Ks 3s"}, None, "3h 3d", "dealt.board: is missing"),
        ({"s1": "Ks 3s"}, LOW, None, "dealt.dealer: is missing"),
    ],
)
def test_wrong_cards(seats: dict[str, str], board: str | None, dealer: str | None, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(seats, at(1, ante="5.00", call="10.00"), board=board, dealer=dealer))


def test_11_100_a_folded_progressive_waits_for_turn_and_river() -> None:
    with pytest.raises(RuleError, match="5 cards are needed to settle, 3 are given") as refused:
        settled(
            a_round(
                {"s1": "Ks 3s"},
                at(1, ante="5.00", progressive="1.00"),
                board="2c 5d 9h",
                decisions=choices(1, "fold"),
            )
        )
    assert refused.value.rule == "gb-2011 11.100"


def test_decisions_are_checked_one_by_one() -> None:
    given = a_round({"s1": "Ks 3s"}, at(1, ante="5.00"), board="2c 5d 9h")
    round = round_from_json(given, partial=True)
    call = Decision("call", seat=1, wager="c")
    assert check_decision(round, call, Wager("c", "call", money("10.00"), 1)) is None
    refused = check_decision(round, call, Wager("c", "call", money("5.00"), 1))
    assert refused is not None
    assert refused.rule == "gb-2011 11.81"
    folded = round_from_json(given | {"decisions": [{"kind": "fold", "seat": 1}]}, partial=True)
    refused = check_decision(folded, call, Wager("c", "call", money("10.00"), 1))
    assert refused is not None


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, bool, bool]) -> Player:
        aa, progressive, call = parts
        laid = [{"kind": "ante", "stake": "5.00"}]
        laid += [{"kind": "aa-bonus", "stake": "1.00"}] if aa else []
        laid += [{"kind": "progressive", "stake": "1.00"}] if progressive else []
        laid += [{"kind": "call", "stake": "10.00"}] if call else []
        return laid, [{"kind": "call" if call else "fold"}]

    return st.tuples(st.booleans(), st.booleans(), st.booleans()).map(build)


TABLES = full_tables(
    "casino-holdem", players(), hand=2, dealt=lambda draw: {"board": draw(5), "dealer": draw(2)}
)


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
