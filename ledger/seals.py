"""Seals: Merkle roots over what the journal holds, chained, and kept outside the database as well.

A seal covers the entries of transactions below the snapshot's xmin: all of those have ended, so nothing can appear
under a seal later, however long a transaction stays open. Verifying is in ledger.verify.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction

from config.canonical_json import canonical_json, sha256_of
from config.celery import lock_key
from ledger import canon, merkle
from ledger.models import Seal
from people import alerts
from people.models import Role

logger = structlog.get_logger(__name__)
SEALS_DOUBTFUL = alerts.declare(
    "ledger.seals_doubtful",
    "The seals of the journal are late or do not hold",
    severity=alerts.Severity.URGENT,
    roles=[Role.FINANCE, Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)

_SEAL_LOCK = lock_key("ledger.seals.seal")
MAX_ENTRIES = 50_000
"""A seal holds about as many at most, so that a long pause does not end in one huge tree."""
LEAF_MARK_BYTES = 8
OVERDUE_S = 120
FIRST_PREVIOUS = bytes(merkle.HASH_BYTES)


def header(seal: Seal) -> dict[str, Any]:
    """What a seal's hash is taken over, and what goes to the file and into exports."""
    return {
        "below_xact": seal.below_xact,
        "chain": str(seal.chain),
        "entries": seal.entries,
        "from_xact": seal.from_xact,
        "number": seal.number,
        "postings": seal.postings,
        "previous": bytes(seal.previous_hash).hex(),
        "root": bytes(seal.root).hex(),
        "sealed_at": seal.sealed_at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


def header_hash(seal: Seal) -> bytes:
    return bytes.fromhex(sha256_of(header(seal)))


def seal(at_most: int = 100) -> list[Seal]:
    """Seals what has become final since the last seal, and brings the file up to date. Safe to run anywhere.

    Gives way if another process is at it, and leaves what goes beyond `at_most` seals to the next call.
    """
    made: list[Seal] = []
    while len(made) < at_most:
        with transaction.atomic():
            one = _seal_next()
        catch_up_sink()
        if one is None:
            break
        made.append(one)
    return made


def _seal_next() -> Seal | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_SEAL_LOCK])
        if not cursor.fetchone()[0]:
            return None
        last = Seal.objects.defer("leaves").order_by("-number").first()
        from_xact = last.below_xact if last else 0
        cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        below_xact = cursor.fetchone()[0]
        cursor.execute(
            "SELECT xact_id FROM ledger_entry WHERE xact_id >= %s AND xact_id < %s"
            " ORDER BY xact_id, id OFFSET %s LIMIT 1",
            [from_xact, below_xact, MAX_ENTRIES],
        )
        # A transaction is sealed whole: cut before the one that would go over, or after it if it is the only one.
        over = cursor.fetchone()
        if over:
            cursor.execute(
                "SELECT min(xact_id) FROM ledger_entry WHERE xact_id >= %s AND xact_id < %s",
                [from_xact, over[0]],
            )
            below_xact = over[0] if cursor.fetchone()[0] is not None else over[0] + 1
    leaves, marks, postings = [], [], 0
    for line in canon.lines("e.xact_id >= %s AND e.xact_id < %s", [from_xact, below_xact]):
        leaf = merkle.leaf(line.text.encode())
        leaves.append(leaf)
        marks.append(line.entry_id.to_bytes(8, "big") + leaf[:LEAF_MARK_BYTES])
        postings += line.legs
    if not leaves:
        return None
    new = Seal(
        number=last.number + 1 if last else 1,
        chain=last.chain if last else uuid.uuid4(),
        from_xact=from_xact,
        below_xact=below_xact,
        entries=len(leaves),
        postings=postings,
        root=merkle.root(leaves),
        previous_hash=bytes(last.hash) if last else FIRST_PREVIOUS,
        sealed_at=datetime.now(UTC),
        leaves=b"".join(marks),
    )
    new.hash = header_hash(new)
    new.save(force_insert=True)
    return new


def troubles() -> Iterator[tuple[str, str]]:
    """What is wrong with sealing now, by sort (chain, late, file) and in words: quick enough for a page. The whole
    truth is ledger.verify's."""
    recent = list(Seal.objects.defer("leaves").order_by("-number")[:100])
    for later, earlier in itertools.pairwise(recent):
        if bytes(later.previous_hash) != bytes(earlier.hash) or later.from_xact != earlier.below_xact:
            words = f"Seal {later.number} does not follow from seal {earlier.number}."
            yield "chain", f"{words} Run `manage.py verify_ledger`."
    for one in recent:
        if bytes(one.hash) != header_hash(one):
            yield "chain", f"Seal {one.number} was changed. Run `manage.py verify_ledger`."
    below = recent[0].below_xact if recent else 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT extract(epoch FROM now() - min(posted_at))::bigint FROM ledger_entry WHERE xact_id >= %s",
            [below],
        )
        oldest_s = cursor.fetchone()[0]
    if oldest_s is not None and oldest_s > OVERDUE_S:
        words = f"Nothing was sealed for {oldest_s} seconds: is beat running, or a transaction held open?"
        yield "late", words
    try:
        catch_up_sink()
    except (SinkDisagrees, OSError) as error:
        yield "file", str(error)


def watch() -> None:
    """Raises an alert for each sort of trouble there is; the books are the house's, so it belongs to no premises."""
    told: set[str] = set()
    for sort, text in troubles():
        if sort not in told:  # the first of a sort is enough to make someone look
            told.add(sort)
            alerts.raise_alert(SEALS_DOUBTFUL, f"ledger.seals:{sort}", text)


# --- The file outside the database ----------------------------------------------------------------------------
class SinkDisagrees(Exception):
    """The file and the database hold different seals of one number, or the file cannot be read: one was rewritten."""


def sink_path(chain: uuid.UUID) -> Path:
    return Path(settings.VAR_DIR) / "seals" / f"{chain}.jsonl"


def sink_line(seal: Seal) -> str:
    return canonical_json(header(seal) | {"hash": bytes(seal.hash).hex()}) + "\n"


def catch_up_sink() -> int:
    """Appends the seals that the file lacks; returns how many. Several machines may each keep a file.

    Refuses to go on where the file's last line is not what the database holds.
    """
    first = Seal.objects.defer("leaves").order_by("number").first()
    if first is None:
        return 0
    path = sink_path(first.chain)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        number = _check_last_line(file, path)
        added = 0
        for seal in Seal.objects.defer("leaves").filter(number__gt=number).order_by("number").iterator():
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
            "database, and `manage.py verify_ledger --against` another copy tells whether that one is right."
        ) from error
    seal = Seal.objects.defer("leaves").filter(number=number).first()
    if seal is None or bytes(seal.hash).hex() != known_hash:
        logger.error("seal_sink_disagrees", number=number, file=str(path))
        raise SinkDisagrees(
            f"{path} holds seal {number} as {known_hash}, the database "
            f"{bytes(seal.hash).hex() if seal else 'does not hold it'}. Keep both and run "
            f"`manage.py verify_ledger --against {path}`."
        )
    return number
