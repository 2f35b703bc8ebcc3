"""`verify`: one command over all rooms. What must be true is recomputed from its sources, never from the figure that it
checks, and each fault names the row.

Rooms register what they can check (`register`), and for each kind of entry who vouches for it (ledger.verify.entries).
A check reads a stretch of stamps, so that a beat looks at what is new, several processes share what is old, and both
call the same function. What lies under seals is ledger.verify.seals; the watchdog is ledger.verify.watchdog.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import zipfile
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import structlog
from django.db import OperationalError, connection, connections, transaction

from config.kit.database import time_limits
from config.kit.triggers.sealed import epoch_of
from ledger.books.snapshot import snapshot
from ledger.models import Epoch, Seal

logger = structlog.get_logger(__name__)
MAX_FAULTS = 100
STRETCH_ROWS = 20_000
"""So many sealed rows are checked in one go, by every check: what is read for one is remembered for the next, memory
is bounded, and progress is told after each."""
REMEMBERED = 4_096


@dataclass(frozen=True)
class Fault:
    """What is wrong with which row. `accounts`: by their codes, whose money is in doubt with it."""

    where: str
    what: str
    accounts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Span:
    """A stretch of stamps, from `start` to below `below`. `whole`: all of history, in one piece or in several."""

    start: int
    below: int
    whole: bool = True

    def of(self, column: str = "xact_id") -> dict[str, int]:
        """For a filter."""
        return {f"{column}__gte": self.start, f"{column}__lt": self.below}


Check = Callable[[Span], Iterable[Fault]]


@dataclass(frozen=True)
class VerifyCheck:
    name: str
    title: str
    check: Check
    in_pieces: bool
    """Whether a stretch can be checked for itself; else it is done once, for all."""


_checks: dict[str, VerifyCheck] = {}


def register(name: str, title: str, *, in_pieces: bool = True) -> Callable[[Check], Check]:
    """Decorates a check: it gives the faults of what was added in a stretch of stamps. Called at start."""

    def decorate(check: Check) -> Check:
        if _checks.setdefault(name, VerifyCheck(name, title, check, in_pieces)).check is not check:
            raise ValueError(f"The check {name} is registered twice.")
        return check

    return decorate


_caches: list[Callable[[], None]] = []


Made = TypeVar("Made")
Row = TypeVar("Row", bound=Hashable)


def remembered(function: Callable[[Row], Made]) -> Callable[[Row], Made]:
    """Decorates what several checks make again of the same row: it is made once, and forgotten before the next run,
    since what it was made of may be another then."""
    cached = lru_cache(maxsize=REMEMBERED)(function)
    _caches.append(cached.cache_clear)
    return cached


def on_forgetting(clear: Callable[[], None]) -> None:
    """What else is remembered within a run."""
    _caches.append(clear)


def forget() -> None:
    """What was made again of rows, before they are looked at anew."""
    for clear in _caches:
        clear()


def checks() -> list[VerifyCheck]:
    return sorted(_checks.values(), key=lambda item: item.name)


@dataclass
class Walked:
    """What a walk over some seals came to."""

    seals: int = 0
    rows: int = 0
    entries: int = 0
    postings: int = 0
    faults: list[Fault] = field(default_factory=list)

    def fault(self, where: str, what: str) -> None:
        self.faults.append(Fault(where, what))


Found = Walked | list[Fault]


@dataclass
class Report:
    seals: int = 0
    rows: int = 0
    entries: int = 0
    postings: int = 0
    unsealed: int = 0
    last_hash: str = ""
    elsewhere: list[str] = field(default_factory=list)
    """Months whose lines and messages are kept elsewhere: of them what the rules give was held to the hash under the
    seal, and events to their chain."""
    faults: list[Fault] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.faults

    def count(self, walked: Walked) -> None:
        self.seals, self.rows = self.seals + walked.seals, self.rows + walked.rows
        self.entries, self.postings = self.entries + walked.entries, self.postings + walked.postings

    def add(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            if len(self.faults) < MAX_FAULTS and fault not in self.faults:
                self.faults.append(fault)


Progress = Callable[[str, int, int], None]
"""Called with what is being checked, how many are done and how many there are in all."""


def _silent(what: str, done: int, of: int) -> None:
    pass


@dataclass(frozen=True)
class Unit:
    """A piece of work: checks of a stretch of stamps, or, where none is named, seals from a number to below another."""

    name: str
    checks: tuple[str, ...]
    start: int
    below: int
    weight: int


def verify(
    against: Iterable[Path] = (),
    progress: Progress = _silent,
    processes: int = 1,
    only: Collection[str] | None = None,
    since: int = 0,
) -> Report:
    """Everything, of one snapshot. `against` names files with earlier roots: sinks or exports' seals. `only`: of all
    checks only these; seals are always recomputed. `since`: only what came after the seal of this number."""
    from ledger.months import months
    from ledger.verify import seals as verify_seals

    report = Report()
    with snapshot():
        report.elsewhere = [move.month for move in months.elsewhere()]
        units = _units(only, since)
        total = sum(unit.weight for unit in units)
        done = 0
        results = _in_turn(units) if processes == 1 else _at_once(units, processes)
        for unit, found in results:
            if isinstance(found, Walked):
                report.count(found)
                report.add(found.faults)
            else:
                report.add(found)
            done += unit.weight
            progress(unit.name, done, total)
        last = Seal.objects.defer("leaves").order_by("-number").first()
        report.last_hash = bytes(last.hash).hex() if last else ""
        report.unsealed = verify_seals.count_from(last.below_xact if last else 0)
        report.faults.sort(key=lambda fault: (fault.where.split()[0], fault.where, fault.what))
        for path in against:
            report.add(_against(path))
    return report


def check_span(start: int, below: int, *, in_pieces_only: bool = False) -> list[Fault]:
    """What every check finds in a stretch, in the caller's transaction. `in_pieces_only`: where that is no snapshot,
    without those that compare figures of one moment."""
    forget()
    wanted = [item for item in checks() if item.in_pieces or not in_pieces_only]
    return _run(wanted, Span(start, below, whole=False))


def _run(items: Iterable[VerifyCheck], span: Span) -> list[Fault]:
    """A check that breaks on what it reads is itself a fault: nothing passes because nobody could look at it. Checks
    write nothing, so they share a savepoint; those after a broken one have another."""
    found: list[Fault] = []
    left = deque(items)
    while left:
        try:
            with transaction.atomic():
                while left:
                    found.extend(itertools.islice(left[0].check(span), MAX_FAULTS))
                    left.popleft()
        except OperationalError:
            raise
        except Exception as error:
            item = left.popleft()
            logger.exception("verify_check_broke", check=item.name)
            found.append(
                Fault(f"check {item.name}", f"it broke on what it read: {type(error).__name__}: {error}")
            )
    return found


def end_of_stamps() -> int:
    """Above every row that there is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT potline_stamp(pg_snapshot_xmax(pg_current_snapshot()))")
        return int(cursor.fetchone()[0]) + 1


