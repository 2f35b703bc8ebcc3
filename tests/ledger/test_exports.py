"""Exports: one file for one request, figures that tie out in every format, hledger, the offline verifier."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

from config.kit import wake_ups
from config.kit.refusals import Refused
from config.kit.sheets.columns import Cell, Column, Row
from config.kit.sheets.writers import CHUNK_ROWS
from ledger.books.balances import trial_balance
from ledger.books.journal import post_many
from ledger.exports import bundle, service
from ledger.models import Entry, Export, Seal
from ledger.reports import reports
from ledger.seals import seals
from people.models import Premises, Role, User
from rules.money import format_money, parse_money
from tests.acts import on_record
from tests.ledger.conftest import DAY, entry_maker, make_person, make_premises, verify_books
from tests.ledger.test_concurrency import WAIT_S, threads
from tests.ledger.test_seals import as_superuser, forge

ROOT = Path(__file__).resolve().parents[2]
NEXT = date(2026, 3, 15)


@pytest.fixture
def house(committed_db: str) -> Premises:
    """Two days of books, with awkward texts and a table elsewhere under the same seals."""
    premises, other = make_premises("harbour"), make_premises("lakeside")
    new = entry_maker(premises)
    with transaction.atomic():
        post_many(
            [
                new(
                    "before",
                    {"cage/cash": 1_000_000_000, "house/funds": -1_000_000_000},
                    day=date(2026, 3, 13),
                ),
                new("r1", {"tables/CS-01/bank": 7_512_345, "tables/CS-01/win": -7_512_345}),
                new(
                    "r2",
                    {"tables/CS-01/bank": -2_500_000, "tables/CS-01/win": 2_500_000},
                    memo="=cmd|' /C calc'!A0",
                ),
                new(
                    "r;3 (odd)", {"tables/CS-02/bank": 10_000, "tables/CS-02/fees": -10_000}, memo="é; |\n中"
                ),
                entry_maker(other)("elsewhere"),
            ]
        )
    seals.seal()
    with transaction.atomic():
        post_many([new("r4", day=NEXT), new("r1:v2", corrects="r1", day=NEXT)])
    seals.seal()
    return premises


@pytest.fixture
def finance(house: Premises) -> User:
    return make_person("fiona", Role.FINANCE, at=house)


Build = Callable[..., Path]


@pytest.fixture
def build(house: Premises, finance: User) -> Build:
    def make(first: date = DAY, last: date = DAY, **other: Any) -> Path:
        export, _ = service.request_export(finance, house, bundle.Request("harbour", first, last, **other))
        service.build(str(export.pk))
        export.refresh_from_db()
        assert export.state == "done", export.error
        return service.path_of(export)

    return make


def read(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def rows(path: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(read(path, name))))


def load_verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("offline_verifier", ROOT / "docs" / "verify.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_figures_tie_out_in_every_format(build: Build, house: Premises) -> None:
    path = build(reports=("ledger.trial_balance", "ledger.journal"))
    books = {line.code: line for line in trial_balance(house, DAY, DAY)}
    table = {row["account"]: row for row in rows(path, "ledger.trial_balance.csv")}
    assert table.keys() == books.keys()
    assert table["harbour/tables/CS-01/bank"]["debit"] == "7.512345"
    assert table["harbour/tables/CS-01/bank"]["credit"] == "-2.50"
    assert table["harbour/cage/cash"]["opening"] == table["harbour/cage/cash"]["closing"] == "1000.00"
    for code, line in books.items():
        assert parse_money(table[code]["closing"]) == line.closing_micros
    lines = [json.loads(text) for text in read(path, "ledger.trial_balance.jsonl").splitlines()]
    assert {line["account"]: line["closing"] for line in lines} == {c: r["closing"] for c, r in table.items()}
    with zipfile.ZipFile(path) as archive:
        book = openpyxl.load_workbook(io.BytesIO(archive.read("ledger.trial_balance.xlsx")), data_only=True)
    sheet = book.active
    assert sheet is not None
    cells = list(sheet.iter_rows(min_row=2, max_row=1 + len(books), values_only=True))
    assert {str(row[0]): parse_money(f"{Decimal(str(row[6])):f}") for row in cells} == {
        code: line.closing_micros for code, line in books.items()
    }
    total = [cell.value for cell in sheet[3 + len(books)]]
    assert total[0] == "Total"
    assert [format_money(parse_money(str(Decimal(str(value))))) for value in total[3:]] == [
        "0.00", "10.022345", "-10.022345", "0.00",  # 7.512345 + 2.50 + 0.01
    ]  # fmt: skip


def test_the_workbook_is_typed(build: Build) -> None:
    path = build(reports=("ledger.journal",), formats=("xlsx",))
    with zipfile.ZipFile(path) as archive:
        content = archive.read("ledger.journal.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    assert sheet.freeze_panes == "A2"
    first = {header.value: cell for header, cell in zip(sheet[1], sheet[2], strict=True)}
    assert first["Gaming day"].is_date
    assert first["Amount"].data_type == "n"
    assert first["Account"].data_type == "s"
    formulas = [cell.value for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert formulas == ["=SUM('Journal'!H2:H7)"]


def test_no_text_becomes_a_formula(build: Build) -> None:
    path = build(reports=("ledger.journal",))
    memos = {row["key"]: row["memo"] for row in rows(path, "ledger.journal.csv")}
    assert memos["r2"] == "'=cmd|' /C calc'!A0"
    amounts = [row["amount"] for row in rows(path, "ledger.journal.csv")]
    assert "-2.50" in amounts  # a number stays one
    with zipfile.ZipFile(path) as archive:
        sheet = openpyxl.load_workbook(io.BytesIO(archive.read("ledger.journal.xlsx"))).active
    assert sheet is not None
    assert "=cmd|' /C calc'!A0" in [cell.value for cell in sheet["K"] if cell.data_type == "s"]


def test_hledger_agrees(build: Build, house: Premises, hledger: str, tmp_path: Path) -> None:
    path = build(DAY, NEXT, formats=("hledger",))
    journal = tmp_path / "books.journal"
    journal.write_text(read(path, "journal.hledger"))
    subprocess.run([hledger, "-f", str(journal), "check", "--strict", "ordereddates"], check=True)
    command = [hledger, "-f", str(journal), "balance", "--flat", "--empty", "--no-total", "-O", "csv"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    theirs = {
        row["account"].split(":", 1)[1].replace(":", "/"): parse_money(
            row["balance"].split()[0].replace(",", "")
        )
        for row in csv.DictReader(io.StringIO(answer))
        if row["balance"] != "0"
    }
    ours = {line.code: line.closing_micros for line in trial_balance(house, last=NEXT) if line.closing_micros}
    assert theirs == ours
    kinds = {line.kind for line in trial_balance(house, last=NEXT)}
    assert kinds == {"asset", "income", "liability"}


def test_hledger_would_object(build: Build, hledger: str, tmp_path: Path) -> None:
    """The control: hledger's check is a check."""
    journal = tmp_path / "books.journal"
    journal.write_text(
        read(build(formats=("hledger",)), "journal.hledger").replace("-2.50 NZD", "-2.40 NZD", 1)
    )
    command = [hledger, "-f", str(journal), "check", "--strict"]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_what_is_written_is_read_by_nobody_else(build: Build, house: Premises, var_dir: Path) -> None:
    """Whatever the umask of the process, and where an earlier release has left the folder open."""
    (var_dir / "exports").mkdir(parents=True, mode=0o755)
    (var_dir / "exports").chmod(0o755)
    before = os.umask(0)
    try:
        path = build()
        seals.seal()
        seals.catch_up_sink()
    finally:
        os.umask(before)
    assert path.parent == var_dir / "exports"
    written = list(var_dir.rglob("*"))
    assert {path.parent.name for path in written if path.is_file()} >= {"exports", "seals"}
    wrong = [f"{path}: {path.stat().st_mode & 0o777:o}" for path in written if path.stat().st_mode & 0o077]
    assert wrong == []


