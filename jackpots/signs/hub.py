"""One hub a process: a single Redis subscription, one encoded frame, sent to all local sockets; the newest wins.

A socket is never behind by a queue: it has one slot, and a frame that was not sent in time is overwritten by the
next. A socket that cannot take a frame for seconds is dropped; its page comes back by itself. A sign whose address was
withdrawn is closed even if it only listens. Nothing that comes over Redis ends the hub.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import structlog
from channels.db import database_sync_to_async

from config.redis import Subscription
from jackpots.signs import displays
from jackpots.signs.frames import PATTERN, received

logger = structlog.get_logger(__name__)
PACE_S = 0.1
"""At most ten frames a second a socket."""
SLOW_S = 3.0
SILENT_S = 10.0
"""Frames come every second; a subscription without any may hang on a dead connection, and is made anew."""
CHECK_S = 2.0
"""How often the tokens of all sockets are looked up, in one query: revoked and replaced ones go within seconds."""
TELL_JUNK_S = 60.0
UNKNOWN, SLOW, BROKEN = 4403, 4408, 1011
"""Why a socket is closed. A page that is told UNKNOWN does not come back."""


class Feed:
    """The socket's end: whose it is, a slot for the newest frame, and how to send and to hang up."""

    def __init__(
        self,
        display_id: int,
        token_sha256: str,
        code: str,
        send: Callable[[str], Awaitable[None]],
        hang_up: Callable[[int], Awaitable[None]],
    ) -> None:
        self.display_id, self.token_sha256, self.code = display_id, token_sha256, code
        self.sending: asyncio.Task[None] | None = None
        self._send, self._hang_up = send, hang_up
        self._slot: str | None = None
        self._filled = asyncio.Event()

    def offer(self, frame: str) -> None:
        self._slot = frame
        self._filled.set()

    async def run(self) -> None:
        """Sends until the socket fails."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            frame, self._slot = self._slot, None
            if frame is None:
                continue
            async with asyncio.timeout(SLOW_S):
                await self._send(frame)
            await asyncio.sleep(PACE_S)

    async def hang_up(self, code: int) -> None:
        """A socket that cannot even be closed is left to the server's own ping."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(SLOW_S):
                await self._hang_up(code)


class Hub:
    """Sockets by progressive. The subscription runs while there is one."""

    def __init__(self) -> None:
        self._feeds: dict[str, set[Feed]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._junk, self._junk_told = 0, -TELL_JUNK_S

    def feeds(self) -> set[Feed]:
        return {feed for feeds in self._feeds.values() for feed in feeds}

    def join(self, feed: Feed) -> None:
        self._feeds.setdefault(feed.code, set()).add(feed)
        feed.sending = asyncio.create_task(self._serve(feed))
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())
            self._listener = asyncio.create_task(Subscription(PATTERN, self._take, SILENT_S).run())

    def leave(self, feed: Feed) -> None:
        self._forget(feed)
        if feed.sending is not None:
            feed.sending.cancel()

    def _forget(self, feed: Feed) -> None:
        feeds = self._feeds.get(feed.code, set())
        feeds.discard(feed)
        if not feeds:
            self._feeds.pop(feed.code, None)

    def spread(self, code: str, frame: str) -> None:
        for feed in self._feeds.get(code, ()):
            feed.offer(frame)

    async def _serve(self, feed: Feed) -> None:
        """Whatever is wrong with a socket, it is closed and let go: a page that hears nothing more would look alive for
        seconds, one that is closed comes back at once."""
        try:
            await feed.run()
        except Exception as error:
            logger.info("sign_dropped", display=feed.display_id, error=repr(error))
            self._forget(feed)
            await feed.hang_up(SLOW if isinstance(error, TimeoutError) else BROKEN)

    async def _watch(self) -> None:
        """Looks after the sockets while there are any, then ends the subscription. Nobody else ends it, so that the
        last sign to leave cannot cancel what is just closing it."""
        while self._feeds:
            await asyncio.sleep(CHECK_S)
            try:
                await self._close_withdrawn()
            except Exception as error:  # without the database nobody is withdrawn; the signs go on
                logger.warning("sign_hub_cannot_check", error=repr(error))
        if self._listener is not None:
            self._listener.cancel()

    async def _close_withdrawn(self) -> None:
        feeds = self.feeds()
        known = await database_sync_to_async(displays.known)({feed.token_sha256 for feed in feeds})
        withdrawn = [feed for feed in feeds if feed.token_sha256 not in known]
        for feed in withdrawn:
            self.leave(feed)
        await asyncio.gather(*(feed.hang_up(UNKNOWN) for feed in withdrawn))

    def _take(self, channel: bytes, data: bytes) -> None:
        try:
            code, frame = received(channel, data)
        except ValueError as error:
            self._skip(channel, error)
        else:
            self.spread(code, frame)

    def _skip(self, channel: bytes, error: ValueError) -> None:
        """Told at once, then now and then: whoever fills the channel with junk does not fill the log too."""
        self._junk += 1
        if time.monotonic() - self._junk_told >= TELL_JUNK_S:
            logger.warning(
                "sign_hub_skipped", channel=repr(channel), messages=self._junk, error=str(error)[:200]
            )
            self._junk, self._junk_told = 0, time.monotonic()


_hubs: dict[int, Hub] = {}


def hub() -> Hub:
    """The hub of this process's event loop."""
    return _hubs.setdefault(id(asyncio.get_running_loop()), Hub())
