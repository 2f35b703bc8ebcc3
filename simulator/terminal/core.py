"""A terminal without a network: what to send, and what an answer means. It keeps everything until it is answered.

    terminal = Terminal()
    send(terminal.request())                     # a beat: who runs the table, which number is next, a lease
    terminal.tell("open", round_id)
    send(terminal.request())                     # whatever is not answered yet
    terminal.answered(status, body)

Only the order of the clock's readings and the distance between them matter, never whether it is right.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

MAX_EVENTS = 500
"""That one request takes."""


@dataclass
class Clock:
    """A steady clock: the time of day at its start, counted on by a monotonic one that nobody can set. Another id after
    every start of the program, because another start may have another time of day."""

    id: str = field(default_factory=lambda: uuid4().hex[:16])
    _started: datetime = field(default_factory=lambda: datetime.now(UTC))
    _began_s: float = field(default_factory=time.monotonic)

    def read(self) -> datetime:
        return self._started + timedelta(seconds=time.monotonic() - self._began_s)


@dataclass(frozen=True)
class Answer:
    """What came back. `problem` is None, or the problem document of the first event that was not taken."""

    status: int
    body: dict[str, Any]
    problem: dict[str, Any] | None = None

    @property
    def retry(self) -> bool:
        """Send the same again: later (`busy`), or with what was missing before it."""
        return self.problem is not None and bool(self.problem.get("retry"))

    @property
    def answers(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.body.get("answers", [])
        return found


@dataclass
class Terminal:
    """One table's terminal. `on_answer` is called with each event's own answer, in order."""

    clock: Clock = field(default_factory=Clock)
    session: int | None = None
    number: int = 0
    """Of the last event that was told."""
    on_answer: Callable[[dict[str, Any]], None] = lambda answer: None
    unanswered: list[dict[str, Any]] = field(default_factory=list)
    lease_until: datetime | None = None
    """By its own clock: until then it takes jackpot wagers."""
    beat_ms: int = 2_000
    no_lease: str = ""
    _echo: str | None = None
    _echo_received_at: datetime | None = None

    # ------------------------------------------------------------------------------------------- what happens

    def tell(
        self,
        kind: str,
        round_id: UUID | str | None = None,
        body: dict[str, Any] | None = None,
        *,
        at: datetime | None = None,
    ) -> dict[str, Any]:
        """Something has happened at the table, now or (after an outage of its own) at a reading of its clock."""
        self.number += 1
        event: dict[str, Any] = {
            "number": self.number,
            "kind": kind,
            "at": (at or self.clock.read()).isoformat(),
            "clock": self.clock.id,
            "body": body or {},
        }
        if round_id is not None:
            event["round"] = str(round_id)
        self.unanswered.append(event)
        return event

    def mark(self, round_id: UUID | str, moment: str, seats: list[int] | None = None) -> dict[str, Any]:
        """The moment that gives jackpot hands their place ("first-card", "all-cards", "deciding-card-or-throw")."""
        body: dict[str, Any] = {"moment": moment}
        if seats is not None:
            body["seats"] = seats
        return self.tell("mark", round_id, body)

    def may_take_jackpot_wagers(self) -> bool:
        return self.lease_until is not None and self.clock.read() <= self.lease_until

    def restarted(self, clock: Clock | None = None) -> None:
        """The clock was set, or the program started anew: what the old one knew of the server does not hold."""
        self.clock = clock or Clock()
        self._echo = self._echo_received_at = self.lease_until = None

    # --------------------------------------------------------------------------------------------- the request

    def request(self) -> dict[str, Any]:
        """What to send: everything that is not answered, oldest first; with nothing to tell it is a beat."""
        return {"envelope": self.envelope(), "events": self.unanswered[:MAX_EVENTS]}

    def envelope(self, told_until: datetime | None = None) -> dict[str, Any]:
        """The times of a request that is sent now. Everything up to `number` is on its way, so that nothing before now
        is untold, unless the terminal keeps something back: then it says until when."""
        now = self.clock.read()
        found: dict[str, Any] = {
            "clock": self.clock.id,
            "sent_at": now.isoformat(),
            "told_until": (told_until or now).isoformat(),
            "last_number": self.number,
        }
        if self.session is not None:
            found["session"] = self.session
        if self._echo is not None and self._echo_received_at is not None:
            found |= {"echo": self._echo, "echo_received_at": self._echo_received_at.isoformat()}
        return found

    def answered(self, request: dict[str, Any], status: int, body: dict[str, Any]) -> Answer:
        """Takes in what came back for a request: 2xx, or a problem document."""
        received_at = self.clock.read()
        problem = None if status < 300 else body
        answer = Answer(status, body, problem)
        if "at" not in body:
            return answer
        envelope = request["envelope"]
        if envelope["clock"] == self.clock.id:
            self._echo, self._echo_received_at = body["at"], received_at
            self._lease(envelope, body)
        self.session, self.beat_ms = body["session"], body["beat_ms"]
        if not self.unanswered and not self.number:
            self.number = body["expected"] - 1
        for each in answer.answers:
            self.on_answer(each)
        self.unanswered = [event for event in self.unanswered if event["number"] >= body["expected"]]
        return answer

    def _lease(self, envelope: dict[str, Any], body: dict[str, Any]) -> None:
        """A duration from the sending of the request, by the same clock."""
        self.no_lease = body.get("no_lease") or ""
        if body["lease_ms"] is not None:
            sent_at = datetime.fromisoformat(envelope["sent_at"])
            until = sent_at + timedelta(milliseconds=body["lease_ms"])
            self.lease_until = until if self.lease_until is None else max(self.lease_until, until)

    def take_back(self, number: int) -> list[dict[str, Any]]:
        """A refused event has used no number: it and those after it are given back, to be mended and told anew."""
        back = [event for event in self.unanswered if event["number"] >= number]
        self.unanswered = [event for event in self.unanswered if event["number"] < number]
        self.number = number - 1
        return back
