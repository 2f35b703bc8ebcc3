"""The one way to write the audit trail. Reading it is a page's business; changing it is nobody's."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.http import HttpRequest

from config.middleware import current_request_id
from people.models import AuditRecord, Premises, User


def record(
    actor: User | str,
    action: str,
    *,
    premises: Premises | None = None,
    subject: models.Model | str = "",
    reason: str = "",
    ip: str | None = None,
    details: dict[str, Any] | None = None,
) -> AuditRecord:
    """Adds a record in the caller's transaction, so that the act and its record stand or fall together.

    `actor` is a person, or the name of a program where none acts (`"beat"`). `ip` is `client_ip(request)`.
    """
    return AuditRecord.objects.create(
        actor=actor if isinstance(actor, User) else None,
        actor_label=f"{actor.name} ({actor.username})" if isinstance(actor, User) else actor,
        action=action,
        premises=premises,
        subject=subject if isinstance(subject, str) else label_of(subject),
        reason=reason,
        ip=ip,
        request_id=current_request_id(),
        details=details or {},
    )


def label_of(subject: models.Model) -> str:
    """How a row is named in the trail: people.user:7."""
    return f"{subject._meta.label_lower}:{subject.pk}"


def client_ip(request: HttpRequest) -> str | None:
    """Where a request came from. Behind a proxy uvicorn fills it in (FORWARDED_ALLOW_IPS)."""
    return request.META.get("REMOTE_ADDR") or None
