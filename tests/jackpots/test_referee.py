"""The referee on stored rounds: the declared mode comes to what was paid, page and REST say the same."""

from __future__ import annotations

import pytest

from jackpots.models import FoldRun, Win
from jackpots.reading.referee import judge
from rules.money import format_money
from tests.floor import Floor
from tests.jackpots.test_wins import as_page, win_at


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def test_a_lone_royal_is_the_same_in_every_mode_that_pays_winners(floor: Floor) -> None:
    win = win_at(floor, trigger="royal-flush")
    run = FoldRun.objects.get(pk=win.run_id)
    verdicts = judge(run)
    assert len(verdicts) == 6
    for verdict in verdicts:
        if verdict.resolution is None:
            assert verdict.mode == "envy"
            continue
        (payment,) = [payment for payment in verdict.resolution.payments if payment.amount_micros]
        assert payment.amount_micros == win.amount_micros
        assert verdict.resolution.state == run.state
    assert Win.objects.count() == 1, "nothing is written"
    body = as_page(floor, "arne").get(f"/api/v1/wins/{win.pk}/referee").json()
    assert [one["mode"] for one in body] == [verdict.mode.value for verdict in verdicts]
    assert body[0]["payments"][0]["amount"] == format_money(win.amount_micros)
    page = as_page(floor, "arne").get(f"/jackpots/wins/{win.pk}/referee/").content.decode()
    assert page.count("Step by step") == 5
    assert "an envy bonus is a fixed sum" in page
