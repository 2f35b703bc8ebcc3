"""Progressives by level: opening + seed + contributions + reserve, overflow - wins ± adjustments, transfers = closing.
Tables by their counts.

The movements come from the books alone, told apart by the accounts on the other side of an entry. Apps register
readings (the meter, what the signs showed) and counts of tables; the difference to the books is the variance, and it is
named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from django.db import connection
from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from ledger.books import balances
from ledger.reports.reports import Scope, Source, register
from people.models import Premises
from rules.money import rounded_down, say


@dataclass(frozen=True)
class Reading:
    """What something outside the books says a level stood at, at the end of the gaming day."""

    progressive: str
    level: str
    source: str
    """Who says so: `meter`, `signs`."""
    micros: int
    name: str = ""
    """Which of several: the sign's name."""
    unit_micros: int = 1
    """What it rounds down to: a sign shows whole cents."""
    open_micros: int = 0
    """What the books hold at the end and it had not been told yet when it was read; negative: it was ahead."""

    @property
    def title(self) -> str:
        return f"{self.source}, {self.name}" if self.name else self.source

    @property
    def ahead_micros(self) -> int:
        return -self.open_micros

    def due_micros(self, closing_micros: int) -> int:
        """What it should say, by the books."""
        return rounded_down(closing_micros - self.open_micros, self.unit_micros)


Readings = Callable[[Premises, date], Iterable[Reading]]
_readings: list[Readings] = []


def register_readings(readings: Readings) -> Readings:
    """Called at start by the app that knows meters or signs; may yield nothing for a day it cannot speak about."""
    if readings not in _readings:
        _readings.append(readings)
    return readings


@dataclass(frozen=True)
class ReconciledTable:
    """A table's count of a gaming day beside what it got by play; without a count there is no variance."""

    table: str
    day: date
    url: str
    play_micros: int
    count_micros: int | None
    variance_micros: int
    accepted: bool
    """A person has looked at all of the variance."""
    explanation: str


Counts = Callable[[Premises, date, date], Iterable[ReconciledTable]]
_counts: list[Counts] = []


def register_counts(counts: Counts) -> Counts:
    """Called at start by the app that counts tables."""
    if counts not in _counts:
        _counts.append(counts)
    return counts


def reconcile_tables(premises: Premises, first: date, last: date) -> list[ReconciledTable]:
    return [one for counts in _counts for one in counts(premises, first, last)]


@dataclass
class ReconciledLevel:
    """A level over a span of days; money as on the sign, so credits to the pool are positive."""

    progressive: str
    level: str
    opening_micros: int = 0
    seed_micros: int = 0
    """House money: put into the seed, or added to prizes."""
    contributions_micros: int = 0
    """Net of returned wagers."""
    from_reserve_micros: int = 0
    overflow_micros: int = 0
    wins_micros: int = 0
    adjustments_micros: int = 0
    transfers_micros: int = 0
    """From other progressives, less what went to them."""
    other_micros: int = 0
    """Moved against an account that has no place above: to be looked at."""
    closing_micros: int = 0
    reserve_opening_micros: int = 0
    reserve_closing_micros: int = 0
    readings: list[Reading] = field(default_factory=list)

    @property
    def moved_micros(self) -> int:
        return (
            self.seed_micros
            + self.contributions_micros
            + self.from_reserve_micros
            + self.overflow_micros
            - self.wins_micros
            + self.adjustments_micros
            + self.transfers_micros
            + self.other_micros
        )

    @property
    def variances(self) -> list[str]:
        """What does not tie out, in words; empty is good."""
        found = []
        if self.opening_micros + self.moved_micros != self.closing_micros:
            out = self.closing_micros - self.opening_micros - self.moved_micros
            found.append(f"opening and movements miss the closing by {say(out)}")
        if self.other_micros:
            found.append(f"{say(self.other_micros)} moved against accounts that do not belong to a pool")
        for reading in self.readings:
            out = self.variance_of(reading)
            if out:
                due = say(reading.due_micros(self.closing_micros))
                found.append(
                    f"{reading.title}: {say(reading.micros)}, by the books {due}, variance {say(out)}"
                )
        return found

    def variance_of(self, reading: Reading) -> int:
        return reading.micros - reading.due_micros(self.closing_micros)

    def reading(self, source: str) -> Reading | None:
        """The reading of a source; where there are several, one that is out before one that is right."""
        found = [reading for reading in self.readings if reading.source == source]
        return next((reading for reading in found if self.variance_of(reading)), found[0] if found else None)

    @property
    def compared(self) -> list[tuple[Reading, int, int]]:
        """Each reading with what it should be and its variance."""
        return [
            (reading, reading.due_micros(self.closing_micros), self.variance_of(reading))
            for reading in self.readings
        ]