def test_the_same_request_is_one_file(house: Premises, finance: User, build: Build) -> None:
    request = bundle.Request("harbour", DAY, DAY)
    first, created = service.request_export(finance, house, request)
    again, created_again = service.request_export(finance, house, request)
    assert (created, created_again) == (True, False)
    assert first.pk == again.pk
    assert service.build(str(first.pk)) is not None
    assert service.build(str(first.pk)) is None  # a second message finds nothing to do
    path = service.path_of(first)
    assert build() == path
    other, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY, formats=("csv",)))
    assert other.pk != first.pk
    with transaction.atomic():
        post_many([entry_maker(house)("more", day=DAY)])
    newer, created = service.request_export(finance, house, request)
    assert created, "the books of an open day have moved on"
    assert newer.pk != first.pk
    assert on_record("ledger.request_export") == 5


def test_the_same_books_give_the_same_bytes(house: Premises, tmp_path: Path) -> None:
    request = bundle.Request("harbour", DAY, NEXT)
    hashes = [bundle.build(request, tmp_path / f"{n}.zip", lambda done, total: None) for n in (1, 2)]
    assert hashes[0] == hashes[1]


def test_the_manifest_names_every_file_and_the_seal(build: Build) -> None:
    path = build()
    manifest = json.loads(read(path, "manifest.json"))
    with zipfile.ZipFile(path) as archive:
        assert {file["name"] for file in manifest["files"]} == set(archive.namelist()) - {"manifest.json"}
    assert manifest["days"] == [{"date": "2026-03-14", "state": "open"}]
    assert manifest["books"] == {"entries": 3, "postings": 6, "unsealed": 0, "seals": 1}
    assert manifest["seal"]["number"] == Seal.objects.latest("number").number
    assert "journal.hledger" in {file["name"] for file in manifest["files"]}


