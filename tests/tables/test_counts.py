"""Counts of tables: slips by denomination with numbers and prints, the count beside play, its variance in the close,
the reconciliation, reports and the books; what the database refuses by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from ledger.books.balances import balance
from ledger.close import closing
from ledger.close.reconciliation import reconcile_tables
from ledger.models import Entry, GamingDay
from ledger.queries import span_of_day, today
from ledger.reports.reports import Scope, source_named
from ledger.verify.verify import Span
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, User
from rules.money import dollars, format_money, parse_money
from tables.chips import chips, count_rules, counts, slips
from tables.floor.opening import close_table, create_table, open_table
from tables.floor.sittings import sittings
from tables.models import ChipSlip, CountRules, Table, TableCount
from tables.settle.settlement import settle_batch
from tables.verify import counts as verify_counts
from tests import door as intake
from tests.acts import on_record
from tests.floor import Floor
from tests.terminal import PLAIN, stud_round

CHIPS = ["1.00", "5.00", "25.00"]
EVERYTHING = Span(0, 2**63 - 1)


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    table = create_table(
        "test", made.harbour, "RO-01", {"game": "roulette", "rulebook": "nz-1996"}, pit="P2", chips=CHIPS
    )
    made.tables["RO-01"] = open_table(table.pk, made.people["sefa"])
    return made


@pytest.fixture
def day(floor: Floor) -> date:
    return gaming_day(floor.harbour, timezone.now())


def enter(floor: Floor, kind: str, counted_as: str, **more: Any) -> chips.Slip:
    asks, approves = ("fiona", "sefa") if kind == "drop" else ("sefa", "fiona")
    table = floor.tables["RO-01"]
    made = chips.enter_slip(table.pk, kind, "", None, floor.people[asks], counted_as=counted_as, **more)
    approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people[approves])
    return made


def spin(floor: Floor, stake: str, number: int, *, drawn: str = "8", promo: bool = False) -> None:
    """Straight-up on 7: lost unless 7 is drawn, then paid 35 to 1 (nz-1996 III)."""
    wager = {"id": uuid4().hex, "kind": "straight-up", "selection": "7", "stake": stake, "player": "p1"}
    body = {"wagers": [wager | ({"promo": True} if promo else {})], "dealt": {"number": drawn}}
    event = {
        "number": number,
        "kind": "round",
        "at": timezone.now().isoformat(),
        "round": str(uuid4()),
        "body": body,
    }
    intake.take(floor.tables["RO-01"].pk, event)
    settle_batch()


def an_evening(floor: Floor, closer: str = "30 x 25.00, 40 x 5.00, 70 x 1.00") -> None:
    """Opener 1,000.00, a fill of 100.00, a credit of 50.00, cash of 80.00. Players lose 30.00 and win 35.00 - so the
    table is 5.00 down. Counted: 1,020.00 + 50.00 + 80.00 - 1,000.00 - 100.00 = 50.00, which is 55.00 too much."""
    enter(floor, "opener", "30 x 25.00, 40 x 5.00, 50 x 1.00")
    enter(floor, "fill", "4 x 25.00")
    spin(floor, "30.00", 1)
    spin(floor, "1.00", 2, drawn="7")
    enter(floor, "credit", "2 x 25.00")
    enter(floor, "drop", "1 x 50.00, 3 x 10.00")
    enter(floor, "closer", closer)


def ask_for_counts(floor: Floor, above: int = 20) -> None:
    asked = count_rules.request_rules(
        floor.harbour, floor.people["fiona"], today(floor.harbour), dollars(above), "as the audit asks"
    )
    approvals.approve(asked, floor.people["sefa"])


def found(floor: Floor, day: date) -> counts.Count:
    one = counts.count_of(Table.objects.select_related("premises").get(code="RO-01"), day)
    assert one is not None
    return one


def findings(floor: Floor, day: date) -> list[closing.Finding]:
    row = GamingDay.objects.select_related("premises").get(premises=floor.harbour, date=day)
    (result,) = [one for one in closing.checklist(row).results if one.name == "tables.counts"]
    return [line.finding for line in result.lines]


# --- Slips --------------------------------------------------------------------------------------------------------
def test_a_slip_by_denomination_has_the_next_number_and_its_sum(floor: Floor) -> None:
    table, sefa = floor.tables["RO-01"], floor.people["sefa"]
    first = chips.enter_slip(table.pk, "fill", "", None, sefa, counted_as=" 40x5.00,50 × 1.00, 0 x 25.00")
    assert (first.number, format_money(first.amount_micros)) == ("S-000001", "250.00")
    assert first.denominations == "40 x 5.00, 50 x 1.00"
    second = chips.enter_slip(table.pk, "fill", "", dollars(5), sefa, counted_as="1 x 5.00")
    assert second.number == "S-000002"
    again = chips.enter_slip(table.pk, "fill", "S-000002", None, sefa, counted_as="1 x 5.00")
    assert (again.new, again.slip_id) == (False, second.slip_id)
    with pytest.raises(Refused, match="given by Potline"):
        chips.enter_slip(table.pk, "fill", "S-000009", None, sefa, counted_as="1 x 5.00")
    assert ApprovalRequest.objects.count() == 2


@pytest.mark.parametrize(
    ("counted_as", "amount", "words"),
    [
        ("", "5.00", "Say how many of each: 20 x 25.00"), ("3 x 2.00", None, "has chips of 1.00, 5.00, 25.00"),
        ("3 x 5.00", "20.00", "come to 15.00, not to 20.00"), ("5.00 x 3", None, "How many of each"),
        ("3 x 5.00, 2 x 5.00", None, "once"), ("3 x -5.00", None, "How many"), ("3 x 0.001", None, "How many"),
        ("0 x 5.00", None, "Say how many"), ("99999999 x 5.00", None, "How many"),
    ],
)  # fmt: skip
def test_what_does_not_add_up_is_refused(
    floor: Floor, counted_as: str, amount: str | None, words: str
) -> None:
    micros = None if amount is None else parse_money(amount)
    with pytest.raises(Refused, match=words):
        chips.enter_slip(
            floor.tables["RO-01"].pk, "fill", "1", micros, floor.people["sefa"], counted_as=counted_as
        )


def test_notes_of_the_drop_are_of_any_value_and_promotional_chips_apart(floor: Floor, day: date) -> None:
    table, sefa = floor.tables["RO-01"], floor.people["sefa"]
    with pytest.raises(Refused, match="with the closer or the drop"):
        chips.enter_slip(
            table.pk, "fill", "", None, sefa, counted_as="1 x 5.00", promotional_micros=dollars(1)
        )
    spin(floor, "10.00", 1, promo=True)
    enter(floor, "drop", "3 x 20.00", promotional_micros=dollars(4))
    one = found(floor, day)
    assert (one.promotional_played_micros, one.promotional_counted_micros) == (dollars(10), dollars(4))
    assert one.drop_micros == dollars(60), "they are no part of the cash"
    assert one.play_micros == 0, "and no chips of the tray"
    enter(floor, "closer", "1 x 1.00")
    assert "took promotional chips of 10.00 by play; 4.00 were counted" in findings(floor, day)[-1].text


def test_every_print_is_on_record_and_the_second_says_so(floor: Floor) -> None:
    made = enter(floor, "fill", "4 x 25.00")
    assert made.slip_id is not None
    first, second = (slips.document(slips.print_slip(made.slip_id, floor.people["sefa"])) for _ in range(2))
    assert (first["reprint"], second["reprint"], second["copy"]) == (False, True, 1)
    assert first["denominations"] == [{"count": "4", "value": "25.00", "amount": "100.00"}]
    assert (first["entered_by"], first["approved_by"], first["booked"]) == ("Sefa", "Fiona", True)
    assert AuditRecord.objects.filter(action="tables.slip_printed").count() == 2
    waiting = chips.enter_slip(
        floor.tables["RO-01"].pk, "fill", "", None, floor.people["sefa"], counted_as="1 x 5.00"
    )
    approvals.reject(ApprovalRequest.objects.get(state="requested"), floor.people["fiona"], "no")
    with pytest.raises(Refused, match="moves nothing"):
        slips.print_slip(waiting.slip_id or 0, floor.people["sefa"])
    with pytest.raises(PermissionDenied):
        slips.print_slip(made.slip_id, floor.people["arne"])


# --- The count ----------------------------------------------------------------------------------------------------
def test_the_count_beside_the_result_by_wagers(floor: Floor, day: date) -> None:
    an_evening(floor)
    one = found(floor, day)
    figures = [one.opener_micros, one.fills_micros, one.credits_micros, one.drop_micros, one.closer_micros]
    assert [format_money(each) for each in figures] == ["1000.00", "100.00", "50.00", "80.00", "1020.00"]
    assert format_money(one.result_micros) == "50.00"  # 1,020 + 50 + 80 - 1,000 - 100
    assert format_money(one.wagers_micros) == "-5.00"  # 30.00 lost by players, 35.00 won
    assert format_money(one.variance_micros) == "55.00"
    assert balance("harbour/tables/RO-01/bank") == -dollars(55), "the books miss what was counted"


def test_a_jackpot_wager_is_play_and_no_result(floor: Floor, day: date) -> None:
    """It goes into the tray and belongs to the pool: a count that is right has no variance by it."""
    body = stud_round({1: PLAIN[0]}, first_card=timezone.now())
    event = {
        "number": 1,
        "kind": "round",
        "at": timezone.now().isoformat(),
        "round": str(uuid4()),
        "body": body,
    }
    intake.take(floor.tables["CS-01"].pk, event)
    settle_batch()
    (one,) = counts.counts(floor.harbour, day, day, "CS-01")
    assert (format_money(one.wagers_micros), format_money(one.other_micros)) == ("15.00", "1.00")
    assert format_money(one.play_micros) == "16.00"


def test_the_close_waits_for_the_variance_and_then_names_it(floor: Floor, day: date) -> None:
    ask_for_counts(floor)
    an_evening(floor)
    (finding,) = findings(floor, day)
    assert finding.blocks
    assert finding.text.startswith("RO-01 counts 50.00, 55.00 more than play gives (-5.00).")
    assert finding.url == f"/floor/harbour/counts/?day={day}"
    fiona, table = floor.people["fiona"], floor.tables["RO-01"]
    with pytest.raises(Refused, match=r"above 20.00 is accepted with an explanation"):
        counts.accept(table.pk, day, fiona, dollars(55))
    with pytest.raises(Refused, match="By now it is otherwise"):
        counts.accept(table.pk, day, fiona, dollars(54), "two stacks")
    with pytest.raises(PermissionDenied):
        counts.accept(table.pk, day, floor.people["sefa"], dollars(55), "two stacks")
    row = counts.accept(
        table.pk, day, fiona, dollars(55), "A player's cash-out of 11 chips was paid twice less"
    )
    assert balance("harbour/tables/RO-01/bank") == 0, "the tray went to the cage, and nothing is left in it"
    assert format_money(balance("harbour/tables/RO-01/variance")) == "-55.00"
    (named,) = findings(floor, day)
    assert not named.blocks
    assert named.text == (
        "RO-01 counts 50.00, 55.00 more than play gives (-5.00). Fiona: A player's cash-out of 11 chips was paid "
        "twice less."
    )
    with pytest.raises(Refused, match="nothing of a variance is left"):
        counts.accept(table.pk, day, fiona, dollars(55), "again")
    (one,) = [one for one in reconcile_tables(floor.harbour, day, day) if one.table == "RO-01"]
    assert (one.variance_micros, one.accepted, one.count_micros) == (dollars(55), True, dollars(50))
    source = source_named("tables.counts")
    names = [column.name for column in source.columns]
    (report,) = [dict(zip(names, each, strict=True)) for each in source.rows(Scope(floor.harbour, day, day))]
    assert (report["variance"], report["accepted"]) == (dollars(55), dollars(55))
    assert row.variance_micros == dollars(55)
    record = AuditRecord.objects.get(action="tables.count_accepted")
    assert (record.actor, record.details["variance"]) == (fiona, "55.00")


def test_what_comes_after_it_was_accepted_is_a_variance_of_its_own(floor: Floor, day: date) -> None:
    an_evening(floor)
    table, fiona = floor.tables["RO-01"], floor.people["fiona"]
    counts.accept(table.pk, day, fiona, dollars(55))
    enter(floor, "drop", "1 x 20.00")
    one = found(floor, day)
    assert (one.variance_micros, one.open_micros) == (dollars(75), dollars(20))
    (finding,) = findings(floor, day)
    assert finding.blocks
    counts.accept(table.pk, day, fiona, dollars(75))
    assert (found(floor, day).open_micros, balance("harbour/tables/RO-01/bank")) == (0, 0)
    assert [row.booked_micros for row in TableCount.objects.order_by("pk")] == [dollars(55), dollars(20)]


def test_a_table_that_was_played_must_be_counted_where_the_premises_ask_for_it(
    floor: Floor, day: date
) -> None:
    spin(floor, "30.00", 1)
    assert findings(floor, day) == []
    ask_for_counts(floor)
    (finding,) = findings(floor, day)
    assert (finding.blocks, finding.may_carry) == (True, True)
    assert finding.text == "RO-01 was played and has no closer: count its tray."
    with pytest.raises(Refused, match="has no closer"):
        counts.accept(floor.tables["RO-01"].pk, day, floor.people["fiona"], 0)
    enter(floor, "opener", "4 x 5.00")
    enter(floor, "closer", "10 x 5.00")
    assert findings(floor, day) == [], "20.00 and 30.00 are 50.00"


def test_rules_of_counts_take_two_and_no_day_that_is_over(floor: Floor, day: date) -> None:
    fiona = floor.people["fiona"]
    with pytest.raises(Refused, match="nothing is changed for a day before"):
        count_rules.request_rules(floor.harbour, fiona, day - timedelta(days=1), 0, "x")
    with pytest.raises(PermissionDenied):
        count_rules.request_rules(floor.harbour, floor.people["arne"], day, 0, "x")
    asked = count_rules.request_rules(floor.harbour, fiona, day, dollars(5), "x")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, fiona)
    assert count_rules.in_force(floor.harbour, day) is None
    approvals.approve(asked, floor.people["tom"])
    ask_for_counts(floor, above=7)
    rules = count_rules.in_force(floor.harbour, day)
    assert rules is not None
    assert rules.explain_above_micros == dollars(7), "the newest of a day"
    assert count_rules.in_force(floor.harbour, day - timedelta(days=1)) is None


# --- What the database refuses by itself ------------------------------------------------------------------------
def by_hand(sql: str, *given: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, given)


def test_the_database_refuses_what_the_verbs_never_do(floor: Floor, day: date) -> None:
    ask_for_counts(floor)
    an_evening(floor)
    table, fiona = floor.tables["RO-01"], floor.people["fiona"]
    count = (
        "INSERT INTO tables_tablecount (table_id, day, result_micros, play_micros, booked_micros, explanation,"
        " accepted_by_id) VALUES (%s, %s, %s, 0, %s, %s, %s)"
    )
    with pytest.raises(DatabaseError, match="needs an explanation"):
        by_hand(count, table.pk, day, dollars(21), dollars(21), "", fiona.pk)
    with pytest.raises(DatabaseError, match="table_count_books"):
        by_hand(count, table.pk, day, 0, 0, "", fiona.pk)
    counts.accept(table.pk, day, fiona, dollars(55), "seen")
    with pytest.raises(DatabaseError, match="another amount is open"):
        by_hand(count, table.pk, day, dollars(55), dollars(55), "once more", fiona.pk)
    slip = ChipSlip.objects.order_by("pk").last()
    assert slip is not None
    slips.print_slip(slip.pk, floor.people["sefa"])
    asked = ApprovalRequest.objects.get(action="tables.count_rules")
    by_hand("SET CONSTRAINTS ALL IMMEDIATE")
    for table_name in ("tablecount", "chipslip", "slipprint", "countrules"):
        for act in (
            "UPDATE tables_{} SET xact_id = xact_id",
            "DELETE FROM tables_{}",
            "TRUNCATE tables_{} CASCADE",
        ):
            with pytest.raises(DatabaseError, match="never changed or removed"):
                by_hand(act.format(table_name))
    with pytest.raises(DatabaseError, match="leaves a gap"):
        by_hand(
            "INSERT INTO tables_slipprint (slip_id, copy, printed_by_id) VALUES (%s, 5, %s)",
            slip.pk,
            fiona.pk,
        )
    with pytest.raises(DatabaseError, match="no approval of a second person"):
        by_hand(
            "INSERT INTO tables_countrules (premises_id, from_day, explain_above_micros, approval_id)"
            " VALUES (%s, %s, 0, %s)",
            floor.harbour.pk, day + timedelta(days=1), asked.pk,
        )  # fmt: skip
    with pytest.raises(DatabaseError, match="what was asked for is another"):
        by_hand(
            "INSERT INTO tables_chipslip (table_id, number, serial, day, promotional_micros, approval_id)"
            " VALUES (%s, 'X', NULL, %s, 0, %s)",
            table.pk, day, asked.pk,
        )  # fmt: skip
    waiting = chips.enter_slip(table.pk, "fill", "77", None, floor.people["sefa"], counted_as="1 x 5.00")
    request = ApprovalRequest.objects.get(state="requested")
    with pytest.raises(DatabaseError, match="leaves a gap or comes twice"):
        by_hand(
            "INSERT INTO tables_chipslip (table_id, number, serial, day, promotional_micros, approval_id)"
            " VALUES (%s, '77', 99, %s, 0, %s)",
            table.pk, day, request.pk,
        )  # fmt: skip
    assert waiting.new
    assert CountRules.objects.count() == 1


def test_verify_vouches_for_a_variance_and_misses_one(floor: Floor, day: date) -> None:
    an_evening(floor)
    counts.accept(floor.tables["RO-01"].pk, day, floor.people["fiona"], dollars(55))
    entries = list(Entry.objects.filter(kind="count").select_related("premises", "day"))
    ((entry, made),) = verify_counts.accepted_counts(entries)
    assert not isinstance(made, str)
    assert made.legs == {
        "harbour/tables/RO-01/bank": dollars(55), "harbour/tables/RO-01/variance": -dollars(55),
    }  # fmt: skip
    assert made.source_hash == bytes(entry.source_sha256).hex()
    assert list(verify_counts.booked(EVERYTHING)) == []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE tables_tablecount SET booked_micros = 54000000")
        cursor.execute("UPDATE ledger_entry SET key = 'gone' WHERE kind = 'count'")
        cursor.execute("SET LOCAL session_replication_role = origin")
    (fault,) = verify_counts.booked(EVERYTHING)
    assert "the books lack tables:count:" in fault.what


# --- The gaming day after an early close ------------------------------------------------------------------------
def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_after_an_early_close_header_floor_slips_and_counts_are_of_one_day(
    floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {
        name: item for name, item in closing._checks.items() if name in ("ledger.balance", "tables.counts")
    }
    monkeypatch.setattr(closing, "_checks", own)
    an_evening(floor)
    fiona = floor.people["fiona"]
    counts.accept(floor.tables["RO-01"].pk, day, fiona, dollars(55))
    row = GamingDay.objects.get(premises=floor.harbour, date=day)
    closing.begin_close(row, fiona)
    closed = closing.close_day(row, fiona)
    assert "55.00 more than play gives" in str(closed.checklist), "named for good"
    following = day + timedelta(days=1)
    assert today(floor.harbour) == following
    enter(floor, "opener", "4 x 5.00")
    spin(floor, "3.00", 3)
    sefa = client_of(floor.people["sefa"])
    words = f"{following:%a} {following.day} {following:%b %Y}"
    page = sefa.get(reverse("table", args=["harbour", "RO-01"])).content.decode()
    assert f"data-day>{words}<" in page
    assert f"gaming day {words}" in page
    assert '<tbody><tr><td class="number">20.00</td>' in page, "the opener, the first column of the count"
    floor_page = sefa.get(reverse("floor"), {"view": "list"}).content.decode()
    assert '<td class="number">3.00</td>' in floor_page, "what was won today, not before the close"
    assert ChipSlip.objects.order_by("-pk")[0].day == following
    assert span_of_day(floor.harbour, day)[1] == span_of_day(floor.harbour, following)[0] == closed.closed_at
    one = found(floor, following)
    assert (one.opener_micros, one.wagers_micros) == (dollars(20), dollars(3))


def test_a_closed_day_keeps_its_count(floor: Floor, day: date, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which takes a race with the close: it does not pass over a variance."""
    own = {name: item for name, item in closing._checks.items() if name == "ledger.balance"}
    monkeypatch.setattr(closing, "_checks", own)
    an_evening(floor)
    row = GamingDay.objects.get(premises=floor.harbour, date=day)
    closing.begin_close(row, floor.people["fiona"])
    closing.close_day(row, floor.people["fiona"])
    with pytest.raises(Refused, match="is closed: its count stays"):
        counts.accept(floor.tables["RO-01"].pk, day, floor.people["fiona"], dollars(55))
    assert not TableCount.objects.exists()
    assert not Entry.objects.filter(kind="count").exists()


