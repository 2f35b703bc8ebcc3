"""The one two-person primitive: request, approve or reject by another person, use exactly once.

Each app declares its actions at start (`declare`): who may ask for them, who may approve them, and perhaps what is done
at once on approval. The database refuses an approval by the requester, a changed request and a second use, whatever the
code does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse

from config.kit.canonical_json import canonical_json, sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from people import access
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Premises, Role, User
from people.on_record import vouched
from people.on_record.vouched import Held

State = ApprovalRequest.State
DEFAULT_TTL = timedelta(hours=8)


@dataclass(frozen=True)
class Action:
    """What may be done only by two: a dotted name, words for people, and the roles on both sides.

    `perform`, if given, does it in the approval's own transaction and uses the approval up; if it refuses (`Refused`),
    nothing is approved and the approver reads why.
    """

    name: str
    title: str
    request_roles: frozenset[Role]
    approve_roles: frozenset[Role]
    perform: Callable[[ApprovalRequest], object] | None = None
    page: str = ""
    """The name of a page that shows what a request of it is about, by the request's key."""


_actions: dict[str, Action] = {}


def declare(
    name: str,
    title: str,
    *,
    request_roles: Iterable[Role],
    approve_roles: Iterable[Role],
    perform: Callable[[ApprovalRequest], object] | None = None,
    page: str = "",
) -> Action:
    """Called at start by the app that owns the verb; a second declaration of the name must say the same."""
    action = Action(name, title, frozenset(request_roles), frozenset(approve_roles), perform, page)
    if _actions.setdefault(name, action) != action:
        raise ValueError(f"The action {name} is declared twice, differently.")
    return action


def action_named(name: str) -> Action:
    try:
        return _actions[name]
    except KeyError:
        raise LookupError(
            f"No app declares the action {name!r}; see people.approvals.approvals.declare."
        ) from None


def declared(name: str) -> bool:
    return name in _actions


def page_of(request: ApprovalRequest) -> str:
    """The address of the page that shows what is asked for; empty where the request says it all."""
    page = _actions[request.action].page if request.action in _actions else ""
    return reverse(page, args=[request.pk]) if page else ""


def titles() -> list[tuple[str, str]]:
    """Every act that takes two people, by its title."""
    return sorted(((name, action.title) for name, action in _actions.items()), key=lambda each: each[1])


def title_of(name: str) -> str:
    """Words for people; the bare name where the app that declared it is gone."""
    return _actions[name].title if name in _actions else name


@transaction.atomic
def request_approval(
    actor: User,
    premises: Premises,
    action: str,
    payload: Any,
    reason: str,
    ttl: timedelta = DEFAULT_TTL,
) -> ApprovalRequest:
    """Stores what is to be done, exactly, for another person to approve before it expires."""
    access.require(actor, action_named(action).request_roles, premises)
    if not reason.strip():
        raise wrong("reason", "Say why this is to be done: the second person decides on it.")
    if ttl <= timedelta(0):
        raise Refused("no_time", "The request would expire at once; give it a positive time to live.")
    request = ApprovalRequest.objects.create(
        premises=premises,
        action=action,
        payload_json=canonical_json(payload),
        payload_sha256=sha256_of(payload),
        reason=reason.strip(),
        requested_by=actor,
        expires_at=Now() + ttl,
    )
    request.refresh_from_db()
    _note(actor, "requested", request, request.reason)
    return request


def approve(request: ApprovalRequest, approver: User, note: str = "") -> ApprovalRequest:
    return _decide(request, approver, State.APPROVED, note)


def reject(request: ApprovalRequest, approver: User, note: str = "") -> ApprovalRequest:
    return _decide(request, approver, State.REJECTED, note)


@transaction.atomic
def _decide(
    request: ApprovalRequest, approver: User, state: ApprovalRequest.State, note: str
) -> ApprovalRequest:
    action = action_named(request.action)
    access.require(approver, action.approve_roles, request.premises)
    if state == State.APPROVED:
        proof.demand(approver, "approve")
    if approver.pk == request.requested_by_id:
        raise Refused(
            "same_person", "Another person must decide on it; you requested it yourself.", status=NOT_NOW
        )
    _refuse_lapsed(request)
    decided = ApprovalRequest.objects.filter(
        pk=request.pk, state=State.REQUESTED, expires_at__gt=Now()
    ).update(state=state, decided_by=approver, decided_at=Now(), decision_note=note.strip())
    request.refresh_from_db()
    if not decided:
        raise _why_not(request)
    _note(approver, state.value, request, note)
    if state == State.APPROVED and action.perform is not None:
        action.perform(request)
    return request


