"""Creating a progressive and changing it, by two people: other rules are armed for its next win of a whole meter or
come with a gaming day, and can be taken back until then; settings hold at once.

Nothing works backwards. What is armed has its place in the order, and the fold reads rows alone: when it runs makes no
difference, nor does a hit that was told before.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import adjusting
from jackpots.models import ConfigChange, Progressive
from jackpots.order import barrier, server_clock
from jackpots.order.by_place import pending_hits
from jackpots.set_up.configure import create_progressive, store_config
from jackpots.set_up.drafts import Draft, Settings, refuse
from people import access
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Role, User

SETTERS = (Role.JACKPOT_MANAGER,)
APPROVERS = (Role.JACKPOT_MANAGER, Role.FINANCE)
"""Seeds are house money: finance may say yes to them."""


# --- What is asked ---------------------------------------------------------------------------------------------


@transaction.atomic
def request_setup(draft: Draft, actor: User, reason: str) -> ApprovalRequest:
    """Asks for a new progressive, or for other rules or settings of one. Done when another person approves it."""
    access.require(actor, SETTERS, draft.host)
    action = CREATE if draft.progressive is None else CHANGE
    if draft.progressive is not None:
        progressive = _locked(draft.code)
        adjusting.refuse_ended(progressive)
        _refuse_armed(draft, progressive)
    refuse(draft, server_clock.read().now)
    _refuse_asked(draft.code)
    return approvals.request_approval(actor, draft.host, action.name, draft.payload(), reason)


@transaction.atomic
def request_withdrawal(code: str, actor: User, reason: str) -> ApprovalRequest:
    """Asks that rules which are not in force yet be taken back."""
    progressive = _locked(code)
    access.require(actor, SETTERS, progressive.host)
    _refuse_asked(code)
    return approvals.request_approval(
        actor, progressive.host, WITHDRAW.name, _withdrawal(progressive), reason
    )


def waiting_request(code: str) -> ApprovalRequest | None:
    """What was asked about a progressive's set-up and is not decided yet."""
    asked = ApprovalRequest.objects.filter(
        action__in=[CREATE.name, CHANGE.name, WITHDRAW.name],
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    return next((each for each in asked.order_by("pk") if each.payload["progressive"] == code), None)


def _refuse_asked(code: str) -> None:
    asked = waiting_request(code)
    if asked is not None:
        text = f"{asked.requested_by} has asked for a change already: another person must decide on it first."
        raise Refused("already_asked", text, status=NOT_NOW)


def _refuse_armed(draft: Draft, progressive: Progressive) -> None:
    if draft.changes_rules and progressive.armed_config is not None:
        text = (
            f"Other rules of {progressive} are armed already: withdraw them first, or wait until they hold."
        )
        raise Refused("already_armed", text, status=NOT_NOW)


def _withdrawal(progressive: Progressive) -> dict[str, Any]:
    if progressive.armed_config is None:
        raise Refused("nothing_armed", f"No other rules of {progressive} are armed.", status=NOT_NOW)
    effect = progressive.effect_at
    return {
        "progressive": progressive.code,
        "rules_sha256": progressive.armed_config.sha256,
        "effect_at": "" if effect is None else effect.isoformat(),
    }


# --- What is done ----------------------------------------------------------------------------------------------


def _create(request: ApprovalRequest) -> None:
    draft = Draft.from_payload(request.payload, None)
    refuse(draft, server_clock.read().now)
    approver = _use(request)
    create_progressive(approver, draft.host, draft.code, rules=draft.rules, **draft.settings.as_columns())


def _change(request: ApprovalRequest) -> None:
    given = request.payload
    progressive = _locked(given["progressive"])
    draft = Draft.from_payload(given, progressive)
    if draft.payload() != given:
        text = f"{progressive} was changed meanwhile. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    _refuse_armed(draft, progressive)
    now = server_clock.read().now
    refuse(draft, now)
    approver = _use(request)
    _set(progressive, draft.settings)
    if draft.changes_rules:
        place = max(now, barrier.settled(progressive) or now)
        change = ConfigChange.objects.create(
            progressive=progressive,
            kind=ConfigChange.Kind.ARMED if draft.effect_at is None else ConfigChange.Kind.DATED,
            config=store_config(draft.rules),
            before=progressive.config,
            place=place,
            effect_at=draft.effect_at,
            approval=request,
        )
        progressive.armed_config, progressive.armed_at = change.config, place
        progressive.effect_at = draft.effect_at
    progressive.save(update_fields=[*draft.settings.as_columns(), "armed_config", "armed_at", "effect_at"])
    _record(request, approver, progressive, "jackpots.progressive_changed")


def _withdraw(request: ApprovalRequest) -> None:
    progressive = _locked(request.payload["progressive"])
    if _withdrawal(progressive) != request.payload or progressive.armed_config is None:
        raise Refused("changed", f"Other rules of {progressive} are armed now. Reject this.", status=NOT_NOW)
    now = server_clock.read().now
    if progressive.effect_at is not None and progressive.effect_at <= now:
        text = f"Their gaming day has begun: wagers on {progressive} are taken by them already."
        raise Refused("in_force", text, status=NOT_NOW)
    _refuse_pending(progressive)
    approver = _use(request)
    ConfigChange.objects.create(
        progressive=progressive,
        kind=ConfigChange.Kind.WITHDRAWN,
        config=progressive.armed_config,
        before=progressive.config,
        place=max(now, barrier.settled(progressive) or now),
        approval=request,
    )
    progressive.armed_config = progressive.armed_at = progressive.effect_at = None
    progressive.save(update_fields=["armed_config", "armed_at", "effect_at"])
    _record(request, approver, progressive, "jackpots.change_withdrawn")


def _set(progressive: Progressive, settings: Settings) -> None:
    before = Settings.of(progressive)
    limits = ("pay_alone_limit", "ruling_limit", "ruling_daily")
    if any(getattr(before, name) != getattr(settings, name) for name in limits):
        _refuse_pending(progressive)
    for name, value in settings.as_columns().items():
        setattr(progressive, name, value)


def _refuse_pending(progressive: Progressive) -> None:
    """What decides over hits does not change between their telling and their fold: when that runs must not matter."""
    if pending_hits(progressive).exists():
        text = f"Hits of {progressive} wait to be resolved: approve this when they are."
        raise Refused("hits_pending", text, status=NOT_NOW, retry=True)


def _use(request: ApprovalRequest) -> User:
    approver = approvals.decider(request)
    approvals.use_approval(request, request.action, request.payload, approver)
    return approver


def _record(request: ApprovalRequest, approver: User, progressive: Progressive, act: str) -> None:
    audit.record(
        approver,
        act,
        premises=progressive.host,
        subject=progressive,
        reason=request.reason,
        details=request.payload | {"requested_by": audit.name_of(request.requested_by)},
    )


def _locked(code: str) -> Progressive:
    """Nobody folds meanwhile."""
    found = Progressive.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("host", "config", "armed_config").get(code=code)


CREATE, CHANGE, WITHDRAW = (
    approvals.declare(name, title, request_roles=SETTERS, approve_roles=APPROVERS, perform=perform, page=page)
    for name, title, perform, page in (
        ("jackpots.create_progressive", "Set up a new progressive", _create, "progressive-asked"),
        ("jackpots.change_progressive", "Change a progressive", _change, "progressive-asked"),
        ("jackpots.withdraw_change", "Take armed rules of a progressive back", _withdraw, ""),
    )
)
