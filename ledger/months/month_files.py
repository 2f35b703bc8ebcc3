"""A month of the divided tables in files: taken out of the database, or brought back. Needs the owner of the tables.

The files are what COPY writes, packed, with a manifest: of each file its hash, and of every stretch of it, so that a
change is told with its place. The manifest's hash is in a `MonthMove`, which is under a seal; `SHA256SUMS` is for
`sha256sum -c`, without any program of ours. Postings are divided, too, and stay: what the books rest on is always here.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from config.kit import private_files
from config.kit.canonical_json import canonical_json
from config.kit.database import lock_timeout, time_limits
from config.kit.gaming_day import day_start
from ledger.models import GamingDay, MonthMove
from ledger.months import months
from ledger.seals import seals
from ledger.verify import watchdog
from ledger.verify.watchdog import VERIFY_FAILED
from people.alerts import alerts
from people.audit import audit
from people.models import Alert

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
STAYS = ("ledger_posting",)
STRETCH_ROWS = 10_000
LOCK_MS = 5_000
"""For so long whoever writes lines would wait at most until a part is off, or nothing happens."""

Progress = Callable[[str, int, int], None]
Span = tuple[int, int]


class CannotMove(Exception):
    """In words, why not."""


# --- What rooms say of a month --------------------------------------------------------------------------------
@dataclass(frozen=True)
class Keeper:
    """What a room knows of the rows that it divides: by it a month is judged before it goes and when it is back."""

    table: str
    against: Callable[[Span], Iterator[str]]
    """Why the month cannot go yet."""
    days: Callable[[Span], Iterable[tuple[int, date, date]]]
    """By premises the first and the last gaming day that has rows in it."""
    stamp: Callable[[Span], int]
    """The newest stamp of what vouches for the rows."""
    faults: Callable[[Span], Iterator[str]]
    """What of the rows is not as it was sealed."""


_keepers: dict[str, Keeper] = {}


def register(keeper: Keeper) -> None:
    _keepers[keeper.table] = keeper


# --- Which there are ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Listed:
    month: str
    rows: dict[str, int]
    size_bytes: int
    state: str
    """`here`, or the hash of the manifest of what is kept elsewhere."""
    stands_in_the_way: list[str]


def listed() -> Iterator[Listed]:
    """Every month, the oldest first."""
    _expect_owner()
    away = {move.month: move for move in months.elsewhere()}
    there: dict[str, list[months.Part]] = {}
    for part in months.parts():
        there.setdefault(part.month, []).append(part)
    for month in sorted(there.keys() | away.keys(), key=lambda name: (name != months.EARLIER, name)):
        rows = {part.parent: _count(part) for part in there.get(month, [])}
        size = sum(_size(part) for part in there.get(month, []))
        if month in away:
            yield Listed(month, away[month].rows | rows, size, away[month].manifest_sha256, [])
        else:
            yield Listed(month, rows, size, "here", list(_reasons(month)))


def _count(part: months.Part) -> int:
    (found,) = _rows(sql.SQL("SELECT count(*) FROM months.{}").format(sql.Identifier(part.name)))
    return int(found[0])


def _size(part: months.Part) -> int:
    (found,) = _rows(sql.SQL("SELECT pg_total_relation_size({})").format(f"months.{part.name}"))
    return int(found[0])


def _rows(statement: sql.Composable, parameters: Any = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())


def _expect_owner() -> None:
    ((owns,),) = _rows(
        sql.SQL("SELECT pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = 'months'")
    )
    if not owns:
        raise CannotMove("Connect as the owner of the tables (DATABASE_OWNER_URL), not as the application.")


def _leaving(month: str) -> list[months.Part]:
    """The parts of a month that are taken out with it."""
    return [part for part in months.parts() if part.month == month and part.parent not in STAYS]


def _reasons(month: str) -> Iterator[str]:
    """Why it cannot go yet: not over, not closed, not sealed, not verified."""
    if month not in (months.EARLIER,) and not _is_month(month):
        yield "rows of no month stay"
        return
    span = months.numbers_of(month)
    ended = datetime.combine(_end_of(month), time(), tzinfo=UTC)
    if _least_number() < span[1] or datetime.now(UTC) < ended:
        yield "it is not over: numbers are still given in its band"
        return
    still = (
        GamingDay.objects.exclude(state=GamingDay.State.CLOSED).select_related("premises").order_by("date")
    )
    for day in still:
        if day_start(day.premises, day.date) < ended:
            yield f"gaming day {day} is {day.state}"
    for keeper in _keepers.values():
        yield from keeper.against(span)
    newest = max((keeper.stamp(span) for keeper in _keepers.values()), default=0)
    mark = watchdog.position()
    if not seals.is_outside(newest):
        yield "something of it is not under a seal in the file outside"
    elif newest >= mark.below_xact:
        yield "the watchdog has not verified all of it yet"
    told = alerts.with_state(Alert.objects.filter(kind=VERIFY_FAILED.name)).filter(is_open=True)
    yield from (f"a fault that nobody has looked at: {alert.text}" for alert in told.order_by("pk")[:3])


def _least_number() -> int:
    """Where the numbers stand by which tables are divided; of several the one that is behind."""
    names = _rows(sql.SQL("SELECT DISTINCT sequence FROM months.divided WHERE sequence IS NOT NULL"))
    last = sql.SQL("SELECT last_value FROM public.{}")
    return min(int(_rows(last.format(sql.Identifier(name)))[0][0]) for (name,) in names)


def _is_month(name: str) -> bool:
    try:
        months.first_of(name)
    except ValueError:
        return False
    return True


def _end_of(month: str) -> date:
    return months.first_of("2026-01") if month == months.EARLIER else months.after(months.first_of(month))


# --- Out ------------------------------------------------------------------------------------------------------
def detach(month: str, folder: Path, reason: str, progress: Progress = lambda *_: None) -> MonthMove:
    """Writes a month's rows into an empty folder, reads the files again, and takes the rows out of the database."""
    _expect_owner()
    if not reason.strip():
        raise CannotMove("Say why, and where the files will be kept. It stays on record.")
    going = _leaving(month)
    if any(move.month == month for move in months.elsewhere()):
        # A second folder would be the one on record, and the first one nobody's.
        raise CannotMove(f"{month} is kept elsewhere already. What is left of it here stays.")
    if not going:
        raise CannotMove(
            f"There is no month {month} here. `manage.py months list` names those that there are."
        )
    for why in itertools.islice(_reasons(month), 1):
        raise CannotMove(f"{month} stays: {why}.")
    if folder.exists() and any(folder.iterdir()):
        raise CannotMove(f"{folder} is not empty.")
    private_files.own_folder(folder)
    span = months.numbers_of(month)
    with time_limits("long"), transaction.atomic():
        with connection.cursor() as cursor:
            for part in going:  # nobody adds to them any more; whoever reads goes on
                cursor.execute(
                    sql.SQL("LOCK TABLE months.{} IN SHARE MODE").format(sql.Identifier(part.name))
                )
        for keeper in _keepers.values():
            for fault in itertools.islice(keeper.faults(span), 1):
                raise CannotMove(f"{month} stays: {fault}.")
        files = [_write(part, folder, progress) for part in going]
        rows = {one["table"]: one["rows"] for one in files}
        written = _write_manifest(folder, month, files)
        for one in files:
            for _ in _stretches(folder, one):
                pass
        with lock_timeout(LOCK_MS), connection.cursor() as cursor:
            for part in going:
                names = {"parent": sql.Identifier(part.parent), "part": sql.Identifier(part.name)}
                cursor.execute(
                    sql.SQL("ALTER TABLE public.{parent} DETACH PARTITION months.{part}").format(**names)
                )
                cursor.execute(sql.SQL("DROP TABLE months.{part}").format(**names))
        return _moved(MonthMove.Kind.DETACHED, month, written, rows, reason, span)


