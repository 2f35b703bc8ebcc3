"""Attacks by plain SQL on how people get in: log-ins under way, sessions, second factors, links. Whoever has a
log-in to the database gets nobody's; each is refused, or found by `manage.py verify`, which names the row."""

from __future__ import annotations

import sys
import threading
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pyotp
import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from config.kit import keys
from config.kit.refusals import ConfirmFirst, Refused
from ledger.verify.people import ways_in_hold
from ledger.verify.verify import Span
from people.log_ins import invitations, proof, second_factor, signed_log_ins
from people.models import AuditRecord, Invitation, LogIn, Role, SecondFactor, User
from people.staff import staff
from tests.on_record import add_user
from tests.people.test_log_ins import People, is_in, log_in

NEVER_MINE = "0" * 64


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount > 0, f"touched nothing: {statement}"


def refused(statement: str, *values: Any) -> None:
    with pytest.raises(DatabaseError, match="Cannot"), transaction.atomic():
        sql(statement, *values)


def found() -> list[str]:
    return [str(fault) for fault in ways_in_hold(Span(0, sys.maxsize))]


# --- Log-ins --------------------------------------------------------------------------------------------------
def test_a_log_in_is_proved_and_kept_by_its_person_alone(person: People, settings: Any) -> None:
    settings.SECOND_FACTOR_FOR = ["pay"]
    user = person("fin", Role.FINANCE)
    confirmed(user)
    client, _ = log_in("fin", code=next_code(user))
    assert found() == []
    (row,) = LogIn.objects.all()
    signed_log_ins.save(row, second_factor_at=timezone.now() - timedelta(hours=1))
    for column in ("proved_at", "second_factor_at", "last_used_at"):
        refused(f"UPDATE people_login SET {column} = now()")
        refused(f"UPDATE people_login SET {column} = now(), hallmark = NULL")
    assert is_in(client)
    sql("UPDATE people_login SET second_factor_at = now(), hallmark = %s", NEVER_MINE)
    (fault,) = found()
    words = f"log-in {row.pk}: no process of this installation signed when person {user.pk} used it"
    assert fault.startswith(words)
    proof.acting_by(signed := LogIn.objects.get())
    assert not signed_log_ins.is_genuine(signed)
    proof.acting_by(None)
    assert not is_in(client), "it is a stranger's"


def test_a_log_in_that_sql_made_opens_nothing(person: People) -> None:
    user, mine = person("fin", Role.FINANCE), person("eve")
    client, _ = log_in("eve")
    insert = (
        "INSERT INTO people_login (person_id, began_at, last_used_at, proved_at, second_factor_at, browser,"
        " ended_because, hallmark) SELECT %s, began_at, last_used_at, proved_at, now(), browser, '', {}"
        " FROM people_login"
    )
    refused(insert.format("NULL"), user.pk)
    sql(insert.format("hallmark"), user.pk)  # with one of another log-in
    assert len(found()) == 1
    assert is_in(client)
    assert client.get("/me/").context["user"] == mine


def test_two_requests_of_a_log_in_at_once_leave_it_signed(committed_db: str) -> None:
    """One writes when it was used, another that a code was given, each from what it has read before."""
    user, now = add_user("fin", name="Fin"), timezone.now()
    row = signed_log_ins.create(person=user, began_at=now, last_used_at=now, proved_at=now)
    stale = LogIn.objects.get(pk=row.pk)

    def use() -> None:
        signed_log_ins.save(stale, last_used_at=now + timedelta(seconds=31))
        connections.close_all()

    with transaction.atomic():
        signed_log_ins.save(row, second_factor_at=now)
        other = threading.Thread(target=use)
        other.start()
        other.join(0.2)
        assert other.is_alive(), "it waits for the first"
    other.join(20)
    stored = LogIn.objects.get(pk=row.pk)
    assert (stored.second_factor_at, stored.last_used_at) == (now, now + timedelta(seconds=31))
    assert signed_log_ins.is_genuine(stored)


# --- Sessions -------------------------------------------------------------------------------------------------
def test_of_the_sessions_that_are_stored_no_cookie_can_be_made(person: People) -> None:
    person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    cookie = client.cookies["sessionid"].value
    with connection.cursor() as cursor:
        cursor.execute("SELECT session_key, session_data FROM django_session")
        ((stored, data),) = cursor.fetchall()
    assert cookie not in (stored, data)
    thief = Client()
    thief.cookies["sessionid"] = stored
    assert not is_in(thief)
    # A row for a cookie of the thief's own, with what the person's holds.
    own = "thiefs0wnkeyofthirtytwoletters00"
    sql(
        "INSERT INTO django_session (session_key, session_data, expire_date)"
        " VALUES (%s, %s, now() + interval '1 hour')",
        sha256(own.encode()).hexdigest()[:40],
        data,
    )
    thief.cookies["sessionid"] = own
    assert not is_in(thief)
    assert is_in(client)


