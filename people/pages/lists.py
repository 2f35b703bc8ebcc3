"""A list as it stands on a page, as a file: CSV or XLSX by the same writers as the exports, up to a bound.

An export is asked for, built by a worker and kept; this is for what somebody is looking at. Both are on record. A list
that is made of rows declares its columns with where each is found (`Listing`); a page gives it the rows that it shows,
so nobody gets more as a file than on the page."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from config.kit.sheets.columns import Cell, Column, Row
from config.kit.sheets.writers import CHUNK_ROWS, WRITERS, chunks
from people.access import person
from people.audit import audit
from people.models import Premises
from people.pages.page_context import current_premises

MAX_ROWS = 10_000
"""Of a list; who needs more narrows the filters, or asks finance for an export."""
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def asked(request: HttpRequest, name: str = "") -> str:
    """The format that the address asks for (`as`), empty for the page itself. Of a page with several lists, `name` is
    the one that the address must name (`list`)."""
    wanted = request.GET.get("as", "")
    return wanted if wanted in TYPES and request.GET.get("list", "") == name else ""


@dataclass(frozen=True)
class Sheet:
    name: str
    title: str
    columns: tuple[Column, ...]


def answer(
    request: HttpRequest,
    premises: Premises | None,
    name: str,
    title: str,
    columns: tuple[Column, ...],
    rows: Iterable[Row],
) -> HttpResponse:
    """The rows as a file, and on record who took it. The name of a file that is cut off says so."""
    wanted, sheet = request.GET["as"], Sheet(name, title, columns)
    stream = iter(rows)
    with tempfile.TemporaryDirectory() as folder:
        writer = WRITERS[wanted](Path(folder) / f"list.{wanted}", sheet)
        written = 0
        for chunk in chunks(islice(stream, MAX_ROWS), columns):
            writer.write(chunk)
            written += chunk.rows
        writer.close(tuple(None for _ in columns))
        content = writer.path.read_bytes()
    if next(stream, None) is not None:
        name = f"{name}-first-{MAX_ROWS}"
    audit.record(
        person(request),
        "people.list_taken",
        premises=premises,
        subject=f"list {name}",
        details={"format": wanted, "rows": written, "query": request.GET.urlencode()[:500]},
    )
    made = HttpResponse(content, content_type=TYPES[wanted])
    made.headers["Content-Disposition"] = f'attachment; filename="{name}.{wanted}"'
    return made


# --- Page after page --------------------------------------------------------------------------------------------
A_PAGE = 50
MAX_PAGES = 200
"""Who goes back further narrows the filters or takes the file: each page skips those before it."""


class Stretch(list[Any]):
    """The rows of one page, and the addresses of the pages beside it. Nobody counts how many there are in all: that
    would cost more every year."""

    def __init__(self, rows: Iterable[Any], number: int, newer: str, older: str) -> None:
        super().__init__(rows)
        self.number, self.newer, self.older = number, newer, older


def stretch(request: HttpRequest, rows: Any, name: str = "page", size: int = A_PAGE) -> Stretch:
    """Of rows that can be sliced, the page that the address asks for; `name` is its parameter, one for each list."""
    given = request.GET.get(name, "")
    asked = int(given) if given.isascii() and given.isdigit() and len(given) < 5 else 1
    number = min(max(asked, 1), MAX_PAGES)
    found = list(rows[(number - 1) * size : number * size + 1])

    def address(other: int) -> str:
        query = request.GET.copy()
        query[name] = str(other)
        return query.urlencode()

    more = len(found) > size and number < MAX_PAGES
    return Stretch(
        found[:size], number, address(number - 1) if number > 1 else "", address(number + 1) if more else ""
    )


# --- Lists that are made of rows ------------------------------------------------------------------------------
Of = str | Callable[[Any], Any]
"""Where a column's value is found in a row: a dotted name, through what is not there to nothing, or a function."""


@dataclass(frozen=True)
class Listing:
    """A list of a page: columns, each with where it is found in a row."""

    name: str
    title: str
    fields: tuple[tuple[Column, Of], ...]

    def file(
        self, request: HttpRequest, rows: Iterable[Any], premises: Premises | None = None, about: str = ""
    ) -> HttpResponse:
        """On record at `premises`, or where the reader works now. `about`: what the file's name says more, such as the
        table whose list it is."""
        name, title = (f"{self.name}-{about}", f"{self.title}, {about}") if about else (self.name, self.title)
        columns = tuple(column for column, _ in self.fields)
        return answer(request, premises or current_premises(request), name, title, columns, self._rows(rows))

    def _rows(self, rows: Iterable[Any]) -> Iterable[Row]:
        readers = [(column.cell, _reader(of)) for column, of in self.fields]
        # One more than is given, by which we know that there is more; never a long list at once.
        few = rows[: MAX_ROWS + 1].iterator(CHUNK_ROWS) if isinstance(rows, QuerySet) else rows
        for row in few:
            yield tuple(_told(read(row), cell) for cell, read in readers)


def _reader(of: Of) -> Callable[[Any], Any]:
    if not isinstance(of, str):
        return of
    names = of.split(".")

    def read(row: Any) -> Any:
        for name in names:
            if row is None:
                return None
            try:
                row = getattr(row, name)
            except ObjectDoesNotExist:  # a one-to-one that is not there
                return None
        return row

    return read


def _told(value: Any, cell: Cell) -> Any:
    """Text may be given as any object that says itself; yes and no as words."""
    if cell is not Cell.TEXT or value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def text(name: str, title: str, of: Of = "") -> tuple[Column, Of]:
    return Column(name, title), of or name


def number(name: str, title: str, of: Of = "") -> tuple[Column, Of]:
    return Column(name, title, Cell.NUMBER), of or name


def money(name: str, title: str, of: Of = "") -> tuple[Column, Of]:
    """In micros: `amount` is found in `amount_micros`."""
    return Column(name, title, Cell.MONEY), of or f"{name}_micros"


def day(name: str, title: str, of: Of = "") -> tuple[Column, Of]:
    return Column(name, title, Cell.DATE), of or name


def moment(name: str, title: str, of: Of = "") -> tuple[Column, Of]:
    return Column(name, title, Cell.INSTANT), of or name
