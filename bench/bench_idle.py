"""What does an idle floor cost? Fifty linked tables beat every two seconds and nobody plays.

Processor time of the web server, the workers, beat, PostgreSQL and Redis, in percent of one core, measured over some
seconds of the real processes; the terminals beat over their lines (WebSockets), as in a casino, from this process,
which is not counted.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from typing import Any

import psutil

from bench.bench_steps import set_up
from bench.figures import Figure, tell
from bench.installation import add_tables, installation, web, worker

TABLES = int(os.environ.get("BENCH_TABLES", "50"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "30"))
BEAT_S = 2.0
GOAL_PERCENT = 5


def make_lines(floor: Any) -> list[tuple[str, str]]:
    """By table its path and the token of its terminal."""
    from django.db import transaction

    from jackpots.log.event_log import close_log

    made = add_tables(floor, *(f"B-{number:02}" for number in range(TABLES)))
    with transaction.atomic():
        for table in floor.tables.values():  # nobody waits for those that have no terminal here
            close_log(table.table_log)
    return [(f"/ws/tables/harbour/{code}/", token) for code, (_, token) in made.items()]


def spent_by_part() -> dict[str, float]:
    """Seconds of processor time so far of what belongs to this bench, by what it is."""
    found: dict[str, float] = {}
    for process in psutil.Process().children(recursive=True):
        try:
            words, times = " ".join(process.cmdline()), process.cpu_times()
        except psutil.Error:
            continue
        part = next(
            (name for name in ("uvicorn", " beat ", "celery", "postgres", "redis") if name in words), ""
        )
        if part:
            name = {"uvicorn": "web", "celery": "workers"}.get(part, part.strip())
            found[name] = found.get(name, 0.0) + times.user + times.system
            found[name] += times.children_user + times.children_system
    return found


async def beat(address: str, path: str, token: str, first_s: float) -> None:
    import json

    from websockets.asyncio.client import connect

    from simulator.terminal.core import Terminal

    terminal = Terminal()
    await asyncio.sleep(first_s)
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(address.replace("http", "ws") + path, additional_headers=headers) as line:
        while True:
            request = terminal.request()
            await line.send(json.dumps({"id": 1, **request}))
            answer = json.loads(await line.recv())
            while "status" not in answer:
                answer = json.loads(await line.recv())
            terminal.answered(request, answer["status"], answer)
            await asyncio.sleep(BEAT_S)


async def floor_beats(address: str, lines: list[tuple[str, str]]) -> dict[str, float]:
    beating = [
        asyncio.create_task(beat(address, path, token, BEAT_S * number / len(lines)))
        for number, (path, token) in enumerate(lines)
    ]
    await asyncio.sleep(4 * BEAT_S)
    before = spent_by_part()
    await asyncio.sleep(SECONDS)
    after = spent_by_part()
    broken = [task for task in beating if task.done()]
    for task in beating:
        task.cancel()
    if broken:
        raise SystemExit(f"{len(broken)} lines broke: {broken[0].exception()!r}")
    return {part: after[part] - before.get(part, 0.0) for part in sorted(after)}


def without_beats() -> dict[str, float]:
    """What workers and servers take for themselves, while the web server is up and nobody says anything."""
    time.sleep(4 * BEAT_S)
    before = spent_by_part()
    time.sleep(SECONDS)
    after = spent_by_part()
    return {part: after[part] - before.get(part, 0.0) for part in after}


def shares(spent: dict[str, float]) -> str:
    return ", ".join(f"{part} {100 * seconds / SECONDS:.1f}%" for part, seconds in sorted(spent.items()))


def figures() -> list[Figure]:
    from django.db import connection

    from tests.floor import make_floor

    set_up()
    lines = make_lines(make_floor())
    connection.close()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        worker("worker", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat"),
        worker("beat", "--scheduler", "config.beat_clock:BeatClock", "--pidfile="),
        web(port) as address,
    ):
        jobs = without_beats()
        spent = asyncio.run(floor_beats(address, lines))
    whole, jobs_percent = (100 * sum(times.values()) / SECONDS for times in (spent, jobs))
    a_beat_ms = 10 * (whole - jobs_percent) / (TABLES / BEAT_S)
    return [
        Figure(
            f"idle: {TABLES} linked tables beat every {BEAT_S:.0f} s",
            f"{whole:.1f}% of a core",
            shares(spent),
            f"a few percent (at most {GOAL_PERCENT}%)",
            whole <= GOAL_PERCENT,
        ),
        Figure(
            "… of it jobs of workers, with every table silent",
            f"{jobs_percent:.1f}% of a core",
            f"{shares(jobs)}; so that a beat costs {a_beat_ms:.2f} ms in all processes together",
        ),
    ]


if __name__ == "__main__":
    with installation():
        tell(figures())
