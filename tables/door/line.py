"""A terminal's line: a WebSocket with the same requests and answers as the REST door, and Potline's pokes.

One message is one request, answered before the next is read. It takes one of the same few slots that the terminal has
over REST, and its thread ends with it; a line that only listens holds nothing. A line whose token was revoked is
closed, also when it says nothing.
"""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import cache
from typing import Any
from uuid import uuid4

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed, Throttled

from config.kit import origin, problems, strict_json
from config.kit.database import is_busy
from config.kit.fastsql.statements import columns, first_row, made
from config.kit.http.admission import Busy, terminal_slot, token_of
from config.kit.http.middleware import SLOW_MS
from config.kit.problems import MAX_BODY_BYTES
from config.kit.redis import Subscription
from config.kit.refusals import Refused
from config.kit.rest import problem_of
from jackpots.order import pokes
from people import tokens
from tables.door import signatures
from tables.door.auth import VERSION_HEADER, note_version, terminal_of, token_sha256
from tables.door.beats import Bearer
from tables.door.requests import receive, receive_beat
from tables.floor.terminal_tokens import NEWEST, TOKENS
from tables.models import Terminal

logger = structlog.get_logger(__name__)
WITHDRAWN, REPLACED, TOO_LARGE, AGAIN = 4403, 4409, 1009, 1013
"""Why a line is closed: its token is revoked; the terminal has newer ones; too many bytes; too busy, come again."""
LINES_OF_A_TERMINAL = 3
"""A cut line may stand for a while beside the new one; of more than so many the oldest goes."""
CHECK_S = 2.0
"""How often the tokens of all lines are looked up, in one query."""
SLOW_S = 3.0
SILENT_S = 30.0
POKE = json.dumps({"poke": True})


@cache
def _threads() -> ThreadPoolExecutor:
    """As many as terminals have places: whoever is admitted has a thread."""
    return ThreadPoolExecutor(settings.TERMINAL_SLOTS, thread_name_prefix="line")


async def _in_thread(work: Any, *given: Any) -> Any:
    """With the limits of whoever asks (config.kit.database), and a session of the database that goes back afterwards.
    What Channels has for it looks before and after, and takes as long as a beat's statement."""
    loop, context = asyncio.get_running_loop(), copy_context()
    return await loop.run_in_executor(_threads(), context.run, _and_return_session, work, given)


def _and_return_session(work: Any, given: tuple[Any, ...]) -> Any:
    try:
        return work(*given)
    finally:
        close_old_connections()


