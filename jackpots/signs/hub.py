"""One hub a process: a single Redis subscription, one encoded frame, sent to all local sockets; the newest wins.

A socket is never behind by a queue: it has one slot, and a frame that was not sent in time is overwritten by the
next. A socket that cannot take a frame for seconds is dropped; its page comes back by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable

import structlog
from redis.exceptions import RedisError

from config.redis import async_client
from jackpots.frames import PATTERN

log = structlog.get_logger(__name__)
PACE_S = 0.1
"""At most ten frames a second a socket."""
SLOW_S = 3.0
RETRY_S = 1.0


class Feed:
    """The socket's end: a slot for the newest frame, and the task that sends it on."""

    def __init__(
        self, code: str, send: Callable[[str], Awaitable[None]], drop: Callable[[], Awaitable[None]]
    ) -> None:
        self.code = code
        self._send, self._drop = send, drop
        self._slot: str | None = None
        self._filled = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def offer(self, frame: str) -> None:
        self._slot = frame
        self._filled.set()

    async def _run(self) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            frame, self._slot = self._slot, None
            if frame is None:
                continue
            try:
                await asyncio.wait_for(self._send(frame), SLOW_S)
            except TimeoutError:
                await self._drop()
                return
            await asyncio.sleep(PACE_S)

    def close(self) -> None:
        self._task.cancel()


class Hub:
    """Sockets by progressive. The subscription runs while there is one."""

    def __init__(self) -> None:
        self._feeds: dict[str, set[Feed]] = {}
        self._listener: asyncio.Task[None] | None = None

    def join(self, feed: Feed) -> None:
        self._feeds.setdefault(feed.code, set()).add(feed)
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(self._listen())

    def leave(self, feed: Feed) -> None:
        feed.close()
        self._feeds.get(feed.code, set()).discard(feed)
        if not any(self._feeds.values()) and self._listener is not None:
            self._listener.cancel()
            self._listener = None

    def spread(self, code: str, frame: str) -> None:
        for feed in self._feeds.get(code, ()):
            feed.offer(frame)

    async def _listen(self) -> None:
        """Without Redis the signs get nothing and say so themselves; the hub tries again until it is back."""
        while True:
            client = async_client()
            try:
                subscription = client.pubsub(ignore_subscribe_messages=True)
                await subscription.psubscribe(PATTERN)
                async for message in subscription.listen():
                    frame = message["data"].decode()
                    self.spread(json.loads(frame)["progressive"], frame)
            except (RedisError, OSError) as error:
                log.warning("sign_hub_lost_redis", error=str(error))
                await asyncio.sleep(RETRY_S)
            finally:
                with contextlib.suppress(RedisError, OSError):
                    await client.aclose()


_hubs: dict[int, Hub] = {}


def hub() -> Hub:
    """The hub of this process's event loop."""
    return _hubs.setdefault(id(asyncio.get_running_loop()), Hub())
