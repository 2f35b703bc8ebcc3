"""Meters put up and down by two people: for listed causes, as ordered events, and in the books."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Adjustment, Win
from jackpots.second_thoughts import meter_adjustments
from ledger.books.balances import balance
from people.approvals import approvals
from rules.money import dollars
from tests.floor import Floor
from tests.jackpots.test_corrections import GRAND, Night, money


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    made = Night(standing_floor)
    made.play("CS-01")
    return made


def adjust(night: Night, amount: int, cause: str = "addition", level: str = "grand") -> None:
    asked = meter_adjustments.request_adjustment(
        "stud", level, night.jan, amount_micros=amount, cause=cause, reason="Christmas"
    )
    approvals.approve(asked, night.floor.people["fiona"])
    fold(night.progressive.pk)


def test_the_house_adds_money_and_a_royal_takes_it(night: Night) -> None:
    """gb-2011 2.4: the operator may add sums. 20,000.60 and 500.00, and 0.60 of the royal's own wager."""
    adjust(night, dollars(500))
    assert night.pots() == {"base": "20000.00", "increment": "500.60", "reserve": "0.05"}
    assert balance(f"{GRAND}/adjustments") == dollars(500)
    night.play("CS-02", "royal-flush")
    assert night.rows() == [("royal-flush", "pending", "20501.20")]
    night.holds()


def test_a_second_thought_keeps_the_adjustments_between(night: Night) -> None:
    """The royal takes 20,001.20; 500.00 are added to the new seed; rejected, both are there."""
    night.play("CS-02", "royal-flush")
    adjust(night, dollars(500))
    night.think(night.win("royal-flush"))
    assert night.pots() == {"base": "20000.00", "increment": "501.20", "reserve": "0.10"}
    assert balance(f"{GRAND}/adjustments") == dollars(500)
    night.holds()


def test_down_no_further_than_players_and_house_have_added(night: Night) -> None:
    with pytest.raises(Refused, match="the base cannot be adjusted away"):
        adjust(night, -money("0.61"), "malfunction")
    with pytest.raises(Refused, match="takes none"):
        adjust(night, -money("0.10"))
    adjust(night, -money("0.60"), "malfunction")
    assert night.pots()["increment"] == "0.00"
    night.holds()


@pytest.mark.parametrize(
    ("amount", "cause", "level", "told"),
    [
        (0, "addition", "grand", "not nothing"),
        (7, "addition", "grand", "Whole cents"),
        (dollars(1), "because", "grand", "One of addition"),
        (dollars(1), "addition", "giant", "no level"),
    ],
)
def test_what_is_refused(night: Night, amount: int, cause: str, level: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        adjust(night, amount, cause, level)


def test_it_takes_two_people_with_the_role(night: Night) -> None:
    with pytest.raises(PermissionDenied):
        meter_adjustments.request_adjustment(
            "stud", "grand", night.sefa, amount_micros=dollars(1), cause="addition", reason="x"
        )
    asked = meter_adjustments.request_adjustment(
        "stud", "grand", night.jan, amount_micros=dollars(1), cause="addition", reason="x"
    )
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(asked, night.jan)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO jackpots_adjustment (progressive_id, kind, place, cause, rule, reason, postings, effect,"
            " approval_id, house_only) SELECT id, 'meter', folded_until, 'addition', '', '', '{}', '{}',"
            f" {asked.pk}, false FROM jackpots_progressive"
        )
    assert not Adjustment.objects.exists()


def test_the_page_and_rest_ask_alike(night: Night) -> None:
    client = Client()
    client.force_login(night.jan)
    given = {"amount": "5.00", "direction": "down", "cause": "malfunction", "reason": "counted twice"}
    page = client.post("/jackpots/stud/grand/adjust", given)
    assert page.status_code == 422
    assert "the base cannot be adjusted away" in page.content.decode()
    rest = client.post(
        "/api/v1/progressives/stud/levels/grand/adjust",
        given | {"direction": "up"},
        content_type="application/json",
    )
    assert rest.status_code == 202
    assert rest.json()["document"]["amount"] == "5.00"
    assert client.get("/jackpots/stud/grand/adjust").status_code == 200
    assert not Win.objects.exists()
