"""What a progressive has paid to date is kept as wins are paid: nobody else writes it, and verify counts again."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from jackpots.models import PaidTotal
from jackpots.signs.frames import snapshot
from jackpots.wins.hand_pay import pay, verify
from ledger.verify.verify import Span
from rules.money import dollars
from tests.floor import Floor, open_cage, set_alone_limit
from tests.jackpots.test_wins import CHECKED, win_at

REFUSED = [
    "INSERT INTO jackpots_paidtotal SELECT id, 9, 9 FROM jackpots_progressive",
    "UPDATE jackpots_paidtotal SET wins = wins + 1",
    "UPDATE jackpots_paidtotal SET paid_micros = 0",
    "DELETE FROM jackpots_paidtotal",
    "TRUNCATE jackpots_paidtotal",
]


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    open_cage(made.harbour)
    set_alone_limit(made, "1000.00")
    return made


def pay_one(floor: Floor) -> None:
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    pay(win.pk, floor.people["sefa"], "cash")


def total() -> tuple[int, int]:
    kept = PaidTotal.objects.get()
    return kept.wins, kept.paid_micros


def test_each_win_counts_itself_when_it_is_paid_and_not_before(floor: Floor) -> None:
    """nz-1996 VIII 11: a flush brings 100.00 whatever the meter says."""
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    assert snapshot(floor.progressive.pk)["paid"] == {"count": 0, "amount": "0.00"}
    assert not PaidTotal.objects.exists()
    pay(win.pk, floor.people["sefa"], "cash")
    assert total() == (1, dollars(100))
    pay_one(floor)
    assert total() == (2, dollars(200))
    assert snapshot(floor.progressive.pk)["paid"] == {"count": 2, "amount": "200.00"}


@pytest.mark.parametrize("statement", REFUSED)
def test_nobody_writes_it_by_hand(floor: Floor, statement: str) -> None:
    if not statement.startswith("INSERT"):
        pay_one(floor)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else a TRUNCATE fails by itself
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_verify_finds_one_that_is_not_what_was_paid(floor: Floor) -> None:
    from jackpots.verify.settings import paid_totals_hold

    pay_one(floor)
    everything = Span(0, 2**62)
    assert list(paid_totals_hold(everything)) == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE jackpots_paidtotal SET paid_micros = paid_micros + 1")
        cursor.execute("SET LOCAL session_replication_role = origin")
    (fault,) = paid_totals_hold(everything)
    assert "1 wins of 100000001 micros are told as paid, there are 1 of 100000000" in str(fault)