def test_a_request_stays_short_and_survives_a_doubtful_file(
    house: Premises, finance: User, var_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seals.seal()
    monkeypatch.setattr(seals, "MAX_ROWS", 1)
    for number in range(4):
        with transaction.atomic():
            post_many([entry_maker(house)(f"arrears:{number}")])
    request = bundle.Request("harbour", DAY, DAY, formats=("csv",))
    sealed = Seal.objects.count()
    before, _ = service.request_export(finance, house, request)
    assert Seal.objects.count() == sealed + 1, "one of the four seals that are due, not all"
    assert before.as_of == f"seal {sealed + 1}"
    (sink,) = (var_dir / "seals").iterdir()
    sink.write_text("scribbled over\n")
    export, created = service.request_export(finance, house, request)
    assert created
    assert service.build(str(export.pk)) is not None
    assert load_verifier().main([str(service.path_of(export))]) == 0


def test_requests_that_are_none(house: Premises, finance: User) -> None:
    for request, words in [
        (bundle.Request("harbour", NEXT, DAY), "is after the last"),
        (bundle.Request("harbour", date(2020, 1, 1), DAY), "400 days"),
        (bundle.Request("harbour", DAY, DAY, formats=("pdf",)), "not pdf"),
        (bundle.Request("harbour", DAY, DAY, reports=("no.such",)), "There is no report"),
    ]:
        with pytest.raises(Refused, match=words):
            service.request_export(finance, house, request)
    auditor = make_person("audrey", Role.AUDITOR, at=house)
    with pytest.raises(PermissionDenied):
        service.request_export(auditor, house, bundle.Request("harbour", DAY, DAY))


def test_a_failure_is_kept_in_words_and_tried_again(
    house: Premises, finance: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(scope: reports.Scope) -> list[Row]:
        raise RuntimeError("the rows are gone")

    source = reports.Source("test.broken", "Broken", (Column("a", "A"),), broken)
    monkeypatch.setitem(reports._sources, "test.broken", source)
    export, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY))
    for state in ("requested", "requested", "failed"):
        with pytest.raises(RuntimeError):
            service.build(str(export.pk))
        export.refresh_from_db()
        assert (export.state, export.error) == (state, "RuntimeError: the rows are gone")
    assert service.build(str(export.pk)) is None
    monkeypatch.delitem(reports._sources, "test.broken")
    again, created = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY))
    assert (again.pk, created, again.state) == (export.pk, False, "requested")
    assert service.build(str(export.pk)) is not None


def test_a_builder_that_died_is_noticed(house: Premises, finance: User) -> None:
    export, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY))
    assert service.claim(str(export.pk)) is not None
    assert service.claim(str(export.pk)) is None, "it is being built"
    assert service.sweep() == []
    Export.objects.update(heartbeat_at="2020-01-01T00:00Z")
    assert service.sweep() == [str(export.pk)]
    assert service.build(str(export.pk)) is not None


