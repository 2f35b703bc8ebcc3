"""A million wagers, settled by the rules, exported in every format by a real Celery worker: in time, in bounded memory,
with figures that tie. `make soak`; SOAK_WAGERS scales it down."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.db import connection

from config.kit import wake_ups
from config.kit.sheets.xlsx import column_letters
from ledger.exports import bundle, service
from ledger.models import Export, Seal
from ledger.seals import seals
from people.models import Role
from rules.money import parse_money
from tables.floor.opening import create_table
from tables.models import Round, WagerLine
from tables.pages.reports import WAGERS as WAGERS_REPORT
from tests.ledger.conftest import make_person, make_premises
from tests.live import ROOT, LiveProcesses
from tests.soak.wager_floor import ROULETTE, WAGERS

COUNT = int(os.environ.get("SOAK_WAGERS", "1000000"))
TABLES = ("RO-01", "RO-02")
MAX_MB = 200
MAX_S = 540
"""It took more than that once; a floor with a million wagers a day must not wait longer for its books."""
MONEY = ("stake", "winnings", "returned", "standing", "commission", "rounding")


def say(text: str) -> None:
    print(text, flush=True)


def test_a_million_wagers_through_a_real_worker(
    processes: LiveProcesses, monkeypatch: pytest.MonkeyPatch, hledger: str
) -> None:
    monkeypatch.setattr(wake_ups._Bell, "silent_until", 0.0)
    premises = make_premises("soak")
    finance = make_person("fiona", Role.FINANCE, at=premises)
    _settled_wagers(processes, premises)
    day = Round.objects.values_list("gaming_day", flat=True)[0]
    assert day is not None
    worker = processes.start_worker(concurrency=2)
    processes.start_beat()  # seals and folds go on beside it, as in an installation
    began = time.monotonic()
    export, _ = service.request_export(finance, premises, bundle.Request("soak", day, day))
    asked = time.monotonic() - began
    seen, peaks = _watch(export, worker.pid)
    took = time.monotonic() - began
    assert export.state == "done", (export.state, export.error, worker.log_text()[-4000:])
    path = service.path_of(export)
    say(
        f"{COUNT:,} wagers exported in {took:.0f} s (asked in {asked:.1f} s), {path.stat().st_size >> 20} MB packed, "
        f"peak of a worker's process {max(peaks.values())} MB, {len(seen)} different percentages seen"
    )
    assert export.attempts == 1
    assert max(peaks.values()) < MAX_MB
    assert took < MAX_S
    assert len(seen) >= min(20, took // 3)
    _check_files(path, hledger)


def _settled_wagers(house: LiveProcesses, premises: Any) -> None:
    for code in TABLES:
        create_table("soak", premises, code, ROULETTE)
    began = time.monotonic()
    rounds = COUNT // WAGERS // len(TABLES)
    fillers = [
        house.start(code, "python", "-m", "tests.soak.wager_floor", code, str(rounds)) for code in TABLES
    ]
    for filler in fillers:
        assert filler.popen.wait() == 0, filler.log_text()
    assert WagerLine.objects.count() == COUNT
    say(f"{COUNT:,} wagers of {Round.objects.count():,} rounds settled in {time.monotonic() - began:.0f} s")


def _watch(export: Export, worker: int) -> tuple[set[int], dict[int, int]]:
    """The percentages that a page would have shown, and each process's peak of resident memory in MB."""
    seen: set[int] = set()
    peaks: dict[int, int] = {}
    while export.state not in {"done", "failed"}:
        time.sleep(0.2)
        export.refresh_from_db()
        seen.add(export.percent)
        for process in [psutil.Process(worker), *psutil.Process(worker).children(recursive=True)]:
            status = Path(f"/proc/{process.pid}/status").read_text()
            peaks[process.pid] = int(status.partition("VmHWM:")[2].split()[0]) >> 10
    return seen, peaks


