"""A meter less its seed goes to another progressive. Amounts by hand.

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

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Adjustment, Link, Meter, Progressive, TableLog
from jackpots.set_up import table_links, transfers
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from ledger.close.reconciliation import reconcile
from people.approvals import approvals
from people.models import RoleGrant
from rules.money import format_money
from tests import log_verbs as event_log
from tests.floor import Floor, stud_rules
from tests.jackpots.test_corrections import Night, money

TO = {"to_progressive": "next", "to_level": "grand"}
REASON = {"reason": "The tables move to another hall."}


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    """1.00 at CS-01: the grand stands at 20,000.60, with 0.05 in its reserve."""
    settings.VAR_DIR = tmp_path
    made = Night(standing_floor)
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


def test_pages_and_rest_ask_alike(night: Night) -> None:
    next_one(night)
    client = Client()
    client.force_login(night.jan)
    given = TO | REASON
    told = client.get("/jackpots/stud/grand/transfer").content.decode()
    assert "still plays for" in told, "said before anything is filled in"
    page = client.post("/jackpots/stud/grand/transfer", given)
    assert page.status_code == 422
    assert "still plays for" in page.content.decode()
    away(night)
    rest = client.post(
        "/api/v1/progressives/stud/levels/grand/transfer", given, content_type="application/json"
    )
    assert (rest.status_code, rest.json()["document"]["amount"]) == (202, "0.60")
    told = client.get("/jackpots/stud/grand/transfer").content.decode()
    assert '<option value="next">next, Next Jackpot</option>' in told
    assert "still plays for" not in told
    assert "<b>0.60 NZD</b>" in told, "what would leave"
