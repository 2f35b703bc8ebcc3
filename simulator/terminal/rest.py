"""The terminal over REST, of the standard library alone: numbering, beats, lease, retry and catch-up.

    with RestTerminal("http://localhost:8000", "harbour", "CS-01", token) as stud:
        stud.tell("open", round_id)

`tell` stamps, sends and gives back the event's own answer. When the line is cut it tries again; after `patience_s` it
raises NoAnswer, and what was told is sent with whatever comes next. Safe to call from several threads: what happens is
stamped at once, also while another thread waits for an answer.
"""

from __future__ import annotations

import http.client
import json
import logging
import random
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from uuid import UUID

from simulator.terminal.core import VERSION, Answer, NoAnswer, NotTaken, Observer, Terminal
from simulator.terminal.signing import HEADER
from simulator.terminal.state import StateFile
from simulator.terminal.wired import Wired

logger = logging.getLogger(__name__)
CUT = (OSError, http.client.HTTPException)
"""What a cut line raises."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
KEPT_ANSWERS = 2_000


def pauses() -> Iterator[float]:
    """How long to wait before each further attempt: twice as long each time, and never in step with other terminals."""
    pause_s = FIRST_PAUSE_S
    while True:
        yield pause_s * random.uniform(0.5, 1.0)
        pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)


class RestTerminal(Wired):
    """Over REST, from any thread; it beats in a thread of its own."""

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
    ) -> None:
        super().__init__(f"{premises}/{table}", terminal, state, key, observe)
        self.timeout_s, self.patience_s = timeout_s, patience_s
        self._address = urlsplit(url)
        self._path = f"/api/v1/tables/{premises}/{table}/events"
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Potline-Version": VERSION,
        }
        self._connection: http.client.HTTPConnection | None = None
        self._line = threading.Lock()  # one request at a time
        self._stamping = threading.RLock()  # short: nothing happens between a request's times and its events
        self._answers: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self._beats: threading.Thread | None = None
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        self.start_beats()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------- what happens

    def tell(
        self,
        kind: str,
        round_id: UUID | str | None = None,
        body: dict[str, Any] | None = None,
        *,
        at: datetime | None = None,
    ) -> dict[str, Any]:
        """Stamps, sends everything up to it, and gives back its answer. Raises NotTaken where it, or something told
        before it, is refused."""
        return self.send(self.stamp(kind, round_id, body, at=at))

    def stamp(
        self,
        kind: str,
        round_id: UUID | str | None = None,
        body: dict[str, Any] | None = None,
        *,
        at: datetime | None = None,
    ) -> dict[str, Any]:
        """It has happened; it goes with the next request."""
        with self._stamping:
            return self.terminal.tell(kind, round_id, body, at=at)

    def mark(
        self, round_id: UUID | str, moment: str, seats: list[int] | None = None, *, source: str | None = None
    ) -> dict[str, Any]:
        with self._stamping:
            event = self.terminal.mark(round_id, moment, seats, source=source)
        return self.send(event)

    def lock_untold(self) -> datetime:
        with self._stamping:
            return self.terminal.lock_untold()

    def goodbye(self) -> dict[str, Any]:
        """Everything is told and the table takes no more wagers: it holds nobody up."""
        return self.tell("goodbye")

    def send(self, event: dict[str, Any]) -> dict[str, Any]:
        """Until this event is answered."""
        self.flush()
        if "problem" in event:  # the beats have met the refusal
            raise NotTaken(event["problem"], event)
        return self._answers[event["number"]]

    def flush(self) -> None:
        """Sends what waits, 500 events a request, until all of it is answered."""
        while True:
            answer = self._persist()
            with self._stamping:
                if answer.problem is None and not self.terminal.waiting:
                    return

    def beat(self) -> Answer:
        """One exchange, with whatever waits: a fresh echo, how far the table vouches, the lease."""
        return self._persist()

    def may_take_jackpot_wagers(self) -> bool:
        return self.terminal.may_take_jackpot_wagers()

    # ---------------------------------------------------------------------------------------------- the line

    def _persist(self) -> Answer:
        """One exchange that ends: cut lines, a server that is too busy and what it can take later are tried again."""
        deadline = time.monotonic() + self.patience_s
        for pause_s in pauses():
            try:
                answer = self._exchange()
            except CUT as error:
                why = repr(error)
            else:
                if answer.problem is None or answer.code == "too_large":
                    return answer
                why = str(answer.problem.get("detail", answer.status))
            if time.monotonic() + pause_s > deadline or self._closing.wait(pause_s):
                break
        raise NoAnswer(why)

    def _exchange(self) -> Answer:
        """One request and its answer; raises NotTaken, or what a cut line raises."""
        with self._line:
            with self._stamping:
                if self.terminal.stopped is not None:
                    raise NotTaken(self.terminal.stopped)
                self._save()
                request = self.terminal.request()
                text = json.dumps(request).encode()
            self._observed("sent", request)
            status, body = self._post(text)
            self._observed("got", body | {"status": status})
            with self._stamping:
                answer = self.terminal.answered(request, status, body)
                self._keep(answer)
                if self._signer is not None and answer.code == "signature_used":
                    self._signer.jump()
                refusal = self.terminal.verdict(request, answer)
                self._save()
        if refusal is not None:
            raise refusal
        return answer

    def _post(self, text: bytes) -> tuple[int, dict[str, Any]]:
        try:
            answer, given = self._over_http(text)
        except (
            ConnectionError,
            http.client.BadStatusLine,
        ):  # an idle connection that Potline has closed meanwhile
            answer, given = self._over_http(text)
        try:
            body = json.loads(given)
        except ValueError:
            body = None
        if not isinstance(body, dict):  # not Potline: a proxy before it
            body = {"code": "unreadable", "detail": f"{answer.status} {answer.reason}", "retry": True}
        return answer.status, body

    def _over_http(self, text: bytes) -> tuple[http.client.HTTPResponse, bytes]:
        if self._connection is None:
            secure = self._address.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self._connection = kind(self._address.netloc, timeout=self.timeout_s)
        try:
            headers = dict(self._headers)
            if self._signer is not None:
                headers[HEADER] = self._signer.sign("POST", self._path, text)
            self._connection.request("POST", self._path, text, headers)
            answer = self._connection.getresponse()
            return answer, answer.read()
        except CUT:
            self._connection.close()
            self._connection = None
            raise

    def _keep(self, answer: Answer) -> None:
        for each in answer.answers:
            self._answers[each["number"]] = each
        while len(self._answers) > KEPT_ANSWERS:
            self._answers.popitem(last=False)

    # ----------------------------------------------------------------------------------------------- beats

    def start_beats(self) -> None:
        """In a thread of their own, until `close`."""
        if self._beats is None:
            self._beats = threading.Thread(target=self._beat_on, name=f"beats {self._path}", daemon=True)
            self._beats.start()

    def _beat_on(self) -> None:
        while not self._closing.is_set() and self.terminal.stopped is None:
            try:
                self._exchange()
            except NotTaken as refused:
                logger.warning("%s: %s", self._path, refused)
            except CUT as error:
                logger.info("%s: no answer to a beat: %r", self._path, error)
            self._closing.wait(self.terminal.beat_ms / 1_000)

    def close(self) -> None:
        """Ends the beats and the connection; says no goodbye."""
        self._closing.set()
        if self._beats is not None:
            self._beats.join(self.timeout_s + 1)
        with self._line, suppress(OSError):
            if self._connection is not None:
                self._connection.close()
                self._connection = None
