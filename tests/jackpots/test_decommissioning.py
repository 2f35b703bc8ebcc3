"""A progressive ends: announced, its wagers stopped where its last gaming day is over, decommissioned. Amounts by hand.

The demo's stud: 60% of 1.00 to the grand (seed 20,000.00), 5% to its reserve, 15% to the minor (2,000.00). The next
progressive has the same rules."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Decommission, Link, Meter, Progressive, Share, TableLog, UndecidedRound
from jackpots.set_up import decommissioning, table_links
from jackpots.set_up.configure import create_progressive, link_table
from jackpots.signs.frames import snapshot
from ledger.books.balances import balance
from ledger.close.reconciliation import reconcile
from people.approvals import approvals
from rules.money import dollars
from rules.progressive import Fixed, Level
from tests import log_verbs as event_log
from tests.floor import Floor, stud_rules
from tests.jackpots.test_corrections import Night, money
from tests.jackpots.test_links import own_rules
from tests.jackpots.test_table_links import play
from tests.jackpots.test_transfers import REASON, _today, away, holds, move, next_one, night, pots

__all__ = ["night"]
TARGETS = {level: {"progressive": "next", "level": level} for level in ("grand", "minor")}


def announce(night: Night, days: int = 0, authority: str = "Letter 12", **given: Any) -> None:
    day = gaming_day(night.floor.harbour, timezone.now()) + timedelta(days=days)
    targets = given.pop("targets", TARGETS)
    asked = decommissioning.request_end(
        "stud", night.jan, last_day=day, targets=targets, authority=authority, **REASON
    )
    approvals.approve(asked, night.floor.people["fiona"])


def day_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if tomorrow had come, every table having vouched up to there."""
    now = timezone.now()
    later = now + timedelta(days=1)
    monkeypatch.setattr(decommissioning, "_today", lambda one: gaming_day(one.host, later))
    for log in TableLog.objects.all():
        with transaction.atomic():
            event_log.beat(log, timezone.now())
    fold(Progressive.objects.get(code="stud").pk)
    monkeypatch.setattr(decommissioning, "end_of", lambda *_: now)


def ends_at(at: datetime) -> None:
    """As if its last gaming day were over at this instant."""
    _forge("UPDATE jackpots_progressive SET ends_at = %s WHERE code = 'stud'", at)


def _forge(sql: str, *given: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql, given or None)
        cursor.execute("SET LOCAL session_replication_role = origin")


def end(night: Night) -> None:
    asked = decommissioning.request_decommission("stud", night.jan, **REASON)
    approvals.approve(asked, night.floor.people["fiona"])
    for progressive in Progressive.objects.all():
        fold(progressive.pk)


