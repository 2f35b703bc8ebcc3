"""Alerts: the verbs, what the database refuses without them, the race of several workers, and the REST API."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from config.kit import keys
from config.kit.origin import Origin, acting_from
from config.kit.refusals import Refused
from people.alerts import alert_marks, alerts
from people.alerts.alerts import acknowledge, raise_alert
from people.models import Alert, AlertAcknowledgement, AuditRecord, Premises, Role, User
from tests.on_record import add_user, give

SMOKE = alerts.declare("tests.smoke", "Smoke", severity=alerts.Severity.URGENT, roles=[Role.SUPERVISOR])
DUST = alerts.declare("tests.dust", "Dust", severity=alerts.Severity.WARNING, roles=[Role.FINANCE])
DRIP = alerts.declare(
    "tests.drip",
    "Drip",
    severity=alerts.Severity.WARNING,
    roles=[Role.SUPERVISOR],
    again_after=timedelta(minutes=10),
)
WAIT_S = 20


def raised(*arguments: Any, **more: Any) -> Alert:
    made = raise_alert(*arguments, **more)
    assert made is not None
    return made


def open_now() -> list[Alert]:
    return list(alerts.with_state(Alert.objects.all()).filter(is_open=True).order_by("pk"))


@pytest.fixture
def sefa(person: Callable[..., User]) -> User:
    return person("sefa", Role.SUPERVISOR)


def expire(alert: Alert) -> None:
    """Time goes by: only the owner of the database can make it, and whoever has the key."""
    alert.until = timezone.now() - timedelta(hours=1)
    alert_marks.sign(alert, keys.ALERTS)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE people_alert SET raised_at = now() - interval '2 hours', until = %s, hallmark = %s WHERE id = %s",
            [alert.until, alert.hallmark, alert.pk],
        )
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_the_same_is_told_once_while_it_is_open(harbour: Premises, sefa: User) -> None:
    first = raised(SMOKE, harbour, "In the kitchen", premises=harbour)
    assert raised(SMOKE, harbour, "Still there", premises=harbour).pk == first.pk
    assert raised(SMOKE, "tests.oven:2", "Another oven").pk != first.pk
    assert raised(DUST, harbour, "Another kind").pk != first.pk
    stored = Alert.objects.get(pk=first.pk)
    assert (stored.kind, stored.severity, stored.subject, stored.text, stored.premises, stored.occurrence) == (
        "tests.smoke", 1, f"people.premises:{harbour.pk}", "In the kitchen", harbour, 1,
    )  # fmt: skip
    acknowledge(first, sefa, "Toast")
    again = raised(SMOKE, harbour, "Once more", premises=harbour)
    assert (again.pk != first.pk, again.occurrence) == (True, 2)


def test_what_is_over_by_itself_is_told_anew(harbour: Premises) -> None:
    first = raised(SMOKE, harbour, "For an hour", until=timezone.now() + timedelta(hours=1))
    assert raised(SMOKE, harbour, "Same hour").pk == first.pk
    expire(first)
    assert open_now() == []
    assert raised(SMOKE, harbour, "Next hour").occurrence == 2


def test_what_someone_has_looked_at_is_quiet_for_a_while(harbour: Premises, sefa: User) -> None:
    """A watch that sees it every second must not bring it back the second after."""
    first = raised(DRIP, harbour, "Tap", premises=harbour)
    acknowledge(first, sefa, "Plumber called")
    assert raised(DRIP, harbour, "Tap", premises=harbour).pk == first.pk
    assert open_now() == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE people_alertacknowledgement SET at = now() - interval '11 minutes'")
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert raised(DRIP, harbour, "Tap", premises=harbour).occurrence == 2


def test_acknowledged_once_by_someone_whose_business_it_is_on_record(
    harbour: Premises, lakeside: Premises, sefa: User, person: Callable[..., User]
) -> None:
    alert = raised(SMOKE, harbour, "In the kitchen", premises=harbour)
    for wrong in (person("fiona", Role.FINANCE), person("elsa", Role.SUPERVISOR, at=lakeside)):
        with pytest.raises(PermissionDenied, match="Pit supervisor"):
            acknowledge(alert, wrong, "Seen")
    with pytest.raises(Refused) as refused:
        acknowledge(alert, sefa, "  ")
    assert refused.value.code == "form"
    with acting_from(Origin(ip="10.0.0.1")):
        acknowledge(alert, sefa, " Toast ")
    with pytest.raises(Refused, match="Sefa acknowledged it at") as refused:
        acknowledge(alert, person("grace", Role.SUPERVISOR), "Me too")
    assert refused.value.code == "already_acknowledged"
    assert AlertAcknowledgement.objects.get().note == "Toast"
    record = AuditRecord.objects.get(action="people.alert_acknowledged")
    assert (record.actor, record.premises, record.subject, record.reason, record.ip, record.details) == (
        sefa,
        harbour,
        f"people.alert:{alert.pk}",
        "Toast",
        "10.0.0.1",
        {"kind": "tests.smoke", "about": f"people.premises:{harbour.pk}"},
    )


def test_what_belongs_to_no_premises_takes_the_role_anywhere(
    lakeside: Premises, person: Callable[..., User]
) -> None:
    alert = raised(SMOKE, "tests.conventions", "Everywhere")
    with pytest.raises(PermissionDenied, match="any premises"):
        acknowledge(alert, person("fiona", Role.FINANCE, at=lakeside), "Seen")
    acknowledge(alert, person("elsa", Role.SUPERVISOR, at=lakeside), "Seen")


def test_a_verb_that_deals_with_it_acknowledges_it(harbour: Premises, sefa: User) -> None:
    alerts.acknowledge_about(SMOKE, harbour, sefa, "Nothing there yet")
    alert = raised(SMOKE, harbour, "In the kitchen", premises=harbour)
    alerts.acknowledge_about(SMOKE, harbour, sefa, "Put out")
    assert AlertAcknowledgement.objects.get().alert == alert
    alerts.acknowledge_about(SMOKE, harbour, sefa, "Again")
    assert AlertAcknowledgement.objects.count() == 1


def test_a_second_declaration_must_say_the_same() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        alerts.declare("tests.smoke", "Fog", severity=alerts.Severity.URGENT, roles=[Role.SUPERVISOR])


# --- The caller -----------------------------------------------------------------------------------------------
def test_it_stands_or_falls_with_the_callers_transaction(harbour: Premises) -> None:
    with transaction.atomic():
        raised(SMOKE, harbour, "Undone")
        transaction.set_rollback(True)
    assert not Alert.objects.exists()


@pytest.mark.parametrize(
    ("text", "more"),
    [("", {}), ("in the past", {"until": datetime.fromisoformat("2020-01-01T00:00:00Z")})],
)
def test_an_alert_that_cannot_be_stored_does_not_fail_its_caller(
    harbour: Premises, text: str, more: dict[str, Any]
) -> None:
    with transaction.atomic():
        assert raise_alert(SMOKE, harbour, text, **more) is None
        harbour.name = "Harbour 2"
        harbour.save()
    assert Premises.objects.get(pk=harbour.pk).name == "Harbour 2"
    assert not Alert.objects.exists()


def test_awkward_words_are_made_to_fit(harbour: Premises) -> None:
    assert raised(SMOKE, harbour, "a\0b" + "x" * 9_999).text == ("a\ufffdb" + "x" * 1_997)


def test_a_setting_of_the_caller_is_left_as_it_was(harbour: Premises) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '7s'")
        raised(SMOKE, harbour, "In the kitchen")
        cursor.execute("SELECT current_setting('lock_timeout')")
        assert cursor.fetchone() == ("7s",)


# --- The database ---------------------------------------------------------------------------------------------
INSERT = (
    "INSERT INTO people_alert (kind, severity, subject, occurrence, text, origin, hallmark)"
    " SELECT 'tests.smoke', 1, 'tests.x:1', {}, 'raw', origin, hallmark FROM people_alert LIMIT 1"
)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people_alert SET text = 'x'",
        "DELETE FROM people_alert",
        "TRUNCATE people_alert CASCADE",
        INSERT.format(1),  # told already
        INSERT.format(2),  # and open
        INSERT.format(9),  # after none
    ],
)
@pytest.mark.django_db
def test_the_database_refuses(statement: str) -> None:
    raised(SMOKE, "tests.x:1", "In the kitchen")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people_alertacknowledgement SET note = 'x'",
        "DELETE FROM people_alertacknowledgement",
        "TRUNCATE people_alertacknowledgement",
        "INSERT INTO people_alertacknowledgement (alert_id, actor_id, note)"
        " SELECT alert_id, actor_id, 'twice' FROM people_alertacknowledgement",
    ],
)
def test_the_database_refuses_to_forget_who_looked(harbour: Premises, sefa: User, statement: str) -> None:
    acknowledge(raised(SMOKE, harbour, "In the kitchen", premises=harbour), sefa, "Toast")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_next_one_may_come_when_the_last_is_over(harbour: Premises, sefa: User) -> None:
    """The control of what the database refuses: the same statement passes."""
    acknowledge(raised(SMOKE, "tests.x:1", "In the kitchen", premises=harbour), sefa, "Toast")
    with connection.cursor() as cursor:
        cursor.execute(INSERT.format(2))


# --- Several workers ------------------------------------------------------------------------------------------
class Holding:
    """A worker that has told it in a transaction that stays open until it is let go."""

    def __init__(self, commit: bool = True) -> None:
        self.told, self.let_go, self.commit = threading.Event(), threading.Event(), commit

    def run(self) -> None:
        try:
            with transaction.atomic():
                raised(SMOKE, "tests.oven:1", "first")
                self.told.set()
                assert self.let_go.wait(WAIT_S)
                transaction.set_rollback(not self.commit)
        finally:
            connections.close_all()


def second_while_the_first_is_open(holding: Holding, hold_s: float) -> tuple[Alert | None, float]:
    """What the second worker gets and how long it takes, if the first lets go after so many seconds."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(holding.run)
        assert holding.told.wait(WAIT_S)
        timer = threading.Timer(hold_s, holding.let_go.set)
        timer.start()
        began = time.monotonic()
        with transaction.atomic():
            made = raise_alert(SMOKE, "tests.oven:1", "second")
            took_s = time.monotonic() - began
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")  # the caller goes on
        timer.join()
        running.result(WAIT_S)
    return made, took_s


