"""A floor for tests in one process whose terminals and server share one clock, which the test moves."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from jackpots.order import server_clock
from jackpots.order.server_clock import ServerTime
from simulator.terminal.core import Clock, Terminal
from tables.door import requests
from tests.floor import Floor, make_floor
from tests.server_time import told_by
from tests.terminal import DEALER, stud_bets, stud_wagers

AGO = timedelta(minutes=10)
"""Since when it plays. The database's own clock is not moved, and it refuses what was heard ahead of that."""


class FloorClock(Clock):
    """The floor's time, and by how much this one is wrong."""

    def __init__(self, floor: SimulatedFloor) -> None:
        super().__init__()
        self.floor, self.wrong_by = floor, timedelta()

    def read(self) -> datetime:
        return self.floor.now + self.wrong_by


class SimulatedFloor:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = server_clock.read().now - AGO
        self.rung: list[int] = []
        told_by(monkeypatch, lambda: ServerTime(self.now, None))
        self.floor: Floor = make_floor()
        monkeypatch.setattr(requests, "ring", lambda task, *progressive: self.rung.extend(progressive))
        self.clocks = {code: FloorClock(self) for code in self.floor.tables}
        self.terminals = {code: Terminal(clock=clock) for code, clock in self.clocks.items()}

    def send(self, code: str, seconds: float = 0.01) -> int:
        """How often it has rung."""
        self.now += timedelta(seconds=seconds)
        self.rung.clear()
        terminal = self.terminals[code]
        request = terminal.request()
        answered = requests.receive(self.floor.tables[code].pk, request)
        assert answered.refused is None, answered.refused
        terminal.answered(request, 201, answered.as_json())
        return len(self.rung)

    def round_(self, code: str, hand: str, beats_after_mark: int = 0) -> dict[str, int]:
        """A whole round step by step; by kind of event how often it has rung."""
        terminal, round_id, wagers = self.terminals[code], uuid4(), stud_wagers(1)
        dealt = {"dealer": DEALER.split(), "seats": {"1": hand.split()}}
        steps: list[tuple[str, dict[str, Any]]] = [
            ("open", {}),
            ("wagers", {"wagers": wagers}),
            ("no-more-bets", {}),
            ("mark", {"moment": "first-card"}),
            ("result", {"wagers": stud_bets(wagers), "dealt": dealt}),
        ]
        found = {}
        for kind, body in steps:
            terminal.tell(kind, round_id, body)
            found[kind] = self.send(code)
            for _ in range(beats_after_mark if kind == "mark" else 0):
                self.send(code)
        return found
