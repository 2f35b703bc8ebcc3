"""A meter less its seed goes to a level of another progressive, by two people: an ordered event of each, in the books
of both. It leaves only while nobody plays for it, so that nobody's hand is paid on less than its sign showed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, by_rule, wrong
from config.kit.wake_ups import ring
from jackpots.fold import adjusting
from jackpots.fold.folding import unfolded
from jackpots.models import Adjustment, Progressive, state_of
from jackpots.models.adjustments import EFFECT_VERSION
from jackpots.order.by_place import pending_hits
from jackpots.wins import freezes
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules import RuleError
from rules.money import format_money
from rules.progressive import encode
from rules.progressive.pools import PotChange
from rules.progressive.second_thoughts import PotsAdjustment
from rules.progressive.transfers import above_seed, transfer_in

WHO = (Role.JACKPOT_MANAGER, Role.FINANCE)


@dataclass(frozen=True)
class Side:
    """What one progressive gives (negative) or gets, and with whom; `not_owed`: house money that its bases let go."""

    progressive: Progressive
    kind: Adjustment.Kind
    postings: tuple[PotChange, ...]
    by_level: dict[str, int]
    others: dict[str, int]
    """By the code of the other progressive, what comes from it; negative: what goes to it."""
    not_owed: dict[str, int]

    @property
    def moved_micros(self) -> int:
        return sum(self.by_level.values())

    def as_text(self) -> list[dict[str, str]]:
        """For people, and for the approval."""
        return [
            {"progressive": self.progressive.code, "level": level, "moves": format_money(micros)}
            for level, micros in self.by_level.items()
        ]


@transaction.atomic
def request_transfer(
    code: str, level: str, actor: User, *, to_progressive: str, to_level: str, reason: str
) -> ApprovalRequest:
    """One person asks that what a level holds above its seed go to a level of another progressive."""
    source, target = locked_pair(code, to_progressive)
    _require(actor, source, target)
    proof.demand(actor, "rule")
    document = _payload(_planned(source, level, target, to_level, reason), level, to_level)
    return approvals.request_approval(actor, source.host, TRANSFER.name, document, reason)


def _require(actor: User, source: Progressive, target: Progressive) -> None:
    for progressive in (source, target):
        access.require(actor, WHO, progressive.host)


def _payload(sides: Iterable[Side], level: str, to_level: str) -> dict[str, Any]:
    out, into = sides
    return {
        "progressive": out.progressive.code,
        "level": level,
        "to_progressive": into.progressive.code,
        "to_level": to_level,
        "amount": format_money(into.moved_micros),
        "rule": out.progressive.config.rules.contribution_rule,
    }


def _planned(source: Progressive, level: str, target: Progressive, to_level: str, reason: str) -> list[Side]:
    refuse_played(source)
    refuse_target(source, target)
    state = state_of(list(source.meters.order_by("position")))
    try:
        postings = above_seed(source.config.rules, state, level)
        micros = -sum(posting.amount_micros for posting in postings)
        into = side_in(target, {to_level: micros}, source, reason)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    out = Side(source, Adjustment.Kind.OUT, postings, {level: -micros}, {target.code: -micros}, {})
    return [out, into]


def side_in(target: Progressive, amounts: dict[str, int], source: Progressive, reason: str) -> Side:
    """What comes onto the levels of a progressive; RuleError where it has no such level."""
    state = state_of(list(target.meters.order_by("position")))
    postings: list[PotChange] = []
    for level, micros in amounts.items():
        moved = transfer_in(target.config.rules, state, level, micros, reason)
        state = moved.state
        postings += moved.applied.postings
    others = {source.code: sum(amounts.values())}
    return Side(target, Adjustment.Kind.IN, tuple(postings), dict(amounts), others, {})


def leaving_micros(progressive: Progressive, level: str) -> int:
    """What would go to another progressive as things stand now."""
    try:
        postings = above_seed(
            progressive.config.rules, state_of(list(progressive.meters.order_by("position"))), level
        )
    except RuleError:
        return 0
    return -sum(posting.amount_micros for posting in postings)


def in_the_way(progressive: Progressive) -> str:
    """Why nothing can leave it now, in a sentence; '' where it can."""
    try:
        refuse_played(progressive)
    except Refused as refused:
        return refused.sentence
    return ""


# --- Why not ---------------------------------------------------------------------------------------------------
def refuse_played(progressive: Progressive) -> None:
    """While anybody plays for a meter nothing leaves it. A table that is closed need not be suspended too, since
    whoever plays there later sees what is left."""
    adjusting.refuse_ended(progressive)
    for link in progressive.links.select_related("table_log"):
        log = link.table_log
        away = link.is_suspended and (
            not log.is_open
            or (
                log.watermark is not None
                and link.suspended_at is not None
                and log.watermark >= link.suspended_at
            )
        )
        if not away and log.is_open:
            text = f"{log} still plays for {progressive}: suspend it first, and wait until it has vouched up to there."
            raise Refused("still_played", text, status=NOT_NOW)
    refuse_unfolded(progressive)


def refuse_unfolded(progressive: Progressive) -> None:
    """Nor while anything is on its way into it, or out."""
    adjusting.refuse_pending(progressive)
    if progressive.undecided.exists() or unfolded(progressive):
        text = f"Rounds or wagers of {progressive} are not decided or not folded yet: wait until they are."
        raise Refused("still_played", text, status=NOT_NOW, retry=True)
    if progressive.held_contributions.filter(settlement__isnull=True).exists():
        text = (
            f"A contribution to {progressive} that looked wrong waits in transit: accept or return it first."
        )
        raise Refused("still_played", text, status=NOT_NOW)
    refuse_frozen_levels(progressive)


def refuse_target(source: Progressive, target: Progressive) -> None:
    if target.pk == source.pk:
        raise wrong("to_progressive", "Another progressive: within one, levels have their own rates.")
    if target.host.currency != source.host.currency:
        text = f"{source} is in {source.host.currency}, {target} in {target.host.currency}."
        raise Refused("currency", text)
    adjusting.refuse_ended(target)
    adjusting.refuse_pending(target)
    if pending_hits(target).exists():
        text = f"Hits of {target} wait to be resolved: they are paid on the meter as it was."
        raise Refused("hits_pending", text, status=NOT_NOW, retry=True)
    refuse_frozen_levels(target)


def refuse_frozen_levels(progressive: Progressive) -> None:
    frozen = freezes.frozen().filter(progressive=progressive).first()
    if frozen is not None:
        text = f"{frozen.level} of {progressive} is frozen: {frozen.why}. Two people must release it first."
        raise Refused("level_frozen", text, status=NOT_NOW)


# --- Doing -----------------------------------------------------------------------------------------------------
def write(sides: Iterable[Side], request: ApprovalRequest, approver: User, act: str) -> list[Adjustment]:
    """An adjustment for each progressive, which its fold takes next. The approval is used."""
    return [_write(side, request, approver, act) for side in sides]


def _write(side: Side, request: ApprovalRequest, approver: User, act: str) -> Adjustment:
    progressive = side.progressive
    levels = [meter.level for meter in progressive.meters.order_by("position")]
    adjustment = Adjustment.objects.create(
        progressive=progressive,
        kind=side.kind,
        place=adjusting.place_of_now(progressive),
        rule=progressive.config.rules.contribution_rule,
        reason=request.reason,
        postings=encode(PotsAdjustment(side.postings, 0)),
        effect={
            "version": EFFECT_VERSION,
            "moved": side.by_level,
            "moved_micros": side.moved_micros,
            "others": side.others,
            "due": [],
            "wins": [],
            "superseded": [],
            "stands": [],
            "returned": [],
            "trace": [],
            "not_owed": {level: side.not_owed.get(level, 0) for level in levels},
            "house_micros": 0,
        },
        approval=request,
    )
    audit.record(
        approver,
        act,
        premises=progressive.host,
        subject=adjustment,
        reason=request.reason,
        details=request.payload | {"requested_by": audit.name_of(request.requested_by)},
    )
    from jackpots.tasks import fold_progressive

    ring(fold_progressive, progressive.pk)
    return adjustment


def _transfer(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    source, target = locked_pair(given["progressive"], given["to_progressive"])
    _require(approver, source, target)
    sides = _planned(source, given["level"], target, given["to_level"], request.reason)
    if _payload(sides, given["level"], given["to_level"]) != given:
        text = "What would move is no longer what was asked for. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, TRANSFER.name, given, approver)
    write(sides, request, approver, "jackpots.meter_transferred")


TRANSFER = approvals.declare(
    "jackpots.transfer_meter",
    gettext_noop("Transfer a jackpot meter to another progressive"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_transfer,
)


def locked_pair(code: str, other: str) -> tuple[Progressive, Progressive]:
    found = locked({code, other})
    if code not in found:
        raise Refused("unknown_progressive", f"There is no progressive {code}.", status=404)
    if other not in found:
        raise wrong("to_progressive", f"There is no progressive {other}.")
    return found[code], found[other]


def locked(codes: Iterable[str]) -> dict[str, Progressive]:
    """By code, in one order for all who lock several: nobody folds meanwhile."""
    rows = Progressive.objects.select_for_update(no_key=True, of=("self",)).select_related("host", "config")
    return {each.code: each for each in rows.filter(code__in=set(codes)).order_by("pk")}
