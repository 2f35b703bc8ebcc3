"""Pai Gow Poker (gb-2011 13): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import DECK_WITH_JOKER, card_text, parse_cards
from rules.contract import Decision
from rules.games.pai_gow_poker.fortune import (
    FORTUNE_ODDS,
    ROYAL_MATCH,
    SEVEN,
    SEVEN_WITH_JOKER,
    classify_fortune,
)
from tests.rules.games.poker import FEW, MANY, at, document, reversed_seats, settle_or_refuse, spoilt
from tests.rules.laws import lines, rules_of, settled

DEALER = "Ks Kd 9c 8h 6s 4d 2c"
"""Set as kings behind and nine-eight in front."""


def sets(seat: int, low: str = "") -> list[dict[str, Any]]:
    if not low:
        return [{"kind": "house-way", "seat": seat}]
    return [{"kind": "set", "seat": seat, "value": low.split()}]


def a_round(
    hands: list[str], wagers: list[dict[str, Any]], dealer: str = DEALER, **more: Any
) -> dict[str, Any]:
    seats = {f"s{seat}": hand for seat, hand in enumerate(hands, start=1)}
    more.setdefault("decisions", [d for seat in range(1, len(hands) + 1) for d in sets(seat)])
    return document("pai-gow-poker", wagers, seats, dealer=dealer, **more)


def any_dealer(*hands: str) -> str:
    """Seven cards of what is left, where the dealer's hand does not matter."""
    held = " ".join(hands)
    return " ".join([card_text(card) for card in range(52) if card_text(card) not in held][:7])


def one(hand: str, low: str, **more: Any) -> dict[str, Any]:
    return a_round([hand], at(1, standard="10.00"), decisions=sets(1, low), **more)


WIN, PUSH = "win +10.00 back 10.00 fee 0.50", "push back 10.00"
# seven cards, the low hand of the player ('' is the House Way), the line of 10.00, its rule, further rules
CASES: list[tuple[str, str, str, str, str, tuple[str, ...]]] = [
    ("13.26 both win", "As Ad Qc Jh 7s 5d 3c", "Qc Jh", WIN, "13.26", ()),
    ("13.26 the House Way", "As Ad Qc Jh 7s 5d 3c", "", WIN, "13.26", ()),
    ("13.23 high wins, low loses", "As Ad Qc Jh 7s 5d 3c", "5d 3c", PUSH, "13.23", ()),
    ("13.23 low wins, high loses", "Qs Qd Ac Jh 7s 5d 3c", "Ac Jh", PUSH, "13.23", ()),
    ("13.24 both lose", "Qs Qd 7c 5h 4s 3d 2h", "7c 5h", "lose", "13.24", ()),
    ("13.25 copy in front", "As Ad 9s 8d 7c 5h 3c", "9s 8d", PUSH, "13.23", ("13.25",)),
    ("13.25 copy behind", "Kc Kh 6d 4s 2d Ac Qh", "Ac Qh", PUSH, "13.23", ("13.25",)),
    ("13.25 copy of both", "Kc Kh 9s 8d 6d 4s 2d", "9s 8d", "lose", "13.24", ("13.25",)),
    ("13.25 copy and lower", "Kc Kh 6d 4s 2d 7c 5h", "7c 5h", "lose", "13.24", ("13.25",)),
    ("13.20 a pair broken up", "As Ad 5c 5h 7s 4s 3c", "As 7s", PUSH, "13.23", ()),
    ("13.9 the joker is an ace", "Jo Ad Qc Jh 7s 5d 3c", "Qc Jh", WIN, "13.26", ()),
    ("13.19(a) foul", "Qs Qd Ac Jh 7s 5d 3c", "Qs Qd", "lose", "13.19(a)", ()),
    ("13.19(a) foul by a high card", "Ah Qd Tc 9h 7s 5d 3c", "Ah 3c", "lose", "13.19(a)", ()),
    ("13.19 no foul: two pairs", "Qs Qd Qc Qh 7s 5d 3c", "Qs Qd", PUSH, "13.23", ()),
]


