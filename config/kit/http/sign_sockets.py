"""uvicorn's WebSocket protocol with one thing more: a message that was encoded once can be put on many sockets.

ASGI has each socket encode its own copy, through a task and three layers, which at a thousand signs and ten frames a
second costs several times what the write itself does.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

EXTENSION = "potline.write"
"""In a scope's extensions: `write(wire) -> bool`. False: the socket has not taken the message before this one yet."""


def on_the_wire(text: str) -> bytes:
    """A text message as a server sends it."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


GONE_BEFORE_A_LOOK = 250
LOOK_AFTER_S = 0.5


class _Gone:
    """Sockets that have gone. What belongs to one holds itself (the parser of `websockets`, for one), so that only
    Python's collector finds it, and a server's collector looks seldom: after a storm of signs their forty kilobytes
    each would be there for a long time, and those of the next storm beside them. One look then, for all of them."""

    since_a_look = 0
    soon: asyncio.TimerHandle | None = None

    @classmethod
    def note(cls, loop: asyncio.AbstractEventLoop) -> None:
        cls.since_a_look += 1
        if cls.since_a_look >= GONE_BEFORE_A_LOOK and cls.soon is None:
            cls.soon = loop.call_later(LOOK_AFTER_S, cls.look)

    @classmethod
    def look(cls) -> None:
        cls.since_a_look, cls.soon = 0, None
        gc.collect()


class Sockets(WebSocketsSansIOProtocol):
    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _Gone.note(self.loop)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # else it was no handshake, and is refused already
            extensions: Any = self.scope["extensions"]
            extensions[EXTENSION] = self.write_whole

    def write_whole(self, wire: bytes) -> bool:
        transport = self.transport
        if self.close_sent or transport.is_closing():
            return True  # whoever closes it tells the application; nobody waits for this message
        if not self.handshake_complete or transport.get_write_buffer_size():
            return False
        transport.write(wire)
        return True
