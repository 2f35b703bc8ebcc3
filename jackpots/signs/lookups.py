"""Whose sign it is, by its token: those who come at the same time are looked up together, in one query.

After a power cut a thousand signs come back in the same seconds; a query and a thread for each would keep the last of
them waiting, and the reports of the others too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from channels.db import database_sync_to_async

MOST_AT_ONCE = 200


class Together:
    """Gathers what is asked while one call is under way, and asks for all of it in the next."""

    def __init__(self, call: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        self._call = database_sync_to_async(call)
        self._waiting: list[tuple[Any, asyncio.Future[Any]]] = []
        self._running: asyncio.Task[None] | None = None

    async def ask(self, item: Any) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, answer))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                answers = await self._call([item for item, _ in asked])
            except Exception as error:
                for _, answer in asked:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), found in zip(asked, answers, strict=True):
                    if not answer.done():
                        answer.set_result(found)
