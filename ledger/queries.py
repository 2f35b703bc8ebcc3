"""What pages and the REST API read of the books: who may, and searches of the journal. Balances:
ledger.books.balances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from config.kit.gaming_day import day_start, gaming_day
from ledger.models import Account, Entry, Export, GamingDay, Posting
from people.models import Premises, Role

PAGE = 100
BOOK_READERS = (Role.FINANCE, Role.AUDITOR)
DAY_READERS = (Role.FINANCE, Role.AUDITOR, Role.JACKPOT_MANAGER, Role.SUPERVISOR)


def today(premises: Premises, now: datetime | None = None) -> date:
    """The gaming day whose books are open: the clock's, or the one after it where that was closed early. What pages,
    slips and counts call today."""
    return today_since(premises, now or timezone.now())[0]


def today_since(premises: Premises, now: datetime) -> tuple[date, datetime]:
    """The same, with the instant from which on it is today."""
    return _today_at([premises], now)[premises.pk]


def todays(own: Sequence[Premises], now: datetime) -> dict[int, date]:
    """By premises the gaming day that is today there: one statement, however many they are."""
    return {pk: day for pk, (day, _) in _today_at(own, now).items()}


def _today_at(own: Sequence[Premises], now: datetime) -> dict[int, tuple[date, datetime]]:
    days = {premises.pk: gaming_day(premises, now) for premises in own}
    found = {premises.pk: (days[premises.pk], day_start(premises, days[premises.pk])) for premises in own}
    if not days:
        return found
    closed = GamingDay.objects.filter(
        premises__in=days, state=GamingDay.State.CLOSED, date__gte=min(days.values())
    )
    for last in closed.order_by("date"):
        if last.date >= days[last.premises_id] and last.closed_at is not None:
            found[last.premises_id] = (last.date + timedelta(days=1), last.closed_at)
    return found


def span_of_day(premises: Premises, day: date) -> tuple[datetime, datetime]:
    """From when until when a gaming day is today: a close before its hour ends it, and begins the next."""
    ends = [day_start(premises, each) for each in (day, day + timedelta(days=1))]
    closed = GamingDay.objects.filter(
        premises=premises, date__in=[day - timedelta(days=1), day], closed_at__isnull=False
    )
    for one in closed:
        at = 0 if one.date < day else 1
        ends[at] = min(ends[at], one.closed_at or ends[at])
    return ends[0], ends[1]


def find_days(premises: Premises, given: Mapping[str, Any]) -> QuerySet[GamingDay]:
    """The gaming days that filters leave, the newest first."""
    found = GamingDay.objects.filter(premises=premises).select_related("closed_by", "closing_by")
    if given.get("first"):
        found = found.filter(date__gte=given["first"])
    if given.get("last"):
        found = found.filter(date__lte=given["last"])
    return found.filter(state=given["state"]) if given.get("state") else found


def find_exports(premises: Premises, given: Mapping[str, Any]) -> QuerySet[Export]:
    """The exports that filters leave, the newest first: those of which a gaming day lies in the span."""
    found = Export.objects.filter(premises=premises).select_related("requested_by", "premises")
    if given.get("first"):
        found = found.filter(last__gte=given["first"])
    if given.get("last"):
        found = found.filter(first__lte=given["last"])
    if given.get("who"):
        who = given["who"]
        found = found.filter(Q(requested_by__name__icontains=who) | Q(requested_by__username__icontains=who))
    return found.filter(state=given["state"]) if given.get("state") else found


@dataclass(frozen=True)
class Search:
    """What to look for; empty fields do not narrow. `account` is a code or the beginning of one."""

    first: date | None = None
    last: date | None = None
    kind: str = ""
    reference: str = ""
    key: str = ""
    account: str = ""
    table: str = ""
    progressive: str = ""
    late: bool = False
    corrections: bool = False
    before_id: int | None = None
    """Newest first; entries below this id, for the next page."""


def find_entries(premises: Premises, search: Search, limit: int = PAGE) -> list[Entry]:
    """The newest entries that match, with day, what they correct and `legs` (code, micros) attached."""
    found = Entry.objects.filter(premises=premises).select_related("day", "corrects").order_by("-id")
    if search.first or search.last:
        days = GamingDay.objects.filter(premises=premises)
        days = days.filter(date__gte=search.first) if search.first else days
        days = days.filter(date__lte=search.last) if search.last else days
        found = found.filter(day__in=days)
    if search.kind:
        found = found.filter(kind=search.kind.lower())
    for name in ("reference", "key"):
        if value := getattr(search, name):
            found = found.filter(**{f"{name}__in": _spellings(premises, value)})
    for prefix in _prefixes(premises, search):
        accounts = Account.objects.filter(premises=premises, code__istartswith=prefix)
        found = found.filter(
            pk__in=Posting.objects.filter(account__in=accounts).order_by().values("entry_id")
        )
    if search.late:
        found = found.filter(own_date__isnull=False)
    if search.corrections:
        found = found.filter(corrects__isnull=False)
    if search.before_id is not None:
        found = found.filter(pk__lt=search.before_id)
    return with_legs(found[:limit])


def _spellings(premises: Premises, text: str) -> list[str]:
    """As it was typed, in small letters, and with the tables' codes as Potline writes them: exact texts, so that the
    index finds them."""
    codes = Account.objects.filter(premises=premises, code__contains="/tables/").values_list(
        "code", flat=True
    )
    known = {code.split("/")[2] for code in codes}
    parts = [
        next((code for code in known if code.lower() == part.lower()), part.lower())
        for part in text.split(":")
    ]
    return sorted({text, text.lower(), ":".join(parts)})


def _prefixes(premises: Premises, search: Search) -> Iterable[str]:
    if search.account:
        ours = search.account.lower().startswith(f"{premises.code}/".lower())
        yield search.account if ours else f"{premises.code}/{search.account}"
    if search.table:
        yield f"{premises.code}/tables/{search.table}/"
    if search.progressive:
        yield f"{premises.code}/jackpots/{search.progressive}/"


def with_legs(entries: QuerySet[Entry]) -> list[Entry]:
    """The entries with their legs in the order of codes, in one further query."""
    found = list(entries)
    legs: dict[int, list[tuple[str, int]]] = defaultdict(list)
    postings = Posting.objects.filter(entry__in=[entry.pk for entry in found])
    for entry_id, code, micros in postings.values_list("entry_id", "account__code", "amount_micros"):
        legs[entry_id].append((code, micros))
    for entry in found:
        entry.legs = sorted(legs[entry.pk])  # type: ignore[attr-defined]
    return found
