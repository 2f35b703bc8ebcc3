"""Could this be luck? What a table should win, how far chance may carry it from there, and how likely that is.

Pure functions for pages and reports: they know rounds, stakes and results; house edges and variances come from `Edge`.
Rounds are taken to be independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from rules.edge.core import Edge
from rules.errors import RuleError

OFTEN, RARE = Fraction(1, 20), Fraction(1, 1000)
_BERRY_ESSEEN = Fraction(56, 100)
"""Shevtsova's constant for sums of independent parts that are not alike."""
_FAR = 12
"""Standard deviations beyond which the tail is nought to thirty places."""
_PLACES = 50


@dataclass(frozen=True)
class Wagered:
    """A number of rounds with one wager of one stake."""

    rounds: int
    stake_micros: int
    house_edge: Fraction
    """Of the stake."""
    variance: Fraction
    """Of the result of one unit."""
    third: Fraction
    """The average of the third power of the distance from the mean, sign left out: how lopsided one round is."""

    @classmethod
    def of(cls, edge: Edge, rounds: int, stake_micros: int) -> Wagered:
        if rounds < 0 or stake_micros <= 0:
            raise RuleError("a number of rounds and a stake above nothing are needed", field="rounds")
        return cls(rounds, stake_micros, edge.house_edge, edge.variance, third_of(edge))

    @property
    def staked_micros(self) -> int:
        return self.rounds * self.stake_micros

    @property
    def squares(self) -> int:
        return self.rounds * self.stake_micros**2

    @property
    def cubes(self) -> int:
        return self.rounds * self.stake_micros**3


@dataclass(frozen=True)
class Summed:
    """The same of wagers with stakes of any size: how many, and the sums of the stakes, their squares and cubes."""

    rounds: int
    staked_micros: int
    squares: int
    cubes: int
    house_edge: Fraction
    variance: Fraction
    third: Fraction


def third_of(edge: Edge) -> Fraction:
    """The average of the third power of the distance from the mean, sign left out."""
    mean = -edge.house_edge
    return edge.distribution.mean(lambda result: abs(result.net - mean) ** 3)


@dataclass(frozen=True)
class Expected:
    """What the house wins on average of all these rounds, and how far chance carries it."""

    rounds: int
    staked_micros: int
    win_micros: Fraction
    deviation_micros: int
    """One standard deviation, rounded down to a micro."""
    off_by: Fraction
    """At most so far is the bell curve from the true chances (Berry and Esseen); 1 and more says nothing."""

    def bounds_micros(self, part: Fraction) -> tuple[int, int]:
        """Between which the win lies in this part of all cases, by the bell curve: 19/20 for 95%."""
        reach = int(_distance(part) * self.deviation_micros)
        return int(self.win_micros) - reach, int(self.win_micros) + reach

    def hold_bounds(self, part: Fraction) -> tuple[Fraction, Fraction]:
        """The same as parts of all that was staked."""
        low, high = self.bounds_micros(part)
        staked = max(self.staked_micros, 1)
        return Fraction(low, staked), Fraction(high, staked)


def expected(wagered: Iterable[Wagered | Summed]) -> Expected:
    """Of all wagers of a table together, each of which is decided for itself."""
    found = list(wagered)
    win = sum((w.staked_micros * w.house_edge for w in found), Fraction(0))
    variance = sum((w.squares * w.variance for w in found), Fraction(0))
    third = sum((w.cubes * w.third for w in found), Fraction(0))
    with localcontext() as context:
        context.prec = _PLACES
        deviation = (Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt()
        off = Fraction(1)
        if deviation:
            off = (_BERRY_ESSEEN * third / Fraction(deviation) ** 3).limit_denominator(10**9)
    staked = sum(w.staked_micros for w in found)
    return Expected(sum(w.rounds for w in found), staked, win, int(deviation), min(off, Fraction(1)))


@dataclass(frozen=True)
class Luck:
    """An observed win of the house beside the expected one."""

    expected: Expected
    observed_micros: int
    distance: Fraction
    """In standard deviations; negative where the house won less."""
    chance: Fraction
    """That chance alone carries the win at least so far, to either side, by the bell curve."""
    at_most: Fraction
    """That chance at the very most, whatever the shape of the results: the lesser of what Berry and Esseen leave and
    of Chebyshev's bound."""

    @property
    def verdict(self) -> str:
        if self.chance >= OFTEN:
            return "This could well be luck."
        if self.at_most < RARE:
            return "This is hardly luck: look at the table, its equipment and its records."
        if self.chance >= RARE:
            return "Luck brings this now and then: watch whether it goes on."
        return "Luck seldom brings this, yet so few rounds prove nothing: look at the largest results first."


def luck(of: Expected, observed_micros: int) -> Luck:
    """Could this be luck? The function that pages and reports call."""
    if of.deviation_micros <= 0:
        raise RuleError("nothing was left to chance: there is no luck to speak of", field="rounds")
    distance = (observed_micros - of.win_micros) / of.deviation_micros
    chance = 2 * _tail(abs(distance))
    sure = 1 / distance**2 if abs(distance) > 1 else Fraction(1)
    return Luck(of, observed_micros, distance, chance, min(sure, chance + 2 * of.off_by, Fraction(1)))


def _tail(distance: Fraction) -> Fraction:
    """The part of the bell curve beyond so many standard deviations, to one side, to thirty places."""
    if distance >= _FAR:
        return Fraction(0)
    with localcontext() as context:
        context.prec = 2 * _PLACES
        z = Decimal(distance.numerator) / Decimal(distance.denominator)
        term = total = z
        odd = 1
        while term > Decimal(10) ** -(2 * _PLACES - 10):
            odd += 2
            term = term * z * z / odd
            total += term
        # 1 / sqrt(2 pi) exp(-z z / 2) (z + z^3/3 + z^5/(3 5) + ...) is the part between the middle and z.
        inside = total * (-z * z / 2).exp() / (2 * _PI).sqrt()
    return max(Fraction(1, 2) - Fraction(inside), Fraction(0)).limit_denominator(10**30)


_PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
)


def _distance(part: Fraction) -> Fraction:
    """So many standard deviations to both sides hold this part of the bell curve."""
    if not 0 < part < 1:
        raise RuleError("a part of all cases lies between nothing and all", field="part")
    low, high = Fraction(0), Fraction(_FAR)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - 2 * _tail(middle) < part else (low, middle)
    return high
