"""Backups of the embedded PostgreSQL, and the drill that shows that they can be restored. For other servers the same
three steps are in docs/operations.md.

    backup FOLDER            a base backup, then the write-ahead log as it comes, until Ctrl-C
    restore FOLDER MOMENT    that moment in a server of its own, adopted and verified against the seals outside
    drill FOLDER             both on the running installation, which plays on: what was lost, how long each step took
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg

from config.local.servers import EmbeddedError, Postgres

DATABASE = "potline"
ROOT = Path(__file__).resolve().parents[2]
SEALED_WITHIN = timedelta(seconds=5)
"""Before the moment restored to: by then a seal is committed, where Potline is not stuck."""
RECOVERY_S = 3_600
ARCHIVED_S = 120
NOT_YET = ("starting up", "not yet accepting", "No such file", "Connection refused")
"""What PostgreSQL says while it recovers."""
Say = Callable[[str], None]


@dataclass(frozen=True)
class Restored:
    """What came back: until which commit, up to which seal, and how long it took."""

    moment: datetime
    last_commit: datetime
    last_seal: int
    restored_s: float
    verified_s: float
    verified: str


class Archive:
    """A folder of one base backup and all of the write-ahead log since it began."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.base, self.wal, self.log = (self.folder / name for name in ("base", "wal", "tools.log"))

    @contextmanager
    def receiving(self, server: Postgres) -> Iterator[subprocess.Popen[bytes]]:
        """The write-ahead log comes in while this holds: begun before the base backup, so that nothing is between."""
        server.own(self.folder)
        server.own(self.wal)
        arguments = ["--directory", self.wal.name, "--no-password"]
        receiver = server.tool("pg_receivewal", *arguments, folder=self.folder, log=self.log)
        try:
            yield receiver
        finally:
            receiver.terminate()
            receiver.wait(30)

    def take_base(self, server: Postgres) -> float:
        """Gives back how long it took. Its files are checked against their manifest."""
        if self.base.exists():
            raise EmbeddedError(f"{self.base} holds a backup already: give another folder.")
        began = time.monotonic()
        arguments = ["--pgdata", self.base.name, "--no-password"]
        arguments += ["--checkpoint=fast", "--wal-method=none"]
        arguments += ["--manifest-checksums=SHA256"]
        if server.tool("pg_basebackup", *arguments, folder=self.folder, log=self.log).wait() != 0:
            tail = self.log.read_text(errors="replace")[-2000:]
            raise EmbeddedError(f"pg_basebackup failed. {self.log} says:\n{tail}")
        self.check_base()
        return time.monotonic() - began

    def check_base(self) -> None:
        """By its manifest; the wheel's pg_verifybackup does not run."""
        manifest = json.loads((self.base / "backup_manifest").read_text())
        for item in manifest["Files"]:
            path = self.base / item["Path"]
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != item["Checksum"]:
                raise EmbeddedError(f"{path} is not what the backup's manifest says.")

    def wait_for(self, server: Postgres, receiver: subprocess.Popen[bytes]) -> None:
        """Until everything that is committed now has come in."""
        with psycopg.connect(server.url(DATABASE), autocommit=True) as connection:
            # A commit after the moment: without one, recovery cannot tell that it has come.
            connection.execute("SELECT pg_current_xact_id()")
            row = connection.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
        needed = str(row[0]) if row else ""
        deadline = time.monotonic() + ARCHIVED_S
        while not (self.wal / needed).exists():
            if receiver.poll() is not None or time.monotonic() > deadline:
                raise EmbeddedError(f"The write-ahead log does not come in ({needed}); {self.log} says why.")
            time.sleep(0.1)

    @contextmanager
    def restored(self, moment: datetime) -> Iterator[Postgres]:
        """A server of its own that stands at the moment; the archive stays as it was."""
        self.check_base()
        home = self.folder / "restored"
        if home.exists():
            raise EmbeddedError(f"{home} is there already: remove it first.")
        server = Postgres(home)
        home.mkdir()
        shutil.copytree(self.base, server.data_dir, symlinks=True)
        # As seen from the data, so that names and rights of the folders above do not matter. The last file may still
        # have been open when the archive ended.
        wal = os.path.relpath(self.wal, server.data_dir)
        fetch = f"cp '{wal}/%f' '%p' 2>/dev/null || cp '{wal}/%f.partial' '%p'"
        settings = {
            "restore_command": fetch,
            "recovery_target_time": moment.astimezone(UTC).isoformat(),
            "recovery_target_action": "promote",
        }
        with (server.data_dir / "postgresql.auto.conf").open("a") as file:
            for name, value in settings.items():
                doubled = value.replace("'", "''")
                file.write(f"{name} = '{doubled}'\n")
        (server.data_dir / "recovery.signal").touch()
        # The installation's passwords may be lost with it: whoever may open this folder may open the copy. Potline,
        # opened on it, asks for passwords again.
        (server.data_dir / "pg_hba.conf").write_text("local all all trust\n")
        owner = self.base.stat()  # root restores for PostgreSQL's user
        home.chmod(0o700)
        for path in (home, server.data_dir, *server.data_dir.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
        try:
            server.begin()
            _wait_for_promotion(server)
            yield server
        finally:
            server.stop()


def _wait_for_promotion(server: Postgres) -> None:
    deadline = time.monotonic() + RECOVERY_S
    while time.monotonic() < deadline:
        if not server.runs():
            tail = server.log.read_text(errors="replace")[-2000:]
            raise EmbeddedError(f"The restored PostgreSQL has ended. {server.log} says:\n{tail}")
        try:
            with psycopg.connect(server.url(DATABASE), autocommit=True, connect_timeout=5) as connection:
                row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
            if row and not row[0]:
                return
        except psycopg.OperationalError as error:
            if not any(words in str(error) for words in NOT_YET):
                raise EmbeddedError(f"The restored PostgreSQL lets nobody in: {error}") from error
        time.sleep(0.2)
    raise EmbeddedError(f"The moment was not reached within {RECOVERY_S} s; the log is {server.log}.")


# ---------------------------------------------------------------------------------------------------- the verbs


def backup(home: Path, folder: Path, say: Say) -> None:
    """Until Ctrl-C, or until the server ends."""
    server, archive = _running_server(home), Archive(folder)
    with archive.receiving(server) as receiver:
        took_s = archive.take_base(server)
        say(
            f"The base backup is in {archive.base} ({took_s:.1f} s). Now the log as it comes; Ctrl-C ends it."
        )
        receiver.wait()
    raise EmbeddedError(f"The write-ahead log has stopped to come in; {archive.log} says why.")


def restore(home: Path, folder: Path, moment: datetime, say: Say) -> Restored:
    """At the moment, on record as an epoch of its own, and sound: else it raises."""
    archive, began = Archive(folder), time.monotonic()
    with archive.restored(moment) as server:
        restored_s = time.monotonic() - began
        with psycopg.connect(server.url(DATABASE), autocommit=True) as connection:
            row = connection.execute(
                "SELECT coalesce(pg_last_xact_replay_timestamp(), now()), coalesce(max(number), 0),"
                " (SELECT chain::text FROM ledger_seal ORDER BY number DESC LIMIT 1),"
                " coalesce(max(below_xact), 0) >> 48 FROM ledger_seal"
            ).fetchone()
        if row is None:
            raise EmbeddedError("The copy says nothing.")
        last_commit, last_seal, chain, epoch = row
        outside = home / "seals" / f"{chain}{f'.{epoch}' if epoch else ''}.jsonl"
        say(
            f"Restored to {moment.isoformat()} in {restored_s:.1f} s; the last commit is of {last_commit.isoformat()}."
        )
        began = time.monotonic()
        reason = f"Restored to {moment.isoformat()} from {folder}"
        manage = partial(_manage, archive, server, _secret_of(home))
        said = manage("adopt_database", reason, "--sink", str(outside))
        said += manage("verify", "--against", str(outside))
        verified_s = time.monotonic() - began
        say(f"{said.strip()}\nVerified against {outside} in {verified_s:.1f} s.")
    return Restored(moment, last_commit, last_seal, restored_s, verified_s, said)


def drill(home: Path, folder: Path, say: Say) -> Restored:
    """On the running installation: nothing of it is touched. What it had sealed before then must be in the copy."""
    server, archive = _running_server(home), Archive(folder)
    with archive.receiving(server) as receiver:
        took_s = archive.take_base(server)
        size_mb = sum(file.stat().st_size for file in archive.base.rglob("*") if file.is_file()) / 1e6
        say(f"Base backup of {size_mb:.0f} MB in {took_s:.1f} s, checked against its manifest.")
        with psycopg.connect(server.url(DATABASE), autocommit=True) as connection:
            row = connection.execute(
                "SELECT now(), (SELECT coalesce(max(number), 0) FROM ledger_seal WHERE sealed_at < now() - %s)",
                [SEALED_WITHIN],
            ).fetchone()
        moment, expected = (row[0], int(row[1])) if row else (datetime.now(UTC), 0)
        archive.wait_for(server, receiver)
    done = restore(home, folder, moment, say)
    if done.last_seal < expected:
        raise EmbeddedError(
            f"The copy ends at seal {done.last_seal}; Potline had sealed {expected} before the moment."
        )
    say(
        f"The drill has passed: everything up to {moment.isoformat()} is there, seal {done.last_seal} the last."
    )
    return done


def _running_server(home: Path) -> Postgres:
    server = Postgres(home, passwords=True)
    server.find()
    return server


def _secret_of(home: Path) -> str:
    """By it the copy's hallmarks are read. It is in no backup of the database."""
    given, kept = os.environ.get("POTLINE_SECRET_KEY"), home / "secret-key"
    if not given and not kept.exists():
        raise EmbeddedError(
            f"{kept} is not there: set POTLINE_SECRET_KEY to the installation's secret, kept apart."
        )
    return given or kept.read_text().strip()


def _manage(archive: Archive, server: Postgres, secret: str, *arguments: str) -> str:
    """A command on the copy, whose files lie beside it: those of the installation are read and never written."""
    env = os.environ | {
        "DATABASE_URL": server.url(DATABASE),
        "POTLINE_SECRET_KEY": secret,
        "POTLINE_VAR": str(archive.folder / "restored" / "var"),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise EmbeddedError(f"{arguments[0]} on the copy: {done.stdout}\n{done.stderr}")
    return done.stdout
