"""A sign's WebSocket: the newest frame first, then more from the hub; back comes what the sign showed."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from config.kit import origin
from config.kit.http.sign_sockets import EXTENSION
from jackpots.models import Display
from jackpots.signs import displays, reports
from jackpots.signs.hub import UNKNOWN, Feed, hub
from jackpots.signs.together import Together
from jackpots.signs.wire import channels_of
from people.tokens import hash_token

MAX_REPORT = 32_768
LEAST_BETWEEN_S = 1.0
"""A sign reports every few seconds; whoever sends more is not heard, at no cost to the database."""


class SignConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    feed: Feed | None = None
    display: Display | None = None
    closed = False
    reported_s = -LEAST_BETWEEN_S

    async def __call__(self, *asgi: Any) -> None:
        """However the socket ends, also by a fault before it began: its feed goes with it."""
        try:
            await super().__call__(*asgi)
        finally:
            if self.feed is not None:
                hub().leave(self.feed)

    async def connect(self) -> None:
        token = self.scope["url_route"]["kwargs"]["token"]
        address = origin.client_ip_of((self.scope.get("client") or ("",))[0])
        self.display = await _together().lookups.ask((token, address))
        await self.accept()
        if self.display is None:
            await self.hang_up(UNKNOWN)
            return
        self.feed = Feed(
            (self.display.pk, hash_token(token), self.display.set_up_as),
            channels_of(self.display),
            self._send,
            self.hang_up,
            self.scope.get("extensions", {}).get(EXTENSION),
        )
        hub().join(self.feed)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.display is None or not text_data or len(text_data) > MAX_REPORT:
            return
        now_s = time.monotonic()
        if now_s - self.reported_s < LEAST_BETWEEN_S:
            return
        self.reported_s = now_s
        try:
            report: Any = json.loads(text_data)
        except (ValueError, RecursionError):
            return
        known = await _together().reports.ask((self.display.pk, report))
        if not known:
            await self.hang_up(UNKNOWN)

    async def hang_up(self, code: int) -> None:
        """Once: the hub and a report may find in the same moment that the sign is withdrawn."""
        if not self.closed:
            self.closed = True
            await self.close(code)

    async def _send(self, frame: str) -> None:
        await self.send(text_data=frame)


class _Together:
    def __init__(self) -> None:
        self.lookups, self.reports = Together(displays.by_tokens), Together(reports.record_reports)


_by_loop: dict[int, _Together] = {}


def _together() -> _Together:
    """Of this process's event loop."""
    return _by_loop.setdefault(id(asyncio.get_running_loop()), _Together())
