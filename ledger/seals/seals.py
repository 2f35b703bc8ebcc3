"""Seals: Merkle roots over every row that is only added, chained, and kept outside the database as well.

A seal covers what transactions below the snapshot's xmin have added: all of those have ended, so nothing can appear
under a seal later, however long a transaction stays open. Which rows, config.kit.triggers.sealed knows; verifying is in
ledger.verify.verify.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils.translation import gettext_noop

from config.kit import private_files, turns
from config.kit.canonical_json import canonical_json, sha256_of
from config.kit.fastsql.statements import rows_of
from config.kit.refusals import NOT_NOW, Refused
from config.kit.triggers import sealed
from ledger.books import canon
from ledger.models import SEAL_VERSION, Posting, Seal
from ledger.seals import leaves, merkle
from people.alerts import alerts
from people.models import Role

logger = structlog.get_logger(__name__)
SEALS_DOUBTFUL = alerts.declare(
    "ledger.seals_doubtful",
    gettext_noop("The seals are late or do not hold"),
    severity=alerts.Severity.URGENT,
    roles=[Role.FINANCE, Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)

_TURN = "ledger.seals.seal"
MAX_ROWS = 50_000
"""A seal holds about as many at most, so that a long pause does not end in one huge tree."""
OVERDUE_S = 60
"""By then the alert is there where nothing can be sealed."""
WATCHED_EVERY_S = 15
TELL_AFTER_S = OVERDUE_S - 2 * WATCHED_EVERY_S
_FIRST_UNSEALED = 1_000
"""Among so many entries, by transaction, the oldest is looked for: those of one moment are not quite in order."""
WAIT_S = 3
"""For so long an act waits for the seal that it rests on."""
POLL_S = 0.1
FIRST_PREVIOUS = bytes(merkle.HASH_BYTES)


def header(seal: Seal) -> dict[str, Any]:
    """What a seal's hash is taken over, and what goes into exports."""
    content: dict[str, Any] = {
        "below_xact": seal.below_xact,
        "chain": str(seal.chain),
        "from_xact": seal.from_xact,
        "number": seal.number,
        "previous": bytes(seal.previous_hash).hex(),
        "root": bytes(seal.root).hex(),
        "sealed_at": seal.sealed_at.astimezone(UTC).isoformat(timespec="microseconds"),
    }
    if seal.version == 1:
        return content | {"entries": seal.entries, "postings": seal.postings}
    roots = leaves.unpack_roots(bytes(seal.classes))
    return content | {
        "version": seal.version,
        "classes": {one.name: [one.count, one.root.hex()] for one in roots},
    }


def header_hash(seal: Seal) -> bytes:
    return bytes.fromhex(sha256_of(header(seal)))


def is_whole(seal: Seal) -> bool:
    """Whether its fields give its hash."""
    try:
        return bytes(seal.hash) == header_hash(seal)
    except (ValueError, LookupError):  # bytes that no process of ours wrote
        return False


def seal(at_most: int = 100) -> list[Seal]:
    """Seals what has become final since the last seal, and brings the file up to date. Safe to run anywhere.

    Gives way if another process is at it, and leaves what goes beyond `at_most` seals to the next call.
    """
    made: list[Seal] = []
    while len(made) < at_most:
        with transaction.atomic():
            one = _seal_next()
        if one is not None or time.monotonic() - _Sink.looked_at_s > LOOK_AT_SINK_S:
            catch_up_sink()
            _Sink.looked_at_s = time.monotonic()
        if one is None:
            break
        made.append(one)
    return made


LOOK_AT_SINK_S = 5.0
"""Where nothing is to be sealed this process looks so often whether the file has all."""


class _Sink:
    looked_at_s = float("-inf")


def _seal_next() -> Seal | None:
    if not turns.try_take(_TURN):
        return None
    with connection.cursor() as cursor:
        last = Seal.objects.defer("leaves").order_by("-number").first()
        from_xact = last.below_xact if last else 0
        cursor.execute("SELECT potline_stamp(pg_snapshot_xmin(pg_current_snapshot()))")
        below_xact = cursor.fetchone()[0]
    rows = rows_between(from_xact, below_xact, MAX_ROWS + 1)
    if len(rows) > MAX_ROWS:
        # A transaction is sealed whole: cut before the one that would go over, or after it if it is the only one.
        below_xact = rows[-1].xact_id
        if rows[0].xact_id == below_xact:
            below_xact += 1
            rows = rows_between(from_xact, below_xact)
        rows = [row for row in rows if row.xact_id < below_xact]
    if not rows:
        return None
    roots, marks = roots_and_marks(rows)
    new = Seal(
        number=last.number + 1 if last else 1,
        version=SEAL_VERSION,
        chain=last.chain if last else uuid.uuid4(),
        from_xact=from_xact,
        below_xact=below_xact,
        rows=len(rows),
        entries=sum(one.count for one in roots if one.name == canon.ENTRIES.name),
        postings=_postings_of(rows),
        root=leaves.root_of(roots),
        previous_hash=bytes(last.hash) if last else FIRST_PREVIOUS,
        sealed_at=datetime.now(UTC),
        classes=leaves.pack_roots(roots),
        leaves=marks,
    )
    new.hash = header_hash(new)
    new.save(force_insert=True)
    return new


