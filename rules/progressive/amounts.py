"""An amount rule as a manager types it, and back: `500.00`, `10%`, `100x`, `1000.00 or 10%`, `meter per 1.00`."""

from __future__ import annotations

import re
from fractions import Fraction

from rules.errors import RuleError
from rules.money import format_money, parse_money
from rules.progressive.config import (
    Amount,
    Fixed,
    GreaterOf,
    GrowingOdds,
    PercentOfMeter,
    TimesWager,
)

_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))?\s*%")
_TIMES = re.compile(r"(\d{1,9}(?:/[1-9]\d{0,5})?|\d{1,9}\.\d{1,4})\s*x")
_GROWING = re.compile(r"meter per (\S+)")
HELP = "500.00, or 10% of the meter, or 100x the wager, or the greater of two: 1000.00 or 10%"


def parse_amount(text: str, field: str = "amount") -> Amount:
    """The amount; a RuleError with the field for anything else."""
    first, _, second = text.strip().partition(" or ")
    amount = _one(first.strip(), field)
    if not second:
        return amount
    other = _one(second.strip(), field)
    if not isinstance(amount, Fixed | TimesWager) or isinstance(other, Fixed | GreaterOf):
        text = "the greater of two is a sum or a multiple first, then a share of the meter or a multiple"
        raise RuleError(f"{text}: 1000.00 or 10%", field=field)
    return GreaterOf(amount, other)


def _one(text: str, field: str) -> Fixed | TimesWager | PercentOfMeter | GrowingOdds:
    if match := _PERCENT.fullmatch(text):
        return PercentOfMeter(int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")))
    if match := _TIMES.fullmatch(text):
        return TimesWager(Fraction(match[1]))
    if match := _GROWING.fullmatch(text):
        return GrowingOdds(parse_money(match[1], field))
    try:
        return Fixed(parse_money(text, field))
    except RuleError:
        raise RuleError(f"{text!r} is no amount: give {HELP}", field=field) from None


def amount_text(amount: Amount) -> str:
    """What `parse_amount` reads."""
    match amount:
        case Fixed(amount_micros=micros):
            return format_money(micros)
        case TimesWager(times=times):
            return f"{times}x"
        case PercentOfMeter(share_bp=bp):
            return f"{bp // 100}{f'.{bp % 100:02d}' if bp % 100 else ''}%"
        case GrowingOdds(unit_micros=unit):
            return f"meter per {format_money(unit)}"
        case GreaterOf():
            return f"{amount_text(amount.minimum)} or {amount_text(amount.amount)}"
