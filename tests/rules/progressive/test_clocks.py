"""Bounds of a terminal's clock, worked by hand. Times are in milliseconds here; drift is 500 ppm unless said."""

from __future__ import annotations

import pytest

from rules.progressive.clocks import (
    Bounds,
    Envelope,
    Heard,
    Sample,
    Timing,
    Trouble,
    hear,
    since_failover,
    troubles,
)

MS = 1_000
TIMING = Timing()
STILL = Timing(drift_ppm=0)


def envelope(
    sent: int, echo: int | None = None, echo_received: int | None = None, number: int = 0
) -> Envelope:
    """A request of clock `c`, in milliseconds."""
    return Envelope(
        "c",
        sent * MS,
        None if echo is None else echo * MS,
        None if echo_received is None else echo_received * MS,
        last_number=number,
    )


def talk(*requests: tuple[Envelope, int], timing: Timing = STILL) -> Heard:
    """What is known after requests, each with its time of receipt in milliseconds."""
    heard = None
    for request, received in requests:
        heard = hear(heard.bounds if heard else None, request, received * MS, timing)
    assert heard is not None
    return heard


def offsets(heard: Heard, at: int, timing: Timing = STILL) -> tuple[int, int | None]:
    high = heard.bounds.high_us(at * MS, timing.drift_ppm)
    return heard.bounds.low_us(at * MS, timing.drift_ppm) // MS, None if high is None else high // MS


# A clock that is 3,600,000 ms behind; 40 ms there, 60 ms back. Its true offset is -3,600,000.
FIRST = (envelope(sent=-2_600_000), 1_000_040)
SECOND = (envelope(sent=-2_598_000, echo=1_000_050, echo_received=-2_599_890), 1_002_040)


def test_the_first_request_has_no_upper_bound() -> None:
    # sent_at - received = -2,600,000 - 1,000,040
    assert offsets(talk(FIRST), at=1_000_040) == (-3_600_040, None)
    assert talk(FIRST).jump_us is None, "a clock that shows a time before 1970 is no trouble"


def test_an_echo_gives_the_upper_bound() -> None:
    # echo_received_at - echo = -2,599,890 - 1,000,050
    assert offsets(talk(FIRST, SECOND), at=1_002_040) == (-3_600_040, -3_599_940)


@pytest.mark.parametrize(
    ("received", "low"),
    [
        (1_004_010, -3_600_010),  # 10 ms on the way: better
        (1_004_900, -3_600_040),  # 900 ms on the way: the old one stays
    ],
)
def test_the_best_of_a_clock_is_kept(received: int, low: int) -> None:
    third = (envelope(sent=-2_596_000, echo=1_002_050, echo_received=-2_597_000), received)
    heard = talk(FIRST, SECOND, third)
    # That answer took 950 ms: no better upper bound.
    assert offsets(heard, at=received) == (low, -3_599_940)
    assert heard.jump_us is None


def test_a_bound_grows_by_drift_from_receipt_and_from_echo() -> None:
    heard = talk(FIRST, SECOND, timing=TIMING)
    bounds = heard.bounds
    # The lower one is of the second receipt, because drift has made the first one worse by 1 ms.
    assert bounds.low == Sample(-3_600_040 * MS, 1_002_040 * MS)
    assert bounds.high == Sample(-3_599_940 * MS, 1_000_050 * MS)
    # 100 s later: 500 ppm of 100 s is 50 ms; of 101.99 s it is 50.995 ms.
    at = 1_102_040 * MS
    assert bounds.low_us(at, 500) == -3_600_090 * MS
    assert bounds.high_us(at, 500) == -3_599_940 * MS + 50_995
    assert bounds.width_us(at, 500) == 150_000 + 50_995
    # and just as much before it
    assert bounds.low_us(1_002_040 * MS - 100_000 * MS, 500) == -3_600_090 * MS


