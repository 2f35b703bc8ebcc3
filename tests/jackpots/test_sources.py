"""Where the money of a hand pay comes from: nobody's default, no more than tray or cage hold by the books, and what two
people say where the books are behind. A flush pays 100.00, a royal on the grand 20,000.60 (nz-1996 VIII 12)."""

from __future__ import annotations

from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client

from config.kit.refusals import Refused
from jackpots.models import Win
from jackpots.verify import log_and_wins
from jackpots.wins import hand_pay, sources
from ledger.books import holdings
from ledger.books.balances import balance, balances
from ledger.models import Entry
from ledger.verify.verify import Span
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord
from rules.money import dollars
from tables.models import Table
from tests.acts import on_record
from tests.floor import FUNDED, Floor, fill, fund, open_cage
from tests.jackpots.test_corrections import CHECKED, Night, money
from tests.tables.test_set_up_races import at_once

TRAY, CASH = "harbour/tables/CS-01/bank", "harbour/cage/cash"
EVERYTHING = Span(0, 2**63 - 1)


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(standing_floor)


def released(night: Night, hand: str = "royal-flush", code: str = "CS-01") -> Win:
    """Verified by Sefa, approved by Jan; the stake of 1.00 lies in the tray."""
    night.play(code, hand)
    win = Win.objects.latest("pk")
    hand_pay.verify(win.pk, night.sefa, CHECKED)
    return hand_pay.approve(win.pk, night.jan)


def browser_of(night: Night, name: str = "sefa") -> Client:
    client = Client()
    client.force_login(night.floor.people[name])
    return client


# --- Nothing is chosen for anybody --------------------------------------------------------------------------------
def test_the_page_chooses_nothing_and_says_what_is_held(night: Night) -> None:
    """A fill of 3,131.00 and the stake of 1.00 make 3,132.00."""
    open_cage(night.floor.harbour)
    fill(night.floor.tables["CS-01"], dollars(3_131))
    win, client = released(night), browser_of(night)
    page = " ".join(client.get(f"/jackpots/wins/{win.pk}/").content.decode().split())
    assert '<option value="" selected>Choose</option>' in page
    assert "out of the tray of CS-01 (holds 3,132.00)" in page
    assert "out of the cage (holds 100,000.00)" in page
    answer = client.post(f"/jackpots/wins/{win.pk}/pay", {"method": ""})
    assert answer.status_code == 422
    assert "Say where the money comes from." in answer.content.decode()
    rest = client.post(f"/api/v1/wins/{win.pk}/pay", {}, content_type="application/json")
    assert (rest.status_code, rest.json()["faults"][0]["field"]) == (422, "method")
    told = client.get(f"/api/v1/wins/{win.pk}").json()["held"]
    assert told == {"chips": "3132.00", "cash": "100000.00", "fund": "20000.60"}
    assert Win.objects.get().state == Win.State.APPROVED


# --- No more than is held -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("chips", r"The tray of CS-01 holds 3,132\.00 by the books, and 20,000\.60 would be taken\."),
        ("cash", r"The cage holds 20,000\.59 by the books, and 20,000\.60 would be taken\."),
    ],
)
def test_what_is_not_held_is_not_paid(night: Night, method: str, words: str) -> None:
    """A grand of 20,000.60 once left a tray of 3,132.00, and its table was 16,868.60 short."""
    fund(night.floor.harbour, money("20000.59"))
    fill(night.floor.tables["CS-01"], dollars(3_131))
    win, entries = released(night), Entry.objects.count()
    with pytest.raises(Refused, match=words) as refused:
        hand_pay.pay(win.pk, night.sefa, method)
    assert (refused.value.code, refused.value.status) == ("not_held", 409)
    client = browser_of(night)
    page = client.post(f"/jackpots/wins/{win.pk}/pay", {"method": method})
    assert page.status_code == 422
    assert "by the books, and 20,000.60 would be taken" in page.content.decode()
    rest = client.post(f"/api/v1/wins/{win.pk}/pay", {"method": method}, content_type="application/json")
    assert (rest.status_code, rest.json()["code"]) == (409, "not_held")
    assert (Entry.objects.count(), Win.objects.get().state) == (entries, Win.State.APPROVED)
    assert (balance(TRAY), balance(CASH)) == (dollars(3_132), money("20000.59"))


def test_to_the_cent_it_is_paid(night: Night) -> None:
    fund(night.floor.harbour, money("20000.60"))
    win = released(night)
    assert hand_pay.pay(win.pk, night.sefa, "cash").state == Win.State.PAID
    assert balance(CASH) == 0


