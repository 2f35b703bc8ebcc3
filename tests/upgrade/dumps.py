"""Databases that earlier versions filled, as dumps: how one is written, and how it is restored and brought up to date.

`first.sql.gz`: the first version filled it by `evening.play_evening`, and the last that had its migrations one by one
upgraded it (`replaces` in the first migrations of today names them). It has the oldest shapes of what is stored.

`filled.sql.gz`: the last landed version filled it by `long_evening`; `filled.files.zip` are the files that an
installation keeps beside its database: the seals, the keys of winners' names, exports.
"""

from __future__ import annotations

import gzip
import io
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg
from django.core.management import call_command
from django.test import override_settings

from config.local.servers import Postgres, postgres_binary
from tests.conftest import _connected_to

HERE = Path(__file__).parent
FIRST, FILLED, FILES = HERE / "first.sql.gz", HERE / "filled.sql.gz", HERE / "filled.files.zip"
SECRET = "of the installation that filled it, for tests alone: hallmarks and keys of the dump are made by it"
"""Its POTLINE_SECRET_KEY."""


@dataclass(frozen=True)
class Restored:
    name: str
    url: str
    var: Path


def run(tool: str, *arguments: str, given: bytes = b"") -> bytes:
    command = [str(postgres_binary(tool)), *arguments]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout


# --- Writing ----------------------------------------------------------------------------------------------------
def dump(url: str, *options: str) -> bytes:
    said = run("pg_dump", "--no-owner", "--no-privileges", *options, url)
    # A key that psql makes anew for each dump says nothing.
    lines = [
        line
        for line in said.splitlines(keepends=True)
        if not line.startswith((b"\\restrict", b"\\unrestrict"))
    ]
    return b"".join(lines)


def write(url: str, var: Path) -> None:
    FILLED.write_bytes(gzip.compress(dump(url), mtime=0))
    with zipfile.ZipFile(FILES, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(var.rglob("*")):
            if path.is_file():
                archive.writestr(zipfile.ZipInfo(path.relative_to(var).as_posix()), path.read_bytes())


# --- Restoring --------------------------------------------------------------------------------------------------
@contextmanager
def upgraded(server: Postgres, filled: Path, var: Path) -> Iterator[Restored]:
    """Restored beside the other databases, with its files in `var`, and migrated by this version, which is connected to
    it meanwhile."""
    name = f"upgrade_{uuid4().hex[:12]}"
    house = Restored(name, server.url(name), var)
    with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
    run("psql", "--quiet", "--set=ON_ERROR_STOP=1", house.url, given=gzip.decompress(filled.read_bytes()))
    if filled == FILLED:
        zipfile.ZipFile(io.BytesIO(FILES.read_bytes())).extractall(var)
    advance_transactions(house.url)
    with connected(house):
        call_command("migrate", verbosity=0, skip_checks=False)
        told = io.StringIO()
        call_command("vouch", stdout=told)
        # The people of these houses were written as rows by tests, without a record of who added them.
        call_command("vouch", "--break-glass", "all", "--reason", "rows of a test", stdout=told)
        yield house


@contextmanager
def connected(house: Restored) -> Iterator[None]:
    with override_settings(SECRET_KEY=SECRET, VAR_DIR=house.var), _connected_to(house.name):
        yield


def advance_transactions(url: str) -> None:
    """A new server counts from a lower number than the rows have as their stamp, which the seals refuse
    (docs/operations.md)."""
    stamped = "SELECT table_name FROM information_schema.columns WHERE column_name = 'xact_id'"
    with psycopg.connect(url, autocommit=True) as session:
        stamps = [f"SELECT max(xact_id) AS seen FROM {table}" for (table,) in session.execute(stamped)]
        session.execute(
            f"DO $$ DECLARE last bigint := (SELECT max(seen) FROM ({' UNION ALL '.join(stamps)})); BEGIN"
            " WHILE pg_current_xact_id()::text::bigint <= last + 10 LOOP COMMIT; END LOOP; END $$".encode()
        )
