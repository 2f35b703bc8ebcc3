"""From where something is asked for, and in which request or job: set once where a request or a job begins.

The audit trail and the log read it. Who acts is no part of it: that is an argument of every verb, which checks rights
on it, and the premises are those of the row that the verb locks. Nothing here gives anybody a right.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address

import structlog
from django.http import HttpRequest

_GIVEN_ID = re.compile(r"^[A-Za-z0-9._-]{8,64}$")


@dataclass(frozen=True)
class Origin:
    """Empty for what a person does at a command line."""

    ip: str | None = None
    request_id: str = ""
    job: str = ""


_NOWHERE = Origin()
_current: ContextVar[Origin] = ContextVar("origin", default=_NOWHERE)


def current() -> Origin:
    return _current.get()


def begin(origin: Origin) -> None:
    """For all that this process does until the next job begins; its log lines carry the id."""
    _current.set(origin)
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=origin.request_id, job=origin.job)


@contextmanager
def acting_from(origin: Origin) -> Iterator[None]:
    """For a request: log lines carry its id, and what was before it is back afterwards."""
    token = _current.set(origin)
    try:
        with structlog.contextvars.bound_contextvars(request_id=origin.request_id):
            yield
    finally:
        _current.reset(token)


def of_request(request: HttpRequest) -> Origin:
    return Origin(client_ip(request), request_id_of(request.headers.get("X-Request-ID", "")))


def request_id_of(given: str) -> str:
    """A sane X-Request-ID is kept, else one is made."""
    return given if _GIVEN_ID.match(given) else uuid.uuid4().hex


def client_ip(request: HttpRequest) -> str | None:
    """Where a request came from. Behind a proxy uvicorn fills it in (FORWARDED_ALLOW_IPS) with whatever the proxy was
    told; what is no address is none."""
    return client_ip_of(request.META.get("REMOTE_ADDR", ""))


def client_ip_of(text: str) -> str | None:
    """The same of a socket's own word for it."""
    given, _, _ = text.partition("%")  # PostgreSQL knows no zones of IPv6
    try:
        return str(ip_address(given))
    except ValueError:
        return None
