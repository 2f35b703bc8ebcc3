"""Contributions that look wrong: by their size, or by how much a table brings in a minute; each progressive has limits
of its own. They wait in transit and block nothing, until a person accepts them (they enter at the earliest open place)
or two people return them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.fastsql.statements import fresh
from config.kit.refusals import NOT_NOW, Refused
from config.kit.wake_ups import ring
from jackpots.fold import hindsight, ledger_entries
from jackpots.log.held import undecided
from jackpots.models import Event, HeldContribution, HeldSettlement, Progressive, Share, TableLog
from jackpots.order import barrier
from ledger.books.journal import post_many
from people import access
from people.alerts import alerts
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules.contract import Wager
from rules.money import format_money

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)
MINUTE = timedelta(minutes=1)
SUSPECT = alerts.declare(
    "jackpots.suspect_contribution",
    gettext_noop("A jackpot contribution looks wrong"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR],
)


# --- Finding them ----------------------------------------------------------------------------------------------
def sort_out(
    table_log: TableLog, shares: Iterable[Share], wagers: Iterable[Wager]
) -> tuple[list[Share], list[HeldContribution]]:
    """Of what an event brings: what may stand in the order, and what is held. Neither is stored here. Looks at nothing
    where no limit is set."""
    good: list[Share] = []
    held: list[HeldContribution] = []
    for share in shares:
        why = _why(table_log, share, wagers)
        if not why:
            good.append(share)
            continue
        held.append(
            fresh(
                HeldContribution,
                progressive=share.progressive,
                config_id=share.config_id,
                place=share.place,
                stake_micros=share.stake_micros,
                slice_micros=share.slice_micros,
                slices=share.slices,
                why=why,
            )
        )
        text = f"{table_log}: {why} for {share.progressive}. It waits in transit: accept it, or return it."
        alerts.raise_alert(SUSPECT, table_log, text, premises=table_log.premises)
    return good, held


def _why(table_log: TableLog, share: Share, wagers: Iterable[Wager]) -> str:
    one, rate = share.progressive.suspect_stake_micros, share.progressive.suspect_rate_micros
    if one is not None:
        largest = max((wager.stake for wager in wagers if wager.kind in share.slices), default=0)
        if largest > one:
            return f"a wager of {format_money(largest)}, above {format_money(one)}"
    if rate is None:
        return ""
    total = share.stake_micros + _lately(table_log, share)
    if total > rate:
        return f"{format_money(total)} within a minute, above {format_money(rate)}"
    return ""


def _lately(table_log: TableLog, share: Share) -> int:
    """What the table has brought within a minute before, held or not, by its locks: stored, and drafted by the same
    request."""
    since = share.place - MINUTE
    span: dict[str, Any] = {
        "progressive": share.progressive_id,
        "event__table_log": table_log.pk,
        "event__kind": Event.Kind.STAKES,
        "place__gt": since,
        "place__lte": share.place,
    }
    entered = Share.objects.exclude(event__held_contributions__progressive=share.progressive_id)
    stored = sum(
        rows.filter(**span).aggregate(total=Sum("stake_micros"))["total"] or 0
        for rows in (entered, HeldContribution.objects.all())
    )
    drafts: list[tuple[int, datetime, int]] = table_log.__dict__.setdefault("drafted_stakes", [])
    drafted = sum(micros for pk, place, micros in drafts if pk == share.progressive_id and place > since)
    drafts.append((share.progressive_id, share.place, share.stake_micros))
    return stored + drafted


# --- What waits ------------------------------------------------------------------------------------------------
def waiting() -> QuerySet[HeldContribution]:
    found = HeldContribution.objects.filter(settlement__isnull=True)
    return found.select_related("progressive__host", "event__table_log__premises", "config").order_by("pk")


def _locked(held_id: int) -> HeldContribution:
    """Nobody folds meanwhile, and its table tells nothing."""
    held = waiting().filter(pk=held_id).first()
    if held is None:
        raise Refused("not_held", "It is not held: somebody has decided on it.", status=NOT_NOW)
    rows = Progressive.objects.select_for_update(no_key=True, of=("self",)).select_related("host", "config")
    held.progressive = rows.get(pk=held.progressive_id)
    list(TableLog.objects.select_for_update(no_key=True).filter(pk=held.event.table_log_id))
    if HeldSettlement.objects.filter(held=held).exists():
        raise Refused("not_held", "It is not held: somebody has decided on it.", status=NOT_NOW)
    return held


# --- Accepting -------------------------------------------------------------------------------------------------
@transaction.atomic
def accept(held_id: int, actor: User, *, reason: str) -> HeldContribution:
    """It is what it says: it enters at the earliest place that is open."""
    held = _locked(held_id)
    access.require(actor, STAFF, held.progressive.host)
    if hindsight.was_void(held.event.table_log, held.event.round_id):
        raise Refused("was_void", "Its round was void: have it returned.", status=NOT_NOW)
    enter(held, HeldSettlement.Kind.ACCEPTED, reason)
    audit.record(
        actor,
        "jackpots.contribution_accepted",
        premises=held.progressive.host,
        subject=held,
        reason=reason,
        details=_document(held),
    )
    from jackpots.tasks import fold_progressive

    ring(fold_progressive, held.progressive_id)
    return held


def enter(held: HeldContribution, kind: HeldSettlement.Kind, reason: str) -> Share:
    """In the order from here on. The caller holds progressive and table."""
    place = max(held.place, barrier.settled(held.progressive) or held.place)
    share = Share.objects.create(
        event=held.event,
        progressive=held.progressive,
        config=held.config,
        place=place,
        earliest=place,
        latest=place,
        stake_micros=held.stake_micros,
        slice_micros=held.slice_micros,
        slices=held.slices,
    )
    HeldSettlement.objects.create(held=held, kind=kind, share=share, reason=reason)
    return share


def enter_void(event: Event) -> None:
    """Wagers of an event go back as void: what is held of it enters first, so that they leave the pots as they came."""
    for held in waiting().filter(event=event):
        enter(held, HeldSettlement.Kind.VOID, "its wagers went back as void")


# --- Returning -------------------------------------------------------------------------------------------------
@transaction.atomic
def request_return(held_id: int, actor: User, *, reason: str) -> ApprovalRequest:
    """One person asks that its money go back to the players; another approves it."""
    held = _locked(held_id)
    access.require(actor, STAFF, held.progressive.host)
    proof.demand(actor, "rule")
    _refuse_return(held)
    return approvals.request_approval(actor, held.progressive.host, RETURN.name, _document(held), reason)


def _document(held: HeldContribution) -> dict[str, Any]:
    log = held.event.table_log
    return {
        "held": held.pk,
        "progressive": held.progressive.code,
        "premises": log.premises.code,
        "table": log.table_code,
        "round": held.event.round_id,
        "stake": format_money(held.stake_micros),
        "slice": format_money(held.slice_micros),
        "why": held.why,
    }


def _refuse_return(held: HeldContribution) -> None:
    """Whoever may still win with it, or has won, has wagered."""
    round_id, log = held.event.round_id, held.event.table_log
    if held.progressive.undecided.filter(table_log=log, round_id=round_id).exists():
        raise Refused("undecided", "Its round is not decided yet: wait until it is.", status=NOT_NOW)
    if hindsight.known_hits(held.progressive, log, round_id) is not None:
        text = "A hand of its round has won: accept it, or have the hand rejected first."
        raise Refused("has_won", text, status=NOT_NOW)
    if undecided().filter(progressive=held.progressive, table_log=log, round_id=round_id).exists():
        text = "A hand of its round is held for people and may still win: decide on that first."
        raise Refused("hand_held", text, status=NOT_NOW)


def _return(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    held = _locked(given["held"])
    _refuse_return(held)
    approvals.use_approval(request, RETURN.name, _document(held), approver)
    HeldSettlement.objects.create(
        held=held, kind=HeldSettlement.Kind.RETURNED, reason=request.reason, approval=request
    )
    post_many(ledger_entries.held_return_entries(held, returned_at(request)))
    audit.record(
        approver,
        "jackpots.contribution_returned",
        premises=held.progressive.host,
        subject=held,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )


def returned_at(request: ApprovalRequest) -> datetime:
    return request.decided_at or timezone.now()


RETURN = approvals.declare(
    "jackpots.return_contribution",
    gettext_noop("Return a jackpot contribution that looked wrong"),
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_return,
)
