"""The House Way of Pai Gow Poker (gb-2011 13.21): every line of the rulebook's table, worked out by hand."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import ACE, DECK_WITH_JOKER, JOKER, RANKS, Card, parse_cards, rank_of
from rules.games.pai_gow_poker.house_way import house_way, set_hands
from rules.ranking import Category, category

# line of the rulebook, seven cards, what goes to the front (the joker is an ace), what the five behind are
CASES = [
    ("no pair", "As Kd Jc 9h 7s 4d 2c", "K J", "high card"),
    ("no pair, joker", "Jo Kd Qc 9h 7s 4d 2c", "K Q", "high card"),
    ("one pair", "9s 9d Ac Kh 7s 4d 2c", "A K", "pair"),
    ("one pair, low", "2s 2d Qc Th 7s 4d 8c", "Q T", "pair"),
    ("one pair of ace and joker", "Jo As Kd Jc 9h 6s 3d", "K J", "pair"),
    # two pairs: 2-6 low, 7-10 medium, jack to king high
    ("low and low: split", "5s 5d 3c 3h Qs Jd 9c", "3 3", "pair"),
    ("low and low: king", "5s 5d 3c 3h Ks Jd 9c", "K J", "two pairs"),
    ("low and low: ace", "5s 5d 3c 3h As Jd 9c", "A J", "two pairs"),
    ("low and low: sixes are low", "6s 6d 2c 2h Ks Jd 9c", "K J", "two pairs"),
    ("low and medium: split", "8s 8d 4c 4h Qs Jd 2c", "4 4", "pair"),
    ("low and medium: king", "8s 8d 4c 4h Ks Jd 2c", "K J", "two pairs"),
    ("low and medium: joker is an ace", "8s 8d 4c 4h Jo Jd 2c", "A J", "two pairs"),
    ("low and medium: sixes and sevens", "7s 7d 6c 6h Ks Jd 2c", "K J", "two pairs"),
    ("low and medium: tens", "Ts Td 2c 2h Ks Jd 4c", "K J", "two pairs"),
    ("low and high: king is not enough", "Js Jd 6c 6h Ks 9d 3c", "6 6", "pair"),
    ("low and high: ace", "Js Jd 6c 6h As 9d 3c", "A 9", "two pairs"),
    ("low and high: kings", "Ks Kd 2c 2h As 9d 5c", "A 9", "two pairs"),
    ("low and high: joker is an ace", "Qs Qd 3c 3h Jo 9d 6c", "A 9", "two pairs"),
    ("medium and medium: king is not enough", "8s 8d 7c 7h Ks Jd 2c", "7 7", "pair"),
    ("medium and medium: ace", "Ts Td 7c 7h As Jd 2c", "A J", "two pairs"),
    ("medium and high: always split", "Js Jd 7c 7h As 9d 3c", "7 7", "pair"),
    ("medium and high: kings and tens", "Ks Kd Tc Th As 9d 3c", "T T", "pair"),
    ("high and high: always split", "Ks Kd Jc Jh As 9d 3c", "J J", "pair"),
    ("aces and any: always split", "As Ad 2c 2h Ks 9d 6c", "2 2", "pair"),
    ("aces and kings", "As Ad Kc Kh Qs 9d 6c", "K K", "pair"),
    ("aces by the joker: always split", "As Jo 5c 5h Ks 9d 7c", "5 5", "pair"),
    ("three pairs", "Ks Kd 8c 8h 3s 3d Ac", "K K", "two pairs"),
    ("three pairs by the joker", "As Jo 8c 8h 3s 3d Kc", "A A", "two pairs"),
    ("three of a kind", "9s 9d 9c Kh Js 4d 2c", "K J", "three of a kind"),
    ("three of a kind, joker beside", "9s 9d 9c Jo Js 4d 2c", "A J", "three of a kind"),
    ("three aces", "As Ad Ac Kh Js 6d 4c", "A K", "pair"),
    ("three aces by the joker", "As Ad Jo Qh 9s 6d 3c", "A Q", "pair"),
    ("three of a kind twice", "Ks Kd Kc 4h 4s 4d 9c", "K K", "three of a kind"),
    ("three of a kind twice, ace beside", "7s 7d 7c 4h 4s 4d Ac", "7 7", "three of a kind"),
    ("three of a kind twice by the joker", "As Ad Jo 9h 9s 9d 4c", "A A", "three of a kind"),
    # straights and flushes with no pair
    ("straight", "9s 8d 7c 6h 5s Ad Kc", "A K", "straight"),
    ("straight leaves more than flush", "9s 8s 7d 6s 5s Ks 2d", "K 2", "straight"),
    ("flush leaves more than straight", "Ts 9d 8s 7s 6s 2s Kd", "K 9", "flush"),
    ("straight flush leaves most", "9s 8s 7s 6s 5s Td Ad", "A T", "straight flush"),
    ("straight leaves more than straight flush", "8s 7s 6s 5s 4s 9s 3d", "9 8", "straight"),
    ("royal flush", "As Ks Qs Js Ts 4d 2c", "4 2", "royal flush"),
    ("straight leaves more than royal flush", "As Ks Qs Js Ts 9d 2c", "A 2", "straight"),
    ("wheel", "As 2d 3c 4h 5s 9d 7c", "9 7", "straight"),
    ("six high leaves the ace", "As 2d 3c 4h 5s 6d 9c", "A 9", "straight"),
    ("the joker goes in front", "Jo Ks Qd Jc Th 9s 4d", "A 4", "straight"),
    ("the joker completes the straight", "Jo 9s 8d 7c 5h Kd 2c", "K 2", "straight"),
    ("the joker completes the flush", "Jo 9s 8s 4s 2s Kd Qc", "K Q", "flush"),
    # with a sixth or seventh card
    ("six-card straight", "Ts 9d 8c 7h 6s 5d 2c", "T 2", "straight"),
    ("seven-card straight", "Ts 9d 8c 7h 6s 5d 4c", "T 9", "straight"),
    ("six-card flush", "Ks Js 9s 7s 6s 4s Qd", "K Q", "flush"),
    ("seven-card flush", "Ks Js 9s 7s 6s 4s 2s", "K J", "flush"),
    # with one pair
    ("straight, pair in front", "9s 8d 7c 6h 5s Kd Kc", "K K", "straight"),
    ("straight, low pair in front", "4s 4d 9c 8h 7s 6d 5c", "4 4", "straight"),
    ("straight needs the pair", "9s 9d 8c 7h 6s 5d Kc", "K 9", "straight"),
    ("straight needs the aces", "As Ad Kc Qh Js Td 2c", "A 2", "straight"),
    ("flush needs the pair", "Ks 9s 7s 5s 2s 9d Ah", "A 9", "flush"),
    ("flush, aces in front", "Ks 9s 7s 5s 2s Ad Ah", "A A", "flush"),
    ("straight, ace and joker in front", "As Jo 9c 8d 7h 6s 5c", "A A", "straight"),
    ("straight needs ace and joker", "As Jo Kc Qd Jh 7s 3c", "7 3", "straight"),
    ("the joker completes, pair in front", "5s 5d Jo 9c 8h 7s 6d", "5 5", "straight"),
    # with two pairs, three pairs, three of a kind, a full house
    ("straight, two pairs: split", "9s 9d 8c 8h 7s 6d 5c", "8 8", "pair"),
    ("straight, two pairs: kept", "5s 5d 4c 4h 3s 2d Ac", "A 3", "two pairs"),
    ("flush, two pairs: split", "Ks Kd 9s 9d 7s 5s 2s", "9 9", "pair"),
    ("flush, three pairs", "As Jo Ks Kd 9s 9d 4s", "A A", "two pairs"),
    ("straight, three of a kind", "9s 9d 9c 8h 7s 6d 5c", "9 9", "straight"),
    ("flush, three of a kind", "9s 9d 9c Ks 7s 5s 2s", "9 9", "flush"),
    ("straight, three aces", "As Ad Ac 5h 4s 3d 2c", "A A", "straight"),
    ("straight, three aces by the joker", "As Ad Jo Kc Qh Js Td", "A A", "straight"),
    ("straight of the joker, two aces in front", "As Ad Jo 9c 8h 7s 6d", "A A", "straight"),
    ("straight needs joker and ace: three aces", "As Ad Jo Kc Qh Js 4d", "A K", "pair"),
    ("flush needs joker and ace: three aces", "As Ad Jo Ks 9s 4s 2d", "A K", "pair"),
    ("three aces leave a flush behind", "As Ah Kd 9s 4s 2s Jo", "A K", "flush"),
    ("straight, full house", "Ts Td Tc As Jo Kd Qh", "A A", "three of a kind"),
    # full houses
    ("full house: split", "Ks Kd Kc 4h 4s 9d 7c", "4 4", "three of a kind"),
    ("full house of aces: split", "As Ad Ac Kh Ks 9d 7c", "K K", "three of a kind"),
    ("full house, twos, ace and king", "9s 9d 9c 2h 2s Ad Kc", "A K", "full house"),
    ("full house, twos, joker and king", "9s 9d 9c 2h 2s Jo Kc", "A K", "full house"),
    ("full house, twos, ace and queen", "9s 9d 9c 2h 2s Ad Qc", "2 2", "three of a kind"),
    ("full house, twos, king and queen", "9s 9d 9c 2h 2s Kd Qc", "2 2", "three of a kind"),
    ("full house, threes, ace and king", "9s 9d 9c 3h 3s Ad Kc", "3 3", "three of a kind"),
    ("full house of twos, ace and king", "2s 2d 2c 3h 3s Ad Kc", "3 3", "three of a kind"),
    ("three of a kind and two pairs", "9s 9d 9c Kh Ks 4d 4c", "K K", "full house"),
    ("three aces and two pairs", "As Ad Ac 9h 9s 4d 4c", "9 9", "full house"),
    ("three of a kind and two low pairs", "9s 9d 9c 6h 6s 4d 4c", "6 6", "full house"),
    # four of a kind
    ("four sixes: kept", "6s 6d 6c 6h As Kd 9c", "A K", "four of a kind"),
    ("four twos: kept", "2s 2d 2c 2h 9s 8d 7c", "9 8", "four of a kind"),
    ("four sevens: split", "7s 7d 7c 7h Qs Jd 2c", "7 7", "pair"),
    ("four sevens: king", "7s 7d 7c 7h Ks Jd 2c", "K J", "four of a kind"),
    ("four tens: ace", "Ts Td Tc Th As Jd 2c", "A J", "four of a kind"),
    ("four eights: joker is an ace", "8s 8d 8c 8h Jo Jd 2c", "A J", "four of a kind"),
    ("four jacks: king is not enough", "Js Jd Jc Jh Ks 9d 2c", "J J", "pair"),
    ("four jacks: ace", "Js Jd Jc Jh As 9d 2c", "A 9", "four of a kind"),
    ("four kings: ace", "Ks Kd Kc Kh As 9d 2c", "A 9", "four of a kind"),
    ("four kings: split", "Ks Kd Kc Kh Qs 9d 2c", "K K", "pair"),
    ("four aces: split", "As Ad Ac Ah Ks Qd 9c", "A A", "pair"),
    ("four aces by the joker", "As Ad Ac Jo 9s 6d 3c", "A A", "pair"),
    ("four aces by the joker, straight behind", "As Ad Ac Jo Ks Qd Jc", "A A", "straight"),
    ("four nines with a pair", "9s 9d 9c 9h 4s 4d Kc", "4 4", "four of a kind"),
    ("four threes with aces", "3s 3d 3c 3h As Ad Kc", "A A", "four of a kind"),
    ("four aces with a pair", "As Ad Ac Ah Ks Kd 9c", "K K", "four of a kind"),
    ("four and three of a kind", "9s 9d 9c 9h 4s 4d 4c", "4 4", "four of a kind"),
    # five aces
    ("five aces", "As Ad Ac Ah Jo Kd Qc", "A A", "three of a kind"),
    ("five aces and a pair", "As Ad Ac Ah Jo 9d 9c", "A A", "full house"),
    ("five aces and kings", "As Ad Ac Ah Jo Kd Kc", "K K", "five aces"),
]


def ranks_in_front(low: tuple[Card, ...]) -> str:
    ranks = sorted((ACE if card == JOKER else rank_of(card) for card in low), reverse=True)
    return " ".join(RANKS[rank - 2] for rank in ranks)


@pytest.mark.parametrize(("cards", "front", "behind"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_13_21(cards: str, front: str, behind: str) -> None:
    for turned in (cards, " ".join(reversed(cards.split()))):
        got = house_way(parse_cards(turned, count=7))
        assert ranks_in_front(got.low) == front
        assert category(got.high_value) is Category[behind.upper().replace(" ", "_")]


@pytest.mark.parametrize(
    ("cards", "front"),
    [
        ("9s 9d 9c Ks 7s 5s 2s", "9d 9c"),  # the nine of spades stays with the flush
        ("As Ad Jo 9c 8h 7s 6d", "As Ad"),  # the joker is needed behind
        ("As Ah Kd 9s 4s 2s Jo", "Ah Kd"),
        ("Ks 9s 7s 5s 2s 9d Ah", "Ah 9d"),
    ],
)
def test_which_of_equal_cards_goes_to_the_front(cards: str, front: str) -> None:
    assert set(house_way(parse_cards(cards)).low) == set(parse_cards(front))


def _hand(seed: int) -> list[Card]:
    """Seven cards of the pack, or of a few ranks of it, where sets and the joker are common."""
    random = Random(seed)
    if random.random() < 0.4:
        return random.sample(DECK_WITH_JOKER, 7)
    ranks = random.sample(range(13), random.choice((2, 3, 4, 5, 6)))
    return random.sample([rank * 4 + suit for rank in ranks for suit in range(4)] + [JOKER], 7)


HANDS = st.integers(0, 2**32 - 1).map(_hand)


@given(HANDS, st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_the_house_way_is_legal_and_the_same_in_any_order(cards: list[Card], random: Random) -> None:
    got = house_way(cards)
    assert (len(got.low), len(got.high)) == (2, 5)
    assert sorted((*got.low, *got.high)) == sorted(cards)
    assert not got.is_foul
    assert set_hands(cards, got.low).high_value == got.high_value
    random.shuffle(cards)
    assert house_way(cards) == got


@given(HANDS)
@settings(max_examples=150, deadline=None)
def test_no_other_legal_way_is_better_in_both_hands(cards: list[Card]) -> None:
    got = house_way(cards)
    for low in combinations(cards, 2):
        other = set_hands(cards, low)
        if not other.is_foul and (other.high_value, other.low_value) != (got.high_value, got.low_value):
            assert other.high_value < got.high_value or other.low_value < got.low_value
