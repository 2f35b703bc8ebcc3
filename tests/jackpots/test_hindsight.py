"""Second thoughts among what happened around them: caps, rules that changed, wins that were set aside, words that came
too late for the pots. Amounts by hand: 60% of each wager of 1.00 goes to the grand, 5% to its reserve."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Adjustment, HandPayRules, Meter, Win
from jackpots.wins import unclaimed
from ledger.verify import verify
from people.approvals import approvals
from rules.contract import Wager
from rules.money import dollars, format_money, parse_money
from rules.progressive import Overflow, ProgressiveRules
from tests import log_verbs as event_log
from tests.floor import new_round_id, stud_rules
from tests.jackpots.test_changes import approved, decide, draft, folded, meter, stake
from tests.jackpots.test_corrections import Night

pytestmark = pytest.mark.django_db


def capped(cap: str) -> ProgressiveRules:
    rules = stud_rules()
    grand, minor = rules.levels
    return replace(
        rules,
        levels=(replace(grand, cap_micros=parse_money(cap), overflow=Overflow.NEXT_METER), minor),
    )


def a_night(tmp_path: Any, settings: Any, rules: ProgressiveRules | None = None) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(rules=rules)


class LeftOut:
    """A wager of 1.00 at CS-03, which then is left out."""

    def __init__(self, night: Night) -> None:
        self.night, self.log = night, night.log("CS-03")
        self.round_id, self.wager = new_round_id(), Wager("w", "jackpot", dollars(1), 1)
        with transaction.atomic():
            event_log.record_stakes(self.log, self.round_id, [self.wager], timezone.now())
            event_log.leave_out(self.log)

    def goes_back(self) -> None:
        with transaction.atomic():
            event_log.return_stakes(self.log, self.round_id, [self.wager], timezone.now(), "void")
            event_log.decide(self.log, self.round_id, [], {}, timezone.now())
            for each in self.night.floor.tables.values():
                each.table_log.refresh_from_db()
                if each.table_log.left_out_at is None:
                    event_log.beat(each.table_log, timezone.now())
        fold(self.night.progressive.pk)


def grand() -> dict[str, str]:
    found = Meter.objects.get(level="grand")
    return {
        name: format_money(getattr(found, f"{name}_micros"))
        for name in ("base", "increment", "reserve", "overflow")
    }


# --- Caps --------------------------------------------------------------------------------------------------------


def test_a_wager_goes_back_out_of_where_it_is_seen_by_now(tmp_path: Any, settings: Any) -> None:
    """The grand holds 20,001.00 at most. A royal takes 20,000.60 and it restarts; CS-03 brings 0.60, CS-01 finds room
    for 0.40 of its 0.60. Without the royal CS-03 found room for 0.40 of its 0.60, and CS-01 none: so they go back."""
    night = a_night(tmp_path, settings, capped("20001.00"))
    night.play("CS-01", "royal-flush")
    alone = LeftOut(night)
    night.play("CS-01")
    assert grand() == {"base": "20000.00", "increment": "1.00", "reserve": "0.10", "overflow": "0.20"}
    night.think(night.win("royal-flush"))
    assert grand() == {"base": "20000.00", "increment": "1.00", "reserve": "0.15", "overflow": "0.80"}
    alone.goes_back()
    assert grand() == {"base": "20000.00", "increment": "0.60", "reserve": "0.10", "overflow": "0.60"}
    night.holds()


def test_wagers_come_in_under_the_cap_in_force_whenever_they_were_told(tmp_path: Any, settings: Any) -> None:
    """At most 20,000.30: of the royal's own wager 0.30 is held, and comes onto the new meter. The win brings rules
    without a cap: the wager behind it, told before anything was folded, finds room for its 0.60."""
    night = a_night(tmp_path, settings, capped("20000.30"))
    approved(night.floor, draft(stud_rules()))
    decide(stake(), "royal-flush")
    decide(stake("CS-02"), code="CS-02")
    now = folded()
    assert now.config.rules == stud_rules()
    assert format_money(Win.objects.get().amount_micros) == "20000.30"
    assert (meter(), grand()["overflow"]) == ("20000.90", "0.00")
    night.holds()


# --- What verification finds -------------------------------------------------------------------------------------


def faults() -> list[str]:
    span = verify.Span(0, verify.end_of_stamps(), whole=False)
    (check,) = [each for each in verify.checks() if each.name == "jackpots.adjustments"]
    return [str(fault) for fault in check.check(span)]


def written_over(adjustment: Adjustment, periods: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_adjustment SET effect = jsonb_set(effect, '{meter_runs}', %s) WHERE id = %s",
            [json.dumps(periods), adjustment.pk],
        )
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_periods_of_a_meter_that_were_written_over_are_found(tmp_path: Any, settings: Any) -> None:
    """The grand was won once, and the royal is rejected: it is in its first period since the beginning. Whoever writes
    that it is in its second lets the house pay for a wager that goes back."""
    night = a_night(tmp_path, settings)
    night.play("CS-01", "royal-flush")
    night.play("CS-02")
    night.think(night.win("royal-flush"))
    adjustment = Adjustment.objects.get()
    told = adjustment.effect["meter_runs"]
    assert told == {"before": {"grand": 0, "minor": 0}, "won": []}
    assert faults() == []
    place = int(Win.objects.get().place.timestamp() * 1_000_000)
    for forged in ({**told, "won": [[place, "grand", 1]]}, {**told, "before": {"grand": 1, "minor": 0}}):
        written_over(adjustment, forged)
        (found,) = faults()
        assert "the log gives other periods of the meters than it says" in found
    written_over(adjustment, told)
    assert faults() == []


def test_a_supplementary_win_that_nobody_fetched_is_no_fault(
    tmp_path: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was changed once is compared with what was due then, whatever became of the win since."""
    monkeypatch.setattr(HandPayRules._meta.get_field("unclaimed_days"), "default", 0)
    night = a_night(tmp_path, settings)
    night.play("CS-01", "royal-flush")
    night.play("CS-02", "straight-flush")
    night.think(night.win("royal-flush"))
    more = Win.objects.get(adjustment__isnull=False)
    asked = unclaimed.request_step(more.pk, night.floor.people["fiona"], "set-aside", "nobody came")
    approvals.approve(asked, night.floor.people["jan"])
    assert Win.objects.get(pk=more.pk).state == Win.State.UNCLAIMED
    assert faults() == []


