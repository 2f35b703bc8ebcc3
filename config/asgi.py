"""The ASGI application that uvicorn serves: HTTP by Django, bounded, WebSockets by the routes in apps' routing.py."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator

from config.admission import Admission, only_encrypted, token_of
from config.demo import guard_server
from config.one_thread import asgi_application
from config.processes import all_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["POTLINE_PROCESS"] = "web"

http = asgi_application()  # loads the apps, so it comes before their routes
guard_server()


def _websocket_routes() -> list[Any]:
    from config.urls import APPS

    modules = [import_module(f"{app}.routing") for app in APPS if find_spec(f"{app}.routing")]
    return [route for module in modules for route in module.websocket_urlpatterns]


class CheckedOrigins:
    """Pages come from our own hosts. A program with a bearer's token says no origin, and needs none: no page of another
    host can make a browser send such a header."""

    def __init__(self, routes: URLRouter) -> None:
        self.routes, self.of_pages = routes, AllowedHostsOriginValidator(routes)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        by_token = token_of(scope).lower().startswith(b"bearer ")
        await (self.routes if by_token else self.of_pages)(scope, receive, send)


application = ProtocolTypeRouter(
    {"http": Admission(http), "websocket": only_encrypted(CheckedOrigins(URLRouter(_websocket_routes())))}
)
all_is_loaded()
