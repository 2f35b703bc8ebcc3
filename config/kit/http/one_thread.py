"""Django's ASGI handler with the whole way of a request, middleware and view, in one thread.

Our views are synchronous, and so is all middleware at heart. Django's own handler runs the chain on the event loop and
sends each part of it into the request's thread and back: eighteen times a request, which took longer than the view.
"""

from __future__ import annotations

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThread(ASGIHandler):
    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = await sync_to_async(self.get_response, thread_sensitive=True)(request)
        return response


def asgi_application() -> OneThread:
    """As Django's `get_asgi_application`: loads the apps."""
    django.setup(set_prefix=False)
    return OneThread()
