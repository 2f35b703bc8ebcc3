"""Second thoughts by gb-2011 11.44-11.46, worked by hand: one level, seed 10,000, 70% of each wager of 1.00."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Meter, Win
from jackpots.second_thoughts import corrections
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from people.approvals import approvals
from rules.contract import Hit, Wager
from rules.money import dollars, format_money
from rules.progressive import Level, preset
from tests import log_verbs as event_log
from tests.floor import Floor, linked_log, new_round_id


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def play(floor: Floor, hands: dict[int, str], *, on_board: bool = False) -> int:
    """One round: each seat that is named wagers 1.00 and has its hand. Gives the progressive."""
    level = Level("pot", seed_micros=dollars(10_000), increment_bp=7_000)
    progressive = create_progressive(
        "test", floor.harbour, "holdem", "Hold'em", preset("gb-2011-11.44", level)
    )
    wagers = {seat: Wager(f"w{seat}", "jackpot", dollars(1), seat) for seat in hands}
    hits = [Hit(wagers[seat], hand, "test", on_board=on_board) for seat, hand in hands.items()]
    round_id = new_round_id()
    with transaction.atomic():
        log = linked_log(progressive, floor.harbour, "TH-01")
        event_log.record_stakes(log, round_id, wagers.values(), timezone.now())
        event_log.decide(log, round_id, hits, {}, timezone.now(), entered=wagers.values())
        event_log.beat(log, timezone.now())
    fold(progressive.pk)
    return int(progressive.pk)


def paid(**wanted: Any) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for win in Win.objects.exclude(state="superseded").filter(**wanted).order_by("pk"):
        found.setdefault(win.seat, []).append(format_money(win.amount_micros))
    return found


def reject(floor: Floor, progressive: int, seat: int) -> None:
    asked = corrections.request_second_thought(
        Win.objects.get(seat=seat).pk,
        floor.people["sefa"],
        "reject",
        borne="house",
        reason="No wager was down.",
    )
    approvals.approve(asked, floor.people["jan"])
    fold(progressive)
    assert broken_identities(progressive) == []


def test_in_seating_order_each_on_the_meter_as_it_then_stands(floor: Floor) -> None:
    """11.46: from the dealer's right seat 5's royal takes 10,002.10, the level restarts; seat 2 has a tenth of 10,000,
    seat 1 of 9,000. Without the royal: a tenth of 10,002.10, 1,000.21; then of 9,001.89, 900.189, a minimum: 900.19."""
    progressive = play(floor, {5: "royal-flush", 2: "straight-flush", 1: "straight-flush"})
    assert paid() == {5: ["10002.10"], 2: ["1000.00"], 1: ["900.00"]}
    reject(floor, progressive, 5)
    assert paid() == {2: ["1000.00", "0.21"], 1: ["900.00", "0.19"]}
    meter = Meter.objects.get(progressive=progressive)
    assert (format_money(meter.value_micros), meter.resets) == ("8101.701", 0)


def test_a_royal_on_the_board_is_shared_by_who_is_left(floor: Floor) -> None:
    """11.45(a): 10,001.40 by two, 5,000.70 each; one of them had no wager: the other has all of it. The pots stay."""
    progressive = play(floor, {4: "royal-flush", 2: "royal-flush"}, on_board=True)
    assert paid() == {4: ["5000.70"], 2: ["5000.70"]}
    reject(floor, progressive, 4)
    assert paid() == {2: ["5000.70", "5000.70"]}
    meter = Meter.objects.get(progressive=progressive)
    assert (format_money(meter.value_micros), meter.resets) == ("10000.00", 1)


def test_a_straight_flush_on_the_board_is_one_tenth(floor: Floor) -> None:
    """11.45(b): a tenth of 10,002.10 is 1,000.21, by three 333.403..., a minimum: 333.41. By two 500.105: 500.11."""
    progressive = play(floor, {6: "straight-flush", 4: "straight-flush", 2: "straight-flush"}, on_board=True)
    assert paid() == {6: ["333.41"], 4: ["333.41"], 2: ["333.41"]}
    reject(floor, progressive, 4)
    assert paid() == {6: ["333.41", "166.70"], 2: ["333.41", "166.70"]}
    assert format_money(Meter.objects.get(progressive=progressive).value_micros) == "9001.89"
