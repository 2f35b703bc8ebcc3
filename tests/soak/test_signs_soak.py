"""Ten minutes of signs that come and go, two thousand of them at once: the server's memory stays flat, and nothing in
its log is an error. POTLINE_SOAK_S and POTLINE_SOAK_SIGNS make it shorter or smaller."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from typing import Any

import psutil
import pytest

from bench.sign_crowd import Crowd, Socket, join
from jackpots.models import DisplayMinute
from jackpots.signs.displays import create_display
from jackpots.signs.frames import publish
from tests.floor import make_floor
from tests.live import LiveProcesses

SECONDS = float(os.environ.get("POTLINE_SOAK_S", "600"))
SIGNS = int(os.environ.get("POTLINE_SOAK_SIGNS", "2000"))
WALLS = 50
"""Displays, each shown by as many sockets as it takes: the rows of the database are fewer than in a real house."""
WARM_UP = 2
"""Rounds after which memory is compared: the first ones fill caches and buffers."""


async def come_and_go(
    address: str, tokens: list[str], report: dict[str, Any], memory: list[int], process: psutil.Process
) -> None:
    """All come at once, stay and report, a third goes and comes back, all go."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end or len(memory) < WARM_UP + 2:
        crowd = Crowd()
        share = SIGNS // len(tokens)
        sockets = await come(crowd, address, tokens, share)
        deadline = time.monotonic() + 60
        while len(crowd.first_s) < len(sockets):
            assert time.monotonic() < deadline, (
                f"{len(crowd.first_s)} of {len(sockets)} have their first frame"
            )
            await asyncio.sleep(0.1)
        await tell(sockets, report)
        for socket in sockets[::3]:
            socket.transport.close()
        again = await come(crowd, address, tokens, share // 3)
        await tell(again, report)
        memory.append(process.memory_info().rss)
        gone = len(sockets[::3])
        assert crowd.closed == gone, "nobody else was dropped"
        for socket in (*sockets, *again):
            socket.transport.close()
        await asyncio.sleep(1)


async def come(crowd: Crowd, address: str, tokens: list[str], each: int) -> list[Socket]:
    """So many of each sign, all in the same moment."""
    joins = (join(crowd, address, f"/ws/signs/{token}/", each, at_once=each) for token in tokens)
    return [socket for sockets in await asyncio.gather(*joins) for socket in sockets]


async def tell(sockets: list[Socket], report: dict[str, Any]) -> None:
    """Every sign within five seconds, as they do."""
    for at in range(50):
        for socket in sockets[at::50]:
            socket.tell(json.dumps(report | {"shown": [[report["toward"], round(time.time() * 1000)]]}))
        await asyncio.sleep(0.1)


@pytest.mark.timeout(0)
def test_signs_that_come_and_go(processes: LiveProcesses) -> None:
    floor = make_floor()
    made = [create_display("test", floor.harbour, f"Wall {n}", floor.progressive) for n in range(WALLS)]
    frame = publish(floor.progressive.pk)
    figures = {level["level"]: level["value"] for level in frame["levels"]}
    report = {"figures": figures, "toward": frame["sequence"]}
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
        tokens = [token for _, token in made]
        asyncio.run(come_and_go(address, tokens, report, memory, psutil.Process(running.pid)))
    finally:
        stop.set()
        feeder.join()
    print(f"server: {[round(rss / 1e6) for rss in memory]} MB")
    settled = memory[WARM_UP:]
    assert max(settled) <= 1.1 * settled[0], "flat within a tenth"
    assert DisplayMinute.objects.values("display").distinct().count() == WALLS
    assert not DisplayMinute.objects.exclude(wrong=[]).exists()
    log = running.log_text()
    assert "[error" not in log
    assert "Traceback" not in log
