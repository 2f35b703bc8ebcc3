"""Chips and cash that come to a table and leave it otherwise than by play: openers, fills, credits, closers, the drop.

Each is a slip with a number, booked once: the same slip again changes nothing, another with its number is refused. What
a table should hold by the day's sessions, with closers that stay in the tray, is the floor's later business.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.db import transaction
from django.utils import timezone

from ledger import chart
from ledger.errors import KeyReused
from ledger.journal import NewEntry, post_many
from ledger.models import Entry
from ledger.queries import with_legs
from people import access, audit
from people.canonical import sha256_of
from people.gaming_day import gaming_day
from people.models import Role, User
from rules.money import CENT, dollars, format_money
from tables.errors import Refused
from tables.models import Table

MOST_MICROS = dollars(100_000_000)
MOST_SLIP = 40


class Kind(StrEnum):
    OPENER = "opener"
    FILL = "fill"
    CREDIT = "credit"
    CLOSER = "closer"
    DROP = "drop"


WHO: dict[Kind, frozenset[Role]] = {
    Kind.OPENER: frozenset({Role.SUPERVISOR}),
    Kind.FILL: frozenset({Role.SUPERVISOR}),
    Kind.CREDIT: frozenset({Role.SUPERVISOR}),
    Kind.CLOSER: frozenset({Role.SUPERVISOR}),
    Kind.DROP: frozenset({Role.FINANCE}),  # counted away from the table
}
ANY_OF = frozenset().union(*WHO.values())


@dataclass(frozen=True)
class Slip:
    """What was booked, and whether it is new. `late`: its day was closed, so it stands in the books of `day`."""

    number: str
    kind: Kind
    amount_micros: int
    day: date
    new: bool
    late: bool


@transaction.atomic
def book_slip(
    table_id: int,
    kind: str,
    slip: str,
    amount_micros: int,
    actor: User,
    *,
    day: date | None = None,
    ip: str | None = None,
) -> Slip:
    """Books a slip for its gaming day, today's without a word. The drop is often counted the morning after."""
    table = Table.objects.select_related("premises").get(pk=table_id)
    if kind not in list(Kind):
        raise Refused("kind", f"kind: {', '.join(Kind)}, not {kind!r}.")
    chosen, number = Kind(kind), slip.strip()
    access.require(actor, WHO[chosen], table.premises)
    today = gaming_day(table.premises, timezone.now())
    of = day or today
    _refuse_nonsense(number, amount_micros, of, today)
    entries = _entries(table, chosen, number, amount_micros, of)
    try:
        with transaction.atomic():
            posted = post_many(entries)
    except KeyReused:
        raise Refused(
            "slip_reused",
            f"Slip {number} of {table.code} is booked with other content; look at its number.",
            status=409,
        ) from None
    made = Slip(number, chosen, amount_micros, posted[-1].day, posted[-1].created, posted[-1].late)
    if made.new:
        audit.record(
            actor,
            f"tables.{chosen}",
            premises=table.premises,
            subject=table,
            ip=ip,
            details={"slip": number, "amount": format_money(amount_micros), "day": of.isoformat()},
        )
    return made


def _refuse_nonsense(number: str, amount_micros: int, day: date, today: date) -> None:
    if not 1 <= len(number) <= MOST_SLIP or not number.isprintable():
        raise Refused("slip", f"slip: the number on the slip, 1 to {MOST_SLIP} characters.")
    if not 0 < amount_micros <= MOST_MICROS or amount_micros % CENT:
        raise Refused("amount", f"amount: whole cents, above 0.00 and up to {format_money(MOST_MICROS)}.")
    if day > today:
        raise Refused("day", f"day: {day} has not begun; today is {today}.")


def _entries(table: Table, kind: Kind, number: str, micros: int, day: date) -> list[NewEntry]:
    """Chips go between the cage and the tray. Cash in the box stands for chips that were sold from the tray, so the
    count books both: the sale, and the cash on its way to the cage."""
    premises = table.premises
    bank, box = (chart.table(premises.code, table.code, name) for name in ("bank", "drop"))
    chips, cash = (chart.account(premises.code, "cage", name) for name in ("chips", "cash"))
    moves: list[tuple[str, str, str]] = {
        Kind.OPENER: [("opener", chips, bank)],
        Kind.FILL: [("fill", chips, bank)],
        Kind.CREDIT: [("credit", bank, chips)],
        Kind.CLOSER: [("closer", bank, chips)],
        Kind.DROP: [("buy-in", bank, box), ("drop", box, cash)],
    }[kind]
    source = {
        "table": table.code,
        "kind": kind.value,
        "slip": number,
        "micros": micros,
        "day": day.isoformat(),
    }
    return [
        NewEntry(
            key=f"tables:slip:{premises.code}:{table.code}:{number}{':sold' if name == 'buy-in' else ''}",
            premises=premises,
            kind=name,
            reference=_reference(table, number),
            source_hash=sha256_of(source),
            legs={target: micros, origin: -micros},
            day=day,
            memo=f"Slip {number}",
        )
        for name, origin, target in moves
    ]


def _reference(table: Table, number: str) -> str:
    return f"slip:{table.code}:{number}"


@dataclass(frozen=True)
class Booked:
    """A slip as it stands in the books."""

    number: str
    kind: str
    amount_micros: int
    at: datetime
    own_date: date | None


def slips(table: Table, day: date) -> list[Booked]:
    """What was booked for a table on a gaming day, newest first; the sale behind a drop is left out."""
    start = _reference(table, "")
    found = Entry.objects.filter(
        day__premises=table.premises, day__date=day, kind__in=list(Kind), reference__startswith=start
    )
    return [
        Booked(
            entry.reference.removeprefix(start),
            entry.kind,
            max(micros for _, micros in entry.legs),  # type: ignore[attr-defined]
            entry.posted_at,
            entry.own_date,
        )
        for entry in with_legs(found.order_by("-id")[:50])
    ]
