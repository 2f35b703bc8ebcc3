"""What two people may do about a table that others wait for: leave it out, leave one round of it out, close it without
its terminal's goodbye, or let another terminal take over.

Nobody can vouch alone for a table: a round with a better hand may still lie in its terminal. Whoever asks and whoever
approves are of the table's premises, or of the host of a progressive that waits.

A table is silent by how far it has vouched, whatever else is heard of it. So a terminal that goes on beating and
vouches for two milliseconds with each beat is silent, and what two people say of it stands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from config.kit.moments import told
from config.kit.refusals import NOT_NOW, Refused
from config.kit.wake_ups import ring
from jackpots.log import event_log
from jackpots.models import TableLog, UndecidedRound
from jackpots.order import clocks, server_clock
from jackpots.order.instants import micros_of
from jackpots.order.links import links_of
from jackpots.tasks import fold_progressive
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Premises, Role, User
from rules.progressive.places import is_silent, is_stuck, may_be_left_out
from tables.models import Round, Table

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)


def silent_log(table: Table) -> TableLog | None:
    """The table's log, if others wait for it and it has not vouched for longer than its lease lasts."""
    log = table.table_log
    if not log.is_open or log.left_out_at is not None or log.watermark is None:
        return None
    timing = clocks.timing_of(links_of(log))
    now = micros_of(server_clock.read().now)
    return log if is_silent(micros_of(log.watermark), now, timing) else None


def stuck_rounds(table: Table) -> list[UndecidedRound]:
    """Rounds that others wait for and that last longer than any of their game (`Game.longest_round_s`)."""
    now, longest_us = micros_of(server_clock.read().now), table.config.game.longest_round_s * 1_000_000
    waiting = table.table_log.undecided.filter(left_out=False, unawaited=False).select_related("progressive")
    return [row for row in waiting if is_stuck(row.locked.placed.place, now, longest_us)]


def refuse_in_lease(table: Table) -> None:
    """Only when it takes no jackpot wagers any more and has had time to tell."""
    timing, server = clocks.timing_of(links_of(table.table_log)), server_clock.read()
    until = clocks.lease_until(table.table_log, server, timing)
    if until is not None and not may_be_left_out(micros_of(until), micros_of(server.now), timing):
        raise Refused(
            "in_lease",
            f"{table} may still take jackpot wagers until {told(until, table.premises)}: try again after that.",
            status=NOT_NOW,
            retry=True,
        )


# ------------------------------------------------------------------------------------------------ what is asked


def payload(table: Table) -> dict[str, Any]:
    """Exactly what the second person approves. It names the moment of asking: once the table has vouched beyond that,
    it is another silence. Where no jackpot waits for the table nothing is vouched: its last event is named instead."""
    log = table.table_log
    vouches = log.is_open and log.watermark is not None
    return {
        "table": table.code,
        "premises": table.premises.code,
        "progressives": sorted(progressive.code for progressive in table.progressives),
        "session": table.session,
        "last_event": None if vouches else table.last_event,
        "heard_until": log.watermark.isoformat() if log.watermark else "",
        "asked_at": server_clock.read().now.isoformat(),
    }


MOVES_ON = ("heard_until", "asked_at")
"""Of such a document what is another by the next moment."""


def _is_about(document: dict[str, Any], table: Table) -> bool:
    """Whether it is still what was asked: the table has not vouched beyond the moment of asking."""
    now, watermark = payload(table), table.table_log.watermark
    if any(document.get(name) != value for name, value in now.items() if name not in MOVES_ON):
        return False
    asked_at = document.get("asked_at")
    return asked_at is not None and (watermark is None or watermark <= datetime.fromisoformat(asked_at))


@transaction.atomic
def request_leave_out(table_id: int, actor: User, reason: str) -> ApprovalRequest:
    """One person asks that others no longer wait for a silent table; when another approves, it is done."""
    table = _locked(Table.objects.filter(pk=table_id))
    asked_at = _asked_at(actor, table)
    if silent_log(table) is None:
        raise Refused(
            "not_silent", f"{table} is heard, or holds up no jackpot: nothing to do.", status=NOT_NOW
        )
    refuse_in_lease(table)
    return _ask_about(table, actor, asked_at, LEAVE_OUT.name, reason)


@transaction.atomic
def request_leave_out_round(round_id: int, actor: User, reason: str) -> ApprovalRequest:
    """The same for one round that is stuck, while its table plays on."""
    round = Round.objects.select_related("table").get(pk=round_id)
    table = _locked(Table.objects.filter(pk=round.table_id))
    asked_at = _asked_at(actor, table)
    if not any(row.round_id == round_id for row in stuck_rounds(table)):
        raise Refused("not_stuck", f"{round} is decided, or may still end by itself.", status=NOT_NOW)
    document = {
        "table": table.code,
        "premises": table.premises.code,
        "round": round_id,
        "number": round.number,
    }
    asked = next((each for each in _waiting(LEAVE_OUT_ROUND.name) if each.payload == document), None)
    _refuse_asked(asked)
    return approvals.request_approval(actor, asked_at, LEAVE_OUT_ROUND.name, document, reason)


@transaction.atomic
def request_close(table_id: int, actor: User, reason: str) -> ApprovalRequest:
    """One person asks to close a table whose terminal has said no goodbye."""
    table = _locked(Table.objects.filter(pk=table_id))
    access.require(actor, STAFF, table.premises)
    if not table.table_log.is_open:
        raise Refused("not_silent", f"{table} holds up no jackpot: close it as usual.", status=NOT_NOW)
    return _ask_about(table, actor, table.premises, CLOSE.name, reason)


