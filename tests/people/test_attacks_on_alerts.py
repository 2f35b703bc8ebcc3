"""Attacks by plain SQL on what people are told: softer alerts told first, alerts of others' kinds, acknowledgements in
somebody's name. Each is refused, or found by `manage.py verify` and the watchdog; none silences an alert."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client

from config.kit import keys
from config.kit.refusals import Refused
from ledger.seals import seals
from ledger.verify import watchdog
from ledger.verify.people import alerts_are_genuine
from ledger.verify.verify import Span
from people.alerts import alert_marks, alerts, outbox
from people.models import Alert, AlertAcknowledgement, AuditRecord, Premises, Role, User
from people.models.core import TOLD_BY_SIGNS
from people.tokens import WRONG_TOKENS
from tests.conftest import APP_ROLE, PART_ROLES

ALARM = alerts.declare("tests.alarm", "Alarm", severity=alerts.Severity.URGENT, roles=[Role.SUPERVISOR])
MADE_UP = "0" * 64
FORGE = (
    "INSERT INTO people_alert (kind, severity, subject, occurrence, text, origin, hallmark)"
    " VALUES (%s, %s, %s, %s, 'Never mind', %s, %s)"
)
LOOKED = (
    "INSERT INTO people_alertacknowledgement (alert_id, actor_id, note, word, hallmark)"
    " VALUES (%s, %s, 'All is well', %s, %s)"
)


def sql(statement: str, *values: Any, role: str = APP_ROLE) -> None:
    """As the application's role."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {role}")
        cursor.execute(statement, values)
        assert cursor.rowcount > 0, f"touched nothing: {statement}"
        cursor.execute("RESET ROLE")


def forge(
    subject: str,
    occurrence: int = 1,
    *,
    kind: str = ALARM.name,
    origin: str = MADE_UP,
    hallmark: str = MADE_UP,
    role: str = APP_ROLE,
) -> Alert:
    sql(FORGE, kind, 2, subject, occurrence, origin, hallmark, role=role)
    return Alert.objects.latest("pk")


def found() -> list[str]:
    return [str(fault) for fault in alerts_are_genuine(Span(0, sys.maxsize))]


def raised(subject: str, text: str = "Fire", **more: Any) -> Alert:
    made = alerts.raise_alert(ALARM, subject, text, **more)
    assert made is not None
    return made


@pytest.fixture
def app_role(db: None) -> Iterator[None]:
    with transaction.atomic():
        call_command("grant_app_role", APP_ROLE, "--create", verbosity=0)
        yield


@pytest.fixture
def sefa(person: Callable[..., User], app_role: None) -> User:
    return person("sefa", Role.SUPERVISOR)


# --- Told first -----------------------------------------------------------------------------------------------
def test_a_softer_one_that_was_told_first_does_not_swallow_the_genuine_one(
    harbour: Premises, sefa: User
) -> None:
    forged = forge("tests.oven:1")
    told = raised("tests.oven:1", premises=harbour)
    assert (told.pk != forged.pk, told.text, told.severity) == (True, "Fire", 1)
    assert raised("tests.oven:1").pk == told.pk, "told once"
    assert list(alerts.concerning(sefa)) == [told]
    assert found() == [
        f"alert {forged.pk}: no process of this installation told it: tests.alarm about tests.oven:1"
    ]


def test_a_row_of_others_stands_in_the_way_of_no_further_one(harbour: Premises, sefa: User) -> None:
    """The second, the third and so on, told before their time."""
    alerts.acknowledge(raised("tests.oven:1", premises=harbour), sefa, "Put out")
    for occurrence in (2, 3):
        sql(
            "INSERT INTO people_alert (kind, severity, subject, occurrence, text, origin, hallmark, raised_at, until)"
            " SELECT 'tests.alarm', 2, 'tests.oven:1', %s, 'x', %s, %s, now() - interval '2 h', now() - interval '1 h'",
            occurrence,
            MADE_UP,
            MADE_UP,
        )
    told = raised("tests.oven:1", premises=harbour)
    assert (told.occurrence, told.text) == (2, "Fire")
    assert list(alerts.concerning(sefa)) == [told]


