"""Potline's own system checks, for `manage.py check --deploy`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import Error as DatabaseError

from config.kit import demo, logins


def demo_stays_in_its_database(**_: Any) -> list[CheckMessage]:
    """No demo, no demo database, and no public password or token that works."""
    if settings.DEMO:
        return [Error("POTLINE_DEMO is 1: the demo has public passwords.", id="potline.E001")]
    try:
        reason = demo.refusal()
    except DatabaseError as error:
        said = " ".join(str(error).split())
        return [Warning(f"The database cannot be asked whether it is a demo: {said}", id="potline.W001")]
    return [Error(reason, id="potline.E002")] if reason else []


APART = "docs/operations.md, On real servers: a login for each part, and POTLINE_KEYS for signs."


def parts_are_apart(**_: Any) -> list[CheckMessage]:
    """Each part that runs works as itself; where none runs, the login at hand is not the owner's."""
    try:
        found = logins.faults()
        if not logins.anybody_works() and logins.is_owner():
            found = [
                "DATABASE_URL is the login of the database's owner: no part of Potline should work as it."
            ]
    except DatabaseError:
        return []  # potline.W001 says that
    return [Warning(fault, hint=APART, id="potline.W002") for fault in found]
