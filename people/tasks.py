"""Clears away what no longer counts: failed log-ins of long ago, and Django's sessions that have expired. Sends urgent
alerts out of Potline."""

from django.contrib.sessions.models import Session
from django.utils import timezone

from config.celery import periodic
from people import overlong
from people.alerts import outbox
from people.log_ins import guard


@periodic(seconds=3600)
def clear_away() -> None:
    guard.clear_away()
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


@periodic(seconds=2)
def send_alerts() -> None:
    outbox.fill()
    outbox.send_due()


@periodic(seconds=5)
def end_overlong() -> None:
    """Ends what holds others up for too long; the seals, settlement and the fold wait for nobody without end."""
    overlong.end()
