"""What do seals cost: bytes a row, gigabytes a year at 50 tables, and their share of a settlement?

Rounds of seven seats at one table go through the door and into the books, with the stamps and steps and without them
(their triggers switched off, turn about); then everything is sealed in seconds of a full floor's rows, and verified.
"""

from __future__ import annotations

import os
import time
from random import Random
from statistics import median

from bench.bench_intake import stud
from bench.installation import installation

TURNS = int(os.environ.get("BENCH_TURNS", "12"))
ROUNDS = 32
TABLES, ROUNDS_AN_HOUR, HOURS = 50, 45, 16
"""A floor of a year: so many tables, each with so many rounds an hour, so many hours a day."""
STEPS = 2
"""Of a round that is sent whole: closed and settled."""


def main() -> None:
    with installation():
        from django.db import connection
        from django.utils import timezone

        from ledger.models import Seal
        from ledger.seals import seals
        from ledger.verify import verify
        from tables.models import Round
        from tables.settle.settlement import settle_batch
        from tests.floor import make_floor
        from tests.upgrade.evening import terminal

        floor = make_floor()
        rng = Random(7)
        table = floor.tables["CS-01"]
        teller = terminal(table)

        def switch(on: bool) -> None:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT tgname, tgrelid::regclass::text FROM pg_trigger"
                    " WHERE tgname ~ '_(stamped|first_step|next_step)_'"
                )
                for name, of in cursor.fetchall():
                    cursor.execute(f"ALTER TABLE {of} {'ENABLE' if on else 'DISABLE'} TRIGGER {name}")

        def turn() -> tuple[float, float]:
            from uuid import uuid4

            began = time.perf_counter()
            for number in range(ROUNDS):
                teller.event("round", uuid4(), stud(rng, number, timezone.now()))
            door = time.perf_counter() - began
            began = time.perf_counter()
            while settle_batch().settled:
                pass
            return door / ROUNDS, (time.perf_counter() - began) / ROUNDS

        turn()
        times: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
        sealing: list[float] = []
        for _ in range(TURNS):
            for on in (True, False):
                switch(on)
                times[on].append(turn())
                switch(True)
                began = time.perf_counter()
                seals.seal()
                if on:
                    sealing.append((time.perf_counter() - began) / ROUNDS)
        for name, part in (("door", 0), ("books", 1)):
            with_them, without = (1000 * median(each[part] for each in times[on]) for on in (True, False))
            share = (with_them - without) / without
            print(
                f"{name}: {with_them:.2f} ms a round with stamps and steps, {without:.2f} without ({share:+.1%})"
            )
        print(f"sealing: {1000 * median(sealing):.2f} ms a round, by the worker that seals")
        began = time.perf_counter()
        report = verify.verify()
        took = time.perf_counter() - began
        rounds = Round.objects.count()
        print(
            f"verify: {report.rows:,} rows in {took:.1f} s, {1000 * took / rounds:.1f} ms a round, "
            f"{rounds / took:.0f} rounds a second by one process, "
            f"{len(report.faults)} faults (rounds played without triggers have no steps)"
        )
        _sizes(rounds, Seal.objects.count())


def _sizes(rounds: int, seals_made: int) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        # Many times over in a copy, so that pages are full.
        cursor.execute("CREATE TABLE many_steps (LIKE ledger_step INCLUDING ALL)")
        cursor.execute(
            "INSERT INTO many_steps SELECT row_number() OVER (), s.kind, s.row_id + n * 100000, s.state,"
            " s.at, s.content, s.detail, s.xact_id FROM ledger_step s, generate_series(1, 400) n"
            " WHERE s.kind = 'tables.round'"
        )
        cursor.execute(
            "SELECT (pg_relation_size('many_steps') + pg_indexes_size('many_steps'))::numeric / count(*)"
            " FROM many_steps"
        )
        step_bytes = cursor.fetchone()[0]
        cursor.execute(
            "SELECT avg(pg_column_size(s.*)), sum(length(leaves))::numeric / sum(rows), sum(rows),"
            " avg(length(classes)) FROM ledger_seal s"
        )
        seal_bytes, mark_bytes, leaves, class_bytes = cursor.fetchone()
    a_round = leaves / rounds
    yearly = TABLES * ROUNDS_AN_HOUR * HOURS * 365
    fixed = float(seal_bytes) - float(mark_bytes) * float(leaves) / seals_made + 90  # its two indexes
    seconds = HOURS * 3600 * 365
    steps_gb = yearly * float(step_bytes) * STEPS / 1e9
    stamps_gb = yearly * 8 * float(a_round) / 1e9
    marks_gb = yearly * float(mark_bytes) * float(a_round) / 1e9
    seals_gb = seconds * fixed / 1e9
    print(
        f"a stamp 8 bytes a row, a mark {mark_bytes:.1f}, a step {step_bytes:.0f} with its indexes, {STEPS} a round"
    )
    print(
        f"a seal {fixed:.0f} bytes without its marks, of them classes {class_bytes:.0f}; {a_round:.1f} leaves a round"
    )
    print(
        f"a year at {TABLES} tables, {ROUNDS_AN_HOUR} rounds an hour, {HOURS} hours a day "
        f"({yearly / 1e6:.1f} million rounds): stamps {stamps_gb:.1f} GB, steps {steps_gb:.1f} GB, "
        f"marks {marks_gb:.1f} GB, one seal a second {seals_gb:.1f} GB,"
        f" the file outside {seconds * 125 / 1e9:.1f} GB"
    )


if __name__ == "__main__":
    main()
