"""The audit trail by its filters and as CSV, alerts with who has looked, approvals in words, and forms gone stale."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import openpyxl  # type: ignore[import-untyped]
import pytest
from django.test import Client
from django.utils import timezone

from people.alerts import alerts
from people.approvals import approvals
from people.audit import audit
from people.models import AlertAcknowledgement, AuditRecord, Role
from tables.chips import chips
from tests.conventions.test_permissions import with_a_win
from tests.floor import Floor
from tests.on_record import add_user, give
from tests.people.test_console import page
from tests.people.test_outbox import LATER, URGENT


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def lines(client: Client, query: str) -> list[dict[str, str]]:
    answer = client.get(f"/audit/?as=csv&{query}")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_trail_is_found_by_person_act_object_amount_and_time(floor: Floor) -> None:
    sefa, grace = floor.people["sefa"], floor.people["grace"]
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1002", 2_000_000_000, sefa)
    approvals.approve(approvals.open_at([floor.harbour]).get(), grace)
    client = page(floor.people["arne"])
    (fill,) = lines(client, "act=tables.fill")
    assert (fill["who"], fill["about"]) == ("Grace (grace)", f"tables.table:{floor.tables['CS-01'].pk}")
    assert fill["zone"].startswith("Pacific/Auckland (NZ")
    assert [line["act"] for line in lines(client, "amount=2000.00")] == ["tables.fill"]
    assert lines(client, "amount=2000.01") == []
    assert {line["act"] for line in lines(client, "who=sefa")} >= {"people.approval_requested"}
    assert [line["act"] for line in lines(client, f"subject={fill['about']}&who=grace")] == ["tables.fill"]
    tomorrow = (timezone.now() + timedelta(days=2)).date()
    assert lines(client, f"first={tomorrow}") == []
    # The file that was taken before is on record, too.
    assert len(lines(client, f"last={tomorrow}")) == len(lines(client, "")) - 1
    assert "Left out" in client.get("/audit/?first=yesterday").content.decode()


def test_failed_log_ins_alone(floor: Floor) -> None:
    Client().post("/login/", {"username": "sefa", "password": "wrong"})
    client = page(floor.people["arne"])
    assert [line["act"] for line in lines(client, "failed=on")] == ["people.log_in_failed"]


def test_a_formula_in_a_reason_is_none_in_the_sheet(floor: Floor) -> None:
    audit.record(floor.people["sefa"], "tests.act", premises=floor.harbour, reason='=HYPERLINK("http://x")')
    (line,) = lines(page(floor.people["arne"]), "act=tests.act")
    assert line["reason"] == '\'=HYPERLINK("http://x")'


def test_pages_of_the_trail_follow_each_other_without_a_gap(floor: Floor) -> None:
    for number in range(120):
        audit.record(floor.people["sefa"], "tests.act", premises=floor.harbour, reason=f"number {number};")
    client = page(floor.people["arne"])
    seen: list[str] = []
    query = "act=tests.act"
    for _ in range(3):
        answer = client.get(f"/audit/?{query}")
        seen += [record.reason for record in answer.context["records"]]
        query = answer.context["older"]
    assert seen == [f"number {number};" for number in reversed(range(120))]
    assert query == ""


def test_an_alert_is_acknowledged_on_its_page_once_and_by_its_roles(floor: Floor) -> None:
    alert = alerts.raise_alert(URGENT, "tables.table:1", "CS-01 burns", premises=floor.harbour)
    assert alert is not None
    auditor, sefa, fiona = (page(floor.people[name]) for name in ("arne", "sefa", "fiona"))
    assert "Somebody of another role" in auditor.get("/alerts/").content.decode()
    assert "CS-01 burns" not in fiona.get("/alerts/").content.decode()
    url = f"/alerts/{alert.pk}/acknowledge"
    assert fiona.post(url, {"note": "seen"}).status_code == 403
    empty = sefa.post(url, {"note": " "})
    assert empty.status_code == 422
    assert "Say what was seen or done" in empty.content.decode()
    assert sefa.post(url, {"note": "put out"}).headers["Location"] == "/alerts/"
    late = page(floor.people["grace"]).post(url, {"note": "me too"})
    assert late.status_code == 422
    assert "Sefa acknowledged it" in late.content.decode()
    assert AlertAcknowledgement.objects.get().note == "put out"
    assert "put out" in sefa.get("/alerts/").content.decode()


def test_of_an_alert_elsewhere_nobody_hears(floor: Floor) -> None:
    alert = alerts.raise_alert(LATER, "tables.table:1", "dusty there", premises=floor.lakeside)
    assert alert is not None
    kiri = add_user("kiri", name="Kiri", password=None)
    give(user=kiri, premises=floor.harbour, role=Role.SUPERVISOR)
    client = page(kiri)
    assert "dusty there" not in client.get("/alerts/").content.decode()
    assert client.post(f"/alerts/{alert.pk}/acknowledge", {"note": "x"}).status_code == 404


def test_an_approval_says_what_will_happen_and_keeps_its_history(floor: Floor) -> None:
    win = with_a_win(floor)
    sefa = page(floor.people["sefa"])
    text = " ".join(sefa.get("/approvals/").content.decode().split())
    assert "100.00 NZD from minor of Stud Jackpot may be paid to seat 1 of CS-02, once." in text
    assert "2,000.30 before, 1,900.30 after" in text
    assert win.approval is not None
    assert win.approval.payload_sha256 in text
    sefa.post(f"/premises/harbour/approvals/{win.approval_id}/", {"decision": "reject", "note": "no camera"})
    text = " ".join(sefa.get("/approvals/").content.decode().split())
    assert "Nothing waits for a second person" in text
    assert "Rejected" in text
    one = sefa.get(f"/approvals/{win.approval_id}/").content.decode()
    assert "no camera" in one
    assert "people.approval_rejected" in one
    stranger = add_user("kiri", name="Kiri", password=None)
    give(user=stranger, premises=floor.lakeside, role=Role.SUPERVISOR)
    assert page(stranger).get(f"/approvals/{win.approval_id}/").status_code == 404


def test_the_journal_forgives_case_and_comes_as_a_sheet(floor: Floor) -> None:
    sefa, grace = floor.people["sefa"], floor.people["grace"]
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1002", 2_000_000_000, sefa)
    approvals.approve(approvals.open_at([floor.harbour]).get(), grace)
    client = page(floor.people["fiona"])
    for query in ("reference=SLIP:cs-01:1002", "table=cs-01", "account=TABLES/cs-01/BANK", "kind=Fill"):
        answer = client.get(f"/finance/journal/?{query}")
        assert [entry.kind for entry in answer.context["entries"]] == ["fill"], query
    text = client.get("/finance/journal/?kind=fill").content.decode()
    assert "Chips in the table&#x27;s tray (CS-01)" in text
    sheet = client.get("/finance/journal/?kind=fill&as=csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert sorted((row["account"], row["amount"]) for row in rows) == [
        ("harbour/cage/chips", "-2000.00"),
        ("harbour/tables/CS-01/bank", "2000.00"),
    ]
    for address in ("journal/?kind=fill&", "trial-balance/?"):
        book = openpyxl.load_workbook(io.BytesIO(client.get(f"/finance/{address}as=xlsx").content))
        cells = [cell.value for row in book.active.iter_rows() for cell in row]
        assert "harbour/tables/CS-01/bank" in cells
        assert 2000 in cells
    assert AuditRecord.objects.filter(action="people.list_taken").count() == 3


def test_a_form_that_is_no_longer_good_says_so_in_our_words(floor: Floor) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/login/", {"username": "sefa", "password": "x"})
    assert answer.status_code == 403
    assert "This form is no longer good" in answer.content.decode()
    assert client.post("/api/v1/confirm", {}).headers["Content-Type"].startswith("application/problem+json")
