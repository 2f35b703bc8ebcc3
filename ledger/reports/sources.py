"""The ledger's own report sources: trial balance, journal, exceptions; and people's alerts. Progressives are in
ledger.close.reconciliation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils.translation import gettext_noop

from config.kit.gaming_day import day_start
from config.kit.sheets.columns import Cell, Column, Row
from ledger.books import balances
from ledger.models import Entry
from ledger.reports.reports import Scope, Source, register
from people.alerts import alert_marks, alerts
from people.models import Alert, AlertAcknowledgement


def stream(statement: str, parameters: dict[str, Any], name: str) -> Iterator[Row]:
    """Rows of a query through a cursor on the server, some thousand at a time. Needs a transaction around it."""
    connection.ensure_connection()
    with connection.connection.cursor(name=name) as cursor:
        cursor.itersize = 2_000
        cursor.execute(statement, parameters)
        yield from cursor


def _trial_balance(scope: Scope) -> Iterator[Row]:
    for line in balances.trial_balance(scope.premises, scope.first, scope.last):
        yield (
            line.code,
            line.kind,
            line.currency,
            line.opening_micros,
            line.debit_micros,
            line.credit_micros,
            line.closing_micros,
        )


TRIAL_BALANCE = register(
    Source(
        "ledger.trial_balance",
        gettext_noop("Trial balance"),
        (
            Column("account", gettext_noop("Account")),
            Column("kind", gettext_noop("Kind")),
            Column("currency", gettext_noop("Currency")),
            Column("opening", gettext_noop("Opening"), Cell.MONEY, total=True),
            Column("debit", gettext_noop("Debits"), Cell.MONEY, total=True),
            Column("credit", gettext_noop("Credits"), Cell.MONEY, total=True),
            Column("closing", gettext_noop("Closing"), Cell.MONEY, total=True),
        ),
        _trial_balance,
        gettext_noop(
            "Every account with its movements; debits are positive, credits negative, the totals of "
            "each day are zero."
        ),
    )
)

# For each filter that is set, entries with a leg on its accounts.
_TOUCHES = """
    NOT EXISTS (SELECT FROM unnest(%(prefixes)s::text[]) wanted(prefix) WHERE NOT EXISTS (
        SELECT FROM ledger_posting tp JOIN ledger_account ta ON ta.id = tp.account_id
        WHERE tp.entry_id = e.id AND starts_with(ta.code, wanted.prefix)))
"""

_JOURNAL = f"""
    SELECT e.id, d.date, e.own_date, e.kind, e.reference, e.key, a.code, p.amount_micros, e.currency, c.key, e.memo,
        e.occurred_at, e.posted_at
    FROM ledger_entry e JOIN ledger_gamingday d ON d.id = e.day_id JOIN ledger_posting p ON p.entry_id = e.id
    JOIN ledger_account a ON a.id = p.account_id LEFT JOIN ledger_entry c ON c.id = e.corrects_id
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s AND {_TOUCHES}
    ORDER BY d.date, e.id, a.code
"""  # noqa: S608 (no value is interpolated)


def _parameters(scope: Scope) -> dict[str, Any]:
    return {
        "premises": scope.premises.pk,
        "first": scope.first,
        "last": scope.last,
        "prefixes": scope.account_prefixes,
        "begin": day_start(scope.premises, scope.first),
        "end": day_start(scope.premises, scope.last + timedelta(days=1)),
        "zone": scope.premises.time_zone,
        "rollover": scope.premises.rollover_hour,
    }


def _journal(scope: Scope) -> Iterator[Row]:
    return stream(_JOURNAL, _parameters(scope), "ledger_journal")


def _journal_count(scope: Scope) -> int:
    return Entry.objects.filter(
        day__premises=scope.premises, day__date__range=(scope.first, scope.last)
    ).count()


JOURNAL = register(
    Source(
        "ledger.journal",
        gettext_noop("Journal"),
        (
            Column("entry", gettext_noop("Entry"), Cell.NUMBER),
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("own_date", gettext_noop("Own date"), Cell.DATE),
            Column("kind", gettext_noop("Kind")),
            Column("reference", gettext_noop("Reference")),
            Column("key", gettext_noop("Key")),
            Column("account", gettext_noop("Account")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("currency", gettext_noop("Currency")),
            Column("corrects", gettext_noop("Corrects")),
            Column("memo", gettext_noop("Memo")),
            Column("occurred_at", gettext_noop("Occurred"), Cell.INSTANT),
            Column("posted_at", gettext_noop("Posted"), Cell.INSTANT),
        ),
        _journal,
        gettext_noop("Every leg of every entry."),
        _journal_count,
        large=True,
        filters=("table", "progressive"),
    )
)

_EXCEPTIONS = f"""
    SELECT d.date, e.id, x.what, e.kind, e.reference, e.own_date, c.key, x.amount, e.memo
    FROM ledger_entry e JOIN ledger_gamingday d ON d.id = e.day_id LEFT JOIN ledger_entry c ON c.id = e.corrects_id
    CROSS JOIN LATERAL (
        SELECT 'Late arrival' AS what, NULL::bigint AS amount WHERE e.own_date IS NOT NULL
        UNION ALL SELECT CASE e.kind WHEN 'void' THEN 'Void' WHEN 'resettlement' THEN 'Resettlement'
            ELSE 'Correction' END, NULL WHERE e.corrects_id IS NOT NULL
        UNION ALL SELECT CASE substring(a.code FROM '[^/]+$') WHEN 'top-up' THEN 'House money'
            WHEN 'rounding' THEN 'Rounding' WHEN 'recoverable' THEN 'Paid in error' ELSE 'Adjustment' END,
            p.amount_micros
            FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id
            WHERE p.entry_id = e.id AND a.code ~ '/(rounding|adjustments|recoverable|top-up)$'
    ) x
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s AND {_TOUCHES}
    UNION ALL
    SELECT d.date, NULL, 'Override: carried over', o.check_name, o.item_key, NULL, NULL, NULL,
        o.text || ' ' || o.reason || ' (' || asked.name || ', ' || approved.name || ')'
    FROM ledger_openitem o JOIN ledger_gamingday d ON d.id = o.day_id
    JOIN people_approvalrequest q ON q.id = o.approval_id
    JOIN people_user asked ON asked.id = q.requested_by_id JOIN people_user approved ON approved.id = q.decided_by_id
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
        AND cardinality(%(prefixes)s::text[]) = 0
    UNION ALL
    SELECT (q.used_at AT TIME ZONE %(zone)s - make_interval(hours => %(rollover)s))::date, NULL, 'Done by two people',
        q.action, 'approval:' || q.id, NULL, NULL, NULL,
        q.reason || ' (' || asked.name || ', ' || approved.name || ')'
    FROM people_approvalrequest q JOIN people_user asked ON asked.id = q.requested_by_id
    JOIN people_user approved ON approved.id = q.decided_by_id
    WHERE q.premises_id = %(premises)s AND q.state = 'used' AND q.used_at >= %(begin)s AND q.used_at < %(end)s
        AND q.action <> 'ledger.carry_over' AND cardinality(%(prefixes)s::text[]) = 0
    ORDER BY 1, 2, 3, 5
