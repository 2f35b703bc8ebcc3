"""The terminal over its line, a WebSocket: the same requests and answers as over REST, and Potline may poke it.

    async with LineTerminal("http://localhost:8000", "harbour", "CS-01", token) as stud:
        await stud.tell("open", round_id)

One task keeps the line: it connects, comes back after a cut (never in step with other terminals), beats, sends what
waits, and answers a poke by two beats at once: the second echoes the answer of the first, which is what lets Potline
know that nothing older is untold.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from uuid import UUID

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from simulator.terminal.core import VERSION, Answer, NoAnswer, NotTaken, Observer, Terminal
from simulator.terminal.rest import pauses
from simulator.terminal.signing import HEADER
from simulator.terminal.state import StateFile
from simulator.terminal.wired import Wired

logger = logging.getLogger(__name__)
CUT = (OSError, TimeoutError, WebSocketException)
TOO_LARGE, WITHDRAWN, AGAIN = 1009, 4403, 1013
"""Why Potline closes a line: a message of too many bytes; a token that is unknown or revoked; come again, with a
signature of a higher number."""


class LineTerminal(Wired):
    """Over a WebSocket, all of it in one event loop."""

    def __init__(
        self,
        url: str,
        premises: str,
        table: str,
        token: str,
        *,
        terminal: Terminal | None = None,
        state: StateFile | None = None,
        key: str | None = None,
        timeout_s: float = 10.0,
        patience_s: float = 60.0,
        observe: Observer | None = None,
        beat_s: float | None = None,
    ) -> None:
        """`beat_s`: how often it beats where Potline need not be told at all, at a table without a jackpot."""
        super().__init__(f"{premises}/{table}", terminal, state, key, observe)
        self.beat_s = beat_s
        self.timeout_s, self.patience_s = timeout_s, patience_s
        self.pokes = 0
        self.connects = 0
        self._url = f"{url.rstrip('/').replace('http', 'ws', 1)}/ws/tables/{premises}/{table}/"
        self._path = urlsplit(self._url).path
        self._headers = {"Authorization": f"Bearer {token}", "Potline-Version": VERSION}
        self._wanted: list[tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = []
        self._beating: list[asyncio.Future[None]] = []
        self._wake = asyncio.Event()
        self._beats_due = 0
        self._next_id = 0
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping

    # ------------------------------------------------------------------------------------------- what happens

    async def tell(
        self,
        kind: str,
        round_id: UUID | str | None = None,
        body: dict[str, Any] | None = None,
        *,
        at: datetime | None = None,
    ) -> dict[str, Any]:
        """Stamps, sends everything up to it, and gives back its answer. Raises NotTaken where it is refused, NoAnswer
        when the line is away for too long: then it is sent when the line is back."""
        return await self.send(self.terminal.tell(kind, round_id, body, at=at))

    async def mark(
        self, round_id: UUID | str, moment: str, seats: list[int] | None = None, *, source: str | None = None
    ) -> dict[str, Any]:
        return await self.send(self.terminal.mark(round_id, moment, seats, source=source))

    async def goodbye(self) -> dict[str, Any]:
        return await self.tell("goodbye")

    async def beat(self) -> None:
        """One exchange that begins now or when the line is back: a fresh echo, how far the table vouches, the lease."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._beating.append(future)
        self._wake.set()
        try:
            async with asyncio.timeout(self.patience_s):
                await future
        except TimeoutError:
            raise NoAnswer(f"a beat was not answered in {self.patience_s} s") from None

    async def send(self, event: dict[str, Any]) -> dict[str, Any]:
        if self.terminal.stopped is not None:
            raise NotTaken(self.terminal.stopped)
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._wanted.append((event, future))
        self._wake.set()
        try:
            async with asyncio.timeout(self.patience_s):
                return await future
        except TimeoutError:
            self._wanted = [(each, waiting) for each, waiting in self._wanted if waiting is not future]
            raise NoAnswer(f"event {event['number']} was not answered in {self.patience_s} s") from None

    # ---------------------------------------------------------------------------------------------- the line

    async def _keep(self) -> None:
        """Until the terminal is closed, or another one runs the table."""
        waits = pauses()
        while self.terminal.stopped is None:
            try:
                async with connect(
                    self._url,
                    additional_headers=self._signed_headers(),
                    open_timeout=self.timeout_s,
                    proxy=None,
                ) as socket:
                    self.connects += 1
                    waits = pauses()
                    await self._serve(socket)
            except InvalidStatus as refused:
                if refused.response.status_code in (401, 403):
                    self._stop({"code": "authentication_failed", "detail": str(refused), "retry": False})
                    break
                logger.info("%s: %r", self._url, refused)
            except ConnectionClosed as closed:
                self._note(closed)
            except CUT as error:
                logger.info("%s: the line is cut: %r", self._url, error)
            except Exception:  # what comes is not Potline's; a terminal that gives up would play on unheard
                logger.exception("%s: the line failed", self._url)
            await asyncio.sleep(next(waits))

    def _signed_headers(self) -> dict[str, str]:
        if self._signer is None:
            return self._headers
        return self._headers | {HEADER: self._signer.sign("GET", self._path, b"")}

    def _signed(self, text: str) -> str:
        """A message as it is sent; where the terminal signs, the request is text within it."""
        if self._signer is None:
            return text
        return json.dumps({"signed": text, "signature": self._signer.sign("LINE", self._path, text.encode())})

    def _note(self, closed: ConnectionClosed) -> None:
        code = None if closed.rcvd is None else closed.rcvd.code
        logger.info("%s: the line was closed: %s", self._url, code)
        if code == WITHDRAWN:
            self._stop({"code": "authentication_failed", "detail": "the token was withdrawn", "retry": False})
        elif code == TOO_LARGE:
            self.terminal.batch = max(1, self.terminal.batch // 2)
        elif code == AGAIN and self._signer is not None:
            self._signer.jump()

    def _stop(self, problem: dict[str, Any]) -> None:
        self.terminal.stopped = problem
        waiting: list[asyncio.Future[Any]] = [*(each for _, each in self._wanted), *self._beating]
        for future in waiting:
            if not future.done():
                future.set_exception(NotTaken(problem))
        self._wanted.clear()
        self._beating.clear()

    async def _serve(self, socket: ClientConnection) -> None:
        """Until one of the two ends, which is how a line ends."""
        tasks = {asyncio.create_task(self._read(socket)), asyncio.create_task(self._send_on(socket))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _send_on(self, socket: ClientConnection) -> None:
        """A beat at once, to be numbered and to get a lease; then whatever comes first: an event, a poke, the time."""
        while self.terminal.stopped is None:
            await self._exchange(socket)
            if self._beats_due:
                self._beats_due -= 1
                continue
            if self.terminal.waiting or self._beating:
                continue
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.beat_s or self.terminal.beat_ms / 1_000):
                    await self._wake.wait()

    async def _exchange(self, socket: ClientConnection) -> None:
        self._save()
        beating = list(self._beating)
        request = self.terminal.request()
        self._next_id += 1
        number = self._next_id
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self.timeout_s):
                self._observed("sent", request)
                await socket.send(self._signed(json.dumps({"id": number, **request})))
                body = await future
                self._observed("got", body)
        finally:
            del self._asked[number]
        answer = self.terminal.answered(request, body["status"], body)
        if self._signer is not None and answer.code == "signature_used":
            self._signer.jump()
        refusal = self.terminal.verdict(request, answer)
        self._save()
        self._hand_out(answer, refusal)
        self._beating = self._beating[len(beating) :]
        for each in beating:
            if not each.done():
                each.set_result(None)
        if answer.problem is not None and (refusal is None or refusal.event is None):
            await asyncio.sleep(next(pauses()))  # busy, or something it can take later, or nothing that helps

    async def _read(self, socket: ClientConnection) -> None:
        while True:
            message = await socket.recv()
            body = json.loads(message)
            if body.get("poke"):
                self.pokes += 1
                self._beats_due = 1  # after the one that is sent at once
                self._wake.set()
            elif body.get("id") in self._asked and not self._asked[body["id"]].done():
                self._asked[body["id"]].set_result(body)

    def _hand_out(self, answer: Answer, refusal: NotTaken | None) -> None:
        """To whoever waits for its answer."""
        got = {each["number"]: each for each in answer.answers}
        left = []
        for event, future in self._wanted:
            if future.done():
                continue
            if "problem" in event:
                future.set_exception(NotTaken(event["problem"], event))
            elif event["number"] in got:
                future.set_result(got[event["number"]])
            else:
                left.append((event, future))
        self._wanted = left
        if self.terminal.stopped is not None:
            self._stop(self.terminal.stopped)
        elif refusal is not None and refusal.event is None:
            logger.warning("%s: %s", self._url, refusal)
