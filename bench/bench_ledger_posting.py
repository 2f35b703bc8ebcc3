"""How many ledger entries of three legs are posted a second, one by one and in batches of 200?

Beside it in the same run, on the same server: hand-written SQL that inserts the same rows into the same tables (ids of
accounts and day known, hashes computed beforehand, the same triggers and indexes), the same SQL into bare copies of the
tables without triggers, and django-hordak's own posting call (`Account.transfer_to`) with a commit each and 200 in one
transaction. Its entries have two legs and no other kind, so entries of two legs stand beside it.

All take turns, and shares are the median over the turns, each against its neighbour in time: whatever else the machine
does hits all alike. One entry a transaction is bound by the disk's flush. BENCH_SECONDS sets how long.
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
from statistics import median, quantiles
from typing import Any

BATCH = 200
SINGLES = 20
SECONDS = float(os.environ.get("BENCH_SECONDS", "40"))
LEAST_TURNS = 11
CODES = [f"harbour/tables/T{n}/{name}" for n in range(10) for name in ("bank", "win", "commission")]
HASH = "ab" * 32
DAY = date(2026, 3, 14)

_numbers = itertools.count(1)


def entries(count: int, premises: Any, legs: Callable[[int], dict[str, int]]) -> list[Any]:
    from ledger.books.journal import NewEntry

    return [
        NewEntry(
            key=f"round:{number}",
            premises=premises,
            kind="round",
            reference=f"round:{number}",
            source_hash=HASH,
            day=DAY,
            legs=legs(number),
        )
        for number in itertools.islice(_numbers, count)
    ]


def _legs(number: int) -> dict[str, int]:
    table = number % 10 * 3
    stake = (number % 40 + 1) * 2_500_000
    fee = stake // 20
    return {CODES[table]: stake, CODES[table + 1]: fee - stake, CODES[table + 2]: -fee}


def _two_legs(number: int) -> dict[str, int]:
    return {CODES[number % 10 * 3]: 2_500_000, CODES[number % 10 * 3 + 1]: -2_500_000}


Turn = Callable[[], float]
"""Does its work once and says how many seconds an entry took."""


def race(contenders: dict[str, Turn], seconds: float) -> dict[str, list[float]]:
    """Seconds an entry, by contender and turn. Every other round goes the other way, so that nobody always follows
    the one who leaves the most behind for the disk."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in contenders.values():
        turn()
    deadline = time.monotonic() + seconds
    order = list(contenders)
    while time.monotonic() < deadline or len(times[order[0]]) < LEAST_TURNS:
        for name in order:
            times[name].append(contenders[name]())
        order.reverse()
    return times


def timed(work: Callable[[], int]) -> Turn:
    def turn() -> float:
        began = time.perf_counter()
        done = work()
        return (time.perf_counter() - began) / done

    return turn


def repeated(work: Callable[[], int], times: int) -> Callable[[], int]:
    """Single entries come some at a turn: one alone is over before a clock can tell."""
    return lambda: sum(work() for _ in range(times))


def post_batch(size: int, legs: Callable[[int], dict[str, int]] = _legs) -> Callable[[], int]:
    from django.db import transaction

    from ledger.books.journal import post_many
    from people.models import Premises

    premises = Premises.objects.get()

    def work() -> int:
        batch = entries(size, premises, legs)
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


class Hordak:
    """django-hordak needs settings of its own, so it posts in a process of its own, on a database of the same server,
    when it is its turn."""

    def __init__(self, database_url: str) -> None:
        command = [sys.executable, "-m", "bench.hordak_posting", database_url]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def turn(self, calls: int, together: bool) -> Turn:
        """So many calls, with a commit each or in one transaction."""

        def turn() -> float:
            stdin, stdout = self.process.stdin, self.process.stdout
            if stdin is None or stdout is None:
                raise RuntimeError("django-hordak's process has no pipes")
            stdin.write(f"{calls} {int(together)}\n")
            stdin.flush()
            return float(stdout.readline()) / calls

        return turn

    def stop(self) -> None:
        self.process.communicate()


def main() -> None:
    from config.local.servers import Postgres

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
    hordak = Hordak(hordak_url)
    times = race(
        {
            "post, one entry a transaction": timed(repeated(post_batch(1), SINGLES)),
            "by hand, one entry a transaction": timed(repeated(handwritten(1, ""), SINGLES)),
            "django-hordak, one a transaction": hordak.turn(SINGLES, together=False),
            "post_many, 200 a transaction": timed(post_batch(BATCH)),
            "by hand, 200 a transaction": timed(handwritten(BATCH, "")),
            "by hand, 200, no triggers": timed(handwritten(BATCH, "_bare")),
            "post_many, 200 of two legs": timed(post_batch(BATCH, _two_legs)),
            "django-hordak, 200 a transaction": hordak.turn(BATCH, together=True),
        },
        SECONDS,
    )
    hordak.stop()
    for name, values in times.items():
        low, _, high = (1 / value for value in quantiles(values, n=4))
        print(
            f"{name:<36} {1 / median(values):>10,.0f} entries/s   (half of the turns: {high:,.0f} to {low:,.0f})"
        )

    def share(ours: str, theirs: str) -> float:
        return median(their / our for our, their in zip(times[ours], times[theirs], strict=True))

    single, batch, pairs = (
        "post, one entry a transaction",
        "post_many, 200 a transaction",
        "post_many, 200 of two legs",
    )
    print(f"\n{len(times[batch])} turns each")
    print(f"post is {share(single, 'by hand, one entry a transaction'):.0%} of hand-written SQL")
    print(f"post_many is {share(batch, 'by hand, 200 a transaction'):.0%} of hand-written SQL (asked: 60%)")
    print(
        f"post_many is {share(batch, 'by hand, 200, no triggers'):.0%} of hand-written SQL without any guard"
    )
    print(
        f"post is {share(single, 'django-hordak, one a transaction'):.1f} times django-hordak, a commit each"
    )
    for name, words in (("one", "a commit each"), ("200", "200 calls in one transaction")):
        theirs = f"django-hordak, {name} a transaction"
        print(
            f"post_many is {share(pairs, theirs):.0f} times django-hordak, {words} (asked: 20); "
            f"with three legs to its two, {share(batch, theirs):.0f} times"
        )


if __name__ == "__main__":
    main()
