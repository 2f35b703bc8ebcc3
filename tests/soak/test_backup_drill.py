"""The backup drill on an installation that plays on: a base backup and the write-ahead log, a moment restored, verified
against the seals outside; and that it finds a copy in which a row was changed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from config.local import backup
from config.local.servers import EmbeddedError, Postgres
from tests.live import LocalRun
from tests.soak.test_kill_loop import INSERT, append_until_it_breaks

pytestmark = pytest.mark.timeout(600)


def records(server: Postgres) -> int:
    with psycopg.connect(server.url("potline"), autocommit=True) as connection:
        row = connection.execute(
            "SELECT count(*) FROM people_auditrecord WHERE action LIKE 'soak.%'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def wait_for_seal(server: Postgres) -> None:
    """Of everything up to here."""
    with psycopg.connect(server.url("potline"), autocommit=True) as connection:
        deadline = time.monotonic() + 60
        began = datetime.now(UTC)
        while time.monotonic() < deadline:
            row = connection.execute("SELECT max(sealed_at) FROM ledger_seal").fetchone()
            if row and row[0] and row[0] > began:
                return
            connection.execute(f"{INSERT} VALUES ('soak', 'tick', '', '', '', '{{}}', 'none')".encode())
            time.sleep(0.2)
    raise AssertionError("nothing is sealed")


def test_a_moment_of_an_open_house_comes_back_and_is_verified(servers_home: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="drill-", dir=servers_home))
    folder.chmod(0o711)
    installation = LocalRun(folder / "var")
    installation.start()
    try:
        server = Postgres(installation.home, passwords=True)
        server.find()
        address = f"http://127.0.0.1:{installation.port}"
        night = [sys.executable, "-m", "simulator", "play", "night", "--url", address, "--pay"]
        subprocess.run(night, check=True, timeout=300)
        said: list[str] = []
        done = backup.drill(installation.home, folder / "first", said.append)
        print("\n".join(said))
        assert "Everything is sound." in done.verified
        assert done.last_commit <= done.moment
        assert done.last_seal > 0
        # What is written after the moment is not in the copy, all that was before is.
        archive = backup.Archive(folder / "second")
        with archive.receiving(server) as receiver:
            archive.take_base(server)
            before = append_until_it_breaks(installation, 0, 1.0)
            wait_for_seal(server)
            moment = datetime.now(UTC)
            time.sleep(0.2)
            after = append_until_it_breaks(installation, before, 1.0)
            wait_for_seal(server)
            archive.wait_for(server, receiver)
        assert records(server) == after > before > 10
        with archive.restored(moment) as copy:
            assert records(copy) == before
            # Somebody changes the copy before it is put into use.
            with psycopg.connect(copy.url("potline")) as connection:
                connection.execute("SET session_replication_role = replica")
                connection.execute("UPDATE people_auditrecord SET reason = 'other' WHERE action = 'soak.3'")
            outside = next((installation.home / "seals").glob("*.jsonl"))
            secret = backup._secret_of(installation.home)
            backup._manage(archive, copy, secret, "adopt_database", "drill", "--sink", str(outside))
            with pytest.raises(EmbeddedError, match="it was changed after seal"):
                backup._manage(archive, copy, secret, "verify", "--against", str(outside))
        with pytest.raises(EmbeddedError, match="holds a backup already"):
            archive.take_base(server)
    finally:
        installation.close()
