"""How many tables does one installation hold at full pace, and what does a round cost, from lines to the books?

One web server, one worker process with two children, beat, PostgreSQL with fsync on and Redis, on the cores of this
machine, with the terminals beside them. A table at full pace plays a round in 45 seconds, told as the demo's tables do
it; rounds are due at that rate (open loop) whether Potline keeps up or not. Tables are added until one event in a
hundred takes longer than 100 ms. Then as fast as it goes (closed loop). Beside it, in the same run, bare Django
answering an empty request.

BENCH_SECONDS: for each figure (20). BENCH_TABLES: numbers of tables to try.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.installation import ROOT, installation, web, worker
from simulator import floor
from simulator.load import Figures, Load, percentile
from simulator.table_run import Settings

SECONDS = float(os.environ.get("BENCH_SECONDS", "20"))
TABLES = [int(each) for each in os.environ.get("BENCH_TABLES", "50,100,200,400,700,1000").split(",")]
PACE_S = 45.0
LIMIT_MS = 100.0
PORT, BARE_PORT = 8_377, 8_378
CALLERS = 16
PARTS = {
    "web": "uvicorn config.asgi",
    "workers": "config.workers worker",
    "beat": "config.workers beat",
    "PostgreSQL": "postgres",
    "Redis": "redis-server",
}


def open_tables(count: int, target: Path) -> floor.Plan:
    """The demo's tables, again and again under other names: games, limits and ways of telling as there. Only the demo's
    own stud tables are linked."""
    from django.core.management import call_command

    from tables.floor.apply import apply_at_once
    from tables.models import Table

    call_command("load_demo", stdout=io.StringIO())
    demo, play = (json.loads((floor.FLOORS / f"demo{kind}.json").read_text()) for kind in ("", ".play"))
    tables, manners = dict(demo["tables"]), dict(play["tables"])
    others = [name for name, table in tables.items() if not table.get("links")]
    more: dict[str, Any] = {}
    while len(tables) + len(more) < count:
        number = len(tables) + len(more)
        like, code = others[number % len(others)], f"T-{number:04d}"
        name = f"{like.partition('/')[0]}/{code}"
        more[name] = tables[like] | {"pit": "Bench", "terminals": {code: {}}}
        manners[name] = manners[like] | {"token": f"bench-terminal-{number:04d}"}
    apply_at_once(
        {"version": 1, "tables": more}, "bench", lambda name: str(manners[name.rpartition("/")[0]]["token"])
    )
    Table.objects.filter(pit="Bench").update(is_open=True)
    floor.write(target, tables | more, manners)
    return floor.read(target)


# ------------------------------------------------------------------------------------------------------------ CPU


def cpu_by_part(home: Path) -> dict[str, float]:
    """Seconds of CPU so far, by part: our own children, and the servers that live in the installation's folder."""
    found = dict.fromkeys(PARTS, 0.0)
    ours = {process.pid for process in psutil.Process().children(recursive=True)}
    servers = _servers(home)
    for process in psutil.process_iter():
        try:
            if process.pid not in ours | servers:
                continue
            command, times = " ".join(process.cmdline()), process.cpu_times()
        except psutil.Error:
            continue
        for part, words in PARTS.items():
            if words in command:
                # With its children that have ended: PostgreSQL's connections come and go.
                found[part] += times.user + times.system + times.children_user + times.children_system
                break
    return found


def _servers(home: Path) -> set[int]:
    """PostgreSQL and Redis started with a folder of this installation, and their children."""
    found = set()
    for process in psutil.process_iter():
        try:
            if process.ppid() != os.getpid() and str(home) in " ".join(process.cmdline()):
                found |= {process.pid, *(child.pid for child in process.children(recursive=True))}
        except psutil.Error:
            continue
    return found


def run_load(url: str, plan: floor.Plan, home: Path, tables: int, rate: float | None) -> Figures:
    """One figure: its page, and CPU a round by part."""
    before: dict[str, float] = {}
    some = floor.Plan(plan.tables[:tables], luck_s=0)
    load = Load(
        some,
        Settings(url),
        rate=rate,
        seconds=SECONDS,
        on_start=lambda: before.update(cpu_by_part(home)),
    )
    figures = asyncio.run(load.run())
    after = cpu_by_part(home)
    costs = {part: 1_000 * (after[part] - before[part]) / max(1, figures.rounds) for part in PARTS}
    costs["simulator"] = 1_000 * figures.cpu_s / max(1, figures.rounds)
    print(figures.page())
    print("CPU, ms a round: " + ", ".join(f"{part} {cost:.1f}" for part, cost in costs.items()), flush=True)
    return figures


# ----------------------------------------------------------------------------------------------------- bare Django


@contextmanager
def bare_django() -> Iterator[psutil.Process]:
    command = [sys.executable, "-m", "uvicorn", "bench.bare_django:application", "--lifespan", "off"]
    command += ["--port", str(BARE_PORT), "--no-access-log"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(30)


async def ask_bare(seconds: float) -> array[float]:
    """Callers that ask again as soon as they are answered, each over a connection of its own."""
    taken, until = array("d"), time.monotonic() + seconds

    async def call() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", BARE_PORT)
        while time.monotonic() < until:
            began = time.monotonic()
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            taken.append((time.monotonic() - began) * 1_000)
        writer.close()

    await asyncio.gather(*(call() for _ in range(CALLERS)))
    return taken


def measure_bare() -> None:
    with bare_django() as process:
        for _ in range(100):
            try:
                asyncio.run(ask_bare(0.2))
                break
            except OSError:
                time.sleep(0.1)
        before: Any = process.cpu_times()
        taken = asyncio.run(ask_bare(SECONDS / 2))
        after: Any = process.cpu_times()
    cpu_ms = 1_000 * (after.user + after.system - before.user - before.system) / max(1, len(taken))
    print(
        f"bare Django, an empty request, {CALLERS} callers: {len(taken) / (SECONDS / 2):.0f} a second, "
        f"p50 {percentile(taken, 50):.1f} ms, p99 {percentile(taken, 99):.1f} ms, CPU {cpu_ms:.2f} ms a request",
        flush=True,
    )


def main() -> None:
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"{cores} cores, load of the machine before: {load:.1f}", flush=True)
    measure_bare()
    with ExitStack() as stack:
        postgres = stack.enter_context(installation())
        home = postgres.data_dir.parent
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        plan = open_tables(max(TABLES), folder / "floor.json")
        url = stack.enter_context(web(PORT))
        stack.enter_context(worker("worker", "--pool", "prefork", "--concurrency", "2"))
        stack.enter_context(worker("beat", "--scheduler", "config.beat_clock:BeatClock", "--pidfile="))
        asyncio.run(
            Load(floor.Plan(plan.tables[:12], 0), Settings(url), rate=None, seconds=SECONDS / 2).run()
        )
        held, failed = 0, 0
        for tables in TABLES:
            figures = run_load(url, plan, home, tables, tables / PACE_S)
            kept_up = figures.rounds >= 0.95 * figures.seconds * tables / PACE_S - 1
            if percentile(figures.latencies.events(), 99) <= LIMIT_MS and kept_up:
                held = tables
                continue
            failed += 1
            if failed == 2:  # one may be somebody else's work on this machine
                break
        print(f"== {held} tables held at full pace with the events' p99 under {LIMIT_MS:g} ms")
        run_load(url, plan, home, min(50, max(TABLES)), None)
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
