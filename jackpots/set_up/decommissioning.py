"""A progressive ends: announced with a notice, taken back perhaps, and decommissioned once its last gaming day is over.

What players have put in goes to the levels that the announcement names (nz-1996 VIII 11.3, gb-2011 2.4: it is part of a
prize pool); the house money in its seeds is the house's again. Wins that are open stay payable.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.gaming_day import day_start, gaming_day
from config.kit.refusals import NOT_NOW, Refused, by_rule, wrong
from jackpots.fold import adjusting
from jackpots.log import event_log
from jackpots.log.held import undecided
from jackpots.models import Adjustment, Decommission, Progressive, is_ended, state_of
from jackpots.order import barrier, server_clock
from jackpots.order.links import links_of
from jackpots.set_up import configure, transfers
from jackpots.set_up.transfers import WHO, Side
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, User
from rules import RuleError
from rules.progressive.transfers import emptied, players_part

NOTICE_DAYS = 30
"""No rulebook here names a figure. It is the longest that is asked elsewhere; a shorter one needs the authority's
word."""
Targets = dict[str, dict[str, str]]
"""By level, the `progressive` and the `level` to which its money goes."""


def announced(progressive: Progressive) -> Decommission | None:
    """Two people's word that it ends, if that holds."""
    newest = progressive.decommissions.select_related("approval__requested_by", "approval__decided_by").last()
    return newest if newest is not None and newest.kind == Decommission.Kind.ANNOUNCED else None


def is_due(progressive: Progressive) -> bool:
    """Its last gaming day is over, and it has not ended yet."""
    found = announced(progressive)
    return found is not None and not is_ended(progressive) and _today(progressive) > found.last_day


def end_of(progressive: Progressive, last_day: date) -> datetime:
    """Where its last gaming day is over: wagers that lock from there on take no part."""
    return day_start(progressive.host, last_day + timedelta(days=1))


def _today(progressive: Progressive) -> date:
    return gaming_day(progressive.host, timezone.now())


# --- The notice ------------------------------------------------------------------------------------------------
@transaction.atomic
def request_end(
    code: str, actor: User, *, last_day: date, targets: Mapping[str, Any], authority: str, reason: str
) -> ApprovalRequest:
    """One person asks that a progressive end after a gaming day; another approves the notice."""
    progressive = _locked(code, actor)
    document = _announcement(progressive, last_day, dict(targets), authority.strip())
    return approvals.request_approval(actor, progressive.host, ANNOUNCE.name, document, reason)


def _announcement(
    progressive: Progressive, last_day: date, targets: Targets, authority: str
) -> dict[str, Any]:
    adjusting.refuse_ended(progressive)
    if announced(progressive) is not None:
        text = f"{progressive} is announced to end already: take that back first."
        raise Refused("already_announced", text, status=NOT_NOW)
    days = (last_day - _today(progressive)).days
    if days < 0:
        raise wrong("last_day", "A gaming day that is not over.")
    if days < NOTICE_DAYS and not authority:
        text = f"{days} days of notice; fewer than {NOTICE_DAYS} only by the word of your authority: name it."
        raise wrong("authority", text)
    _refuse_awaited(progressive)
    _refuse_targets(progressive, targets)
    _refuse_what_goes_on(progressive, last_day)
    return {
        "progressive": progressive.code,
        "last_day": last_day.isoformat(),
        "targets": targets,
        "authority": authority,
        "rule": progressive.config.rules.contribution_rule,
    }


def _refuse_targets(progressive: Progressive, targets: Targets) -> None:
    own = {meter.level for meter in progressive.meters.all()}
    if set(targets) != own:
        raise wrong("targets", f"A target for each of {', '.join(sorted(own))}, and no other.")
    for level, to in targets.items():
        if not isinstance(to, dict) or set(to) != {"progressive", "level"}:
            raise wrong("targets", f"{level}: name a progressive and its level.")
        other = Progressive.objects.select_related("host").filter(code=to["progressive"]).first()
        if other is None or not other.meters.filter(level=to["level"]).exists():
            raise wrong("targets", f"{level}: there is no level {to['level']!r} of {to['progressive']!r}.")
        if (
            other.pk == progressive.pk
            or other.host.currency != progressive.host.currency
            or is_ended(other)
            or announced(other) is not None
        ):
            raise wrong("targets", f"{level}: another progressive, of the same currency, that goes on.")


