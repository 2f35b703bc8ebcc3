"""The web server's bounds, seen from outside: what is stuck gets a 503 in words, slow lines hold no slot, sessions are
given back, and a database that was away is found again."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from config.kit.http.admission import Lane, Visit
from config.local.servers import Postgres
from tables.floor.opening import create_table, open_table
from tables.floor.terminals import issue_token
from tables.models import Round, Table
from tests.floor import PASSWORD, Floor
from tests.live import LiveProcesses

pytestmark = pytest.mark.timeout(120)


@contextmanager
def holding(url: str, statement: str, *parameters: Any) -> Iterator[None]:
    with psycopg.connect(url) as stuck:
        stuck.execute(statement.encode(), parameters)
        yield
        stuck.rollback()


def terminal(address: str, floor: Floor, code: str) -> httpx.Client:
    table = floor.tables[code]
    return httpx.Client(
        base_url=f"{address}/api/v1/tables/{table.premises.code}/{code}/",
        headers={"Authorization": f"Bearer {floor.tokens[code]}"},
        timeout=30,
    )


def beat(client: httpx.Client) -> httpx.Response:
    return client.post("events", json={"envelope": {"clock": "c", "sent_at": datetime.now(UTC).isoformat()}})


def dice_round(number: int, round_id: str) -> dict[str, Any]:
    wager = {"id": "w", "kind": "small", "stake": "1.00", "player": "A"}
    body = {"wagers": [wager], "dealt": {"dice": [1, 2, 3]}}
    at = datetime.now(UTC).isoformat()
    return {"number": number, "kind": "round", "at": at, "round": round_id, "body": body}


def until(holds: Callable[[], bool], within_s: float) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def log_in(address: str, name: str) -> httpx.Client:
    client = httpx.Client(base_url=address, timeout=30)
    client.get("/login/")
    form = {"username": name, "password": PASSWORD, "csrfmiddlewaretoken": client.cookies["csrftoken"]}
    assert client.post("/login/", data=form).status_code == 302
    return client


HOLD_TABLE = "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE"


def test_a_stuck_beat_and_a_stuck_page_are_told_to_come_again(
    processes: LiveProcesses, committed_db: str, committed_floor: Floor
) -> None:
    floor = committed_floor
    address, web = processes.start_web()
    door = terminal(address, floor, "CS-01")
    sefa = log_in(address, "sefa")
    before = Table.objects.values().get(pk=floor.tables["CS-01"].pk)
    with holding(committed_db, HOLD_TABLE, floor.tables["CS-01"].pk):
        began = time.monotonic()
        answer = beat(door)
        assert 1.5 < time.monotonic() - began < 10
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        error = answer.json()
        assert (error["code"], error["retry"], error["detail"] != "") == ("busy", True, True)
        token = sefa.cookies["csrftoken"]
        page = sefa.post(
            "/floor/harbour/tables/CS-01/open", data={"open": "no", "csrfmiddlewaretoken": token}
        )
        assert (page.status_code, page.headers["Retry-After"]) == (503, "1")
        assert page.headers["Content-Type"].startswith("text/html")
        assert "try again in a moment" in page.text
        assert sefa.get("/floor/").status_code == 200, "reading waits for nobody"
    assert Table.objects.values().get(pk=floor.tables["CS-01"].pk) == before
    assert beat(door).status_code == 200
    assert "Traceback" not in web.log_text()


def test_a_request_that_is_stuck_is_not_taken_at_all_and_goes_again(
    processes: LiveProcesses, committed_db: str, committed_floor: Floor
) -> None:
    floor = committed_floor
    table = create_table("test", floor.harbour, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"})
    floor.tables["SB-01"] = open_table(table.pk, floor.people["sefa"])
    floor.tables["SB-01"].premises = floor.harbour
    floor.tokens["SB-01"] = issue_token("test", table, "terminal SB-01")
    address, _ = processes.start_web()
    door = terminal(address, floor, "SB-01")
    first, second = str(uuid4()), str(uuid4())
    events = {"events": [dice_round(1, first), dice_round(2, second)]}
    # Another session is about to make a round of the second id: nobody knows yet whether it will.
    making = """
        INSERT INTO tables_round (uid, table_id, number, config_id, state, opened_at, wagers, dealt, decisions,
            irregularities, moments, carried_in, result, attempts, error, not_accepted, jackpots_count)
        SELECT %s, id, 99, config_id, 'open', now(), '[]', '{}', '[]', '[]', '{}', '{}', '{}', 0, '', '[]', true
        FROM tables_table WHERE code = 'CS-02'"""
    with holding(committed_db, making, second):
        answer = door.post("events", json=events)
        assert answer.status_code == 503
        told = answer.json()
        assert (told["code"], told["retry"], told["answers"]) == ("busy", True, [])
        assert not Round.objects.exists()
    again = door.post("events", json=events)
    assert again.status_code == 201
    assert [each["new"] for each in again.json()["answers"]] == [True, True]


def test_a_slow_line_holds_no_slot(processes: LiveProcesses, committed_floor: Floor) -> None:
    """Bodies that never end, at the same table and with its token: its terminal plays on."""
    floor = committed_floor
    address, _ = processes.start_web()
    door = terminal(address, floor, "CS-01")
    host, port = address.removeprefix("http://").split(":")
    head = (
        "POST /api/v1/tables/harbour/CS-01/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
        f"Content-Type: application/json\r\nAuthorization: Bearer {floor.tokens['CS-01']}\r\n\r\n{{"
    )
    lines = [socket.create_connection((host, int(port))) for _ in range(60)]
    for line in lines:
        line.sendall(head.encode())
    time.sleep(0.5)
    began = time.monotonic()
    assert beat(door).status_code == 200
    assert time.monotonic() - began < 2
    for line in lines:
        line.close()


def test_pages_that_are_not_there_give_their_sessions_back(
    processes: LiveProcesses, committed_db: str, committed_floor: Floor
) -> None:
    """Django makes them in other threads than the request's; nobody else would close what these opened."""
    address, _ = processes.start_web(POTLINE_DATABASE_POOL="0")
    cookies = dict(log_in(address, "sefa").cookies)

    def ask(path: str) -> int:
        return httpx.get(address + path, cookies=cookies, timeout=30).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(ask, ["/nothing/", "/finance/journal/", "/floor/harbour/tables/XX/"] * 10))
    assert set(statuses) == {404, 403}
    left = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'potline_web'"
    )
    with psycopg.connect(committed_db, autocommit=True) as eye:
        until(lambda: eye.execute(left.encode()).fetchone() == (0,), within_s=5)