def test_a_copy_of_a_genuine_one_is_forged(harbour: Premises, sefa: User) -> None:
    """With its hallmark, and a word that the thief knows."""
    told = raised("tests.oven:1", premises=harbour)
    copy = (
        "INSERT INTO people_alert (kind, severity, subject, occurrence, text, premises_id, origin, hallmark)"
        " SELECT kind, severity, subject, occurrence, text, premises_id, {}, hallmark FROM people_alert"
    )
    with pytest.raises(DatabaseError, match="alert_told_once"), transaction.atomic():
        sql(copy.format("origin"))
    sql(copy.format("encode(sha256('mine'), 'hex')"))
    sql(LOOKED, Alert.objects.latest("pk").pk, sefa.pk, "mine", MADE_UP)
    assert raised("tests.oven:1").pk == told.pk
    assert len(found()) == 2, "the copy, and who is said to have looked at it"


def test_none_without_hallmark_comes_any_more(harbour: Premises, app_role: None) -> None:
    for origin, hallmark in ((None, MADE_UP), (MADE_UP, None), (None, None)):
        with pytest.raises(DatabaseError, match="Cannot insert"), transaction.atomic():
            forge("tests.oven:1", origin=origin, hallmark=hallmark)  # type: ignore[arg-type]


def test_a_forged_one_is_not_open_not_sent_and_nobody_answers_for_it(
    harbour: Premises, sefa: User, settings: Any
) -> None:
    settings.ALERT_MAIL_TO = ["pit@example.org"]
    sql(FORGE, ALARM.name, 1, "tests.oven:1", 1, MADE_UP, MADE_UP)
    forged = Alert.objects.get()
    assert not alerts.with_state(Alert.objects.all()).get().is_open
    assert list(alerts.concerning(sefa)) == []
    assert outbox.fill() == 0
    with pytest.raises(Refused, match="No process of this installation") as refused:
        alerts.acknowledge(forged, sefa, "Seen")
    assert refused.value.code == "not_genuine"
    client = Client()
    client.force_login(sefa, "django.contrib.auth.backends.ModelBackend")
    (row,) = client.get("/api/v1/alerts").json()["results"]
    assert (row["genuine"], row["open"], row["acknowledgement"]) == (False, False, None)
    page = client.get("/alerts/").content.decode()
    assert "somebody wrote it into the database" in page
    assert "No alert is open" in page


def test_how_bad_it_is_says_the_declaration(harbour: Premises, sefa: User) -> None:
    """A row that a superuser has softened, past every trigger."""
    told = raised("tests.oven:1", premises=harbour)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE people_alert SET severity = 2")
        cursor.execute("SET LOCAL session_replication_role = origin")
    told.refresh_from_db()
    assert alerts.severity_of(told) == alerts.Severity.URGENT
    assert len(found()) == 1


# --- Who has looked -------------------------------------------------------------------------------------------
def test_nobody_looks_in_anothers_name(harbour: Premises, sefa: User) -> None:
    told = raised("tests.oven:1", premises=harbour)
    for word in (MADE_UP, told.origin, ""):
        with pytest.raises(DatabaseError, match="not acknowledged by its word"), transaction.atomic():
            sql(LOOKED, told.pk, sefa.pk, word, MADE_UP)
    for word, hallmark in ((None, MADE_UP), (MADE_UP, None)):
        with pytest.raises(DatabaseError), transaction.atomic():
            sql(LOOKED, told.pk, sefa.pk, word, hallmark)
    assert list(alerts.concerning(sefa)) == [told]
    alerts.acknowledge(told, sefa, "Put out")
    assert list(alerts.concerning(sefa)) == []
    assert found() == []


def test_a_name_that_was_written_past_every_trigger_is_found_and_not_shown(
    harbour: Premises, sefa: User
) -> None:
    told = raised("tests.oven:1", premises=harbour)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(LOOKED, [told.pk, sefa.pk, MADE_UP, MADE_UP])
        cursor.execute("SET LOCAL session_replication_role = origin")
    made = AlertAcknowledgement.objects.get()
    words = f"no process of this installation heard it from Sefa, about alert {told.pk}"
    assert found() == [f"acknowledgement {made.pk}: {words}"]
    client = Client()
    client.force_login(sefa, "django.contrib.auth.backends.ModelBackend")
    (row,) = client.get("/api/v1/alerts").json()["results"]
    assert row["acknowledgement"] is None
    assert "somebody wrote a name into the database" in client.get("/alerts/").content.decode()
    assert raised("tests.oven:1").pk != told.pk, "it is told anew"


