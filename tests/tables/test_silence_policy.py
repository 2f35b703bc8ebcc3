"""A silent table and what each progressive's policy makes of it: hold, suspend, play on; by link, as a table may be in
several."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import HeldHand, Link, Progressive, Share, TableLog, Win
from jackpots.order import vouched
from jackpots.order.barrier import awaited_tables
from jackpots.set_up import table_links
from jackpots.set_up.configure import create_progressive
from jackpots.signs.frames import snapshot
from jackpots.verify.identities import broken_identities
from people.approvals import approvals
from people.models import Alert
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Fixed, Level
from tables.door import requests
from tables.floor import silence_policy
from tables.floor.opening import link_table
from tests import log_verbs
from tests.acts import on_record
from tests.floor import Floor, make_floor, new_round_id
from tests.jackpots.test_links import own_rules


@transaction.atomic
def fall_silent(code: str) -> None:
    """As if nothing had been heard for a minute."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_tablelog SET lease_until = now() - interval '30 seconds',"
            " watermark = clock_timestamp() - interval '1 minute' WHERE table_code = %s",
            [code],
        )
        log = TableLog.objects.get(table_code=code)
        vouched.sign(log)
        log.save(update_fields=["hallmark"])
        cursor.execute("SET LOCAL session_replication_role = origin")


@transaction.atomic
def flush_at(code: str) -> None:
    log, round_id = TableLog.objects.get(table_code=code), new_round_id()
    wager = Wager(f"w{round_id}", "jackpot", dollars(1), 1)
    log_verbs.record_stakes(log, round_id, [wager], timezone.now())
    log_verbs.decide(log, round_id, [Hit(wager, "flush", "x")], {}, timezone.now())


@transaction.atomic
def others_vouch() -> None:
    for code in ("CS-01", "CS-03"):
        log_verbs.beat(TableLog.objects.get(table_code=code), timezone.now())


def wins(progressive: Progressive) -> int:
    others_vouch()
    fold(progressive.pk)
    assert broken_identities(progressive.pk) == []
    return Win.objects.filter(progressive=progressive).count()


def link_of(code: str = "CS-02", progressive: str = "stud") -> Link:
    return Link.objects.select_related("table_log").get(
        table_log__table_code=code, progressive__code=progressive
    )


def heard(floor: Floor, code: str = "CS-02") -> Any:
    """A beat of its terminal, by a clock that is right."""
    now = timezone.now().isoformat()
    table = floor.tables[code]
    envelope = {
        "clock": "c1", "sent_at": now, "session": 1, "last_number": 0, "told_until": now, "echo": now,
        "echo_received_at": now,
    }  # fmt: skip
    return requests.receive(table.pk, {"envelope": envelope, "events": []})


def made(policy: str) -> Floor:
    floor = make_floor(silence=policy)
    flush_at("CS-01")
    time.sleep(0.002)
    fall_silent("CS-02")
    return floor


def test_holding_wins_wait_for_the_silent_table(db: None) -> None:
    floor = made("hold")
    assert silence_policy.enforce() == 0
    assert wins(floor.progressive) == 0


def test_playing_on_the_others_do_not_wait_and_it_is_back_when_it_is_heard(db: None) -> None:
    floor = made("play-on")
    assert wins(floor.progressive) == 0
    assert silence_policy.enforce() == 1
    assert silence_policy.enforce() == 0, "once"
    assert (on_record("jackpots.link_left_out"), on_record("jackpots.link_returned")) == (1, 0)
    assert wins(floor.progressive) == 1
    assert Alert.objects.filter(kind="tables.left_out_by_policy").count() == 1
    assert snapshot(floor.progressive.pk)["out"] == ["CS-02"]
    final = Progressive.objects.get(pk=floor.progressive.pk).final_until
    heard(floor)
    link = link_of()
    assert (link.left_out_at, link.returned_at, link.is_suspended) == (None, final, False)
    assert on_record("jackpots.link_returned") == 1
    assert "CS-02" in awaited_tables(floor.progressive.pk).values_list("table_code", flat=True)
    assert snapshot(floor.progressive.pk)["out"] == []