def test_a_database_that_was_away_is_found_again_at_once(
    processes: LiveProcesses, embedded_postgres: Postgres, committed_floor: Floor
) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    door = terminal(address, floor, "CS-01")
    assert beat(door).status_code == 200
    name = psycopg.conninfo.conninfo_to_dict(processes.database_urls["web"])["dbname"]
    end_all = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    end_all += " AND usename = 'potline_web'"
    with psycopg.connect(embedded_postgres.url("postgres"), autocommit=True) as admin:
        admin.execute(end_all.encode())  # as a restart does
        assert beat(door).status_code == 200, "a session that was ended is not handed out"
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        admin.execute(end_all.encode())
        answer = beat(door)
        assert (answer.status_code, answer.json()["retry"]) == (503, True)
        page = httpx.get(address + "/floor/", cookies={"sessionid": "x" * 32}, timeout=30)
        assert (page.status_code, "try again" in page.text) == (503, True)
        ready = httpx.get(address + "/readyz", timeout=3)
        assert "not currently accepting connections" in json.loads(ready.text)["database"]
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
    until(lambda: beat(door).status_code == 200, within_s=10)


def test_a_caller_who_goes_after_the_answer_takes_no_second_slot() -> None:
    """Django goes on listening for the caller's end while it answers: hearing it is no new visit."""

    async def visits() -> tuple[bool, int]:
        lane, under_way = Lane("page", asyncio.Semaphore(1), 0.1, 1), Counter[str]()
        visit = Visit(lane, "owner", under_way)
        await visit.begin()
        visit.end()
        await lane.slots.acquire()  # somebody else's now
        await visit.begin()
        return visit.inside, under_way["owner"]

    assert asyncio.run(visits()) == (False, 0)
