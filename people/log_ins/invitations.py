"""Invitations: a link by which a person sets a password of their own. Whoever hands it over learns none."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth import hashers
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from config.kit import keys
from config.kit.refusals import FORM, NOT_NOW, Fault, Refused, wrong
from people.audit import audit
from people.log_ins import guard, sessions
from people.models import Invitation, LogIn, User
from people.on_record import vouched
from people.on_record.standing import Standing

VALID_FOR = timedelta(hours=72)


def _kept(token: str) -> list[str]:
    """What stands in the database of a token, by each key of ours, the one in use first: nobody else can make it."""
    return keys.signatures(keys.INVITATIONS, token.encode(errors="replace"))


@transaction.atomic
def make(actor: User | str, person: User, reason: str = "", standing: Standing | None = None) -> str:
    """The token of a new link, told once; an earlier link of the person is withdrawn. `standing`: what the caller has
    changed of how they log in."""
    if not person.is_active:
        raise Refused("has_left", f"{person} has left: nobody logs in by that name again.", status=NOT_NOW)
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    open_ones = Invitation.objects.filter(person=person, used_at__isnull=True, withdrawn_at__isnull=True)
    open_ones.update(withdrawn_at=timezone.now())
    token = secrets.token_urlsafe(32)
    Invitation.objects.create(
        person=person, token_sha256=_kept(token)[0], expires_at=timezone.now() + VALID_FOR
    )
    audit.record(actor, "people.invited", subject=person, reason=reason, standing=standing)
    return token


def by_token(token: str) -> Invitation | None:
    """One that can still be used."""
    found = Invitation.objects.filter(
        token_sha256__in=_kept(token),
        used_at__isnull=True,
        withdrawn_at__isnull=True,
        expires_at__gt=timezone.now(),
        person__is_active=True,
    )
    return found.select_related("person").first()


@transaction.atomic
def accept(token: str, password: str) -> User:
    """The person sets their password by the link, which serves once."""
    found = by_token(token)
    locked = Invitation.objects.select_for_update().get(pk=found.pk) if found else None
    if found is None or locked is None or locked.used_at or locked.withdrawn_at:
        text = "This link was used, has expired or was replaced by a newer one. Ask an administrator for a new one."
        raise Refused("no_invitation", text, status=NOT_NOW)
    person = found.person
    set_password(person, password)
    locked.used_at = timezone.now()
    locked.save(update_fields=["used_at"])
    sessions.end_all(person)
    audit.record(person, "people.invitation_used", subject=person, standing=vouched.with_password(person))
    return person


def set_password(person: User, password: str, field: str = "password") -> None:
    """As the policy (AUTH_PASSWORD_VALIDATORS) wants it; all that is wrong with it at once."""
    try:
        validate_password(password, person)
    except ValidationError as error:
        raise Refused(
            FORM, " ".join(error.messages), faults=[Fault(field, each) for each in error.messages]
        ) from None
    person.set_password(password)
    person.save(update_fields=["password"])


def renew_hash(person: User, password: str) -> None:
    """Of a password that was right just now: its hash as today's settings make it, if it is an earlier one's."""
    if hashers.identify_hasher(person.password).algorithm == hashers.get_hasher().algorithm and not (
        hashers.get_hasher().must_update(person.password)
    ):
        return
    with transaction.atomic():
        person.set_password(password)
        person.save(update_fields=["password"])
        standing = vouched.with_password(person)
        audit.record(person, "people.password_rehashed", subject=person, standing=standing)


def change_password(person: User, old: str, new: str, log_in: LogIn | None) -> None:
    """By the person; every other log-in of theirs ends. Wrong guesses of the old one count like failed log-ins."""
    knock = guard.admit(guard.Knock.of(person.username, browser="own password"))
    if not person.check_password(old):
        guard.failed(knock, person, "change of password")
        raise wrong("old", "That is not your password.")
    guard.forgive(knock)
    if old == new:
        raise wrong("new", "Choose another one than before.")
    with transaction.atomic():
        set_password(person, new, "new")
        sessions.end_all(person, but=log_in)
        standing = vouched.with_password(person)
        audit.record(person, "people.password_changed", subject=person, standing=standing)
