"""How many signs does one process feed at ten frames a second, and how soon? Beside it, in the same run, a bare
`websockets` broadcast and Channels' group_send with a consumer for each socket.

Then the storm: signs that connect all at once, how soon each has its first frame, and what a fold takes meanwhile.
BENCH_SIGNS="200,500,1000,5000" names the sizes (none: ""), BENCH_SECONDS how long each is fed, BENCH_STORM how many
connect at once; 0 leaves the storm out.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psutil

from bench.bare_broadcast import CHANNEL, host_of_group
from bench.bench_steps import set_up
from bench.figures import Figure, tell
from bench.installation import ROOT, installation, quantile
from bench.sign_crowd import Crowd, join, sent_now

SIZES = [int(text) for text in os.environ.get("BENCH_SIGNS", "200,500,1000,5000").split(",") if text]
SECONDS = float(os.environ.get("BENCH_SECONDS", "8"))
STORM = int(os.environ.get("BENCH_STORM", "1000"))
GROUP_UP_TO = 500
"""Beyond that Channels' own way is many seconds behind."""
PACE_S = 0.1
WITHIN = 1.5
FIRST_WITHIN_S = 5.0
STORMS = 4
"""So that there are enough folds in them to compare."""
GIVE_UP_S = 120.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(*command: str, **env: str) -> Iterator[tuple[str, psutil.Process]]:
    """A process that listens on the port that `{port}` stands for."""
    port = free_port()
    arguments = [sys.executable, *(part.replace("{port}", str(port)) for part in command)]
    process = subprocess.Popen(arguments, cwd=ROOT, env=os.environ | env)
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None:
                raise RuntimeError(f"{command} has ended")
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(30)


def signs_server() -> Any:
    """As the Procfile starts it."""
    line = next(line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("signs: "))
    options = line.partition('PORT" ')[2].split()
    command = ("-m", "uvicorn", "config.asgi_signs:application", "--host", "127.0.0.1", "--port", "{port}")
    return server(*command, *options)


class Fed:
    """What one kind of server did with the frames of one run."""

    def __init__(self, crowd: Crowd, count: int, frames: int, cpu_s: float, crowd_s: float) -> None:
        self.share = len(crowd.took_s) / (count * frames)
        self.p50_ms, self.p99_ms = (1000 * quantile(crowd.took_s or [9.0], share) for share in (0.5, 0.99))
        each = 1_000_000 / max(1, len(crowd.took_s))
        self.each_us, self.crowd_us = cpu_s * each, crowd_s * each

    def __str__(self) -> str:
        return (
            f"{100 * self.share:.1f}% p50 {self.p50_ms:.0f} p99 {self.p99_ms:.0f} ms, "
            f"{self.each_us:.1f} us each (the crowd {self.crowd_us:.1f})"
        )


async def feed(
    address: str, path: str, count: int, process: psutil.Process, send: Callable[[dict[str, str]], Any]
) -> Fed:
    """Connects the signs, lets them settle, then sends ten frames a second by the clock."""
    crowd = Crowd()
    sockets = await join(crowd, address, path, count, at_once=50)
    deadline = time.monotonic() + GIVE_UP_S
    while crowd.upgraded < count and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    await asyncio.sleep(1.5)
    crowd.forget()
    before, frames = sum(process.cpu_times()[:2]), round(SECONDS / PACE_S)
    crowd_before = time.process_time()
    begin = asyncio.get_running_loop().time()
    for number in range(frames):
        await asyncio.sleep(max(0.0, begin + number * PACE_S - asyncio.get_running_loop().time()))
        told = send(sent_now())
        if told is not None:
            await told
    await asyncio.sleep(1.0)
    spent, crowd_spent = sum(process.cpu_times()[:2]) - before, time.process_time() - crowd_before
    for each in sockets:
        each.transport.close()
    return Fed(crowd, count, frames, spent, crowd_spent)


def sizes(floor: Any, token: str) -> list[Figure]:
    from config.kit.redis import client
    from jackpots.signs.frames import publish
    from jackpots.signs.wire import meter_channel, send

    frame = publish(floor.progressive.pk)
    text = dict(frame)

    def ours(now: dict[str, str]) -> None:
        from django.utils import timezone

        send(meter_channel("stud"), frame | {"at": timezone.now().isoformat()} | now)

    def bare(now: dict[str, str]) -> None:
        client().publish(CHANNEL, json.dumps(text | now))

    found = []
    for count in SIZES:
        with signs_server() as (address, process):
            hub = asyncio.run(feed(address, f"/ws/signs/{token}/", count, process, ours))
        with server("-m", "bench.bare_broadcast", "bare", "{port}") as (address, process):
            mark = asyncio.run(feed(address, "/", count, process, bare))
        beside = f"bare broadcast {mark}"
        if count <= GROUP_UP_TO:
            with server("-m", "bench.bare_broadcast", "group", "{port}") as (address, process):
                beside += f"; group_send {asyncio.run(feed(address, '/', count, process, group_send(text)))}"
        kept = (
            hub.share >= 0.9999
            and hub.p99_ms <= max(WITHIN * mark.p99_ms, mark.p99_ms + 5)
            and hub.each_us <= WITHIN * mark.each_us
        )
        goal = f"no loss, p99 and CPU within {WITHIN} times the bare broadcast"
        found.append(Figure(f"{count} signs, ten frames a second", str(hub), beside, goal, kept))
    return found


