"""Adds what holdings meet on boards over all boards that begin with the same flop, or the same flop and turn.

Two cards of given suits are 13 times 13 holdings. Their counts stand side by side in one whole number, 32 bits each,
so that one addition adds them all; a swap of suits moves such blocks about and never looks into them. A flop stands
for all that differ from it by a swap of suits: 1,755 instead of 22,100; four cards are 16,432 instead of 270,725.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from struct import pack, unpack

from rules.cards import Card
from rules.edge.hands import classes
from rules.edge.holdem.boards import MIXED, SUITED, Met, boards, sweep

FIELDS, BITS = 169, 32
_BYTES = FIELDS * BITS // 8
_FORM = f"<{FIELDS}I"
Suits = tuple[int, ...]
PERMUTATIONS: tuple[Suits, ...] = tuple(permutations(range(4)))
BLOCKS = tuple((one, two) for one in range(4) for two in range(one, 4))
"""Suits of two cards; in a block of one suit the lower rank is the first."""
Counts = Iterable[tuple[int, int]]
"""Numbers of sums, and what to add to each."""
Place = Callable[[Met], Counts]


def holding(block: int, place: int) -> tuple[Card, Card] | None:
    """The two cards of a field; None where it is the mirror image of another."""
    one, two = BLOCKS[block]
    first, second = divmod(place, 13)
    return None if one == two and first >= second else (4 * first + one, 4 * second + two)


def packed(counts: Sequence[int]) -> int:
    return int.from_bytes(pack(_FORM, *counts), "little")


def unpacked(block: int) -> tuple[int, ...]:
    return unpack(_FORM, block.to_bytes(_BYTES, "little"))


@cache
def _rows(mask: int) -> int:
    """All fields of which the first rank is not in the mask."""
    ones = 2**BITS - 1
    return packed([0 if mask >> place // 13 & 1 else ones for place in range(FIELDS)])


@cache
def _columns(mask: int) -> int:
    ones = 2**BITS - 1
    return packed([0 if mask >> place % 13 & 1 else ones for place in range(FIELDS)])


_RISING = packed([2**BITS - 1 if place // 13 < place % 13 else 0 for place in range(FIELDS)])


def _free(board: Sequence[Card]) -> list[int]:
    """By both suits, 16 masks: the holdings that have no card of the board."""
    masks = [0, 0, 0, 0]
    for card in board:
        masks[card & 3] |= 1 << (card >> 2)
    found = [_rows(one) & _columns(two) for one in masks for two in masks]
    for suit in range(4):
        found[5 * suit] &= _RISING
    return found


Tables = dict[int, list[int]]
"""By number of the sum, four blocks: both cards of the flush's suit, the first alone, the second alone, neither."""


def _tables(met: Iterable[Met], place: Place) -> Tables:
    plain: dict[int, list[list[int]]] = {}
    for one in met:
        low, high = divmod(one.place, 13)
        for number, count in place(one):
            table = plain.get(number)
            if table is None:
                table = plain[number] = [[0] * FIELDS for _ in range(4)]
            if one.sort == SUITED:
                table[0][one.place] = count
            elif one.sort == MIXED:
                table[1][one.place] = table[2][13 * high + low] = count
            else:
                table[3][one.place] = table[3][13 * high + low] = count
    return {number: [packed(counts) for counts in table] for number, table in plain.items()}


_SOURCES = {suits: tuple(4 * suits[one] + suits[two] for one, two in BLOCKS) for suits in PERMUTATIONS}


@cache
def canonical(size: int) -> Mapping[int, tuple[int, Suits]]:
    """Cards as bits → the number of their class in `classes`, and for each suit of the class's hand its suit here."""
    found: dict[int, tuple[int, Suits]] = {}
    for number, (hand, _) in enumerate(classes(size)):
        for suits in PERMUTATIONS:
            bits = sum([1 << (card & ~3) + suits[card & 3] for card in hand])
            found.setdefault(bits, (number, suits))
    return found


def classed(cards: Sequence[Card]) -> tuple[int, Suits]:
    return canonical(len(cards))[sum(1 << card for card in cards)]


class Sums:
    """For each class of the first `size` cards of a board: sums by holding, not yet even over swaps of suits."""

    def __init__(self, size: int, numbers: int) -> None:
        self.size = size
        self._parts: list[list[list[int]]] = [[[0] * 10 for _ in range(numbers)] for _ in classes(size)]

    def add(self, board: Sequence[Card], suit: int, ways: int, tables: Tables) -> None:
        """A board with the suit of its flush, which stands for so many."""
        free = _free(board)
        blocks: dict[int, list[int]] = {}
        for number, (both, first, second, neither) in tables.items():
            by_suits = [neither] * 16
            if suit >= 0:
                for other in range(4):
                    by_suits[4 * suit + other] = first
                    by_suits[4 * other + suit] = second
                by_suits[5 * suit] = both
            blocks[number] = [(block & mask) * ways for block, mask in zip(by_suits, free, strict=True)]
        known = canonical(self.size)
        for part in combinations([1 << card for card in board], self.size):
            place, suits = known[sum(part)]
            sources = _SOURCES[suits]
            to = self._parts[place]
            for number, found in blocks.items():
                to[number] = [have + found[source] for have, source in zip(to[number], sources, strict=True)]

    def of(self, place: int) -> list[list[tuple[int, ...]]]:
        """By number and block: the sum over all boards that a class of first cards may become, for each holding."""
        hand = classes(self.size)[place][0]
        own = sum(1 << card for card in hand)
        stays = [
            suits
            for suits in PERMUTATIONS
            if sum([1 << (card & ~3) + suits[card & 3] for card in hand]) == own
        ]
        return [_even(parts, stays) for parts in self._parts[place]]


def _even(parts: list[int], stays: Sequence[Suits]) -> list[tuple[int, ...]]:
    """Sums over the swaps of suits that leave the first cards as they are. A board was counted as often as there are
    boards of its class, which is 24 by the number of swaps that leave it as it is: so all is 24 times too much."""
    plain = [unpacked(block) for block in parts]
    if len(stays) == 1:
        return [tuple([count // 24 for count in block]) for block in plain]
    found: list[tuple[int, ...]] = []
    for one, two in BLOCKS:
        total = [0] * FIELDS
        for suits in stays:
            first, second = suits[one], suits[two]
            block = plain[BLOCKS.index((min(first, second), max(first, second)))]
            if first > second:
                block = tuple([block[13 * (place % 13) + place // 13] for place in range(FIELDS)])
            total = [have + more for have, more in zip(total, block, strict=True)]
        found.append(tuple([count // 24 for count in total]))
    return found


def gather(
    sizes: Sequence[int],
    numbers: int,
    place: Place,
    qualifies_from: int,
    tick: Callable[[int, int], None],
) -> list[Sums]:
    """All boards, once: sums by the first `size` cards, for each of the sizes."""
    found = [Sums(size, numbers) for size in sizes]
    done = 0
    for kind, alike in boards().items():
        tables = _tables(sweep(kind, qualifies_from), place)
        for board, suit, ways in alike:
            for sums in found:
                sums.add(board, suit, ways, tables)
            if done % 500 == 0:
                tick(done, 134_459)
            done += 1
    return found
