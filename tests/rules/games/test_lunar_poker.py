"""Lunar Poker (nz-consultation 21): super bet, instant payout, draws, force, second combinations, irregularities."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import DECK, card_text, parse_cards
from rules.contract import Decision, Wager
from rules.games.lunar_poker.combinations import classify_bet, classify_instant, classify_super
from tests.rules import ranking_by_definition as by_definition
from tests.rules.games.poker import MANY, choices, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, money, rules_of, settled, wager

AK = "As Kd 9h 5h 3s"  # qualifies with ace-king, nine
NOTHING = "As Qd 9h 5h 3s"
STAKES = {
    "ante": "5.00",
    "super": "1.00",
    "bet": "10.00",
    "exchange": "5.00",
    "buy": "5.00",
    "force": "5.00",
}


def at(seat: int, *kinds: str) -> list[dict[str, Any]]:
    return [wager(kind, STAKES[kind], seat) for kind in kinds]


def a_round(
    dealer: str,
    seats: dict[str, str],
    wagers: list[dict[str, Any]],
    drawn: dict[str, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    dealt: dict[str, Any] = {"seats": hands(**seats)}
    if dealer:
        dealt["dealer"] = dealer.split()
    if drawn:
        dealt["drawn"] = hands(**drawn)
    if "replacement" in more:
        dealt["replacement"] = more.pop("replacement")
    return {"game": "lunar-poker", "rulebook": "nz-consultation", "wagers": wagers, "dealt": dealt, **more}


def exchange(seat: int, cards: str) -> dict[str, Any]:
    return {"kind": "exchange", "seat": seat, "value": cards.split()}


# dealer, hand → lines of an ante of 5 and a bet of 10, rule of the bet (10.1-10.9, 5.5)
WON, BACK, GONE = "push back 5.00", "push back 5.00", "lose"
CONTEST = [
    (
        "10.2 dealer does not qualify",
        NOTHING,
        "2c 4d 6h 8s 7c",
        "win +5.00 back 5.00",
        "void back 10.00",
        "10.2(d)",
    ),
    ("10.7 lower", AK, "Ac Qh Jd Th 9d", GONE, GONE, "10.7(a)"),
    ("10.6 equal", AK, "Ac Kh 9d 5s 3c", BACK, "push back 10.00", "10.6(c)"),
    ("5.5 ace-king", AK, "Ac Kh Td 5s 3c", WON, "win +10.00 back 10.00", "10.8(a)"),
    ("5.5 pair", AK, "2c 2d 4h 6s 8c", WON, "win +10.00 back 10.00", "10.8(a)"),
    ("5.5 two pairs", AK, "2c 2d 4h 4s 8c", WON, "win +20.00 back 10.00", "10.8(a)"),
    ("5.5 three", AK, "2c 2d 2h 4s 8c", WON, "win +30.00 back 10.00", "10.8(a)"),
    ("5.5 straight", AK, "2c 3d 4h 5s 6c", WON, "win +40.00 back 10.00", "10.8(a)"),
    ("5.5 flush", AK, "2c 4c 6c 8c Tc", WON, "win +50.00 back 10.00", "10.8(a)"),
    ("5.5 full house", AK, "2c 2d 2h 4s 4c", WON, "win +70.00 back 10.00", "10.8(a)"),
    ("5.5 four", AK, "2c 2d 2h 2s 4c", WON, "win +200.00 back 10.00", "10.8(a)"),
    ("10.9 pair and ace-king", AK, "2c 2d Ah Ks 8c", WON, "win +20.00 back 10.00", "10.8(a)"),
    ("10.9 aces with a king", AK, "Ac Ad Kh 7s 8c", WON, "win +20.00 back 10.00", "10.8(a)"),
]


@pytest.mark.parametrize(
    ("dealer", "hand", "ante", "bet", "rule"), [c[1:] for c in CONTEST], ids=[c[0] for c in CONTEST]
)
def test_ante_and_bet(dealer: str, hand: str, ante: str, bet: str, rule: str) -> None:
    answer = settled(a_round(dealer, {"s1": hand}, at(1, "ante", "bet")))
    assert lines(answer) == {"ante@1": ante, "bet@1": bet}
    assert rules_of(answer)["bet@1"] == rule


# 10.9 by hand: six cards or five → the winning combination and the second
COMBINATIONS = [
    ("As 3s 5s 7s 9s Kd", "flush", "ace-king"),
    ("As Ks 5s 7s 9s 2d", "flush", None),
    ("As Ks 5s 7s 9s Kd", "flush", "pair"),
    ("2s 3s 5s 7s 9s Js", "flush", "flush"),
    ("5c 6d 7h 8s 9c Td", "straight", "straight"),
    ("5c 6d 7h 8s 9c 9d", "straight", "straight"),
    ("5c 6c 7c 8c Jc 9d", "flush", "straight"),
    ("5c 6c 7c 8c 9c Td", "straight-flush", "straight"),
    ("5c 6c 7c 8c 9c Tc", "straight-flush", "straight-flush"),
    ("9c 9d 9h 8c 8d 8h", "full-house", "full-house"),
    ("9c 9d 9h 8c 8d 5h", "full-house", None),
    ("9c 9d 9h 9s 8d 8h", "four-of-a-kind", "full-house"),
    ("9c 9d 8c 8d 3h 3s", "two-pairs", "two-pairs"),
    ("9c 9d 8c 8d Ah Ks", "two-pairs", "ace-king"),
    ("9c 9d 9h Ad Ks", "three-of-a-kind", "ace-king"),
    ("Ac Ad Ah Ks 2d", "three-of-a-kind", "ace-king"),
    ("Ac Ad Kh Ks 2d", "two-pairs", None),
    ("9c 9d 4h Ad 2s 3s", "pair", None),
    ("9c 9d 4h Ad Ks", "pair", "ace-king"),
    ("Ac Kd 9h 5s 3c 2d", "ace-king", None),
    ("Ac Qd 9h 5s 3c", "high-card", None),
    ("Tc Jc Qc Kc Ac", "royal-flush", None),
    ("Tc Jc Qc Kc Ac Kd", "royal-flush", "straight"),
]


@pytest.mark.parametrize(("hand", "first", "second"), COMBINATIONS)
def test_10_9_second_combination(hand: str, first: str, second: str | None) -> None:
    assert classify_bet(parse_cards(hand)) == (first, second)


ORDER = [
    *("ace-king", "pair", "two-pairs", "three-of-a-kind", "straight", "flush", "full-house"),
    *("four-of-a-kind", "straight-flush", "royal-flush"),
]
NAMES = {
    "two pairs": "two-pairs",
    "three": "three-of-a-kind",
    "four": "four-of-a-kind",
    "full house": "full-house",
} | {
    "straight flush": "straight-flush",
    "royal": "royal-flush",
}


def exactly(cards: Sequence[tuple[int, str]]) -> str | None:
    """The combination that these cards are, with none to spare."""
    if sorted(rank for rank, _ in cards) == [13, 14]:
        return "ace-king"
    shape = sorted(Counter(rank for rank, _ in cards).values())
    if shape in ([2], [2, 2], [3], [4]):
        return (
            {1: "pair", 2: "two-pairs"}[len(shape)]
            if shape[0] == 2
            else f"{['three', 'four'][shape[0] - 3]}-of-a-kind"
        )
    if len(cards) < 5:
        return None
    name = by_definition.name_and_ties(cards)[0]
    return NAMES.get(name, name) if name not in ("high", "pair", "two pairs", "three", "four") else None


SOME = st.sampled_from([DECK, DECK[28:], DECK[12:36], DECK[::2], DECK[32::2] + DECK[:4]])


@given(SOME.flatmap(lambda deck: st.lists(st.sampled_from(deck), min_size=5, max_size=6, unique=True)))
@MANY
def test_combinations_by_brute_force(hand: list[int]) -> None:
    cards = by_definition.pairs_of(card_text(card) for card in hand)
    best = max(by_definition.five(five) for five in combinations(cards, 5))
    found = {
        frozenset(some): name
        for size in range(2, 6)
        for some in combinations(cards, size)
        if (name := exactly(some)) is not None
    }
    top = max((ORDER.index(name) for name in found.values()), default=-1)
    if top < 0:
        assert classify_bet(hand) == ("high-card", None)
        return
    # the sets that make the best hand: those of the top name inside a best five
    fives = [set(five) for five in combinations(cards, 5) if by_definition.five(five) == best]
    firsts = [
        some for some, name in found.items() if name == ORDER[top] and any(some <= five for five in fives)
    ]
    if ORDER[top] in ("pair", "two-pairs", "three-of-a-kind"):
        firsts = [some for some in firsts if all(some <= five for five in fives)] or firsts
    seconds = [ORDER.index(name) for first in firsts for some, name in found.items() if some - first]
    expected = ORDER[max(seconds)] if seconds else None
    assert classify_bet(hand) == (ORDER[top], expected)


# 5.9 and 5.11: the first five cards → super combination and what 1.00 wins
SUPER = [
    ("2c 2d 2h 2s 4c", "four-of-a-kind", 200),
    ("5c 6s 7c 8s 9c", "same-coloured-straight", 150),
    ("2c 2d 2h 4s 4c", "full-house", 100),
    ("2c 4c 6c 8c Tc", "flush", 50),
    ("5c 6d 7c 8s 9c", "straight", 25),
    ("Ac Kd Qc Js Tc", "straight", 25),
    ("2c 2d 2h 4s 8c", "three-of-a-kind", 8),
    ("Ac Ad Ah Ks Qc", "three-of-a-kind", 8),
    ("Ac Kd Qh 4s 2c", "ace-king-queen", 6),
    ("Ac Kd Qh Qs 2c", "ace-king-queen", 6),
    ("Ac Ks Qc 4s 2c", "ace-king-queen", 6),
    ("2c 4s 6c 8s Tc", "same-coloured-cards", 2),
    ("2h 2d 6h 8d Td", "same-coloured-cards", 2),
    ("2c 2d 4h 4s 8c", None, 0),
    ("Ac Kd Jh Ts 2c", None, 0),
]


@pytest.mark.parametrize(("hand", "name", "pays"), SUPER)
def test_5_9_super(hand: str, name: str | None, pays: int) -> None:
    assert classify_super(parse_cards(hand)) == name
    answer = settled(
        a_round("", {"s1": hand}, at(1, "ante", "super"), decisions=[{"kind": "fold", "seat": 1}])
    )
    assert lines(answer)["super@1"] == (f"win +{pays}.00 back 1.00" if pays else "lose")
    assert lines(answer)["ante@1"] == "lose", "9.4: folded"
    silent = [{"kind": "fold", "seat": 1}, {"kind": "undeclared", "seat": 1, "value": "super"}]
    answer = settled(a_round("", {"s1": hand}, at(1, "ante", "super"), decisions=silent))
    assert (lines(answer)["super@1"], rules_of(answer)["super@1"]) == ("lose", "9.2")


@pytest.mark.parametrize(
    ("table", "three", "ace_king_queen"),
    [("standard", 8, 6), ("three-7", 7, 6), ("ace-king-queen-5", 8, 5), ("three-7-ace-king-queen-5", 7, 5)],
)
def test_5_9_the_two_lines_that_an_operator_may_lower(table: str, three: int, ace_king_queen: int) -> None:
    for hand, pays in (("2c 2d 2h 4s 8c", three), ("Ac Kd Qh 4s 2c", ace_king_queen)):
        document = a_round("", {"s1": hand}, at(1, "ante", "super"), paytables={"super": table})
        document["decisions"] = choices(1, "fold")
        assert settled(document).lines[1].winnings == money(f"{pays}.00")


STRAIGHT_FLUSH, ROYAL = "5c 6c 7c 8c 9c", "Tc Jc Qc Kc Ac"


@pytest.mark.parametrize(
    ("table", "straight", "royal"),
    [
        *(("200-600", 200, 600), ("300-600", 300, 600), ("200-800", 200, 800), ("300-800", 300, 800)),
        *(("200-1000", 200, 1000), ("300-1000", 300, 1000), ("200-1200", 200, 1200), ("300-1200", 300, 1200)),
        *(("400-1200", 400, 1200), ("200-1500", 200, 1500), ("300-1500", 300, 1500), ("400-1500", 400, 1500)),
        ("500-1500", 500, 1500),
    ],
)
def test_5_6_instant_cash_payout(table: str, straight: int, royal: int) -> None:
    for hand, pays in ((STRAIGHT_FLUSH, straight), (ROYAL, royal)):
        answer = settled(a_round(AK, {"s1": hand}, at(1, "ante", "super"), paytables={"instant": table}))
        assert lines(answer) == {
            "ante@1": f"win +{5 * pays}.00 back 5.00",
            "super@1": "win +150.00 back 1.00",
        }
        assert answer.lines[1].also == ("nz-consultation 21 5.11",)


@pytest.mark.parametrize("went_on", [("bet",), ("buy",), ("fold",)])
def test_5_8_who_goes_on_with_a_straight_flush_did_not_declare_it(went_on: tuple[str, ...]) -> None:
    kinds = [kind for kind in went_on if kind != "fold"]
    decisions = [{"kind": "fold", "seat": 1}] if "fold" in went_on else []
    document = a_round(AK, {"s1": STRAIGHT_FLUSH}, at(1, "ante", *kinds), decisions=decisions)
    with pytest.raises(RuleError, match="paid at once and ends its round"):
        settled(document)
    document["decisions"].append({"kind": "undeclared", "seat": 1, "value": "instant"})
    if not {"bet", "fold"} & set(went_on):
        document["decisions"] += choices(1, "fold")
    answer = settled(document)
    assert lines(answer)["ante@1"] == ("push back 5.00" if "bet" in went_on else "lose")
    if "bet" in went_on:
        assert lines(answer)["bet@1"] == "win +500.00 back 10.00"


def test_11_15_an_instant_payout_declared_after_the_draw_undoes_the_draw() -> None:
    late = [{"kind": "instant-after-draw", "seat": 1}]
    document = a_round(AK, {"s1": ROYAL}, at(1, "ante", "buy"), {"s1": "2d"}, irregularities=late)
    answer = settled(document)
    assert lines(answer) == {"ante@1": "win +3000.00 back 5.00", "buy@1": "void back 5.00"}
    assert answer.lines[0].also == ("nz-consultation 21 11.15",)
    with pytest.raises(RuleError, match="holds no straight flush"):
        settled(a_round(AK, {"s1": "2c 2d 2h 4s 8c"}, at(1, "ante", "buy"), irregularities=late))


def test_8_5_exchange_two_to_five_cards_for_a_fee() -> None:
    """Deuces thrown in for three aces' company: A A, then draws an ace."""
    document = a_round(
        AK,
        {"s1": "Ac Ad 2h 7s 8c"},
        at(1, "ante", "exchange", "bet"),
        {"s1": "Ah 2s 4d"},
        decisions=[exchange(1, "2h 7s 8c")],
    )
    answer = settled(document)
    assert lines(answer) == {
        "ante@1": "push back 5.00",
        "exchange@1": "lose",
        "bet@1": "win +30.00 back 10.00",
    }
    assert rules_of(answer)["exchange@1"] == "8.5"
    assert answer.result["1"] == "three of a kind, aces, four-two kickers"
    folded = a_round(AK, {"s1": "Ac Ad 2h 7s 8c"}, at(1, "ante", "exchange"), {"s1": "Ah 2s 4d"})
    folded["decisions"] = [exchange(1, "2h 7s 8c"), {"kind": "fold", "seat": 1}]
    assert set(lines(settled(folded)).values()) == {"lose"}, "9.9: folds after the draw"


