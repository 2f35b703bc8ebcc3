"""What was staked and won at each table in a gaming day, added up by the workers that settle: the floor's page asks for
the hold of every table every two seconds, and must not read a day of lines for it.

Rounds are added in their order and once: those up to the first that is not settled. A round that was corrected later
stays as it was settled first; tables.pages.hold reads what is in force.
"""

from __future__ import annotations

from django.db import connection, transaction

from config.kit import turns

_TURN = "tables.turnover.add_up"
AT_ONCE = 2_000
"""Rounds of a table that one run adds at most: after an upgrade there may be years of them."""


@transaction.atomic
def add_up() -> int:
    """Adds what was settled since the last run; how many rounds. Safe to run anywhere, any time."""
    turns.take(_TURN)
    with connection.cursor() as cursor:  # a statement of its own sees what others added
        cursor.execute(
            """
            WITH marks AS (
                SELECT t.id, t.last_round, coalesce(
                    (SELECT max(d.through) FROM tables_tableday d WHERE d.table_id = t.id), 0) AS through
                FROM tables_table t
            ), spans AS (
                SELECT m.id, m.through, least(m.last_round, m.through + %(at_once)s, (
                    SELECT min(r.number) - 1 FROM tables_round r
                    WHERE r.table_id = m.id AND r.state <> 'settled')) AS until
                FROM marks m WHERE m.last_round > m.through
            ), fresh AS (
                SELECT r.table_id, coalesce(r.late_day, r.gaming_day) AS day, count(*) AS rounds,
                    sum(l.staked) AS staked, sum(l.win) AS win, max(r.number) AS through
                FROM spans s
                JOIN tables_round r ON r.table_id = s.id AND r.number > s.through AND r.number <= s.until
                CROSS JOIN LATERAL (
                    SELECT coalesce(sum(w.stake_micros) FILTER (WHERE w.is_new AND NOT w.is_fee), 0) AS staked,
                        coalesce(sum(w.stake_micros - w.returned_micros - w.standing_micros - w.winnings_micros
                            + w.commission_micros), 0) AS win
                    FROM tables_wagerline w WHERE w.round_id = r.id AND NOT w.is_jackpot
                ) l
                GROUP BY 1, 2
            ), added AS (
                INSERT INTO tables_tableday AS d (table_id, day, staked_micros, win_micros, through)
                SELECT table_id, day, staked, win, through FROM fresh
                ON CONFLICT (table_id, day) DO UPDATE SET
                    staked_micros = d.staked_micros + EXCLUDED.staked_micros,
                    win_micros = d.win_micros + EXCLUDED.win_micros,
                    through = EXCLUDED.through
            )
            SELECT coalesce(sum(rounds), 0)::bigint FROM fresh
            """,
            {"at_once": AT_ONCE},
        )
        return int(cursor.fetchone()[0])
