"""Writes the files of an export from one snapshot and packs them with a manifest. Knows nothing of who asked for it."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from django.db import connection

from ledger import balances, canon, merkle, reports, seals
from ledger.exports.hledger import HledgerWriter
from ledger.exports.writers import open_writers
from ledger.models import Entry, GamingDay, Seal
from ledger.snapshot import snapshot
from people.canonical import canonical_json
from people.models import Premises

FORMATS = ("csv", "xlsx", "jsonl", "hledger")
FORMAT_VERSION = "potline-export/1"
_CHUNK_BYTES = 1 << 20
# The same files give the same archive.
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What is asked for. Its canonical JSON, with the state of the books, is the identity of an export."""

    premises: str
    first: date
    last: date
    formats: tuple[str, ...] = FORMATS
    reports: tuple[str, ...] = ()
    """Names of report sources; none means all."""
    table: str = ""
    progressive: str = ""

    def as_json(self) -> dict[str, Any]:
        content = asdict(self)
        return content | {
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "formats": sorted(self.formats),
            "reports": sorted(self.reports),
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Request:
        return cls(
            premises=content["premises"],
            first=date.fromisoformat(content["first"]),
            last=date.fromisoformat(content["last"]),
            formats=tuple(content["formats"]),
            reports=tuple(content["reports"]),
            table=content["table"],
            progressive=content["progressive"],
        )


class _Meter:
    """Counts rows done against rows expected and reports now and then."""

    def __init__(self, total: int, progress: Progress) -> None:
        self.done, self.total, self.progress = 0, max(total, 1), progress

    def step(self) -> None:
        self.done += 1
        if self.done % 500 == 0:
            self.report()

    def report(self) -> None:
        self.progress(min(self.done, self.total), self.total)


def build(request: Request, target: Path, progress: Progress) -> str:
    """Writes the archive to `target` and returns its SHA-256. Everything comes from one snapshot."""
    premises = Premises.objects.get(code=request.premises)
    scope = reports.Scope(premises, request.first, request.last, request.table, request.progressive)
    chosen = [source for source in reports.sources() if not request.reports or source.name in request.reports]
    with tempfile.TemporaryDirectory(prefix="export-", dir=target.parent) as name, snapshot():
        folder = Path(name)
        counts = [source.count(scope) if source.count else 0 for source in chosen]
        entries = _entries_in(scope).count()
        meter = _Meter(sum(counts) + entries * (2 if "hledger" in request.formats else 1), progress)
        rows: dict[str, int] = {}
        for source in chosen:
            rows |= _write_report(folder, source, scope, request.formats, meter)
        books = _write_journal(folder, scope, meter)
        if "hledger" in request.formats:
            _write_hledger(folder, scope, meter)
        manifest = _manifest(request, folder, rows, books)
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        meter.report()
        _zip(folder, target)
    return _sha256(target)


def _entries_in(scope: reports.Scope) -> Any:
    return Entry.objects.filter(day__in=_days_in(scope))


def _days_in(scope: reports.Scope) -> list[GamingDay]:
    days = GamingDay.objects.filter(premises=scope.premises, date__range=(scope.first, scope.last))
    return list(days.order_by("date"))


def _write_report(
    folder: Path, source: reports.Source, scope: reports.Scope, formats: Iterable[str], meter: _Meter
) -> dict[str, int]:
    """One pass over the rows for all formats."""
    writers = open_writers(folder, source, list(formats))
    if not writers:
        return {}
    count = 0
    sums: list[Any] = [0 if column.total else None for column in source.columns]
    summed = [index for index, column in enumerate(source.columns) if column.total]
    for row in source.rows(scope):
        for writer in writers:
            writer.write(row)
        for index in summed:
            if row[index] is not None:
                sums[index] += row[index]
        count += 1
        meter.step()
    for writer in writers:
        writer.close(tuple(sums))
    return {writer.path.name: count for writer in writers}


def _write_journal(folder: Path, scope: reports.Scope, meter: _Meter) -> dict[str, Any]:
    """journal.jsonl: the entries in scope, as sealed. seals.jsonl: the seals over them, with the leaves of all entries.

    Other days and premises may lie under the same seals; of those the leaf hashes alone go along, for the roots.
    """
    day_ids = [day.pk for day in _days_in(scope)]
    books = {"entries": 0, "postings": 0, "unsealed": 0, "seals": 0}
    with ExitStack() as stack:
        journal = stack.enter_context((folder / "journal.jsonl").open("w", encoding="utf-8"))
        roots = stack.enter_context((folder / "seals.jsonl").open("w", encoding="ascii"))
        for seal, lines in _by_seal(day_ids):
            leaves = []
            for line in lines:
                if seal is not None:
                    leaves.append(merkle.leaf(line.text.encode()).hex())
                if line.day_id in day_ids:
                    journal.write(line.text + "\n")
                    books["entries"] += 1
                    books["postings"] += line.legs
                    books["unsealed"] += seal is None
                    meter.step()
            if seal is not None:
                content = seals.header(seal) | {"hash": bytes(seal.hash).hex(), "leaves": leaves}
                roots.write(canonical_json(content) + "\n")
                books["seals"] += 1
    return books


def _by_seal(day_ids: list[int]) -> Iterator[tuple[Seal | None, Iterator[canon.Line]]]:
    """Every seal that covers an entry of these days, with all its entries; then, with None, what is not sealed yet.

    The iterators must be read in turn: they share one stream.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(xact_id), max(xact_id) FROM ledger_entry WHERE day_id = ANY(%s)", [day_ids]
        )
        lowest, highest = cursor.fetchone()
    if lowest is None:
        return
    covering = Seal.objects.defer("leaves").filter(below_xact__gt=lowest, from_xact__lte=highest)
    first, last = covering.order_by("number").first(), covering.order_by("number").last()
    start = first.from_xact if first else lowest
    end = max(highest, last.below_xact - 1) if last else highest
    stream = canon.lines("e.xact_id BETWEEN %s AND %s", [start, end])
    held: list[canon.Line] = []

    def below(limit: int | None) -> Iterator[canon.Line]:
        while True:
            line = held.pop() if held else next(stream, None)
            if line is None:
                return
            if limit is not None and line.xact_id >= limit:
                held.append(line)
                return
            yield line

    for seal in covering.order_by("number").iterator():
        yield seal, below(seal.below_xact)
    yield None, below(None)


def _write_hledger(folder: Path, scope: reports.Scope, meter: _Meter) -> None:
    accounts = balances.trial_balance(scope.premises, scope.first, scope.last)
    with (folder / "journal.hledger").open("w", encoding="utf-8") as file:
        writer = HledgerWriter(file, accounts)
        title = f"{scope.premises.name}, gaming days {scope.first} to {scope.last}"
        writer.open(title, accounts, scope.first.isoformat())
        for day in _days_in(scope):
            for line in canon.lines("e.day_id = %s", [day.pk]):
                writer.entry(line)
                meter.step()


def _manifest(request: Request, folder: Path, rows: dict[str, int], books: dict[str, Any]) -> dict[str, Any]:
    last = Seal.objects.defer("leaves").order_by("number").last()
    days = GamingDay.objects.filter(
        premises__code=request.premises, date__range=(request.first, request.last)
    ).order_by("date")
    return {
        "format": FORMAT_VERSION,
        "request": request.as_json(),
        "days": [{"date": day.date.isoformat(), "state": day.state} for day in days],
        "seal": seals.header(last) | {"hash": bytes(last.hash).hex()} if last else None,
        "books": books,
        "files": [
            {"name": path.name, "bytes": path.stat().st_size, "sha256": _sha256(path)}
            | ({"rows": rows[path.name]} if path.name in rows else {})
            for path in sorted(folder.iterdir())
        ],
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _zip(folder: Path, target: Path) -> None:
    """Packs the files, the manifest first, and moves the archive into place as a whole."""
    part = target.with_suffix(".part")
    names = sorted(folder.iterdir(), key=lambda path: (path.name != "manifest.json", path.name))
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in names:
            info = zipfile.ZipInfo(path.name, _ZIP_TIME)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as packed:
                while chunk := source.read(_CHUNK_BYTES):
                    packed.write(chunk)
    part.replace(target)
