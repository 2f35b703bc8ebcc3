"""A report beside itself of another time: each figure with what it was then. Rows meet by what they are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from ledger.reports.reports import Source

FIGURES = frozenset({Cell.MONEY, Cell.NUMBER, Cell.PERCENT})
WITH = {
    "": gettext_noop("nothing"),
    "before": gettext_noop("the same number of days before"),
    "week": gettext_noop("the same days a week before"),
    "year": gettext_noop("the same weekdays a year before"),
}
_FIXED_DAYS = {"week": 7, "year": 364}


@dataclass(frozen=True)
class Then:
    """The other span: so many days before the one that is asked for."""

    first: date
    last: date
    days: int


def then(first: date, last: date, compared_with: str) -> Then | None:
    """None: nothing to compare with, or it would lie before all days."""
    if compared_with not in WITH or not compared_with:
        return None
    days = _FIXED_DAYS.get(compared_with, (last - first).days + 1)
    if (first - date.min).days <= days + 1:
        return None
    back = timedelta(days=days)
    return Then(first - back, last - back, days)


def key_of(columns: Iterable[Column], row: Row, shift: int = 0) -> tuple[Any, ...]:
    """What a row is about: its texts, and its dates moved by the span's distance."""
    return tuple(
        value + timedelta(days=shift) if column.cell is Cell.DATE and isinstance(value, date) else value
        for column, value in zip(columns, row, strict=True)
        if column.cell not in FIGURES and column.cell is not Cell.INSTANT
    )


def side_by_side(
    source: Source, now: list[Row], before: list[Row], days: int
) -> list[tuple[Row, Row | None]]:
    """Rows of now with theirs of then, and at the end those that were then alone, without figures of now."""
    old = {key_of(source.columns, row, days): row for row in before}
    met: list[tuple[Row, Row | None]] = [(row, old.pop(key_of(source.columns, row), None)) for row in now]
    return [*met, *((_emptied(source, row, days), row) for row in old.values())]


def _emptied(source: Source, row: Row, days: int) -> Row:
    def cell(column: Column, value: Any) -> Any:
        if column.cell in FIGURES:
            return 0 if column.cell is not Cell.PERCENT else None
        if column.cell is Cell.DATE and isinstance(value, date):
            return value + timedelta(days=days)
        return value

    return tuple(cell(column, value) for column, value in zip(source.columns, row, strict=True))
