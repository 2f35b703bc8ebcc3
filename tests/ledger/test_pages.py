"""Finance's pages: what they show, what their buttons do, who sees them, and that queries do not grow with rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from config.kit.refusals import Refused
from ledger.books.journal import NewEntry, post, post_many
from ledger.close import closing
from ledger.close.closing import Finding
from ledger.exports import bundle, service
from ledger.models import Entry, Export, GamingDay
from ledger.reports import reports
from people.approvals import approvals
from people.models import ApprovalRequest, Premises, Role, User
from tests.acts import on_record
from tests.floor import give_every_role, make_floor
from tests.ledger.conftest import DAY, make_person, make_premises

New = Callable[..., NewEntry]
pytestmark = pytest.mark.usefixtures("only_checks")


@pytest.fixture
def books(new: New) -> None:
    post(new("round:1", {"tables/CS-01/bank": 5_000_000_000, "tables/CS-01/win": -5_000_000_000}))
    post(new("round:1:v2", {"tables/CS-01/bank": -10_000, "tables/CS-01/win": 10_000}, corrects="round:1"))


@pytest.fixture
def page(finance: User, books: None) -> Client:
    client = Client()
    client.force_login(finance)
    return client


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return " ".join(answer.content.decode().split())


DAY_PAGE = "/finance/harbour/days/2026-03-14/"


def test_the_days(page: Client) -> None:
    assert "Sat 14 Mar 2026" in text(page, reverse("ledger-days"))


def test_a_day_is_closed_by_its_buttons(page: Client, manager: User, harbour: Premises) -> None:
    @closing.register("test.standing", "No wager stands")
    def check(day: GamingDay) -> Iterator[Finding]:
        yield Finding("wager:7", "Wager 7 at CR-01 stands.", may_carry=True)

    assert "Begin the close" in text(page, DAY_PAGE)
    page.post(DAY_PAGE + "begin")
    content = text(page, DAY_PAGE)
    assert "1 thing stands in the way." in content
    assert "Wager 7 at CR-01 stands." in content
    refused = page.post(DAY_PAGE + "close", follow=True).content.decode()
    assert "cannot close yet" in refused
    page.post(DAY_PAGE + "carry", {"check": "test.standing", "item": "wager:7", "reason": "A point stands"})
    assert "waits for a second person" in text(page, DAY_PAGE)
    approvals.approve(ApprovalRequest.objects.get(), manager)
    assert "A second person has approved" in text(page, DAY_PAGE)
    page.post(DAY_PAGE + "close")
    closed = text(page, DAY_PAGE)
    assert "This day is locked" in closed
    assert "A point stands" in closed
    assert "Begin the close" not in closed
    assert "A point stands" in text(page, reverse("ledger-days"))


def test_a_close_is_abandoned_with_a_reason(page: Client) -> None:
    page.post(DAY_PAGE + "begin")
    assert "Say why: it stays on record." in page.post(DAY_PAGE + "abandon").content.decode()
    page.post(DAY_PAGE + "abandon", {"reason": "Pit 2 plays"})
    assert GamingDay.objects.get().state == "open"
    assert page.post(DAY_PAGE + "explode").status_code == 404


def test_the_trial_balance(page: Client) -> None:
    content = text(page, reverse("trial-balance") + "?first=2026-03-14&last=2026-03-14")
    assert "harbour/tables/CS-01/bank" in content
    assert "4,999.99" in content
    assert "Nothing is booked" in text(page, reverse("trial-balance") + "?first=2020-01-01")


def test_the_journal_and_an_entry(page: Client) -> None:
    assert "corrects" in text(page, reverse("journal"))
    assert "No entry matches" in text(
        page, reverse("journal") + "?table=CS-99&first=2026-03-14&before_id=1&late=on"
    )
    first = Entry.objects.get(key="round:1")
    content = text(page, reverse("ledger-entry", args=["harbour", first.pk]))
    assert "Corrected by" in content
    assert "not sealed yet" in content
    assert page.get(reverse("ledger-entry", args=["harbour", 0])).status_code == 404


def test_reconciliation_and_reports(page: Client) -> None:
    assert "No progressive has accounts" in text(page, reverse("reconciliation"))
    content = text(page, reverse("ledger-report", args=["ledger.tables"]) + "?first=2026-03-14")
    assert ">4,999.99</a>" in content  # it leads to its entries
    assert "too long for a page" in text(page, reverse("ledger-report", args=["ledger.journal"]))
    assert page.get(reverse("ledger-report", args=["no.such"])).status_code == 404


def test_a_long_report_is_a_part_without_totals(page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = reverse("ledger-report", args=["ledger.trial_balance"]) + "?first=2026-03-14"
    assert "<tfoot>" in text(page, address)
    monkeypatch.setattr("ledger.pages.PAGE_ROWS", 1)
    content = text(page, address)
    assert "the first 1 rows, without totals" in content
    assert "<tfoot>" not in content


def test_exports_are_asked_for_shown_and_downloaded(page: Client, auditor: User) -> None:
    assert "No export yet" in text(page, reverse("exports"))
    form = {"first": "2026-03-14", "last": "2026-03-14", "formats": ["csv"]}
    page.post(reverse("request-export", args=["harbour"]), form)
    export = Export.objects.get()
    content = text(page, reverse("exports"))
    assert "<progress" in content
    assert 'hx-trigger="every 2s"' in content
    address = reverse("download-export", args=["harbour", export.pk])
    assert "is not ready" in page.get(address, follow=True).content.decode()
    service.build(str(export.pk))
    reader = Client()
    reader.force_login(auditor)
    assert export.file_name in text(reader, reverse("exports"))
    answer: Any = reader.get(address)
    assert next(iter(answer.streaming_content))[:2] == b"PK"
    assert on_record("ledger.download_export") == 1
    assert "after the last" in page.post(
        reverse("request-export", args=["harbour"]), form | {"first": "2026-03-15"}, follow=True
    ).content.decode()  # fmt: skip
    assert "Give the first" in page.post(
        reverse("request-export", args=["harbour"]), {"first": "x"}, follow=True
    ).content.decode()  # fmt: skip


def test_the_seals(page: Client) -> None:
    assert "Nothing is sealed yet" in text(page, reverse("seals"))


PAGES = {
    "ledger-days": {Role.FINANCE, Role.AUDITOR, Role.JACKPOT_MANAGER, Role.SUPERVISOR},
    "trial-balance": {Role.FINANCE, Role.AUDITOR},
    "journal": {Role.FINANCE, Role.AUDITOR},
    "reconciliation": {Role.FINANCE, Role.AUDITOR},
    "exports": {Role.FINANCE, Role.AUDITOR},
    "seals": {Role.FINANCE, Role.AUDITOR},
}


@pytest.mark.usefixtures("books")
def test_who_sees_what(harbour: Premises) -> None:
    lakeside = make_premises("lakeside")
    for role in Role:
        client = Client()
        client.force_login(make_person(f"one-{role.value}", role, at=harbour))
        for name, readers in PAGES.items():
            expected = 200 if role in readers else 403
            assert client.get(reverse(name)).status_code == expected, (role, name)
        assert client.get(DAY_PAGE).status_code == (200 if role in PAGES["ledger-days"] else 403)
        # What is wrong with a form is for those to know who may fill it in.
        for step in ("begin", "close", "abandon"):
            code = client.post(DAY_PAGE + step).status_code
            assert code in ((302, 422) if role is Role.FINANCE else (403,)), (role, step)
        asked = client.post(reverse("request-export", args=["harbour"]), {}).status_code
        assert asked == (422 if role is Role.FINANCE else 403)
    elsewhere = Client()
    lara = make_person("lara", at=lakeside)
    give_every_role(lara, lakeside)
    elsewhere.force_login(lara)
    assert elsewhere.get(DAY_PAGE).status_code == 403
    assert "harbour/tables" not in elsewhere.get(reverse("journal")).content.decode()
    assert Client().get(DAY_PAGE).status_code == 302


@pytest.mark.parametrize("name", ["journal", "trial-balance", "ledger-days", "reconciliation"])
def test_queries_do_not_grow_with_rows(
    page: Client, new: New, name: str, django_assert_max_num_queries: Any
) -> None:
    post_many(
        [
            new(f"r{n}", {f"tables/T{n}/bank": n, f"tables/T{n}/win": -n}, day=date(2026, 3, 14))
            for n in range(1, 60)
        ]
    )
    with django_assert_max_num_queries(20):
        text(page, f"{reverse(name)}?first={DAY}&last={DAY}")


@pytest.mark.django_db
@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_a_day_at_the_end_of_the_calendar_is_no_fault_of_ours(day: str) -> None:
    """There is no day after the last one, nor an instant before the first: asked for, they are refused or left out."""
    floor = make_floor()
    client = Client()
    client.force_login(floor.people["fiona"])
    span = {"first": day, "last": day}
    assert client.get(reverse("reconciliation"), span).status_code == 200
    for source in [source for source in reports.sources() if not source.large]:
        assert client.get(reverse("ledger-report", args=[source.name]), span).status_code == 200
        answer = client.get(f"/api/v1/ledger/harbour/reports/{source.name}", span)
        assert (answer.status_code, answer.json()["code"]) == (422, "form")
    asked = bundle.Request("harbour", date.fromisoformat(day), date.fromisoformat(day))
    with pytest.raises(Refused, match="from 1900-01-01 to"):
        service.request_export(floor.people["fiona"], floor.harbour, asked)
