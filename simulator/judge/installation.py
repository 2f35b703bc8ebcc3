"""What the judge reads of Potline: API answers and downloaded exports, by one person of finance and the terminals."""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from simulator.floor import Plan
from simulator.people import Person
from simulator.session import Session

REPORTS = (
    "tables.wagers", "jackpots.events", "jackpots.wins", "jackpots.adjustments", "jackpots.changes",
    "jackpots.held_hands", "jackpots.held_contributions", "jackpots.advances", "ledger.journal", "ledger.trial_balance",
)  # fmt: skip
PAUSE_S = 0.5
Row = dict[str, Any]


@dataclass(frozen=True)
class Export:
    """One premises' archive: the rows of its reports, and what its manifest says."""

    premises: str
    rows: dict[str, list[Row]]
    manifest: dict[str, Any]
    torn: list[str]
    """Files that are not what the manifest names."""


@dataclass(frozen=True)
class Evidence:
    """All that was read of Potline at the end of a day."""

    tables: dict[str, Row]
    progressives: dict[str, Row]
    wins: list[Row]
    """Oldest first."""
    exports: dict[str, Export]
    rulings: dict[str, Row]
    """By progressive: hits whose order people have to say."""


@dataclass
class Installation:
    """`person`: of finance at all premises of the plan."""

    plan: Plan
    person: Person
    _terminals: dict[str, Session] = field(default_factory=dict)

    @property
    def premises(self) -> list[str]:
        return sorted({table.premises for table in self.plan.tables})

    def tables(self) -> dict[str, Row]:
        found = self.person.get("/api/v1/tables")
        return {f"{table['premises']}/{table['code']}": table for table in found}

    def progressives(self) -> dict[str, Row]:
        """Those that tables of the plan are linked to."""
        ours = {table.name for table in self.plan.tables}
        return {
            each["code"]: each
            for each in self.person.get("/api/v1/progressives")
            if any(f"{link['premises']}/{link['table']}" in ours for link in each["links"])
        }

    def wins(self) -> list[Row]:
        found: list[Row] = []
        before = ""
        while page := self.person.get(f"/api/v1/wins{before}"):
            found += page
            before = f"?before={page[-1]['id']}"
        return found[::-1]

    def ruling(self, progressive: str) -> Row:
        found: Row = self.person.get(f"/api/v1/progressives/{progressive}/ruling")
        return found

    def round(self, table: str, uid: str) -> Row | None:
        """As the table's own terminal reads it."""
        session = self._terminals.get(table)
        if session is None:
            token = self.plan.table(table).token
            session = self._terminals[table] = Session(self.person.url, Authorization=f"Bearer {token}")
        premises, _, code = table.partition("/")
        answer = session.get(f"/api/v1/tables/{premises}/{code}/rounds/{uid}")
        return answer.json() if answer.status == 200 else None

    def export(self, premises: str, since: datetime, patience_s: float) -> Export:
        """Of the gaming days around a span: a day is of a time zone that is not asked for."""
        wanted = {
            "first": (since - timedelta(days=1)).date().isoformat(),
            "last": (datetime.now(UTC) + timedelta(days=1)).date().isoformat(),
            "formats": ["jsonl"],
            "reports": list(REPORTS),
        }
        address = f"/api/v1/ledger/{premises}/exports"
        made = self.person.post(address, wanted)
        deadline = time.monotonic() + patience_s
        while made["state"] not in ("done", "failed") and time.monotonic() < deadline:
            time.sleep(PAUSE_S / 2)
            made = self.person.get(f"{address}/{made['id']}")
        if made["state"] != "done":
            raise RuntimeError(f"the export of {premises} is {made['state']}: {made['error']}")
        return read_export(premises, self.person.download(f"{address}/{made['id']}/file"))

    def evidence(
        self, since: datetime, complete: Callable[[Evidence], bool], patience_s: float = 60
    ) -> Evidence:
        """Read again until it is complete: workers book what was played a moment before. What is still missing then is
        missing."""
        deadline = time.monotonic() + patience_s
        while True:
            progressives = self.progressives()
            found = Evidence(
                self.tables(),
                progressives,
                self.wins(),
                {code: self.export(code, since, patience_s + 60) for code in self.premises},
                {code: self.ruling(code) for code in progressives},
            )
            if complete(found) or time.monotonic() > deadline:
                return found
            time.sleep(PAUSE_S)


def read_export(premises: str, archive: bytes) -> Export:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        manifest = json.loads(files.read("manifest.json"))
        torn = [
            each["name"]
            for each in manifest["files"]
            if hashlib.sha256(files.read(each["name"])).hexdigest() != each["sha256"]
        ]
        rows = {
            name: [json.loads(line) for line in files.read(f"{name}.jsonl").splitlines()] for name in REPORTS
        }
    return Export(premises, rows, manifest, torn)
