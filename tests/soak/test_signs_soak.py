"""Ten minutes of signs that come and go, two thousand of them at once: the server's memory stays flat, and nothing in
its log is an error. POTLINE_SOAK_S and POTLINE_SOAK_SIGNS make it shorter or smaller."""

from __future__ import annotations

import asyncio
import os
import threading
import time

import psutil
import pytest

from bench.sign_crowd import Crowd, join
from jackpots.signs.displays import create_display
from jackpots.signs.frames import publish
from tests.floor import make_floor
from tests.live import LiveProcesses

SECONDS = float(os.environ.get("POTLINE_SOAK_S", "600"))
SIGNS = int(os.environ.get("POTLINE_SOAK_SIGNS", "2000"))
WARM_UP = 2
"""Rounds after which memory is compared: the first ones fill caches and buffers."""


async def come_and_go(address: str, token: str, memory: list[int], process: psutil.Process) -> None:
    """All come at once, stay a while, a third goes and comes back, all go."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end or len(memory) < WARM_UP + 2:
        crowd = Crowd()
        sockets = await join(crowd, address, f"/ws/signs/{token}/", SIGNS, at_once=SIGNS)
        deadline = time.monotonic() + 60
        while len(crowd.first_s) < SIGNS:
            assert time.monotonic() < deadline, f"{len(crowd.first_s)} of {SIGNS} have their first frame"
            await asyncio.sleep(0.1)
        await asyncio.sleep(5)
        for socket in sockets[::3]:
            socket.transport.close()
        again = await join(crowd, address, f"/ws/signs/{token}/", len(sockets[::3]))
        await asyncio.sleep(5)
        memory.append(process.memory_info().rss)
        for socket in (*sockets, *again):
            socket.transport.close()
        await asyncio.sleep(1)


@pytest.mark.timeout(0)
def test_signs_that_come_and_go(processes: LiveProcesses) -> None:
    floor = make_floor()
    _, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    address, running = processes.start_signs()
    stop, memory = threading.Event(), []  # type: ignore[var-annotated]

    def feed() -> None:
        from django.db import connection

        while not stop.wait(0.1):
            publish(floor.progressive.pk)
        connection.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        asyncio.run(come_and_go(address, token, memory, psutil.Process(running.pid)))
    finally:
        stop.set()
        feeder.join()
    print(f"server: {[round(rss / 1e6) for rss in memory]} MB")
    settled = memory[WARM_UP:]
    assert max(settled) <= 1.1 * settled[0], "flat within a tenth"
    log = running.log_text()
    assert "[error" not in log
    assert "Traceback" not in log
