"""What pages and the REST API read of the floor: whose tables and rounds a person may see, and how a table stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from jackpots.models import Progressive, TableLog
from jackpots.order import clocks
from jackpots.order.instants import micros_of
from jackpots.queries import READERS
from ledger.books import chart
from ledger.books.balances import movements_on
from ledger.queries import todays
from people.access import premises_of
from people.models import Premises, Role, User
from people.pages import filters
from rules.progressive.places import is_silent
from tables.corrections.claims import with_left
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


def sums(own: Sequence[Premises]) -> list[dict[str, Any]]:
    """The floor in four numbers for each of the premises; tables.pages.tiles has every table."""
    now = timezone.now()
    tables: dict[int, list[Table]] = {premises.pk: [] for premises in own}
    found = list(Table.objects.filter(premises__in=tables).defer("carried", "head"))
    for table in found:
        tables[table.premises_id].append(table)
    won = win_by_table(found, {premises.pk: premises for premises in own}, todays(own, now))
    return [
        {
            "premises": premises,
            "tables": len(tables[premises.pk]),
            "open": sum(table.is_open for table in tables[premises.pk]),
            "silent": sum(is_unheard(table, now) for table in tables[premises.pk]),
            "win": sum(won[table.pk] for table in tables[premises.pk]),
        }
        for premises in own
    ]


def is_unheard(table: Table, now: datetime) -> bool:
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


def win_by_table(
    tables: Sequence[Table], premises: Mapping[int, Premises], days: Mapping[int, date]
) -> Counter[int]:
    """What the tables' income accounts got today: by the books, so that a day of rounds costs no more than one."""
    codes = {
        chart.table(premises[table.premises_id].code, table.code, name): table.pk
        for table in tables
        for name in ("win", "fees", "commission", "rounding")
    }
    won: Counter[int] = Counter()
    for code, micros in movements_on(days, codes).items():
        won[codes[code]] -= micros
    return won


def matching_claims(claims: QuerySet[Any], given: Mapping[str, Any]) -> QuerySet[Any]:
    """Those that the filters of their page leave: with something left, unless all are asked for."""
    if not given.get("over"):
        claims = claims.filter(left__gt=0)
    if given.get("q"):
        seat = {"seat": int(given["q"])} if given["q"].isascii() and given["q"].isdigit() else {"pk": None}
        claims = claims.filter(Q(player__icontains=given["q"]) | Q(**seat))
    if given.get("where"):
        claims = claims.filter(table__code__iexact=given["where"])
    if given.get("kind"):
        claims = claims.filter(kind=given["kind"])
    return filters.between(claims, "at", given)


# --- What an administrator has in hand --------------------------------------------------------------------------
def administered_tables(person: User) -> QuerySet[Table]:
    own = premises_of(person, Role.ADMINISTRATOR)
    return Table.objects.filter(premises__in=own).select_related("premises")


def administered_terminals(person: User) -> QuerySet[Terminal]:
    own = premises_of(person, Role.ADMINISTRATOR)
    return Terminal.objects.filter(table__premises__in=own).select_related("table__premises")
