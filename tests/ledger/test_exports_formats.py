"""The formats by themselves: every kind of cell comes back from CSV, JSON Lines and XLSX, in bounded memory."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pytest

from config.kit.sheets import xlsx
from config.kit.sheets.columns import Cell, Column, Row
from config.kit.sheets.harmless import harmless
from config.kit.sheets.writers import Chunk, CsvWriter, JsonLinesWriter, XlsxWriter, percent_text
from ledger.reports import reports
from rules.money import format_money
from tests.ledger.conftest import DAY

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_what_begins_like_a_formula_is_made_harmless(text: str) -> None:
    assert harmless(text) == "'" + text
    assert harmless("a" + text) == "a" + text


@pytest.mark.parametrize("sign", ["\uff1d", "\uff0b", "\uff0d", "\uff20", "\u2212"])
def test_full_width_signs_are_signs(sign: str) -> None:
    assert harmless(f"{sign}1+1") == f"'{sign}1+1"
    assert harmless(f" {sign}1") == f"' {sign}1"


def test_a_locale_that_splits_at_semicolons_finds_no_formula_either() -> None:
    assert harmless("Mere; =cmd") == "Mere;' =cmd"
    assert harmless('x;=HYPERLINK("http://evil")') == 'x;\'=HYPERLINK("http://evil")'
    assert harmless("a;\uff1d1;b; c") == "a;'\uff1d1;b; c"


AWKWARD_TEXTS = [
    "plain", "", None, "a & b < c > d", " blanks ", "tab\tand\nline", "\x01 control", "_x0041_ is no A", "é 中 🂡",
    '"quoted", with comma', "%s %d %%", "=1+1", "'", "back\\slash \\u0000", "cr\rlf", "x" * 40_000,
]  # fmt: skip


def awkward_report() -> reports.Source:
    columns = (
        Column("text", 'Title & "more"'), Column("money", "Money", Cell.MONEY, total=True),
        Column("number", "Number", Cell.NUMBER, total=True), Column("share", "Share", Cell.PERCENT),
        Column("day", "Day", Cell.DATE), Column("at", "At", Cell.INSTANT),
    )  # fmt: skip
    return reports.Source(
        "test.awkward", "Awkward: it's [odd] and far too long for a sheet", columns, lambda scope: []
    )


def awkward_rows() -> list[Row]:
    instant = datetime(2026, 3, 14, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=13)))
    money = [1, -1, 0, None, 7_512_345, -2_500_000, 10**15, 123_456_789_012_345]
    return [
        (text, money[n % 8], None if n == 3 else n * 1000 - 2, Fraction(n - 3, 7) if n != 5 else None,
         DAY if n else None, instant if n != 2 else None)
        for n, text in enumerate(AWKWARD_TEXTS)
    ]  # fmt: skip


def test_every_kind_of_cell_comes_back_from_every_format(tmp_path: Path) -> None:
    source, rows = awkward_report(), awkward_rows()
    writers = CsvWriter(tmp_path / "a.csv", source), JsonLinesWriter(tmp_path / "a.jsonl", source)
    book = XlsxWriter(tmp_path / "a.xlsx", source)
    for writer in (*writers, book):
        for start in (0, 5):  # in two chunks
            writer.write(Chunk(rows[start : start + 5] if not start else rows[5:], source.columns))
        writer.close((None, 17, 4, None, None, None))
    objects = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().split("\n")[:-1]]
    with (tmp_path / "a.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    sheet = openpyxl.load_workbook(tmp_path / "a.xlsx")["Awkward- it-s -odd- and f"]
    cells = list(sheet.iter_rows(min_row=2, max_row=1 + len(rows)))
    assert len(objects) == len(lines) == len(cells) == len(rows)
    assert sheet["A1"].value == 'Title & "more"'
    for (text, money, number, share, day, at), content, line, cell in zip(
        rows, objects, lines, cells, strict=True
    ):
        assert content["text"] == text
        assert line["text"] == harmless(text or "")
        # _x0001_ is how SpreadsheetML writes a control character, and _x005F_ an underscore before such a look-alike.
        shown = openpyxl.utils.escape.unescape(cell[0].value) if cell[0].value else None
        assert shown == ((text or None) if len(text or "") < 40_000 else "x" * 32_766 + "…")
        assert content["money"] == (line["money"] or None) == (None if money is None else format_money(money))
        assert cell[1].value == (
            None if money is None else pytest.approx(money / 1_000_000, rel=1e-15, abs=0)
        )
        assert (content["number"], cell[2].value) == (number, number)
        assert line["number"] == ("" if number is None else str(number))
        assert content["share"] == (line["share"] or None) == (None if share is None else percent_text(share))
        assert cell[3].value == (None if share is None else pytest.approx(float(share), abs=1e-6))
        assert content["day"] == (line["day"] or None) == ("2026-03-14" if day else None)
        assert cell[4].value == (datetime(2026, 3, 14) if day else None)  # noqa: DTZ001
        assert content["at"] == (line["at"] or None) == ("2026-03-14T10:59:59.999999+00:00" if at else None)
        if at:
            assert abs(cell[5].value - datetime(2026, 3, 14, 10, 59, 59, 999_999)) < timedelta(milliseconds=1)  # noqa: DTZ001
    assert [cell.value for cell in sheet[3 + len(rows)]][:3] == [
        "Total",
        f"=SUM('Awkward- it-s -odd- and f'!B2:B{1 + len(rows)})",
        f"=SUM('Awkward- it-s -odd- and f'!C2:C{1 + len(rows)})",
    ]


def test_a_report_longer_than_a_sheet_goes_on_on_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx, "MAX_ROWS", 4)
    columns = (Column("n", "N", Cell.NUMBER, total=True),)
    source = reports.Source("test.long", "Long", columns, lambda scope: [])
    for length, sizes in [(0, [0]), (4, [4]), (5, [4, 1]), (10, [4, 4, 2])]:
        book = XlsxWriter(tmp_path / f"{length}.xlsx", source)
        numbers = [(n,) for n in range(1, length + 1)]
        for start in range(0, length, 3):
            book.write(Chunk(numbers[start : start + 3], columns))
        book.close((sum(range(length + 1)),))
        sheets = openpyxl.load_workbook(tmp_path / f"{length}.xlsx").worksheets
        assert [sheet.title for sheet in sheets] == ["Long", "Long 2", "Long 3"][: len(sizes)]
        assert all(sheet["A1"].value == "N" and sheet.freeze_panes == "A2" for sheet in sheets)
        found = [[row[0] for row in s.iter_rows(min_row=2, max_row=1 + n, values_only=True)]
                 for s, n in zip(sheets, sizes, strict=True)]  # fmt: skip
        assert [n for part in found for n in part] == list(range(1, length + 1))
        # One column: its total stands where "Total" would, a line below the last row of the last sheet.
        ranges = ",".join(f"'{s.title}'!A2:A{n + 1}" for s, n in zip(sheets, sizes, strict=True) if n)
        assert sheets[-1].cell(sizes[-1] + 3, 1).value == (f"=SUM({ranges})" if ranges else "=0")


def test_percentages_are_rounded_half_up() -> None:
    shares = (Fraction(1, 3), Fraction(-1, 3), Fraction(1, 8_000_000), Fraction(1), Fraction(-1, 10**9))
    assert [percent_text(share) for share in shares] == [
        "33.3333",
        "-33.3333",
        "0.0000",
        "100.0000",
        "0.0000",
    ]
    assert percent_text(Fraction(5, 10_000_000)) == "0.0001"  # 0.00005 %


def test_a_million_rows_stay_out_of_memory() -> None:
    """The peak of a streamed report does not grow with its length: a fresh process writes 4,000 rows, then 40,000."""
    program = """
import resource, tempfile, django
from pathlib import Path
django.setup()
from config.kit.sheets.writers import chunks, open_writers
from config.kit.sheets.columns import Cell, Column
from ledger.reports.reports import Source
columns = (Column("id", "Id", Cell.NUMBER), Column("key", "Key"), Column("stake", "Stake", Cell.MONEY, total=True))
source = Source("test.wagers", "Wagers", columns, lambda scope: [])
for count in (4_000, 40_000):
    with tempfile.TemporaryDirectory() as folder:
        writers = open_writers(Path(folder), source, ["csv", "xlsx", "jsonl"])
        for chunk in chunks(((n, f"wager:{n}", n * 10_000) for n in range(count)), columns):
            for writer in writers:
                writer.write(chunk)
        for writer in writers:
            writer.close((None, None, 5))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    command = [sys.executable, "-c", program]
    env = {"DJANGO_SETTINGS_MODULE": "config.settings", "PATH": "/usr/bin:/bin"}
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=env)
    short_kb, long_kb = map(int, answer.stdout.split())
    assert long_kb - short_kb < 6_000
