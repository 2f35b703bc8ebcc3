"""A workbook (ECMA-376 SpreadsheetML) written as a stream: one report, typed cells, a frozen header, a line of totals.

Knows cells, not reports. General libraries take microseconds a cell in Python, which is most of an hour for a large
floor; a report has one type a column, so a whole column of cells is made at once and a row is one format string. Rows
go through the compressor to the disk as they come. Further sheets follow where one is full.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import IO
from xml.sax.saxutils import escape, quoteattr

MAX_ROWS = 1_048_000
"""Rows of data a sheet; Excel's limit is 1,048,576 with header and totals."""
MAX_TEXT = 32_767
"""Excel's limit for the text of a cell; a longer one ends in an ellipsis here and is whole in the other formats."""
# The same rows give the same bytes.
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_COMPRESS_LEVEL = 3
_EPOCH = date(1899, 12, 30)
_INSTANT_EPOCH = datetime(1899, 12, 30, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY_MICROSECONDS = 86_400_000_000
# What cannot stand in <t> as it is: markup, control characters, blanks at an end, and Excel's own escapes.
_AWKWARD = re.compile(r"[&<>\x00-\x1f\ufffe\uffff\ud800-\udfff]|^\s|\s\Z|_x[0-9A-Fa-f]{4}_")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']")


class Style(IntEnum):
    """Positions in cellXfs of the style sheet below."""

    TEXT = 0
    HEADER = 1
    MONEY = 2
    PERCENT = 3
    DATE = 4
    INSTANT = 5
    NUMBER = 6
    TOTAL_MONEY = 7
    TOTAL_NUMBER = 8


@dataclass(frozen=True)
class SheetColumn:
    title: str
    style: Style
    width: int


# --- Cells: what follows `<c r="A1"` -----------------------------------------------------------------------------
EMPTY = "/>"


def text_cells(texts: Iterable[str]) -> list[str]:
    awkward = _AWKWARD.search
    return [
        _text_cell(text)
        if awkward(text) or len(text) > MAX_TEXT
        else f' t="inlineStr"><is><t>{text}</t></is></c>'
        if text
        else EMPTY
        for text in texts
    ]


def _text_cell(text: str) -> str:
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT - 1] + "…"
    text = _UNPRINTABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    return f' t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'


def number_cells(texts: Iterable[str], style: Style) -> list[str]:
    """Numbers from their exact text; an empty one is an empty cell."""
    before = f' s="{style.value}"><v>'
    return [f"{before}{text}</v></c>" if text else EMPTY for text in texts]


def serials(values: Iterable[date | datetime | None], zone: tzinfo = UTC) -> list[str]:
    """Days since Excel's beginning of time; instants by the clock of the zone, since a cell knows none."""
    return ["" if value is None else _serial(value, zone) for value in values]


