"""The administrator's pages, and what two people, one person and nobody may do to people."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from config.kit.refusals import Refused
from people import access
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, LogIn, Premises, Role, RoleGrant, User
from people.staff import staff
from tests.on_record import give

PASSWORD = "correct-horse-7"
ACTION = "tests.asked_act"
approvals.declare(
    ACTION,
    "Ask",
    request_roles=[Role.FINANCE, Role.SUPERVISOR],
    approve_roles=[Role.FINANCE, Role.SUPERVISOR],
)
People = Callable[..., User]
INVITED = {
    "username": "mere",
    "name": "Mere Tamati",
    "premises": "harbour",
    "role": "finance",
    "reason": "new",
}


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def texts(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_from_invitation_to_a_role_by_two_people(person: People, harbour: Premises) -> None:
    ada, fin = person("ada", Role.ADMINISTRATOR), person("fin", Role.FINANCE)
    answer = client_of(ada).post("/people/invite/", INVITED)
    link = re.search(r"http://testserver(/invitations/[\w-]+/)", texts(answer))
    assert link is not None
    mere = User.objects.get(username="mere")
    assert not mere.has_usable_password()
    assert access.roles_at(mere, harbour) == frozenset(), "no role before somebody else has approved it"
    row = ApprovalRequest.objects.get()
    decide = f"/premises/harbour/approvals/{row.pk}/"
    assert client_of(ada).post(decide, {"decision": "approve"}).status_code == 422
    assert client_of(fin).post(decide, {"decision": "approve"}).status_code == 302
    assert access.roles_at(mere, harbour) == {Role.FINANCE}
    own = {"password": "four plain words here", "again": "four plain words here"}
    assert Client().post(link[1], own).status_code == 302
    assert Client().post("/login/", {"username": "mere", "password": own["password"]}).status_code == 302
    trail = list(
        AuditRecord.objects.filter(subject=f"people.user:{mere.pk}").values_list("action", flat=True)
    )
    assert {"people.person_added", "people.invited", "people.role_granted", "people.invitation_used"} <= set(
        trail
    )


def test_one_administrator_makes_no_second_person(person: People, harbour: Premises) -> None:
    """Two puppets would approve each other's payments: neither gets a role without somebody else."""
    ada = person("ada", Role.ADMINISTRATOR)
    puppet, _ = staff.add_person(ada, "puppet", "Puppet")
    row = staff.ask_for_role(ada, puppet, harbour, Role.ADMINISTRATOR, "help")
    with pytest.raises(PermissionDenied):
        approvals.approve(row, puppet)
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(row, ada)
    with pytest.raises(Refused, match="role of their own"):
        staff.ask_for_role(ada, ada, harbour, Role.FINANCE, "me")
    assert not RoleGrant.objects.filter(user=puppet).exists()


def test_nobody_approves_what_is_about_themselves(person: People, harbour: Premises) -> None:
    ada, bob = person("ada", Role.ADMINISTRATOR), person("bob", Role.FINANCE)
    RoleGrant.objects.filter(user=bob).delete()
    give(user=bob, premises=harbour, role=Role.ADMINISTRATOR)
    link = staff.ask_for_link(ada, bob, "lost telephone")
    with pytest.raises(Refused, match="about you"):
        approvals.approve(link, bob)
    assert ApprovalRequest.objects.get().state == "requested"


