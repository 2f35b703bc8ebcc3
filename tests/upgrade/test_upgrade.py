"""A database that an earlier version filled is upgraded by `migrate`, and everything in it still holds and goes on; and
it has the shape of a new one.

`filled.sql.gz` is a dump of such a database: the first version filled it, and the last that had its migrations one
by one upgraded it (`replaces` in the first migrations of today names them). `POTLINE_FILL=1 make test
ARGS=tests/upgrade` writes it anew: done when a version is released, never to make a failing upgrade pass.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from config import demo
from config.local.servers import Postgres, postgres_binary
from jackpots.identities import broken_identities
from jackpots.models import Progressive, Win
from ledger import verify
from people.models import User
from tables.models import MessageText, Round, Table, TableEvent
from tests.floor import make_floor
from tests.upgrade.evening import play, play_evening, settle_and_fold, walk_to_paid

FILLED = Path(__file__).parent / "filled.sql.gz"
FILLING = os.environ.get("POTLINE_FILL") == "1"


def run(tool: str, *arguments: str, given: bytes = b"") -> bytes:
    command = [str(postgres_binary(tool)), *arguments]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.skipif(not FILLING, reason="only where a version is released")
def test_write_the_filled_database(committed_db: str, redis_url: str) -> None:
    play_evening(make_floor())
    FILLED.write_bytes(gzip.compress(dump(committed_db), mtime=0))


def dump(url: str, *options: str) -> bytes:
    said = run("pg_dump", "--no-owner", "--no-privileges", *options, url)
    # A key that psql makes anew for each dump says nothing.
    lines = [
        line
        for line in said.splitlines(keepends=True)
        if not line.startswith((b"\\restrict", b"\\unrestrict"))
    ]
    return b"".join(lines)


def shape(url: str) -> list[str]:
    """Of all that is stored and guards it: tables with their columns in order, keys, indexes, functions, triggers."""
    said = dump(url, "--schema-only", f"--exclude-table={demo.TABLE}").decode()
    return LIST_OF_WORDS.sub(lambda words: f"ARRAY[{WORD.sub(AS_TEXT, words[1])}]", said).splitlines()


# PostgreSQL writes a list of words in a condition one way at first, and another way once it has been through a dump.
LIST_OF_WORDS = re.compile(r"\(ARRAY\[([^\]]*)\]\)::text\[\]")
WORD, AS_TEXT = re.compile(r"'[^']*'::character varying"), r"(\g<0>)::text"


@pytest.fixture
def upgraded(embedded_postgres: Postgres, database_template: str, django_db_blocker: Any) -> Iterator[str]:
    """The filled database, restored beside the others and migrated by this version."""
    name = f"upgrade_{uuid4().hex[:12]}"
    url, default = embedded_postgres.url(name), settings.DATABASES["default"]
    with psycopg.connect(embedded_postgres.url("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
    run("psql", "--quiet", "--set=ON_ERROR_STOP=1", url, given=gzip.decompress(FILLED.read_bytes()))
    advance_transactions(url)
    before = default["NAME"]
    with django_db_blocker.unblock():
        connections.close_all()
        default["NAME"] = connections["default"].settings_dict["NAME"] = name
        try:
            call_command("migrate", verbosity=0, skip_checks=False)
            yield url
        finally:
            connections.close_all()
            default["NAME"] = connections["default"].settings_dict["NAME"] = before


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


@pytest.mark.usefixtures("redis_url")
def test_a_filled_database_is_upgraded_and_goes_on(
    embedded_postgres: Postgres, database_template: str, upgraded: str
) -> None:
    new = shape(embedded_postgres.url(database_template))
    differences = "\n".join(unified_diff(new, shape(upgraded), "new", "upgraded", lineterm=""))
    assert not differences, differences

    progressive = Progressive.objects.get()
    assert broken_identities(progressive.pk) == []
    assert verify.verify([]).sound
    assert not MessageText.objects.exists(), "messages from before stay in their events, under the seal"
    told_before = TableEvent.objects.count()
    assert Round.objects.filter(state=Round.State.SETTLED).count() == 3
    states = list(Win.objects.order_by("pk").values_list("trigger", "state"))
    assert states == [("royal-flush", "paid"), ("straight-flush", "verified"), ("flush", "pending")]

    people = {user.username: user for user in User.objects.all()}
    walk_to_paid(Win.objects.get(trigger="flush"), people["sefa"], people["jan"])
    play(Table.objects.get(code="CS-01"), {1: "3h 6h 8h Jh Kh"})
    settle_and_fold(progressive)
    flushes = Win.objects.filter(trigger="flush").order_by("pk")
    assert list(flushes.values_list("state", flat=True)) == ["paid", "pending"]
    assert broken_identities(progressive.pk) == []
    assert MessageText.objects.count() == TableEvent.objects.count() - told_before == 1
    assert verify.verify([]).sound


def test_the_filled_database_is_there() -> None:
    assert FILLED.is_file(), "POTLINE_FILL=1 make test ARGS=tests/upgrade writes it"
    assert connection.vendor == "postgresql"