def test_a_progressive_ends_and_what_players_put_in_goes_on(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A royal took 20,000.60 + 0.60; the reserve's 0.10 are in the new seed. 1.00 more: 0.60 and 0.05. What players
    put in is 0.60 + 0.05 + 0.10; of the seed 19,999.90 is the house's."""
    night.play("CS-02", "royal-flush")
    night.play("CS-01")
    next_one(night)
    announce(night)
    assert (
        snapshot(night.progressive.pk)["ends"] == gaming_day(night.floor.harbour, timezone.now()).isoformat()
    )
    away(night)
    day_is_over(monkeypatch)
    end(night)
    assert pots("stud") == dict.fromkeys(("base", "increment", "reserve", "overflow", "not_owed"), "0.00")
    assert pots("next")["increment"] == "0.75"
    for account in ("base", "increment", "reserve", "base-not-owed"):
        assert balance(f"harbour/jackpots/stud/levels/grand/{account}") == 0
    assert Meter.objects.get(progressive__code="next", level="minor").increment_micros == money("0.45")
    assert balance("harbour/jackpots/transfers") == 0
    assert balance("harbour/jackpots/stud/levels/grand/payable") == -money("20001.20")
    grand = next(one for one in reconcile(night.floor.harbour, *_today(night)) if one.progressive == "stud")
    assert grand.transfers_micros == -money("0.75")
    assert grand.variances == []
    night.pay(night.win("royal-flush"))
    holds(night)


def test_after_the_end_nothing_is_played_moved_or_changed(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.play("CS-02", "royal-flush")
    next_one(night)
    announce(night)
    away(night)
    day_is_over(monkeypatch)
    end(night)
    for refused in (
        lambda: table_links.request_resumption("stud", night.sefa, "harbour", "CS-01", "x"),
        lambda: move(night),
        lambda: announce(night),
        lambda: end(night),
    ):
        with pytest.raises(Refused, match="is decommissioned"):
            refused()
    with pytest.raises(DatabaseError, match="has ended"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpots_link SET resumed_at = now()")
    night.think(night.win("royal-flush"))  # older hands: the pots stay
    assert night.rows() == [("royal-flush", "superseded", "20001.20")]
    assert pots("stud")["increment"] == "0.00"
    holds(night)


def test_it_does_not_end_before_its_day_nor_unannounced(night: Night) -> None:
    next_one(night)
    with pytest.raises(Refused, match="Nobody has announced"):
        end(night)
    announce(night)
    away(night)
    with pytest.raises(Refused, match="is played for until"):
        end(night)


def test_a_notice_is_thirty_days_or_by_the_authoritys_word(night: Night) -> None:
    next_one(night)
    with pytest.raises(Refused, match="29 days of notice"):
        announce(night, 29, "")
    announce(night, 30, "")
    assert decommissioning.announced(night.progressive) is not None


def test_an_announcement_is_taken_back_by_two(night: Night) -> None:
    next_one(night)
    announce(night)
    asked = decommissioning.request_no_end("stud", night.jan, reason="players wrote")
    approvals.approve(asked, night.floor.people["fiona"])
    assert decommissioning.announced(night.progressive) is None
    assert "ends" not in snapshot(night.progressive.pk)
    assert Decommission.objects.count() == 2
    night.holds()


@pytest.mark.parametrize(
    "targets",
    [
        {},
        {"grand": TARGETS["grand"]},
        TARGETS | {"grand": {"progressive": "stud", "level": "grand"}},
        TARGETS | {"grand": {"progressive": "next", "level": "giant"}},
        TARGETS | {"giant": TARGETS["grand"]},
    ],
)
def test_every_level_has_somewhere_to_go(night: Night, targets: dict[str, Any]) -> None:
    next_one(night)
    with pytest.raises(Refused):
        announce(night, targets=targets)


def test_an_end_that_nobody_announced_is_refused_by_the_database(night: Night) -> None:
    next_one(night)
    announce(night)
    asked = decommissioning.request_no_end("stud", night.jan, reason="players wrote")
    approvals.approve(asked, night.floor.people["fiona"])
    for sql in (
        "UPDATE jackpots_decommission SET last_day = '2020-01-01'",
        "DELETE FROM jackpots_decommission",
        "INSERT INTO jackpots_decommission (progressive_id, kind, last_day, targets, authority, reason, approval_id)"
        f" SELECT id, 'announced', '2020-01-01', '{{}}', '', '', {asked.pk} FROM jackpots_progressive",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


# --- No wagers after the last day ------------------------------------------------------------------------------
@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    """Announced to end; no more bets 200 ms before each first card, so that half a second lies behind the opening."""
    made = standing_floor
    create_progressive("test", made.harbour, "next", "Next Jackpot", stud_rules())
    day = gaming_day(made.harbour, timezone.now())
    asked = decommissioning.request_end(
        "stud", made.people["jan"], last_day=day, targets=TARGETS, authority="Letter 12", **REASON
    )
    approvals.approve(asked, made.people["fiona"])
    time.sleep(0.5)
    return made


def test_wagers_that_lock_after_the_last_day_go_back_and_the_table_plays_on(floor: Floor) -> None:
    ends_at(timezone.now() - timedelta(milliseconds=250))
    time.sleep(0.01)
    round, answer = play(floor, timezone.now())
    (lamp,) = answer["jackpots"]
    why = "Stud Jackpot has ended, as announced: CS-01 takes no wagers on it any more"
    assert (lamp["counts"], lamp["why"]) == (False, why)
    assert [given["wager"]["kind"] for given in round.not_accepted] == ["jackpot"]
    assert round.settlement is not None, "the table plays on"
    assert (Share.objects.count(), UndecidedRound.objects.count()) == (0, 0)
    assert snapshot(floor.progressive.pk)["suspended"] is True


def test_a_wager_that_locked_before_the_end_counts_when_it_is_told_after_it(floor: Floor) -> None:
    """Its no more bets lay 200 ms before the first card, and before the end; its royal came after it. It wins."""
    first_card = timezone.now()
    ends_at(first_card - timedelta(milliseconds=100))
    time.sleep(0.3)
    round, answer = play(floor, first_card)
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [True]
    assert Share.objects.filter(event__round_id=round.pk).count() == 2, "its stake and its royal"


def test_the_day_that_is_announced_is_where_it_stops(floor: Floor) -> None:
    found = Progressive.objects.get(code="stud")
    assert found.ends_at is not None
    day = gaming_day(floor.harbour, timezone.now())
    assert gaming_day(floor.harbour, found.ends_at) == day + timedelta(days=1)
    assert gaming_day(floor.harbour, found.ends_at - timedelta(microseconds=1)) == day


def test_nobody_moves_the_end_past_two_people(floor: Floor) -> None:
    for sql in (
        "UPDATE jackpots_progressive SET ends_at = NULL WHERE code = 'stud'",
        "UPDATE jackpots_progressive SET ends_at = ends_at + interval '1 day' WHERE code = 'stud'",
        "UPDATE jackpots_progressive SET ends_at = now() WHERE code = 'next'",
    ):
        with (
            pytest.raises(DatabaseError, match="two people must announce"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(sql)


def test_no_table_needs_suspending_and_the_successor_is_linked(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tables have vouched beyond its end: that is enough. Then the same wagers feed the next one."""
    next_one(night)
    announce(night)
    table = night.floor.tables["CS-01"].table_log
    successor = Progressive.objects.get(code="next")
    with pytest.raises(Refused, match="only 100%"):
        link_table("test", successor, table, ["jackpot"])
    day_is_over(monkeypatch)
    end(night)
    assert all(link.is_suspended for link in Link.objects.filter(progressive__code="stud"))
    ends_at(timezone.now())
    link_table("test", successor, table, ["jackpot"])
    time.sleep(0.5)
    _, answer = play(night.floor, timezone.now())
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [True]
    assert {share.progressive.code for share in Share.objects.filter(event__kind="hits")} == {"next"}


def test_it_does_not_end_before_every_table_has_vouched_up_to_its_end(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_one(night)
    announce(night)
    day_is_over(monkeypatch)
    soon = timezone.now() + timedelta(hours=1)
    monkeypatch.setattr(decommissioning, "end_of", lambda *_: soon)
    with pytest.raises(Refused, match="has vouched up to its end"):
        end(night)


def test_taken_back_after_the_day_wagers_of_the_meantime_stay_out(floor: Floor) -> None:
    """No more bets between the end and its being taken back, told after that: it does not count. The next one does."""
    at = timezone.now() - timedelta(milliseconds=250)
    ends_at(at)
    between = timezone.now() + timedelta(milliseconds=20)
    time.sleep(0.05)
    with pytest.raises(Refused, match="The last gaming day of Stud Jackpot is over"):
        table_links.request_resumption("stud", floor.people["sefa"], "harbour", "CS-01", "x")
    asked = decommissioning.request_no_end("stud", floor.people["jan"], reason="players wrote")
    approvals.approve(asked, floor.people["fiona"])
    link = Link.objects.get(table_log__table_code="CS-01")
    assert (link.suspended_at, link.is_suspended) == (at, False)
    _, answer = play(floor, between)
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [False]
    time.sleep(0.25)
    _, answer = play(floor, timezone.now())
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [True]


def test_a_wager_that_feeds_another_too_goes_on_with_it_alone(floor: Floor) -> None:
    """Stud takes 80% and the house's rest, a mini 10%: after the end the mini has its 10%, and the rest goes by way of
    it. 1.00 is then 0.10 and 0.90."""
    rules = own_rules(Level("pot", seed_micros=dollars(100), increment_bp=1_000), flush=Fixed(dollars(20)))
    mini = create_progressive("test", floor.harbour, "mini", "Mini", rules)
    link_table("test", mini, floor.tables["CS-01"].table_log, ["jackpot"])
    ends_at(timezone.now() - timedelta(milliseconds=250))
    time.sleep(0.25)
    _, answer = play(floor, timezone.now())
    assert [lamp["counts"] for lamp in answer["jackpots"]] == [True]
    (share,) = Share.objects.all()
    assert (share.progressive.code, share.slice_micros) == ("mini", dollars(1))


def test_what_goes_on_must_hold_alone(night: Night) -> None:
    """By gb-2011 2.4 seven tenths reach the meters: with stud's 75% they do, with the other's 10% alone they do not."""
    next_one(night)
    rules = replace(
        own_rules(Level("pot", seed_micros=dollars(100), increment_bp=1_000), flush=Fixed(dollars(20))),
        rulebook="gb-2011",
    )
    mini = create_progressive("test", night.floor.harbour, "mini", "Mini", rules)
    link_table("test", mini, night.floor.tables["CS-01"].table_log, ["jackpot"])
    with pytest.raises(
        Refused, match="Once Stud Jackpot has ended: links: 10% of a jackpot wager reaches the meters"
    ):
        announce(night)


def test_money_that_is_to_come_finds_its_target(night: Night) -> None:
    next_one(night)
    announce(night)
    third = create_progressive("test", night.floor.harbour, "third", "Third", stud_rules())
    targets = {level: {"progressive": third.code, "level": level} for level in ("grand", "minor")}
    with pytest.raises(Refused, match="Money of Stud Jackpot, which ends, is to go to Next Jackpot"):
        decommissioning.request_end(
            "next", night.jan, last_day=gaming_day(night.floor.harbour, timezone.now()), targets=targets,
            authority="x", **REASON,
        )  # fmt: skip


def test_pages_and_rest_let_choose_among_what_there_is(night: Night) -> None:
    next_one(night)
    create_progressive("test", night.floor.lakeside, "third", "Third", stud_rules())
    client = Client()
    client.force_login(night.jan)
    day = (gaming_day(night.floor.harbour, timezone.now()) + timedelta(days=40)).isoformat()
    there = client.get("/api/v1/progressives/stud/end").json()
    assert (there["last_day"], there["ends_at"], there["levels"]) == (None, None, ["grand", "minor"])
    chosen = {"grand": "next/grand", "minor": "next/minor"}
    assert set(chosen.values()) <= {each["target"] for each in there["choices"]}
    assert not any(each["target"].startswith("stud/") for each in there["choices"])
    page = client.get("/progressives/stud/end/").content.decode()
    assert page.count('<option value="next/grand">Next Jackpot: grand</option>') == 2, "one a level"

    given = {"last_day": day, "do": "announce"} | REASON
    refused = client.post("/progressives/stud/end/", given | {"targets-grand": "next/giant"})
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "grand: next/giant is not among them. There are next/grand, next/minor" in text
    assert "minor: choose where its money goes" in text
    for wrong in ({"grand": "next/grand"}, chosen | {"giant": "next/grand"}, "grand = next/grand", ["x"]):
        rest = client.post(
            "/api/v1/progressives/stud/end", given | {"targets": wrong}, content_type="application/json"
        )
        assert (rest.status_code, "targets" in rest.content.decode()) == (422, True), wrong
    rest = client.post(
        "/api/v1/progressives/stud/end", given | {"targets": chosen}, content_type="application/json"
    )
    assert (rest.status_code, rest.json()["document"]["targets"]) == (202, TARGETS)
    page_given = {f"targets-{level}": to for level, to in chosen.items()}
    assert client.post("/progressives/stud/end/", given | page_given).status_code == 302
    rest = client.post("/api/v1/progressives/stud/end/now", REASON, content_type="application/json")
    assert rest.status_code == 409
