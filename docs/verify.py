#!/usr/bin/env python3
"""Verifies a Potline export or the evidence pack of a win offline: python verify.py FILE.zip [--against FILE ...]

Needs Python 3.9 or later and nothing else; read it, it is short. Of an export it checks that
  1. every file is the one that the manifest names (SHA-256, size),
  2. every entry balances, and the trial balance is the sum of the entries,
  3. every entry lies under a seal: its leaf is in the Merkle tree of the seal's entries, that tree's root and those of
     the other classes of rows give the seal's root, the root and the other fields give its hash, and each seal names
     the hash of the one before it,
  4. every round's wagers, to the micro, are those that its sealed entry rests on (where the reports tables.rounds and
     tables.wagers are in it as JSON Lines), and those of a corrected round's later versions likewise, whose entries
     name the ones that they correct (tables.versions and tables.version_wagers),
  5. a win is what came from the pool and from the house, and its payment what its sealed entry rests on; every report
     has as many rows as the manifest says,
  6. every slip of a table is what its sealed entry rests on, by denomination, and every count result and variance is
     what these and the entries give (tables.slips, tables.counts; verify_counts.py, which lies beside this),
  7. with --against: the seals are those that were written down earlier (a file of var/seals, another export, or
     a hash given as NUMBER:HASH). Whoever rewrote the whole chain is found here and only here.
What it cannot tell: whether the export names every entry of its days. Entries that were left out and belong to other
days or premises look alike; the trial balance and the counts in the manifest were written by the same hand. A round
that moved no money has no entry. Reports beyond those named here, and the CSV and XLSX of those, are guarded by the
manifest alone: whoever forges both needs another archive, so compare the SHA-256 of the archive, printed here, with the
one on the page of exports. An evidence pack (verify.py PACK.zip --key KEY) is checked by verify_pack.py beside it.
"""

# ruff: noqa: T201 (a command line speaks)
from __future__ import annotations

import abc
import argparse
import csv
import hashlib
import importlib.util
import io
import json
import sys
import types
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

PACK = "potline-evidence/1"
MICROS = 1_000_000
MAX_FAULTS = 100
MONEY = ("winnings", "returned", "standing", "commission", "rounding")
"""Of a wager's line, beside its stake."""
UNREADABLE = (KeyError, ValueError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error)
"""What reading a file that is missing, torn or no longer in its format raises."""


def leaf_of(line: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + line).digest()


def root_of(leaves: Iterable[bytes]) -> bytes:
    level = list(leaves)
    while len(level) > 1:
        pairs = [
            hashlib.sha256(b"\x01" + level[i] + level[i + 1]).digest() for i in range(0, len(level) - 1, 2)
        ]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
    return level[0]


def hash_of(seal: dict[str, Any]) -> str:
    header = {key: value for key, value in seal.items() if key not in ("hash", "leaves")}
    return digest_of(header)


