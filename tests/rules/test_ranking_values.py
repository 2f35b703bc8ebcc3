"""Values in words, thresholds of the books, and the cards that make a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from rules.cards import DECK, cards_text, parse_cards
from rules.ranking import (
    Category,
    FourCard,
    ThreeCard,
    at_least,
    best_of,
    best_of_four,
    best_of_pai_gow,
    category,
    combination,
    deciding_ranks,
    describe,
    has_ace_king,
    has_four_card_king_high,
    has_pair,
    has_pair_of_fours,
    has_three_card_queen_high,
    is_pair_between,
    label,
    laid_out,
    make_value,
    rank,
    rank3,
    rank4,
    rank5,
    rank_low2,
    rank_wild,
)


@pytest.mark.parametrize(
    ("cards", "kind", "words"),
    [
        ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, "royal flush"),
        ("9s Ks Qs Js Ts", Category.STRAIGHT_FLUSH, "straight flush, king high"),
        ("5d 4d 3d 2d Ad", Category.STRAIGHT_FLUSH, "straight flush, five high"),
        ("6d 6h 6s 6c Td", Category.FOUR_OF_A_KIND, "four of a kind, sixes, ten kicker"),
        ("4d 4h 4s Kc Kd", Category.FULL_HOUSE, "full house, fours over kings"),
        ("Ad 9d 7d 5d 2d", Category.FLUSH, "flush, ace-nine-seven-five-two"),
        ("Ad Kd Qd Jd Tc", Category.STRAIGHT, "straight, ace high"),
        ("5d 4d 3d 2d Ac", Category.STRAIGHT, "straight, five high"),
        ("Qd Qh Qs 7c 2d", Category.THREE_OF_A_KIND, "three of a kind, queens, seven-two kickers"),
        ("Kd Kh 4s 4c Ad", Category.TWO_PAIRS, "two pairs, kings and fours, ace kicker"),
        ("Jd Jh As 7c 2d", Category.PAIR, "pair of jacks, ace-seven-two kickers"),
        ("Ad Kh 9s 7c 2d", Category.HIGH_CARD, "ace high, king-nine-seven-two"),
    ],
)
def test_five_cards_in_words(cards: str, kind: Category, words: str) -> None:
    value = rank5(parse_cards(cards))
    assert category(value) is kind
    assert describe(value) == words


def test_other_orders_in_words() -> None:
    assert describe(rank3(parse_cards("As Ks Qs"))) == "mini royal"
    assert describe(rank3(parse_cards("As 2d 3s"))) == "straight, three high"
    assert describe(rank3(parse_cards("9s 9d 3s"))) == "pair of nines, three kicker"
    assert describe(rank4(parse_cards("9s 9d 3s 3c"))) == "two pairs, nines and threes"
    assert describe(rank4(parse_cards("9s 9d 9h 9c 2d"))) == "four of a kind, nines"
    assert describe(rank_low2(parse_cards("9s 9d"))) == "pair of nines"
    assert describe(rank_low2(parse_cards("9s Kd"))) == "king high, nine"
    assert describe(rank_wild(parse_cards("9s 9d 9h 9c Jo"))) == "five of a kind, nines"
    assert describe(best_of_pai_gow(parse_cards("As Ad Ah Ac Jo"))[0]) == "five aces"


def test_every_value_can_be_read() -> None:
    for value in {rank5(hand) for hand in combinations(DECK[::2], 5)}:
        assert make_value(category(value), *deciding_ranks(value)) == value
        assert describe(value)


def test_labels() -> None:
    assert label(Category.THREE_OF_A_KIND) == label(ThreeCard.THREE_OF_A_KIND) == "three of a kind"
    assert label(FourCard.TWO_PAIRS) == "two pairs"


@pytest.mark.parametrize(
    ("qualifies", "evaluate", "no", "yes"),
    [
        (has_ace_king, rank, "Ad Qh Js Tc 9d", "Ad Kh 4s 3c 2d"),  # nz-1996 VIII, gb-2011 7.13
        (has_ace_king, rank, "Kd Qh Js Tc 8d", "2d 2h 5s 4c 3d"),
        (has_pair, rank, "Ad Kh Qs Jc 9d 8s 7s", "2d 2h 3s 4c 5d 7s 8h"),  # gb-2011 11.64
        (has_pair_of_fours, rank, "3d 3h As Kc Qd 9s 7h", "4d 4h 2s 3c 7d 8s 9h"),  # gb-2011 11.87
        (has_pair_of_fours, rank, "Ad Kh Qs Jc 9d 8s 7s", "2d 2h 3s 3c 7d 8s 9h"),
        (has_three_card_queen_high, rank3, "Jd Th 8s", "Qd 3h 2s"),  # gb-2011 5.16
        (has_three_card_queen_high, rank3, "Jd Th 2s", "2d 2h 3s"),
        (has_four_card_king_high, rank4, "Qd Jh Ts 8c 7d", "Kd 2h 3s 4c 7d"),  # gb-2011 15.18
        (has_four_card_king_high, rank4, "Qd Jh 9s 8c 7d", "2d 2h 7s 8c Td"),
    ],
)
def test_qualifying_hands(
    qualifies: Callable[[int], bool], evaluate: Callable[[Sequence[int]], int], no: str, yes: str
) -> None:
    assert not qualifies(evaluate(parse_cards(no)))
    assert qualifies(evaluate(parse_cards(yes)))


@pytest.mark.parametrize(
    ("cards", "better", "between"),
    [
        ("Td Th As Kc Qd", False, True),
        ("Jd Jh 4s 3c 2d", True, False),
        ("6d 6h 4s 3c 2d", False, True),
        ("5d 5h As Kc Qd", False, False),
        ("6d 6h 2s 2c 3d", True, False),
        ("Ad Kh Qs Jc 9d", False, False),
    ],
)
def test_jacks_or_better_and_the_push_band_of_sixes_to_tens(cards: str, better: bool, between: bool) -> None:
    """gb-2011 7.49, double-down-stud (i)(1)-(3)."""
    value = rank5(parse_cards(cards))
    assert at_least(value, Category.PAIR, 11) is better
    assert is_pair_between(value, 6, 10) is between


def test_at_least_in_the_other_orders() -> None:
    assert at_least(rank4(parse_cards("Qs Qd 2h 3c 5d")), FourCard.PAIR, 12)  # Queens Up, gb-2011 15.26
    assert not at_least(rank4(parse_cards("Js Jd Ah Kc 9d")), FourCard.PAIR, 12)
    assert at_least(rank4(parse_cards("As Ad Ah Ac 9d")), FourCard.FOUR_OF_A_KIND, 14)
    assert not at_least(rank4(parse_cards("Ks Kd Kh Kc 9d")), FourCard.FOUR_OF_A_KIND, 14)
    assert at_least(rank3(parse_cards("4s 5d 6h")), ThreeCard.STRAIGHT)


@pytest.mark.parametrize(
    ("cards", "five", "making"),
    [
        ("2c 3c 9c Jc Kc Ac 7d", "Ac Kc Jc 9c 3c", "Ac Kc Jc 9c 3c"),
        ("Ah 2c 3d 4h 5s 9d Kc", "5s 4h 3d 2c Ah", "5s 4h 3d 2c Ah"),
        ("As 2s 3s 4s 5s 6s Kc", "6s 5s 4s 3s 2s", "6s 5s 4s 3s 2s"),
        ("2d 4c Kd As 4d Kh 3c", "Kh Kd 4d 4c As", "Kh Kd 4d 4c"),
        ("2d 2c Kd 4s 4d Kh As", "Kh Kd 4s 4d As", "Kh Kd 4s 4d"),
        ("7d 7c Kd Ks 7s Kh As", "Kh Kd Ks 7d 7c", ""),
        ("7d 7c 7s 7h Ks Kh", "7s 7h 7d 7c Ks", "7s 7h 7d 7c"),
        ("9d Tc 2s Ah Ks Qd", "Ah Ks Qd Tc 9d", "Ah"),
        ("9d 9c 2s Ah Ks Qd", "9d 9c Ah Ks Qd", "9d 9c"),
        ("9d 9c 9s Ah Ks Qd", "9s 9d 9c Ah Ks", "9s 9d 9c"),
    ],
)
def test_best_five_cards_as_laid_out(cards: str, five: str, making: str) -> None:
    value, chosen = best_of(parse_cards(cards))
    assert value == rank(parse_cards(cards)) == rank5(chosen)
    if making:
        assert cards_text(chosen) == five
        assert cards_text(combination(value, chosen)) == making
    else:  # either pair of sevens will do
        assert describe(value) == "full house, kings over sevens"
        assert combination(value, chosen) == chosen


def test_best_four_and_best_pai_gow_cards() -> None:
    value, four = best_of_four(parse_cards("7s 7d 7h Ks 9s 2s"))
    assert cards_text(four) == "7s 7h 7d Ks"
    assert cards_text(combination(value, four)) == "7s 7h 7d"
    value, four = best_of_four(parse_cards("As 2s 3s 4s 9s"))
    assert cards_text(four) == "4s 3s 2s As"
    value, five = best_of_pai_gow(parse_cards("As 2d 3c 4h Jo 6d Kc"))
    assert describe(value) == "straight, five high"
    assert cards_text(five) == "4h 3c 2d As Jo"


def test_three_cards_laid_out() -> None:
    cards = parse_cards("2d As 3s")
    assert cards_text(laid_out(rank3(cards), cards)) == "3s 2d As"
    cards = parse_cards("9d As 9s")
    value = rank3(cards)
    assert cards_text(laid_out(value, cards)) == "9s 9d As"
    assert cards_text(combination(value, laid_out(value, cards))) == "9s 9d"
