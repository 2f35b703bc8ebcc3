"""Potline's own system checks, for `manage.py check --deploy`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import Error as DatabaseError

from config import demo


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
