"""A document in words, what another one changes, what may change at all; and amounts as they are typed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.errors import RuleError
from rules.money import dollars
from rules.progressive import (
    PRESETS,
    Amount,
    ContributionSource,
    Fixed,
    GreaterOf,
    GrowingOdds,
    Level,
    Mode,
    PercentOfMeter,
    ProgressiveRules,
    TimesWager,
    preset,
)
from rules.progressive.amounts import amount_text, parse_amount
from rules.progressive.changes import UNTIL_WON, check_change, check_dated, differences
from rules.progressive.config import Moment, Rounding

RULES = preset("nz-1996-viii", Level("pot", seed_micros=dollars(10_000), increment_bp=7_000))


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("500.00", Fixed(dollars(500))),
        ("10%", PercentOfMeter(1_000)),
        ("7.25%", PercentOfMeter(725)),
        ("100x", TimesWager(Fraction(100))),
        ("5/2x", TimesWager(Fraction(5, 2))),
        ("1000.00 or 10%", GreaterOf(Fixed(dollars(1_000)), PercentOfMeter(1_000))),
        ("50x or 100%", GreaterOf(TimesWager(Fraction(50)), PercentOfMeter(10_000))),
        ("meter per 1.00", GrowingOdds(dollars(1))),
    ],
)
def test_an_amount_is_read_as_it_is_written(text: str, amount: Amount) -> None:
    assert parse_amount(text) == amount
    assert amount_text(amount) == text


def test_half_a_multiple_may_be_typed_with_a_point() -> None:
    assert parse_amount("2.5x") == TimesWager(Fraction(5, 2))


@pytest.mark.parametrize(
    "text", ["", "x", "101%", "0%", "ten", "-5.00", "5.001", "10% or 500.00", "1.00 or 2.00"]
)
def test_what_is_no_amount_is_refused_with_its_field(text: str) -> None:
    with pytest.raises(RuleError):
        parse_amount(text, "amount_0_1")


@pytest.mark.parametrize("name", PRESETS)
def test_every_printed_amount_can_be_typed(name: str) -> None:
    for prize in PRESETS[name].rules.prizes:
        assert parse_amount(amount_text(prize.amount)) == prize.amount


def test_differences_are_those_and_no_others() -> None:
    assert differences(RULES, RULES) == ()
    capped = replace(RULES, levels=(replace(RULES.levels[0], cap_micros=dollars(50_000), secondary_bp=0),))
    found = [(each.what, each.before, each.after) for each in differences(RULES, capped)]
    assert found == [
        ("pot: cap", "none", "50,000.00"),
        ("pot: at the cap", "", "0% of a wager, to next meter"),
    ]
    assert len(differences(None, RULES)) > 20, "of a new one everything is told"


def test_levels_hands_and_source_stay() -> None:
    renamed = replace(RULES, levels=(replace(RULES.levels[0], name="jar"),))
    assert [fault.field for fault in check_change(RULES, renamed)] == ["levels"]
    fewer = replace(RULES, triggers=RULES.triggers[1:])
    assert [fault.field for fault in check_change(RULES, fewer)] == ["triggers"]
    other = replace(RULES, source=ContributionSource.ALL_WAGERS)
    assert [fault.field for fault in check_change(RULES, other)] == ["source"]
    turned = replace(RULES, triggers=tuple(reversed(RULES.triggers)))
    assert check_change(RULES, turned) == (), "in any order"


def dated(rules: ProgressiveRules, hand: str, amount: Amount) -> tuple[RuleError, ...]:
    """What is said against another amount for a hand, from a day on."""
    stages = tuple(
        replace(
            stage,
            prizes=tuple(replace(p, amount=amount) if p.trigger == hand else p for p in stage.prizes),
        )
        for stage in rules.stages
    )
    return check_dated(rules, replace(rules, stages=stages))


@pytest.mark.parametrize(
    ("amount", "may"),
    [
        # Of nz-1996 VIII 12.1(b): the greater of 1,000.00 and 10% of the meter.
        ("1000.00 or 10%", True),
        ("1500.00 or 10%", True),
        ("1000.00 or 12.5%", True),
        ("1500.00 or 12.5%", True),
        # Less of one is less where it decides: at 40,000 10% are 4,000 and 5% 2,000; at 5,000 15% are 750, not 1,000.
        ("999.99 or 10%", False),
        ("1000.00 or 9.99%", False),
        ("2000.00 or 5%", False),
        ("500.00 or 15%", False),
        # Without the one or the other the winner of some meter has less.
        ("1500.00", False),
        ("20%", False),
    ],
)
def test_a_greater_of_is_raised_by_a_day_and_never_lowered(amount: str, may: bool) -> None:
    assert (dated(RULES, "straight-flush", parse_amount(amount)) == ()) is may


def test_a_greater_of_may_take_the_place_of_a_sum() -> None:
    assert dated(RULES, "flush", parse_amount("100.00 or 1%")) == (), "never less than the 100.00"
    assert dated(RULES, "flush", parse_amount("99.00 or 50%")) != ()


def test_a_day_gives_more_and_never_less() -> None:
    def flush(amount: Amount) -> object:
        return dated(RULES, "flush", amount)

    assert flush(Fixed(dollars(101))) == ()
    assert flush(Fixed(dollars(99))) != ()
    assert flush(PercentOfMeter(10_000)) != (), "a share may be less than a sum, whatever the meter shows"
    in_turn = replace(RULES.stages[2], mode=Mode.IN_TURN)
    assert check_dated(RULES, replace(RULES, stages=(*RULES.stages[:2], in_turn))) != ()


@pytest.mark.parametrize("field", UNTIL_WON)
def test_what_else_decides_a_prize_waits_for_the_meter_to_be_won(field: str) -> None:
    """Rounded down to the thousand, a tenth of 29,999.00 would be 2,000.00 instead of 2,999.90."""
    other: Any = {
        "rounding": Rounding.DOWN if RULES.rounding is not Rounding.DOWN else Rounding.UP,
        "round_to_micros": dollars(1_000),
        "chip_micros": dollars(500),
        "folded_hand_wins": replace(RULES.folded_hand_wins, holds=not RULES.folded_hand_wins.holds),
        "misdeal_carries_wager": replace(
            RULES.misdeal_carries_wager, holds=not RULES.misdeal_carries_wager.holds
        ),
        "shared_board": RULES.folded_hand_wins,
        "priority": replace(
            RULES.priority, shoe=next(each for each in Moment if each is not RULES.priority.shoe)
        ),
    }[field]
    found = check_dated(RULES, replace(RULES, **{field: other}))
    assert [fault.field for fault in found] == [field]
