"""Table results for finance: what was wagered, paid and won, with openers, fills, credits and drop, by table and game,
by pit, by premises and day. Every grouping adds up the same rows, so their totals are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from datetime import date
from fractions import Fraction
from typing import Any

from django.db import connection
from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from ledger.months import months
from ledger.reports.reports import Scope, Source, register
from rules import find_game
from tables.chips.trays import chips
from tables.models import Table

# Rounds by the gaming day in whose books they are: their own, or a later one where theirs was closed when they came.
ROUNDS = """
    (SELECT id, table_id, config_id, number, state, locked_at, irregularities, error, gaming_day AS day,
            NULL::date AS own_date
        FROM tables_round WHERE late_day IS NULL AND gaming_day BETWEEN %(first)s AND %(last)s
     UNION ALL
     SELECT id, table_id, config_id, number, state, locked_at, irregularities, error, late_day, gaming_day
        FROM tables_round WHERE late_day BETWEEN %(first)s AND %(last)s) r
    JOIN tables_table t ON t.id = r.table_id AND t.premises_id = %(premises)s
        AND (%(table)s = '' OR t.code = %(table)s) AND (%(progressive)s = '' OR t.table_log_id IN (
            SELECT k.table_log_id FROM jackpots_link k JOIN jackpots_progressive p ON p.id = k.progressive_id
            WHERE p.code = %(progressive)s))
"""

# Later versions of rounds by the gaming day in whose books their difference is; `own_date` where that is a later one.
VERSIONS = """
    (SELECT v.id AS version_id, v.number AS version, v.correction_id, v.rules_version, v.round_id AS id, o.table_id,
            o.config_id, o.number, o.locked_at, coalesce(v.late_day, o.gaming_day) AS day,
            CASE WHEN v.late_day IS NOT NULL THEN o.gaming_day END AS own_date
        FROM tables_roundversion v JOIN tables_round o ON o.id = v.round_id
        WHERE coalesce(v.late_day, o.gaming_day) BETWEEN %(first)s AND %(last)s) r
    JOIN tables_table t ON t.id = r.table_id AND t.premises_id = %(premises)s
        AND (%(table)s = '' OR t.code = %(table)s) AND (%(progressive)s = '' OR t.table_log_id IN (
            SELECT k.table_log_id FROM jackpots_link k JOIN jackpots_progressive p ON p.id = k.progressive_id
            WHERE p.code = %(progressive)s))
