"""The seals recomputed from the rows under them: chain, roots, and which row it is where a root does not come out."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection

from config.kit.triggers import sealed
from ledger.books import canon
from ledger.models import Seal
from ledger.seals import leaves, merkle, seals
from ledger.verify.verify import Walked

CHUNK_ROWS = 50_000
CHUNK_SEALS = 2_000


def walk(first: int, last: int) -> Walked:
    """Seals from one number to another, with everything that lies under them."""
    walked = Walked()
    before = Seal.objects.defer("leaves").filter(number__lt=first).order_by("-number").first()
    for chunk in _chunks(first, last):
        rows = seals.rows_between(chunk[0].from_xact, chunk[-1].below_xact)
        position = 0
        for seal in chunk:
            _check_header(walked, seal, before)
            under = position
            while position < len(rows) and rows[position].xact_id < seal.below_xact:
                position += 1
            try:
                _check_rows(walked, seal, rows[under:position])
            except (ValueError, LookupError) as error:  # bytes that no process of ours wrote
                walked.fault(f"seal {seal.number}", f"it cannot be read: {type(error).__name__}: {error}")
            walked.seals, walked.rows = walked.seals + 1, walked.rows + position - under
            walked.entries += sum(row.name == canon.ENTRIES.name for row in rows[under:position])
            before = seal
    walked.postings = _postings(first, last)
    return walked


def _postings(first: int, last: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(postings) FROM ledger_seal WHERE number BETWEEN %s AND %s", [first, last])
        return int(cursor.fetchone()[0] or 0)


def count_from(stamp: int) -> int:
    """How many rows no seal covers yet."""
    parts = [f"SELECT count(*) AS n FROM {one.table} WHERE xact_id >= %(stamp)s" for one in sealed.classes()]  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT sum(n) FROM ({' UNION ALL '.join(parts)}) x", {"stamp": stamp})  # noqa: S608
        return int(cursor.fetchone()[0] or 0)


def _chunks(first: int, last: int) -> Iterator[list[Seal]]:
    """Stretches of seals with not too many rows in all; without their lists of leaves, which are looked at only where a
    root does not come out."""
    chunk: list[Seal] = []
    rows = 0
    stored = Seal.objects.defer("leaves").filter(number__gte=first, number__lte=last)
    for seal in stored.order_by("number").iterator(chunk_size=200):
        chunk.append(seal)
        rows += seal.rows or seal.entries
        if rows >= CHUNK_ROWS or len(chunk) >= CHUNK_SEALS:
            yield chunk
            chunk, rows = [], 0
    if chunk:
        yield chunk


def _check_header(walked: Walked, seal: Seal, before: Seal | None) -> None:
    where = f"seal {seal.number}"
    number = before.number + 1 if before else 1
    if seal.number != number:
        walked.fault(where, f"seal {number} is missing before it")
    if bytes(seal.previous_hash) != (bytes(before.hash) if before else seals.FIRST_PREVIOUS):
        walked.fault(where, "it does not follow from the seal before it")
    below = before.below_xact if before else 0
    if seal.from_xact != below:
        walked.fault(
            where, f"it begins at transaction {seal.from_xact}, the seal before it ends below {below}"
        )
    if not seals.is_whole(seal):
        walked.fault(where, "its own fields were changed: they do not give its hash")


def _check_rows(walked: Walked, seal: Seal, rows: list[seals.SealedRow]) -> None:
    by_class: dict[str, list[seals.SealedRow]] = {}
    for row in rows:
        by_class.setdefault(row.name, []).append(row)
    if seal.version == 1:
        known = [leaves.ClassRoot(canon.ENTRIES.name, seal.entries, bytes(seal.root))]
    else:
        known = leaves.unpack_roots(bytes(seal.classes))
        if leaves.root_of(known) != bytes(seal.root):
            walked.fault(f"seal {seal.number}", "the roots of its classes do not give its root")
        counts = (
            sum(one.count for one in known),
            sum(one.count for one in known if one.name == canon.ENTRIES.name),
        )
        if (seal.rows, seal.entries) != counts:
            walked.fault(
                f"seal {seal.number}", "its own fields were changed: its counts are not its classes'"
            )
    roots = {one.name: one for one in known}
    words = {one.name: one.word for one in sealed.classes()}
    wrong = []
    for name in sorted(roots.keys() | by_class.keys()):
        now = by_class.get(name, [])
        if name not in words:
            walked.fault(f"seal {seal.number}", f"it covers {name}, which no room registers")
        elif name not in roots or not now or merkle.root([row.leaf for row in now]) != roots[name].root:
            wrong.append(name)
    if wrong:
        marks = _marks(seal, known)
        for name in wrong:
            _locate(walked, seal, words[name], marks.get(name, {}), by_class.get(name, []))


def _marks(seal: Seal, known: list[leaves.ClassRoot]) -> dict[str, dict[int, bytes]]:
    stored = bytes(Seal.objects.values_list("leaves", flat=True).get(pk=seal.pk))
    if seal.version == 1:
        return {
            canon.ENTRIES.name: {
                int.from_bytes(stored[i : i + 8], "big"): stored[i + 8 : i + 16]
                for i in range(0, len(stored), 16)
            }
        }
    # Each leaf takes a byte and more: a count beyond that was made up, and would be gone through one by one.
    return leaves.unpack_marks(stored, [one for one in known if one.count <= len(stored)])


def _locate(
    walked: Walked, seal: Seal, word: str, known: dict[int, bytes], rows: list[seals.SealedRow]
) -> None:
    now = {row.row_id: row.leaf for row in rows}
    located = False
    for row_id, mark in known.items():
        if row_id not in now:
            walked.fault(f"{word} {row_id}", f"it is missing from under seal {seal.number}")
            located = True
        elif not now[row_id].startswith(mark):
            walked.fault(f"{word} {row_id}", f"it was changed after seal {seal.number}")
            located = True
    for row_id in sorted(now.keys() - known.keys()):
        walked.fault(f"{word} {row_id}", f"it was put under seal {seal.number} afterwards")
        located = True
    if located:
        return
    ids = [row.row_id for row in rows]
    if list(known) != ids:
        first = next(a for a, b in zip(known, ids, strict=True) if a != b)
        walked.fault(f"{word} {first}", f"what lies under seal {seal.number} was put into another order")
        return
    first_id, last_id = (ids[0], ids[-1]) if ids else (0, 0)
    walked.fault(
        f"seal {seal.number}",
        f"{word} {first_id} to {last_id} do not give its root; its list of leaves was changed as well, so it cannot "
        "tell which one",
    )
