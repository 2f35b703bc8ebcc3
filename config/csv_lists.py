"""A list of a page as a CSV file: what the page's filters find, up to a bound, with nothing that a spreadsheet runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

MOST_ROWS = 10_000
"""Of a list; who needs more narrows the filters, or asks finance for an export."""
_FORMULA_STARTS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20\u2212")
"""What spreadsheets take for the beginning of a formula, full-width signs and the true minus included: some read them
as their plain twins."""
_INSIDE = re.compile("(;)(?=\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212])")
"""The same after a semicolon: where the locale's separator is another than ours, a cell begins there."""


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula, also one that splits cells elsewhere than we do: what begins like
    one, after blanks or after a separator, gets an apostrophe before it."""
    if text.lstrip(" \xa0\u3000")[:1] in _FORMULA_STARTS:
        text = "'" + text
    return _INSIDE.sub(r"\1'", text) if _INSIDE.search(text) else text


def answer(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """RFC 4180, UTF-8. Numbers and money come as they are; any other value is made harmless."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow(
            [cell if isinstance(cell, int) else harmless("" if cell is None else str(cell)) for cell in row]
        )
    made = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    made.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return made
