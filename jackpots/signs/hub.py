"""One hub a process: a single Redis subscription, one encoded frame, put on all local sockets; the newest wins.

Frames of one channel go out at most ten a second by the clock, so that ten a second arrive as ten. A newcomer gets the
newest that the hub has; where it has none yet, it is fetched once, for all who wait. A socket is never behind by a
queue: it has one slot a channel, and a frame that was not sent in time is overwritten by the next. A socket that cannot
take a frame for seconds is dropped; its page comes back by itself. A sign whose address was withdrawn is closed even if
it only listens. Nothing that comes over Redis ends the hub.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

import structlog
from channels.db import database_sync_to_async

from config.kit.http.sign_sockets import on_the_wire
from config.kit.redis import Subscription
from jackpots.signs import displays
from jackpots.signs.wire import PATTERN, newest, received

logger = structlog.get_logger(__name__)
PACE_S = 0.1
"""At most ten frames a second a channel."""
MAKE_UP_S = 0.5
"""A worker that was held up for so long sends what it owes at once, and none of it is passed over. Unless sending is
what held it up: then what came meanwhile is passed over but for the newest, or signs would be behind by a queue."""
SLOW_S = 3.0
POLL_S = 0.02
"""How often a socket is tried that has not taken the last frame yet."""
FRESH_S = 3.0
"""Frames come every second: one that came longer ago is no news for a newcomer, and is fetched anew."""
SILENT_S = 10.0
"""Frames come every second; a subscription without any may hang on a dead connection, and is made anew."""
CHECK_S = 2.0
"""How often the tokens of all sockets are looked up, in one query: revoked and replaced ones go within seconds."""
MOVED = "moved"
"""The slot of what is not a frame: that the sign has a new token."""
TELL_JUNK_S = 60.0
UNKNOWN, CHANGED, SLOW, BROKEN = 4403, 4409, 4408, 1011
"""Why a socket is closed. A page that is told UNKNOWN does not come back; CHANGED: it is to be loaded anew."""


@dataclass(frozen=True, slots=True)
class Message:
    """A frame as text, and encoded once for all sockets."""

    text: str
    wire: bytes

    @classmethod
    def of(cls, text: str) -> Message:
        return cls(text, on_the_wire(text))


def _not_at_once(wire: bytes) -> bool:
    """Of a server that cannot write an encoded message: each is sent by a task."""
    return False


class Feed:
    """The socket's end: whose it is, a slot for the newest frame of each channel, and how to send and to hang up.

    `write` puts an encoded message on the socket at once, or says that the one before is not gone yet; a server that
    has no such thing sends each for itself."""

    def __init__(
        self,
        display: tuple[int, str, str],
        channels: Iterable[str],
        send: Callable[[str], Awaitable[None]],
        hang_up: Callable[[int], Awaitable[None]],
        write: Callable[[bytes], bool] | None = None,
    ) -> None:
        self.display_id, self.token_sha256, self.setup = display
        self.channels = tuple(channels)
        self.sending: asyncio.Task[None] | None = None
        self.write = write or _not_at_once
        self.waiting: dict[str, Message] = {}
        """By channel, what could not be sent at once."""
        self._send, self._hang_up = send, hang_up

    async def run(self) -> None:
        """Sends what waits; ends when nothing does, or when the socket fails."""
        while self.waiting:
            async with asyncio.timeout(SLOW_S):
                await self._send_one()

    async def _send_one(self) -> None:
        channel = next(iter(self.waiting))
        if self.write is _not_at_once:
            await self._send(self.waiting.pop(channel).text)
            return
        while not self.write(self.waiting[channel].wire):
            await asyncio.sleep(POLL_S)
        del self.waiting[channel]

    async def hang_up(self, code: int) -> None:
        """A socket that cannot even be closed is left to the server's own ping."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(SLOW_S):
                await self._hang_up(code)


@dataclass(eq=False)
class Channel:
    """What the hub knows of one channel: who listens, the newest frame, and when the next may go out."""

    name: str
    feeds: set[Feed] = field(default_factory=set)
    newest: Message | None = None
    heard_s: float = 0.0
    due_s: float = 0.0
    behind_s: float = 0.0
    """By how much sending has taken longer than frames are apart."""
    timer: asyncio.TimerHandle | None = None
    fetching: asyncio.Task[None] | None = None

    def is_fresh(self, now_s: float) -> bool:
        return self.newest is not None and now_s - self.heard_s < FRESH_S