class TerminalLine(AsyncWebsocketConsumer):  # type: ignore[misc]
    terminal: Terminal | None = None
    closed = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels has it, without a channel layer, which would be listened to by a task for each message, and
        without a thread for each that looks for sessions of the database to close: only `_in_thread` has any. However
        the socket ends, it leaves the switchboard."""
        self.scope, self.base_send = scope, send
        try:
            while True:
                message = await receive()
                await getattr(self, get_handler_name(message))(message)
        except StopConsumer:
            pass
        finally:
            switchboard().leave(self)

    async def connect(self) -> None:
        """Without a good token there is no WebSocket (403). Where there is no slot free, it is closed: come again."""
        try:
            async with terminal_slot(self.table_name, token_of(self.scope)):
                self.terminal = await _in_thread(_log_in, self._origin(), self.table_name, self.scope)
        except Exception as error:
            again = isinstance(error, Refused) and error.retry  # a signature whose number was used
            if not isinstance(error, Busy) and not is_busy(error) and not again:
                raise
            await self.accept()
            await self.hang_up(AGAIN)
            return
        if self.terminal is None:
            await self.close()
            return
        await self.accept()
        await switchboard().join(self)

    @property
    def token_sha256(self) -> str:
        return token_sha256(token_of(self.scope))

    @property
    def table_name(self) -> str:
        given = self.scope["url_route"]["kwargs"]
        return f"{given['premises']}/{given['table']}"

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        given = text_data if text_data is not None else bytes_data or b""
        if self.terminal is None or self.closed:
            return
        if len(given) > MAX_BODY_BYTES:
            await self.hang_up(TOO_LARGE)
            return
        began = time.perf_counter()
        try:
            async with terminal_slot(self.table_name, token_of(self.scope)):
                answer = await _in_thread(
                    _answer, self.terminal, self.token_sha256, self._origin(), self.scope["path"], given
                )
        except Busy:
            answer = {"id": _id_of(given), **problems.busy(self.scope["path"], answers=[])}
        if answer is None:
            await self.hang_up(WITHDRAWN)
            return
        took_ms = round((time.perf_counter() - began) * 1000, 1)
        if answer["status"] != 200 or took_ms >= SLOW_MS:  # not a beat as there is one every two seconds
            logger.info("line_request", path=self.scope["path"], status=answer["status"], took_ms=took_ms)
        await self.send(text_data=json.dumps(answer))

    def _origin(self) -> origin.Origin:
        client = self.scope.get("client") or (None, 0)
        return origin.Origin(client[0], uuid4().hex)

    async def poke(self) -> None:
        """A line that does not even take a poke is dead; its terminal comes back by itself."""
        try:
            async with asyncio.timeout(SLOW_S):
                await self.send(text_data=POKE)
        except Exception:
            await self.hang_up(AGAIN)

    async def hang_up(self, code: int) -> None:
        if not self.closed:
            self.closed = True
            with suppress(Exception):
                async with asyncio.timeout(SLOW_S):
                    await self.close(code)


# ------------------------------------------------------------------------------------------------- in a thread


def _log_in(where: origin.Origin, table_name: str, scope: dict[str, Any]) -> Terminal | None:
    """By the token, and where the terminal signs, by the signature of its request for the line."""
    header = token_of(scope)
    try:
        with origin.acting_from(where):
            terminal = terminal_of(header)
            if terminal is None or f"{terminal.table.premises.code}/{terminal.table.code}" != table_name:
                return None
            given = dict(scope["headers"]).get(signatures.HEADER.lower().encode())
            signature = None if given is None else given.decode("latin-1")
            signatures.check(terminal, token_sha256(header), "GET", scope["path"], signature, b"")
            told = dict(scope["headers"]).get(VERSION_HEADER.lower().encode())
            note_version(terminal, None if told is None else told.decode("latin-1"))
    except (AuthenticationFailed, Throttled):
        return None
    except Refused as refused:
        if refused.retry:
            raise
        return None
    return terminal


def _answer(
    terminal: Terminal, token_hash: str, where: origin.Origin, path: str, given: str | bytes
) -> dict[str, Any] | None:
    """What one message is answered, as REST would; None: the token is revoked."""
    with origin.acting_from(where):
        try:
            message = _read(given)
            beaten = _beat(terminal, token_hash, message)
            if beaten is not None:
                return beaten
            found = _as_it_is_now(terminal, token_hash)
            if found is None:
                return None
            terminal = found
            signed, signature = _signed(message)
            signatures.check(terminal, token_hash, signatures.LINE, path, signature, signed.encode())
            if signature is not None:
                message = _read(signed)
            if message is None:
                return {
                    "id": None,
                    **problems.body(
                        path, 400, "parse_error", "A message is an object of JSON, with each name once."
                    ),
                }
            return {"id": _plain_id(message), **_receive(terminal, path, message)}
        except Exception as error:
            problem = problem_of(error, path, {"answers": []})
            if problem is None:
                logger.exception("line_request_failed", path=path)
                problem = problems.plain(path, 500, answers=[])
            return {"id": _id_of(given), **problem}


def _beat(terminal: Terminal, token_hash: str, message: dict[str, Any] | None) -> dict[str, Any] | None:
    """None: it is no everyday beat, or the token does not hold, or a signature is missing."""
    if message is None or "signed" in message:
        return None
    bearer = Bearer(terminal.pk, token_hash)
    answered = receive_beat(terminal.table_id, message, bearer)
    return None if answered is None else {"id": _plain_id(message), "status": 200, **answered.as_json()}


_NOW = f"""
    SELECT {NEWEST("t")}, {columns(Terminal, "t")} FROM tables_terminal t
    WHERE t.id = %(id)s AND {tokens.HOLDS.format(row="t")}
