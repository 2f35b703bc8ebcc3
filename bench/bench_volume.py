"""Does Potline cost after years what it cost on the first day?

Rounds are filled through the door and the workers, 500 in a request: of linked stud tables today, of others over the
gaming days before (a terminal after an outage may tell of a week). At both sizes the same is measured, several times
each: a beat, the steps of a round, a whole round, settlement, fold, frame, seal, roll-up, the watchdog on what is
new, the checklist of an early day, and the pages. Beside it the bytes of a round on disk, indexes included.

    BENCH_VOLUME="10000 100000" python -m bench.bench_volume      # 1000000: about an hour and a half of a core

Or by hand: an installation is kept in a folder (`BENCH_INSTALLATION`) and filled on from a copy, and both are measured
several times by turns, so that a slow hour of the machine is not taken for growth (`fill`, `measure`, `compare`).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bench.bench_batches import full_rounds, whole_rounds
from bench.bench_steps import KINDS, Table
from bench.figures import Figure, Spent, spending, tell
from bench.installation import add_tables, installation

if TYPE_CHECKING:
    from tests.floor import Floor

SIZES = [int(size) for size in os.environ.get("BENCH_VOLUME", "10000 100000").split()]
REPEATS = int(os.environ.get("BENCH_REPEATS", "7"))
A_REQUEST = 500
WITHIN = 0.2
LOOKED_AT = 20
"""While an installation is filled, the watchdog verifies one stretch of a thousand rounds in so many."""
MAX_VERIFIED = 20_000
"""Rounds of an installation that is verified as a whole: its rate is that of a larger one, which takes longer."""
ROUNDS_A_YEAR = 50 * 45 * 16 * 365
"""Fifty tables, 45 rounds an hour, 16 hours a day."""
PAGES = {
    "sefa": ["/", "/waiting/", "/floor/", "/floor/harbour/tables/R-01/", "/jackpots/", "/jackpots/stud/history/",
             "/search/?q=CS-0"],
    "fiona": ["/finance/journal/", "/finance/days/", "/finance/trial-balance/", "/finance/seals/"],
    "arne": ["/audit/", "/alerts/"],
}  # fmt: skip


class Filled:
    """An installation that is filled to one size after another; one that was kept (`BENCH_INSTALLATION`) is gone on
    with."""

    def __init__(self) -> None:
        from django.test import Client

        from tables.models import Round
        from tables.models import Table as Row

        self.floor = found_floor() or new_floor()
        ids = dict(Row.objects.values_list("code", "pk"))
        # One linked table is filled: hits of several at once would wait for people to rule, and all that comes after.
        self.linked, self.measured, self.plain = (Table(ids[code]) for code in ("CS-01", "CS-02", "R-01"))
        self.still = Table(ids["CS-03"])
        self.numbers = Row.objects.values_list("last_event", flat=True).get(code="R-01")
        self.rounds = Round.objects.count()
        self.rng = Random(11 + self.rounds)
        self.beat()
        self.beat()
        self.clients: dict[str, Client] = {}
        for name in PAGES:
            self.clients[name] = Client(SERVER_NAME="localhost")
            self.clients[name].force_login(self.floor.people[name])

    def fill(self, size: int, seconds: float = float("inf")) -> None:
        """Half of them linked, half over the days before; those after the first size over five others."""
        began, turn = time.monotonic(), 0
        while self.rounds < size and time.monotonic() - began < seconds:
            for body in whole_rounds(self.linked, A_REQUEST, self.rng):
                self.linked.terminal.tell("round", uuid4(), body)
            self.linked.send()
            self._fill_plain(6 if self.rounds < SIZES[0] else 1 + turn % 5)
            self.beat()  # what was told becomes final
            self.catch_up(verified=turn % LOOKED_AT == 0)
            self.rounds += 2 * A_REQUEST
            turn += 1
            if turn % 10 == 0:
                took_s = time.monotonic() - began
                print(f"  {self.rounds:,} rounds, {took_s:.0f} s", flush=True)

    def beat(self) -> None:
        """Of every linked table: others wait for one that says nothing."""
        for table in (self.linked, self.measured, self.still):
            table.send()

    def _fill_plain(self, days_ago: int) -> None:
        from django.utils import timezone

        from tables.door.requests import receive

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

    def catch_up(self, verified: bool = True) -> None:
        from jackpots.fold.folding import fold
        from ledger.books import balances
        from ledger.verify import watchdog
        from tables.settle.settlement import settle_batch

        while settle_batch().settled:
            pass
        seal_all()  # an installation has one each second: the page of the smallest, too, is a full one
        fold(self.floor.progressive.pk)
        seal_all()
        balances.roll_up()
        seal_all()
        self.pay()
        if verified:
            watchdog.run()
        else:
            pass_over()

    def pay(self) -> None:
        """As people do: one verifies, above the limit another approves, what it rests on is sealed, one pays."""
        from jackpots.models import Win
        from jackpots.wins import hand_pay

        sefa, jan = self.floor.people["sefa"], self.floor.people["jan"]
        due = list(Win.objects.filter(state__in=Win.OPEN).order_by("pk").values_list("pk", "state"))
        for number, state in due:  # a fill that was interrupted leaves some on their way
            seen = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "bench"}
            if state == Win.State.PENDING:
                state = hand_pay.verify(number, sefa, seen).state
            if state == Win.State.VERIFIED:
                hand_pay.approve(number, jan)
        seal_all()
        for number, _ in due:
            hand_pay.pay(number, sefa, "cash")


def pass_over() -> None:
    """As if the watchdog had looked: half of a fill would be its second settlement of every round."""
    from ledger.models import Seal
    from ledger.verify import watchdog

    watchdog.remember(Seal.objects.latest("number"))


def seal_all() -> None:
    from ledger.seals import seals

    while seals.seal():
        pass


def new_floor() -> Floor:
    from tests.floor import make_floor, set_alone_limit

    floor = make_floor()
    set_alone_limit(floor, "1000.00")
    add_tables(floor, "R-01", rules={"game": "roulette", "rulebook": "nz-1996"})
    return floor


def found_floor() -> Floor | None:
    from jackpots.models import Progressive
    from people.models import Premises, User
    from tests.floor import Floor

    premises = {one.code: one for one in Premises.objects.all()}
    if not premises:
        return None
    people = {one.username: one for one in User.objects.all()}
    return Floor(premises["harbour"], premises["lakeside"], people, Progressive.objects.get(), {}, {})


class Times:
    """By name what each repeat took: time, and pages of tables and indexes that PostgreSQL looked at, which no other
    work on the machine changes."""

    def __init__(self) -> None:
        self.found: dict[str, list[Spent]] = {}
        self.pages: dict[str, list[int]] = {}

    def add(self, name: str, spent: Spent, pages: int) -> None:
        self.found.setdefault(name, []).append(spent)
        self.pages.setdefault(name, []).append(pages)

    def of(self, name: str, work: Callable[[], object]) -> None:
        spent, before = Spent(), pages_so_far()
        with spending(spent):
            work()
        self.add(name, spent, pages_so_far() - before)


def pages_so_far() -> int:
    from config.kit.fastsql.statements import rows_of

    rows_of("SELECT pg_stat_force_next_flush()", [])
    rows_of("SELECT 1", [])  # the flush follows a statement
    ((pages,),) = rows_of(
        "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()", []
    )
    return int(pages)


def measure(filled: Filled) -> dict[str, list[float]]:
    """By name the medians of its repeats: Python, PostgreSQL, clock, pages."""
    times, filled.rng = Times(), Random(29)  # the same cards, and so the same hits, at every size
    for number in range(REPEATS + 1):
        filled.catch_up()
        if number == 1:
            times = Times()  # plans and caches are warm
        _steps(filled, times)
        _jobs(filled, times)
        for name, paths in PAGES.items():
            for path in paths:
                times.of(path, partial(_page, filled, name, path))
    return {name: [*_median(spent), median(times.pages[name])] for name, spent in times.found.items()}


def _median(of: list[Spent]) -> Iterator[float]:
    return (median(getattr(one, part) for one in of) for part in ("python", "postgres", "clock"))


def _page(filled: Filled, name: str, path: str) -> None:
    answer = filled.clients[name].get(path)
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code}")


def _steps(filled: Filled, times: Times) -> None:
    """Ten of each at a time: PostgreSQL's time is counted in hundredths of a second."""
    table = filled.measured
    requests: dict[str, Spent] = {kind: Spent() for kind in (*KINDS, "whole round")}
    pages = dict.fromkeys(requests, 0)

    def send(kind: str) -> None:
        before = pages_so_far()
        table.send(requests[kind])
        pages[kind] += pages_so_far() - before

    for _ in range(10):
        for kind in KINDS:
            table.tell(kind)
            send(kind)
        (body,) = whole_rounds(table, 1, filled.rng)
        table.terminal.tell("round", uuid4(), body)
        send("whole round")
    for kind, spent in requests.items():
        times.add(f"10 x {kind}", spent, pages[kind])
    for body in whole_rounds(table, 100, filled.rng):
        table.terminal.tell("round", uuid4(), body)
    times.of("100 whole rounds in a request", table.send)


