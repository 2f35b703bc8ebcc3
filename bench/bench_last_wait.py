"""How long after the last thing that a win had to wait for is it resolved?

Fifty linked stud tables beat every two seconds, as their terminals do; one after another they have a hit. Measured by
PostgreSQL's clock, up to the commit of the fold that resolved the win:

1. from the last watermark: the moment at which the last of the fifty tables had vouched beyond the hit;
2. from the last decision: another table's round had locked before the hit and is decided only after everybody has
   vouched;
3. the wait itself, from the hit's own moment: what a floor that beats every two seconds takes, not what we do.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

from bench.installation import add_tables, installation, quantile, worker

TABLES = int(os.environ.get("BENCH_TABLES", "50"))
HITS = int(os.environ.get("BENCH_HITS", "40"))
BEAT_S = 2.0
THREADS = 4
GOAL_MS = 250
FLUSH = "2d 4d 6d 8d Jd"


@dataclass
class Seat:
    """A table with its terminal, and when it had vouched for what."""

    table_id: int
    log_id: int
    terminal: Any
    busy: threading.Lock = field(default_factory=threading.Lock)
    vouched: list[tuple[datetime, datetime]] = field(default_factory=list)

    def send(self) -> None:
        from django.db import connection

        from tables.door.requests import receive

        with self.busy:
            request = self.terminal.request()
            answered = receive(self.table_id, request)
            assert answered.refused is None, answered.refused
            self.terminal.answered(request, 201, answered.as_json())
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT clock_timestamp(), watermark FROM jackpots_tablelog WHERE id = %s", [self.log_id]
                )
                self.vouched.append(cursor.fetchone())

    def passed(self, instant: datetime) -> datetime:
        """When it had vouched beyond an instant."""
        return next(at for at, watermark in self.vouched if watermark > instant)

    def lock(self) -> tuple[Any, list[dict[str, Any]]]:
        from tests.terminal import stud_wagers

        round_id, wagers = uuid4(), stud_wagers(1)
        self.terminal.tell("open", round_id)
        self.terminal.tell("wagers", round_id, {"wagers": wagers})
        self.terminal.tell("no-more-bets", round_id)
        self.send()
        return round_id, wagers

    def result(self, round_id: Any, wagers: list[dict[str, Any]], hand: str) -> datetime:
        from tests.terminal import DEALER, stud_bets

        dealt = {"dealer": DEALER.split(), "seats": {"1": hand.split()}}
        self.terminal.tell("result", round_id, {"wagers": stud_bets(wagers), "dealt": dealt})
        self.send()
        return self.vouched[-1][0]


def make_seats(floor: Any) -> list[Seat]:
    from simulator.terminal.core import Terminal

    made = add_tables(floor, *(f"B-{number:02}" for number in range(TABLES)))
    return [Seat(table.pk, table.table_log_id, Terminal()) for table, _ in made.values()]


def beat(seats: list[Seat], stop: threading.Event, late_ms: list[float]) -> None:
    """These tables, evenly over two seconds; how far behind its time each beat began."""
    from django.db import connection

    due = time.monotonic()
    while not stop.is_set():
        for seat in seats:
            due += BEAT_S / len(seats)
            stop.wait(max(0.0, due - time.monotonic()))
            late_ms.append(1_000 * (time.monotonic() - due))
            seat.send()
    connection.close()


def resolved_at(round_uid: Any, deadline_s: float = 120) -> tuple[Any, datetime]:
    """The hit's share, and when its win was there to be read."""
    from django.db import connection

    from jackpots.models import Win
    from tables.models import Round

    pk = Round.objects.values_list("pk", flat=True).get(uid=round_uid)
    end = time.monotonic() + deadline_s
    while time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp() FROM jackpots_win WHERE round_id = %s", [pk])
            found = cursor.fetchone()
        if found:
            return Win.objects.select_related("share").get(round_id=pk).share, found[0]
        time.sleep(0.004)
    raise SystemExit(f"the win of round {pk} was not resolved in {deadline_s} s")


def ms(later: datetime, earlier: datetime) -> float:
    return (later - earlier).total_seconds() * 1_000


def one_hit(seats: list[Seat], number: int) -> tuple[float, float]:
    """From the last watermark, and the whole wait."""
    seat = seats[number % len(seats)]
    round_id, wagers = seat.lock()
    seat.terminal.mark(round_id, "first-card")
    seat.send()
    seat.result(round_id, wagers, FLUSH)
    share, resolved = resolved_at(round_id)
    last = max(each.passed(share.latest) for each in seats)
    return ms(resolved, last), ms(resolved, share.place)


def one_hit_behind_a_round(seats: list[Seat], number: int) -> float:
    """From the decision of a round that had locked before."""
    from tests.terminal import PLAIN

    seat, other = seats[number % len(seats)], seats[(number + 1) % len(seats)]
    slow, slow_wagers = other.lock()
    round_id, wagers = seat.lock()
    seat.terminal.mark(round_id, "first-card")
    seat.send()
    told = seat.result(round_id, wagers, FLUSH)
    while any(each.vouched[-1][1] <= told for each in seats):
        time.sleep(0.02)
    decided = other.result(slow, slow_wagers, PLAIN[0])
    return ms(resolved_at(round_id)[1], decided)


def tell(name: str, values: list[float], unit: str = "ms") -> None:
    print(f"{name:<62} p50 {quantile(values, 0.5):>7,.0f} {unit}, p99 {quantile(values, 0.99):>7,.0f} {unit}")


def main() -> None:
    with installation():
        from django.db import transaction

        from jackpots.log.event_log import close_log
        from tests.floor import make_floor

        floor = make_floor()
        with transaction.atomic():
            for table in floor.tables.values():
                close_log(table.table_log)
        seats, stop, late_ms = make_seats(floor), threading.Event(), list[float]()
        threads = [
            threading.Thread(target=beat, args=(seats[first::THREADS], stop, late_ms))
            for first in range(THREADS)
        ]
        with (
            worker(
                "worker", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat"
            ),
            worker("beat", "--scheduler", "config.beat_clock:BeatClock", "--pidfile="),
        ):
            for thread in threads:
                thread.start()
            time.sleep(12)
            late_ms.clear()
            hits = [one_hit(seats, number) for number in range(HITS)]
            behind = [one_hit_behind_a_round(seats, number) for number in range(HITS // 2)]
        stop.set()
        for thread in threads:
            thread.join()
        print(f"{TABLES} tables beat every {BEAT_S:.0f} s, {HITS} hits and {HITS // 2} behind another round")
        tell("last watermark → resolved win", [lag for lag, _ in hits])
        tell("last decision → resolved win", behind)
        tell("the floor's own wait: moment of the hit → resolved win", [wait for _, wait in hits])
        tell("(how late the beats themselves began here)", late_ms)
        worst = max(quantile([lag for lag, _ in hits], 0.99), quantile(behind, 0.99))
        print(f"goal: p99 under {GOAL_MS} ms: {'kept' if worst < GOAL_MS else 'NOT kept'} on this machine")


if __name__ == "__main__":
    main()
