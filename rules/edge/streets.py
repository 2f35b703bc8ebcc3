"""Games in which five cards come to light in steps and a table pays them: what is known at each step decides.

Hands are told apart only as far as suits matter, so four cards are 16,432 cases and three are 1,755.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm

from rules.cards import DECK, Card
from rules.declare import PayTable
from rules.edge.hands import classes
from rules.ranking import rank5

Known = tuple[int, int, int, int]
"""Cards by suit as sets of ranks, suits sorted: equal for hands that differ by a swap of suits."""
Keys = Mapping[str | None, int]
"""Pay table line (None: lost) → number of ways to complete the hand."""
Classify = Callable[[int], str | None]


def known(cards: Sequence[Card]) -> Known:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    masks.sort()
    return masks[0], masks[1], masks[2], masks[3]


@cache
def completions(classify: Classify, size: int) -> Mapping[Known, Keys]:
    """For every hand of so many cards (4, 3 or 2): the lines of the five cards that it may become, by ordered draws."""
    answer: dict[Known, Keys] = {}
    if size == 4:
        names: dict[int, str | None] = {}
        for hand, _ in classes(4):
            found: dict[str | None, int] = {}
            for card in DECK:
                if card not in hand:
                    value = rank5((*hand, card))
                    if value not in names:
                        names[value] = classify(value)
                    key = names[value]
                    found[key] = found.get(key, 0) + 1
            answer[known(hand)] = found
        return answer
    after = completions(classify, size + 1)
    for hand, _ in classes(size):
        found = {}
        for longer, ways in next_cards(hand).items():
            for key, number in after[longer].items():
                found[key] = found.get(key, 0) + ways * number
        answer[known(hand)] = found
    return answer


@cache
def _next_by_known(of: Known) -> Mapping[Known, int]:
    cards = [4 * place + suit for suit, mask in enumerate(of) for place in range(13) if mask >> place & 1]
    found: dict[Known, int] = {}
    for card in DECK:
        if card not in cards:
            longer = known((*cards, card))
            found[longer] = found.get(longer, 0) + 1
    return found


def next_cards(hand: Sequence[Card]) -> Mapping[Known, int]:
    """What the hand may be with one card more, and in how many ways."""
    return _next_by_known(known(hand))


def next_known(of: Known) -> Mapping[Known, int]:
    return _next_by_known(of)


@dataclass(frozen=True)
class Gains:
    """What one unit nets by line, as whole numbers of a common part of it."""

    lines: tuple[tuple[str | None, int], ...]
    """None is lost."""
    scale: int
    """So many parts are one unit."""

    @cached_property
    def parts(self) -> dict[str | None, int]:
        return dict(self.lines)

    def of(self, key: str | None) -> Fraction:
        return Fraction(self.parts[key], self.scale)

    def total(self, keys: Keys) -> int:
        """Parts that one unit nets over all ways to complete the hand."""
        parts = self.parts
        return sum([number * parts[key] for key, number in keys.items()])


def gains(table: PayTable, push: str = "") -> Gains:
    """`push`: a line of the game that is in no table, on which the stake comes back."""
    net: dict[str | None, Fraction] = {key: odds.ratio for key, odds in table.lines.items()}
    net[None] = Fraction(-1)
    if push:
        net[push] = Fraction(0)
    scale = lcm(*(gain.denominator for gain in net.values()))
    return Gains(tuple((key, int(gain * scale)) for key, gain in net.items()), scale)
