"""The close of a gaming day: its steps, its checklist, what two people carry over, what comes late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction

from config.kit.refusals import Refused
from ledger.books.balances import trial_balance
from ledger.books.journal import NewEntry, post
from ledger.close import closing
from ledger.close.closing import Finding
from ledger.models import Entry, GamingDay, OpenItem
from people.approvals import approvals
from people.models import AuditRecord, Premises, User
from tests.ledger.conftest import DAY

New = Callable[..., NewEntry]
pytestmark = pytest.mark.usefixtures("only_checks")


@pytest.fixture
def day(new: New) -> GamingDay:
    post(new("round:1"))
    return GamingDay.objects.get()


def close(day: GamingDay, actor: User) -> GamingDay:
    closing.begin_close(day, actor)
    return closing.close_day(day, actor)


@pytest.fixture
def standing() -> dict[str, bool]:
    """A check with one finding that may be carried over, and a switch to settle it."""
    state = {"stands": True}

    @closing.register("test.standing", "No wager stands")
    def check(day: GamingDay) -> Iterator[Finding]:
        if state["stands"]:
            yield Finding("wager:7", "Wager 7 at CR-01 stands on a point.", may_carry=True)

    return state


def test_a_day_closes_once_and_for_good(day: GamingDay, finance: User) -> None:
    assert close(day, finance).state == "closed"
    assert day.closed_by == finance
    assert [item["holds"] for item in day.checklist or []] == [True] * len(closing.registered())
    assert AuditRecord.objects.filter(action="ledger.close_day", actor=finance).count() == 1
    with pytest.raises(Refused, match="closed, not open"):
        closing.begin_close(day, finance)
    with pytest.raises(Refused, match="closed, not closing"):
        closing.close_day(day, finance)


def test_only_finance_of_the_premises_closes(day: GamingDay, auditor: User, manager: User) -> None:
    for person in (auditor, manager):
        with pytest.raises(PermissionDenied, match="Finance"):
            closing.begin_close(day, person)


def test_what_comes_late_goes_to_the_next_day_with_its_own_date(
    day: GamingDay, finance: User, new: New, harbour: Premises
) -> None:
    closing.begin_close(day, finance)
    in_time = post(new("round:2"))
    closing.close_day(day, finance)
    late = post(new("round:3"))
    again = post(new("round:2"))
    assert (in_time.day, in_time.late) == (DAY, False)
    assert (late.day, late.late) == (date(2026, 3, 15), True)
    assert Entry.objects.get(key="round:3").own_date == DAY
    assert (again.id, again.day, again.created) == (in_time.id, DAY, False)
    closed = {line.code: line.closing_micros for line in trial_balance(harbour, DAY, DAY)}
    assert closed["harbour/tables/CS-01/bank"] == 10_000_000


def test_late_entries_go_to_the_open_day_that_is_there(day: GamingDay, finance: User, new: New) -> None:
    post(new("monday", day=date(2026, 3, 16)))  # the casino was shut on the 15th
    close(day, finance)
    assert post(new("late")).day == date(2026, 3, 16)
    assert post(new("older", day=date(2026, 2, 1))).day == date(2026, 3, 16)
    assert not GamingDay.objects.filter(date=date(2026, 2, 1)).exists()


def test_days_close_in_order(day: GamingDay, finance: User, new: New) -> None:
    post(new("round:2", day=date(2026, 3, 15)))
    second = GamingDay.objects.get(date=date(2026, 3, 15))
    with pytest.raises(Refused, match="earlier gaming day"):
        closing.begin_close(second, finance)
    close(day, finance)
    assert close(second, finance).state == "closed"


def test_a_finding_stops_the_close_and_says_what_and_where(
    day: GamingDay, finance: User, standing: dict[str, bool]
) -> None:
    closing.begin_close(day, finance)
    with pytest.raises(Refused, match=r"test\.standing: Wager 7 at CR-01 stands"):
        closing.close_day(day, finance)
    day.refresh_from_db()
    assert day.state == "closing"
    standing["stands"] = False
    assert closing.close_day(day, finance).state == "closed"


def test_a_check_that_breaks_stops_the_close(day: GamingDay, finance: User) -> None:
    @closing.register("test.broken", "Broken")
    def check(day: GamingDay) -> list[Finding]:
        raise ZeroDivisionError("no tables")

    closing.begin_close(day, finance)
    with pytest.raises(Refused, match=r"test\.broken: The check itself failed: ZeroDivisionError: no tables"):
        closing.close_day(day, finance)


def test_two_people_carry_an_open_item_over(
    day: GamingDay, finance: User, manager: User, standing: dict[str, bool]
) -> None:
    closing.begin_close(day, finance)
    request = closing.request_carry_over(day, "test.standing", "wager:7", finance, "The point stands")
    with pytest.raises(Refused, match="yourself"):
        approvals.approve(request, finance)
    with pytest.raises(Refused, match="Nobody has approved"):
        closing.carry_over(request, finance)
    approvals.approve(request, manager)
    item = closing.carry_over(request, finance)
    assert (item.day, item.check_name, item.item_key) == (day, "test.standing", "wager:7")
    (line,) = next(
        result for result in closing.checklist(day).results if result.name == "test.standing"
    ).lines
    assert (line.carried, line.blocks) == (True, False)
    assert closing.close_day(day, finance).state == "closed"
    assert "Wager 7" in str(day.checklist)


def test_an_approved_request_is_used_by_the_close(
    day: GamingDay, finance: User, manager: User, standing: dict[str, bool]
) -> None:
    closing.begin_close(day, finance)
    approvals.approve(closing.request_carry_over(day, "test.standing", "wager:7", finance, "Stands"), manager)
    assert closing.close_day(day, finance).state == "closed"
    assert OpenItem.objects.get().day == day


def test_two_who_asked_for_the_same_item_do_not_stop_the_close(
    day: GamingDay, finance: User, manager: User, standing: dict[str, bool]
) -> None:
    """Asked for by each of them at the same moment, approved by the other: carried over once."""
    closing.begin_close(day, finance)
    asked = [
        closing.request_carry_over(day, "test.standing", "wager:7", person, "Stands")
        for person in (finance, manager)
    ]
    for request, other in zip(asked, (manager, finance), strict=True):
        approvals.approve(request, other)
    assert closing.close_day(day, finance).state == "closed"
    assert OpenItem.objects.get().approval == asked[0]


def test_only_what_may_be_carried_is_carried(day: GamingDay, finance: User) -> None:
    @closing.register("test.must", "Must be right")
    def check(day: GamingDay) -> Iterator[Finding]:
        yield Finding("meter", "The meter is not the pool.")

    with pytest.raises(Refused, match="cannot be carried over"):
        closing.request_carry_over(day, "test.must", "meter", finance, "please")
    with pytest.raises(Refused, match="nothing named"):
        closing.request_carry_over(day, "test.must", "other", finance, "please")


def test_no_open_item_without_the_approval_of_another(
    day: GamingDay, finance: User, manager: User, standing: dict[str, bool]
) -> None:
    request = closing.request_carry_over(day, "test.standing", "wager:7", finance, "Stands")
    fields = {"day": day, "check_name": "test.standing", "item_key": "wager:7", "text": "x", "reason": "x"}
    with pytest.raises(DatabaseError, match="no approval"), transaction.atomic():
        OpenItem.objects.create(approval=request, **fields)
    approvals.approve(request, manager)
    with pytest.raises(DatabaseError, match="no approval"), transaction.atomic():
        OpenItem.objects.create(approval=request, **(fields | {"item_key": "wager:8"}))


def test_a_close_may_be_abandoned_on_record(day: GamingDay, finance: User) -> None:
    closing.begin_close(day, finance)
    with pytest.raises(Refused, match="say why"):
        closing.abandon_close(day, finance, " ")
    assert closing.abandon_close(day, finance, "Pit 2 still plays").state == "open"
    assert AuditRecord.objects.get(action="ledger.abandon_close").reason == "Pit 2 still plays"
