"""The one way to write the audit trail. Reading it is a page's business; changing it is nobody's.

Each record has a hallmark: a signature by a key that is not in the database. Whoever has a log-in to it can add a row,
but none that bears one (`manage.py verify` finds it), and so no change of a role, password, token, link or approval
that the trail vouches for."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Q, QuerySet

from config.kit import keys, origin
from config.kit.canonical_json import canonical_json
from people.audit import shipping
from people.models import AuditRecord, Premises, RoleGrant, User
from people.on_record.standing import Standing, marked

_USER = "people.user:"
_PLACE = (
    "SELECT nextval(pg_get_serial_sequence('people_auditrecord', 'id')), potline_stamp(pg_current_xact_id())"
)
"""What the row will be called, and the stamp that the database will give it."""


def record(
    actor: User | str,
    action: str,
    *,
    premises: Premises | None = None,
    subject: models.Model | str = "",
    reason: str = "",
    details: dict[str, Any] | None = None,
    standing: Standing | None = None,
) -> AuditRecord:
    """Adds a record in the caller's transaction, so that the act and its record stand or fall together.

    `actor` is a person, or the name of a program where none acts (`"settlement"`). From where
    and in which request is known (config.kit.origin). `standing`: how the subject may let somebody in from now on,
    where the act changes that (people.on_record.standing).
    """
    now = origin.current()
    made = AuditRecord(
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
    with transaction.atomic(savepoint=False):  # nobody goes on without the record
        with connection.cursor() as cursor:
            cursor.execute(_PLACE)
            made.pk, made.xact_id = cursor.fetchone()
        if standing is not None:
            kind, state = standing
            made.standing = marked(kind, made.subject, made.pk, state)
        made.hallmark = keys.hallmark(keys.AUDIT_TRAIL, _content(made))
        made.save(force_insert=True)
    shipping.after_commit(made)
    return made


def is_genuine(record: AuditRecord) -> bool:
    """Whether a process of Potline wrote it, as it stands: nobody else has the key."""
    return keys.is_signed(keys.AUDIT_TRAIL, _content(record), record.hallmark or "")


def genuine(records: QuerySet[AuditRecord]) -> AuditRecord | None:
    """The newest of them that a process of Potline wrote; those from before hallmarks count, the seals hold them."""
    for record in records.order_by("-pk"):
        if record.hallmark is None or is_genuine(record):
            return record
    return None


def _content(record: AuditRecord) -> bytes:
    """Number and stamp are in it, so that no record can be written a second time."""
    standing = (
        [] if record.standing is None else [record.standing]
    )  # records from before have no place for it
    return canonical_json(
        [
            record.pk,
            record.xact_id,
            record.actor_id,
            record.actor_label,
            record.action,
            record.premises_id,
            record.subject,
            record.reason,
            None if record.ip is None else str(ip_address(record.ip)),
            record.request_id,
            record.details,
            *standing,
        ]
    ).encode()


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
