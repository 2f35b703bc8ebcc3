"""What of people waits for someone: requests for a second person, alerts; and the administrator's panel of the home."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from config.kit import logins
from config.kit.http import health
from people import access
from people.alerts import alerts, outbox
from people.approvals import approvals
from people.models import Role, User
from people.pages import console
from people.staff import staff

DEALT_WITH_ELSEWHERE: set[str] = set()
"""Kinds of alerts and two-person acts about what stands on the page as a task of its own."""


@console.tasks(gettext_noop("Approvals"), Role)
def requests(user: User) -> Iterable[console.Task]:
    rows = approvals.open_at(access.premises_of(user)).exclude(action__in=DEALT_WITH_ELSEWHERE)
    mine = approvals.may_decide(user, rows)
    for row in approvals.standing(row for row in rows if row.pk in mine)[: console.MAX_TASKS + 1]:
        yield console.Task(
            gettext(approvals.title_of(row.action)),
            gettext("decide"),
            f"{reverse('approvals')}#request-{row.pk}",
            row.premises,
            row.requested_at,
        )


@console.tasks(gettext_noop("Alerts"), Role)
def open_alerts(user: User) -> Iterable[console.Task]:
    found = [alert for alert in alerts.concerning(user) if alert.kind not in DEALT_WITH_ELSEWHERE]
    for alert in found[: console.MAX_TASKS + 1]:
        yield console.Task(
            gettext(alerts.title_of(alert.kind)),
            gettext("look"),
            f"{reverse('alerts')}#alert-{alert.pk}",
            alert.premises,
            alert.raised_at,
            urgent=alerts.severity_of(alert) == alerts.Severity.URGENT,
        )


@console.panel("people/_installation_panel.html", [Role.ADMINISTRATOR], order=90)
def installation(user: User) -> dict[str, Any]:
    """Premises, people and whether every part answers, for who looks after this installation."""
    own = list(access.premises_of(user, Role.ADMINISTRATOR))
    people = list(staff.visible_to(user).values_list("is_active", "password"))
    return {
        "own": own,
        "active": sum(active for active, _ in people),
        "invited": sum(active and password.startswith("!") for active, password in people),
        "parts": health.states(),
        "not_apart": logins.faults(),
        "unsent": outbox.troubled(),
        "sent_to": [
            gettext("%(channel)s to %(address)s") % {"channel": gettext(channel.label), "address": address}
            for channel, address in outbox.addresses()
        ],
    }
