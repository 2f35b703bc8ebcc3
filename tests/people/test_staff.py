"""Making premises and people from the command line, and what is refused."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from config.kit.refusals import Refused
from people import access
from people.models import AuditRecord, Premises, Role, User
from people.staff import staff
from tests.on_record import add_user

HARBOUR = ("harbour", "Harbour Casino", "NZD", "Pacific/Auckland", "6")


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_first_person_of_a_new_house_can_log_in() -> None:
    run("add_premises", *HARBOUR)
    said = run("add_person", "mere", "Mere Tamati", "harbour", "finance")
    link = next(word for word in said.split() if word.startswith("/invitations/"))
    client = Client()
    assert "Welcome, Mere Tamati" in client.get(link).content.decode()
    own = {"password": "four plain words here", "again": "four plain words here"}
    assert client.post(link, own).status_code == 302
    assert client.post(link, own).status_code == 404, "a link serves once"
    given = {"username": "Mere", "password": own["password"]}
    assert client.post("/login/", given).status_code == 302
    assert access.may(User.objects.get(), Role.FINANCE, Premises.objects.get())
    with pytest.raises(CommandError, match="one of them checks the other"):
        run("add_person", "MERE", "Mere Tamati", "harbour", "auditor")
    actions = list(AuditRecord.objects.order_by("id").values_list("action", flat=True))
    assert actions == [
        "people.premises_added",
        "people.person_added",
        "people.invited",
        "people.role_granted",
        "people.invitation_used",
        "people.logged_in",
    ]


@pytest.mark.django_db
def test_roles_are_granted_once_and_taken_once() -> None:
    run("add_premises", *HARBOUR)
    premises, user = Premises.objects.get(), add_user("mere", name="Mere")
    assert staff.grant_role("tests", user, premises, Role.AUDITOR)
    assert not staff.grant_role("tests", user, premises, Role.AUDITOR)
    assert staff.take_role("tests", user, premises, Role.AUDITOR, "left")
    assert not staff.take_role("tests", user, premises, Role.AUDITOR)
    assert AuditRecord.objects.get(action="people.role_taken").reason == "left"


@pytest.mark.django_db
def test_wrong_input_is_refused_in_words() -> None:
    with pytest.raises(CommandError, match="no IANA time zone"):
        run("add_premises", "harbour", "Harbour", "NZD", "Auckland", "6")
    with pytest.raises(CommandError, match="known: none yet"):
        run("add_person", "mere", "Mere", "harbour", "finance")
    with pytest.raises(Refused, match="cannot be blank"):
        staff.add_person("tests", "mere", " ")
    assert not Premises.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_demo_is_loaded_once_and_only_as_demo(settings: object) -> None:
    from people import demo

    run("load_demo")
    counts = Premises.objects.count(), User.objects.count()
    run("load_demo")
    assert (Premises.objects.count(), User.objects.count()) == counts == (2, 8)
    for username, _, role in demo.USERS:
        user = User.objects.get(username=username)
        assert user.check_password(demo.password_of(username))
        assert all(access.roles_at(user, premises) == {role} for premises in Premises.objects.all())
    settings.DEMO = False  # type: ignore[attr-defined]
    with pytest.raises(CommandError, match="POTLINE_DEMO=1"):
        run("load_demo")
