"""Attacks by the application's role with plain SQL on what opens doors and on what tables vouch for: roles, passwords,
tokens, links, watermarks, and approvals forged together with their audit records. Each is refused or found, by what
the test says."""

# ruff: noqa: F811 (a fixture of the other file)
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from config.kit.canonical_json import canonical_json
from config.kit.refusals import Refused
from jackpots.fold.folding import NOT_VOUCHED, fold
from jackpots.models import Display, Link, Progressive, TableLog, Win
from jackpots.order import vouched
from jackpots.signs import displays
from jackpots.wins import freezes, hand_pay
from ledger.seals import seals
from ledger.verify import verify, watchdog
from people.approvals import approvals
from people.audit import audit
from people.log_ins import invitations
from people.models import Alert, ApprovalRequest, AuditRecord, Role, RoleGrant, User
from people.staff import staff
from tables.floor import silence
from tables.floor.opening import open_table
from tables.floor.terminals import issue_token, renew_token, revoke_terminal
from tables.models import Terminal
from tests.conftest import APP_ROLE
from tests.floor import PASSWORD, Floor
from tests.tables.test_attacks import by_application, floor, found, now, scene, sql  # noqa: F401 (a fixture)
from tests.tables.test_silence import silence_falls
from tests.upgrade.evening import CHECKED, FLUSH, play, settle_and_fold

pytestmark = pytest.mark.copy_of("evening_template")

FORGED_RECORD = (
    "INSERT INTO people_auditrecord (actor_id, actor_label, action, premises_id, subject, reason, request_id, details,"
    " hallmark) SELECT %s, name || ' (' || username || ')', %s, %s, %s, 'x', '', %s::jsonb, %s FROM people_user"
    " WHERE id = %s"
)


def forge_record(
    actor: User, action: str, premises: int | None, subject: str, details: str, hallmark: str = "0" * 64
) -> None:
    sql(FORGED_RECORD, actor.pk, action, premises, subject, details, hallmark, actor.pk)


def denied(*statements: str) -> None:
    """By the rights of the application's role."""
    for statement in statements:
        with (
            scene(role=APP_ROLE),
            pytest.raises(DatabaseError, match="permission denied"),
            transaction.atomic(),
        ):
            sql(statement)


def starts(faults: list[str], *words: str) -> None:
    for one in words:
        assert any(fault.startswith(one) for fault in faults), (one, faults)


