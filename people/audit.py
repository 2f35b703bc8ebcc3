"""The one way to write the audit trail. Reading it is a page's business; changing it is nobody's."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q, QuerySet

from config import origin
from people import shipping
from people.models import AuditRecord, Premises, RoleGrant, User

_USER = "people.user:"


def record(
    actor: User | str,
    action: str,
    *,
    premises: Premises | None = None,
    subject: models.Model | str = "",
    reason: str = "",
    details: dict[str, Any] | None = None,
) -> AuditRecord:
    """Adds a record in the caller's transaction, so that the act and its record stand or fall together.

    `actor` is a person, or the name of a program where none acts (`"settlement"`). From where
    and in which request is known (config.origin).
    """
    now = origin.current()
    made = AuditRecord.objects.create(
        actor=actor if isinstance(actor, User) else None,
        actor_label=name_of(actor) if isinstance(actor, User) else actor,
        action=action,
        premises=premises,
        subject=subject if isinstance(subject, str) else label_of(subject),
        reason=reason,
        ip=now.ip,
        request_id=now.request_id,
        details=details or {},
    )
    shipping.after_commit(made)
    return made


def visible_at(premises: QuerySet[Premises]) -> QuerySet[AuditRecord]:
    """The records of these premises; of those of none (log-ins, links) the ones by or about people who have or had a
    role there, and those that are about nobody."""
    people = people_of(premises)
    subjects = [f"{_USER}{pk}" for pk in people]
    about_nobody = Q(actor__isnull=True) & ~Q(subject__startswith=_USER)
    theirs = Q(actor__in=people) | Q(actor__isnull=True, subject__in=subjects) | about_nobody
    return AuditRecord.objects.filter(Q(premises__in=premises) | (Q(premises__isnull=True) & theirs))


def people_of(premises: QuerySet[Premises]) -> set[int]:
    """Who has a role there, or had one as far as the trail goes back."""
    now = RoleGrant.objects.filter(premises__in=premises).values_list("user_id", flat=True)
    granted = AuditRecord.objects.filter(premises__in=premises, action="people.role_granted")
    had = granted.filter(subject__startswith=_USER).values_list("subject", flat=True).distinct()
    return set(now) | {int(subject.removeprefix(_USER)) for subject in had}


def name_of(person: User) -> str:
    """How a person is named in the trail, for as long as the trail is kept."""
    return f"{person.name} ({person.username})"


def label_of(subject: models.Model) -> str:
    """How a row is named in the trail: people.user:7."""
    return f"{subject._meta.label_lower}:{subject.pk}"
