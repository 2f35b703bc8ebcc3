"""The cage: money that its owner puts in and takes out, by slips of two people; what it holds by the books; its lines
on the close, in the reports, in verify; what the database refuses by itself."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from ledger.books.balances import balance, trial_balance
from ledger.books.journal import NewEntry, post
from ledger.close import closing
from ledger.models import Entry, GamingDay
from ledger.reports.reports import Scope, source_named
from ledger.verify.verify import Span
from people.approvals import approvals
from people.models import ApprovalRequest, Premises
from people.premises.first_steps import steps_of
from rules.money import dollars
from tables.chips import cage, chips, counts
from tables.models import CageSlip, CageSlipPrint
from tables.verify import counts as verify_counts
from tests.acts import on_record
from tests.floor import Floor, fill, fund

EVERYTHING = Span(0, 2**63 - 1)
CASH, CHIPS, FUNDS = "harbour/cage/cash", "harbour/cage/chips", "harbour/house/funds"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.fixture
def day(floor: Floor) -> date:
    return gaming_day(floor.harbour, timezone.now())


def findings(floor: Floor, day: date) -> list[closing.Finding]:
    row = GamingDay.objects.select_related("premises").get(premises=floor.harbour, date=day)
    (result,) = [one for one in closing.checklist(row).results if one.name == "tables.cage"]
    return [line.finding for line in result.lines]


# --- In and out ---------------------------------------------------------------------------------------------------
def test_a_cage_opens_is_funded_and_drained(floor: Floor) -> None:
    """Opens with 50,000.00 in cash and 20,000.00 in chips; 5,000.00 of cash come in, 12,000.00 go out: 43,000.00 and
    20,000.00 are there, and 63,000.00 are the owner's."""
    fund(floor.harbour, dollars(50_000), kind="opening")
    fund(floor.harbour, dollars(20_000), "chips", kind="opening")
    fund(floor.harbour, dollars(5_000))
    fund(floor.harbour, dollars(12_000), kind="drain")
    assert (balance(CASH), balance(CHIPS)) == (dollars(43_000), dollars(20_000))
    assert balance(FUNDS) == -dollars(63_000)
    assert sum(line.closing_micros for line in trial_balance(floor.harbour)) == 0
    kinds = list(
        Entry.objects.filter(kind__startswith="cage.").order_by("pk").values_list("kind", "reference")
    )
    assert kinds == [
        ("cage.opening", "cage:C-000001"),
        ("cage.opening", "cage:C-000002"),
        ("cage.funded", "cage:C-000003"),
        ("cage.drained", "cage:C-000004"),
    ]
    fill(floor.tables["CS-01"], dollars(1_500))
    held = cage.held(floor.harbour)
    assert (held.cash_micros, held.chips_micros, held.funds_micros) == tuple(
        map(dollars, (43_000, 18_500, 63_000))
    )
    assert held.trays == {"CS-01": dollars(1_500), "CS-02": 0}


def test_nothing_moves_until_another_of_finance_approves(floor: Floor) -> None:
    sefa, fiona = floor.people["sefa"], floor.people["fiona"]
    made = cage.enter_slip(
        floor.harbour, sefa, "opening", "cash", None, counted_as="100 x 100.00, 20 x 50.00"
    )
    assert (made.number, made.amount_micros, made.booked) == ("C-000001", dollars(11_000), False)
    assert balance(CASH) == 0
    (asked,) = cage.waiting(floor.harbour)
    with pytest.raises(PermissionDenied):
        approvals.approve(asked, floor.people["grace"])  # a supervisor
    approvals.approve(asked, fiona)
    assert balance(CASH) == dollars(11_000)
    assert on_record("tables.cage_opening")
    own = cage.enter_slip(floor.harbour, fiona, "funding", "cash", dollars(5))
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(ApprovalRequest.objects.get(state="requested"), fiona)
    assert (own.number, balance(CASH)) == ("C-000002", dollars(11_000))