def use_approval(request: ApprovalRequest, action: str, payload: Any, actor: User) -> ApprovalRequest:
    """Consumes the approval for exactly this action and payload, in the caller's transaction.

    `actor` is whoever does the act now: where it is done on approval, the approver.
    If the caller rolls back, the approval is unused again; of two callers at the same time one waits and is refused.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("use_approval must be called in the transaction of the act that it approves.")
    if request.action != action or request.payload_sha256 != sha256_of(payload):
        text = f"The approval is for another act than this {action}: request a new one."
        raise Refused("other_payload", text, status=NOT_NOW)
    _refuse_lapsed(request)
    used = ApprovalRequest.objects.filter(
        pk=request.pk,
        state=State.APPROVED,
        expires_at__gt=Now(),
        action=action,
        payload_sha256=sha256_of(payload),
    ).update(state=State.USED, used_at=Now())
    request.refresh_from_db()
    if not used:
        raise _why_not(request)
    _note(actor, "used", request, request.reason)
    return request


def open_requests_of(person: User) -> QuerySet[ApprovalRequest]:
    """What they asked for or approved, and nobody has used yet."""
    theirs = Q(state=State.REQUESTED, requested_by=person) | (
        Q(state=State.APPROVED) & (Q(requested_by=person) | Q(decided_by=person))
    )
    return ApprovalRequest.objects.filter(theirs, expires_at__gt=Now()).order_by("pk")


def why_lapsed(request: ApprovalRequest) -> str | None:
    """An open request lapses when whoever asked for it, or approved it, no longer has the role they did it in. A role
    that is granted anew does not bring it back."""
    if request.state not in (State.REQUESTED, State.APPROVED) or not declared(request.action):
        return None
    action = action_named(request.action)
    stood = _still_has(request.requested_by, action.request_roles, request.premises, request.requested_at)
    if not stood:
        return f"{request.requested_by}, who asked for it, no longer has the role for that."
    if request.decided_by is not None and not _still_has(
        request.decided_by, action.approve_roles, request.premises, request.decided_at
    ):
        return f"{request.decided_by}, who approved it, no longer has the role for that."
    return None


def standing(requests: Iterable[ApprovalRequest]) -> list[ApprovalRequest]:
    """Those of the open requests that have not lapsed, as `why_lapsed` has it, in one query for all of them."""
    rows = list(requests)
    involved = {row.requested_by_id for row in rows} | {row.decided_by_id for row in rows}
    held = vouched.roles_of(each for each in involved if each is not None)

    def still(person: int | None, roles: frozenset[Role], row: ApprovalRequest, at: datetime | None) -> bool:
        if person is None or at is None:
            return True
        return _stands(held[person], roles, row.premises_id, at)

    return [
        row
        for row in rows
        if row.action not in _actions
        or (
            still(row.requested_by_id, _actions[row.action].request_roles, row, row.requested_at)
            and still(row.decided_by_id, _actions[row.action].approve_roles, row, row.decided_at)
        )
    ]


def open_at(premises: Iterable[Premises]) -> QuerySet[ApprovalRequest]:
    """What is asked for there and neither rejected, used nor expired; the oldest first."""
    rows = ApprovalRequest.objects.filter(
        premises__in=premises, state__in=[State.REQUESTED, State.APPROVED], expires_at__gt=Now()
    )
    return rows.select_related("premises", "requested_by", "decided_by").order_by("requested_at", "pk")


def may_decide(user: User, requests: Iterable[ApprovalRequest]) -> set[int]:
    """Of which of the requests the reader may be the second person, in one query for all of them."""
    roles: dict[int, set[Role]] = defaultdict(set)
    for held in access.held_by(user):
        roles[held.premises_id].add(held.role)
    return {
        row.pk
        for row in requests
        if row.state == State.REQUESTED
        and row.requested_by_id != user.pk
        and row.action in _actions
        and roles[row.premises_id] & _actions[row.action].approve_roles
    }


def _still_has(person: User, roles: Iterable[Role], premises: Premises, since: Any) -> bool:
    return _stands(vouched.roles_of([person.pk])[person.pk], roles, premises.pk, since)


def _stands(held: Iterable[Held], roles: Iterable[Role], premises: int, since: datetime) -> bool:
    return any(each.premises_id == premises and each.role in roles and each.since <= since for each in held)


def _refuse_lapsed(request: ApprovalRequest) -> None:
    why = why_lapsed(request)
    if why is not None:
        raise Refused("lapsed", f"{why} Make a new request.", status=NOT_NOW)


def decider(request: ApprovalRequest) -> User:
    """Who decided on it; for what is done on approval, whoever does it."""
    if request.decided_by is None:
        raise Refused("not_approved", "Nobody has decided on it yet.", status=NOT_NOW)
    return request.decided_by


def _why_not(request: ApprovalRequest) -> Refused:
    """The row did not move: tell by its state and age why."""
    state = State(request.state)
    if state == State.USED:
        text = f"It was used at {request.used_at}; an approval serves once."
        return Refused("already_used", text, status=NOT_NOW)
    if state == State.REJECTED:
        text = f"{request.decided_by} rejected it; make a new request."
        return Refused("rejected", text, status=NOT_NOW)
    if ApprovalRequest.objects.filter(pk=request.pk, expires_at__lte=Now()).exists():
        return Refused("expired", f"It expired at {request.expires_at}; make a new request.", status=NOT_NOW)
    if state == State.APPROVED:
        return Refused("already_decided", f"{request.decided_by} has approved it already.", status=NOT_NOW)
    text = "Nobody has approved it yet; another person must do so first."
    return Refused("not_approved", text, status=NOT_NOW)


def _note(actor: User, step: str, request: ApprovalRequest, reason: str) -> None:
    audit.record(
        actor,
        f"people.approval_{step}",
        premises=request.premises,
        subject=request,
        reason=reason,
        details={
            "action": request.action,
            "payload_sha256": request.payload_sha256,
            "requested_by": audit.name_of(request.requested_by),
        },
    )
