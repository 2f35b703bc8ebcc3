"""The alerts of rows that let somebody in and are not as they stand on record. Such a row opens nothing; each is told
once, with what to do about it."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.utils.translation import gettext_noop

from people.alerts import alerts
from people.models import Role, User
from people.on_record.standing import LOOK, PEOPLE
from people.on_record.vouched import PersonFound

logger = structlog.get_logger(__name__)
FORGED_PERSON = alerts.declare(
    "people.not_on_record",
    gettext_noop("Somebody's log-in or role was changed past Potline"),
    severity=alerts.Severity.URGENT,
    roles=[Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)
GLASS_BROKEN = alerts.declare(
    "people.vouched_at_the_machine",
    gettext_noop("Whoever runs the machine has vouched for log-ins or tokens"),
    severity=alerts.Severity.URGENT,
    roles=[Role.ADMINISTRATOR, Role.AUDITOR],
)


def _tell(subject: str, text: str) -> None:
    """In the log as well: where the caller's transaction is taken back, the alert goes with it."""
    logger.error("not_on_record", subject=subject, text=text)
    alerts.raise_alert(FORGED_PERSON, subject, text)


def tell_of_person(found: PersonFound) -> None:
    person = User.objects.get(pk=found.pk)
    name = f"{person.name} ({person.username})"
    if found.state is None:
        text = (
            f"{name} stands on no record of Potline, and so does not log in and has no role: if a new version was"
            f" installed just now, run `manage.py vouch` on the machine, else {LOOK}."
        )
    elif not found.logs_in_as_recorded:
        text = (
            f"The password or log-in of {name} was changed in the database past Potline, and opens nothing: {LOOK},"
            f" then give {person.name} a new link on the page about people."
        )
    else:
        roles = " and ".join(found.others)
        text = (
            f"{name} was given the role {roles} in the database past Potline, and it counts for nothing: {LOOK}, then"
            f" take it away on the page about {person.name}."
        )
    _tell(PEOPLE.subject(found.pk), text)


def tell_of_second_factor(person: User) -> None:
    text = (
        f"The second factor of {person.name} ({person.username}) was put into the database past Potline, and no code"
        f" of it is taken: {LOOK}, then give {person.name} a new link on the page about people."
    )
    _tell(f"{PEOPLE.subject(person.pk)} second factor", text)


def tell_of_broken_glass(record: int, text: str) -> None:
    logger.warning("glass_broken", record=record, text=text)
    alerts.raise_alert(GLASS_BROKEN, f"audit record {record}", text)
