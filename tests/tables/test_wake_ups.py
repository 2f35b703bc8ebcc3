"""Which requests of a terminal wake the fold: those that may move something, and no others."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from jackpots import server_clock
from jackpots.folding import fold
from jackpots.models import Win
from jackpots.server_clock import ServerTime
from simulator.terminal.core import Terminal
from tables import requests
from tests.floor import Floor, make_floor
from tests.terminal import DEALER, stud_bets, stud_wagers

pytestmark = pytest.mark.django_db


class Bench:
    """A floor whose terminals and server share one clock that the test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.floor: Floor = make_floor()
        self.now = server_clock.read().now
        self.rung: list[int] = []
        monkeypatch.setattr(server_clock, "read", lambda: ServerTime(self.now, None))
        monkeypatch.setattr(requests, "ring", lambda task, progressive_id: self.rung.append(progressive_id))
        self.terminals = {code: Terminal(clock=self) for code in self.floor.tables}  # type: ignore[arg-type]
        self.id = "one"

    def read(self) -> datetime:
        return self.now

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

    def round_(self, code: str, hand: str) -> dict[str, int]:
        """By kind of event how often it has rung."""
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
        return found


def test_a_beat_wakes_nobody_until_it_is_the_last_that_a_hit_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(monkeypatch)
    for _ in range(3):
        assert [bench.send(code) for code in bench.terminals] == [0, 0, 0], "an idle floor wakes nobody"
    rung = bench.round_("CS-01", "2d 4d 6d 8d Jd")
    assert rung == {"open": 0, "wagers": 0, "no-more-bets": 1, "mark": 0, "result": 1}
    # Each vouches beyond the hit once an answer later than it is echoed: with the second of these beats.
    beats = {code: [bench.send(code, 1) for _ in range(4)] for code in bench.terminals}
    assert {code: sum(rung) for code, rung in beats.items()} == {"CS-01": 1, "CS-02": 1, "CS-03": 1}
    assert beats["CS-03"] == [0, 1, 0, 0]
    fold(bench.floor.progressive.pk)
    assert Win.objects.count() == 1
    assert [bench.send(code, 1) for code in bench.terminals] == [0, 0, 0]
