"""Load: many tables at once from one process, and one page of figures.

Closed loop: every table plays its next round as soon as the last is answered, so Potline sets the pace. Open loop: so
many rounds a second are due, whatever Potline does; a round that is due while no table is free waits, and is told.
"""

from __future__ import annotations

import asyncio
import os
import time
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from simulator.floor import Plan
from simulator.run import Floor
from simulator.table_run import Settings

PERCENTILES = (50.0, 90.0, 99.0, 99.9)


@dataclass
class Latencies:
    """An observer: how long each request took, by what it told."""

    by_kind: dict[str, array[float]] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    """By status and, of a refusal, its code."""
    unanswered: int = 0
    _asked: dict[str, tuple[datetime, str]] = field(default_factory=dict)

    def __call__(self, name: str, moment: datetime, what: str, document: dict[str, Any]) -> None:
        if what == "sent":
            self.unanswered += name in self._asked
            kinds = [event["kind"] for event in document["events"]]
            self._asked[name] = (moment, kinds[-1] if kinds else "beat")
            return
        sent, kind = self._asked.pop(name, (moment, ""))
        if kind:
            taken_ms = (moment - sent).total_seconds() * 1_000
            self.by_kind.setdefault(kind, array("d")).append(taken_ms)
            self.statuses[f"{document['status']} {document.get('code', '')}".strip()] += 1

    def forget(self) -> None:
        """What was measured while the tables came in is not the load's."""
        self.by_kind, self.statuses, self.unanswered = {}, Counter(), 0

    @property
    def all(self) -> array[float]:
        return array("d", (each for values in self.by_kind.values() for each in values))

    def events(self) -> array[float]:
        """Without beats, which no player waits for."""
        return array(
            "d", (each for kind, values in self.by_kind.items() if kind != "beat" for each in values)
        )


def percentile(values: array[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


@dataclass
class Figures:
    """What a run came to."""

    tables: int
    rate: float | None
    seconds: float
    rounds: int
    latencies: Latencies
    waited_s: array[float]
    """Open loop: how long each round that was due waited for a free table."""
    cpu_s: float
    """Of this process."""

    def page(self) -> str:
        loop = "closed loop" if self.rate is None else f"open loop at {self.rate:g} rounds a second"
        lines = [
            f"{self.tables} tables, {loop}, {self.seconds:.1f} s",
            f"rounds     {self.rounds:>9,}  {self.rounds / self.seconds:8.1f} a second",
        ]
        requests = len(self.latencies.all)
        lines.append(f"requests   {requests:>9,}  {requests / self.seconds:8.1f} a second")
        if self.rate is not None:
            waits = " ".join(f"{percentile(self.waited_s, p):.2f}" for p in (50, 99))
            lines.append(
                f"due rounds waited for a free table, s: p50 and p99 {waits}; load {os.getloadavg()[0]:.1f}"
            )
        each = 1_000 * self.cpu_s / max(1, self.rounds)
        lines.append(f"this process: {each:.2f} ms of CPU a round")
        lines.append(
            f"statuses: {', '.join(f'{each} x{count}' for each, count in sorted(self.latencies.statuses.items()))}; "
            f"lost: {self.latencies.unanswered}"
        )
        lines.append(
            f"{'milliseconds':<14}{'count':>9}"
            + "".join(f"{f'p{p:g}':>9}" for p in PERCENTILES)
            + f"{'max':>9}"
        )
        rows = {"all": self.latencies.all, "events": self.latencies.events(), **self.latencies.by_kind}
        for name, values in rows.items():
            figures = [*(percentile(values, p) for p in PERCENTILES), max(values, default=0.0)]
            lines.append(f"{name:<14}{len(values):>9,}" + "".join(f"{each:>9.1f}" for each in figures))
        return "\n".join(lines)


class Load:
    """Runs the plan's tables for some seconds after all of them are on the line."""

    def __init__(
        self,
        plan: Plan,
        settings: Settings,
        *,
        rate: float | None,
        seconds: float,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_start` is called when all tables are on the line, before the first round."""
        self.rate, self.seconds, self.on_start = rate, seconds, on_start
        self.latencies, self.waited_s = Latencies(), array("d")
        self._due: asyncio.Queue[float] = asyncio.Queue()
        self._go = asyncio.Event()
        self._waiting = 0
        settings.speed, settings.turn, settings.irregular = 0.0, self._turn, 0.0
        settings.observe.append(self.latencies)
        self.floor = Floor(plan, settings)

    async def _turn(self) -> None:
        """Before each round: until all tables are there; in an open loop also until a round is due."""
        self._waiting += 1
        await self._go.wait()
        if self.rate is not None:
            due = await self._due.get()
            self.waited_s.append(max(0.0, time.monotonic() - due))

    async def _make_due(self, rate: float) -> None:
        due = time.monotonic()
        while True:
            due += 1 / rate
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            self._due.put_nowait(due)

    async def run(self) -> Figures:
        playing = asyncio.ensure_future(self.floor.play())
        others: list[asyncio.Task[None]] = []
        try:
            while self._waiting < len(self.floor.runs) and not playing.done():
                await asyncio.sleep(0.05)
            self.on_start()
            self.latencies.forget()
            began, cpu = time.monotonic(), time.process_time()
            rounds = self.floor.meter.counts["rounds"]
            if self.rate is not None:
                others.append(asyncio.create_task(self._make_due(self.rate)))
            self._go.set()
            await asyncio.wait({playing}, timeout=self.seconds)
            return Figures(
                tables=len(self.floor.runs),
                rate=self.rate,
                seconds=time.monotonic() - began,
                rounds=self.floor.meter.counts["rounds"] - rounds,
                latencies=self.latencies,
                waited_s=self.waited_s,
                cpu_s=time.process_time() - cpu,
            )
        finally:
            for task in (playing, *others):
                task.cancel()
            await asyncio.gather(playing, *others, return_exceptions=True)