def test_the_same_slip_again_changes_nothing(floor: Floor) -> None:
    fiona, tom = floor.people["fiona"], floor.people["tom"]
    first = cage.enter_slip(floor.harbour, fiona, "funding", "cash", dollars(500), slip="B-7")
    again = cage.enter_slip(floor.harbour, tom, "funding", "cash", dollars(500), slip=" B-7 ")
    assert (first.new, again.new, again.slip_id) == (True, False, first.slip_id)
    with pytest.raises(Refused, match="other content"):
        cage.enter_slip(floor.harbour, fiona, "funding", "cash", dollars(501), slip="B-7")
    approvals.approve(ApprovalRequest.objects.get(), tom)
    booked = cage.enter_slip(floor.harbour, fiona, "funding", "cash", dollars(500), slip="B-7")
    assert (booked.new, booked.booked, balance(CASH)) == (False, True, dollars(500))
    with pytest.raises(Refused, match="other content"):
        cage.enter_slip(floor.harbour, fiona, "funding", "chips", dollars(500), slip="B-7")
    with pytest.raises(Refused, match="given by Potline"):
        cage.enter_slip(floor.harbour, fiona, "funding", "cash", dollars(500), slip="C-000009")


def test_a_cage_is_opened_once_in_cash_and_once_in_chips(floor: Floor) -> None:
    fiona, tom = floor.people["fiona"], floor.people["tom"]
    cage.enter_slip(floor.harbour, fiona, "opening", "cash", dollars(500))
    with pytest.raises(Refused, match="has its opening in cash"):
        cage.enter_slip(floor.harbour, tom, "opening", "cash", dollars(600))
    cage.enter_slip(floor.harbour, tom, "opening", "chips", dollars(600))
    for asked in cage.waiting(floor.harbour):
        approvals.approve(asked, fiona if asked.requested_by == tom else tom)
    with pytest.raises(Refused, match="has its opening in chips"):
        cage.enter_slip(floor.harbour, fiona, "opening", "chips", dollars(1))
    assert (balance(CASH), balance(CHIPS)) == (dollars(500), dollars(600))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "gift"}, "One of opening, funding, drain"),
        ({"money": "gold"}, "One of cash, chips"),
        ({"amount_micros": 0}, "above 0.00"),
        ({"amount_micros": None}, "Say how much"),
        ({"counted_as": "2 x 20.00"}, "come to 40.00, not to 500.00"),
        ({"day": date(2099, 1, 1)}, "has not begun"),
    ],
)
def test_nonsense_is_refused(floor: Floor, given: dict[str, object], words: str) -> None:
    usual: dict[str, object] = {"kind": "funding", "money": "cash", "amount_micros": dollars(500)}
    with pytest.raises(Refused, match=words):
        cage.enter_slip(floor.harbour, floor.people["fiona"], **usual | given)  # type: ignore[arg-type]
    assert not ApprovalRequest.objects.exists()


def test_no_more_is_drained_than_is_there(floor: Floor) -> None:
    fund(floor.harbour, dollars(100))
    fiona, tom = floor.people["fiona"], floor.people["tom"]
    with pytest.raises(
        Refused, match=r"The cage holds 100\.00 by the books, and 100\.01 would be taken"
    ) as refused:
        cage.enter_slip(floor.harbour, fiona, "drain", "cash", dollars(100) + 10_000)
    assert refused.value.code == "not_held"
    cage.enter_slip(floor.harbour, fiona, "drain", "cash", dollars(60))
    cage.enter_slip(floor.harbour, fiona, "drain", "cash", dollars(60), slip="again")
    first, second = cage.waiting(floor.harbour)
    approvals.approve(first, tom)
    with pytest.raises(Refused, match=r"holds 40\.00"):
        approvals.approve(second, tom)
    second.refresh_from_db()
    assert (balance(CASH), second.state) == (dollars(40), "requested")


