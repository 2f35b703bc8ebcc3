"""Slips, counts, non-value chips, unclaimed money and disputes at the same moment, on a database that really commits:
one after the other, or refused. Each race has its negative control: the same without the lock goes wrong, or is stopped
by the database's own guards alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError

from config.kit.refusals import Refused
from ledger.books import holdings, journal
from ledger.books.balances import balance
from ledger.close import closing
from ledger.models import GamingDay
from ledger.queries import today
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars, format_money
from tables.chips import cage, chips, counts, non_value, trays, unclaimed
from tables.corrections import disputes
from tables.models import (
    CageSlip,
    ChipSlip,
    ColourStep,
    Dispute,
    DisputeStep,
    Table,
    TableCount,
    UnclaimedEnd,
)
from tests.floor import Floor, fund, open_cage
from tests.ledger.test_concurrency import take_out_the_locks
from tests.tables.test_non_value_unclaimed_disputes import (
    DECISION,
    OWED,
    complain,
    hold,
    issue,
    make_old,
    redeem,
    spin,
    with_roulette,
)
from tests.tables.test_set_up_races import at_once

MOMENT_S = 0.7
"""How long one waits for another that must not come through."""


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return with_roulette(committed_floor)


@pytest.fixture
def day(floor: Floor) -> date:
    return today(floor.harbour)


def codes(errors: list[BaseException]) -> list[str]:
    return sorted(
        error.code if isinstance(error, Refused) else type(error).__mro__[1].__name__ for error in errors
    )


def slip(floor: Floor, code: str, kind: str, counted_as: str, number: str = "") -> chips.Slip:
    table, sefa = floor.tables[code], floor.people["sefa"]
    return chips.enter_slip(table.pk, kind, number, None, sefa, counted_as=counted_as)


def serials() -> list[int]:
    return sorted(serial or 0 for serial in ChipSlip.objects.values_list("serial", flat=True))


def approve_all(floor: Floor) -> list[BaseException]:
    """Each waiting request by a person of its own thread."""

    def by(name: str, pk: int) -> Callable[[], object]:
        return lambda: approvals.approve(ApprovalRequest.objects.get(pk=pk), floor.people[name])

    asked = ApprovalRequest.objects.filter(state="requested").values_list("pk", flat=True)
    return at_once([by(name, pk) for name, pk in zip(("fiona", "tom") * 4, asked, strict=False)])


# --- Slips --------------------------------------------------------------------------------------------------------
SLIPS = {"opener": "40 x 5.00", "fill": "10 x 5.00", "credit": "4 x 5.00", "closer": "30 x 5.00"}


def test_opener_fill_credit_and_closer_at_once_are_all_booked_without_a_gap(floor: Floor, day: date) -> None:
    assert at_once([partial(slip, floor, "RO-01", kind, of) for kind, of in SLIPS.items()]) == []
    assert serials() == [1, 2, 3, 4]
    assert approve_all(floor) == []
    one = counts.count_of(floor.tables["RO-01"], day)
    assert one is not None
    assert format_money(one.result_micros) == "-80.00"  # 150 + 20 - 200 - 50
    assert balance("harbour/tables/RO-01/bank") == dollars(200 + 50 - 20 - 150)


def numbered_at_once(floor: Floor) -> list[BaseException]:
    return at_once([partial(slip, floor, code, "fill", "1 x 5.00") for code in ("RO-01", "CS-01", "CS-02")])


def test_numbers_of_the_house_have_no_gap_over_all_tables(floor: Floor) -> None:
    assert numbered_at_once(floor) == []
    assert serials() == [1, 2, 3]


def test_control_without_its_lock_a_number_would_come_twice(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet = threading.Barrier(3)

    def unguarded(premises: object) -> int:
        last = ChipSlip.objects.count()
        meet.wait(60)
        return last + 1

    monkeypatch.setattr(chips, "_next_serial", unguarded)
    assert codes(numbered_at_once(floor)) == ["DatabaseError", "DatabaseError"]
    assert ChipSlip.objects.get().serial == 1, "the database's own lock has stopped the others"


def two_closers(floor: Floor) -> list[BaseException]:
    """Two people type the same paper."""
    return at_once([lambda: slip(floor, "RO-01", "closer", "30 x 5.00", "C-17")] * 2)


def test_a_closer_that_two_enter_at_once_is_one(floor: Floor) -> None:
    assert two_closers(floor) == []
    asked = ApprovalRequest.objects.get()
    errors = at_once(
        [
            lambda: approvals.approve(asked, floor.people["fiona"]),
            lambda: approvals.approve(asked, floor.people["tom"]),
        ]
    )
    assert codes(errors) == ["already_used"]
    assert balance("harbour/tables/RO-01/bank") == -dollars(150)


def test_control_without_the_lock_a_closer_waits_twice(
    floor: Floor, unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet, was = threading.Barrier(2), chips._booked

    def both_have_looked(table: Table, given: chips.Slip) -> chips.Slip | None:
        found = was(table, given)
        meet.wait(60)
        return found

    monkeypatch.setattr(chips, "_booked", both_have_looked)
    assert two_closers(floor) == []
    assert ApprovalRequest.objects.count() == 2, "without the lock both are asked for"


# --- Counts -------------------------------------------------------------------------------------------------------
def counted(floor: Floor) -> None:
    """30.00 lost by a player, 150.00 counted where 130.00 should lie: 20.00 too much."""
    slip(floor, "RO-01", "opener", "20 x 5.00")
    spin(floor, "30.00", 1)
    slip(floor, "RO-01", "closer", "30 x 5.00")
    assert approve_all(floor) == []


def accept(floor: Floor, day: date, who: str = "fiona") -> TableCount:
    return counts.accept(floor.tables["RO-01"].pk, day, floor.people[who], dollars(20), "stacks")


def accepted_while_a_slip_is_approved(floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch) -> TableCount:
    """Finance has read the books of the tray, and not yet its slips, when a credit of 10.00 is approved."""
    counted(floor)
    slip(floor, "RO-01", "credit", "2 x 5.00")
    asked = ApprovalRequest.objects.get(state="requested")
    reads, approved = threading.Event(), threading.Event()
    was = trays.chips

    def slowly(scope: Any) -> Any:
        reads.set()
        approved.wait(MOMENT_S)
        return was(scope)

    def approve() -> None:
        assert reads.wait(60)
        approvals.approve(asked, floor.people["tom"])
        approved.set()

    monkeypatch.setattr(counts, "chips", slowly)
    assert at_once([lambda: accept(floor, day), approve]) == []
    monkeypatch.setattr(counts, "chips", was)
    return TableCount.objects.get()


def test_a_count_is_of_one_moment_whoever_approves_a_slip(
    floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = accepted_while_a_slip_is_approved(floor, day, monkeypatch)
    assert [format_money(each) for each in (row.result_micros, row.play_micros)] == ["50.00", "30.00"]
    one = counts.count_of(floor.tables["RO-01"], day)
    assert one is not None
    assert format_money(one.open_micros) == "10.00", "the credit came after it, and is looked at by itself"


def test_control_without_the_lock_a_count_is_torn(
    floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch, unlocked: None
) -> None:
    row = accepted_while_a_slip_is_approved(floor, day, monkeypatch)
    assert format_money(row.play_micros) == "40.00", "what was played is said to be 10.00 more than it was"


def test_a_variance_is_accepted_once(floor: Floor, day: date) -> None:
    counted(floor)
    errors = at_once([partial(accept, floor, day, who) for who in ("fiona", "tom", "fiona")])
    assert codes(errors) == ["no_variance", "no_variance"]
    assert (TableCount.objects.count(), balance("harbour/tables/RO-01/bank")) == (1, 0)


def test_control_without_the_lock_only_the_database_stops_the_second(
    floor: Floor, day: date, unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(floor)
    meet, was = threading.Barrier(2), counts.count_of

    def both_have_looked(table: Table, of: date) -> counts.Count | None:
        found = was(table, of)
        meet.wait(60)
        return found

    monkeypatch.setattr(counts, "count_of", both_have_looked)
    assert codes(at_once([lambda: accept(floor, day)] * 2)) == ["DatabaseError"]
    assert (TableCount.objects.count(), balance("harbour/tables/RO-01/bank")) == (1, 0)


def closed_while_a_closer_is_approved(
    floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch
) -> counts.Count:
    """The checks of the close have passed over the counts when a closer that misses 100.00 is approved."""
    spin(floor, "130.00", 1)
    slip(floor, "RO-01", "closer", "6 x 5.00")
    asked = ApprovalRequest.objects.get(state="requested")
    gaming_day = GamingDay.objects.select_related("premises").get(premises=floor.harbour, date=day)
    checked, approved = threading.Event(), threading.Event()

    def looked(day: GamingDay) -> list[closing.Finding]:
        checked.set()
        approved.wait(MOMENT_S)
        return []

    only = {"tables.counts": closing._checks["tables.counts"]}
    monkeypatch.setattr(
        closing, "_checks", only | {"test.last": closing.CloseCheck("test.last", "Last", looked)}
    )
    closing.begin_close(gaming_day, floor.people["tom"])
    checked.clear()

    def approve() -> None:
        assert checked.wait(60)
        approvals.approve(asked, floor.people["fiona"])
        approved.set()

    assert at_once([lambda: closing.close_day(gaming_day, floor.people["tom"]), approve]) == []
    gaming_day.refresh_from_db()
    assert gaming_day.state == "closed"
    one = counts.count_of(floor.tables["RO-01"], day)
    assert one is not None
    return one


def test_a_day_never_closes_over_a_variance_that_comes_meanwhile(
    floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not closed_while_a_closer_is_approved(floor, day, monkeypatch).counted, (
        "it is in the next day's books"
    )


def test_control_without_the_days_lock_it_would(
    floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_out_the_locks()
    monkeypatch.setattr(closing, "lock_exclusively", lambda day: None)
    one = closed_while_a_closer_is_approved(floor, day, monkeypatch)
    assert format_money(one.open_micros) == "-100.00", "closed, with a variance that nobody has seen"


# --- Non-value chips ----------------------------------------------------------------------------------------------
def bought_at_once(floor: Floor) -> list[BaseException]:
    return at_once([partial(issue, floor, player=f"seat {seat}") for seat in (4, 5)])


def test_a_colour_goes_to_one_of_two_players(floor: Floor) -> None:
    (refused,) = bought_at_once(floor)
    assert "I 18.2(d)" in str(refused)
    assert (ColourStep.objects.count(), balance(OWED)) == (1, -dollars(100))


def test_redeemed_at_once_it_is_paid_once(floor: Floor) -> None:
    issue(floor)
    errors = at_once([lambda: redeem(floor, 20, 0)] * 2)
    assert codes(errors) == ["colour_not_out"]
    assert balance(OWED) == 0


@pytest.fixture
def colours_seen_by_both(monkeypatch: pytest.MonkeyPatch) -> None:
    meet, was = threading.Barrier(2), non_value._keep

    def keep(*given: Any) -> ColourStep:
        meet.wait(60)
        return was(*given)

    monkeypatch.setattr(non_value, "_keep", keep)


def test_control_without_the_lock_only_the_database_keeps_a_colour_one_players(
    floor: Floor, unlocked: None, colours_seen_by_both: None
) -> None:
    assert codes(bought_at_once(floor)) == ["DatabaseError"]
    assert balance(OWED) == -dollars(100)


# --- Unclaimed money ----------------------------------------------------------------------------------------------
def ended_at_once(floor: Floor) -> list[BaseException]:
    money = hold(floor)
    make_old(money)
    open_cage(floor.harbour)
    people = floor.people
    claim = unclaimed.request_end(money.pk, people["fiona"], "claim", "a passport was shown")
    expire = unclaimed.request_end(money.pk, people["sefa"], "expire", "a year is over")
    return at_once(
        [lambda: approvals.approve(claim, people["tom"]), lambda: approvals.approve(expire, people["grace"])]
    )


def test_money_is_claimed_or_expires(floor: Floor) -> None:
    assert codes(ended_at_once(floor)) == ["wrong_state"]
    assert (UnclaimedEnd.objects.count(), balance("harbour/unclaimed")) == (1, 0)


def test_control_without_the_lock_only_the_database_ends_it_once(
    floor: Floor, unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet, was = threading.Barrier(2), approvals.use_approval
    monkeypatch.setattr(holdings, "wait_for_turn", lambda premises: None)

    def both_have_looked(request: ApprovalRequest, *given: Any) -> object:
        if request.payload.get("step") in ("claim", "expire"):
            meet.wait(60)
        return was(request, *given)

    monkeypatch.setattr(approvals, "use_approval", both_have_looked)
    assert codes(ended_at_once(floor)) == ["DatabaseError"]
    assert (UnclaimedEnd.objects.count(), balance("harbour/unclaimed")) == (1, 0)


# --- Disputes -----------------------------------------------------------------------------------------------------
def decided_at_once(floor: Floor, dispute: Dispute, *steps: tuple[str, str]) -> list[BaseException]:
    def by(kind: str, who: str) -> Callable[[], object]:
        given = DECISION | {"inspector": "7"}
        return lambda: disputes.decide(dispute.pk, floor.people[who], kind, given)

    return at_once([by(*step) for step in steps])


def test_of_two_deciders_one_decides(floor: Floor) -> None:
    made = complain(floor)
    errors = decided_at_once(floor, made, ("decided", "sefa"), ("decided", "grace"))
    assert codes(errors) == ["wrong_step"]
    assert DisputeStep.objects.count() == 1
    assert decided_at_once(floor, made, ("reviewed", "jan"), ("reviewed", "jan"))
    assert [step.kind for step in made.steps.order_by("pk")] == ["decided", "reviewed"]
    assert verify.verify().sound


def test_control_without_the_lock_only_the_database_stops_the_second_decider(
    floor: Floor, unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = complain(floor)
    disputes.decide(made.pk, floor.people["sefa"], "decided", DECISION)
    meet, was = threading.Barrier(2), disputes._refuse

    def both_have_looked(*given: Any) -> None:
        was(*given)
        meet.wait(60)

    monkeypatch.setattr(disputes, "_refuse", both_have_looked)
    # An inspector's word and a review: no two rows alike, and the review is too late.
    given = DECISION | {"accepted": True}
    errors = at_once(
        [
            lambda: disputes.decide(made.pk, floor.people["jan"], "reviewed", given),
            lambda: disputes.decide(made.pk, floor.people["grace"], "inspected", given | {"inspector": "7"}),
        ]
    )
    assert [isinstance(error, DatabaseError) for error in errors] == [True]
    assert made.steps.count() == 2


# --- The cage -----------------------------------------------------------------------------------------------------
def drains(floor: Floor) -> list[BaseException]:
    """Three drains of 60.00 each, entered by one of finance while the cage held enough for any one of them."""
    for number in range(3):
        owner = f"owner {number}"
        cage.enter_slip(floor.harbour, floor.people["fiona"], "drain", "cash", dollars(60), slip=owner)

    def approve(pk: int) -> None:
        approvals.approve(ApprovalRequest.objects.get(pk=pk), floor.people["tom"])

    return at_once([partial(approve, asked.pk) for asked in cage.waiting(floor.harbour)])


def test_drains_at_once_take_no_more_than_the_cage_holds(floor: Floor) -> None:
    """Of 100.00 one drain of 60.00 can be taken: 40.00 are left."""
    fund(floor.harbour, dollars(100))
    assert codes(drains(floor)) == ["not_held", "not_held"]
    assert balance("harbour/cage/cash") == dollars(40)


def test_control_without_waiting_for_its_turn_the_cage_is_overdrawn(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    fund(floor.harbour, dollars(100))
    meet, post_many = threading.Barrier(3), journal.post_many

    def all_together(entries: Any) -> Any:
        meet.wait(60)
        return post_many(entries)

    monkeypatch.setattr(holdings, "wait_for_turn", lambda premises: None)
    monkeypatch.setattr(cage, "post_many", all_together)
    assert codes(drains(floor)) == []
    assert balance("harbour/cage/cash") == -dollars(80)


def test_numbers_of_the_cage_have_no_gap(floor: Floor) -> None:
    given = ("funding", "cash", dollars(5))
    enter = [partial(cage.enter_slip, floor.harbour, floor.people[name], *given) for name in ("fiona", "tom")]
    assert at_once([*enter, *enter]) == []
    assert sorted(str(serial) for serial in CageSlip.objects.values_list("serial", flat=True)) == list("1234")