# Legs of a level's accounts by entry; `transit` tells contributions and their returns from everything else. What only
# leaves payable was paid, and is no movement of the pool; a rejected win takes house money back with it.
_MOVEMENTS = """
    WITH legs AS (
        SELECT e.id, e.kind = 'jackpot.transferred' AS transferred,
            split_part(a.code, '/', 3) AS progressive, split_part(a.code, '/', 5) AS level,
            split_part(a.code, '/', 6) AS name, split_part(a.code, '/', 4) = 'transit' AS transit,
            p.amount_micros AS micros
        FROM ledger_entry e JOIN ledger_gamingday d ON d.id = e.day_id JOIN ledger_posting p ON p.entry_id = e.id
        JOIN ledger_account a ON a.id = p.account_id
        WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
            AND a.premises_id = %(premises)s AND split_part(a.code, '/', 2) = 'jackpots'
    ), entries AS (
        SELECT id, progressive, level, bool_or(bool_or(transit)) OVER (PARTITION BY id) AS transit,
            bool_or(transferred) AS transferred,
            -coalesce(sum(micros) FILTER (WHERE name IN ('increment', 'base')), 0) AS pool,
            coalesce(sum(micros) FILTER (WHERE name IN ('base-not-owed', 'top-up')), 0) AS house,
            coalesce(sum(micros) FILTER (WHERE name = 'reserve'), 0) AS reserve,
            coalesce(sum(micros) FILTER (WHERE name = 'overflow'), 0) AS overflow,
            -coalesce(sum(micros) FILTER (WHERE name = 'payable'), 0) AS payable,
            coalesce(sum(micros) FILTER (WHERE name = 'adjustments'), 0) AS adjustments
        FROM legs GROUP BY id, progressive, level
    )
    SELECT progressive, level,
        sum(CASE WHEN transit THEN 0 ELSE house END)::bigint,
        sum(CASE WHEN transit THEN pool ELSE 0 END)::bigint,
        sum(CASE WHEN transit THEN 0 ELSE reserve END)::bigint,
        sum(CASE WHEN transit THEN 0 ELSE overflow END)::bigint,
        sum(CASE WHEN transit THEN 0 ELSE payable END)::bigint,
        sum(CASE WHEN transit THEN 0 ELSE adjustments END)::bigint,
        coalesce(sum(pool - house - reserve - overflow) FILTER (WHERE transferred), 0)::bigint,
        sum(CASE WHEN transit OR transferred THEN 0
            ELSE pool - house - reserve - overflow + payable - adjustments END)::bigint
    FROM entries WHERE level <> '' AND (pool <> 0 OR payable > 0 OR house <> 0 OR transferred)
    GROUP BY progressive, level ORDER BY progressive, level
"""


