"""The verbs of an administrator about people: their roles, their log-ins, and their leaving. All on record.

What gives power takes two people: a role, and a new link for somebody who has one. What takes power away takes one.
An administrator acts for people of their own premises; at the command line, whoever runs the machine acts for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, wrong
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import guard, invitations, proof, second_factor, sessions
from people.models import ApprovalRequest, LogIn, Premises, Role, RoleGrant, User
from people.models.core import DEPARTMENTS
from people.on_record import vouched

Actor = User | str
ADMINISTRATOR = Role.ADMINISTRATOR
READERS = (Role.ADMINISTRATOR, Role.AUDITOR)
APPROVERS = (Role.ADMINISTRATOR, Role.FINANCE)
GRANT_ROLE, NEW_LINK = "people.grant_role", "people.new_link"


def declare_actions() -> None:
    approvals.declare(
        GRANT_ROLE,
        gettext_noop("Give a person a role"),
        request_roles=[ADMINISTRATOR],
        approve_roles=APPROVERS,
        perform=_grant_as_approved,
    )
    approvals.declare(
        NEW_LINK,
        gettext_noop("Give a person a new link to log in by"),
        request_roles=[ADMINISTRATOR],
        approve_roles=APPROVERS,
        perform=_not_by_oneself,
    )


# --- Whose business a person is -------------------------------------------------------------------------------
def readable_by(reader: User) -> QuerySet[User]:
    """For whoever reads and changes nothing: an auditor sees the people of their premises as an administrator does."""
    return visible_to(reader, READERS)


def visible_to(actor: User, roles: Iterable[Role] = (ADMINISTRATOR,)) -> QuerySet[User]:
    """People who have or had a role at the premises that the actor administers, and those who never had one."""
    own = access.premises_of(actor, roles)
    here = audit.people_of(own)
    elsewhere = audit.people_of(Premises.objects.exclude(pk__in=own)) - here
    without = User.objects.filter(role_grants__isnull=True).exclude(pk__in=elsewhere)
    return (User.objects.filter(pk__in=here) | without).distinct()


def require_over(actor: Actor, person: User, *, everywhere: bool = False) -> None:
    """An administrator at one of the person's premises; where it reaches all of them (`everywhere`), at each."""
    if isinstance(actor, str):
        return
    access.require(actor, ADMINISTRATOR, None)
    own = set(access.premises_of(actor, ADMINISTRATOR))
    theirs = set(access.premises_of(person))
    if theirs and not own & theirs:
        raise PermissionDenied(f"{person} works at premises that you do not administer.")
    if everywhere and theirs - own:
        names = ", ".join(sorted(premises.name for premises in theirs - own))
        raise PermissionDenied(
            f"{person} works at {names} as well: it takes an administrator of all of them."
        )


def _demand(actor: Actor) -> None:
    if isinstance(actor, User):
        proof.demand(actor, "access")


# --- People ---------------------------------------------------------------------------------------------------
@transaction.atomic
def add_person(actor: Actor, username: str, name: str) -> tuple[User, str]:
    """A person without a role, and the token of the link by which they set their password; told once."""
    if isinstance(actor, User):
        access.require(actor, ADMINISTRATOR, None)
    _demand(actor)
    user = User(username=username, name=name.strip())
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise wrong(field if field in ("username", "name") else "username", " ".join(messages)) from None
    user.save()
    details = {"username": username}
    audit.record(actor, "people.person_added", subject=user, details=details, standing=vouched.added(user))
    return user, invitations.make(actor, user)


@transaction.atomic
def invite(
    actor: User, username: str, name: str, premises: Premises, role: Role, reason: str
) -> tuple[User, str]:
    """A person and the first role that is asked for: both or none."""
    user, token = add_person(actor, username, name)
    ask_for_role(actor, user, premises, role, reason)
    return user, token