def test_what_somebody_said_is_under_the_hallmark(harbour: Premises, sefa: User) -> None:
    made = alerts.acknowledge(raised("tests.oven:1", premises=harbour), sefa, "Put out")
    made.refresh_from_db()
    assert alert_marks.is_own_word(made)
    for column, value in (("note", "It burns"), ("actor_id", sefa.pk + 1), ("at", harbour_day())):
        made.refresh_from_db()
        setattr(made, column, value)
        assert not alert_marks.is_own_word(made), column


def harbour_day() -> Any:
    return AuditRecord.objects.latest("pk").at.replace(year=2020)


def test_the_watchdog_names_what_is_forged(committed_db: str, settings: Any, tmp_path: Any) -> None:
    settings.VAR_DIR = tmp_path
    forged = forge("tests.oven:1")
    seals.seal()
    watchdog.run()
    told = Alert.objects.get(kind=watchdog.VERIFY_FAILED.name)
    assert told.subject == f"alert {forged.pk}"
    assert alert_marks.is_genuine(told)


# --- Signs ----------------------------------------------------------------------------------------------------
def test_signs_tell_their_own_kinds_alone(committed_db: str) -> None:
    """The database refuses others from the role, and the key of signs is good for no other."""
    with psycopg.connect(committed_db, user=PART_ROLES["signs"], autocommit=True) as signs:
        for kind in (ALARM.name, "ledger.seals_doubtful", "tables.round_parked"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="not of a kind that signs tell"):
                signs.execute(FORGE, [kind, 2, "tests.oven:1", 1, MADE_UP, MADE_UP])
        for kind in TOLD_BY_SIGNS:
            signs.execute(FORGE, [kind, 2, "tests.oven:1", 1, MADE_UP, MADE_UP])
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
            signs.execute(LOOKED, [1, 1, MADE_UP, MADE_UP])
    for part in ("web", "worker"):
        with psycopg.connect(committed_db, user=PART_ROLES[part], autocommit=True) as session:
            session.execute(FORGE, [ALARM.name, 2, f"tests.{part}:1", 1, MADE_UP, MADE_UP])
    connections.close_all()


def test_the_signs_key_is_good_for_signs_kinds_and_takes_no_place_of_others(
    harbour: Premises, person: Callable[..., User], settings: Any
) -> None:
    ada = person("ada", Role.ADMINISTRATOR)
    settings.PROCESS = "signs"
    by_sign = alerts.raise_alert(WRONG_TOKENS, "address 10.0.0.9", "Softened by whoever has the signs' key")
    stolen = raised("tests.oven:1", "Told by the signs' key")
    settings.PROCESS = "worker"
    assert by_sign is not None
    assert by_sign.hallmark in keys.signatures(keys.ALERTS_OF_SIGNS, alert_marks._content(by_sign))
    by_worker = alerts.raise_alert(WRONG_TOKENS, "address 10.0.0.9", "Told by the worker")
    assert by_worker is not None
    assert by_worker.pk != by_sign.pk
    assert set(alerts.concerning(ada)) == {by_sign, by_worker}
    alerts.acknowledge(by_sign, ada, "Seen")
    assert found() == [
        f"alert {stolen.pk}: no process of this installation told it: tests.alarm about tests.oven:1"
    ]
    assert raised("tests.oven:1").pk != stolen.pk


def test_what_signs_may_tell_is_declared() -> None:
    from people.alerts.alerts import _kinds

    assert set(TOLD_BY_SIGNS) <= set(_kinds)


# --- A changed secret -----------------------------------------------------------------------------------------
def test_what_is_open_stays_open_under_another_secret(harbour: Premises, sefa: User, settings: Any) -> None:
    alerts.acknowledge(raised("tests.oven:1", premises=harbour), sefa, "Put out")
    raised("tests.oven:1", "Again", premises=harbour)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert found() == []
    assert len(alerts.concerning(sefa)) == 1
    call_command("renew_keys", verbosity=0)
    call_command("renew_keys", verbosity=0)
    settings.SECRET_KEY_FALLBACKS = []
    (told,) = alerts.concerning(sefa)
    assert (told.text, told.occurrence) == ("Again", 2)
    alerts.acknowledge(told, sefa, "Put out again")
    assert list(alerts.concerning(sefa)) == []
