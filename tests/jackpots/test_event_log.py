"""One jackpot night in one process: order, barrier, resolution and books, against figures worked out by hand."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Meter, Win
from jackpots.order.server_clock import ServerTime
from jackpots.signs.live import live
from jackpots.verify.identities import broken_identities
from rules.money import dollars
from tables.models import Round, Table
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor
from tests.server_time import told_by
from tests.terminal import PLAIN, Terminal, stud_round

ROYAL = "Th Jh Qh Kh Ah"
STRAIGHT_FLUSH = "5s 6s 7s 8s 9s"
FLUSH = "2d 4d 6d 8d Jd"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    time.sleep(
        1.0
    )  # the tables opened a moment ago; rounds are locked 0.2 s before "now", and not before that
    return made


def terminal(table: Table) -> Terminal:
    def send(events: list[dict[str, Any]]) -> list[Any]:
        return [intake.take(table.pk, event) for event in events]

    def beat(number: int, at: str) -> Any:
        return intake.heartbeat(table.pk, number, datetime.fromisoformat(at))

    return Terminal(table.code, send, beat, timezone.now)


@pytest.fixture
def terminals(floor: Floor) -> dict[str, Terminal]:
    return {code: terminal(table) for code, table in floor.tables.items()}


def settle_all() -> None:
    while settle_batch().settled:
        pass


def beat_all(terminals: dict[str, Terminal]) -> None:
    for each in terminals.values():
        assert each.heartbeat()["status"] == "ok"


def meters(floor: Floor) -> dict[str, int]:
    return {meter.level: meter.value_micros for meter in Meter.objects.filter(progressive=floor.progressive)}


def test_contributions_reach_the_final_meter_when_all_tables_have_passed_them(
    floor: Floor, terminals: dict[str, Terminal]
) -> None:
    now = timezone.now()
    terminals["CS-01"].event("round", uuid4(), stud_round({1: PLAIN[0], 2: PLAIN[1]}, first_card=now))
    # two wagers of 1.00: 60% to the grand, 15% to the minor, 5% to the grand's reserve, 20% to the house
    assert live(floor.progressive).shown() == {
        "grand": dollars(20_001) + 200_000,
        "minor": dollars(2_000) + 300_000,
    }
    settle_all()
    fold(floor.progressive.pk)
    assert meters(floor) == {"grand": dollars(20_000), "minor": dollars(2_000)}, (
        "CS-02 and CS-03 may still send"
    )
    beat_all(terminals)
    fold(floor.progressive.pk)
    assert meters(floor) == {"grand": dollars(20_001) + 200_000, "minor": dollars(2_000) + 300_000}
    assert broken_identities(floor.progressive.pk) == []


def test_12_3_wins_a_moment_apart_are_paid_in_the_order_of_first_cards_not_of_messages(
    floor: Floor, terminals: dict[str, Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The royal on CS-01 got its first card before the straight flush on CS-03, but is reported 0.3 s after it by every
    clock, however long the machine takes: what is told a second after its moment proves no order any more."""
    now = [timezone.now()]
    told_by(monkeypatch, lambda: ServerTime(now[0], None))
    for each in terminals.values():
        each.now = lambda: now[0]
    start = now[0] - timedelta(milliseconds=100)
    # A shoe's word is within 50 ms: so far apart there is no doubt which came first.
    early, late = start - timedelta(milliseconds=180), start - timedelta(milliseconds=50)
    royal = stud_round({3: ROYAL, 5: FLUSH}, first_card=early)
    straight = stud_round({2: STRAIGHT_FLUSH}, first_card=late)
    terminals["CS-03"].event("round", uuid4(), straight)
    settle_all()
    fold(floor.progressive.pk)
    assert not Win.objects.exists(), "the barrier holds: CS-01 may have something earlier"
    assert live(floor.progressive).pending == (), "nobody is shown it within its first second"
    pending = live(floor.progressive, now[0] + timedelta(seconds=2)).pending
    assert {w.table_code for w in pending[0].waiting} == {"CS-01", "CS-02"}
    now[0] += timedelta(milliseconds=300)
    terminals["CS-01"].event("round", uuid4(), royal)
    settle_all()
    now[0] += timedelta(milliseconds=300)
    beat_all(terminals)
    fold(floor.progressive.pk)
    wins = {win.trigger: win for win in Win.objects.all()}
    # By hand. Each round was locked 200 ms before its first card, so at the royal's place all three wagers of 1.00
    # are in: grand = 20,000 + 3 x 0.60 = 20,001.80, minor = 2,000 + 3 x 0.15 = 2,000.45.
    # 12.2(a): the flush takes 100.00 off the minor. 12.2(c): the royal takes the whole grand, 20,001.80.
    # The grand restarts at 20,000, of which 3 x 0.05 = 0.15 comes from the reserve.
    # 12.1(b): the straight flush gets the greater of 1,000 and 10% of 20,000 = 2,000.00.
    assert wins["flush"].amount_micros == dollars(100)
    assert wins["royal-flush"].amount_micros == dollars(20_001) + 800_000
    assert wins["straight-flush"].amount_micros == dollars(2_000)
    assert meters(floor) == {"grand": dollars(18_000), "minor": dollars(1_900) + 450_000}
    assert broken_identities(floor.progressive.pk) == []


def test_a_misdeal_carries_jackpot_wagers_which_contribute_once_and_can_win(
    floor: Floor, terminals: dict[str, Terminal]
) -> None:
    start = timezone.now()
    body = stud_round({1: PLAIN[0], 2: PLAIN[1]}, first_card=start)
    first = uuid4()
    misdealt = {
        "wagers": [w for w in body["wagers"] if w["kind"] != "bet"],
        "irregularities": [{"kind": "misdeal", "value": {"cause": "cards-exposed"}}],
        "locked_at": body["locked_at"],
    }
    terminals["CS-02"].event("round", first, misdealt)
    again = stud_round({1: FLUSH}, first_card=timezone.now())
    again["wagers"] = [w for w in again["wagers"] if w["kind"] != "jackpot"]
    second = uuid4()
    terminals["CS-02"].event("round", second, again)
    settle_all()
    beat_all(terminals)
    fold(floor.progressive.pk)
    lines = {(line.kind, line.seat): line for line in Round.objects.get(uid=second).lines.all()}
    assert lines["jackpot", 1].outcome == "win"
    assert lines["jackpot", 2].outcome == "void", (
        "seat 2 placed no ante: its carried wager is returned (11.1)"
    )
    win = Win.objects.get()
    assert (win.trigger, win.amount_micros) == ("flush", dollars(100))
    # Two wagers came in: grand + 1.20, minor + 0.30. The flush took 100.00 off the minor: its 0.30 of increment first,
    # then 99.70 of the base. The return came after it: 0.60 out of the grand; the 0.15 that went to the minor has been
    # paid out, so that is the house's, and the base is not touched: 2,000.00 - 99.70 = 1,900.30.
    assert meters(floor) == {"grand": dollars(20_000) + 600_000, "minor": dollars(1_900) + 300_000}
    assert broken_identities(floor.progressive.pk) == []
