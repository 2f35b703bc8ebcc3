"""Card keys whose sum identifies a hand, and the tables for those sums: built on first use, not at import.

For enumerating millions of hands: keep the sum of the keys of the cards that stay, add those that change, then

    suited = suits[total // SUIT_UNIT]
    if suited is None: value = values[(total + shifts[total & BUCKET]) % SLOTS]
    else: value = flushes[suited[a] | suited[b] | ... for all the cards]

with `suits, shifts, values, flushes = five_card_tables(7)`. `rules.ranking.five` does just this for one hand.
The cards must be different ones of one pack: sums of others are not in the tables, and nothing tells.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

RANK_KEY_OF: tuple[int, ...] = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""One for each rank, two to ace: no two different sets of ranks, equally many and at most seven, at most four
of them alike, have the same sum."""
SUIT_KEY_OF: tuple[int, ...] = (-16, -15, 9, 16)
"""One for each suit: the sum tells the suit that five of five to seven cards share, or four of four to six."""
SLOTS = 64 * 1151
BUCKET = 8191
SUIT_UNIT = SLOTS * 128
"""Above every sum of rank keys; a multiple of SLOTS and of the number of buckets, so that suits leave no trace in
either remainder; and small enough that every sum stays below 2**30, a single digit to CPython and fast to add."""

RANK_KEYS: list[int] = [RANK_KEY_OF[card >> 2] for card in range(52)]
KEYS: list[int] = [SUIT_KEY_OF[card & 3] * SUIT_UNIT + RANK_KEY_OF[card >> 2] for card in range(52)]
PAIR_KEYS: list[list[int]] = []
"""`PAIR_KEYS[a][b]` is `KEYS[a] + KEYS[b]`, for one addition less. Filled with the first table."""
RANK_BITS: list[int] = [4 << (card >> 2) for card in range(52)]
"""Bit r for rank r (2..14): a set of ranks as an int."""
SUITED: list[list[int]] = [[RANK_BITS[card] * (card & 3 == suit) for card in range(52)] for suit in range(4)]
"""For each suit: RANK_BITS of its own cards, 0 for the others."""

RankSets = tuple[int, int, int, int]
"""The ranks held at least once, twice, three times, four times, each as bits."""

_filling = Lock()


class Tables(NamedTuple):
    suits: list[list[int] | None]
    """By `total // SUIT_UNIT` (negative too): SUITED of the suit with enough cards for a flush, else None."""
    shifts: list[int]
    """By `total & BUCKET`: what moves the sums of this bucket to slots of their own."""
    values: list[int]
    """By slot: the value when suits do not matter."""
    flushes: dict[int, int]
    """By the bits of the ranks in the flush's suit: the best flush or straight flush."""

    def unsuited(self, total: int) -> int:
        """The value when suits do not matter."""
        return self.values[(total + self.shifts[total & BUCKET]) % SLOTS]


def fill(
    tables: Tables, size: int, needed: int, best: Callable[[RankSets], int], best_flush: Callable[[int], int]
) -> Tables:
    """Fill the tables of the best `needed` of `size` cards, unless they are full."""
    with _filling:
        if tables.values:
            return tables
        # In place: modules hold on to these very objects. The values last: they tell that the rest is there.
        if not PAIR_KEYS:
            PAIR_KEYS[:] = _pair_keys()
        tables.suits[:] = flush_suits(size, needed)
        for bits in range(4, 1 << 15, 4):
            if needed <= bits.bit_count() <= size:
                tables.flushes[bits] = best_flush(bits)
        by_key = {key: best(held) for key, held in rank_sets(size)}
        tables.shifts[:] = shifts = _shifts(by_key)
        # One object for equal values: with seven cards ten times less memory to go through.
        same: dict[int, int] = {}
        values = [0] * SLOTS
        for key, value in by_key.items():
            values[(key + shifts[key & BUCKET]) % SLOTS] = same.setdefault(value, value)
        tables.values[:] = values
    return tables


def _pair_keys() -> list[list[int]]:
    same: dict[int, int] = {}
    sums = [[one + other for other in KEYS] for one in KEYS]
    return [[same.setdefault(total, total) for total in row] for row in sums]


def flush_suits(size: int, needed: int) -> list[list[int] | None]:
    """By `total // SUIT_UNIT` of so many cards: SUITED of the suit that has as many as are needed, else None."""
    answer: list[list[int] | None] = [None] * 256
    for c in range(size + 1):
        for d in range(size + 1 - c):
            for h in range(size + 1 - c - d):
                counts = (c, d, h, size - c - d - h)
                if max(counts) >= needed:
                    place = sum(n * key for n, key in zip(counts, SUIT_KEY_OF, strict=True))
                    answer[place] = SUITED[counts.index(max(counts))]
    return answer


def _shifts(keys: dict[int, int]) -> list[int]:
    """For each bucket of keys the first shift that brings all of them to free slots, the fullest buckets first."""
    buckets: list[list[int]] = [[] for _ in range(BUCKET + 1)]
    for key in keys:
        buckets[key & BUCKET].append(key % SLOTS)
    # A few hundred candidates suffice, and few distinct ints stay in the processor's cache.
    candidates = [step * 20011 % SLOTS for step in range(1000)]
    taken = bytearray(2 * SLOTS)
    shifts = [0] * (BUCKET + 1)
    for place in sorted(range(BUCKET + 1), key=lambda place: len(buckets[place]), reverse=True):
        bucket = buckets[place]
        for shift in candidates:
            for slot in bucket:
                if taken[slot + shift]:
                    break
            else:
                shifts[place] = shift
                break
        for slot in bucket:
            end = (slot + shifts[place]) % SLOTS
            taken[end] = taken[end + SLOTS] = 1
    return shifts


def rank_sets(size: int) -> list[tuple[int, RankSets]]:
    """Every set of ranks that `size` cards of one pack can have, with its key."""
    partial: list[tuple[int, int, int, int, int, int]] = [(size, 0, 0, 0, 0, 0)]
    for place, key in enumerate(RANK_KEY_OF):
        bit = 4 << place
        room = 4 * (12 - place)
        longer = [entry for entry in partial if entry[0] <= room]
        for left, total, once, twice, thrice, all_four in partial:
            if 1 <= left <= room + 1:
                longer.append((left - 1, total + key, once | bit, twice, thrice, all_four))
            if 2 <= left <= room + 2:
                longer.append((left - 2, total + 2 * key, once | bit, twice | bit, thrice, all_four))
            if 3 <= left <= room + 3:
                longer.append((left - 3, total + 3 * key, once | bit, twice | bit, thrice | bit, all_four))
            if 4 <= left <= room + 4:
                longer.append(
                    (left - 4, total + 4 * key, once | bit, twice | bit, thrice | bit, all_four | bit)
                )
        partial = longer
    return [(total, (once, twice, thrice, all_four)) for _, total, once, twice, thrice, all_four in partial]
