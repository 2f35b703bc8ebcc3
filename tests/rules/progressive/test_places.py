"""Intervals, places, late and public, watermarks and leases, worked by hand. Times are in milliseconds here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.progressive.clocks import Bounds, Envelope, Sample, Timing
from rules.progressive.places import (
    Other,
    Placed,
    Told,
    doubted,
    final_limit,
    in_lease,
    is_silent,
    is_stuck,
    is_unawaited,
    lease_of_server,
    may_be_left_out,
    place_hit,
    place_lock,
    place_mark,
    renews,
    watermark,
)

MS = 1_000
TIMING = Timing(drift_ppm=0)


def clock(low: int, high: int | None, applied: int = 0, doubtful_until: int = 0) -> Bounds:
    upper = None if high is None else Sample(high * MS, 0)
    return Bounds("c", Sample(low * MS, 0), upper, applied * MS, doubtful_until=doubtful_until)


# The clock is 10,000 ms ahead, known within 30 ms to both sides; places are counted by its upper bound.
AHEAD = clock(9_970, 10_030, applied=10_030)


def told(reading: int, received: int, bounds: Bounds | None = AHEAD, number: int = 9, error: int = 0) -> Told:
    return Told(reading * MS, received * MS, bounds, number, error * MS)


def placed(
    place: int, earliest: int, latest: int, received: int, late: bool = False, error: int = 0
) -> Placed:
    return Placed(place * MS, earliest * MS, latest * MS, received * MS, late, error * MS)


# --------------------------------------------------------------------------------------------------- the lock


@pytest.mark.parametrize(
    ("moment", "floor", "last", "expected"),
    [
        # reading 60,000: between 60,000 - 10,030 and 60,000 - 9,970
        (told(60_000, 50_200), 0, 0, placed(49_970, 49_970, 50_030, 50_200)),
        # received before the upper bound would allow: not after its receipt
        (told(60_000, 50_010), 0, 0, placed(49_970, 49_970, 50_010, 50_010)),
        # not before the watermark: the interval is cut there, the place brought in
        (told(60_000, 50_200), 50_000, 0, placed(50_000, 50_000, 50_030, 50_200)),
        # not before the table's last place: the interval grows to it
        (told(60_000, 50_200), 0, 50_100, placed(50_100, 49_970, 50_100, 50_200)),
        # told 1,001 ms after its latest bound: late, and it may have been at any time until then
        (told(60_000, 51_031), 0, 0, placed(49_970, 49_970, 51_031, 51_031, late=True)),
        (told(60_000, 51_030), 0, 0, placed(49_970, 49_970, 50_030, 51_030)),
        # before the terminal's own watermark: the earliest open place, and late
        (told(60_000, 50_200), 50_031, 0, placed(50_031, 50_031, 50_200, 50_200, late=True)),
        # the source's error widens both sides
        (told(60_000, 50_200, error=100), 0, 0, placed(49_970, 49_870, 50_130, 50_200, error=100)),
        # and is added after the cut at the receipt: 50,010 + 100
        (told(60_000, 50_010, error=100), 0, 0, placed(49_970, 49_870, 50_110, 50_010, error=100)),
        # no echo yet: not before the watermark is all that is known
        (told(60_000, 50_200, clock(9_970, None)), 40_000, 0, placed(50_030, 40_000, 50_030, 50_200)),
        # a clock never heard: up to the receipt
        (told(60_000, 50_200, None), 40_000, 0, placed(50_200, 40_000, 50_200, 50_200)),
        # from the future, 1 ms beyond what the clock can show: known since the watermark only, and late
        (told(60_231, 50_200), 40_000, 0, placed(50_200, 40_000, 50_200, 50_200, late=True)),
        # stamped before a jump, told after it: the reading says nothing
        (
            told(60_000, 50_200, clock(9_970, 10_030, 10_030, doubtful_until=9)),
            40_000,
            0,
            placed(49_970, 40_000, 50_200, 50_200, late=True),
        ),
        (
            told(60_000, 50_200, clock(9_970, 10_030, 10_030, doubtful_until=8)),
            0,
            0,
            placed(49_970, 49_970, 50_030, 50_200),
        ),
    ],
)
def test_a_lock(moment: Told, floor: int, last: int, expected: Placed) -> None:
    assert place_lock(moment, floor * MS, last * MS, TIMING) == expected


# --------------------------------------------------------------------------------------------- marks and hits

LOCK = placed(49_970, 49_970, 50_030, 50_200)


@pytest.mark.parametrize(
    ("moment", "lock", "expected"),
    [
        # reading 63,000 is 52,970 to 53,030
        (told(63_000, 53_100), LOCK, placed(52_970, 52_970, 53_030, 53_100)),
        # a shoe's 50 ms
        (told(63_000, 53_100, error=50), LOCK, placed(52_970, 52_920, 53_080, 53_100, error=50)),
        # a dealer's tap, received 10 ms after itself: its card may come a second later
        (told(63_000, 53_010, error=1_000), LOCK, placed(52_970, 51_970, 54_010, 53_010, error=1_000)),
        # told 1,001 ms after itself: what its source may be wrong by makes it no less late
        (
            told(63_000, 54_031, error=1_000),
            LOCK,
            placed(52_970, 51_970, 55_031, 54_031, late=True, error=1_000),
        ),
        (told(63_000, 54_030, error=1_000), LOCK, placed(52_970, 51_970, 54_030, 54_030, error=1_000)),
        # late: at any time until it was told, as far as its source can tell
        (
            told(63_000, 58_100, error=50),
            LOCK,
            placed(52_970, 52_920, 58_150, 58_100, late=True, error=50),
        ),
        # stamped before a jump, told after it: the same, and its reading says nothing
        (
            told(63_000, 53_100, clock(9_970, 10_030, 10_030, doubtful_until=9), error=1_000),
            LOCK,
            placed(52_970, 49_970, 54_100, 53_100, late=True, error=1_000),
        ),
        # not before its lock
        (told(59_990, 50_100), LOCK, placed(49_970, 49_970, 50_020, 50_100)),
        # not before its lock's place, to which its interval grows
        (
            told(59_990, 50_300),
            placed(50_200, 49_970, 50_200, 50_250),
            placed(50_200, 49_970, 50_200, 50_300),
        ),
        # on a late lock it is late
        (told(63_000, 53_100), replace(LOCK, late=True), placed(52_970, 52_970, 53_100, 53_100, late=True)),
        # told 5 s after itself
        (told(63_000, 58_100), LOCK, placed(52_970, 52_970, 58_100, 58_100, late=True)),
    ],
)
def test_a_mark(moment: Told, lock: Placed, expected: Placed) -> None:
    assert place_mark(moment, lock, TIMING) == expected


MARK = placed(52_970, 52_970, 53_030, 53_100)


@pytest.mark.parametrize(
    ("mark", "others", "expected"),
    [
        # the hit is known at 80,000, its moment was told at 53,100
        (MARK, [], MARK),
        # no mark: any time since the lock
        (None, [], placed(80_000, 49_970, 80_000, 80_000)),
        # another's hit, public since 53,100, which may have been later: late
        (MARK, [(52_100, 52_970)], replace(MARK, latest=53_100 * MS, late=True)),
        # public only 1 ms after the mark was told
        (MARK, [(52_101, 52_970)], MARK),
        # public long since, but certainly earlier
        (MARK, [(40_000, 52_969)], MARK),
        # without a mark everything that was public before the result counts
        (None, [(78_000, 49_970)], placed(80_000, 49_970, 80_000, 80_000, late=True)),
        (None, [(78_000, 49_969)], placed(80_000, 49_970, 80_000, 80_000)),
    ],
)
def test_a_hit(mark: Placed | None, others: list[tuple[int, int]], expected: Placed) -> None:
    seen = [Other(received * MS, latest * MS) for received, latest in others]
    assert place_hit(mark, LOCK, 80_000 * MS, seen, TIMING) == expected


def test_a_tap_before_its_card_proves_no_order() -> None:
    """The tap at 60,000 is of a card at 60,900; another table's card came at 60,500, told by its shoe. Which was first
    nobody can say by these words: the intervals have to overlap."""
    exact = clock(0, 0)
    tap = place_mark(told(60_000, 60_010, exact, error=1_000), placed(50_000, 50_000, 50_000, 50_000), TIMING)
    shoe = place_mark(told(60_500, 60_510, exact, error=50), placed(50_000, 50_000, 50_000, 50_000), TIMING)
    assert tap.earliest <= shoe.latest
    assert shoe.earliest <= tap.latest
    assert tap.latest >= 60_900 * MS


def test_a_hand_lay_there_when_its_result_was_told() -> None:
    """The tap of 53,000 says until 54,010; its result was received at 53,500."""
    tap = place_mark(told(63_000, 53_010, error=1_000), LOCK, TIMING)
    assert place_hit(tap, LOCK, 53_500 * MS, [], TIMING).latest == 53_500 * MS
    assert place_hit(tap, LOCK, 80_000 * MS, [], TIMING).latest == 54_010 * MS


def test_a_hit_stands_before_the_next_lock_of_its_table() -> None:
    # result told at 80,000, when the next round was locked at 70,000
    found = place_hit(None, LOCK, 80_000 * MS, [], TIMING, next_lock=70_000 * MS)
    assert found == placed(70_000, 49_970, 80_000, 80_000)
    # and not before its own
    found = place_hit(MARK, LOCK, 80_000 * MS, [], TIMING, next_lock=49_000 * MS)
    assert found == placed(49_970, 49_970, 53_030, 53_100)


def test_a_jump_makes_late_what_the_limit_has_not_passed() -> None:
    # lock at 49,970; watermark 50,500, limit 50,400
    found = doubted(MARK, 49_970 * MS, 50_500 * MS, 50_400 * MS)
    assert found == placed(52_970, 50_500, 53_100, 53_100, late=True)
    # a watermark beyond it raises nothing
    found = doubted(MARK, 49_970 * MS, 60_000 * MS, 50_400 * MS)
    assert found == placed(52_970, 52_970, 53_100, 53_100, late=True)
    # a tap may have been a second before its card: 53,100 + 1,000
    tap = replace(MARK, earliest=51_970 * MS, latest=54_030 * MS, error_us=1_000 * MS)
    assert doubted(tap, 49_970 * MS, 0, 0).latest == 54_100 * MS
    # the limit is beyond: decided
    assert doubted(MARK, 49_970 * MS, 60_000 * MS, 53_031 * MS) == MARK


# ------------------------------------------------------------------------------------------ watermark and limit


def vouch(until: int | None, echo_received: int | None, number: int = 4) -> Envelope:
    upper = None if echo_received is None else echo_received * MS
    until_ = None if until is None else until * MS
    return Envelope("c", 70_000 * MS, None if upper is None else 0, upper, until_, number)


@pytest.mark.parametrize(
    ("envelope", "arrived", "expected"),
    [
        # W 69,000, the echo was read at 68,000: no further than that, less 10,030
        (vouch(69_000, 68_000), 4, 57_970),
        (vouch(67_000, 68_000), 4, 56_970),
        # event 4 has not arrived
        (vouch(67_000, 68_000), 3, None),
        # no echo, no word
        (vouch(67_000, None), 4, None),
        (vouch(None, 68_000), 4, None),
        # a time after its own sending vouches for nothing beyond that
        (vouch(99_000, 98_000), 4, 59_970),
    ],
)
def test_a_watermark(envelope: Envelope, arrived: int, expected: int | None) -> None:
    found = watermark(AHEAD, envelope, arrived, TIMING)
    assert found == (None if expected is None else expected * MS)


def test_a_watermark_stands_until_what_was_stamped_before_a_jump_is_here() -> None:
    """A terminal that keeps a round until it is over, and whose clock is set back untold while it does: its W is the
    old clock's reading of the lock, which the new one reaches 17 s after the lock."""
    doubtful = clock(9_970, 10_030, doubtful_until=6)
    assert watermark(doubtful, vouch(67_000, 68_000), 5, TIMING) is None
    assert watermark(doubtful, vouch(67_000, 68_000), 6, TIMING) == 56_970 * MS


