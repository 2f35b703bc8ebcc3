"""Counting by symmetry against dealing every hand, and against counts that are known or made by hand."""

from collections import Counter
from itertools import combinations, product
from math import comb
from random import Random

import pytest

from rules.cards import DECK, JOKER, parse_cards
from rules.edge import five_card, four_card
from rules.edge.families.fortune import _fortune_counts, _jokolor_counts
from rules.edge.families.two_way import LEVELS, _boards, board_counts
from rules.edge.hands import by_colour, classes, one_colour_classes, tally, unsuited_ways, values
from rules.edge.streets import completions, known, next_cards
from rules.games.holdem.two_way import classify_two_way
from rules.games.pocket_pairs import classify_pocket_pairs
from rules.pieces.hands import hand_key
from rules.ranking import rank4, rank5, rank7


@pytest.mark.parametrize(
    ("size", "number"), [(0, 1), (1, 1 * 13), (2, 169), (3, 1755), (4, 16432), (5, 134459)]
)
def test_classes_of_hands(size: int, number: int) -> None:
    found = classes(size)
    assert len(found) == number
    assert sum(ways for _, ways in found) == comb(52, size)
    assert len({known(hand) for hand, _ in found}) == number


def test_classes_stand_for_all_three_card_hands() -> None:
    dealt = Counter(known(hand) for hand in combinations(DECK, 3))
    assert dealt == {known(hand): ways for hand, ways in classes(3)}


def test_one_colour_classes() -> None:
    def one_colour(hand: tuple[int, ...]) -> bool:
        return len({card & 3 in (1, 2) for card in hand}) == 1

    dealt = Counter(one_colour(hand) for hand in combinations(DECK, 3))
    assert tally(one_colour_classes(3), one_colour) == {key: 3 * ways for key, ways in dealt.items()}


def test_by_colour() -> None:
    def reds(hand: tuple[int, ...]) -> int:
        return sum(card & 3 in (1, 2) for card in hand)

    few = [card for card in DECK if card < 8]  # 4 red, 4 black
    dealt = Counter(
        (reds(hand), reds(other))
        for hand in combinations(few, 2)
        for other in combinations([card for card in few if card not in hand], 1)
    )
    assert sum(dealt.values()) == comb(8, 2) * 6
    found = {tuple(map(reds, hands)): ways for hands, ways in by_colour(2, 1)}
    assert set(found) == set(dealt)
    assert sum(found.values()) == comb(52, 2) * 50
    assert found[2, 1] == comb(26, 2) * 24


# Numbers of five- and seven-card hands that every rulebook on poker has.
FIVE = {
    "high-card": 1302540,
    "pair": 1098240,
    "two-pairs": 123552,
    "three-of-a-kind": 54912,
    "straight": 10200,
}
FIVE |= {"flush": 5108, "full-house": 3744, "four-of-a-kind": 624, "straight-flush": 36, "royal-flush": 4}
SEVEN = {"high-card": 23294460, "pair": 58627800, "two-pairs": 31433400, "three-of-a-kind": 6461620}
SEVEN |= {"straight": 6180020, "flush": 4047644, "full-house": 3473184, "four-of-a-kind": 224848}
SEVEN |= {"straight-flush": 37260, "royal-flush": 4324}


@pytest.mark.parametrize(("size", "wanted"), [(5, FIVE), (7, SEVEN)])
def test_values(size: int, wanted: dict[str, int]) -> None:
    found: Counter[str] = Counter()
    for value, ways in values(size).items():
        found[hand_key(value)] += ways
    assert found == wanted


def test_suits_without_a_flush() -> None:
    """Seven different ranks: all ways to give suits, counted one by one."""
    assert unsuited_ways((1,) * 7, 5) == sum(
        max(map(suits.count, range(4))) < 5 for suits in product(range(4), repeat=7)
    )
    assert unsuited_ways((1, 1, 2), 4) == 4 * 4 * 6 - 0


# ------------------------------------------------------------------------------- dealer's hands beside known cards


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_high_hands_behind_an_up_card(seed: int) -> None:
    pack = Random(seed).sample(DECK, 52)
    hand, up, rest = pack[:5], pack[5], pack[6:]
    dealt: Counter[int] = Counter()
    kinds: dict[int, int] = {}
    for behind in combinations(rest, 4):
        value = rank5((up, *behind))
        if value not in kinds:
            kinds[value] = five_card.kind_of(value)
        dealt[kinds[value]] += 1
    known_in_suit = five_card.suits_of(hand)[up & 3]
    found = five_card.high_kinds_with(five_card.left_beside(hand), known_in_suit, up >> 2)
    assert found == [dealt[kind] for kind in range(five_card.ACE_KING + 1)]


