"""Step-up: before acts on money and on people, whoever is logged in must have shown lately that it is them.

What counts is the password or, where the setting asks for it, a code of the second factor. The log-in of the request at
hand is known here (people.log_ins.sessions sets it); what is done at a command line or by a worker has none.
"""

from __future__ import annotations

from contextvars import ContextVar

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from config.kit.refusals import ConfirmFirst, wrong
from people.audit import audit
from people.log_ins import guard, second_factor, signed_log_ins
from people.models import LogIn, User
from people.on_record import vouched

ACTS = settings.PROOF_ACTS
_current: ContextVar[LogIn | None] = ContextVar("log_in", default=None)


def acting_by(log_in: LogIn | None) -> None:
    """The log-in of the request that begins; None where it ends."""
    _current.set(log_in)


def current() -> LogIn | None:
    return _current.get()


def demand(actor: User, act: str) -> None:
    """Raises ConfirmFirst unless the person has shown lately that it is them, as the act asks for it."""
    if act not in ACTS:
        raise LookupError(f"{act!r} is no act of settings.PROOF_ACTS.")
    log_in = _current.get()
    if log_in is None:
        return
    if log_in.person_id != actor.pk:
        raise PermissionDenied("Nobody acts by another person's log-in.")
    by_code = act in settings.SECOND_FACTOR_FOR
    if by_code and not second_factor.is_set_up(actor):
        text = (
            "This takes a second factor, and you have none yet: set it up on the page about your log-in (your name,"
            " above), then do it again."
        )
        raise ConfirmFirst(text)
    shown_at = log_in.second_factor_at if by_code else log_in.proved_at
    if shown_at is None or timezone.now() - shown_at > settings.STEP_UP_TIME:
        what = "a code of your authenticator" if by_code else "your password, or a code"
        raise ConfirmFirst(f"Show that it is you: give {what}. Nothing was done yet; do it again afterwards.")


def is_fresh(log_in: LogIn | None) -> bool:
    """Whether the password or a code was given lately."""
    return log_in is not None and timezone.now() - log_in.proved_at <= settings.STEP_UP_TIME


def demand_fresh(actor: User) -> None:
    """For setting up a second factor, which nobody has yet: the password was given lately."""
    log_in = _current.get()
    if log_in is not None and not (log_in.person_id == actor.pk and is_fresh(log_in)):
        raise ConfirmFirst("Show that it is you: give your password. Then set up your second factor.")


def confirm(log_in: LogIn, actor: User, password: str, code: str) -> None:
    """The person shows that it is them, by password or code; wrong ones count like failed log-ins."""
    if not (password or code):
        raise wrong("password", "Give your password, or a code of your authenticator.")
    knock = guard.admit(guard.Knock.of(actor.username, browser=f"log-in {log_in.pk}"))
    if not _holds(actor, password, code):
        guard.failed(knock, actor, "confirmation")
        raise wrong("code" if code else "password", "That is not right; nothing was confirmed.")
    guard.forgive(knock)
    with transaction.atomic():
        now = timezone.now()
        signed_log_ins.save(log_in, proved_at=now, **({"second_factor_at": now} if code else {}))
        audit.record(actor, "people.confirmed", subject=actor, details={"by": "code" if code else "password"})


def has_given_code(log_in: LogIn) -> None:
    """The first code of a new authenticator counts like any other."""
    signed_log_ins.save(log_in, second_factor_at=timezone.now())


def _holds(actor: User, password: str, code: str) -> bool:
    if code:
        return second_factor.check(actor, code)
    if not actor.check_password(password):
        return False
    vouched.demand_log_in(actor)
    return True
