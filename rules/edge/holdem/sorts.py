"""Sorts of situations on the flop, in words that a player knows, and what each choice costs in a whole sort.

Two cards and a flop are 1.3 million situations that differ by more than a swap of suits. Every one of them is decided
for the best; a table that can be read puts those together that look alike, and says what it costs to treat them alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from rules.cards import RANKS, Card
from rules.ranking import Category, category, rank5

TEN = 8
"""The place of its rank, two being 0."""
_WINDOWS = (0b1_0000_0000_1111, *(0b11111 << low for low in range(9)))
"""Ranks of all straights; the first has the ace below the two."""
_OPEN = tuple(0b1111 << low for low in range(9))
"""Four ranks in a row that a card on either side makes a straight."""


@dataclass(frozen=True)
class Sort:
    """All situations of one sort: how often they come for each ante, and what can be chosen in them."""

    chance: Fraction
    best: Mapping[str, Fraction]
    """The part of them in which each choice is the best."""
    cost: Mapping[str, Fraction]
    """What a choice loses against the best of each, on average, if it is always taken: in antes."""


Sorts = Mapping[str, Sort]


@cache
def _drawing(bits: int) -> str:
    """What four ranks of a straight among these may become."""
    if any(bits & run == run for run in _OPEN):
        return "an open straight"
    return "an inside straight" if any((bits & run).bit_count() == 4 for run in _WINDOWS) else ""


def _paired(hole: Sequence[int], board: Sequence[int]) -> str:
    """The pair or two that the player's own cards make; '' where they make none."""
    own = [rank for rank in hole if rank in board]
    if hole[0] == hole[1]:
        where = "over" if hole[0] > max(board) else "under" if hole[0] < min(board) else "between"
        return f"a pair in hand {where} the board"
    if not own:
        return ""
    if len(own) == 2:
        return "two pairs"
    higher = len({rank for rank in board if rank > own[0]})
    return f"a pair with the {('highest', 'second', 'lowest')[higher]} of the board"


@cache
def _name(hole: tuple[int, int], board: tuple[int, ...], of: Category, flush: bool) -> str:
    """`flush`: four cards of one suit, at least one of them in hand."""
    shared = len(set(board)) < 3
    if of >= Category.STRAIGHT:
        return "a straight or better"
    if of is Category.THREE_OF_A_KIND and len(set(board)) > 1:
        return "three of a kind"
    pair = "" if len(set(board)) == 1 else _paired(hole, board)
    if pair:
        return f"{pair}, which is paired" if shared else pair
    bits = sum(1 << rank for rank in {*hole, *board})
    draws = [name for name in ("four to a flush" if flush else "", _drawing(bits)) if name]
    top = max(hole)
    high = f"{RANKS[top]} high" if top >= TEN else "9 high or lower"
    table = "a board of three" if len(set(board)) == 1 else "a paired board" if shared else ""
    return ", ".join([*draws, high, *([table] if table else [])])


def sort_of(hole: Sequence[Card], flop: Sequence[Card]) -> str:
    """What two cards and a flop are to a player."""
    low, high = sorted(card >> 2 for card in hole)
    suits = [card & 3 for card in (*hole, *flop)]
    flush = any(suits.count(suit) == 4 for suit in suits[:2])
    board = tuple(sorted(card >> 2 for card in flop))
    return _name((low, high), board, category(rank5((*hole, *flop))), flush)


class Tally:
    """Adds situations up by sort. What choices gain is in whole parts; how many make an ante is said at the end."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = tuple(choices)
        self._ways: dict[str, int] = {}
        self._best: dict[str, list[int]] = {}
        self._lost: dict[str, list[int]] = {}

    def add(self, sort: str, ways: int, gains: Sequence[int]) -> None:
        """So many situations in which the choices gain so much. Of equally good ones the last is the best."""
        if sort not in self._ways:
            self._ways[sort] = 0
            self._best[sort], self._lost[sort] = [0] * len(self.choices), [0] * len(self.choices)
        self._ways[sort] += ways
        most = max(gains)
        self._best[sort][max(at for at, gain in enumerate(gains) if gain == most)] += ways
        lost = self._lost[sort]
        for at, gain in enumerate(gains):
            lost[at] += ways * (most - gain)

    def sorts(self, all_ways: int, scale: int) -> dict[str, Sort]:
        """`all_ways`: situations of all antes. `scale`: so many parts are one ante."""
        found = {}
        for sort, ways in self._ways.items():
            best = zip(self.choices, self._best[sort], strict=True)
            lost = zip(self.choices, self._lost[sort], strict=True)
            found[sort] = Sort(
                Fraction(ways, all_ways),
                {choice: Fraction(number, ways) for choice, number in best},
                {choice: Fraction(parts, scale * ways) for choice, parts in lost},
            )
        return found
