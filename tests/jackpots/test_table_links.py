"""Tables linked, suspended and resumed by two people: which wagers count, who is waited for, and what is refused."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import HeldHand, Link, Share, TableLog, UndecidedRound
from jackpots.order.barrier import awaited_tables
from jackpots.set_up import table_links
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Level, preset
from tables.floor.opening import create_table
from tables.models import Round
from tests import door as intake
from tests import log_verbs
from tests.floor import Floor, new_round_id
from tests.terminal import Terminal, stud_round

ROYAL = "Th Jh Qh Kh Ah"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    time.sleep(0.3)  # what follows was locked after the tables opened
    return made


def step(floor: Floor, verb: Any, table: str) -> Link:
    asked: ApprovalRequest = verb("stud", floor.people["sefa"], "harbour", table, "trial")
    approvals.approve(asked, floor.people["grace"])
    return Link.objects.get(table_log__table_code=table, progressive__code="stud")


def suspend(floor: Floor, table: str = "CS-01") -> Link:
    return step(floor, table_links.request_suspension, table)


def resume(floor: Floor, table: str = "CS-01") -> Link:
    return step(floor, table_links.request_resumption, table)


def play(floor: Floor, first_card: datetime, code: str = "CS-01") -> tuple[Round, Any]:
    """A royal with a jackpot wager, told as a whole; the round and the answer to its event."""
    table = floor.tables[code]
    table.refresh_from_db()
    answers: list[Any] = []
    terminal = Terminal(
        table.code,
        lambda events: answers.extend(intake.take(table.pk, event) for event in events),
        lambda n, at: None,
        timezone.now,
        number=table.last_event,
    )
    round_id = uuid4()
    terminal.event("round", round_id, stud_round({1: ROYAL}, first_card=first_card))
    return Round.objects.get(uid=round_id), answers[0].body


def ago(seconds: float = 0.005) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


def test_wagers_at_a_suspended_table_go_back_with_the_reason(floor: Floor) -> None:
    link = suspend(floor)
    assert link.is_suspended
    time.sleep(0.25)
    round, answer = play(floor, ago())
    (lamp,) = answer["jackpots"]
    assert (lamp["counts"], lamp["why"]) == (False, "Stud Jackpot is suspended at CS-01")
    assert [given["wager"]["kind"] for given in round.not_accepted] == ["jackpot"]
    assert round.settlement is not None, "the table plays on"
    assert (Share.objects.count(), UndecidedRound.objects.count()) == (0, 0)


def test_a_wager_that_locked_before_the_suspension_counts_when_it_is_told_after(floor: Floor) -> None:
    """No more bets 200 ms before the first card, both before the suspension; its table is waited for until then."""
    first_card = timezone.now()
    suspend(floor)
    assert "CS-01" in [table.table_code for table in awaited_tables(floor.progressive.pk)]
    round, answer = play(floor, first_card)
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [True]
    assert Share.objects.filter(event__round_id=round.pk).count() == 2, "its stake and its royal"


def test_nobody_waits_for_a_suspended_table_once_it_has_vouched_up_to_there(floor: Floor) -> None:
    suspend(floor)
    time.sleep(0.01)
    for table in floor.tables.values():
        intake.heartbeat(table.pk, 0, timezone.now())
    assert sorted(awaited_tables(floor.progressive.pk).values_list("table_code", flat=True)) == [
        "CS-02",
        "CS-03",
    ]
    silent = TableLog.objects.get(table_code="CS-01").watermark
    time.sleep(0.25)
    play(floor, ago(), "CS-02")
    for code in ("CS-02", "CS-03"):
        intake.heartbeat(
            floor.tables[code].pk, floor.tables[code].last_event + (code == "CS-02"), timezone.now()
        )
    folded = fold(floor.progressive.pk)
    assert [win.amount_micros for win in folded.wins] == [dollars(20_000) + 600_000]
    assert TableLog.objects.get(table_code="CS-01").watermark == silent
    assert broken_identities(floor.progressive.pk) == []


def test_after_resuming_only_what_surely_locked_later_counts(floor: Floor) -> None:
    suspend(floor)
    time.sleep(0.25)
    between = timezone.now()
    link = resume(floor)
    assert not link.is_suspended
    _, answer = play(floor, between)
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [False]
    time.sleep(0.25)
    round, answer = play(floor, ago())
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [True]
    assert Share.objects.filter(event__round_id=round.pk).count() == 2


def test_a_wager_carried_over_a_suspension_is_held_for_people(floor: Floor) -> None:
    """It contributed before; its hand is in no order that anybody waited for."""
    log = TableLog.objects.get(table_code="CS-01")
    wager = Wager("w1", "jackpot", dollars(1), 1)
    with transaction.atomic():
        first, second = new_round_id(), new_round_id()
        log_verbs.record_stakes(log, first, [wager], timezone.now())
        log_verbs.decide_plain([first])
    suspend(floor)
    time.sleep(0.005)
    with transaction.atomic():
        log_verbs.carry_stakes(log, second, [wager], timezone.now())
        log_verbs.decide(log, second, [Hit(wager, "royal-flush", "x")], {}, timezone.now())
    assert HeldHand.objects.filter(round_id=second).count() == 1
    assert Share.objects.filter(event__kind="hits").count() == 0


def test_what_is_asked_twice_or_not_possible_is_refused(floor: Floor) -> None:
    sefa, grace = floor.people["sefa"], floor.people["grace"]
    with pytest.raises(Refused, match="is not suspended"):
        table_links.request_resumption("stud", sefa, "harbour", "CS-01", "x")
    asked = table_links.request_suspension("stud", sefa, "harbour", "CS-01", "x")
    with pytest.raises(Refused, match="asked for it already"):
        table_links.request_suspension("stud", grace, "harbour", "CS-01", "x")
    approvals.approve(asked, grace)
    with pytest.raises(Refused, match="is suspended from"):
        table_links.request_suspension("stud", sefa, "harbour", "CS-01", "x")
    resume(floor)
    with pytest.raises(Refused, match="has not vouched"):
        table_links.request_suspension("stud", sefa, "harbour", "CS-01", "x")
    with pytest.raises(Refused, match="is not linked"):
        table_links.request_suspension("stud", sefa, "harbour", "CS-09", "x")


def test_a_table_joins_by_two_people_and_only_with_wagers_that_fit(floor: Floor) -> None:
    jan, fiona = floor.people["jan"], floor.people["fiona"]
    create_table("test", floor.harbour, "CS-04", dict(floor.tables["CS-01"].config.document), pit="P1")
    for table, kinds, why in (
        ("CS-04", ["ante"], "is fed by jackpot-wager"),
        ("CS-04", [], "Name the wagers"),
        ("CS-01", ["jackpot"], "is linked to"),
        ("XX-01", ["jackpot"], "There is no table"),
    ):
        with pytest.raises(Refused, match=why):
            table_links.request_link("stud", jan, "harbour", table, kinds, "x")
    asked = table_links.request_link("stud", jan, "harbour", "CS-04", ["jackpot"], "fourth table")
    approvals.approve(asked, fiona)
    link = Link.objects.get(table_log__table_code="CS-04")
    assert (link.kinds, link.takes_rest, link.suspended_at) == (["jackpot"], True, None)


def test_other_chances_at_one_meter_are_refused_unless_they_are_allowed(floor: Floor) -> None:
    """Of seven cards (gb-2011 Texas Hold'em Bonus) a royal comes far more often than of five (Casino Stud, the same
    4 in 2,598,960 as in Caribbean Stud)."""
    jan = floor.people["jan"]
    rules = preset("gb-2011-7.21", Level("pot", seed_micros=dollars(1_000), increment_bp=7_000))
    create_progressive("test", floor.harbour, "wide", "Wide", rules)
    for code, game in (("ST-01", "casino-stud"), ("HB-01", "texas-holdem-bonus")):
        create_table("test", floor.harbour, code, {"game": game, "rulebook": "gb-2011"}, pit="P1")
    first = table_links.request_link("wide", jan, "harbour", "ST-01", ["progressive"], "x")
    approvals.approve(first, floor.people["fiona"])
    with pytest.raises(Refused, match=r"royal flush comes once in 30,940 wagers at .* 649,740 wagers"):
        table_links.request_link("wide", jan, "harbour", "HB-01", ["progressive"], "x")
    table_links.request_link("wide", jan, "harbour", "HB-01", ["progressive"], "x", unequal_odds=True)


def test_seventy_percent_is_asked_when_a_table_joins(floor: Floor) -> None:
    """gb-2011 2.4: 65% to the meter and 5% to a reserve, which is no meter."""
    rules = preset(
        "gb-2011-7.21", Level("pot", seed_micros=dollars(1_000), increment_bp=6_500, reserve_bp=500)
    )
    create_progressive("test", floor.harbour, "low", "Low", rules)
    create_table("test", floor.harbour, "ST-01", {"game": "casino-stud", "rulebook": "gb-2011"}, pit="P1")
    with pytest.raises(Refused, match=r"65% of a progressive wager reaches the meters"):
        table_links.request_link("low", floor.people["jan"], "harbour", "ST-01", ["progressive"], "x")
