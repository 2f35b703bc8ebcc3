"""From a resolved win to a paid one: every way through the steps, and every way that must not lead to money."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import TableLog, Win
from jackpots.verify.identities import broken_identities
from jackpots.wins.hand_pay import approve, pay, verify
from ledger.books.balances import balance
from people.approvals import approvals
from people.models import ApprovalRequest, RoleGrant
from rules.contract import Hit, Wager
from rules.money import dollars
from tests import log_verbs as event_log
from tests.floor import FUNDED, Floor, fill, make_floor, new_round_id, open_cage, set_alone_limit, stud_rules
from tests.on_record import give

CHECKED = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-7"}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    open_cage(standing_floor.harbour)
    return standing_floor


def win_at(floor: Floor, code: str = "CS-01", trigger: str = "flush") -> Win:
    link = TableLog.objects.get(table_code=code)
    round_id = new_round_id()
    with transaction.atomic():
        event_log.record_stakes(link, round_id, [Wager("w", "jackpot", dollars(1), 1)], timezone.now())
        hit = Hit(Wager("w", "jackpot", dollars(1), 1), trigger, "test")
        event_log.decide(link, round_id, [hit], {}, timezone.now())
        for each in TableLog.objects.all():
            event_log.beat(each, timezone.now())
    return fold(floor.progressive.pk).wins[0]


def as_page(floor: Floor, name: str) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(floor.people[name], "django.contrib.auth.backends.ModelBackend")
    return client


def expire(request: ApprovalRequest | None) -> None:
    assert request is not None
    with connection.cursor() as cursor:  # as if eight hours had gone by
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE people_approvalrequest SET requested_at = requested_at - interval '9 h',"
            " expires_at = expires_at - interval '9 h', decided_at = decided_at - interval '9 h',"
            " used_at = used_at - interval '9 h' WHERE id = %s",
            [request.pk],
        )
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_a_win_that_was_approved_on_the_page_of_all_approvals_can_be_paid(floor: Floor) -> None:
    """The second person need not know that the jackpot pages have a button of their own."""
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    assert win.approval is not None
    approvals.approve(win.approval, floor.people["jan"])
    assert (
        "Where the money comes from"
        in as_page(floor, "sefa").get(f"/jackpots/wins/{win.pk}/").content.decode()
    )
    assert pay(win.pk, floor.people["sefa"], "cash").state == Win.State.PAID
    assert balance("harbour/cage/cash") == FUNDED - dollars(100)
    assert ApprovalRequest.objects.get(action="jackpots.pay_win").state == ApprovalRequest.State.USED
    assert broken_identities(floor.progressive.pk) == []


def test_a_win_whose_approval_was_refused_is_verified_again_and_approved_anew(floor: Floor) -> None:
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    assert win.approval is not None
    approvals.reject(win.approval, floor.people["jan"], "the deck was not counted before me")
    with pytest.raises(Refused, match="rejected it"):
        approve(win.pk, floor.people["jan"])
    with pytest.raises(Refused, match="only when it is approved"):
        pay(win.pk, floor.people["sefa"], "cash")
    page = as_page(floor, "grace").get(f"/jackpots/wins/{win.pk}/").content.decode()
    assert "the deck was not counted before me" in page
    again = verify(win.pk, floor.people["grace"], CHECKED)
    assert again.approval_id != win.approval_id
    with pytest.raises(Refused, match="requested it yourself"):
        approve(win.pk, floor.people["grace"])
    approve(win.pk, floor.people["jan"])
    assert pay(win.pk, floor.people["sefa"], "cash").state == Win.State.PAID


def test_a_request_that_nobody_answered_in_time_is_made_again(floor: Floor) -> None:
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    with pytest.raises(Refused, match="only when it is pending"):
        verify(win.pk, floor.people["sefa"], CHECKED)
    expire(win.approval)
    with pytest.raises(Refused, match="expired"):
        approve(win.pk, floor.people["jan"])
    verify(win.pk, floor.people["sefa"], CHECKED)
    approve(win.pk, floor.people["jan"])


def test_an_approved_win_may_be_claimed_the_next_day(floor: Floor) -> None:
    """The player went to bed: the approval was used to release the win, and does not expire under it."""
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    approve(win.pk, floor.people["jan"])
    expire(win.approval)
    assert pay(win.pk, floor.people["sefa"], "cheque").state == Win.State.PAID


@pytest.mark.parametrize("unit", [-500_000, dollars(1_000_000), 5_000_001, 7])
def test_a_unit_that_no_chip_or_note_has_is_refused(floor: Floor, unit: int) -> None:
    """Rounding up is for what cannot be paid exactly (VIII 11.8); it must not become a way to pay what was not won."""
    set_alone_limit(floor, "150.00")
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    with pytest.raises(Refused, match="Smallest amount payable"):
        pay(win.pk, floor.people["sefa"], "cash", unit)
    assert Win.objects.get().state == Win.State.APPROVED


def test_a_cheque_is_written_for_the_exact_amount(floor: Floor) -> None:
    """11.8 rounds cash and chips alone. 20,000 + 0.60 for the one wager."""
    win = verify(win_at(floor, trigger="royal-flush").pk, floor.people["sefa"], CHECKED)
    approve(win.pk, floor.people["jan"])
    assert pay(win.pk, floor.people["sefa"], "cheque", 500_000).paid_micros == dollars(20_000) + 600_000


@pytest.mark.parametrize(
    ("method", "paid"), [("chips", dollars(20_025)), ("cash", dollars(20_000) + 600_000)]
)
def test_chips_are_paid_by_what_the_progressive_declares(db: None, method: str, paid: int) -> None:
    """I 15.3, VIII 11.8: 20,000.60 in chips of 25 is 20,025; nobody has to type the unit."""
    floor = make_floor(replace(stud_rules(), chip_micros=dollars(25)))
    open_cage(floor.harbour)
    fill(floor.tables["CS-01"], dollars(20_024))  # with the stake of 1.00, the very chips of 20,025
    win = verify(win_at(floor, trigger="royal-flush").pk, floor.people["sefa"], CHECKED)
    approve(win.pk, floor.people["jan"])
    assert pay(win.pk, floor.people["sefa"], method).paid_micros == paid


@pytest.mark.parametrize("unit", ["abc", "-1", "1e3", "0.001", "1000000"])
def test_an_odd_unit_on_the_page_or_over_rest_is_a_message_not_a_crash(floor: Floor, unit: str) -> None:
    set_alone_limit(floor, "150.00")
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    client = as_page(floor, "sefa")
    form = {"method": "cash", "payable_unit": unit}
    answer = client.post(f"/jackpots/wins/{win.pk}/pay", form)
    assert answer.status_code == 422
    told = answer.context["form"].errors["payable_unit"]
    assert f'value="{unit}"' in answer.content.decode(), "what was typed is kept"
    rest = client.post(f"/api/v1/wins/{win.pk}/pay", form, content_type="application/json")
    assert rest.status_code == 422
    assert [(fault["field"], fault["message"]) for fault in rest.json()["faults"]] == [
        ("payable_unit", told[0])
    ]
    assert Win.objects.get().state == Win.State.APPROVED


def test_steps_are_for_staff_of_the_table_s_own_premises(floor: Floor) -> None:
    """The host sees a win on a linked table elsewhere; the people there verify, approve and pay it."""
    RoleGrant.objects.filter(user__username__in=["sefa", "jan"], premises=floor.lakeside).delete()
    win = win_at(floor, "CS-03")
    for name in ("sefa", "jan", "fiona", "arne"):
        with pytest.raises(PermissionDenied):
            verify(win.pk, floor.people[name], CHECKED)
    verify(win.pk, floor.people["grace"], CHECKED)
    for name in ("sefa", "jan", "fiona", "arne"):
        with pytest.raises(PermissionDenied):
            approve(win.pk, floor.people[name])
    give(user=floor.people["jan"], premises=floor.lakeside, role="jackpot_manager")
    approve(win.pk, floor.people["jan"])
    for name in ("sefa", "fiona", "arne"):
        with pytest.raises(PermissionDenied):
            pay(win.pk, floor.people[name], "cash")
    open_cage(floor.lakeside)
    pay(win.pk, floor.people["grace"], "cash")


def test_a_paid_win_says_what_was_paid(floor: Floor) -> None:
    set_alone_limit(floor, "150.00")
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    client = as_page(floor, "arne")
    assert "To be paid" in " ".join(client.get(f"/jackpots/wins/{win.pk}/").content.decode().split())
    pay(win.pk, floor.people["sefa"], "cash")
    page = client.get(f"/jackpots/wins/{win.pk}/").content.decode()
    assert "To be paid" not in page
    assert timedelta(0) <= timezone.now() - Win.objects.get().paid_at < timedelta(minutes=5)  # type: ignore[operator]


@pytest.mark.parametrize("before", ["9" * 5000, "9" * 19, "²", "-1", "x"])
def test_an_id_that_is_none_is_refused_in_words(floor: Floor, before: str) -> None:
    client = Client()
    client.force_login(floor.people["jan"])
    answer = client.get("/api/v1/wins", {"before": before})
    assert answer.status_code == 422
    assert "The id of a win" in answer.content.decode()


def test_a_reference_that_no_column_holds_is_refused_in_words(floor: Floor) -> None:
    """It is kept in a JSON document, where PostgreSQL says of a NUL something else than of one in a text."""
    win = win_at(floor)
    client = as_page(floor, "sefa")
    checks = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM\0"}
    rest = client.post(f"/api/v1/wins/{win.pk}/verify", checks, content_type="application/json")
    page = client.post(
        f"/jackpots/wins/{win.pk}/verify", {name: str(value) for name, value in checks.items()}
    )
    assert (rest.status_code, page.status_code) == (422, 422)
    win.refresh_from_db()
    assert win.state == Win.State.PENDING
