"""From figures to entries to rounds, days beside other days, and finance's lists as files."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from config.kit.sheets.columns import Cell, Column
from ledger.books.journal import NewEntry, post
from ledger.reports import comparing
from ledger.reports.reports import Source
from people.models import AuditRecord, User
from tests.ledger.test_pages import text

New = Callable[..., NewEntry]
DAY, WEEK_BEFORE = date(2026, 3, 14), date(2026, 3, 7)
TABLES = reverse("ledger-report", args=["ledger.tables"])


@pytest.fixture
def page(finance: User, new: New) -> Client:
    post(new("round:1", {"tables/CS-01/bank": 30_000_000, "tables/CS-01/win": -30_000_000}))
    post(new("round:2", {"tables/CS-02/bank": 5_000_000, "tables/CS-02/win": -5_000_000}))
    post(new("round:0", {"tables/CS-01/bank": 12_000_000, "tables/CS-01/win": -12_000_000}, day=WEEK_BEFORE))
    post(new("round:3", {"tables/CS-03/bank": 7_000_000, "tables/CS-03/win": -7_000_000}, day=WEEK_BEFORE))
    client = Client()
    client.force_login(finance)
    return client


def links(content: str) -> dict[str, str]:
    """By what they say, where the first of them leads."""
    found = re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)<', content)
    return {words.strip(): unescape(address) for address, words in reversed(found)}


def test_a_figure_leads_to_its_entries_and_these_to_their_round(page: Client) -> None:
    content = text(page, f"{TABLES}?first=2026-03-14")
    win = links(content)["30.00"]
    assert win.startswith("/finance/journal/?account=harbour%2Ftables%2FCS-01%2F")
    entries = text(page, win)
    assert entries.count("Result of wagers") == 1
    assert reverse("go", args=["round:1"]) in entries
    assert "round:2" not in entries
    assert "table=CS-01" in links(content)["CS-01"]


def test_days_stand_beside_other_days(page: Client) -> None:
    content = text(page, f"{TABLES}?first=2026-03-14&compare=week")
    assert "Small figures: 7 Mar 2026" in content
    row = next(row for row in content.split("<tr>") if ">CS-01<" in row)
    assert row.index("30.00") < row.index("12.00")  # and what it was
    assert "CS-03" in content  # was then alone
    assert "19.00" in content.split("<tfoot>")[1]  # 12 and 7 together
    assert "Small figures" not in text(page, f"{TABLES}?first=2026-03-14&compare=")
    assert "Left out: Compared with" in text(page, f"{TABLES}?first=2026-03-14&compare=moon")
    trial = text(page, reverse("trial-balance") + "?first=2026-03-14&compare=week")
    assert trial.count('class="soft was"') == 4 * 6  # four figures of six accounts


def test_spans_to_compare_with() -> None:
    first, last = date(2026, 3, 9), date(2026, 3, 15)
    assert comparing.then(first, last, "") is None
    assert comparing.then(first, last, "before") == comparing.Then(date(2026, 3, 2), date(2026, 3, 8), 7)
    assert comparing.then(DAY, DAY, "year") == comparing.Then(date(2025, 3, 15), date(2025, 3, 15), 364)
    assert date(2025, 3, 15).weekday() == DAY.weekday()
    assert comparing.then(date(1, 1, 3), date(1, 1, 3), "week") is None


def test_rows_meet_by_what_they_are_about() -> None:
    columns = (Column("day", "Day", Cell.DATE), Column("table", "Table"), Column("win", "Win", Cell.MONEY))
    source = Source("x", "X", columns, rows=lambda scope: ())
    now = [(DAY, "A", 5), (DAY, "B", 6)]
    before = [(WEEK_BEFORE, "B", 2), (WEEK_BEFORE, "C", 3)]
    assert comparing.side_by_side(source, now, before, 7) == [
        ((DAY, "A", 5), None),
        ((DAY, "B", 6), (WEEK_BEFORE, "B", 2)),
        ((DAY, "C", 0), (WEEK_BEFORE, "C", 3)),
    ]


@pytest.mark.parametrize("route", ["ledger-days", "dues", "seals", "trial-balance", "journal"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_every_list_is_a_file_too(page: Client, route: str, kind: str) -> None:
    answer = page.get(reverse(route), {"as": kind})
    assert answer.status_code == 200
    assert f".{kind}" in answer.headers["Content-Disposition"]
    assert answer.content.startswith(b"PK") == (kind == "xlsx")
    assert AuditRecord.objects.filter(action="people.list_taken").exists()


def test_reconciliation_leads_to_the_accounts_of_a_level(page: Client, new: New) -> None:
    level = "jackpots/stud/levels/grand"
    legs = {"jackpots/stud/transit": 9_000_000, f"{level}/increment": -9_000_000}
    post(new("fold:1", legs, kind="fold"))
    content = text(page, reverse("reconciliation") + "?first=2026-03-14")
    address = links(content)["9.00"]
    assert "account=harbour/jackpots/stud/levels/grand/increment&first=2026-03-14" in address
    assert "fold:1" in text(page, address)
    assert f"{reverse('ledger-report', args=['ledger.progressives'])}?first=2026-03-14" in unescape(content)
