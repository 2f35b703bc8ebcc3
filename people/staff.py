"""The verbs of an administrator: make premises and people, grant and take roles. Each leaves an audit record."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.db import transaction

from people import audit
from people.models import Premises, Role, RoleGrant, User

Actor = User | str


@transaction.atomic
def add_premises(
    actor: Actor, code: str, name: str, currency: str, time_zone: str, rollover_hour: int
) -> Premises:
    premises = Premises(
        code=code, name=name, currency=currency, time_zone=time_zone, rollover_hour=rollover_hour
    )
    premises.full_clean()
    premises.save()
    audit.record(actor, "people.premises_added", premises=premises, subject=premises)
    return premises


@transaction.atomic
def add_person(actor: Actor, username: str, name: str, password: str) -> User:
    user = User(username=username, name=name)
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    user.save()
    audit.record(actor, "people.person_added", subject=user, details={"username": username})
    return user


@transaction.atomic
def grant_role(actor: Actor, user: User, premises: Premises, role: Role, reason: str = "") -> bool:
    """True if it is new. Granting again changes nothing and leaves no record."""
    _, created = RoleGrant.objects.get_or_create(user=user, premises=premises, role=role)
    if created:
        details = {"role": role.value}
        audit.record(
            actor, "people.role_granted", premises=premises, subject=user, reason=reason, details=details
        )
    return created


@transaction.atomic
def take_role(actor: Actor, user: User, premises: Premises, role: Role, reason: str = "") -> bool:
    deleted, _ = RoleGrant.objects.filter(user=user, premises=premises, role=role).delete()
    if deleted:
        details = {"role": role.value}
        audit.record(
            actor, "people.role_taken", premises=premises, subject=user, reason=reason, details=details
        )
    return bool(deleted)


@transaction.atomic
def close_log_in(actor: Actor, user: User, reason: str) -> None:
    """The person can no longer log in, is logged out, and holds no role; what they did stays on record."""
    for grant in user.role_grants.select_related("premises"):
        take_role(actor, user, grant.premises, Role(grant.role), reason)
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["is_active", "password"])
    audit.record(actor, "people.log_in_closed", subject=user, reason=reason)
