"""Attacks by the web's role with plain SQL on what lets somebody in: passwords, roles, second factors, tokens. Each row
is changed, added, or put back as it once stood; each opens nothing, is told urgently, and is named by `verify`."""

# ruff: noqa: F811 (a fixture of the other file)
from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.contrib.auth.hashers import make_password
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit import keys
from config.kit.refusals import Refused
from jackpots.models import Display, Win
from jackpots.signs import displays
from jackpots.wins import hand_pay
from people import access, tokens
from people.approvals import approvals
from people.audit import audit
from people.log_ins import invitations, second_factor, sessions
from people.models import Alert, AuditRecord, Role, RoleGrant, SecondFactor, User
from people.staff import staff
from tables.door.line import _still_good
from tables.floor import terminals
from tables.models import Terminal
from tests.conftest import APP_ROLE, PART_ROLES
from tests.floor import PASSWORD, Floor, forget_wrong_tokens
from tests.on_record import add_user, give
from tests.people.test_attacks_on_ways_in import confirmed, next_code
from tests.tables.test_attacks import floor, found, now, sql  # noqa: F401 (a fixture)
from tests.upgrade.evening import CHECKED

pytestmark = pytest.mark.copy_of("evening_template")
MINE = "a-password-of-the-thief"
TOKEN = "a-token-of-the-thief"


@pytest.fixture(autouse=True)
def _nobody_has_tried() -> Iterator[None]:
    forget_wrong_tokens()
    yield
    forget_wrong_tokens()


def by_web(*statements: tuple[Any, ...]) -> None:
    """As whoever has the login of the web, for good."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
        for statement, *values in statements:
            sql(statement, *values)


def put_back(grant: RoleGrant) -> tuple[Any, ...]:
    """A role that was taken, to the letter."""
    return (
        "INSERT INTO people_rolegrant (id, user_id, premises_id, role, granted_at) VALUES (%s, %s, %s, %s, %s)",
        grant.pk,
        grant.user_id,
        grant.premises_id,
        grant.role,
        grant.granted_at,
    )


def log_in(person: User, password: str, code: str = "") -> Client:
    client = Client()
    client.post("/login/", {"username": person.username, "password": password, "code": code})
    return client


def is_in(client: Client) -> bool:
    return client.get("/me/").status_code == 200


def as_logged_in(person: User) -> Client:
    """In a session from before."""
    client = Client()
    client.force_login(User.objects.get(pk=person.pk), "django.contrib.auth.backends.ModelBackend")
    return client


def told(kind: str = "people.not_on_record") -> list[str]:
    """The urgent alerts of this kind; each once."""
    return list(Alert.objects.filter(kind=kind, severity=1).order_by("pk").values_list("text", flat=True))


def knock(token: str) -> int:
    """What a terminal is answered: 401 is a stranger's."""
    client = Client(headers={"Authorization": f"Bearer {token}"})
    body = '{"envelope": {}, "events": []}'
    return client.post(
        "/api/v1/tables/harbour/CS-01/events", body, content_type="application/json"
    ).status_code


# --- As two people ----------------------------------------------------------------------------------------------
def test_two_passwords_that_sql_wrote_verify_approve_and_pay_nothing(floor: Floor) -> None:
    """Straight to the money, as two people whose roles would do."""
    sefa, jan = floor.people["sefa"], floor.people["jan"]
    win = Win.objects.get(trigger="straight-flush")
    for person in (sefa, jan):
        by_web(("UPDATE people_user SET password = %s WHERE id = %s", make_password(MINE), person.pk))
    for person in (sefa, jan):
        assert not is_in(log_in(person, MINE)), "no page opens"
        assert not is_in(log_in(person, PASSWORD))
        assert as_logged_in(person).get(f"/jackpots/wins/{win.pk}/").status_code == 403
        forged = User.objects.get(pk=person.pk)
        with pytest.raises(PermissionDenied):
            hand_pay.verify(Win.objects.get(trigger="flush").pk, forged, CHECKED)
        with pytest.raises(PermissionDenied):
            hand_pay.approve(win.pk, forged)
        with pytest.raises(PermissionDenied):
            hand_pay.pay(win.pk, forged, "cash")
    assert Win.objects.get(pk=win.pk).state == "verified"
    texts = told()
    assert len(texts) == 2, "once each"
    for name, text in zip(("Sefa (sefa)", "Jan (jan)"), texts, strict=True):
        assert text.startswith(f"The password or log-in of {name} was changed in the database past Potline")
        assert "give" in text
        assert "a new link" in text
    faults = found()
    for person in (sefa, jan):
        words = "name, password or log-in are not as they stand on record, and open nothing"
        assert f"person {person.pk}: {words}" in faults


