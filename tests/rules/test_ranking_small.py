"""Three-card, four-card and two-card hands against combinatorics and the books' words."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from rules.cards import DECK, JOKER, Card, card_text, parse_cards
from rules.errors import RuleError
from rules.ranking import (
    FourCard,
    ThreeCard,
    four_card_category,
    four_card_tables,
    rank3,
    rank4,
    rank_low2,
    three_card_category,
)
from rules.ranking.keys import KEYS
from tests.rules import ranking_by_definition as definition


def pairs_of(hand: tuple[Card, ...]) -> list[definition.Pair]:
    return definition.pairs_of(card_text(card) for card in hand)


def test_all_hands_of_three_cards() -> None:
    hands = Counter(three_card_category(rank3(hand)) for hand in combinations(DECK, 3))
    assert hands == {
        ThreeCard.MINI_ROYAL: 4,
        ThreeCard.STRAIGHT_FLUSH: 11 * 4,
        ThreeCard.THREE_OF_A_KIND: 13 * comb(4, 3),
        ThreeCard.STRAIGHT: 12 * 4**3 - 48,
        ThreeCard.FLUSH: 4 * comb(13, 3) - 48,
        ThreeCard.PAIR: 13 * comb(4, 2) * 48,
        ThreeCard.HIGH_CARD: (comb(13, 3) - 12) * (4**3 - 4),
    }
    assert hands.total() == 22_100


def test_order_of_three_cards_is_that_of_gb_2011_5_8() -> None:
    hands = list(combinations(DECK, 3))
    definition.same_order(
        [rank3(hand) for hand in hands], [definition.three(pairs_of(hand)) for hand in hands]
    )


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("7s 7s 7s", ThreeCard.THREE_OF_A_KIND),  # gb-2011 4.36: counts once
        ("7s 7s 9s", ThreeCard.FLUSH),
        ("7s 7s 9d", ThreeCard.PAIR),
        ("As 2s 3s", ThreeCard.STRAIGHT_FLUSH),
        ("Ks As 2s", ThreeCard.FLUSH),
        ("Qd Ks As", ThreeCard.STRAIGHT),
    ],
)
def test_three_cards_of_several_packs(cards: str, kind: ThreeCard) -> None:
    assert three_card_category(rank3(parse_cards(cards))) == kind


def test_suited_pairs_of_several_packs_compare_as_flushes() -> None:
    texts = ["9s 8s 2s", "9s 9s 2s", "9s 9s 8s", "Ts 3s 2s"]
    values = [rank3(parse_cards(text)) for text in texts]
    assert values == sorted(set(values))


def test_all_hands_of_four_cards() -> None:
    hands = Counter(four_card_category(value) for value in map(rank4, combinations(DECK, 4)))
    assert hands == {
        FourCard.FOUR_OF_A_KIND: 13,
        FourCard.STRAIGHT_FLUSH: 11 * 4,
        FourCard.THREE_OF_A_KIND: 13 * comb(4, 3) * 48,
        FourCard.FLUSH: 4 * comb(13, 4) - 44,
        FourCard.STRAIGHT: 11 * 4**4 - 44,
        FourCard.TWO_PAIRS: comb(13, 2) * comb(4, 2) ** 2,
        FourCard.PAIR: 13 * comb(4, 2) * comb(12, 2) * 4**2,
        FourCard.HIGH_CARD: (comb(13, 4) - 11) * (4**4 - 4),
    }
    assert hands.total() == 270_725


def test_order_of_four_cards_is_that_of_gb_2011_15_7() -> None:
    one_of_each = {rank4(hand): hand for hand in combinations(DECK, 4)}
    source = random.Random(4)
    hands = [*one_of_each.values(), *(tuple(source.sample(DECK, 4)) for _ in range(10_000))]
    definition.same_order(
        [rank4(hand) for hand in hands], [definition.four(pairs_of(hand)) for hand in hands]
    )


@pytest.mark.parametrize("size", [5, 6])
def test_best_four_of_five_and_six_cards(size: int) -> None:
    source = random.Random(size)
    hands = [tuple(source.sample(DECK, size)) for _ in range(3_000)]
    few = [card for card in DECK if card & 3 < 2 or card > 43]  # many flushes beside three of a kind
    hands += [tuple(source.sample(few, size)) for _ in range(3_000)]
    assert [rank4(hand) for hand in hands] == [max(map(rank4, combinations(hand, 4))) for hand in hands]
    some = hands[::10]
    keys = [definition.best(pairs_of(hand), 4, definition.four) for hand in some]
    definition.same_order([rank4(hand) for hand in some], keys)


def test_three_of_a_kind_is_above_a_flush_of_four_and_below_a_straight_flush() -> None:
    three_and_flush, three, flush = map(parse_cards, ("7s 7d 7h Ks 9s 2s", "7s 7d 7h Ks", "7s Ks 9s 2s"))
    assert rank4(three_and_flush) == rank4(three) > rank4(flush)
    assert rank4(parse_cards("7s 7d 7h 6s 5s 4s")) == rank4(parse_cards("7s 6s 5s 4s")) > rank4(three)


def test_sums_of_keys_give_four_card_values() -> None:
    tables = four_card_tables(5)
    source = random.Random(45)
    for _ in range(1_000):
        hand = tuple(source.sample(DECK, 5))
        if (
            len([card for card in hand if card & 3 == hand[0] & 3]) < 4
            and len({card & 3 for card in hand}) > 2
        ):
            assert tables.unsuited(sum(KEYS[card] for card in hand)) == rank4(hand)


def test_two_card_hands_by_gb_2011_13_8() -> None:
    hands = sorted(combinations(DECK, 2), key=rank_low2)
    assert {card // 4 + 2 for card in hands[0]} == {2, 3}
    assert {card // 4 + 2 for card in hands[-1]} == {14}
    assert len({rank_low2(hand) for hand in hands}) == comb(13, 2) + 13
    ordered = ["2d 3c", "4s 3s", "4s 5s", "Ks Qs", "As Ks", "2s 2d", "Ks Kd", "As Ad"]
    values = [rank_low2(parse_cards(text)) for text in ordered]
    assert values == sorted(set(values))
    assert rank_low2((JOKER, parse_cards("Ad")[0])) == values[-1]
    assert rank_low2((JOKER, parse_cards("Kd")[0])) == rank_low2(parse_cards("As Ks"))


@pytest.mark.parametrize("cards", [(), DECK[:2], (*DECK[:2], JOKER), DECK[:4]])
def test_three_cards_refuses_others(cards: tuple[Card, ...]) -> None:
    with pytest.raises(RuleError, match="three cards without a joker"):
        rank3(cards)


@pytest.mark.parametrize("cards", [DECK[:3], DECK[:7], (*DECK[:3], JOKER), (*DECK[:4], JOKER)])
def test_four_cards_refuses_others(cards: tuple[Card, ...]) -> None:
    with pytest.raises(RuleError, match="four to six different cards"):
        rank4(cards)


@pytest.mark.parametrize("cards", [DECK[:1], DECK[:3]])
def test_two_cards_refuses_others(cards: tuple[Card, ...]) -> None:
    with pytest.raises(RuleError, match="two cards are needed"):
        rank_low2(cards)
