"""Five, six and seven cards: counted against combinatorics, compared with the books' words and with phevaluator."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement, permutations
from math import comb

import phevaluator
import pytest

from rules.cards import DECK, JOKER, Card, card_text, parse_cards
from rules.errors import RuleError
from rules.ranking import (
    Category,
    category,
    five_card_tables,
    four_card_tables,
    rank,
    rank5,
    rank6,
    rank7,
    rank_many,
)
from rules.ranking.keys import BUCKET, KEYS, RANK_KEY_OF, SLOTS, SUIT_UNIT, rank_sets
from tests.rules import ranking_by_definition as definition


def deal(size: int, count: int) -> list[tuple[Card, ...]]:
    source = random.Random(size * 1000 + count)
    return [tuple(source.sample(DECK, size)) for _ in range(count)]


def pairs_of(hand: tuple[Card, ...]) -> list[definition.Pair]:
    return definition.pairs_of(card_text(card) for card in hand)


def test_all_hands_of_five_cards() -> None:
    values = Counter(map(rank5, combinations(DECK, 5)))
    hands: Counter[Category] = Counter()
    for value, count in values.items():
        hands[category(value)] += count
    assert hands == {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 9 * 4,
        Category.FOUR_OF_A_KIND: 13 * 48,
        Category.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
        Category.FLUSH: 4 * comb(13, 5) - 40,
        Category.STRAIGHT: 10 * 4**5 - 40,
        Category.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 16,
        Category.TWO_PAIRS: comb(13, 2) * comb(4, 2) ** 2 * 44,
        Category.PAIR: 13 * comb(4, 2) * comb(12, 3) * 4**3,
        Category.HIGH_CARD: (comb(13, 5) - 10) * (4**5 - 4),
    }
    assert hands.total() == comb(52, 5)
    assert len(values) == 7462
    classes = Counter(category(value) for value in values)
    assert [classes[kind] for kind in Category if classes[kind]] == [
        *(1277, 2860, 858, 858, 10),  # high card, pair, two pairs, three of a kind, straight
        *(1277, 156, 156, 9, 1),  # flush, full house, four of a kind, straight flush, royal flush
    ]


def test_order_of_five_cards_is_that_of_the_books() -> None:
    one_of_each = {rank5(hand): hand for hand in combinations(DECK, 5)}
    hands = [*one_of_each.values(), *deal(5, 20_000)]
    definition.same_order(
        [rank5(hand) for hand in hands], [definition.five(pairs_of(hand)) for hand in hands]
    )


def test_the_order_in_which_cards_lie_is_nothing() -> None:
    for text in ("As Kd 9h 9c 2s", "As Ks 9s 8s 2s", "7c 7d 7h 7s 2d", "5h 4d 3c 2s Ah"):
        assert len({rank5(hand) for hand in permutations(parse_cards(text))}) == 1
    for hand in deal(7, 20):
        assert len({rank7(some) for some in permutations(hand)}) == 1


@pytest.mark.parametrize("size", [6, 7])
def test_every_set_of_ranks_of_six_and_seven_cards_is_its_best_five(size: int) -> None:
    hands = 0
    for ranks in combinations_with_replacement(range(13), size):
        if max(Counter(ranks).values()) <= 4:
            # Suits in turn, so that a suit has at most two cards of seven different ranks and there is no flush.
            hand = tuple(place * 4 + (suit + place) % 4 for suit, place in enumerate(ranks))
            hand = (
                hand
                if len(set(hand)) == size
                else tuple(place * 4 + suit % 4 for suit, place in enumerate(ranks))
            )
            hands += 1
            assert rank(hand) == max(map(rank5, combinations(hand, 5))), hand
    assert hands == len(rank_sets(size)) == {6: 18395, 7: 49205}[size]


@pytest.mark.parametrize("size", [6, 7])
def test_every_flush_among_six_and_seven_cards_is_its_best_five(size: int) -> None:
    source = random.Random(size)
    for suit in range(4):
        own = [card for card in DECK if card & 3 == suit]
        others = [card for card in DECK if card & 3 != suit]
        for suited in range(5, size + 1):
            for held in combinations(own, suited):
                hand = (*held, *source.sample(others, size - suited))
                assert rank(hand) == max(map(rank5, combinations(hand, 5))), hand


@pytest.mark.parametrize("size", [6, 7])
def test_random_hands_are_their_best_five(size: int) -> None:
    hands = deal(size, 5_000)
    assert rank_many(hands) == [max(map(rank5, combinations(hand, 5))) for hand in hands]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_agrees_with_phevaluator(size: int) -> None:
    hands = deal(size, 12_000)
    # Theirs counts from the best hand down.
    theirs = [(-phevaluator.evaluate_cards(*map(card_text, hand)), ()) for hand in hands]
    definition.same_order([rank(hand) for hand in hands], theirs)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_sums_of_keys_give_the_same_values(size: int) -> None:
    suits, shifts, values, flushes = five_card_tables(size)
    for hand in deal(size, 5_000):
        total = sum(KEYS[card] for card in hand)
        suited = suits[total // SUIT_UNIT]
        if suited is None:
            value = values[(total + shifts[total & BUCKET]) % SLOTS]
        else:
            value = flushes[sum(suited[card] for card in hand)]
        assert value == rank(hand)


def test_every_set_of_ranks_has_a_slot_of_its_own() -> None:
    for size in (5, 6, 7):
        assert sum(map(bool, five_card_tables(size).values)) == len(rank_sets(size))
    for size in (4, 5, 6):
        assert sum(map(bool, four_card_tables(size).values)) == len(rank_sets(size))


def test_what_the_keys_promise() -> None:
    for size, count in ((5, 6175), (6, 18395), (7, 49205)):
        keys = {key for key, _ in rank_sets(size)}
        assert len(keys) == count
        assert max(keys) < SUIT_UNIT
    assert SUIT_UNIT % SLOTS == 0
    assert SUIT_UNIT % (BUCKET + 1) == 0
    assert 7 * max(abs(key) for key in KEYS) < 2**30
    assert len(RANK_KEY_OF) == 13


@pytest.mark.parametrize(
    "cards",
    [
        (),
        DECK[:4],
        DECK[:8],
        (*DECK[:4], JOKER),
        (*DECK[:5], JOKER),
        (*DECK[:6], JOKER),
    ],
)
def test_wrong_cards_are_refused(cards: tuple[Card, ...]) -> None:
    with pytest.raises(RuleError, match="different cards without a joker"):
        rank(cards)


@pytest.mark.parametrize(("evaluate", "size"), [(rank5, 5), (rank6, 6), (rank7, 7)])
def test_wrong_number_of_cards_is_refused(evaluate: Callable[[Sequence[Card]], int], size: int) -> None:
    assert evaluate(DECK[:size]) == rank(DECK[:size])
    for other in {4, 5, 6, 7, 8} - {size}:
        with pytest.raises(RuleError, match=f"{size} different cards"):
            evaluate(DECK[:other])


FIRST_USE = """
import threading
from rules.cards import parse_cards
from rules.ranking import five, rank

assert not any(tables.values for tables in five._TABLES.values()), "nothing is built at import"
hands = [parse_cards(text) for text in {hands}]
answers = []
start = threading.Barrier(len(hands))

def work(hand):
    start.wait()
    answers.append((hand, rank(hand)))

threads = [threading.Thread(target=work, args=(hand,)) for hand in hands]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(answers) == len(hands)
for hand, value in answers:
    assert rank(hand) == value != 0
"""


@pytest.mark.parametrize(
    "hands",
    [
        ["As Ks Qs Js 9s 2d 3d", "As Kd Qs Js 9s 2d 3d", "7s 7d 7h 7c 9s 2d 3d", "As Ks Qs Js Ts 2d 3d"],
        ["As Ks Qs Js 9s", "As Kd Qs Js 9s", "As Ks Qs Js 9s 2d", "As Kd Qs Js 9s 2d", "7s 7d 7h 7c 9s"],
    ],
)
def test_first_use_by_several_threads_at_once(hands: list[str]) -> None:
    script = FIRST_USE.format(hands=hands)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
