"""Log-ins, log-outs and locked user names go into the audit trail; a locked name is an alert as well."""

from __future__ import annotations

from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from people import alerts, audit
from people.models import Role, User

LOGIN_LOCKED = alerts.declare(
    "people.login_locked",
    "A user name is locked after failed log-ins",
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
)
NOBODY = "people.user:none"


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    audit.record(user, "people.logged_in", subject=user)


@receiver(user_logged_out)
def _logged_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        audit.record(user, "people.logged_out", subject=user)


@receiver(user_locked_out)
def _locked_out(sender: Any, request: HttpRequest, username: str, ip_address: str, **_: Any) -> None:
    """Five failures: the name may be nobody's, so it is kept as text."""
    known = User.objects.filter(username=username).first()
    audit.record(
        "log-in guard",
        "people.login_locked",
        subject=known or "",
        reason="Five failed log-ins in a row",
        details={"username": username[:150]},
    )
    # Names that nobody has share one alert, and it does not tell them: who guesses could fill the list, and who errs
    # may have typed a password.
    who = f"The user name {known.username} ({known.name})" if known else "A user name that nobody has"
    alerts.raise_alert(
        LOGIN_LOCKED,
        known or NOBODY,
        f"{who} is locked after five failed log-ins; the audit trail tells from where.",
        until=timezone.now() + settings.AXES_COOLOFF_TIME,
    )