def reconcile(premises: Premises, first: date, last: date, progressive: str = "") -> list[ReconciledLevel]:
    """Every level whose accounts are in the books of the premises."""
    found: dict[tuple[str, str], ReconciledLevel] = {}
    for line in balances.trial_balance(premises, first, last, prefix=f"{premises.code}/jackpots/"):
        parts = line.code.split("/")
        if len(parts) != 6 or (progressive and parts[2] != progressive):
            continue
        level = found.setdefault((parts[2], parts[4]), ReconciledLevel(parts[2], parts[4]))
        if parts[5] in {"increment", "base"}:
            level.opening_micros -= line.opening_micros
            level.closing_micros -= line.closing_micros
        elif parts[5] == "reserve":
            level.reserve_opening_micros -= line.opening_micros
            level.reserve_closing_micros -= line.closing_micros
    with connection.cursor() as cursor:
        cursor.execute(_MOVEMENTS, {"premises": premises.pk, "first": first, "last": last})
        for (
            name,
            level_name,
            seed,
            contributed,
            reserve,
            overflow,
            wins,
            adjusted,
            transferred,
            other,
        ) in cursor.fetchall():
            moved = found.get((name, level_name))
            if moved is not None:
                moved.seed_micros, moved.contributions_micros = seed, contributed
                moved.from_reserve_micros, moved.overflow_micros = reserve, overflow
                moved.wins_micros, moved.adjustments_micros, moved.other_micros = wins, adjusted, other
                moved.transfers_micros = transferred
    for readings in _readings:
        for reading in readings(premises, last):
            if progressive and reading.progressive != progressive:
                continue
            key = (reading.progressive, reading.level)
            if key in found or reading.micros:  # what a meter shows and no book knows is a variance, too
                found.setdefault(key, ReconciledLevel(*key)).readings.append(reading)
    return [found[key] for key in sorted(found)]


def _rows(scope: Scope) -> Iterator[Row]:
    for level in reconcile(scope.premises, scope.first, scope.last, scope.progressive):
        meter, signs = level.reading("meter"), level.reading("signs")
        yield (
            level.progressive,
            level.level,
            level.opening_micros,
            level.seed_micros,
            level.contributions_micros,
            level.from_reserve_micros,
            level.overflow_micros,
            -level.wins_micros,
            level.adjustments_micros,
            level.transfers_micros,
            level.other_micros,
            level.closing_micros,
            meter.micros if meter else None,
            signs.micros if signs else None,
            signs.due_micros(level.closing_micros) if signs else None,
            level.reserve_opening_micros,
            level.reserve_closing_micros,
            "; ".join(level.variances),
        )


_LEVEL = "jackpots/{progressive}/levels/{level}"
RECONCILIATION = register(
    Source(
        "ledger.progressives",
        gettext_noop("Progressive reconciliation"),
        (
            Column("progressive", gettext_noop("Progressive")),
            Column("level", gettext_noop("Level")),
            Column("opening", gettext_noop("Opening"), Cell.MONEY, total=True),
            Column(
                "seed", gettext_noop("Seed and house money"), Cell.MONEY, total=True, account=f"{_LEVEL}/base"
            ),
            Column(
                "contributions",
                gettext_noop("Contributions"),
                Cell.MONEY,
                total=True,
                account=f"{_LEVEL}/increment",
            ),
            Column(
                "from_reserve",
                gettext_noop("From reserve"),
                Cell.MONEY,
                total=True,
                account=f"{_LEVEL}/reserve",
            ),
            Column(
                "overflow", gettext_noop("Overflow"), Cell.MONEY, total=True, account=f"{_LEVEL}/overflow"
            ),
            Column("wins", gettext_noop("Wins"), Cell.MONEY, total=True, account=f"{_LEVEL}/payable"),
            Column(
                "adjustments",
                gettext_noop("Adjustments"),
                Cell.MONEY,
                total=True,
                account=f"{_LEVEL}/adjustments",
            ),
            Column("transfers", gettext_noop("Transfers"), Cell.MONEY, total=True),
            Column("other", gettext_noop("Other"), Cell.MONEY, total=True),
            Column("closing", gettext_noop("Closing"), Cell.MONEY, total=True),
            Column("meter", gettext_noop("Meter"), Cell.MONEY),
            Column("signs", gettext_noop("Signs showed"), Cell.MONEY),
            Column("signs_due", gettext_noop("Signs should show"), Cell.MONEY),
            Column("reserve_opening", gettext_noop("Reserve, opening"), Cell.MONEY, total=True),
            Column("reserve_closing", gettext_noop("Reserve, closing"), Cell.MONEY, total=True),
            Column("variance", gettext_noop("Variance")),
        ),
        _rows,
        gettext_noop(
            "By level: what came into the pool and what left it, against the meter and the signs. A "
            "sign is read at its last frame of the day and should show what the books give there: "
            "later events are not in it."
        ),
        filters=("progressive",),
    )
)