# --- Pages, REST, paper -------------------------------------------------------------------------------------------
def test_the_page_and_rest_do_the_same(floor: Floor, client: Client) -> None:
    client.force_login(floor.people["fiona"])
    page = client.get("/floor/cage/", follow=True).content.decode()
    assert "No money was put into this cage yet" in page
    form = {
        "kind": "opening",
        "money": "cash",
        "amount": "",
        "denominations": "10 x 100.00",
        "slip": "",
        "day": "",
    }
    told = client.post("/floor/harbour/cage/", form, follow=True).content.decode()
    assert "Slip C-000001: opening of 1,000.00 is booked when another person approves it" in told
    wrong = client.post("/floor/harbour/cage/", form | {"denominations": "ten"})
    assert wrong.status_code == 422
    assert "How many of each value" in wrong.content.decode()
    again = {"kind": "opening", "money": "cash", "denominations": "10 x 100.00", "slip": "C-000001"}
    rest = client.post("/api/v1/cage/harbour", again, content_type="application/json")
    assert (rest.status_code, rest.json()["new"], rest.json()["booked"]) == (200, False, False)
    approvals.approve(ApprovalRequest.objects.get(), floor.people["tom"])
    drain = {"kind": "drain", "money": "cash", "amount": "1000.01"}
    over = client.post("/api/v1/cage/harbour", drain, content_type="application/json")
    assert (over.status_code, over.json()["code"]) == (409, "not_held")
    funded = {"kind": "funding", "money": "chips", "amount": "250.00", "slip": "A-1"}
    new = client.post("/api/v1/cage/harbour", funded, content_type="application/json")
    assert (new.status_code, new.json()["slip"]) == (202, "A-1")
    held = client.get("/api/v1/cage/harbour").json()
    trays = {"CS-01": "0.00", "CS-02": "0.00"}
    assert held == {"cash": "1000.00", "chips": "0.00", "cheques": "0.00", "funds": "1000.00", "trays": trays}
    page = client.get("/floor/harbour/cage/").content.decode()
    assert "1,000.00" in page
    assert "Slip A-1: funding of 250.00 in chips" in page
    listed = client.get("/floor/harbour/cage/?as=csv").content.decode()
    assert "C-000001,opening,cash,1000.00,10 x 100.00" in listed


def test_a_slip_is_printed_and_every_copy_says_so(floor: Floor, client: Client) -> None:
    slip = fund(floor.harbour, dollars(700)).slip_id
    client.force_login(floor.people["fiona"])
    first = client.post(f"/floor/harbour/cage/slips/{slip}/print").content.decode()
    assert "Funding C-000001" in first
    assert "700.00" in first
    assert "REPRINT" not in first
    rest = client.post(f"/api/v1/cage-slips/{slip}/print").json()["slip"]
    assert (rest["copy"], rest["reprint"], rest["amount"]) == (1, True, "700.00")
    assert (rest["entered_by"], rest["approved_by"]) == ("Fiona", "Tom")
    client.force_login(floor.people["arne"])
    assert client.post(f"/floor/harbour/cage/slips/{slip}/print").status_code == 403


def test_the_first_steps_of_new_premises_ask_for_it(floor: Floor) -> None:
    (step,) = [step for step in steps_of(floor.harbour) if step.label == "Fund the cage"]
    assert (step.url, step.done) == ("/floor/harbour/cage/", False)
    fund(floor.harbour)
    assert all(step.done for step in steps_of(floor.harbour) if step.label == "Fund the cage")


# --- What finance sees of it --------------------------------------------------------------------------------------
def test_the_close_waits_for_slips_and_for_a_cage_that_was_never_opened(floor: Floor, day: date) -> None:
    fill(floor.tables["CS-01"], dollars(500))
    (lack,) = findings(floor, day)
    assert (lack.key, lack.may_carry) == ("cage:chips", True)
    assert "500.00 more in chips left the cage than it ever had" in lack.text
    made = cage.enter_slip(floor.harbour, floor.people["fiona"], "opening", "chips", dollars(900))
    waits, still = findings(floor, day)
    assert (waits.text, still.key) == (
        f"Slip {made.number} of the cage, opening of 900.00 in chips, waits for a second person.",
        "cage:chips",
    )
    approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people["tom"])
    assert findings(floor, day) == []


def test_the_report_has_each_slip_with_its_people(floor: Floor, day: date) -> None:
    fund(floor.harbour, dollars(900), kind="opening")
    fund(floor.harbour, dollars(300), kind="drain")
    source = source_named("tables.cage")
    rows = list(source.rows(Scope(floor.harbour, day, day)))
    wanted = [
        (day, "C-000001", "cage.opening", "cash", None, dollars(900), None, "Fiona", "Tom"),
        (day, "C-000002", "cage.drained", "cash", None, -dollars(300), None, "Fiona", "Tom"),
    ]
    assert [tuple(row[:-1]) for row in rows] == wanted


def test_an_older_day_is_that_of_the_slip(floor: Floor, day: date) -> None:
    """The cage was opened the day before Potline knew of it."""
    before = day - timedelta(days=1)
    fiona, tom = floor.people["fiona"], floor.people["tom"]
    cage.enter_slip(floor.harbour, fiona, "opening", "cash", dollars(5), day=before)
    approvals.approve(ApprovalRequest.objects.get(), tom)
    assert Entry.objects.get(kind="cage.opening").day.date == before