@transaction.atomic
def request_take_over(table_id: int, actor: User, reason: str) -> ApprovalRequest:
    """One person asks that another terminal runs the table: numbers begin anew, the old one is heard no more."""
    table = _locked(Table.objects.filter(pk=table_id))
    access.require(actor, STAFF, table.premises)
    return _ask_about(table, actor, table.premises, TAKE_OVER.name, reason)


def _asked_at(actor: User, table: Table) -> Premises:
    """The premises for which the actor speaks: the table's, or the host's of a progressive that waits."""
    hosts = [progressive.host for progressive in links_of(table.table_log).progressives]
    for premises in (table.premises, *hosts):
        if access.may(actor, STAFF, premises):
            return premises
    access.require(actor, STAFF, table.premises)
    return table.premises


def _ask_about(table: Table, actor: User, premises: Premises, action: str, reason: str) -> ApprovalRequest:
    _refuse_asked(_asked_about(action, table))
    return approvals.request_approval(actor, premises, action, payload(table), reason)


def _refuse_asked(asked: ApprovalRequest | None) -> None:
    if asked is not None:
        text = f"{asked.requested_by} has asked for it already: another person must approve it."
        raise Refused("already_asked", text, status=NOT_NOW)


def waiting_request(table: Table) -> ApprovalRequest | None:
    """What was asked about this very silence and is not decided yet."""
    return None if silent_log(table) is None else _asked_about(LEAVE_OUT.name, table)


def closing_request(table: Table) -> ApprovalRequest | None:
    return _asked_about(CLOSE.name, table)


def _asked_about(action: str, table: Table) -> ApprovalRequest | None:
    return next((asked for asked in _waiting(action) if _is_about(asked.payload, table)), None)


def _waiting(action: str) -> QuerySet[ApprovalRequest]:
    requests = ApprovalRequest.objects.filter(
        action=action, state=ApprovalRequest.State.REQUESTED, expires_at__gt=Now()
    )
    return requests.order_by("-pk")


# ------------------------------------------------------------------------------------------------- what is done


def _leave_out(request: ApprovalRequest) -> None:
    table = _as_asked(request)
    if silent_log(table) is None:
        raise _heard(table)
    refuse_in_lease(table)
    event_log.leave_out(table.table_log)
    _done(request, table, "tables.table_left_out")


def _leave_out_round(request: ApprovalRequest) -> None:
    table = _locked(_named(request))
    if not event_log.leave_out_round(table.table_log, request.payload["round"]):
        text = f"Round {request.payload['number']} of {table} was decided meanwhile. Reject this."
        raise Refused("heard", text, status=NOT_NOW)
    _done(request, table, "tables.round_left_out")


def _close(request: ApprovalRequest) -> None:
    """Without its terminal's goodbye: what it tells afterwards is for people."""
    table = _as_asked(request)
    under_way = table.rounds.filter(state__in=[Round.State.OPEN, Round.State.LOCKED]).first()
    if under_way is not None:
        raise Refused(
            "round_under_way", f"Round {under_way.number} of {table} must end first.", status=NOT_NOW
        )
    table.is_open = False
    table.save(update_fields=["is_open"])
    event_log.leave_out(table.table_log)
    event_log.close_log(table.table_log)
    _done(request, table, "tables.table_closed")


def _take_over(request: ApprovalRequest) -> None:
    table = _as_asked(request)
    table.session, table.last_event = table.session + 1, 0
    table.save(update_fields=["session", "last_event"])
    if table.table_log.is_open:
        event_log.leave_out(table.table_log)
    _done(request, table, "tables.session_taken_over")


def _as_asked(request: ApprovalRequest) -> Table:
    table = _locked(_named(request))
    if not _is_about(request.payload, table):
        raise _heard(table)
    return table


def _heard(table: Table) -> Refused:
    text = f"{table} was heard meanwhile. Reject this; ask anew if need be."
    return Refused("heard", text, status=NOT_NOW)


def _named(request: ApprovalRequest) -> QuerySet[Table]:
    given = request.payload
    return Table.objects.filter(premises__code=given["premises"], code=given["table"])


def _done(request: ApprovalRequest, table: Table, act: str) -> None:
    approver = approvals.decider(request)
    approvals.use_approval(request, request.action, request.payload, approver)
    audit.record(
        approver,
        act,
        premises=table.premises,
        subject=table,
        reason=request.reason,
        details=request.payload | {"requested_by": audit.name_of(request.requested_by)},
    )
    for progressive in table.progressives:
        ring(fold_progressive, progressive.pk)


def _locked(tables: QuerySet[Table]) -> Table:
    """With its log: no event and no heartbeat comes in between."""
    table = tables.select_for_update(no_key=True, of=("self",)).select_related("premises", "table_log").get()
    table.table_log = event_log.locked(table.table_log)
    return table


LEAVE_OUT, LEAVE_OUT_ROUND, CLOSE, TAKE_OVER = (
    approvals.declare(name, title, request_roles=STAFF, approve_roles=STAFF, perform=perform)
    for name, title, perform in (
        ("tables.leave_out", "No longer wait for a silent table", _leave_out),
        ("tables.leave_out_round", "No longer wait for a stuck round", _leave_out_round),
        ("tables.close", "Close a table whose terminal said no goodbye", _close),
        ("tables.take_over", "Let another terminal run a table", _take_over),
    )
)
