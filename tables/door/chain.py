"""The chain of a table's events: each link is a hash over the link before it, an event and its answer.

The last link, the *head*, goes out in each answer and comes back in the envelope of the next request, so that the
terminal holds from the first write on what nobody can change behind its back. A head that is not the table's newest is
an answer that was lost; one that the table never had is a database that was restored or rewritten: it is refused, and
people are told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from config.kit.canonical_json import sha256_of_plain
from config.kit.refusals import NOT_NOW, Refused, wrong_at
from people.alerts import alerts
from people.models import Role
from tables.models import Table, TableEvent

HEAD_UNKNOWN = alerts.declare(
    "tables.head_unknown",
    gettext_noop("A terminal knows of events that are not in the database"),
    severity=alerts.Severity.URGENT,
    roles=[Role.AUDITOR, Role.ADMINISTRATOR, Role.FINANCE, Role.SUPERVISOR],
)
_TEXT = re.compile(r"(\d{1,18}):((?:[0-9a-f]{64})?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Head:
    """After which number of the session the chain stands where. No hash: before the first event that has one."""

    number: int
    sha256: str

    def __str__(self) -> str:
        return f"{self.number}:{self.sha256}"


def parse_head(given: object) -> Head | None:
    """As it stood in an answer; None: the terminal holds none."""
    if given is None:
        return None
    found = _TEXT.fullmatch(given) if isinstance(given, str) else None
    if found is None:
        raise wrong_at("envelope.head", "as it stood in the last answer, such as '41:9f86…'.")
    return Head(int(found[1]), found[2])


def head_of(table: Table) -> Head:
    return Head(table.last_event, _hex(table.head))


def link(before: str, session: int, event_sha256: str, answer: dict[str, Any]) -> str:
    """docs/api.md spells it for terminals, which make the same."""
    return sha256_of_plain({"answer": answer, "before": before, "event": event_sha256, "session": session})


class HeadUnknown(Refused):
    """The terminal holds a head that the table never had."""

    def __init__(self, table: Table, given: Head) -> None:
        self.table, self.given = table, given
        super().__init__(
            "head_unknown",
            f"The last answer that this terminal holds of {table} is of event {given.number}, and Potline has no "
            f"such event, or another one; it stands at {table.last_event}. The database was restored, or changed: "
            "stop, and tell a supervisor.",
            status=NOT_NOW,
        )


def refuse_unknown(table: Table, given: Head | None) -> None:
    """Costs a query only where the terminal's head is not the newest."""
    if given is None or given == head_of(table):
        return
    events = TableEvent.objects.filter(table=table)
    if given.number:
        events = events.filter(session=table.session, number=given.number)
    else:  # the session's first event had none before it but those of earlier sessions
        events = events.filter(session__lt=table.session).order_by("-session", "-number")
    hashes = [_hex(event.head) for event in events[:1]] or ([] if given.number else [""])
    if given.number > table.last_event or given.sha256 not in hashes:
        raise HeadUnknown(table, given)


def tell_people(unknown: HeadUnknown) -> None:
    """After the request was undone: the alert stays."""
    table, given = unknown.table, unknown.given
    text = (
        f"The terminal of {table} at {table.premises.name} holds the answer to its event {given.number} "
        f"({given.sha256[:16]}…), which the database does not know: there the last event of session {table.session} is "
        f"{table.last_event}. Either it was restored from before, or rows were changed. Run manage.py verify against "
        "the file of seals outside, find out what was played since, then let another terminal take the table over; "
        "until then this one has stopped."
    )
    alerts.raise_alert(HEAD_UNKNOWN, table, text, premises=table.premises)


def _hex(head: bytes | memoryview | None) -> str:
    return "" if head is None else bytes(head).hex()
