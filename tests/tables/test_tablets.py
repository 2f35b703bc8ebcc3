"""A tablet that is handed over: a token that no script reads, one a table, and nobody's log-in left on it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config.kit.refusals import Refused
from people.models import AuditRecord
from tables.door.auth import TABLET_COOKIE
from tables.floor import terminals
from tables.models import Table, Terminal
from tests.floor import PASSWORD, Floor, forget_wrong_tokens

HEADERS = {"Potline-Tablet": "1"}
BEAT = {"envelope": {"clock": "c1", "sent_at": "2026-01-01T00:00:00Z"}}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    forget_wrong_tokens()
    return standing_floor


def supervisor() -> Client:
    client = Client()
    assert client.login(username="sefa", password=PASSWORD)
    return client


def hand_over(client: Client, table: str = "CS-01") -> Any:
    return client.post(f"/floor/harbour/tables/{table}/tablet", {"name": "3"})


def events(client: Client, table: str = "CS-01", **headers: str) -> int:
    url = f"/api/v1/tables/harbour/{table}/events"
    return client.post(url, BEAT, content_type="application/json", headers=headers or HEADERS).status_code


def test_the_token_is_the_tablets_alone_and_the_supervisor_is_out(floor: Floor) -> None:
    client = supervisor()
    answer = hand_over(client)
    assert answer.url == "/dealer/harbour/CS-01/"
    cookie = answer.cookies[TABLET_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert cookie["path"] == "/api/v1/"
    assert client.get("/floor/").status_code == 302, "the log-in does not stay on the tablet"
    page = client.get(answer.url)
    assert cookie.value not in page.content.decode()
    assert events(client) == 200
    row = Terminal.objects.get(name="Tablet 3")
    assert row.expires_at is not None
    assert row.expires_at <= timezone.now() + terminals.TABLET_HOLDS
    assert AuditRecord.objects.filter(action="tables.terminal_tablet_handed_over").exists()


def test_the_cookie_alone_opens_nothing(floor: Floor) -> None:
    """A form or a page of another site can send cookies, but not this header; and it opens its own table alone."""
    client = supervisor()
    hand_over(client)
    assert events(client, Accept="application/json") == 401
    assert events(client, table="CS-02") == 403
    assert client.get("/api/v1/tables", headers=HEADERS).status_code in (401, 403)


def test_one_tablet_a_table_the_one_before_is_out(floor: Floor) -> None:
    first, second = supervisor(), supervisor()
    hand_over(first)
    hand_over(second)
    assert (events(first), events(second)) == (401, 200)
    assert Terminal.objects.filter(name="Tablet 3", revoked_at=None).count() == 1


def test_a_table_that_was_opened_and_never_heard_is_handed_over(standing_floor: Floor) -> None:
    """Opening it is an act of people: its terminal has not spoken yet, and may be a tablet."""
    forget_wrong_tokens()
    table = Table.objects.get(code="CS-01")
    assert table.is_open
    assert table.last_heard_at is None
    assert hand_over(supervisor()).status_code == 302


def test_a_table_that_another_terminal_runs_is_not_handed_over(floor: Floor) -> None:
    Table.objects.filter(code="CS-01").update(last_heard_at=timezone.now())
    answer = hand_over(supervisor())
    assert answer.status_code == 422
    assert "terminal CS-01, heard just now" in answer.content.decode()
    with pytest.raises(Refused) as refused:
        terminals.hand_over_tablet(floor.people["sefa"], floor.tables["CS-01"].pk, "3")
    assert refused.value.code == "heard"
    Table.objects.filter(code="CS-01").update(last_heard_at=timezone.now() - timedelta(minutes=1))
    assert hand_over(supervisor()).status_code == 302


def test_by_rest(floor: Floor) -> None:
    client = supervisor()
    answer = client.post(
        "/api/v1/tables/harbour/CS-01/tablet", {"name": "3"}, content_type="application/json"
    )
    assert answer.status_code == 201
    assert answer.json() == {"premises": "harbour", "table": "CS-01", "holds_s": 43_200}
    layout = client.get("/api/v1/tables/harbour/CS-01/layout", headers=HEADERS).json()
    assert layout["rules"]["game"] == "caribbean-stud"
    assert (layout["moments"], layout["jackpot_kinds"]) == (["first-card"], ["jackpot"])
    assert (layout["seats"], layout["chips"]) == (9, None), "all that the game has (nz-1996 VIII 4.1)"
    Table.objects.filter(code="CS-01").update(seats=7, chips=["0.50", "1.00", "5.00"])
    layout = client.get("/api/v1/tables/harbour/CS-01/layout", headers=HEADERS).json()
    assert (layout["seats"], layout["chips"]) == (7, ["0.50", "1.00", "5.00"])


def test_a_round_is_tried_by_people_and_terminals_and_leaves_nothing(floor: Floor) -> None:
    document: dict[str, Any] = {"game": "sic-bo", "rulebook": "gb-2011", "dealt": {"dice": [1, 2, 4]}}
    document |= {"wagers": [{"id": "w", "kind": "small", "stake": "5.00", "player": "blue"}]}
    by_token = Client(headers={"Authorization": f"Bearer {floor.tokens['CS-01']}"})
    for client in (supervisor(), by_token):
        answer = client.post("/api/v1/rounds/try", document, content_type="application/json").json()
        assert answer["settlement"]["lines"][0]["winnings"] == "5.00"
    assert not Table.objects.filter(last_round__gt=0).exists()
    assert Client().post("/api/v1/rounds/try", document, content_type="application/json").status_code == 401
