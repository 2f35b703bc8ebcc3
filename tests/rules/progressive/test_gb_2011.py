"""gb-2011 jackpots worked by hand: 7.21, 11.44-11.47, 11.97-11.100, 8.40-8.46, 16.26, 16.28-16.30."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.contract import Hit, Wager
from rules.errors import RuleError
from rules.progressive import (
    ContributionSource,
    Fixed,
    GrowingOdds,
    Hits,
    Level,
    Mode,
    Prize,
    Provision,
    Stage,
    adjust,
    check_config,
    opening_state,
    preset,
    resolve_round,
)
from tests.rules.progressive.cases import adds_up, hits, level, m, meter, paid, pots

HOLDEM = preset("gb-2011-11.44", level("5000.00"))

# meter 20,000, seed 5,000; seats are numbered from the dealer's right here
HOLDEM_CASES = {
    "11.44(a)": (["1 royal-flush"], {"1 royal-flush": "20000.00"}, "5000.00"),
    "11.44(b)": (["1 straight-flush"], {"1 straight-flush": "2000.00"}, "18000.00"),
    "11.44(c) 500 x 2": (["1 four-of-a-kind 2.00"], {"1 four-of-a-kind": "1000.00"}, "19000.00"),
    "11.44(d) 100 x 2": (["1 full-house 2.00"], {"1 full-house": "200.00"}, "19800.00"),
    "11.44(e) 50 x 2": (["1 flush 2.00"], {"1 flush": "100.00"}, "19900.00"),
    # 20,000 / 3 is at least 6,666.67 in whole cents. The pool gives 6,666.666666 three times, two micros stay with the
    # new seed, and what is missing to the cent is the house's.
    "11.45(a) royal on the board": (
        ["1 royal-flush 1.00 board", "2 royal-flush 1.00 board", "3 royal-flush 1.00 board"],
        {f"{turn} royal-flush": "6666.67 (0.003334 house)" for turn in (1, 2, 3)},
        "5000.000002",
    ),
    # one 10%: 2,000 / 3 = 666.666666..., at least 666.67; 20,000 - 3 x 666.666666 = 18,000.000002
    "11.45(b) straight flush on the board": (
        ["1 straight-flush 1.00 board", "2 straight-flush 1.00 board", "4 straight-flush 1.00 board"],
        {f"{turn} straight-flush": "666.67 (0.003334 house)" for turn in (1, 2, 4)},
        "18000.000002",
    ),
    # each in full: 500 x 1 and 500 x 2
    "11.45(c) four of a kind on the board": (
        ["1 four-of-a-kind 1.00 board", "2 four-of-a-kind 2.00 board"],
        {"1 four-of-a-kind": "500.00", "2 four-of-a-kind": "1000.00"},
        "18500.00",
    ),
    # a flush on the board and one player who makes it a straight flush: 100; 10% of 19,900; 100, each in turn
    "11.45(c) a fixed sum keeps its seat's turn": (
        ["1 flush 2.00 board", "2 straight-flush", "3 flush 2.00 board"],
        {"1 flush": "100.00", "2 straight-flush": "1990.00", "3 flush": "100.00"},
        "17810.00",
    ),
    # the first 10% of 20,000, the second 10% of 18,000
    "11.46 two straight flushes": (
        ["1 straight-flush", "2 straight-flush"],
        {"1 straight-flush": "2000.00", "2 straight-flush": "1800.00"},
        "16200.00",
    ),
    "11.46 straight flush, then royal": (
        ["1 straight-flush", "2 royal-flush"],
        {"1 straight-flush": "2000.00", "2 royal-flush": "18000.00"},
        "5000.00",
    ),
    # the royal takes 20,000, the level restarts at 5,000, of which 10%
    "11.46 royal, then straight flush": (
        ["1 royal-flush", "2 straight-flush"],
        {"1 royal-flush": "20000.00", "2 straight-flush": "500.00"},
        "4500.00",
    ),
    "11.46 two royals": (
        ["1 royal-flush", "2 royal-flush"],
        {"1 royal-flush": "20000.00", "2 royal-flush": "5000.00"},
        "5000.00",
    ),
    # the board's 10% stands at its first sharer's turn: 2,000 / 2 before the royal at seat 3 takes 18,000
    "11.45-11.46 board and hole cards": (
        ["2 straight-flush 1.00 board", "3 royal-flush", "4 straight-flush 1.00 board"],
        {"2 straight-flush": "1000.00", "3 royal-flush": "18000.00", "4 straight-flush": "1000.00"},
        "5000.00",
    ),
    # the royal sits first: then 10% of the new 5,000, divided by two
    "11.45-11.46 hole cards first": (
        ["1 royal-flush", "2 straight-flush 1.00 board", "4 straight-flush 1.00 board"],
        {"1 royal-flush": "20000.00", "2 straight-flush": "250.00", "4 straight-flush": "250.00"},
        "4500.00",
    ),
    # one seating order for all: flush 100 off the meter, then 10% of 19,900
    "a fixed prize before a share": (
        ["1 flush 2.00", "2 straight-flush"],
        {"1 flush": "100.00", "2 straight-flush": "1990.00"},
        "17910.00",
    ),
    "a fixed prize after a share": (
        ["1 straight-flush", "2 flush 2.00"],
        {"1 straight-flush": "2000.00", "2 flush": "100.00"},
        "17900.00",
    ),
    # a royal empties the meter; 500 x 20 = 10,000 from a new meter of 5,000 needs 5,000 of the house
    "the pool cannot cover": (
        ["1 royal-flush", "2 four-of-a-kind 20.00"],
        {"1 royal-flush": "20000.00", "2 four-of-a-kind": "10000.00 (5000.00 house)"},
        "0.00",
    ),
    "11.47 a folded hand wins": (
        ["1 straight-flush 1.00 folded"],
        {"1 straight-flush": "2000.00"},
        "18000.00",
    ),
}


@pytest.mark.parametrize("case", HOLDEM_CASES)
def test_11_44_to_11_47(case: str) -> None:
    given, expected, after = HOLDEM_CASES[case]
    before = pots(HOLDEM, "20000.00")
    resolution = resolve_round(HOLDEM, before, hits(*given))
    assert paid(resolution) == expected
    assert meter(resolution.state) == after
    adds_up(before, resolution)


def test_11_46_the_seed_between_two_royals_uses_up_the_reserve() -> None:
    # 20,000; seed 5,000 = 3,000 reserve + 2,000 house; paid 5,000; seed 5,000 all from the house
    before = pots(HOLDEM, "20000.00", reserve="3000.00")
    resolution = resolve_round(HOLDEM, before, hits("1 royal-flush", "2 royal-flush"))
    restarts = [(r.from_reserve_micros // 10**6, r.from_house_micros // 10**6) for r in resolution.restarts]
    assert restarts == [(3_000, 2_000), (0, 5_000)]
    assert resolution.state.level("jackpot").resets == 2


def test_11_46_seating_order_not_seat_number() -> None:
    # Boxes count clockwise from the dealer's left, so box 7 of 7 is paid first: 2,000, then 10% of 18,000
    settled = tuple(
        Hit(
            Wager(f"w{seat}", "jackpot", m("1.00"), seat),
            "straight-flush",
            "gb-2011 11.44(b)",
            hand_folded=seat == 7,
        )
        for seat in (2, 7)
    )
    resolution = resolve_round(HOLDEM, pots(HOLDEM, "20000.00"), Hits("round", settled))
    assert [(p.seat, p.amount_micros) for p in resolution.payments] == [(7, m("2000.00")), (2, m("1800.00"))]


def test_11_45b_the_other_reading_gives_each_its_own_tenth() -> None:
    each = replace(HOLDEM, shared_board=Provision(False, "gb-2011 11.45(b), each 10%"))
    board = hits("1 straight-flush 1.00 board", "2 straight-flush 1.00 board")
    assert paid(resolve_round(each, pots(each, "20000.00"), board)) == {
        "1 straight-flush": "2000.00",
        "2 straight-flush": "1800.00",
    }


def test_the_other_reading_pays_fixed_prizes_first() -> None:
    rules = preset("gb-2011-11.44", level("5000.00"), fixed_first=True)
    # flush 50 x 2 = 100 first although its seat is later, then 10% of 19,900
    resolution = resolve_round(rules, pots(rules, "20000.00"), hits("1 straight-flush", "2 flush 2.00"))
    assert paid(resolution) == {"2 flush": "100.00", "1 straight-flush": "1990.00"}
    assert check_config(rules) == ()


def test_11_97_progressive_five_seven() -> None:
    rules = preset("gb-2011-11.97", level("5000.00"))
    given = hits(
        "1 full-house 2.00 folded", "2 four-of-a-kind 2.00", "3 straight-flush 2.00", "4 royal-flush 2.00"
    )
    # 10 x 2 = 20; 100 x 2 = 200; 10% of 19,780 = 1,978; the rest 17,802
    assert paid(resolve_round(rules, pots(rules, "20000.00"), given)) == {
        "1 full-house": "20.00",
        "2 four-of-a-kind": "200.00",
        "3 straight-flush": "1978.00",
        "4 royal-flush": "17802.00",
    }
    with pytest.raises(RuleError, match="no prize for 'flush'"):
        resolve_round(rules, pots(rules, "20000.00"), hits("1 flush"))


def test_11_98_shared_boards() -> None:
    rules = preset("gb-2011-11.97", level("5000.00"))
    board = hits("1 straight-flush 1.00 board", "2 straight-flush 1.00 board folded")
    resolution = resolve_round(rules, pots(rules, "20000.00"), board)
    assert paid(resolution) == {"1 straight-flush": "1000.00", "2 straight-flush": "1000.00"}
    assert {payment.rule for payment in resolution.payments} == {"gb-2011 11.97(b); gb-2011 11.98"}


def test_7_21_casino_stud() -> None:
    rules = preset("gb-2011-7.21", level("5000.00"))
    given = hits("1 flush 2.00", "2 full-house 2.00", "3 four-of-a-kind 2.00", "4 straight-flush 2.00")
    # 50 x 2, 75 x 2, 100 x 2 = 450 off 20,000; 10% of 19,550
    assert paid(resolve_round(rules, pots(rules, "20000.00"), given)) == {
        "1 flush": "100.00",
        "2 full-house": "150.00",
        "3 four-of-a-kind": "200.00",
        "4 straight-flush": "1955.00",
    }
    with pytest.raises(RuleError, match="no board"):
        resolve_round(rules, pots(rules, "20000.00"), hits("1 flush 1.00 board"))
    # 7.20, 7.31: a folded hand that stayed in action, 50 x 1
    folded = resolve_round(rules, pots(rules, "20000.00"), hits("1 flush 1.00 folded"))
    assert paid(folded) == {"1 flush": "50.00"}


ROCKET = preset("gb-2011-8.34", level("500.00"))


@pytest.mark.parametrize(
    ("trigger", "for_two_pounds"),
    [  # the rulebook's own examples for a wager of 2
        ("two-sevens", "5.00"),
        ("three-sevens", "20.00"),
        ("four-sevens", "150.00"),
        ("five-sevens", "750.00"),
        ("free-roll-bonus-1", "25.00"),
        ("free-roll-bonus-2", "10.00"),
        ("free-roll-bonus-3", "5.00"),
    ],
)
def test_8_40_and_8_46_every_side_bet_is_paid(trigger: str, for_two_pounds: str) -> None:
    resolution = resolve_round(
        ROCKET, pots(ROCKET, "10000.00"), hits(*(f"{s} {trigger} 2.00" for s in (1, 2, 3)))
    )
    assert paid(resolution) == {f"{s} {trigger}": for_two_pounds for s in (1, 2, 3)}
    assert resolution.state.total_micros == m("10000.00") - 3 * m(for_two_pounds)


@pytest.mark.parametrize("trigger", ["six-sevens", "free-roll-jackpot"])
def test_8_42_and_8_46_the_fund_is_shared_by_all(trigger: str) -> None:
    # 1,000 / 3 = 333.333333..., at least 333.34 in cents; one micro of the fund stays on the new seed of 500
    resolution = resolve_round(
        ROCKET, pots(ROCKET, "1000.00"), hits(*(f"{s} {trigger} 2.00" for s in (1, 2, 3)))
    )
    assert set(paid(resolution).values()) == {"333.34 (0.006667 house)"}
    assert meter(resolution.state) == "500.000001"


def test_8_40_a_multiple_is_a_minimum_so_half_cents_go_up() -> None:
    # 2.5 x 0.05 = 0.125 → 0.13
    resolution = resolve_round(ROCKET, pots(ROCKET, "1000.00"), hits("1 two-sevens 0.05"))
    assert paid(resolution) == {"1 two-sevens": "0.13"}


def test_16_30_royals_share_the_fund() -> None:
    rules = preset("gb-2011-16.28", level("0.00", rate=100))
    assert rules.source is ContributionSource.ALL_WAGERS
    resolution = resolve_round(
        rules, pots(rules, "4321.00"), hits("1 royal-flush 5.00", "3 royal-flush 25.00")
    )
    assert paid(resolution) == {"1 royal-flush": "2160.50", "3 royal-flush": "2160.50"}
    assert meter(resolution.state) == "0.00"


def test_16_30_a_player_of_two_hands_has_one_share() -> None:
    rules = preset("gb-2011-16.28", level("0.00", rate=100))
    three = hits("1 royal-flush", "2 royal-flush", "3 royal-flush")
    mine = replace(three.hits[1], wager=replace(three.hits[1].wager, player="p1"))
    same = replace(three, hits=(three.hits[0], mine, three.hits[2]))
    assert paid(resolve_round(rules, pots(rules, "3000.00"), same)) == {
        "1 royal-flush": "1500.00",
        "2 royal-flush": "0.00",
        "3 royal-flush": "1500.00",
    }
    # nobody is known by name: each seat is a player
    unknown = replace(
        three, hits=tuple(replace(hit, wager=replace(hit.wager, player="")) for hit in three.hits)
    )
    assert set(paid(resolve_round(rules, pots(rules, "3000.00"), unknown)).values()) == {"1000.00"}


GROWING = replace(
    preset("gb-2011-16.28", Level("royal-odds", seed_micros=m("25.00"))),
    name="growing odds",
    schedule="",
    source=ContributionSource.HOUSE,
    seed_rule="gb-2011 16.26",
    stages=(
        Stage(
            Mode.EACH_IN_FULL,
            (Prize("royal-flush", "royal-odds", GrowingOdds(m("1.00")), "gb-2011 16.26"),),
            "gb-2011 16.26",
        ),
    ),
)


def test_16_26_odds_grow_until_won() -> None:
    assert check_config(GROWING) == ()
    state = opening_state(GROWING)
    for _ in range(5):  # 25 for 1 grows by a half each time: 27.5 for 1
        state = adjust(GROWING, state, "royal-odds", m("0.50"), "no royal today").state
    # a wager of 2 gets 55: 27.50 stood on the meter, 27.50 is the house's; a wager of 4 gets 110 at the same odds
    resolution = resolve_round(GROWING, state, hits("1 royal-flush 2.00", "2 royal-flush 4.00"))
    assert paid(resolution) == {
        "1 royal-flush": "55.00 (27.50 house)",
        "2 royal-flush": "110.00 (110.00 house)",
    }
    assert meter(resolution.state, "royal-odds") == "25.00"
    adds_up(state, resolution)


def test_16_26_a_small_wager_leaves_its_rest_to_the_next_seed() -> None:
    state = adjust(GROWING, opening_state(GROWING), "royal-odds", m("2.50"), "growth").state
    # 0.50 of a unit gets 13.75 of 27.50; the other 13.75 pays for a part of the next 25
    resolution = resolve_round(GROWING, state, hits("1 royal-flush 0.50"))
    assert paid(resolution) == {"1 royal-flush": "13.75"}
    assert resolution.reserve_used_micros == m("13.75")
    assert resolution.house_seed_micros == m("11.25")
    assert meter(resolution.state, "royal-odds") == "25.00"
    adds_up(state, resolution)


def test_presets_of_fixed_sums_are_not_times_the_wager() -> None:
    assert Fixed(m("500.00")) in [p.amount for p in preset("nz-1996-viii", level()).prizes]
    assert all(getattr(p.amount, "times", Fraction(1)) for p in ROCKET.prizes)


# 7.21, 11.44: "minimum amounts". A share that is no whole cent is rounded up, and the house adds what is missing.
MINIMUMS: dict[str, tuple[str, str, list[str], dict[str, str], str]] = {
    # 10% of 12,345.67 is 1,234.567
    "7.21(b)": (
        "gb-2011-7.21",
        "12345.67",
        ["1 straight-flush"],
        {"1 straight-flush": "1234.57 (0.003 house)"},
        "11111.103",
    ),
    # 10% of 20,000.03 is 2,000.003
    "11.44(b)": (
        "gb-2011-11.44",
        "20000.03",
        ["1 straight-flush"],
        {"1 straight-flush": "2000.01 (0.007 house)"},
        "18000.027",
    ),
    # 10% of 20,000.03, then 10% of the 18,000.027 that are left: 1,800.0027
    "11.46 in turn": (
        "gb-2011-11.44",
        "20000.03",
        ["1 straight-flush", "2 straight-flush"],
        {"1 straight-flush": "2000.01 (0.007 house)", "2 straight-flush": "1800.01 (0.0073 house)"},
        "16200.0243",
    ),
    # one 10% of 20,000.01 in two halves of 1,000.0005
    "11.45(b) on the board": (
        "gb-2011-11.44",
        "20000.01",
        ["1 straight-flush 1.00 board", "2 straight-flush 1.00 board"],
        {"1 straight-flush": "1000.01 (0.0095 house)", "2 straight-flush": "1000.01 (0.0095 house)"},
        "18000.009",
    ),
    # 100% of a meter with a part of a cent, and the level at its seed again
    "11.97(a)": (
        "gb-2011-11.97",
        "9000.123456",
        ["1 royal-flush"],
        {"1 royal-flush": "9000.13 (0.006544 house)"},
        "5000.00",
    ),
}


@pytest.mark.parametrize("case", MINIMUMS)
def test_minimum_amounts_are_never_paid_short(case: str) -> None:
    name, pool, given, expected, after = MINIMUMS[case]
    rules = preset(name, level("5000.00"))
    assert check_config(rules) == ()
    before = pots(rules, pool)
    resolution = resolve_round(rules, before, hits(*given))
    assert paid(resolution) == expected
    assert meter(resolution.state) == after
    adds_up(before, resolution)


def test_11_45_a_a_royal_on_the_board_by_three() -> None:
    """A third of 20,000.00 is 6,666.67 when it is paid: the whole meter and a cent of the house's."""
    rules = preset("gb-2011-11.44", level("5000.00"))
    before = pots(rules, "20000.00")
    resolution = resolve_round(rules, before, hits(*(f"{turn} royal-flush 1.00 board" for turn in (1, 2, 3))))
    assert [payment.amount_micros for payment in resolution.payments] == [m("6666.67")] * 3
    assert sum(payment.from_house_micros for payment in resolution.payments) >= m("0.01")
    adds_up(before, resolution)


@pytest.mark.parametrize(
    ("name", "unit"), [("gb-2011-7.21", "0.25"), ("gb-2011-11.44", "5.00"), ("gb-2011-11.97", "25.00")]
)
def test_chips_are_rounded_up_over_the_minimum(name: str, unit: str) -> None:
    """10% of 12,345.67: 1,234.57 by the meter; in quarters 1,234.75, in fives 1,235.00, in 25s 1,250.00."""
    rules = replace(preset(name, level("5000.00")), chip_micros=m(unit))
    (won,) = resolve_round(rules, pots(rules, "12345.67"), hits("1 straight-flush")).payments
    handed_out = {"0.25": "1234.75", "5.00": "1235.00", "25.00": "1250.00"}[unit]
    assert (won.amount_micros, rules.payable(won.amount_micros)) == (m("1234.57"), m(handed_out))