@pytest.mark.parametrize(
    ("reading", "earliest", "latest"),
    [
        # offset between -10 and 10 ms, both samples at 1,000,000 ms
        (1_000_000, 999_989_994, 1_000_010_006),  # 10 ms / 0.9995 = 10.005002... each way, rounded outwards
        (1_100_010, 1_099_950_024, None),  # 100,000 ms after: 100,000 / 1.0005 = 99,950.0249...
        (1_099_990, None, 1_100_050_026),  # 100,000 / 0.9995 = 100,050.0250...
        (900_010, 899_949_974, None),  # 100,000 ms before: 100,000 / 0.9995 back
        (899_990, None, 900_049_976),  # 100,000 / 1.0005 back
    ],
)
def test_the_instants_of_a_reading(reading: int, earliest: int | None, latest: int | None) -> None:
    at = 1_000_000 * MS
    bounds = Bounds("c", Sample(-10 * MS, at), Sample(10 * MS, at))
    if earliest is not None:
        assert bounds.earliest(reading * MS, 500) == earliest
    if latest is not None:
        assert bounds.latest(reading * MS, 500) == latest


def test_without_an_echo_a_reading_has_no_earliest() -> None:
    assert Bounds("c", Sample(0, 0), None).earliest(5, 500) is None


# ------------------------------------------------------------------------------------------------------- jumps

# Offset 0, 20 ms each way.
AGREED = [
    (envelope(sent=0), 20),
    (envelope(sent=2_000, echo=20, echo_received=40), 2_020),
]


def test_a_step_forward_shows_with_the_next_request() -> None:
    # +500 ms: sent at 4,000 by the server, 4,500 by the terminal; its echo is from before the step
    heard = talk(*AGREED, (envelope(sent=4_500, echo=2_020, echo_received=2_040, number=7), 4_020))
    # alone it says offset >= 480 and <= 20: 460 more than possible
    assert heard.jump_us == 460 * MS
    assert offsets(heard, 4_020) == (480, None)
    # The answer of 20 was the last one known to agree.
    assert heard.doubtful_since == 20 * MS
    assert heard.bounds.doubtful_until == 7


def test_what_was_stamped_and_not_sent_is_doubtful_too() -> None:
    first = (envelope(sent=0), 20)
    kept = Envelope("c", 4_500 * MS, 20 * MS, 40 * MS, last_number=7, last_stamped=9)
    assert talk(first, (kept, 4_020)).bounds.doubtful_until == 9


def test_a_step_back_shows_one_answer_late() -> None:
    # -500 ms at 3,000: the request at 4,000 reads 3,500, which looks like a slow network
    slow = (envelope(sent=3_500, echo=2_020, echo_received=2_040), 4_020)
    heard = talk(*AGREED, slow)
    assert heard.jump_us is None
    assert offsets(heard, 4_020) == (-20, 20)
    assert heard.bounds.agreed_at == 2_020 * MS
    # its answer of 4,020 is there at 4,040, reading 3,540: offset <= -480
    heard = talk(*AGREED, slow, (envelope(sent=5_500, echo=4_020, echo_received=3_540), 6_020))
    assert heard.jump_us == -460 * MS
    assert heard.doubtful_since == 2_020 * MS
    assert offsets(heard, 6_020) == (-520, -480)
    assert heard.bounds.agreed_at == 6_020 * MS


def test_a_step_back_of_more_than_the_last_echo_shows_at_once() -> None:
    # -25 s at 3,000: sent at 4,000 reads -21,000, before the echo that it says it has read at 2,040
    heard = talk(*AGREED, (envelope(sent=-21_000, echo=2_020, echo_received=2_040), 4_020))
    assert heard.jump_us == -23_040 * MS
    assert offsets(heard, 4_020) == (-25_020, None)


def test_a_first_request_may_contradict_itself() -> None:
    heard = talk((envelope(sent=5_000, echo=20, echo_received=40), 4_020))
    assert (heard.jump_us, heard.doubtful_since) == (960 * MS, 4_020 * MS)
    assert offsets(heard, 4_020) == (980, None)


def test_a_clock_within_the_drift_does_not_jump_and_a_faster_one_does() -> None:
    """From the echo of 20 to 202,020 ms 500 ppm are 101 ms, and 20 ms each way forgive another 40."""
    for gained, jumps in ((141, False), (142, True)):
        late = (envelope(sent=202_000 + gained, echo=202_000, echo_received=202_000 + gained), 202_020)
        heard = talk(*AGREED, late, timing=TIMING)
        assert (heard.jump_us is not None) is jumps, gained


