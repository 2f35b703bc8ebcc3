"""How many hands a dealer of Crazy 4 Poker can hold beside five known cards, by kind of their best four: counted.

As in `five_card`, ranks are counted first with suits left out, then hands with four cards of a suit are moved to where
they belong. Best fours are equal more often than hands: the fifth card does not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from math import comb

from rules.cards import Card
from rules.edge.five_card import Left, left_beside, suits_of
from rules.ranking import FourCard, deciding_ranks, four_card_category

NOT_QUALIFIED, HIGH, PAIR, ACES, TWO_PAIRS, STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH, FOUR, FOUR_ACES = range(
    11
)
"""HIGH is king or ace high; pairs and fours of aces are kinds of their own, as they may be played or paid otherwise."""
KINDS = 11
ACE, KING = 12, 11
QUALIFIES = 0b11 << KING
RUNS: tuple[int, ...] = (1 << ACE | 0b111, *(0b1111 << low for low in range(10)))
"""Four ranks in a row as bits, by rising top."""
TOPS = dict(zip(RUNS, range(2, 13), strict=True))
_KIND_OF = {
    FourCard.TWO_PAIRS: TWO_PAIRS,
    FourCard.STRAIGHT: STRAIGHT,
    FourCard.FLUSH: FLUSH,
    FourCard.THREE_OF_A_KIND: THREE,
    FourCard.STRAIGHT_FLUSH: STRAIGHT_FLUSH,
}


def kind_of(value: int) -> int:
    """The kind of a four-card value."""
    of, first = four_card_category(value), deciding_ranks(value)[0] - 2
    if of is FourCard.HIGH_CARD:
        return HIGH if first >= KING else NOT_QUALIFIED
    if of is FourCard.PAIR:
        return ACES if first == ACE else PAIR
    if of is FourCard.FOUR_OF_A_KIND:
        return FOUR_ACES if first == ACE else FOUR
    return _KIND_OF[of]


@cache
def _sets(size: int) -> tuple[int, ...]:
    return tuple(sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size))


@cache
def _ranks(bits: int) -> tuple[int, ...]:
    return tuple(rank for rank in range(13) if bits >> rank & 1)


@cache
def _unsuited_kind(bits: int) -> int:
    """Five different ranks, suits aside."""
    if any(run & bits == run for run in RUNS):
        return STRAIGHT
    return HIGH if bits & QUALIFIES else NOT_QUALIFIED


HIGH_SETS = tuple(bits for bits in _sets(5) if _unsuited_kind(bits) != STRAIGHT)
_RUN_SETS = tuple(bits for bits in _sets(5) if _unsuited_kind(bits) == STRAIGHT)


def _product(left: Left, ranks: Sequence[int]) -> int:
    ways = 1
    for rank in ranks:
        ways *= left[rank]
    return ways


def _products(numbers: Sequence[int], size: int) -> int:
    """The sum of products of so many different ones of the numbers."""
    sums = [1] + [0] * size
    for number in numbers:
        for have in range(size, 0, -1):
            sums[have] += number * sums[have - 1]
    return sums[size]


@cache
def by_ranks(left: Left) -> tuple[int, ...]:
    """All hands by kind as their ranks alone make them."""
    found = [0] * KINDS
    low, every = _products(left[:KING], 5), _products(left, 5)
    found[NOT_QUALIFIED], found[HIGH] = low, every - low
    for bits in _RUN_SETS:
        ways = _product(left, _ranks(bits))
        found[HIGH if bits & QUALIFIES else NOT_QUALIFIED] -= ways
        found[STRAIGHT] += ways
    cards = sum(left)
    for rank, number in enumerate(left):
        others = (*left[:rank], *left[rank + 1 :])
        found[ACES if rank == ACE else PAIR] += comb(number, 2) * _products(others, 3)
        found[THREE] += comb(number, 3) * comb(cards - number, 2)
        found[FOUR_ACES if rank == ACE else FOUR] += comb(number, 4) * (cards - 4)
        for other in range(rank):
            both = comb(number, 2) * comb(left[other], 2)
            found[TWO_PAIRS] += both * (cards - number - left[other])
    for run in RUNS:
        for rank in _ranks(run):
            ways = comb(left[rank], 2) * _product(left, [each for each in _ranks(run) if each != rank])
            found[ACES if rank == ACE else PAIR] -= ways
            found[STRAIGHT] += ways
    return tuple(found)


# ------------------------------------------------------------------------------------ four or five cards of a suit

Moves = tuple[int, ...]
"""How many hands leave each kind for flushes; the last two: straights that become flushes, and straight flushes."""
_FROM = (NOT_QUALIFIED, HIGH, PAIR, ACES, STRAIGHT, STRAIGHT)


@cache
def _with_subsets() -> tuple[Mapping[int, list[list[int]]], Mapping[int, list[int]]]:
    """By a set of ranks: fours of a suit that hold it, by the rank of the fifth card (of another suit) and what they
    would be; and fives of a suit that hold it."""
    fours: dict[int, list[list[int]]] = {}
    fives: dict[int, list[int]] = {}
    for bits in _sets(4):
        ranks = _ranks(bits)
        places = [_move(bits, rank) for rank in range(13)]
        for size in range(5):
            for held in combinations(ranks, size):
                by_rank = fours.setdefault(sum(1 << rank for rank in held), [[0] * 6 for _ in range(13)])
                for rank, place in enumerate(places):
                    by_rank[rank][place] += 1
    for bits in _sets(5):
        ranks = _ranks(bits)
        kind = _unsuited_kind(bits)
        place = 5 if kind == STRAIGHT else kind
        for size in range(6):
            for held in combinations(ranks, size):
                fives.setdefault(sum(1 << rank for rank in held), [0] * 6)[place] += 1
    return fours, fives


def _move(four: int, fifth: int) -> int:
    """Which of the moves four suited ranks and an off-suit fifth card make."""
    if four in TOPS:
        return 5
    if four >> fifth & 1:
        return 3 if fifth == ACE else 2
    kind = _unsuited_kind(four | 1 << fifth)
    return 4 if kind == STRAIGHT else kind


@cache
def _suited(known: int) -> tuple[list[Moves], Moves]:
    """For a suit of which these ranks are gone, by inclusion and exclusion."""
    fours, fives = _with_subsets()
    by_rank = [[0] * 6 for _ in range(13)]
    all_five = [0] * 6
    ranks = _ranks(known)
    for size in range(len(ranks) + 1):
        sign = -1 if size % 2 else 1
        for held in combinations(ranks, size):
            bits = sum(1 << rank for rank in held)
            if size <= 4:
                for total, part in zip(by_rank, fours[bits], strict=True):
                    for place, number in enumerate(part):
                        total[place] += sign * number
            for place, number in enumerate(fives[bits]):
                all_five[place] += sign * number
    return [tuple(moves) for moves in by_rank], tuple(all_five)


def dealer_kinds(hand: Sequence[Card]) -> list[int]:
    """All 1,533,939 hands that the dealer can hold beside these five cards, by kind of their best four."""
    left = left_beside(hand)
    found = list(by_ranks(left))
    for known in suits_of(hand):
        by_rank, total = _suited(known)
        moves = list(total)
        for rank, number in enumerate(left):
            off = number - 1 + (known >> rank & 1)
            if off:
                for place, ways in enumerate(by_rank[rank]):
                    moves[place] += off * ways
        for place, ways in enumerate(moves):
            found[_FROM[place]] -= ways
            found[STRAIGHT_FLUSH if place == 5 else FLUSH] += ways
    return found


# ---------------------------------------------------------------------------------------------------- equal fours


def equals(hand: Sequence[Card], value: int) -> int:
    """Of these, those whose best four are worth just as much, for a pair or better."""
    kind = kind_of(value)
    left, suits = left_beside(hand), suits_of(hand)
    if kind in (PAIR, ACES):
        return _equal_pairs(left, suits, [rank - 2 for rank in deciding_ranks(value)])
    if kind == TWO_PAIRS:
        return sum(left) - 4  # the other two cards of either rank, and any card that is left
    if kind == STRAIGHT:
        return _equal_straights(left, suits, deciding_ranks(value)[0] - 2)
    if kind == FLUSH:
        return _equal_flushes(suits, sum(1 << rank - 2 for rank in deciding_ranks(value)))
    if kind == STRAIGHT_FLUSH:
        return _equal_straight_flushes(suits, deciding_ranks(value)[0] - 2)
    return 0  # three or four of a rank cannot come twice


def _free(suits: Sequence[int], bits: int) -> list[int]:
    """The suits of which none of these ranks is known."""
    return [known for known in suits if not known & bits]


def _equal_pairs(left: Left, suits: Sequence[int], ranks: Sequence[int]) -> int:
    pair, high, low = ranks
    found = 0
    for fifth in range(low):
        bits = 1 << pair | 1 << high | 1 << low | 1 << fifth
        if fifth == pair or bits in TOPS:
            continue
        ways = comb(left[pair], 2) * _product(left, (high, low, fifth))
        # Four of them of one suit are a flush; the other card of the pair is then of another.
        found += ways - len(_free(suits, bits)) * (left[pair] - 1)
    return found


def _equal_straights(left: Left, suits: Sequence[int], top: int) -> int:
    run = next(bits for bits, highest in TOPS.items() if highest == top)
    ranks = _ranks(run)
    found = 0
    for fifth in range(13):
        bits = run | 1 << fifth
        if fifth in ranks:
            others = [rank for rank in ranks if rank != fifth]
            found += comb(left[fifth], 2) * _product(left, others) - len(_free(suits, run)) * (
                left[fifth] - 1
            )
        elif max(highest for each, highest in TOPS.items() if each & bits == each) == top:
            found += _product(left, (*ranks, fifth)) - _four_suited(left, suits, bits)
    return found


def _four_suited(left: Left, suits: Sequence[int], bits: int) -> int:
    """Hands of five different ranks with four or five cards of one suit."""
    found = 0
    for known in suits:
        found += not known & bits
        for rank in _ranks(bits):
            if not known & bits & ~(1 << rank):
                found += left[rank] - 1 + (known >> rank & 1)
    return found


def _equal_flushes(suits: Sequence[int], four: int) -> int:
    below = (four & -four) - 1
    found = 0
    for known in _free(suits, four):
        found += 47 - (13 - known.bit_count())
        for fifth in _ranks(below & ~known):
            found += _unsuited_kind(four | 1 << fifth) != STRAIGHT
    return found


def _equal_straight_flushes(suits: Sequence[int], top: int) -> int:
    run = next(bits for bits, highest in TOPS.items() if highest == top)
    found = 0
    for known in _free(suits, run):
        found += 47 - (13 - known.bit_count())
        for fifth in _ranks(0x1FFF & ~run & ~known):
            bits = run | 1 << fifth
            found += max(highest for each, highest in TOPS.items() if each & bits == each) == top
    return found
