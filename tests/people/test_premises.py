"""Premises: made by two people, changed while nothing is booked; and the first of all in an empty house."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from config.kit.refusals import Refused
from ledger.models import GamingDay
from people import access
from people.approvals import approvals
from people.models import AuditRecord, Premises, Role, User
from people.premises import premises
from tests.floor import Floor, give_role
from tests.on_record import add_user

HILL = premises.PremisesFacts("hill", "Hill Casino", "NZD", "Pacific/Auckland", 5, "nz-1996")


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    made.people["ada"] = add_user("ada", name="Ada", password=None)
    give_role(made.people["ada"], made.harbour, Role.ADMINISTRATOR)
    return made


def test_new_premises_take_two_people_who_then_have_their_roles_there(floor: Floor) -> None:
    ada, fiona = floor.people["ada"], floor.people["fiona"]
    asked = premises.ask_for_premises(ada, floor.harbour, HILL, "opens in May")
    with pytest.raises(Refused, match="yourself"):
        approvals.approve(asked, ada)
    with pytest.raises(PermissionDenied):
        approvals.approve(asked, floor.people["sefa"])
    approvals.approve(asked, fiona)
    hill = Premises.objects.get(code="hill")
    assert (hill.rulebook, hill.rollover_hour) == ("nz-1996", 5)
    assert access.roles_at(ada, hill) == {Role.ADMINISTRATOR}
    assert access.roles_at(fiona, hill) == {Role.FINANCE}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("code", "harbour"),
        ("code", "no slug"),
        ("currency", "dollars"),
        ("currency", "nzd"),
        ("time_zone", "Auckland"),
        ("rollover_hour", 24),
        ("rulebook", "none-such"),
        ("name", ""),
    ],
)
def test_premises_that_cannot_be(floor: Floor, field: str, value: Any) -> None:
    place = premises.PremisesFacts(**{**vars(HILL), field: value})
    with pytest.raises(Refused) as refused:
        premises.ask_for_premises(floor.people["ada"], floor.harbour, place, "opens in May")
    assert field in [fault.field for fault in refused.value.faults]


def change(floor: Floor, **more: Any) -> Premises:
    stands: dict[str, Any] = {
        "name": "Harbour",
        "currency": "NZD",
        "time_zone": "Pacific/Auckland",
        "rollover_hour": 6,
        "rulebook": "",
    }
    return premises.change_premises(
        floor.people["ada"], floor.harbour.pk, reason="put right", **stands | more
    )


def test_clock_and_currency_change_only_while_nothing_is_booked(floor: Floor) -> None:
    """The floor's progressive has its opening entry, so a gaming day is there."""
    assert GamingDay.objects.filter(premises=floor.harbour).exists()
    for field, value in {"currency": "AUD", "time_zone": "Australia/Sydney", "rollover_hour": 7}.items():
        with pytest.raises(Refused, match="gaming days"):
            change(floor, **{field: value})
    changed = change(floor, name="Harbour Casino", rulebook="nz-1996")
    assert (changed.name, changed.rulebook) == ("Harbour Casino", "nz-1996")
    assert AuditRecord.objects.get(action="people.premises_changed").details["name"] == [
        "Harbour",
        "Harbour Casino",
    ]
    hill = premises.add_premises("test", **vars(HILL))
    give_role(floor.people["ada"], hill, Role.ADMINISTRATOR)
    moved = premises.change_premises(
        floor.people["ada"], hill.pk, name="Hill", currency="AUD", time_zone="Australia/Sydney", rollover_hour=4,
        rulebook="", reason="it is in Sydney",
    )  # fmt: skip
    assert (moved.currency, moved.rollover_hour) == ("AUD", 4)


def test_the_database_keeps_the_clock_of_booked_premises(floor: Floor) -> None:
    with (
        pytest.raises(DatabaseError, match="clock stay"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE people_premises SET rollover_hour = 5 WHERE code = 'harbour'")


# --- An empty house -------------------------------------------------------------------------------------------
GIVEN = {
    **vars(HILL),
    "first_username": "ada",
    "first_name": "Ada Marsh",
    "second_username": "bo",
    "second_name": "Bo Finch",
    "second_role": "finance",
}


def test_an_empty_house_is_set_up_by_who_knows_the_code(db: None, client: Client) -> None:
    assert "Potline is not set up yet" in client.get("/login/").content.decode()
    refused = client.post("/set-up/", GIVEN | {"set_up_code": "00000-00000-00000-00000"})
    assert (refused.status_code, User.objects.count(), Premises.objects.count()) == (422, 0, 0)
    done = client.post("/set-up/", GIVEN | {"set_up_code": f" {premises.set_up_code().upper()} "})
    assert done.content.decode().count("/invitations/") == 2
    hill = Premises.objects.get()
    roles = {user.username: set(access.roles_at(user, hill)) for user in User.objects.all()}
    assert roles == {"ada": {Role.ADMINISTRATOR}, "bo": {Role.FINANCE}}
    again = client.post("/set-up/", GIVEN | {"set_up_code": premises.set_up_code(), "first_username": "eve"})
    assert (again.status_code, User.objects.count()) == (409, 2)
    with pytest.raises(CommandError, match="people already"):
        call_command("set_up_code")


def test_a_code_made_without_the_secret_of_the_servers_is_not_printed(
    db: None, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a secret that the command made for itself: the set-up page could never take it."""
    settings.SECRET_KEY_GIVEN = settings.DEMO = False
    with pytest.raises(CommandError, match=r"POTLINE_SECRET_KEY is not set, .* opens nothing"):
        call_command("set_up_code")
    assert capsys.readouterr().out == ""
    settings.SECRET_KEY_GIVEN = True
    call_command("set_up_code")
    assert capsys.readouterr().out.strip() == premises.set_up_code()


def test_two_people_are_two(db: None, client: Client) -> None:
    same = GIVEN | {"set_up_code": premises.set_up_code(), "second_username": "ADA"}
    refused = client.post("/set-up/", same)
    assert refused.status_code == 422
    assert not User.objects.exists()
    assert not Premises.objects.exists()
