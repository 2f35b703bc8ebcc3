"""Beat's clock: when each rhythm of `config.celery.periodic` is due, and one message for all that are due together.

Celery's own compares the whole schedule with a copy of it and makes several aware dates for each message, by wall
clock, which takes three times as long as sending the message does. Our rhythms are seconds and stay what they are at
start, so that a monotonic clock and a moment by rhythm do.
"""

from __future__ import annotations

import time
from typing import Any

from celery.beat import Scheduler

from config.celery import at_once

IDLE_S = 60.0
"""Without any rhythm, which is only so in an installation without jobs."""


class BeatClock(Scheduler):
    _due_s: dict[str, float] | None = None

    def tick(self, *_: Any, **__: Any) -> float:
        """Sends what is due; seconds until the next is. The first comes one rhythm after the start. Where a broker kept
        us waiting, what was missed meanwhile is not made up for: its messages would have expired."""
        now_s = time.monotonic()
        if self._due_s is None:
            self._due_s = {name: now_s + self._seconds(name) for name in self.schedule}
        due = [name for name, due_s in self._due_s.items() if due_s <= now_s]
        for name in due:
            next_s = self._due_s[name] + self._seconds(name)
            self._due_s[name] = next_s if next_s > now_s else now_s + self._seconds(name)
        if due:
            self.apply_entry(self._together(due), producer=self.producer)
        return max(min(self._due_s.values(), default=now_s + IDLE_S) - time.monotonic(), 0.0)

    def _seconds(self, name: str) -> float:
        entry: Any = self.schedule[name]
        found: float = entry.schedule.seconds
        return found

    def _together(self, due: list[str]) -> Any:
        """It expires with the last of them: a worker that was stopped comes back to as few messages as if each rhythm
        had its own."""
        if len(due) == 1:
            return self.schedule[due[0]]
        entries: list[Any] = [self.schedule[name] for name in due]
        expires_s = max(entry.options["expires"] for entry in entries)
        return self.Entry(
            name=at_once.name, task=at_once.name, args=(due,), options={"expires": expires_s}, app=self.app
        )
