"""Recomputes the ledger from its rows: seals, chain, sums, balances. Reads only, in bounded memory.

Each fault says what is wrong and where. What a superuser changed, dropped, added or moved shows at its seal; a chain
that was rewritten as a whole shows against any earlier root: the file outside the database, or an export.
"""

from __future__ import annotations

import itertools
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from django.db import connection

from ledger import canon, chart, merkle, seals
from ledger.errors import InvalidEntry
from ledger.models import Account, Seal
from ledger.snapshot import snapshot

MAX_FAULTS = 100


@dataclass(frozen=True)
class Fault:
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass
class Report:
    seals: int = 0
    entries: int = 0
    postings: int = 0
    unsealed: int = 0
    last_hash: str = ""
    faults: list[Fault] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.faults

    def fault(self, where: str, what: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(Fault(where, what))


Progress = Callable[[str, int, int], None]
"""Called with what is being checked, how many are done and how many there are in all."""


def _silent(what: str, done: int, of: int) -> None:
    pass


def verify(against: Iterable[Path] = (), progress: Progress = _silent) -> Report:
    """Everything, of one snapshot. `against` names files with earlier roots: sinks or exports' seals."""
    report = Report()
    with snapshot():
        _verify_seals(report, progress)
        stages: list[tuple[str, Callable[[], None]]] = [
            ("stray rows", lambda: _verify_rows(report)),
            ("balances", lambda: _verify_movements(report)),
            ("accounts", lambda: _verify_accounts(report)),
            *((f"against {path.name}", partial(_verify_against, path, report)) for path in against),
        ]
        for done, (what, check) in enumerate(stages):
            progress(what, done, len(stages))
            check()
        progress("all", len(stages), len(stages))
    return report


def _verify_seals(report: Report, progress: Progress) -> None:
    """Walks seals and entries side by side, both in the order of transactions."""
    total = Seal.objects.count() and _estimate()
    entries = canon.lines("TRUE", [])
    line = next(entries, None)
    previous_hash, below, number = seals.FIRST_PREVIOUS, 0, 0
    for seal in _stored_seals():
        number += 1
        _verify_header(report, seal, number, previous_hash, below)
        leaves, ids, postings = [], [], 0
        while line is not None and line.xact_id < seal.below_xact:
            _verify_entry(report, line)
            leaves.append(merkle.leaf(line.text.encode()))
            ids.append(line.entry_id)
            postings += line.legs
            line = next(entries, None)
        _verify_root(report, seal, leaves, ids)
        report.entries += len(leaves)
        report.postings += postings
        report.seals += 1
        previous_hash, below, number = bytes(seal.hash), seal.below_xact, seal.number
        report.last_hash = previous_hash.hex()
        progress("entries", report.entries, max(total, report.entries))
    while line is not None:
        _verify_entry(report, line)
        report.unsealed += 1
        report.postings += line.legs
        line = next(entries, None)
    progress("entries", report.entries + report.unsealed, report.entries + report.unsealed)


def _stored_seals() -> Iterator[Seal]:
    """Without their lists of leaves, which are looked at only where a root does not come out."""
    return Seal.objects.defer("leaves").order_by("number").iterator(chunk_size=200)


def _estimate() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(entries) FROM ledger_seal")
        return int(cursor.fetchone()[0] or 0)


def _verify_header(report: Report, seal: Seal, number: int, previous_hash: bytes, below: int) -> None:
    where = f"seal {seal.number}"
    if seal.number != number:
        report.fault(where, f"seal {number} is missing before it")
    if bytes(seal.previous_hash) != previous_hash:
        report.fault(where, "it does not follow from the seal before it")
    if seal.from_xact != below:
        report.fault(
            where, f"it begins at transaction {seal.from_xact}, the seal before it ends below {below}"
        )
    if bytes(seal.hash) != seals.header_hash(seal):
        report.fault(where, "its own fields were changed: they do not give its hash")


def _verify_entry(report: Report, line: canon.SealedLine) -> None:
    if line.legs < 2 or line.total_micros:
        report.fault(
            f"entry {line.entry_id}",
            f"{line.legs} legs that sum to {line.total_micros or 0} micros, not to 0",
        )


def _verify_root(report: Report, seal: Seal, leaves: list[bytes], ids: list[int]) -> None:
    if leaves and merkle.root(leaves) == bytes(seal.root):
        return
    known = _marks(bytes(seal.leaves))
    now = dict(zip(ids, leaves, strict=True))
    located = False
    for entry_id, mark in known.items():
        if entry_id not in now:
            report.fault(f"entry {entry_id}", f"it is missing from under seal {seal.number}")
            located = True
        elif now[entry_id][: seals.LEAF_MARK_BYTES] != mark:
            report.fault(f"entry {entry_id}", f"it was changed after seal {seal.number}")
            located = True
    for entry_id in now.keys() - known.keys():
        report.fault(f"entry {entry_id}", f"it was put under seal {seal.number} afterwards")
        located = True
    if not located and list(known) != ids:
        first = next(a for a, b in zip(known, ids, strict=True) if a != b)
        report.fault(f"entry {first}", f"the entries under seal {seal.number} were put into another order")
    elif not located:
        first, last = (ids[0], ids[-1]) if ids else (0, 0)
        report.fault(
            f"seal {seal.number}",
            f"its entries {first} to {last} do not give its root; its list of leaves was changed as well, so it "
            "cannot tell which one",
        )


def _marks(stored: bytes) -> dict[int, bytes]:
    step = 8 + seals.LEAF_MARK_BYTES
    return {
        int.from_bytes(stored[i : i + 8], "big"): stored[i + 8 : i + step]
        for i in range(0, len(stored), step)
    }


def _verify_rows(report: Report) -> None:
    """Rows that no entry leads to, or that lead nowhere."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.entry_id, count(*) FROM ledger_posting p"
            " WHERE NOT EXISTS (SELECT FROM ledger_entry e WHERE e.id = p.entry_id) GROUP BY p.entry_id LIMIT %s",
            [MAX_FAULTS],
        )
        for entry_id, count in cursor.fetchall():
            report.fault(f"entry {entry_id}", f"it is gone, but {count} of its postings stand")
        cursor.execute(
            "SELECT e.id FROM ledger_entry e WHERE NOT EXISTS"
            " (SELECT FROM ledger_gamingday d WHERE d.id = e.day_id AND d.premises_id = e.premises_id) LIMIT %s",
            [MAX_FAULTS],
        )
        for (entry_id,) in cursor.fetchall():
            report.fault(f"entry {entry_id}", "its gaming day is gone or of another premises")


def _verify_movements(report: Report) -> None:
    """The rolled-up balances against the postings they were made of."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH rolled_up AS (
                SELECT p.account_id, e.day_id, sum(greatest(p.amount_micros, 0)) AS debit,
                    sum(least(p.amount_micros, 0)) AS credit, count(*) AS postings
                FROM ledger_entry e JOIN ledger_posting p ON p.entry_id = e.id
                WHERE e.xact_id < coalesce((SELECT below_xact FROM ledger_rollupmark), 0)
                GROUP BY p.account_id, e.day_id
            )
            SELECT a.code, d.date, coalesce(f.debit, 0) - coalesce(m.debit_micros, 0),
                coalesce(f.credit, 0) - coalesce(m.credit_micros, 0),
                coalesce(f.postings, 0) - coalesce(m.postings, 0)
            FROM rolled_up f FULL JOIN ledger_daymovement m USING (account_id, day_id)
            LEFT JOIN ledger_account a ON a.id = account_id LEFT JOIN ledger_gamingday d ON d.id = day_id
            WHERE f.debit IS DISTINCT FROM m.debit_micros OR f.credit IS DISTINCT FROM m.credit_micros
                OR f.postings IS DISTINCT FROM m.postings LIMIT %s
            """,
            [MAX_FAULTS],
        )
        for code, date, debit, credit, postings in cursor.fetchall():
            words = f"out by {debit} debit and {credit} credit micros, {postings} postings"
            report.fault(f"balance of {code} on {date}", words)


def _verify_accounts(report: Report) -> None:
    """Accounts lie under no seal themselves: their kind is the chart's, premises and currency are those of the entries
    on them."""
    for account in Account.objects.select_related("premises").iterator():
        try:
            declared = chart.kind_of(account.code).value
        except InvalidEntry:
            report.fault(f"account {account.code}", "the chart has no such account")
            continue
        if declared != account.kind:
            report.fault(
                f"account {account.code}", f"it is booked as {account.kind}, the chart says {declared}"
            )
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT a.code, e.id FROM ledger_account a CROSS JOIN LATERAL (
                SELECT e.id, e.currency, e.premises_id FROM ledger_posting p JOIN ledger_entry e ON e.id = p.entry_id
                WHERE p.account_id = a.id ORDER BY p.entry_id LIMIT 1
            ) e
            WHERE a.currency <> e.currency OR a.premises_id <> e.premises_id ORDER BY a.code LIMIT %s
            """,
            [MAX_FAULTS],
        )
        for code, entry_id in cursor.fetchall():
            report.fault(f"account {code}", f"its premises or currency is not that of entry {entry_id} on it")