def test_what_the_last_killed_builder_left_is_taken_away(house: Premises, finance: User) -> None:
    export, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY))
    assert service.claim(str(export.pk)) is not None
    target = service.path_of(export)
    left = target.parent / f"{export.pk}.3.abcd"
    left.mkdir(parents=True)
    (left / "journal.jsonl").write_text("gigabytes")
    Export.objects.update(heartbeat_at="2020-01-01T00:00Z", attempts=service.MAX_ATTEMPTS)
    assert service.sweep() == []
    export.refresh_from_db()
    assert export.state == "failed"
    assert list(target.parent.glob(f"{export.pk}*")) == []


# --- The offline verifier -------------------------------------------------------------------------------------
def tamper(
    path: Path, target: Path, name: str, change: Callable[[str], str], *, manifest: bool = True
) -> Path:
    """A forged copy; with `manifest` the forger also corrects the hashes."""
    import hashlib

    with zipfile.ZipFile(path) as archive:
        files = {entry: archive.read(entry) for entry in archive.namelist()}
    changed = change(files[name].decode())
    assert changed != files[name].decode()
    files[name] = changed.encode()
    listing = json.loads(files["manifest.json"])
    for file in listing["files"]:
        if file["name"] == name and manifest:
            file |= {"sha256": hashlib.sha256(files[name]).hexdigest(), "bytes": len(files[name])}
    files["manifest.json"] = json.dumps(listing).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for entry, content in files.items():
            archive.writestr(entry, content)
    return target


def taken_out(path: Path, target: Path, name: str, *, in_manifest: bool) -> Path:
    """A copy of the archive without one of its files; perhaps the manifest does not name it any more either."""
    with zipfile.ZipFile(path) as archive:
        files = {entry: archive.read(entry) for entry in archive.namelist() if entry != name}
    if not in_manifest and "manifest.json" in files:
        listing = json.loads(files["manifest.json"])
        listing["files"] = [file for file in listing["files"] if file["name"] != name]
        files["manifest.json"] = json.dumps(listing).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for entry, content in files.items():
            archive.writestr(entry, content)
    return target


def without(text: str, number: int) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[:number] + lines[number + 1 :])


def swapped(text: str) -> str:
    first, second, *others = text.splitlines(keepends=True)
    return "".join([second, first, *others])


