"""Who may come in: bounds on the requests under way, so that a stuck table or a slow page costs its own askers alone.

Each request of Django's takes a thread and a database session, and one that waits for a row keeps them. So a terminal
may have a few requests under way, terminals together and pages together a bounded number each; whoever comes on top
is told at once, or after a short wait, to come again (503, Retry-After). A request counts from the end of its body to
the beginning of its answer, so that a slow line holds no place; where the caller hung up, until its thread has ended.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.template.loader import render_to_string
from prometheus_client import Counter as Total

from config import database, problems

logger = structlog.get_logger(__name__)

AT_ONCE_BY_TERMINAL = 3
"""Events, a beat and a look at a round: what one terminal has to say at a time."""
WAIT_S, MOST_WAITING = 2.0, 200
_TERMINAL = re.compile(r"^/api/v1/tables/(?P<table>[^/]+/[^/]+)/(?P<what>events|rounds/[^/]*)$")
# These ask for no session, or (/readyz) for one of their own.
_FREE = ("/healthz", "/readyz", "/metrics", "/static/")
_SAY_EVERY_S = 10.0

refused_total = Total("potline_requests_refused_total", "Requests answered by 503 at the door.", ["lane"])

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class Busy(Exception):
    """There is no place for this request now."""


@dataclass
class Lane:
    """Places for requests of one kind, and how long one may wait for a place."""

    name: str
    places: asyncio.Semaphore
    wait_s: float
    most_waiting: int
    waiting: int = 0

    async def enter(self) -> None:
        if self.waiting >= self.most_waiting:
            raise Busy
        self.waiting += 1
        try:
            async with asyncio.timeout(self.wait_s):
                await self.places.acquire()
        except TimeoutError:
            raise Busy from None
        finally:
            self.waiting -= 1


class Visit:
    """One request's place, taken when its body has come and given back once."""

    def __init__(self, lane: Lane, owner: str, under_way: Counter[str]) -> None:
        self.lane, self.owner, self.under_way = lane, owner, under_way
        self.counted = self.inside = False

    async def begin(self) -> None:
        if self.counted:
            return
        if self.owner and self.under_way[self.owner] >= AT_ONCE_BY_TERMINAL:
            raise Busy
        self.counted = True
        self.under_way[self.owner] += 1
        await self.lane.enter()
        self.inside = True

    def end(self) -> None:
        if self.inside:
            self.lane.places.release()
        if self.counted:
            self.under_way[self.owner] -= 1
            if not self.under_way[self.owner]:
                del self.under_way[self.owner]
        self.inside = False
        self.counted = False


class Door:
    """The terminals' places, whichever way they come, and who was turned away. One an event loop, so plain numbers do
    for counting."""

    def __init__(self) -> None:
        self.terminals = Lane("terminal", asyncio.Semaphore(settings.TERMINAL_SLOTS), WAIT_S, MOST_WAITING)
        self.under_way: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.said_at_s = -_SAY_EVERY_S

    def visit(self, lane: Lane, owner: str) -> Visit:
        return Visit(lane, owner, self.under_way)

    def note(self, lane: Lane, what: str) -> None:
        """In the log now and then, not for each: whoever is refused comes again soon."""
        refused_total.labels(lane.name).inc()
        self.refused[what[:100]] += 1
        now_s = time.monotonic()
        if now_s - self.said_at_s >= _SAY_EVERY_S:
            self.said_at_s = now_s
            most = dict(self.refused.most_common(5))
            logger.warning("requests_refused_as_busy", total=self.refused.total(), most=most)
            self.refused.clear()


_doors: dict[int, Door] = {}


def door() -> Door:
    """Of this process's event loop."""
    return _doors.setdefault(id(asyncio.get_running_loop()), Door())


@asynccontextmanager
async def terminal_place(table: str, token: bytes) -> AsyncIterator[None]:
    """A place for one message of a terminal's line, of the same few that it has over REST; Busy where there is none."""
    here = door()
    visit = here.visit(here.terminals, owner_of(table, token))
    database.work_for(here.terminals.name)
    try:
        await visit.begin()
        yield
    except Busy:
        here.note(here.terminals, table)
        raise
    finally:
        visit.end()


class Admission:
    """Wraps Django's ASGI application."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.pages = Lane("page", asyncio.Semaphore(settings.PAGE_SLOTS), 5.0, MOST_WAITING)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path.startswith(_FREE):
            return await self.app(scope, receive, send)
        terminal = _TERMINAL.match(path)
        here = door()
        lane = here.terminals if terminal else self.pages
        database.work_for(lane.name)
        visit = here.visit(lane, owner_of(terminal[1], token_of(scope)) if terminal else "")

        async def receive_all() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                await visit.begin()
            return message

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                if lane is self.pages:
                    # The session goes back before a slow line takes the answer. Called inside of Django's context
                    # for the request, so this runs in the request's own thread.
                    await sync_to_async(close_old_connections)()
                visit.end()
            await send(message)

        try:
            await self.app(scope, receive_all, send_on)
        except Busy:
            here.note(lane, terminal["table"] if terminal else path)
            await _refuse(send, path, terminal["what"] if terminal else "")
        finally:
            visit.end()


def token_of(scope: Mapping[str, Any]) -> bytes:
    """The Authorization header as it came."""
    return next((value for name, value in scope["headers"] if name == b"authorization"), b"")


def owner_of(table: str, token: bytes) -> str:
    """By token, so that nobody without one can take a terminal's places."""
    return f"{table} {hash(token)}"


async def _refuse(send: Send, path: str, what: str) -> None:
    """An answer to events also says which of them were taken: none."""
    if problems.is_api(path):
        members: dict[str, Any] = {"answers": []} if what == "events" else {}
        kind, body = problems.CONTENT_TYPE, json.dumps(problems.busy(path, **members))
    else:
        kind, body = "text/html; charset=utf-8", render_to_string("503.html")
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body.encode())).encode()),
        (b"retry-after", str(problems.RETRY_AFTER_S).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