class Hub:
    """Sockets by channel. The subscription runs while there is one."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}
        self._feeds: set[Feed] = set()
        self._listener: asyncio.Task[None] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._sent = asyncio.Event()
        self._junk, self._junk_told = 0, -TELL_JUNK_S

    def feeds(self) -> set[Feed]:
        return set(self._feeds)

    def join(self, feed: Feed) -> None:
        """Listens from now on, and gets the newest of each channel at once, or as soon as it is fetched."""
        self._feeds.add(feed)
        now_s = asyncio.get_running_loop().time()
        for name in feed.channels:
            channel = self._channels.setdefault(name, Channel(name))
            channel.feeds.add(feed)
            if channel.newest is not None and channel.is_fresh(now_s):
                self._offer(feed, channel.name, channel.newest)
            elif channel.fetching is None or channel.fetching.done():
                channel.fetching = asyncio.create_task(self._fetch(channel))
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())
            self._listener = asyncio.create_task(Subscription(PATTERN, self._take, SILENT_S).run())

    def leave(self, feed: Feed) -> None:
        self._forget(feed)
        if feed.sending is not None:
            feed.sending.cancel()

    def _forget(self, feed: Feed) -> None:
        self._feeds.discard(feed)
        for name in feed.channels:
            channel = self._channels.get(name)
            if channel is None:
                continue
            channel.feeds.discard(feed)
            if not channel.feeds:
                del self._channels[name]
                if channel.timer is not None:
                    channel.timer.cancel()

    async def _fetch(self, channel: Channel) -> None:
        """For those who came before any frame did; what is heard meanwhile is newer."""
        began_s = asyncio.get_running_loop().time()
        try:
            text = await database_sync_to_async(newest)(channel.name)
        except Exception as error:  # the next second's frame comes all the same
            logger.warning("sign_hub_cannot_fetch", channel=channel.name, error=repr(error))
            return
        if text is not None and channel.heard_s < began_s:
            self._send_to_all(channel, Message.of(text))

    def spread(self, name: str, text: str) -> None:
        """Now, or when the channel's next frame is due: by then perhaps a newer one."""
        channel = self._channels.get(name)
        if channel is None:
            return
        loop = asyncio.get_running_loop()
        channel.newest, channel.heard_s = Message.of(text), loop.time()
        if channel.timer is None:
            if channel.due_s <= channel.heard_s:
                self._send_newest(channel)
            else:
                channel.timer = loop.call_at(channel.due_s, self._send_newest, channel)

    def _send_newest(self, channel: Channel) -> None:
        """By the clock: one that came or went out late does not make the next one later."""
        channel.timer = None
        time_s = asyncio.get_running_loop().time
        began_s = time_s()
        channel.due_s = max(channel.due_s, began_s - MAKE_UP_S) + PACE_S
        if channel.newest is not None:
            self._send_to_all(channel, channel.newest)
        self._sent.set()
        channel.behind_s = max(0.0, channel.behind_s + time_s() - began_s - PACE_S)
        if channel.behind_s > MAKE_UP_S:
            channel.due_s, channel.behind_s = time_s() + PACE_S, 0.0

    def _send_to_all(self, channel: Channel, message: Message) -> None:
        """A thousand times for each frame, so there is next to nothing in it but the write itself."""
        wire, name = message.wire, channel.name
        for feed in tuple(channel.feeds):
            if feed.waiting or not feed.write(wire):
                self._keep(feed, name, message)

    def _offer(self, feed: Feed, name: str, message: Message) -> None:
        if feed.waiting or not feed.write(message.wire):
            self._keep(feed, name, message)

    def _keep(self, feed: Feed, name: str, message: Message) -> None:
        """In its slot, for a task of the socket's own to send."""
        feed.waiting[name] = message
        if feed.sending is None or feed.sending.done():
            feed.sending = asyncio.create_task(self._serve(feed))

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
            await self._a_frame_went_out()
            try:
                await self._look_at_tokens()
            except Exception as error:  # without the database nobody is withdrawn; the signs go on
                logger.warning("sign_hub_cannot_check", error=repr(error))
        if self._listener is not None:
            self._listener.cancel()

    async def _a_frame_went_out(self) -> None:
        """Waits for the next one, but not long. A thread that works takes turns with this one, and a frame on its way
        to hundreds of sockets would wait at each: between two frames it is in nobody's way."""
        self._sent.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2 * PACE_S):
                await self._sent.wait()

    async def _look_at_tokens(self) -> None:
        """Closes sockets whose token is withdrawn or whose sign is set up otherwise, and tells those whose token was
        replaced of the new one: again and again, until the page has moved or the old one is over."""
        feeds = self.feeds()
        hold = await database_sync_to_async(displays.known)({feed.token_sha256 for feed in feeds})
        over: dict[Feed, int] = {}
        for feed in feeds:
            known = hold.get(feed.token_sha256)
            if known is None or known.setup != feed.setup:
                over[feed] = UNKNOWN if known is None else CHANGED
                self.leave(feed)
            elif known.moved_to and feed in self._feeds:
                self._offer(feed, MOVED, Message.of(json.dumps({"moved": known.moved_to})))
        await asyncio.gather(*(feed.hang_up(code) for feed, code in over.items()))

    def _take(self, channel: bytes, data: bytes) -> None:
        try:
            text = received(channel, data)
        except ValueError as error:
            self._skip(channel, error)
        else:
            self.spread(channel.decode(), text)

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