def _refuse_awaited(progressive: Progressive) -> None:
    """Money of another that ends is to come here: it would find nobody."""
    for other in Progressive.objects.filter(ends_at__isnull=False):
        notice = announced(other)
        goes = {to["progressive"] for to in notice.targets.values()} if notice is not None else set()
        if progressive.code in goes and not is_ended(other):
            text = f"Money of {other}, which ends, is to go to {progressive}: take that back or wait for it."
            raise Refused("is_target", text, status=NOT_NOW)


def _refuse_what_goes_on(progressive: Progressive, last_day: date) -> None:
    """Wagers that feed other progressives too go on without it: what the rulebooks ask of those must hold then."""
    progressive.ends_at = end_of(progressive, last_day)
    for mine in progressive.links.select_related("table_log"):
        others = list(links_of(mine.table_log).links)
        for link in others:
            if link.progressive_id == progressive.pk:
                link.progressive = progressive
        try:
            configure.refuse_feeds(others)
        except Refused as refused:
            text = f"{mine.table_log}: {refused.sentence}. Change what goes on there, or its links, first."
            raise Refused("feeds", text) from None


def _announce(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    progressive = transfers.locked([given["progressive"]])[given["progressive"]]
    last_day = date.fromisoformat(given["last_day"])
    if _announcement(progressive, last_day, given["targets"], given["authority"]) != given:
        raise Refused("changed", "It is no longer what was asked for. Reject this; ask anew.", status=NOT_NOW)
    _keep(request, approver, progressive, Decommission.Kind.ANNOUNCED, "jackpots.end_announced")
    _set_end(progressive, approver, end_of(progressive, last_day))


@transaction.atomic
def request_no_end(code: str, actor: User, *, reason: str) -> ApprovalRequest:
    """One person asks that it does not end after all; another approves."""
    progressive = _locked(code, actor)
    return approvals.request_approval(
        actor, progressive.host, WITHDRAW_END.name, _withdrawal(progressive), reason
    )


def _withdrawal(progressive: Progressive) -> dict[str, Any]:
    adjusting.refuse_ended(progressive)
    found = announced(progressive)
    if found is None:
        raise Refused("not_announced", f"Nobody has announced that {progressive} ends.", status=NOT_NOW)
    return {
        "progressive": progressive.code,
        "announcement": found.pk,
        "last_day": found.last_day.isoformat(),
        "targets": found.targets,
        "authority": found.authority,
    }


def _withdraw(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    progressive = transfers.locked([given["progressive"]])[given["progressive"]]
    if _withdrawal(progressive) != given:
        raise Refused("changed", "It is no longer what was asked for. Reject this; ask anew.", status=NOT_NOW)
    _keep(request, approver, progressive, Decommission.Kind.WITHDRAWN, "jackpots.end_withdrawn")
    if progressive.over_since is not None:  # what went back meanwhile stays so: they take part from now on
        now = max(server_clock.read().now, barrier.settled(progressive) or progressive.over_since)
        _out_since(progressive, progressive.over_since, approver, resumed_at=now)
    _set_end(progressive, approver, None)


def _set_end(progressive: Progressive, approver: User, ends_at: datetime | None) -> None:
    progressive.ends_at = ends_at
    progressive.save(update_fields=["ends_at"])
    details = {"ends_at": ends_at.isoformat() if ends_at else ""}
    audit.record(
        approver, "jackpots.end_set", premises=progressive.host, subject=progressive, details=details
    )


def _out_since(
    progressive: Progressive, ends_at: datetime, approver: User, *, resumed_at: datetime | None
) -> None:
    """Its tables are suspended since its end, or were from there until they are resumed now."""
    for link in progressive.links.select_related("table_log").order_by("table_log_id"):
        log = event_log.locked(link.table_log)
        if link.is_suspended:
            continue
        # One that has not vouched up to where it was resumed stays out since before.
        if link.resumed_at is None or log.watermark is None or log.watermark >= link.resumed_at:
            link.suspended_at = ends_at
        link.resumed_at = resumed_at
        link.save(update_fields=["suspended_at", "resumed_at"])
        act = "jackpots.link_suspended" if resumed_at is None else "jackpots.link_resumed"
        audit.record(approver, act, premises=log.premises, subject=link, details={"end": ends_at.isoformat()})


def _keep(
    request: ApprovalRequest, approver: User, progressive: Progressive, kind: Decommission.Kind, act: str
) -> None:
    given = request.payload
    approvals.use_approval(request, request.action, given, approver)
    row = Decommission.objects.create(
        progressive=progressive,
        kind=kind,
        last_day=date.fromisoformat(given["last_day"]),
        targets=given["targets"],
        authority=given["authority"],
        reason=request.reason,
        approval=request,
    )
    audit.record(
        approver,
        act,
        premises=progressive.host,
        subject=row,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )


# --- The end ---------------------------------------------------------------------------------------------------
@transaction.atomic
def request_decommission(code: str, actor: User, *, reason: str) -> ApprovalRequest:
    """One person asks that it end now, its last day being over and all tables away; another approves what moves."""
    _locked(code, actor)
    sides = planned(code, reason)
    for side in sides:
        access.require(actor, WHO, side.progressive.host)
    document = _payload(sides)
    return approvals.request_approval(actor, sides[0].progressive.host, DECOMMISSION.name, document, reason)


def planned(code: str, reason: str) -> list[Side]:
    """What leaves, and what each target gets, as things stand now. Locks all of them."""
    found = Progressive.objects.filter(code=code).first()
    notice = announced(found) if found is not None else None
    targets: Targets = notice.targets if notice is not None else {}
    rows = transfers.locked([code, *(to["progressive"] for to in targets.values())])
    progressive = rows[code]
    _refuse_early(progressive, notice)
    transfers.refuse_unfolded(progressive)
    meters = list(progressive.meters.order_by("position"))
    state = state_of(meters)
    house = {meter.level: meter.not_owed_micros for meter in meters}
    by_level = {level: micros for level, micros in players_part(state, house).items() if micros}
    into: dict[str, dict[str, int]] = {}
    for level, micros in by_level.items():
        to = targets[level]
        amounts = into.setdefault(to["progressive"], {})
        amounts[to["level"]] = amounts.get(to["level"], 0) + micros
    sides = []
    for other, amounts in sorted(into.items()):
        transfers.refuse_target(progressive, rows[other])
        try:
            sides.append(transfers.side_in(rows[other], amounts, progressive, reason))
        except RuleError as fault:
            raise by_rule((fault,)) from None
    out = Side(
        progressive,
        Adjustment.Kind.END,
        emptied(state),
        {level: -micros for level, micros in by_level.items()},
        {other: -sum(amounts.values()) for other, amounts in sorted(into.items())},
        {level: -micros for level, micros in house.items() if micros},
    )
    return [out, *sides]


def _refuse_early(progressive: Progressive, notice: Decommission | None) -> None:
    adjusting.refuse_ended(progressive)
    if notice is None:
        raise Refused("not_announced", f"Nobody has announced that {progressive} ends.", status=NOT_NOW)
    if _today(progressive) <= notice.last_day:
        raise Refused("not_over", f"{progressive} is played for until {notice.last_day}.", status=NOT_NOW)
    ends_at = end_of(progressive, notice.last_day)
    if progressive.final_until is None or progressive.final_until < ends_at:
        text = (
            f"Not every table of {progressive} has vouched up to its end: wait for it, or leave it out first."
        )
        raise Refused("still_played", text, status=NOT_NOW, retry=True)
    held = undecided().filter(progressive=progressive).first()
    if held is not None:
        raise Refused("held", f"A hand is held for people ({held}): decide on it first.", status=NOT_NOW)


def _payload(sides: list[Side]) -> dict[str, Any]:
    return {
        "progressive": sides[0].progressive.code,
        "moves": [row for side in sides for row in side.as_text()],
        "rule": sides[0].progressive.config.rules.contribution_rule,
    }


def _decommission(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    sides = planned(given["progressive"], request.reason)
    for side in sides:
        access.require(approver, WHO, side.progressive.host)
    if _payload(sides) != given:
        text = "What would move is no longer what was asked for. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, DECOMMISSION.name, given, approver)
    progressive = sides[0].progressive
    notice = announced(progressive)
    if notice is not None:
        _out_since(progressive, end_of(progressive, notice.last_day), approver, resumed_at=None)
    transfers.write(sides, request, approver, "jackpots.decommissioned")


ANNOUNCE = approvals.declare(
    "jackpots.announce_end",
    gettext_noop("Announce that a progressive ends"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_announce,
)
WITHDRAW_END = approvals.declare(
    "jackpots.withdraw_end",
    gettext_noop("Take back that a progressive ends"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_withdraw,
)
DECOMMISSION = approvals.declare(
    "jackpots.decommission",
    gettext_noop("Decommission a progressive"),
    request_roles=WHO,
    approve_roles=WHO,
    perform=_decommission,
)


def _locked(code: str, actor: User) -> Progressive:
    progressive = transfers.locked([code]).get(code)
    if progressive is None:
        raise Refused("unknown_progressive", f"There is no progressive {code}.", status=404)
    access.require(actor, WHO, progressive.host)
    proof.demand(actor, "rule")
    return progressive
