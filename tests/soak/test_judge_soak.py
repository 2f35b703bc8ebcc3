"""A long day of fifty tables and every entry of the catalogue, with kill -9 of web, worker, Redis and PostgreSQL in
between, judged from outside: not a micro off.

SOAK_SECONDS sets how long it plays (240), SOAK_SEED what happens; the seed is printed.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from rules import all_games
from simulator import faults, floor
from simulator.judge import Judge, Verdict, play_and_judge
from simulator.run import Floor
from simulator.table_run import Settings
from tests.live import ROOT, LocalRun
from tests.soak.test_kill_loop import close

pytestmark = pytest.mark.timeout(3_600)
SPEED = 0.4
"""Of the pace of real tables: some five rounds a second in all."""
VICTIMS = {
    "web": "uvicorn",
    "worker": "config.workers worker",
    "redis": "redis-server",
    "postgres": "postgres",
}
EVERY_S = 20.0
HANDS = ("flush@CS-01", "straight-flush@CS-02", "full-house@CS-03", "four-of-a-kind@CS-01", "royal@CS-02")


def open_tables(local: LocalRun, target: Path) -> floor.Plan:
    env = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": local.database_url("potline_owner"),
        "REDIS_URL": f"unix://{local.home}/redis-sockets/redis.sock",
        "POTLINE_DEMO": "1",
        "POTLINE_SECRET_KEY": (local.home / "secret-key").read_text(),
        "POTLINE_VAR": str(local.home),
    }
    command = [sys.executable, "-m", "tests.soak.every_table", str(target)]
    made = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return floor.read(target)


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def kill(local: LocalRun, part: str) -> int:
    """kill -9 of all processes of a part; the supervisor starts it again."""
    killed = 0
    for process in local.members():
        if VICTIMS[part] in command_of(process) and "config.local" not in command_of(process):
            try:
                process.kill()
                killed += 1
            except psutil.NoSuchProcess:
                continue
    return killed


async def trouble(local: LocalRun, playing: Floor, dice: random.Random, seconds: float) -> dict[str, int]:
    """Kills, wished hands, and the end of the day."""
    kills, deadline = dict.fromkeys(VICTIMS, 0), time.monotonic() + seconds
    hands, turn = list(HANDS), 0
    while time.monotonic() < deadline:
        await asyncio.sleep(EVERY_S * dice.uniform(0.5, 1.0))
        if hands:
            playing.wish(hands.pop(0))
        part = list(VICTIMS)[turn % len(VICTIMS)]
        kills[part] += kill(local, part) > 0
        turn += 1
    playing.settings.rounds = 0
    return kills


def test_a_long_day_of_every_game_ties_out_whatever_is_killed(servers_home: Path) -> None:
    seconds = float(os.environ.get("SOAK_SECONDS", "240"))
    seed = os.environ.get("SOAK_SEED", str(random.randrange(10**6)))
    print(f"SOAK_SEED={seed} SOAK_SECONDS={seconds:.0f}")
    folder = Path(tempfile.mkdtemp(prefix="judge-", dir=servers_home))
    folder.chmod(0o711)
    local = LocalRun(folder / "var")
    local.start()
    try:
        plan = open_tables(local, folder / "floor.json")
        assert len(plan.tables) == 50
        assert {t.layout.game for t in plan.tables} == {game.name for game in all_games()}
        url = f"http://127.0.0.1:{local.port}"
        settings = Settings(url, seed=seed, speed=SPEED, faults=faults.SOME, irregular=0.02)
        playing = Floor(plan, settings)
        judge = Judge(
            plan,
            url,
            username="finance",
            password="finance-demo-2468",
            signs=("demo-sign-main-wall", "demo-sign-lobby"),
            seed=seed,
        )

        async def day() -> tuple[dict[str, int], Verdict]:
            kills = asyncio.create_task(trouble(local, playing, random.Random(seed), seconds))
            verdict = await play_and_judge(playing, judge, patience_s=180)
            return await kills, verdict

        kills, verdict = asyncio.run(day())
        text = verdict.text()
        print(f"killed: {kills}\n{playing.meter.line()}\n{text}")
        assert verdict.holds, f"seed {seed}: {text}"
        assert verdict.counts["wins"] >= 1
        assert all(kills.values()) or seconds < len(VICTIMS) * EVERY_S
    finally:
        close(local)


def test_the_night_ties_out_with_the_ruling_of_its_people(servers_home: Path) -> None:
    """Two hits closer than any clock can tell, put in order and paid by people: the judge takes their word where it
    cannot tell either, and nowhere else."""
    folder = Path(tempfile.mkdtemp(prefix="night-", dir=servers_home))
    folder.chmod(0o711)
    local = LocalRun(folder / "var")
    local.start()
    try:
        command = [sys.executable, "-m", "simulator", "play", "night", "--pay", "--verify"]
        command += ["--url", f"http://127.0.0.1:{local.port}", "--home", str(folder / "tables")]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=400)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "1 orders that people have ruled" in ran.stdout
        wins = re.search(r" (\d+) wins\n", ran.stdout)
        assert wins is not None
        assert int(wins[1]) >= 5, "those of the scenario, and whatever the tables had before it took them"
        assert "Not a micro off." in ran.stdout
        assert "Not judged" not in ran.stdout
    finally:
        close(local)