# --- Too late for the pots ---------------------------------------------------------------------------------------


def test_a_later_word_leaves_what_the_house_gave_beyond_the_days(
    tmp_path: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A, a royal, takes 20,000.60; C is a flush; B, a straight flush, has a tenth of 20,001.20. Beyond the days A is
    rejected: B would have a tenth of 20,001.80, and gets 0.06 more from the house, and the pots stay. Within them C is
    a straight flush too. In the pots it has 2,000.06 and leaves B a tenth of 18,001.14, 1,800.12; as it is known it has
    a tenth of 20,001.20, 2,000.12, and leaves B a tenth of 18,001.68, 1,800.17. Each has the more of both."""
    night = a_night(tmp_path, settings)
    night.play("CS-01", "royal-flush")
    night.play("CS-03", "flush")
    night.play("CS-02", "straight-flush")
    assert night.rows() == [
        ("royal-flush", "pending", "20000.60"),
        ("flush", "pending", "100.00"),
        ("straight-flush", "pending", "2000.12"),
    ]
    before = night.pots()
    monkeypatch.setattr(HandPayRules._meta.get_field("second_thought_days"), "default", 0)
    night.think(night.win("royal-flush"))
    assert night.pots() == before
    assert night.rows()[3:] == [("straight-flush", "pending", "0.06")]
    monkeypatch.setattr(HandPayRules._meta.get_field("second_thought_days"), "default", 30)
    night.think(night.win("flush"), "corrected", hand="straight-flush")
    due = sorted(amount for _, state, amount in night.rows() if state == "pending")
    assert due == ["1800.17", "2000.12"]
    night.holds()
