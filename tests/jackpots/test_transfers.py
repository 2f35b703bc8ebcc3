"""A meter less its seed goes to another progressive, and a progressive ends. Amounts by hand.

The demo's stud: 60% of 1.00 to the grand (seed 20,000.00), 5% to its reserve, 15% to the minor (2,000.00). The other
progressive has the same rules."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.gaming_day import gaming_day
from config.refusals import Refused
from jackpots import decommissioning, table_links, transfers
from jackpots.configure import create_progressive
from jackpots.folding import fold
from jackpots.identities import broken_identities
from jackpots.models import Adjustment, Decommission, Link, Meter, Progressive, TableLog
from jackpots.signs.frames import snapshot
from ledger.balances import balance
from ledger.reconciliation import reconcile
from people import approvals
from people.models import RoleGrant
from rules.money import format_money
from tests import log_verbs as event_log
from tests.floor import stud_rules
from tests.jackpots.test_corrections import Night, money

TO = {"to_progressive": "next", "to_level": "grand"}
TARGETS = {level: {"progressive": "next", "level": level} for level in ("grand", "minor")}
REASON = {"reason": "The tables move to another hall."}


@pytest.fixture
def night(db: None, tmp_path: Any, settings: Any) -> Night:
    """1.00 at CS-01: the grand stands at 20,000.60, with 0.05 in its reserve."""
    settings.VAR_DIR = tmp_path
    made = Night()
    made.play("CS-01")
    return made


def next_one(night: Night, host: str = "harbour", **rules: Any) -> Progressive:
    premises = getattr(night.floor, host)
    return create_progressive("test", premises, "next", "Next Jackpot", stud_rules())


def away(night: Night) -> None:
    """Every table is suspended by two people, and has vouched up to there."""
    for link in Link.objects.filter(progressive=night.progressive):
        at, table = link.table_log.premises.code, link.table_log.table_code
        asked = table_links.request_suspension("stud", night.sefa, at, table, "moves")
        approvals.approve(asked, night.jan)
    for log in TableLog.objects.all():
        with transaction.atomic():
            event_log.beat(log, timezone.now())
    fold(night.progressive.pk)


def move(night: Night, **given: Any) -> None:
    asked = transfers.request_transfer("stud", "grand", night.jan, **(TO | REASON | given))
    approvals.approve(asked, night.floor.people["fiona"])
    for progressive in Progressive.objects.all():
        fold(progressive.pk)


def pots(code: str) -> dict[str, str]:
    meter = Meter.objects.get(level="grand", progressive__code=code)
    names = ("base", "increment", "reserve", "overflow", "not_owed")
    return {name: format_money(getattr(meter, f"{name}_micros")) for name in names}


def holds(night: Night) -> None:
    night.holds()
    for progressive in Progressive.objects.all():
        assert broken_identities(progressive.pk) == []


def test_what_stands_above_the_seed_goes_to_another_progressive(night: Night) -> None:
    """nz-1996 VIII 11.3: what was wagered forms part of a prize pool. 0.60 go; seed and reserve stay."""
    next_one(night)
    away(night)
    move(night)
    assert pots("stud") == {
        "base": "20000.00", "increment": "0.00", "reserve": "0.05", "overflow": "0.00", "not_owed": "20000.00",
    }  # fmt: skip
    assert pots("next")["increment"] == "0.60"
    assert balance("harbour/jackpots/transfers") == 0
    assert balance("harbour/jackpots/next/levels/grand/increment") == -money("0.60")
    levels = {
        one.progressive: one for one in reconcile(night.floor.harbour, *_today(night)) if one.level == "grand"
    }
    assert levels["stud"].transfers_micros == -money("0.60")
    assert levels["next"].transfers_micros == money("0.60")
    assert [one.variances for one in levels.values()] == [[], []]
    holds(night)


def _today(night: Night) -> tuple[date, date]:
    day = gaming_day(night.floor.harbour, timezone.now())
    return day - timedelta(days=2), day


def test_between_two_premises_it_is_owed(night: Night) -> None:
    next_one(night, "lakeside")
    away(night)
    move(night)
    assert balance("harbour/due-to/lakeside") == -money("0.60")
    assert balance("lakeside/due-from/harbour") == money("0.60")
    holds(night)


def test_nothing_leaves_a_meter_for_which_somebody_plays(night: Night) -> None:
    next_one(night)
    with pytest.raises(Refused, match="still plays for"):
        move(night)
    away(night)
    asked = transfers.request_transfer("stud", "grand", night.jan, **TO, **REASON)
    resumed = table_links.request_resumption("stud", night.sefa, "harbour", "CS-01", "back")
    approvals.approve(resumed, night.jan)
    with pytest.raises(Refused, match="still plays for"):
        approvals.approve(asked, night.floor.people["fiona"])
    assert not Adjustment.objects.exists()


def test_a_second_thought_about_a_hand_before_it_finds_the_money_gone(night: Night) -> None:
    """A royal took 20,001.20 and the seed was restored; 1.00 more and 0.60 went away. Rejected, the meter would have
    held 20,001.80 when 0.60 left it: 1.20 are there."""
    night.play("CS-02", "royal-flush")
    night.play("CS-01")
    next_one(night)
    away(night)
    move(night)
    night.think(night.win("royal-flush"))
    assert pots("stud")["increment"] == "1.20"
    assert pots("next")["increment"] == "0.60"
    holds(night)


def test_a_late_royal_before_it_is_paid_though_the_money_is_gone(night: Night) -> None:
    """The flush was a royal: it has the meter of then, 20,001.20, and the seed is restored. The 1.20 that left later
    are the house's."""
    night.play("CS-02", "flush")
    next_one(night)
    away(night)
    move(night)
    assert pots("next")["increment"] == "1.20"
    night.think(night.win("flush"), "corrected", hand="royal-flush")
    assert night.rows() == [("flush", "superseded", "100.00"), ("royal-flush", "pending", "20001.20")]
    assert (pots("stud")["base"], pots("stud")["increment"]) == ("20000.00", "0.00")
    assert pots("next")["increment"] == "1.20"
    holds(night)


