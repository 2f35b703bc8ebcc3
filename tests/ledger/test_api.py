"""The ledger over REST: figures as text, filters, the steps of a close, who may do what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from ledger.books.journal import NewEntry, post
from ledger.close import closing
from ledger.models import GamingDay
from ledger.seals import seals
from people.alerts import alerts
from people.approvals import approvals
from people.models import Alert, ApprovalRequest, Premises, Role, User
from tests.floor import give_every_role
from tests.ledger.conftest import DAY, make_person, make_premises

New = Callable[..., NewEntry]
BASE = "/api/v1/ledger/harbour"
pytestmark = pytest.mark.usefixtures("only_checks")


@pytest.fixture
def books(new: New) -> None:
    post(new("round:1", {"tables/CS-01/bank": 5_000_000, "tables/CS-01/win": -5_000_000}))
    post(new("round:2", {"tables/CS-02/bank": -2_500_000, "tables/CS-02/win": 2_500_000}))
    post(
        new(
            "stake:1",
            {"tables/CS-01/bank": 1_000_000, "jackpots/night/transit": -1_000_000},
            kind="jackpot.stake",
            day=date(2026, 3, 15),
        )
    )
    post(new("round:1:v2", {"tables/CS-01/bank": -10_000, "tables/CS-01/win": 10_000}, corrects="round:1"))


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send(client: Client, path: str, body: dict[str, Any] | None = None) -> Any:
    return client.post(path, body or {}, content_type="application/json")


@pytest.fixture
def api(finance: User, books: None) -> Client:
    return client_of(finance)


def keys(api: Client, query: str) -> list[str]:
    answer = api.get(f"{BASE}/entries{query}")
    assert answer.status_code == 200, answer.content
    return [entry["key"] for entry in answer.json()]


def test_trial_balance(api: Client) -> None:
    lines = api.get(f"{BASE}/trial-balance?first=2026-03-14&last=2026-03-14").json()
    assert {line["account"]: (line["debit"], line["credit"], line["closing"]) for line in lines} == {
        "harbour/tables/CS-01/bank": ("5.00", "-0.01", "4.99"),
        "harbour/tables/CS-01/win": ("0.01", "-5.00", "-4.99"),
        "harbour/tables/CS-02/bank": ("0.00", "-2.50", "-2.50"),
        "harbour/tables/CS-02/win": ("2.50", "0.00", "2.50"),
    }
    only = api.get(f"{BASE}/trial-balance?table=CS-02").json()
    assert [line["account"] for line in only] == ["harbour/tables/CS-02/bank", "harbour/tables/CS-02/win"]
    assert [line["closing"] for line in api.get(f"{BASE}/trial-balance?progressive=night").json()] == [
        "-1.00"
    ]
    both = api.get(f"{BASE}/trial-balance?progressive=night&table=CS-02").json()
    assert [line["account"].split("/")[1] for line in both] == ["jackpots", "tables", "tables"]


def test_search_of_the_journal(api: Client) -> None:
    assert keys(api, "") == ["round:1:v2", "stake:1", "round:2", "round:1"]
    assert keys(api, "?first=2026-03-15") == ["stake:1"]
    assert keys(api, "?table=CS-02") == ["round:2"]
    assert keys(api, "?progressive=night") == ["stake:1"]
    assert keys(api, "?kind=jackpot.stake") == ["stake:1"]
    assert keys(api, "?reference=round:2") == ["round:2"]
    assert keys(api, "?account=harbour/tables/CS-01/win") == ["round:1:v2", "round:1"]
    assert keys(api, "?corrections=true") == ["round:1:v2"]
    assert keys(api, "?late=true") == []
    entries = api.get(f"{BASE}/entries").json()
    assert keys(api, f"?before_id={entries[1]['id']}") == ["round:2", "round:1"]
    assert entries[0]["corrects"] == "round:1"
    assert entries[0]["legs"] == {"harbour/tables/CS-01/bank": "-0.01", "harbour/tables/CS-01/win": "0.01"}
    assert api.get(f"{BASE}/entries/{entries[0]['id']}").json() == entries[0]
    assert api.get(f"{BASE}/entries/0").status_code == 404
    assert api.get(f"{BASE}/entries?first=yesterday").status_code == 422


def test_reports(api: Client) -> None:
    names = [report["name"] for report in api.get(f"{BASE}/reports").json()]
    assert {"ledger.trial_balance", "ledger.journal", "ledger.exceptions", "ledger.progressives"} <= set(
        names
    )
    answer = api.get(f"{BASE}/reports/ledger.tables?first=2026-03-14&last=2026-03-15").json()
    assert answer["columns"][:2] == ["table", "win"]
    assert [row[:2] for row in answer["rows"]] == [["CS-01", "4.99"], ["CS-02", "-2.50"]]
    assert answer["totals"][1] == "2.49"
    exceptions = api.get(f"{BASE}/reports/ledger.exceptions?first=2026-03-14&last=2026-03-15").json()
    assert [row[2] for row in exceptions["rows"]] == ["Correction"]
    assert api.get(f"{BASE}/reports/ledger.journal?first=2026-03-14&last=2026-03-15").status_code == 409
    assert api.get(f"{BASE}/reports/no.such").status_code == 404
    assert api.get(f"{BASE}/reports/ledger.tables").status_code == 422


def test_alerts_are_a_report_with_who_looked(api: Client, harbour: Premises, finance: User) -> None:
    for premises, text in ((harbour, "ours"), (None, "of the house"), (make_premises("lakeside"), "theirs")):
        alerts.raise_alert(seals.SEALS_DOUBTFUL, f"tests:{text}", text, premises=premises)
    alerts.acknowledge(Alert.objects.get(text="ours"), finance, "looked")
    today = gaming_day(harbour, timezone.now())
    answer = api.get(f"{BASE}/reports/people.alerts?first={today}&last={today}").json()
    rows = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    assert [(row["text"], row["severity"], row["acknowledged_by"], row["note"]) for row in rows] == [
        ("ours", "urgent", "Fiona", "looked"),
        ("of the house", "urgent", "", ""),
    ]
    assert api.get(f"{BASE}/reports/people.alerts?first=2020-01-01&last=2020-01-02").json()["rows"] == []


def test_a_report_never_passes_a_part_for_the_whole(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    span = "first=2026-03-14&last=2026-03-15"
    answer = api.get(f"{BASE}/reports/ledger.tables?{span}&progressive=night")
    assert answer.status_code == 422
    words = "Table results in the books is always whole; it cannot be asked for by progressive."
    assert answer.json()["faults"] == [{"field": "progressive", "rule": None, "message": words}]
    monkeypatch.setattr("ledger.api.MAX_ROWS", 1)
    answer = api.get(f"{BASE}/reports/ledger.tables?{span}")
    assert (answer.status_code, "more than 1 rows" in answer.json()["detail"]) == (409, True)
    one = api.get(f"{BASE}/reports/ledger.tables?{span}&table=CS-02").json()
    assert [row[:2] for row in one["rows"]] == [["CS-02", "-2.50"]]


def test_exceptions(api: Client, new: New, finance: User, manager: User) -> None:
    """Voids, resettlements, roundings, late arrivals and overrides, each by its name."""
    post(
        new(
            "round:3",
            {
                "tables/CS-01/bank": -7_500_000,
                "tables/CS-01/win": 7_330_000,
                "tables/CS-01/rounding": 170_000,
            },
        )
    )
    for kind in ("void", "resettlement"):
        legs = {"tables/CS-02/bank": 2_500_000, "tables/CS-02/win": -2_500_000}
        post(new(f"round:2:{kind}", legs, corrects="round:2", kind=kind))

    @closing.register("test.standing", "No wager stands")
    def check(day: Any) -> list[closing.Finding]:
        return [closing.Finding("wager:7", "Wager 7 stands.", may_carry=True)]

    day = GamingDay.objects.get(date=DAY)
    closing.begin_close(day, finance)
    approvals.approve(
        closing.request_carry_over(day, "test.standing", "wager:7", finance, "A point stands"), manager
    )
    closing.close_day(day, finance)
    post(new("late"))
    answer = api.get(f"{BASE}/reports/ledger.exceptions?first=2026-03-14&last=2026-03-15").json()
    found = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    assert [(row["day"], row["what"], row["reference"], row["amount"]) for row in found] == [
        ("2026-03-14", "Correction", "round:1:v2", ""),
        ("2026-03-14", "Rounding", "round:3", "0.17"),
        ("2026-03-14", "Void", "round:2:void", ""),
        ("2026-03-14", "Resettlement", "round:2:resettlement", ""),
        ("2026-03-14", "Override: carried over", "wager:7", ""),
        ("2026-03-15", "Late arrival", "late", ""),
    ]
    assert found[4]["memo"] == "Wager 7 stands. A point stands (Fiona, Jack)"
    assert (found[5]["own_date"], found[2]["corrects"]) == ("2026-03-14", "round:2")
    only = api.get(f"{BASE}/reports/ledger.exceptions?first=2026-03-14&last=2026-03-15&table=CS-02").json()
    assert [row[2] for row in only["rows"]] == ["Void", "Resettlement"]


def test_every_registered_report_answers(api: Client) -> None:
    """Also those of other apps, on a premises where nothing has happened yet for them."""
    for report in api.get(f"{BASE}/reports").json():
        answer = api.get(f"{BASE}/reports/{report['name']}?first=2026-03-14&last=2026-03-15")
        assert answer.status_code == (409 if report["large"] else 200), (report, answer.content)


def test_the_close_step_by_step(api: Client, manager: User, harbour: Premises) -> None:
    stands = {"yes": True}

    @closing.register("test.standing", "No wager stands")
    def check(day: Any) -> list[closing.Finding]:
        finding = closing.Finding("wager:7", "Wager 7 stands.", may_carry=True)
        return [finding] if stands["yes"] else []

    day = f"{BASE}/days/2026-03-14"
    assert [one["state"] for one in api.get(f"{BASE}/days").json()] == ["open", "open"]
    assert send(api, f"{day}/close").json()["detail"].endswith("is open, not closing.")
    assert send(api, f"{day}/begin-close").json()["state"] == "closing"
    now = api.get(day).json()
    assert now["ready"] is False
    assert [check["name"] for check in now["checks"] if not check["holds"]] == ["test.standing"]
    refused = send(api, f"{day}/close")
    assert (refused.status_code, "Wager 7 stands." in refused.json()["detail"]) == (409, True)
    body = {"check": "test.standing", "item": "wager:7", "reason": "A point stands"}
    asked = send(api, f"{day}/carry-over", body)
    assert asked.status_code == 201
    approvals.approve(ApprovalRequest.objects.get(pk=asked.json()["id"]), manager)
    assert send(api, f"{day}/close").json()["state"] == "closed"
    closed = api.get(day).json()
    assert (closed["day"]["closed_by"], closed["open_items"][0]["item"]) == ("fiona", "wager:7")


def test_a_close_is_abandoned_with_a_reason(api: Client) -> None:
    day = f"{BASE}/days/2026-03-14"
    send(api, f"{day}/begin-close")
    assert send(api, f"{day}/abandon-close", {}).status_code == 422
    answer = send(api, f"{day}/abandon-close", {"reason": "Pit 2 plays"})
    assert answer.json()["state"] == "open"


def test_exports(api: Client, auditor: User) -> None:
    body = {"first": "2026-03-14", "last": "2026-03-14", "formats": ["csv"]}
    asked = send(api, f"{BASE}/exports", body)
    assert asked.status_code == 201, asked.content
    assert send(api, f"{BASE}/exports", body).status_code == 200
    export = asked.json()
    assert (export["state"], export["percent"]) == ("requested", 0)
    address = f"{BASE}/exports/{export['id']}"
    assert api.get(f"{address}/file").status_code == 409
    from ledger.exports import service

    service.build(export["id"])
    reader = client_of(auditor)
    done = reader.get(address).json()
    assert (done["state"], done["percent"], done["file_name"][:19]) == ("done", 100, "harbour_2026-03-14_")
    file: Any = reader.get(f"{address}/file")
    assert file["Content-Disposition"].endswith(f'filename="{done["file_name"]}"')
    assert len(b"".join(file.streaming_content)) == done["file_bytes"]
    assert [one["id"] for one in reader.get(f"{BASE}/exports").json()] == [export["id"]]
    for wrong in (
        {"first": "2026-03-15", "last": "2026-03-14"},
        {"first": "x"},
        {},
        body | {"formats": ["pdf"]},
    ):
        assert send(api, f"{BASE}/exports", wrong).status_code == 422


READ = ["days", "days/2026-03-14", "trial-balance", "entries", "seals", "reports", "exports"]
ACT = ["days/2026-03-14/begin-close", "days/2026-03-14/abandon-close", "days/2026-03-14/close", "exports"]


@pytest.mark.usefixtures("books")
def test_who_may_read_and_who_may_act(harbour: Premises) -> None:
    lakeside = make_premises("lakeside")
    elsewhere = make_person("lara", at=lakeside)
    give_every_role(elsewhere, lakeside)
    may_read = {
        Role.FINANCE: set(READ),
        Role.AUDITOR: set(READ),
        Role.SUPERVISOR: {"days", "days/2026-03-14"},
        Role.JACKPOT_MANAGER: {"days", "days/2026-03-14"},
        Role.ADMINISTRATOR: set(),
    }
    for role, allowed in may_read.items():
        client = client_of(make_person(f"one-{role.value}", role, at=harbour))
        for path in READ:
            assert (client.get(f"{BASE}/{path}").status_code == 200) is (path in allowed), (role, path)
        for path in ACT:
            refused = client.post(f"{BASE}/{path}", {}, content_type="application/json").status_code == 403
            assert refused is (role is not Role.FINANCE), (role, path)
    for path in READ:
        assert client_of(elsewhere).get(f"{BASE}/{path}").status_code == 403
        assert Client().get(f"{BASE}/{path}").status_code == 403


def test_days_that_are_none(api: Client) -> None:
    for day in ("2026-03-99", "x", DAY.replace(year=2020).isoformat()):
        assert api.get(f"{BASE}/days/{day}").status_code == 404
