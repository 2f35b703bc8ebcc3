"""A request's way through middleware and view: in one thread, gone into once."""

from __future__ import annotations

import asyncio
import threading
from typing import Any
from unittest.mock import patch

from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest

from config.kit.http.one_thread import OneThread

SEEN: list[tuple[str, int]] = []


def noting(get_response: Any) -> Any:
    """Middleware that says in which thread it runs; on the event loop it would be the loop's."""

    def note(request: HttpRequest) -> Any:
        SEEN.append(("in", threading.get_ident()))
        response = get_response(request)
        SEEN.append(("out", threading.get_ident()))
        return response

    return note


async def status_of(application: Any) -> int:
    scope = {"type": "http", "method": "GET", "path": "/healthz", "headers": [(b"host", b"localhost")]}
    asked: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    await asked.send_input({"type": "http.request", "body": b""})
    begun = await asked.receive_output(60)
    while (await asked.receive_output(60)).get("more_body"):
        pass
    await asked.wait(60)
    return int(begun["status"])


def hops(handler: type[ASGIHandler]) -> int:
    """How often a request goes into a thread, from the first byte to the last."""
    count = 0
    run: Any = SyncToAsync.thread_handler

    def counted(self: Any, *given: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return run(self, *given, **named)

    async def ask() -> int:
        nonlocal count
        application: Any = handler()
        await status_of(application)
        count = 0
        return await status_of(application)

    with patch.object(SyncToAsync, "thread_handler", counted):
        assert asyncio.run(ask()) == 200
    return count


def test_goes_into_a_thread_for_itself_and_for_what_begins_and_ends_it_alone() -> None:
    ours = hops(OneThread)
    assert ours <= 6
    assert hops(ASGIHandler) >= ours + 5, "else Django's own does as well"


def test_middleware_and_view_share_a_thread_that_is_not_the_loops(settings: Any) -> None:
    settings.MIDDLEWARE = [f"{__name__}.noting", *settings.MIDDLEWARE, f"{__name__}.noting"]
    SEEN.clear()
    hops(OneThread)
    threads = [thread for _, thread in SEEN[-4:]]
    assert [when for when, _ in SEEN[-4:]] == ["in", "in", "out", "out"]
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()