def _moved(kind: str, month: str, manifest: str, rows: dict[str, int], reason: str, span: Span) -> MonthMove:
    days: dict[str, list[str]] = {}
    for keeper in _keepers.values():
        for premises, first, last in keeper.days(span):
            so_far = days.setdefault(str(premises), [first.isoformat(), last.isoformat()])
            so_far[:] = [min(so_far[0], first.isoformat()), max(so_far[1], last.isoformat())]
    move = MonthMove.objects.create(
        month=month, kind=kind, manifest_sha256=manifest, rows=rows, days=days, reason=reason.strip()
    )
    audit.record(
        "months",
        f"ledger.month_{kind}",
        subject=move,
        reason=move.reason,
        details={"month": month, "manifest": manifest, "rows": rows},
    )
    return move


def _write(part: months.Part, folder: Path, progress: Progress) -> dict[str, Any]:
    """One part in the order of its key; what the manifest says of it."""
    columns, key = _columns(part.parent)
    path = folder / f"{part.parent}.tsv.gz"
    copy_out = sql.SQL("COPY (SELECT {} FROM months.{} ORDER BY {}) TO STDOUT").format(
        _list(columns), sql.Identifier(part.name), _list(key)
    )
    total, rows, stretches = _count(part), 0, []
    with (
        open(path, "wb", opener=private_files.opener) as raw,
        gzip.GzipFile("", "wb", 3, raw, mtime=0) as file,
    ):
        with connection.cursor() as cursor, cursor.copy(copy_out) as copy:
            stream = (bytes(line) for line in copy)
            while some := b"".join(itertools.islice(stream, STRETCH_ROWS)):
                file.write(some)
                first, count = some.split(b"\n", 1)[0].decode(), some.count(b"\n")
                stretches.append(
                    {"begins": first[:80], "rows": count, "sha256": hashlib.sha256(some).hexdigest()}
                )
                rows += count
                progress(part.parent, rows, total)
        file.flush()
        raw.flush()
        os.fsync(raw.fileno())
    return {
        "file": path.name,
        "table": part.parent,
        "part": part.name,
        "bounds": part.bounds,
        "columns": columns,
        "rows": rows,
        "sha256": _sha256(path),
        "stretches": stretches,
    }


