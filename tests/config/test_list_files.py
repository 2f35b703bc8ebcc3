"""Every list as a file: the links that pages offer are followed, as CSV and as XLSX, and what comes is what the reader
may see, harmless in a spreadsheet, bounded and on record."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator

import openpyxl  # type: ignore[import-untyped]
import pytest
from django.db.models import Model
from django.test import Client

from jackpots import list_files as jackpots
from jackpots.models import (
    Advance,
    ConfigChange,
    HandPayRules,
    HeldContribution,
    HeldHand,
    HeldSettlement,
    Link,
    Ruling,
    Win,
)
from ledger.books import book_lists
from ledger.models import Export
from people import list_files as people
from people.alerts import alerts
from people.models import Alert, ApprovalRequest, AuditRecord, Premises, Role, RoleGrant, User
from people.pages import lists
from rules.money import dollars
from tables import list_files as tables
from tables.chips import chips
from tables.corrections import disputes
from tables.models import Dispute, InspectorNotice, SeatClaim, Table, TableChange, Terminal, UnclaimedMoney
from tests.conventions import counts_and_disputes
from tests.conventions.test_permissions import with_a_win
from tests.floor import Floor
from tests.on_record import add_user, give
from tests.people.test_console import page
from tests.people.test_outbox import LATER

EVIL = '=HYPERLINK("http://evil")'
OF_THE_FLOOR = [
    "/floor/", "/floor/harbour/tables/CS-01/", "/floor/harbour/tables/CS-01/hold/", "/floor/harbour/counts/",
    "/floor/harbour/disputes/", "/floor/harbour/unclaimed/", "/claims/", "/jackpots/", "/jackpots/recoverable/",
    "/jackpots/advances/", "/jackpots/suspects/", "/jackpots/stud/grand/explain/", "/jackpots/stud/hits/",
    "/jackpots/stud/history/", "/progressives/", "/progressives/stud/", "/displays/", "/approvals/", "/alerts/",
    "/floor/harbour/tables/CS-01/set-up/",
]  # fmt: skip
PAGES = {
    "arne": [
        *OF_THE_FLOOR, "/audit/", "/finance/days/", "/finance/journal/", "/finance/trial-balance/",
        "/finance/exports/", "/finance/reconciliation/", "/finance/reports/ledger.tables/",
    ],
    "ada": ["/people/", "/premises/all/", "/credentials/", "/set-up/tables/"],
}  # fmt: skip


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    """Something on nearly every list, with a name that a spreadsheet would run."""
    floor = standing_floor
    with_a_win(floor)
    counts_and_disputes.names(floor)
    disputes.open_dispute(floor.tables["CS-01"].pk, floor.people["sefa"], EVIL, "+1; =2")
    elsewhere = floor.tables["CS-03"].pk
    disputes.open_dispute(elsewhere, floor.people["sefa"], "guest of lakeside", "too slow")
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1002", dollars(2), floor.people["grace"])
    alerts.raise_alert(LATER, "tests.thing:0", EVIL, premises=floor.harbour)
    ada = add_user("ada", name=EVIL, password=None)
    give(user=ada, premises=floor.harbour, role=Role.ADMINISTRATOR)
    floor.people["ada"] = ada
    return floor


ROWS: list[tuple[lists.Listing, type[Model]]] = [
    (people.AUDIT_TRAIL, AuditRecord), (people.ALERTS, Alert), (people.APPROVALS, ApprovalRequest),
    (people.PEOPLE, User),
    (people.PREMISES, Premises), (jackpots.WINS, Win), (jackpots.HELD, HeldHand), (jackpots.SUSPECTS, HeldContribution),
    (jackpots.SUSPECTS_DECIDED, HeldSettlement), (jackpots.RECOVERABLES, Win), (jackpots.ADVANCES, Advance),
    (jackpots.LINKS, Link), (jackpots.CHANGES, ConfigChange), (jackpots.RULINGS, Ruling),
    (jackpots.HAND_PAY_RULES, HandPayRules), (tables.DISPUTES, Dispute), (tables.UNCLAIMED, UnclaimedMoney),
    (tables.CLAIMS, SeatClaim), (tables.TERMINALS, Terminal), (tables.TABLES, Table), (tables.CHANGES, TableChange),
    (tables.NOTICES, InspectorNotice), (book_lists.EXPORTS, Export),
]  # fmt: skip
COUNTED = {"last_used", "open_micros", "too_much_micros", "left"}
"""What the pages' own queries add to rows."""


