"""Hand pays beyond the three steps: tiers by amount, split payments, slips, what is reported, and wins that nobody
comes for. A flush pays 100.00 (nz-1996 VIII 11.2) from the minor."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import HandPayRules, Slip, Win
from jackpots.reports import TO_REPORT
from jackpots.second_thoughts import corrections
from jackpots.verify.identities import broken_identities
from jackpots.wins import hand_pay, hand_pay_rules, slips, sources, unclaimed
from jackpots.wins.story import story
from ledger.books.balances import balance
from ledger.reports.reports import Scope
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars
from tests.acts import on_record
from tests.floor import FUNDED, Floor, fill, open_cage
from tests.jackpots.test_corrections import CHECKED, Night

MINOR = "harbour/jackpots/stud/levels/minor"
NO_LIMITS: dict[str, Any] = {
    "three_people_above": None,
    "surveillance_above": None,
    "evidence_above": None,
    "report_above": None,
    "correct_alone": None,
    "report_to": "",
    "unclaimed_days": 7,
    "expiry_days": 365,
    "second_thought_days": 30,
}


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(standing_floor)


def in_force(night: Night, **limits: Any) -> None:
    """Rules of two people that hold since yesterday: asked for tomorrow, and then it is tomorrow."""
    today = gaming_day(night.floor.harbour, timezone.now())
    given = {**NO_LIMITS, **limits, "from_day": today + timedelta(days=1)}
    asked = hand_pay_rules.request_rules(night.floor.harbour, night.jan, given, "New law")
    approvals.approve(asked, night.floor.people["fiona"])
    raw(f"UPDATE jackpots_handpayrules SET from_day = '{today - timedelta(days=1)}'")


def raw(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")


def flush(night: Night) -> Win:
    night.play("CS-01", "flush")
    return Win.objects.latest("pk")


def approved(night: Night, win: Win, **confirmations: Any) -> Win:
    hand_pay.verify(win.pk, night.sefa, CHECKED | confirmations)
    return hand_pay.approve(win.pk, night.jan)


def test_rules_hold_from_a_day_that_has_not_begun(night: Night) -> None:
    today = gaming_day(night.floor.harbour, timezone.now())
    hand_pay.verify(
        flush(night).pk, night.sefa, CHECKED
    )  # a day on which hands are paid without rules has begun
    with pytest.raises(Refused, match="what has begun is not changed"):
        hand_pay_rules.request_rules(
            night.floor.harbour, night.jan, {**NO_LIMITS, "from_day": today}, "today"
        )
    given = {**NO_LIMITS, "three_people_above": dollars(50), "from_day": today + timedelta(days=1)}
    approvals.approve(
        hand_pay_rules.request_rules(night.floor.harbour, night.jan, given, "why"),
        night.floor.people["fiona"],
    )
    assert hand_pay_rules.in_force(night.floor.harbour).three_people_above_micros is None, "not yet"
    tomorrow = hand_pay_rules.in_force(night.floor.harbour, today + timedelta(days=1))
    assert tomorrow.three_people_above_micros == dollars(50)


def first_rules(night: Night, from_day: date, **limits: Any) -> ApprovalRequest:
    given = {**NO_LIMITS, **limits, "from_day": from_day}
    return hand_pay_rules.request_rules(night.floor.harbour, night.jan, given, "we open tonight")


def test_the_first_rules_of_new_premises_hold_from_their_first_day(night: Night) -> None:
    """A third person was asked for on the first day, and the flush of that night waits for one."""
    today = gaming_day(night.floor.harbour, timezone.now())
    with pytest.raises(Refused, match=f"from the gaming day {today} on"):
        first_rules(night, today - timedelta(days=1))
    approvals.approve(first_rules(night, today, three_people_above=dollars(99)), night.floor.people["fiona"])
    assert hand_pay_rules.in_force(night.floor.harbour).three_people_above_micros == dollars(99)
    open_cage(night.floor.harbour)
    win = approved(night, flush(night))
    with pytest.raises(Refused, match="a third person pays"):
        hand_pay.pay(win.pk, night.jan, "cash")
    assert hand_pay.pay(win.pk, night.grace, "cash").state == Win.State.PAID
    with pytest.raises(Refused, match="what has begun is not changed"):
        first_rules(night, today)  # these have begun, and the next ones wait for tomorrow


def test_what_was_verified_meanwhile_is_not_judged_by_rules_that_came_later(night: Night) -> None:
    today = gaming_day(night.floor.harbour, timezone.now())
    asked = first_rules(night, today, surveillance_above=dollars(1))
    hand_pay.verify(flush(night).pk, night.sefa, CHECKED)
    with pytest.raises(Refused, match="has begun: ask anew") as refused:
        approvals.approve(asked, night.floor.people["fiona"])
    assert refused.value.code == "day_begun"


def test_above_the_limit_three_different_people(night: Night) -> None:
    in_force(night, three_people_above=dollars(99))
    win = approved(night, flush(night))
    for name in ("sefa", "jan"):
        with pytest.raises(Refused, match="a third person pays"):
            hand_pay.pay(win.pk, night.floor.people[name], "cash")
    with (
        pytest.raises(DatabaseError, match="a third person"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "UPDATE jackpots_win SET state = 'paid', paid_by_id = verified_by_id, paid_at = now(),"
            " paid_micros = amount_micros, method = 'cash' WHERE id = %s",
            [win.pk],
        )
    open_cage(night.floor.harbour)
    paid = hand_pay.pay(win.pk, night.grace, "cash")
    assert paid.state == Win.State.PAID
    told = [sentence.split(" on ")[0] for sentence in story(paid)[1:]]
    assert told == ["Sefa verified the hand", "Jan approved the payment", "Grace paid 100.00 NZD"]


def test_at_the_limit_two_are_enough(night: Night) -> None:
    in_force(night, three_people_above=dollars(100))
    assert night.pay(flush(night)).state == Win.State.PAID


def test_above_their_limits_surveillance_and_evidence_are_asked_for(night: Night) -> None:
    in_force(night, surveillance_above=dollars(50), evidence_above=dollars(99))
    win = flush(night)
    bare = {"hand_confirmed": True, "deck_counted": True}
    with pytest.raises(Refused, match=r"Above 50.00 .* surveillance"):
        hand_pay.verify(win.pk, night.sefa, bare)
    with pytest.raises(Refused, match=r"Above 99.00 .* pictures"):
        hand_pay.verify(win.pk, night.sefa, bare | {"surveillance_reference": "CAM-7"})
    kept = bare | {"surveillance_reference": "CAM-7", "evidence": "envelope 12, safe B"}
    assert hand_pay.verify(win.pk, night.sefa, kept).verification["evidence"] == "envelope 12, safe B"


def test_a_split_payment(night: Night) -> None:
    win = approved(night, flush(night))
    open_cage(night.floor.harbour)
    fill(night.floor.tables["CS-01"], dollars(50))
    bank = balance("harbour/tables/CS-01/bank")
    for parts, told in (
        ({"chips": dollars(100)}, "two or three parts"),
        ({"chips": dollars(50), "cash": dollars(49)}, "come to 99.00"),
        ({"chips": dollars(50), "cash": dollars(55)}, "come to 105.00"),
        ({"chips": dollars(150), "cash": -dollars(50)}, "two or three parts"),
    ):
        with pytest.raises(Refused, match=told):
            hand_pay.pay(win.pk, night.sefa, "split", 0, parts)
    with pytest.raises(Refused, match="Say split"):
        hand_pay.pay(win.pk, night.sefa, "cash", 0, {"cash": dollars(100)})
    parts = {"chips": dollars(25), "cash": dollars(15), "cheque": dollars(60)}
    assert hand_pay.pay(win.pk, night.sefa, "split", 0, parts).parts == parts
    assert balance("harbour/tables/CS-01/bank") == bank - dollars(25)
    assert balance("harbour/cage/cash") == FUNDED - dollars(15)
    assert balance("harbour/cage/cheques") == -dollars(60)
    assert balance(f"{MINOR}/payable") == 0
    night.holds()


def test_what_cannot_cover_it_is_said_before(night: Night) -> None:
    """1.00 is in the tray of CS-01 and nothing in the cage."""
    win = approved(night, flush(night))
    said = sources.not_covered(win)
    assert said == [
        "The tray of CS-01 holds 1.00 by the books: it cannot cover 100.00.",
        "The cage holds 0.00 by the books: it cannot cover 100.00.",
    ]
    client = Client()
    client.force_login(night.sefa)
    assert "cannot cover 100.00" in client.get(f"/jackpots/wins/{win.pk}/").content.decode()
    assert client.get(f"/api/v1/wins/{win.pk}").json()["not_covered"] == said


def test_slips_are_numbered_and_copies_say_so(night: Night) -> None:
    first, second = flush(night), flush(night)
    with pytest.raises(Refused, match="once it is approved"):
        slips.print_slip(first.pk, night.sefa)
    for win in (first, second):
        night.pay(win)
    made = [slips.print_slip(pk, night.sefa) for pk in (first.pk, second.pk, first.pk)]
    assert [str(slip) for slip in made] == ["HARBOUR-000001", "HARBOUR-000002", "HARBOUR-000001"]
    assert [slips.document(slip)["reprint"] for slip in made] == [False, False, True]
    client = Client()
    client.force_login(night.sefa)
    page = client.post(f"/jackpots/wins/{first.pk}/slip/").content.decode()
    assert "HARBOUR-000001" in page
    assert "REPRINT 2" in page
    answer = client.post(f"/api/v1/wins/{second.pk}/slip").json()["slip"]
    assert (answer["number"], answer["reprint"], answer["amount"]) == ("HARBOUR-000002", True, "100.00")
    assert on_record("jackpots.slip_printed") == 5
    for statement in ("UPDATE jackpots_slip SET copy = 0", "DELETE FROM jackpots_slip"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    with pytest.raises(DatabaseError, match="gap"), transaction.atomic():
        Slip.objects.create(win=second, premises=night.floor.harbour, number=9, copy=0, printed_by=night.sefa)


def test_the_export_lists_what_must_be_reported(night: Night) -> None:
    in_force(night, report_above=dollars(1_000), report_to="DIA")
    night.play("CS-01", "straight-flush")
    night.pay(flush(night))
    night.pay(night.win("straight-flush"))
    today = gaming_day(night.floor.harbour, timezone.now())
    scope = Scope(night.floor.harbour, today, today)
    rows = [dict(zip((c.name for c in TO_REPORT.columns), row, strict=True)) for row in TO_REPORT.rows(scope)]
    assert [(row["hand"], row["report_to"], row["identified"]) for row in rows] == [
        ("straight-flush", "DIA", "false")
    ]


def aside(night: Night, win: Win, step: str) -> ApprovalRequest:
    asked = unclaimed.request_step(win.pk, night.jan, step, "Called three times")
    return approvals.approve(asked, night.floor.people["fiona"])


def won_days_ago(days: int) -> None:
    moved = ", ".join(f"{name} = {name} - interval '{days} days'" for name in ("place", "earliest", "latest"))
    raw(f"UPDATE jackpots_share SET {moved}")


def test_nobody_comes_for_it_and_then_somebody_does(night: Night) -> None:
    win = approved(night, flush(night))
    with pytest.raises(Refused, match="7 days after it was won"):
        unclaimed.request_step(win.pk, night.jan, "set-aside", "Gone")
    won_days_ago(8)
    aside(night, win, "set-aside")
    assert balance("harbour/unclaimed") == -dollars(100)
    assert balance(f"{MINOR}/payable") == 0
    with pytest.raises(Refused, match="claims it first"):
        hand_pay.pay(win.pk, night.sefa, "cash")
    with pytest.raises(Refused, match="claimed first"):
        corrections.preview(Win.objects.get(), "reject", "house")
    assert unclaimed.claim(win.pk, night.sefa, "With passport").state == Win.State.PENDING
    assert on_record("jackpots.win_claimed") == 1
    assert balance("harbour/unclaimed") == 0
    won_days_ago(-8)
    night.pay(Win.objects.get())
    night.holds()


def test_nobody_ever_comes_for_it(night: Night) -> None:
    win = flush(night)
    won_days_ago(8)
    aside(night, win, "set-aside")
    with pytest.raises(Refused, match="365 days"):
        unclaimed.request_step(win.pk, night.jan, "expire", "Gone")
    won_days_ago(400)
    aside(night, win, "expire")
    assert balance("harbour/unclaimed") == 0
    assert balance(f"{MINOR}/adjustments") == -dollars(100), "it is the house's"
    with pytest.raises(Refused, match="not set aside"):
        unclaimed.claim(win.pk, night.sefa, "Too late")
    won_days_ago(-408)
    night.holds()


def test_no_statement_sets_a_win_aside(night: Night) -> None:
    win = flush(night)
    for statement in (
        f"UPDATE jackpots_win SET state = 'unclaimed' WHERE id = {win.pk}",
        "INSERT INTO jackpots_handpayrules (premises_id, from_day, report_to, unclaimed_days, expiry_days,"
        f" second_thought_days, reason, approval_id) SELECT {night.floor.harbour.pk}, '2020-01-01', '', 0, 0, 0, '', 1",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert not HandPayRules.objects.exists()
    fold(night.progressive.pk)
    assert broken_identities(night.progressive.pk) == []
