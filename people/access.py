"""Who may do what where: the only questions asked about roles, and their forms for views and the REST API.

A role counts only at its premises. There is no role above the roles: a superuser without a role may do nothing. And a
role counts only as it stands on record (people.on_record.vouched): one that was put into the database past Potline is
none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from people.models import Premises, Role, User
from people.on_record import vouched
from people.on_record.vouched import Held

ANY_ROLE = frozenset(Role)


def _as_roles(roles: Role | Iterable[Role]) -> frozenset[Role]:
    return frozenset([roles]) if isinstance(roles, Role) else frozenset(roles)


def held_by(user: User | AnonymousUser) -> list[Held]:
    """The roles of the user, everywhere."""
    if not isinstance(user, User) or not user.is_active:
        return []
    return vouched.roles_of([user.pk])[user.pk]


def roles_at(user: User | AnonymousUser, premises: Premises) -> frozenset[Role]:
    return frozenset(held.role for held in held_by(user) if held.premises_id == premises.pk)


def premises_of(user: User | AnonymousUser, roles: Role | Iterable[Role] = ANY_ROLE) -> QuerySet[Premises]:
    """Where the user has one of the roles."""
    wanted = _as_roles(roles)
    return Premises.objects.filter(pk__in={held.premises_id for held in held_by(user) if held.role in wanted})


def may(user: User | AnonymousUser, roles: Role | Iterable[Role], premises: Premises | None) -> bool:
    """Whether the user has one of the roles at the premises; for what belongs to none, at any."""
    wanted = _as_roles(roles)
    return any(
        held.role in wanted and (premises is None or held.premises_id == premises.pk)
        for held in held_by(user)
    )


def require(user: User | AnonymousUser, roles: Role | Iterable[Role], premises: Premises | None) -> None:
    """Raises PermissionDenied with a sentence unless the user may."""
    if not may(user, roles, premises):
        raise PermissionDenied(_refusal(user, roles, premises.name if premises else "any premises"))


def _refusal(user: Any, roles: Role | Iterable[Role], where: str) -> str:
    names = " or ".join(sorted(role.label for role in _as_roles(roles)))
    return f"{user} may not do this at {where}: it takes the role {names}. An administrator can grant it."


def person(request: HttpRequest | Request) -> User:
    """Who asks, for a verb that acts for them; a terminal or a stranger is nobody."""
    user: object = request.user
    if not isinstance(user, User):
        raise PermissionDenied("A person must log in for this.")
    return user


def role_required(*roles: Role) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """For page views. Where the URL has `<slug:premises>`, the role must hold there and the view gets the Premises;
    otherwise it must hold at one premises at least. No roles given: any role."""
    wanted = frozenset(roles) or ANY_ROLE

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if "premises" in kwargs:
                kwargs["premises"] = get_object_or_404(Premises, code=kwargs["premises"])
                require(request.user, wanted, kwargs["premises"])
            elif not may(request.user, wanted, None):
                raise PermissionDenied(_refusal(request.user, wanted, "any premises"))
            with timezone.override(_clock_of(request, kwargs.get("premises"))):
                response: HttpResponseBase = view(request, *args, **kwargs)
            return response

        guarded.required_roles = wanted  # type: ignore[attr-defined]
        return guarded

    return decorate


def at_home(view: Callable[..., Any]) -> Callable[..., Any]:
    """For the pages of anybody who is logged in: times are those of the premises at which the person works."""

    @wraps(view)
    def clocked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with timezone.override(_clock_of(request, None) if request.user.is_authenticated else None):
            return view(request, *args, **kwargs)

    return clocked


def _clock_of(request: HttpRequest, premises: Premises | None) -> ZoneInfo | None:
    """Pages tell the time of the premises they are about, or of the one the person works at."""
    from people.pages.page_context import current_premises

    found = premises or current_premises(request)
    return ZoneInfo(found.time_zone) if found else None


class HasRole(BasePermission):
    """The same for REST views, `permission_classes = [HasRole.of(Role.FINANCE)]`; premises from the URL, if there."""

    roles: frozenset[Role] = ANY_ROLE

    @classmethod
    def of(cls, *roles: Role) -> type[HasRole]:
        return type("HasRole", (cls,), {"roles": frozenset(roles) or ANY_ROLE})

    def has_permission(self, request: Request, view: APIView) -> bool:
        code = view.kwargs.get("premises")
        self.message = _refusal(request.user, self.roles, code or "any premises")
        held = [each.code for each in held_by(request.user) if each.role in self.roles]
        return bool(held) if code is None else code in held
