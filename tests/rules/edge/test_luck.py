"""Could this be luck: a coin by hand, the bell curve by its printed tables, and what the bounds promise."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.edge.luck import Wagered, _distance, _tail, expected, luck
from rules.edge.registry import case_of, edge_of, entries_of
from rules.errors import RuleError

F = Fraction
UNIT = 1_000_000
COIN = Wagered(10_000, UNIT, F(0), F(1), F(1))
"""A fair coin, ten thousand times: a standard deviation of a hundred."""


@pytest.mark.parametrize(
    ("distance", "beyond"),
    [("0", "0.5"), ("1", "0.158655"), ("1.96", "0.024998"), ("3", "0.001350"), ("5", "0.0000003")],
)
def test_the_bell_curve_is_that_of_the_tables(distance: str, beyond: str) -> None:
    assert abs(_tail(F(distance)) - F(beyond)) <= F(1, 2 * 10 ** len(beyond.partition(".")[2]))


def test_the_bell_curve_far_out() -> None:
    assert _tail(F(8)) * 10**16 == pytest.approx(6.22, abs=0.01)
    assert _tail(F(40)) == 0
    assert abs(_distance(F(19, 20)) - F("1.959964")) < F(1, 10**6)


def test_a_coin_by_hand() -> None:
    found = expected([COIN])
    assert (found.rounds, found.staked_micros, found.win_micros) == (10_000, 10_000 * UNIT, F(0))
    assert found.deviation_micros == 100 * UNIT
    assert found.off_by == F(56, 10_000)  # 0.56 by the root of 10,000
    low, high = found.bounds_micros(F(19, 20))
    assert -low == high == pytest.approx(196 * UNIT, rel=1e-3)
    assert found.hold_bounds(F(19, 20))[1] == pytest.approx(0.0196, rel=1e-3)


@pytest.mark.parametrize(
    ("won", "begins"),
    [
        (150, "This could well be luck"),
        (-250, "Luck brings this now and then"),
        (5_000, "This is hardly luck"),
    ],
)
def test_verdicts(won: int, begins: str) -> None:
    found = luck(expected([COIN]), won * UNIT)
    assert found.verdict.startswith(begins)
    assert found.distance == F(won, 100)
    assert found.chance <= found.at_most <= 1


def test_the_most_is_never_less_than_what_the_coin_does() -> None:
    """Ten throws, counted: at least eight of a kind come in 112 of 1,024 cases."""
    found = luck(expected([Wagered(10, UNIT, F(0), F(1), F(1))]), 6 * UNIT)
    assert found.at_most >= F(112, 1024)


def test_few_rounds_of_a_long_shot_prove_nothing() -> None:
    """One straight up of 35 to 1 in ten spins costs the house 26 units: four and a half deviations by the curve."""
    (entry,) = entries_of("roulette", "gb-2011", "straight-up")
    found = luck(expected([Wagered.of(edge_of(case_of(entry)), 10, UNIT)]), -80 * UNIT)
    assert found.chance < F(1, 1000) < found.at_most
    assert found.verdict.startswith("Luck seldom brings this, yet so few rounds prove nothing")


def test_wagers_together() -> None:
    """A mixture by hand: 200 straight ups of 5.00 and 60 on red of 25.00, which gives half back on zero."""
    red = Wagered(60, 25 * UNIT, F(1, 74), F(1), F(1))
    straight = Wagered(200, 5 * UNIT, F(1, 37), F(1), F(1))
    found = expected([red, straight])
    assert found.win_micros == F(200 * 5 * UNIT, 37) + F(60 * 25 * UNIT, 74)
    assert (
        found.deviation_micros**2
        <= 200 * 25 * UNIT**2 + 60 * 625 * UNIT**2
        < (found.deviation_micros + 1) ** 2
    )


def test_nothing_left_to_chance() -> None:
    with pytest.raises(RuleError, match="no luck"):
        luck(expected([]), 0)
    (entry,) = entries_of("roulette", "gb-2011", "straight-up")
    with pytest.raises(RuleError, match="rounds"):
        Wagered.of(edge_of(case_of(entry)), -1, UNIT)
