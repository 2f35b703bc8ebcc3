"""People's pages through Django: log-in and its lock, home, premises, approvals, audit trail."""

from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from people.approvals import approvals
from people.models import Alert, ApprovalRequest, AuditRecord, LogIn, Premises, Role, User
from tests.on_record import give

PASSWORD = "correct-horse-7"
ACTION = "tests.page_act"
approvals.declare(ACTION, "Try a page", request_roles=[Role.FINANCE], approve_roles=[Role.FINANCE])


def log_in(username: str, password: str = PASSWORD) -> tuple[Client, int]:
    client = Client()
    answer = client.post("/login/", {"username": username, "password": password})
    return client, answer.status_code


def test_log_in_shows_home_and_is_on_record(person: Callable[..., User]) -> None:
    person("fin", Role.FINANCE)
    client, status = log_in("fin")
    assert status == 302
    text = client.get("/").content.decode()
    assert "You are Finance here" in text
    assert "Approvals" in text
    assert "Audit trail" not in text
    assert client.post("/logout/").status_code == 302
    assert [entry.action for entry in AuditRecord.objects.exclude(actor_label="test").order_by("id")] == [
        "people.logged_in",
        "people.logged_out",
    ]
    assert AuditRecord.objects.filter(ip="127.0.0.1").count() == 2


def test_five_failures_lock_the_name_and_are_on_record(person: Callable[..., User]) -> None:
    user = person("fin", Role.FINANCE)
    statuses = [log_in("fin", "wrong")[1] for _ in range(5)]
    assert statuses[:4] == [200] * 4
    assert statuses[4] == 429
    locked = AuditRecord.objects.get(action="people.login_locked")
    assert locked.subject == f"people.user:{user.pk}"
    assert AuditRecord.objects.filter(action="people.log_in_failed", subject=locked.subject).count() == 5
    client, status = log_in("fin")  # the right password is too late
    assert status == 429
    assert client.get("/").status_code == 302
    assert not AuditRecord.objects.filter(action="people.logged_in").exists()
    alert = Alert.objects.get()  # however often it is tried
    assert (alert.kind, alert.subject) == ("people.login_locked", f"people.user:{user.pk}")
    assert alert.text.startswith("The user name fin (Fin) is locked after five failed log-ins")
    assert alert.until is not None
    assert alert.until - alert.raised_at <= timedelta(minutes=30)


def test_names_that_nobody_has_share_an_alert_and_it_does_not_tell_them(person: Callable[..., User]) -> None:
    person("fin", Role.FINANCE)  # a house without anybody opens on another page
    for name in ("hunter2", "guess"):
        for _ in range(5):
            log_in(name, "wrong")
    alert = Alert.objects.get()
    assert alert.subject == "people.user:none"
    assert "hunter2" not in alert.text


def test_four_failures_do_not_lock(person: Callable[..., User]) -> None:
    person("fin", Role.FINANCE)
    for _ in range(4):
        log_in("fin", "wrong")
    assert log_in("fin")[1] == 302


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/approvals/", "/audit/"])
def test_strangers_are_sent_to_the_log_in(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/login/?next={path}")


def test_premises_are_chosen_among_ones_own(person: Callable[..., User], lakeside: Premises) -> None:
    user = person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    assert client.post("/premises/", {"premises": "lakeside"}).status_code == 404
    give(user=user, premises=lakeside, role=Role.AUDITOR)
    answer = client.post("/premises/", {"premises": "lakeside", "next": "//evil.example/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert "You are Auditor here" in client.get("/").content.decode()


def test_the_trail_is_for_auditors_of_the_premises(
    person: Callable[..., User], harbour: Premises, lakeside: Premises
) -> None:
    from people.audit import audit

    audit.record("tests", "tests.here", premises=harbour, reason="needle")
    audit.record("tests", "tests.elsewhere", premises=lakeside)
    person("aud", Role.AUDITOR)
    person("fin", Role.FINANCE)
    client, _ = log_in("aud")
    text = client.get("/audit/").content.decode()
    assert "tests.here" in text
    assert "tests.elsewhere" not in text
    found = client.get("/audit/?q=needle").content.decode()
    assert "tests.here" in found
    assert "people.logged_in" not in found
    refused = log_in("fin")[0].get("/audit/")
    assert refused.status_code == 403
    assert "takes the role" in refused.content.decode()


def test_approval_page_shows_the_payload_and_lets_another_decide(
    person: Callable[..., User], harbour: Premises
) -> None:
    asker = person("ask", Role.FINANCE)
    person("fin", Role.FINANCE)
    row = approvals.request_approval(asker, harbour, ACTION, {"amount": "2.50", "<b>": 1}, "Too low")
    own, _ = log_in("ask")
    text = own.get("/approvals/").content.decode()
    assert "another person decides" in text
    assert 'value="approve"' not in text
    url = f"/premises/harbour/approvals/{row.pk}/"
    assert "requested it yourself" in own.post(url, {"decision": "approve"}, follow=True).content.decode()
    other, _ = log_in("fin")
    assert f"/approvals/#request-{row.pk}" in other.get("/").content.decode()
    text = other.get("/approvals/").content.decode()
    assert "2.50" in text
    assert "&lt;b&gt;" in text
    assert row.payload_sha256 in text
    other.post(url, {"decision": "approve", "note": "seen"})
    row.refresh_from_db()
    assert (row.state, row.decision_note) == ("approved", "seen")
    assert "already" in other.post(url, {"decision": "reject"}, follow=True).content.decode()
    assert ApprovalRequest.objects.get().state == "approved"


def test_times_are_the_premises_own_and_say_so(person: Callable[..., User], harbour: Premises) -> None:
    """Half past one at night in Auckland is noon before in UTC: a time that calls itself UTC must be it."""
    person("aud", Role.AUDITOR)
    asker = person("ask", Role.FINANCE)
    row = approvals.request_approval(asker, harbour, ACTION, {"amount": "2.50"}, "Too low")
    here = ZoneInfo("Pacific/Auckland")
    client, _ = log_in("aud")
    trail, queue = (client.get(path).content.decode() for path in ("/audit/", "/approvals/"))
    asked = row.requested_at.astimezone(here)
    assert f"{asked:%Y-%m-%d %H:%M:%S %Z}" in trail
    assert f"{asked:%H:%M:%S %Z}" in queue
    assert f"{row.expires_at.astimezone(here):%H:%M:%S %Z}" in queue
    assert f"{row.requested_at:%d %b %H:%M:%S} UTC" in trail  # beside it, and called so
    began = LogIn.objects.filter(person__username="aud").latest("pk").began_at.astimezone(here)
    assert f"{began.day} {began:%b %H:%M %Z}" in client.get("/me/").content.decode(), (
        "also who asks of no premises"
    )
