"""A crowd of signs for benchmarks: many plain sockets in one process, as cheap as sockets can be, so that what is
measured is the server. Each frame carries when it was published; each socket notes how long that was ago."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import time
from dataclasses import dataclass, field

MARK = b'"sent_s": "'
"""Before the time in a frame; json.dumps writes it so."""
DIGITS = 17
PING, PONG = b"\x89\x04", b"\x8a\x84\x00\x00\x00\x00"
"""uvicorn's has four bytes; what a client sends is masked, here by zeros."""
TEXT = b"\x81\x7e"
"""How a frame begins on the wire: its length is in the two bytes that follow."""


def sent_now() -> dict[str, str]:
    """What a frame carries: seconds since 1970, always of the same length."""
    return {"sent_s": f"{time.time():.6f}"}


@dataclass
class Crowd:
    """What all sockets together have seen."""

    took_s: list[float] = field(default_factory=list)
    first_s: list[float] = field(default_factory=list)
    upgraded: int = 0
    closed: int = 0

    def forget(self) -> None:
        self.took_s.clear()


def _size(data: bytes) -> int:
    """Of the message at its beginning, with its head; a server does not mask."""
    length = data[1]
    if length == 126:
        return 4 + int.from_bytes(data[2:4], "big") if len(data) >= 4 else 4
    if length == 127:
        raise RuntimeError("no frame is so long")
    return 2 + length


_room = bytearray(65_536)
_view = memoryview(_room)
"""Where every socket reads, one at a time: to make room for each read anew takes longer than the read."""


class Socket(asyncio.BufferedProtocol):
    """Asks for the upgrade, then counts, and answers pings."""

    def __init__(self, crowd: Crowd, path: str, origin: str) -> None:
        self.crowd, self.path, self.origin = crowd, path, origin
        self.upgraded, self.had_frame, self.rest = False, False, b""
        self.began_s = time.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        host = self.origin.removeprefix("http://")
        assert isinstance(transport, asyncio.Transport)
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {self.origin}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def get_buffer(self, sizehint: int) -> memoryview:
        return _view

    def buffer_updated(self, nbytes: int) -> None:
        """One whole frame is read where it lies; all else (the answer, a ping, a part of one, two) is rare."""
        now_s = time.time()
        if (
            self.had_frame
            and not self.rest
            and _room.startswith(TEXT)
            and nbytes == 4 + (_room[2] << 8) + _room[3]
        ):
            begin = _room.find(MARK, 0, nbytes) + len(MARK)
            if begin >= len(MARK):
                self.crowd.took_s.append(now_s - float(_room[begin : begin + DIGITS]))
        else:
            self._read(bytes(_view[:nbytes]), now_s)

    def _read(self, data: bytes, now_s: float) -> None:
        if not self.upgraded:
            if b"\r\n\r\n" not in self.rest + data:
                self.rest += data
                return
            answer, _, data = (self.rest + data).partition(b"\r\n\r\n")
            if b" 101 " not in answer[:20]:
                raise RuntimeError(f"refused: {answer[:200]!r}")
            self.upgraded, self.rest = True, b""
            self.crowd.upgraded += 1
        if data and not self.had_frame:
            self.had_frame = True
            self.crowd.first_s.append(now_s - self.began_s)
        data = self.rest + data
        while len(data) >= 2 and len(data) >= (size := _size(data)):
            self._take(data[:size], now_s)
            data = data[size:]
        self.rest = data

    def _take(self, message: bytes, now_s: float) -> None:
        if message.startswith(PING):
            self.transport.write(PONG + message[2:])  # type: ignore[attr-defined]
        at = message.find(MARK)
        if at >= 0:
            begin = at + len(MARK)
            self.crowd.took_s.append(now_s - float(message[begin : begin + DIGITS]))

    def tell(self, text: str) -> None:
        """What a sign reports; as a client it masks, here by zeros."""
        data = text.encode()
        head = struct.pack("!BBH", 0x81, 0x80 | 126, len(data)) + bytes(4)
        self.transport.write(head + data)  # type: ignore[attr-defined]

    def connection_lost(self, exc: Exception | None) -> None:
        self.crowd.closed += 1


async def join(crowd: Crowd, address: str, path: str, count: int, at_once: int = 200) -> list[Socket]:
    """Connects them, so many at a time."""
    loop, places = asyncio.get_running_loop(), asyncio.Semaphore(at_once)
    host, _, port = address.removeprefix("http://").partition(":")

    async def one() -> Socket:
        async with places:
            _, socket = await loop.create_connection(lambda: Socket(crowd, path, address), host, int(port))
            return socket

    return list(await asyncio.gather(*(one() for _ in range(count))))