@dataclass(frozen=True, slots=True)
class SealedRow:
    xact_id: int
    name: str
    """Of its class."""
    row_id: int
    leaf: bytes


def rows_between(from_xact: int, below_xact: int, at_most: int | None = None) -> list[SealedRow]:
    """The leaves of all classes in a stretch of stamps, in the order of stamps, by one statement; PostgreSQL hashes."""
    span = "xact >= %(start)s AND xact < %(below)s"
    parts = [
        f"SELECT q.xact_id, '{one.name}' AS name, q.id, sha256('\\x00'::bytea || convert_to(q.line, 'UTF8'))"  # noqa: S608
        f" FROM ({one.lines(span)}) q"
        for one in sealed.classes()
    ]
    limit = "" if at_most is None else f" LIMIT {at_most}"
    statement = f"{' UNION ALL '.join(parts)} ORDER BY 1, 2, 3{limit}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('enable_seqscan', 'off', true)")
        rows = rows_of(statement, {"start": from_xact, "below": below_xact})
        cursor.execute("SELECT set_config('enable_seqscan', 'on', true)")
    return [SealedRow(xact, name, row_id, bytes(leaf)) for xact, name, row_id, leaf in rows]


def roots_and_marks(rows: list[SealedRow]) -> tuple[list[leaves.ClassRoot], bytes]:
    """By class, in the order of names."""
    by_class: dict[str, list[SealedRow]] = {}
    for row in rows:
        by_class.setdefault(row.name, []).append(row)
    names = sorted(by_class)
    roots = [leaves.class_root(name, [row.leaf for row in by_class[name]]) for name in names]
    marks = b"".join(leaves.pack_marks((row.row_id, row.leaf) for row in by_class[name]) for name in names)
    return roots, marks


def _postings_of(rows: list[SealedRow]) -> int:
    entries = [row.row_id for row in rows if row.name == canon.ENTRIES.name]
    return Posting.objects.filter(entry__in=entries).count() if entries else 0


def seal_if_possible(covered: Callable[[], bool]) -> bool:
    """For a caller whose checks tell of a file that cannot be written or disagrees: whether it is covered now."""
    try:
        return wait_for_seal(covered)
    except (SinkDisagrees, OSError) as error:
        logger.error("not_sealed", error=str(error))
        return False


def seal_once() -> None:
    """One of the seals that are due, for a request that must stay short."""
    try:
        seal(at_most=1)
    except (SinkDisagrees, OSError) as error:
        logger.error("not_sealed", error=str(error))


def unsealed_entries(day_id: int) -> int:
    """Entries of a gaming day that no seal covers, without what the caller's own transaction posted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM ledger_entry WHERE day_id = %s AND xact_id >="
            " coalesce((SELECT max(below_xact) FROM ledger_seal), 0)"
            " AND xact_id <> coalesce(potline_stamp(pg_current_xact_id_if_assigned()), 0)",
            [day_id],
        )
        return int(cursor.fetchone()[0])


# --- What rests on a seal -------------------------------------------------------------------------------------
def require_outside(what: str, stamps: Callable[[], int]) -> None:
    """Refuses what rests on a row that is under no seal yet, or under one whose root is not in the file outside.
    `stamps` gives the newest stamp of it. What the caller's own transaction wrote goes under a seal with the act."""
    try:
        outside = wait_for_seal(lambda: is_outside(stamps()))
    except (SinkDisagrees, OSError) as error:
        text = f"{what} waits: its seal is not outside the database. Call an auditor. {error}"
        raise Refused("not_sealed", text, status=NOT_NOW, retry=True) from error
    if not outside:
        text = (
            f"{what} is not under a seal yet, so it cannot be proved tomorrow. Try again in a second or two."
        )
        raise Refused("not_sealed", text, status=NOT_NOW, retry=True)


def wait_for_seal(covered: Callable[[], bool]) -> bool:
    """Seals until it is covered, for a moment: others write all the time, and what they began before must end first,
    which takes some milliseconds. In the caller's transaction nothing is waited for."""
    deadline = time.monotonic() + WAIT_S
    while not (found := covered()) and not connection.in_atomic_block and time.monotonic() < deadline:
        if not seal(at_most=3):
            time.sleep(POLL_S)
    return found


def is_outside(stamp: int) -> bool:
    """Whether all up to this stamp is under a seal, and the file outside has it."""
    with connection.cursor() as cursor:
        # A transaction that has written nothing has no number yet: then nothing can be its own.
        cursor.execute(
            "SELECT coalesce(potline_stamp(pg_current_xact_id_if_assigned()), 0), max(below_xact) FROM ledger_seal"
        )
        own, below = cursor.fetchone()
    if stamp in (0, own):
        return True
    if stamp >= (below or 0):
        return False
    catch_up_sink()
    return True


