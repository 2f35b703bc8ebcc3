"""nz-1996 VIII 12.1-12.3 worked by hand: the Caribbean Stud jackpot, one winner and several."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.errors import RuleError
from rules.progressive import check_config, preset, resolve_in_order, resolve_round
from tests.rules.progressive.cases import adds_up, hits, level, m, meter, paid, pots

RULES = preset("nz-1996-viii", level("10000.00"))

# pool before | hits | what each gets (house part) | pool after
CASES = {
    # 12.1(a): 100% of 50,000; then the level restarts at its seed
    "royal": ("50000.00", ["1 royal-flush"], {"1 royal-flush": "50000.00"}, "10000.00"),
    # 12.1(a): the pool holds 8,000, the minimum is 10,000: the house adds 2,000
    "royal under the minimum": (
        "8000.00",
        ["1 royal-flush"],
        {"1 royal-flush": "10000.00 (2000.00 house)"},
        "10000.00",
    ),
    # 12.1(b): 10% of 50,000; 45,000 remains
    "straight flush": ("50000.00", ["1 straight-flush"], {"1 straight-flush": "5000.00"}, "45000.00"),
    # 12.1(b): 10% of 6,000 is 600, the minimum 1,000: 600 off the pool, 400 from the house
    "straight flush under the minimum": (
        "6000.00",
        ["1 straight-flush"],
        {"1 straight-flush": "1000.00 (400.00 house)"},
        "5400.00",
    ),
    # 12.1(b): 10% of exactly 10,000 is the minimum itself
    "straight flush at the minimum": (
        "10000.00",
        ["1 straight-flush"],
        {"1 straight-flush": "1000.00"},
        "9000.00",
    ),
    # 12.1(c)-(e): bonuses, off the pool as in 12.2(a)
    "four of a kind": ("50000.00", ["1 four-of-a-kind"], {"1 four-of-a-kind": "500.00"}, "49500.00"),
    "full house": ("50000.00", ["1 full-house"], {"1 full-house": "150.00"}, "49850.00"),
    "flush": ("50000.00", ["1 flush"], {"1 flush": "100.00"}, "49900.00"),
    # bonuses do not depend on the wager
    "flush on a larger wager": ("50000.00", ["1 flush 5.00"], {"1 flush": "100.00"}, "49900.00"),
    # the pool holds 200, the bonus is 500: the house adds 300 and nothing is left
    "four of a kind, pool nearly empty": (
        "200.00",
        ["1 four-of-a-kind"],
        {"1 four-of-a-kind": "500.00 (300.00 house)"},
        "0.00",
    ),
    # 12.2(a) 500 + 150 + 100 = 750 → 49,250; (b) 10% of 49,250 = 4,925 to each of two → 39,400; (c) the whole of it
    "everything at once": (
        "50000.00",
        [
            "1 royal-flush",
            "2 straight-flush",
            "3 straight-flush",
            "4 four-of-a-kind",
            "5 full-house",
            "6 flush",
        ],
        {
            "1 royal-flush": "39400.00",
            "2 straight-flush": "4925.00",
            "3 straight-flush": "4925.00",
            "4 four-of-a-kind": "500.00",
            "5 full-house": "150.00",
            "6 flush": "100.00",
        },
        "10000.00",
    ),
    # (b) every straight flush on the same 50,000: seven times 5,000 leave 15,000
    "seven straight flushes": (
        "50000.00",
        [f"{seat} straight-flush" for seat in range(1, 8)],
        {f"{seat} straight-flush": "5000.00" for seat in range(1, 8)},
        "15000.00",
    ),
    # (b) 10% of 6,000 = 600 each, raised to 1,000; the pool bears 1,200 → 4,800; (c) 4,800 raised to 10,000
    "minimums all round": (
        "6000.00",
        ["1 straight-flush", "2 straight-flush", "3 royal-flush"],
        {
            "1 straight-flush": "1000.00 (400.00 house)",
            "2 straight-flush": "1000.00 (400.00 house)",
            "3 royal-flush": "10000.00 (5200.00 house)",
        },
        "10000.00",
    ),
    # (c) 30,000.01 / 2 = 15,000.005 each, all of the pool; I 15.3: half a cent is paid as a whole one, by the house
    "two royals": (
        "30000.01",
        ["1 royal-flush", "2 royal-flush"],
        {"1 royal-flush": "15000.01 (0.005 house)", "2 royal-flush": "15000.01 (0.005 house)"},
        "10000.00",
    ),
    # (c) 16,000 / 2 = 8,000 each, raised to 10,000 each
    "two royals under the minimum": (
        "16000.00",
        ["1 royal-flush", "2 royal-flush"],
        {"1 royal-flush": "10000.00 (2000.00 house)", "2 royal-flush": "10000.00 (2000.00 house)"},
        "10000.00",
    ),
    # (a) 500 + 100 from a pool of 550: the first is covered, of the second 50; (b) 10% of nothing
    "more bonuses than pool": (
        "550.00",
        ["1 four-of-a-kind", "2 flush", "3 straight-flush"],
        {
            "1 four-of-a-kind": "500.00",
            "2 flush": "100.00 (50.00 house)",
            "3 straight-flush": "1000.00 (1000.00 house)",
        },
        "0.00",
    ),
    # 10% of 12,345.678912 = 1,234.5678912: 1,234.57 by 11.8, of which the pool bears 1,234.567891 and keeps
    # 12,345.678912 - 1,234.567891 = 11,111.111021
    "rounded up to the cent": (
        "12345.678912",
        ["1 straight-flush"],
        {"1 straight-flush": "1234.57 (0.002109 house)"},
        "11111.111021",
    ),
    # 12.1(a): the whole of 12,345.678912, and what is missing to the cent
    "the whole meter, rounded up": (
        "12345.678912",
        ["1 royal-flush"],
        {"1 royal-flush": "12345.68 (0.001088 house)"},
        "10000.00",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_12_2(case: str) -> None:
    pool, given, expected, after = CASES[case]
    before = pots(RULES, pool)
    resolution = resolve_round(RULES, before, hits(*given))
    assert paid(resolution) == expected
    assert meter(resolution.state) == after
    adds_up(before, resolution)


BONUSES_OF_THE_HOUSE = replace(
    RULES,
    stages=(
        replace(
            RULES.stages[0],
            prizes=tuple(
                replace(prize, from_pool=False, from_pool_with_others=True)
                for prize in RULES.stages[0].prizes
            ),
        ),
        *RULES.stages[1:],
    ),
)
"""The other reading of 12.1(c)-(e): only 12.2(a) takes bonuses off the pool, and it is about several winners."""


@pytest.mark.parametrize(
    ("pool", "given", "expected", "after"),
    [
        # alone: the house pays, the pool keeps its 50,750
        ("50750.00", ["1 flush"], {"1 flush": "100.00 (100.00 house)"}, "50750.00"),
        # 12.2(a) 500 + 150 + 100 off the pool; (b) 10% of the 50,000 that remain
        (
            "50750.00",
            ["1 four-of-a-kind", "2 full-house", "3 flush", "4 straight-flush"],
            {
                "1 four-of-a-kind": "500.00",
                "2 full-house": "150.00",
                "3 flush": "100.00",
                "4 straight-flush": "5000.00",
            },
            "45000.00",
        ),
        # two flushes qualify: 12.2 holds without any straight flush
        ("50750.00", ["1 flush", "2 flush"], {"1 flush": "100.00", "2 flush": "100.00"}, "50550.00"),
    ],
)
def test_12_1_a_lone_bonus_may_be_the_house_s(
    pool: str, given: list[str], expected: dict[str, str], after: str
) -> None:
    assert check_config(BONUSES_OF_THE_HOUSE) == ()
    before = pots(BONUSES_OF_THE_HOUSE, pool)
    resolution = resolve_round(BONUSES_OF_THE_HOUSE, before, hits(*given))
    assert paid(resolution) == expected
    assert meter(resolution.state) == after
    adds_up(before, resolution)


def test_11_8_the_unit_of_payment_is_declared() -> None:
    # in whole dollars: 10% of 12,345.678912 is 1,234.5678912, paid as 1,235 and never as 1,234
    rules = replace(RULES, round_to_micros=m("1.00"))
    before = pots(rules, "12345.678912")
    resolution = resolve_round(rules, before, hits("1 straight-flush"))
    assert paid(resolution) == {"1 straight-flush": "1235.00 (0.432109 house)"}
    assert meter(resolution.state) == "11111.111021"
    adds_up(before, resolution)


@pytest.mark.parametrize(
    ("amount", "chip", "handed_out"),
    [
        ("1234.57", "0.00", "1234.57"),  # any cent can be paid
        ("1234.57", "2.50", "1235.00"),
        ("1235.00", "2.50", "1235.00"),  # payable as it is
        ("1235.01", "2.50", "1237.50"),
        ("0.01", "5.00", "5.00"),
        ("0.00", "5.00", "0.00"),
    ],
)
def test_15_3_what_is_handed_out_in_chips(amount: str, chip: str, handed_out: str) -> None:
    rules = replace(RULES, chip_micros=m(chip))
    assert rules.payable(m(amount)) == m(handed_out)
    # said when it is paid, where it is not the declared chip
    assert RULES.payable(m(amount), m(chip)) == m(handed_out)
    assert rules.payable(m(amount), 0) == m(amount)


def test_12_3_a_later_round_sees_what_is_left() -> None:
    # 10% of 50,000; then 10% of 45,000; then the royal takes 40,500; then 10% of the new 10,000
    rounds = [
        hits("4 straight-flush"),
        hits("1 straight-flush"),
        hits("2 royal-flush"),
        hits("3 straight-flush"),
    ]
    history = resolve_in_order(RULES, pots(RULES, "50000.00"), rounds)
    amounts = [payment.amount_micros // 1_000_000 for payment in history.payments]
    assert amounts == [5_000, 4_500, 40_500, 1_000]
    assert meter(history.state) == "9000.00"


def test_the_other_order_of_two_tables_pays_otherwise() -> None:
    early, late = hits("1 royal-flush"), hits("1 straight-flush")
    one = resolve_in_order(RULES, pots(RULES, "50000.00"), [early, late])
    two = resolve_in_order(RULES, pots(RULES, "50000.00"), [late, early])
    assert [p.amount_micros // 1_000_000 for p in one.payments] == [50_000, 1_000]
    assert [p.amount_micros // 1_000_000 for p in two.payments] == [5_000, 45_000]


def test_seed_comes_from_the_reserve_first() -> None:
    # seed 10,000, reserve 7,500.50: the house adds 2,499.50
    before = pots(RULES, "50000.00", reserve="7500.50")
    resolution = resolve_round(RULES, before, hits("1 royal-flush"))
    assert resolution.reserve_used_micros == 7_500_500_000
    assert resolution.house_seed_micros == 2_499_500_000
    assert resolution.state.level("jackpot").reserve_micros == 0
    assert resolution.levels_won == ("jackpot",)
    adds_up(before, resolution)


def test_8_2_and_9_6_a_folded_hand_has_no_claim() -> None:
    with pytest.raises(RuleError, match="folded") as error:
        resolve_round(RULES, pots(RULES, "50000.00"), hits("1 flush 1.00 folded"))
    assert error.value.rule == "nz-1996 VIII 8.2, 9.6"


def test_11_6_other_hands_do_not_qualify() -> None:
    with pytest.raises(RuleError, match="no prize for 'straight'"):
        resolve_round(RULES, pots(RULES, "50000.00"), hits("1 straight"))


def test_the_trace_can_be_read_aloud() -> None:
    before = pots(RULES, "6100.00", reserve="4000.00")
    resolution = resolve_round(RULES, before, hits("3 royal-flush", "1 straight-flush", "2 flush"))
    # 6,100 - 100 = 6,000; 10% = 600, raised to 1,000; 5,400 raised to 10,000
    assert [(step.rule, step.text) for step in resolution.trace] == [
        (
            "nz-1996 VIII 12.1(e); nz-1996 VIII 12.2(a)",
            "Seat 8, flush: 100.00. Paid 100.00, 100.00 from the jackpot meter.",
        ),
        (
            "nz-1996 VIII 12.1(b); nz-1996 VIII 12.2(b)",
            "Seat 9, straight flush: the greater of 1,000.00 and 10% of the meter, the meter being 6,000.00. "
            "Paid 1,000.00, 600.00 from the jackpot meter and 400.00 from the house.",
        ),
        (
            "nz-1996 VIII 12.1(a); nz-1996 VIII 12.2(c)",
            "Seat 7, royal flush: the greater of 10,000.00 and 100% of the meter, the meter being 5,400.00. "
            "Paid 10,000.00, 5,400.00 from the jackpot meter and 4,600.00 from the house.",
        ),
        (
            "operator's seed",
            "jackpot restarts at its seed of 10,000.00: 4,000.00 from the reserve and 6,000.00 from the house.",
        ),
    ]
    steps = [(step.meter_before_micros, step.meter_after_micros) for step in resolution.trace]
    assert steps == [
        (6_100_000_000, 6_000_000_000),
        (6_000_000_000, 5_400_000_000),
        (5_400_000_000, 0),
        (0, 10**10),
    ]


def test_a_lone_winner_is_paid_by_12_1_alone() -> None:
    resolution = resolve_round(RULES, pots(RULES, "50000.00"), hits("1 flush"))
    assert resolution.payments[0].rule == "nz-1996 VIII 12.1(e)"