def test_8_6_a_sixth_card_counts_for_the_hand_and_for_a_second_combination() -> None:
    document = a_round(AK, {"s1": "Ac 3c 5c 7c Td"}, at(1, "ante", "buy", "bet"), {"s1": "9c"})
    answer = settled(document)
    assert lines(answer) == {"ante@1": "push back 5.00", "buy@1": "lose", "bet@1": "win +50.00 back 10.00"}
    document["dealt"]["seats"]["1"] = ["Ac", "3c", "5c", "7c", "Ks"]
    answer = settled(document)
    assert lines(answer)["bet@1"] == "win +60.00 back 10.00", "10.9: flush, and ace-king"
    assert answer.lines[2].also == ("nz-consultation 21 10.9",)
    assert answer.lines[2].odds is not None
    assert answer.lines[2].odds.text == "6 to 1"


# 10.3-10.5: the dealer's ace goes and a card comes: by who forces → ante and bet
def test_10_4_force_the_dealer_still_nothing_is_a_stand_off_for_those_who_forced() -> None:
    wagers = at(1, "ante", "bet", "force") + at(2, "ante", "bet")
    document = a_round(NOTHING, {"s1": "2c 2d 4h 6s 8c", "s2": "2s 2h 4d 6c 8d"}, wagers, replacement="Ts")
    assert lines(settled(document)) == {
        "ante@1": "push back 5.00",
        "bet@1": "push back 10.00",
        "force@1": "lose",
        "ante@2": "win +5.00 back 5.00",
        "bet@2": "void back 10.00",
    }


