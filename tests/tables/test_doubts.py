"""What a jump of a terminal's clock makes doubtful: hits whose moment was told since the last answer that agreed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jackpots.instants import instant_of
from jackpots.models import Doubt, Share
from jackpots.order import placed_of
from tests.tables.simulated_floor import SimulatedFloor

pytestmark = pytest.mark.django_db
FLUSH = "2d 4d 6d 8d Jd"


def hit_and_jump(monkeypatch: pytest.MonkeyPatch, beats_after_mark: int) -> tuple[SimulatedFloor, Share]:
    """CS-01 tells the first card of a flush, beats, tells the result; then its clock is set back by 25 s."""
    floor = SimulatedFloor(monkeypatch)
    for _ in range(3):
        floor.send("CS-01")
    floor.round_("CS-01", FLUSH, beats_after_mark)
    floor.clocks["CS-01"].wrong_by = timedelta(seconds=-25)
    floor.send("CS-01")
    return floor, Share.objects.get(event__kind="hits")


def test_a_moment_that_was_confirmed_before_the_result_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mark was told, and an answer after it agreed with the clock: the step came later, whenever the result did."""
    hit_and_jump(monkeypatch, beats_after_mark=2)
    assert not Doubt.objects.exists()


def test_a_moment_told_since_is_doubted_until_its_own_receipt(monkeypatch: pytest.MonkeyPatch) -> None:
    """It happened before it was told: at the mark's receipt, not at the result's 10 ms later."""
    floor, share = hit_and_jump(monkeypatch, beats_after_mark=0)
    doubt = Doubt.objects.get()
    mark_received = floor.now - timedelta(milliseconds=20)
    assert share.event.received_at == mark_received + timedelta(milliseconds=10)
    assert doubt.latest == mark_received
    placed = placed_of(share)
    assert placed.late
    assert instant_of(placed.received) == mark_received