@lru_cache(maxsize=4096)
def _serial(value: date | datetime, zone: tzinfo) -> str:
    if isinstance(value, datetime):
        value = value.astimezone(zone).replace(tzinfo=UTC)
        return repr((value - _INSTANT_EPOCH) // _MICROSECOND / _DAY_MICROSECONDS)
    return str((value - _EPOCH).days)


def column_letters(index: int) -> str:
    """0 → A, 25 → Z, 26 → AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


# --- The workbook ---------------------------------------------------------------------------------------------------
class Workbook:
    def __init__(self, path: Path, title: str, columns: Sequence[SheetColumn]) -> None:
        self.title, self.columns = title, columns
        self.letters = [column_letters(index) for index in range(len(columns))]
        self.row_format = (
            '<row r="%s">' + "".join([f'<c r="{letter}%s"%s' for letter in self.letters]) + "</row>\n"
        )
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESS_LEVEL)
        self.names: list[str] = []
        self.lengths: list[int] = []
        self._next_sheet()

    def write(self, columns: Sequence[Sequence[str]], rows: int) -> None:
        """Cells by column, as `text_cells` and `number_cells` make them."""
        start = 0
        while start < rows:
            if self.next_row > MAX_ROWS + 1:
                self._end_sheet()
                self._next_sheet()
            count = min(rows - start, MAX_ROWS + 2 - self.next_row)
            part = columns if count == rows else [cells[start : start + count] for cells in columns]
            self._write_rows(part, count)
            start += count

    def _write_rows(self, columns: Sequence[Sequence[str]], count: int) -> None:
        numbers = list(map(str, range(self.next_row, self.next_row + count)))
        parts: list[Iterable[str]] = [numbers]
        for cells in columns:
            parts += (numbers, cells)
        row_format = self.row_format
        self.sheet.write("".join([row_format % row for row in zip(*parts, strict=True)]).encode())
        self.next_row += count

    def close(self, totals: Sequence[str | None]) -> None:
        """Under the last sheet, one line below the rows: the sums as formulas, with their values."""
        lengths = [*self.lengths, self.next_row - 1]
        if any(total is not None for total in totals):
            self._write_totals(totals, lengths)
        self._end_sheet()
        for name, content in _frame(self.title, self.names).items():
            self._add(name, content)
        self.archive.close()

    def abandon(self) -> None:
        """Lets go of the file, which is no workbook then."""
        self.sheet.close()
        self.archive.close()

    def _write_totals(self, totals: Sequence[str | None], lengths: list[int]) -> None:
        row = self.next_row + 1
        cells = []
        for index, (letter, total, column) in enumerate(zip(self.letters, totals, self.columns, strict=True)):
            if total is not None:
                style = Style.TOTAL_MONEY if column.style is Style.MONEY else Style.TOTAL_NUMBER
                ranges = [
                    f"'{name}'!{letter}2:{letter}{last}"
                    for name, last in zip(self.names, lengths, strict=True)
                    if last > 1
                ]
                formula = escape(f"SUM({','.join(ranges)})" if ranges else "0")
                cells.append(f'<c r="{letter}{row}" s="{style.value}"><f>{formula}</f><v>{total}</v></c>')
            elif index == 0:
                cells.append(_header_cell(f"{letter}{row}", "Total"))
        self.sheet.write(f'<row r="{row}">{"".join(cells)}</row>\n'.encode())

    def _next_sheet(self) -> None:
        number = len(self.names) + 1
        name = _NOT_IN_SHEET_NAMES.sub("-", self.title)[:25]
        self.names.append(f"{name} {number}" if number > 1 else name)
        self.sheet: IO[bytes] = self.archive.open(
            _zip_info(f"xl/worksheets/sheet{number}.xml"), "w", force_zip64=True
        )
        widths = "".join(
            f'<col min="{index}" max="{index}" width="{column.width}" customWidth="1"/>'
            for index, column in enumerate(self.columns, start=1)
        )
        header = "".join(
            _header_cell(f"{letter}1", column.title)
            for letter, column in zip(self.letters, self.columns, strict=True)
        )
        selected = ' tabSelected="1"' if number == 1 else ""
        self.sheet.write(
            f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView{selected} workbookViewId="0">'
            '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
            '<selection pane="bottomLeft"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>'
            f'<cols>{widths}</cols><sheetData>\n<row r="1">{header}</row>\n'.encode()
        )
        self.next_row = 2

    def _end_sheet(self) -> None:
        self.lengths.append(self.next_row - 1)
        self.sheet.write(b"</sheetData></worksheet>")
        self.sheet.close()

    def _add(self, name: str, content: str) -> None:
        with self.archive.open(_zip_info(name), "w") as file:
            file.write((_XML + content).encode())


def _zip_info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _ZIP_TIME)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    info._compresslevel = _COMPRESS_LEVEL  # type: ignore[attr-defined]  # public from Python 3.13 on
    return info


def _header_cell(place: str, text: str) -> str:
    return f'<c r="{place}" s="{Style.HEADER.value}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'


# --- The parts around the sheets ---------------------------------------------------------------------------------
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_MONEY_FORMAT = "#,##0.00####;[Red]-#,##0.00####"

_STYLE_SHEET = f"""<styleSheet xmlns="{_MAIN}">
<numFmts count="4">
<numFmt numFmtId="164" formatCode="{_MONEY_FORMAT}"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/>
<numFmt numFmtId="166" formatCode="yyyy-mm-dd hh:mm:ss"/><numFmt numFmtId="167" formatCode="#,##0.00####"/>
</numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>
<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border>
<border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border>
<border><left/><right/><top style="thin"><color auto="1"/></top><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="9">
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0" applyFont="1" applyBorder="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="10" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="167" fontId="1" fillId="0" borderId="2" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1"/>
<xf numFmtId="3" fontId="1" fillId="0" borderId="2" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1"/>
</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>"""


def _frame(title: str, names: list[str]) -> dict[str, str]:
    """Every part but the sheets themselves."""
    numbers = range(1, len(names) + 1)
    sheet_parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        for n in numbers
    )
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>'
        for n, name in zip(numbers, names, strict=True)
    )
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    after = len(names) + 1
    return {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        '<Override PartName="/docProps/core.xml" '
        f'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>{sheet_parts}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>',
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>{escape(title)}</dc:title>'
        '<dcterms:created xsi:type="dcterms:W3CDTF">2000-01-01T00:00:00Z</dcterms:created></cp:coreProperties>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><bookViews><workbookView/></bookViews>'
        f"<sheets>{sheets}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{links}'
        f'<Relationship Id="rId{after}" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": _STYLE_SHEET,
    }
