"""Card keys whose sum identifies a hand, and the tables for those sums: built on first use, not at import.

For enumerating millions of hands: keep the sum of the keys of the cards that stay and add the others, then

    if no_flush[total >> SUIT_SHIFT]: value = values[total & RANK_MASK]
    else: value = flushes[mask of the ranks in the suit that has five]

with `no_flush, values, flushes = five_card_tables(7)`. `rules.ranking.five` does just this for one hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.ranking.values import Category, FourCard, ThreeCard, make_value

RANK_KEY_OF: tuple[int, ...] = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""One for each rank, two to ace: no two different sets of ranks, equally many and at most seven, at most four
of them alike, have the same sum."""
SUIT_KEY_OF: tuple[int, ...] = (-14, -12, 9, 14)
"""One for each suit: the sum tells whether five of five to seven cards, or four of four to six, share a suit.
Small and signed, because an int below 2**30 either way is a single digit to CPython, twice as fast to add."""
SUIT_SHIFT = 23
RANK_MASK = (1 << SUIT_SHIFT) - 1

RANK_KEYS: list[int] = [RANK_KEY_OF[card >> 2] for card in range(52)]
KEYS: list[int] = [(SUIT_KEY_OF[card & 3] << SUIT_SHIFT) + RANK_KEY_OF[card >> 2] for card in range(52)]
RANK_BITS: list[int] = [4 << (card >> 2) for card in range(52)]
"""Bit r for rank r (2..14): a set of ranks as an int."""
WHEEL_BITS = 1 << 14 | 1 << 5 | 1 << 4 | 1 << 3 | 1 << 2

RankSets = tuple[int, int, int, int]
"""The ranks held at least once, twice, three times, four times, each as bits."""


class Tables(NamedTuple):
    no_flush: list[bool]
    """By `total >> SUIT_SHIFT` (negative too): True where no suit has enough cards for a flush."""
    values: dict[int, int]
    """By `total & RANK_MASK`: the value when suits do not matter."""
    flushes: dict[int, int]
    """By the bits of the ranks in the flush's suit: the best flush or straight flush."""


UNFILLED_FIVE: dict[int, Tables] = {size: Tables([], {}, {}) for size in (5, 6, 7)}
UNFILLED_FOUR: dict[int, Tables] = {size: Tables([], {}, {}) for size in (4, 5, 6)}
UNFILLED_THREE: dict[int, int] = {}


def five_card_tables(size: int) -> Tables:
    """The tables for the best five of `size` cards (5, 6 or 7)."""
    return _filled(UNFILLED_FIVE[size], size, 5, _best_five, _best_flush)


def four_card_tables(size: int) -> Tables:
    """The tables for the best four of `size` cards (4, 5 or 6)."""
    return _filled(UNFILLED_FOUR[size], size, 4, _best_four, _best_four_flush)


def three_card_table() -> dict[int, int]:
    """By the sum of three RANK_KEYS: the three-card value when suits do not matter."""
    if not UNFILLED_THREE:
        UNFILLED_THREE.update((key, _three_cards(held)) for key, held in _rank_sets(3))
    return UNFILLED_THREE


def _filled(
    tables: Tables,
    size: int,
    needed: int,
    best: Callable[[RankSets], int],
    best_flush: Callable[[int], int],
) -> Tables:
    if not tables.values:
        # In place: modules hold on to these very objects. The values last: they tell that the rest is there.
        tables.no_flush.extend(_no_flush(size, needed))
        for bits in range(4, 1 << 15, 4):
            if needed <= bits.bit_count() <= size:
                tables.flushes[bits] = best_flush(bits)
        tables.values.update([(key, best(held)) for key, held in _rank_sets(size)])
    return tables


def _no_flush(size: int, needed: int) -> list[bool]:
    answer = [True] * 256
    for c in range(size + 1):
        for d in range(size + 1 - c):
            for h in range(size + 1 - c - d):
                counts = (c, d, h, size - c - d - h)
                if max(counts) >= needed:
                    answer[sum(n * key for n, key in zip(counts, SUIT_KEY_OF, strict=True))] = False
    return answer