def test_two_workers_at_once_tell_it_once(committed_db: str) -> None:
    made, _ = second_while_the_first_is_open(Holding(), hold_s=0.1)
    assert Alert.objects.get() == made
    assert made is not None
    assert made.text == "first"


def test_without_the_constraint_they_would_tell_it_twice(committed_db: str) -> None:
    """The control: the look before is no guard by itself."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE people_alert DROP CONSTRAINT alert_told_once")
    second_while_the_first_is_open(Holding(), hold_s=0.1)
    assert Alert.objects.count() == 2


def test_if_the_first_is_undone_the_second_tells_it(committed_db: str) -> None:
    made, _ = second_while_the_first_is_open(Holding(commit=False), hold_s=0.1)
    assert Alert.objects.get() == made
    assert made is not None
    assert made.text == "second"


def test_nobody_waits_long_for_another_that_tells_the_same(committed_db: str) -> None:
    made, took_s = second_while_the_first_is_open(Holding(), hold_s=3)
    assert made is None
    assert took_s < 2.5
    assert Alert.objects.get().text == "first"


def test_many_at_once(committed_db: str) -> None:
    barrier = threading.Barrier(8)

    def work() -> None:
        try:
            barrier.wait(WAIT_S)
            for number in range(5):
                raise_alert(SMOKE, f"tests.oven:{number}", "x")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        for running in [pool.submit(work) for _ in range(8)]:
            running.result(WAIT_S)
    assert sorted(Alert.objects.values_list("subject", "occurrence")) == [
        (f"tests.oven:{number}", 1) for number in range(5)
    ]


def test_two_acknowledge_at_once(committed_db: str) -> None:
    harbour = Premises.objects.create(code="h", name="H", currency="NZD", time_zone="UTC", rollover_hour=6)
    people = [add_user(f"s{n}", name=f"S{n}", password=None) for n in range(4)]
    for user in people:
        give(user, harbour, Role.SUPERVISOR)
    alert = raised(SMOKE, harbour, "In the kitchen", premises=harbour)
    barrier = threading.Barrier(len(people))

    def work(user: User) -> str:
        try:
            barrier.wait(WAIT_S)
            acknowledge(alert, user, "Seen")
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(people)) as pool:
        found = sorted(pool.map(work, people))
    assert found == ["already_acknowledged"] * 3 + ["done"]
    assert AuditRecord.objects.filter(action="people.alert_acknowledged").count() == 1


# --- REST -----------------------------------------------------------------------------------------------------
def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def some(harbour: Premises, lakeside: Premises, sefa: User) -> dict[str, Alert]:
    made = {
        "drip": raised(DRIP, "tests.tap:1", "a", premises=harbour),
        "smoke": raised(SMOKE, "tests.oven:1", "b", premises=harbour),
        "over": raised(SMOKE, "tests.oven:2", "c", premises=harbour),
        "later": raised(SMOKE, "tests.oven:3", "d", premises=harbour),
        "house": raised(SMOKE, "tests.oven:4", "e"),
        "dust": raised(DUST, "tests.floor:1", "f", premises=harbour),
        "elsewhere": raised(SMOKE, "tests.oven:5", "g", premises=lakeside),
    }
    acknowledge(made["over"], sefa, "Toast")
    return made


def names(some: dict[str, Alert], answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    by_id = {alert.pk: name for name, alert in some.items()}
    return [by_id[row["id"]] for row in answer.json()["results"]]


def test_what_is_open_comes_first_the_worst_then_the_oldest(some: dict[str, Alert], sefa: User) -> None:
    client = client_of(sefa)
    answer = client.get("/api/v1/alerts")
    assert names(some, answer) == ["smoke", "later", "house", "drip", "over"]
    assert answer.json()["count"] == 5
    assert names(some, client.get("/api/v1/alerts?open=false")) == ["over"]
    assert names(some, client.get("/api/v1/alerts?open=true&kind=tests.drip")) == ["drip"]
    assert names(some, client.get("/api/v1/alerts?premises=lakeside")) == []
    assert client.get("/api/v1/alerts?open=perhaps").status_code == 422
    assert client.get("/api/v1/alerts?page=2").status_code == 404
    over = answer.json()["results"][-1]
    assert over["acknowledgement"].pop("at")
    assert over.pop("raised_at")
    assert over == {
        "id": some["over"].pk, "kind": "tests.smoke", "title": "Smoke", "severity": "urgent", "subject": "tests.oven:2",
        "occurrence": 1, "text": "c", "premises": "harbour", "until": None, "genuine": True, "open": False,
        "acknowledgement": {"by": "sefa", "note": "Toast"},
    }  # fmt: skip


def test_one_sees_what_concerns_ones_role_and_an_auditor_everything_of_the_premises(
    some: dict[str, Alert], person: Callable[..., User], harbour: Premises
) -> None:
    assert names(some, client_of(person("fiona", Role.FINANCE)).get("/api/v1/alerts")) == ["dust"]
    audited = names(some, client_of(person("arne", Role.AUDITOR)).get("/api/v1/alerts"))
    assert sorted(audited) == sorted(some.keys() - {"elsewhere"})
    assert client_of(person("nobody")).get("/api/v1/alerts").status_code == 403


def test_what_no_app_declares_any_more_is_the_administrators(
    harbour: Premises, person: Callable[..., User]
) -> None:
    gone = alerts.AlertKind("tests.gone", "Gone", alerts.Severity.URGENT, frozenset({Role.FINANCE}))
    alert = raised(gone, harbour, "x", premises=harbour)
    admin = client_of(person("ada", Role.ADMINISTRATOR))
    (row,) = admin.get("/api/v1/alerts").json()["results"]
    assert (row["id"], row["title"]) == (alert.pk, "tests.gone")
    url = f"/api/v1/alerts/{alert.pk}/acknowledge"
    assert admin.post(url, {"note": "x"}, "application/json").status_code == 200


def test_acknowledging_by_rest(some: dict[str, Alert], sefa: User, person: Callable[..., User]) -> None:
    url = "/api/v1/alerts/{}/acknowledge".format
    client = client_of(sefa)

    def post(name: str, **body: str) -> Any:
        return client.post(url(some[name].pk), body, "application/json")

    assert post("smoke").status_code == 422
    answer = post("smoke", note="Put out")
    assert (answer.status_code, answer.json()["open"]) == (200, False)
    assert answer.json()["acknowledgement"]["note"] == "Put out"
    again = post("smoke", note="Put out")
    assert (again.status_code, again.json()["code"]) == (409, "already_acknowledged")
    assert post("dust", note="x").status_code == 403  # finance's
    assert post("elsewhere", note="x").status_code == 404
    assert client.post(url(10**30), {"note": "x"}, "application/json").status_code == 404
    record = AuditRecord.objects.get(action="people.alert_acknowledged", reason="Put out")
    assert record.ip == "127.0.0.1"


def test_a_constraint_other_than_the_race_is_not_taken_for_it(
    harbour: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else is wrong is in the log, and is not passed off as told already."""
    found: list[str] = []
    monkeypatch.setattr(alerts.logger, "exception", lambda event, **_: found.append(event))
    assert raise_alert(SMOKE, "tests.oven:1", "") is None
    assert found == ["alert_not_raised"]
