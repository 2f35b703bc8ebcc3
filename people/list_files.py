"""The lists of people's pages as files: the audit trail, alerts, approvals, people, premises."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

from config.kit.moments import WHOLE, told
from people.alerts import alert_marks, alerts
from people.approvals import approvals
from people.models import AuditRecord
from people.pages.lists import Listing, moment, number, text


def _local(record: AuditRecord) -> Any:
    return record.at.astimezone(ZoneInfo(record.premises.time_zone) if record.premises else UTC)


AUDIT_TRAIL = Listing(
    "audit-trail",
    "Audit trail",
    (
        number("number", "Number", "pk"),
        moment("at_utc", "When (UTC)", "at"),
        text("at_premises", "When, at the premises", lambda row: told(row.at, row.premises or UTC, WHOLE)),
        text("zone", "Zone", lambda row: f"{_local(row).tzinfo} ({_local(row).tzname()})"),
        text("who", "Who", "actor_label"),
        text("act", "What", "action"),
        text("premises", "Premises", "premises.code"),
        text("about", "About", "subject"),
        text("reason", "Why"),
        text("address", "From", "ip"),
        text("request", "Request", "request_id"),
        text("details", "Details", lambda row: json.dumps(row.details, sort_keys=True)),
    ),
)


def _state_of(alert: Any) -> str:
    if not alert_marks.is_genuine(alert):
        return "forged"
    return "open" if alert.is_open else "over"


def _looked(alert: Any, column: str) -> Any:
    made = alerts.acknowledgement_of(alert)
    return getattr(made, column) if made else None


ALERTS = Listing(
    "alerts",
    "Alerts",
    (
        number("number", "Number", "pk"),
        text("state", "State", lambda row: _state_of(row)),
        text("severity", "Severity", lambda row: alerts.severity_of(row).label),
        text("what", "What", lambda row: alerts.title_of(row.kind)),
        text("premises", "Premises", "premises.code"),
        text("about", "About", "subject"),
        text("text", "In words"),
        moment("raised_at", "Raised"),
        moment("until", "Over by itself"),
        text("looked", "Who looked", lambda row: _looked(row, "actor")),
        moment("looked_at", "When", lambda row: _looked(row, "at")),
        text("note", "What they say", lambda row: _looked(row, "note")),
    ),
)
APPROVALS = Listing(
    "approvals",
    "Approvals",
    (
        number("number", "Request", "pk"),
        text("what", "What", lambda row: approvals.title_of(row.action)),
        text("premises", "Premises", "premises.code"),
        text("state", "State", lambda row: row.get_state_display()),
        text("reason", "Why"),
        text("asked_by", "Asked by", "requested_by"),
        moment("asked_at", "Asked", "requested_at"),
        moment("expires_at", "Until"),
        text("decided_by", "Decided by"),
        moment("decided_at", "Decided"),
        text("note", "Note", "decision_note"),
        moment("used_at", "Done"),
        text("fingerprint", "Fingerprint of what was asked", "payload_sha256"),
    ),
)


def _state(row: Any) -> str:
    if not row.is_active:
        return "left"
    return "active" if row.has_usable_password() else "invited"


PEOPLE = Listing(
    "people",
    "People",
    (
        text("name", "Name"),
        text("username", "User name"),
        text(
            "roles",
            "Roles",
            lambda row: "; ".join(
                f"{each.get_role_display()}, {each.premises}" for each in row.role_grants.all()
            ),
        ),
        text("second_factor", "Second factor", lambda row: bool(_confirmed(row))),
        moment("last_used", "Last seen, of who is logged in"),
        moment("last_login", "Last log-in"),
        text("state", "State", _state),
    ),
)


def _confirmed(row: Any) -> Any:
    return row.second_factor.confirmed_at if hasattr(row, "second_factor") else None


PREMISES = Listing(
    "premises",
    "Premises",
    (
        text("name", "Name"),
        text("code", "Code"),
        text("currency", "Currency"),
        text("time_zone", "Time zone"),
        number("rollover_hour", "Day begins at"),
        text("rulebook", "Rulebook"),
    ),
)
