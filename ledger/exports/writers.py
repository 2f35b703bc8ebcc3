"""One report source into files: CSV, XLSX and JSON Lines, row by row. hledger is in ledger.exports.hledger."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import xlsxwriter

from ledger.reports import Cell, Column, Row, Source
from rules.money import MICROS, format_money

XLSX_MAX_ROWS = 1_048_000
"""Excel's limit is 1,048,576 rows a sheet; a longer report goes on on the next sheet."""
_PERCENT_PLACES = 4


class Writer(Protocol):
    """Rows in, a file out. `close` writes the totals and returns the number of rows."""

    path: Path

    def write(self, row: Row) -> None: ...

    def close(self, totals: Row) -> None: ...


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


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula: what begins like one gets an apostrophe before it."""
    return "'" + text if text[:1] in {"=", "+", "-", "@", "\t", "\r", "\n"} else text


class CsvWriter:
    """RFC 4180, UTF-8. Money and numbers are plain; text is made harmless."""

    def __init__(self, path: Path, source: Source) -> None:
        self.path = path
        self.columns = source.columns
        self.file = path.open("w", encoding="utf-8", newline="")
        self.csv = csv.writer(self.file)
        self.csv.writerow([column.name for column in self.columns])

    def write(self, row: Row) -> None:
        self.csv.writerow(self._cells(row))

    def _cells(self, row: Row) -> list[str]:
        return [
            harmless(as_text(value, column.cell)) if column.cell is Cell.TEXT else as_text(value, column.cell)
            for value, column in zip(row, self.columns, strict=True)
        ]

    def close(self, totals: Row) -> None:
        self.file.close()


class JsonLinesWriter:
    """One object a row; money is a string as in the API."""

    def __init__(self, path: Path, source: Source) -> None:
        self.path = path
        self.columns = source.columns
        self.file = path.open("w", encoding="utf-8")

    def write(self, row: Row) -> None:
        content = {
            column.name: self._value(value, column) for value, column in zip(row, self.columns, strict=True)
        }
        self.file.write(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _value(self, value: Any, column: Column) -> Any:
        if value is None or column.cell is Cell.NUMBER:
            return value
        return as_text(value, column.cell)

    def close(self, totals: Row) -> None:
        self.file.close()


class XlsxWriter:
    """Typed cells, a frozen header, totals as formulas with their value; rows leave memory as they are written."""

    def __init__(self, path: Path, source: Source) -> None:
        self.path = path
        self.source = source
        options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        self.book = xlsxwriter.Workbook(path, options | {"default_date_format": "yyyy-mm-dd"})
        # The same rows give the same bytes.
        self.book.set_properties({"title": source.title, "created": datetime(2000, 1, 1)})  # noqa: DTZ001
        self.bold = self.book.add_format({"bold": True, "bottom": 1})
        self.formats = {
            Cell.MONEY: self.book.add_format({"num_format": "#,##0.00####;[Red]-#,##0.00####"}),
            Cell.PERCENT: self.book.add_format({"num_format": "0.00%"}),
            Cell.DATE: self.book.add_format({"num_format": "yyyy-mm-dd"}),
            Cell.INSTANT: self.book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
            Cell.NUMBER: self.book.add_format({"num_format": "#,##0"}),
        }
        self.total_format = self.book.add_format({"bold": True, "top": 1, "num_format": "#,##0.00####"})
        self.sheets = 0
        self.parts: list[tuple[str, int]] = []
        self._next_sheet()

    def _next_sheet(self) -> None:
        self.sheets += 1
        name = self.source.title[:25].replace("/", "-") + (f" {self.sheets}" if self.sheets > 1 else "")
        self.sheet = self.book.add_worksheet(name)
        self.name = name
        self.sheet.freeze_panes(1, 0)
        for index, column in enumerate(self.source.columns):
            width = {Cell.TEXT: 28, Cell.MONEY: 18, Cell.INSTANT: 20}.get(column.cell, 12)
            self.sheet.set_column(index, index, width)
        for index, column in enumerate(self.source.columns):
            self.sheet.write_string(0, index, column.title, self.bold)
        self.row = 1

    def write(self, row: Row) -> None:
        if self.row > XLSX_MAX_ROWS:
            self.parts.append((self.name, self.row))
            self._next_sheet()
        for index, (value, column) in enumerate(zip(row, self.source.columns, strict=True)):
            if value is not None:
                self._cell(index, value, column.cell)
        self.row += 1

    def _cell(self, index: int, value: Any, cell: Cell) -> None:
        if cell is Cell.MONEY:
            self.sheet.write_number(self.row, index, Decimal(value) / MICROS, self.formats[cell])
        elif cell is Cell.NUMBER:
            self.sheet.write_number(self.row, index, value, self.formats[cell])
        elif cell is Cell.PERCENT:
            self.sheet.write_number(self.row, index, Decimal(percent_text(value)) / 100, self.formats[cell])
        elif cell is Cell.INSTANT:
            naive = value.astimezone(UTC).replace(tzinfo=None)
            self.sheet.write_datetime(self.row, index, naive, self.formats[cell])
        elif cell is Cell.DATE:
            self.sheet.write_datetime(self.row, index, value, self.formats[cell])
        else:
            self.sheet.write_string(self.row, index, str(value))

    def close(self, totals: Row) -> None:
        self.parts.append((self.name, self.row))
        if any(total is not None for total in totals):
            self.sheet.write_string(self.row + 1, 0, "Total", self.bold)
        for index, (total, column) in enumerate(zip(totals, self.source.columns, strict=True)):
            if total is not None:
                value = Decimal(total) / MICROS if column.cell is Cell.MONEY else total
                letter = xlsxwriter.utility.xl_col_to_name(index)
                ranges = [f"'{name}'!{letter}2:{letter}{rows}" for name, rows in self.parts if rows > 1]
                formula = f"=SUM({','.join(ranges)})" if ranges else "=0"
                self.sheet.write_formula(self.row + 1, index, formula, self.total_format, value)
        self.book.close()


WRITERS: dict[str, type[CsvWriter] | type[JsonLinesWriter] | type[XlsxWriter]] = {
    "csv": CsvWriter,
    "jsonl": JsonLinesWriter,
    "xlsx": XlsxWriter,
}


def open_writers(folder: Path, source: Source, formats: Sequence[str]) -> list[Writer]:
    """A writer for each format asked for: tables.results → tables.results.csv, ..."""
    return [WRITERS[name](folder / f"{source.name}.{name}", source) for name in formats if name in WRITERS]
