"""Tables join a progressive, are suspended from it and resumed, each by two people: it is about money and who may win.

A link that is suspended counts no wager from that place in the order on, and nobody waits for its table beyond it. It
is resumed from now on: a wager that may have locked before does not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, wrong
from config.kit.wake_ups import ring
from jackpots.fold import adjusting
from jackpots.log import event_log, games
from jackpots.models import Link, Progressive, TableLog
from jackpots.order import barrier, server_clock
from jackpots.order.links import links_of
from jackpots.set_up import configure
from jackpots.set_up.changes import APPROVERS, SETTERS
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Role, User

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)


# --- What is asked ---------------------------------------------------------------------------------------------


@transaction.atomic
def request_link(
    code: str,
    actor: User,
    premises: str,
    table: str,
    kinds: Iterable[str],
    reason: str,
    *,
    takes_rest: bool | None = None,
    unequal_odds: bool = False,
) -> ApprovalRequest:
    """Asks that wagers of these kinds at a table feed the progressive and win from it. `unequal_odds`: although hands
    are not as likely there as at the other games of the link."""
    progressive = _locked(code)
    log = _log_of(premises, table)
    access.require(actor, SETTERS, progressive.host)
    access.require(actor, SETTERS, log.premises)
    document: dict[str, Any] = {
        "progressive": code,
        "premises": premises,
        "table": table,
        "kinds": sorted(set(kinds)),
        "takes_rest": takes_rest,
        "unequal_odds": unequal_odds,
    }
    _refuse_link(progressive, log, document)
    return _ask(actor, progressive, LINK, document, reason)


@transaction.atomic
def request_suspension(code: str, actor: User, premises: str, table: str, reason: str) -> ApprovalRequest:
    """Asks that wagers of the table no longer count."""
    link = _link(code, premises, table)
    access.require(actor, STAFF, link.progressive.host)
    _refuse_suspension(link)
    return _ask(actor, link.progressive, SUSPEND, _document(link), reason)


@transaction.atomic
def request_resumption(code: str, actor: User, premises: str, table: str, reason: str) -> ApprovalRequest:
    """Asks that wagers of the table count again."""
    link = _link(code, premises, table)
    access.require(actor, STAFF, link.progressive.host)
    _refuse_resumption(link)
    return _ask(actor, link.progressive, RESUME, _document(link), reason)


def _ask(
    actor: User, progressive: Progressive, action: approvals.Action, document: dict[str, Any], reason: str
) -> ApprovalRequest:
    asked = next(
        (
            each
            for each in waiting_requests(progressive)
            if each.action == action.name and each.payload == document
        ),
        None,
    )
    if asked is not None:
        text = f"{asked.requested_by} has asked for it already: another person must approve it."
        raise Refused("already_asked", text, status=NOT_NOW)
    return approvals.request_approval(actor, progressive.host, action.name, document, reason)


def waiting_requests(progressive: Progressive) -> list[ApprovalRequest]:
    """What was asked about the progressive's links and is not decided yet."""
    asked = ApprovalRequest.objects.filter(
        action__in=[LINK.name, SUSPEND.name, RESUME.name],
        premises=progressive.host,
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    return [each for each in asked.order_by("pk") if each.payload["progressive"] == progressive.code]


# --- Why not ---------------------------------------------------------------------------------------------------


def _refuse_link(progressive: Progressive, log: TableLog, given: dict[str, Any]) -> None:
    _refuse_over(progressive)
    played = games.game_of(log)
    if played is None:
        raise wrong("table", f"{log} has no game yet: set the table up first.")
    if not given["kinds"]:
        raise wrong("kinds", "Name the wagers that feed the progressive.")
    games.refuse_kinds(played.game, progressive, given["kinds"])
    if log.links.filter(progressive=progressive).exists():
        raise Refused("linked", f"{log} is linked to {progressive} already.", status=NOT_NOW)
    configure.refuse_currency(progressive, log)
    if not given["unequal_odds"]:
        why = games.unequal_odds(progressive, played, given["kinds"])
        if why:
            text = f"One meter, other chances: {why}. Link it only if your authority allows unequal odds."
            raise Refused("unequal_odds", text)
    others = list(links_of(log).links)
    configure.draft_link(progressive, log, given["kinds"], others, takes_rest=given["takes_rest"])


def _refuse_suspension(link: Link) -> None:
    if link.is_suspended:
        raise Refused("suspended", f"{link.table_log} is suspended from {link.progressive}.", status=NOT_NOW)
    log, resumed = link.table_log, link.resumed_at
    if resumed is not None and log.is_open and (log.watermark is None or log.watermark < resumed):
        text = (
            f"{log} has not vouched up to where it was resumed: try again in a moment, or leave it out first."
        )
        raise Refused("not_vouched", text, status=NOT_NOW, retry=True)


def _refuse_resumption(link: Link) -> None:
    _refuse_over(link.progressive)
    if not link.is_suspended:
        text = f"{link.table_log} is not suspended from {link.progressive}."
        raise Refused("not_suspended", text, status=NOT_NOW)


def _refuse_over(progressive: Progressive) -> None:
    adjusting.refuse_ended(progressive)
    if progressive.over_since is not None:
        text = (
            f"The last gaming day of {progressive} is over. Take back that it ends first (its page, The end)."
        )
        raise Refused("ended", text, status=NOT_NOW)


# --- What is done ----------------------------------------------------------------------------------------------


def _do_link(request: ApprovalRequest) -> None:
    given = request.payload
    progressive, log = _locked(given["progressive"]), _log_of(given["premises"], given["table"])
    _refuse_link(progressive, log, given)
    approver = _use(request)
    link = configure.link_table(approver, progressive, log, given["kinds"], takes_rest=given["takes_rest"])
    _wake(link)


def _do_suspend(request: ApprovalRequest) -> None:
    link = _as_asked(request)
    _refuse_suspension(link)
    approver = _use(request)
    link.suspended_at, link.resumed_at = _now(link), None
    _save(link, request, approver, "jackpots.link_suspended")


def _do_resume(request: ApprovalRequest) -> None:
    link = _as_asked(request)
    _refuse_resumption(link)
    approver = _use(request)
    link.resumed_at = _now(link)
    if not link.table_log.is_open:  # else its next request ends it
        link.left_out_at = None
    _save(link, request, approver, "jackpots.link_resumed")


def _as_asked(request: ApprovalRequest) -> Link:
    given = request.payload
    link = _link(given["progressive"], given["premises"], given["table"])
    if _document(link) != given:
        text = f"{link} was suspended or resumed meanwhile. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    return link


def _now(link: Link) -> Any:
    """Where it stands in the order: after everything that is final."""
    now, final = server_clock.read().now, barrier.settled(link.progressive)
    return now if final is None else max(now, final)


def _save(link: Link, request: ApprovalRequest, approver: User, act: str) -> None:
    link.save(update_fields=["suspended_at", "resumed_at", "left_out_at"])
    audit.record(
        approver,
        act,
        premises=link.table_log.premises,
        subject=link,
        reason=request.reason,
        details=request.payload | {"requested_by": audit.name_of(request.requested_by)},
    )
    _wake(link)


def _wake(link: Link) -> None:
    from jackpots.tasks import fold_progressive

    ring(fold_progressive, link.progressive_id)


def _use(request: ApprovalRequest) -> User:
    approver = approvals.decider(request)
    approvals.use_approval(request, request.action, request.payload, approver)
    return approver


def _document(link: Link) -> dict[str, Any]:
    """Exactly what the second person approves: if the link was suspended or resumed meanwhile, it is another one."""
    return {
        "progressive": link.progressive.code,
        "premises": link.table_log.premises.code,
        "table": link.table_log.table_code,
        "suspended_at": link.suspended_at.isoformat() if link.suspended_at else "",
        "resumed_at": link.resumed_at.isoformat() if link.resumed_at else "",
    }


def _locked(code: str) -> Progressive:
    found = Progressive.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("host", "config").get(code=code)


def _log_of(premises: str, table: str) -> TableLog:
    found = TableLog.objects.select_related("premises").filter(premises__code=premises, table_code=table)
    log = found.first()
    if log is None:
        raise wrong("table", f"There is no table {table} at {premises}.")
    return log


def _link(code: str, premises: str, table: str) -> Link:
    """With its progressive and its table's log locked, in that order: nobody folds, and no wager comes in between."""
    progressive = _locked(code)
    link = progressive.links.filter(table_log__premises__code=premises, table_log__table_code=table).first()
    if link is None:
        raise wrong("table", f"{table} at {premises} is not linked to {progressive}.")
    link.progressive, link.table_log = progressive, event_log.locked(link.table_log)
    return link


LINK = approvals.declare(
    "jackpots.link_table",
    gettext_noop("Link a table to a progressive"),
    request_roles=SETTERS,
    approve_roles=APPROVERS,
    perform=_do_link,
)
SUSPEND = approvals.declare(
    "jackpots.suspend_link",
    gettext_noop("Suspend a table from a progressive"),
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_do_suspend,
)
RESUME = approvals.declare(
    "jackpots.resume_link",
    gettext_noop("Resume a table's part in a progressive"),
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_do_resume,
)