def _columns(table: str) -> tuple[list[str], list[str]]:
    """All, the key's first, and those of the key."""
    found = _rows(
        sql.SQL(
            "SELECT a.attname, array_position(i.indkey::int[], a.attnum::int) FROM pg_attribute a"
            " JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary"
            " WHERE a.attrelid = to_regclass({}) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
        ).format(f"public.{table}")
    )
    key = [name for _, name in sorted((place, name) for name, place in found if place is not None)]
    return [*key, *(name for name, place in found if place is None)], key


def _list(columns: list[str]) -> sql.Composable:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_manifest(folder: Path, month: str, files: list[dict[str, Any]]) -> str:
    """Gives its hash."""
    text = canonical_json({"version": 1, "month": month, "files": files}) + "\n"
    for name in (MANIFEST, SUMS):
        (folder / name).touch(mode=private_files.FILE)
    (folder / MANIFEST).write_text(text)
    sums = [f"{one['sha256']}  {one['file']}\n" for one in files]
    (folder / SUMS).write_text("".join([*sums, f"{_sha256(folder / MANIFEST)}  {MANIFEST}\n"]))
    return _sha256(folder / MANIFEST)


def _stretches(folder: Path, one: dict[str, Any]) -> Iterator[bytes]:
    """A file's lines, stretch by stretch, each as its manifest says; raises CannotMove with the place."""
    path, line = folder / one["file"], 0
    if not path.is_file():
        raise CannotMove(f"{path} is not there.")
    try:
        with gzip.open(path, "rb") as file:
            for stretch in one["stretches"]:
                some = b"".join(itertools.islice(file, stretch["rows"]))
                if hashlib.sha256(some).hexdigest() != stretch["sha256"]:
                    place = f"lines {line + 1} to {line + stretch['rows']}, from {stretch['begins']!r}"
                    raise CannotMove(f"{path} was changed: {place}.")
                line += stretch["rows"]
                yield some
            if file.read(1):
                raise CannotMove(f"{path} was changed: it goes on after its {line} lines.")
    except (OSError, EOFError, ValueError) as error:
        raise CannotMove(f"{path} cannot be read after line {line}: {error}.") from error
    if _sha256(path) != one["sha256"]:
        raise CannotMove(f"{path} was packed anew: its lines are the same, the file is not.")


# --- Back -----------------------------------------------------------------------------------------------------
def attach(folder: Path, reason: str, progress: Progress = lambda *_: None) -> MonthMove:
    """Brings a month back from its folder, each line as it went, and held to what is under the seals."""
    _expect_owner()
    if not reason.strip():
        raise CannotMove("Say why. It stays on record.")
    manifest = _manifest(folder)
    month = str(manifest["month"])
    away = {move.month: move for move in months.elsewhere()}
    if month not in away:
        raise CannotMove(f"{month} is not kept elsewhere: it is here, or never was.")
    digest = _sha256(folder / MANIFEST)
    if digest != away[month].manifest_sha256:
        known = away[month].manifest_sha256
        raise CannotMove(
            f"{folder / MANIFEST} is not the one of {month}: its hash is {digest}, on record is {known}."
        )
    span = months.numbers_of(month)
    with time_limits("long"), transaction.atomic():
        for one in manifest["files"]:
            _bring_back(folder, one, progress)
        rows = {one["table"]: one["rows"] for one in manifest["files"]}
        move = _moved(MonthMove.Kind.ATTACHED, month, digest, rows, reason, span)
        for keeper in _keepers.values():
            for fault in itertools.islice(keeper.faults(span), 1):
                raise CannotMove(f"{month} is not as it was sealed: {fault}.")
    return move


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
        return {"month": str(found["month"]), "files": list(found["files"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CannotMove(f"{folder / MANIFEST} cannot be read: {error}.") from error


def _bring_back(folder: Path, one: dict[str, Any], progress: Progress) -> None:
    part, done = sql.Identifier(one["part"]), 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT months.shape(%s, %s)", [one["table"], one["part"]])
        copy_in = sql.SQL("COPY months.{} ({}) FROM STDIN").format(part, _list(one["columns"]))
        with cursor.copy(copy_in) as copy:
            for some in _stretches(folder, one):
                copy.write(some)
                done += some.count(b"\n")
                progress(one["table"], done, one["rows"])
        bounds = sql.SQL(one["bounds"])  # the manifest's hash is on record, so this is what PostgreSQL wrote
        with lock_timeout(LOCK_MS):
            cursor.execute(
                sql.SQL("ALTER TABLE public.{} ATTACH PARTITION months.{} {}").format(
                    sql.Identifier(one["table"]), part, bounds
                )
            )
        cursor.execute("SELECT months.guard(%s, %s)", [one["part"], one["table"]])