# --- The audit trail ------------------------------------------------------------------------------------------
def test_an_audit_record_without_a_hallmark_is_refused_and_with_a_made_up_one_found(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    with scene(role=APP_ROLE), pytest.raises(DatabaseError, match="Cannot insert"), transaction.atomic():
        sql(FORGED_RECORD, sefa.pk, "x", None, "", "{}", None, sefa.pk)
    with scene(role=APP_ROLE):
        forge_record(sefa, "people.role_granted", floor.harbour.pk, "people.user:1", "{}")
        (fault,) = found()
    assert fault.endswith(
        "no process of this installation wrote it: people.role_granted of people.user:1, in the name of Sefa (sefa)"
    )


def test_a_genuine_record_cannot_be_used_a_second_time(floor: Floor) -> None:
    """All of it copied, with its hallmark: number and stamp are others'."""
    genuine = AuditRecord.objects.filter(action="people.role_granted").earliest("pk")
    assert audit.is_genuine(genuine)
    with scene(role=APP_ROLE):
        sql(
            "INSERT INTO people_auditrecord (actor_id, actor_label, action, premises_id, subject, reason, request_id,"
            " details, hallmark) SELECT actor_id, actor_label, action, premises_id, subject, reason, request_id,"
            " details, hallmark FROM people_auditrecord WHERE id = %s",
            genuine.pk,
        )
        (fault,) = found()
    assert "no process of this installation wrote it: people.role_granted" in fault
    assert not fault.startswith(f"audit record {genuine.pk}:")


def test_a_superuser_who_takes_a_hallmark_away_is_found(floor: Floor) -> None:
    record = AuditRecord.objects.latest("pk")
    with scene():
        sql("UPDATE people_auditrecord SET hallmark = NULL WHERE id = %s", record.pk)
        faults = found()
    starts(faults, f"audit record {record.pk}: it was changed after seal")
    starts(faults, f"audit record {record.pk}: no process of this installation wrote it")


def test_a_changed_secret_still_reads_old_hallmarks_while_it_is_a_fallback(
    floor: Floor, settings: Any
) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert found() == []
    call_command("renew_keys")
    settings.SECRET_KEY_FALLBACKS = []
    faults = found()
    starts(faults, "audit record ")
    assert not any(fault.startswith("table log ") for fault in faults), "those were signed anew"


def test_without_the_secret_nothing_is_written_and_verify_says_so(floor: Floor, settings: Any) -> None:
    settings.SECRET_KEY_GIVEN = settings.DEMO = False
    with pytest.raises(Exception, match="POTLINE_SECRET_KEY is not set"):
        audit.record("x", "x.y")
    assert any("POTLINE_SECRET_KEY is not set" in fault for fault in found())


# --- Roles, passwords, tokens ---------------------------------------------------------------------------------
def test_a_role_that_sql_gave_or_took(floor: Floor) -> None:
    sefa, arne = floor.people["sefa"], floor.people["arne"]
    with scene(role=APP_ROLE):
        sql("DELETE FROM people_rolegrant WHERE user_id = %s", sefa.pk)
        faults = found()
        assert len(faults) == 2
        assert all("it was taken at" in fault for fault in faults)
        sql(
            "INSERT INTO people_rolegrant (user_id, premises_id, role) VALUES (%s, %s, 'finance')",
            sefa.pk,
            floor.harbour.pk,
        )
        grant = RoleGrant.objects.latest("pk")
        starts(found(), f"role {grant.pk}: it was given at")
        forge_record(
            arne,
            "people.role_granted",
            floor.harbour.pk,
            f"people.user:{sefa.pk}",
            '{"role": "finance"}',
        )
        faults = found()
    assert not any(fault.startswith(f"role {grant.pk}:") for fault in faults)
    assert any("no process of this installation wrote it: people.role_granted" in fault for fault in faults)
    denied("UPDATE people_rolegrant SET role = 'jackpot_manager'")
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():  # to the owner, too
        sql("UPDATE people_rolegrant SET role = 'jackpot_manager' WHERE user_id = %s", sefa.pk)
    with scene():
        sql("UPDATE people_rolegrant SET granted_at = now() - interval '1 year' WHERE user_id = %s", sefa.pk)
        starts(found(), "role ")


def test_roles_that_people_give_and_take_are_sound(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    assert staff.take_role("command line", sefa, floor.harbour, Role.SUPERVISOR)
    assert staff.grant_role("command line", sefa, floor.harbour, Role.SUPERVISOR)
    staff.leave("command line", floor.people["tom"], "gone")
    seals.seal()
    assert found() == []


def test_a_password_that_sql_changed(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    for change in ("password = 'scrypt$x'", "is_active = false"):
        faults = by_application(f"UPDATE people_user SET {change} WHERE id = %s", sefa.pk)
        starts(faults, f"person {sefa.pk}: name, password or log-in was changed at")
        starts(faults, f"person {sefa.pk}: name, password or log-in are not as they stand on record")
    denied("UPDATE people_user SET is_superuser = true", "UPDATE people_user SET username = 'x'")
    denied("DELETE FROM people_user")
    with scene():
        sql("UPDATE people_user SET password = 'scrypt$x' WHERE id = %s", sefa.pk)
        starts(found(), f"person {sefa.pk}: it was changed after its last step")


def test_passwords_that_people_change_are_sound(floor: Floor, settings: Any) -> None:
    grace = floor.people["grace"]
    invitations.change_password(grace, PASSWORD, "another-good-horse-8", None)
    token = staff.make_link("command line", grace)
    invitations.accept(token, "a-third-good-horse-9")
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    grace.refresh_from_db()
    before = grace.password
    assert grace.check_password("a-third-good-horse-9")
    assert User.objects.get(pk=grace.pk).password == before, "who looks changes nothing"
    invitations.renew_hash(grace, "a-third-good-horse-9")
    assert User.objects.get(pk=grace.pk).password.startswith("scrypt$")
    invitations.renew_hash(grace, "a-third-good-horse-9")
    assert AuditRecord.objects.filter(action="people.password_rehashed").count() == 1
    assert found() == []


def test_a_token_that_sql_issued_or_changed(floor: Floor) -> None:
    mine = "f" * 64
    terminal = Terminal.objects.earliest("pk")
    for change in (f"token_sha256 = '{mine}'", "networks = '[]'::jsonb, expires_at = now()"):
        starts(
            by_application(f"UPDATE tables_terminal SET {change} WHERE id = %s", terminal.pk),
            f"terminal {terminal.pk}: it or its token was changed at",
        )
    with scene(role=APP_ROLE):
        sql(
            "INSERT INTO tables_terminal (token_sha256, networks, table_id, name, must_sign, last_signed, version)"
            " VALUES (%s, '[]', %s, 'mine', false, 0, '')",
            mine,
            terminal.table_id,
        )
        added = Terminal.objects.latest("pk").pk
        starts(
            found(),
            f"terminal {added}: it or its token was changed at",
            f"terminal {added}: its token is not as it stands on record",
        )
    denied("DELETE FROM tables_terminal", "UPDATE tables_terminal SET table_id = table_id + 1")
    display, _ = displays.create_display("test", floor.harbour, "Wall", floor.progressive)
    assert found() == []
    starts(
        by_application("UPDATE jackpots_display SET token_sha256 = %s", mine),
        f"sign {display.pk}: it or its token was changed at",
        f"sign {display.pk}: its token is not as it stands on record",
    )
    assert by_application("UPDATE jackpots_display SET last_seen_at = now()") == []


def test_tokens_that_people_issue_renew_and_revoke_are_sound(floor: Floor) -> None:
    issue_token("command line", now("CS-01"), "spare")
    spare = Terminal.objects.latest("pk")
    renew_token("command line", spare.pk)
    revoke_terminal("command line", spare, "not needed")
    display, _ = displays.create_display("test", floor.harbour, "Wall", floor.progressive)
    displays.renew_display("test", display.pk)
    displays.restrict_display("test", display.pk, ["10.0.0.0/8"], datetime.now(UTC) + timedelta(days=1))
    displays.revoke_display("test", Display.objects.get(pk=display.pk), "broken")
    assert found() == []


# --- Links and watermarks -------------------------------------------------------------------------------------
def test_a_link_that_sql_made_or_changed(floor: Floor) -> None:
    link = Link.objects.earliest("pk")
    denied("UPDATE jackpots_link SET takes_rest = NOT takes_rest", "DELETE FROM jackpots_link")
    with scene():
        sql("UPDATE jackpots_link SET kinds = '{ante,jackpot}' WHERE id = %s", link.pk)
        starts(found(), f"link {link.pk}: it was changed after its last step")
    log = TableLog.objects.get(table_code="CR-01")
    with scene(role=APP_ROLE):
        sql(
            "INSERT INTO jackpots_link (table_log_id, progressive_id, kinds, takes_rest)"
            " VALUES (%s, %s, '{pass}', false)",
            log.pk,
            floor.progressive.pk,
        )
        starts(found(), f"link {Link.objects.latest('pk').pk}: it was made or changed at")


AHEAD = "UPDATE jackpots_tablelog SET watermark = watermark + interval '1 hour'"


def test_a_watermark_an_hour_ahead_is_refused(floor: Floor) -> None:
    for statement in (
        f"{AHEAD} WHERE table_code = 'CS-01'",
        f"{AHEAD}, hallmark = NULL WHERE table_code = 'CS-01'",
        "UPDATE jackpots_tablelog SET is_open = false WHERE table_code = 'CS-01'",
        "UPDATE jackpots_tablelog SET left_out_at = now() WHERE table_code = 'CS-01'",
        "UPDATE jackpots_tablelog SET lease_until = now() + interval '1 hour' WHERE table_code = 'CS-01'",
        "UPDATE jackpots_tablelog SET returned_at = now() WHERE table_code = 'CS-01'",
    ):
        with scene(role=APP_ROLE), pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
            sql(statement)


def test_a_watermark_with_a_made_up_hallmark_makes_nothing_final(floor: Floor) -> None:
    """The fold waits, the watchdog freezes, a later request of the terminal does not make it good; two people do."""
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(floor.progressive)
    wins_before = Win.objects.count()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
        other = TableLog.objects.get(table_code="CS-02").hallmark
        sql(f"{AHEAD}, hallmark = %s WHERE table_code = 'CS-01'", other)
    log = TableLog.objects.get(table_code="CS-01")
    final = Progressive.objects.get().final_until
    where = f"table log {log.pk} (CS-01): no process of this installation signed that it has vouched until"
    starts(found(), where)
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(floor.progressive)
    log.refresh_from_db()
    assert not vouched.is_genuine(log), "its terminal's next request did not sign what was forged"
    floor.progressive.refresh_from_db()
    assert Win.objects.count() == wins_before
    assert fold(floor.progressive.pk).runs == 0
    assert Alert.objects.filter(kind=NOT_VOUCHED.name).count() == 1
    seals.seal()
    watchdog.run()
    assert {freeze.level for freeze in freezes.frozen()} == {"grand", "minor"}
    assert floor.progressive.final_until == final


def test_a_table_whose_watermark_was_forged_is_opened_anew_by_people(floor: Floor) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
        sql("UPDATE jackpots_tablelog SET is_open = false, hallmark = 'x' WHERE table_code = 'CS-02'")
    log = TableLog.objects.get(table_code="CS-02")
    starts(found(), f"table log {log.pk} (CS-02)")
    table = now("CS-02")
    open_table(table.pk, floor.people["sefa"])
    log.refresh_from_db()
    assert vouched.is_genuine(log)
    assert found() == []


# --- Approvals ------------------------------------------------------------------------------------------------
def forge_approval(floor: Floor, win: Win) -> ApprovalRequest:
    """In the names of two people, with the records that belong to it, as the application would write them."""
    sefa, jan = floor.people["sefa"], floor.people["jan"]
    document = canonical_json(hand_pay.payload(win))
    sql(
        "INSERT INTO people_approvalrequest (premises_id, action, payload_json, payload_sha256, reason,"
        " requested_by_id, expires_at, state, decision_note) VALUES (%s, 'jackpots.pay_win', %s,"
        " encode(sha256(convert_to(%s, 'UTF8')), 'hex'), 'x', %s, now() + interval '1 hour', 'requested', '')",
        floor.harbour.pk,
        document,
        document,
        sefa.pk,
    )
    asked = ApprovalRequest.objects.latest("pk")
    for change in (
        f"state = 'approved', decided_by_id = {jan.pk}, decided_at = now()",
        "state = 'used', used_at = now()",
    ):
        sql(f"UPDATE people_approvalrequest SET {change} WHERE id = %s", asked.pk)
    asked.refresh_from_db()
    details = f'{{"payload_sha256": "{asked.payload_sha256}"}}'
    subject = f"people.approvalrequest:{asked.pk}"
    for who, step in ((sefa, "requested"), (jan, "approved"), (jan, "used")):
        forge_record(who, f"people.approval_{step}", floor.harbour.pk, subject, details)
    return asked


def test_an_approval_forged_together_with_its_audit_records_is_found_and_pays_nothing(floor: Floor) -> None:
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(floor.progressive)
    win = Win.objects.latest("pk")
    hand_pay.verify(win.pk, floor.people["sefa"], CHECKED)
    win.refresh_from_db()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
        asked = forge_approval(floor, win)
        sql("UPDATE jackpots_win SET state = 'approved', approval_id = %s WHERE id = %s", asked.pk, win.pk)
    faults = found()
    for step, who in (("requested", "Sefa (sefa)"), ("approved", "Jan (jan)"), ("used", "Jan (jan)")):
        words = f"people.approval_{step} of people.approvalrequest:{asked.pk}, in the name of {who}"
        assert any(
            fault.endswith(f"no process of this installation wrote it: {words}") for fault in faults
        ), words
    starts(faults, f"win {win.pk}: the audit trail does not know that the approval {asked.pk} was requested")
    starts(faults, f"win {win.pk}: the audit trail does not know that the approval {asked.pk} was approved")
    with pytest.raises(Refused, match="the audit trail does not know that the approval"):
        hand_pay.pay(win.pk, floor.people["sefa"], "cash")
    assert Win.objects.get(pk=win.pk).state == "approved"


def test_what_two_people_do_is_sound(floor: Floor) -> None:
    """A silent table is left out."""
    silence_falls_committed("CS-02")
    asked = silence.request_leave_out(now("CS-02").pk, floor.people["sefa"], "line is dead")
    approvals.approve(asked, floor.people["jan"])
    seals.seal()
    assert verify.verify().sound


@transaction.atomic
def silence_falls_committed(code: str) -> None:
    silence_falls(code)