def test_a_watermark_needs_an_upper_bound() -> None:
    assert watermark(clock(9_970, None), vouch(67_000, 68_000), 4, TIMING) is None


def test_the_limit_is_the_least_of_tables_and_undecided_rounds() -> None:
    assert final_limit([50, 70], [60], 100) == 50
    assert final_limit([50, 70], [40], 100) == 40
    assert final_limit([], [], 100) == 100


def test_silence_is_an_old_watermark() -> None:
    # lease 15 s and skew 1 s
    assert not is_silent(10_000 * MS, 26_000 * MS, TIMING)
    assert is_silent(10_000 * MS, 26_001 * MS, TIMING)
    assert not is_stuck(10_000 * MS, 310_000 * MS, 300_000 * MS)
    assert is_stuck(10_000 * MS, 310_001 * MS, 300_000 * MS)


# ----------------------------------------------------------------------------------------------------- leases


def test_the_terminals_lease_ends_before_the_servers() -> None:
    # sent at its 60,000 (the server's 50,000), received at 50,001
    assert 60_000 * MS + TIMING.lease_us == 75_000 * MS  # by its own clock, which the terminal counts
    assert lease_of_server(50_001 * MS, TIMING) == 65_001 * MS


def test_a_slow_clock_may_use_its_whole_lease() -> None:
    """15 s of a clock that loses 500 ppm last 15,007.504 ms: with the receipt 1 ms after the sending, a lease without
    drift would end 6.5 ms before the terminal knows."""
    drifting = Timing(drift_ppm=500)
    assert lease_of_server(50_001 * MS, drifting) == 50_001 * MS + 15_007_504
    own_end = 50_000 * MS + 15_000 * MS * 1_000_000 // 999_500
    assert lease_of_server(50_001 * MS, TIMING) < own_end <= lease_of_server(50_001 * MS, drifting)


