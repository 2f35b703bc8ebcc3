"""Big Raise Stud (nz-consultation): bands of 10.2, raises of one to four antes, blind raises, Three Card Bonus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import DECK, card_text, parse_cards
from rules.contract import Decision, Wager
from rules.games.big_raise_stud import classify_raise, classify_three_card_bonus
from rules.ranking import rank5
from tests.rules import ranking_by_definition as by_definition
from tests.rules.games.poker import MANY, choices, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, money, rules_of, settled, wager

COMMON = "Ts 3h"


def a_round(
    seats: dict[str, str], wagers: list[dict[str, Any]], common: str = COMMON, **more: Any
) -> dict[str, Any]:
    dealt: dict[str, Any] = {"seats": hands(**seats)}
    if common:
        dealt["community"] = common.split()
    return {"game": "big-raise-stud", "rulebook": "nz-consultation", "wagers": wagers, "dealt": dealt, **more}


def at(seat: int, ante: str = "5.00", **stakes: str) -> list[dict[str, Any]]:
    return [wager("ante", ante, seat), *(wager(k.replace("_", "-"), v, seat) for k, v in stakes.items())]


# three cards and two in common → lines of an ante of 5 and a raise of 10 (5.7, 10.2)
CASES = [
    ("nothing", "2c 6d 8h", COMMON, "lose", "lose", "10.2(c)"),
    ("ace high", "Ac Kd Qh", "9s 3h", "lose", "lose", "10.2(c)"),
    ("fives", "5c 5d Ah", COMMON, "lose", "lose", "10.2(c)"),
    ("sixes", "6c 6d 2h", COMMON, "push back 5.00", "push back 10.00", "10.2(b)"),
    ("nines, ace", "9c 9d Ah", COMMON, "push back 5.00", "push back 10.00", "10.2(b)"),
    ("tens", "Tc 2d 4h", COMMON, "win +5.00 back 5.00", "win +10.00 back 10.00", "10.2(a)"),
    ("aces", "Ac Ad 4h", COMMON, "win +5.00 back 5.00", "win +10.00 back 10.00", "10.2(a)"),
    ("two pairs", "2c 2d 3c", COMMON, "win +5.00 back 5.00", "win +20.00 back 10.00", "10.2(a)"),
    ("three", "2c 2d 2h", COMMON, "win +5.00 back 5.00", "win +30.00 back 10.00", "10.2(a)"),
    ("straight", "2c 4d 5h", "6s 3h", "win +5.00 back 5.00", "win +40.00 back 10.00", "10.2(a)"),
    ("flush", "2c 4c 5c", "9c Jc", "win +5.00 back 5.00", "win +60.00 back 10.00", "10.2(a)"),
    ("full house", "Tc Td 3c", COMMON, "win +5.00 back 5.00", "win +80.00 back 10.00", "10.2(a)"),
    ("four", "Tc Td Th", COMMON, "win +5.00 back 5.00", "win +400.00 back 10.00", "10.2(a)"),
    ("straight flush", "2c 4c 5c", "6c 3c", "win +5.00 back 5.00", "win +1000.00 back 10.00", "10.2(a)"),
    ("royal flush", "Ac Kc Qc", "Jc Tc", "win +5.00 back 5.00", "win +5000.00 back 10.00", "10.2(a)"),
]


@pytest.mark.parametrize(
    ("hand", "common", "ante", "bet", "rule"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_ante_and_raise(hand: str, common: str, ante: str, bet: str, rule: str) -> None:
    answer = settled(a_round({"s1": hand}, at(1, **{"raise": "10.00"}), common))
    assert lines(answer) == {"ante@1": ante, "raise@1": bet}
    assert set(rules_of(answer).values()) == {rule}


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True))
@MANY
def test_bands_by_definition(hand: list[int]) -> None:
    name, ties = by_definition.name_and_ties(by_definition.pairs_of(card_text(card) for card in hand))
    key = classify_raise(rank5(hand))
    if name == "high" or (name == "pair" and ties[0] < 6):
        assert key is None
    elif name == "pair" and ties[0] < 10:
        assert key == "stand-off"
    else:
        assert key not in (None, "stand-off")


# 10.3: the three cards → what 1.00 wins
BONUS = [
    ("2c 3c 4c", 40),
    ("Qc Kc Ac", 40),
    ("Ac 2c 3c", 40),
    ("2c 2d 2h", 30),
    ("2c 3d 4h", 6),
    ("Qc Kd Ah", 6),
    ("2c 4c 9c", 3),
    ("2c 2d 9c", 1),
    ("2c 4d 9c", 0),
    ("Kc Ad 2c", 0),
]


@pytest.mark.parametrize(("hand", "pays"), BONUS)
def test_10_3_three_card_bonus_even_for_a_folded_hand(hand: str, pays: int) -> None:
    expected = f"win +{pays}.00 back 1.00" if pays else "lose"
    folded = a_round({"s1": hand}, at(1, three_card_bonus="1.00"), decisions=[{"kind": "fold", "seat": 1}])
    answer = settled(folded)
    assert lines(answer) == {"ante@1": "lose", "three-card-bonus@1": expected}
    played = settled(a_round({"s1": hand}, at(1, three_card_bonus="1.00", **{"raise": "5.00"}), "Td 6s"))
    assert lines(played)["three-card-bonus@1"] == expected


def test_the_bonus_agrees_with_the_definition_of_three_card_hands() -> None:
    names = {"straight flush": "straight-flush", "three": "three-of-a-kind"}
    for first in range(0, 52, 3):
        for second in range(first + 1, 52, 2):
            for third in range(second + 1, 52, 3):
                hand = (first, second, third)
                name = by_definition.name_and_ties(by_definition.pairs_of(map(card_text, hand)))[0]
                assert classify_three_card_bonus(hand) == (None if name == "high" else names.get(name, name))


def test_5_1c_a_blind_raise_comes_back_with_a_fold_and_plays_otherwise() -> None:
    blind = at(1, blind_raise="20.00")
    options = {"blind-betting": True}
    played = settled(a_round({"s1": "Tc 2d 4h"}, blind, options=options))
    assert lines(played)["blind-raise@1"] == "win +20.00 back 20.00"
    fold = [{"kind": "fold", "seat": 1}]
    folded = settled(a_round({"s1": "Tc 2d 4h"}, blind, options=options, decisions=fold))
    assert lines(folded) == {"ante@1": "lose", "blind-raise@1": "void back 20.00"}
    assert rules_of(folded)["blind-raise@1"] == "5.9(b)"
    with pytest.raises(RuleError, match="takes no raise before the cards"):
        settled(a_round({"s1": "Tc 2d 4h"}, blind))


def test_5_8_a_maximum_payout_caps_the_raise() -> None:
    limits = {"kinds": {"raise": {"max_payout": "1000.00"}}}
    answer = settled(a_round({"s1": "Ac Kc Qc"}, at(1, **{"raise": "10.00"}), "Jc Tc", limits=limits))
    assert lines(answer)["raise@1"] == "win +1000.00 back 10.00"
    assert "nz-consultation Big Raise Stud 5.8" in answer.lines[1].also


# Irregularities


@pytest.mark.parametrize(
    "cause",
    ["wrong-number-of-cards", "community-card-exposed", "cards-exposed", "cards-without-ante", "short-deck"],
)
def test_11_11_a_misdeal_voids_what_it_touches(cause: str) -> None:
    wagers = at(1, three_card_bonus="1.00", **{"raise": "5.00"}) + at(2, **{"raise": "5.00"})
    seats = {"s1": "Tc 2d 4h", "s2": "Td 2c 4d"}
    whole = [{"kind": "misdeal", "value": {"cause": cause}}]
    answer = settled(a_round(seats, wagers, "", irregularities=whole))
    assert {line.outcome.value for line in answer.lines} == {"void"}
    assert set(rules_of(answer).values()) == {"11.11"}
    one = [{"kind": "misdeal", "seat": 1, "value": {"cause": cause}}]
    answer = settled(a_round(seats | {"s1": "Tc 2d"}, wagers, irregularities=one))
    assert lines(answer)["three-card-bonus@1"] == "void back 1.00"
    assert lines(answer)["raise@2"] == "win +5.00 back 5.00"


@pytest.mark.parametrize(
    ("cause", "rule"), [("conduct", "11.1"), ("cards-collected", "11.13"), ("hands-viewed", "11.15(b)")]
)
def test_11_1_11_13_11_15_a_void_hand(cause: str, rule: str) -> None:
    void = [{"kind": "void-hand", "seat": 1, "value": {"cause": cause}}]
    answer = settled(a_round({"s1": "Tc 2d 4h"}, at(1, **{"raise": "5.00"}), irregularities=void))
    assert lines(answer) == {"ante@1": "void back 5.00", "raise@1": "void back 5.00"}
    assert set(rules_of(answer).values()) == {rule}


def test_11_7_after_an_exposed_card_a_raise_is_the_ante() -> None:
    exposed = [{"kind": "dealer-exposed"}]
    answer = settled(a_round({"s1": "Tc 2d 4h"}, at(1, **{"raise": "5.00"}), irregularities=exposed))
    assert lines(answer)["raise@1"] == "win +5.00 back 5.00"
    with pytest.raises(RuleError, match="a raise is equal to the ante") as refused:
        settled(a_round({"s1": "Tc 2d 4h"}, at(1, **{"raise": "10.00"}), irregularities=exposed))
    assert refused.value.rule == "nz-consultation Big Raise Stud 11.7"
    other = [{"kind": "dealer-exposed", "seat": 2}]
    assert settled(a_round({"s1": "Tc 2d 4h"}, at(1, **{"raise": "10.00"}), irregularities=other)).lines


def test_11_9_a_bonus_in_an_area_without_an_ante_is_void() -> None:
    wagers = [*at(1, **{"raise": "5.00"}), wager("three-card-bonus", "1.00", 2)]
    document = a_round({"s1": "Tc 2d 4h", "s2": "2c 2h 2s"}, wagers)
    with pytest.raises(RuleError, match="needs an ante"):
        settled(document)
    document["irregularities"] = [{"kind": "hand-without-ante", "seat": 2}]
    answer = settled(document)
    assert (lines(answer)["three-card-bonus@2"], rules_of(answer)["three-card-bonus@2"]) == (
        "void back 1.00",
        "11.9",
    )
    assert lines(answer)["raise@1"] == "win +5.00 back 5.00"
    document["wagers"] = wagers[:2]
    assert lines(settled(document))["raise@1"] == "win +5.00 back 5.00", "nothing wagered there at all"
    document["irregularities"] = [{"kind": "hand-without-ante"}]
    with pytest.raises(RuleError, match="seat 2 has cards but no wager"):
        settled(document)


def test_11_12_an_absent_player_forfeits_the_ante_and_keeps_the_bonus_in_action() -> None:
    absent = [{"kind": "absent", "seat": 1}]
    answer = settled(a_round({"s1": "2c 2d 2h"}, at(1, three_card_bonus="1.00"), irregularities=absent))
    assert lines(answer) == {"ante@1": "lose", "three-card-bonus@1": "win +30.00 back 1.00"}
    assert rules_of(answer)["ante@1"] == "11.12"
    with pytest.raises(RuleError, match="placed a raise wager, so somebody was there"):
        settled(a_round({"s1": "2c 2d 2h"}, at(1, **{"raise": "5.00"}), irregularities=absent))


def test_i_11_2_a_void_raise_is_no_fold() -> None:
    wagers = at(1, three_card_bonus="1.00", **{"raise": "10.00"})
    device = [{"kind": "device", "wager": "raise@1"}]
    for hand, ante in [
        ("Tc 2d 4h", "win +5.00 back 5.00"),
        ("9c 9d Ah", "push back 5.00"),
        ("2c 6d 8h", "lose"),
    ]:
        answer = settled(a_round({"s1": hand}, wagers, irregularities=device))
        assert (lines(answer)["ante@1"], lines(answer)["raise@1"]) == (ante, "void back 10.00")


@pytest.mark.parametrize(
    ("kind", "seat"), [("absent", 0), ("absent", 2), ("void-hand", 0), ("void-hand", 2), ("misdeal", 2)]
)
def test_11_1_11_12_an_irregular_hand_is_one_with_a_wager(kind: str, seat: int) -> None:
    wrong = [{"kind": kind, "seat": seat}]
    with pytest.raises(RuleError, match="name the seat"):
        settled(a_round({"s1": "2c 2d 2h"}, at(1, **{"raise": "5.00"}), irregularities=wrong))


# Wrong input

WRONG: list[tuple[str, dict[str, Any], list[dict[str, Any]], tuple[str, str]]] = [
    ("5.2 five antes", {}, at(1, **{"raise": "25.00"}), ("wagers[1].stake", "5.2(b)")),
    ("5.2 one and a half", {}, at(1, **{"raise": "7.50"}), ("wagers[1].stake", "5.2(b)")),
    ("5.2 without an ante", {}, [wager("raise", "5.00", 1)], ("wagers[0]", "5.2(b)")),
    ("5.1(b) not offered", {"side-wagers": []}, at(1, three_card_bonus="1.00"), ("wagers[1].kind", "5.1(b)")),
    (
        "5.6 raised twice",
        {"blind-betting": True},
        at(1, blind_raise="5.00", **{"raise": "5.00"}),
        ("wagers[2]", "5.6"),
    ),
    (
        "5.5 two areas",
        {},
        [wager("ante", "5.00", seat, player="ann") for seat in (1, 2)],
        ("wagers[1].seat", "5.6"),
    ),
]


@pytest.mark.parametrize(("options", "wagers", "fault"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(
    options: dict[str, Any], wagers: list[Any], fault: tuple[str, str]
) -> None:
    document = {"game": "big-raise-stud", "rulebook": "nz-consultation", "options": options, "wagers": wagers}
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [fault]


@pytest.mark.parametrize(
    ("seats", "common", "message"),
    [
        ({"s1": "Ts 2d 4h"}, COMMON, "Ts is dealt 2 times"),
        ({"s1": "Tc 2d 4h", "s2": "2c 5d 7h"}, COMMON, "seat 2 has cards but no wager"),
        ({}, COMMON, "3 cards are needed to settle"),
        ({"s1": "Tc 2d 4h"}, "", "2 cards are needed to settle"),
        ({"s1": "Tc 2d"}, COMMON, "expected 3 items"),
    ],
)
def test_wrong_cards_are_refused(seats: dict[str, str], common: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(seats, at(1, **{"raise": "5.00"}), common))


def test_decisions_are_checked_one_by_one() -> None:
    round = round_from_json(a_round({"s1": "Tc 2d 4h"}, at(1), ""), partial=True)
    chosen = Decision("raise", seat=1, wager="r")
    assert check_decision(round, chosen, Wager("r", "raise", money("20.00"), 1)) is None
    assert check_decision(round, chosen, Wager("r", "raise", money("25.00"), 1)) is not None
    assert check_decision(round, Decision("fold", seat=1)) is None
    folded = round_from_json(
        a_round({"s1": "Tc 2d 4h"}, at(1), "", decisions=[{"kind": "fold", "seat": 1}]), partial=True
    )
    assert check_decision(folded, chosen, Wager("r", "raise", money("20.00"), 1)) is not None


PLAYERS = st.lists(st.tuples(st.booleans(), st.sampled_from([0, 1, 2, 3, 4])), min_size=1, max_size=7)


def _table(deck: Sequence[int], players: list[tuple[bool, int]], seats: Sequence[int]) -> dict[str, Any]:
    texts = [card_text(card) for card in deck]
    wagers, decisions, dealt = [], [], {}
    for index, ((bonus, times), seat) in enumerate(zip(players, seats, strict=False)):
        stakes = {"ante": "5.00"} | ({"three-card-bonus": "1.00"} if bonus else {})
        stakes |= {"raise": f"{5 * times}.00"} if times else {}
        wagers += [wager(kind, stake, seat, id=f"{kind}-{index}") for kind, stake in stakes.items()]
        decisions += [] if times else choices(seat, "fold")
        dealt[str(seat)] = texts[2 + 3 * index : 5 + 3 * index]
    document = {"game": "big-raise-stud", "rulebook": "nz-consultation", "wagers": wagers}
    document["decisions"] = decisions
    return document | {"dealt": {"community": texts[:2], "seats": dealt}}


@given(st.permutations(DECK), PLAYERS)
@MANY
def test_permuting_seats_permutes_lines(deck: list[int], players: list[tuple[bool, int]]) -> None:
    there = settled(_table(deck, players, range(1, 8)))
    assert lines(settled(_table(deck, players, range(7, 0, -1)))) == lines(there)


@given(
    spoilt(
        st.builds(lambda deck, players: _table(deck, players, range(1, 8)), st.permutations(DECK), PLAYERS)
    )
)
@MANY
def test_anything_is_settled_or_refused(document: dict[str, Any]) -> None:
    settle_or_refuse(json.loads(json.dumps(document)))


def test_a_hand_is_worth_five_cards() -> None:
    assert classify_raise(rank5(parse_cards("Tc 2d 4h Ts 3h"))) == "pair"
