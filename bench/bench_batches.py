"""What do many rounds, or many wagers, cost beside the rules themselves and beside the bare rows?

1. Catch-up: 500 whole stud rounds of seven seats in one request, a round; beside one request for each, and beside the
   rules' own time (reading the document and settling it).
2. A crowd: a roulette round of 5,000 wagers, from the first chip to the booked lines.
3. Settlement of those stud rounds by a worker, then of full tables of stud, blackjack, roulette and baccarat mixed:
   beside the rules' own time and beside a bare COPY of the same lines, entries and postings into tables without
   guards; by one process, then CPU a round by two at once.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import Any
from uuid import uuid4

from bench.bench_steps import Table, make_tables, set_up
from bench.figures import Figure, Spent, spending, tell
from bench.installation import add_tables, installation

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "500"))
CROWD = int(os.environ.get("BENCH_CROWD", "5000"))
SINGLE = 50
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
LIMIT_S = 1.0
WARM_UP = 10
"""Rounds that a process takes in, or settles, before it is measured: its first statements are planned, its tables of
hands filled."""


def whole_rounds(table: Table, count: int, rng: Random) -> list[dict[str, Any]]:
    from tests.terminal import stud_round

    made = []
    for _ in range(count):
        cards = rng.sample(DECK, 40)
        hands = {seat: " ".join(cards[5 * seat : 5 * seat + 5]) for seat in range(1, 8)}
        at = table.terminal.clock.read()
        made.append(stud_round(hands, first_card=at, dealer=" ".join(cards[:5])))
    return made


MIXED = ("blackjack", "roulette", "baccarat")


def mixed_tables(floor: Any) -> list[Table]:
    from bench.full_tables import full_table
    from rules import find_game

    made = []
    for name in MIXED:
        document = full_table(find_game(name, "nz-1996"))
        rules = {key: document[key] for key in ("game", "rulebook", "limits")}
        row, _ = add_tables(floor, f"M-{name}", rules=rules)[f"M-{name}"]
        made.append(Table(row.pk))
        made[-1].send()
    return made


@cache
def full_rounds(table: Table, count: int) -> list[dict[str, Any]]:
    """Of a table without a jackpot: all places taken, by the layout of its game; the same ones each time."""
    from bench.full_tables import full_table
    from tables.models import Table as Row

    game = Row.objects.select_related("config").get(pk=table.table_id).config.game
    documents = [full_table(game, seed) for seed in range(count)]
    return [
        {key: document[key] for key in ("wagers", "dealt", "decisions") if key in document}
        for document in documents
    ]


def rules_own(table_id: int, bodies: list[dict[str, Any]]) -> Spent:
    from rules import round_from_json, settle
    from tables.models import Table as Row

    rules = Row.objects.select_related("config").get(pk=table_id).config.document
    known = ("wagers", "dealt", "decisions")
    documents = [{**rules, **{key: body[key] for key in known if key in body}} for body in bodies]
    settle(round_from_json(documents[0]))  # tables of hands are filled by the first use
    spent = Spent()
    with spending(spent):
        for document in documents:
            settle(round_from_json(document))
    return spent


def catch_up(table: Table, rng: Random) -> tuple[list[Figure], Spent]:
    for body in whole_rounds(table, WARM_UP, rng):
        table.terminal.tell("round", uuid4(), body)
    table.send()
    bodies = whole_rounds(table, ROUNDS, rng)
    own, at_once, one_by_one = rules_own(table.table_id, bodies), Spent(), Spent()
    for body in bodies:
        table.terminal.tell("round", uuid4(), body)
    table.send(at_once)
    for body in whole_rounds(table, SINGLE, rng):
        table.terminal.tell("round", uuid4(), body)
        table.send(one_by_one)
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


ROOMS = ("rules", "tables", "jackpots", "ledger", "people", "config", "django", "psycopg")


def python_by_room(table: Table, rng: Random) -> list[Figure]:
    """Where Python's time of a caught-up round goes: a request under the profiler, by whose code was running. What a
    room's code calls of the standard library (hashing, JSON, times) is told apart."""
    profile = cProfile.Profile(time.process_time)
    for body in whole_rounds(table, ROUNDS // 2, rng):
        table.terminal.tell("round", uuid4(), body)
    request = table.terminal.request()
    from tables.door.requests import receive

    profile.enable()
    answered = receive(table.table_id, request)
    profile.disable()
    table.terminal.answered(request, 201, answered.as_json())
    spent: Counter[str] = Counter()
    for (path, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        room = next((room for room in ROOMS if f"/{room}/" in path), "standard library")
        spent[room] += own
    shares = ", ".join(f"{room} {each / spent.total():.0%}" for room, each in spent.most_common())
    return [Figure("… Python's part by whose code runs, under a profiler", "", shares)]


def crowd(floor: Any, rng: Random) -> list[Figure]:
    from tables.settle.settlement import settle_batch

    row, _ = add_tables(floor, "R-01", rules={"game": "roulette", "rulebook": "nz-1996"})["R-01"]
    table = Table(row.pk)
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
    from tables.settle.settlement import settle_batch

    total, spent = 0, Spent()
    settle_batch(WARM_UP)
    with spending(spent):
        while done := settle_batch().settled:
            total += done
    return total, spent


SETTLED_ROWS = {
    "tables_wagerline": "round_id = ANY(%s)",
    "ledger_entry": "reference = ANY(%s) AND kind = 'round'",
    "ledger_posting": "entry_id IN (SELECT id FROM ledger_entry WHERE reference = ANY(%s) AND kind = 'round')",
}


def bare_copy(count: int) -> Spent:
    """The rows that settlement wrote last, once more, into tables without guards and keys."""
    from django.db import connection

    from tables.models import Round

    spent = Spent()
    newest = Round.objects.filter(state="settled").order_by("-settled_at", "-pk").values_list("pk", flat=True)
    ids = list(newest[:count])
    with connection.cursor() as cursor:
        for table, which in SETTLED_ROWS.items():
            cursor.execute(f"CREATE TABLE IF NOT EXISTS {table}_bare (LIKE {table} INCLUDING DEFAULTS)")
            given = ids if table == "tables_wagerline" else [f"round:{pk}" for pk in ids]
            cursor.execute(f"SELECT * FROM {table} WHERE {which}", [given])
            rows = cursor.fetchall()
            with spending(spent), cursor.copy(f"COPY {table}_bare FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
    return spent


def close_rounds(given: list[tuple[Table, list[dict[str, Any]]]]) -> Spent:
    """Whole rounds by table; gives the rules' own time for them."""
    own = Spent()
    for table, bodies in given:
        spent = rules_own(table.table_id, bodies)
        own.python, own.postgres = own.python + spent.python, own.postgres + spent.postgres
        for body in bodies:
            table.terminal.tell("round", uuid4(), body)
        table.send()
    return own


def settlement(
    name: str, own: Spent, expected: int, again: list[tuple[Table, list[dict[str, Any]]]]
) -> list[Figure]:
    """Of the rounds that are closed by now, by one process; then of others like them, by two."""
    from django.db import connection

    count, one = settle_all()
    if count != expected - WARM_UP:
        raise SystemExit(f"{count} of {expected} rounds were settled")
    bare = bare_copy(count)
    close_rounds(again)
    connection.close()
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(settle_all, range(2)))
    both, cpu = sum(done for done, _ in found), sum(spent.cpu for _, spent in found)
    rules = (one.cpu / count) / (own.cpu / expected)
    rate, more = bare.cpu / one.cpu, (cpu / both) / (one.cpu / count) - 1
    return [
        Figure(
            f"settlement of {name}, a round, by one process",
            one.each_ms(count),
            f"rules {own.each_ms(expected)}; bare COPY {bare.each_ms(count)}",
        ),
        Figure("… beside the rules' own time", f"{rules:.1f} x", "", "at most 2.2 x", rules <= 2.2),
        Figure("… of the rate of a bare COPY", f"{rate:.0%}", "", "at least 33%", rate >= 1 / 3),
        Figure(
            "… CPU a round by two processes",
            f"{more:+.0%}",
            f"{both} rounds",
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
    mixed = [*mixed_tables(floor), tables[1]]
    part = ROUNDS // len(mixed)

    def some(table: Table) -> list[dict[str, Any]]:
        return whole_rounds(table, part, rng) if table in tables else full_rounds(table, part)

    found, own = catch_up(tables[0], rng)
    found += python_by_room(tables[0], rng)
    closed = WARM_UP + ROUNDS + SINGLE + ROUNDS // 2
    own.python *= closed / ROUNDS  # the others, too, are settled here
    found += settlement(
        "7 seats of stud",
        own,
        closed,
        [(each, whole_rounds(each, part, rng)) for each in tables],
    )
    own = close_rounds([(table, some(table)) for table in mixed])
    found += settlement(
        "4 games mixed, full tables", own, part * len(mixed), [(each, some(each)) for each in mixed]
    )
    return [*found, *crowd(floor, rng)]


if __name__ == "__main__":
    with installation():
        tell(figures())