@pytest.mark.parametrize(
    ("hand", "ante", "bet"),
    [
        ("4c 4d 2h 6s 8c", "push back 5.00", "win +10.00 back 10.00"),
        ("2c 2d 4h 6s 8c", "lose", "lose"),
        ("3c 3d Qh 9s 5c", "push back 5.00", "push back 10.00"),
    ],
)
def test_10_5_a_forced_dealer_who_qualifies_is_played_against(hand: str, ante: str, bet: str) -> None:
    """A-Q-9-5-3 gives up the ace and draws a three."""
    document = a_round(NOTHING, {"s1": hand}, at(1, "ante", "bet", "force"), replacement="3h")
    assert lines(settled(document)) == {"ante@1": ante, "bet@1": bet, "force@1": "lose"}


def test_force_is_refused_where_there_is_nothing_to_force() -> None:
    seats = {"s1": "2c 2d 4h 6s 8c"}
    for dealer, kinds, replacement, message in (
        (AK, ("ante", "bet", "force"), {"replacement": "Ts"}, "the dealer qualifies"),
        (NOTHING, ("ante", "bet"), {"replacement": "Ts"}, "nobody paid to force"),
        (NOTHING, ("ante", "bet", "force"), {}, "new card is missing"),
    ):
        with pytest.raises(RuleError, match=message):
            settled(a_round(dealer, seats, at(1, *kinds), None, **replacement))


