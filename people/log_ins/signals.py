"""Log-ins and log-outs begin and end a row of LogIn, and go into the audit trail."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from people.audit import audit
from people.log_ins import sessions
from people.models import LogIn, User


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    by_code = getattr(request, "second_factor_given", False)
    sessions.begin(request, user, by_code=by_code)
    audit.record(user, "people.logged_in", subject=user, details={"second_factor": True} if by_code else None)


@receiver(user_logged_out)
def _logged_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        own = LogIn.objects.filter(pk=sessions.number_of(request), person=user)
        sessions.end(own, LogIn.Ended.LOGGED_OUT)
        audit.record(user, "people.logged_out", subject=user)
