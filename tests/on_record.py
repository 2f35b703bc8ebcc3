"""People, roles and tokens that a test writes as rows, and vouches for as `manage.py vouch` would: what is on no record
opens nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models, transaction

from people.audit import audit
from people.models import Premises, Role, RoleGrant, User
from people.on_record import standing


def vouch(*rows: models.Model) -> None:
    """For these as they stand in the database now."""
    for row in rows:
        known = next(each for each in standing.registered() if each.kind.label == row._meta.label_lower)
        with transaction.atomic():
            locked = known.locked(row.pk)
            state = known.state_of(locked)
            audit.record("test", "test.vouched", subject=row, standing=(known.kind, state))


def add_user(username: str, **given: Any) -> User:
    user = User.objects.create_user(username, **given)
    vouch(user)
    return user


def give(user: User, premises: Premises, role: Role | str, granted_at: datetime | None = None) -> RoleGrant:
    """A role without an approval."""
    more = {} if granted_at is None else {"granted_at": granted_at}
    grant = RoleGrant.objects.create(user=user, premises=premises, role=role, **more)
    vouch(user)
    return grant


def take(user: User, premises: Premises | None = None, role: Role | str | None = None) -> None:
    """A person's roles, or some of them."""
    given = {name: value for name, value in (("premises", premises), ("role", role)) if value is not None}
    RoleGrant.objects.filter(user=user, **given).delete()
    vouch(user)
