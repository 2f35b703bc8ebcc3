"""Log-ins, log-outs and locked user names go into the audit trail."""

from __future__ import annotations

from typing import Any

from axes.signals import user_locked_out
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from people import audit
from people.models import User


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    audit.record(user, "people.logged_in", subject=user, ip=audit.client_ip(request))


@receiver(user_logged_out)
def _logged_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        audit.record(user, "people.logged_out", subject=user, ip=audit.client_ip(request))


@receiver(user_locked_out)
def _locked_out(sender: Any, request: HttpRequest, username: str, ip_address: str, **_: Any) -> None:
    """Five failures: the name may be nobody's, so it is kept as text."""
    known = User.objects.filter(username=username).first()
    audit.record(
        "log-in guard",
        "people.login_locked",
        subject=known or "",
        reason="Five failed log-ins in a row",
        ip=ip_address or audit.client_ip(request),
        details={"username": username[:150]},
    )
