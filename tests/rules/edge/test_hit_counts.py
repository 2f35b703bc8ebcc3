"""Could so many hits be luck? Against the binomial by hand and sums over every case, with exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from rules import RuleError
from rules.edge.counts import PLACES, count_luck

LAST = Fraction(1, 10**PLACES)


def by_hand(groups: list[tuple[int, Fraction]], hits: int) -> Fraction:
    """Every way in which the tries of all groups may turn out, one by one."""
    expected = sum((n * p for n, p in groups), Fraction(0))
    far, found = abs(hits - expected), Fraction(0)
    for counts in product(*(range(n + 1) for n, _ in groups)):
        if abs(sum(counts) - expected) >= far:
            chance = Fraction(1)
            for (n, p), k in zip(groups, counts, strict=True):
                chance *= comb(n, k) * p**k * (1 - p) ** (n - k)
            found += chance
    return found


@pytest.mark.parametrize(
    "groups",
    [
        [(12, Fraction(1, 7))],
        [(40, Fraction(1, 2))],
        [(9, Fraction(1, 3)), (11, Fraction(2, 7))],
        [(6, Fraction(1, 9)), (5, Fraction(3, 4)), (7, Fraction(1, 50))],
    ],
)
def test_every_number_of_hits_against_every_case(groups: list[tuple[int, Fraction]]) -> None:
    for hits in range(sum(n for n, _ in groups) + 1):
        found = count_luck(groups, hits)
        assert abs(found.chance - by_hand(groups, hits)) <= LAST, hits
        assert found.expected == sum(n * p for n, p in groups)


def test_a_royal_in_as_many_hands_as_there_are() -> None:
    """4 of 2,598,960 hands: in 649,740 one is expected. No royal, or two and more: all but exactly one of them."""
    n, p = 649_740, Fraction(4, 2_598_960)
    exactly_one = n * p * _power(1 - p, n - 1)
    for hits in (0, 2):
        found = count_luck([(n, p)], hits)
        assert found.expected == 1
        assert abs(found.chance - (1 - exactly_one)) < Fraction(1, 10**28)
    assert count_luck([(n, p)], 1).chance == 1, "as expected, to the hit"
    assert count_luck([(n, p)], 1).verdict == "as luck has it"
    # Ten of them: e^-1 / 10! (1 + 1/11 + ...) by Poisson, which is right to five places here.
    ten = count_luck([(n, p)], 10)
    assert Fraction(1113, 10**10) < ten.chance < Fraction(1115, 10**10)
    assert ten.verdict == "hardly luck: look into it"


def _power(base: Fraction, exponent: int) -> Fraction:
    """By squaring, cut to sixty places each time."""
    found, unit = Fraction(1), 10**60
    while exponent:
        if exponent & 1:
            found = Fraction(round(found * base * unit), unit)
        base, exponent = Fraction(round(base * base * unit), unit), exponent >> 1
    return found


def test_the_same_chance_in_two_groups_is_one_group() -> None:
    p = Fraction(1, 508)
    assert count_luck([(10_000, p), (23_456, p)], 90) == count_luck([(33_456, p)], 90)


def test_what_nobody_tried_or_nothing_can_hit() -> None:
    assert count_luck([], 0).chance == 1
    assert count_luck([(10, Fraction(0))], 1).chance == 0
    with pytest.raises(RuleError):
        count_luck([(10, Fraction(3, 2))], 1)
