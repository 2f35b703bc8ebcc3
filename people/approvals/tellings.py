"""What an approval would do, in the words of whoever decides on it. Each room tells of its own acts; what no room tells
of is shown as it was asked. The document itself and its fingerprint stay below: those are what is approved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import structlog
from django.db import transaction
from django.utils.translation import gettext

from people.models import ApprovalRequest, Role, User
from people.pages import references
from rules.money import parse_money, say

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Fact:
    """A line of a telling; `cards` are drawn, `url` makes the text a link. `of_rules`: in the rules' own English."""

    label: str
    text: str = ""
    url: str = ""
    cards: tuple[str, ...] = ()
    of_rules: bool = False


@dataclass(frozen=True)
class Telling:
    """`sentence`: what happens when it is approved. `facts`: about what, and how it stands before and after."""

    sentence: str = ""
    facts: list[Fact] = field(default_factory=list)


Tell = Callable[[ApprovalRequest], Telling]
_tellers: dict[str, Tell] = {}


def register(*actions: str) -> Callable[[Tell], Tell]:
    def decorate(tell: Tell) -> Tell:
        for action in actions:
            _tellers[action] = tell
        return tell

    return decorate


def telling_of(request: ApprovalRequest) -> Telling:
    """Never fails the page: what cannot be told is shown as it was asked."""
    tell = _tellers.get(request.action)
    if tell is not None:
        try:
            with transaction.atomic():
                return tell(request)
        except Exception:
            logger.exception("approval_not_told", action=request.action, request=request.pk)
    payload = request.payload
    rows = payload.items() if isinstance(payload, dict) else [("what", payload)]
    return Telling(
        facts=[
            Fact(str(name).replace("_", " ").capitalize(), "\n".join(_told(value))) for name, value in rows
        ]
    )


def amount(text: str, currency: str) -> str:
    """'20006.00' of a document as '20,006.00 NZD'."""
    return f"{say(parse_money(text))} {currency}"


def _told(value: Any, path: str = "") -> Iterator[str]:
    """Lists and objects as lines."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _told(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and not path:
        for each in value:
            yield from _told(each)
    else:
        words = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        yield f"{path}: {words}" if path else words


# --- People's own acts ----------------------------------------------------------------------------------------
@register("people.grant_role")
def _role(request: ApprovalRequest) -> Telling:
    payload = request.payload
    role = gettext(Role(payload["role"]).label)
    whom = User.objects.filter(pk=int(payload["person"])).first()
    name = f"{whom.name} ({whom.username})" if whom else str(payload["person"])
    has = (
        [
            gettext(Role(held).label)
            for held in whom.role_grants.filter(premises=request.premises).values_list("role", flat=True)
        ]
        if whom
        else []
    )
    return Telling(
        gettext("%(name)s becomes %(role)s at %(premises)s at once.")
        % {"name": name, "role": role, "premises": request.premises.name},
        [
            Fact(gettext("Person"), name, references.address_of(f"people.user:{payload['person']}")),
            Fact(gettext("Role"), role),
            Fact(gettext("Premises"), request.premises.name),
            Fact(gettext("Has there now"), ", ".join(has) or gettext("no role")),
        ],
    )


@register("people.new_link")
def _link(request: ApprovalRequest) -> Telling:
    payload = request.payload
    whom = User.objects.filter(pk=int(payload["person"])).first()
    name = f"{whom.name} ({whom.username})" if whom else str(payload["person"])
    return Telling(
        gettext(
            "%(requested_by)s may then make a link by which %(name)s sets a new password. The old "
            "password and second factor are void then, and every log-in of theirs ends."
        )
        % {"requested_by": request.requested_by, "name": name},
        [Fact(gettext("Person"), name, references.address_of(f"people.user:{payload['person']}"))],
    )
