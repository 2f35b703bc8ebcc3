"""A terminal without a network: what to send, and what an answer means. It keeps everything until it is answered.

    terminal = Terminal()
    request = terminal.request()                 # a beat: who runs the table, which number is next, a lease
    terminal.answered(request, status, body)
    terminal.tell("open", round_id)
    request = terminal.request()                 # whatever is not answered yet

Only the order of the clock's readings and the distance between them matter, never whether it is right. One request at a
time: whoever sends waits for the answer, or for the line to break, before the next.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

MAX_EVENTS = 500
"""That one request takes."""
STATE_VERSION = 1
VERSION = "potline terminal client 1"
"""Told to Potline as `Potline-Version`, so that an administrator sees which program runs where."""
STOPPING = ("session_over", "head_unknown")
"""Answers after which nothing more is sent: another terminal runs the table; Potline has lost what it answered."""


def _steady_s() -> float:
    """Seconds that nobody can set; where the system has such a clock it also counts while the machine sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def _new_id() -> str:
    return uuid4().hex[:16]


@dataclass
class Clock:
    """A steady clock: the time of day at its start, counted on by one that nobody can set. Another id after every start
    of the program, because another start may have another time of day."""

    id: str = field(default_factory=_new_id)
    _started: datetime = field(default_factory=lambda: datetime.now(UTC))
    _began_s: float = field(default_factory=_steady_s)

    def read(self) -> datetime:
        return self._started + timedelta(seconds=_steady_s() - self._began_s)

    def under_another_id(self) -> Clock:
        """The same clock, of which Potline knows nothing yet."""
        found = copy(self)
        found.id = _new_id()
        return found


