"""Chips and cash that come to a table and leave it otherwise than by play: openers, fills, credits, closers, the drop.

Each is a slip with a number, by denomination, entered by one person, approved by another and booked once: the same slip
again changes nothing, another with its number is refused. What the day's slips of a table come to is
tables.chips.counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import Max, OuterRef
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit import turns
from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from ledger.books import chart, holdings
from ledger.books.errors import KeyReused
from ledger.books.journal import NewEntry, post_many
from ledger.models import Entry
from ledger.queries import today, with_legs
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.money import CENT, dollars, format_money, parse_money
from tables.chips import denominations
from tables.models import ChipSlip, Table

MAX_MICROS = dollars(100_000_000)
MAX_SLIP_LENGTH = 40
OLDEST = timedelta(days=31)
"""A slip for an older day is a slip of the pen."""
WAITS = timedelta(days=400)
"""The chips have moved: a slip that nobody looks at stands in the way of the close and does not run out before it."""
GIVEN_NUMBER = re.compile(r"S-\d+")


class SlipKind(StrEnum):
    OPENER = gettext_noop("opener")
    FILL = gettext_noop("fill")
    CREDIT = gettext_noop("credit")
    CLOSER = gettext_noop("closer")
    DROP = gettext_noop("drop")


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
    denominations: str = ""
    """How many of each, the largest first: `20 x 5.00, 12 x 1.00`."""
    promotional_micros: int = 0
    """Promotional chips that were counted with it, apart: they are no money of the table's."""
    slip_id: int | None = None
    """To print it."""


@transaction.atomic
def enter_slip(
    table_id: int,
    kind: str,
    slip: str,
    amount_micros: int | None,
    actor: User,
    *,
    day: date | None = None,
    counted_as: str = "",
    promotional_micros: int = 0,
) -> Slip:
    """Enters a slip for its gaming day, today's unless it says another; another person's approval books it. The drop is
    often counted the morning after. Without a number of its own Potline gives it the next one. `counted_as` says how
    many of each (tables.chips.denominations)."""
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises").get(pk=table_id)
    )
    if kind not in list(SlipKind):
        raise wrong("kind", f"One of {', '.join(SlipKind)}, not {kind!r}.")
    chosen, number = SlipKind(kind), slip.strip()
    access.require(actor, WHO[chosen], table.premises)
    now = today(table.premises)
    of = day or now
    counted = denominations.read(counted_as)
    amount_micros = denominations.agreed(table, amount_micros, counted, notes=chosen is SlipKind.DROP)
    refuse_nonsense(number, amount_micros, of, now)
    _refuse_promotional(chosen, promotional_micros)
    serial = None if number else _next_serial(table.premises)
    made = Slip(
        number if serial is None else given_number(serial), chosen, amount_micros, of, new=False, booked=False,
        denominations=denominations.in_words(counted), promotional_micros=promotional_micros,
    )  # fmt: skip
    content = payload(table, made)
    # What waits first: if it is approved meanwhile, the books have it.
    for asked in waiting_slips(table.premises, table.code):
        if asked.payload == content:
            return _printable(table, made)
        if asked.payload["slip"] == made.number:
            raise _reused(table, made.number)
    stands = _booked(table, made)
    if stands is not None:
        return _printable(table, stands)
    if serial is None and GIVEN_NUMBER.fullmatch(number):
        raise wrong("slip", "Numbers that begin with S- are given by Potline: leave it empty for the next.")
    asked = approvals.request_approval(
        actor, table.premises, ACTIONS[chosen].name, content, f"{chosen} by slip {made.number}", WAITS
    )
    row = ChipSlip.objects.create(
        table=table, number=made.number, serial=serial, day=of, promotional_micros=promotional_micros, approval=asked
    )  # fmt: skip
    return replace(made, new=True, slip_id=row.pk)


def _printable(table: Table, slip: Slip) -> Slip:
    row = ChipSlip.objects.filter(table=table, number=slip.number).order_by("-pk").first()
    return replace(slip, slip_id=row.pk if row else None)


# --- Numbers that Potline gives ---------------------------------------------------------------------------------
def given_number(serial: int) -> str:
    return f"S-{serial:06d}"


def _next_serial(premises: Premises) -> int:
    """Numbers have no gaps in a premises: whoever enters a slip waits for who enters one just now."""
    turns.take(f"tables.slip:{premises.pk}")
    last = ChipSlip.objects.filter(table__premises=premises).aggregate(last=Max("serial"))["last"]
    return (last or 0) + 1


