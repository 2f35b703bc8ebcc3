"""Log-ins under way: begun by a log-in, ended by the person, by idleness, by age, or by an administrator, at once.

Django's session carries the number of a LogIn; each request looks at that row. A page that refreshes itself and a
program that reads do not renew an idle log-in: only a page that is opened, or something done, does.
"""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode

from config.kit import languages, origin
from config.kit.fastsql.statements import columns, made, rows_of
from config.kit.forms import page_of_form
from config.kit.http.middleware import QUIET_PATHS
from config.kit.problems import is_api
from people.log_ins import proof, signed_log_ins
from people.models import LogIn, User
from people.on_record import vouched

SESSION_KEY = "log_in"
SAFE = ("GET", "HEAD", "OPTIONS")
Ended = LogIn.Ended
_NOT_ENDED = (
    "SELECT {columns} FROM people_login l WHERE l.id = %s AND l.person_id = %s AND l.ended_at IS NULL"
)
"""Every request of a person runs it: the ORM takes several times as long to write it out."""


def begin(request: HttpRequest, person: User, *, by_code: bool) -> LogIn:
    now = timezone.now()
    row = signed_log_ins.create(
        person=person,
        began_at=now,
        last_used_at=now,
        proved_at=now,
        second_factor_at=now if by_code else None,
        ip=origin.current().ip,
        browser=request.headers.get("User-Agent", "").replace("\0", "")[:200],
    )
    request.session[SESSION_KEY] = row.pk
    return row


def number_of(request: HttpRequest) -> int:
    """Of the session's log-in; 0 where it has none."""
    return int(request.session.get(SESSION_KEY) or 0)


def under_way(person: User) -> QuerySet[LogIn]:
    """Newest first; those that are over by the clock alone are left out."""
    now = timezone.now()
    fresh = LogIn.objects.filter(
        person=person,
        ended_at__isnull=True,
        last_used_at__gt=now - settings.IDLE_TIME,
        began_at__gt=now - settings.LOG_IN_LIFETIME,
    )
    return fresh.order_by("-pk")


def end(log_ins: QuerySet[LogIn], because: LogIn.Ended = Ended.ENDED) -> int:
    """At once: the next request of such a log-in is a stranger's."""
    return log_ins.filter(ended_at__isnull=True).update(ended_at=timezone.now(), ended_because=because)


def end_all(person: User, *, but: LogIn | None = None) -> int:
    rows = LogIn.objects.filter(person=person)
    return end(rows.exclude(pk=but.pk) if but else rows)


def _over_by_clock(row: LogIn) -> LogIn.Ended | None:
    now = timezone.now()
    if now - row.began_at > settings.LOG_IN_LIFETIME:
        return Ended.LIFETIME
    return Ended.IDLE if now - row.last_used_at > settings.IDLE_TIME else None


def by_a_person(request: HttpRequest) -> bool:
    """Whether a person is behind it: not htmx that refreshes a page, not a program that reads."""
    looks = request.method in SAFE
    return not (looks and ("HX-Request" in request.headers or is_api(request.path)))


def _genuine(request: HttpRequest) -> LogIn | None:
    """The log-in that the session names, if it is the person's, has not ended and holds."""
    found = rows_of(_NOT_ENDED.format(columns=columns(LogIn, "l")), [number_of(request), request.user.pk])
    return next(
        (row for row in (made(LogIn, each) for each in found) if signed_log_ins.is_genuine(row)), None
    )


class LogInMiddleware(MiddlewareMixin):
    """After Django's own: a session without a log-in under way is a stranger's."""

    def process_request(self, request: HttpRequest) -> None:
        proof.acting_by(None)
        vouched.remember(request.method in ("GET", "HEAD"))
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path.startswith(QUIET_PATHS):
            return
        if not request.user.is_authenticated:
            return
        row = _genuine(request)
        because = _over_by_clock(row) if row is not None else None
        if row is not None and because is not None:
            end(LogIn.objects.filter(pk=row.pk), because)
        if row is None or because is not None:
            request.session.flush()
            request.user = AnonymousUser()
            return
        written_every = min(timedelta(seconds=30), settings.IDLE_TIME / 10)
        if by_a_person(request) and timezone.now() - row.last_used_at > written_every:
            signed_log_ins.save(row, last_used_at=timezone.now())
        proof.acting_by(row)
        languages.speak(request, request.user.language)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        proof.acting_by(None)
        vouched.remember(False)
        return _back_to_the_form(request) if _sent_by_a_stranger(request, response) else response


def _sent_by_a_stranger(request: HttpRequest, response: HttpResponse) -> bool:
    """A form whose log-in was over when it came: the door leads to the log-in."""
    to_log_in = response.headers.get("Location", "").startswith(f"{resolve_url(settings.LOGIN_URL)}?")
    return request.method not in SAFE and response.status_code == HTTPStatus.FOUND and to_log_in


def _back_to_the_form(request: HttpRequest) -> HttpResponse:
    """After the log-in to the page with the form, not to the address that takes it: that one is no page."""
    asked = urlencode({"next": page_of_form(request), "unsent": "1"})
    return redirect(f"{resolve_url(settings.LOGIN_URL)}?{asked}")
