"""Who gets a WebSocket: behind the same bounds as a request, from our own pages or with a bearer's token, and at the
addresses of the apps' routing.py alone. Whoever knocks elsewhere is turned away as at a door that is closed.
"""

from __future__ import annotations

from typing import Any

from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import re_path

from config.kit.http.admission import only_encrypted, only_so_often, token_of

NOT_HERE = 4404


class CheckedOrigins:
    """Pages come from our own hosts. A program with a bearer's token says no origin, and needs none: no page of another
    host can make a browser send such a header."""

    def __init__(self, routes: URLRouter) -> None:
        self.routes, self.of_pages = routes, AllowedHostsOriginValidator(routes)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        by_token = token_of(scope).lower().startswith(b"bearer ")
        await (self.routes if by_token else self.of_pages)(scope, receive, send)


async def nobody(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """There is no socket at this address (HTTP 403)."""
    await receive()
    await send({"type": "websocket.close", "code": NOT_HERE})


def _routed(routes: list[Any]) -> URLRouter:
    return URLRouter([*routes, re_path("", nobody)])  # type: ignore[arg-type]  # Channels routes to ASGI


def of_all(routes: list[Any]) -> Any:
    return only_encrypted(only_so_often(CheckedOrigins(_routed(routes))))


def of_pages(routes: list[Any]) -> Any:
    """Without those who come with a token in a header."""
    return only_encrypted(only_so_often(AllowedHostsOriginValidator(_routed(routes))))
