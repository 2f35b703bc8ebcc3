"""Filters above lists: each narrows by what it says, what cannot be read is left out and said, files have the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from ledger.models import Export, GamingDay
from people.approvals import approvals
from people.models import ApprovalRequest
from tables.chips import chips
from tables.corrections import claims, disputes
from tables.models import SeatClaim
from tests.config.test_page_costs import multiply
from tests.corrections import ROULETTE, Played, correct, wager
from tests.floor import Floor, open_cage
from tests.tables.test_non_value_unclaimed_disputes import DECISION


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.fixture
def ask(floor: Floor) -> Callable[[str, str], Any]:
    def asked(who: str, path: str) -> Any:
        client = Client()
        client.force_login(floor.people[who], "django.contrib.auth.backends.ModelBackend")
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer

    return asked


def test_approvals_history(floor: Floor, ask: Callable[[str, str], Any]) -> None:
    table, people = floor.tables["CS-01"], floor.people
    for number, decide in (("1", approvals.approve), ("2", approvals.reject)):
        chips.enter_slip(table.pk, "fill", number, 10_000_000, people["sefa"])
        decide(ApprovalRequest.objects.latest("pk"), people["fiona"])
    used, rejected = ApprovalRequest.objects.order_by("pk")

    def history(query: str) -> list[int]:
        return [row.pk for row in ask("sefa", f"/approvals/?{query}").context["history"]]

    assert history("") == [rejected.pk, used.pk]
    assert history("state=rejected") == [rejected.pk]
    assert history(f"what={used.action}&who=fiona") == [rejected.pk, used.pk]
    assert history("who=nobody") == history("last=2020-01-01") == history("what=people.grant_role") == []
    assert history(f"before={rejected.pk}") == [used.pk]
    assert "Left out: From" in ask("sefa", "/approvals/?first=31.12.").content.decode()
    assert b"rejected" not in ask("sefa", "/approvals/?state=used&as=csv").content.lower()


def test_gaming_days_and_exports(floor: Floor, ask: Callable[[str, str], Any]) -> None:
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1", 10_000_000, floor.people["sefa"])
    approvals.approve(ApprovalRequest.objects.get(), floor.people["fiona"])
    today = GamingDay.objects.get().date
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        multiply(
            "ledger_gamingday", 4, date="first.date - n::int", state="'closed'", closed_at="now()",
            closing_at="now()", closed_by_id="(SELECT min(id) FROM people_user)",
        )  # fmt: skip
        cursor.execute("SET LOCAL session_replication_role = origin")

    def days(query: str) -> list[date]:
        return [day.date for day in ask("fiona", f"/finance/days/?{query}").context["days"]]

    back = [today - timedelta(days=n) for n in range(5)]
    assert days("") == back
    assert days("state=closed") == back[1:]
    assert days(f"first={back[3]}&last={back[1]}") == back[1:4]
    told = ask("fiona", f"/api/v1/ledger/harbour/days?last={back[2]}").json()
    assert [day["date"] for day in told] == [str(day) for day in back[2:]]
    for n, (who, state) in enumerate([("fiona", "requested"), ("arne", "failed")]):
        Export.objects.create(
            premises=floor.harbour, first=back[3], last=back[3 - n], request={}, as_of="x", state=state,
            request_sha256=f"{n:064}", requested_by=floor.people[who],
        )  # fmt: skip

    def exports(query: str) -> list[str]:
        found = ask("fiona", f"/finance/exports/?{query}").context["exports"]
        return sorted(export.requested_by.username for export in found)

    assert exports("") == ["arne", "fiona"]
    assert exports("who=arn") == exports("state=failed") == exports(f"first={back[2]}") == ["arne"]
    assert exports(f"last={back[4]}") == []


def test_disputes(floor: Floor, ask: Callable[[str, str], Any]) -> None:
    people = floor.people
    one = disputes.open_dispute(floor.tables["CS-01"].pk, people["sefa"], "guest in seat 4", "It was on 17")
    two = disputes.open_dispute(floor.tables["CS-02"].pk, people["sefa"], "Mr Tan", "Paid too little")
    disputes.decide(two.pk, people["sefa"], "decided", DECISION | {"accepted": True})

    def found(query: str) -> list[int]:
        return [row.pk for row in ask("arne", f"/floor/harbour/disputes/?{query}").context["rows"]]

    assert found("") == [one.pk, two.pk]
    assert found("q=TAN") == found("where=cs-02") == found("state=over") == [two.pk]
    assert found("state=open") == [one.pk]
    assert found("last=2020-01-01") == []
    assert b"Mr Tan" not in ask("arne", "/floor/harbour/disputes/?state=open&as=csv").content


def test_claims(floor: Floor, ask: Callable[[str, str], Any]) -> None:
    """17 was told and 20 had fallen: Ana is to give back, Ben is owed and then paid."""
    wagers = [
        wager("a", "straight-up", "10.00", selection="17"),
        wager("b", "straight-up", "5.00", "Ben", selection="20"),
    ]
    correct(
        floor, Played(floor, "RO-01", ROULETTE).round(wagers, {"number": "17"}), {"dealt": {"number": "20"}}
    )
    owed = SeatClaim.objects.get(player="Ben")

    def found(query: str) -> list[str]:
        places = ask("arne", f"/claims/?{query}").context["by_premises"]
        return sorted(claim.player for place in places for claim in place["claims"])

    assert found("") == found("where=ro-01") == ["Ana", "Ben"]
    assert found("q=ben") == found("kind=owed") == ["Ben"]
    assert found("where=CS-01") == found("first=2100-01-01") == []
    open_cage(floor.harbour)
    claims.settle_claim(owed.pk, floor.people["sefa"], how="cash", reason="Ben, known to us")
    assert found("") == ["Ana"]
    assert found("over=on") == ["Ana", "Ben"]
