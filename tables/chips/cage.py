"""The owner's money in a cage: what it opens with, what comes in later, what is taken out. In cash or in chips.

Each is a slip with a number as those of a table are (tables.chips.chips): entered by one person, approved by another,
booked once against the owner's funds. The cage begins with its opening; without one its books know of no money at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from django.db import transaction
from django.db.models import Max, OuterRef, Q, Subquery
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from ledger.books import chart, holdings
from ledger.books.balances import balances, trial_balance
from ledger.books.errors import KeyReused
from ledger.books.journal import NewEntry, post_many
from ledger.models import Entry
from ledger.queries import today
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.money import format_money, parse_money
from tables.chips import chips, denominations
from tables.models import CageSlip, CageSlipPrint, Table

MONEY = (gettext_noop("cash"), gettext_noop("chips"))
WHO = frozenset({Role.FINANCE, Role.SUPERVISOR})
APPROVE = frozenset({Role.FINANCE})
WAY_OUT = "Take less, or put money into the cage first."


class CageKind(StrEnum):
    OPENING = gettext_noop("opening")
    FUNDING = gettext_noop("funding")
    DRAIN = gettext_noop("drain")


ENTRY_KINDS = {
    CageKind.OPENING: "cage.opening",
    CageKind.FUNDING: "cage.funded",
    CageKind.DRAIN: "cage.drained",
}


@dataclass(frozen=True)
class CageMove:
    """A slip as it was entered. `new`: by this very call. `booked`: it is in the books of `day`, which is later than
    its own where that was closed (`late`); else it waits for a second person."""

    number: str
    kind: CageKind
    money: str
    """`cash` or `chips`."""
    amount_micros: int
    day: date
    new: bool
    booked: bool
    late: bool = False
    denominations: str = ""
    slip_id: int | None = None
    """To print it."""


@dataclass(frozen=True)
class Held:
    """What the cage holds by the books, and what of its owner's money is in the house."""

    cash_micros: int
    chips_micros: int
    cheques_micros: int
    """Written, and not presented yet."""
    funds_micros: int
    trays: dict[str, int]
    """By table what its tray holds."""


def held(premises: Premises) -> Held:
    codes = list(Table.objects.filter(premises=premises).order_by("code").values_list("code", flat=True))
    trays = {code: holdings.tray(premises.code, code) for code in codes}
    cage = {name: chart.account(premises.code, "cage", name) for name in ("cash", "chips", "cheques")}
    funds = chart.account(premises.code, "house", "funds")
    found = balances([*trays.values(), *cage.values(), funds])
    return Held(
        found[cage["cash"]],
        found[cage["chips"]],
        -found[cage["cheques"]],
        -found[funds],
        {code: found[account] for code, account in trays.items()},
    )


def below_zero(premises: Premises, day: date) -> list[tuple[str, int]]:
    """Of cash and chips what the books of the days up to this one have below zero: the rest of it never came in."""
    lines = trial_balance(premises, last=day, prefix=f"{premises.code}/cage/c")
    standing = {line.code: line.closing_micros for line in lines}
    found = [(money, standing.get(holdings.cage(premises.code, money), 0)) for money in MONEY]
    return [(money, micros) for money, micros in found if micros < 0]


def is_opened(premises: Premises) -> bool:
    """Whether money was ever put into this cage. Asked of its slips, which are few: entries are many."""
    return bool(_approved(premises, CageKind.OPENING, CageKind.FUNDING))


def _approved(premises: Premises, *kinds: CageKind) -> list[dict[str, str]]:
    said = Q()
    for kind in kinds:
        said |= Q(approval__payload_json__contains=f'"kind":"{kind}"')
    used = ApprovalRequest.State.USED
    rows = CageSlip.objects.filter(said, premises=premises, approval__state=used).select_related("approval")
    return [row.approval.payload for row in rows.order_by("pk")[:2]]