def test_5_12_a_maximum_payout_caps_both_combinations_together() -> None:
    limits = {"kinds": {"bet": {"max_payout": "40.00"}, "super": {"max_payout": "10.00"}}}
    document = a_round(AK, {"s1": "Ac 3c 5c 7c Ks"}, at(1, "ante", "buy", "bet"), {"s1": "9c"}, limits=limits)
    answer = settled(document)
    assert lines(answer)["bet@1"] == "win +40.00 back 10.00"
    assert "nz-consultation 21 5.12" in answer.lines[2].also


# Irregularities

HAND = "2c 2d 4h 6s 8c"


@pytest.mark.parametrize(
    "cause", ["wrong-number-of-cards", "cards-exposed", "cards-without-ante", "short-deck"]
)
def test_11_11_a_misdeal_voids_what_it_touches(cause: str) -> None:
    wagers = at(1, "ante", "super", "bet") + at(2, "ante", "bet")
    seats = {"s1": HAND, "s2": "2s 2h 4d 6c 8d"}
    all_of_it = [{"kind": "misdeal", "value": {"cause": cause}}]
    answer = settled(a_round(AK, seats, wagers, irregularities=all_of_it))
    assert {line.outcome.value for line in answer.lines} == {"void"}
    assert set(rules_of(answer).values()) == {"11.11"}
    one = [{"kind": "misdeal", "seat": 1, "value": {"cause": cause}}]
    answer = settled(a_round(AK, seats | {"s1": "2c 2d 4h 6s"}, wagers, irregularities=one))
    assert lines(answer)["bet@1"] == "void back 10.00"
    assert lines(answer)["bet@2"] == "win +10.00 back 10.00"


