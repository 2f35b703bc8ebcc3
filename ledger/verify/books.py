"""What the books must hold by themselves: sums, balances, accounts, days, the steps of rows
that change. Each check locates what it finds; ledger.verify.verify runs them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import connection

from config.kit.triggers import sealed
from ledger.books import chart
from ledger.books.errors import InvalidEntry
from ledger.models import Account
from ledger.verify.verify import MAX_FAULTS, Fault, Span, register

BOOKS = ("ledger.accounts", "ledger.balances", "ledger.contents", "ledger.days", "ledger.rows", "ledger.sums")
"""The checks of the journal itself, whatever posts to it."""


def rows(query: str, **parameters: Any) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"{query} LIMIT {MAX_FAULTS}", parameters)
        return list(cursor.fetchall())


@register("ledger.sums", "Every entry sums to zero")
def sums(span: Span) -> Iterator[Fault]:
    found = rows(
        "SELECT e.id, count(p.entry_id), coalesce(sum(p.amount_micros), 0) FROM ledger_entry e"
        " LEFT JOIN ledger_posting p ON p.entry_id = e.id WHERE e.xact_id >= %(start)s AND e.xact_id < %(below)s"
        " GROUP BY e.id HAVING count(p.entry_id) < 2 OR sum(p.amount_micros) <> 0",
        start=span.start,
        below=span.below,
    )
    for entry_id, legs, total in found:
        yield Fault(f"entry {entry_id}", f"{legs} legs that sum to {total} micros, not to 0")


@register("ledger.rows", "No posting without its entry, no entry without its day", in_pieces=False)
def stray_rows(span: Span) -> Iterator[Fault]:
    if not span.whole:
        return
    for entry_id, count in rows(
        "SELECT p.entry_id, count(*) FROM ledger_posting p"
        " WHERE NOT EXISTS (SELECT FROM ledger_entry e WHERE e.id = p.entry_id) GROUP BY p.entry_id"
    ):
        yield Fault(f"entry {entry_id}", f"it is gone, but {count} of its postings stand")
    for (entry_id,) in rows(
        "SELECT e.id FROM ledger_entry e WHERE NOT EXISTS"
        " (SELECT FROM ledger_gamingday d WHERE d.id = e.day_id AND d.premises_id = e.premises_id)"
    ):
        yield Fault(f"entry {entry_id}", "its gaming day is gone or of another premises")


@register("ledger.balances", "The rolled-up balances are the sums of the postings", in_pieces=False)
def movements(span: Span) -> Iterator[Fault]:
    if not span.whole:
        return
    for code, date, debit, credit, postings in rows(
        """
        WITH rolled_up AS (
            SELECT p.account_id, e.day_id, sum(greatest(p.amount_micros, 0)) AS debit,
                sum(least(p.amount_micros, 0)) AS credit, count(*) AS postings
            FROM ledger_entry e JOIN ledger_posting p ON p.entry_id = e.id
            WHERE e.xact_id < coalesce((SELECT below_xact FROM ledger_rollupmark), 0)
            GROUP BY p.account_id, e.day_id
        )
        SELECT a.code, d.date, coalesce(f.debit, 0) - coalesce(m.debit_micros, 0),
            coalesce(f.credit, 0) - coalesce(m.credit_micros, 0),
            coalesce(f.postings, 0) - coalesce(m.postings, 0)
        FROM rolled_up f FULL JOIN ledger_daymovement m USING (account_id, day_id)
        LEFT JOIN ledger_account a ON a.id = account_id LEFT JOIN ledger_gamingday d ON d.id = day_id
        WHERE f.debit IS DISTINCT FROM m.debit_micros OR f.credit IS DISTINCT FROM m.credit_micros
            OR f.postings IS DISTINCT FROM m.postings
        """
    ):
        words = f"out by {debit} debit and {credit} credit micros, {postings} postings"
        yield Fault(f"balance of {code} on {date}", words, (str(code),))


@register("ledger.months", "Months were taken out and brought back on record alone")
def moved_on_record(span: Span) -> Iterator[Fault]:
    for move_id, month, kind in rows(
        "SELECT m.id, m.month, m.kind FROM ledger_monthmove m WHERE m.xact_id >= %(start)s AND m.xact_id < %(below)s"
        " AND NOT EXISTS (SELECT FROM people_auditrecord a WHERE a.subject = 'ledger.monthmove:' || m.id"
        " AND a.action = 'ledger.month_' || m.kind AND a.xact_id = m.xact_id) ORDER BY m.id",
        start=span.start,
        below=span.below,
    ):
        yield Fault(f"month {move_id}", f"{month} was {kind}, which the audit trail does not know")


@register("ledger.accounts", "Accounts are those of the chart", in_pieces=False)
def accounts(span: Span) -> Iterator[Fault]:
    """Accounts lie under no seal themselves: their kind is the chart's, premises and currency are those of the entries
    on them."""
    for account in Account.objects.order_by("code").iterator():
        try:
            declared = chart.kind_of(account.code).value
        except InvalidEntry:
            yield Fault(f"account {account.code}", "the chart has no such account")
            continue
        if declared != account.kind:
            words = f"it is booked as {account.kind}, the chart says {declared}"
            yield Fault(f"account {account.code}", words)
    for code, entry_id in rows(
        """
        SELECT a.code, e.id FROM ledger_account a JOIN ledger_entry e
            ON e.id = (SELECT min(p.entry_id) FROM ledger_posting p WHERE p.account_id = a.id)
        WHERE a.currency <> e.currency OR a.premises_id <> e.premises_id ORDER BY a.code
        """
    ):
        yield Fault(f"account {code}", f"its premises or currency is not that of entry {entry_id} on it")


@register("ledger.days", "Nothing was posted after its day had closed")
def closed_days(span: Span) -> Iterator[Fault]:
    """The close takes its number after every posting of the day has ended."""
    for entry_id, date in rows(
        """
        SELECT e.id, d.date FROM ledger_entry e JOIN ledger_gamingday d ON d.id = e.day_id AND d.state = 'closed'
        CROSS JOIN LATERAL (
            SELECT min(s.xact_id) AS closed FROM ledger_step s
            WHERE s.kind = 'ledger.gamingday' AND s.row_id = d.id AND s.state = 'closed'
        ) c
        WHERE e.xact_id >= %(start)s AND e.xact_id < %(below)s AND e.xact_id > c.closed
        """,
        start=span.start,
        below=span.below,
    ):
        yield Fault(f"entry {entry_id}", f"it was posted to {date} after that day had closed")


# --- Rows that change -----------------------------------------------------------------------------------------
@register("ledger.steps", "Rows that change are as in their last step")
def rows_follow_steps(span: Span) -> Iterator[Fault]:
    """A beat looks at rows that took a step, and at settings; the whole looks at all. The piece that holds the last
    step of a row compares it, the first piece of a whole finds rows that have none."""
    for kind in sealed.step_kinds():
        yield from _changed_rows(kind, span)
        yield from _changed_between(kind, span)
        yield from _lost_rows(kind, span)
        if span.start == 0 if span.whole else not kind.state:
            yield from _rows_without_steps(kind)


def _table(kind: sealed.StepKind) -> str:
    return str(apps.get_model(kind.kind)._meta.db_table)


def _changed_rows(kind: sealed.StepKind, span: Span) -> Iterator[Fault]:
    content = sealed.content_of(kind, apps.get_model(kind.kind), "r")
    state = f"r.{kind.state}" if kind.state else "''"
    fixed = f"AND {state} = ANY(%(fixed)s)" if kind.fixed_in else ""
    everything = "OR TRUE" if not kind.state and not span.whole else ""  # settings are few
    for row_id, said, now, same in rows(
        f"""
        SELECT r.id, s.state, {state}, s.content = {content}
        FROM ledger_step s JOIN {_table(kind)} r ON r.id = s.row_id
        WHERE s.kind = %(kind)s AND (s.xact_id >= %(start)s AND s.xact_id < %(below)s {everything})
            AND NOT EXISTS (SELECT FROM ledger_step l WHERE l.kind = s.kind AND l.row_id = s.row_id AND l.id > s.id)
            AND (s.state <> {state} OR s.content <> {content} {fixed})
        """,  # noqa: S608
        kind=kind.kind,
        start=span.start,
        below=span.below,
        fixed=list(kind.fixed_in),
    ):
        if said != now:
            yield Fault(f"{kind.word} {row_id}", f"it is {now or 'there'}, its last step says {said}")
        elif not same:
            yield Fault(f"{kind.word} {row_id}", "it was changed after its last step")


def _changed_between(kind: sealed.StepKind, span: Span) -> Iterator[Fault]:
    """What is fixed in several states is the same in all of them."""
    if not kind.fixed_in:
        return
    for row_id, before, after in rows(
        """
        SELECT s.row_id, b.state, s.state FROM ledger_step s JOIN LATERAL (
            SELECT b.state, b.content FROM ledger_step b
            WHERE b.kind = s.kind AND b.row_id = s.row_id AND b.id < s.id ORDER BY b.id DESC LIMIT 1
        ) b ON TRUE
        WHERE s.kind = %(kind)s AND s.xact_id >= %(start)s AND s.xact_id < %(below)s AND s.state = ANY(%(fixed)s)
            AND b.state = ANY(%(fixed)s) AND b.content <> s.content
        """,
        kind=kind.kind,
        start=span.start,
        below=span.below,
        fixed=list(kind.fixed_in),
    ):
        yield Fault(f"{kind.word} {row_id}", f"it was changed between {before} and {after}")


def _lost_rows(kind: sealed.StepKind, span: Span) -> Iterator[Fault]:
    for (row_id,) in rows(
        f"SELECT DISTINCT s.row_id FROM ledger_step s WHERE s.kind = %(kind)s AND s.xact_id >= %(start)s"  # noqa: S608
        f" AND s.xact_id < %(below)s AND NOT EXISTS (SELECT FROM {_table(kind)} r WHERE r.id = s.row_id)"
        " AND NOT (%(may_go)s AND EXISTS (SELECT FROM ledger_step l WHERE l.kind = s.kind AND l.row_id = s.row_id"
        " AND l.state = %(gone)s))",
        may_go=kind.may_go,
        gone=sealed.GONE,
        kind=kind.kind,
        start=span.start,
        below=span.below,
    ):
        yield Fault(f"{kind.word} {row_id}", "it has steps, and is gone")


def _rows_without_steps(kind: sealed.StepKind) -> Iterator[Fault]:
    only = f"r.{kind.state} = ANY(%(fixed)s) AND" if kind.fixed_in else ""
    for (row_id,) in rows(
        f"SELECT r.id FROM {_table(kind)} r WHERE {only} NOT EXISTS"  # noqa: S608
        " (SELECT FROM ledger_step s WHERE s.kind = %(kind)s AND s.row_id = r.id)",
        kind=kind.kind,
        fixed=list(kind.fixed_in),
    ):
        yield Fault(f"{kind.word} {row_id}", "it was put there past every trigger: it has no step")


def first_hallmark() -> int:
    """The stamp of the first audit record with a hallmark: from there on, what is added must be on record, too."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT xact_id FROM people_auditrecord WHERE hallmark IS NOT NULL ORDER BY id LIMIT 1"
        )
        found = cursor.fetchone()
    return int(found[0]) if found else sys.maxsize


def unrecorded(kind: str, span: Span, *, first: bool = False) -> list[tuple[int, datetime, int]]:
    """Changes of settings that nobody recorded: row, moment and stamp of steps without an audit record about the row in
    the same transaction. `first`: being added must be on record as well, since there are hallmarks."""
    return rows(  # type: ignore[return-value]
        "SELECT s.row_id, s.at, s.xact_id FROM ledger_step s WHERE s.kind = %(kind)s AND s.xact_id >= %(start)s"
        " AND s.xact_id < %(below)s AND (s.xact_id > %(added)s OR EXISTS (SELECT FROM ledger_step b"
        " WHERE b.kind = s.kind AND b.row_id = s.row_id AND b.id < s.id))"
        " AND NOT EXISTS (SELECT FROM people_auditrecord a WHERE a.subject = s.kind || ':' || s.row_id"
        " AND a.xact_id = s.xact_id) ORDER BY s.id",
        added=first_hallmark() if first else sys.maxsize,
        kind=kind,
        start=span.start,
        below=span.below,
    )
