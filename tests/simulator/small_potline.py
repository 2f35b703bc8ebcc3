"""A small Potline for the client's own tests: it keeps the rules of docs/api.md about numbers, sessions and leases,
and knows no game. What the real one says is tried against real processes (tests/tables/test_line.py, tests/night)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class SmallPotline:
    """Takes events in turn, refuses those of kind "bad", and remembers what it was sent."""

    session: int = 1
    last: int = 0
    lease_ms: int | None = 15_000
    seen: list[dict[str, Any]] = field(default_factory=list)
    taken: list[dict[str, Any]] = field(default_factory=list)

    def take(self, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        request = json.loads(json.dumps(request))
        self.seen.append(request)
        if request["envelope"].get("session") not in (None, self.session):
            return 409, {"status": 409, "code": "session_over", "detail": "taken over", "retry": False}
        answers: list[dict[str, Any]] = []
        problem: dict[str, Any] = {}
        for event in request["events"]:
            known = event["number"] <= self.last
            if not known and event["number"] != self.last + 1:
                problem = {"status": 409, "code": "out_of_turn", "detail": "gap", "retry": True}
            elif not known and event["kind"] == "bad":
                problem = {"status": 422, "code": "form", "detail": "bad", "retry": False}
            elif known and self.taken[event["number"] - 1] != event:
                problem = {"status": 409, "code": "number_taken", "detail": "other", "retry": False}
            if problem:
                break
            if not known:
                self.last = event["number"]
                self.taken.append(event)
            answers.append({"number": event["number"], "new": not known})
        body = {
            "at": "2026-03-01T09:00:00+00:00",
            "session": self.session,
            "expected": self.last + 1,
            "under_way": None,
            "lease_ms": self.lease_ms,
            "no_lease": None if self.lease_ms else "not now",
            "beat_ms": 2_000,
            "answers": answers,
        }
        status: int = problem.get("status", 200)
        return status, {**body, **problem}
