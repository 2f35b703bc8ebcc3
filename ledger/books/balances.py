"""Balances: movements rolled up by day plus the tail of postings that no roll-up has taken yet. Right at every moment.

Posting only appends, so no row is hot. A roll-up takes entries of transactions below the snapshot's xmin: all of
those have ended, so none can appear later, however long a transaction stays open. Each read is one statement, hence
one snapshot, in which mark, movements and tail fit together.

The mark is read before it as well and goes in as a number: a planner that does not see it takes the tail for a third of
all history and reads just that. It only moves forward, so the number is never beyond the mark of the statement itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from config.kit import turns
from people.models import Premises

_TURN = "ledger.balances.roll_up"

# Movements by account and day of what no roll-up has taken, for one account or for all.
_TAIL = """
    SELECT p.account_id, e.day_id, p.amount_micros FROM ledger_entry e
    JOIN ledger_posting p ON p.entry_id = e.id
    WHERE e.xact_id >= %(mark)s AND e.xact_id >= coalesce((SELECT below_xact FROM ledger_rollupmark), 0)
"""


def _mark(cursor: CursorWrapper) -> int:
    cursor.execute("SELECT below_xact FROM ledger_rollupmark")
    found = cursor.fetchone()
    return int(found[0]) if found else 0


def balance(code: str) -> int:
    """What stands on an account now: debit positive, credit negative; 0 for one that has no posting yet."""
    return balances([code])[code]


def balances(codes: Iterable[str]) -> dict[str, int]:
    """The same for several accounts, of one moment."""
    wanted = list(dict.fromkeys(codes))
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH wanted AS (SELECT id, code FROM ledger_account WHERE code = ANY(%(codes)s)),
            parts AS (
                SELECT m.account_id, m.debit_micros + m.credit_micros AS micros
                    FROM ledger_daymovement m JOIN wanted w ON w.id = m.account_id
                UNION ALL
                SELECT t.account_id, t.amount_micros FROM ({_TAIL}) t JOIN wanted w ON w.id = t.account_id
            )
            SELECT w.code, sum(p.micros)::bigint FROM parts p JOIN wanted w ON w.id = p.account_id GROUP BY w.code
            """,  # noqa: S608 (no value is interpolated)
            {"codes": wanted, "mark": _mark(cursor)},
        )
        found = dict(cursor.fetchall())
    return {code: found.get(code, 0) for code in wanted}


def movements(premises: Premises, day: date, codes: Iterable[str]) -> dict[str, int]:
    """What moved on accounts of a premises on one gaming day, debit positive; 0 where nothing did."""
    return movements_on({premises.pk: day}, codes)