def _units(only: Collection[str] | None, since: int) -> list[Unit]:
    """Stretches of seals with about the same number of rows under them: the seals themselves, then every check that can
    be made of a stretch; at last the checks of everything at once."""
    wanted = [item for item in checks() if only is None or item.name in only]
    by_stretch = tuple(item.name for item in wanted if item.in_pieces)
    end, stretches = end_of_stamps(), list(_stretches(since))
    before = (
        Seal.objects.filter(number__lte=since)
        .order_by("-number")
        .values_list("below_xact", flat=True)
        .first()
    )
    start = begin = before or 0
    units: list[Unit] = []
    for first, last, below, rows in stretches:
        units.append(Unit("seals", (), first, last + 1, rows))
        units.append(Unit("records", by_stretch, start, below, rows))
        start = below
    units.append(Unit("records", by_stretch, start, end, 1))  # what no seal covers yet
    units += [Unit(item.name, (item.name,), begin, end, 1) for item in wanted if not item.in_pieces]
    return units


def _stretches(since: int) -> Iterator[tuple[int, int, int, int]]:
    """Of seals after a number: the first, the last, where it ends, and how many rows lie under them."""
    stored = Seal.objects.filter(number__gt=since).order_by("number")
    first = rows = 0
    last = below = 0
    for number, ends, under in stored.values_list("number", "below_xact", "rows").iterator(chunk_size=5_000):
        first, last, below, rows = first or number, number, ends, rows + (under or 1)
        if rows >= STRETCH_ROWS:
            yield first, last, below, rows
            first = rows = 0
    if first:
        yield first, last, below, rows