def test_sittings_by_whom(floor: Floor, day: date) -> None:
    table = floor.tables["RO-01"]
    close_table(table.pk, floor.people["grace"], no_players=True)
    open_table(table.pk, floor.people["grace"])
    intake.take(table.pk, {"number": 1, "kind": "goodbye", "at": timezone.now().isoformat()})
    assert on_record("tables.goodbye") == 1
    first, second = sittings(floor.harbour, day, [table])[table.pk]
    assert (first.opened_by, first.closed_by) == ("Sefa (sefa)", "Grace (grace)")
    assert (second.opened_by, second.closed_by) == ("Grace (grace)", "terminal")
    assert sittings(floor.harbour, day - timedelta(days=1), [table]) == {}


# --- Pages and REST -----------------------------------------------------------------------------------------------
def test_the_pages_lead_from_slips_to_an_accepted_count(floor: Floor, day: date) -> None:
    ask_for_counts(floor)
    an_evening(floor)
    fiona, address = client_of(floor.people["fiona"]), reverse("counts", args=["harbour"])
    assert fiona.get(reverse("counts-here")).headers["Location"] == address
    content = fiona.get(address).content.decode()
    assert "variance 55.00" in content
    assert "Opened" in content
    accept = reverse("accept-count", args=["harbour", "RO-01"])
    given = {"day": day.isoformat(), "variance": "55.00", "explanation": ""}
    refused = fiona.post(accept, given)
    assert refused.status_code == 422
    assert "accepted with an explanation" in refused.content.decode()
    assert "An amount such as -20.00" in fiona.post(accept, given | {"variance": "x"}).content.decode()
    done = fiona.post(accept, given | {"explanation": "two stacks"}, follow=True).content.decode()
    assert "RO-01: its variance of 55.00 is accepted and booked." in done
    assert "two stacks" in done
    assert "variance, accepted" in fiona.get(reverse("reconciliation")).content.decode()
    table_page = (
        client_of(floor.people["sefa"]).get(reverse("table", args=["harbour", "RO-01"])).content.decode()
    )
    assert '<td class="number"><b>55.00</b></td>' in table_page, "the variance"
    slip = ChipSlip.objects.order_by("pk").first()
    assert slip is not None
    printed = fiona.post(reverse("print-slip", args=["harbour", slip.pk])).content.decode()
    assert "Opener S-000001" in printed
    assert "REPRINT" not in printed
    assert "REPRINT 1" in fiona.post(reverse("print-slip", args=["harbour", slip.pk])).content.decode()


