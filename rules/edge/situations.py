"""A situation in which something is to be decided, and how situations become the rows of a table.

Worth is in units of the initial stake, with best play from there on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby


@dataclass(frozen=True)
class Situation:
    """Something to decide: how often it comes for each wager, and what every choice is worth then."""

    name: str
    chance: Fraction
    worth: Mapping[str, Fraction]
    sort: str = ""
    """What it has in common with others, in words; '' where its name says all."""
    moment: str = ""
    """When it comes, in games that ask more than once."""

    @property
    def best(self) -> str:
        """Of equally good choices the last, which risks least."""
        most = max(self.worth.values())
        return [choice for choice, worth in self.worth.items() if worth == most][-1]

    def cost(self, choice: str) -> Fraction:
        """What a choice loses against the best, each time."""
        return self.worth[self.best] - self.worth[choice]


@dataclass(frozen=True)
class Row:
    """Situations that follow each other and have the same best choice and the same others."""

    first: str
    last: str
    chance: Fraction
    best: str
    costs: Mapping[str, tuple[Fraction, Fraction]]
    """Every other choice: the least and the most that it costs, each time."""
    sort: str = ""
    moment: str = ""


def rows(found: Sequence[Situation]) -> list[Row]:
    answer: list[Row] = []
    for (moment, sort, best, others), group in groupby(
        found, key=lambda one: (one.moment, one.sort, one.best, tuple(one.worth))
    ):
        alike = list(group)
        costs = {
            choice: (min(one.cost(choice) for one in alike), max(one.cost(choice) for one in alike))
            for choice in others
            if choice != best
        }
        chance = sum((one.chance for one in alike), Fraction(0))
        answer.append(Row(alike[0].name, alike[-1].name, chance, best, costs, sort, moment))
    return answer


def by_sort(found: Sequence[Situation]) -> list[Situation]:
    """Moment by moment, sorts with the most to gain first, and within a sort so that each choice is best in one row."""
    worth: dict[tuple[str, str], Fraction] = {}
    chance: dict[tuple[str, str], Fraction] = {}
    for one in found:
        key = (one.moment, one.sort)
        worth[key] = worth.get(key, Fraction(0)) + one.chance * one.worth[one.best]
        chance[key] = chance.get(key, Fraction(0)) + one.chance
    moments = list(dict.fromkeys(one.moment for one in found))

    def order(one: Situation) -> tuple[int, Fraction, str, int, Fraction]:
        key = (one.moment, one.sort)
        place = list(one.worth).index(one.best)
        return moments.index(one.moment), -worth[key] / chance[key], one.sort, place, -one.worth[one.best]

    return sorted(found, key=order)