@pytest.mark.parametrize(("cause", "rule"), [("conduct", "11.1"), ("cards-collected", "11.13")])
def test_11_1_11_13_a_void_hand(cause: str, rule: str) -> None:
    void = [{"kind": "void-hand", "seat": 1, "value": {"cause": cause}}]
    answer = settled(a_round(AK, {"s1": HAND}, at(1, "ante", "super", "bet"), irregularities=void))
    assert {line.outcome.value for line in answer.lines} == {"void"}
    assert set(rules_of(answer).values()) == {rule}
    with pytest.raises(RuleError, match="name the seat"):
        settled(a_round(AK, {"s1": HAND}, at(1, "ante"), irregularities=[{"kind": "void-hand"}]))


def test_11_12_an_absent_player_loses_everything_even_a_super_hand() -> None:
    absent = [{"kind": "absent", "seat": 1}]
    answer = settled(a_round(AK, {"s1": "2c 2d 2h 2s 4c"}, at(1, "ante", "super"), irregularities=absent))
    assert lines(answer) == {"ante@1": "lose", "super@1": "lose"}
    assert set(rules_of(answer).values()) == {"11.12"}

    with pytest.raises(RuleError, match="somebody was there"):
        settled(a_round(AK, {"s1": HAND}, at(1, "ante", "bet"), irregularities=absent))
    for kind, seat in (
        ("absent", 0),
        ("absent", 2),
        ("void-hand", 2),
        ("misdeal", 2),
        ("instant-after-draw", 2),
    ):
        with pytest.raises(RuleError, match="name the seat"):
            settled(a_round(AK, {"s1": HAND}, at(1, "ante"), irregularities=[{"kind": kind, "seat": seat}]))


