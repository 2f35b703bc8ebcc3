"""What is recorded of people: the audit trail by its hallmarks; approvals, roles and log-ins beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from config.kit import keys
from config.kit.moments import MOMENT, told
from ledger.verify.books import first_hallmark, rows, unrecorded
from ledger.verify.verify import Fault, Span, register
from people.alerts import alert_marks
from people.audit import audit
from people.log_ins import second_factor, signed_log_ins
from people.models import Alert, AlertAcknowledgement, AuditRecord, LogIn, SecondFactor, User
from people.on_record import vouched

BATCH = 1_000


@register("ledger.audit", "Every audit record was written by a process of Potline")
def trail_is_genuine(span: Span) -> Iterator[Fault]:
    """Records from before hallmarks have none; the seals over them hold them fast."""
    keys.demand_a_kept_one()
    first = first_hallmark()
    records = AuditRecord.objects.filter(**span.of()).order_by("xact_id", "id")
    for record in records.iterator(chunk_size=BATCH):
        if audit.is_genuine(record) or (record.hallmark is None and record.xact_id < first):
            continue
        what = f"{record.action} of {record.subject}" if record.subject else record.action
        words = f"no process of this installation wrote it: {what}, in the name of {record.actor_label}"
        yield Fault(f"audit record {record.pk}", words)


@register("ledger.alerts", "Every alert was told by a process of Potline, and looked at by whom it names")
def alerts_are_genuine(span: Span) -> Iterator[Fault]:
    """Those from before hallmarks have none; the seals over them hold them fast."""
    keys.demand_a_kept_one()
    told = Alert.objects.filter(hallmark__isnull=False).order_by("pk").values_list("xact_id", flat=True)
    first = told.first() or sys.maxsize
    found = Alert.objects.filter(**span.of()).order_by("xact_id", "id")
    for alert in found.iterator(chunk_size=BATCH):
        if not alert_marks.is_genuine(alert) or (alert.hallmark is None and alert.xact_id > first):
            words = f"no process of this installation told it: {alert.kind} about {alert.subject}"
            yield Fault(f"alert {alert.pk}", words)
    looks = AlertAcknowledgement.objects.filter(**span.of()).select_related("actor").order_by("xact_id", "id")
    for look in looks.iterator(chunk_size=BATCH):
        if not alert_marks.is_own_word(look) or (look.hallmark is None and look.xact_id > first):
            words = f"no process of this installation heard it from {look.actor}, about alert {look.alert_id}"
            yield Fault(f"acknowledgement {look.pk}", words)


@register("ledger.people", "Roles and log-ins changed only on record")
def people_recorded(span: Span) -> Iterator[Fault]:
    """A role is given and taken with a record that names person, premises and role. A person who was added has nothing
    yet; each change of how they log in has a record."""
    found: list[tuple[int, str, datetime]] = rows(  # type: ignore[assignment]
        """
        SELECT s.row_id, s.state, s.at FROM ledger_step s LEFT JOIN people_rolegrant g ON g.id = s.row_id
        WHERE s.kind = 'people.rolegrant' AND s.xact_id >= %(start)s AND s.xact_id < %(below)s
            AND s.xact_id > %(first)s AND NOT EXISTS (
                SELECT FROM people_auditrecord a WHERE a.xact_id = s.xact_id
                    AND a.action = CASE s.state WHEN 'gone' THEN 'people.role_taken' ELSE 'people.role_granted' END
                    AND (g.id IS NULL OR (a.subject = 'people.user:' || g.user_id AND a.premises_id = g.premises_id
                        AND a.details ->> 'role' = g.role))
            ) ORDER BY s.id
        """,
        start=span.start,
        below=span.below,
        first=first_hallmark(),
    )
    for row_id, state, at in found:
        what = "taken" if state == "gone" else "given"
        words = f"it was {what} at {told(at, form=MOMENT)}, which the audit trail does not know"
        yield Fault(f"role {row_id}", words)
    for person, at, _ in unrecorded("people.user", span):
        words = f"name, password or log-in was changed at {told(at, form=MOMENT)}, which the audit trail does not know"
        yield Fault(f"person {person}", words)


@register("ledger.log_ins", "Log-ins under way and second factors are as people left them", in_pieces=False)
def ways_in_hold(span: Span) -> Iterator[Fault]:
    """A log-in is signed; whether a person has a second factor, and a mark of its secret, is in the audit trail."""
    keys.demand_a_kept_one()
    since = timezone.now() - settings.LOG_IN_LIFETIME
    under_way = LogIn.objects.filter(ended_at__isnull=True, hallmark__isnull=False, began_at__gt=since)
    for row in under_way.order_by("pk"):
        if not signed_log_ins.is_genuine(row):
            who = f"person {row.person_id}"
            words = f"no process of this installation signed when {who} used it and gave password or code"
            yield Fault(f"log-in {row.pk}", words)
    told = (*second_factor.STANDS, *second_factor.OVER)
    records = AuditRecord.objects.filter(action__in=told).order_by("subject", "-pk").distinct("subject")
    newest = {record.subject: record for record in records}
    rows = SecondFactor.objects.filter(confirmed_at__isnull=False).select_related("person").order_by("pk")
    for factor in rows:
        where, record = f"second factor {factor.pk}", newest.pop(audit.label_of(factor.person), None)
        if record is None or record.action not in second_factor.STANDS:
            yield Fault(where, f"person {factor.person_id} has it, which the audit trail does not know")
            continue
        secret = second_factor.secret_of(factor)
        if secret is None or not second_factor.is_as_recorded(factor, secret, record):
            yield Fault(where, f"its secret is not the one that person {factor.person_id} has set up")
        if factor.last_step > second_factor.step_now() + second_factor.STEPS_AROUND:
            yield Fault(where, "its last code is of a moment that is still to come")
    for subject, record in newest.items():
        if record.action in second_factor.STANDS:
            who = subject.partition(":")[2]
            yield Fault(f"person {who}", "their second factor is gone, which the audit trail does not know")


@register("ledger.standing", "Passwords and roles are as they stand on record", in_pieces=False)
def people_stand_on_record(span: Span) -> Iterator[Fault]:
    """Neither changed past Potline nor put back: the newest genuine record of a person names password and roles."""
    keys.demand_a_kept_one()
    people = list(User.objects.order_by("pk").values_list("pk", flat=True))
    for found in vouched.read(people):
        where = f"person {found.pk}"
        if found.state is None:
            if found.opens_something:
                yield Fault(
                    where, "no process of this installation has put their password and roles on record"
                )
            continue
        if not found.logs_in_as_recorded:
            yield Fault(where, "name, password or log-in are not as they stand on record, and open nothing")
        for role in found.others:
            yield Fault(where, f"the role {role} does not stand on record, and counts for nothing")


@register("ledger.approvals", "Approvals are in the audit trail, by those whom they name")
def approvals_recorded(span: Span) -> Iterator[Fault]:
    """Each step of a request was recorded in its own transaction, with the name of whoever took it."""
    for row_id, state, name in rows(
        """
        SELECT s.row_id, s.state, u.username FROM ledger_step s JOIN people_approvalrequest r ON r.id = s.row_id
        LEFT JOIN people_user u ON u.id = CASE s.state WHEN 'requested' THEN r.requested_by_id
            WHEN 'used' THEN NULL ELSE r.decided_by_id END
        WHERE s.kind = 'people.approvalrequest' AND s.xact_id >= %(start)s AND s.xact_id < %(below)s
            AND NOT EXISTS (
                SELECT FROM people_auditrecord a WHERE a.subject = 'people.approvalrequest:' || s.row_id
                    AND a.action = 'people.approval_' || s.state AND a.xact_id <= s.xact_id
                    AND (u.id IS NULL OR a.actor_id = u.id)
                    AND a.details ->> 'payload_sha256' = r.payload_sha256
            ) ORDER BY s.id
        """,
        start=span.start,
        below=span.below,
    ):
        who = f" by {name}" if name else ""
        yield Fault(f"approval {row_id}", f"it is {state}{who}, which the audit trail does not know")
    for (row_id,) in rows(
        "SELECT o.id FROM ledger_openitem o LEFT JOIN people_approvalrequest a ON a.id = o.approval_id"
        " AND a.state = 'used' AND a.action = 'ledger.carry_over' AND a.payload_json::jsonb ->> 'item' = o.item_key"
        " AND a.payload_json::jsonb ->> 'check' = o.check_name"
        " WHERE o.xact_id >= %(start)s AND o.xact_id < %(below)s AND a.id IS NULL",
        start=span.start,
        below=span.below,
    ):
        yield Fault(f"open item {row_id}", "no second person approved it")