# --- Attacks ------------------------------------------------------------------------------------------------------
def test_verify_finds_money_that_no_two_people_moved(floor: Floor) -> None:
    fund(floor.harbour, dollars(900))
    entries = list(Entry.objects.filter(kind__startswith="cage."))
    assert [fault for _, fault in verify_counts.cage_slips(entries) if isinstance(fault, str)] == []
    forged = NewEntry(
        key="tables:cage:harbour:C-000099", premises=floor.harbour, kind="cage.drained", reference="cage:C-000099",
        source_hash="0" * 64, legs={CASH: -dollars(900), FUNDS: dollars(900)}, occurred_at=timezone.now(),
    )  # fmt: skip
    post(forged)
    entries = list(Entry.objects.filter(kind__startswith="cage.").order_by("pk"))
    told = [text for _, text in verify_counts.cage_slips(entries) if isinstance(text, str)]
    assert told == ["no two people approved a slip C-000099 of the cage"]


def test_verify_finds_an_approved_slip_that_is_not_in_the_books(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cage, "post_many", lambda entries: [])
    fund(floor.harbour, dollars(900))
    (fault,) = verify_counts.booked(EVERYTHING)
    assert "the books lack tables:cage:harbour:C-000001" in fault.what


def test_the_database_refuses_a_slip_that_nobody_asked_for(floor: Floor, day: date) -> None:
    fund(floor.harbour, dollars(900))
    slip = CageSlip.objects.get()
    fill(floor.tables["CS-01"], dollars(5))
    other = ApprovalRequest.objects.get(action="tables.slip")
    mine = {"premises": floor.harbour, "number": "X", "day": day, "approval": other}
    for given in (mine, mine | {"number": "S-000001"}):
        with pytest.raises(DatabaseError, match="what was asked for is another"), transaction.atomic():
            CageSlip.objects.create(**given)
    for change in ("UPDATE tables_cageslip SET number = 'X'", "DELETE FROM tables_cageslip"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    with pytest.raises(DatabaseError, match="leaves a gap"), transaction.atomic():
        CageSlipPrint.objects.create(slip=slip, copy=3, printed_by=floor.people["tom"])
    assert chips.waiting_slips(floor.harbour) == []


# --- The demo -----------------------------------------------------------------------------------------------------
@pytest.mark.copy_of("demo_template")
def test_the_demo_has_funded_cages_openers_fills_and_a_count(committed_db: str, settings: Any) -> None:
    """By hand: seven playing tables of harbour open with 20,000.00 each; fills of 2,000.00 at two of them. RO-02 had
    5,000.00 and 1,000.00, gave 500.00 back, has 2,880.00 and 2,600.00 in its box: 20.00 are missing. So the cage has
    1,000,000.00 - 7 x 20,000.00 - 2 x 2,000.00 - 5,000.00 - 1,000.00 + 500.00 + 2,880.00 in chips."""
    harbour = Premises.objects.get(code="harbour")
    day = gaming_day(harbour, timezone.now())
    found = {one.table.code: one for one in counts.counts(harbour, day, day)}
    counted = [one for one in found.values() if one.counted]
    assert [(one.table.code, one.variance_micros, one.open_micros) for one in counted] == [
        ("RO-02", -dollars(20), -dollars(20))
    ]
    assert (found["CS-01"].opener_micros, found["CS-01"].fills_micros) == (dollars(20_000), dollars(2_000))
    held = cage.held(harbour)
    assert held.cash_micros == dollars(5_000_000 + 2_600)
    assert held.chips_micros == dollars(1_000_000 - 7 * 20_000 - 2 * 2_000 - 5_000 - 1_000 + 500 + 2_880)
    row = GamingDay.objects.select_related("premises").get(premises=harbour, date=day)
    told = [line.finding.text for one in closing.checklist(row).results for line in one.lines]
    assert any(text.startswith("RO-02 counts -20.00, 20.00 less than play gives (0.00).") for text in told)
    assert not any("left the cage" in text for text in told)
    before = Entry.objects.count()
    settings.DEMO = True
    call_command("load_demo", verbosity=0)
    assert Entry.objects.count() == before, "loaded once"
    assert list(verify_counts.booked(EVERYTHING)) == []
