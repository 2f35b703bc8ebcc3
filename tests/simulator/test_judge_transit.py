"""The outside judge on contributions that looked wrong and on prizes handed out before their turn: a day with both ties
out, and each planted fault is named. Amounts by hand: 1.00 a wager, a flush 100.00."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from jackpots.log import suspects
from jackpots.models import Advance, HeldContribution, Share, Win
from jackpots.wins import advances, hand_pay
from rules.money import dollars
from tests.floor import fill, make_floor
from tests.simulator.test_judge import Forger
from tests.simulator.test_judge_amendments import Day
from tests.upgrade.evening import CHECKED, FLUSH


@pytest.fixture
def day(committed_db: str, redis_url: str, tmp_path: Path, settings: Any) -> Day:
    settings.VAR_DIR = tmp_path
    return Day(make_floor(pay_alone_limit_micros=dollars(150)), Forger(committed_db))


def test_contributions_in_transit_tie_out_and_forged_ones_are_named(day: Day) -> None:
    day.play("CS-01")
    day.forger.run("UPDATE jackpots_progressive SET suspect_stake_micros = 500000")
    day.play("CS-02")
    day.forger.run("UPDATE jackpots_progressive SET suspect_stake_micros = NULL")
    day.play("CS-01")
    held = HeldContribution.objects.get()
    name = f"stud: held contribution {held.pk} of CS-02"
    clean = day.verdict()
    assert clean.differences == [], "it waits, and nothing is missing"
    assert clean.counts["contributions that looked wrong"] == 1
    less = "UPDATE jackpots_heldcontribution SET slice_micros = slice_micros - 10000"
    with day.planted("jackpots_heldcontribution", "id > 0", less) as named:
        assert {("held contribution", name), ("account", "harbour/jackpots/stud/transit")} <= set(named)
    with day.planted("jackpots_heldcontribution", "id > 0", "DELETE FROM jackpots_heldcontribution") as named:
        assert "stakes" in {kind for kind, _ in named}, "a wager that counts is nowhere"
    suspects.accept(held.pk, day.floor.people["sefa"], reason="camera 7")
    day.fold()
    assert day.verdict().differences == []
    with day.planted("jackpots_heldsettlement", "id > 0", "DELETE FROM jackpots_heldsettlement") as named:
        assert ("held contribution", name) in named


def test_advances_tie_out_and_forged_ones_are_named(day: Day) -> None:
    sefa = day.floor.people["sefa"]
    day.play("CS-01")
    day.silent = frozenset({"CS-03"})
    day.play("CS-01", FLUSH)
    share = Share.objects.get(event__kind="hits")
    wager = share.event.body["hits"][0]["wager"]["id"]
    fill(day.floor.tables["CS-01"], dollars(1_000))
    time.sleep(1.1)  # it is public by now
    advances.hand_out(share.pk, sefa, wager=wager, trigger="flush", confirmations=CHECKED)
    day.silent = frozenset()
    day.fold()
    clean = day.verdict()
    assert (clean.differences, clean.counts["advances"]) == ([], 1)
    name = f"harbour: advance {Advance.objects.get().pk}"
    more = "UPDATE jackpots_advance SET amount_micros = amount_micros + 1000000, paid_micros = paid_micros + 1000000"
    with day.planted("jackpots_advance", "id > 0", more) as named:
        assert {("advance", name), ("account", "harbour/jackpots/stud/advances")} <= set(named)
    win = Win.objects.get()
    hand_pay.verify(win.pk, sefa, CHECKED)
    hand_pay.pay(win.pk, sefa, "advance")
    assert day.verdict().differences == []
    with day.planted("jackpots_advance", "id > 0", "DELETE FROM jackpots_advance") as named:
        assert ("advance", f"win {win.pk}") in named
