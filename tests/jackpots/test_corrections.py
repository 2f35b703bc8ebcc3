"""Second thoughts about jackpot hands: what each changes of wins, pots and books. Amounts by hand.

nz-1996 VIII 12 with the demo's rates (60% of 1.00 to the grand, 5% to its reserve). A: 1.00 and a royal at CS-01, which
takes 20,000.60; the reserve's 0.05 and 19,999.95 of the house are the new seed. B: 1.00 at CS-02, grand 20,000.60, and a
straight flush has a tenth, 2,000.06; 18,000.54 are left, all of it base, and 0.05 in the reserve.

Without A the second 1.00 makes 20,001.20: B is due 2,000.12, and 18,001.08 are left, with 0.10 in the reserve."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.refusals import Refused
from jackpots import corrections, wins
from jackpots.folding import fold
from jackpots.identities import broken_identities
from jackpots.models import Adjustment, Dismissal, FoldRun, HeldHand, Meter, Overpaid, TableLog, Win
from jackpots.signs.frames import figures_from_log, snapshot
from ledger import verify
from ledger.balances import balance
from people import approvals
from people.models import ApprovalRequest
from rules.contract import Hit, Wager
from rules.money import dollars, format_money, parse_money
from tests import log_verbs as event_log
from tests.floor import Floor, make_floor, new_round_id

CHECKED = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-7"}
GRAND = "harbour/jackpots/stud/levels/grand"


def money(text: str) -> int:
    return parse_money(text)


class Night:
    def __init__(self, **settings: Any) -> None:
        self.floor: Floor = make_floor(**settings)
        self.progressive = self.floor.progressive
        self.sefa, self.jan, self.grace = (self.floor.people[name] for name in ("sefa", "jan", "grace"))

    def log(self, code: str) -> TableLog:
        return TableLog.objects.get(table_code=code)

    def play(self, code: str, hand: str = "", at: datetime | None = None) -> int:
        """A round with one jackpot wager of 1.00 at seat 1, and perhaps its hand; folded."""
        log, round_id, wager = self.log(code), new_round_id(), Wager("w", "jackpot", dollars(1), 1)
        hits = [Hit(wager, hand, "test")] if hand else []
        with transaction.atomic():
            event_log.record_stakes(log, round_id, [wager], at or timezone.now())
            event_log.decide(log, round_id, hits, {}, at or timezone.now(), entered=[wager])
            for each in TableLog.objects.filter(left_out_at__isnull=True):
                event_log.beat(each, timezone.now())
        fold(self.progressive.pk)
        return round_id

    def win(self, hand: str, state: str = "") -> Win:
        found = Win.objects.filter(trigger=hand).exclude(state="superseded").order_by("pk")
        return (found.filter(state=state) if state else found).get()

    def pay(self, win: Win) -> Win:
        wins.verify(win.pk, self.sefa, CHECKED)
        wins.approve(win.pk, self.jan)
        return wins.pay(win.pk, self.sefa, "cash")

    def ask(self, win: Win, kind: str = "reject", borne: str = "recoverable", hand: str = "") -> ApprovalRequest:
        return corrections.request_second_thought(
            win.pk, self.sefa, kind, borne=borne, reason="The deck was short a card.", hand=hand
        )

    def think(self, win: Win, kind: str = "reject", borne: str = "recoverable", hand: str = "") -> None:
        approvals.approve(self.ask(win, kind, borne, hand), self.jan)
        fold(self.progressive.pk)

    def rows(self) -> list[tuple[str, str, str]]:
        return [(win.trigger, win.state, format_money(win.amount_micros)) for win in Win.objects.order_by("pk")]

    def pots(self, level: str = "grand") -> dict[str, str]:
        meter = Meter.objects.get(level=level, progressive=self.progressive)
        return {
            name: format_money(getattr(meter, f"{name}_micros")) for name in ("base", "increment", "reserve")
        }

    def holds(self) -> None:
        assert broken_identities(self.progressive.pk) == []
        found = [str(fault) for fault in verify.check_span(0, verify.end_of_stamps())]
        assert [fault for fault in found if "round" not in fault] == []


@pytest.fixture
def night(db: None, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night()


@pytest.fixture
def both(night: Night) -> Night:
    night.play("CS-01", "royal-flush")
    night.play("CS-02", "straight-flush")
    return night


def test_as_it_was(both: Night) -> None:
    assert both.rows() == [
        ("royal-flush", "pending", "20000.60"),
        ("straight-flush", "pending", "2000.06"),
    ]
    assert both.pots() == {"base": "18000.54", "increment": "0.00", "reserve": "0.05"}


def test_a_is_rejected_after_b_was_resolved(both: Night) -> None:
    both.think(both.win("royal-flush"))
    assert both.rows() == [
        ("royal-flush", "superseded", "20000.60"),
        ("straight-flush", "pending", "2000.06"),
        ("straight-flush", "pending", "0.06"),
    ]
    assert both.pots() == {"base": "18001.08", "increment": "0.00", "reserve": "0.10"}
    assert balance(f"{GRAND}/payable") == -money("2000.12")
    assert balance(f"{GRAND}/base-not-owed") == money("18001.08")
    # As if A had never been: of the 20,000 of the house's seed 1,998.92 went to B.
    assert balance(f"{GRAND}/top-up") == money("1998.92")
    both.holds()
    supplementary = Win.objects.get(amount_micros=money("0.06"))
    both.pay(supplementary)
    assert balance(f"{GRAND}/payable") == -money("2000.06")
    both.holds()