def movements_on(days: Mapping[int, date], codes: Iterable[str]) -> dict[str, int]:
    """The same for accounts of several premises, each on a gaming day of its own: by premises its day."""
    wanted = list(dict.fromkeys(codes))
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH wanted AS (SELECT id, code FROM ledger_account WHERE code = ANY(%(codes)s)),
            today AS (SELECT d.id FROM ledger_gamingday d
                JOIN unnest(%(premises)s::bigint[], %(days)s::date[]) AS given(premises_id, date)
                    USING (premises_id, date)),
            parts AS (
                SELECT m.account_id, m.debit_micros + m.credit_micros AS micros FROM ledger_daymovement m
                    WHERE m.day_id IN (SELECT id FROM today) AND m.account_id IN (SELECT id FROM wanted)
                UNION ALL
                SELECT t.account_id, t.amount_micros FROM ({_TAIL}) t WHERE t.day_id IN (SELECT id FROM today)
            )
            SELECT w.code, sum(p.micros)::bigint FROM parts p JOIN wanted w ON w.id = p.account_id GROUP BY w.code
            """,  # noqa: S608 (no value is interpolated)
            {
                "codes": wanted,
                "premises": list(days),
                "days": list(days.values()),
                "mark": _mark(cursor),
            },
        )
        found = dict(cursor.fetchall())
    return {code: found.get(code, 0) for code in wanted}


def by_day(premises: Premises, first: date, last: date, codes: Iterable[str]) -> dict[tuple[date, str], int]:
    """The same for each gaming day of a span; what did not move is not there."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH wanted AS (SELECT id, code FROM ledger_account WHERE code = ANY(%(codes)s)),
            days AS (SELECT id, date FROM ledger_gamingday
                WHERE premises_id = %(premises)s AND date BETWEEN %(first)s AND %(last)s),
            parts AS (
                SELECT m.account_id, m.day_id, m.debit_micros + m.credit_micros AS micros FROM ledger_daymovement m
                    WHERE m.day_id IN (SELECT id FROM days) AND m.account_id IN (SELECT id FROM wanted)
                UNION ALL
                SELECT t.account_id, t.day_id, t.amount_micros FROM ({_TAIL}) t
            )
            SELECT d.date, w.code, sum(p.micros)::bigint
            FROM parts p JOIN wanted w ON w.id = p.account_id JOIN days d ON d.id = p.day_id GROUP BY d.date, w.code
            """,  # noqa: S608 (no value is interpolated)
            {
                "codes": list(codes),
                "premises": premises.pk,
                "first": first,
                "last": last,
                "mark": _mark(cursor),
            },
        )
        return {(day, code): micros for day, code, micros in cursor.fetchall()}


@dataclass(frozen=True)
class TrialLine:
    """An account over a span of days: opening + debits + credits = closing (credits are negative)."""

    code: str
    kind: str
    currency: str
    opening_micros: int
    debit_micros: int
    credit_micros: int
    closing_micros: int


def trial_balance(
    premises: Premises, first: date | None = None, last: date | None = None, *, prefix: str = ""
) -> list[TrialLine]:
    """Every account of a premises with postings up to the `last` day, by code; movements from `first` to `last`.

    Without days: everything so far, with openings of 0. `prefix` keeps accounts whose code begins with it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH parts AS (
                SELECT account_id, day_id, debit_micros, credit_micros FROM ledger_daymovement
                UNION ALL
                SELECT account_id, day_id, greatest(amount_micros, 0), least(amount_micros, 0) FROM ({_TAIL}) t
            )
            SELECT a.code, a.kind, a.currency,
                coalesce(sum(p.debit_micros + p.credit_micros) FILTER (WHERE d.date < %(first)s::date), 0)::bigint,
                coalesce(sum(p.debit_micros)
                    FILTER (WHERE %(first)s::date IS NULL OR d.date >= %(first)s::date), 0)::bigint,
                coalesce(sum(p.credit_micros)
                    FILTER (WHERE %(first)s::date IS NULL OR d.date >= %(first)s::date), 0)::bigint,
                sum(p.debit_micros + p.credit_micros)::bigint
            FROM parts p JOIN ledger_account a ON a.id = p.account_id JOIN ledger_gamingday d ON d.id = p.day_id
            WHERE a.premises_id = %(premises)s AND starts_with(a.code, %(prefix)s)
                AND (%(last)s::date IS NULL OR d.date <= %(last)s::date)
            GROUP BY a.id, a.code, a.kind, a.currency ORDER BY a.code
            """,  # noqa: S608 (no value is interpolated)
            {
                "first": first,
                "last": last,
                "premises": premises.pk,
                "prefix": prefix,
                "mark": _mark(cursor),
            },
        )
        return [TrialLine(*row) for row in cursor.fetchall()]


@transaction.atomic
def roll_up() -> int:
    """Adds what has become final since the last roll-up; returns how many postings. Safe to run anywhere, any time."""
    turns.take(_TURN)
    with connection.cursor() as cursor:
        # All transactions below this had ended a moment ago, so the next statement sees what they posted.
        cursor.execute("SELECT potline_stamp(pg_snapshot_xmin(pg_current_snapshot()))")
        final = int(cursor.fetchone()[0])
        cursor.execute(
            """
            WITH fresh AS (
                SELECT p.account_id, e.day_id, sum(greatest(p.amount_micros, 0)) AS debit,
                    sum(least(p.amount_micros, 0)) AS credit, count(*) AS postings
                FROM ledger_entry e JOIN ledger_posting p ON p.entry_id = e.id
                WHERE e.xact_id >= %(mark)s AND e.xact_id < %(final)s
                GROUP BY p.account_id, e.day_id
            ), rolled_up AS (
                INSERT INTO ledger_daymovement AS m (account_id, day_id, debit_micros, credit_micros, postings)
                SELECT account_id, day_id, debit, credit, postings FROM fresh
                ON CONFLICT (account_id, day_id) DO UPDATE SET
                    debit_micros = m.debit_micros + EXCLUDED.debit_micros,
                    credit_micros = m.credit_micros + EXCLUDED.credit_micros,
                    postings = m.postings + EXCLUDED.postings
            ), moved AS (
                INSERT INTO ledger_rollupmark AS f (id, below_xact) VALUES (1, %(final)s)
                ON CONFLICT (id) DO UPDATE SET below_xact = EXCLUDED.below_xact, rolled_up_at = now()
                    WHERE f.below_xact < EXCLUDED.below_xact
            )
            SELECT coalesce(sum(postings), 0)::bigint FROM fresh
            """,
            {"mark": _mark(cursor), "final": final},
        )
        return int(cursor.fetchone()[0])