def _verify_against(path: Path, report: Report) -> None:
    """Roots kept elsewhere: each line names a seal's number and hash."""
    matched = 0
    try:
        roots = read_roots(path)
        while some := list(itertools.islice(roots, 1_000)):
            stored = dict(Seal.objects.filter(number__in=[n for n, _ in some]).values_list("number", "hash"))
            for number, known in some:
                if number not in stored:
                    report.fault(f"seal {number}", f"{path} holds it, the database does not")
                elif bytes(stored[number]).hex() != known:
                    words = f"{path} holds it as {known}; the chain was rewritten from here or before"
                    report.fault(f"seal {number}", words)
                    return
                else:
                    matched += 1
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        report.fault(str(path), f"it cannot be read as a file of roots: {error!r}")
        return
    if not matched:
        report.fault(str(path), "it holds no root of this ledger")


def read_roots(path: Path) -> Iterator[tuple[int, str]]:
    """Number and hash of each seal in a sink or in the seals.jsonl of an export (the zip itself will do)."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive, archive.open("seals.jsonl") as file:
            yield from (_root(line) for line in file)
    else:
        with path.open("rb") as file:
            yield from (_root(line) for line in file if line.endswith(b"\n"))


def _root(line: bytes) -> tuple[int, str]:
    seal = json.loads(line)
    return int(seal["number"]), str(seal["hash"])