def test_each_part_of_a_split_payment_is_held_where_it_is_taken(night: Night) -> None:
    """50.00 in chips of a tray that holds 41.00, 30.00 of the cage, a cheque of 20.00 that takes nothing out."""
    open_cage(night.floor.harbour)
    fill(night.floor.tables["CS-01"], dollars(40))
    win = released(night, "flush")
    parts = {"chips": dollars(50), "cash": dollars(30), "cheque": dollars(20)}
    with pytest.raises(Refused, match=r"The tray of CS-01 holds 41\.00 .* and 50\.00 would be taken"):
        hand_pay.pay(win.pk, night.sefa, "split", 0, parts)
    less = {"chips": dollars(41), "cash": dollars(30), "cheque": dollars(29)}
    hand_pay.pay(win.pk, night.sefa, "split", 0, less)
    assert (balance(TRAY), balance(CASH)) == (0, FUNDED - dollars(30))
    night.holds()


def test_a_cheque_asks_neither_tray_nor_cage(night: Night) -> None:
    win = released(night)
    assert hand_pay.pay(win.pk, night.sefa, "cheque").state == Win.State.PAID


def test_the_premises_of_the_table_pay(night: Night) -> None:
    """Harbour's cage is no help to a table of lakeside's."""
    open_cage(night.floor.harbour)
    win = released(night, "flush", "CS-03")
    with pytest.raises(Refused, match=r"The cage holds 0\.00"):
        hand_pay.pay(win.pk, night.sefa, "cash")
    fund(night.floor.lakeside, dollars(100))
    hand_pay.pay(win.pk, night.sefa, "cash")
    assert (balance("lakeside/cage/cash"), balance(CASH)) == (0, FUNDED)


# --- Two people say where it comes from ---------------------------------------------------------------------------
def test_two_people_say_where_it_comes_from(night: Night) -> None:
    """The opener was never entered: the chips are there, and the books have 1.00."""
    win, reason = released(night, "flush"), "the opener of tonight is not entered yet"
    ask = partial(hand_pay.ask_for_source, win.pk, method="chips", reason=reason)
    asked = ask(night.sefa)
    assert asked.payload["out_of"] == {TRAY: "100.00"}
    with pytest.raises(Refused, match="asked for already"):
        ask(night.grace)
    with pytest.raises(Refused, match="two people say"):
        hand_pay.pay(win.pk, night.sefa, "chips")  # nobody has approved it
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(asked, night.sefa)
    approvals.approve(asked, night.jan)
    with pytest.raises(Refused, match=r"The cage holds 0\.00"):
        hand_pay.pay(win.pk, night.sefa, "cash")  # what was approved is the tray
    paid = hand_pay.pay(win.pk, night.sefa, "chips")
    asked.refresh_from_db()
    assert (paid.state, asked.state, balance(TRAY)) == (Win.State.PAID, "used", -dollars(99))
    record = AuditRecord.objects.get(action="jackpots.win_paid")
    assert record.details["unheld"] == asked.pk
    assert on_record("people.approval_used")
    night.holds()


def test_what_was_approved_is_this_very_payment(night: Night) -> None:
    """25.00 out of the tray were approved, beside a cheque; not 50.00."""
    win = released(night, "flush")
    parts = {"chips": dollars(25), "cheque": dollars(75)}
    asked = hand_pay.ask_for_source(win.pk, night.sefa, "split", 0, parts, reason="the opener is not entered")
    approvals.approve(asked, night.grace)
    with pytest.raises(Refused, match=r"and 50\.00 would be taken"):
        hand_pay.pay(win.pk, night.sefa, "split", 0, {"chips": dollars(50), "cheque": dollars(50)})
    hand_pay.pay(win.pk, night.sefa, "split", 0, parts)
    assert balance(TRAY) == -dollars(24)


def test_what_is_held_needs_no_second_person(night: Night) -> None:
    open_cage(night.floor.harbour)
    win = released(night, "flush")
    with pytest.raises(Refused, match="The books hold what would be paid"):
        hand_pay.ask_for_source(win.pk, night.sefa, "cash", reason="to be sure")
    with pytest.raises(PermissionDenied):
        hand_pay.ask_for_source(win.pk, night.floor.people["fiona"], "chips", reason="no")
    night.play("CS-01", "flush")
    with pytest.raises(Refused, match="not approved yet"):
        hand_pay.ask_for_source(Win.objects.latest("pk").pk, night.sefa, "chips", reason="no")


def test_page_and_rest_ask_for_it(night: Night) -> None:
    win, client = released(night, "flush"), browser_of(night)
    form = {"method": "cash", "reason": ""}
    missing = client.post(f"/jackpots/wins/{win.pk}/source", form)
    assert missing.status_code == 422
    assert "Say why" in missing.content.decode()
    told = client.post(f"/jackpots/wins/{win.pk}/source", form | {"reason": "from the safe"}, follow=True)
    page = " ".join(told.content.decode().split())
    assert "Asked. Once another person approves it, pay the win here." in page
    assert "Sefa asks to pay 100.00 that the books do not hold: from the safe" in page
    rest = {"method": "chips", "reason": "the opener is late"}
    answer = client.post(f"/api/v1/wins/{win.pk}/source", rest, content_type="application/json")
    assert answer.status_code == 202
    asked = ApprovalRequest.objects.get(pk=answer.json()["request"])
    queue = browser_of(night, "grace").get(f"/approvals/{asked.pk}/").content.decode()
    assert "100.00 NZD" in queue
    assert "tray of CS-01" in queue
    approvals.approve(asked, night.grace)
    page = " ".join(client.get(f"/jackpots/wins/{win.pk}/").content.decode().split())
    assert "Grace has approved it: pay it as it was asked for." in page


