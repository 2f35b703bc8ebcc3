"""Does the house cost after years what it cost on the first day?

Rounds are filled through the door and the workers, 500 in a request: of linked stud tables today, of others over the
gaming days before (a terminal after an outage may tell of a week). At both sizes the same is measured, several times
each: a beat, the steps of a round, a whole round, settlement, fold, frame, seal, roll-up, the watchdog on what is
new, the checklist of an early day, and the pages. Beside it the bytes of a round on disk, indexes included.

    BENCH_VOLUME="10000 100000" python -m bench.bench_volume      # 1000000: about an hour of a core
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random
from statistics import median
from uuid import uuid4

from bench.bench_batches import full_rounds, whole_rounds
from bench.bench_steps import KINDS, Table, make_tables
from bench.figures import Figure, Spent, spending, tell
from bench.house import add_tables, house

SIZES = [int(size) for size in os.environ.get("BENCH_VOLUME", "10000 100000").split()]
REPEATS = int(os.environ.get("BENCH_REPEATS", "7"))
A_REQUEST = 500
WITHIN = 0.2
TICKS_S = 0.02
"""PostgreSQL's time is counted in hundredths of a second: a difference below two of them says nothing."""
ROUNDS_A_YEAR = 50 * 45 * 16 * 365
"""Fifty tables, 45 rounds an hour, 16 hours a day."""
PAGES = {
    "sefa": ["/", "/waiting/", "/floor/", "/floor/harbour/tables/R-01/", "/jackpots/", "/jackpots/stud/history/",
             "/search/?q=CS-0"],
    "fiona": ["/finance/journal/", "/finance/days/", "/finance/trial-balance/", "/finance/seals/"],
    "arne": ["/audit/", "/alerts/"],
}  # fmt: skip


class Filled:
    """A house that is filled to one size after another."""

    def __init__(self) -> None:
        from django.test import Client

        from tests.floor import make_floor

        self.rng, self.floor, self.rounds = Random(11), make_floor(), 0
        # One linked table is filled: hits of several at once would wait for people to rule, and all that comes after.
        self.linked, self.measured = (Table(pk) for pk in make_tables(self.floor, 2))
        roulette = add_tables(self.floor, "R-01", rules={"game": "roulette", "rulebook": "nz-1996"})
        self.plain = Table(roulette["R-01"][0].pk)
        self.numbers = 0
        self.beat()
        self.beat()
        self.clients: dict[str, Client] = {}
        for name in PAGES:
            self.clients[name] = Client(SERVER_NAME="localhost")
            self.clients[name].force_login(self.floor.people[name])

    def fill(self, size: int) -> None:
        """Half of them linked, half over the days before."""
        days = [6] if not self.rounds else [5, 4, 3, 2, 1]
        began, turn = time.monotonic(), 0
        while self.rounds < size:
            for body in whole_rounds(self.linked, A_REQUEST, self.rng):
                self.linked.terminal.tell("round", uuid4(), body)
            self.linked.send()
            self._fill_plain(days[turn % len(days)])
            self.beat()  # what was told becomes final
            self.catch_up()
            self.rounds += 2 * A_REQUEST
            turn += 1
            if turn % 10 == 0:
                took_s = time.monotonic() - began
                print(f"  {self.rounds:,} rounds, {took_s:.0f} s", flush=True)

    def beat(self) -> None:
        self.linked.send()
        self.measured.send()

    def _fill_plain(self, days_ago: int) -> None:
        from django.utils import timezone

        from tables.requests import receive

        at, events = timezone.now() - timedelta(days=days_ago), []
        for body in full_rounds(self.plain, A_REQUEST):
            self.numbers += 1
            at += timedelta(microseconds=1)
            events.append(
                {
                    "number": self.numbers,
                    "kind": "round",
                    "at": at.isoformat(),
                    "round": str(uuid4()),
                    "body": body,
                }
            )
        answered = receive(self.plain.table_id, {"events": events})
        if answered.refused is not None:
            raise answered.refused

    def catch_up(self) -> None:
        from jackpots.folding import fold
        from ledger import balances, seals
        from tables.settlement import settle_batch

        while settle_batch().settled:
            pass
        fold(self.floor.progressive.pk)
        balances.roll_up()
        while seals.seal():
            pass


class Times:
    """By name what each repeat took."""

    def __init__(self) -> None:
        self.found: dict[str, list[Spent]] = {}

    def add(self, name: str, spent: Spent) -> None:
        self.found.setdefault(name, []).append(spent)

    def of(self, name: str, work: Callable[[], object]) -> None:
        spent = Spent()
        with spending(spent):
            work()
        self.add(name, spent)


