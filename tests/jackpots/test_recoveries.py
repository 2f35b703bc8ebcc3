"""What was paid in error comes back or is written off, by two people. Amounts by hand: see test_corrections.

A's royal is paid with 20,000.60 and rejected: all of it is to be recovered."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.models import Recovery
from jackpots.reports import RECOVERABLE
from jackpots.second_thoughts import recoveries
from jackpots.wins.story import story
from ledger.books.balances import balance
from ledger.reports.reports import Scope
from people.approvals import approvals
from tests.floor import Floor
from tests.jackpots.test_corrections import GRAND, Night, money


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(standing_floor)


@pytest.fixture
def paid(night: Night) -> Night:
    night.play("CS-01", "royal-flush")
    night.pay(night.win("royal-flush"))
    night.think(night.win("royal-flush"))
    assert balance("harbour/recoverable") == money("20000.60")
    return night


def settle(night: Night, kind: str, amount: str, method: str = "") -> None:
    asked = recoveries.request_settlement(
        night.win("royal-flush", "paid").pk,
        night.jan,
        kind=kind,
        amount=money(amount),
        method=method,
        reason="The winner was called.",
    )
    approvals.approve(asked, night.floor.people["fiona"])


def test_a_part_comes_back_and_the_rest_is_written_off(paid: Night) -> None:
    cash = balance("harbour/cage/cash")
    cost = balance(f"{GRAND}/adjustments")
    settle(paid, "recovered", "15000.00", "cash")
    assert balance("harbour/recoverable") == money("5000.60")
    assert balance("harbour/cage/cash") == cash + money("15000.00")
    settle(paid, "written-off", "5000.60")
    assert balance("harbour/recoverable") == 0
    assert balance(f"{GRAND}/adjustments") == cost + money("5000.60")
    day = gaming_day(paid.floor.harbour, timezone.now())
    (row,) = RECOVERABLE.rows(Scope(paid.floor.harbour, day, day))
    assert row[9:13] == (money("20000.60"), money("15000.00"), money("5000.60"), 0)
    assert [line for line in story(paid.win("royal-flush")) if "came back in cash" in line]
    with pytest.raises(Refused, match="Nothing of win"):
        settle(paid, "written-off", "0.01")
    paid.holds()


def test_what_came_back_and_is_due_after_all_is_paid_again(night: Night) -> None:
    """The royal of 20,000.60 is paid, and taken for a straight flush; 15,000.00 come back and 1,000.00 are written off.
    It was a royal after all: the winner still has 5,000.60 of it, and 15,000.00 are owed anew."""
    night.play("CS-01", "royal-flush")
    night.pay(night.win("royal-flush"))
    night.think(night.win("royal-flush"), "corrected", hand="straight-flush")
    settle(night, "recovered", "15000.00", "chips")
    settle(night, "written-off", "1000.00")
    assert recoveries.standing(night.win("royal-flush")).open_micros == money("4000.60")
    night.think(night.win("straight-flush"), "corrected", hand="royal-flush")
    assert [row for row in night.rows() if row[1] != "superseded"] == [
        ("royal-flush", "paid", "20000.60"),
        ("royal-flush", "pending", "15000.00"),
    ]
    assert balance("harbour/recoverable") == 0
    assert balance(f"{GRAND}/adjustments") == 0
    assert balance(f"{GRAND}/payable") == -money("15000.00")
    night.holds()


@pytest.mark.parametrize(
    ("kind", "amount", "method", "told"),
    [
        ("recovered", "20000.61", "cash", "no more than is open: 20,000.60"),
        ("recovered", "0.00", "cash", "Above nothing"),
        ("recovered", "1.00", "", "in what the money came back"),
        ("written-off", "1.00", "cash", "in what the money came back"),
        ("forgotten", "1.00", "", "One of recovered"),
    ],
)
def test_what_is_refused(paid: Night, kind: str, amount: str, method: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        settle(paid, kind, amount, method)


def test_it_takes_two_people_and_what_is_open_as_it_was(paid: Night) -> None:
    win = paid.win("royal-flush")
    given: dict[str, Any] = {"kind": "written-off", "amount": money("1.00"), "method": "", "reason": "x"}
    with pytest.raises(PermissionDenied):
        recoveries.request_settlement(win.pk, paid.sefa, **given)
    asked = recoveries.request_settlement(win.pk, paid.jan, **given)
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(asked, paid.jan)
    settle(paid, "recovered", "20000.60", "cash")
    with pytest.raises(Refused, match="Nothing of win"):
        approvals.approve(asked, paid.floor.people["fiona"])


def test_the_database_settles_no_more_than_is_open(paid: Night) -> None:
    settle(paid, "recovered", "20000.00", "cash")
    for sql in (
        "INSERT INTO jackpots_recovery (win_id, kind, amount_micros, method, reason, approval_id)"
        " SELECT win_id, kind, 700000, method, '', approval_id FROM jackpots_recovery",
        "INSERT INTO jackpots_recovery (win_id, kind, amount_micros, method, reason, approval_id)"
        " SELECT r.win_id, r.kind, 1, r.method, '', a.id FROM jackpots_recovery r, people_approvalrequest a"
        " WHERE a.action <> 'jackpots.settle_recoverable' LIMIT 1",
        "UPDATE jackpots_recovery SET amount_micros = 1",
        "DELETE FROM jackpots_recovery",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert Recovery.objects.count() == 1


def test_the_page_and_rest_ask_alike(paid: Night) -> None:
    client, win = Client(), paid.win("royal-flush")
    client.force_login(paid.jan)
    given = {"kind": "recovered", "amount": "99999.00", "method": "cash", "reason": "came back"}
    page = client.post(f"/jackpots/recoverable/{win.pk}/", given)
    assert page.status_code == 422
    assert "no more than is open" in page.content.decode()
    (row,) = client.get("/api/v1/recoverables").json()
    assert (row["id"], row["open"]) == (win.pk, "20000.60")
    rest = client.post(
        f"/api/v1/wins/{win.pk}/settle", given | {"amount": "5.00"}, content_type="application/json"
    )
    assert (rest.status_code, rest.json()["document"]["amount"]) == (202, "5.00")
    assert "20,000.60" in client.get("/jackpots/recoverable/").content.decode()
    assert client.get(f"/jackpots/wins/{win.pk}/").status_code == 200
