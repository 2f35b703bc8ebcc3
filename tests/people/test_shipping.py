"""The audit trail leaves as JSON lines once it is committed; a sink that fails undoes nothing."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from people.audit import audit, shipping
from people.models import AuditRecord


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_record_is_in_the_file_once_it_is_committed_and_not_before(
    committed_db: str, tmp_path: Path, settings: Any
) -> None:
    path = tmp_path / "audit.jsonl"
    settings.AUDIT_FILE = str(path)
    with transaction.atomic():
        audit.record("tests", "tests.done", reason='two\nlines and "quotes"', details={"amount": "2.50"})
        assert not path.exists()
    with transaction.atomic():
        audit.record("tests", "tests.undone")
        transaction.set_rollback(True)
    (line,) = lines(path)
    assert (line["action"], line["reason"], line["details"]) == (
        "tests.done", 'two\nlines and "quotes"', {"amount": "2.50"},
    )  # fmt: skip
    assert line["at"] == AuditRecord.objects.get().at.isoformat()
    assert path.stat().st_mode & 0o077 == 0, "for its owner alone"


def test_lines_of_many_at_once_stay_whole(committed_db: str, tmp_path: Path, settings: Any) -> None:
    settings.AUDIT_FILE = str(tmp_path / "audit.jsonl")

    def write(number: int) -> None:
        for _ in range(20):
            audit.record("tests", "tests.many", reason="x" * 5_000, details={"n": number})
        connection.close()

    threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lines(Path(settings.AUDIT_FILE))) == 80


def test_a_sink_that_fails_undoes_nothing_and_can_be_filled_again(
    committed_db: str, tmp_path: Path, settings: Any, caplog: Any
) -> None:
    settings.AUDIT_FILE = str(tmp_path / "away" / "audit.jsonl")
    audit.record("tests", "tests.done")
    assert "audit_not_shipped" in caplog.text
    record = AuditRecord.objects.get()
    (tmp_path / "away").mkdir()
    call_command("ship_audit", since=record.pk, verbosity=0)
    assert [line["id"] for line in lines(Path(settings.AUDIT_FILE))] == [record.pk]
    settings.AUDIT_FILE = ""
    with pytest.raises(CommandError, match="Neither"):
        call_command("ship_audit", since=0)


def test_syslog_gets_it(committed_db: str, settings: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(10)
        settings.AUDIT_SYSLOG = f"127.0.0.1:{server.getsockname()[1]}"
        audit.record("tests", "tests.done")
        got = server.recv(65_536).rstrip(b"\0")
    assert got.startswith(b"<86>potline-audit: {")
    assert json.loads(got.partition(b": ")[2])["action"] == "tests.done"
    assert shipping.as_json(AuditRecord.objects.get())["premises"] is None
