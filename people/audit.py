"""The one way to write the audit trail. Reading it is a page's business; changing it is nobody's."""

from __future__ import annotations

from typing import Any

from django.db import models

from config import origin
from people.models import AuditRecord, Premises, User


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
    return AuditRecord.objects.create(
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


def name_of(person: User) -> str:
    """How a person is named in the trail, for as long as the trail is kept."""
    return f"{person.name} ({person.username})"


def label_of(subject: models.Model) -> str:
    """How a row is named in the trail: people.user:7."""
    return f"{subject._meta.label_lower}:{subject.pk}"