# --- Roles ----------------------------------------------------------------------------------------------------
def _refuse_conflict(user: User, premises: Premises, role: Role) -> None:
    held = [Role(each) for each in access.roles_at(user, premises)]
    other = [each.label for each in held if DEPARTMENTS[each] != DEPARTMENTS[role]]
    if other:
        text = (
            f"{user} is {' and '.join(sorted(other))} at {premises}: nobody is {role.label} as well, because one of"
            " them checks the other. Take the other role first."
        )
        raise Refused("conflicting_roles", text, status=NOT_NOW)


@transaction.atomic
def grant_role(actor: Actor, user: User, premises: Premises, role: Role, reason: str = "") -> bool:
    """True if it is new. Granting again changes nothing and leaves no record."""
    vouched.lock(user)
    _refuse_conflict(user, premises, role)
    if role in access.roles_at(user, premises):
        return False
    take_role("not on record", user, premises, role, "It was put into the database past Potline")
    grant = RoleGrant.objects.create(user=user, premises=premises, role=role)
    audit.record(
        actor,
        "people.role_granted",
        premises=premises,
        subject=user,
        reason=reason,
        details={"role": role.value},
        standing=vouched.with_role(grant),
    )
    return True


def role_payload(user: User, premises: Premises, role: Role) -> dict[str, Any]:
    return {
        "person": user.pk,
        "user name": user.username,
        "name": user.name,
        "premises": premises.code,
        "role": role.value,
    }


@transaction.atomic
def ask_for_role(actor: User, user: User, premises: Premises, role: Role, reason: str) -> ApprovalRequest:
    """An administrator asks; the role holds once another person approves it."""
    access.require(actor, ADMINISTRATOR, premises)
    _demand(actor)
    if actor.pk == user.pk:
        text = "Nobody asks for a role of their own; another administrator does."
        raise Refused("same_person", text, status=NOT_NOW)
    if not user.is_active:
        raise Refused("has_left", f"{user} has left.", status=NOT_NOW)
    if role in access.roles_at(user, premises):
        raise Refused("already_granted", f"{user} is {role.label} there already.", status=NOT_NOW)
    _refuse_conflict(user, premises, role)
    return approvals.request_approval(actor, premises, GRANT_ROLE, role_payload(user, premises, role), reason)


def _grant_as_approved(request: ApprovalRequest) -> None:
    approver = _not_by_oneself(request)
    payload = request.payload
    user = User.objects.get(pk=payload["person"])
    if not user.is_active:
        raise Refused("has_left", f"{user} has left.", status=NOT_NOW)
    approvals.use_approval(request, GRANT_ROLE, payload, approver)
    grant_role(approver, user, request.premises, Role(payload["role"]), request.reason)


def _not_by_oneself(request: ApprovalRequest) -> User:
    approver = approvals.decider(request)
    if request.payload["person"] == approver.pk:
        raise Refused("same_person", "It is about you: somebody else decides.", status=NOT_NOW)
    return approver


@transaction.atomic
def take_role(actor: Actor, user: User, premises: Premises, role: Role, reason: str = "") -> bool:
    """At once; what the person has asked for in that role lapses (people.approvals.approvals)."""
    if isinstance(actor, User):
        access.require(actor, ADMINISTRATOR, premises)
    _demand(actor)
    vouched.lock(user)
    deleted, _ = RoleGrant.objects.filter(user=user, premises=premises, role=role).delete()
    if deleted:
        audit.record(
            actor,
            "people.role_taken",
            premises=premises,
            subject=user,
            reason=reason,
            details={"role": role.value},
            standing=vouched.without_role(user, premises, role),
        )
    return bool(deleted)


# --- Log-ins --------------------------------------------------------------------------------------------------
def link_payload(user: User) -> dict[str, Any]:
    return {
        "person": user.pk,
        "user name": user.username,
        "name": user.name,
        "ends": "password, second factor",
    }