def link(before: str, session: int, event: dict[str, Any], answer: dict[str, Any]) -> str:
    """The head of the table's chain after an event, from the head before it: what Potline must come to as well."""
    told = {key: value for key, value in answer.items() if key != "new"}
    text = hashlib.sha256(_canonical(event)).hexdigest()
    linked = {"answer": told, "before": before, "event": text, "session": session}
    return hashlib.sha256(_canonical(linked)).hexdigest()


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


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
    def code(self) -> str:
        return "" if self.problem is None else str(self.problem.get("code", ""))

    @property
    def answers(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.body.get("answers", [])
        return found


class NotTaken(Exception):
    """An event was refused for good, or a request as a whole: the token, its form, a session that is over."""

    def __init__(self, problem: dict[str, Any], event: dict[str, Any] | None = None) -> None:
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.problem, self.event = problem, event

    @property
    def code(self) -> str:
        return str(self.problem.get("code", ""))


Observer = Callable[[str, datetime, str, dict[str, Any]], None]
"""Sees everything that goes over a wire: whose terminal ("harbour/CS-01"), when by this machine's clock, "sent" or
"got", and the document; what was got has its `status`. A request that is never answered was sent and not got."""


class NoAnswer(Exception):
    """Nothing was heard for longer than the caller would wait. What was told is kept, and sent with what follows."""


@dataclass
class Terminal:
    """One table's terminal. `on_answer` is called with each event's own answer, in order."""

    clock: Clock = field(default_factory=Clock)
    session: int | None = None
    """None: nothing was heard yet, and numbers are given when it is."""
    number: int = 0
    """Of the last event that was told."""
    on_answer: Callable[[dict[str, Any]], None] = lambda answer: None
    unanswered: list[dict[str, Any]] = field(default_factory=list)
    lease_until: datetime | None = None
    """By its own clock: until then it takes jackpot wagers."""
    beat_ms: int = 2_000
    no_lease: str = ""
    under_way: str | None = None
    """As the last beat was told: the round that Potline waits for."""
    stopped: dict[str, Any] | None = None
    """The problem after which nothing more is sent: another terminal runs the table, or Potline lacks events or has
    others than it was told."""
    head: str | None = None
    """Where the table's chain stood with the last answer: `41:9f86...`. Potline gets it back with each request."""
    refused: list[dict[str, Any]] = field(default_factory=list)
    """Events that were refused for good, each with its `problem`: for people to look at."""
    batch: int = MAX_EVENTS
    _echo: str | None = None
    _echo_received_at: datetime | None = None
    _untold: tuple[str, datetime] | None = None
    _held_after: int | None = None

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
        given = dict(body or {})
        if kind == "round" and self._untold is not None:
            given.setdefault("locked_at", self._untold[1].isoformat())
            self._untold = None
        if kind == "goodbye":
            self.lease_until = None
        self.number += 1
        event: dict[str, Any] = {
            "number": self.number,
            "kind": kind,
            "at": (at or self.clock.read()).isoformat(),
            "clock": self.clock.id,
            "body": given,
        }
        if round_id is not None:
            event["round"] = str(round_id)
        self.unanswered.append(event)
        return event

    def mark(
        self, round_id: UUID | str, moment: str, seats: list[int] | None = None, *, source: str | None = None
    ) -> dict[str, Any]:
        """The moment that gives jackpot hands their place ("first-card", "all-cards", "deciding-card-or-throw"), told
        when it happens."""
        body: dict[str, Any] = {"moment": moment}
        if seats is not None:
            body["seats"] = seats
        if source is not None:
            body["source"] = source
        return self.tell("mark", round_id, body)

    def lock_untold(self) -> datetime:
        """No more bets of a round that will be told whole, when it is over: until then nothing after this moment is
        vouched for, so that the round keeps its place."""
        now = self.clock.read()
        if self._untold is None:
            self._untold = (self.clock.id, now)
        return now

    def hold(self) -> None:
        """What is told from here on is stamped and kept back until `release`."""
        if self._held_after is None:
            self._held_after = self.number

    def release(self) -> None:
        self._held_after = None

    def may_take_jackpot_wagers(self) -> bool:
        return self.lease_until is not None and self.clock.read() <= self.lease_until

    def restarted(self, clock: Clock | None = None) -> None:
        """The clock was set, or the program started anew: what the old one knew of the server does not hold."""
        self.clock = clock or Clock()
        self._echo = self._echo_received_at = self.lease_until = None

    # --------------------------------------------------------------------------------------------- the request

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """What is to be sent: not answered, not kept back, and numbered by what Potline says."""
        if self.session is None:
            return []
        return [event for event in self.unanswered if event["number"] <= self._last_number()]

    def request(self) -> dict[str, Any]:
        """What to send: everything that is not answered, oldest first; with nothing to tell it is a beat."""
        return {"envelope": self.envelope(), "events": self.waiting[: self.batch]}

    def envelope(self, told_until: datetime | None = None) -> dict[str, Any]:
        """The times of a request that is sent now. Everything up to `last_number` is on its way, so that nothing before
        now is untold, unless the terminal keeps something back: then it says until when."""
        now = self.clock.read()
        found: dict[str, Any] = {"clock": self.clock.id, "sent_at": now.isoformat()}
        until = told_until or self._told_until(now)
        if until is not None:
            found["told_until"] = until.isoformat()
        if self.head is not None:
            found["head"] = self.head
        if self.session is not None:
            found |= {"session": self.session, "last_number": self._last_number()}
            if self._last_number() != self.number:
                found["last_stamped"] = self.number
        if self._echo is not None and self._echo_received_at is not None:
            found |= {"echo": self._echo, "echo_received_at": self._echo_received_at.isoformat()}
        return found

    def _last_number(self) -> int:
        return self.number if self._held_after is None else min(self._held_after, self.number)

    def _told_until(self, now: datetime) -> datetime | None:
        """None: it is not known by this clock, and the watermark stands."""
        kept = [] if self._untold is None else [self._untold]
        if self.session is None and self.unanswered:
            return None  # nothing of it is on its way yet
        for event in self.unanswered:
            if event["number"] > self._last_number():
                kept.append((event["clock"], datetime.fromisoformat(event["at"])))
        if any(clock != self.clock.id for clock, _ in kept):
            return None
        return min([now, *(at for _, at in kept)])

    # ---------------------------------------------------------------------------------------------- the answer

    def answered(self, request: dict[str, Any], status: int, body: dict[str, Any]) -> Answer:
        """Takes in what came back for a request: 2xx, or a problem document."""
        received_at = self.clock.read()
        answer = Answer(status, body, None if status < 300 else body)
        if answer.code in STOPPING:
            self._stop(body)
        elif answer.code == "too_large":
            self.batch = max(1, len(request["events"]) // 2)
        if "at" not in body:
            return answer
        envelope = request["envelope"]
        if envelope["clock"] == self.clock.id:
            self._echo, self._echo_received_at = body["at"], received_at
            self._lease(envelope, body)
            if body.get("new_clock") is not None:
                self.restarted(self.clock.under_another_id())
        taken = {each["number"] for each in answer.answers}
        self.unanswered = [event for event in self.unanswered if event["number"] not in taken]
        self._number_by(body["session"], body["expected"])
        self._follow(request, body)
        self.beat_ms = body["beat_ms"]
        if not request["events"]:
            self.under_way = body["under_way"]
        for each in answer.answers:
            self.on_answer(each)
        if not self.unanswered:
            self.batch = MAX_EVENTS
        return answer

    def _number_by(self, session: int, expected: int) -> None:
        """Potline knows which number is next. What was told before it was heard was not sent, and is numbered now."""
        if self.session is None:
            self.session = session
            self._renumber(expected)
        self.number = max(self.number, expected - 1)
        first = self.unanswered[0]["number"] if self.unanswered else self.number + 1
        if expected < first:
            detail = f"Potline expects event {expected}, and this terminal has none before {first} any more."
            self._stop({"code": "lost_events", "detail": detail, "retry": False})

    def _stop(self, problem: dict[str, Any]) -> None:
        self.stopped, self.lease_until = problem, None

    def _follow(self, request: dict[str, Any], body: dict[str, Any]) -> None:
        """Makes the chain of its own events and their answers, and holds Potline's head against it."""
        told: str | None = body.get("head")
        if told is None:
            return
        if self.head is None:
            self.head = told
            return
        events = {event["number"]: event for event in request["events"]}
        number, before = _split(self.head)
        for answer in body["answers"]:
            if answer["number"] == number + 1:
                number, before = number + 1, link(before, body["session"], events[number + 1], answer)
        end, _ = _split(told)
        if end > number and not any(event["number"] <= end for event in self.unanswered):
            self.head = told  # the rest was told by another program of this terminal
            return
        self.head = f"{number}:{before}"
        if end < number or (end == number and told != self.head):
            detail = f"Potline stands at {told}, by what this terminal told and was told it is {self.head}."
            self._stop({"code": "head_differs", "detail": detail, "retry": False})

    def _renumber(self, first: int) -> None:
        """All that is not answered, from this number on."""
        for number, event in enumerate(self.unanswered, start=first):
            event["number"] = number
        self.number = first - 1 + len(self.unanswered)

    def _lease(self, envelope: dict[str, Any], body: dict[str, Any]) -> None:
        """A duration from the sending of the request, by the same clock."""
        self.no_lease = body.get("no_lease") or ""
        if body["lease_ms"] is not None:
            sent_at = datetime.fromisoformat(envelope["sent_at"])
            until = sent_at + timedelta(milliseconds=body["lease_ms"])
            self.lease_until = until if self.lease_until is None else max(self.lease_until, until)

    # ------------------------------------------------------------------------------------- after a refusal

    def verdict(self, request: dict[str, Any], answer: Answer) -> NotTaken | None:
        """None: go on, or send the same again. Otherwise what was refused; an event is set aside then, so that those
        behind it, which nobody has looked at, move up and are not held up."""
        if self.stopped is not None:
            return NotTaken(self.stopped)
        if answer.problem is None or answer.retry or answer.status >= 500:
            return None
        if answer.code == "too_large" and len(request["events"]) > 1:
            return None
        taken_up_to = answer.body.get("expected")
        if not request["events"] or (taken_up_to is None and answer.code != "too_large"):
            return NotTaken(answer.problem)
        event = self.unanswered.pop(0)
        event["problem"] = answer.problem
        self.refused.append(event)
        self._renumber(taken_up_to or event["number"])
        return NotTaken(answer.problem, event)

    def take_back(self, number: int) -> list[dict[str, Any]]:
        """A refused event has used no number: it and those after it are given back, to be mended and told anew."""
        back = [event for event in self.unanswered if event["number"] >= number]
        self.unanswered = [event for event in self.unanswered if event["number"] < number]
        self.number = number - 1
        return back

    # ------------------------------------------------------------------------------------------- a restart

    def as_json(self) -> dict[str, Any]:
        """All that a restart must not lose. Store it before a request is sent and after it is answered."""
        untold = self._untold
        return {
            "version": STATE_VERSION,
            "session": self.session,
            "number": self.number,
            "head": self.head,
            "held_after": self._held_after,
            "untold": None if untold is None else [untold[0], untold[1].isoformat()],
            "unanswered": self.unanswered,
            "refused": self.refused,
        }

    @classmethod
    def from_json(cls, state: dict[str, Any], **more: Any) -> Terminal:
        """A terminal that goes on where another start of the same program stopped, by a new clock: it has no lease, and
        what is not answered keeps the readings of the old one."""
        if state["version"] != STATE_VERSION:
            raise ValueError(f"a terminal's state of version {state['version']} cannot be read")
        made = cls(
            session=state["session"],
            number=state["number"],
            head=state.get("head"),
            unanswered=list(state["unanswered"]),
            refused=list(state["refused"]),
            **more,
        )
        made._held_after = state["held_after"]
        if state["untold"] is not None:
            made._untold = (state["untold"][0], datetime.fromisoformat(state["untold"][1]))
        return made


def _split(head: str) -> tuple[int, str]:
    number, _, sha256 = head.partition(":")
    return int(number), sha256