def _check_files(path: Path, hledger: str) -> None:
    began = time.monotonic()
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        for file in manifest["files"]:
            with archive.open(file["name"]) as packed:
                digest = hashlib.file_digest(packed, "sha256")  # type: ignore[arg-type]
            assert digest.hexdigest() == file["sha256"], file["name"]
        rows = {file["name"]: file.get("rows") for file in manifest["files"]}
        assert rows["tables.wagers.csv"] == rows["tables.wagers.jsonl"] == rows["tables.wagers.xlsx"] == COUNT
        expected = _sums_in_the_database()
        assert _sums_of_csv(archive) == expected
        assert _sums_of_jsonl(archive) == expected
        assert _sums_of_xlsx(archive) == expected
        _check_results(archive, expected)
        journal = path.with_name("books.journal")
        journal.write_bytes(archive.read("journal.hledger"))
    subprocess.run([hledger, "-f", str(journal), "check", "--strict", "ordereddates"], check=True)
    journal.unlink()
    sink = seals.sink_path(Seal.objects.values_list("chain", flat=True)[0])
    command = [
        sys.executable,
        "-I",
        "-S",
        str(ROOT / "docs" / "verify.py"),
        str(path),
        "--against",
        str(sink),
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    say(f"hashes, sums in three formats, hledger and docs/verify.py agree ({time.monotonic() - began:.0f} s)")


def _sums_in_the_database() -> dict[str, int]:
    columns = ", ".join(f"sum({name}_micros)::bigint" for name in MONEY)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM tables_wagerline")
        return dict(zip(MONEY, cursor.fetchone(), strict=True))


def _sums_of_csv(archive: zipfile.ZipFile) -> dict[str, int]:
    sums = dict.fromkeys(MONEY, 0)
    with archive.open("tables.wagers.csv") as file:
        for row in csv.DictReader(io.TextIOWrapper(file, "utf-8", newline="")):
            for name in MONEY:
                sums[name] += parse_money(row[name])
    return sums


def _sums_of_jsonl(archive: zipfile.ZipFile) -> dict[str, int]:
    sums = dict.fromkeys(MONEY, 0)
    with archive.open("tables.wagers.jsonl") as file:
        for line in file:
            row = json.loads(line)
            for name in MONEY:
                sums[name] += parse_money(row[name])
    return sums


def _sums_of_xlsx(archive: zipfile.ZipFile) -> dict[str, int]:
    """Adds the cells up, and checks that the totals that the sheet shows are these sums."""
    letters = {
        column_letters(index): column.name
        for index, column in enumerate(WAGERS_REPORT.columns)
        if column.name in MONEY
    }
    cell = re.compile(f'<c r="({"|".join(letters)})\\d+" s="\\d">(<f>[^<]*</f>)?<v>([^<]*)</v>'.encode())
    sums, shown = dict.fromkeys(MONEY, 0), {}
    with archive.open("tables.wagers.xlsx") as file, zipfile.ZipFile(io.BytesIO(file.read())) as book:
        for sheet in sorted(name for name in book.namelist() if name.startswith("xl/worksheets/")):
            with book.open(sheet) as lines:
                for line in lines:
                    for letter, formula, value in cell.findall(line):
                        micros = parse_money(value.decode())
                        if formula:
                            shown[letters[letter.decode()]] = micros
                        else:
                            sums[letters[letter.decode()]] += micros
    assert shown == sums
    return sums


def _check_results(archive: zipfile.ZipFile, sums: dict[str, int]) -> None:
    """The wagers, the tables' results and the books tell one story."""
    with archive.open("tables.results.csv") as file:
        results = list(csv.DictReader(io.TextIOWrapper(file, "utf-8", newline="")))
    with archive.open("ledger.tables.csv") as file:
        books = {row["table"]: row for row in csv.DictReader(io.TextIOWrapper(file, "utf-8", newline=""))}
    assert {row["table"] for row in results} == set(TABLES)
    for row in results:
        assert row["win"] == books[row["table"]]["result"]
    assert sum(parse_money(row["wagered"]) for row in results) == sums["stake"]
    won = sum(parse_money(row["win"]) for row in results)
    assert won == sums["stake"] - sums["returned"] - sums["standing"] - sums["winnings"] + sums["commission"]
