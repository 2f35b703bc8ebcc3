"""kill -9 in a loop: any process of a running installation, PostgreSQL and Redis among them, while work goes on.

What was committed stays, Potline comes back each time, nothing is left behind. SOAK_SECONDS sets how long (120),
SOAK_SEED which processes die; the seed is printed.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from pathlib import Path

import psutil
import psycopg

from tests.live import LocalRun

INSERT = (
    "INSERT INTO people_auditrecord (actor_label, action, subject, reason, request_id, details, hallmark)"
)


def append_until_it_breaks(local: LocalRun, number: int, seconds: float) -> int:
    """Commits numbered records one by one until a kill ends the connection; returns the next number."""
    url = local.database_url("potline_web")
    deadline = time.monotonic() + seconds
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            while time.monotonic() < deadline:
                connection.execute(
                    f"{INSERT} VALUES ('soak', 'soak.{number}', '', '', '', '{{}}', 'none')".encode()
                )
                number += 1
                time.sleep(0.01)
    except psycopg.Error:
        pass
    return number


def test_committed_work_survives_a_loop_of_kills(servers_home: Path) -> None:
    seconds = float(os.environ.get("SOAK_SECONDS", "120"))
    seed = int(os.environ.get("SOAK_SEED", str(random.randrange(10**6))))
    print(f"SOAK_SEED={seed} SOAK_SECONDS={seconds:.0f}")
    dice = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="soak-", dir=servers_home))
    folder.chmod(0o711)
    local = LocalRun(folder / "var")
    number, rounds, deadline = 0, 0, time.monotonic() + seconds
    local.start()
    try:
        while time.monotonic() < deadline:
            number = append_until_it_breaks(local, number, dice.uniform(0.2, 2.0))
            members = local.members()
            victims = members if dice.random() < 0.3 else dice.sample(members, dice.randint(1, 3))
            for victim in victims:
                try:
                    victim.kill()
                except psutil.NoSuchProcess:
                    continue
            number = append_until_it_breaks(local, number, 0.5)
            close(local)
            local.start()
            kept = local.sql(
                "SELECT count(*), max(substr(action, 6)::int) FROM people_auditrecord WHERE action LIKE 'soak.%'"
            )
            assert kept == [(number, number - 1)], (
                f"seed {seed}, round {rounds}: {number} were committed, kept {kept}"
            )
            rounds += 1
    finally:
        close(local)
    print(f"{rounds} rounds, {number} records committed, all kept")
    assert not (local.home / "postgres" / "postmaster.pid").exists()


def close(local: LocalRun) -> None:
    """Ctrl-C to whatever is left of it; an installation that lost a part ends by itself."""
    if local.popen is not None and local.popen.poll() is None:
        os.killpg(local.popen.pid, signal.SIGINT)
        local.popen.wait(90)
