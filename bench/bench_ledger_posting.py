"""How many ledger entries of three legs are posted a second, one by one and in batches of 200?

Beside it in the same run, on the same server: hand-written SQL that inserts the same rows into the same tables (ids of
accounts and day known, hashes computed beforehand), the same SQL into bare copies of the tables without triggers, and
django-hordak's own posting call (`Account.transfer_to`, two legs) with a commit each and 200 in one transaction.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

BATCH = 200
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "1.5"))
CODES = [f"harbour/tables/T{n}/{name}" for n in range(10) for name in ("bank", "win", "commission")]
HASH = "ab" * 32
DAY = date(2026, 3, 14)

_numbers = itertools.count(1)


def entries(count: int, premises: Any) -> list[Any]:
    from ledger.journal import NewEntry

    return [
        NewEntry(
            key=f"round:{number}",
            premises=premises,
            kind="round",
            reference=f"round:{number}",
            source_hash=HASH,
            day=DAY,
            legs=_legs(number),
        )
        for number in itertools.islice(_numbers, count)
    ]


def _legs(number: int) -> dict[str, int]:
    table = number % 10 * 3
    stake = (number % 40 + 1) * 2_500_000
    fee = stake // 20
    return {CODES[table]: stake, CODES[table + 1]: fee - stake, CODES[table + 2]: -fee}


def race(contenders: dict[str, Callable[[], int]], seconds: float) -> dict[str, float]:
    """Entries a second of each. They take turns batch by batch: what else the machine does hits all alike."""
    done, spent = dict.fromkeys(contenders, 0), dict.fromkeys(contenders, 0.0)
    for work in contenders.values():
        work()
    while sum(spent.values()) < seconds * len(contenders):
        for name, work in contenders.items():
            began = time.perf_counter()
            done[name] += work()
            spent[name] += time.perf_counter() - began
    return {name: done[name] / spent[name] for name in contenders}


def post_batch(size: int) -> Callable[[], int]:
    from django.db import transaction

    from ledger.journal import post_many
    from people.models import Premises

    premises = Premises.objects.get()

    def work() -> int:
        batch = entries(size, premises)
        with transaction.atomic():
            post_many(batch)
        return size

    return work


def handwritten(size: int, suffix: str) -> Callable[[], int]:
    """What a careful engineer writes by hand for exactly these rows: two statements, one transaction."""
    from django.db import connection

    connection.ensure_connection()
    raw = connection.connection
    ids = dict(raw.execute("SELECT code, id FROM ledger_account").fetchall())
    premises_id, day_id = raw.execute("SELECT premises_id, id FROM ledger_gamingday").fetchone()
    source, content = bytes.fromhex(HASH), bytes.fromhex("cd" * 32)
    insert_entries = (
        f"INSERT INTO ledger_entry{suffix} (key, premises_id, day_id, kind, reference, currency, source_sha256,"
        " content_sha256, memo) SELECT k, %s, %s, 'round', k, 'NZD', %s, %s, '' FROM unnest(%s::text[]) k RETURNING id"
    )
    insert_postings = (
        f"INSERT INTO ledger_posting{suffix} (entry_id, account_id, amount_micros)"
        " SELECT * FROM unnest(%s::bigint[], %s::int[], %s::bigint[])"
    )

    def work() -> int:
        numbers = list(itertools.islice(_numbers, size))
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            keys = [f"round:{number}" for number in numbers]
            cursor.execute(insert_entries, [premises_id, day_id, source, content, keys])
            made = [row[0] for row in cursor.fetchall()]
            legs = [
                (entry, ids[code], micros)
                for entry, number in zip(made, numbers, strict=True)
                for code, micros in _legs(number).items()
            ]
            cursor.execute(insert_postings, [list(column) for column in zip(*legs, strict=True)])
            cursor.execute("COMMIT")
        return size

    return work


def hordak(database_url: str) -> dict[str, float]:
    """django-hordak needs settings of its own, so it runs in its own process, on a database of the same server."""
    command = [sys.executable, "-m", "bench.hordak_posting", database_url, str(SECONDS)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: float(value) for name, value in (line.split() for line in lines)}


def main() -> None:
    from config.embedded import Postgres

    with tempfile.TemporaryDirectory(prefix="potline-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        server = Postgres(home)
        server.start()
        try:
            server.ensure_database("bench")
            server.ensure_database("hordak")
            os.environ["DATABASE_URL"] = server.url("bench")
            os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
            _prepare()
            _report(server.url("hordak"))
        finally:
            server.stop()


def _prepare() -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from people.models import Premises

    call_command("migrate", verbosity=0)
    Premises.objects.create(
        code="harbour", name="Harbour", currency="NZD", time_zone="Pacific/Auckland", rollover_hour=6
    )
    post_batch(BATCH)()
    with connection.cursor() as cursor:
        for table in ("ledger_entry", "ledger_posting"):
            cursor.execute(f"CREATE TABLE {table}_bare (LIKE {table} INCLUDING ALL)")


def _report(hordak_url: str) -> None:
    contenders = {
        "post, one entry a transaction": post_batch(1),
        "by hand, one entry a transaction": handwritten(1, ""),
        "post_many, 200 a transaction": post_batch(BATCH),
        "by hand, 200 a transaction": handwritten(BATCH, ""),
        "by hand, 200, no triggers": handwritten(BATCH, "_bare"),
    }
    seen: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, value in (race(contenders, SECONDS) | hordak(hordak_url)).items():
            seen.setdefault(name, []).append(value)
    rates = {name: median(values) for name, values in seen.items()}
    for name, value in rates.items():
        print(f"{name:<36} {value:>10,.0f} entries/s   (of {min(seen[name]):,.0f} to {max(seen[name]):,.0f})")
    batch = rates["post_many, 200 a transaction"]
    single = rates["post, one entry a transaction"] / rates["by hand, one entry a transaction"]
    print(f"\npost is {single:.0%} of hand-written SQL")
    print(f"post_many is {batch / rates['by hand, 200 a transaction']:.0%} of hand-written SQL (asked: 60%)")
    print(
        f"post_many is {batch / rates['by hand, 200, no triggers']:.0%} of hand-written SQL without any guard"
    )
    print(f"post_many is {batch / rates['hordak_single']:.0f} times django-hordak, a commit each (asked: 20)")
    print(
        f"post_many is {batch / rates['hordak_batch']:.0f} times django-hordak, 200 calls in one transaction"
    )


if __name__ == "__main__":
    main()
