"""The signs alone: their page, their sockets and the files of both, by a process and a database role of their own.

Whoever takes it over can read jackpots and say what signs showed, and nothing else. Web servers send signs here where
SIGNS_PORT is set; without it they serve signs themselves (config.asgi).
"""

from __future__ import annotations

import os
from typing import Any

from channels.routing import ProtocolTypeRouter

from config.kit.demo import guard_server
from config.kit.http import sockets
from config.kit.http.admission import Admission
from config.kit.http.one_thread import asgi_application
from config.kit.processes import all_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["POTLINE_PROCESS"] = "signs"

http = asgi_application()
guard_server()
PATHS = ("/signs/", "/static/", "/healthz")


def _sockets() -> Any:
    from jackpots.routing import websocket_urlpatterns

    return sockets.of_pages(websocket_urlpatterns)


async def only_signs(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Every other address is none, whoever asks: nothing of it runs here. Nor does a log-in: browsers send the cookie
    of Potline's pages to every port of its host, and the role of signs may not read whose it is."""
    if scope["path"].startswith(PATHS):
        bare = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        await http({**scope, "headers": bare}, receive, send)
        return
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"Only signs are served here."})


application = ProtocolTypeRouter({"http": Admission(only_signs), "websocket": _sockets()})
all_is_loaded()