def troubles() -> Iterator[tuple[str, str]]:
    """What is wrong with sealing now, by sort (chain, late, file) and in words: quick enough for a page. The whole
    truth is ledger.verify.verify's."""
    recent = list(Seal.objects.defer("leaves").order_by("-number")[:100])
    for later, earlier in itertools.pairwise(recent):
        if bytes(later.previous_hash) != bytes(earlier.hash) or later.from_xact != earlier.below_xact:
            words = f"Seal {later.number} does not follow from seal {earlier.number}."
            yield "chain", f"{words} Run `manage.py verify`."
    for one in recent:
        if not is_whole(one):
            yield "chain", f"Seal {one.number} was changed. Run `manage.py verify`."
    below = recent[0].below_xact if recent else 0
    with connection.cursor() as cursor:
        # Entries and steps have a time, and whatever happens makes one of them. The oldest are among the first of
        # what waits: where nothing is sealed yet, all history does.
        cursor.execute(
            "SELECT extract(epoch FROM now() - min(at))::bigint FROM ("
            " SELECT min(posted_at) AS at FROM (SELECT posted_at FROM ledger_entry WHERE xact_id >= %(below)s"
            " ORDER BY xact_id, id LIMIT %(first)s) e"
            " UNION ALL SELECT min(at) FROM ledger_step WHERE xact_id >= %(below)s) x",
            {"below": below, "first": _FIRST_UNSEALED},
        )
        oldest_s = cursor.fetchone()[0]
    if oldest_s is not None and oldest_s > TELL_AFTER_S:
        words = f"Nothing was sealed for {oldest_s} seconds: is beat running, or a transaction held open?"
        yield "late", words
    try:
        catch_up_sink()
    except (SinkDisagrees, OSError) as error:
        yield "file", str(error)


def watch() -> None:
    """Raises an alert for each sort of trouble there is; the seals are of all premises, so it belongs to none."""
    told: set[str] = set()
    for sort, text in troubles():
        if sort not in told:  # the first of a sort is enough to make someone look
            told.add(sort)
            alerts.raise_alert(SEALS_DOUBTFUL, f"ledger.seals:{sort}", text)


# --- The file outside the database ----------------------------------------------------------------------------
class SinkDisagrees(Exception):
    """The file and the database hold different seals of one number, or the file cannot be read: one was rewritten."""


def sink_path(chain: uuid.UUID, epoch: int = 0) -> Path:
    """A file an epoch: a database that goes on from a copy begins a new one, and the old one stays as it was."""
    return Path(settings.VAR_DIR) / "seals" / f"{chain}{f'.{epoch}' if epoch else ''}.jsonl"


def sink_line(seal: Seal) -> str:
    """What convicts: a hash stands for all of its header."""
    content = {
        "below_xact": seal.below_xact, "hash": bytes(seal.hash).hex(), "number": seal.number,
    }  # fmt: skip
    return canonical_json(content) + "\n"


def catch_up_sink() -> int:
    """Appends the seals that the file lacks; returns how many. Several machines may each keep a file.

    Refuses to go on where the file's last line is not what the database holds.
    """
    last = Seal.objects.defer("leaves").order_by("-number").first()
    if last is None:
        return 0
    epoch = sealed.epoch_of(last.below_xact)
    path = sink_path(last.chain, epoch)
    private_files.own_folder(path.parent)
    with open(path, "a+b", opener=private_files.opener) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        number = _check_last_line(file, path)
        missing = Seal.objects.defer("leaves").filter(
            number__gt=number, below_xact__gte=epoch << sealed.EPOCH_BITS
        )
        added = 0
        for seal in missing.order_by("number").iterator():
            file.write(sink_line(seal).encode("ascii"))
            added += 1
        if added:
            file.flush()
            os.fsync(file.fileno())
    return added


def _check_last_line(file: Any, path: Path) -> int:
    """The number of the file's last whole line; a line cut off by a crash is removed."""
    end = file.seek(0, os.SEEK_END)
    start = max(0, end - 4096)
    file.seek(start)
    tail = file.read()
    whole, _, torn = tail.rpartition(b"\n")
    if torn:
        file.truncate(end - len(torn))
    if not whole:
        return 0
    line = whole.rsplit(b"\n", 1)[-1]
    try:
        known = json.loads(line)
        number, known_hash = int(known["number"]), str(known["hash"])
    except (ValueError, KeyError, TypeError) as error:
        logger.error("seal_sink_unreadable", file=str(path))
        raise SinkDisagrees(
            f"The last line of {path} is not a seal: {line[:60]!r}. Put the file aside; a new one is written from the "
            "database, and `manage.py verify --against` another copy tells whether that one is right."
        ) from error
    seal = Seal.objects.defer("leaves").filter(number=number).first()
    if seal is None or bytes(seal.hash).hex() != known_hash:
        logger.error("seal_sink_disagrees", number=number, file=str(path))
        raise SinkDisagrees(
            f"{path} holds seal {number} as {known_hash}, the database "
            f"{bytes(seal.hash).hex() if seal else 'does not hold it'}. Keep both and run "
            f"`manage.py verify --against {path}`."
        )
    return number