def test_an_administrator_becomes_nobody_else_alone(person: People, harbour: Premises) -> None:
    ada, fin, sup = (
        person("ada", Role.ADMINISTRATOR),
        person("fin", Role.FINANCE),
        person("sup", Role.SUPERVISOR),
    )
    fins = client_of(fin)
    admin = client_of(ada)
    refused = admin.post(f"/people/{fin.pk}/make-link/")
    assert "Another person must approve" in texts(refused)
    assert fin.check_password(PASSWORD)
    admin.post(f"/people/{fin.pk}/ask-link/", {"reason": "forgotten"})
    row = ApprovalRequest.objects.get()
    with pytest.raises(PermissionDenied):
        approvals.approve(row, sup)
    tom = person("tom", Role.FINANCE)
    approvals.approve(row, tom)
    assert fins.get("/me/").status_code == 200
    made = admin.post(f"/people/{fin.pk}/make-link/")
    assert "/invitations/" in texts(made)
    assert fins.get("/me/").status_code == 302, "whoever was logged in is out"
    assert "Another person must approve" in texts(admin.post(f"/people/{fin.pk}/make-link/")), "once"


def test_conflicting_roles_are_refused_in_words(
    person: People, harbour: Premises, lakeside: Premises
) -> None:
    ada = person("ada", Role.ADMINISTRATOR)
    for held, wanted in [
        (Role.FINANCE, Role.SUPERVISOR),
        (Role.SUPERVISOR, Role.FINANCE),
        (Role.AUDITOR, Role.FINANCE),
        (Role.FINANCE, Role.AUDITOR),
        (Role.JACKPOT_MANAGER, Role.ADMINISTRATOR),
    ]:
        user = person(f"{held}-{wanted}", held)
        with pytest.raises(Refused, match="one of them checks the other"):
            staff.ask_for_role(ada, user, harbour, wanted, "short of people")
        with pytest.raises(Refused, match="one of them checks the other"):
            staff.grant_role("command line", user, harbour, wanted)
    both = person("both", Role.SUPERVISOR)
    assert staff.grant_role("tests", both, harbour, Role.JACKPOT_MANAGER), "one department"
    assert staff.grant_role("tests", both, lakeside, Role.FINANCE), "other premises"


def test_leaving_ends_roles_log_ins_and_open_requests_at_once(person: People, harbour: Premises) -> None:
    ada, fin, tom = (
        person("ada", Role.ADMINISTRATOR),
        person("fin", Role.FINANCE),
        person("tom", Role.FINANCE),
    )
    gone = client_of(fin)
    asked = approvals.request_approval(fin, harbour, ACTION, {"n": 1}, "why")
    approved = approvals.request_approval(tom, harbour, ACTION, {"n": 2}, "why")
    approvals.approve(approved, fin)
    answer = client_of(ada).post(f"/people/{fin.pk}/leave/", {"reason": "resigned"}, follow=True)
    assert "has left" in texts(answer)
    assert gone.get("/").status_code == 302
    assert not RoleGrant.objects.filter(user=fin).exists()
    assert not LogIn.objects.filter(person=fin, ended_at__isnull=True).exists()
    with pytest.raises(Refused, match="who asked for it, no longer"):
        approvals.approve(asked, tom)
    from django.db import transaction

    with pytest.raises(Refused, match="who approved it, no longer"), transaction.atomic():
        approvals.use_approval(approved, ACTION, {"n": 2}, tom)
    assert Client().post("/login/", {"username": "fin", "password": PASSWORD}).status_code == 200
    record = AuditRecord.objects.get(action="people.log_in_closed")
    assert (record.reason, record.details) == ("resigned", {"lapsed": [asked.pk, approved.pk]})


def test_a_role_that_comes_back_brings_no_request_back(person: People, harbour: Premises) -> None:
    fin, tom = person("fin", Role.FINANCE), person("tom", Role.FINANCE)
    asked = approvals.request_approval(fin, harbour, ACTION, {"n": 1}, "why")
    staff.take_role("tests", fin, harbour, Role.FINANCE, "moved")
    staff.grant_role("tests", fin, harbour, Role.FINANCE, "moved back")
    with pytest.raises(Refused, match="no longer has the role"):
        approvals.approve(asked, tom)
    assert "Nothing waits" in texts(client_of(tom).get("/approvals/"))


