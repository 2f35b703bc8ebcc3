"""What does a step cost Potline over HTTP and over the terminal's line (WebSocket), beside bare Django's empty view?

A stud table of seven seats tells its rounds step by step (open, wagers, no more bets, result), one request each, over a
connection that stays; processor time of the web process and of PostgreSQL, a step. Beside them the same web server with
nothing but Django and an empty answer.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil

from bench.bench_steps import KINDS, Table, set_up
from bench.figures import Figure, tell
from bench.installation import ROOT, add_tables, installation, web

ROUNDS = int(os.environ.get("BENCH_DOOR_ROUNDS", "60"))
WARM_UP = 5
STEPS = [kind for kind in KINDS if kind != "beat"]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def spent_s() -> tuple[float, float]:
    """Seconds of processor time so far of the web processes and of PostgreSQL's that are ours."""
    found = {"uvicorn": 0.0, "postgres": 0.0}
    for process in psutil.Process().children(recursive=True):
        try:
            words, times = " ".join(process.cmdline()), process.cpu_times()
        except psutil.Error:
            continue
        for part in found:
            if part in words:
                found[part] += times.user + times.system + times.children_user + times.children_system
                break
    return found["uvicorn"], found["postgres"]


class Measured:
    """A figure of many steps, after some that warm up."""

    def __init__(self) -> None:
        self.begun: tuple[float, float] | None = None
        self.steps = 0

    def step(self, number: int) -> None:
        if number == WARM_UP and self.begun is None:
            self.begun = spent_s()
        self.steps += number >= WARM_UP

    def each_ms(self) -> tuple[float, float]:
        web_s, postgres_s = spent_s()
        began = self.begun or (0.0, 0.0)
        return 1_000 * (web_s - began[0]) / self.steps, 1_000 * (postgres_s - began[1]) / self.steps


def over_http(address: str, path: str, token: str, table: Table) -> tuple[float, float]:
    measured = Measured()
    line = http.client.HTTPConnection(address.removeprefix("http://"))
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send() -> None:
        request = table.terminal.request()
        line.request("POST", path, json.dumps(request), headers)
        response = line.getresponse()
        body = json.loads(response.read())
        if response.status >= 400:
            raise SystemExit(f"{response.status}: {body}")
        table.terminal.answered(request, response.status, body)

    send()
    send()
    for number in range(ROUNDS + WARM_UP):
        for kind in STEPS:
            measured.step(number)
            table.tell(kind)
            send()
    return measured.each_ms()


async def over_line(address: str, path: str, token: str, table: Table) -> tuple[float, float]:
    from websockets.asyncio.client import connect

    measured = Measured()
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(address.replace("http", "ws") + path, additional_headers=headers) as line:

        async def send() -> None:
            request = table.terminal.request()
            await line.send(json.dumps({"id": 1, **request}))
            body = json.loads(await line.recv())
            while "status" not in body:  # a poke
                body = json.loads(await line.recv())
            if body["status"] >= 400:
                raise SystemExit(f"{body}")
            table.terminal.answered(request, body["status"], body)

        await send()
        await send()
        for number in range(ROUNDS + WARM_UP):
            for kind in STEPS:
                measured.step(number)
                table.tell(kind)
                await send()
        return measured.each_ms()


@contextmanager
def bare_django(port: int) -> Iterator[http.client.HTTPConnection]:
    command = [sys.executable, "-m", "uvicorn", "bench.bare_django:application", "--lifespan", "off"]
    command += ["--port", str(port), "--no-access-log"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        line = http.client.HTTPConnection(f"127.0.0.1:{port}")
        while True:
            try:
                line.connect()
                break
            except OSError:
                time.sleep(0.1)
        yield line
    finally:
        process.terminate()
        process.wait(30)


def empty_view() -> float:
    measured = Measured()
    with bare_django(free_port()) as line:
        for number in range(ROUNDS + WARM_UP):
            for _ in STEPS:
                measured.step(number)
                line.request("GET", "/")
                line.getresponse().read()
        return measured.each_ms()[0]


def make_door(floor: Any, code: str) -> tuple[Table, str]:
    table, token = add_tables(floor, code)[code]
    return Table(table.pk), token


def figures() -> list[Figure]:
    from django.db import connection

    from tests.floor import make_floor

    set_up()
    os.environ["POTLINE_REQUESTS_A_SECOND"] = "10000"
    floor = make_floor()
    by_http, by_line = make_door(floor, "D-01"), make_door(floor, "D-02")
    connection.close()
    empty_ms = empty_view()
    with web(free_port()) as address:
        http_ms = over_http(address, "/api/v1/tables/harbour/D-01/events", by_http[1], by_http[0])
        line_ms = asyncio.run(over_line(address, "/ws/tables/harbour/D-02/", by_line[1], by_line[0]))
    return [
        Figure(
            f"a step over {name}, 7 seats",
            f"{web_ms:.2f} + {postgres_ms:.2f} ms",
            f"bare Django's empty view {empty_ms:.2f} ms: {web_ms / empty_ms:.1f} x of it in the web process",
        )
        for name, (web_ms, postgres_ms) in (("HTTP", http_ms), ("the line", line_ms))
    ]


if __name__ == "__main__":
    with installation():
        tell(figures())
