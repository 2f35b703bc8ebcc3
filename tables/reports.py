"""What the floor reports to finance: results by table, every wager, and what went otherwise than planned."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.db import connection

from ledger.reports import Cell, Column, Row, Scope, Source, register
from ledger.sources import stream
from rules import find_game
from tables.models import WagerLine

_RESULTS = """
    SELECT r.gaming_day, t.code, t.pit, c.document->>'game', c.document->>'rulebook', count(DISTINCT r.id),
        coalesce(sum(l.stake_micros) FILTER (WHERE l.is_new AND NOT l.is_fee), 0),
        coalesce(sum(l.winnings_micros - l.rounding_micros), 0),
        coalesce(sum(l.stake_micros - l.returned_micros - l.standing_micros) FILTER (WHERE NOT l.is_fee), 0),
        coalesce(sum(l.commission_micros), 0),
        coalesce(sum(l.stake_micros - l.returned_micros - l.standing_micros) FILTER (WHERE l.is_fee), 0),
        coalesce(sum(l.rounding_micros), 0)
    FROM tables_round r JOIN tables_table t ON t.id = r.table_id JOIN tables_tableconfig c ON c.id = r.config_id
    JOIN tables_wagerline l ON l.round_id = r.id AND NOT l.is_jackpot
    WHERE t.premises_id = %(premises)s AND r.gaming_day BETWEEN %(first)s AND %(last)s AND r.state = 'settled'
        AND (%(table)s = '' OR t.code = %(table)s)
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 3, 2, 4
"""


def _results(scope: Scope) -> Iterator[Row]:
    """Win = stakes lost - winnings + commission + fees - rounding; hold is its share of the wagers."""
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, _parameters(scope))
        for day, table, pit, game, rulebook, rounds, *sums in cursor.fetchall():
            wagered, paid, lost, commission, fees, rounding = (int(amount) for amount in sums)
            win = lost - paid + commission + fees - rounding
            title = find_game(game, rulebook).title
            hold = Fraction(win, wagered) if wagered else None
            yield (
                day,
                table,
                pit,
                title,
                rulebook,
                rounds,
                wagered,
                paid,
                commission,
                fees,
                rounding,
                win,
                hold,
            )


RESULTS = register(
    Source(
        "tables.results",
        "Table results",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("pit", "Pit"),
            Column("game", "Game"),
            Column("rulebook", "Rulebook"),
            Column("rounds", "Rounds", Cell.NUMBER, total=True),
            Column("wagered", "Wagered", Cell.MONEY, total=True),
            Column("paid", "Paid", Cell.MONEY, total=True),
            Column("commission", "Commission", Cell.MONEY, total=True),
            Column("fees", "Fees", Cell.MONEY, total=True),
            Column("rounding", "Rounded up", Cell.MONEY, total=True),
            Column("win", "Win", Cell.MONEY, total=True),
            Column("hold", "Hold", Cell.PERCENT),
        ),
        _results,
        "By table and game: what was wagered, paid and won. Jackpot wagers are in the reconciliation of progressives.",
    )
)

_WAGERS = """
    SELECT r.gaming_day, t.code, r.number, r.id::text, r.locked_at, l.wager_id, l.kind, l.selection, l.seat, l.player,
        l.stake_micros, l.outcome, l.odds, l.winnings_micros, l.returned_micros, l.standing_micros,
        l.commission_micros, l.rounding_micros, l.rule, l.also
    FROM tables_round r JOIN tables_table t ON t.id = r.table_id JOIN tables_wagerline l ON l.round_id = r.id
    WHERE t.premises_id = %(premises)s AND r.gaming_day BETWEEN %(first)s AND %(last)s AND r.state = 'settled'
        AND (%(table)s = '' OR t.code = %(table)s)
    ORDER BY r.gaming_day, t.code, r.number, l.position
"""


def _wagers(scope: Scope) -> Iterator[Row]:
    return stream(_WAGERS, _parameters(scope), "tables_wagers")


def _wagers_count(scope: Scope) -> int:
    lines = WagerLine.objects.filter(
        round__table__premises=scope.premises, round__gaming_day__range=(scope.first, scope.last)
    )
    return (lines.filter(round__table__code=scope.table) if scope.table else lines).count()


WAGERS = register(
    Source(
        "tables.wagers",
        "Wager detail",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("round", "Round", Cell.NUMBER),
            Column("round_id", "Round id"),
            Column("no_more_bets", "No more bets", Cell.INSTANT),
            Column("wager", "Wager id"),
            Column("kind", "Wager"),
            Column("selection", "On"),
            Column("seat", "Seat", Cell.NUMBER),
            Column("player", "Player"),
            Column("stake", "Stake", Cell.MONEY, total=True),
            Column("outcome", "Outcome"),
            Column("odds", "Odds"),
            Column("winnings", "Winnings", Cell.MONEY, total=True),
            Column("returned", "Returned", Cell.MONEY, total=True),
            Column("standing", "Stands", Cell.MONEY, total=True),
            Column("commission", "Commission", Cell.MONEY, total=True),
            Column("rounding", "Rounded up", Cell.MONEY, total=True),
            Column("rule", "Rule"),
            Column("also", "Further rules"),
        ),
        _wagers,
        "Every wager of every settled round with the rule that decided it.",
        _wagers_count,
        large=True,
    )
)

_EXCEPTIONS = """
    SELECT r.gaming_day, t.code, r.number, r.id::text, x.what, x.detail
    FROM tables_round r JOIN tables_table t ON t.id = r.table_id
    CROSS JOIN LATERAL (
        SELECT 'Irregularity' AS what, i->>'kind' || coalesce(', seat ' || (i->>'seat'), '') AS detail
            FROM jsonb_array_elements(r.irregularities) i
        UNION ALL SELECT 'Void wager', l.kind || coalesce(', seat ' || nullif(l.seat, 0), '') || ': ' || l.rule
            FROM tables_wagerline l WHERE l.round_id = r.id AND l.outcome = 'void'
        UNION ALL SELECT 'Parked', r.error WHERE r.state = 'parked'
    ) x
    WHERE t.premises_id = %(premises)s AND r.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(table)s = '' OR t.code = %(table)s)
    ORDER BY r.gaming_day, t.code, r.number, x.what, x.detail
"""


def _exceptions(scope: Scope) -> Iterator[Row]:
    return stream(_EXCEPTIONS, _parameters(scope), "tables_exceptions")


EXCEPTIONS = register(
    Source(
        "tables.exceptions",
        "Exceptions on the floor",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("round", "Round", Cell.NUMBER),
            Column("round_id", "Round id"),
            Column("what", "What"),
            Column("detail", "Detail"),
        ),
        _exceptions,
        "Irregularities, void wagers and rounds that could not be settled.",
    )
)


def _parameters(scope: Scope) -> dict[str, Any]:
    return {"premises": scope.premises.pk, "first": scope.first, "last": scope.last, "table": scope.table}
