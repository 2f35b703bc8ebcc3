"""Vouching at the machine for rows that let somebody in: once after an upgrade, for what the audit trail bears out; and
where the secret was lost, for what stands there, by whoever runs the machine alone (`manage.py vouch`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import connection, models, transaction

from config.kit.triggers import sealed
from people.audit import audit
from people.log_ins import second_factor
from people.models import AuditRecord, RoleGrant, SecondFactor
from people.on_record import not_on_record, standing
from people.on_record.standing import PEOPLE, Rows

VOUCHED = "people.vouched"
BROKEN = "people.glass_broken"
AT_THE_MACHINE = "command line"


def all_that_is_borne_out() -> tuple[int, list[str]]:
    """Rows from before there were such records, of which each change has its audit record. How many, and in words those
    that are left as they are: they open nothing."""
    done, left = 0, []
    for rows in standing.registered():
        for pk in rows.numbers():
            with transaction.atomic():
                row = rows.locked(pk)
                if row is None or standing.now_on_record(rows.kind, pk) is not None:
                    continue
                if not all(_is_borne_out(about, rows.kind.subject(pk)) for about in _parts(rows, row)):
                    left.append(f"{rows.word} {row}")
                    continue
                state = rows.state_of(row)
                audit.record(AT_THE_MACHINE, VOUCHED, subject=row, standing=(rows.kind, state))
                done += 1
    return done + _second_factors(), left


def _parts(rows: Rows, row: models.Model) -> Iterator[models.Model]:
    """The row, and what else its state is made of."""
    yield row
    if rows.kind == PEOPLE:
        yield from RoleGrant.objects.filter(user_id=row.pk).order_by("pk")


def _is_borne_out(row: models.Model, subject: str) -> bool:
    """Whether it stands as its last step says, and each of its steps has a genuine record in its own transaction."""
    label, table = row._meta.label_lower, row._meta.db_table
    kind = next(each for each in sealed.step_kinds() if each.kind == label)
    content = sealed.content_of(kind, apps.get_model(label), "r")
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT s.xact_id, s.content = (SELECT {content} FROM {table} r WHERE r.id = s.row_id)"  # noqa: S608
            " FROM ledger_step s WHERE s.kind = %s AND s.row_id = %s ORDER BY s.id",
            [label, row.pk],
        )
        steps = cursor.fetchall()
    return bool(steps) and bool(steps[-1][1]) and all(_is_recorded(stamp, subject) for stamp, _ in steps)


def _is_recorded(stamp: int, subject: str) -> bool:
    """By a record with a hallmark, or by one from before there were any: nobody adds such a one."""
    records = AuditRecord.objects.filter(xact_id=stamp, subject=subject)
    return any(record.hallmark is None or audit.is_genuine(record) for record in records)


def _second_factors() -> int:
    """Those whose record is from before records named the secret."""
    done = 0
    for row in (
        SecondFactor.objects.filter(confirmed_at__isnull=False).select_related("person").order_by("pk")
    ):
        record = second_factor.on_record(row.person)
        stands = record is not None and record.action in second_factor.STANDS
        if record is not None and stands and "mark" not in record.details:
            done += second_factor.vouch(row)
    return done


@transaction.atomic
def break_the_glass(chosen: Iterable[tuple[Rows, int]], reason: str) -> list[str]:
    """For these as they stand, whoever wrote them; in words those that were not as on record. An urgent alert tells it
    to administrators and auditors."""
    told = []
    for rows, pk in chosen:
        row = rows.locked(pk)
        if row is None:
            continue
        state = rows.state_of(row)
        if standing.now_on_record(rows.kind, pk) == state:
            continue
        audit.record(AT_THE_MACHINE, BROKEN, subject=row, reason=reason, standing=(rows.kind, state))
        told.append(f"{rows.word} {row}")
    if told:
        record = audit.record(AT_THE_MACHINE, BROKEN, reason=reason, details={"vouched_for": told})
        text = (
            f"Whoever runs the machine has vouched for {', '.join(told)}, as the database has them, because: {reason}."
            " If that was nobody whom you know, take these log-ins and tokens away."
        )
        not_on_record.tell_of_broken_glass(record.pk, text)
    return told
