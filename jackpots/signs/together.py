"""What many signs ask of the database in the same moment, asked together: whose tokens they have, what they showed.

After a power cut a thousand signs come back in the same seconds, and afterwards they report two hundred times a second;
a thread and its queries for each would hold up the frames.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from channels.db import database_sync_to_async

MAX_AT_ONCE = 200


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
            asked, self._waiting = self._waiting[:MAX_AT_ONCE], self._waiting[MAX_AT_ONCE:]
            try:
                await self._answer(asked)
            except Exception:  # of one of them perhaps: each for itself, so that the others have theirs
                for one in asked:
                    try:
                        await self._answer([one])
                    except Exception as error:
                        if not one[1].done():
                            one[1].set_exception(error)

    async def _answer(self, asked: list[tuple[Any, asyncio.Future[Any]]]) -> None:
        found = await self._call([item for item, _ in asked])
        for (_, answer), given in zip(asked, found, strict=True):
            if not answer.done():
                answer.set_result(given)