def _jobs(filled: Filled, times: Times) -> None:
    from jackpots.fold.folding import fold
    from jackpots.signs.frames import publish
    from ledger.books import balances
    from ledger.close import closing
    from ledger.models import GamingDay
    from ledger.seals import seals
    from ledger.verify import watchdog
    from tables.settle.settlement import settle_batch

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


def on_disk() -> dict[str, list[int]]:
    """By table, all its months together, its bytes with TOAST, and those of its indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
        cursor.execute(
            "SELECT coalesce(p.relname, c.relname), sum(pg_table_size(c.oid))::bigint,"
            " sum(pg_indexes_size(c.oid))::bigint FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid"
            " LEFT JOIN pg_class p ON p.oid = i.inhparent WHERE c.relkind = 'r'"
            " AND c.relnamespace IN ('public'::regnamespace, 'months'::regnamespace) GROUP BY 1"
        )
        return {name: [size, indexes] for name, size, indexes in cursor.fetchall()}


def information(filled: Filled) -> int:
    """Bytes of a stud round's own message, as its terminal sends it."""
    (body,) = whole_rounds(filled.measured, 1, filled.rng)
    return len(json.dumps(body, separators=(",", ":")))


def sizes(before: dict[str, list[int]], after: dict[str, list[int]], rounds: int) -> list[Figure]:
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
    """One installation, measured at each size."""
    filled, found = Filled(), []
    for size in SIZES:
        filled.fill(size)
        found.append(measured(filled))
    return [
        *compared(found[0], found[-1]),
        Figure("a stud round's own message", f"{information(filled)} bytes"),
    ]