@pytest.mark.soak
def test_all_dealers_beside_five_cards() -> None:
    """Two of the kinds of hands that are counted: best five and best four, over the same 1,533,939 dealers."""
    hand = tuple(parse_cards("9c 9d 5c 4c 2h"))
    rest = [card for card in DECK if card not in hand]
    five: Counter[int] = Counter()
    four: Counter[int] = Counter()
    for dealer in combinations(rest, 5):
        five[rank5(dealer)] += 1
        four[rank4(dealer)] += 1
    by_five: Counter[int] = Counter()
    for value, ways in five.items():
        by_five[five_card.kind_of(value)] += ways
    assert five_card.dealer_kinds(hand) == [by_five[kind] for kind in range(five_card.KINDS)]
    by_four: Counter[int] = Counter()
    for value, ways in four.items():
        by_four[four_card.kind_of(value)] += ways
    assert four_card.dealer_kinds(hand) == [by_four[kind] for kind in range(four_card.KINDS)]
    assert four_card.equals(hand, rank4(hand)) == four[rank4(hand)]


@pytest.mark.parametrize(
    "text",
    [
        "Ac Ad 7h 9s 2c",
        "8c 8d 5h 5s 2c",
        "5c 6d 7h 8s 8c",
        "Ac 2d 3h 4s 9c",
        "2c 5c 9c Jc Qd",
        "4c 5c 6c 7c 8d",
    ],
)
def test_equal_best_fours(text: str) -> None:
    """Every dealer's hand with just as good a best four, found card by card from those that can make one."""
    hand = tuple(parse_cards(text))
    value = rank4(hand)
    rest = [card for card in DECK if card not in hand]
    four = {four for four in combinations(rest, 4) if rank4(four) == value}
    dealers = {frozenset((*best, fifth)) for best in four for fifth in rest if fifth not in best}
    assert four_card.equals(hand, value) == sum(rank4(tuple(dealer)) == value for dealer in dealers)


def test_what_four_cards_may_become() -> None:
    hand = tuple(parse_cards("Tc Jc Qc Kc"))
    found = completions(hand_key, 4)[known(hand)]
    assert found == {
        "royal-flush": 1,
        "straight-flush": 1,
        "flush": 7,
        "straight": 6,
        "pair": 12,
        "high-card": 21,
    }
    three = completions(hand_key, 3)[known(hand[:3])]
    dealt = Counter(
        hand_key(rank5((*hand[:3], *two)))
        for two in combinations([card for card in DECK if card not in hand[:3]], 2)
    )
    assert three == {key: 2 * ways for key, ways in dealt.items()}, "by ordered draws"
    assert sum(next_cards(hand).values()) == 48


# --------------------------------------------------------------------------------------------- seven with a joker


@pytest.mark.soak
def test_fortune_by_hand() -> None:
    """Rows of seven in a suit: eight. With the joker: one inner card of a row missing, or six in a row (nine).
    Five aces and any two; a royal flush, perhaps with the joker for one of five, and king and queen of another suit."""
    found = _fortune_counts()
    assert found["seven-card-straight-flush"] == 4 * 8
    assert found["seven-card-straight-flush-with-joker"] == 4 * (8 * 5 + 9)
    assert found["five-aces"] == comb(48, 2)
    assert found["royal-flush-and-royal-match"] == 4 * 3 * (1 + 5)
    assert sum(found.values()) == comb(53, 7)


def test_jokolor_by_hand() -> None:
    found = _jokolor_counts()
    assert found["six-of-a-colour-and-joker"] == 2 * comb(26, 6)
    assert found["seven-of-a-colour"] == 2 * comb(26, 7)
    assert found["joker"] == comb(52, 6) - 2 * comb(26, 6)
    assert JOKER == 52


def test_pocket_pairs_by_hand() -> None:
    """Of six pairs of a rank two are of one colour."""
    dealt = Counter(map(classify_pocket_pairs, combinations(DECK, 2)))
    assert (dealt["same-colour-pair"], dealt["mixed-colour-pair"]) == (13 * 2, 13 * 4)


# --------------------------------------------------------------------------------------------------- shared boards


@pytest.mark.parametrize(
    "text",
    [
        "2c 7d 9h Js Ac",
        "4c 5c 6c 9d 9h",
        "Tc Jc Qc Kc 2d",
        "2c 5c 9c Jc Kc",
        "8c 8d 8h 8s 2c",
        "3c 4c 5c 6c 7c",
    ],
)
def test_board(text: str) -> None:
    """All pairs of holdings without a common card, by the better of the two hands."""
    board = tuple(parse_cards(text))
    rest = [card for card in DECK if card not in board]
    place = {key: number for number, key in enumerate(LEVELS)}
    holdings = []
    for two in combinations(rest, 2):
        value = rank7((*two, *board))
        holdings.append((1 << two[0] | 1 << two[1], place[classify_two_way(value, value)]))
    wanted = [0] * len(LEVELS)
    for cards, level in holdings:
        for other, theirs in holdings:
            if not cards & other:
                wanted[max(level, theirs)] += 1
    suits = [card & 3 for card in board]
    often = max(suits, key=suits.count)
    flush = tuple(sorted(card >> 2 for card in board if card & 3 == often)) if suits.count(often) >= 3 else ()
    assert board_counts(tuple(sorted(card >> 2 for card in board)), flush) == wanted


def test_every_board_comes_once() -> None:
    assert sum(ways for _, _, ways in _boards()) == comb(52, 5)
