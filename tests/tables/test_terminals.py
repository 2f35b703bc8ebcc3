"""Tokens of terminals and signs through their life, and what a stolen, old, foreign or guessed one gets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.models import Display
from jackpots.signs import displays
from people import tokens
from people.models import Alert, AuditRecord, Role
from tables.floor import terminals
from tables.models import Terminal
from tests.floor import Floor, forget_wrong_tokens
from tests.on_record import add_user, give, vouch

BEAT = {"envelope": {"clock": "c1", "sent_at": "2026-01-01T00:00:00Z"}}


@pytest.fixture
def floor(standing_floor: Floor) -> Iterator[Floor]:
    forget_wrong_tokens()
    yield standing_floor
    forget_wrong_tokens()


def beat(token: str, ip: str = "127.0.0.1", table: str = "CS-01") -> int:
    client = Client(headers={"Authorization": f"Bearer {token}"}, REMOTE_ADDR=ip)
    answer = client.post(f"/api/v1/tables/harbour/{table}/events", BEAT, content_type="application/json")
    return answer.status_code


def terminal(floor: Floor) -> Terminal:
    return Terminal.objects.get(name="terminal CS-01")


def is_known(status: int) -> bool:
    """Let in, whatever the beat itself was answered."""
    return status not in (401, 403, 429)


def test_a_renewed_token_and_the_one_before_hold_together_for_a_while(floor: Floor) -> None:
    old = floor.tokens["CS-01"]
    new = terminals.renew_token("tests", terminal(floor).pk, timedelta(hours=1))
    assert is_known(beat(old))
    assert is_known(beat(new))
    Terminal.objects.filter(pk=terminal(floor).pk).update(previous_until=timezone.now())
    vouch(terminal(floor))
    assert beat(old) == 401
    assert is_known(beat(new))
    newest = terminals.renew_token("tests", terminal(floor).pk, timedelta(0))
    assert (beat(old), beat(new)) == (401, 401), "without an overlap the one before ends at once"
    assert is_known(beat(newest))
    with pytest.raises(Refused, match="hours"):
        terminals.renew_token("tests", terminal(floor).pk, timedelta(days=8))


def test_a_token_ends_by_itself_and_at_once_when_revoked(floor: Floor) -> None:
    token, row = floor.tokens["CS-01"], terminal(floor)
    with pytest.raises(Refused, match="over already"):
        terminals.restrict_terminal("tests", row.pk, [], timezone.now())
    terminals.restrict_terminal("tests", row.pk, [], timezone.now() + timedelta(hours=1))
    assert is_known(beat(token))
    Terminal.objects.filter(pk=row.pk).update(expires_at=timezone.now())
    vouch(row)
    assert beat(token) == 401
    other = Terminal.objects.get(table=floor.tables["CS-02"])
    new = terminals.renew_token("tests", other.pk)
    terminals.revoke_terminal("tests", other, "lost")
    assert [beat(each, table="CS-02") for each in (new, floor.tokens["CS-02"])] == [401, 401]
    with pytest.raises(Refused, match="was revoked"):
        terminals.renew_token("tests", other.pk)


def test_a_token_is_held_to_its_addresses(floor: Floor) -> None:
    token, row = floor.tokens["CS-01"], terminal(floor)
    terminals.restrict_terminal("tests", row.pk, tokens.read_networks("10.1.0.0/16, fd00::/8"), None)
    assert is_known(beat(token, "10.1.200.3"))
    assert is_known(beat(token, "fd12::7"))
    assert beat(token, "10.2.0.1") == 401
    assert beat(token, "") == 401, "no address is no address of theirs"
    with pytest.raises(Refused, match="is no address"):
        tokens.read_networks("10.1.0.0/16 somewhere")
    sign, address = displays.create_display("tests", floor.harbour, "Wall", floor.progressive)
    displays.restrict_display("tests", sign.pk, ["10.9.0.0/16"], None)
    assert Client(REMOTE_ADDR="10.9.0.1").get(f"/signs/{address}/").status_code == 200
    assert Client(REMOTE_ADDR="10.8.0.1").get(f"/signs/{address}/").status_code == 404


def test_wrong_tokens_are_told_slowed_and_keep_no_right_one_out(floor: Floor) -> None:
    statuses = [beat(f"guess-{number}", "10.0.0.9") for number in range(25)]
    assert statuses == [401] * 19 + [429] * 6
    assert is_known(beat(floor.tokens["CS-01"], "10.0.0.9")), "the right token of that address goes on"
    assert beat("guess", "10.0.0.10") == 401, "another address is not meant"
    alert = Alert.objects.get()
    assert alert.kind == "people.wrong_tokens"
    assert "10.0.0.9" in alert.text
    assert "guess-" not in alert.text


def test_wrong_signs_count_too(floor: Floor) -> None:
    for number in range(25):
        assert Client(REMOTE_ADDR="10.0.0.9").get(f"/signs/guess-{number}/").status_code == 404
    assert Alert.objects.get().kind == "people.wrong_tokens"


def test_no_token_is_stored_or_logged(floor: Floor, caplog: Any) -> None:
    sign, address = displays.create_display("tests", floor.harbour, "Wall", floor.progressive)
    Client().get(f"/signs/{address}/")
    Client().get(f"/signs/{address}x/")
    beat(floor.tokens["CS-01"])
    beat(floor.tokens["CS-01"], table="CS-02")
    for secret in (address, floor.tokens["CS-01"]):
        assert secret not in caplog.text
        assert secret not in str(list(Terminal.objects.values())) + str(list(Display.objects.values()))
    assert "/signs/***" in caplog.text
    assert sign.token_sha256 == tokens.hash_token(address)


def test_a_token_before_has_an_end_even_by_sql(floor: Floor) -> None:
    with pytest.raises(IntegrityError, match="terminal_previous_token_ends"), transaction.atomic():
        Terminal.objects.filter(pk=terminal(floor).pk).update(previous_sha256="a" * 64)


def administrator(floor: Floor, role: Role = Role.ADMINISTRATOR) -> Client:
    ada = add_user(f"ada-{role}", name="Ada", password="x")
    give(user=ada, premises=floor.harbour, role=role)
    client = Client()
    client.force_login(ada)
    return client


def test_the_page_issues_renews_and_revokes(floor: Floor) -> None:
    client = administrator(floor)
    given = {"table": floor.tables["CS-01"].pk, "name": "Spare", "networks": "127.0.0.0/8", "expires_at": ""}
    page = client.post("/credentials/new/", given).content.decode()
    token = re.search(r"data-token>([\w-]+)<", page)
    assert token is not None
    assert is_known(beat(token[1]))
    spare = Terminal.objects.get(name="Spare")
    renewed = client.post(f"/credentials/{spare.pk}/renew/", {"overlap_hours": "0"}).content.decode()
    new = re.search(r"data-token>([\w-]+)<", renewed)
    assert new is not None
    assert (beat(token[1]), is_known(beat(new[1]))) == (401, True)
    assert "two tokens" not in client.get("/credentials/").content.decode()
    assert client.post(f"/credentials/{spare.pk}/revoke/", {"reason": "lost"}).status_code == 302
    assert beat(new[1]) == 401
    actions = list(
        AuditRecord.objects.filter(actor__name="Ada").order_by("id").values_list("action", flat=True)
    )
    assert actions[1:] == [
        "tables.terminal_token_issued", "tables.terminal_token_renewed", "tables.terminal_revoked"
    ]  # fmt: skip
    bad = client.post("/credentials/new/", given | {"networks": "nowhere"})
    assert bad.status_code == 422
    for hours in ("-1", "1e9", "999999999999"):
        other = terminal(floor)
        answer = client.post(f"/credentials/{other.pk}/renew/", {"overlap_hours": hours})
        assert answer.status_code == 422


def test_terminals_of_other_premises_are_out_of_reach(floor: Floor) -> None:
    client = administrator(floor)
    lakeside = Terminal.objects.get(table=floor.tables["CS-03"])
    assert "CS-03" not in client.get("/credentials/").content.decode()
    for step in ("renew", "restrict", "revoke"):
        answer = client.post(f"/credentials/{lakeside.pk}/{step}/", {"reason": "x", "overlap_hours": "1"})
        assert answer.status_code == 404
    assert client.post("/credentials/new/", {"table": lakeside.table_id, "name": "x"}).status_code == 422


def test_a_jackpot_manager_has_signs_and_no_terminals(floor: Floor) -> None:
    client = administrator(floor, Role.JACKPOT_MANAGER)
    given = {"premises": "harbour", "name": "Lobby", "progressives": [floor.progressive.code]}
    page = client.post("/displays/new/", given).content.decode()
    address = re.search(r"data-token>http://testserver(/signs/[\w-]+/)<", page)
    assert address is not None
    assert Client().get(address[1]).status_code == 200
    assert client.post("/displays/new/", given).status_code == 422, "one sign a name"
    assert client.get("/credentials/").status_code == 403
    assert client.post("/credentials/new/", {"name": "x"}).status_code == 403
    assert client.post(f"/credentials/{terminal(floor).pk}/revoke/", {"reason": "x"}).status_code == 403