def test_an_earlier_password_put_back_opens_nothing_and_a_new_link_mends_it(floor: Floor) -> None:
    grace = floor.people["grace"]
    before = User.objects.get(pk=grace.pk).password
    invitations.change_password(grace, PASSWORD, "another-good-horse-8", None)
    by_web(("UPDATE people_user SET password = %s WHERE id = %s", before, grace.pk))
    assert not is_in(log_in(grace, PASSWORD))
    assert len(told()) == 1
    token = staff.make_link("command line", User.objects.get(pk=grace.pk))
    invitations.accept(token, "a-third-good-horse-9")
    assert is_in(log_in(grace, "a-third-good-horse-9"))
    assert not is_in(log_in(grace, PASSWORD))


def test_whoever_has_left_does_not_come_back_by_sql(floor: Floor) -> None:
    tom = User.objects.get(pk=floor.people["tom"].pk)
    before = tom.password
    grants = list(RoleGrant.objects.filter(user=tom))
    staff.leave("command line", tom, "gone")
    by_web(
        ("UPDATE people_user SET password = %s, is_active = true WHERE id = %s", before, tom.pk),
        *map(put_back, grants),
    )
    tom = User.objects.get(pk=tom.pk)
    assert not is_in(log_in(tom, PASSWORD))
    assert access.roles_at(tom, floor.harbour) == frozenset()
    staff.leave("command line", tom, "gone")
    assert not User.objects.get(pk=tom.pk).is_active, "what SQL put back is taken away again"


# --- Roles ------------------------------------------------------------------------------------------------------
GRANT = "INSERT INTO people_rolegrant (user_id, premises_id, role) VALUES (%s, %s, %s)"


def test_a_role_that_sql_gave_is_none(floor: Floor) -> None:
    tom = floor.people["tom"]
    by_web(
        ("DELETE FROM people_rolegrant WHERE user_id = %s", tom.pk),
        (GRANT, tom.pk, floor.harbour.pk, "jackpot_manager"),
    )
    assert access.roles_at(tom, floor.harbour) == frozenset()
    assert not access.may(tom, Role.JACKPOT_MANAGER, None)
    assert list(access.premises_of(tom)) == []
    client = as_logged_in(tom)
    win = Win.objects.get(trigger="straight-flush")
    assert client.get(f"/jackpots/wins/{win.pk}/").status_code == 403
    assert client.post(f"/jackpots/wins/{win.pk}/approve", {}).status_code == 403
    (text,) = told()
    assert text.startswith(
        "Tom (tom) was given the role Jackpot manager at harbour in the database past Potline"
    )
    assert (
        f"person {tom.pk}: the role Jackpot manager at harbour does not stand on record, and counts for nothing"
        in (found())
    )
    assert staff.take_role("command line", tom, floor.harbour, Role.JACKPOT_MANAGER)
    assert staff.grant_role("command line", tom, floor.harbour, Role.FINANCE)
    assert access.roles_at(tom, floor.harbour) == {Role.FINANCE}


