"""Report sources: named tables of rows that apps register at start and the ledger renders, on pages and in exports.

A source streams its rows for a scope (a premises and a span of gaming days, perhaps one table or progressive); money
is int micros. The ledger's own sources are in ledger.reports.sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from config.kit.sheets.columns import Column, Row
from people.models import Premises

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)
"""Days that may be asked for: each has a day before and after it in every time zone."""


@dataclass(frozen=True)
class Scope:
    """What a report is about: a premises, gaming days from `first` to `last`, and filters that a source may heed."""

    premises: Premises
    first: date
    last: date
    table: str = ""
    progressive: str = ""

    @property
    def account_prefixes(self) -> list[str]:
        """What codes of accounts begin with, for each filter that is set."""
        found = [f"{self.premises.code}/tables/{self.table}/"] if self.table else []
        return found + ([f"{self.premises.code}/jackpots/{self.progressive}/"] if self.progressive else [])


@dataclass(frozen=True)
class Source:
    """`rows` must stream (QuerySet.iterator, a generator): a million rows must not stand in memory."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: Callable[[Scope], Iterable[Row]]
    about: str = ""
    count: Callable[[Scope], int] | None = None
    """How many rows to expect, for the progress bar."""
    large: bool = False
    """Too long for a page (wager detail): shown in exports only."""
    filters: tuple[str, ...] = ()
    """Which of `table` and `progressive` its rows heed. In an export others leave it whole; asked for alone, they are
    refused: nobody must take the whole for a part."""


_sources: dict[str, Source] = {}


def register(source: Source) -> Source:
    """Called at start by the app that owns the rows. The name is dotted: `tables.results`."""
    if _sources.setdefault(source.name, source) is not source:
        raise ValueError(f"The report {source.name} is registered twice.")
    return source


def sources() -> list[Source]:
    return sorted(_sources.values(), key=lambda source: source.name)


def source_named(name: str) -> Source:
    try:
        return _sources[name]
    except KeyError:
        raise LookupError(f"There is no report {name!r}; there are {', '.join(sorted(_sources))}.") from None


def totals(source: Source, rows: Iterable[Row]) -> Row:
    """The line under the table: sums of the columns that have one, None elsewhere."""
    sums = [0 if column.total else None for column in source.columns]
    for row in rows:
        for index, value in enumerate(row):
            if sums[index] is not None and value is not None:
                sums[index] += value
    return tuple(sums)
