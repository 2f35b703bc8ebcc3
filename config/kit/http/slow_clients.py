"""uvicorn's HTTP/1.1, with an end for clients that do not finish their headers: they held a connection for ever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS_S = 10.0
"""For a whole request line and its headers, from the connection or from their first byte. Bodies:
config.kit.http.admission."""


class PatientH11(H11Protocol):
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)
        self._stop_for_good()

    def on_response_complete(self) -> None:
        self._stop()
        super().on_response_complete()  # from here uvicorn's own keep-alive counts, until the next byte

    def _wait(self) -> None:
        if self._waiting is None and not self.transport.is_closing():
            self._waiting = self.loop.call_later(HEADERS_S, self.transport.close)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _stop_for_good(self) -> None:
        """The connection is a WebSocket's now: what comes in goes to another protocol."""
        self._wait = lambda: None  # type: ignore[method-assign]