@pytest.mark.parametrize(("listing", "model"), ROWS, ids=[f"{of.name}" for of, _ in ROWS])
def test_columns_are_found_in_their_rows(listing: lists.Listing, model: type[Model]) -> None:
    """Also of lists that no test fills."""
    for column, of in listing.fields:
        at: type[Model] | None = model
        for name in of.split(".") if isinstance(of, str) else ():
            if at is None:
                break  # of a value, not of a row
            assert name in COUNTED or hasattr(at, name), (column.name, of)
            at = next((each.related_model for each in at._meta.get_fields() if each.name == name), None)


def links(client: Client, path: str) -> list[str]:
    text = client.get(path).content.decode()
    found = [html.unescape(link) for link in re.findall(r'href="([^"]*\bas=(?:csv|xlsx))"', text)]
    return [link if link.startswith("/") else path.partition("?")[0] + link for link in found]


def offered(floor: Floor) -> Iterator[tuple[Client, str, str]]:
    for name, paths in PAGES.items():
        client = page(floor.people[name])
        for path in paths:
            found = links(client, path)
            assert found, f"{name} finds no files on {path}"
            yield from ((client, path, link) for link in found)


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def test_every_link_gives_a_file_that_harms_nobody(floor: Floor) -> None:
    seen: dict[str, int] = {}
    evil = 0
    for client, path, link in offered(floor):
        answer = client.get(link)
        assert answer.status_code == 200, link
        name = answer.headers["Content-Disposition"]
        if link.endswith("as=csv"):
            header, *rows = rows_of(answer.content)
            assert all(len(row) == len(header) for row in rows), link
            assert not any(cell.lstrip().startswith(("=", "+", "@")) for row in rows for cell in row), link
            evil += sum("HYPERLINK" in cell for row in rows for cell in row)
            seen[link] = len(rows)
        else:
            sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
            cells = [cell for row in sheet.iter_rows() for cell in row]
            assert not any(cell.data_type == "f" for cell in cells), link
            assert sheet.max_row >= seen[link.replace("as=xlsx", "as=csv")], link
        assert re.search(r'filename="[\w.-]+\.(csv|xlsx)"', name), (path, name)
    assert evil >= 3  # the dispute, the alert, the person
    assert sum(bool(rows) for rows in seen.values()) > 25
    taken = AuditRecord.objects.filter(action="people.list_taken")
    assert taken.count() == 2 * sum(1 for _ in seen)


def test_a_file_holds_what_the_page_holds_and_nothing_of_other_premises(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    RoleGrant.objects.filter(user=sefa, premises=floor.lakeside).delete()
    client = page(sefa)
    for path, of_harbour, of_lakeside in (
        ("/floor/?as=csv", "CS-01", "CS-03"),
        ("/floor/harbour/disputes/?as=csv", EVIL, "guest of lakeside"),
        ("/set-up/tables/?as=csv", "CS-01", "CS-03"),
        ("/approvals/?as=csv", "harbour", "lakeside"),
    ):
        text = client.get(path).content.decode()
        assert of_harbour.replace('"', '""') in text, path
        assert of_lakeside not in text, path
    assert client.get("/floor/lakeside/disputes/?as=csv").status_code == 403
    assert client.get("/audit/?as=xlsx").status_code == 403
    assert client.get("/people/?as=csv").status_code == 403
    assert client.get("/floor/?as=exe").headers["Content-Type"].startswith("text/html")


def test_a_file_is_bounded_and_says_so(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_ROWS", 2)
    client = page(floor.people["arne"])
    answer = client.get("/audit/?as=csv")
    assert len(rows_of(answer.content)) == 3
    assert 'filename="audit-trail-first-2.csv"' in answer.headers["Content-Disposition"]
    whole = client.get("/floor/harbour/disputes/?as=csv")
    assert 'filename="disputes.csv"' in whole.headers["Content-Disposition"]
    last = AuditRecord.objects.filter(action="people.list_taken").order_by("pk")[0]
    assert (last.details["rows"], last.details["format"], last.actor_id) == (
        2,
        "csv",
        floor.people["arne"].pk,
    )


def test_figures_are_figures_and_times_are_told(floor: Floor) -> None:
    client = page(floor.people["arne"])
    (win,) = csv.DictReader(io.StringIO(client.get("/jackpots/?list=wins&as=csv").content.decode()))
    assert (win["table"], win["hand"], win["amount"], win["currency"]) == ("CS-02", "flush", "100.00", "NZD")
    assert win["verified_by"] == "Grace"
    slips = client.get("/floor/harbour/tables/CS-01/?list=slips&as=csv").content.decode()
    assert slips.startswith("slip,what,amount,booked_at,own_date")
    # The list that is not named is not given in place of the one that is.
    assert client.get("/jackpots/?list=nothing&as=csv").headers["Content-Type"].startswith("text/html")
