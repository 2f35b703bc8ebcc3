"""A document in words, what another one changes, what may change at all; and amounts as they are typed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

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
    TimesWager,
    preset,
)
from rules.progressive.amounts import amount_text, parse_amount
from rules.progressive.changes import check_change, check_dated, differences

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


def test_a_day_gives_more_and_never_less() -> None:
    def flush(amount: Amount) -> object:
        first = RULES.stages[0]
        prizes = tuple(replace(p, amount=amount) if p.trigger == "flush" else p for p in first.prizes)
        return check_dated(RULES, replace(RULES, stages=(replace(first, prizes=prizes), *RULES.stages[1:])))

    assert flush(Fixed(dollars(101))) == ()
    assert flush(Fixed(dollars(99))) != ()
    assert flush(PercentOfMeter(10_000)) != (), "a share may be less than a sum, whatever the meter shows"
    in_turn = replace(RULES.stages[2], mode=Mode.IN_TURN)
    assert check_dated(RULES, replace(RULES, stages=(*RULES.stages[:2], in_turn))) != ()
