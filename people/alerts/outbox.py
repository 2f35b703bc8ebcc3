"""Urgent alerts go out: by mail and by webhook, as far as addresses are set. Rows are the queue.

A job makes a row for each urgent alert and address, and tries it until it is taken or a day is over. It is claimed by a
conditional update before it is tried, so two workers never send the same attempt; whoever dies in between is followed
by the next attempt, and receivers know a message by its number. A webhook is signed (`signature_of`), so that its
receiver can tell that Potline sent it, and when.
"""

from __future__ import annotations

import hmac
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit import moments
from people.alerts import alert_marks, alerts
from people.models import Alert, Delivery, Role

logger = structlog.get_logger(__name__)
Channel = Delivery.Channel
NOT_SENT = alerts.declare(
    "people.alert_not_sent",
    gettext_noop("An urgent alert could not be sent by mail or webhook"),
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)
PAUSES_S = (5, 30, 120, 600, 1_800, 3_600)
"""After the first attempt, the second, ...; then every hour."""
GIVEN_UP_AFTER = timedelta(days=1)
TIMEOUT_S = 5
AT_ONCE = 20
MAX_ERROR = 500


def addresses() -> Iterator[tuple[Delivery.Channel, str]]:
    for mailbox in settings.ALERT_MAIL_TO:
        yield Channel.MAIL, mailbox
    if settings.ALERT_WEBHOOK:
        yield Channel.WEBHOOK, settings.ALERT_WEBHOOK


def fill() -> int:
    """A row for each urgent alert of the last day and each address that has none yet."""
    made = 0
    lately = timezone.now() - GIVEN_UP_AFTER
    for channel, address in addresses():
        known = Delivery.objects.filter(alert=OuterRef("pk"), channel=channel, address=address)
        due = Alert.objects.filter(~Exists(known), severity=Alert.Severity.URGENT, raised_at__gt=lately)
        rows = [
            Delivery(alert=alert, channel=channel, address=address)
            for alert in due
            if alert_marks.is_genuine(alert)
        ]
        Delivery.objects.bulk_create(rows, ignore_conflicts=True)
        made += len(rows)
    return made


def send_due() -> int:
    """Tries what is due; says how much was taken."""
    waiting = Delivery.objects.filter(
        sent_at__isnull=True, given_up_at__isnull=True, next_at__lte=timezone.now()
    )
    due = list(waiting.select_related("alert__premises").order_by("next_at")[:AT_ONCE])
    return sum(_try(row) for row in due if _claim(row))


def _claim(row: Delivery) -> bool:
    """Whoever moves the row on makes the attempt. The time of the next is set before this one: it may never return."""
    pause_s = PAUSES_S[min(row.attempts, len(PAUSES_S) - 1)]
    moved = Delivery.objects.filter(
        pk=row.pk, attempts=row.attempts, sent_at__isnull=True, given_up_at__isnull=True
    )
    return bool(moved.update(attempts=F("attempts") + 1, next_at=timezone.now() + timedelta(seconds=pause_s)))


def _try(row: Delivery) -> bool:
    try:
        (_mail if row.channel == Channel.MAIL else _post)(row)
    except Exception as error:  # whatever a server or a library says is why it was not taken
        _not_taken(row, " ".join(str(error).split())[:MAX_ERROR] or type(error).__name__)
        return False
    Delivery.objects.filter(pk=row.pk).update(sent_at=timezone.now(), error="")
    return True


def _not_taken(row: Delivery, why: str) -> None:
    over = timezone.now() - row.made_at > GIVEN_UP_AFTER
    changes: dict[str, Any] = {"error": why, "given_up_at": timezone.now() if over else None}
    Delivery.objects.filter(pk=row.pk).update(**changes)
    logger.warning(
        "alert_not_sent", delivery=row.pk, channel=row.channel, attempt=row.attempts + 1, error=why
    )
    if over or row.attempts + 1 == len(PAUSES_S):
        text = f"{row.get_channel_display()} to {row.address} was tried {row.attempts + 1} times: {why}"
        alerts.raise_alert(NOT_SENT, f"{row.channel} {row.address}"[:200], text)


# --- What is sent ----------------------------------------------------------------------------------------------
def document_of(row: Delivery) -> dict[str, Any]:
    alert = row.alert
    return {
        "id": row.pk,
        "alert": alert.pk,
        "kind": alert.kind,
        "title": alerts.title_of(alert.kind),
        "severity": alerts.severity_of(alert).name.lower(),
        "subject": alert.subject,
        "text": alert.text,
        "premises": alert.premises.code if alert.premises else None,
        "raised_at": alert.raised_at.isoformat(),
        "url": f"{settings.ALERT_LINKS}/alerts/#alert-{alert.pk}" if settings.ALERT_LINKS else "",
    }


def _mail(row: Delivery) -> None:
    told = document_of(row)
    where = row.alert.premises.name if row.alert.premises else "all premises"
    raised = f"Raised {moments.told(row.alert.raised_at, row.alert.premises, moments.MOMENT)}"
    body = (
        f"{told['title']}\n{where}\n\n{told['text']}\n\n{raised}, about {told['subject']}.\n{told['url']}\n"
    )
    message = EmailMessage(
        f"Potline: {told['title']} ({where})",
        body,
        settings.ALERT_MAIL_FROM,
        [row.address],
        headers={"Message-ID": f"<potline-delivery-{row.pk}@{settings.ALERT_MAIL_FROM.rpartition('@')[2]}>"},
    )
    message.send()


def signature_of(secret: str, at: int, body: bytes) -> str:
    """`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<seconds>.<body>` by the secret that both sides know."""
    mac = hmac.digest(secret.encode(), f"{at}.".encode() + body, "sha256").hex()
    return f"t={at},v1={mac}"


class _NoWayOn(urllib.request.HTTPRedirectHandler):
    """A message goes to the address that was set, and nowhere else."""

    def redirect_request(self, *args: Any) -> None:
        return None


def _post(row: Delivery) -> None:
    body = json.dumps(document_of(row), sort_keys=True).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Potline",
        "Potline-Delivery": str(row.pk),
        "Potline-Signature": signature_of(settings.ALERT_WEBHOOK_SECRET, int(time.time()), body),
    }
    opener = urllib.request.build_opener(_NoWayOn)
    # The settings refuse an address that is not http or https.
    request = urllib.request.Request(row.address, data=body, headers=headers, method="POST")  # noqa: S310
    try:
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            status = answer.status
    except urllib.error.HTTPError as refused:
        raise OSError(f"answered {refused.code}") from refused
    if not 200 <= status < 300:
        raise OSError(f"answered {status}")


def troubled() -> int:
    """How many messages wait after an attempt, or were given up within the last day."""
    lately = timezone.now() - GIVEN_UP_AFTER
    waiting = Q(sent_at__isnull=True, given_up_at__isnull=True, attempts__gt=0)
    return Delivery.objects.filter(waiting | Q(given_up_at__gt=lately)).count()