"""  # noqa: S608 (only names of columns are interpolated)


def _as_it_is_now(terminal: Terminal, token_hash: str) -> Terminal | None:
    """Whether it must sign may have changed since it came. None: its token does not hold any more."""
    row = first_row(_NOW, {"id": terminal.pk, "hash": token_hash, "now": timezone.now()})
    if row is None:
        return None
    found = made(Terminal, row[1:])
    if found.table_id == terminal.table_id:
        found.table = terminal.table
    return found if TOKENS.stands(found, row[0]) else None


def _receive(terminal: Terminal, path: str, message: dict[str, Any]) -> dict[str, Any]:
    answered = receive(terminal.table_id, message, terminal.pk)
    body = answered.as_json()
    if answered.refused is not None:
        return problem_of(answered.refused, path, body) or problems.plain(path, 500, **body)
    return {"status": 201 if answered.new else 200, **body}


def _read(given: str | bytes) -> dict[str, Any] | None:
    try:
        message = strict_json.loads(given if isinstance(given, str) else given.decode())
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _signed(message: dict[str, Any] | None) -> tuple[str, str | None]:
    """Of a message that is signed, the request as it was signed, and the signature; that is None where it has none."""
    if message is None or "signed" not in message:
        return "", None
    return str(message["signed"]), str(message.get("signature", ""))


def _id_of(given: str | bytes) -> int | None:
    message = _read(given)
    signed, signature = _signed(message)
    message = message if signature is None else _read(signed)
    return None if message is None else _plain_id(message)


def _plain_id(message: dict[str, Any]) -> int | None:
    found = message.get("id")
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**53 else None


# ---------------------------------------------------------------------------------------------- the switchboard


class Switchboard:
    """The lines of this process by their table's log; a single Redis subscription for the pokes of all."""

    def __init__(self) -> None:
        self._lines: dict[int, list[TerminalLine]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._poking: set[asyncio.Task[None]] = set()

    async def join(self, line: TerminalLine) -> None:
        """Of a terminal's lines the newest stay."""
        if line.terminal is None:
            return
        lines = self._lines.setdefault(line.terminal.table.table_log_id, [])
        lines.append(line)
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())
            self._listener = asyncio.create_task(
                Subscription(pokes.PATTERN, self._take, SILENT_S, chatty=False).run()
            )
        mine = [each for each in lines if each.terminal == line.terminal]
        for old in mine[:-LINES_OF_A_TERMINAL]:
            self.leave(old)
            await old.hang_up(REPLACED)

    def leave(self, line: TerminalLine) -> None:
        for table_log_id, lines in list(self._lines.items()):
            if line in lines:
                lines.remove(line)
                if not lines:
                    del self._lines[table_log_id]

    def _take(self, channel: bytes, data: bytes) -> None:
        try:
            lines = self._lines.get(pokes.poked(channel), [])
        except ValueError:
            return
        for line in lines:
            task = asyncio.create_task(line.poke())
            self._poking.add(task)
            task.add_done_callback(self._poking.discard)

    async def _watch(self) -> None:
        """While there are lines; then the subscription ends too."""
        while self._lines:
            await asyncio.sleep(CHECK_S)
            try:
                await self._close_revoked()
            except Exception as error:  # without the database nobody is revoked; the lines go on
                logger.warning("lines_cannot_be_checked", error=repr(error))
        if self._listener is not None:
            self._listener.cancel()

    async def _close_revoked(self) -> None:
        lines = [line for lines in self._lines.values() for line in lines]
        asked = [line.token_sha256 for line in lines]
        good = await _in_thread(_still_good, asked)
        for line in lines:
            if line.terminal is not None and line.terminal.pk not in good:
                self.leave(line)
                await line.hang_up(WITHDRAWN)


def _still_good(hashes: list[str]) -> set[int]:
    """The terminals for which one of these tokens holds now: neither revoked nor over."""
    rows = TOKENS.with_newest(tokens.valid(Terminal.objects.all(), hashes))
    return {row.pk for row in rows if TOKENS.stands(row, row.newest)}


_switchboards: dict[int, Switchboard] = {}


def switchboard() -> Switchboard:
    """Of this process's event loop."""
    return _switchboards.setdefault(id(asyncio.get_running_loop()), Switchboard())
