"""How fast a floor goes: rounds and messages by the minute, how long answers take, how far tables are behind."""

from __future__ import annotations

import time
from collections import Counter, deque
from datetime import datetime
from typing import Any

WINDOW_S = 60.0


class Meter:
    """An observer of every terminal (`simulator.terminal.Observer`), and the tables' own notes."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._rounds: deque[float] = deque()
        self._events: deque[float] = deque()
        self._answer_ms: deque[float] = deque(maxlen=2_000)
        self._sent: dict[str, datetime] = {}
        self._late_s: dict[str, float] = {}
        self._began = time.monotonic()

    def __call__(self, terminal: str, moment: datetime, what: str, document: dict[str, Any]) -> None:
        if what == "sent":
            self._sent[terminal] = moment
            self.counts["requests"] += 1
            return
        sent = self._sent.pop(terminal, None)
        if sent is not None:
            self._answer_ms.append((moment - sent).total_seconds() * 1000)
        self.counts[f"status {document['status'] // 100}xx"] += 1
        self._note(self._events, len(document.get("answers", ())))
        self.counts["events"] += len(document.get("answers", ()))

    def round_over(self) -> None:
        self.counts["rounds"] += 1
        self._note(self._rounds, 1)

    def behind(self, terminal: str, seconds: float) -> None:
        """How much later than planned a table's last step was answered."""
        self._late_s[terminal] = max(0.0, seconds)

    def _note(self, window: deque[float], times: int) -> None:
        now = time.monotonic()
        window.extend([now] * times)
        while window and window[0] < now - WINDOW_S:
            window.popleft()

    def percentile_ms(self, percent: int) -> float:
        found = sorted(self._answer_ms)
        return found[min(len(found) - 1, len(found) * percent // 100)] if found else 0.0

    def line(self) -> str:
        over = max(1.0, min(WINDOW_S, time.monotonic() - self._began))
        for window in (self._rounds, self._events):
            self._note(window, 0)
        minute = 60 / over
        return (
            f"{len(self._rounds) * minute:.0f} rounds a minute, {len(self._events) / over:.1f} events a second; "
            f"answers {self.percentile_ms(50):.0f} ms, of a hundred the slowest {self.percentile_ms(99):.0f} ms; "
            f"behind by {max(self._late_s.values(), default=0.0):.1f} s; "
            f"{self.counts['rounds']} rounds, {self.counts['refused']} refusals"
        )
