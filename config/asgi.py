"""The ASGI application that uvicorn serves: HTTP by Django, bounded, WebSockets by the routes in apps' routing.py."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from channels.routing import ProtocolTypeRouter

from config.kit.demo import guard_server
from config.kit.http import sockets
from config.kit.http.admission import Admission
from config.kit.http.one_thread import asgi_application
from config.kit.processes import all_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["POTLINE_PROCESS"] = "web"

http = asgi_application()  # loads the apps, so it comes before their routes
guard_server()


def _websocket_routes() -> list[Any]:
    from config.urls import APPS

    modules = [import_module(f"{app}.routing") for app in APPS if find_spec(f"{app}.routing")]
    return [route for module in modules for route in module.websocket_urlpatterns]


application = ProtocolTypeRouter({"http": Admission(http), "websocket": sockets.of_all(_websocket_routes())})
all_is_loaded()
