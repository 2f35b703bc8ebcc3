"""How many of each chip or note a slip is for, as people write it: `20 x 5.00, 12 x 1.00`."""

from __future__ import annotations

import re

from config.kit.refusals import wrong
from rules import RuleError
from rules.money import CENT, format_money, parse_money
from tables.models import Table

MAX_LENGTH = 400
_SO_MANY = re.compile(r"(\d{1,7})\s*[x×*]\s*(\S{1,20})", re.ASCII)


def read(text: str) -> dict[int, int]:
    """Value in micros → how many, the largest first; empty for an empty text."""
    found: dict[int, int] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        match = _SO_MANY.fullmatch(part)
        try:
            value = parse_money(match[2]) if match else 0
        except RuleError:
            value = 0
        if match is None or value <= 0 or value % CENT or value in found:
            raise wrong("denominations", f"How many of each value, once: 20 x 5.00, 12 x 1.00; not {part!r}.")
        found[value] = int(match[1])
    return {value: count for value, count in sorted(found.items(), reverse=True) if count}


def in_words(counted: dict[int, int]) -> str:
    return ", ".join(f"{count} x {format_money(value)}" for value, count in counted.items())


def agreed(table: Table, amount_micros: int | None, counted: dict[int, int], *, notes: bool) -> int:
    """The amount by what was counted: chips of the values in use at the table, or notes of any. Where a table's chips
    are not said, an amount alone will do."""
    if not counted:
        if table.chips or amount_micros is None:
            raise wrong("denominations", f"Say how many of each: {_example(table)}.")
        return amount_micros
    strange = [format_money(value) for value in counted if format_money(value) not in (table.chips or ())]
    if table.chips and not notes and strange:
        in_use = ", ".join(table.chips)
        raise wrong("denominations", f"{table} has chips of {in_use}, none of {', '.join(strange)}.")
    return total(amount_micros, counted)


def total(amount_micros: int | None, counted: dict[int, int]) -> int:
    """The amount by what was counted, of any values; one of the two is given."""
    if not counted:
        if amount_micros is None:
            raise wrong("amount", "Say how much, or how many of each: 20 x 100.00, 12 x 50.00.")
        return amount_micros
    found = sum(value * count for value, count in counted.items())
    if amount_micros not in (None, found):
        words = (
            f"{in_words(counted)} come to {format_money(found)}, not to {format_money(amount_micros or 0)}."
        )
        raise wrong("denominations", words)
    return found


def lines(text: str) -> list[dict[str, str]]:
    """For a slip: how many of each, and what they come to."""
    return [
        {"count": str(count), "value": format_money(value), "amount": format_money(value * count)}
        for value, count in read(text).items()
    ]


def _example(table: Table) -> str:
    return ", ".join(f"20 x {value}" for value in reversed((table.chips or ["1.00", "5.00"])[:3]))
