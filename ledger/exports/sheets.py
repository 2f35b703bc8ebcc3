"""A list as it stands on a page, as a file: CSV or XLSX by the same writers as the exports, up to a bound.

An export is asked for, built by a worker and kept; this is for what somebody is looking at. Both are on record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from django.http import HttpRequest, HttpResponse

from config.csv_lists import MOST_ROWS
from ledger import reports
from ledger.exports.writers import WRITERS, chunks
from people import audit
from people.access import person
from people.models import Premises

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def asked(request: HttpRequest) -> str:
    """The format that the address asks for (`as`), empty for the page itself."""
    wanted = request.GET.get("as", "")
    return wanted if wanted in TYPES else ""


def answer(
    request: HttpRequest,
    premises: Premises | None,
    name: str,
    title: str,
    columns: tuple[reports.Column, ...],
    rows: Iterable[reports.Row],
) -> HttpResponse:
    """The rows as a file, and on record who took it."""
    wanted = asked(request)
    source = reports.Source(name, title, columns, rows=lambda scope: ())
    with tempfile.TemporaryDirectory() as folder:
        writer = WRITERS[wanted](Path(folder) / f"{name}.{wanted}", source)
        for chunk in chunks(islice(rows, MOST_ROWS), columns):
            writer.write(chunk)
        writer.close(tuple(None for _ in columns))
        content = writer.path.read_bytes()
    audit.record(
        person(request),
        "ledger.list_taken",
        premises=premises,
        subject=f"list {name}",
        details={"format": wanted, "query": request.GET.urlencode()[:500]},
    )
    made = HttpResponse(content, content_type=TYPES[wanted])
    made.headers["Content-Disposition"] = f'attachment; filename="{name}.{wanted}"'
    return made
