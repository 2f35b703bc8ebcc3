"""A win is paid as the log resolved it, as the books owe it and as two people approved it: never as its row says.

The attacker owns the tables and has switched the triggers off, so that a row can say anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.models import Win
from jackpots.verify.identities import broken_identities
from jackpots.wins.hand_pay import approve, pay, verify
from ledger.books.balances import balance
from ledger.books.journal import NewEntry, post
from ledger.models import Entry
from people.models import ApprovalRequest, AuditRecord
from rules.money import dollars
from tests.floor import FUNDED, Floor, make_floor, open_cage, set_alone_limit
from tests.jackpots.test_wins import CHECKED, as_page, win_at

RAISED = "amount_micros = amount_micros + 500000000, from_pool_micros = from_pool_micros + 500000000"
OTHER_TABLE = "table_log_id = (SELECT id FROM jackpots_tablelog WHERE table_code = 'CS-02')"
CHANGES = {
    "amount": (RAISED, r"amount is 600\.00, not 100\.00"),
    "amount lower": ("amount_micros = 1, from_pool_micros = 1", r"amount is 0\.000001, not 100\.00"),
    "house's part": (
        "from_pool_micros = 0, from_house_micros = amount_micros",
        r"part of the house is 100\.00, not 0\.00",
    ),
    "level": ("level = 'grand'", "no flush at seat 1 from grand"),
    "seat": ("seat = 3", "no flush at seat 3 from minor"),
    "player": ("player = 'Mallory'", r"no flush at seat 1 \(Mallory\) from minor"),
    "hand": ("trigger = 'royal-flush'", "no royal-flush at seat 1 from minor"),
    "wager": ("wager_id = 'another'", "wager is another, not w"),
    "table": (OTHER_TABLE, "table is CS-02, not CS-01"),
    "round": ("round_id = 4711", "round is 4711"),
    "cards": ("""hit = jsonb_set(hit, '{cards}', '["Ah"]')""", "cards is Ah, not none"),
    "rule": ("rule = 'because'", "rule is because, not"),
}


@pytest.fixture
def floor(db: None) -> Floor:
    made = make_floor(pay_alone_limit_micros=dollars(150))
    open_cage(made.harbour)
    return made


def by_sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        assert cursor.rowcount, "the attack must touch a row"
        cursor.execute("SET LOCAL session_replication_role = origin")


def released(floor: Floor, *, alone: bool) -> Win:
    """A flush of 100.00, to be paid: released by one person within the limit, or by two."""
    if not alone:
        set_alone_limit(floor, "50.00")
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    return win if alone else approve(win.pk, floor.people["jan"])


def refused(floor: Floor, act: Callable[[], Win], words: str) -> AuditRecord:
    """The act is refused in these words, on record, and nothing has changed."""
    before = (list(Win.objects.values()), list(ApprovalRequest.objects.values()), Entry.objects.count())
    with pytest.raises(Refused, match=words):
        act()
    assert before == (
        list(Win.objects.values()),
        list(ApprovalRequest.objects.values()),
        Entry.objects.count(),
    )
    assert balance("harbour/cage/cash") == FUNDED
    return AuditRecord.objects.get(action="jackpots.win_refused")


@pytest.mark.parametrize("alone", [True, False], ids=["within the limit", "approved by two"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_is_not_paid(floor: Floor, change: str, alone: bool) -> None:
    win = released(floor, alone=alone)
    assignment, words = CHANGES[change]
    by_sql(f"UPDATE jackpots_win SET {assignment} WHERE id = %s", win.pk)
    record = refused(floor, lambda: pay(win.pk, floor.people["grace"], "cash"), words)
    assert record.actor == floor.people["grace"]
    assert record.subject == f"jackpots.win:{win.pk}"
    assert record.premises == floor.harbour
    assert "Nothing was paid" in record.reason


@pytest.mark.parametrize("change", ["amount", "seat"])
def test_nor_is_it_verified(floor: Floor, change: str) -> None:
    """The second person must not be asked for a sum that the books do not owe."""
    assignment, words = CHANGES[change]
    win = win_at(floor)
    by_sql(f"UPDATE jackpots_win SET {assignment} WHERE id = %s", win.pk)
    refused(floor, lambda: verify(win.pk, floor.people["sefa"], CHECKED), words)


def test_nor_is_it_approved(floor: Floor) -> None:
    win = verify(win_at(floor, trigger="royal-flush").pk, floor.people["sefa"], CHECKED)
    by_sql(f"UPDATE jackpots_win SET {RAISED} WHERE id = %s", win.pk)
    refused(floor, lambda: approve(win.pk, floor.people["jan"]), r"amount is 20500\.60, not 20000\.60")


def test_it_is_paid_as_it_was_once_the_row_is_as_it_was(floor: Floor) -> None:
    win = released(floor, alone=False)
    by_sql(f"UPDATE jackpots_win SET {RAISED} WHERE id = %s", win.pk)
    refused(floor, lambda: pay(win.pk, floor.people["sefa"], "cash"), "amount is")
    by_sql("UPDATE jackpots_win SET amount_micros = 100000000, from_pool_micros = 100000000")
    assert pay(win.pk, floor.people["sefa"], "cash").paid_micros == dollars(100)
    assert balance("harbour/cage/cash") == FUNDED - dollars(100)
    assert broken_identities(floor.progressive.pk) == []


def test_the_approval_of_another_win_releases_nothing(floor: Floor) -> None:
    """Two flushes of 100.00 at the same seat; one is approved, the other only verified."""
    one = released(floor, alone=False)
    other = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    by_sql(
        "UPDATE jackpots_win SET state = 'approved', approval_id = %s WHERE id = %s",
        one.approval_id,
        other.pk,
    )
    words = f"the approval {one.approval_id} is for win {one.pk}"
    refused(floor, lambda: pay(other.pk, floor.people["sefa"], "cash"), words)


@pytest.mark.parametrize("state", ["requested", "rejected", "approved"])
def test_an_approval_that_was_not_used_releases_nothing(floor: Floor, state: str) -> None:
    set_alone_limit(floor, "0.00")
    win = verify(win_at(floor).pk, floor.people["sefa"], CHECKED)
    decided = (
        "" if state == "requested" else f", decided_by_id = {floor.people['jan'].pk}, decided_at = now()"
    )
    by_sql(f"UPDATE people_approvalrequest SET state = '{state}'{decided} WHERE id = %s", win.approval_id)
    by_sql("UPDATE jackpots_win SET state = 'approved' WHERE id = %s", win.pk)
    refused(floor, lambda: pay(win.pk, floor.people["sefa"], "cash"), f"is {state}, not used")


def test_a_state_alone_releases_nothing_above_the_limit(floor: Floor) -> None:
    win = win_at(floor, trigger="royal-flush")
    sefa = floor.people["sefa"]
    by_sql("UPDATE jackpots_win SET state = 'approved', verified_by_id = %s WHERE id = %s", sefa.pk, win.pk)
    refused(floor, lambda: pay(win.pk, sefa, "cash"), "no verification of it")


def test_a_verified_win_above_the_limit_needs_its_second_person_whatever_the_row_says(floor: Floor) -> None:
    win = verify(win_at(floor, trigger="royal-flush").pk, floor.people["sefa"], CHECKED)
    by_sql("UPDATE jackpots_win SET state = 'approved', approval_id = NULL WHERE id = %s", win.pk)
    words = r"20000\.60 is more than the 150\.00 that one person may release"
    refused(floor, lambda: pay(win.pk, floor.people["sefa"], "cash"), words)


def test_a_state_alone_releases_nothing_within_the_limit(floor: Floor) -> None:
    win = win_at(floor)
    sefa = floor.people["sefa"]
    by_sql("UPDATE jackpots_win SET state = 'approved', verified_by_id = %s WHERE id = %s", sefa.pk, win.pk)
    refused(floor, lambda: pay(win.pk, sefa, "cash"), "no verification of it by Sefa")


def test_a_win_is_not_paid_twice_because_its_state_went_back(floor: Floor) -> None:
    win = released(floor, alone=True)
    pay(win.pk, floor.people["sefa"], "cash")
    by_sql(
        "UPDATE jackpots_win SET state = 'approved', paid_by_id = NULL, paid_micros = NULL WHERE id = %s",
        win.pk,
    )
    with pytest.raises(Refused, match="the books have it as paid already"):
        pay(win.pk, floor.people["sefa"], "cash")
    assert balance("harbour/cage/cash") == FUNDED - dollars(100)


def test_a_log_changed_with_the_row_does_not_agree_with_the_books(floor: Floor) -> None:
    """The hand in the log, and with it what the rules give, was made a four of a kind: 500.00 for 100.00 booked."""
    win = released(floor, alone=True)
    by_sql(
        """UPDATE jackpots_event SET body = jsonb_set(body, '{hits,0,trigger}', '"four-of-a-kind"')"""
        " WHERE kind = 'hits'"
    )
    by_sql(
        "UPDATE jackpots_win SET trigger = 'four-of-a-kind', amount_micros = 500000000, from_pool_micros = 500000000,"
        " rule = %s WHERE id = %s",
        "nz-1996 VIII 12.1(c)",
        win.pk,
    )
    words = r"the books have 100\.00 payable from minor for its round, the log gives 500\.00"
    refused(floor, lambda: pay(win.pk, floor.people["sefa"], "cash"), words)


def test_what_the_books_no_longer_hold_is_not_paid(floor: Floor) -> None:
    """Someone posted 60.00 of what is payable elsewhere, in a sound entry."""
    win = released(floor, alone=True)
    level = "harbour/jackpots/stud/levels/minor"
    legs = {f"{level}/payable": dollars(60), f"{level}/adjustments": -dollars(60)}
    post(
        NewEntry(
            key="stray",
            premises=floor.harbour,
            kind="stray",
            reference="x",
            source_hash="0" * 64,
            legs=legs,
            occurred_at=timezone.now(),
        )
    )
    words = r"the books have only 40\.00 payable from minor"
    refused(floor, lambda: pay(win.pk, floor.people["sefa"], "cash"), words)


def test_an_approved_document_changed_with_the_row_does_not_agree_with_the_books(floor: Floor) -> None:
    win = released(floor, alone=False)
    by_sql(f"UPDATE jackpots_win SET {RAISED} WHERE id = %s", win.pk)
    by_sql(
        "UPDATE people_approvalrequest SET payload_json = new, payload_sha256 = encode(sha256(new::bytea), 'hex')"
        " FROM (SELECT id AS a, replace(payload_json, '100.00', '600.00') AS new FROM people_approvalrequest) x"
        " WHERE a = id"
    )
    refused(floor, lambda: pay(win.pk, floor.people["sefa"], "cash"), r"amount is 600\.00, not 100\.00")


def test_page_and_rest_say_why_and_keep_the_record(floor: Floor) -> None:
    win = released(floor, alone=True)
    by_sql(f"UPDATE jackpots_win SET {RAISED} WHERE id = %s", win.pk)
    client = as_page(floor, "sefa")
    page = client.post(f"/jackpots/wins/{win.pk}/pay", {"method": "cash"}, follow=True).content.decode()
    assert "amount is 600.00, not 100.00" in page
    rest = client.post(f"/api/v1/wins/{win.pk}/pay", {"method": "cash"}, content_type="application/json")
    assert (rest.status_code, rest.json()["code"]) == (409, "not_as_owed")
    assert AuditRecord.objects.filter(action="jackpots.win_refused").count() == 2


def test_who_may_not_pay_leaves_no_record_of_it(floor: Floor) -> None:
    win = released(floor, alone=True)
    by_sql(f"UPDATE jackpots_win SET {RAISED} WHERE id = %s", win.pk)
    with pytest.raises(PermissionDenied):
        pay(win.pk, floor.people["arne"], "cash")
    assert not AuditRecord.objects.filter(action="jackpots.win_refused").exists()


def test_a_lower_limit_does_not_strand_what_one_person_released_before(floor: Floor) -> None:
    win = released(floor, alone=True)
    set_alone_limit(floor, "0.00")
    assert pay(win.pk, floor.people["sefa"], "cash").paid_micros == dollars(100)
