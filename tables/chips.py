"""Chips and cash that come to a table and leave it otherwise than by play: openers, fills, credits, closers, the drop.

Each is a slip with a number, entered by one person, approved by another and booked once: the same slip again changes
nothing, another with its number is refused. What a table should hold by the day's sessions, with closers that stay in
the tray, is the floor's later business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from config.canonical_json import sha256_of
from config.gaming_day import gaming_day
from config.refusals import NOT_NOW, Refused, wrong
from ledger import chart
from ledger.errors import KeyReused
from ledger.journal import NewEntry, post_many
from ledger.models import Entry
from ledger.queries import with_legs
from people import access, approvals, audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.money import CENT, dollars, format_money, parse_money
from tables.models import Table

MAX_MICROS = dollars(100_000_000)
MAX_SLIP_LENGTH = 40
OLDEST = timedelta(days=31)
"""A slip for an older day is a slip of the pen."""
WAITS = timedelta(days=400)
"""The chips have moved: a slip that nobody looks at stands in the way of the close and does not run out before it."""


class SlipKind(StrEnum):
    OPENER = "opener"
    FILL = "fill"
    CREDIT = "credit"
    CLOSER = "closer"
    DROP = "drop"


_CHIPS = frozenset({Role.SUPERVISOR})
_COUNT = frozenset({Role.FINANCE})  # the box is counted away from the table


@dataclass(frozen=True)
class Slip:
    """What was entered. `new`: by this very call. `booked`: it is in the books of `day`, which is later than its own
    where that was closed (`late`); else it waits for a second person."""

    number: str
    kind: SlipKind
    amount_micros: int
    day: date
    new: bool
    booked: bool
    late: bool = False


@transaction.atomic
def enter_slip(
    table_id: int,
    kind: str,
    slip: str,
    amount_micros: int,
    actor: User,
    *,
    day: date | None = None,
) -> Slip:
    """Enters a slip for its gaming day, today's unless it says another; another person's approval books it. The drop is
    often counted the morning after."""
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises").get(pk=table_id)
    )
    if kind not in list(SlipKind):
        raise wrong("kind", f"One of {', '.join(SlipKind)}, not {kind!r}.")
    chosen, number = SlipKind(kind), slip.strip()
    access.require(actor, WHO[chosen], table.premises)
    today = gaming_day(table.premises, timezone.now())
    of = day or today
    _refuse_nonsense(number, amount_micros, of, today)
    made = Slip(number, chosen, amount_micros, of, new=False, booked=False)
    content = payload(table, made)
    # What waits first: if it is approved meanwhile, the books have it.
    for asked in waiting_slips(table.premises, table.code):
        if asked.payload == content:
            return made
        if asked.payload["slip"] == number:
            raise _reused(table, number)
    stands = _booked(table, made)
    if stands is not None:
        return stands
    approvals.request_approval(
        actor, table.premises, ACTIONS[chosen].name, content, f"{chosen} by slip {number}", WAITS
    )
    return replace(made, new=True)


def payload(table: Table, slip: Slip) -> dict[str, str]:
    """Exactly what the second person approves."""
    return {
        "table": table.code,
        "kind": slip.kind.value,
        "slip": slip.number,
        "amount": format_money(slip.amount_micros),
        "day": slip.day.isoformat(),
    }


def waiting_slips(premises: Premises, table_code: str = "") -> list[ApprovalRequest]:
    """Slips that nobody has approved yet, of one table or of all."""
    requests = ApprovalRequest.objects.filter(
        premises=premises,
        action__in=[action.name for action in ACTIONS.values()],
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    return [each for each in requests.order_by("pk") if table_code in ("", each.payload["table"])]


def _booked(table: Table, slip: Slip) -> Slip | None:
    """The slip as it stands in the books; refused where another has its number."""
    entries = entries_of(table, slip)
    found = {
        entry.key: entry
        for entry in Entry.objects.filter(key__in=[entry.key for entry in entries]).select_related("day")
    }
    if not found:
        return None
    last = found.get(entries[-1].key)
    if last is None or last.source_sha256.hex() != entries[-1].source_hash:
        raise _reused(table, slip.number)
    return replace(slip, day=last.day.date, booked=True, late=last.own_date is not None)


def _reused(table: Table, number: str) -> Refused:
    text = f"Slip {number} of {table.code} was entered with other content; look at its number."
    return Refused("slip_reused", text, status=NOT_NOW)


def _book(request: ApprovalRequest) -> None:
    content = request.payload
    table = Table.objects.select_related("premises").get(premises=request.premises, code=content["table"])
    slip = Slip(
        content["slip"],
        SlipKind(content["kind"]),
        parse_money(content["amount"]),
        date.fromisoformat(content["day"]),
        new=True,
        booked=True,
    )
    approver = approvals.decider(request)
    approvals.use_approval(request, request.action, content, approver)
    try:
        post_many(entries_of(table, slip))
    except KeyReused:
        raise _reused(table, slip.number) from None
    audit.record(
        approver,
        f"tables.{slip.kind}",
        premises=table.premises,
        subject=table,
        details={
            "slip": slip.number,
            "amount": content["amount"],
            "day": content["day"],
            "requested_by": audit.name_of(request.requested_by),
        },
    )


_SLIP = approvals.declare(
    "tables.slip",
    "Book chips between the cage and a table",
    request_roles=_CHIPS,
    approve_roles=_CHIPS | _COUNT,
    perform=_book,
)
_DROP = approvals.declare(
    "tables.drop",
    "Book the count of a drop box",
    request_roles=_COUNT,
    approve_roles=_CHIPS | _COUNT,
    perform=_book,
)
ACTIONS = {kind: _DROP if kind is SlipKind.DROP else _SLIP for kind in SlipKind}
WHO = {kind: action.request_roles for kind, action in ACTIONS.items()}
ANY_OF = frozenset().union(*WHO.values())


def _refuse_nonsense(number: str, amount_micros: int, day: date, today: date) -> None:
    if not 1 <= len(number) <= MAX_SLIP_LENGTH or not number.isprintable():
        raise wrong("slip", f"The number on the slip, 1 to {MAX_SLIP_LENGTH} characters.")
    if not 0 < amount_micros <= MAX_MICROS or amount_micros % CENT:
        raise wrong("amount", f"Whole cents, above 0.00 and up to {format_money(MAX_MICROS)}.")
    if day > today:
        raise wrong("day", f"{day} has not begun; today is {today}.")
    if today - day > OLDEST:
        raise wrong("day", f"{day} is more than {OLDEST.days} days ago; look at the year.")


def entries_of(table: Table, slip: Slip) -> list[NewEntry]:
    """Chips go between the cage and the tray. Cash in the box stands for chips that were sold from the tray, so the
    count books both: the sale, and the cash on its way to the cage."""
    premises, number, micros = table.premises, slip.number, slip.amount_micros
    bank, box = (chart.table(premises.code, table.code, name) for name in ("bank", "drop"))
    chips, cash = (chart.account(premises.code, "cage", name) for name in ("chips", "cash"))
    moves: list[tuple[str, str, str]] = {
        SlipKind.OPENER: [("opener", chips, bank)],
        SlipKind.FILL: [("fill", chips, bank)],
        SlipKind.CREDIT: [("credit", bank, chips)],
        SlipKind.CLOSER: [("closer", bank, chips)],
        SlipKind.DROP: [("buy-in", bank, box), ("drop", box, cash)],
    }[slip.kind]
    source = {
        "table": table.code,
        "kind": slip.kind.value,
        "slip": number,
        "micros": micros,
        "day": slip.day.isoformat(),
    }
    return [
        NewEntry(
            key=f"tables:{'sold' if name == 'buy-in' else 'slip'}:{premises.code}:{table.code}:{number}",
            premises=premises,
            kind=name,
            reference=_reference(table, number),
            source_hash=sha256_of(source),
            legs={target: micros, origin: -micros},
            day=slip.day,
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
        day__premises=table.premises, day__date=day, kind__in=list(SlipKind), reference__startswith=start
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