def test_a_table_that_comes_back_before_any_fold_holds_up_nothing_that_was_final_without_it(db: None) -> None:
    """Its terminal beats faster than workers fold, and vouches for nothing new."""
    floor = made("play-on")
    others_vouch()
    assert silence_policy.enforce() == 1
    with transaction.atomic():
        log_verbs.come_back(TableLog.objects.get(table_code="CS-02"))
    link = link_of()
    assert link.left_out_at is None
    vouched_until = TableLog.objects.filter(table_code__in=["CS-01", "CS-03"]).order_by("watermark")
    assert link.returned_at == vouched_until.values_list("watermark", flat=True)[0]
    fold(floor.progressive.pk)
    assert Win.objects.count() == 1
    assert broken_identities(floor.progressive.pk) == []


def test_a_hand_of_the_silence_is_held_and_its_wager_counts_at_the_earliest_open_place(db: None) -> None:
    """It locked within the lease and was told after others had been paid without waiting for it."""
    floor = made("play-on")
    round_id, wager = new_round_id(), Wager("w1", "jackpot", dollars(1), 1)
    with transaction.atomic():  # told before the silence, not decided
        log_verbs.record_stakes(TableLog.objects.get(table_code="CS-02"), round_id, [wager], timezone.now())
    time.sleep(0.002)
    flush_at("CS-01")
    fall_silent("CS-02")
    silence_policy.enforce()
    assert wins(floor.progressive) == 2
    with transaction.atomic():
        log_verbs.come_back(TableLog.objects.get(table_code="CS-02"))
        log = TableLog.objects.get(table_code="CS-02")
        log_verbs.decide(
            log, round_id, [Hit(wager, "royal-flush", "x")], {}, timezone.now() - timedelta(seconds=1)
        )
    assert HeldHand.objects.filter(round_id=round_id).count() == 1
    final = Progressive.objects.get(pk=floor.progressive.pk).final_until
    late = new_round_id()
    with transaction.atomic():
        log = TableLog.objects.get(table_code="CS-02")
        log_verbs.record_stakes(
            log, late, [Wager("w2", "jackpot", dollars(1), 1)], timezone.now() - timedelta(seconds=20)
        )
    share = Share.objects.get(event__round_id=late)
    assert final is not None
    assert share.place >= final
    assert broken_identities(floor.progressive.pk) == []


def test_suspending_needs_two_people_to_resume(db: None) -> None:
    floor = made("suspend")
    assert silence_policy.enforce() == 1
    assert wins(floor.progressive) == 1
    assert link_of().is_suspended
    heard(floor)
    link = link_of()
    assert (link.left_out_at, link.is_suspended) == (None, True)
    assert snapshot(floor.progressive.pk)["out"] == ["CS-02"]
    asked = table_links.request_resumption("stud", floor.people["sefa"], "harbour", "CS-02", "mended")
    approvals.approve(asked, floor.people["grace"])
    assert not link_of().is_suspended


def test_a_table_in_two_progressives_is_left_out_only_where_the_policy_says_so(db: None) -> None:
    floor = make_floor(silence="hold")
    rules = own_rules(Level("pot", seed_micros=dollars(100), increment_bp=1_000), flush=Fixed(dollars(20)))
    mini = create_progressive("test", floor.harbour, "mini", "Mini", rules, silence="play-on")
    for code in ("CS-01", "CS-02"):
        link_table("test", floor.tables[code], mini, ["jackpot"])
    flush_at("CS-01")
    time.sleep(0.002)
    fall_silent("CS-02")
    before = TableLog.objects.get(table_code="CS-02").watermark
    assert silence_policy.enforce() == 1
    assert (wins(floor.progressive), wins(mini)) == (0, 1)
    with transaction.atomic():
        log_verbs.come_back(TableLog.objects.get(table_code="CS-02"))
    assert link_of(progressive="mini").left_out_at is None
    assert TableLog.objects.get(table_code="CS-02").watermark == before, "it has vouched for nothing yet"
    assert wins(floor.progressive) == 0
    heard(floor)
    assert wins(floor.progressive) == 1


def test_a_table_that_is_closed_and_opened_anew_is_waited_for_again(db: None) -> None:
    floor = made("play-on")
    silence_policy.enforce()
    with transaction.atomic():
        log = TableLog.objects.get(table_code="CS-02")
        log_verbs.close_log(log)
        log_verbs.open_log(log)
    assert link_of().left_out_at is None
    assert "CS-02" in awaited_tables(floor.progressive.pk).values_list("table_code", flat=True)