@transaction.atomic
def enter_slip(
    premises: Premises,
    actor: User,
    kind: str,
    money: str,
    amount_micros: int | None,
    *,
    slip: str = "",
    day: date | None = None,
    counted_as: str = "",
) -> CageMove:
    """Enters a slip for its gaming day, today's unless it says another; another person's approval books it. The same
    slip again changes nothing. Without a number of its own Potline gives it the next one."""
    access.require(actor, WHO, premises)
    holdings.wait_for_turn(premises)
    if kind not in list(CageKind):
        raise wrong("kind", f"One of {', '.join(CageKind)}, not {kind!r}.")
    if money not in MONEY:
        raise wrong("money", f"One of {', '.join(MONEY)}, not {money!r}.")
    now, number, counted = today(premises), slip.strip(), denominations.read(counted_as)
    of = day or now
    amount = denominations.total(amount_micros, counted)
    chips.refuse_nonsense(number, amount, of, now)
    serial = None if number else _next_serial(premises)
    made = CageMove(
        number if serial is None else given_number(serial), CageKind(kind), money, amount, of, new=False, booked=False,
        denominations=denominations.in_words(counted),
    )  # fmt: skip
    content = payload(made)
    for asked in waiting(premises):
        if asked.payload == content:
            return _printable(premises, made)
        if asked.payload["slip"] == made.number:
            raise _reused(premises, made.number)
        if _same_opening(asked.payload, made):
            raise _opened(made)
    stands = _booked(premises, made)
    if stands is not None:
        return _printable(premises, stands)
    if serial is None and number.startswith("C-"):
        raise wrong("slip", "Numbers that begin with C- are given by Potline: leave it empty for the next.")
    _refuse(premises, made)
    asked = approvals.request_approval(
        actor, premises, MOVE.name, content, f"{made.kind} in {money} by slip {made.number}", chips.WAITS
    )
    row = CageSlip.objects.create(
        premises=premises, number=made.number, serial=serial, day=of, approval=asked
    )
    return replace(made, new=True, slip_id=row.pk)


def given_number(serial: int) -> str:
    return f"C-{serial:06d}"


def _next_serial(premises: Premises) -> int:
    """Numbers have no gaps in a premises: the caller waits for its turn there."""
    last = CageSlip.objects.filter(premises=premises).aggregate(last=Max("serial"))["last"]
    return (last or 0) + 1


def _printable(premises: Premises, made: CageMove) -> CageMove:
    row = CageSlip.objects.filter(premises=premises, number=made.number).order_by("-pk").first()
    return replace(made, slip_id=row.pk if row else None)


def _refuse(premises: Premises, made: CageMove) -> None:
    """What the books do not hold is not taken out, and a cage is opened once."""
    if made.kind is CageKind.DRAIN:
        wanted = {holdings.cage(premises.code, made.money): made.amount_micros}
        holdings.refuse_unheld(premises, wanted, WAY_OUT)
    elif made.kind is CageKind.OPENING:
        openings = {content["money"] for content in _approved(premises, CageKind.OPENING)}
        if made.money in openings:
            raise _opened(made)


def _same_opening(content: dict[str, str], made: CageMove) -> bool:
    opening = CageKind.OPENING.value
    return made.kind is CageKind.OPENING and (content["kind"], content["money"]) == (opening, made.money)


def _opened(made: CageMove) -> Refused:
    text = f"The cage has its opening in {made.money}: what comes in later is a funding."
    return Refused("cage_opened", text, status=NOT_NOW)


def _reused(premises: Premises, number: str) -> Refused:
    text = f"Slip {number} of the cage of {premises} was entered with other content; look at its number."
    return Refused("slip_reused", text, status=NOT_NOW)


def payload(made: CageMove) -> dict[str, str]:
    """Exactly what the second person approves."""
    content = {
        "slip": made.number,
        "kind": made.kind.value,
        "money": made.money,
        "amount": format_money(made.amount_micros),
        "day": made.day.isoformat(),
    }
    return content | ({"denominations": made.denominations} if made.denominations else {})


def move_of(content: dict[str, str]) -> CageMove:
    """What was approved, as a slip that is booked."""
    return CageMove(
        content["slip"],
        CageKind(content["kind"]),
        content["money"],
        parse_money(content["amount"]),
        date.fromisoformat(content["day"]),
        new=False,
        booked=True,
        denominations=content.get("denominations", ""),
    )


