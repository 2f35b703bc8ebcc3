"""Sockets that have gone do not stay in memory until Python's collector happens to look."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any
from unittest.mock import Mock

from uvicorn.config import Config
from uvicorn.server import ServerState

from config.kit.http.sign_sockets import GONE_BEFORE_A_LOOK, LOOK_AFTER_S, Sockets


def test_what_a_storm_leaves_is_let_go() -> None:
    async def nobody(scope: Any, receive: Any, send: Any) -> None: ...

    async def scene() -> None:
        config, state = Config(nobody, ws_per_message_deflate=False), ServerState()
        config.load()
        left: list[weakref.ref[Any]] = []
        for number in range(GONE_BEFORE_A_LOOK):
            if number == GONE_BEFORE_A_LOOK - 1:
                await asyncio.sleep(2 * LOOK_AFTER_S)
                assert all(ref() is not None for ref in left), "a few that go are not worth a look"
            socket = Sockets(config, state, {})
            socket.connection_made(Mock(spec=asyncio.Transport, get_extra_info=lambda name: None))
            socket.connection_lost(None)
            left.append(weakref.ref(socket.conn))
            del socket
        await asyncio.sleep(2 * LOOK_AFTER_S)
        assert all(ref() is None for ref in left)

    gc.disable()
    try:
        asyncio.run(scene())
    finally:
        gc.enable()
