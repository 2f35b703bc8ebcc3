"""What the books tell the home page: gaming days that are over and still open, and what of them does not tie out."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import date, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from config.kit.gaming_day import day_start
from ledger.books.snapshot import snapshot
from ledger.close import closing, reconciliation
from ledger.models import GamingDay
from ledger.queries import today
from people import access
from people.models import Premises, User
from people.pages import console
from rules.money import say

OLDEST_DAYS = 3
"""Of a premises that are looked at for variances: days close in order, so a variance of a later one waits anyway."""
LOOK_AGAIN_S = 60
_looked: dict[tuple[int, date], tuple[float, list[tuple[str, str]]]] = {}  # since seconds


@console.tasks(gettext_noop("Days to close"), closing.CLOSE_ROLES)
def days_to_close(user: User) -> Iterable[console.Task]:
    """Oldest first: days close in order. One that has waited for a second day is urgent."""
    now = timezone.now()
    own = {premises.pk: premises for premises in access.premises_of(user, closing.CLOSE_ROLES)}
    rows = GamingDay.objects.filter(premises__in=own).exclude(state=GamingDay.State.CLOSED)
    for day in rows.order_by("date", "premises")[: console.MAX_TASKS + len(own) + 1]:
        premises = own[day.premises_id]
        if day.date >= today(premises, now):
            continue
        ended = day_start(premises, day.date + timedelta(days=1))
        yield console.Task(
            gettext("Gaming day %(day)s") % {"day": date_format(day.date, "D j M Y")},
            gettext("go on closing") if day.state == GamingDay.State.CLOSING else gettext("close"),
            reverse("ledger-day", args=[premises.code, day.date.isoformat()]),
            premises,
            ended,
            urgent=now - ended > timedelta(days=1),
        )


@console.tasks(gettext_noop("Variances"), closing.CLOSE_ROLES)
def variances(user: User) -> Iterable[console.Task]:
    """Levels and tables that do not tie out on days that are over and not closed. A running day is the watchdog's."""
    for premises in access.premises_of(user, closing.CLOSE_ROLES):
        rows = GamingDay.objects.filter(premises=premises, date__lt=today(premises))
        for day in rows.exclude(state=GamingDay.State.CLOSED).order_by("date")[:OLDEST_DAYS]:
            for what, text in _out(premises, day.date):
                yield console.Task(
                    gettext("%(what)s on %(day)s: %(text)s")
                    % {"what": what, "day": date_format(day.date, "D j M"), "text": text},
                    gettext("look"),
                    reverse("reconciliation", query={"first": day.date, "last": day.date}),
                    premises,
                    day_start(premises, day.date + timedelta(days=1)),
                    urgent=True,
                )


def _out(premises: Premises, day: date) -> list[tuple[str, str]]:
    """Level or table and its variance, looked up at most once a minute: home pages refresh every two seconds."""
    at, found = _looked.get((premises.pk, day), (None, []))
    if at is None or time.monotonic() - at > LOOK_AGAIN_S:
        with snapshot():
            levels = reconciliation.reconcile(premises, day, day)
            tables = reconciliation.reconcile_tables(premises, day, day)
        found = [
            (f"{level.level} of {level.progressive}".capitalize(), level.variances[0])
            for level in levels
            if level.variances
        ]
        found += [
            (one.table, f"its count is {say(one.variance_micros)} off")
            for one in tables
            if one.variance_micros and not one.accepted
        ]
        if len(_looked) > 1_000:
            _looked.clear()
        _looked[premises.pk, day] = (time.monotonic(), found)
    return found