def _rank_sets(size: int) -> list[tuple[int, RankSets]]:
    """Every set of ranks that `size` cards of one pack can have, with its key."""
    partial: list[tuple[int, int, RankSets]] = [(size, 0, (0, 0, 0, 0))]
    for place, rank_key in enumerate(RANK_KEY_OF):
        bit = 4 << place
        room = 4 * (12 - place)
        longer = [entry for entry in partial if entry[0] <= room]
        for left, key, (once, twice, thrice, all_four) in partial:
            if left >= 1 and left - 1 <= room:
                longer.append((left - 1, key + rank_key, (once | bit, twice, thrice, all_four)))
            if left >= 2 and left - 2 <= room:
                longer.append((left - 2, key + 2 * rank_key, (once | bit, twice | bit, thrice, all_four)))
            if left >= 3 and left - 3 <= room:
                longer.append(
                    (left - 3, key + 3 * rank_key, (once | bit, twice | bit, thrice | bit, all_four))
                )
            if left >= 4 and left - 4 <= room:
                longer.append(
                    (left - 4, key + 4 * rank_key, (once | bit, twice | bit, thrice | bit, all_four | bit))
                )
        partial = longer
    return [(key, held) for _, key, held in partial]


def rank_bits(cards: Sequence[int]) -> int:
    bits = 0
    for card in cards:
        bits |= RANK_BITS[card]
    return bits


def top_ranks(bits: int, count: int) -> list[int]:
    """The highest `count` ranks of a set, or all of them, from the highest."""
    ranks: list[int] = []
    while bits and len(ranks) < count:
        top = bits.bit_length() - 1
        ranks.append(top)
        bits ^= 1 << top
    return ranks


def straight_top(bits: int, length: int) -> int:
    """The top rank of the best run of so many ranks, the ace also below the two; 0 if there is none."""
    run = bits | bits >> 13 & 2
    for _ in range(length - 1):
        run &= run << 1
    return run.bit_length() - 1 if run else 0


def _best_five(held: RankSets) -> int:
    """The best five-card hand of these ranks, suits aside."""
    once, twice, thrice, all_four = held
    if all_four:
        (rank,) = top_ranks(all_four, 1)
        return make_value(Category.FOUR_OF_A_KIND, rank, *top_ranks(once ^ 1 << rank, 1))
    if thrice:
        (rank,) = top_ranks(thrice, 1)
        if pairs := twice ^ 1 << rank:
            return make_value(Category.FULL_HOUSE, rank, *top_ranks(pairs, 1))
    if top := straight_top(once, 5):
        return make_value(Category.STRAIGHT, top)
    if thrice:
        return make_value(Category.THREE_OF_A_KIND, rank, *top_ranks(once ^ 1 << rank, 2))
    return _pairs(held, 5, Category.TWO_PAIRS, Category.PAIR, Category.HIGH_CARD)


def _best_flush(bits: int) -> int:
    """The best hand of cards of one suit, five or more."""
    top = straight_top(bits, 5)
    if top == 14:
        return make_value(Category.ROYAL_FLUSH, top)
    if top:
        return make_value(Category.STRAIGHT_FLUSH, top)
    return make_value(Category.FLUSH, *top_ranks(bits, 5))


def _best_four(held: RankSets) -> int:
    """The best four-card hand of these ranks, suits aside, in the order of gb-2011 15.7."""
    once, _, thrice, all_four = held
    if all_four:
        return make_value(FourCard.FOUR_OF_A_KIND, *top_ranks(all_four, 1))
    if thrice:
        (rank,) = top_ranks(thrice, 1)
        return make_value(FourCard.THREE_OF_A_KIND, rank, *top_ranks(once ^ 1 << rank, 1))
    if top := straight_top(once, 4):
        return make_value(FourCard.STRAIGHT, top)
    return _pairs(held, 4, FourCard.TWO_PAIRS, FourCard.PAIR, FourCard.HIGH_CARD)


def _best_four_flush(bits: int) -> int:
    if top := straight_top(bits, 4):
        return make_value(FourCard.STRAIGHT_FLUSH, top)
    return make_value(FourCard.FLUSH, *top_ranks(bits, 4))


def _three_cards(held: RankSets) -> int:
    """Three cards, suits aside, in the order of gb-2011 5.8."""
    once, twice, thrice, _ = held
    if thrice:
        return make_value(ThreeCard.THREE_OF_A_KIND, *top_ranks(thrice, 1))
    if top := straight_top(once, 3):
        return make_value(ThreeCard.STRAIGHT, top)
    if twice:
        return make_value(ThreeCard.PAIR, *top_ranks(twice, 1), *top_ranks(once ^ twice, 1))
    return make_value(ThreeCard.HIGH_CARD, *top_ranks(once, 3))


def _pairs(
    held: RankSets,
    size: int,
    two_pairs: Category | FourCard,
    pair: Category | FourCard,
    high_card: Category | FourCard,
) -> int:
    once, twice, _, _ = held
    paired = top_ranks(twice, 2)
    for rank in paired:
        once ^= 1 << rank
    kind = (high_card, pair, two_pairs)[len(paired)]
    return make_value(kind, *paired, *top_ranks(once, size - 2 * len(paired)))