@pytest.mark.parametrize(("echo", "expected"), [(42_501, True), (42_500, False), (None, False)])
def test_a_lease_is_renewed_by_who_hears(echo: int | None, expected: bool) -> None:
    # received at 50,000: an answer younger than 7,500
    envelope = Envelope("c", 60_000 * MS, None if echo is None else echo * MS, 52_600 * MS)
    assert renews(envelope, 50_000 * MS, TIMING) is expected


def test_a_lock_counts_if_it_may_lie_in_the_lease_whenever_told() -> None:
    # 49,970 at the earliest, told half an hour later
    assert in_lease(told(60_000, 1_850_000), 49_970 * MS, TIMING)
    assert not in_lease(told(60_000, 1_850_000), 49_969 * MS, TIMING)
    assert in_lease(told(60_000, 1_850_000, None), 0, TIMING)


def test_others_wait_for_the_lease_and_the_skew() -> None:
    assert not may_be_left_out(65_000 * MS, 66_000 * MS, TIMING)
    assert may_be_left_out(65_000 * MS, 66_001 * MS, TIMING)


def test_a_round_that_nobody_waited_for() -> None:
    """A table comes back at a limit of 50,000: a lock of 49,970 at the earliest may have been before it."""
    assert told(60_000, 90_000).may_be_before(50_000 * MS, TIMING)
    assert not told(60_000, 90_000).may_be_before(49_970 * MS, TIMING)
    assert told(60_000, 90_000, clock(9_970, None)).may_be_before(0, TIMING)


def test_nobody_waited_for_a_lock_from_before_the_return() -> None:
    early, unknown = (
        told(60_000, 90_000),
        told(60_000, 90_000, clock(9_970, None)),
    )  # at 49,970 at the earliest
    returned = 50_000 * MS
    assert is_unawaited(early, returned, returned, TIMING)
    assert is_unawaited(unknown, returned, returned, TIMING)
    assert not is_unawaited(told(60_100, 90_000), returned, returned, TIMING)
    # Once it has vouched beyond its return, everything before is told: this one is later, or it is late.
    assert not is_unawaited(unknown, returned + 1, returned, TIMING)
