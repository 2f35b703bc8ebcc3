"""The audit trail is added to, and nothing else."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from config.kit.origin import Origin, acting_from
from people.audit import audit
from people.models import AuditRecord, Premises, Role, User


def test_record_says_who_what_where_why(person: Callable[..., User], harbour: Premises) -> None:
    actor = person("mere", Role.FINANCE)
    with acting_from(Origin("10.1.2.3", "till-7.0042")):
        entry = audit.record(
            actor, "tests.act", premises=harbour, subject=actor, reason="because", details={"a": 1}
        )
    entry.refresh_from_db()
    assert (entry.actor, entry.actor_label, entry.action) == (actor, "Mere (mere)", "tests.act")
    assert (entry.premises, entry.subject) == (harbour, f"people.user:{actor.pk}")
    assert (entry.reason, entry.ip, entry.details) == ("because", "10.1.2.3", {"a": 1})
    assert (entry.request_id, entry.at is not None) == ("till-7.0042", True)
    elsewhere = audit.record("settlement", "tests.act")
    assert (elsewhere.ip, elsewhere.request_id, elsewhere.actor_label) == (None, "", "settlement")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people_auditrecord SET reason = 'other'",
        "DELETE FROM people_auditrecord",
        "TRUNCATE people_auditrecord",
        "TRUNCATE people_auditrecord CASCADE",
    ],
)
def test_raw_sql_cannot_change_the_trail(statement: str) -> None:
    audit.record("beat", "tests.act")
    connection.cursor().execute(
        "SET CONSTRAINTS ALL IMMEDIATE"
    )  # else TRUNCATE stumbles over foreign keys first
    with pytest.raises(IntegrityError, match="never changed or removed"), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditRecord.objects.get().actor_label == "beat"


@pytest.mark.django_db
def test_nobody_acts_without_a_name() -> None:
    with pytest.raises(IntegrityError, match="audit_actor_named"), transaction.atomic():
        audit.record("", "tests.act")
