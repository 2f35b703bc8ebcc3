"""Terminals' tokens by REST: issued, renewed, restricted and revoked by the verbs of the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from people.models import AuditRecord, Role
from tables.floor import terminals
from tables.models import Terminal
from tests.floor import Floor
from tests.tables.test_terminals import administrator, beat, is_known
from tests.tables.test_terminals import floor as floor  # the fixture

TERMINALS = "/api/v1/tables/harbour/CS-01/terminals"


def post(client: Client, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    answer: Any = client.post(path, body, content_type="application/json")
    return answer.status_code, answer.json()


def test_a_token_through_its_life(floor: Floor) -> None:
    client = administrator(floor)
    status, made = post(client, TERMINALS, {"name": "Spare", "networks": "127.0.0.0/8"})
    spare = Terminal.objects.get(name="Spare")
    assert (status, made["terminal"]["id"], made["terminal"]["networks"]) == (201, spare.pk, ["127.0.0.0/8"])
    assert made["key"] == terminals.signing_key(made["token"])
    assert is_known(beat(made["token"]))
    shown = client.get(TERMINALS).content.decode()
    assert "Spare" in shown
    assert made["token"] not in shown
    status, new = post(client, f"/api/v1/terminals/{spare.pk}/renew", {"overlap_hours": 0})
    assert (status, beat(made["token"]), is_known(beat(new["token"]))) == (200, 401, True)
    status, now = post(client, f"/api/v1/terminals/{spare.pk}/restrict", {"must_sign": True})
    assert (status, now["must_sign"], now["networks"]) == (200, True, [])
    assert beat(new["token"]) == 403
    status, now = post(client, f"/api/v1/terminals/{spare.pk}/revoke", {"reason": "lost"})
    assert (status, now["revoked_at"] is None, beat(new["token"])) == (200, False, 401)
    status, refused = post(client, f"/api/v1/terminals/{spare.pk}/renew", {"overlap_hours": 1})
    assert (status, refused["code"]) == (409, "revoked")
    actions = AuditRecord.objects.filter(subject=f"tables.terminal:{spare.pk}").order_by("id")
    assert list(actions.values_list("action", flat=True)) == [
        "tables.terminal_token_issued", "tables.terminal_token_renewed", "tables.terminal_restricted",
        "tables.terminal_revoked",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "body", "field"),
    [
        ("renew", {"overlap_hours": 999}, "overlap_hours"),
        ("renew", {}, "overlap_hours"),
        ("restrict", {"networks": "nowhere"}, "networks"),
        ("restrict", {"expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ("revoke", {}, "reason"),
    ],
)
def test_what_is_wrong_is_told_by_its_field(
    floor: Floor, step: str, body: dict[str, Any], field: str
) -> None:
    row = Terminal.objects.get(table=floor.tables["CS-01"])
    status, refused = post(administrator(floor), f"/api/v1/terminals/{row.pk}/{step}", body)
    assert (status, refused["faults"][0]["field"]) == (422, field)


def test_terminals_elsewhere_are_not_there_and_a_manager_has_none(floor: Floor) -> None:
    client = administrator(floor)
    far = Terminal.objects.get(table=floor.tables["CS-03"])
    assert client.get("/api/v1/tables/lakeside/CS-03/terminals").status_code == 403
    for step in ("renew", "restrict", "revoke"):
        assert post(client, f"/api/v1/terminals/{far.pk}/{step}", {"reason": "x"})[0] == 404
    manager = administrator(floor, Role.JACKPOT_MANAGER)
    assert manager.get(TERMINALS).status_code == 403
    far.refresh_from_db()
    assert far.revoked_at is None


def test_a_terminal_tells_its_version_and_administrators_see_it(floor: Floor) -> None:
    row, token = Terminal.objects.get(table__code="CS-01"), floor.tokens["CS-01"]

    def told(version: str) -> int:
        headers = {"Authorization": f"Bearer {token}", "Potline-Version": version}
        answer = Client().post(
            "/api/v1/tables/harbour/CS-01/events", {}, content_type="application/json", headers=headers
        )
        row.refresh_from_db()
        return int(answer.status_code)

    assert row.version == ""
    assert told("dealer 3.2.1") != 401
    assert row.version == "dealer 3.2.1"
    told("")
    assert row.version == "dealer 3.2.1", "who says nothing has not become another"
    told("x" * 200)
    assert row.version == "x" * 64
    told("dealer 3.3")
    admin = administrator(floor)
    assert "dealer 3.3" in [each["version"] for each in admin.get(TERMINALS).json()]
    for page in ("/credentials/", "/floor/harbour/tables/CS-01/set-up/"):
        assert "dealer 3.3" in admin.get(page).content.decode()
    headers = {"Authorization": "Bearer wrong", "Potline-Version": "evil 1"}
    Client().post("/api/v1/tables/harbour/CS-01/events", {}, content_type="application/json", headers=headers)
    row.refresh_from_db()
    assert row.version == "dealer 3.3"
