"""Jokers and wild cards, against combinatorics and the books' words tried out card by card."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from rules.cards import DECK, JOKER, Card, card_text, parse_cards
from rules.errors import RuleError
from rules.ranking import (
    Category,
    category,
    describe,
    is_wild,
    rank5,
    rank_low2,
    rank_pai_gow,
    rank_wild,
)
from tests.rules import ranking_by_definition as definition

NATURAL = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3744,
    Category.FLUSH: 5108,
    Category.STRAIGHT: 10200,
    Category.THREE_OF_A_KIND: 54912,
    Category.TWO_PAIRS: 123552,
    Category.PAIR: 1098240,
    Category.HIGH_CARD: 1302540,
}
NEAR_STRAIGHTS = 10 * 5 - 9
"""Sets of four ranks that lie in a straight: five to each of ten, and neighbours share the four between them."""
NEAR_ROYALS = 5
NEAR_STRAIGHTS_WITH_ACE = 2 * 4


def pairs_of(hand: tuple[Card, ...]) -> list[definition.Pair]:
    return definition.pairs_of(card_text(card) for card in hand)


def suited_and_connected(source: random.Random, size: int) -> tuple[Card, ...]:
    """Cards of few ranks and suits, so that straights and flushes are common."""
    low = source.choice([0, 0, 3, 6, 7])
    some = [card for card in DECK if low <= card >> 2 <= low + 5 or card >> 2 == 12]
    suits = source.choice([(0,), (0, 1), (0, 1, 2, 3)]) if size < 7 else (0, 1)
    return tuple(source.sample([card for card in some if card & 3 in suits], size))


def test_all_pai_gow_hands_with_the_joker() -> None:
    """The joker as an ace unless it completes a straight or a flush (gb-2011 13.9): four cards of 52 beside it."""
    hands = Counter(category(rank_pai_gow((*four, JOKER))) for four in combinations(DECK, 4))
    assert hands == {
        Category.FIVE_ACES: 1,
        Category.ROYAL_FLUSH: 4 * NEAR_ROYALS,
        Category.STRAIGHT_FLUSH: 4 * (NEAR_STRAIGHTS - NEAR_ROYALS),
        Category.FOUR_OF_A_KIND: 4 * 48 + 12,
        Category.FULL_HOUSE: comb(4, 2) * 12 * comb(4, 2) + 12 * 4 * 4,
        Category.FLUSH: 4 * (comb(13, 4) - NEAR_STRAIGHTS),
        Category.STRAIGHT: NEAR_STRAIGHTS * (4**4 - 4),
        Category.THREE_OF_A_KIND: comb(4, 2) * comb(12, 2) * 4**2 + 12 * 4 * 44,
        Category.TWO_PAIRS: 4 * 12 * comb(4, 2) * 44 + comb(12, 2) * comb(4, 2) ** 2,
        Category.PAIR: (comb(12, 3) - NEAR_STRAIGHTS_WITH_ACE) * (4**4 - 4)
        + 12 * comb(4, 2) * comb(11, 2) * 4**2,
        Category.HIGH_CARD: (comb(12, 4) - NEAR_STRAIGHTS + NEAR_STRAIGHTS_WITH_ACE) * (4**4 - 4),
    }
    assert hands.total() == comb(52, 4)
    assert hands.total() + sum(NATURAL.values()) == comb(53, 5)


def test_order_of_pai_gow_hands() -> None:
    source = random.Random(13)
    hands = [(*source.sample(DECK, 4), JOKER) for _ in range(1_000)]
    hands += [(*suited_and_connected(source, 4), JOKER) for _ in range(1_000)]
    hands += [suited_and_connected(source, 5) for _ in range(4_000)]
    hands += [parse_cards("As Ah Ad Ac Jo"), parse_cards("As 2s 3s 4s Jo"), parse_cards("2s 3s 4s 5s Jo")]
    definition.same_order(
        [rank_pai_gow(hand) for hand in hands], [definition.pai_gow(pairs_of(hand)) for hand in hands]
    )


@pytest.mark.parametrize("size", [6, 7])
def test_best_pai_gow_hand_of_six_and_seven_cards(size: int) -> None:
    source = random.Random(size)
    hands = [tuple(source.sample((*DECK, JOKER), size)) for _ in range(300)]
    hands += [suited_and_connected(source, size) for _ in range(300)]
    hands += [(*suited_and_connected(source, size - 1), JOKER) for _ in range(600)]
    for hand in hands:
        assert rank_pai_gow(hand) == max(map(rank_pai_gow, combinations(hand, 5))), hand


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        # gb-2011 13.7(c), (g): the wheel is second to the ace-high straight.
        ("Kd Qs Js Ts 9s", "Ad 2s 3s 4s 5s"),
        ("Ad 2s 3s 4s 5s", "Ad Ks Qs Js Ts"),
        ("Ks Qs Js Ts 9s", "As 2s 3s 4s 5s"),
        ("As 2s 3s 4s 5s", "As Ks Qs Js Ts"),
        ("As Ks Qs Js Ts", "As Ad Ah Ac Jo"),
        # 13.9: four low cards of a straight and the joker make the wheel rather than the six-high straight.
        ("9d 8s 7s 6s Jo", "2d 3s 4s 5s Jo"),
        ("Kd Kc Ks 2d 3s", "Ad Ac Jo 2d 3s"),
        ("Ad Kc Qs Jd 9s", "Jo Kc 2s 2d 3s"),
        # As the ace is there the joker is the king.
        ("As Qs 9s 5s 2s", "As Jo 9s 5s 2s"),
        ("As Jo 9s 5s 2s", "As Jo Ks 5s 2s"),
    ],
)
def test_pai_gow_pairs_of_hands(worse: str, better: str) -> None:
    assert rank_pai_gow(parse_cards(worse)) < rank_pai_gow(parse_cards(better))


def test_a_wheel_among_seven_cards_is_the_better_straight() -> None:
    six_high = parse_cards("As 2d 3c 4h 5s 6d Kc")
    assert describe(rank_pai_gow(six_high)) == "straight, five high"
    assert describe(rank_pai_gow(parse_cards("As 2s 3s 4s 5s 6s Kc"))) == "straight flush, five high"


def test_two_card_hand_compares_with_the_five_card_hand_by_13_19() -> None:
    assert rank_low2(parse_cards("Ks Kd")) > rank_pai_gow(
        parse_cards("2c 4d 6s 8h Tc")
    )  # the rulebook's example
    assert rank_low2(parse_cards("As Ks")) > rank_pai_gow(parse_cards("Ah Qd 9s 8h Tc"))
    assert rank_low2(parse_cards("As Ks")) < rank_pai_gow(parse_cards("Ah Kd 9s 8h Tc"))
    assert rank_low2(parse_cards("As Ks")) < rank_pai_gow(parse_cards("2h 2d 9s 8h Tc"))
    assert rank_low2(parse_cards("9s 9d")) < rank_pai_gow(parse_cards("9c 9h 4s 3h 2c"))


def test_all_hands_with_one_wild_joker() -> None:
    """gb-2011 16.11-16.13: four cards of 52 beside a joker that may be anything."""
    hands = Counter(category(rank_wild((*four, JOKER))) for four in combinations(DECK, 4))
    assert hands == {
        Category.ROYAL_FLUSH: 4 * NEAR_ROYALS,
        Category.STRAIGHT_FLUSH: 4 * (NEAR_STRAIGHTS - NEAR_ROYALS),
        Category.FIVE_OF_A_KIND: 13,
        Category.FOUR_OF_A_KIND: 13 * 4 * 48,
        Category.FULL_HOUSE: comb(13, 2) * comb(4, 2) ** 2,
        Category.FLUSH: 4 * (comb(13, 4) - NEAR_STRAIGHTS),
        Category.STRAIGHT: NEAR_STRAIGHTS * (4**4 - 4),
        Category.THREE_OF_A_KIND: 13 * comb(4, 2) * comb(12, 2) * 4**2,
        Category.PAIR: (comb(13, 4) - NEAR_STRAIGHTS) * (4**4 - 4),
    }
    assert hands.total() == comb(52, 4)


DEUCES = parse_cards("2c 2d 2h 2s")


@pytest.mark.parametrize(("wilds", "count"), [(0, 400), (1, 600), (2, 60), (3, 5)])
def test_wild_hands_are_the_best_of_all_substitutes(wilds: int, count: int) -> None:
    source = random.Random(wilds)
    hands: list[tuple[Card, ...]] = []
    while len(hands) < count:
        dealt = source.sample(DECK, 8) if len(hands) % 2 else suited_and_connected(source, 6)
        naturals = [card for card in dealt if card not in DEUCES]
        if len(naturals) >= 5 - wilds:
            hands.append((*naturals[: 5 - wilds], *source.sample((*DEUCES, JOKER), wilds)))
    keys = [definition.wild(pairs_of(hand), lambda card: card[0] in (0, 2)) for hand in hands]
    definition.same_order([rank_wild(hand, DEUCES) for hand in hands], keys)


@pytest.mark.parametrize(
    ("natural", "best"),
    [
        ("Ah", "royal flush"),
        ("Th", "royal flush"),
        ("9h", "straight flush, king high"),
        ("3h", "straight flush, seven high"),
    ],
)
def test_four_wild_cards_make_a_straight_flush(natural: str, best: str) -> None:
    assert describe(rank_wild(parse_cards(f"2c 2d 2h Jo {natural}"), DEUCES)) == best


def test_five_wild_cards_are_a_royal_flush() -> None:
    assert category(rank_wild(parse_cards("2c 2d 2h 2s Jo"), DEUCES)) == Category.ROYAL_FLUSH


def test_five_of_a_kind_is_between_four_of_a_kind_and_the_straight_flush() -> None:
    four, five, straight_flush = ("As Ad Ah Jo Ks", "2s 2d 2h 2c Jo", "As 2s 3s 4s Jo")
    values = [rank_wild(parse_cards(text)) for text in (four, five, straight_flush)]
    assert values == sorted(set(values))


def test_without_wild_cards_it_is_the_common_order() -> None:
    source = random.Random(0)
    for _ in range(500):
        hand = tuple(source.sample(DECK, 5))
        assert rank_wild(hand) == rank5(hand)


def test_what_is_wild() -> None:
    assert is_wild(JOKER)
    assert is_wild(DEUCES[0], DEUCES)
    assert not is_wild(DEUCES[0])


@pytest.mark.parametrize("cards", [DECK[:4], (*DECK[:5], JOKER), (0, 0, 1, 2, JOKER)])
def test_wild_refuses_others(cards: tuple[Card, ...]) -> None:
    with pytest.raises(RuleError, match="five different cards"):
        rank_wild(cards)


@pytest.mark.parametrize(
    "cards", [(*DECK[:3], JOKER), (*DECK[:3], JOKER, JOKER), (*DECK[:7], JOKER), (0, 0, 1, 2, JOKER)]
)
def test_pai_gow_refuses_others(cards: tuple[Card, ...]) -> None:
    with pytest.raises(RuleError, match="one joker at most"):
        rank_pai_gow(cards)
