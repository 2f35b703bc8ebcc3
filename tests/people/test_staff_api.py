"""People by REST: from the invitation to leaving, by the verbs and refusals of the pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from people import access
from people.approvals import approvals
from people.log_ins import signed_log_ins
from people.models import ApprovalRequest, LogIn, Premises, Role, RoleGrant, User
from tests.acts import on_record
from tests.people.test_people_pages import INVITED, PASSWORD, client_of

People = Callable[..., User]


def post(client: Client, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    answer: Any = client.post(f"/api/v1/{path}", body or {}, content_type="application/json")
    return answer.status_code, answer.json()


def test_from_invitation_to_leaving(person: People, harbour: Premises) -> None:
    ada, fin = person("ada", Role.ADMINISTRATOR), person("fin", Role.FINANCE)
    client = client_of(ada)
    status, made = post(client, "people", INVITED)
    assert status == 201
    assert made["link"].startswith("http://testserver/invitations/")
    mere = User.objects.get(username="mere")
    assert made["person"] == {
        "id": mere.pk, "username": "mere", "name": "Mere Tamati", "active": True, "roles": [], "locked": False,
        "language": "",
    }  # fmt: skip
    approvals.approve(ApprovalRequest.objects.get(), fin)
    known = client.get(f"/api/v1/people/{mere.pk}").json()
    assert known["roles"] == [{"premises": "harbour", "role": "finance"}]
    own = {"password": "four plain words here", "again": "four plain words here"}
    assert Client().post(made["link"].removeprefix("http://testserver"), own).status_code == 302

    supervisor = {"premises": "harbour", "role": "supervisor", "reason": "moves"}
    status, refused = post(client, f"people/{mere.pk}/ask-role", supervisor)
    assert (status, refused["code"]) == (409, "conflicting_roles")
    role = {"premises": "harbour", "role": "finance", "reason": "moves"}
    status, now = post(client, f"people/{mere.pk}/take-role", role)
    assert (status, now["roles"]) == (200, [])
    assert post(client, f"people/{mere.pk}/ask-role", supervisor)[0] == 202
    assert access.roles_at(mere, harbour) == frozenset(), "asked is not given"
    approvals.approve(ApprovalRequest.objects.latest("pk"), fin)
    assert access.roles_at(mere, harbour) == {Role.SUPERVISOR}

    assert Client().post("/login/", {"username": "mere", "password": own["password"]}).status_code == 302
    status, ended = post(client, f"people/{mere.pk}/end-log-ins")
    assert (status, ended) == (200, {"ended": 1})
    assert on_record("people.log_ins_ended") == 1
    status, now = post(client, f"people/{mere.pk}/leave", {"reason": "left the house"})
    assert (status, now["active"], now["roles"]) == (200, False, [])
    status, refused = post(client, f"people/{mere.pk}/ask-role", supervisor)
    assert (status, refused["code"]) == (409, "has_left")


def test_a_new_link_takes_two_people_and_is_told_once(person: People) -> None:
    ada, fin, kiri = (
        person("ada", Role.ADMINISTRATOR),
        person("fin", Role.FINANCE),
        person("kiri", Role.SUPERVISOR),
    )
    client = client_of(ada)
    assert post(client, f"people/{kiri.pk}/make-link")[0] == 409
    assert post(client, f"people/{kiri.pk}/ask-link", {"reason": "lost the phone"})[0] == 202
    assert post(client, f"people/{kiri.pk}/make-link")[0] == 409, "asked is not approved"
    approvals.approve(ApprovalRequest.objects.get(), fin)
    status, made = post(client, f"people/{kiri.pk}/make-link")
    assert (status, list(made)) == (200, ["link"])
    assert post(client, f"people/{kiri.pk}/make-link")[0] == 409


def test_an_administrator_of_two_premises_asks_for_a_link_for_somebody_without_any(
    person: People, harbour: Premises, lakeside: Premises
) -> None:
    """By REST and by the page. People of the administrator's first premises decide on it."""
    ada, fin, new = person("ada", Role.ADMINISTRATOR), person("fin", Role.FINANCE), person("new")
    RoleGrant.objects.create(user=ada, premises=lakeside, role=Role.ADMINISTRATOR)
    client = client_of(ada)
    assert post(client, f"people/{new.pk}/ask-link", {"reason": "lost the phone"})[0] == 202
    row = ApprovalRequest.objects.get()
    assert row.premises == harbour
    approvals.approve(row, fin)
    assert post(client, f"people/{new.pk}/make-link")[0] == 200
    assert client.post(f"/people/{new.pk}/ask-link/", {"reason": "and again"}).status_code == 302
    assert ApprovalRequest.objects.count() == 2


def test_a_locked_person_is_unlocked(person: People) -> None:
    ada, kiri = person("ada", Role.ADMINISTRATOR), person("kiri", Role.SUPERVISOR)
    for _ in range(6):
        Client().post("/login/", {"username": "kiri", "password": "wrong"})
    client = client_of(ada)
    assert client.get(f"/api/v1/people/{kiri.pk}").json()["locked"]
    status, now = post(client, f"people/{kiri.pk}/unlock")
    assert (status, now["locked"]) == (200, False)
    assert Client().post("/login/", {"username": "kiri", "password": PASSWORD}).status_code == 302


def test_people_of_other_premises_are_not_there(person: People, lakeside: Premises) -> None:
    ada, far = person("ada", Role.ADMINISTRATOR), person("far", Role.FINANCE, at=lakeside)
    client = client_of(ada)
    names = [row["username"] for row in client.get("/api/v1/people").json()["results"]]
    assert names == ["ada"]
    for step in ("ask-role", "take-role", "ask-link", "make-link", "unlock", "end-log-ins", "leave"):
        assert post(client, f"people/{far.pk}/{step}", {"reason": "x"})[0] == 404, step
    given = INVITED | {"premises": "lakeside"}
    status, refused = post(client, "people", given)
    assert (status, refused["faults"][0]["field"]) == (422, "premises")
    assert not User.objects.filter(username="mere").exists(), (
        "a person whose role cannot be asked for is not made"
    )


def test_before_access_the_person_has_shown_that_it_is_them(person: People, settings: Any) -> None:
    ada, kiri = person("ada", Role.ADMINISTRATOR), person("kiri", Role.SUPERVISOR)
    client = client_of(ada)
    signed_log_ins.save(LogIn.objects.get(), proved_at=timezone.now() - timedelta(days=1))
    status, refused = post(client, f"people/{kiri.pk}/leave", {"reason": "left"})
    assert (status, refused["code"]) == (403, "confirm_first")
    kiri.refresh_from_db()
    assert kiri.is_active
