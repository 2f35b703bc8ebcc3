"""What finance reads of money between tables and players outside of wagers: claims of corrected rounds as they are
settled, money that nobody claimed, non-value chips. Each row is in the books, under the entry that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from ledger.reports.reports import Scope, Source, register
from ledger.reports.sources import stream
from tables.corrections.correction_entries import CLAIM_KINDS

_BOOKED = """
    FROM ledger_gamingday d JOIN ledger_entry e ON e.day_id = d.id AND e.kind = ANY(%(kinds)s)
"""
_OF_TABLE = """
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
        AND t.code = coalesce(%(table)s, t.code)
    ORDER BY d.date, t.code, e.id
"""
_CLAIMS = f"""
    SELECT d.date, t.code, r.number, r.id::text, c.id, c.seat, c.player, c.kind, s.kind, s.amount_micros, s.left_micros,
        s.how, s.reason, a.name, e.id
    {_BOOKED}
    JOIN tables_claimstep s ON e.key = 'tables:claim:' || s.claim_id || ':' || s.number
    JOIN tables_seatclaim c ON c.id = s.claim_id JOIN tables_table t ON t.id = c.table_id
    JOIN tables_roundcorrection o ON o.id = c.correction_id JOIN tables_round r ON r.id = o.round_id
    JOIN people_user a ON a.id = s.actor_id
    {_OF_TABLE}
"""
_UNCLAIMED = f"""
    SELECT d.date, t.code, m.id, m.what, CASE e.kind WHEN 'unclaimed.held' THEN 'held' ELSE x.kind END,
        CASE e.kind WHEN 'unclaimed.held' THEN m.amount_micros ELSE -m.amount_micros END, m.found_on, m.expires_on,
        q.name, p.name, w.reason, e.id
    {_BOOKED}
    LEFT JOIN tables_unclaimedend x ON e.key = 'tables:' || 'unclaimed.' || x.kind || ':' || x.id
    JOIN tables_unclaimedmoney m ON m.id = coalesce(
        x.money_id, CASE e.kind WHEN 'unclaimed.held' THEN split_part(e.key, ':', 3)::bigint END)
    JOIN tables_table t ON t.id = m.table_id
    JOIN people_approvalrequest w ON w.id = coalesce(x.approval_id, m.approval_id)
    JOIN people_user q ON q.id = w.requested_by_id JOIN people_user p ON p.id = w.decided_by_id
    {_OF_TABLE}
"""
_COLOURS = f"""
    SELECT d.date, t.code, s.colour, s.player, s.kind, s.value_micros, s.chips, s.left, s.moved_micros, s.owed_micros,
        a.name, e.id
    {_BOOKED}
    LEFT JOIN tables_unclaimedmoney m ON e.key = 'tables:unclaimed.held:' || m.id
    JOIN tables_colourstep s ON s.id = coalesce(
        m.colour_step_id, CASE WHEN e.kind <> 'unclaimed.held' THEN split_part(e.key, ':', 3)::bigint END)
    JOIN tables_table t ON t.id = s.table_id
    JOIN people_user a ON a.id = s.actor_id
    {_OF_TABLE}
"""


def _rows(statement: str, name: str, *kinds: str) -> Callable[[Scope], Iterator[Row]]:
    def rows(scope: Scope) -> Iterator[Row]:
        given = {
            "premises": scope.premises.pk, "first": scope.first, "last": scope.last, "table": scope.table or None,
            "kinds": list(kinds),
        }  # fmt: skip
        return stream(statement, given, name)

    return rows


_DAY, _TABLE = Column("day", gettext_noop("Gaming day"), Cell.DATE), Column("table", gettext_noop("Table"))
_ENTRY = Column("entry", gettext_noop("Entry"), Cell.NUMBER)

CLAIMS = register(
    Source(
        "tables.claims",
        gettext_noop("Claims of corrected rounds"),
        (
            _DAY,
            _TABLE,
            Column("round", gettext_noop("Round"), Cell.NUMBER),
            Column("round_id", gettext_noop("Round id")),
            Column("claim", gettext_noop("Claim"), Cell.NUMBER),
            Column("seat", gettext_noop("Seat"), Cell.NUMBER),
            Column("player", gettext_noop("Player")),
            Column("kind", gettext_noop("Kind")),
            Column("step", gettext_noop("What became of it")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("left", gettext_noop("Open after it"), Cell.MONEY),
            Column("how", gettext_noop("How")),
            Column("reason", gettext_noop("Why")),
            Column("by", gettext_noop("By")),
            _ENTRY,
        ),
        _rows(_CLAIMS, "tables_claims", *CLAIM_KINDS.values()),
        gettext_noop(
            "What players were owed or overpaid after a correction, each time some of it was paid, recovered "
            "or given up."
        ),
        filters=("table",),
    )
)
UNCLAIMED = register(
    Source(
        "tables.unclaimed",
        gettext_noop("Unclaimed money of tables"),
        (
            _DAY,
            _TABLE,
            Column("money", gettext_noop("Number"), Cell.NUMBER),
            Column("what", gettext_noop("What")),
            Column("step", gettext_noop("What became of it")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("found_on", gettext_noop("Found on"), Cell.DATE),
            Column("expires_on", gettext_noop("Expires from"), Cell.DATE),
            Column("asked_by", gettext_noop("Asked by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("reason", gettext_noop("Why")),
            _ENTRY,
        ),
        _rows(_UNCLAIMED, "tables_unclaimed", "unclaimed.held", "unclaimed.claimed", "unclaimed.expired"),
        gettext_noop(
            "Money that two people hold for whoever comes, and what became of it: paid, or expired."
        ),
        filters=("table",),
    )
)
COLOURS = register(
    Source(
        "tables.colours",
        gettext_noop("Non-value chips"),
        (
            _DAY,
            _TABLE,
            Column("colour", gettext_noop("Colour")),
            Column("player", gettext_noop("Player")),
            Column("step", gettext_noop("Step")),
            Column("value", gettext_noop("Value of one"), Cell.MONEY),
            Column("chips", gettext_noop("Chips"), Cell.NUMBER),
            Column("left", gettext_noop("Chips still out"), Cell.NUMBER),
            Column("moved", gettext_noop("Owed more by"), Cell.MONEY, total=True),
            Column("owed", gettext_noop("Owed after it"), Cell.MONEY),
            Column("by", gettext_noop("By")),
            _ENTRY,
        ),
        _rows(_COLOURS, "tables_colours", "chips.issued", "chips.redeemed", "unclaimed.held"),
        gettext_noop("Colours as they were issued and redeemed, and what a table owes for them."),
        filters=("table",),
    )
)
