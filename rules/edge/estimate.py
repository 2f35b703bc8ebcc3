"""Figures of random rounds, for games whose every play is too much to count: always the same rounds, from a seed.

The rules core has no chance in it: what looks random here is a fixed row of numbers, so a figure is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rules.edge.core import Case, Chance, Distribution, Result

_T = TypeVar("_T")
_MASK = 2**64 - 1
SEED = 31_415_926
"""Plays were chosen on other rounds (seed 20111): those of this seed had no say in it."""


class Row:
    """SplitMix64 (Steele, Lea and Flood, 2014) as a `Chance`."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def number(self) -> int:
        """The next of 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return mixed ^ mixed >> 31

    def randrange(self, stop: int, /) -> int:
        """Numbers that would favour the low ones are left out."""
        limit = (_MASK + 1) // stop * stop
        while (found := self.number()) >= limit:
            pass
        return found % stop

    def choice(self, seq: Sequence[_T], /) -> _T:
        return seq[self.randrange(len(seq))]

    def sample(self, population: Sequence[_T], k: int, /) -> list[_T]:
        left = list(population)
        for place in range(k):
            other = place + self.randrange(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:k]


def method(rounds: int, strategy: str) -> str:
    return f"an estimate of {rounds:,} rounds with seed {SEED}, on which nothing was chosen; {strategy}"


def estimated(case: Case, play: Callable[[Case, Chance], Result]) -> Distribution:
    """As many rounds as the entry says."""
    chance, rounds = Row(SEED), case.entry.sample
    weights: dict[Result, int] = {}
    for number in range(rounds):
        end = play(case, chance)
        weights[end] = weights.get(end, 0) + 1
        if number % 1000 == 0:
            case.tick(number, rounds)
    return Distribution.of_weights(weights)
