"""Money as integer micros (1/1,000,000 of the currency unit), its text form, and the ways rulebooks round it. No
floats."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from rules.errors import RuleError

MICROS = 1_000_000
CENT = 10_000
_TEXT = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,6})?")


def parse_money(text: object, field: str = "amount") -> int:
    """'2.50' → 2_500_000. Only strings: a JSON number may already have been a float."""
    micros = read_money(text) if isinstance(text, str) else None
    if micros is None:
        raise RuleError(f"money is a string such as '2.50', not {text!r}", field=field)
    return micros


# The same stakes and prizes come again and again, in every line of every round: both ways are remembered.


@lru_cache(maxsize=8192)
def read_money(text: str) -> int | None:
    """None: it is no amount of money."""
    if not _TEXT.fullmatch(text):
        return None
    whole, _, part = text.lstrip("-").partition(".")
    micros = int(whole) * MICROS + int(part.ljust(6, "0") if part else 0)
    return -micros if text.startswith("-") else micros


@lru_cache(maxsize=8192)
def format_money(micros: int) -> str:
    """2_500_000 → '2.50': always at least two decimals, more only where there is something in them."""
    whole, part = divmod(abs(micros), MICROS)
    cents, below = divmod(part, CENT)
    digits = f"{part:06d}".rstrip("0") if below else f"{cents:02d}"
    return f"{'-' if micros < 0 else ''}{whole}.{digits}"


def say(micros: int) -> str:
    """An amount in a sentence: 12,345.67. More than two decimals only where there is something in them."""
    whole, _, part = format_money(abs(micros)).partition(".")
    return f"{'-' if micros < 0 else ''}{int(whole):,}.{part}"


def dollars(amount: int) -> int:
    """Whole currency units as micros; for figures that stand in a rulebook."""
    return amount * MICROS


def rounded_down(amount: int | Fraction, unit_micros: int) -> int:
    """The largest multiple of the unit that is not above the amount."""
    return int(amount // unit_micros) * unit_micros


def rounded_up(amount: int | Fraction, unit_micros: int) -> int:
    """The smallest multiple of the unit that is not below the amount."""
    return int(-((-amount) // unit_micros)) * unit_micros