def payload(table: Table, slip: Slip) -> dict[str, str]:
    """Exactly what the second person approves."""
    return {
        "table": table.code,
        "kind": slip.kind.value,
        "slip": slip.number,
        "amount": format_money(slip.amount_micros),
        "day": slip.day.isoformat(),
        **_counted(slip),
    }


def _counted(slip: Slip) -> dict[str, str]:
    """What not every slip says."""
    found = {"denominations": slip.denominations} if slip.denominations else {}
    return found | ({"promotional": format_money(slip.promotional_micros)} if slip.promotional_micros else {})


def slip_of(content: dict[str, str]) -> Slip:
    """What was approved, as a slip that is booked."""
    return Slip(
        content["slip"],
        SlipKind(content["kind"]),
        parse_money(content["amount"]),
        date.fromisoformat(content["day"]),
        new=False,
        booked=True,
        denominations=content.get("denominations", ""),
        promotional_micros=parse_money(content.get("promotional", "0.00")),
    )


def waiting_slips(premises: Premises, table_code: str = "") -> list[ApprovalRequest]:
    """Slips that nobody has approved yet, of one table or of all."""
    requests = ApprovalRequest.objects.filter(
        premises=premises,
        action__in=[action.name for action in ACTIONS.values()],
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    requests = requests.annotate(
        chip_slip_id=ChipSlip.objects.filter(approval=OuterRef("pk")).values("pk")[:1]  # to print it
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
    # A count that is being accepted sees the day's slips as they are, and not one more a moment later.
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises")
    table = tables.get(premises=request.premises, code=content["table"])
    slip = slip_of(content)
    holdings.wait_for_turn(table.premises)  # nobody hands out what this slip is about to take
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
            **_counted(slip),
        },
    )


_SLIP = approvals.declare(
    "tables.slip",
    gettext_noop("Book chips between the cage and a table"),
    request_roles=_CHIPS,
    approve_roles=_CHIPS | _COUNT,
    perform=_book,
)
_DROP = approvals.declare(
    "tables.drop",
    gettext_noop("Book the count of a drop box"),
    request_roles=_COUNT,
    approve_roles=_CHIPS | _COUNT,
    perform=_book,
)
ACTIONS = {kind: _DROP if kind is SlipKind.DROP else _SLIP for kind in SlipKind}
WHO = {kind: action.request_roles for kind, action in ACTIONS.items()}
ANY_OF = frozenset().union(*WHO.values())


def refuse_nonsense(number: str, amount_micros: int, day: date, today: date) -> None:
    if len(number) > MAX_SLIP_LENGTH or not number.isprintable():
        text = f"The number on the slip, at most {MAX_SLIP_LENGTH} characters; none: Potline gives the next."
        raise wrong("slip", text)
    if not 0 < amount_micros <= MAX_MICROS or amount_micros % CENT:
        raise wrong("amount", f"Whole cents, above 0.00 and up to {format_money(MAX_MICROS)}.")
    if day > today:
        raise wrong("day", f"{day} has not begun; today is {today}.")
    if today - day > OLDEST:
        raise wrong("day", f"{day} is more than {OLDEST.days} days ago; look at the year.")


def _refuse_promotional(kind: SlipKind, micros: int) -> None:
    if micros and kind not in (SlipKind.CLOSER, SlipKind.DROP):
        raise wrong("promotional", "Promotional chips are counted with the closer or the drop.")
    if not 0 <= micros <= MAX_MICROS or micros % CENT:
        raise wrong("promotional", f"Whole cents, up to {format_money(MAX_MICROS)}.")


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
        **_counted(slip),
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
    slip_id: int | None
    """To print it; none of those that came before slips could be."""


def slips(table: Table, day: date) -> list[Booked]:
    """What was booked for a table on a gaming day, newest first; the sale behind a drop is left out."""
    start = _reference(table, "")
    found = with_legs(
        Entry.objects.filter(
            day__premises=table.premises, day__date=day, kind__in=list(SlipKind), reference__startswith=start
        ).order_by("-id")[:50]
    )
    numbers = [entry.reference.removeprefix(start) for entry in found]
    rows = ChipSlip.objects.filter(
        table=table, number__in=numbers, approval__state=ApprovalRequest.State.USED
    ).values_list("number", "pk")
    printable = dict(rows)
    return [
        Booked(
            number,
            entry.kind,
            max(micros for _, micros in entry.legs),  # type: ignore[attr-defined]
            entry.posted_at,
            entry.own_date,
            printable.get(number),
        )
        for number, entry in zip(numbers, found, strict=True)
    ]
