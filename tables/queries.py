"""What pages and the REST API read of the floor: whose tables and rounds a person may see, and how a table stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_noop

from jackpots import clocks
from jackpots.instants import micros_of
from jackpots.models import Progressive, TableLog
from jackpots.queries import READERS
from ledger import chart
from ledger.balances import movements
from ledger.queries import today
from people.access import premises_of
from people.models import Premises, Role, User
from rules.progressive.places import is_silent
from tables.claims import with_left
from tables.models import Round, SeatClaim, Table, Terminal

SILENT_S = 30


def visible_tables(user: User | AnonymousUser) -> QuerySet[Table]:
    """All tables of the premises at which the reader has a role."""
    found = Table.objects.filter(premises__in=premises_of(user, READERS))
    return found.select_related("premises", "config").prefetch_related("table_log__links__progressive")


def visible_rounds(user: User | AnonymousUser) -> QuerySet[Round]:
    found = Round.objects.filter(table__premises__in=premises_of(user, READERS))
    return found.select_related("table").prefetch_related("lines", "versions__lines", "versions__correction")


def visible_claims(user: User | AnonymousUser) -> QuerySet[Any]:
    """What corrected rounds have left, with what is open of each (`left`), the oldest first."""
    found = SeatClaim.objects.filter(table__premises__in=premises_of(user, READERS)).order_by("pk")
    found = found.select_related("table__premises", "correction__round__table")
    return with_left(found).prefetch_related("steps")


def overview(premises: Premises) -> dict[str, Any]:
    """Every table of the premises: open or not, its round, what it won today, what is stuck."""
    now = timezone.now()
    day = today(premises, now)
    last = Round.objects.filter(table=OuterRef("pk")).order_by("-number")
    tables = list(
        Table.objects.filter(premises=premises)
        .select_related("config", "table_log")
        .prefetch_related("table_log__links__progressive")
        .annotate(
            parked=_count_of(Round.State.PARKED),
            waiting=_count_of(Round.State.CLOSED),
            round_state=Subquery(last.values("state")[:1]),
            round_id=Subquery(last.values("id")[:1]),
        )
        .order_by("pit", "code")
    )
    won = _win_by_table(tables, premises, day)
    rows = []
    for table in tables:
        rows.append(
            {
                "table": table,
                "win": won[table.pk],
                "silent": _is_unheard(table, now),
                "jackpot": jackpot_state(table.table_log, table.progressives, now),
            }
        )
    return {"premises": premises, "day": day, "rows": rows}


def sums(own: Sequence[Premises]) -> list[dict[str, Any]]:
    """The same in four numbers for each of the premises, without what only the rows of tables tell."""
    now = timezone.now()
    tables: dict[int, list[Table]] = {premises.pk: [] for premises in own}
    for table in Table.objects.filter(premises__in=tables):
        tables[table.premises_id].append(table)
    return [
        {
            "premises": premises,
            "tables": len(tables[premises.pk]),
            "open": sum(table.is_open for table in tables[premises.pk]),
            "silent": sum(_is_unheard(table, now) for table in tables[premises.pk]),
            "win": sum(_win_by_table(tables[premises.pk], premises, today(premises, now)).values()),
        }
        for premises in own
    ]


def _is_unheard(table: Table, now: datetime) -> bool:
    heard = table.last_heard_at
    return table.is_open and (heard is None or (now - heard).total_seconds() > SILENT_S)


def jackpot_state(log: TableLog, progressives: Sequence[Progressive], now: datetime) -> str:
    """How a table stands to its jackpots, in a word: "" for one that has none or is closed to them."""
    if not log.is_open or not progressives:
        return ""
    if log.left_out_at is not None:
        return gettext_noop("left out")
    links = [link for link in log.links.all() if not link.progressive.is_over(now)]
    if not links:
        return ""
    if any(link.left_out_at is not None for link in links):
        return "left out"
    if any(link.is_suspended for link in links):
        return gettext_noop("suspended")
    timing = clocks.timing_of_progressives(progressives)
    at = micros_of(now)
    if log.watermark is not None and is_silent(micros_of(log.watermark), at, timing):
        return gettext_noop("silent")
    return (
        gettext_noop("takes part") if log.lease_until is not None and log.lease_until >= now else "suspended"
    )


def _count_of(state: Round.State) -> Subquery:
    """By the small index of unsettled rounds, so that a year of settled ones costs nothing."""
    rounds = Round.objects.filter(table=OuterRef("pk"), state=state).order_by().values("table")
    return Subquery(rounds.annotate(n=Count("pk")).values("n")[:1])


def _win_by_table(tables: Sequence[Table], premises: Premises, day: date) -> dict[int, int]:
    """What the table's income accounts got today: by the books, so that a day of rounds costs no more than one."""
    codes = {
        chart.table(premises.code, table.code, name): table.pk
        for table in tables
        for name in ("win", "fees", "commission", "rounding")
    }
    won: Counter[int] = Counter()
    for code, micros in movements(premises, day, codes).items():
        won[codes[code]] -= micros
    return won


# --- What an administrator has in hand --------------------------------------------------------------------------
def administered_tables(person: User) -> QuerySet[Table]:
    own = premises_of(person, Role.ADMINISTRATOR)
    return Table.objects.filter(premises__in=own).select_related("premises")


def administered_terminals(person: User) -> QuerySet[Terminal]:
    own = premises_of(person, Role.ADMINISTRATOR)
    return Terminal.objects.filter(table__premises__in=own).select_related("table__premises")
