"""Who may come in: bounds on the requests under way, so that a stuck table or a slow page costs its own askers alone.

Each request of Django's takes a thread and a database session, and one that waits for a row keeps them. So a terminal
may have a few requests under way, terminals together and pages together a bounded number each; whoever comes on top
is told at once, or after a short wait, to come again (503, Retry-After). A request counts from the end of its body to
the beginning of its answer, so that a slow line holds no slot; where the caller hung up, until its thread has ended.

A body that is too large is refused before it is read, one that does not end in time is not waited for, and who asks
more often than any terminal or person does is told to wait (429).
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter, OrderedDict
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

from config.kit import database, origin, problems
from config.kit.logs import without_tokens
from config.kit.problems import MAX_BODY_BYTES

logger = structlog.get_logger(__name__)

BODY_S = 30.0
"""For a whole body; the largest that is allowed takes a tenth of it on a bad line."""
MAX_PAGE_BYTES = 1024 * 1024
"""Of a form on a page; the REST API's limit is config.kit.rest's."""
MAX_CALLERS = 20_000
AT_ONCE_BY_TERMINAL = 3
"""Events, a beat and a look at a round: what one terminal has to say at a time."""
WAIT_S, MAX_WAITING = 2.0, 200
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
    """There is no slot for this request now."""


class TooLarge(Exception):
    """More bytes than this address takes."""


class TooSlow(Exception):
    """The body did not come within BODY_S."""


class TooOften(Exception):
    """Whoever asks has used up what one may ask in this time."""


class Allowance:
    """Requests a second by caller, with some in reserve; the callers that asked longest ago are forgotten first."""

    def __init__(self, a_second: float) -> None:
        self.a_second, self.most = a_second, a_second * 5
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now_s: float) -> None:
        left, at_s = self._left.pop(caller, (self.most, now_s))
        left = min(self.most, left + (now_s - at_s) * self.a_second)
        if left >= 1:
            self._left[caller] = (left - 1, now_s)
        else:
            self._left[caller] = (left, now_s)
            raise TooOften
        while len(self._left) > MAX_CALLERS:
            self._left.popitem(last=False)


@dataclass
class Lane:
    """Slots for requests of one kind, and how long one may wait for a slot."""

    name: str
    slots: asyncio.Semaphore
    wait_s: float
    most_waiting: int
    waiting: int = 0

    async def enter(self) -> None:
        if not self.slots.locked():
            await self.slots.acquire()  # at once, without a clock
            return
        if self.waiting >= self.most_waiting:
            raise Busy
        self.waiting += 1
        try:
            async with asyncio.timeout(self.wait_s):
                await self.slots.acquire()
        except TimeoutError:
            raise Busy from None
        finally:
            self.waiting -= 1


class Visit:
    """One request's slot, taken when its body has come and given back once."""

    def __init__(self, lane: Lane, owner: str, under_way: Counter[str]) -> None:
        self.lane, self.owner, self.under_way = lane, owner, under_way
        self.counted = self.inside = self.over = False

    async def begin(self) -> None:
        if self.counted or self.over:  # over: that the caller has gone is heard after the answer, too
            return
        if self.owner and self.under_way[self.owner] >= AT_ONCE_BY_TERMINAL:
            raise Busy
        self.counted = True
        self.under_way[self.owner] += 1
        await self.lane.enter()
        self.inside = True

    def end(self) -> None:
        self.over = True
        if self.inside:
            self.lane.slots.release()
        if self.counted:
            self.under_way[self.owner] -= 1
            if not self.under_way[self.owner]:
                del self.under_way[self.owner]
        self.inside = False
        self.counted = False


