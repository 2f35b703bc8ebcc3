"""What corrected rounds left open, by player: owed money is paid or expires, what was overpaid is recovered or written
off. One person hands money over or takes it back; giving a claim up takes two."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.moments import MOMENT, told
from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.wins import hand_pay_rules
from ledger.books import holdings
from ledger.books.journal import post_many
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules.money import CENT, format_money, say
from tables.corrections.correction_entries import claim_entry
from tables.models import GIVE_UP, ClaimStep, RoundCorrection, SeatClaim, Table

WHO = (Role.SUPERVISOR, Role.FINANCE)
HOW = ("chips", "cash")
Kind = ClaimStep.Kind
SETTLED_BY = {SeatClaim.Kind.OWED: Kind.PAID, SeatClaim.Kind.RECOVERABLE: Kind.RECOVERED}
GIVEN_UP_BY = {SeatClaim.Kind.OWED: Kind.EXPIRED, SeatClaim.Kind.RECOVERABLE: Kind.WRITTEN_OFF}


def with_left(claims: QuerySet[SeatClaim] | None = None) -> QuerySet[Any]:
    """Claims with what is open of each, `left`, which no stub knows of."""
    last = ClaimStep.objects.filter(claim=OuterRef("pk")).order_by("-number").values("left_micros")[:1]
    found = SeatClaim.objects.all() if claims is None else claims
    return found.annotate(left=Coalesce(Subquery(last), "amount_micros"))


def open_claims(table_id: int, round_ids: Iterable[int]) -> list[tuple[SeatClaim, int]]:
    """What corrections that touched these rounds left open."""
    touching = RoundCorrection.objects.filter(versions__round__in=list(round_ids))
    found = with_left().filter(table=table_id, correction__in=touching, left__gt=0)
    return [(claim, claim.left) for claim in found.order_by("pk")]


def replace_claims(
    taken_in: Iterable[tuple[SeatClaim, int]], correction: RoundCorrection, actor: User
) -> list[ClaimStep]:
    """A later correction takes what is open into its own claims. The caller holds the table."""
    return [
        _step(claim, Kind.REPLACED, left, actor, correction.reason, correction=correction)
        for claim, left in taken_in
    ]


def _step(
    claim: SeatClaim, kind: ClaimStep.Kind, micros: int, actor: User, reason: str, **more: Any
) -> ClaimStep:
    last = claim.steps.order_by("number").last()
    left = claim.amount_micros if last is None else last.left_micros
    step = ClaimStep.objects.create(
        claim=claim,
        number=1 if last is None else last.number + 1,
        kind=kind,
        amount_micros=micros,
        left_micros=left - micros,
        reason=reason,
        actor=actor,
        **more,
    )
    step.refresh_from_db(fields=["at"])
    return step


# --- By one person ----------------------------------------------------------------------------------------------
@transaction.atomic
def settle_claim(
    claim_id: int, actor: User, *, how: str, reason: str, amount_micros: int | None = None
) -> ClaimStep:
    """Pays what is owed, or takes back what was overpaid; all that is open, or a part of it."""
    claim, left = _locked(claim_id)
    access.require(actor, WHO, claim.table.premises)
    proof.demand(actor, "pay")
    if how not in HOW:
        raise wrong("how", f"One of {', '.join(HOW)}, not {how!r}.")
    if not reason.strip():
        raise wrong("reason", "Say to whom or from whom, and how they are known: it stays on record.")
    micros = left if amount_micros is None else amount_micros
    if not 0 < micros <= left or (micros % CENT and micros != left):
        raise wrong("amount", f"Whole cents, above 0.00 and up to {say(left)}, which is open.")
    if claim.kind == SeatClaim.Kind.OWED:
        _refuse_unheld(claim, how, micros)
    step = _step(claim, SETTLED_BY[SeatClaim.Kind(claim.kind)], micros, actor, reason.strip(), how=how)
    return _book(step, actor)


def _refuse_unheld(claim: SeatClaim, how: str, micros: int) -> None:
    """Chips go out of the tray of its table, cash out of the cage."""
    premises = claim.table.premises
    tray, cage = holdings.tray(premises.code, claim.table.code), holdings.cage(premises.code, "cash")
    wanted = {tray if how == "chips" else cage: micros}
    holdings.refuse_unheld(premises, wanted, "Pay it the other way, or bring the money there first.")


# --- By two -----------------------------------------------------------------------------------------------------
@transaction.atomic
def request_give_up(claim_id: int, actor: User, reason: str) -> ApprovalRequest:
    """One person asks that what is open expires or is written off; another approves it."""
    claim, left = _locked(claim_id)
    access.require(actor, WHO, claim.table.premises)
    proof.demand(actor, "rule")
    _refuse_early(claim)
    if waiting_request(claim) is not None:
        raise Refused("already_asked", f"It is asked for already: {claim}.", status=NOT_NOW)
    return approvals.request_approval(actor, claim.table.premises, GIVE_UP, _payload(claim, left), reason)


def waiting_request(claim: SeatClaim) -> ApprovalRequest | None:
    asked = ApprovalRequest.objects.filter(
        action=GIVE_UP,
        premises=claim.table.premises,
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    return next((each for each in asked if each.payload["claim"] == claim.pk), None)


def expires_at(claim: SeatClaim) -> datetime:
    """From when what nobody claims may expire: nz-1996 I 16.2 leaves the days to approved procedures."""
    return claim.at + timedelta(days=hand_pay_rules.in_force(claim.table.premises).expiry_days)


def _refuse_early(claim: SeatClaim) -> None:
    due = expires_at(claim)
    if claim.kind == SeatClaim.Kind.OWED and due > timezone.now():
        begins = told(due, claim.table.premises, MOMENT)
        text = f"What is owed may expire from {begins} on; until then whoever comes is paid."
        raise Refused("too_early", text, status=NOT_NOW)


def _payload(claim: SeatClaim, left: int) -> dict[str, Any]:
    return {
        "claim": claim.pk,
        "table": claim.table.code,
        "round": claim.correction.round_id,
        "seat": claim.seat,
        "player": claim.player,
        "step": GIVEN_UP_BY[SeatClaim.Kind(claim.kind)].value,
        "amount": format_money(left),
    }


def _give_up(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    claim, left = _locked(given["claim"])
    _refuse_early(claim)
    approvals.use_approval(request, GIVE_UP, _payload(claim, left), approver)
    step = _step(
        claim, GIVEN_UP_BY[SeatClaim.Kind(claim.kind)], left, approver, request.reason, approval=request
    )
    _book(step, approver)


ACTION = approvals.declare(
    GIVE_UP,
    gettext_noop("Give up a claim of a corrected round"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_give_up,
)


# --- Both -------------------------------------------------------------------------------------------------------
def _book(step: ClaimStep, actor: User) -> ClaimStep:
    entry = claim_entry(step)
    post_many([entry] if entry is not None else [])
    claim = step.claim
    audit.record(
        actor,
        f"tables.claim_{step.kind.replace('-', '_')}",
        premises=claim.table.premises,
        subject=claim,
        reason=step.reason,
        details={
            "step": step.number,
            "amount": format_money(step.amount_micros),
            "left": format_money(step.left_micros),
            "how": step.how,
            "round": claim.correction.round_id,
        },
    )
    return step


def _locked(claim_id: int) -> tuple[SeatClaim, int]:
    """Under the lock of its table, with what is open of it."""
    table_id = SeatClaim.objects.filter(pk=claim_id).values_list("table_id", flat=True).first()
    if table_id is None:
        raise Refused("unknown_claim", f"There is no claim {claim_id}.", status=404)
    Table.objects.select_for_update(no_key=True).get(pk=table_id)
    claim = with_left().select_related("table__premises", "correction").get(pk=claim_id)
    if not claim.left:
        raise Refused("claim_settled", f"Nothing of it is open any more: {claim}.", status=NOT_NOW)
    return claim, int(claim.left)