def test_a_request_that_was_overtaken_says_nothing() -> None:
    """A duplicate from before a step would otherwise bring the old offset back, and a second jump."""
    after = (envelope(sent=5_500, echo=4_020, echo_received=4_540), 5_020)
    known = talk(*AGREED, after)
    heard = talk(*AGREED, after, (envelope(sent=2_000, echo=20, echo_received=40), 5_100))
    assert heard == Heard(known.bounds, overtaken=True)


def test_after_a_failover_everything_is_known_anew() -> None:
    """The new server's clock may be another: an echo of the old one says nothing, and a moment that was stamped before
    the first request may be told in one clock's time while its rival was told in the other's."""
    old = Envelope("c", 4_000 * MS, 2_020 * MS, 2_040 * MS, 3_900 * MS, 7)
    assert since_failover(old, 3_000 * MS) == Envelope("c", 4_000 * MS, None, None, 3_900 * MS, 7)
    assert since_failover(old, 2_020 * MS) == old
    heard = hear(None, since_failover(old, 3_000 * MS), 4_020 * MS, STILL, failed_over=True)
    assert (heard.bounds.high, heard.bounds.doubtful_until, heard.jump_us) == (None, 7, None)
    assert hear(None, old, 4_020 * MS, STILL).bounds.doubtful_until == 0


def test_a_request_on_its_way_through_a_failover_does_not_end_the_doubt() -> None:
    """Night 57206: it left before event 8 was stamped, and the failover came after that. Only an echo of the new server
    proves that a request left later."""
    heard = hear(None, envelope(sent=4_000, number=7), 4_020 * MS, STILL, failed_over=True)
    heard = hear(heard.bounds, envelope(sent=4_300, number=8), 4_320 * MS, STILL)
    assert (heard.bounds.doubtful_until, heard.bounds.unconfirmed) == (8, True)
    heard = hear(heard.bounds, envelope(4_700, 4_320, 4_340, number=9), 4_720 * MS, STILL)
    assert (heard.bounds.doubtful_until, heard.bounds.unconfirmed) == (9, False)
    heard = hear(heard.bounds, envelope(5_700, 4_720, 4_740, number=10), 5_720 * MS, STILL)
    assert heard.bounds.doubtful_until == 9


# --------------------------------------------------------------------------------------------- applied offset


def test_the_applied_offset_starts_at_nought_and_goes_to_the_nearest_bound() -> None:
    assert talk(*AGREED).bounds.applied_us == 0
    assert talk(FIRST).bounds.applied_us == 0  # between -3,600,040 and nothing
    assert talk(FIRST, SECOND).bounds.applied_us == -3_599_940 * MS
    ahead = [(envelope(sent=9_000), 1_020), (envelope(sent=11_000, echo=1_020, echo_received=9_040), 3_020)]
    assert talk(*ahead).bounds.applied_us == 7_980 * MS


def test_the_applied_offset_stays_while_the_bounds_allow_it() -> None:
    # The third request narrows the bounds from -3,600,040..-3,599,940 to -3,600,010..-3,599,940.
    third = (envelope(sent=-2_596_000, echo=1_002_050, echo_received=-2_597_890), 1_004_010)
    assert talk(FIRST, SECOND, third).bounds.applied_us == -3_599_940 * MS
    # an answer that took 10 ms: -3,599,990 is the nearest now
    third = (envelope(sent=-2_596_000, echo=1_002_050, echo_received=-2_597_940), 1_004_010)
    assert talk(FIRST, SECOND, third).bounds.applied_us == -3_599_990 * MS


# ----------------------------------------------------------------------------------------------------- trouble


def test_an_offset_is_no_trouble_and_width_is() -> None:
    assert troubles(talk(FIRST, SECOND), 1_002_040 * MS, TIMING) == ()
    wide = talk((envelope(sent=0), 20), (envelope(sent=2_000, echo=20, echo_received=501), 2_020))
    assert offsets(wide, 2_020) == (-20, 481)
    assert troubles(wide, 2_020 * MS, TIMING) == (Trouble.WIDTH,)
    jumped = talk(*AGREED, (envelope(sent=4_500, echo=2_020, echo_received=2_040), 4_020))
    assert troubles(jumped, 4_020 * MS, TIMING) == (Trouble.JUMP,)