def test_the_offline_verifier(
    build: Build, var_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = build(DAY, NEXT, formats=("csv",))
    verifier = load_verifier()
    (sink,) = (var_dir / "seals").iterdir()

    def check(file: Path, *against: str) -> tuple[int, str]:
        code = verifier.main([str(file), *(part for name in against for part in ("--against", name))])
        return code, capsys.readouterr().err

    assert check(path, str(sink), str(path)) == (0, "")
    forged = tmp_path / "forged.zip"
    scenes: list[tuple[str, Callable[[str], str], bool, str]] = [
        ("journal.jsonl", lambda text: text.replace("7512345", "7512346"), False, "not the file that the manifest"),
        ("journal.jsonl", lambda text: text.replace("-7512345", "-7512346"), True, "do not sum to zero"),
        ("journal.jsonl", lambda text: text.replace("7512345", "8512345"), True, "not what seal 1 sealed"),
        ("journal.jsonl", lambda text: without(text, 1), True, "the manifest says"),
        ("journal.jsonl", swapped, True, "not what seal 1 sealed"),
        ("journal.jsonl", lambda text: text + text.splitlines()[0] + "\n", True, "the manifest says"),
        ("ledger.trial_balance.csv", lambda text: text.replace("7.512345", "8.512345"), True, "not the sum"),
        ("ledger.trial_balance.csv", lambda text: without(text, 3), True, "is missing"),
        ("seals.jsonl", lambda text: without(text, 0), True, "under no seal|not what seal"),
        ("seals.jsonl", lambda text: text.replace('"number":2', '"number":3'), True, "do not give its hash"),
        ("seals.jsonl", lambda text: text.replace('"leaves":["', '"leaves":["00', 1), True, "do not give its root"),
    ]  # fmt: skip
    import re

    for name, change, manifest, words in scenes:
        code, err = check(tamper(path, forged, name, change, manifest=manifest))
        assert code == 1, (name, words)
        assert re.search(words, err), (name, words, err)
    # A file taken out: with the manifest's word for it left, and with that gone as well.
    for name, in_manifest, words in [
        ("journal.jsonl", True, "journal.jsonl: it is missing"),
        ("seals.jsonl", True, "seals.jsonl: it is missing"),
        ("ledger.journal.csv", True, "ledger.journal.csv: it is missing"),
        ("journal.jsonl", False, "journal.jsonl: it cannot be read"),
        ("manifest.json", False, "is not an export"),
    ]:
        code, err = check(taken_out(path, forged, name, in_manifest=in_manifest))
        assert (code, words in err) == (1, True), (name, err)
    # One byte of the archive itself, anywhere in a file's packed bytes.
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        places = [info.header_offset + 200 for info in archive.infolist() if info.compress_size > 200]
    assert len(places) > 3
    for place in places:
        forged.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        code, err = check(forged)
        assert code == 1, place
        assert "Traceback" not in err
    code, err = check(path, str(tmp_path / "nowhere"))
    assert (code, "nowhere: it cannot be read" in err) == (1, True)
    code, err = check(path, f"2:{'0' * 64}")
    assert (code, "the chain was rewritten" in err) == (1, True)
    code, err = check(path, f"7:{'0' * 64}")
    assert (code, "proves nothing" in err) == (1, True)


def test_an_export_is_an_earlier_root(build: Build, tmp_path: Path) -> None:
    """`verify_ledger --against EXPORT.zip`, after the whole chain was rewritten; and the new export against the old."""
    before = build(formats=("csv",))
    assert verify_books([before]).sound
    as_superuser("UPDATE ledger_posting SET amount_micros = amount_micros * 2")
    for key in Entry.objects.values_list("key", flat=True):
        forge(key, "memo = memo")
    as_superuser("DELETE FROM ledger_seal")
    seals.seal()
    assert verify_books().sound, "by itself the forgery is consistent"
    (fault,) = verify_books([before]).faults
    assert "the chain was rewritten" in str(fault)
    forged = tmp_path / "forged.zip"
    bundle.build(bundle.Request("harbour", DAY, DAY, formats=("csv",)), forged, lambda done, total: None)
    verifier = load_verifier()
    assert verifier.main([str(forged)]) == 0
    assert verifier.main([str(forged), "--against", str(before)]) == 1


def test_the_verifier_needs_nothing_but_python(build: Build) -> None:
    import sys

    path = build(formats=("csv",))
    command = [sys.executable, "-I", "-S", str(ROOT / "docs" / "verify.py"), str(path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    assert "The export is sound." in answer.stdout


# --- The snapshot, and a real worker --------------------------------------------------------------------------
def test_everything_comes_from_one_snapshot(
    house: Premises, finance: User, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that commits while the export is being written is in none of its files."""

    def post_meanwhile() -> None:
        with transaction.atomic():
            post_many([entry_maker(house)("meanwhile")])

    def rows_with_a_posting(scope: reports.Scope) -> Iterator[Row]:
        with threads(1) as start:
            start(post_meanwhile).result(WAIT_S)
        yield ("posted",)

    source = reports.Source("aaa.first", "First", (Column("a", "A"),), rows_with_a_posting)
    monkeypatch.setitem(reports._sources, source.name, source)
    path = build(formats=("csv",))
    assert Entry.objects.filter(key="meanwhile").exists()
    assert "meanwhile" not in read(path, "ledger.journal.csv")
    assert "meanwhile" not in read(path, "journal.jsonl")
    bank = next(r for r in rows(path, "ledger.trial_balance.csv") if r["account"].endswith("CS-01/bank"))
    assert bank["closing"] == "5.012345"
    assert json.loads(read(path, "manifest.json"))["books"]["unsealed"] == 0


def test_a_real_worker_builds_it(
    processes: Any, house: Premises, finance: User, var_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for over the service, rung by Redis, built by a Celery worker as the application's role."""
    # Tests before this one rang where no Redis was; the bell would stay silent for some seconds.
    monkeypatch.setattr(wake_ups._Bell, "silent_until", 0.0)
    processes.extra_env["POTLINE_VAR"] = str(var_dir)
    worker = processes.start_worker(concurrency=1)
    export, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, NEXT))
    deadline = time.monotonic() + 60
    while export.state not in {"done", "failed"} and time.monotonic() < deadline:
        time.sleep(0.2)
        export.refresh_from_db()
    assert export.state == "done", (export.state, export.error, worker.log_text())
    assert (export.percent, export.attempts) == (100, 1)
    verifier = load_verifier()
    assert verifier.main([str(service.path_of(export))]) == 0


def test_progress_is_seen_from_outside(
    house: Premises, finance: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def percent_moves_on() -> int:
        """Waits for the progress of the chunks before to be written."""
        deadline = time.monotonic() + WAIT_S
        while (percent := Export.objects.get().percent) <= (seen[-1] if seen else 0):
            assert time.monotonic() < deadline, f"stays at {percent}"
            time.sleep(0.01)
        return percent

    def many(scope: reports.Scope) -> Iterator[Row]:
        for number in range(4 * CHUNK_ROWS):
            if number % CHUNK_ROWS == 1 and number > 1:
                with threads(1) as start:
                    seen.append(start(percent_moves_on).result(2 * WAIT_S))
            yield (number,)

    column = Column("n", "N", Cell.NUMBER)
    source = reports.Source("aaa.many", "Many", (column,), many, count=lambda scope: 4 * CHUNK_ROWS)
    monkeypatch.setitem(reports._sources, source.name, source)
    monkeypatch.setattr(service, "_PROGRESS_EVERY_S", 0.02)
    export, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY))
    service.build(str(export.pk))
    # Of 4,000 rows and some more for the rest 1,000, 2,000, 3,000; a sixth of the whole is for packing.
    assert len(seen) == 3
    assert 15 < seen[0] < 25
    assert 55 < seen[2] < 70
    export.refresh_from_db()
    assert export.percent == 100


def test_one_export_is_built_at_a_time(
    house: Premises, finance: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other workers have rounds to settle. Whoever ends wakes the next."""
    woken: list[str] = []
    monkeypatch.setattr(service, "_wake", lambda export: woken.append(str(export.pk)))
    first, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY, formats=("csv",)))
    second, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, NEXT, formats=("csv",)))
    woken.clear()
    taken: list[object] = []

    def meanwhile(scope: reports.Scope) -> Iterator[Row]:
        with threads(1) as start:
            taken.append(start(service.claim, str(second.pk)).result(WAIT_S))
        yield ("claimed",)

    source = reports.Source("aaa.meanwhile", "Meanwhile", (Column("a", "A"),), meanwhile)
    monkeypatch.setitem(reports._sources, source.name, source)
    assert service.build(str(first.pk)) is not None
    assert taken == [None]
    assert woken == [str(second.pk)]
    monkeypatch.delitem(reports._sources, source.name)
    assert service.build(str(second.pk)) is not None


def test_a_builder_that_comes_too_late_changes_nothing(
    house: Premises, finance: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fell silent, another took over and ended; then it wakes. File and row stay those of the other."""
    export, _ = service.request_export(finance, house, bundle.Request("harbour", DAY, DAY, formats=("csv",)))
    others: list[Export | None] = []

    def fall_silent(scope: reports.Scope) -> Iterator[Row]:
        yield ("slow",)
        if not others:
            others.append(None)
            with threads(1) as start:
                others[0] = start(take_over).result(WAIT_S)

    def take_over() -> Export | None:
        Export.objects.update(heartbeat_at="2020-01-01T00:00Z")
        return service.build(str(export.pk))

    source = reports.Source("aaa.slow", "Slow", (Column("a", "A"),), fall_silent)
    monkeypatch.setitem(reports._sources, source.name, source)
    monkeypatch.setattr(service, "_PROGRESS_EVERY_S", 60)
    with pytest.raises(FileNotFoundError):
        service.build(str(export.pk))
    (other,) = others
    assert other is not None
    export.refresh_from_db()
    assert (export.state, export.attempts) == ("done", 2)
    assert bundle._sha256(service.path_of(export)) == export.file_sha256
    assert [path.name for path in service.path_of(export).parent.iterdir()] == [f"{export.pk}.zip"]
