"""What the books tell the home page: gaming days that are over and still open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from config.gaming_day import day_start
from ledger import closing
from ledger.models import GamingDay
from ledger.queries import today
from people import access, console
from people.models import User


@console.tasks("Days to close", closing.CLOSE_ROLES)
def days_to_close(user: User) -> Iterable[console.Task]:
    """Oldest first: days close in order. One that has waited for a second day is urgent."""
    now = timezone.now()
    own = {premises.pk: premises for premises in access.premises_of(user, closing.CLOSE_ROLES)}
    rows = GamingDay.objects.filter(premises__in=own).exclude(state=GamingDay.State.CLOSED)
    for day in rows.order_by("date", "premises")[: console.MOST + len(own) + 1]:
        premises = own[day.premises_id]
        if day.date >= today(premises, now):
            continue
        ended = day_start(premises, day.date + timedelta(days=1))
        yield console.Task(
            f"Gaming day {day.date:%a} {day.date.day} {day.date:%b %Y}",
            "go on closing" if day.state == GamingDay.State.CLOSING else "close",
            reverse("ledger-day", args=[premises.code, day.date.isoformat()]),
            premises,
            ended,
            urgent=now - ended > timedelta(days=1),
        )