def digest_of(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def gives_root(seal: dict[str, Any], tree: list[bytes] | None) -> bool:
    """A seal covers every row that its installation added, of all classes: entries are one of them. Over the roots of
    the classes stands one leaf each, in the order of names. The first version had entries alone. `tree`: the leaves of
    entries; None: they are not at hand."""
    if "classes" not in seal:
        return tree is None or bool(
            tree and len(tree) == seal["entries"] and root_of(tree).hex() == seal["root"]
        )
    count, root = seal["classes"].get("ledger.entry", (0, ""))
    if tree is not None and (len(tree) != count or (tree and root_of(tree).hex() != root)):
        return False
    classes = [
        leaf_of(f"{name} {n} {value}".encode()) for name, (n, value) in sorted(seal["classes"].items())
    ]
    return bool(root_of(classes).hex() == seal["root"])


def micros_of(text: str) -> int:
    whole, _, part = text.lstrip("-").partition(".")
    value = int(whole) * MICROS + int(part.ljust(6, "0") or 0)
    return -value if text.startswith("-") else value


class Archive(abc.ABC):
    """Files with a manifest, and the seals that they name."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.faults: list[str] = []
        self.manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
        self.names = {file["name"] for file in self.manifest["files"]}
        self.known: dict[int, str] = {}

    def fault(self, text: str) -> None:
        self.faults.append(text)

    @abc.abstractmethod
    def check(self, against: list[str]) -> None:
        """All of it; what is wrong goes to `faults`."""

    @abc.abstractmethod
    def tell(self) -> str:
        """What it is of, in a line or two."""

    def take(self, steps: list[tuple[str, Callable[[], None]]]) -> None:
        """Everything that can still be read: one bad file hides no fault of another."""
        for name, step in steps:
            try:
                step()
            except (*UNREADABLE, OSError) as error:
                self.fault(f"{name}: it cannot be read: {error!r}")

    def check_files(self) -> None:
        for name in sorted(set(self.archive.namelist()) - self.names - {"manifest.json"}):
            self.fault(f"{name}: the manifest does not name it")
        for file in self.manifest["files"]:
            digest, size = hashlib.sha256(), 0
            try:
                with self.archive.open(file["name"]) as packed:
                    while chunk := packed.read(1 << 20):
                        digest.update(chunk)
                        size += len(chunk)
            except UNREADABLE as error:
                self.fault(f"{file['name']}: it is missing or torn: {error}")
                continue
            if digest.hexdigest() != file["sha256"] or size != file["bytes"]:
                self.fault(f"{file['name']}: it is not the file that the manifest names")

    def check_against(self, other: str) -> None:
        shared = 0
        for number, value in roots_in(other):
            if number in self.known:
                shared += 1
                if self.known[number] != value:
                    self.fault(
                        f"seal {number}: {other} has another hash; the chain was rewritten here or before"
                    )
        if not shared:
            self.fault(f"{other}: it holds none of the seals of this archive, so it proves nothing")


class Verifier(Archive):
    """An export."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        super().__init__(archive)
        self.leaves: list[tuple[bytes, int, int]] = []
        self.sources: dict[str, tuple[int, str]] = {}
        self.corrected: dict[tuple[str, int], tuple[int, str]] = {}
        self.corrects: dict[int, int | None] = {}
        self.payments: dict[int, tuple[int, str]] = {}
        self.slips: dict[tuple[str, str], dict[str, Any]] = {}
        self.moved: dict[tuple[str, str, str], int] = {}
        self.rounds = self.versions = self.counts = 0
        self.movements: dict[str, tuple[int, int]] = {}
        self.unsealed = 0

    def check(self, against: list[str]) -> None:
        self.check_files()
        steps = [
            ("journal.jsonl", self.check_entries),
            ("ledger.trial_balance.csv", self.check_trial_balance),
            ("seals.jsonl", self.check_seals),
            ("tables.wagers.jsonl", self.check_rounds),
            ("tables.version_wagers.jsonl", self.check_versions),
            ("jackpots.wins.jsonl", self.check_wins),
            ("tables.counts.jsonl", self.check_counts),
            *((file["name"], lambda file=file: self.check_rows(file)) for file in self.manifest["files"]),
            *((other, lambda other=other: self.check_against(other)) for other in against),
        ]
        self.take(steps)

    def tell(self) -> str:
        days = ", ".join(f"{day['date']} ({day['state']})" for day in self.manifest["days"])
        return (
            f"{self.manifest['request']['premises']}: {days or 'no gaming day'}; {len(self.leaves)} entries, "
            f"{self.unsealed} of them not sealed yet; {self.rounds} rounds with the wagers that their entries rest on, "
            f"and {self.versions} later versions of such rounds; {self.counts} counts of tables counted again"
        )

    def lines(self, name: str) -> Iterator[bytes]:
        with self.archive.open(name) as file:
            for line in file:
                yield line.rstrip(b"\n")

    def check_entries(self) -> None:
        """Sums of the entries; keeps the leaves in order and the movements by account."""
        leaves, movements, postings = self.leaves, self.movements, 0
        for line in self.lines("journal.jsonl"):
            entry = json.loads(line)
            if sum(entry["legs"].values()) or len(entry["legs"]) < 2:
                self.fault(f"entry {entry['id']}: its legs do not sum to zero")
            for code, micros in entry["legs"].items():
                debit, credit = movements.get(code, (0, 0))
                movements[code] = (debit + max(micros, 0), credit + min(micros, 0))
            postings += len(entry["legs"])
            self.keep_for_counts(entry)
            if entry["key"].startswith("tables:round:"):
                self.sources[entry["key"].rpartition(":")[2]] = (entry["id"], entry["source"])
            elif entry["key"].startswith("tables:version:"):
                _, _, round_id, number = entry["key"].split(":")
                self.corrected[round_id, int(number)] = (entry["id"], entry["source"])
                self.corrects[entry["id"]] = entry["corrects"]
            elif entry["key"].startswith("jackpots:") and ":win:" in entry["key"]:
                win = int(entry["key"].split(":win:")[1].split(":")[0])
                self.payments[win] = (entry["id"], entry["source"])
            leaves.append((leaf_of(line), entry["id"], entry["xact"]))
        books = self.manifest["books"]
        if (len(leaves), postings) != (books["entries"], books["postings"]):
            due = f"{books['entries']} with {books['postings']}"
            self.fault(
                f"journal.jsonl: {len(leaves)} entries with {postings} postings; the manifest says {due}"
            )

    def check_trial_balance(self) -> None:
        name = "ledger.trial_balance.csv"
        if name not in self.names:
            return
        total, movements = 0, dict(self.movements)
        with self.archive.open(name) as file:
            for row in csv.DictReader(io.TextIOWrapper(file, "utf-8", newline="")):
                opening, debit, credit, closing = (
                    micros_of(row[column]) for column in ("opening", "debit", "credit", "closing")
                )
                total += closing
                if (debit, credit) != movements.pop(row["account"], (0, 0)):
                    self.fault(f"{name}: {row['account']} is not the sum of the entries")
                if opening + debit + credit != closing:
                    self.fault(f"{name}: {row['account']}: opening and movements do not give the closing")
        for code in movements:
            self.fault(f"{name}: {code} is missing")
        if total:
            self.fault(f"{name}: the closings sum to {total} micros, not to zero")

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        return (json.loads(line) for line in self.lines(name))

    def check_rounds(self) -> None:
        """A round's entry names the hash of what it rests on: the round, its rules, and every line to the micro."""
        if not {"tables.rounds.jsonl", "tables.wagers.jsonl"} <= self.names:
            return
        rules = {row["round_id"]: row for row in self.rows("tables.rounds.jsonl")}
        left = dict(self.sources)
        for round_id, wagers in groupby(self.rows("tables.wagers.jsonl"), key=lambda row: row["round_id"]):
            lines = [line_of(row) for row in wagers]
            if round_id not in rules:
                self.fault(f"round {round_id}: it has wagers, and tables.rounds does not name it")
                continue
            source = {
                "round": int(round_id),
                "config": rules[round_id]["rules"],
                "rules_version": rules[round_id]["rules_version"],
                "lines": lines,
            }
            entry, sealed = left.pop(round_id, (0, ""))
            if entry and digest_of(source) != sealed:
                self.fault(f"round {round_id}: its wagers are not those that entry {entry} rests on")
            self.rounds += bool(entry)
        request = self.manifest["request"]
        if not request["table"] and not request["progressive"]:
            for round_id, (entry, _) in left.items():
                self.fault(f"entry {entry}: the export has no wagers of its round {round_id}")

    def check_versions(self) -> None:
        """The same for what people have put right: one entry a version, over the lines that count from then on."""
        if not {"tables.versions.jsonl", "tables.version_wagers.jsonl"} <= self.names:
            return
        rules = {(row["round_id"], row["version"]): row for row in self.rows("tables.versions.jsonl")}
        left = dict(self.corrected)
        named = groupby(
            self.rows("tables.version_wagers.jsonl"), key=lambda row: (row["round_id"], row["version"])
        )
        for (round_id, number), wagers in named:
            where, lines = f"version {number} of round {round_id}", [line_of(row) for row in wagers]
            if (round_id, number) not in rules:
                self.fault(f"{where}: it has wagers, and tables.versions does not name it")
                continue
            source = {
                "round": int(round_id),
                "version": number,
                "config": rules[round_id, number]["rules"],
                "rules_version": rules[round_id, number]["rules_version"],
                "lines": lines,
            }
            entry, sealed = left.pop((round_id, number), (0, ""))
            if entry and digest_of(source) != sealed:
                self.fault(f"{where}: its wagers are not those that entry {entry} rests on")
            before = self.entry_before(round_id, number)
            if entry and before and self.corrects[entry] != before:
                self.fault(f"entry {entry}: it corrects another than {before}, the last of round {round_id}")
            self.versions += bool(entry)
        request = self.manifest["request"]
        if not request["table"] and not request["progressive"]:
            for (round_id, number), (entry, _) in left.items():
                which = f"version {number} of its round {round_id}"
                self.fault(f"entry {entry}: the export has no wagers of {which}")

    def entry_before(self, round_id: str, number: int) -> int:
        """The last entry of a round before a version of it, as far as the export has it; 0: it has none."""
        for earlier in range(number - 1, 1, -1):
            if (round_id, earlier) in self.corrected:
                return self.corrected[round_id, earlier][0]
        return self.sources.get(round_id, (0, ""))[0]

    def check_wins(self) -> None:
        if "jackpots.wins.jsonl" not in self.names:
            return
        for row in self.rows("jackpots.wins.jsonl"):
            if micros_of(row["amount"]) != micros_of(row["from_pool"]) + micros_of(row["from_house"]):
                self.fault(f"win {row['win']}: pool and house do not give its amount")
            entry, sealed = self.payments.get(row["win"], (0, ""))
            source = {
                "win": row["win"],
                "amount": micros_of(row["amount"]),
                "paid": micros_of(row["paid"] or "0"),
            }
            if entry and digest_of(source) != sealed:
                self.fault(f"win {row['win']}: it is not what entry {entry} paid")

    def keep_for_counts(self, entry: dict[str, Any]) -> None:
        """Slips, and what moved at tables by day; apart what was accepted of variances."""
        for code, micros in entry["legs"].items():
            _, room, table, name = [*code.split("/"), "", ""][:4]
            if room == "tables":
                key = (
                    entry["day"],
                    table,
                    "accepted" if (entry["kind"], name) == ("count", "bank") else name,
                )
                self.moved[key] = self.moved.get(key, 0) + micros
        if entry["key"].startswith("tables:slip:"):
            _, _, _, table, number = entry["key"].split(":", 4)
            self.slips[table, number] = entry

    def check_counts(self) -> None:
        if {"tables.counts.jsonl", "tables.slips.jsonl"} <= self.names:
            beside("verify_counts").check(self)

    def check_rows(self, file: dict[str, Any]) -> None:
        """XLSX is left to the manifest."""
        name = file["name"]
        if "rows" not in file or not name.endswith((".csv", ".jsonl")):
            return
        with self.archive.open(name) as packed:
            if name.endswith(".csv"):
                found = sum(1 for _ in csv.reader(io.TextIOWrapper(packed, "utf-8", newline=""))) - 1
            else:
                found = sum(1 for _ in packed)
        if found != file["rows"]:
            self.fault(f"{name}: {found} rows; the manifest says {file['rows']}")

    def check_seals(self) -> None:
        """Each seal by itself and after the one before; then every entry in the tree of its seal, in order."""
        leaves, known = self.leaves, self.known
        previous: dict[str, Any] | None = None
        position = count = 0
        for line in self.lines("seals.jsonl"):
            seal = json.loads(line)
            where = f"seal {seal['number']}"
            count += 1
            tree = [bytes.fromhex(leaf) for leaf in seal["leaves"]]
            if not gives_root(seal, tree):
                self.fault(f"{where}: its leaves do not give its root")
            if hash_of(seal) != seal["hash"]:
                self.fault(f"{where}: its fields do not give its hash")
            if previous is not None and (
                seal["previous"] != previous["hash"] or seal["number"] != previous["number"] + 1
            ):
                self.fault(f"{where}: it does not follow from seal {previous['number']}")
            places, last = {leaf: place for place, leaf in enumerate(tree)}, -1
            while position < len(leaves) and leaves[position][2] < seal["below_xact"]:
                leaf, entry_id, xact = leaves[position]
                place = places.get(leaf, -1)
                if xact < seal["from_xact"] or place <= last:  # not in it, or out of order
                    self.fault(f"entry {entry_id}: it is not what {where} sealed")
                else:
                    last = place
                position += 1
            known[seal["number"]] = seal["hash"]
            previous = seal
        unsealed = self.unsealed = len(leaves) - position
        if unsealed != self.manifest["books"]["unsealed"]:
            self.fault(
                f"{unsealed} entries lie under no seal; the manifest says {self.manifest['books']['unsealed']}"
            )
        if count != self.manifest["books"]["seals"]:
            self.fault(f"seals.jsonl: {count} seals; the manifest says {self.manifest['books']['seals']}")
        head = self.manifest["seal"]
        if head:
            if hash_of(head) != head["hash"]:
                self.fault("manifest.json: the fields of its seal do not give its hash")
            known.setdefault(head["number"], head["hash"])


def line_of(row: dict[str, Any]) -> list[Any]:
    """A wager's line as the hash has it."""
    return [
        row["wager"],
        micros_of(row["stake"]),
        row["outcome"],
        row["rule"],
        *(micros_of(row[name]) for name in MONEY),
    ]


def roots_in(other: str) -> Iterator[tuple[int, str]]:
    """Number and hash of each seal in a sink file, an export, or `NUMBER:HASH`."""
    number, _, value = other.partition(":")
    if number.isdigit() and len(value) == 64:
        yield int(number), value
        return
    if zipfile.is_zipfile(other):
        with zipfile.ZipFile(other) as archive:
            lines = archive.read("seals.jsonl").splitlines()
            lines.append(json.dumps(json.loads(archive.read("manifest.json"))["seal"] or {}).encode())
    else:
        with open(other, "rb") as file:
            lines = file.read().splitlines()
    for line in lines:
        seal = json.loads(line)
        if seal:
            yield seal["number"], seal["hash"]


def sha256_of(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Verifies a Potline export, or the evidence pack of a win, offline."
    )
    parser.add_argument("file")
    parser.add_argument("--against", action="append", default=[], metavar="FILE|NUMBER:HASH")
    parser.add_argument(
        "--key", action="append", default=[], metavar="HEX", help="of who signs evidence packs"
    )
    options = parser.parse_args(arguments)
    try:
        with zipfile.ZipFile(options.file) as archive:
            is_pack = json.loads(archive.read("manifest.json"))["format"] == PACK
            verifier: Archive = Verifier(archive)
            if is_pack:
                verifier = beside("verify_pack").Pack(archive, Path(options.file).read_bytes(), options.key)
            verifier.check(options.against)
    except (*UNREADABLE, OSError) as error:
        print(
            f"{options.file} is not an export and no pack, or its manifest is gone: {error}",
            file=sys.stderr,
        )
        return 1
    for fault in verifier.faults[:MAX_FAULTS]:
        print(fault, file=sys.stderr)
    print(verifier.tell())
    print(f"SHA-256 of the archive: {sha256_of(options.file)}")
    if verifier.known:
        last = max(verifier.known)
        print(f"last seal: {last}:{verifier.known[last]}")
    what = "pack" if is_pack else "export"
    print(f"{len(verifier.faults)} faults" if verifier.faults else f"The {what} is sound.")
    return 1 if verifier.faults else 0


def beside(name: str) -> Any:
    """What lies beside this file, which needs what stands in it, whatever it is called where it runs."""
    here = types.ModuleType("docs.verify")
    here.__dict__.update(globals())
    sys.modules["docs.verify"] = here
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    if spec is None or spec.loader is None:
        raise OSError(f"{name}.py does not lie beside verify.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
