"""The outside judge where a second thought meets what happened around it: a wager that goes back after the meter was
seen otherwise, and a hand that nobody waited for beside a change of rules. The house and the judge come to the same by
hand; where the house does as it once did, the judge names it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from jackpots.fold import hindsight, replay
from jackpots.models import HeldHand, Meter, Win
from jackpots.second_thoughts import corrections
from people.approvals import approvals
from rules.money import dollars, format_money
from rules.progressive import Fixed, ProgressiveRules
from simulator.judge import frames
from tables.floor import silence
from tests.examples import SOAK
from tests.floor import Floor, stud_rules
from tests.jackpots.test_changes import approved, draft
from tests.simulator.test_judge import Forger
from tests.simulator.test_judge_amendments import Day
from tests.tables.test_silence import silence_falls
from tests.terminal import DEALER, stud_bets, stud_wagers
from tests.upgrade.evening import FLUSH, ROYAL

VOID = {"irregularities": [{"kind": "invalidated"}], "dealt": {"seats": {}}}


@pytest.fixture
def day(committed_db: str, committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Day:
    settings.VAR_DIR = tmp_path
    return Day(committed_floor, Forger(committed_db))


class Alone:
    """A round of CS-02 that is locked, and whose table then falls silent."""

    def __init__(self, day: Day) -> None:
        self.day, self.uid, self.wagers = day, uuid4(), stud_wagers(1)
        steps: tuple[tuple[str, dict[str, Any]], ...] = (
            ("open", {}),
            ("wagers", {"wagers": self.wagers}),
            ("no-more-bets", {}),
        )
        for kind, body in steps:
            day.tell("CS-02", kind, self.uid, body, at=timezone.now() - timedelta(milliseconds=5))

    def is_left_out(self) -> None:
        with transaction.atomic():
            silence_falls("CS-02")
        self.day.silent = frozenset({"CS-02"})
        people = self.day.floor.people
        asked = silence.request_leave_out(self.day.floor.tables["CS-02"].pk, people["sefa"], "on fire")
        approvals.approve(asked, people["jan"])
        self.day.fold()

    def tells(self, body: dict[str, Any]) -> None:
        self.day.tell("CS-02", "result", self.uid, body)
        self.day.fold()

    def tells_a_flush(self, first_card: datetime) -> HeldHand:
        dealt = {"seats": {"1": FLUSH.split()}, "dealer": DEALER.split()}
        moments = {"1": {"first-card": first_card.isoformat()}}
        self.tells({"wagers": stud_bets(self.wagers), "dealt": dealt, "moments": moments})
        return HeldHand.objects.get()


def grand() -> tuple[str, str]:
    meter = Meter.objects.get(level="grand")
    return format_money(meter.increment_micros), format_money(meter.reserve_micros)


def _goes_back(day: Day) -> None:
    """The royal of CS-01 takes 20,000.60. CS-02 brings 0.60 and is left out, CS-01 brings 0.60. The royal is rejected,
    and the round of CS-02 is void."""
    day.play("CS-01", ROYAL)
    alone = Alone(day)
    alone.is_left_out()
    day.play("CS-01")
    assert grand() == ("1.20", "0.10"), "of the second meter"
    day.think("royal-flush", "reject")
    assert grand() == ("1.80", "0.15"), "of the first, which nobody has won"
    alone.tells(VOID)


def test_a_wager_that_goes_back_after_a_second_thought_ties_out(day: Day) -> None:
    _goes_back(day)
    assert grand() == ("1.20", "0.10"), "of three wagers two are left"
    clean = day.verdict()
    assert clean.differences == []
    assert clean.counts["second thoughts replayed"] == 1


def test_a_house_that_pays_such_a_wager_itself_is_named(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks for the money in the period of the meter that there is no more: the pots keep it."""
    monkeypatch.setattr(replay, "_as_seen", lambda applied, *_: applied)
    _goes_back(day)
    assert grand() == ("1.80", "0.15")
    named = {(each.kind, each.about) for each in day.verdict().differences}
    assert ("pot", "stud grand") in named


# --- Late, beside a change of rules ------------------------------------------------------------------------------


def dearer() -> ProgressiveRules:
    """An operator's own schedule: 120.00 for a flush instead of 100.00."""
    rules = replace(stud_rules(), schedule="")
    stages = tuple(
        replace(
            stage,
            prizes=tuple(
                replace(prize, amount=Fixed(dollars(120))) if prize.trigger == "flush" else prize
                for prize in stage.prizes
            ),
        )
        for stage in rules.stages
    )
    return replace(rules, stages=stages)


def _let_in(day: Day, held: HeldHand, place: datetime) -> int:
    people = day.floor.people
    day.approve(
        corrections.request_let_in(
            held.pk, people["sefa"], borne="recoverable", reason="seen by the cameras", place=place
        )
    )
    return Win.objects.get(trigger="flush").amount_micros


def _after_the_win(day: Day) -> tuple[HeldHand, datetime]:
    """Rules are armed, a royal brings them, and a flush falls after it at a table that nobody waits for."""
    day.play("CS-03")
    approved(day.floor, draft(dearer()))
    alone = Alone(day)
    day.play("CS-01", ROYAL)
    first_card = timezone.now()
    alone.is_left_out()
    return alone.tells_a_flush(first_card), first_card


def _before_the_day(day: Day) -> tuple[HeldHand, datetime]:
    """Rules are dated; a flush falls before their day at a table that nobody waits for, and a wager after it."""
    day.play("CS-03")
    approved(day.floor, draft(dearer(), gaming_day(day.floor.harbour, timezone.now()) + timedelta(days=1)))
    alone = Alone(day)
    first_card = timezone.now()
    # The day begins now: nobody waits for the morning.
    begins = first_card + timedelta(milliseconds=20)
    for table in ("jackpots_configchange", "jackpots_progressive"):
        day.forger.run(f"UPDATE {table} SET effect_at = %s WHERE effect_at IS NOT NULL", begins)
    alone.is_left_out()
    day.play("CS-01")
    return alone.tells_a_flush(first_card), first_card


CASES = [(_after_the_win, 120), (_before_the_day, 100)]
BY_RULES = ["after the win that brings them", "before their day"]


@pytest.mark.parametrize(("played", "due"), CASES, ids=BY_RULES)
def test_a_late_hand_beside_other_rules_ties_out(
    day: Day, played: Any, due: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However quickly it all happens: with an hour of slack each frame may have had all that people said later."""
    held, place = played(day)
    assert _let_in(day, held, place) == dollars(due)
    clean = day.verdict()
    assert clean.differences == []
    assert clean.counts["second thoughts replayed"] == 1
    monkeypatch.setattr(frames, "SLACK", timedelta(hours=1))
    assert day.verdict().differences == []


@pytest.mark.parametrize(("played", "due"), CASES if SOAK else CASES[:1])
def test_a_house_that_pays_it_by_the_wrong_rules_is_named(
    day: Day, played: Any, due: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows neither which rules hold at the end nor where others began: it takes those of a neighbour."""
    kept = hindsight.look_back

    def look_back(*given: Any, **more: Any) -> hindsight.Hindsight:
        return replace(kept(*given, **more), dates=(), rules=None)

    monkeypatch.setattr(hindsight, "look_back", look_back)
    held, place = played(day)
    assert _let_in(day, held, place) == dollars(220 - due)
    named = {each.kind for each in day.verdict().differences}
    assert {"adjustment", "due"} <= named
