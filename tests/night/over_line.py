"""A table of the night over its line: the WebSocket client in a thread of its own, called like the one over REST."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from simulator.terminal import Terminal
from simulator.terminal.line import LineTerminal

T = TypeVar("T")
LONGEST_S = 90


class LineInThread:
    def __init__(self, url: str, premises: str, table: str, token: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.line = LineTerminal(url, premises, table, token)

    @property
    def terminal(self) -> Terminal:
        return self.line.terminal

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LONGEST_S)

    def start_beats(self) -> None:
        self._run(self.line.__aenter__())

    def beat(self) -> None:
        self._run(self.line.beat())

    def stamp(self, kind: str, round_id: UUID, body: dict[str, Any] | None = None) -> dict[str, Any]:
        async def stamp() -> dict[str, Any]:
            return self.terminal.tell(kind, round_id, body)

        return self._run(stamp())

    def send(self, event: dict[str, Any]) -> dict[str, Any]:
        return self._run(self.line.send(event))

    def tell(self, kind: str, round_id: UUID, body: dict[str, Any] | None = None) -> dict[str, Any]:
        return self._run(self.line.tell(kind, round_id, body))

    def lock_untold(self) -> datetime:
        async def lock() -> datetime:
            return self.terminal.lock_untold()

        return self._run(lock())

    def may_take_jackpot_wagers(self) -> bool:
        return self.terminal.may_take_jackpot_wagers()

    def close(self) -> None:
        self._run(self.line.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