# --- Second factors -------------------------------------------------------------------------------------------
def confirmed(user: User) -> str:
    secret = second_factor.begin(user)
    second_factor.confirm(user, pyotp.TOTP(secret).at(timezone.now(), -1))
    return secret


def next_code(user: User) -> str:
    secret = second_factor.secret_of(SecondFactor.objects.get(person=user))
    assert secret is not None
    return pyotp.TOTP(secret).now()


def test_a_second_factor_that_sql_took_away_is_still_asked_for(person: People) -> None:
    user = person("fin", Role.FINANCE)
    confirmed(user)
    assert found() == []
    gone = f"person {user.pk}: their second factor is gone, which the audit trail does not know"
    for statement in (
        "UPDATE people_secondfactor SET confirmed_at = NULL",
        "DELETE FROM people_secondfactor",
    ):
        sql(statement)
        assert found() == [gone]
        assert second_factor.is_set_up(user)
        assert log_in("fin")[1] == 200, "the password alone does not do"
        with pytest.raises(Refused, match="You have a second factor already"):
            second_factor.begin(user)
    staff.make_link("command line", user)
    assert not second_factor.is_set_up(user), "a new link, which two people give, begins anew"
    assert found() == []


def test_a_secret_that_sql_exchanged_lets_nobody_in(person: People) -> None:
    """Another person's, whose codes the thief knows, and an earlier one of the same person."""
    user, eve = person("fin", Role.FINANCE), person("eve", Role.FINANCE)
    earlier = second_factor.begin(user)
    kept = SecondFactor.objects.get(person=user).secret
    second_factor.begin(user, anew=True)
    known = confirmed(eve)
    confirmed(user)
    row = SecondFactor.objects.get(person=user)
    words = f"second factor {row.pk}: its secret is not the one that person {user.pk} has set up"
    theirs = SecondFactor.objects.get(person=eve).secret
    for secret, code in ((theirs, pyotp.TOTP(known).now()), (kept, pyotp.TOTP(earlier).now())):
        sql("UPDATE people_secondfactor SET secret = %s WHERE person_id = %s", secret, user.pk)
        assert found() == [words]
        assert not second_factor.check(user, code)
    assert log_in("fin", code=pyotp.TOTP(earlier).now())[1] == 200


def test_a_second_factor_that_sql_gave_is_found(person: People) -> None:
    user = person("fin", Role.FINANCE)
    second_factor.begin(user)
    sql("UPDATE people_secondfactor SET confirmed_at = now()")
    row = SecondFactor.objects.get()
    unknown = f"second factor {row.pk}: person {user.pk} has it, which the audit trail does not know"
    assert found() == [unknown]
    sql("DELETE FROM people_secondfactor")
    confirmed(user)
    row = SecondFactor.objects.get()
    sql("UPDATE people_secondfactor SET last_step = last_step + 100")
    assert found() == [f"second factor {row.pk}: its last code is of a moment that is still to come"]


def test_secrets_from_before_they_said_whose_they_are_hold_and_are_renewed(person: People) -> None:
    user = person("fin", Role.FINANCE)
    secret = confirmed(user)
    sql("UPDATE people_secondfactor SET secret = %s", keys.encrypt(keys.SECOND_FACTORS, secret))
    assert second_factor.check(user, next_code(user))
    call_command("renew_keys")
    opened = keys.decrypt(keys.SECOND_FACTORS, SecondFactor.objects.get().secret)
    assert opened == f"{user.pk}:{secret}"
    assert AuditRecord.objects.filter(action=second_factor.RENEWED).count() == 1
    assert found() == []


# --- Links ----------------------------------------------------------------------------------------------------
def test_a_link_that_sql_added_sets_no_password(person: People) -> None:
    user = person("fin", Role.FINANCE)
    token = "a-token-of-the-thief"
    sql(
        "INSERT INTO people_invitation (person_id, token_sha256, expires_at) VALUES (%s, %s, now() + interval '1 day')",
        user.pk,
        sha256(token.encode()).hexdigest(),
    )
    assert Invitation.objects.count() == 1
    assert Client().get(f"/invitations/{token}/").status_code == 404
    with pytest.raises(Refused, match="This link was used"):
        invitations.accept(token, "four plain words here")


def test_without_a_code_of_the_last_minutes_nothing_is_paid(person: People, settings: Any) -> None:
    """The way that a forged log-in would have opened."""
    settings.SECOND_FACTOR_FOR = ["pay"]
    user = person("fin", Role.FINANCE)
    confirmed(user)
    now = timezone.now()
    row = signed_log_ins.create(person=user, began_at=now, last_used_at=now, proved_at=now)
    proof.acting_by(row)
    try:
        with pytest.raises(ConfirmFirst, match="a code of your authenticator"):
            proof.demand(user, "pay")
    finally:
        proof.acting_by(None)
