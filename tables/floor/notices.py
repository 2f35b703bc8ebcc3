"""What is told to a Government inspector, on record, and which inspector has taken it. Changes of limits tell theirs
themselves (tables.floor.changes)."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from config.kit.refusals import NOT_NOW, Refused, wrong
from people import access
from people.audit import audit
from people.models import Role, User
from rules.notices import notices_of
from tables.models import InspectorNotice, NoticeAcknowledgement, Table

WHO = (Role.SUPERVISOR, Role.AUDITOR)
"""Whoever stands beside the inspector writes down that it was taken."""


@transaction.atomic
def tell_inspector(table_id: int, actor: User, kind: str, text: str) -> InspectorNotice:
    table = Table.objects.select_related("premises", "config").get(pk=table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    known = notices_of(table.config.game)
    if kind not in known:
        there_are = ", ".join(known) or "none for this game"
        raise wrong("kind", f"{kind!r} is nothing that its rulebook asks to be told; known: {there_are}.")
    notice = InspectorNotice.objects.create(
        table=table, kind=kind, rule=known[kind].rule, text=text.strip(), made_by=actor
    )
    details = {"kind": kind, "rule": notice.rule}
    audit.record(
        actor,
        "tables.inspector_told",
        premises=table.premises,
        subject=table,
        reason=notice.text,
        details=details,
    )
    return notice


def acknowledge_notice(notice_id: int, actor: User, inspector: str) -> NoticeAcknowledgement:
    notice = InspectorNotice.objects.select_related("table__premises").get(pk=notice_id)
    access.require(actor, WHO, notice.table.premises)
    try:
        with transaction.atomic():
            taken = NoticeAcknowledgement.objects.create(
                notice=notice, inspector=inspector.strip(), actor=actor
            )
            audit.record(
                actor,
                "tables.notice_acknowledged",
                premises=notice.table.premises,
                subject=notice.table,
                details={"notice": notice.pk, "inspector": taken.inspector},
            )
    except IntegrityError:
        text = "That an inspector has taken this notice is written down already."
        raise Refused("already_acknowledged", text, status=NOT_NOW) from None
    taken.refresh_from_db()
    return taken