@pytest.mark.parametrize(
    ("dealer", "hand", "ante"),
    [
        (AK, "2c 2d 4h 6s 8c", "push back 5.00"),  # 10.8(c)
        (AK, "2c 4d 6h 8s Tc", "lose"),  # 10.7(a)
        (AK, "Ac Kh 9d 5c 3d", "push back 5.00"),  # 10.6(c)
        (NOTHING, "2c 4d 6h 8s Tc", "win +5.00 back 5.00"),  # 10.2(a)
    ],
)
def test_i_11_2_a_void_bet_is_no_fold(dealer: str, hand: str, ante: str) -> None:
    device = [{"kind": "device", "wager": "bet@1"}]
    answer = settled(a_round(dealer, {"s1": hand}, at(1, "ante", "bet"), irregularities=device))
    assert lines(answer) == {"ante@1": ante, "bet@1": "void back 10.00"}


def test_10_4_a_dealer_forced_by_a_hand_that_is_void_afterwards_leaves_the_others_as_they_were() -> None:
    wagers = [*at(1, "ante", "bet", "force"), *at(2, "ante", "bet")]
    seats = {"s1": "Kc Kh 6d 8c Th", "s2": "2c 4h 6c 8d Tc"}
    void = [{"kind": "void-hand", "seat": 1, "value": {"cause": "conduct"}}]
    for new in ({"replacement": "Qh"}, {}):
        answer = settled(a_round(NOTHING, seats, wagers, irregularities=void, **cast(Any, new)))
        assert lines(answer) == {
            "ante@1": "void back 5.00",
            "bet@1": "void back 10.00",
            "force@1": "void back 5.00",
            "ante@2": "win +5.00 back 5.00",
            "bet@2": "void back 10.00",
        }