# --- At the same moment, and by thieves ---------------------------------------------------------------------------
@pytest.fixture
def two(committed_floor: Floor, tmp_path: Any, settings: Any) -> tuple[Night, list[Win]]:
    """Two flushes at CS-01, whose tray holds 150.00, and a third at CS-02."""
    settings.VAR_DIR = tmp_path
    night = Night(committed_floor)
    fill(night.floor.tables["CS-01"], dollars(148))
    return night, [released(night, "flush"), released(night, "flush")]


def pay_both(night: Night, both: list[Win]) -> list[BaseException]:
    return at_once([partial(hand_pay.pay, win.pk, night.sefa, "chips") for win in both])


def test_two_payments_at_once_do_not_overdraw_a_tray(two: tuple[Night, list[Win]]) -> None:
    (error,) = pay_both(*two)
    assert isinstance(error, Refused)
    assert (error.code, balance(TRAY)) == ("not_held", dollars(50))
    assert sorted(Win.objects.values_list("state", flat=True)) == ["approved", "paid"]


def test_control_without_waiting_for_its_turn_they_do(
    two: tuple[Night, list[Win]], monkeypatch: pytest.MonkeyPatch
) -> None:
    meet = Barrier(2)

    def both_look(codes: Any) -> dict[str, int]:
        found = balances(codes)
        meet.wait(60)
        return found

    monkeypatch.setattr(holdings, "wait_for_turn", lambda premises: None)
    monkeypatch.setattr("ledger.books.holdings.balances", both_look)
    assert pay_both(*two) == []
    assert balance(TRAY) == -dollars(50)


def test_a_forged_approval_opens_nothing(night: Night) -> None:
    """A thief with the rights of the web's role can write the row, and not the audit trail."""
    win = released(night, "flush")
    asked = hand_pay.ask_for_source(win.pk, night.sefa, "chips", reason="mine")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE people_approvalrequest SET state = 'approved', decided_by_id = %s, decided_at = now()"
            " WHERE id = %s",
            [night.jan.pk, asked.pk],
        )
    with pytest.raises(Refused, match="two people say"):
        hand_pay.pay(win.pk, night.sefa, "chips")
    assert balance(TRAY) == dollars(1)


def test_verify_finds_an_approval_that_was_used_for_something_else(night: Night) -> None:
    win = released(night, "flush")
    asked = hand_pay.ask_for_source(win.pk, night.sefa, "chips", reason="the opener is late")
    approvals.approve(asked, night.grace)
    hand_pay.pay(win.pk, night.sefa, "chips")
    assert list(log_and_wins.unheld_as_approved(EVERYTHING)) == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE jackpots_win SET method = 'cash' WHERE id = %s", [win.pk])
        cursor.execute("SET LOCAL session_replication_role = origin")
    (fault,) = log_and_wins.unheld_as_approved(EVERYTHING)
    assert str(fault) == f"approval {asked.pk}: it was used for win {win.pk}, which was paid otherwise"


# --- The dealer ---------------------------------------------------------------------------------------------------
def test_the_dealer_is_told_what_leaves_the_tray(night: Night) -> None:
    """Of three flushes one is paid in chips, one in part, one by the cage."""
    open_cage(night.floor.harbour)
    fill(night.floor.tables["CS-01"], dollars(500))
    in_chips, split, cash = (released(night, "flush") for _ in range(3))
    hand_pay.pay(in_chips.pk, night.sefa, "chips")
    hand_pay.pay(split.pk, night.sefa, "split", 0, {"chips": dollars(40), "cash": dollars(60)})
    hand_pay.pay(cash.pk, night.sefa, "cash")
    table = Table.objects.select_related("table_log").get(code="CS-01")
    terminal = Client(headers={"Authorization": f"Bearer {night.floor.tokens['CS-01']}"})
    told = terminal.get("/api/v1/tables/harbour/CS-01/layout").json()["paid_from_tray"]
    assert [(one["amount"], one["hand"], one["seat"]) for one in told] == [
        ("100.00", "flush", 1),
        ("40.00", "flush", 1),
    ]
    assert told[0]["time"].endswith(("NZDT", "NZST"))
    in_chips.refresh_from_db()
    assert in_chips.paid_at is not None
    assert sources.out_of_tray(table.table_log, in_chips.paid_at)[0]["amount"] == "100.00"
    other = Client(headers={"Authorization": f"Bearer {night.floor.tokens['CS-02']}"})
    assert other.get("/api/v1/tables/harbour/CS-02/layout").json()["paid_from_tray"] == []
