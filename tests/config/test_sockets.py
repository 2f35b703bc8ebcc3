"""A WebSocket where there is none, whatever token comes along, and one asked for too often: closed, without a fault."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from config.kit.http import sockets


async def knock(app: Any, path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    scope = {"type": "websocket", "scheme": "ws", "path": path, "headers": headers, "client": ("10.0.0.9", 1)}
    socket: Any = ApplicationCommunicator(app, scope)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    answer: dict[str, Any] = await socket.receive_output(timeout=10)
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait(timeout=10)  # raises what the application has raised
    return answer


@pytest.mark.parametrize("path", ["/", "/api/v1/tables", "/ws/x/", "/ws/tables/harbour/", "/ws/signs/a/b/c"])
@pytest.mark.parametrize("header", [(b"authorization", b"Bearer x"), (b"origin", b"http://localhost")])
def test_elsewhere_there_is_no_socket(settings: Any, path: str, header: tuple[bytes, bytes]) -> None:
    from jackpots.routing import websocket_urlpatterns as of_signs
    from tables.routing import websocket_urlpatterns as of_tables

    settings.ALLOWED_HOSTS = ["localhost"]
    for app in (sockets.of_all([*of_signs, *of_tables]), sockets.of_pages(of_signs)):
        assert asyncio.run(knock(app, path, header))["type"] == "websocket.close"


def test_whoever_asks_too_often_is_told_to_come_again(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.REQUESTS_A_SECOND = ["localhost"], 0.01
    app = sockets.of_all([])

    async def knocks() -> list[int]:
        return [(await knock(app, "/ws/x/", (b"authorization", b"Bearer x")))["code"] for _ in range(3)]

    assert asyncio.run(knocks()) == [4404, 1013, 1013]