def test_a_role_that_was_taken_and_put_back_is_none(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    row = RoleGrant.objects.get(user=sefa, premises=floor.harbour)
    staff.take_role("command line", sefa, floor.harbour, Role.SUPERVISOR)
    by_web(put_back(row))
    assert access.roles_at(sefa, floor.harbour) == frozenset()
    assert access.roles_at(sefa, floor.lakeside) == {Role.SUPERVISOR}, "what stands on record holds"


def test_a_role_granted_anew_is_no_older_than_it_is(floor: Floor) -> None:
    """An old moment would bring a request back that has lapsed with the role."""
    sefa = floor.people["sefa"]
    row = RoleGrant.objects.get(user=sefa, premises=floor.harbour)
    staff.take_role("command line", sefa, floor.harbour, Role.SUPERVISOR)
    staff.grant_role("command line", sefa, floor.harbour, Role.SUPERVISOR)
    assert access.roles_at(sefa, floor.harbour) == {Role.SUPERVISOR}
    by_web(
        ("DELETE FROM people_rolegrant WHERE user_id = %s AND premises_id = %s", sefa.pk, row.premises_id),
        put_back(row),
    )
    assert access.roles_at(sefa, floor.harbour) == frozenset()


def test_roles_that_sql_takes_away_make_nobody_free_for_a_link_by_one(floor: Floor) -> None:
    """Without roles, one administrator gives the link; put back afterwards, the roles would hold again."""
    ada, sefa = add_user("ada", name="Ada", password=None), floor.people["sefa"]
    give(ada, floor.harbour, Role.ADMINISTRATOR)
    by_web(
        ("DELETE FROM people_rolegrant WHERE user_id = %s", sefa.pk),
        ("UPDATE people_user SET last_login = NULL WHERE id = %s", sefa.pk),
    )
    with pytest.raises(Refused, match="Another person must approve"):
        staff.make_link(ada, User.objects.get(pk=sefa.pk))


def test_a_forged_requester_carries_no_approval(floor: Floor) -> None:
    """Whoever asked must have the role still when it is used."""
    sefa, jan = floor.people["sefa"], floor.people["jan"]
    win = Win.objects.get(trigger="straight-flush")
    if win.approval is None:
        pytest.fail("it asks for a second person")
    asked = win.approval
    assert approvals.why_lapsed(asked) is None
    asker = asked.requested_by
    row = RoleGrant.objects.get(user=asker, premises=floor.harbour)
    staff.take_role("command line", asker, floor.harbour, Role.SUPERVISOR)
    by_web(put_back(row))
    assert "no longer has the role" in (approvals.why_lapsed(asked) or "")
    assert approvals.standing([asked]) == []
    assert (sefa, jan) != (asker, asker)


# --- The record itself --------------------------------------------------------------------------------------------
def test_records_that_sql_puts_on_top_change_nothing(floor: Floor) -> None:
    """Many of them, with a genuine mark of another record, of another person, with nonsense, and with a huge number."""
    sefa = floor.people["sefa"]
    genuine = AuditRecord.objects.filter(subject=audit.label_of(sefa), standing__isnull=False).latest("pk")
    insert = (
        "INSERT INTO people_auditrecord"
        " (id, actor_label, action, subject, reason, request_id, details, hallmark, standing)"
        " VALUES ({}, 'x', 'people.role_granted', %s, '', '', '{{}}', repeat('0', 64), %s::jsonb)"
    )
    assert genuine.standing is not None
    number = "nextval(pg_get_serial_sequence('people_auditrecord', 'id'))"
    copied = f'{{"mark": "{genuine.standing["mark"]}", "state": {{"log_in": [], "roles": []}}}}'
    forged = [
        copied,
        "5",
        "[]",
        '"x"',
        '{"state": 1.5, "mark": "x"}',
        '{"state": 1, "mark": 1}',
        "{}",
        "null",
    ]
    by_web(
        *((insert.format(number), audit.label_of(sefa), each) for each in forged * 15),
        (insert.format(2**62), audit.label_of(sefa), copied),
    )
    assert access.roles_at(sefa, floor.harbour) == {Role.SUPERVISOR}
    assert is_in(log_in(sefa, PASSWORD))
    by_web(("UPDATE people_user SET password = %s WHERE id = %s", make_password(MINE), sefa.pk))
    assert not is_in(log_in(sefa, MINE))
    assert any("no process of this installation wrote it: people.role_granted" in fault for fault in found())


def test_a_record_cannot_name_another_state_than_its_hallmark_covers(floor: Floor) -> None:
    record = AuditRecord.objects.filter(standing__isnull=False).latest("pk")
    assert audit.is_genuine(record)
    assert record.standing is not None
    record.standing["state"] = {}
    assert not audit.is_genuine(record)
    record.standing = None
    assert not audit.is_genuine(record)


def test_a_verb_does_not_vouch_for_what_sql_wrote(floor: Floor) -> None:
    """A role that two people give does not sign the password that a thief has written."""
    tom = floor.people["tom"]
    by_web(("UPDATE people_user SET password = %s WHERE id = %s", make_password(MINE), tom.pk))
    staff.take_role("command line", tom, floor.lakeside, Role.FINANCE)
    staff.grant_role("command line", tom, floor.lakeside, Role.AUDITOR)
    assert not is_in(log_in(tom, MINE))
    assert access.roles_at(User.objects.get(pk=tom.pk), floor.lakeside) == frozenset()


# --- Second factors -----------------------------------------------------------------------------------------------
def test_a_second_factor_of_the_thiefs_own_takes_no_code(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    secret = second_factor.begin(sefa)
    by_web(("UPDATE people_secondfactor SET confirmed_at = now() WHERE person_id = %s", sefa.pk))
    assert not second_factor.check(sefa, pyotp.TOTP(secret).now())
    assert not is_in(log_in(sefa, PASSWORD, pyotp.TOTP(secret).now()))
    (text,) = told()
    assert text.startswith("The second factor of Sefa (sefa) was put into the database past Potline")


def test_a_second_factor_that_was_forgotten_and_put_back_takes_no_code(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    confirmed(sefa)
    row = SecondFactor.objects.get(person=sefa)
    token = staff.make_link("command line", User.objects.get(pk=sefa.pk))
    invitations.accept(token, PASSWORD)
    by_web(
        (
            "UPDATE people_secondfactor SET secret = %s, confirmed_at = now() WHERE person_id = %s",
            row.secret,
            sefa.pk,
        )
    )
    assert not second_factor.check(sefa, next_code(sefa))


def test_a_code_that_was_used_serves_no_second_time(floor: Floor) -> None:
    """By a row that is removed and put back, or by one whose secret was forgotten meanwhile."""
    sefa = floor.people["sefa"]
    confirmed(sefa)
    assert second_factor.check(sefa, code := next_code(sefa))
    for statement in (
        "DELETE FROM people_secondfactor WHERE person_id = %s",
        "UPDATE people_secondfactor SET last_step = 0 WHERE person_id = %s",
    ):
        with pytest.raises(DatabaseError, match=r"permission denied|Cannot update"):
            by_web((statement, sefa.pk))
    assert not second_factor.check(sefa, code)
    step = SecondFactor.objects.get(person=sefa).last_step
    second_factor.forget("test", sefa)
    assert not second_factor.is_set_up(sefa)
    secret = second_factor.begin(sefa)
    assert SecondFactor.objects.get(person=sefa).last_step == step
    second_factor.confirm(sefa, pyotp.TOTP(secret).at(timezone.now(), 1))
    assert second_factor.is_set_up(sefa)


# --- Terminals ----------------------------------------------------------------------------------------------------
SET = "UPDATE tables_terminal SET {} WHERE id = %s"


def terminal() -> Terminal:
    return Terminal.objects.get(name="terminal CS-01")


@pytest.mark.parametrize(
    "change",
    [
        f"token_sha256 = '{tokens.hash_token(TOKEN)}'",
        f"previous_sha256 = '{tokens.hash_token(TOKEN)}', previous_until = now() + interval '1 day'",
        "networks = '[]'",
        "expires_at = NULL",
        "must_sign = false",
    ],
)
def test_a_terminal_that_sql_changed_is_a_stranger(floor: Floor, change: str) -> None:
    row, own = terminal(), floor.tokens["CS-01"]
    until = timezone.now() + timedelta(days=1)
    terminals.restrict_terminal("test", row.pk, ["127.0.0.1/32"], until, must_sign=True)
    assert knock(own) == 403, "it must sign"
    by_web((SET.format(change), row.pk))
    assert knock(TOKEN) == 401
    assert knock(own) == 401
    assert _still_good([tokens.hash_token(own), tokens.hash_token(TOKEN)]) == set(), "open lines are closed"
    (text,) = told("tables.forged_token")
    assert "changed in the database past Potline" in text
    assert "revoke it and issue a new one" in text
    assert f"terminal {row.pk}: its token is not as it stands on record, and opens nothing" in found()
    with pytest.raises(Refused, match="not as Potline left it"):
        terminals.renew_token("test", row.pk)
    with pytest.raises(Refused, match="not as Potline left it"):
        terminals.restrict_terminal("test", row.pk, [], None)
    terminals.revoke_terminal("test", terminal(), "forged")
    assert not any(fault.startswith(f"terminal {row.pk}: its token") for fault in found())


def test_a_token_of_before_put_back_opens_nothing(floor: Floor) -> None:
    row, old = terminal(), floor.tokens["CS-01"]
    assert knock(old) != 401
    new = terminals.renew_token("test", row.pk, timedelta(0))
    by_web((SET.format("token_sha256 = %s"), tokens.hash_token(old), row.pk))
    assert (knock(old), knock(new)) == (401, 401)


def test_a_revoked_terminal_that_sql_puts_back_opens_nothing(floor: Floor) -> None:
    row, own = terminal(), floor.tokens["CS-01"]
    terminals.revoke_terminal("test", row, "stolen")
    by_web((SET.format("revoked_at = NULL"), row.pk))
    assert knock(own) == 401
    assert len(told("tables.forged_token")) == 1


def test_a_terminal_that_sql_added_opens_nothing(floor: Floor) -> None:
    by_web(
        (
            "INSERT INTO tables_terminal (token_sha256, networks, table_id, name, must_sign, last_signed, version)"
            " VALUES (%s, '[]', %s, 'mine', false, 0, '')",
            tokens.hash_token(TOKEN),
            terminal().table_id,
        )
    )
    assert knock(TOKEN) == 401
    (text,) = told("tables.forged_token")
    assert "stands on no record of Potline" in text


# --- Signs --------------------------------------------------------------------------------------------------------
def test_a_sign_that_sql_changed_or_put_back_shows_nothing(floor: Floor) -> None:
    display, own = displays.create_display("test", floor.harbour, "Wall", floor.progressive)
    assert displays.by_token(own, None) == display
    by_web(
        ("UPDATE jackpots_display SET token_sha256 = %s WHERE id = %s", tokens.hash_token(TOKEN), display.pk)
    )
    assert displays.by_token(TOKEN, None) is None
    assert displays.known([tokens.hash_token(TOKEN)]) == {}
    assert len(told("jackpots.forged_sign_token")) == 1
    assert f"sign {display.pk}: its token is not as it stands on record, and opens nothing" in found()
    displays.revoke_display("test", Display.objects.get(pk=display.pk), "forged")
    by_web(
        (
            "UPDATE jackpots_display SET token_sha256 = %s, revoked_at = NULL WHERE id = %s",
            tokens.hash_token(own),
            display.pk,
        )
    )
    assert displays.by_token(own, None) is None


def test_the_process_of_signs_reads_how_signs_stand_on_record_and_nothing_else_of_the_trail(
    floor: Floor,
) -> None:
    display, own = displays.create_display("test", floor.harbour, "Wall", floor.progressive)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {PART_ROLES['signs']}")
        assert displays.by_token(own, None) == display
        assert displays.known([tokens.hash_token(own)]).keys() == {tokens.hash_token(own)}
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT split_part(subject, ':', 1) FROM jackpots_displaystanding")
            assert cursor.fetchall() == [("jackpots.display",)]
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            AuditRecord.objects.exists()


# --- Keys -----------------------------------------------------------------------------------------------------------
def test_after_a_change_of_the_secret_everybody_gets_in_and_what_was_forged_stays_shut(
    floor: Floor, settings: Any
) -> None:
    sefa, jan = floor.people["sefa"], floor.people["jan"]
    display, shown = displays.create_display("test", floor.harbour, "Wall", floor.progressive)
    by_web(("UPDATE people_user SET password = %s WHERE id = %s", make_password(MINE), jan.pk))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert is_in(log_in(sefa, PASSWORD))
    call_command("renew_keys")
    renewed = AuditRecord.objects.filter(action="people.standing_renewed").count()
    assert renewed > 0
    call_command("renew_keys")
    assert AuditRecord.objects.filter(action="people.standing_renewed").count() == renewed, "once"
    settings.SECRET_KEY_FALLBACKS = []
    assert is_in(log_in(sefa, PASSWORD))
    assert access.roles_at(sefa, floor.harbour) == {Role.SUPERVISOR}
    assert knock(floor.tokens["CS-01"]) != 401
    assert displays.by_token(shown, None) == display
    assert not is_in(log_in(jan, MINE)), "renewing reads the record, never the row"


def test_a_lost_secret_shuts_everything_and_whoever_runs_the_machine_opens_it_on_record(
    floor: Floor, settings: Any, capsys: Any
) -> None:
    sefa = floor.people["sefa"]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "made anew", []
    assert not is_in(log_in(sefa, PASSWORD))
    assert knock(floor.tokens["CS-01"]) == 401
    call_command("vouch")
    assert not is_in(log_in(sefa, PASSWORD)), "the audit trail bears nothing out without its key"
    with pytest.raises(CommandError, match="Say why"):
        call_command("vouch", "--break-glass", "all")
    call_command("vouch", "--break-glass", "person:sefa", "--reason", "the secret is lost")
    assert is_in(log_in(sefa, PASSWORD))
    assert knock(floor.tokens["CS-01"]) == 401
    call_command("vouch", "--break-glass", "all", "--reason", "the secret is lost")
    assert knock(floor.tokens["CS-01"]) != 401
    texts = told("people.vouched_at_the_machine")
    assert len(texts) == 2
    assert "person Sefa" in texts[0]
    assert "because: the secret is lost" in texts[0]
    about = AuditRecord.objects.filter(action="people.glass_broken", subject=audit.label_of(sefa)).get()
    assert (about.actor_label, about.reason) == ("command line", "the secret is lost")
    assert audit.is_genuine(about)
    capsys.readouterr()


def test_without_the_secret_nobody_vouches(floor: Floor, settings: Any) -> None:
    settings.SECRET_KEY_GIVEN = settings.DEMO = False
    for more in ([], ["--break-glass", "all", "--reason", "x"]):
        with pytest.raises(Exception, match="POTLINE_SECRET_KEY is not set"):
            call_command("vouch", *more)


# --- Upgrades -------------------------------------------------------------------------------------------------------
def as_of_before(*rows: Any) -> None:
    """As the version before left its records: naming no state."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for record in AuditRecord.objects.filter(subject__in=[audit.label_of(row) for row in rows]):
            record.standing = None
            record.hallmark = keys.hallmark(keys.AUDIT_TRAIL, audit._content(record))
            record.save(update_fields=["standing", "hallmark"])


def test_after_an_upgrade_what_the_trail_bears_out_is_put_on_record_and_nothing_else(
    floor: Floor, capsys: Any
) -> None:
    mere, link = staff.add_person("command line", "mere", "Mere")
    staff.grant_role("command line", mere, floor.harbour, Role.AUDITOR)
    invitations.accept(link, PASSWORD)
    eve, link = staff.add_person("command line", "eve", "Eve")
    staff.grant_role("command line", eve, floor.harbour, Role.AUDITOR)
    invitations.accept(link, PASSWORD)
    kai, link = staff.add_person("command line", "kai", "Kai")
    invitations.accept(link, PASSWORD)
    token = terminals.issue_token("command line", now("CS-01"), "spare")
    spare = Terminal.objects.get(name="spare")
    as_of_before(mere, eve, kai, spare)
    by_web(("UPDATE people_user SET password = %s WHERE id = %s", make_password(MINE), eve.pk))
    by_web((GRANT, kai.pk, floor.harbour.pk, "finance"))
    for person in (mere, eve, kai):
        assert not is_in(log_in(person, PASSWORD))
    assert knock(token) == 401
    assert any("run `manage.py vouch`" in text for text in told())
    capsys.readouterr()
    call_command("vouch")
    said = capsys.readouterr().out
    assert "2 people, tokens and second factors were put on record." in said
    assert "The person Eve was left out" in said
    assert "The person Kai was left out" in said
    assert is_in(log_in(mere, PASSWORD))
    assert access.roles_at(mere, floor.harbour) == {Role.AUDITOR}
    assert knock(token) != 401
    assert not is_in(log_in(eve, MINE))
    assert access.roles_at(kai, floor.harbour) == frozenset()
    call_command("vouch")
    assert "Mere" not in capsys.readouterr().out, "once"


def test_a_session_of_before_has_no_roles_while_the_row_is_forged(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    client = log_in(sefa, PASSWORD)
    assert client.get("/").status_code == 200
    by_web(("UPDATE people_user SET password = %s WHERE id = %s", make_password(MINE), sefa.pk))
    assert not is_in(client)
    assert sessions.under_way(sefa).exists()