def waiting(premises: Premises) -> list[ApprovalRequest]:
    """Slips that nobody has approved yet."""
    requests = ApprovalRequest.objects.filter(
        premises=premises,
        action=MOVE.name,
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    slip = CageSlip.objects.filter(approval=OuterRef("pk")).values("pk")[:1]  # to print it
    return list(requests.annotate(cage_slip_id=Subquery(slip)).order_by("pk"))


def _booked(premises: Premises, made: CageMove) -> CageMove | None:
    """The slip as it stands in the books; refused where another has its number."""
    wanted = entry_of(premises, made)
    found = Entry.objects.filter(key=wanted.key).select_related("day").first()
    if found is None:
        return None
    if found.source_sha256.hex() != wanted.source_hash:
        raise _reused(premises, made.number)
    return replace(made, day=found.day.date, booked=True, late=found.own_date is not None)


def entry_of(premises: Premises, made: CageMove) -> NewEntry:
    """Between the cage and what the owner has put into the house."""
    into = -made.amount_micros if made.kind is CageKind.DRAIN else made.amount_micros
    return NewEntry(
        key=f"tables:cage:{premises.code}:{made.number}",
        premises=premises,
        kind=ENTRY_KINDS[made.kind],
        reference=reference(made.number),
        source_hash=sha256_of(payload(made)),
        legs={
            holdings.cage(premises.code, made.money): into,
            chart.account(premises.code, "house", "funds"): -into,
        },
        day=made.day,
        memo=f"Slip {made.number}",
    )


def reference(number: str) -> str:
    return f"cage:{number}"


def _book(request: ApprovalRequest) -> None:
    content, premises = request.payload, request.premises
    holdings.wait_for_turn(premises)
    made = move_of(content)
    _refuse(premises, made)
    approver = approvals.decider(request)
    approvals.use_approval(request, MOVE.name, content, approver)
    try:
        post_many([entry_of(premises, made)])
    except KeyReused:
        raise _reused(premises, made.number) from None
    audit.record(
        approver,
        f"tables.cage_{made.kind}",
        premises=premises,
        subject=premises,
        details=content | {"requested_by": audit.name_of(request.requested_by)},
    )


MOVE = approvals.declare(
    "tables.cage",
    gettext_noop("Put money into the cage, or take some out"),
    request_roles=WHO,
    approve_roles=APPROVE,
    perform=_book,
)


# --- Paper ------------------------------------------------------------------------------------------------------
@transaction.atomic
def print_slip(slip_id: int, actor: User) -> CageSlipPrint:
    """One more print, on record. It goes with the money, so it is printed before it is booked as well."""
    slip = CageSlip.objects.select_related("premises", "approval__requested_by", "approval__decided_by").get(
        pk=slip_id
    )
    access.require(actor, WHO, slip.premises)
    holdings.wait_for_turn(slip.premises)
    if slip.approval.state not in (ApprovalRequest.State.REQUESTED, ApprovalRequest.State.USED):
        text = f"Slip {slip.number} was {slip.approval.state}: it moves nothing, and is not printed."
        raise Refused("not_approved", text, status=NOT_NOW)
    made = CageSlipPrint.objects.create(slip=slip, copy=slip.prints.count(), printed_by=actor)
    made.refresh_from_db(fields=["at"])
    audit.record(
        actor,
        "tables.slip_printed",
        premises=slip.premises,
        subject=slip.premises,
        details={"slip": slip.number, "copy": made.copy},
    )
    return made


def document(made: CageSlipPrint) -> dict[str, object]:
    """What stands on it."""
    slip = made.slip
    asked, content = slip.approval, slip.approval.payload
    return {
        "number": slip.number,
        "reprint": made.copy > 0,
        "copy": made.copy,
        "printed_at": made.at.isoformat(),
        "printed_by": made.printed_by.name,
        "premises": slip.premises.name,
        "currency": slip.premises.currency,
        "kind": content["kind"],
        "money": content["money"],
        "day": content["day"],
        "denominations": denominations.lines(content.get("denominations", "")),
        "amount": content["amount"],
        "entered_by": asked.requested_by.name,
        "approved_by": asked.decided_by.name if asked.decided_by else None,
        "booked": asked.state == ApprovalRequest.State.USED,
    }
