"""The guard of the log-in: who fails too often waits, and nobody can lock another out of their own browser.

A browser that a person has logged in with before carries a signed cookie. Strangers' attempts on a name count together,
whatever their address, and so do strangers' attempts from one address; five on a name or twenty from an address close
the door for strangers for half an hour. A known browser has a count of its own, so guesses from elsewhere do not
reach it. An attempt counts before it is looked at, so that many at once are no way around; success takes it back.
"""

from __future__ import annotations

import ipaddress
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit import keys, origin, turns
from config.kit.refusals import Refused
from people import access
from people.alerts import alerts
from people.audit import audit
from people.models import FailedLogIn, Role, User

LOGIN_LOCKED = alerts.declare(
    "people.login_locked",
    gettext_noop("A user name is locked after failed log-ins"),
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
)
ADDRESS_LOCKED = alerts.declare(
    "people.address_locked",
    gettext_noop("Too many failed log-ins came from one address"),
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)
NOBODY = "people.user:none"
LIMIT_BY_NAME = 5
LIMIT_BY_ADDRESS = 20
PERIOD = timedelta(minutes=30)
KEPT = timedelta(days=1)
COOKIE = "potline_browser"
COOKIE_AGE = timedelta(days=90)
MAX_PEOPLE_A_BROWSER = 20
_TURN_DIGITS = 3
"""Of a key, in hex: attempts take turns by some thousand rows, not by a row for each name that anybody types."""


@dataclass(frozen=True)
class Knock:
    """Who knocks, as keys that nobody can read back: a typed name may be a password."""

    name_key: str
    address_key: str
    browser_key: str
    row: int = 0

    @classmethod
    def of(cls, username: str, *, browser: str = "") -> Knock:
        """From the address of the request at hand; `browser`: one that the person is known to use."""
        return cls(
            _key("name", username.strip().casefold()),
            _key("address", _network(origin.current().ip)),
            _key("browser", browser) if browser else "",
        )


def _key(kind: str, text: str) -> str:
    return keys.signature(keys.LOG_IN_GUARD, f"{kind}:{text}".encode(errors="replace"))


def _network(given: str | None) -> str:
    """Of IPv6 the half that a provider gives to one customer; whoever has it can take any address in it."""
    if given is None:
        return ""
    address = ipaddress.ip_address(given)
    return str(ipaddress.ip_network(f"{given}/64", strict=False)) if address.version == 6 else given


# --- Counting -------------------------------------------------------------------------------------------------
def _counted(knock: Knock) -> tuple[QuerySet[FailedLogIn], QuerySet[FailedLogIn]]:
    """Against the name (in this browser, or by strangers), and against the address."""
    recent = FailedLogIn.objects.filter(forgiven_at__isnull=True, at__gt=Now() - PERIOD)
    by_name = recent.filter(name_key=knock.name_key, browser_key=knock.browser_key)
    by_address = recent.filter(address_key=knock.address_key, browser_key="")
    return by_name, by_address.none() if knock.browser_key else by_address


def _is_locked(knock: Knock) -> bool:
    by_name, by_address = _counted(knock)
    return by_name.count() >= LIMIT_BY_NAME or by_address.count() >= LIMIT_BY_ADDRESS


def _locked() -> Refused:
    text = (
        "There were too many failed log-ins. It opens again after half an hour, or when an administrator unlocks the"
        " user name; a browser that you have logged in with before is not affected. The lock is in the audit trail."
    )
    return Refused("locked", text, status=429)


@transaction.atomic
def admit(knock: Knock) -> Knock:
    """Takes a place for an attempt, before it is looked at; Refused where there were too many."""
    for digits in sorted({key[:_TURN_DIGITS] for key in (knock.name_key, knock.address_key)}):
        turns.take(f"people.log_ins.guard:{digits}")
    if _is_locked(knock):
        raise _locked()
    row = FailedLogIn.objects.create(
        name_key=knock.name_key, address_key=knock.address_key, browser_key=knock.browser_key
    )
    return Knock(knock.name_key, knock.address_key, knock.browser_key, row.pk)


def forgive(knock: Knock) -> None:
    """It succeeded: this attempt, and those before it from the same place, no longer count."""
    own = FailedLogIn.objects.filter(name_key=knock.name_key, browser_key=knock.browser_key)
    same_place = Q() if knock.browser_key else Q(address_key=knock.address_key)
    own.filter(same_place, forgiven_at__isnull=True).update(forgiven_at=timezone.now())


@transaction.atomic
def failed(knock: Knock, known: User | None, what: str) -> None:
    """On record; where it was the last that was allowed, an alert as well, and Refused tells it."""
    premises = access.premises_of(known).first() if known else None
    audit.record(
        "log-in guard",
        "people.log_in_failed",
        premises=premises,
        subject=known or "",
        reason="" if known else "A user name that nobody has",
        details={"what": what},
    )
    by_name, by_address = _counted(knock)
    until = timezone.now() + PERIOD
    if by_name.count() == LIMIT_BY_NAME:
        audit.record(
            "log-in guard",
            "people.login_locked",
            premises=premises,
            subject=known or "",
            reason="Five failed log-ins in a row",
        )
        # Names that nobody has share one alert: who guesses could fill the list.
        who = f"The user name {known.username} ({known.name})" if known else "A user name that nobody has"
        where = "in a browser they use" if knock.browser_key else "for browsers they have not used before"
        text = f"{who} is locked after five failed log-ins, {where}; the audit trail tells from where."
        alerts.raise_alert(LOGIN_LOCKED, known or NOBODY, text, premises=premises, until=until)
    if by_address.count() == LIMIT_BY_ADDRESS:
        ip = origin.current().ip or "an unknown address"
        text = f"{LIMIT_BY_ADDRESS} failed log-ins came from {ip}: for half an hour it can use known browsers only."
        alerts.raise_alert(ADDRESS_LOCKED, f"address {ip}", text, until=until)


def has_locked(knock: Knock) -> bool:
    """Whether the next attempt of the same kind would be refused."""
    return _is_locked(knock)


def is_locked(person: User) -> bool:
    """For strangers' browsers; what pages show."""
    return _is_locked(Knock(_key("name", person.username.casefold()), "", ""))


def lift(person: User) -> int:
    """Forgives all that was counted against the name, in every browser."""
    name_key = _key("name", person.username.casefold())
    counted = FailedLogIn.objects.filter(name_key=name_key, forgiven_at__isnull=True)
    return counted.update(forgiven_at=timezone.now())


def clear_away() -> int:
    deleted, _ = FailedLogIn.objects.filter(at__lt=Now() - KEPT).delete()
    return deleted


# --- Browsers that are known ----------------------------------------------------------------------------------
def browser_of(request: HttpRequest, person: User | None) -> str:
    """The name of this browser if the person has logged in with it before, else empty."""
    found = _read(request)
    return found[0] if found and person is not None and person.pk in found[1] else ""


def remember(request: HttpRequest, response: HttpResponse, person: User) -> None:
    """From now on the person is known in this browser."""
    name, people = _read(request) or (secrets.token_urlsafe(16), [])
    people = [person.pk, *(each for each in people if each != person.pk)][:MAX_PEOPLE_A_BROWSER]
    response.set_cookie(
        COOKIE,
        signing.dumps([name, people], salt=COOKIE, compress=True),
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> tuple[str, list[int]] | None:
    try:
        name, people = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=COOKIE_AGE)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return str(name), list(people)
