"""Could so many hits be luck? The exact chance that as many tries give a number of hits at least as far from what is
expected, to either side, whatever the number of tries and however rare the hit.

Tries are taken to be independent of one another. Hands of one round come from one deck, so that theirs are not quite;
that changes the tenth place, not the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import ceil, floor

from rules.edge.luck import OFTEN, RARE
from rules.errors import RuleError

PLACES = 30
"""To so many places behind the point a chance is right."""
_DIGITS = 100
_NEGLIGIBLE = Decimal(10) ** -(PLACES + 20)


@dataclass(frozen=True)
class Counted:
    """How many hits there were, beside how many are expected."""

    tries: int
    expected: Fraction
    hits: int
    chance: Fraction
    """That luck alone brings the number of hits at least so far from the expected one, to either side."""

    @property
    def verdict(self) -> str:
        if self.chance >= OFTEN:
            return "as luck has it"
        return "luck brings this now and then" if self.chance >= RARE else "hardly luck: look into it"


def count_luck(tried: Iterable[tuple[int, Fraction]], hits: int) -> Counted:
    """`tried`: how often, and how likely each time; several where games with other chances feed one meter."""
    groups: dict[Fraction, int] = {}
    for tries, chance in tried:
        if tries < 0 or not 0 <= chance < 1:
            raise RuleError("a number of tries and a chance below one are needed", field="tries")
        groups[chance] = groups.get(chance, 0) + tries
    tries = sum(groups.values())
    expected = sum((many * chance for chance, many in groups.items()), Fraction(0))
    likely = {chance: many for chance, many in groups.items() if chance and many}
    if not likely:
        return Counted(tries, expected, hits, Fraction(0 if hits else 1))
    far = abs(hits - expected)
    low, high = floor(expected - far), ceil(expected + far)
    if far == 0 or low >= high:
        return Counted(tries, expected, hits, Fraction(1))
    with localcontext(Context(prec=_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        total = Decimal(0)
        for number, part in enumerate(_distribution(likely)):
            if number <= low or number >= high:
                total += part
            if number >= high and abs(part) < _NEGLIGIBLE:
                break
        exact = Fraction(round(total * 10**PLACES), 10**PLACES)
    return Counted(tries, expected, hits, min(max(exact, Fraction(0)), Fraction(1)))


def _distribution(groups: dict[Fraction, int]) -> Iterator[Decimal]:
    """How likely no hit is, one, two, … up to all.

    The generating function is G(z) = Π (q + p z)^n. With r = p / q, A(z) = Π (1 + r z) and B(z) = Σ n r Π' (1 + r z),
    A G' = B G: so each chance follows from as many before it as there are groups, and one group is the binomial's own.
    """
    parts = [(many, chance / (1 - chance)) for chance, many in groups.items()]
    a = [_decimal(each) for each in _product(odds for _, odds in parts)]
    b = [Decimal(0)] * len(parts)
    for place, (many, odds) in enumerate(parts):
        others = _product(other for at, (_, other) in enumerate(parts) if at != place)
        for power, factor in enumerate(others):
            b[power] += _decimal(many * odds * factor)
    none = Decimal(1)
    for chance, many in groups.items():
        none *= _decimal(1 - chance) ** many
    found = [none]
    yield none
    for number in range(sum(groups.values())):
        given = sum((b[j] * found[-1 - j] for j in range(min(len(b), len(found)))), Decimal(0))
        for j in range(1, min(len(a), len(found) + 1)):
            given -= a[j] * (number + 1 - j) * found[-j]
        found = [*found[-len(parts) :], given / (number + 1)]
        yield found[-1]


def _product(odds: Iterable[Fraction]) -> list[Fraction]:
    """The factors of Π (1 + r z), by power of z."""
    made = [Fraction(1)]
    for each in odds:
        made = [
            low + each * high for low, high in zip([*made, Fraction(0)], [Fraction(0), *made], strict=True)
        ]
    return made


def _decimal(exact: Fraction) -> Decimal:
    return Decimal(exact.numerator) / Decimal(exact.denominator)
