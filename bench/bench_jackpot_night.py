"""How fast does a jackpot night go through Potline?

1. rounds of Caribbean Stud with seven seats (21 wagers) settled a second, by one and two processes, beside
   hand-written SQL that writes the same rows (lines, entry, postings, state) with no rules and no Django;
2. contributions a second into ONE meter: no-more-bets transactions of seven seats from eight tables at once, beside
   the naive way (insert and `UPDATE meter SET value = value + x` for each wager), and the fold that follows.

How soon a win is resolved, bench_last_wait.py asks.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from itertools import count
from multiprocessing import get_context
from typing import Any
from uuid import uuid4

from bench.installation import add_tables, installation

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "400"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "4"))
TABLES = 8


def make_tables(floor: Any) -> list[Any]:
    """Eight linked stud tables at one premises."""
    made = add_tables(floor, *(f"B-{number:02}" for number in range(TABLES)))
    return [table for table, _ in made.values()]


def full_round(now: Any) -> dict[str, Any]:
    """Seven seats with ante, jackpot and bet; nobody wins the jackpot."""
    from tests.terminal import stud_round

    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = {seat: " ".join(deck[seat - 1 :: 7][:5]) for seat in range(1, 8)}
    used = {card for hand in hands.values() for card in hand.split()}
    dealer = " ".join([card for card in deck if card not in used][:5])
    return stud_round(hands, first_card=now - timedelta(milliseconds=1), dealer=dealer)


def close_rounds(tables: list[Any], count: int) -> None:
    """Rounds that wait for settlement. The tables' own order is kept, as it is at a real table."""
    from django.utils import timezone

    from rules import round_from_json
    from tables.models import Round
    from tables.settle.prepared import prepare

    for number in range(count):
        table = tables[number % len(tables)]
        table.last_round += 1
        now = timezone.now()
        body = full_round(now)
        round = Round(
            uid=uuid4(),
            table=table,
            number=table.last_round,
            config=table.config,
            opened_at=now,
            locked_at=now,
            closed_at=now,
            gaming_day=now.date(),
            state=Round.State.CLOSED,
            wagers=body["wagers"],
            dealt=body["dealt"],
        )
        prepare(round, round_from_json(round.document()))
        round.save()


def settle_until_done(_: int = 0) -> int:
    import django

    django.setup()
    from django.db import connection

    from tables.settle.settlement import settle_batch

    total = 0
    while done := settle_batch().settled:
        total += done
    connection.close()
    return total


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def by_hand(rows: dict[str, list[tuple[Any, ...]]]) -> None:
    """The rows of settled rounds again, in batches of 64 rounds, by COPY into copies of the tables."""
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        for table, lines in rows.items():
            step = max(1, len(lines) * 64 // ROUNDS)
            for first in range(0, len(lines), step):
                with database.cursor().copy(f"COPY {table}_bare FROM STDIN") as copy:
                    for line in lines[first : first + step]:
                        copy.write_row(line)
                database.commit()


def settled_rounds(tables: list[Any]) -> None:
    import psycopg
    from psycopg.types.json import Jsonb

    settle_until_done()
    rates = {}
    for processes in (1, 2):
        close_rounds(tables, ROUNDS)
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            list(pool.map(_warm, range(processes * 2)))
            rates[processes] = ROUNDS / timed(lambda: list(pool.map(settle_until_done, range(processes))))  # noqa: B023
    copied = {}
    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        for table in ("tables_wagerline", "ledger_entry", "ledger_posting"):
            database.execute(f"CREATE TABLE {table}_bare (LIKE {table} INCLUDING ALL)")
            share = "LIMIT (SELECT count(*) / 2 FROM " + table + ")"
            found = database.execute(f"SELECT * FROM {table} {share}").fetchall()
            copied[table] = [
                tuple(Jsonb(v) if isinstance(v, dict | list) else v for v in row) for row in found
            ]
    raw = ROUNDS / timed(lambda: by_hand(copied))
    print(f"rounds settled, 7 seats, 1 process          {rates[1]:>9,.0f} rounds/s")
    print(f"rounds settled, 7 seats, 2 processes        {rates[2]:>9,.0f} rounds/s")
    print(f"the same rows by COPY, no rules, no guards  {raw:>9,.0f} rounds/s")
    print(f"settlement is {rates[1] / raw:.0%} of that by one process, {rates[2] / raw:.0%} by two\n")


def _warm(_: int) -> None:
    import django

    django.setup()
    from rules import find_game

    find_game("caribbean-stud", "nz-1996")


def contributions(floor: Any, tables: list[Any]) -> None:
    """Eight threads, each a table with its own connection."""
    from django.db import connection, transaction
    from django.utils import timezone

    from jackpots.fold.folding import fold
    from jackpots.models import Share, UndecidedRound
    from rules.contract import Wager
    from tests import log_verbs

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE naive_meter (id int PRIMARY KEY, value bigint NOT NULL)")
        cursor.execute("INSERT INTO naive_meter VALUES (1, 0)")
        cursor.execute(
            "CREATE TABLE naive_contribution (id bigserial PRIMARY KEY, seat int, stake bigint, at timestamptz)"
        )

    round_ids = count(1_000_000_001)

    def append(table: Any) -> None:
        round_id = next(round_ids)
        stakes = [Wager(f"{round_id}-{seat}", "jackpot", 1_000_000, seat) for seat in range(1, 8)]
        with transaction.atomic():
            log_verbs.record_stakes(table.table_log, round_id, stakes, timezone.now())

    def naive(table: Any) -> None:
        for seat in range(1, 8):
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(
                    "INSERT INTO naive_contribution (seat, stake, at) VALUES (%s, 1000000, now())", [seat]
                )
                cursor.execute("UPDATE naive_meter SET value = value + 600000 WHERE id = 1")

    rates = {}
    for name, work in (("naive", naive), ("append", append)):
        counts = [0] * TABLES
        stop = time.perf_counter() + SECONDS

        def run(index: int, work: Any = work, counts: list[int] = counts, stop: float = stop) -> None:
            while time.perf_counter() < stop:
                work(tables[index])
                counts[index] += 7
            connection.close()

        threads = [threading.Thread(target=run, args=(index,)) for index in range(TABLES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rates[name] = sum(counts) / SECONDS
    UndecidedRound.objects.all().delete()
    for link in floor.progressive.links.select_related("table_log"):
        with transaction.atomic():
            log_verbs.beat(link.table_log, timezone.now())
    waiting = Share.objects.filter(progressive=floor.progressive).count()
    spent = timed(lambda: fold(floor.progressive.pk))
    print(f"contributions, 7 a transaction, 8 tables    {rates['append']:>9,.0f} /s")
    print(f"naive: insert and UPDATE meter for each     {rates['naive']:>9,.0f} /s")
    print(f"append is {rates['append'] / rates['naive']:.1f} times the naive way")
    print(f"the fold of {waiting:,} events took {spent:.2f} s: {waiting * 7 / spent:,.0f} contributions/s\n")


def main() -> None:
    with installation():
        from tests.floor import make_floor

        floor = make_floor()
        tables = make_tables(floor)
        contributions(floor, tables)
        for table in tables:
            table.refresh_from_db()
        settled_rounds(tables)


if __name__ == "__main__":
    main()