def measure(filled: Filled) -> dict[str, Spent]:
    """By name the median of its repeats."""
    times = Times()
    for number in range(REPEATS + 1):
        if number == 1:
            times.found.clear()  # plans and caches are warm
        _steps(filled, times)
        _jobs(filled, times)
        for name, paths in PAGES.items():
            for path in paths:
                times.of(path, partial(_page, filled, name, path))
    return {name: _median(spent) for name, spent in times.found.items()}


def _median(of: list[Spent]) -> Spent:
    return Spent(*(median(getattr(one, part) for one in of) for part in ("python", "postgres", "clock")))


def _page(filled: Filled, name: str, path: str) -> None:
    answer = filled.clients[name].get(path)
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code}")


def _steps(filled: Filled, times: Times) -> None:
    """Ten of each at a time: PostgreSQL's time is counted in hundredths of a second."""
    table = filled.measured
    requests: dict[str, Spent] = {kind: Spent() for kind in (*KINDS, "whole round")}
    for _ in range(10):
        for kind in KINDS:
            table.tell(kind)
            table.send(requests[kind])
        (body,) = whole_rounds(table, 1, filled.rng)
        table.terminal.tell("round", uuid4(), body)
        table.send(requests["whole round"])
    for kind, spent in requests.items():
        times.add(f"10 x {kind}", spent)
    for body in whole_rounds(table, 100, filled.rng):
        table.terminal.tell("round", uuid4(), body)
    times.of("100 whole rounds in a request", table.send)


def _jobs(filled: Filled, times: Times) -> None:
    from jackpots.folding import fold
    from jackpots.signs.frames import publish
    from ledger import balances, closing, seals, watchdog
    from ledger.models import GamingDay
    from tables.settlement import settle_batch

    progressive = filled.floor.progressive.pk
    times.of("settlement of 120 rounds", settle_batch)
    filled.beat()
    times.of("fold", lambda: fold(progressive))
    times.of("frame", lambda: publish(progressive))
    times.of("roll-up", balances.roll_up)
    times.of("seal", seals.seal)
    times.of("seal, nothing new", seals.seal)
    times.of("watchdog", watchdog.run)
    day = GamingDay.objects.filter(premises=filled.floor.harbour).order_by("date").first()
    if day is not None:
        times.of("checklist of an early day", lambda: closing.checklist(day))


# ------------------------------------------------------------------------------------------------------- on disk


def on_disk() -> dict[str, tuple[int, int]]:
    """By table its bytes with TOAST, and those of its indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
        cursor.execute(
            "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::regnamespace"
        )
        return {name: (size, indexes) for name, size, indexes in cursor.fetchall()}


def information(filled: Filled) -> int:
    """Bytes of a stud round's own message, as its terminal sends it."""
    (body,) = whole_rounds(filled.measured, 1, filled.rng)
    return len(json.dumps(body, separators=(",", ":")))


def sizes(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]], rounds: int) -> list[Figure]:
    grown = {
        name: (size - before[name][0], indexes - before[name][1]) for name, (size, indexes) in after.items()
    }
    total = sum(map(sum, grown.values())) / rounds
    largest = sorted(grown.items(), key=lambda item: -sum(item[1]))[:8]
    parts = ", ".join(f"{name} {sum(both) / rounds:.0f}" for name, both in largest if sum(both) > 0)
    indexes = sum(of_indexes for _, of_indexes in grown.values()) / rounds
    return [
        Figure("bytes a round on disk", f"{total:.0f}", f"of it indexes {indexes:.0f}; {parts}"),
        Figure("a year at 50 tables", f"{total * ROUNDS_A_YEAR / 1e9:.0f} GB", f"{ROUNDS_A_YEAR:,} rounds"),
    ]


def figures() -> list[Figure]:
    filled = Filled()
    filled.fill(SIZES[0])
    first, disk = measure(filled), on_disk()
    rounds, found = filled.rounds, []
    for size in SIZES[1:]:
        filled.fill(size)
        last, disk_now = measure(filled), on_disk()
        found += sizes(disk, disk_now, filled.rounds - rounds)
        for name, spent in last.items():
            more = spent.cpu / first[name].cpu - 1 if first[name].cpu else 0.0
            kept = more <= WITHIN or spent.cpu - first[name].cpu < TICKS_S
            found.append(
                Figure(
                    f"{name}: {SIZES[0]:,} → {filled.rounds:,} rounds",
                    f"{more:+.0%}",
                    f"{first[name].each_ms(1)} → {spent.each_ms(1)}",
                    f"at most +{WITHIN:.0%}",
                    kept,
                )
            )
    found.append(Figure("a stud round's own message", f"{information(filled)} bytes"))
    return found


if __name__ == "__main__":
    with house():
        tell(figures())