@pytest.mark.parametrize(
    ("level", "given", "told"),
    [
        ("grand", {"to_progressive": "stud"}, "Another progressive"),
        ("grand", {"to_progressive": "none"}, "no progressive none"),
        ("grand", {"to_level": "giant"}, "no level"),
        ("giant", {}, "no level"),
    ],
)
def test_what_is_refused(night: Night, level: str, given: dict[str, str], told: str) -> None:
    next_one(night)
    away(night)
    with pytest.raises(Refused, match=told):
        transfers.request_transfer("stud", level, night.jan, **(TO | given), **REASON)


def test_it_takes_two_people_at_both_premises(night: Night) -> None:
    next_one(night, "lakeside")
    away(night)
    with pytest.raises(PermissionDenied):
        transfers.request_transfer("stud", "grand", night.sefa, **TO, **REASON)
    asked = transfers.request_transfer("stud", "grand", night.jan, **TO, **REASON)
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(asked, night.jan)
    grants = RoleGrant.objects.filter(user=night.floor.people["tom"], premises=night.floor.lakeside)
    assert grants.exists()


def test_money_that_leaves_and_does_not_arrive_is_refused_by_the_database(night: Night) -> None:
    next_one(night)
    away(night)
    asked = transfers.request_transfer("stud", "grand", night.jan, **TO, **REASON)
    approvals.approve(asked, night.floor.people["fiona"])
    forged = (
        "INSERT INTO jackpots_adjustment (progressive_id, kind, place, cause, rule, reason, postings, effect,"
        " approval_id, house_only) SELECT p.id, 'in', p.created, '', '', '', '{}', '{\"moved_micros\": 5}',"
        " a.approval_id, false FROM (SELECT 1 id, now() created) p, jackpots_adjustment a WHERE a.kind = 'in'"
    )
    other = create_progressive("test", night.floor.harbour, "third", "Third", stud_rules())
    with pytest.raises(DatabaseError, match="does not come to another"), transaction.atomic():
        _run(forged.replace("SELECT 1 id", f"SELECT {other.pk} id"), "SET CONSTRAINTS ALL IMMEDIATE")


def _run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


# --- The end ---------------------------------------------------------------------------------------------------
def announce(night: Night, days: int = 0, authority: str = "Letter 12", **given: Any) -> None:
    day = gaming_day(night.floor.harbour, timezone.now()) + timedelta(days=days)
    targets = given.pop("targets", TARGETS)
    asked = decommissioning.request_end(
        "stud", night.jan, last_day=day, targets=targets, authority=authority, **REASON
    )
    approvals.approve(asked, night.floor.people["fiona"])


def day_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    later = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(decommissioning, "_today", lambda one: gaming_day(one.host, later))


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


def test_pages_and_rest_ask_alike(night: Night) -> None:
    next_one(night)
    client = Client()
    client.force_login(night.jan)
    given = TO | REASON
    page = client.post("/jackpots/stud/grand/transfer", given)
    assert page.status_code == 422
    assert "still plays for" in page.content.decode()
    away(night)
    rest = client.post(
        "/api/v1/progressives/stud/levels/grand/transfer", given, content_type="application/json"
    )
    assert (rest.status_code, rest.json()["document"]["amount"]) == (202, "0.60")
    day = (gaming_day(night.floor.harbour, timezone.now()) + timedelta(days=40)).isoformat()
    ending = {"last_day": day, "targets": "grand = next/grand\nminor = next/minor"} | REASON
    assert (
        client.post("/progressives/stud/end/", ending | {"do": "announce", "targets": "x"}).status_code == 422
    )
    rest = client.post("/api/v1/progressives/stud/end", ending, content_type="application/json")
    assert rest.status_code == 202
    assert client.get("/progressives/stud/end/").status_code == 200
    assert client.get("/jackpots/stud/grand/transfer").status_code == 200
    rest = client.post("/api/v1/progressives/stud/end/now", REASON, content_type="application/json")
    assert rest.status_code == 409