def test_people_of_other_premises_are_out_of_reach(
    person: People, lakeside: Premises, harbour: Premises
) -> None:
    ada = person("ada", Role.ADMINISTRATOR)
    elsa = person("elsa", Role.FINANCE, at=lakeside)
    both = person("both", Role.FINANCE)
    give(user=both, premises=lakeside, role=Role.FINANCE)
    admin = client_of(ada)
    assert "elsa" not in texts(admin.get("/people/"))
    assert admin.get(f"/people/{elsa.pk}/").status_code == 404
    for step in ("unlock", "end-log-ins", "leave", "ask-link", "make-link"):
        assert admin.post(f"/people/{elsa.pk}/{step}/", {"reason": "x"}).status_code == 404
    for verb in (staff.unlock, lambda a, p: staff.leave(a, p, "x"), staff.make_link):
        with pytest.raises(PermissionDenied):
            verb(ada, elsa)
    staff.grant_role("tests", left := person("left"), lakeside, Role.SUPERVISOR)
    staff.leave("tests", left, "moved on")
    assert admin.get(f"/people/{left.pk}/").status_code == 404, "nor those who have left them"
    assert admin.get(f"/people/{both.pk}/").status_code == 200
    with pytest.raises(PermissionDenied, match="Lakeside as well"):
        staff.leave(ada, both, "x")
    form = {"premises": "lakeside", "role": "finance", "reason": "x"}
    assert admin.post(f"/people/{both.pk}/take-role/", form).status_code == 404
    assert admin.post(f"/people/{both.pk}/ask-role/", form).status_code == 422


def test_the_trail_shows_log_ins_of_ones_own_people_alone(
    person: People, harbour: Premises, lakeside: Premises
) -> None:
    arne = person("arne", Role.AUDITOR)
    fin, elsa = person("fin", Role.FINANCE), person("elsa", Role.FINANCE, at=lakeside)
    for user in (fin, elsa):
        client_of(user)
    staff.leave("command line", elsa, "resigned")
    assert staff.grant_role("tests", fin, harbour, Role.FINANCE) is False
    page = texts(client_of(arne).get("/audit/"))
    assert "Fin (fin)" in page
    assert "Elsa" not in page
    assert f"people.user:{elsa.pk}<" not in page


def test_a_page_of_a_person_tells_and_offers(person: People) -> None:
    ada, fin = person("ada", Role.ADMINISTRATOR), person("fin", Role.FINANCE)
    client_of(fin)
    page = texts(client_of(ada).get(f"/people/{fin.pk}/"))
    for words in ("Take it", "Ask for a role", "Ask for a new link", "Fin leaves", "people.logged_in"):
        assert words in page
    own = texts(client_of(ada).get(f"/people/{ada.pk}/"))
    assert "leaves" not in own
    assert client_of(ada).post(f"/people/{ada.pk}/leave/", {"reason": "x"}).status_code == 422
    assert client_of(ada).post(f"/people/{fin.pk}/nonsense/").status_code == 404


def test_an_auditor_reads_people_and_changes_nothing(person: People, lakeside: Premises) -> None:
    arne, fin = person("arne", Role.AUDITOR), person("fin", Role.FINANCE)
    elsa = person("elsa", Role.FINANCE, at=lakeside)
    client_of(fin)
    reader = client_of(arne)
    everybody = texts(reader.get("/people/"))
    assert "Fin" in everybody
    assert "Elsa" not in everybody
    assert "Invite a person" not in everybody
    page = texts(reader.get(f"/people/{fin.pk}/"))
    assert "people.logged_in" in page
    assert "<form" not in page.partition("<main")[2]
    assert reader.get(f"/people/{elsa.pk}/").status_code == 404
    for step in ("ask-role", "take-role", "ask-link", "make-link", "unlock", "end-log-ins", "leave"):
        assert reader.post(f"/people/{fin.pk}/{step}/", {"reason": "x"}).status_code == 403
    assert reader.get("/search/?q=fin&stay").context["found"][0][0] == "People"