@transaction.atomic
def ask_for_link(actor: User, user: User, reason: str) -> ApprovalRequest:
    """For a forgotten password or a lost device: asked for by an administrator, approved by another person."""
    require_over(actor, user, everywhere=True)
    _demand(actor)
    # Of somebody without a role, one of the asker's own: people there decide on it.
    premises = access.premises_of(user).first() or access.premises_of(actor, ADMINISTRATOR).order_by("pk")[0]
    return approvals.request_approval(actor, premises, NEW_LINK, link_payload(user), reason)


def approved_link(user: User) -> ApprovalRequest | None:
    rows = ApprovalRequest.objects.filter(
        action=NEW_LINK, state=ApprovalRequest.State.APPROVED, expires_at__gt=Now()
    )
    for row in rows.order_by("-pk"):
        if row.payload == link_payload(user) and approvals.why_lapsed(row) is None:
            return row
    return None


@transaction.atomic
def make_link(actor: Actor, user: User, reason: str = "") -> str:
    """The token of a new link, told once. The old password and second factor are void and every log-in ends.

    For somebody with a role it takes the approval of another person; nobody becomes somebody else alone."""
    require_over(actor, user, everywhere=True)
    _demand(actor)
    has_power = user.role_grants.exists() or vouched.has_roles_on_record(user)
    if isinstance(actor, User) and (has_power or user.last_login is not None):
        approved = approved_link(user)
        if approved is None:
            text = f"Another person must approve a new link for {user} first."
            raise Refused("not_approved", text, status=NOT_NOW)
        approvals.use_approval(approved, NEW_LINK, link_payload(user), actor)
        reason = reason or approved.reason
    vouched.put_back(user)
    user.set_unusable_password()
    user.save(update_fields=["password", "is_active"])
    second_factor.forget(actor, user)
    sessions.end_all(user)
    return invitations.make(actor, user, reason, standing=vouched.with_password(user))


@transaction.atomic
def unlock(actor: Actor, user: User) -> None:
    """Failed log-ins of before no longer count against the name."""
    require_over(actor, user)
    lifted = guard.lift(user)
    audit.record(actor, "people.unlocked", subject=user, details={"failed": lifted})


@transaction.atomic
def end_log_ins(actor: User, user: User, log_in: int | None = None) -> int:
    """One of a person's log-ins, or all; by the person, or by an administrator of theirs. At once."""
    if actor.pk != user.pk:
        require_over(actor, user)
    rows = LogIn.objects.filter(person=user)
    ended = sessions.end(rows.filter(pk=log_in) if log_in is not None else rows)
    if ended:
        audit.record(actor, "people.log_ins_ended", subject=user, details={"log_ins": ended})
    return ended


@transaction.atomic
def choose_language(person: User, language: str) -> User:
    """In which pages speak to the person from now on; empty: as their browser asks. By the person alone."""
    person.language = language
    person.save(update_fields=["language"])
    audit.record(person, "people.language_chosen", subject=person, details={"language": language})
    return person


@transaction.atomic
def leave(actor: Actor, user: User, reason: str) -> None:
    """The person leaves: no log-in, no role, no link, no second factor, at once; what they asked for lapses, what they
    did stays on record."""
    require_over(actor, user, everywhere=True)
    _demand(actor)
    if isinstance(actor, User) and actor.pk == user.pk:
        raise Refused("same_person", "Another administrator lets you go.", status=NOT_NOW)
    if not user.is_active:
        raise Refused("has_left", f"{user} has left already.", status=NOT_NOW)
    open_requests = list(approvals.open_requests_of(user).values_list("pk", flat=True))
    for grant in user.role_grants.select_related("premises"):
        take_role(actor, user, grant.premises, Role(grant.role), reason)
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["is_active", "password"])
    second_factor.forget(actor, user)
    sessions.end_all(user)
    audit.record(
        actor,
        "people.log_in_closed",
        subject=user,
        reason=reason,
        details={"lapsed": open_requests},
        standing=vouched.without_log_in(user),
    )