def test_11_9_a_hand_without_an_ante_is_discarded() -> None:
    document = a_round(AK, {"s1": HAND, "s2": "2s 2h 4d 6c 8d"}, at(1, "ante", "bet"))
    with pytest.raises(RuleError, match="seat 2 has cards but no ante"):
        settled(document)
    document["irregularities"] = [{"kind": "hand-without-ante", "seat": 2}]
    assert lines(settled(document))["bet@1"] == "win +10.00 back 10.00"


def test_11_17_cards_of_the_discard_rack_may_come_again() -> None:
    document = a_round(
        AK,
        {"s1": "2c 2d 4h 6s 8c", "s2": "7c 7d 7h Tc Jd"},
        at(1, "ante", "exchange", "bet") + at(2, "ante"),
        {"s1": "7c 8c 2s"},
        decisions=[exchange(1, "4h 6s 8c"), {"kind": "fold", "seat": 2}],
    )
    with pytest.raises(RuleError, match="7c is dealt 2 times"):
        settled(document)
    document["irregularities"] = [{"kind": "reshuffled"}]
    assert lines(settled(document))["bet@1"] == "win +30.00 back 10.00"
    document["dealt"]["drawn"]["1"] = ["As", "8c", "2s"]
    with pytest.raises(RuleError, match="As is dealt 2 times"):
        settled(document)


# Wrong input

WRONG = [
    ("5.2 bet of one ante", [wager("ante", "5.00", 1), wager("bet", "5.00", 1)], "wagers[1].stake", "5.2(b)"),
    (
        "8.5 fee of two antes",
        [wager("ante", "5.00", 1), wager("exchange", "10.00", 1)],
        "wagers[1].stake",
        "8.5",
    ),
    ("5.1 super alone", [wager("super", "5.00", 1)], "wagers[0]", "5.1(b)"),
    ("5.2(c) both draws", at(1, "ante", "exchange", "buy"), "wagers", "5.2(c)"),
    ("10.3 force without a bet", at(1, "ante", "force"), "wagers[1]", "10.3"),
    ("3.1 seat 6", at(6, "ante"), "wagers[0].seat", "5.1(a)"),
    (
        "5.4 two players on a seat",
        [wager("ante", "5.00", 1), wager("ante", "5.00", 1, id="b", player="ben")],
        "wagers[1].player",
        "5.4",
    ),
]