def group_send(text: dict[str, Any]) -> Callable[[dict[str, str]], Any]:
    from channels_redis.core import RedisChannelLayer  # type: ignore[import-untyped]

    layer = RedisChannelLayer(hosts=[host_of_group()])

    def send(now: dict[str, str]) -> Any:
        return layer.group_send("bench", {"type": "frame", "text": json.dumps(text | now)})

    return send


def storm(floor: Any, token: str) -> list[Figure]:
    """All at once, while the progressive is folded and its frame sent by a process of its own, as workers do. First
    with all that the machine has; then with the fold on a core of its own, so that it does not wait for a processor,
    beside what it takes while the other core merely counts: a busy neighbour slows a core down, whatever it does."""
    path = f"/ws/signs/{token}/"
    with signs_server() as (address, _), folding(floor.progressive.pk):
        crowd = asyncio.run(all_at_once(address, path))
    last = max(crowd.first_s) if len(crowd.first_s) == STORM else GIVE_UP_S
    spans: dict[str, list[tuple[float, float]]] = {"quiet": [], "counting": [], "storm": []}
    with (
        signs_server() as (address, server_process),
        folding(floor.progressive.pk) as (told, folder),
        apart(server_process, folder),
    ):
        time.sleep(1)
        for _ in range(STORMS):
            with during(spans["quiet"]):
                time.sleep(1)
            with during(spans["counting"]), counting():
                time.sleep(1)
            with during(spans["storm"]):
                asyncio.run(all_at_once(address, path))
            time.sleep(1)
    took_ms = {
        what: [1000 * took for at, took in told if within(at, took, some)] for what, some in spans.items()
    }
    usual_ms, beside_ms, then_ms = (quantile(took_ms[what], 0.5) for what in ("quiet", "counting", "storm"))
    return [
        Figure(
            f"{STORM} signs connect at once",
            f"last has its first frame after {last:.1f} s",
            f"{len(crowd.first_s)} have one",
            f"all within {FIRST_WITHIN_S:.0f} s",
            last <= FIRST_WITHIN_S,
        ),
        Figure(
            "a fold and its frame meanwhile",
            f"{then_ms:.1f} ms (median of {len(took_ms['storm'])})",
            f"before {usual_ms:.1f} ms, beside a core that merely counts {beside_ms:.1f} ms; on a core of its own",
            "no longer than beside any busy core (within a quarter)",
            then_ms <= 1.25 * beside_ms,
        ),
    ]


@contextmanager
def during(spans: list[tuple[float, float]]) -> Iterator[None]:
    began_s = time.monotonic()
    yield
    spans.append((began_s, time.monotonic()))


def within(at_s: float, took_s: float, spans: list[tuple[float, float]]) -> bool:
    """Wholly in one of them."""
    return any(began_s <= at_s and at_s + took_s <= ended_s for began_s, ended_s in spans)


@contextmanager
def counting() -> Iterator[None]:
    """A process that does nothing else, on the core of this one."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def all_at_once(address: str, path: str) -> Crowd:
    """Until all have their first frame, and a little longer."""
    crowd = Crowd()
    sockets = await join(crowd, address, path, STORM, at_once=STORM)
    deadline = time.monotonic() + GIVE_UP_S
    while len(crowd.first_s) < STORM and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    for each in sockets:
        each.transport.close()
    return crowd


@contextmanager
def folding(progressive_id: int) -> Iterator[tuple[list[tuple[float, float]], psutil.Process]]:
    """When each fold began, and how long it took."""
    told: list[tuple[float, float]] = []
    command = [sys.executable, "-m", "bench.sign_folds", str(progressive_id)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()  # the first one loads what the others have

    def listen(lines: Any) -> None:
        for line in lines:
            at, took = line.split()
            told.append((float(at), float(took)))

    listener = threading.Thread(target=listen, args=(process.stdout,))
    listener.start()
    try:
        yield told, psutil.Process(process.pid)
    finally:
        process.stdin.close()
        process.wait(30)
        listener.join()


@contextmanager
def apart(server_process: psutil.Process, folder: psutil.Process) -> Iterator[None]:
    """The crowd and the signs' server on one core, the fold and PostgreSQL on the others."""
    here = psutil.Process()
    cores = here.cpu_affinity() or []
    if len(cores) < 2:
        yield
        return
    postmaster = psutil.Process(backend_pid()).parent()
    assert postmaster is not None
    for process in (here, server_process):
        process.cpu_affinity(cores[:1])
    for process in (folder, postmaster, *postmaster.children()):
        process.cpu_affinity(cores[1:])
    try:
        yield
    finally:
        here.cpu_affinity(cores)
        postmaster.cpu_affinity(cores)


def backend_pid() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def allow_many_files() -> None:
    """A socket is a file; servers inherit the limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def figures() -> list[Figure]:
    from django.db import connection

    from jackpots.signs.displays import create_display
    from tests.floor import make_floor

    allow_many_files()
    set_up()
    floor = make_floor()
    _, token = create_display("bench", floor.harbour, "Bench", floor.progressive)
    found = sizes(floor, token) if SIZES else []
    found += storm(floor, token) if STORM else []
    connection.close()
    return found


if __name__ == "__main__":
    with installation():
        tell(figures())
