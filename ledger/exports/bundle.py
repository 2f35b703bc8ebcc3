"""Writes the files of an export from one snapshot and packs them with a manifest. Knows nothing of who asked for it."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils import timezone

from config.kit import private_files
from config.kit.canonical_json import canonical_json
from config.kit.sheets.writers import chunks, open_writers
from ledger.books import balances, canon
from ledger.books.snapshot import snapshot
from ledger.exports.hledger import HledgerWriter
from ledger.models import Entry, GamingDay, Seal
from ledger.reports import reports
from ledger.seals import merkle, seals
from people.models import Premises

FORMATS = ("csv", "xlsx", "jsonl", "hledger")
FORMAT_VERSION = "potline-export/1"
_CHUNK_BYTES = 1 << 20
_FETCH_LIMIT = "15min"
"""No single read may take longer: a builder that hangs gives its worker back."""
# The same files give the same archive.
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_COMPRESS_LEVEL = 5
_PACKED_ALREADY = {".xlsx"}

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
    """Counts rows done against rows expected; packing counts as so many more, by its share of the bytes."""

    PACKING = 5  # a fifth on top, about what it takes

    def __init__(self, rows: int, progress: Progress) -> None:
        self.done, self.rows, self.progress = 0, max(rows, 1), progress
        self.total = self.rows + self.rows // self.PACKING

    def step(self, rows: int = 1) -> None:
        self.done += rows
        self.progress(min(self.done, self.rows), self.total)

    def packed(self, done_bytes: int, all_bytes: int) -> None:
        packing = self.total - self.rows
        self.progress(self.rows + packing * done_bytes // max(all_bytes, 1), self.total)


def build(request: Request, target: Path, progress: Progress) -> str:
    """Writes the archive to `target` and returns its SHA-256. Everything comes from one snapshot."""
    premises = Premises.objects.get(code=request.premises)
    scope = reports.Scope(premises, request.first, request.last, request.table, request.progressive)
    chosen = [source for source in reports.sources() if not request.reports or source.name in request.reports]
    with tempfile.TemporaryDirectory(prefix=f"{target.name}.", dir=target.parent) as name:
        folder = Path(name)
        with snapshot():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = '{_FETCH_LIMIT}'")
            counts = [source.count(scope) if source.count else 0 for source in chosen]
            meter = _Meter(sum(counts) + _entries_in(scope).count(), progress)
            rows: dict[str, int] = {}
            with timezone.override(ZoneInfo(premises.time_zone)):
                for source in chosen:
                    rows |= _write_report(folder, source, scope, request.formats, meter)
            books = _write_books(folder, scope, "hledger" in request.formats, meter)
            manifest = _manifest(request, folder, rows, books)
        # The snapshot has ended: packing holds nothing back in the database.
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        _zip(folder, target, meter)
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
    try:
        for chunk in chunks(source.rows(scope), source.columns):
            for writer in writers:
                writer.write(chunk)
            for index in summed:
                sums[index] += sum(value for value in chunk.values[index] if value is not None)
            count += chunk.rows
            meter.step(chunk.rows)
    except BaseException:
        for writer in writers:
            writer.abandon()
        raise
    for writer in writers:
        writer.close(tuple(sums))
    return {writer.path.name: count for writer in writers}


def _write_books(folder: Path, scope: reports.Scope, hledger: bool, meter: _Meter) -> dict[str, Any]:
    """journal.jsonl: the entries in scope, as sealed. seals.jsonl: the seals over them, with the leaves of all entries.
    journal.hledger, where asked for, in the same pass.

    Other days and premises may lie under the same seals; of those the leaf hashes alone go along, for the roots.
    """
    days = _days_in(scope)
    day_ids = {day.pk for day in days}
    books = {"entries": 0, "postings": 0, "unsealed": 0, "seals": 0}
    with ExitStack() as stack:
        journal = stack.enter_context((folder / "journal.jsonl").open("w", encoding="utf-8"))
        roots = stack.enter_context((folder / "seals.jsonl").open("w", encoding="ascii"))
        theirs = stack.enter_context(_hledger(folder, scope, days)) if hledger else None
        for seal, lines in _by_seal(list(day_ids)):
            leaves = []
            for line in lines:
                if seal is not None:
                    leaves.append(merkle.leaf(line.text.encode()).hex())
                if line.day_id in day_ids:
                    journal.write(line.text + "\n")
                    if theirs is not None:
                        theirs.entry(line)
                    books["entries"] += 1
                    books["postings"] += line.legs
                    books["unsealed"] += seal is None
                    if books["entries"] % 500 == 0:
                        meter.step(500)
            if seal is not None:
                content = seals.header(seal) | {"hash": bytes(seal.hash).hex(), "leaves": leaves}
                roots.write(canonical_json(content) + "\n")
                books["seals"] += 1
    return books


@contextmanager
def _hledger(folder: Path, scope: reports.Scope, days: list[GamingDay]) -> Iterator[HledgerWriter]:
    """The writer of journal.hledger. Entries come in the order of seals and go to a file a day, joined in order."""
    accounts = balances.trial_balance(scope.premises, scope.first, scope.last)
    title = f"{scope.premises.name}, gaming days {scope.first} to {scope.last}"
    with ExitStack() as stack:
        parts = {day.pk: stack.enter_context(tempfile.TemporaryFile(dir=folder)) for day in days}
        writer = HledgerWriter(parts, accounts)
        yield writer
        with (folder / "journal.hledger").open("wb") as file:
            writer.head(file, title, accounts, scope.first.isoformat())
            for part in parts.values():
                part.seek(0)
                shutil.copyfileobj(part, file, _CHUNK_BYTES)


def _by_seal(day_ids: list[int]) -> Iterator[tuple[Seal | None, Iterator[canon.SealedEntry]]]:
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
    held: list[canon.SealedEntry] = []

    def below(limit: int | None) -> Iterator[canon.SealedEntry]:
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


def _zip(folder: Path, target: Path, meter: _Meter) -> None:
    """Packs the files, the manifest first."""
    names = sorted(folder.iterdir(), key=lambda path: (path.name != "manifest.json", path.name))
    done, total = 0, sum(path.stat().st_size for path in names)
    target.touch(mode=private_files.FILE)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESS_LEVEL) as archive:
        for path in names:
            info = zipfile.ZipInfo(path.name, _ZIP_TIME)
            packed_already = path.suffix in _PACKED_ALREADY
            info.compress_type = zipfile.ZIP_STORED if packed_already else zipfile.ZIP_DEFLATED
            info._compresslevel = _COMPRESS_LEVEL  # type: ignore[attr-defined]  # public from Python 3.13 on
            info.external_attr = 0o644 << 16
            with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as packed:
                while chunk := source.read(_CHUNK_BYTES):
                    packed.write(chunk)
                    done += len(chunk)
                    meter.packed(done, total)
            path.unlink()
