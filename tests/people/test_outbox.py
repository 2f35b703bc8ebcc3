"""Urgent alerts leave the house: signed, once, again where nobody took them, and never for ever."""

from __future__ import annotations

import hmac
import json
import socketserver
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from people.alerts import alerts, outbox
from people.models import Alert, Delivery, Premises, Role
from people.tasks import send_alerts

SECRET = "known-to-both-sides"
URGENT = alerts.declare(
    "tests.on_fire", "The tray burns", severity=alerts.Severity.URGENT, roles=[Role.SUPERVISOR]
)
LATER = alerts.declare(
    "tests.dusty", "The tray is dusty", severity=alerts.Severity.WARNING, roles=[Role.SUPERVISOR]
)


class Receiver(HTTPServer):
    """Answers with the statuses it is given, one a message, then 204."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        super().__init__(("127.0.0.1", 0), _Answer)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class _Answer(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Receiver)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers.items()), body))
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    server = Receiver()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.ALERT_WEBHOOK, settings.ALERT_WEBHOOK_SECRET = server.url, SECRET
    settings.ALERT_LINKS = "https://potline.example"
    yield server
    server.shutdown()
    server.server_close()


def due_now() -> None:
    Delivery.objects.update(next_at=timezone.now() - timedelta(seconds=1))


def test_an_urgent_alert_is_posted_once_and_signed(receiver: Receiver, harbour: Premises) -> None:
    alert = alerts.raise_alert(URGENT, "tables.table:1", "CS-01 is on fire", premises=harbour)
    alerts.raise_alert(LATER, "tables.table:1", "CS-01 is dusty", premises=harbour)
    assert alert is not None
    send_alerts()
    send_alerts()
    (headers, body), told = receiver.got[0], json.loads(receiver.got[0][1])
    assert len(receiver.got) == 1
    assert (told["alert"], told["kind"], told["premises"]) == (alert.pk, "tests.on_fire", "harbour")
    assert told["url"] == f"https://potline.example/alerts/#alert-{alert.pk}"
    row = Delivery.objects.get()
    assert (row.attempts, row.error, headers["Potline-Delivery"]) == (1, "", str(row.pk))
    assert row.sent_at is not None
    # As a receiver checks it, by the guide and without our code.
    parts = dict(part.split("=") for part in headers["Potline-Signature"].split(","))
    assert abs(int(parts["t"]) - time.time()) < 60
    mine = hmac.new(SECRET.encode(), parts["t"].encode() + b"." + body, "sha256").hexdigest()
    assert hmac.compare_digest(mine, parts["v1"])


def test_what_nobody_took_is_tried_again_later_under_the_same_number(
    receiver: Receiver, harbour: Premises
) -> None:
    receiver.statuses = [500, 302]
    alerts.raise_alert(URGENT, "tables.table:1", "on fire", premises=harbour)
    send_alerts()
    row = Delivery.objects.get()
    assert (row.attempts, row.sent_at, row.error) == (1, None, "answered 500")
    assert row.next_at > timezone.now()
    send_alerts()  # not yet
    assert len(receiver.got) == 1
    due_now()
    send_alerts()
    row.refresh_from_db()
    assert (row.attempts, row.sent_at, row.error) == (2, None, "answered 302")  # and not followed
    due_now()
    send_alerts()
    row.refresh_from_db()
    assert row.sent_at is not None
    assert [headers["Potline-Delivery"] for headers, _ in receiver.got] == [str(row.pk)] * 3


def test_after_a_day_it_is_given_up_and_an_administrator_is_told(
    receiver: Receiver, harbour: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver.statuses = [503]
    alerts.raise_alert(URGENT, "tables.table:1", "on fire", premises=harbour)
    monkeypatch.setattr(outbox, "GIVEN_UP_AFTER", timedelta(days=1))
    outbox.fill()
    monkeypatch.setattr(outbox, "GIVEN_UP_AFTER", timedelta(0))
    outbox.send_due()
    row = Delivery.objects.get()
    assert row.given_up_at is not None
    told = Alert.objects.get(kind="people.alert_not_sent")
    assert told.text.endswith("was tried 1 times: answered 503")
    due = Delivery.objects.filter(sent_at__isnull=True, given_up_at__isnull=True)
    assert not due.exists()


def test_of_two_workers_one_makes_the_attempt(receiver: Receiver, harbour: Premises) -> None:
    alerts.raise_alert(URGENT, "tables.table:1", "on fire", premises=harbour)
    outbox.fill()
    seen_by_both = Delivery.objects.get()
    assert outbox._claim(seen_by_both)
    assert not outbox._claim(seen_by_both)


class Mailbox(socketserver.ThreadingTCPServer):
    """Enough of SMTP to take a message."""

    allow_reuse_address = True

    def __init__(self) -> None:
        self.got: list[str] = []
        super().__init__(("127.0.0.1", 0), _Smtp)


class _Smtp(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = []
                while (part := self.rfile.readline()) != b".\r\n":
                    lines.append(part.decode())
                assert isinstance(self.server, Mailbox)
                self.server.got.append("".join(lines))
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 fine\r\n")
            if word == b"QUIT":
                return


def test_an_urgent_alert_is_mailed(harbour: Premises, settings: Any) -> None:
    with Mailbox() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        settings.ALERT_MAIL_TO, settings.ALERT_MAIL_FROM = ["night@casino.example"], "potline@casino.example"
        alerts.raise_alert(URGENT, "tables.table:1", "CS-01 is on fire", premises=harbour)
        send_alerts()
        server.shutdown()
    (mail,) = server.got
    assert "To: night@casino.example" in mail
    assert "Subject: Potline: The tray burns (Harbour)" in mail
    assert "CS-01 is on fire" in mail
    assert Delivery.objects.get().sent_at is not None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people_delivery SET error = 'none'",
        "UPDATE people_delivery SET address = 'http://elsewhere/'",
        "DELETE FROM people_delivery",
    ],
)
def test_what_was_sent_stays_as_it_was(receiver: Receiver, harbour: Premises, statement: str) -> None:
    alerts.raise_alert(URGENT, "tables.table:1", "on fire", premises=harbour)
    send_alerts()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
