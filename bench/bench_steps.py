"""What do a beat and the steps of a round cost, in statements and processor time, and how near is that to PostgreSQL's
own limit?

1. Each step of a stud round of seven seats: statements, and milliseconds of Python and of PostgreSQL.
2. No more bets of seven seats from eight tables into ONE meter, a process for each table, through the door's own verb;
   beside it the naive way (insert and `UPDATE meter` for each wager), and the same rows by one call of a function in
   the database that is handed everything ready made: no rules, no clocks, no hallmark, no answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any
from uuid import uuid4

from bench.figures import Figure, Spent, spending, tell
from bench.installation import add_tables, installation

STEPS = int(os.environ.get("BENCH_STEPS", "100"))
TABLES = int(os.environ.get("BENCH_PROCESSES", "8"))
SEATS = 7
KINDS = ("beat", "open", "wagers", "no-more-bets", "result")

BY_HAND = """
    CREATE TABLE IF NOT EXISTS naive_meter (id int PRIMARY KEY, value bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS naive_contribution (id bigserial PRIMARY KEY, seat int, stake bigint, at timestamptz);
    INSERT INTO naive_meter VALUES (1, 0) ON CONFLICT DO NOTHING;
    CREATE OR REPLACE FUNCTION bench_no_more_bets(
        of_table bigint, of_log bigint, of_round bigint, of_progressive bigint, lock_document jsonb,
        body_document jsonb, message text, hash bytea, content bytea, legs text[], kinds text[], of_premises bigint
    ) RETURNS timestamptz LANGUAGE plpgsql AS $$
    DECLARE
        at timestamptz := clock_timestamp();
        nth bigint;
        told bigint;
        event bigint;
        key bigint;
    BEGIN
        UPDATE tables_table SET last_event = last_event + 1, last_heard_at = at, head = hash WHERE id = of_table
            RETURNING last_event INTO told;
        UPDATE jackpots_tablelog SET last_number = last_number + 1, last_place = at, last_round = of_round,
            heard_at = at, hallmark = encode(hash, 'hex') WHERE id = of_log RETURNING last_number INTO nth;
        UPDATE tables_round SET state = 'locked', lock = lock_document, locked_at = at, gaming_day = at::date,
            jackpots_count = true WHERE id = of_round;
        INSERT INTO jackpots_undecidedround (table_log_id, round_id, progressive_id, lock, since, seats, left_out,
            unawaited) VALUES (of_log, of_round, of_progressive, lock_document, at, '{1,2,3,4,5,6,7}', false, false);
        INSERT INTO jackpots_event (table_log_id, number, kind, terminal_at, received_at, round_id, body)
            VALUES (of_log, nth, 'stakes', at, at, of_round, body_document) RETURNING id INTO event;
        INSERT INTO jackpots_share (event_id, progressive_id, config_id, place, earliest, latest, late, told, clock,
                moment, stake_micros, slice_micros, slices)
            SELECT event, p.id, p.config_id, at, at, at, false, at, 'bench', '', 7000000, 7000000,
                '{"jackpot": 10000}' FROM jackpots_progressive p WHERE p.id = of_progressive;
        PERFORM ledger_post(ARRAY['bench:' || of_log || ':' || nth], ARRAY[content], ARRAY[hash],
            ARRAY['jackpot.stakes'], ARRAY['round:' || of_round], ARRAY['NZD'], ARRAY[at], ARRAY[''],
            ARRAY[NULL::text], ARRAY[1], ARRAY[of_premises], ARRAY[at::date], ARRAY[1, 1], ARRAY[1, 2],
            ARRAY[7000000, -7000000], legs, kinds, ARRAY[of_premises, of_premises], ARRAY['NZD', 'NZD']);
        key := nextval('tables_tableevent_id_seq');
        WITH words AS (INSERT INTO tables_messagetext (event_id, text) VALUES (key, message))
        INSERT INTO tables_tableevent (id, table_id, session, number, kind, round_id, terminal_at, clock, received_at,
                sha256, answer, head)
            VALUES (key, of_table, 1, told, 'no-more-bets', of_round, at, 'bench', at,
                encode(sha256(convert_to(message, 'UTF8')), 'hex'), '{"number": 1}', hash);
        RETURN at;
    END $$;
"""


class Table:
    """A stud table whose terminal tells one step at a time."""

    def __init__(self, table_id: int) -> None:
        from simulator.terminal.core import Terminal

        self.table_id, self.terminal = table_id, Terminal()
        self.round_id: Any = None
        self.round_pk = 0
        self.wagers: list[dict[str, Any]] = []

    def send(self, spent: Spent | None = None) -> None:
        """`spent`: of Potline alone; the terminal is another's machine."""
        from tables.door.requests import receive

        request = self.terminal.request()
        with spending(spent or Spent()):
            answered = receive(self.table_id, request)
            body = answered.as_json()
        if answered.refused is not None:
            raise answered.refused
        self.terminal.answered(request, 201, body)

    def find_round(self) -> None:
        from tables.models import Round

        self.round_pk = Round.objects.values_list("pk", flat=True).get(uid=self.round_id)

    def tell(self, kind: str) -> None:
        from tests.terminal import stud_bets, stud_wagers

        if kind == "open":
            self.round_id, self.wagers = uuid4(), stud_wagers(SEATS)
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
        seats = {str(seat): deck[seat - 1 :: SEATS][:5] for seat in range(1, SEATS + 1)}
        dealt = {card for hand in seats.values() for card in hand}
        dealer = [card for card in deck if card not in dealt][:5]
        body: dict[str, Any] = {
            "wagers": {"wagers": self.wagers},
            "result": {"wagers": stud_bets(self.wagers), "dealt": {"dealer": dealer, "seats": seats}},
        }
        if kind != "beat":
            self.terminal.tell(kind, self.round_id, body.get(kind))


def set_up() -> None:
    import django

    from config.kit.processes import all_is_loaded

    django.setup()
    all_is_loaded()


def steps(table_id: int) -> dict[str, tuple[int, Spent]]:
    """By kind of step its statements, and what STEPS of them take."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    table = Table(table_id)
    found = {kind: (0, Spent()) for kind in KINDS}
    for number in range(STEPS + 3):
        for kind in KINDS:
            table.tell(kind)
            if number < 3:
                with CaptureQueriesContext(connection) as counted:
                    table.send()
                found[kind] = (len(counted), Spent())
            else:
                table.send(found[kind][1])
    return found


# ------------------------------------------------------------------------------------- one meter, many tables


def no_more_bets(way: str, table_id: int) -> Spent:
    """STEPS times, by one process for one table."""
    set_up()
    table, spent = Table(table_id), Spent()
    if way != "naive":
        table.send()  # its terminal has a session and a lease
        table.send()
    work: Callable[[Spent], None] = {"verb": table.send, "naive": naive, "by hand": by_hand(table)}[way]
    for number in range(STEPS + 3):
        if way != "naive":
            for kind in ("open", "wagers"):
                table.tell(kind)
            table.send()
            table.find_round()
        if way == "verb":
            table.tell("no-more-bets")
        work(spent if number >= 3 else Spent())
        if way != "naive":
            finish(table, way)
    return spent


def finish(table: Table, way: str) -> None:
    """Not measured: the round is closed, so that the next can begin."""
    from django.db import connection, transaction

    if way == "by hand":  # the terminal knows nothing of that event
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")  # a round that nobody told
            cursor.execute(
                "DELETE FROM jackpots_undecidedround u USING tables_round r WHERE u.round_id = r.id AND r.uid = %s",
                [table.round_id],
            )
        table.terminal.number += 1
        table.terminal.head = None
    table.tell("result")
    table.send()


def naive(spent: Spent) -> None:
    from django.db import connection, transaction

    with spending(spent):
        for seat in range(1, SEATS + 1):
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(
                    "INSERT INTO naive_contribution (seat, stake, at) VALUES (%s, 1000000, now())", [seat]
                )
                cursor.execute("UPDATE naive_meter SET value = value + 600000 WHERE id = 1")


def by_hand(table: Table) -> Callable[[Spent], None]:
    import json
    import secrets

    from django.db import connection

    from config.kit.fastsql.statements import rows_of
    from tables.models import Table as Row

    row = Row.objects.select_related("table_log", "premises").get(pk=table.table_id)
    progressive = row.table_log.links.select_related("progressive").get().progressive
    times = dict.fromkeys(("told", "place", "earliest", "latest", "received"), "2026-01-01T00:00:00+00:00")
    lock = json.dumps({**times, "clock": "bench", "late": False})
    body = json.dumps(
        {
            "version": 2,
            "wagers": [
                {"id": f"j{seat}-abcdef", "kind": "jackpot", "stake": "1.00", "seat": seat}
                for seat in range(1, SEATS + 1)
            ],
            "lock": lock,
        }
    )
    legs = [
        f"{row.premises.code}/tables/{row.code}/bank",
        f"{row.premises.code}/jackpots/{progressive.code}/transit",
    ]
    message = body[:300]

    def call(spent: Spent) -> None:
        hashes = secrets.token_bytes(32)
        given = [
            table.table_id,
            row.table_log_id,
            table.round_pk,
            progressive.pk,
            lock,
            body,
            message,
            hashes,
            hashes,
        ]
        with spending(spent):
            rows_of(
                "SELECT bench_no_more_bets(%s, %s, %s, %s, %s::jsonb, %s::jsonb, %s, %s, %s, %s, %s, %s)",
                [*given, legs, ["asset", "liability"], row.premises_id],
            )

    connection.ensure_connection()
    return call


def by_processes(way: str, table_ids: list[int]) -> Spent:
    with ProcessPoolExecutor(len(table_ids), get_context("spawn")) as pool:
        found = list(pool.map(no_more_bets, [way] * len(table_ids), table_ids))
    return Spent(
        sum(one.python for one in found), sum(one.postgres for one in found), max(one.clock for one in found)
    )


def make_tables(floor: Any, count: int) -> list[int]:
    made = add_tables(floor, *(f"B-{number:02}" for number in range(count)))
    return [table.pk for table, _ in made.values()]


def figures() -> list[Figure]:
    from django.db import connection

    from tests.floor import make_floor

    ids = make_tables(make_floor(), TABLES + 1)
    with connection.cursor() as cursor:
        cursor.execute(BY_HAND)
    found = [
        Figure(
            kind if kind == "beat" else f"{kind}, 7 seats",
            spent.each_ms(STEPS),
            f"{statements} statements; Python + PostgreSQL",
        )
        for kind, (statements, spent) in steps(ids.pop()).items()
    ]
    count = STEPS * TABLES
    connection.close()
    spent = {way: by_processes(way, ids) for way in ("naive", "by hand", "verb")}
    rates = {way: count / each.clock for way, each in spent.items()}
    cpu = {way: 1_000 * each.cpu / count for way, each in spent.items()}
    times, share = rates["verb"] / rates["naive"], cpu["by hand"] / cpu["verb"]
    found += [
        Figure(
            f"no more bets of 7 seats, {TABLES} tables, one meter",
            f"{rates['verb']:,.0f}/s, {cpu['verb']:.2f} ms",
            "; ".join(f"{way} {rates[way]:,.0f}/s, {cpu[way]:.2f} ms" for way in ("naive", "by hand")),
        ),
        Figure("… beside the naive way, by the clock", f"{times:.1f} x", "", "at least 4 x", times >= 4),
        Figure("… of the rows by hand, by processor time", f"{share:.0%}", "", "at least 60%", share >= 0.6),
    ]
    return found


if __name__ == "__main__":
    with installation():
        tell(figures())
