"""One kind of wager that feeds several progressives: slices that add up, and gb-2011 2.4's 70% over all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.money import CENT
from rules.progressive import (
    ProgressiveRules,
    check_feeds,
    contribute,
    opening_state,
    preset,
    slices_bp,
    split,
)
from tests.rules.progressive.cases import level, m

GRAND = preset("gb-2011-11.44", level("5000.00", rate=4_000, reserve=500))
MINI = preset("gb-2011-11.44", level("100.00", rate=3_000))


def on_level(rules: ProgressiveRules, **change: object) -> ProgressiveRules:
    return replace(rules, levels=(replace(rules.levels[0], **change), *rules.levels[1:]))  # type: ignore[arg-type]


def test_2_4_is_counted_over_all_meters_that_a_wager_feeds() -> None:
    # 40% + 30% = 70%; the grand's reserve of 5% is no meter
    assert check_feeds("progressive", [GRAND, MINI]) == ()
    (alone,) = check_feeds("progressive", [GRAND])
    assert (alone.rule, alone.field) == ("gb-2011 2.4", "links")
    assert "40% of a progressive wager" in alone.message


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (on_level(MINI, increment_bp=6_999), "69.99% of a wager"),
        (on_level(MINI, increment_bp=6_500, reserve_bp=500), "65% of a wager"),
        # after the cap the secondary rate counts
        (on_level(MINI, increment_bp=7_000, cap_micros=m("200.00"), secondary_bp=5_000), "50% of a wager"),
    ],
)
def test_2_4_below_the_floor(rules: ProgressiveRules, says: str) -> None:
    (fault,) = check_feeds("x", [rules])
    assert says.replace("a wager", "a x wager") in fault.message
    assert fault.rule == "gb-2011 2.4"


def test_2_4_is_for_progressive_wagers_of_this_book_only() -> None:
    assert (
        check_feeds("bet", [preset("gb-2011-16.28", level(rate=100))]) == ()
    )  # 16.29: a share of every wager
    assert check_feeds("jackpot", [preset("nz-1996-viii", level(rate=100))]) == ()  # 11.3: as approved


def test_nobody_takes_more_than_the_whole_wager() -> None:
    (fault,) = check_feeds("jackpot", [on_level(GRAND, increment_bp=7_000), MINI])
    assert "105% of a jackpot wager" in fault.message


def test_slices_of_one_dollar() -> None:
    # grand 0.45, mini 0.30, and the remaining quarter goes where the house's share is named
    assert slices_bp({"grand": GRAND, "mini": MINI}, "mini") == {"grand": 4_500, "mini": 5_500}
    assert slices_bp({"grand": GRAND, "mini": MINI}, None) == {"grand": 4_500, "mini": 3_000}


@given(
    st.integers(1, 10**7), st.integers(0, 5_000), st.integers(0, 2_000), st.integers(0, 3_000), st.booleans()
)
@settings(max_examples=200, deadline=None)
def test_slices_add_up_to_the_wager_and_so_do_the_pots(
    cents: int, one: int, reserve: int, other: int, rest_to_one: bool
) -> None:
    fed = {
        "a": preset("nz-1996-viii", level(rate=one, reserve=reserve)),
        "b": preset("nz-1996-viii", level(rate=other)),
    }
    slices = slices_bp(fed, "a" if rest_to_one else "b")
    stake = cents * CENT
    kept = 0
    for name, rules in fed.items():
        slice_micros = stake // 10_000 * slices[name]
        movement = contribute(rules, opening_state(rules), split(stake, rules.levels, slice_micros))
        assert movement.applied.stake_micros == slice_micros
        kept += movement.state.total_micros - opening_state(rules).total_micros + movement.house_micros
    assert kept == stake
