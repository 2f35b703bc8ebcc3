"""Each table's result by the books, and how its tray and drop box moved: a report for finance. What was wagered and
held is in tables.pages.results."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from jackpots.wins import sources
from ledger.books import balances
from ledger.queries import today_since
from ledger.reports.reports import Scope, Source, register
from tables.chips.chips import SlipKind
from tables.models import Table

_TABLE_ACCOUNTS = ("win", "commission", "fees", "rounding", "standing", "bank", "drop", "variance")
# Chips that came to the tray or left it otherwise than over the layout, by the kind of the entry.
_TRAY_KINDS = (SlipKind.OPENER, SlipKind.FILL, SlipKind.CREDIT, SlipKind.CLOSER)
# What fills the drop box is the sale that is booked with its count. The kinds stand here as they do in the index
# entry_of_slip, and a reference begins with its table's code, so that a table reads its own slips of the days alone.
_CHIPS = """
    SELECT d.date, split_part(a.code, '/', 3), CASE e.kind WHEN 'buy-in' THEN 'drop' ELSE e.kind END,
        sum(p.amount_micros)::bigint
    FROM ledger_gamingday d JOIN ledger_entry e ON e.day_id = d.id JOIN ledger_posting p ON p.entry_id = e.id
    JOIN ledger_account a ON a.id = p.account_id
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
        AND e.kind IN ('opener', 'fill', 'credit', 'closer', 'buy-in') AND e.reference LIKE %(slips)s
        AND a.code LIKE CASE e.kind WHEN 'buy-in' THEN %(boxes)s ELSE %(banks)s END
    GROUP BY 1, 2, 3
"""


def _plain(text: str) -> str:
    """Text that LIKE takes for itself."""
    return text.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%")


def chips(scope: Scope) -> dict[tuple[date, str, str], int]:
    """By gaming day, table and kind (opener, fill, credit, closer, drop): how the tray moved otherwise than by play,
    and what went into the drop box; that it was emptied does not count."""
    tables = f"{_plain(scope.premises.code)}/tables/{_plain(scope.table) or '%'}"
    parameters: dict[str, Any] = {
        "premises": scope.premises.pk,
        "first": scope.first,
        "last": scope.last,
        "slips": f"slip:{_plain(scope.table)}:%" if scope.table else "%",
        "banks": f"{tables}/bank",
        "boxes": f"{tables}/drop",
    }
    with connection.cursor() as cursor:
        cursor.execute(_CHIPS, parameters)
        return {(day, table, kind): micros for day, table, kind, micros in cursor.fetchall()}


def _tables(scope: Scope) -> Iterator[Row]:
    """Per table, as Potline sees it: income positive, costs negative. Wagers and hold are the floor's report."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    prefix = f"{scope.premises.code}/tables/"
    for line in balances.trial_balance(scope.premises, scope.first, scope.last, prefix=prefix):
        table, name = line.code.removeprefix(prefix).split("/")
        if not scope.table or table == scope.table:
            # What went into the drop box counts, not that it was emptied.
            moved_micros = line.debit_micros + (0 if name == "drop" else line.credit_micros)
            found.setdefault(table, {})[name] = (moved_micros, line.closing_micros)
    moved_chips: dict[tuple[str, str], int] = {}
    for (_, table, kind), micros in chips(scope).items():
        moved_chips[table, kind] = moved_chips.get((table, kind), 0) + micros
    for table, accounts in sorted(found.items()):
        moved = {name: accounts.get(name, (0, 0))[0] for name in _TABLE_ACCOUNTS}
        income = -moved["win"], -moved["commission"], -moved["fees"], -moved["rounding"]
        standing = -accounts.get("standing", (0, 0))[1]
        carried = [moved_chips.get((table, kind), 0) for kind in _TRAY_KINDS]
        yield (
            table,
            *income,
            sum(income),
            standing,
            *carried,
            moved["bank"],
            moved["drop"],
            -moved["variance"],
        )


TABLE_RESULTS = register(
    Source(
        "ledger.tables",
        gettext_noop("Table results in the books"),
        (
            Column("table", gettext_noop("Table")),
            Column(
                "win", gettext_noop("Win on wagers"), Cell.MONEY, total=True, account="tables/{table}/win"
            ),
            Column(
                "commission",
                gettext_noop("Commission"),
                Cell.MONEY,
                total=True,
                account="tables/{table}/commission",
            ),
            Column("fees", gettext_noop("Fees"), Cell.MONEY, total=True, account="tables/{table}/fees"),
            Column(
                "rounding",
                gettext_noop("Rounding"),
                Cell.MONEY,
                total=True,
                account="tables/{table}/rounding",
            ),
            Column("result", gettext_noop("Result"), Cell.MONEY, total=True),
            Column(
                "standing",
                gettext_noop("Standing at the end"),
                Cell.MONEY,
                total=True,
                account="tables/{table}/standing",
            ),
            Column("opener", gettext_noop("Opener"), Cell.MONEY, total=True),
            Column("fills", gettext_noop("Fills"), Cell.MONEY, total=True),
            Column("credits", gettext_noop("Credits"), Cell.MONEY, total=True),
            Column("closer", gettext_noop("Closer"), Cell.MONEY, total=True),
            Column(
                "bank",
                gettext_noop("Change of the bank"),
                Cell.MONEY,
                total=True,
                account="tables/{table}/bank",
            ),
            Column("drop", gettext_noop("Drop"), Cell.MONEY, total=True, account="tables/{table}/drop"),
            Column(
                "variance",
                gettext_noop("Variance of counts"),
                Cell.MONEY,
                total=True,
                account="tables/{table}/variance",
            ),
        ),
        _tables,
        gettext_noop(
            "By table: what wagers, commission and fees brought, how the tray and the drop box "
            "moved, and the variance of counts that was accepted."
        ),
        filters=("table",),
    )
)


def paid_from_tray(table: Table) -> list[dict[str, Any]]:
    """Of jackpots, what people have paid out of the tray this gaming day, for its dealer: with the time by the clock of
    the premises."""
    _, since = today_since(table.premises, timezone.now())
    zone = ZoneInfo(table.premises.time_zone)
    rows = sources.out_of_tray(table.table_log, since)
    return [row | {"time": f"{row['at'].astimezone(zone):%H:%M %Z}"} for row in rows]
