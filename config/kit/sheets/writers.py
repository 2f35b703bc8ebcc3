"""Rows into files: CSV, JSON Lines and XLSX, some thousand rows at a time. hledger is in ledger.exports.hledger, the
workbook's own format in config.sheets.xlsx.

A million wagers are twenty million cells: they are turned into text once, column by column, and every format takes its
cells from there.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, tzinfo
from fractions import Fraction
from itertools import islice
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, Protocol

from django.utils import timezone

from config.kit.sheets import xlsx
from config.kit.sheets.columns import Cell, Column, Row, Titled
from config.kit.sheets.harmless import harmless
from rules.money import format_money

CHUNK_ROWS = 1_000
_PERCENT_PLACES = 4


def as_text(value: Any, cell: Cell) -> str:
    """The exact text of a value, without rounding: money as in the API, instants in UTC."""
    if value is None:
        return ""
    if cell is Cell.MONEY:
        return format_money(value)
    if cell is Cell.PERCENT:
        return percent_text(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def percent_text(value: Fraction) -> str:
    """A share in per cent with four places, rounded half up; figures to look at, not money."""
    scaled = value * 100 * 10**_PERCENT_PLACES
    whole = int(abs(scaled) + Fraction(1, 2))
    sign = "-" if scaled < 0 and whole else ""
    return f"{sign}{whole // 10**_PERCENT_PLACES}.{whole % 10**_PERCENT_PLACES:0{_PERCENT_PLACES}d}"


class Chunk:
    """Some rows, by column: the values, and the exact text of each. Nothing is None among the values, "" in text."""

    def __init__(self, rows: Sequence[Row], columns: Sequence[Column]) -> None:
        self.rows = len(rows)
        self.values: list[tuple[Any, ...]] = list(zip(*rows, strict=True))
        if len(self.values) != len(columns):
            raise ValueError(f"A row has {len(self.values)} values for {len(columns)} columns.")
        self.texts = [
            _texts(values, column.cell) for values, column in zip(self.values, columns, strict=True)
        ]


def _texts(values: Sequence[Any], cell: Cell) -> list[str]:
    if cell is Cell.TEXT:
        return ["" if value is None else value if type(value) is str else str(value) for value in values]
    if cell is Cell.NUMBER:
        return ["" if value is None else str(value) for value in values]
    if cell is Cell.MONEY:
        return ["" if value is None else format_money(value) for value in values]
    # Of the others neighbours are often the same: the day, the moment of a round.
    known: dict[Any, str] = {}
    return [known.get(value) or known.setdefault(value, as_text(value, cell)) for value in values]


def chunks(rows: Iterable[Row], columns: Sequence[Column]) -> Iterator[Chunk]:
    stream = iter(rows)
    while some := list(islice(stream, CHUNK_ROWS)):
        yield Chunk(some, columns)


class Writer(Protocol):
    """Chunks in, a file out. `close` writes the totals; `abandon` just lets go of the file."""

    path: Path

    def write(self, chunk: Chunk) -> None: ...

    def close(self, totals: Row) -> None: ...

    def abandon(self) -> None: ...


class CsvWriter:
    """RFC 4180, UTF-8. Money and numbers are plain; text is made harmless."""

    def __init__(self, path: Path, source: Titled) -> None:
        self.path = path
        self.columns = source.columns
        self.file = path.open("w", encoding="utf-8", newline="")
        self.csv = csv.writer(self.file)
        self.csv.writerow([column.name for column in self.columns])

    def write(self, chunk: Chunk) -> None:
        cells: list[Iterable[str]] = [
            map(harmless, texts) if column.cell is Cell.TEXT else texts
            for texts, column in zip(chunk.texts, self.columns, strict=True)
        ]
        self.csv.writerows(zip(*cells, strict=True))

    def close(self, totals: Row) -> None:
        self.file.close()

    def abandon(self) -> None:
        self.file.close()


class JsonLinesWriter:
    """One object a row; money is a string as in the API."""

    def __init__(self, path: Path, source: Titled) -> None:
        self.path = path
        self.columns = source.columns
        self.file = path.open("w", encoding="utf-8")
        keys = (encode_basestring(column.name).replace("%", "%%") for column in source.columns)
        self.line = "{" + ",".join([f"{key}:%s" for key in keys]) + "}\n"

    def write(self, chunk: Chunk) -> None:
        cells = map(self._cells, self.columns, chunk.values, chunk.texts)
        self.file.writelines([self.line % row for row in zip(*cells, strict=True)])

    def _cells(self, column: Column, values: Sequence[Any], texts: list[str]) -> list[str]:
        if column.cell is Cell.NUMBER:
            return [text or "null" for text in texts]
        cells = list(map(encode_basestring, texts))
        if None in values:
            cells = ["null" if value is None else cell for value, cell in zip(values, cells, strict=True)]
        return cells

    def close(self, totals: Row) -> None:
        self.file.close()

    def abandon(self) -> None:
        self.file.close()


class XlsxWriter:
    """Typed cells, a frozen header, totals as formulas with their value; rows leave memory as they are written. People
    read it: instants are by the clock of the premises (the zone that is active), and the heading names it."""

    def __init__(self, path: Path, source: Titled) -> None:
        self.path = path
        self.columns = source.columns
        self.zone = timezone.get_current_timezone()
        self.book = xlsx.Workbook(
            path,
            source.title,
            [
                xlsx.SheetColumn(self._heading(column), _STYLES[column.cell], _WIDTHS.get(column.cell, 12))
                for column in self.columns
            ],
        )

    def write(self, chunk: Chunk) -> None:
        self.book.write(
            [
                xlsx.number_cells(xlsx.serials(values, self._zone_of(column)), xlsx.Style.INSTANT)
                if column.cell is Cell.INSTANT
                else _XLSX_CELLS[column.cell](values, texts)
                for column, values, texts in zip(self.columns, chunk.values, chunk.texts, strict=True)
            ],
            chunk.rows,
        )

    def _zone_of(self, column: Column) -> tzinfo:
        return UTC if column.name.endswith("_utc") else self.zone

    def _heading(self, column: Column) -> str:
        named = column.cell is not Cell.INSTANT or column.name.endswith("_utc")
        return column.title if named else f"{column.title} ({self.zone})"

    def close(self, totals: Row) -> None:
        self.book.close(
            [
                None if total is None else as_text(total, column.cell)
                for total, column in zip(totals, self.columns, strict=True)
            ]
        )

    def abandon(self) -> None:
        self.book.abandon()


_STYLES = {
    Cell.TEXT: xlsx.Style.TEXT,
    Cell.MONEY: xlsx.Style.MONEY,
    Cell.NUMBER: xlsx.Style.NUMBER,
    Cell.PERCENT: xlsx.Style.PERCENT,
    Cell.DATE: xlsx.Style.DATE,
    Cell.INSTANT: xlsx.Style.INSTANT,
}
_WIDTHS = {Cell.TEXT: 28, Cell.MONEY: 18, Cell.INSTANT: 20}
_Cells = Callable[[Sequence[Any], list[str]], list[str]]
# The exact decimal text of an amount is what stands in the cell: no float comes between.
_XLSX_CELLS: dict[Cell, _Cells] = {
    Cell.TEXT: lambda values, texts: xlsx.text_cells(texts),
    Cell.MONEY: lambda values, texts: xlsx.number_cells(texts, xlsx.Style.MONEY),
    Cell.NUMBER: lambda values, texts: xlsx.number_cells(texts, xlsx.Style.NUMBER),
    Cell.PERCENT: lambda values, texts: xlsx.number_cells(
        [text and f"{text}E-2" for text in texts], xlsx.Style.PERCENT
    ),
    Cell.DATE: lambda values, texts: xlsx.number_cells(xlsx.serials(values), xlsx.Style.DATE),
}

WRITERS: dict[str, type[CsvWriter] | type[JsonLinesWriter] | type[XlsxWriter]] = {
    "csv": CsvWriter,
    "jsonl": JsonLinesWriter,
    "xlsx": XlsxWriter,
}


def open_writers(folder: Path, source: Titled, formats: Sequence[str]) -> list[Writer]:
    """A writer for each format asked for: tables.results → tables.results.csv, ..."""
    return [WRITERS[name](folder / f"{source.name}.{name}", source) for name in formats if name in WRITERS]
