"""Sessions of web, workers and signs that are in others' way for too long: a worker has the database end them, and
tells who it was. What a role sets for itself does not count (people/sql/parts_1.sql)."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from config.kit.fastsql.statements import rows_of
from people.alerts import alerts
from people.models import Role

HELD_OPEN = alerts.declare(
    "people.held_open",
    gettext_noop("A session held others up and was ended"),
    severity=alerts.Severity.URGENT,
    roles=[Role.ADMINISTRATOR],
)
NOT_BOUNDED = alerts.declare(
    "people.not_bounded",
    gettext_noop("Nobody may end sessions that hold others up"),
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
)
_WHAT = {
    "in the way": "had written, locked rows or made others wait for {seconds} seconds",
    "open": "had a transaction open for {seconds} seconds",
    "advisory lock": "held an advisory lock, which no program of Potline takes in that role",
}


def end() -> int:
    """How many were ended."""
    found = 0
    for role, session, seconds, what, ended in rows_of("SELECT * FROM potline_end_overlong()", []):
        if what == "blind":
            text = (
                f"The owner of Potline's tables may not end sessions of the role {role}: what they hold stays held."
                " An administrator of the server grants the role to the owner; docs/operations.md says how."
            )
            alerts.raise_alert(NOT_BOUNDED, f"role {role}", text)
            continue
        found += ended
        done = "It was ended." if ended else "It could not be ended."
        text = (
            f"Session {session} of the role {role} {_WHAT[what].format(seconds=seconds)}. {done} A program of Potline"
            " does not do that: see who has the role's password."
        )
        alerts.raise_alert(HELD_OPEN, f"role {role}", text)
    return found