def test_counts_over_rest(floor: Floor, day: date) -> None:
    an_evening(floor)
    fiona = client_of(floor.people["fiona"])

    def post(name: str, args: list[Any], **body: Any) -> Any:
        return fiona.post(reverse(name, args=args), body, content_type="application/json")

    rules = post(
        "api-count-rules", ["harbour"], from_day=day.isoformat(), explain_above="20.00", reason="audit"
    )
    assert rules.status_code == 202, rules.content
    approvals.approve(ApprovalRequest.objects.get(pk=rules.json()["request"]), floor.people["sefa"])
    assert fiona.get(reverse("api-count-rules", args=["harbour"])).json()["results"] == [
        {"from_day": day.isoformat(), "explain_above": "20.00"}
    ]
    (one,) = fiona.get(reverse("api-counts", args=["harbour"]), {"day": day.isoformat()}).json()
    assert (one["result"], one["play"], one["variance"], one["accepted"]) == (
        "50.00",
        "-5.00",
        "55.00",
        "0.00",
    )
    args = ["harbour", "RO-01"]
    body = {"day": day.isoformat(), "variance": "55.00"}
    refused = post("api-accept-count", args, **body)
    assert (refused.status_code, refused.json()["faults"][0]["field"]) == (422, "explanation")
    assert post("api-accept-count", args, **body, explanation="seen").status_code == 201
    assert post("api-accept-count", args, **body, explanation="seen").json()["code"] == "no_variance"
    slip = ChipSlip.objects.order_by("pk").first()
    assert slip is not None
    printed = post("api-print-slip", [slip.pk])
    assert (printed.status_code, printed.json()["slip"]["number"]) == (201, "S-000001")
    sent = post("api-table-chips", args, kind="drop", denominations="2 x 20.00", promotional="3.00").json()
    assert (sent["amount"], sent["slip"], sent["promotional"]) == ("40.00", "S-000006", "3.00")