def measured(filled: Filled) -> dict[str, Any]:
    found = {"rounds": filled.rounds, "times": measure(filled), "disk": on_disk()}
    return found | ({"verified": verified(filled)} if filled.rounds <= MAX_VERIFIED else {})


def verified(filled: Filled) -> dict[str, float]:
    """A whole verification, which must grow with history: rounds a second of processor time, and the memory it adds."""
    import resource

    from ledger.verify import verify

    before, spent = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, Spent()
    with spending(spent):
        report = verify.verify()
    if not report.sound:
        raise SystemExit(f"not sound: {report.faults[:3]}")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"a_second": filled.rounds / spent.cpu, "more_mb": (after - before) / 1_024}


def as_one(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Several measurements of one installation, each figure by its median."""
    times = {
        name: [median(values) for values in zip(*(run["times"][name] for run in runs), strict=True)]
        for name in runs[0]["times"]
    }
    return runs[0] | {"times": times}


def compared(first: dict[str, Any], last: dict[str, Any], runs: int = 1) -> list[Figure]:
    rounds = f"{first['rounds']:,} → {last['rounds']:,} rounds"
    by_turns = f" of {runs} runs of each, by turns" if runs > 1 else ""
    found = [Figure(rounds, "", f"Python + PostgreSQL, pages looked at; medians{by_turns}")]
    found += sizes(first["disk"], last["disk"], last["rounds"] - first["rounds"])
    if "verified" in first:
        a_second, more_mb = first["verified"]["a_second"], first["verified"]["more_mb"]
        found.append(
            Figure(
                "a whole verification", f"{a_second:,.0f} rounds a second of a core", f"{more_mb:.0f} MB more"
            )
        )
    for name, (*after, pages) in last["times"].items():
        *before, pages_before = first["times"][name]
        spent, spent_before = Spent(*after), Spent(*before)
        more = spent.cpu / spent_before.cpu - 1 if spent_before.cpu else 0.0
        beside = f"{spent_before.each_ms(1)} → {spent.each_ms(1)}; {pages_before:.0f} → {pages:.0f} pages"
        found.append(Figure(name, f"{more:+.0%}", beside, f"at most +{WITHIN:.0%}", more <= WITHIN))
    return found


def main() -> None:
    """`fill 200`: a kept installation is filled for so many seconds; `measure FILE`; `compare FILE FILE ...`, small
    and large by turns, which is kept for docs/performance.md; else all of it in an installation that goes."""
    if sys.argv[1:2] == ["compare"]:
        from bench.performance import GROWTH, keep, load

        runs = [json.loads(Path(name).read_text()) for name in sys.argv[2:]]
        found = compared(as_one(runs[::2]), as_one(runs[1::2]), len(runs) // 2)
        keep(GROWTH, found, load())
        tell(found)
        return
    with installation():
        if sys.argv[1:2] == ["fill"]:
            Filled().fill(SIZES[-1], float(sys.argv[2]))
        elif sys.argv[1:2] == ["measure"]:
            Path(sys.argv[2]).write_text(json.dumps(measured(Filled())))
        else:
            tell(figures())


if __name__ == "__main__":
    main()