def _do(unit: Unit) -> Found:
    from ledger.verify import seals as verify_seals

    if not unit.checks:
        return verify_seals.walk(unit.start, unit.below - 1)
    forget()
    return _run((_checks[name] for name in unit.checks), Span(unit.start, unit.below))


def _in_turn(units: list[Unit]) -> Iterator[tuple[Unit, Found]]:
    for unit in units:
        yield unit, _do(unit)


def _at_once(units: list[Unit], processes: int) -> Iterator[tuple[Unit, Found]]:
    """In processes that see the very same snapshot."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        exported = cursor.fetchone()[0]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, context, initializer=_forget_connections) as pool:
        # The heaviest first.
        work = {
            pool.submit(_in_process, unit, exported): unit for unit in sorted(units, key=lambda u: -u.weight)
        }
        for done in as_completed(work):
            yield work[done], done.result()


def _forget_connections() -> None:
    """A forked process must not speak on its parent's connection, nor close it."""
    for alias in connections:
        connections[alias].connection = None
        connections[alias].in_atomic_block = False
        connections[alias].savepoint_ids = []
        connections[alias].needs_rollback = False


def _in_process(unit: Unit, exported: str) -> Found:
    with time_limits("long"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET TRANSACTION SNAPSHOT %s", [exported])
        return _do(unit)


# --- Roots kept elsewhere -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Root:
    number: int
    hash: str
    below_xact: int


def _against(path: Path) -> Iterator[Fault]:
    """Each line names a seal's number and hash. What was lost with a restore is on record in an epoch."""
    epochs = {epoch.pk: epoch for epoch in Epoch.objects.all()}
    matched = 0
    try:
        roots = read_roots(path)
        while some := list(itertools.islice(roots, 1_000)):
            stored = dict(
                Seal.objects.filter(number__in=[root.number for root in some]).values_list("number", "hash")
            )
            for root in some:
                after = epochs.get(epoch_of(root.below_xact) + 1)
                if after is not None and after.last_seal < root.number <= after.last_known_seal:
                    matched += 1  # lost with the database before, as it says
                elif root.number not in stored:
                    yield Fault(f"seal {root.number}", f"{path} holds it, the database does not")
                elif bytes(stored[root.number]).hex() != root.hash:
                    words = f"{path} holds it as {root.hash}; the chain was rewritten from here or before"
                    yield Fault(f"seal {root.number}", words)
                    return
                else:
                    matched += 1
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        yield Fault(str(path), f"it cannot be read as a file of roots: {error!r}")
        return
    if not matched:
        yield Fault(str(path), "it holds no root of this ledger")


def read_roots(path: Path) -> Iterator[Root]:
    """The seals of a sink or of the seals.jsonl of an export (the zip itself will do)."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive, archive.open("seals.jsonl") as file:
            yield from (_root(line) for line in file)
    else:
        with path.open("rb") as file:
            yield from (_root(line) for line in file if line.endswith(b"\n"))


def _root(line: bytes) -> Root:
    seal = json.loads(line)
    return Root(int(seal["number"]), str(seal["hash"]), int(seal["below_xact"]))