def test_promotional_chips_of_a_day_are_read_without_the_account_of_years(floor: Floor, day: date) -> None:
    """A thousand older postings of the account are not looked at: PostgreSQL says how many rows it read."""
    spin(floor, "10.00", 1, promo=True)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            """
            INSERT INTO ledger_gamingday (premises_id, date, state, opened_at, closing_at, closed_at, closed_by_id)
            SELECT id, %(day)s::date - 9, 'closed', now(), now(), now(), (SELECT min(id) FROM people_user)
            FROM people_premises WHERE code = 'harbour';
            INSERT INTO ledger_entry (id, key, premises_id, day_id, kind, reference, currency, source_sha256,
                content_sha256, xact_id)
            SELECT -n, 'past:' || n, d.premises_id, d.id, 'round', 'round:1', 'NZD', h, h, 1
            FROM generate_series(1, 1000) n, ledger_gamingday d, decode(repeat('ab', 32), 'hex') h
            WHERE d.date = %(day)s::date - 9;
            INSERT INTO ledger_posting (entry_id, account_id, amount_micros)
            SELECT -n, a.id, 1000000 FROM generate_series(1, 1000) n, ledger_account a
            WHERE a.code = 'harbour/promotions';
            """,
            {"day": day},
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE ledger_posting, ledger_entry, ledger_gamingday")
        cursor.execute("SET LOCAL enable_seqscan = off")  # so few rows are read from end to end else
        given: dict[str, Any] = {"account": "harbour/promotions", "premises": floor.harbour.pk}
        given |= {"first": day, "last": day}
        cursor.execute(counts._SPAN, given)
        given["from"], given["to"] = cursor.fetchone()
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {counts._PROMOTIONAL}", given)
        plan = cursor.fetchone()[0][0]["Plan"]
    busiest = max(steps(plan))
    assert busiest[0] < 50, busiest
    assert counts._promotional(floor.harbour, day, day) == {(day, "RO-01"): (dollars(10), 0)}


def steps(plan: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Each with how many rows it gave or passed over."""
    rows = (plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)) * plan["Actual Loops"]
    yield int(rows), plan["Node Type"], plan.get("Relation Name", "") + plan.get("Index Name", "")
    for each in plan.get("Plans", []):
        yield from steps(each)
