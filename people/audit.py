"""The one way to write the audit trail. Reading it is a page's business; changing it is nobody's."""

from __future__ import annotations

from ipaddress import ip_address
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
        actor_label=name_of(actor) if isinstance(actor, User) else actor,
        action=action,
        premises=premises,
        subject=subject if isinstance(subject, str) else label_of(subject),
        reason=reason,
        ip=ip,
        request_id=current_request_id(),
        details=details or {},
    )


def name_of(person: User) -> str:
    """How a person is named in the trail, for as long as the trail is kept."""
    return f"{person.name} ({person.username})"


def label_of(subject: models.Model) -> str:
    """How a row is named in the trail: people.user:7."""
    return f"{subject._meta.label_lower}:{subject.pk}"


def client_ip(request: HttpRequest) -> str | None:
    """Where a request came from. Behind a proxy uvicorn fills it in (FORWARDED_ALLOW_IPS) with whatever the proxy was
    told; what is no address is none."""
    given, _, _ = request.META.get("REMOTE_ADDR", "").partition("%")  # PostgreSQL knows no zones of IPv6
    try:
        return str(ip_address(given))
    except ValueError:
        return None