@pytest.mark.parametrize(
    ("hand", "low", "line", "rule", "also"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_13_22_the_standard_wager(hand: str, low: str, line: str, rule: str, also: tuple[str, ...]) -> None:
    answer = settled(one(hand, low))
    assert lines(answer) == {"standard@1": line}
    assert rules_of(answer) == {"standard@1": rule}
    assert answer.lines[0].also == tuple(f"gb-2011 {number}" for number in also)


def test_13_19_b_a_foul_is_set_anew() -> None:
    fouled = one("Qs Qd Ac Jh 7s 5d 3c", "Qs Qd", options={"foul": "house-way"})
    answer = settled(fouled)
    assert lines(answer) == {"standard@1": PUSH}
    assert answer.lines[0].also == ("gb-2011 13.19(b)",)
    assert answer.result["1"] == "pair of queens, seven-five-three kickers / ace high, jack (one pair)"
    proper = settled(one("Qs Qd Ac Jh 7s 5d 3c", "5d 3c", options={"foul": "house-way"}))
    assert lines(proper) == {"standard@1": "lose"}


def test_13_19_the_side_wager_of_a_fouled_hand_is_settled_all_the_same() -> None:
    wagers = at(1, standard="10.00", fortune="5.00")
    answer = settled(a_round(["Qs Qd Qc Jh 7s 5d 3c"], wagers, decisions=sets(1, "Qs Qd")))
    assert lines(answer) == {"standard@1": "lose", "fortune@1": "win +15.00 back 5.00"}


@pytest.mark.parametrize(
    ("stake", "chip", "line"),
    [
        ("10.00", "1.00", "win +10.50 back 10.00 fee 0.50"),  # 9.50 is paid as 10.00
        ("20.00", "1.00", "win +20.00 back 20.00 fee 1.00"),
        ("0.10", "0.01", "win +0.105 back 0.10 fee 0.005"),  # 0.095 is paid as 0.10
    ],
)
def test_13_26_the_commission_is_exact_and_the_payment_is_rounded_up(
    stake: str, chip: str, line: str
) -> None:
    wagers = at(1, standard=stake)
    answer = settled(a_round(["As Ad Qc Jh 7s 5d 3c"], wagers, limits={"chip": chip}))
    assert lines(answer) == {"standard@1": line}


def test_2_5_less_commission_and_better_odds_are_allowed() -> None:
    better = one("As Ad Qc Jh 7s 5d 3c", "", options={"commission-percent": 2})
    assert lines(settled(better)) == {"standard@1": "win +10.00 back 10.00 fee 0.20"}
    double = better | {"paytables": {"standard": {"win": "2 to 1"}}}
    assert lines(settled(double)) == {"standard@1": "win +20.00 back 10.00 fee 0.40"}
    with pytest.raises(RuleError, match="from 0 to 5"):
        settled(better | {"options": {"commission-percent": 6}})


# seven cards, odds by the minimum (13.36) and tables 1 and 2 (13.37); None is lost, 0 is a stand off
FORTUNE: list[tuple[str, str, tuple[int | None, int | None, int | None]]] = [
    ("seven in a row", "4s 5s 6s 7s 8s 9s Ts", (2500, 5000, 8000)),
    ("seven up to the ace", "8s 9s Ts Js Qs Ks As", (2500, 5000, 8000)),
    ("seven from the ace", "As 2s 3s 4s 5s 6s 7s", (2500, 5000, 8000)),
    ("royal and match", "As Ks Qs Js Ts Kd Qd", (1000, 1000, 2000)),
    ("royal of the joker and match", "As Ks Jo Js Ts Kd Qd", (1000, 1000, 2000)),
    ("seven with joker", "4s 5s 6s 8s 9s Ts Jo", (500, 750, 1000)),
    ("seven with joker at the end", "As 2s 3s 4s 5s 6s Jo", (500, 750, 1000)),
    ("seven with joker up to the ace", "9s Ts Js Qs Ks As Jo", (500, 750, 1000)),
    ("five aces", "As Ad Ac Ah Jo Kd Qd", (250, 250, 400)),
    ("royal", "As Ks Qs Js Ts Kd Qc", (100, 100, 150)),
    ("royal with joker", "As Ks Jo Js Ts 3d Qc", (100, 100, 150)),
    ("royal of six", "As Ks Qs Js Ts 9s 2d", (100, 100, 150)),
    ("straight flush", "4s 5s 6s 7s 8s Kd Qd", (50, 50, 50)),
    ("straight flush of six and joker", "4s 5s 6s 7s 8s Ks Jo", (50, 50, 50)),
    ("no way round the ace", "Qs Ks As 2s 3s 4s 5s", (50, 50, 50)),
    ("four of a kind", "4s 4d 4c 4h 8s Kd Qd", (20, 20, 25)),
    ("four aces with joker", "As Ad Ac Jo 8s Kd Qd", (20, 20, 25)),
    ("four and three", "4s 4d 4c 4h 8s 8d 8c", (20, 20, 25)),
    ("full house", "4s 4d 4c 8h 8s Kd Qd", (5, 5, 5)),
    ("full house with joker", "4s 4d 4c Ah Jo Kd Qd", (5, 5, 5)),
    ("three of a kind twice", "4s 4d 4c 8h 8s 8d Qd", (5, 5, 5)),
    ("flush", "2s 5s 7s 9s Ks Kd Qd", (4, 4, 4)),
    ("flush with joker and three aces", "As 5s 7s 9s Jo Ad Qd", (4, 4, 4)),
    ("three of a kind", "4s 4d 4c 8h 9s Kd Qd", (3, 3, 3)),
    ("three aces with joker", "As Ad Jo 8h 9s 3d 2d", (3, 3, 3)),
    ("three of a kind and straight", "9s 9d 9c 8h 7s 6d 5c", (3, 3, 3)),
    ("straight", "9s 8d 7c 6h 5s Kd Qd", (2, 2, 2)),
    ("wheel with joker", "As 2d Jo 4h 5s Kd 9d", (2, 2, 2)),
    ("straight and three pairs with joker", "As Kd Kc Qh Qs Jd Jo", (2, 2, 2)),
    ("three pairs", "4s 4d 8c 8h Ks Kd Qd", (0, 0, None)),
    ("three pairs with joker", "4s 4d 8c 8h As Jo Qd", (0, 0, None)),
    ("two pairs", "4s 4d 8c 8h As Jd Qd", (None, None, None)),
    ("high card", "2s 4d 8c 9h As Jd Qd", (None, None, None)),
]


@pytest.mark.parametrize(("hand", "odds"), [f[1:] for f in FORTUNE], ids=[f[0] for f in FORTUNE])
def test_13_36_fortune_by_every_table(hand: str, odds: tuple[int | None, ...]) -> None:
    wagers = at(1, standard="10.00", fortune="2.00")
    for table, figure in zip(("minimum", "table-1", "table-2"), odds, strict=True):
        answer = settled(a_round([hand], wagers, any_dealer(hand), paytables={"fortune": table}))
        line = "lose" if figure is None else f"win +{2 * figure}.00 back 2.00" if figure else "push back 2.00"
        assert lines(answer)["fortune@1"] == line, table
        assert rules_of(answer)["fortune@1"] == ("13.35" if figure is None else "13.36")


def test_13_36_the_rarest_hands_are_counted() -> None:
    """32 and 196 of them, and 72 royal flushes with a royal match, are the well known numbers of the 53-card pack."""
    suits = [[card for card in range(52) if card & 3 == suit] for suit in range(4)]
    assert sum(classify_fortune(hand) == SEVEN for suit in suits for hand in combinations(suit, 7)) == 32
    joker = sum(
        classify_fortune((*hand, 52)) == SEVEN_WITH_JOKER for suit in suits for hand in combinations(suit, 6)
    )
    assert joker == 196
    found = 0
    for suit in suits:
        for royal in combinations((*suit[-5:], 52), 5):
            rest = [card for card in range(52) if card not in royal]
            found += sum(classify_fortune((*royal, *two)) == ROYAL_MATCH for two in combinations(rest, 2))
    assert found == 72


def test_13_36_three_pairs_are_at_the_operator_s_discretion() -> None:
    own = {key: odds.text for key, odds in FORTUNE_ODDS[0].lines.items() if key != "three-pairs"}
    hand, wagers = "4s 4d 8c 8h Qs Qd 2s", at(1, standard="10.00", fortune="2.00")
    for more, line in (
        ({}, "lose"),
        ({"three-pairs": "0 to 1"}, "push back 2.00"),
        ({"three-pairs": "1 to 1"}, "win +2.00 back 2.00"),
    ):
        answer = settled(a_round([hand], wagers, any_dealer(hand), paytables={"fortune": own | more}))
        assert lines(answer)["fortune@1"] == line


QUADS, NOTHING = "4s 4d 4c 4h 8s Kd Qd", "2s 5d 8c Th Js Ad 6d"
LOW_DEALER = "3h 3d 5s 7c 9h Jc Qc"


def test_13_43_an_envy_bonus_for_another_player_s_hand() -> None:
    """Seat 1 holds four of a kind and wagers nothing on it; seat 2 loses its Fortune wager and has the bonus."""
    wagers = [*at(1, standard="10.00"), *at(2, standard="10.00", fortune="5.00")]
    answer = settled(a_round([QUADS, NOTHING], wagers, LOW_DEALER))
    assert lines(answer)["fortune@2"] == "win +2.00"
    assert (rules_of(answer)["fortune@2"], answer.lines[2].also) == ("13.43", ("gb-2011 13.35",))


def test_13_44_a_bonus_for_each_winning_hand_but_one_s_own() -> None:
    hands = [QUADS, "7s 7d 7h Jd Ts 9d 9s", "As Ac Ah Jo 2d 2c 6h"]
    wagers = [w for seat in (1, 2, 3) for w in at(seat, standard="10.00", fortune="5.00")]
    answer = settled(a_round(hands, wagers, LOW_DEALER))
    assert {key: line for key, line in lines(answer).items() if key.startswith("fortune")} == {
        "fortune@1": "win +102.00 back 5.00",  # 20 to 1, and two pounds for seat 3
        "fortune@2": "win +29.00 back 5.00",  # a full house at 5 to 1, two pounds twice
        "fortune@3": "win +102.00 back 5.00",
    }
    assert [line.also for line in answer.lines if line.wager.kind == "fortune"] == [
        ("gb-2011 13.43",),
        ("gb-2011 13.44",),
        ("gb-2011 13.43",),
    ]


def test_13_32_the_wager_must_reach_the_qualifying_amount() -> None:
    wagers = [*at(1, standard="10.00"), *at(2, standard="10.00", fortune="5.00")]
    for amount, line in (("5.00", "win +2.00"), ("5.01", "lose")):
        options = {"envy-qualifying-amount": amount}
        answer = settled(a_round([QUADS, NOTHING], wagers, LOW_DEALER, options=options))
        assert lines(answer)["fortune@2"] == line


def test_13_41_no_bonus_for_one_s_own_hand_or_the_dealer_s() -> None:
    wagers = at(1, standard="10.00", fortune="5.00")
    assert lines(settled(a_round([NOTHING], wagers, QUADS)))["fortune@1"] == "lose"
    assert lines(settled(a_round([QUADS], wagers, LOW_DEALER)))["fortune@1"] == "win +100.00 back 5.00"


def test_13_43_three_pairs_stand_off_and_earn_the_bonus() -> None:
    wagers = [*at(1, standard="10.00"), *at(2, standard="10.00", fortune="5.00")]
    answer = settled(a_round([QUADS, "2s 2d 8c 8h Js Jd 6d"], wagers, LOW_DEALER))
    assert lines(answer)["fortune@2"] == "win +2.00 back 5.00"


ENVY = [
    ("4s 5s 6s 7s 8s 9s Ts", 500, 2500),
    ("As Ks Qs Js Ts Kd Qd", 125, 500),
    ("4s 5s 6s 8s 9s Ts Jo", 50, 250),
    ("As Ad Ac Ah Jo Kd Qd", 25, 100),
    ("As Ks Qs Js Ts 3s 4c", 10, 25),
    ("4s 5s 6s 7s 8s Kd Qd", 5, 10),
    ("4s 4d 4c 4h 8s Kd Qd", 2, 2),
    ("4s 4d 4c 8h 8s Kd Qd", 0, 0),
]


@pytest.mark.parametrize(("hand", "least", "second"), ENVY)
def test_13_45_envy_amounts_do_not_depend_on_the_wager(hand: str, least: int, second: int) -> None:
    wagers = [*at(1, standard="10.00"), *at(2, standard="10.00", fortune="7.00")]
    for table, amount in (("table-1", least), ("table-2", second)):
        hands = [hand, "2c 5d 8d Tc Jh 3d 6h"]
        given_round = a_round(hands, wagers, any_dealer(*hands), paytables={"envy": table})
        assert lines(settled(given_round))["fortune@2"] == (f"win +{amount}.00" if amount else "lose")


def test_13_42_a_void_hand_earns_nobody_a_bonus() -> None:
    wagers = [*at(1, standard="10.00"), *at(2, standard="10.00", fortune="5.00")]
    void = [{"kind": "void-hand", "seat": 1}]
    answer = settled(a_round([QUADS, NOTHING], wagers, LOW_DEALER, irregularities=void))
    assert (lines(answer)["standard@1"], lines(answer)["fortune@2"]) == ("void back 10.00", "lose")


# hand, table, winnings of 5.00 under a ceiling of 1,000.00 (note to 13.37)
CEILINGS = [
    ("4s 5s 6s 7s 8s 9s Ts", "table-1", "1000.00"),
    ("As Ks Qs Js Ts Kd Qd", "table-1", "1000.00"),
    ("4s 5s 6s 8s 9s Ts Jo", "table-2", "1000.00"),
    ("4s 5s 6s 8s 9s Ts Jo", "table-1", "3750.00"),
    ("4s 5s 6s 8s 9s Ts Jo", "minimum", "2500.00"),
    ("As Ad Ac Ah Jo Kd Qd", "table-2", "2000.00"),
]


@pytest.mark.parametrize(("hand", "table", "won"), CEILINGS)
def test_13_37_a_ceiling_touches_odds_of_1000_to_1_and_above(hand: str, table: str, won: str) -> None:
    wagers = at(1, standard="10.00", fortune="5.00")
    limits = {"kinds": {"fortune": {"max_payout": "1000.00"}}}
    given_round = a_round([hand], wagers, any_dealer(hand), limits=limits, paytables={"fortune": table})
    answer = settled(given_round)
    assert lines(answer)["fortune@1"] == f"win +{won} back 5.00"
    assert answer.lines[1].also == (("gb-2011 13.37",) if won == "1000.00" else ())


def test_13_37_the_ceiling_leaves_the_envy_bonus() -> None:
    wagers = [*at(1, standard="10.00"), *at(2, standard="10.00", fortune="5.00")]
    limits = {"kinds": {"fortune": {"max_payout": "1000.00"}}}
    hands = ["Qs Qd Qc Qh 2d 3d 5h", "4s 5s 6s 7s 8s 9s Ts"]
    given_round = a_round(hands, wagers, any_dealer(*hands), limits=limits)
    assert lines(settled(given_round))["fortune@2"] == "win +1002.00 back 5.00"


def test_13_37_no_other_wager_has_a_ceiling() -> None:
    limits = {"kinds": {"standard": {"max_payout": "1.00"}}}
    with pytest.raises(RuleError, match="no maximum payout for standard"):
        settled(one("As Ad Qc Jh 7s 5d 3c", "", limits=limits))


JOKOLOR = [
    ("seven red", "2d 4h 6d 8h Td Qh Kd", "win +20.00 back 2.00"),
    ("seven black", "2c 4s 6c 8s Tc Qs Kc", "win +20.00 back 2.00"),
    ("six red and joker", "2d 4h 6d 8h Td Qh Jo", "win +60.00 back 2.00"),
    ("six black and joker", "2c 4s 6c 8s Tc Qs Jo", "win +60.00 back 2.00"),
    ("joker", "2c 4s 6c 8s Tc Qh Jo", "win +10.00 back 2.00"),
    ("six red", "2d 4h 6d 8h Td Qh Kc", "lose"),
]


@pytest.mark.parametrize(("hand", "line"), [j[1:] for j in JOKOLOR], ids=[j[0] for j in JOKOLOR])
def test_13_51_jokolor(hand: str, line: str) -> None:
    wagers = at(1, standard="10.00", jokolor="2.00")
    options = {"side-wager": "jokolor"}
    answer = settled(a_round([hand], wagers, any_dealer(hand), options=options))
    assert lines(answer)["jokolor@1"] == line
    assert rules_of(answer)["jokolor@1"] == ("13.52" if line == "lose" else "13.51")


HAND = "As Ad Qc Jh 7s 5d 3c"
WRONG: list[tuple[str, list[dict[str, Any]], dict[str, Any], list[tuple[str, str | None]]]] = [
    ("13.16 fortune alone", at(1, fortune="5.00"), {}, [("wagers[0]", "13.30")]),
    ("13.12 two forms", at(1, standard="5.00", jokolor="5.00"), {}, [("wagers[1].kind", "13.12")]),
    (
        "13.12 none offered",
        at(1, standard="5.00", fortune="5.00"),
        {"options": {"side-wager": "none"}},
        [("wagers[1].kind", "13.12")],
    ),
    (
        "13.10 two positions",
        [w | {"player": "Ann"} for w in at(1, standard="5.00") + at(2, standard="5.00")],
        {},
        [("wagers[1].seat", "13.10")],
    ),
    (
        "13.10 two players",
        [w | {"player": p} for w, p in zip(at(1, standard="5.00", fortune="5.00"), ("A", "B"), strict=True)],
        {},
        [("wagers[1]", "13.30"), ("wagers[1].player", "13.10")],
    ),
    ("13.18 not of the hand", at(1, standard="5.00"), {"decisions": sets(1, "As Kd")}, [("value", "13.18")]),
    ("13.18 a card twice", at(1, standard="5.00"), {"decisions": sets(1, "As As")}, [("value", "13.18")]),
    (
        "13.18 set twice",
        at(1, standard="5.00"),
        {"decisions": sets(1) + sets(1, "As Ad")},
        [("decisions[1]", "13.18")],
    ),
    (
        "13.18 nothing chosen",
        at(1, standard="5.00"),
        {"decisions": [{"kind": "set", "seat": 1}]},
        [("value", "13.18")],
    ),
]


@pytest.mark.parametrize(("wagers", "more", "faults"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], faults: list[tuple[str, str | None]]
) -> None:
    found = check_wagers(round_from_json({**a_round([HAND], wagers, decisions=[]), **more}, partial=True))
    got = [(f.field.removeprefix("decisions[0]."), f.rule and f.rule.split()[-1]) for f in found]
    assert got == faults


def test_wrong_cards() -> None:
    wagers = at(1, standard="5.00")
    for given_round, field, rule in [
        (
            a_round(["As Ad Qc Jh 7s 5d Jo"], wagers, "Jo Kd 9c 8h 6s 4d 2c"),
            "dealt.dealer[0]",
            "gb-2011 13.2",
        ),
        (a_round([HAND], wagers, "As Kd 9c 8h 6s 4d 2c"), "dealt.dealer[0]", "gb-2011 13.2"),
        (a_round([HAND, DEALER], wagers, "2s Kc 9h 8c 6c 4c 2d"), "decisions[1].seat", "gb-2011 13.20"),
        (a_round([HAND, DEALER], wagers, decisions=sets(1)), "dealt.seats.2", "gb-2011 13.17"),
        (a_round([HAND], wagers, decisions=[]), "decisions", "gb-2011 13.18"),
        (a_round([HAND + " 2d"], wagers), "dealt.seats.1", None),
        (a_round([HAND], at(7, standard="5.00")), "wagers[0].seat", "gb-2011 13.15"),
    ]:
        with pytest.raises(RuleError) as refused:
            settled(given_round)
        assert (refused.value.field, refused.value.rule) == (field, rule)


def test_hands_are_set_once() -> None:
    round = round_from_json(a_round([HAND], at(1, standard="5.00"), decisions=[]), partial=True)
    low = parse_cards("Qc Jh")
    assert check_decision(round, Decision("set", seat=1, value=low)) is None
    assert check_decision(round, Decision("set", seat=1, value=parse_cards("Qc 2h"))) is not None
    again = round_from_json(a_round([HAND], at(1, standard="5.00")), partial=True)
    assert check_decision(again, Decision("set", seat=1, value=low)) is not None


def _build(parts: tuple[int, str, bool, list[tuple[bool, int, int]]]) -> dict[str, Any]:
    seed, side, lenient, players = parts
    pack = [card_text(card) for card in Random(seed).sample(DECK_WITH_JOKER, 53)]
    wagers, decisions, seats = [], [], {}
    for seat, (with_side, first, second) in enumerate(players, start=1):
        hand = [pack.pop() for _ in range(7)]
        seats[str(seat)] = hand
        wagers.append({"id": f"s{seat}", "kind": "standard", "stake": "10.00", "seat": seat})
        if with_side and side != "none":
            wagers.append({"id": f"f{seat}", "kind": side, "stake": f"{1 + first}.00", "seat": seat})
        if first == second:
            decisions.append({"kind": "house-way", "seat": seat})
        else:
            decisions.append({"kind": "set", "seat": seat, "value": [hand[first], hand[second]]})
    return {
        "game": "pai-gow-poker",
        "rulebook": "gb-2011",
        "wagers": wagers,
        "decisions": decisions,
        "dealt": {"dealer": [pack.pop() for _ in range(7)], "seats": seats},
        "options": {
            "side-wager": side,
            "foul": "house-way" if lenient else "loses",
            "envy-qualifying-amount": "3.00",
        },
    }


SEATED = st.tuples(st.booleans(), st.integers(0, 6), st.integers(0, 6))
ROUNDS = st.tuples(
    st.integers(0, 2**32 - 1),
    st.sampled_from(("fortune", "jokolor", "none")),
    st.booleans(),
    st.lists(SEATED, min_size=1, max_size=6),
).map(_build)


@FEW
@given(ROUNDS)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 6)))


@MANY
@given(spoilt(ROUNDS))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
