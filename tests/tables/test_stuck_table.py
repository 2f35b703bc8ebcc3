"""One table's row is held by a stuck session while its terminal retries: the others play on, and nothing is lost.

Real processes: the web server under uvicorn, a worker, and a raw session that holds the row.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from tables.models import Round, TableEvent
from tests.floor import Floor
from tests.live import LiveProcesses
from tests.terminal import PLAIN, stud_round

IN_TIME_S = 1.0
AT_ONCE = 200
STUCK_S = 8.0


def round_event(number: int, round_id: UUID) -> dict[str, Any]:
    now = datetime.now(UTC)
    body = stud_round({1: PLAIN[0]}, first_card=now)
    return {"number": number, "kind": "round", "at": now.isoformat(), "round": str(round_id), "body": body}


@contextmanager
def held(url: str, statement: str, *parameters: Any) -> Iterator[None]:
    """A session that took a lock and then did nothing more."""
    with psycopg.connect(url) as stuck:
        assert stuck.execute(statement.encode(), parameters).fetchall()
        yield
        stuck.rollback()


class Door:
    """A table's terminal over HTTP."""

    def __init__(self, address: str, floor: Floor, code: str) -> None:
        table = floor.tables[code]
        self.root = f"{address}/api/v1/tables/{table.premises.code}/{code}"
        self.headers = {"Authorization": f"Bearer {floor.tokens[code]}"}
        self.client = httpx.Client(headers=self.headers, timeout=30)

    def send(self, event: dict[str, Any]) -> httpx.Response:
        return self.client.post(f"{self.root}/events", json={"events": [event]})

    def beat(self, last_number: int) -> httpx.Response:
        times = {"clock": "c1", "sent_at": datetime.now(UTC).isoformat(), "last_number": last_number}
        return self.client.post(f"{self.root}/events", json={"envelope": times})


class Retrying(threading.Thread):
    """A terminal that sends the same event from many connections at once, again and again; some hang up early."""

    def __init__(self, door: Door, event: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.door, self.event = door, event
        self.ended = threading.Event()
        self.statuses: Counter[int] = Counter()
        self.refusals: list[httpx.Response] = []

    def run(self) -> None:
        asyncio.run(self._all())

    async def _all(self) -> None:
        tls = httpx.create_ssl_context()
        await asyncio.gather(*(self._again(tls, 1 if n % 10 == 0 else 20) for n in range(AT_ONCE)))

    async def _again(self, tls: ssl.SSLContext, patience_s: float) -> None:
        # A client each: one pool of two hundred connections looks through all of them at every request, and on a busy
        # machine does nothing else.
        async with httpx.AsyncClient(headers=self.door.headers, verify=tls, timeout=patience_s) as client:
            while not self.ended.is_set():
                try:
                    answer = await client.post(f"{self.door.root}/events", json={"events": [self.event]})
                except httpx.TransportError:
                    self.statuses[0] += 1
                    continue
                self.statuses[answer.status_code] += 1
                if answer.status_code == 503:
                    self.refusals.append(answer)
                await asyncio.sleep(float(answer.headers.get("Retry-After", "1")))


class Backends(threading.Thread):
    """The most sessions of the application's role at any moment."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.most, self.ended = url, 0, threading.Event()

    def run(self) -> None:
        count = b"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'potline_web'"
        with psycopg.connect(self.url, autocommit=True) as eye:
            while not self.ended.wait(0.1):
                row = eye.execute(count).fetchone()
                self.most = max(self.most, row[0] if row else 0)


def until(holds: Callable[[], bool], what: str, within_s: float = 90) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def settled(round_id: UUID) -> bool:
    return Round.objects.filter(uid=round_id, state=Round.State.SETTLED).exists()


@pytest.mark.timeout(180)
def test_others_play_on_while_a_stuck_table_retries(
    processes: LiveProcesses, committed_db: str, committed_floor: Floor
) -> None:
    floor = committed_floor
    address, web = processes.start_web()
    processes.start_worker(concurrency=2)
    processes.start_beat()
    stuck, other = Door(address, floor, "CS-01"), Door(address, floor, "CS-02")
    assert other.beat(0).status_code == 200
    first = uuid4()
    assert other.send(round_event(1, first)).status_code == 201, "a new process reads its rules once"
    event = round_event(1, uuid4())
    retrying, backends = Retrying(stuck, event), Backends(committed_db)
    rounds: list[UUID] = [first]
    times_s: list[float] = []

    with held(committed_db, "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE", floor.tables["CS-01"].pk):
        backends.start()
        retrying.start()
        ends = time.monotonic() + STUCK_S
        while time.monotonic() < ends:
            rounds.append(uuid4())
            began = time.monotonic()
            answer = other.send(round_event(len(rounds), rounds[-1]))
            times_s.append(time.monotonic() - began)
            assert answer.status_code == 201, answer.text
            assert other.beat(len(rounds)).status_code == 200
            page = httpx.get(f"{address}/login/", timeout=IN_TIME_S)
            assert page.status_code == 200
            time.sleep(0.1)
        until(lambda: all(map(settled, rounds)), "the other table's rounds are settled meanwhile", 5)
        assert not TableEvent.objects.filter(table=floor.tables["CS-01"]).exists()
    until(lambda: retrying.statuses[201] + retrying.statuses[200] > 0, "taken once the row is free")
    retrying.ended.set()
    retrying.join(30)
    backends.ended.set()

    assert max(times_s) < IN_TIME_S, times_s
    assert backends.most <= 40, backends.most
    # 429: so many requests of one token are also more than one may send.
    assert set(retrying.statuses) <= {0, 200, 201, 429, 503}, retrying.statuses
    # Whose request was taken may have hung up before the answer came; the others are told then that it was taken.
    assert retrying.statuses[201] == 1 or (retrying.statuses[201] == 0 and retrying.statuses[0]), (
        retrying.statuses
    )
    for refusal in retrying.refusals:
        error = refusal.json()
        assert (error["code"], error["retry"]) == ("busy", True)
        assert int(refusal.headers["Retry-After"]) >= 1
    until(lambda: settled(UUID(event["round"])), "the stuck table's round is settled too")
    assert TableEvent.objects.filter(table=floor.tables["CS-01"]).count() == 1
    assert "Traceback" not in web.log_text()
