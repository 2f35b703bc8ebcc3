"""The judge's own sign: a WebSocket that keeps every frame it is shown, and comes back after a cut."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from simulator.terminal.rest import pauses


@dataclass(frozen=True)
class Shown:
    """A frame, when it came by this machine's clock, and over which connection."""

    got_at: datetime
    connection: int
    frame: dict[str, Any]

    @property
    def sequence(self) -> int:
        return int(self.frame["sequence"])

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.frame["at"])

    @property
    def values(self) -> dict[str, str]:
        return {level["level"]: level["value"] for level in self.frame["levels"]}


@dataclass
class Sign:
    """`watch` runs until it is cancelled."""

    url: str
    token: str
    shown: list[Shown] = field(default_factory=list)
    connections: int = 0

    async def watch(self) -> None:
        address = f"{self.url.rstrip('/').replace('http', 'ws', 1)}/ws/signs/{self.token}/"
        waits = pauses()
        while True:
            try:
                async with connect(address, origin=Origin(self.url), proxy=None) as socket:
                    self.connections += 1
                    waits = pauses()
                    async for message in socket:
                        frame = json.loads(message)
                        self.shown.append(Shown(datetime.now(UTC), self.connections, frame))
            except (OSError, TimeoutError, WebSocketException):
                pass
            await asyncio.sleep(next(waits))
