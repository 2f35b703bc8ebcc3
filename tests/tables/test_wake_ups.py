"""Which requests of a terminal wake the fold: those that may move something, and no others."""

from __future__ import annotations

import pytest

from jackpots.fold.folding import fold
from jackpots.models import Win
from tests.tables.simulated_floor import SimulatedFloor

pytestmark = pytest.mark.django_db


def test_a_beat_wakes_nobody_until_it_is_the_last_that_a_hit_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = SimulatedFloor(monkeypatch)
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
