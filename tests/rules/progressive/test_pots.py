"""Splits of a wager, caps and overflow, returns and adjustments; and the fold of a whole log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import RuleError
from rules.money import format_money
from rules.progressive import (
    Adjustment,
    Contribution,
    Event,
    Level,
    Overflow,
    ProgressiveRules,
    Return,
    adjust,
    contribute,
    give_back,
    opening_state,
    preset,
    resolve_in_order,
    resolve_round,
    split,
)
from tests.rules.progressive.cases import hits, level, m, meter, pots


@pytest.mark.parametrize(
    ("stake", "increment", "reserve", "to_meter", "to_reserve", "to_house"),
    [
        ("1.00", 7_000, 0, "0.70", "0.00", "0.30"),
        ("2.50", 7_250, 500, "1.8125", "0.125", "0.5625"),  # 2.50 x 0.7250, x 0.05, the rest
        ("0.01", 3_333, 1, "0.003333", "0.000001", "0.006666"),  # the smallest stake at the finest rate
        ("5.00", 10_000, 0, "5.00", "0.00", "0.00"),
        ("0.00", 7_000, 0, "0.00", "0.00", "0.00"),
    ],
)
def test_split(
    stake: str, increment: int, reserve: int, to_meter: str, to_reserve: str, to_house: str
) -> None:
    wager = split(m(stake), [Level("jackpot", increment_bp=increment, reserve_bp=reserve)])
    (part,) = wager.levels
    got = part.increment_micros, part.reserve_micros, wager.house_micros
    assert tuple(map(format_money, got)) == (to_meter, to_reserve, to_house)


def test_split_of_three_levels() -> None:
    # 9% + 20% + 8% of 10.00
    levels = [Level(name, increment_bp=bp) for name, bp in (("a", 900), ("b", 2_000), ("c", 800))]
    wager = split(m("10.00"), levels)
    assert [part.increment_micros for part in wager.levels] == [m("0.90"), m("2.00"), m("0.80")]
    assert wager.house_micros == m("6.30")


def test_split_refuses() -> None:
    with pytest.raises(RuleError, match="whole cents"):
        split(m("0.005"), [level()])
    with pytest.raises(RuleError, match="whole cents"):
        split(-m("1.00"), [level()])
    with pytest.raises(RuleError, match="more than the whole"):
        split(m("1.00"), [level(rate=7_000, reserve=3_001)])


# ----------------------------------------------------------------------------------------- cap and overflow


def capped(policy: Overflow, **more: Any) -> ProgressiveRules:
    return preset(
        "nz-1996-viii",
        level("50.00", cap_micros=m("100.00"), secondary_bp=3_000, overflow=policy, **more),
        level("0.00", name="second", rate=0),
    )


def amounts(rules: ProgressiveRules, state_of: str, name: str = "jackpot") -> tuple[str, str, str]:
    """Two wagers of 1.00 on a meter of 99.50: meter, reserve and overflow of a level, then what the house got."""
    state, house = pots(rules, "99.50"), 0
    for _ in range(2):
        moved = contribute(rules, state, split(m("1.00"), rules.levels))
        state, house = moved.state, house + moved.house_micros
    assert format_money(house) == state_of
    now = state.level(name)
    return format_money(now.meter_micros), format_money(now.reserve_micros), format_money(now.overflow_micros)


def test_cap_holds_overflow_for_the_next_meter() -> None:
    # 0.70: 0.50 reaches the cap, 0.20 is over; then 0.30 at the secondary rate, all over. House 0.30 + 0.70
    assert amounts(capped(Overflow.NEXT_METER), "1.00") == ("100.00", "0.00", "0.50")


def test_cap_overflow_to_reserve() -> None:
    assert amounts(capped(Overflow.RESERVE), "1.00") == ("100.00", "0.50", "0.00")


def test_cap_overflow_to_the_house() -> None:
    assert amounts(capped(Overflow.HOUSE), "1.50") == ("100.00", "0.00", "0.00")


def test_cap_overflow_to_another_level() -> None:
    rules = capped(Overflow.LEVEL, overflow_to="second")
    assert amounts(rules, "1.00") == ("100.00", "0.00", "0.00")
    assert amounts(rules, "1.00", "second") == ("0.50", "0.00", "0.00")


def test_two_full_levels_hold_what_neither_takes() -> None:
    rules = preset(
        "nz-1996-viii",
        level("50.00", cap_micros=m("60.00"), overflow=Overflow.LEVEL, overflow_to="second"),
        level(
            "0.00",
            name="second",
            rate=0,
            cap_micros=m("0.50"),
            overflow=Overflow.LEVEL,
            overflow_to="jackpot",
        ),
    )
    moved = contribute(rules, pots(rules, "60.00"), split(m("1.00"), rules.levels))
    assert moved.state.level("second").meter_micros == m("0.50")
    assert moved.state.level("second").overflow_micros == m("0.20")
    assert moved.house_micros == m("0.30")


@pytest.mark.parametrize("policy", [Overflow.NEXT_METER, Overflow.RESERVE, Overflow.HOUSE])
def test_held_overflow_comes_onto_the_new_meter_up_to_the_cap(policy: Overflow) -> None:
    """Also where new overflow goes elsewhere: what is held has come from another progressive, or under other rules."""
    rules = capped(policy)
    before = pots(rules, "100.00", overflow="70.00")
    after = resolve_round(rules, before, hits("1 royal-flush")).state.level("jackpot")
    # seed 50 + 50 of the 70; 20 wait for the next time
    assert (after.base_micros, after.increment_micros, after.overflow_micros) == (m("50"), m("50"), m("20"))


# ------------------------------------------------------------------------------------- returns, adjustments

PLAIN = preset("nz-1996-viii", level("10000.00", rate=7_000, reserve=500))


def test_a_return_is_the_exact_inverse() -> None:
    start = pots(PLAIN, "12000.00", reserve="3.00")
    there = contribute(PLAIN, start, split(m("2.50"), PLAIN.levels))
    back = give_back(PLAIN, there.state, there.applied)
    assert back.state == start
    assert there.house_micros == m("0.625")  # 25% of 2.50
    assert back.house_micros == -there.house_micros


def test_a_return_after_the_pot_was_won_is_house_money() -> None:
    log: list[Event] = [
        Contribution("w1", split(m("2.00"), PLAIN.levels)),
        hits("1 royal-flush"),
        Return("w1", rule="nz-1996 I 12.2"),
    ]
    history = resolve_in_order(PLAIN, pots(PLAIN, "12000.00"), log)
    # 12,000 + 1.40 was paid, the reserve of 0.10 went into the seed; all of the 2.00 comes from the house
    assert history.payments[0].amount_micros == m("12001.40")
    assert history.outcomes[2].state == history.outcomes[1].state
    assert history.outcomes[2].house_micros == -m("2.00")  # type: ignore[union-attr]
    assert "already paid out" in history.trace[-1].text
    assert history.trace[-1].rule == "nz-1996 I 12.2"


def test_a_return_after_a_partial_win_comes_out_of_the_meter() -> None:
    log: list[Event] = [
        Contribution("w1", split(m("2.00"), PLAIN.levels)),
        hits("1 straight-flush"),
        Return("w1"),
    ]
    history = resolve_in_order(PLAIN, pots(PLAIN, "12000.00"), log)
    # 12,001.40 - 1,200.14 = 10,801.26; less the 1.40 of the void wager
    assert meter(history.state) == "10799.86"
    assert history.state.level("jackpot").reserve_micros == 0


def test_a_return_never_touches_the_base() -> None:
    there = contribute(PLAIN, opening_state(PLAIN), split(m("2.00"), PLAIN.levels))
    # 10,001.40 less a bonus of 100: the increment is gone, the base stands at 9,901.40
    won = resolve_round(PLAIN, there.state, hits("1 flush"))
    back = give_back(PLAIN, won.state, there.applied)
    assert meter(back.state) == "9901.40"
    assert back.house_micros == -m(
        "1.90"
    )  # 0.50 of its own, 1.40 for the meter; 0.10 came out of the reserve


def test_a_return_of_an_earlier_log_brings_its_own_record() -> None:
    there = contribute(PLAIN, pots(PLAIN, "12000.00"), split(m("2.00"), PLAIN.levels))
    history = resolve_in_order(PLAIN, there.state, [Return("w1", there.applied)])
    assert history.state == pots(PLAIN, "12000.00")


def test_a_log_that_contradicts_itself_is_refused() -> None:
    one = Contribution("w1", split(m("1.00"), PLAIN.levels))
    state = pots(PLAIN, "12000.00")
    bad: list[tuple[list[Event], str]] = [
        ([one, one], "comes twice"),
        ([Return("w1")], "not known"),
        ([one, Return("w1"), Return("w1")], "already returned"),
    ]
    for log, why in bad:
        with pytest.raises(RuleError, match=why):
            resolve_in_order(PLAIN, state, log)


def test_adjustments() -> None:
    state = pots(PLAIN, "12000.00")
    up = adjust(PLAIN, state, "jackpot", m("500.00"), "anniversary money")
    assert (meter(up.state), up.house_micros) == ("12500.00", -m("500.00"))
    down = resolve_in_order(PLAIN, state, [Adjustment("jackpot", -m("2000.00"), "sensor counted twice")])
    assert meter(down.state) == "10000.00"
    for amount, reason, why in (
        (-m("2000.01"), "sensor", "base cannot be adjusted"),
        (m("1.00"), "  ", "needs a reason"),
    ):
        with pytest.raises(RuleError, match=why):
            adjust(PLAIN, state, "jackpot", amount, reason)
    rules = capped(Overflow.NEXT_METER)
    with pytest.raises(RuleError, match=r"pass its cap of 100\.00"):
        adjust(rules, pots(rules, "99.50"), "jackpot", m("0.51"), "gift")
    with pytest.raises(RuleError, match="no level 'grand'"):
        adjust(PLAIN, state, "grand", m("1.00"), "gift")


def test_a_night_in_order() -> None:
    """Three tables on one meter; what each event does is worked out beside it."""
    wager = split(m("1.00"), PLAIN.levels)  # 0.70 to the meter, 0.05 to the reserve, 0.25 to the house
    log: list[Event] = [
        *(Contribution(f"a{i}", wager) for i in range(1, 1_001)),  # meter 10,700, reserve 50
        hits("1 straight-flush", "2 flush"),  # flush 100 → 10,600; 10% = 1,060 → 9,540
        *(Contribution(f"b{i}", wager) for i in range(1, 201)),  # 9,680; reserve 60
        Return("b1"),  # 9,679.30; reserve 59.95
        hits("5 royal-flush"),  # 9,679.30 raised to 10,000 by 320.70; seed 59.95 + 9,940.05
        Contribution("c1", wager),  # 10,000.70
        Return("b2"),  # its pot is paid: house money
    ]
    history = resolve_in_order(PLAIN, opening_state(PLAIN), log)
    amounts = [format_money(p.amount_micros) for p in history.payments]
    assert amounts == ["100.00", "1060.00", "10000.00"]
    assert format_money(history.payments[2].from_house_micros) == "320.70"
    royal = history.outcomes[1_202]
    assert format_money(royal.house_seed_micros) == "9940.05"  # type: ignore[union-attr]
    assert meter(history.state) == "10000.70"
    assert history.state.level("jackpot").reserve_micros == m("0.05")


def test_state_and_rules_must_have_the_same_levels() -> None:
    other = preset("nz-1996-viii", replace(PLAIN.levels[0], name="grand"))
    with pytest.raises(RuleError, match="the rules have"):
        contribute(PLAIN, opening_state(other), split(m("1.00"), PLAIN.levels))
