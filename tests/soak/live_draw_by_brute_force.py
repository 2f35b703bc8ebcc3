"""Live Draw Poker with a joker, a second time: every hand of 53 cards, every way to hold, nothing of the core.

For cards S let W(S) be what all hands that contain S are paid. The hands that keep exactly S of a deal are those that
contain S and no other card of it: W(S) less what contains one more, and so on. No swap of suits is made use of.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm

JOKER = 52
"""Cards are 4 times the rank, from two, plus the suit."""
DRAWS = [comb(48, number) for number in range(6)]
SCALE = lcm(*DRAWS)
# gb-2011 16.31, the first table: "x for 1".
ROYAL, STRAIGHT_FLUSH, FOUR, FULL, FLUSH, STRAIGHT, THREE, TWO, JACKS = 250, 50, 25, 8, 5, 4, 3, 2, 1


@cache
def _by_ranks(ranks: tuple[int, ...], flush: bool) -> int:
    """What five cards are paid, the ranks sorted. Five of a rank are paid as four: the table has no line for them."""
    run = len(set(ranks)) == 5 and (ranks[4] - ranks[0] == 4 or ranks == (0, 1, 2, 3, 12))
    if run and flush:
        return ROYAL if ranks[0] == 8 else STRAIGHT_FLUSH
    times = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if times[0] >= 4:
        return FOUR
    if times[:2] == [3, 2]:
        return FULL
    if flush:
        return FLUSH
    if run:
        return STRAIGHT
    if times[0] == 3:
        return THREE
    if times[:2] == [2, 2]:
        return TWO
    return JACKS if any(rank >= 9 and ranks.count(rank) == 2 for rank in set(ranks)) else 0


def paid(hand: tuple[int, ...]) -> int:
    """The joker, which comes last, is whatever pays most."""
    suit = hand[0] & 3
    if hand[4] != JOKER:
        flush = all(card & 3 == suit for card in hand)
        return _by_ranks(tuple([card >> 2 for card in hand]), flush)
    four = [card >> 2 for card in hand[:4]]
    flush = all(card & 3 == suit for card in hand[:4])
    return _with_joker(tuple(four), flush)


@cache
def _with_joker(four: tuple[int, ...], flush: bool) -> int:
    return max(_by_ranks(tuple(sorted((*four, rank))), flush) for rank in range(13))


def returned() -> Fraction:
    """What comes back of one unit under best play."""
    cards = [1 << card for card in range(53)]
    contained: dict[int, int] = {}
    own: dict[int, int] = {}
    for hand in combinations(range(53), 5):
        pays = paid(hand)
        if not pays:
            continue
        sets = [0]
        for card in hand:
            sets += [bits | cards[card] for bits in sets]
        own[sets.pop()] = pays
        for bits in sets:
            contained[bits] = contained.get(bits, 0) + pays
    places = [(low, low | bit) for bit in (1, 2, 4, 8, 16) for low in range(32) if not low & bit]
    weights = [SCALE // DRAWS[5 - choice.bit_count()] for choice in range(32)]
    total = 0
    for hand in combinations(range(53), 5):
        sets = [0]
        for card in hand:
            sets += [bits | cards[card] for bits in sets]
        worth = [contained.get(bits, 0) for bits in sets]
        worth[31] = own.get(sets[31], 0)
        for low, high in places:
            worth[low] -= worth[high]
        total += max([one * weight for one, weight in zip(worth, weights, strict=True)])
    return Fraction(total, SCALE * comb(53, 5))