class Door:
    """The terminals' slots, whichever way they come, and who was turned away. One an event loop, so plain numbers do
    for counting."""

    def __init__(self) -> None:
        self.terminals = Lane("terminal", asyncio.Semaphore(settings.TERMINAL_SLOTS), WAIT_S, MAX_WAITING)
        self.under_way: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.said_at_s = -_SAY_EVERY_S

    def visit(self, lane: Lane, owner: str) -> Visit:
        return Visit(lane, owner, self.under_way)

    def note(self, lane: Lane, what: str) -> None:
        """In the log now and then, not for each: whoever is refused comes again soon."""
        refused_total.labels(lane.name).inc()
        self.refused[without_tokens(what[:100])] += 1
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
async def terminal_slot(table: str, token: bytes) -> AsyncIterator[None]:
    """A slot for one message of a terminal's line, of the same few that it has over REST; Busy where there is none."""
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
        self.pages = Lane("page", asyncio.Semaphore(settings.PAGE_SLOTS), 5.0, MAX_WAITING)
        a_second = settings.REQUESTS_A_SECOND
        self.by_address, self.by_token = Allowance(a_second), Allowance(a_second)
        # Fifty tables may be behind one address; whoever makes up tokens there shares what they have.
        self.terminals_by_address = Allowance(a_second * 20)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path.startswith(_FREE):
            return await self.app(scope, receive, send)
        terminal = _TERMINAL.match(path)
        here = door()
        lane = here.terminals if terminal else self.pages
        database.work_for(lane.name)
        visit = here.visit(lane, owner_of(terminal[1], token_of(scope)) if terminal else "")

        body = Body(problems.is_api(path))

        async def receive_all() -> Message:
            message = await body.next(receive)
            if body.complete:
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

        what = terminal["what"] if terminal else ""
        try:
            self._allow(scope, visit.owner)
            body.announce(scope)
            await self.app(scope, receive_all, send_on)
        except Busy:
            here.note(lane, terminal["table"] if terminal else path)
            await _refuse(send, scope, what, 503)
        except TooOften:
            here.note(lane, terminal["table"] if terminal else path)
            await _refuse(send, scope, what, 429)
        except (TooLarge, TooSlow) as refused:
            await _refuse(send, scope, what, 413 if isinstance(refused, TooLarge) else 408)
        finally:
            visit.end()

    def _allow(self, scope: dict[str, Any], owner: str) -> None:
        address, now_s = (scope.get("client") or ("",))[0], time.monotonic()
        if owner:
            self.terminals_by_address.take(address, now_s)
            self.by_token.take(owner, now_s)
        else:
            self.by_address.take(address, now_s)


class Body:
    """A request's body on its way in: counted and timed, so that neither its size nor its pace costs more than that."""

    def __init__(self, is_api: bool) -> None:
        self.limit = MAX_BODY_BYTES if is_api else MAX_PAGE_BYTES
        self.seen = 0
        self.complete = False
        self.until_s: float | None = None

    def announce(self, scope: dict[str, Any]) -> None:
        """What the caller says of it; before a byte of it is read."""
        told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if told.isdigit() and int(told) > self.limit:
            raise TooLarge

    async def next(self, receive: Receive) -> Message:
        if self.complete:
            return await receive()
        loop = asyncio.get_running_loop()
        self.until_s = self.until_s or loop.time() + BODY_S
        try:
            async with asyncio.timeout_at(self.until_s):
                message = await receive()
        except TimeoutError:
            raise TooSlow from None
        if message["type"] == "http.request":
            self.seen += len(message.get("body", b""))
            if self.seen > self.limit:
                raise TooLarge
            self.complete = not message.get("more_body")
        return message


def token_of(scope: Mapping[str, Any]) -> bytes:
    """The Authorization header as it came; of a tablet, which has its token there, the cookie."""
    given = dict(scope["headers"])
    return given.get(b"authorization") or (given.get(b"cookie", b"") if b"potline-tablet" in given else b"")


def owner_of(table: str, token: bytes) -> str:
    """By token, so that nobody without one can take a terminal's slots."""
    return f"{table} {hash(token)}"


async def _refuse(send: Send, scope: Mapping[str, Any], what: str, status: int) -> None:
    """An answer to events also says which of them were taken: none. Where a body is not read to its end, the connection
    goes with it."""
    again, path = status in (429, 503), scope["path"]
    given = dict(scope["headers"]).get(b"x-request-id", b"")
    request_id = origin.request_id_of(given.decode("latin-1"))
    if not again:  # those are told now and then, all together
        logger.info("request", method=scope.get("method"), path=path, status=status, request_id=request_id)
    if problems.is_api(path):
        members: dict[str, Any] = {"answers": []} if what == "events" else {}
        kind, body = problems.CONTENT_TYPE, json.dumps(problems.plain(path, status, **members))
    else:
        kind, body = "text/html; charset=utf-8", render_to_string("503.html" if again else "413.html")
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body.encode())).encode()),
        (b"cache-control", b"no-store"),
        (b"x-request-id", request_id.encode()),
        (b"retry-after", str(problems.RETRY_AFTER_S).encode()) if again else (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})


def only_so_often(inner: Any) -> Any:
    """Sockets are asked for no more often than anything else by one address: fifty tables and the signs of a room may
    be behind it, and all of them come back at once."""
    by_address = Allowance(settings.REQUESTS_A_SECOND * 20)

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        try:
            by_address.take((scope.get("client") or ("",))[0], time.monotonic())
        except TooOften:
            refused_total.labels("socket").inc()
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        await inner(scope, receive, send)

    return guarded


def only_encrypted(inner: Any) -> Any:
    """Where pages are HTTPS, a socket in the clear would tell a sign's token to the whole network: it is refused."""

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if settings.HTTPS and scope.get("scheme") != "wss":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await inner(scope, receive, send)

    return guarded
