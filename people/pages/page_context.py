"""What every page shows of the person before it: premises, roles, navigation, the gaming day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from config.kit.gaming_day import day_start, gaming_day
from people import access
from people.models import Premises, Role
from people.pages import navigation

SESSION_KEY = "premises"

Today = Callable[[Premises, datetime], tuple[date, datetime]]
"""Which gaming day the books of a premises are in at an instant, and since when."""


def _by_the_clock(premises: Premises, now: datetime) -> tuple[date, datetime]:
    day = gaming_day(premises, now)
    return day, day_start(premises, day)


_today: list[Today] = [_by_the_clock]


def register_today(today: Today) -> None:
    """Called at start by the room that closes days: one may be closed before the clock ends it."""
    _today[:] = [today]


def current_premises(request: HttpRequest) -> Premises | None:
    """The premises the person works at now: the one chosen in this session, else the first of theirs."""
    return _chosen(request, _own(request))


def _own(request: HttpRequest) -> list[Premises]:
    """Where the person has a role: asked for once while a page is made, anew where the request may change it."""
    if request.method not in ("GET", "HEAD"):
        return list(access.premises_of(request.user))
    if not hasattr(request, "own_premises"):
        request.own_premises = list(access.premises_of(request.user))  # type: ignore[attr-defined]
    found: list[Premises] = request.own_premises  # type: ignore[attr-defined]
    return found


def premises_for(request: HttpRequest, roles: tuple[Role, ...]) -> Premises:
    """The premises the person works at now, if the role holds there, else the first where it does."""
    chosen = current_premises(request)
    if chosen is not None and access.may(request.user, roles, chosen):
        return chosen
    return access.premises_of(request.user, roles)[0]


def _chosen(request: HttpRequest, own: list[Premises]) -> Premises | None:
    chosen = request.session.get(SESSION_KEY)
    return next((premises for premises in own if premises.code == chosen), own[0] if own else None)


def _here(request: HttpRequest) -> dict[str, Any]:
    own = _own(request)
    premises = _chosen(request, own)
    held = access.held_by(request.user)
    roles = {str(each.role) for each in held}
    roles_here = sorted(
        gettext(each.role.label) for each in held if premises and each.premises_id == premises.pk
    )
    entries = navigation.entries_for(roles)
    here: dict[str, Any] = {
        "premises": premises,
        "all_premises": own,
        "navigation": entries,
        "menu": navigation.groups(entries),
        "current": navigation.current(request.path, entries),
        "roles_here": roles_here,
        "pages": {entry.url_name for entry in entries},
    }
    if premises:
        now = timezone.now()
        day, began = _today[0](premises, now)
        tomorrow = day + timedelta(days=1)
        zone = ZoneInfo(premises.time_zone)
        here |= {
            "gaming_day": day,
            "day_began": began.astimezone(zone).replace(tzinfo=None),
            "local_time": now.astimezone(zone).replace(tzinfo=None),
            "next_day": tomorrow,
            "next_day_ms": int(day_start(premises, tomorrow).timestamp() * 1000),
            "server_ms": int(now.timestamp() * 1000),
        }
    return here


def here(request: HttpRequest) -> dict[str, Any]:
    """The context processor; the queries run only if the page asks."""
    signed_in = bool(getattr(request, "user", None) and request.user.is_authenticated)
    return {"here": SimpleLazyObject(lambda: _here(request)) if signed_in else None, "demo": settings.DEMO}