"""  # noqa: S608 (no value is interpolated)


def _exceptions(scope: Scope) -> Iterator[Row]:
    return stream(_EXCEPTIONS, _parameters(scope), "ledger_exceptions")


EXCEPTIONS = register(
    Source(
        "ledger.exceptions",
        gettext_noop("Exceptions in the books"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("entry", gettext_noop("Entry"), Cell.NUMBER),
            Column("what", gettext_noop("What")),
            Column("kind", gettext_noop("Kind")),
            Column("reference", gettext_noop("Reference")),
            Column("own_date", gettext_noop("Own date"), Cell.DATE),
            Column("corrects", gettext_noop("Corrects")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("memo", gettext_noop("Memo")),
        ),
        _exceptions,
        gettext_noop(
            "Voids, resettlements and other corrections, late arrivals, roundings, adjustments, "
            "house money in jackpots, amounts to be recovered, and overrides: what two people "
            "carried over or did together."
        ),
        filters=("table", "progressive"),
    )
)


_ALERTS = """
    SELECT a.raised_at, a.severity, a.kind, a.subject, a.occurrence, a.text, a.until, k.at, u.name, k.note,
        a.premises_id, a.origin, a.hallmark, k.alert_id, k.actor_id, k.hallmark
    FROM people_alert a LEFT JOIN people_alertacknowledgement k ON k.alert_id = a.id
    LEFT JOIN people_user u ON u.id = k.actor_id
    WHERE (a.premises_id = %(premises)s OR a.premises_id IS NULL) AND a.raised_at >= %(begin)s AND a.raised_at < %(end)s
    ORDER BY a.id
"""


def _alerts(scope: Scope) -> Iterator[Row]:
    for row in stream(_ALERTS, _parameters(scope), "people_alerts"):
        raised_at, severity, kind, subject, occurrence, text, until, at, name, note = row[:10]
        premises_id, origin, mark, alert_id, actor_id, look = row[10:]
        alert = Alert(
            severity=severity, kind=kind, subject=subject, occurrence=occurrence, text=text, until=until,
            premises_id=premises_id, origin=origin, hallmark=mark,
        )  # fmt: skip
        made = AlertAcknowledgement(alert_id=alert_id, actor_id=actor_id, note=note, at=at, hallmark=look)
        how_bad = alerts.severity_of(alert).name.lower() if alert_marks.is_genuine(alert) else "forged"
        looked = (at, name, note) if alert_id and alert_marks.is_own_word(made) else (None, None, None)
        yield raised_at, how_bad, kind, subject, occurrence, text, until, *looked


ALERTS = register(
    Source(
        "people.alerts",
        gettext_noop("Alerts"),
        (
            Column("raised_at", gettext_noop("Raised"), Cell.INSTANT),
            Column("severity", gettext_noop("How bad")),
            Column("kind", gettext_noop("Kind")),
            Column("subject", gettext_noop("About")),
            Column("occurrence", gettext_noop("Time"), Cell.NUMBER),
            Column("text", gettext_noop("What")),
            Column("until", gettext_noop("Until"), Cell.INSTANT),
            Column("acknowledged_at", gettext_noop("Acknowledged"), Cell.INSTANT),
            Column("acknowledged_by", gettext_noop("By")),
            Column("note", gettext_noop("Note")),
        ),
        _alerts,
        gettext_noop(
            "Trouble of the premises, and of the installation as a whole, with who looked at it and what was done."
        ),
    )
)
