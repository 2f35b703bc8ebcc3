"""What do many rounds, or many wagers, cost beside the rules themselves and beside the bare rows?

1. Catch-up: 500 whole stud rounds of seven seats in one request, a round; beside one request for each, and beside the
   rules' own time (reading the document and settling it).
2. A crowd: a roulette round of 5,000 wagers, from the first chip to the booked lines.
3. Settlement of those stud rounds by a worker, beside the rules' own time and beside a bare COPY of the same lines,
   entries and postings into tables without guards; by one process, then CPU a round by two at once.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any
from uuid import uuid4

from bench.bench_steps import Table, make_tables, set_up
from bench.figures import Figure, Spent, spending, tell
from bench.house import house

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "500"))
CROWD = int(os.environ.get("BENCH_CROWD", "5000"))
SINGLE = 50
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
LIMIT_S = 1.0


def whole_rounds(table: Table, count: int, rng: Random) -> list[dict[str, Any]]:
    from tests.terminal import stud_round

    made = []
    for _ in range(count):
        cards = rng.sample(DECK, 40)
        hands = {seat: " ".join(cards[5 * seat : 5 * seat + 5]) for seat in range(1, 8)}
        at = table.terminal.clock.read()
        made.append(stud_round(hands, first_card=at, dealer=" ".join(cards[:5])))
    return made


def rules_own(table_id: int, bodies: list[dict[str, Any]]) -> Spent:
    from rules import round_from_json, settle
    from tables.models import Table as Row

    rules = Row.objects.select_related("config").get(pk=table_id).config.document
    documents = [{**rules, "wagers": body["wagers"], "dealt": body["dealt"]} for body in bodies]
    settle(round_from_json(documents[0]))  # tables of hands are filled by the first use
    spent = Spent()
    with spending(spent):
        for document in documents:
            settle(round_from_json(document))
    return spent


def catch_up(table: Table, rng: Random) -> tuple[list[Figure], Spent]:
    bodies = whole_rounds(table, ROUNDS, rng)
    own, at_once, one_by_one = rules_own(table.table_id, bodies), Spent(), Spent()
    for body in bodies:
        table.terminal.tell("round", uuid4(), body)
    with spending(at_once):
        table.send()
    for body in whole_rounds(table, SINGLE, rng):
        table.terminal.tell("round", uuid4(), body)
        with spending(one_by_one):
            table.send()
    times = (one_by_one.cpu / SINGLE) / (at_once.cpu / ROUNDS)
    beside = at_once.cpu / own.cpu
    return [
        Figure(
            f"catch-up of {ROUNDS} whole rounds, a round",
            at_once.each_ms(ROUNDS),
            f"rules {own.each_ms(ROUNDS)}; singly {one_by_one.each_ms(SINGLE)}",
        ),
        Figure("… beside single requests", f"{times:.1f} x the rate", "", "at least 5 x", times >= 5),
        Figure("… beside the rules' own time", f"{beside:.1f} x", "", "at most 2.5 x", beside <= 2.5),
    ], own


def crowd(floor: Any, rng: Random) -> list[Figure]:
    from tables.floor import create_table, open_table
    from tables.settlement import settle_batch

    row = create_table("bench", floor.harbour, "R-01", {"game": "roulette", "rulebook": "nz-1996"})
    table = Table(open_table(row.pk, floor.people["sefa"]).pk)
    table.send()
    wagers = [
        {
            "id": f"w{number}",
            "kind": "straight-up",
            "selection": str(rng.randint(1, 36)),
            "stake": "5.00",
            "player": f"p{number}",
        }
        for number in range(CROWD)
    ]
    spent, uid = Spent(), uuid4()
    with spending(spent):
        for kind, body in (
            ("open", None),
            ("wagers", {"wagers": wagers}),
            ("no-more-bets", None),
            ("result", {"dealt": {"number": "17"}}),
        ):
            table.terminal.tell(kind, uid, body)
            table.send()
        while settle_batch().settled:
            pass
    return [
        Figure(
            f"a round of {CROWD:,} wagers, in to settled",
            spent.each_ms(1),
            "Python + PostgreSQL",
            "under 1 s",
            spent.cpu < LIMIT_S,
        )
    ]


# ------------------------------------------------------------------------------------------------- settlement


def settle_all(_: int = 0) -> tuple[int, Spent]:
    set_up()
    from tables.settlement import settle_batch

    total, spent = 0, Spent()
    with spending(spent):
        while done := settle_batch().settled:
            total += done
    return total, spent


def bare_copy() -> Spent:
    """The rows that settlement wrote, once more, into tables without guards and keys."""
    from django.db import connection

    spent = Spent()
    with connection.cursor() as cursor:
        for table in ("tables_wagerline", "ledger_entry", "ledger_posting"):
            cursor.execute(f"CREATE TABLE {table}_bare (LIKE {table} INCLUDING DEFAULTS)")
            cursor.execute(f"SELECT * FROM {table}")
            rows = cursor.fetchall()
            with spending(spent), cursor.copy(f"COPY {table}_bare FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
    return spent


def close_rounds(tables: list[Table], rng: Random) -> None:
    for table in tables:
        for body in whole_rounds(table, ROUNDS // len(tables), rng):
            table.terminal.tell("round", uuid4(), body)
        table.send()


def settlement(tables: list[Table], own: Spent, rng: Random) -> list[Figure]:
    from django.db import connection

    count, one = settle_all()
    bare = bare_copy()
    close_rounds(tables, rng)
    connection.close()
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(settle_all, range(2)))
    both, cpu = sum(done for done, _ in found), sum(spent.cpu for _, spent in found)
    rules = (one.cpu / count) / (own.cpu / ROUNDS)
    rate, more = bare.cpu / one.cpu, (cpu / both) / (one.cpu / count) - 1
    return [
        Figure(
            "settlement of 7 seats, a round, by one process",
            one.each_ms(count),
            f"rules {own.each_ms(ROUNDS)}; bare COPY {bare.each_ms(count)}",
        ),
        Figure("… beside the rules' own time", f"{rules:.1f} x", "", "at most 2.2 x", rules <= 2.2),
        Figure("… of the rate of a bare COPY", f"{rate:.0%}", "", "at least 33%", rate >= 1 / 3),
        Figure(
            "… CPU a round by two processes",
            f"{more:+.0%}",
            f"{both} rounds; each process warms up in it",
            "at most +10%",
            more <= 0.1,
        ),
    ]


def figures() -> list[Figure]:
    from tests.floor import make_floor

    rng, floor = Random(7), make_floor()
    tables = [Table(pk) for pk in make_tables(floor, 4)]
    for table in tables:
        table.send()
        table.send()
    found, own = catch_up(tables[0], rng)
    return [*found, *settlement(tables, own, rng), *crowd(floor, rng)]


if __name__ == "__main__":
    with house():
        tell(figures())