@pytest.mark.parametrize(("wagers", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(wagers: list[dict[str, Any]], field: str, rule: str) -> None:
    document = {"game": "lunar-poker", "rulebook": "nz-consultation", "wagers": wagers}
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


BAD_CARDS = [
    ("no fee", {"s1": HAND}, at(1, "ante", "bet"), {"s1": "Ah"}, [], "paid no draw fee"),
    ("two for one", {"s1": HAND}, at(1, "ante", "buy", "bet"), {"s1": "Ah Qd"}, [], "draws 1 cards, not 2"),
    (
        "three for two",
        {"s1": HAND},
        at(1, "ante", "exchange", "bet"),
        {"s1": "Ah Qd Js"},
        [exchange(1, "4h 6s")],
        "draws 2 cards, not 3",
    ),
    (
        "gives what it has not",
        {"s1": HAND},
        at(1, "ante", "exchange", "bet"),
        {"s1": "Ah Qd"},
        [exchange(1, "4h 7s")],
        "does not hold 4h 7s",
    ),
    (
        "gives nothing",
        {"s1": HAND},
        at(1, "ante", "exchange", "bet"),
        {"s1": "Ah Qd"},
        [],
        "gives up are missing",
    ),
    ("draws nothing", {"s1": HAND}, at(1, "ante", "buy", "bet"), None, [], "the cards drawn are missing"),
    ("no hand", {}, at(1, "ante", "bet"), None, [], "five cards are needed"),
    ("twice the same", {"s1": "As 2d 4h 6s 8c"}, at(1, "ante", "bet"), None, [], "As is dealt 2 times"),
    (
        "no fee, but gives",
        {"s1": HAND},
        at(1, "ante", "bet"),
        None,
        [exchange(1, "4h 6s")],
        "exchange wager that seat 1 places is missing",
    ),
]


@pytest.mark.parametrize(
    ("seats", "wagers", "drawn", "decisions", "message"),
    [b[1:] for b in BAD_CARDS],
    ids=[b[0] for b in BAD_CARDS],
)
def test_wrong_cards_are_refused(
    seats: dict[str, str], wagers: list[Any], drawn: dict[str, str] | None, decisions: list[Any], message: str
) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(AK, seats, wagers, drawn, decisions=decisions))


def test_decisions_are_checked_one_by_one() -> None:
    document = a_round("", {"s1": HAND}, at(1, "ante"))
    round = round_from_json(document, partial=True)
    bet = Decision("bet", seat=1, wager="b")
    assert check_decision(round, bet, Wager("b", "bet", money("10.00"), 1)) is None
    assert check_decision(round, bet, Wager("b", "bet", money("5.00"), 1)) is not None
    buy = Decision("buy", seat=1, wager="f")
    assert check_decision(round, buy, Wager("f", "buy", money("5.00"), 1)) is None
    document["decisions"] = [{"kind": "buy", "seat": 1, "wager": "buy@1"}]
    document["wagers"] = at(1, "ante", "buy")
    later = round_from_json(document, partial=True)
    again = Decision("exchange", seat=1, value=parse_cards("4h 6s"))
    refused = check_decision(later, again, Wager("x", "exchange", money("5.00"), 1))
    assert refused is not None
    assert refused.rule == "nz-consultation 21 5.2(c)"


# Properties

PLAYERS = st.lists(
    st.tuples(
        st.sampled_from(["", "super"]),
        st.sampled_from(["", "buy", "exchange-2", "exchange-5"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


def _table(deck: Sequence[int], players: list[tuple[str, str, bool]], seats: Sequence[int]) -> dict[str, Any]:
    texts = iter(card_text(card) for card in deck)
    dealer = [next(texts) for _ in range(5)]
    dealt: dict[str, Any] = {"seats": {}, "drawn": {}, "dealer": dealer}
    wagers, decisions = [], []
    for index, ((side, draw, stays), seat) in enumerate(zip(players, seats, strict=False)):
        hand = [next(texts) for _ in range(5)]
        dealt["seats"][str(seat)] = hand
        kinds = ["ante", *([side] if side else [])]
        if classify_instant(parse_cards(hand)) is None:
            kind, _, count = draw.partition("-")
            if kind:
                kinds.append(kind)
                dealt["drawn"][str(seat)] = [next(texts) for _ in range(int(count or 1))]
            if count:
                decisions.append({"kind": "exchange", "seat": seat, "value": hand[: int(count)]})
            kinds += ["bet"] if stays else []
            decisions += [] if stays else choices(seat, "fold")
        wagers += [wager(kind, STAKES[kind], seat, id=f"{kind}-{index}") for kind in kinds]
    document = {"game": "lunar-poker", "rulebook": "nz-consultation", "wagers": wagers}
    return document | {"dealt": dealt, "decisions": decisions}


@given(st.permutations(DECK), PLAYERS)
@MANY
def test_permuting_seats_permutes_lines(deck: list[int], players: list[tuple[str, str, bool]]) -> None:
    there = lines(settled(_table(deck, players, [1, 2, 3, 4, 5])))
    assert lines(settled(_table(deck, players, [5, 4, 3, 2, 1]))) == there


@given(
    spoilt(
        st.builds(lambda deck, players: _table(deck, players, [1, 2, 3, 4]), st.permutations(DECK), PLAYERS)
    )
)
@MANY
def test_anything_is_settled_or_refused(document: dict[str, Any]) -> None:
    settle_or_refuse(json.loads(json.dumps(document)))
