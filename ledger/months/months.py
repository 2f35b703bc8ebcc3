"""Months of the tables that are divided by them (ledger/sql/months_1.sql): the turn to the next one, and which are kept
elsewhere. Taking a month out and bringing it back is ledger.months.month_files.

A month has a band of the numbers of rounds, entries, terminals' events and frames: 202611000000000 and up is November
2026. These themselves stay whole; what is divided hangs on them and is referred to by nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import structlog
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.gaming_day import gaming_day
from config.kit.refusals import NOT_NOW, Refused
from ledger.models import MonthMove
from people.alerts import alerts
from people.models import Premises, Role

logger = structlog.get_logger(__name__)
BAND = 1_000_000_000
EARLIER = "earlier"
"""All that was there before its table was divided, or came before the first turn."""
FIRST_BAND = 202601
LINES, MESSAGES, FRAMES = "tables_wagerline", "tables_messagetext", "jackpots_frametext"
NOT_MADE = alerts.declare(
    "ledger.month_not_made",
    gettext_noop("The next month has no place in the database yet"),
    severity=alerts.Severity.URGENT,
    roles=[Role.ADMINISTRATOR],
    again_after=timedelta(hours=6),
)


def name_of(month: date) -> str:
    return f"{month:%Y-%m}"


def month_of(number: int) -> str:
    """In whose band a round, an entry or a terminal's event is."""
    year, month = divmod(number // BAND, 100)
    return f"{year}-{month:02}" if number // BAND >= FIRST_BAND else EARLIER


def first_of(name: str) -> date:
    """Raises ValueError for what is no month."""
    return datetime.strptime(name, "%Y-%m").date()  # noqa: DTZ007 (a month has no time zone)


def after(month: date) -> date:
    return (month.replace(day=1) + timedelta(days=32)).replace(day=1)


def numbers_of(name: str) -> tuple[int, int]:
    """The band: its first number, and where the next begins."""
    if name == EARLIER:
        return 0, FIRST_BAND * BAND
    month = first_of(name)
    return int(f"{month:%Y%m}") * BAND, int(f"{after(month):%Y%m}") * BAND


# --- The turn -------------------------------------------------------------------------------------------------
def current_month(now: datetime) -> date | None:
    """The gaming month that every premises has reached; none in an empty installation."""
    days = [gaming_day(premises, now) for premises in Premises.objects.all()]
    return min(days).replace(day=1) if days else None


_turned: dict[str, date] = {}
"""By database the month that this process has seen through: the job asks nothing until the next one."""


def turn(now: datetime | None = None) -> bool:
    """Makes the parts of this month and of the three to come, and lets numbers go on in its band. Where that fails
    nothing stops: numbers stay in the band of the month before, and somebody is told. True: it is done."""
    month = current_month(now or timezone.now())
    database = str(connection.settings_dict["NAME"])
    if month is None or _turned.get(database) == month:
        return month is not None
    try:
        with connection.cursor() as cursor:
            for _ in range(2):  # numbers follow once the parts are committed
                cursor.execute("SELECT potline_turn_month(%s)", [month])
                done = bool(cursor.fetchone()[0])
    except DatabaseError as error:
        logger.exception("month_not_made", month=name_of(month))
        _tell(month, " ".join(str(error).split()))
        return False
    missing = lacking(after(month))
    if missing:
        _tell(month, f"{', '.join(missing)} has no part for {name_of(after(month))}")
    elif done:
        _turned[database] = month
    return done


def _tell(month: date, why: str) -> None:
    text = (
        f"The parts of {name_of(month)} and the months after it could not be made: {why}. Rounds go on in the month"
        " before; run `manage.py migrate` and `grant_app_role`, and look at the log."
    )
    alerts.raise_alert(NOT_MADE, f"month:{name_of(month)}", text)


@dataclass(frozen=True)
class Part:
    """A table that holds one month of another."""

    parent: str
    name: str
    bounds: str
    """As PostgreSQL writes them."""

    @property
    def month(self) -> str:
        end = self.name.removeprefix(f"{self.parent}_")
        return f"{end[:4]}-{end[4:]}" if end.isdecimal() else end


def parts() -> list[Part]:
    """Those that are attached, as the catalogue has them: any role may ask."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.relname, c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i"
            " JOIN pg_class c ON c.oid = i.inhrelid AND c.relkind = 'r' JOIN pg_class p ON p.oid = i.inhparent"
            " WHERE p.relnamespace = 'public'::regnamespace ORDER BY p.relname, c.relname"
        )
        return [Part(*row) for row in cursor.fetchall()]


def lacking(month: date) -> list[str]:
    """Divided tables that have no part for a month."""
    there = parts()
    have = {part.parent for part in there if part.month == name_of(month) or _goes_beyond(part, month)}
    return sorted({part.parent for part in there} - have)


def _goes_beyond(part: Part, month: date) -> bool:
    """Whether a table's first part holds the month: it was there when the table was divided."""
    end = re.search(r"TO \('([^']+)'\)", part.bounds)
    if part.month != EARLIER or end is None:
        return False
    if end[1].isdecimal():
        return int(end[1]) // BAND > int(f"{month:%Y%m}")
    return end[1][:10] > month.isoformat()


# --- Kept elsewhere -------------------------------------------------------------------------------------------
def elsewhere() -> list[MonthMove]:
    """The months whose rows are in files and not here, with how many of which tables."""
    last = MonthMove.objects.order_by("month", "-pk").distinct("month")
    return [move for move in last if move.kind == MonthMove.Kind.DETACHED]


def elsewhere_of(numbers: Iterable[int], table: str = LINES) -> dict[int, str]:
    """Of rounds whose lines are kept elsewhere (of another table: of what its rows hang on), the month. A month that
    went before a table was divided took none of its rows."""
    away = {move.month for move in elsewhere() if table in move.rows}
    return {number: month_of(number) for number in numbers if month_of(number) in away} if away else {}


def days_elsewhere(premises: Premises, first: date, last: date) -> list[str]:
    """The months, kept elsewhere, in which rows of these gaming days are."""
    found = []
    for move in elsewhere():
        span = move.days.get(str(premises.pk))
        if span and span[0] <= last.isoformat() and first.isoformat() <= span[1]:
            found.append(move.month)
    return found


def minutes_elsewhere(*moments: datetime) -> list[str]:
    """The months, kept elsewhere, in which signs would have told what they showed at these moments."""
    away = {move.month for move in elsewhere()}
    return sorted(away & {name_of(at.astimezone(UTC).date()) for at in moments}) if away else []


def sentence(months: Iterable[str]) -> str:
    named = ", ".join(sorted(set(months)))
    return f"The settled lines of {named} are kept elsewhere. `manage.py months attach` brings them back."


def require_days(premises: Premises, first: date, last: date) -> None:
    """Refuses what would be summed without the lines that are kept elsewhere."""
    away = days_elsewhere(premises, first, last)
    if away:
        raise Refused("kept_elsewhere", sentence(away), status=NOT_NOW)
