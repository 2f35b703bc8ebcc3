"""What second thoughts come to stays what it was when they were said, whatever the program has learnt since."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from jackpots.fold import hindsight
from jackpots.fold.folding import fold
from jackpots.log import event_log
from jackpots.models import Adjustment, HeldHand, TableLog, Win
from jackpots.models.adjustments import FIRST_EFFECT_VERSION
from jackpots.order import clocks
from jackpots.order.instants import Stamp, micros_of
from jackpots.order.links import links_of
from jackpots.second_thoughts import corrections, second_look
from people.approvals import approvals
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import second_thoughts
from rules.progressive.places import Placed
from tests import log_verbs
from tests.floor import new_round_id
from tests.jackpots.test_corrections import Night
from tests.jackpots.test_corrections import night as night  # the fixture


def let_in_before_its_wager(night: Night) -> Win:
    """A straight flush of a table that was left out: it fell before another's, and its wager came in behind that."""
    with transaction.atomic():
        event_log.leave_out(night.log("CS-03"))
    time.sleep(0.01)
    fell = timezone.now()
    time.sleep(0.02)
    night.play("CS-01", "straight-flush")
    with transaction.atomic():
        log_verbs.come_back(night.log("CS-03"))
    round_id, wager, now = new_round_id(), Wager("w", "jackpot", dollars(1), 1), timezone.now()
    with transaction.atomic():
        log = night.log("CS-03")
        assert log.watermark is not None
        at = micros_of(max(log.watermark, now))
        lock = Stamp(fell, "c", Placed(at, micros_of(fell), micros_of(now), micros_of(now), True))
        event_log.record_stakes(log, round_id, [wager], lock, unawaited={night.progressive.pk})
    with transaction.atomic():
        log = night.log("CS-03")
        moments = dict.fromkeys(("first-card", "all-cards", "deciding-card-or-throw"), lock)
        hits, timing = [Hit(wager, "straight-flush", "x")], clocks.timing_of(links_of(log))
        result = Stamp.exactly(timezone.now())
        event_log.decide(log, round_id, hits, {1: moments}, result, timing, entered=[wager])
    held = HeldHand.objects.get()
    with transaction.atomic():
        for each in TableLog.objects.filter(left_out_at__isnull=True):
            log_verbs.beat(each, timezone.now())
    time.sleep(0.01)
    fold(night.progressive.pk)
    night.play("CS-02", "")
    asked = corrections.request_let_in(
        held.pk, night.sefa, borne="recoverable", reason="camera", place=fell + timedelta(milliseconds=5)
    )
    approvals.approve(asked, night.jan)
    fold(night.progressive.pk)
    night.play("CS-02", "")
    return Win.objects.get(held=held)


def as_the_first_version(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(second_thoughts, "_came_in", lambda *given: None)
    for module in (second_look, hindsight):
        patch.setattr(module, "EFFECT_VERSION", FIRST_EFFECT_VERSION)
    patch.setattr("jackpots.models.adjustments.EFFECT_VERSION", FIRST_EFFECT_VERSION)


def test_a_void_round_leaves_the_pots_where_its_wager_came_in(night: Night) -> None:
    """The straight flush of CS-01 has taken what was above the base; two wagers of 1.00 at CS-02 have put 0.60 each
    there since, and the late one's 0.60 is out again."""
    night.think(let_in_before_its_wager(night), "void")
    assert night.pots()["increment"] == "1.20"
    night.holds()


def test_what_an_earlier_version_said_stands(night: Night) -> None:
    """It took the wager out where the hand stood: so the pots are, so it is verified, and so more is said later."""
    with pytest.MonkeyPatch.context() as patch:
        as_the_first_version(patch)
        night.think(let_in_before_its_wager(night), "void")
        night.holds()
        before = night.pots()
        assert before["increment"] == "1.80", "0.60 too much: that is why there is a second version"
    assert [each.effect["version"] for each in Adjustment.objects.order_by("pk")] == [1, 1]
    night.holds()
    assert night.pots() == before
    night.think(Win.objects.filter(held__isnull=True).exclude(state="superseded").earliest("pk"), "reject")
    assert Adjustment.objects.latest("pk").effect["version"] == 2
    night.holds()
