"""Exact odds. `7 to 1` pays seven units and gives the stake back; `25 for 1` pays twenty-five, stake included."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from rules.errors import RuleError

_NUMBER = r"([0-9]{1,9})(?: ([0-9]{1,9})/([1-9][0-9]{0,8}))?"
PATTERN = rf"{_NUMBER} (to|for) {_NUMBER}"
_TEXT = re.compile(PATTERN)


@dataclass(frozen=True, slots=True)
class Odds:
    """What one unit of stake wins, as an exact ratio; `text` keeps the way the rulebook writes it."""

    ratio: Fraction
    """Winnings per unit of stake, the returned stake not included. `0` is a push, `25 for 1` is 24."""
    text: str
    top: int = field(init=False, repr=False, compare=False)
    bottom: int = field(init=False, repr=False, compare=False)
    """The ratio as two whole numbers, for where each round reckons with it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", self.ratio.numerator)
        object.__setattr__(self, "bottom", self.ratio.denominator)

    def winnings(self, stake_micros: int) -> Fraction:
        return self.ratio * stake_micros

    def __str__(self) -> str:
        return self.text


def say_chance(chance: Fraction) -> str:
    """As one reads it: '12%', '3.4%', '1 in 72,193'; what is rarer than one in a billion is no figure any more."""
    if chance and chance < Fraction(1, 100):
        return f"1 in {round(1 / chance):,}" if chance * 10**9 >= 1 else "less than 1 in a billion"
    tenths = round(chance * 1_000)
    return f"{tenths // 10}%" if tenths >= 100 or tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}%"


@lru_cache(maxsize=4096)  # the odds that operators state are texts in every round
def odds(text: str) -> Odds:
    """'7 to 1', '19 to 20', '9 1/2 to 5', '25 for 1'. 'evens' is '1 to 1'."""
    match = _TEXT.fullmatch("1 to 1" if text == "evens" else text)
    if not match:
        raise RuleError(f"odds are written '7 to 1' or '25 for 1', not {text!r}", field="odds")
    a, b, c, kind, d, e, f = match.groups()
    top = int(a) + Fraction(int(b or 0), int(c or 1))
    bottom = int(d) + Fraction(int(e or 0), int(f or 1))
    if bottom == 0:
        raise RuleError(f"odds {text!r} divide by zero", field="odds")
    ratio = top / bottom - (1 if kind == "for" else 0)
    if ratio < 0:
        raise RuleError(f"odds {text!r} would give back less than the stake", field="odds")
    return Odds(ratio, text)


def to_one(numerator: int, denominator: int = 1) -> Odds:
    """`to_one(3, 2)` is '3 to 2'."""
    return Odds(Fraction(numerator, denominator), f"{numerator} to {denominator}")


EVENS = to_one(1)