"""
_AMOUNTS = (
    "l.is_jackpot, l.is_fee, l.is_new, l.stake_micros, l.winnings_micros, l.returned_micros, l.standing_micros,"
    " l.commission_micros, l.rounding_micros"
)
# Each line of a settlement counts on the day of its books; where a version takes its place, it goes and the new comes.
_SUMS = f"""
    SELECT l.day, l.code, l.pit, c.document->>'game', c.document->>'rulebook', count(DISTINCT l.round_id),
        coalesce(sum(l.sign * l.stake_micros) FILTER (WHERE l.is_new AND NOT l.is_fee), 0),
        coalesce(sum(l.sign * (l.winnings_micros - l.rounding_micros)), 0),
        coalesce(sum(l.sign * (l.stake_micros - l.returned_micros - l.standing_micros))
            FILTER (WHERE NOT l.is_fee), 0),
        coalesce(sum(l.sign * l.commission_micros), 0),
        coalesce(sum(l.sign * (l.stake_micros - l.returned_micros - l.standing_micros)) FILTER (WHERE l.is_fee), 0),
        coalesce(sum(l.sign * l.rounding_micros), 0)
    FROM (
        SELECT 1 AS sign, r.id AS round_id, r.config_id, r.day, t.code, t.pit, {_AMOUNTS}
        FROM {ROUNDS} JOIN tables_wagerline l ON l.round_id = r.id WHERE r.state = 'settled'
        UNION ALL
        SELECT 1, NULL, r.config_id, r.day, t.code, t.pit, {_AMOUNTS}
        FROM {VERSIONS} JOIN tables_versionline l ON l.version_id = r.version_id
        UNION ALL
        SELECT -1, NULL, r.config_id, r.day, t.code, t.pit, {_AMOUNTS}
        FROM {VERSIONS} JOIN tables_wagerline l ON l.round_id = r.id WHERE r.version = 2
        UNION ALL
        SELECT -1, NULL, r.config_id, r.day, t.code, t.pit, {_AMOUNTS}
        FROM {VERSIONS} JOIN tables_roundversion b ON b.round_id = r.id AND b.number = r.version - 1
        JOIN tables_versionline l ON l.version_id = b.id
    ) l JOIN tables_tableconfig c ON c.id = l.config_id
    WHERE NOT l.is_jackpot
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 3, 2, 4
"""  # noqa: S608 (no value is interpolated)


@dataclass
class Figures:
    """Summed. Win = stakes lost - winnings + commission + fees - rounding."""

    rounds: int = 0
    wagered: int = 0
    paid: int = 0
    commission: int = 0
    fees: int = 0
    rounding: int = 0
    win: int = 0
    opener: int = 0
    fill: int = 0
    credit: int = 0
    drop: int = 0

    def add(self, other: Figures) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def cells(self) -> Row:
        """With the two ways in which people say hold: of what was wagered, and of what went into the box."""
        figures = astuple(self)
        return (
            *figures[:7],
            Fraction(self.win, self.wagered) if self.wagered else None,
            *figures[7:],
            Fraction(self.win, self.drop) if self.drop else None,
        )


FIGURE_COLUMNS = (
    Column("rounds", gettext_noop("Rounds"), Cell.NUMBER, total=True),
    Column("wagered", gettext_noop("Wagered"), Cell.MONEY, total=True),
    Column("paid", gettext_noop("Paid"), Cell.MONEY, total=True),
    Column("commission", gettext_noop("Commission"), Cell.MONEY, total=True),
    Column("fees", gettext_noop("Fees"), Cell.MONEY, total=True),
    Column("rounding", gettext_noop("Rounded up"), Cell.MONEY, total=True),
    Column("win", gettext_noop("Win"), Cell.MONEY, total=True, account="tables/{table}/"),
    Column("hold", gettext_noop("Hold of wagers"), Cell.PERCENT),
    Column("opener", gettext_noop("Opener"), Cell.MONEY, total=True),
    Column("fills", gettext_noop("Fills"), Cell.MONEY, total=True),
    Column("credits", gettext_noop("Credits"), Cell.MONEY, total=True),
    Column("drop", gettext_noop("Drop"), Cell.MONEY, total=True),
    Column("hold_of_drop", gettext_noop("Hold of drop"), Cell.PERCENT),
)


@dataclass(frozen=True)
class RowSubject:
    """What a row of figures is about, as fine as it gets."""

    day: date
    table: str
    pit: str
    game: str
    rulebook: str


def detail(scope: Scope) -> list[tuple[RowSubject, Figures]]:
    """By day, table and game. Chips and drop are a table's: where it dealt two games on a day, they stand with the
    first; where none was dealt, with the one it is set up for."""
    found: dict[tuple[date, str], list[tuple[RowSubject, Figures]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, parameters(scope))
        for day, table, pit, game, rulebook, rounds, *sums in cursor.fetchall():
            wagered, paid, lost, commission, fees, rounding = (int(amount) for amount in sums)
            win = lost - paid + commission + fees - rounding
            about = RowSubject(day, table, pit, find_game(game, rulebook).title, rulebook)
            figures = Figures(rounds, wagered, paid, commission, fees, rounding, win)
            found.setdefault((day, table), []).append((about, figures))
    tables = Table.objects.filter(premises=scope.premises).select_related("config")
    if scope.progressive:
        tables = tables.filter(table_log__links__progressive__code=scope.progressive)
    known = {table.code: table for table in tables}
    for (day, code, kind), micros in chips(scope).items():
        table = known.get(code)
        if table is None or not hasattr(Figures, kind):
            continue
        game = table.config.game
        about = RowSubject(day, code, table.pit, game.title, game.rulebook)
        _, figures = found.setdefault((day, code), [(about, Figures())])[0]
        setattr(figures, kind, getattr(figures, kind) + micros)
    rows = [row for rows in found.values() for row in rows]
    return sorted(rows, key=lambda row: (row[0].day, row[0].pit, row[0].table, row[0].game))


def parameters(scope: Scope) -> dict[str, Any]:
    """Of a statement over settled lines; refused where some of them are kept elsewhere."""
    months.require_days(scope.premises, scope.first, scope.last)
    return {
        "premises": scope.premises.pk,
        "first": scope.first,
        "last": scope.last,
        "table": scope.table,
        "progressive": scope.progressive,
    }


def _rows(group: Callable[[RowSubject], Row]) -> Callable[[Scope], Iterator[Row]]:
    def rows(scope: Scope) -> Iterator[Row]:
        sums: dict[Row, Figures] = {}
        for about, figures in detail(scope):
            sums.setdefault(group(about), Figures()).add(figures)
        for key in sorted(sums):
            yield (*key, *sums[key].cells())

    return rows


def _detail_rows(scope: Scope) -> Iterator[Row]:
    for about, figures in detail(scope):
        yield (about.day, about.table, about.pit, about.game, about.rulebook, *figures.cells())


def _source(
    name: str, by: str, columns: tuple[Column, ...], rows: Callable[[Scope], Iterator[Row]]
) -> Source:
    title = f"Table results by {by}"
    about = "Wagered, paid, won and held; openers, fills, credits, drop. Jackpot wagers are with the progressives."
    filters = ("table", "progressive")
    return register(Source(name, title, (*columns, *FIGURE_COLUMNS), rows, about, filters=filters))


_DAY, _TABLE, _PIT = (
    Column("day", gettext_noop("Gaming day"), Cell.DATE),
    Column("table", gettext_noop("Table")),
    Column("pit", gettext_noop("Pit")),
)
_GAME, _RULEBOOK = Column("game", gettext_noop("Game")), Column("rulebook", gettext_noop("Rulebook"))

RESULTS = _source(
    "tables.results", "day, table and game", (_DAY, _TABLE, _PIT, _GAME, _RULEBOOK), _detail_rows
)
BY_TABLE = _source(
    "tables.results_by_table", "table", (_TABLE, _PIT), _rows(lambda about: (about.table, about.pit))
)
BY_GAME = _source(
    "tables.results_by_game", "game", (_GAME, _RULEBOOK), _rows(lambda about: (about.game, about.rulebook))
)
BY_PIT = _source("tables.results_by_pit", "pit", (_PIT,), _rows(lambda about: (about.pit,)))


def _by_day(scope: Scope) -> Iterator[Row]:
    for row in _rows(lambda about: (about.day,))(scope):
        yield (scope.premises.code, *row)


BY_DAY = _source(
    "tables.results_by_day", "premises and day", (Column("premises", gettext_noop("Premises")), _DAY), _by_day
)
