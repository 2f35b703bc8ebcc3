"""The doors, tried from outside: bodies, slow clients, too many requests, caches, sockets in the clear, Redis."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import httpx
import pyotp
import pytest
import redis
from django.test import Client

from config.kit.http import admission
from config.kit.http.admission import Admission, Allowance, TooOften, only_encrypted
from config.local.servers import Redis
from tests.live import LiveProcesses

EVENTS = "/api/v1/tables/harbour/CS-01/events"


def connect(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=30)


def answer(line: socket.socket) -> bytes:
    """All until the server closes it."""
    got = b""
    while part := line.recv(65_536):
        got += part
    return got


def test_bodies_and_headers_from_strangers(processes: LiveProcesses) -> None:
    address, _ = processes.start_web()
    for path in (EVENTS, "/login/"):
        with connect(address) as line:
            line.sendall(
                f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n".encode()
            )
            got = answer(line)  # not a byte of the body was sent
        assert got.startswith(b"HTTP/1.1 413"), path
        assert (b'"code": "too_large"' in got) == (path == EVENTS)
    with connect(address) as line:
        line.sendall(
            f"POST {EVENTS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        sent, chunk = 0, b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        try:
            while sent < 60_000_000:
                line.sendall(chunk)
                sent += 65_536
        except OSError:
            pass
        assert sent < 20_000_000, "it is not read on for ever"
    with connect(address) as line:
        began = time.monotonic()
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        assert answer(line) == b""
        assert 5 < time.monotonic() - began < 28, "whoever does not finish its headers is dropped"
    with connect(address) as line:
        assert answer(line) == b"", "and whoever says nothing"


@pytest.mark.copy_of("demo_template")
def test_step_up_holds_on_a_real_server(processes: LiveProcesses) -> None:
    """What a request knows of its log-in reaches the verb through uvicorn's event loop and Django's threads."""
    address, _ = processes.start_web(POTLINE_SECOND_FACTOR_FOR="access")
    with httpx.Client(base_url=address, timeout=60) as client:
        form: dict[str, str] = {"username": "admin", "password": "admin-demo-2468"}
        client.get("/login/")
        assert _post(client, "/login/", form).status_code == 302
        invited = {"username": "mere", "name": "M", "premises": "harbour", "role": "finance", "reason": "new"}
        led = _post(client, "/people/invite/", invited)
        assert (led.status_code, led.headers["location"].partition("?")[0]) == (302, "/confirm/")
        key = re.search(r'class="mono">([A-Z2-7]{32})<', client.get("/me/").text)
        assert key is not None
        assert _post(client, "/me/second-factor/", {"code": pyotp.TOTP(key[1]).now()}).status_code == 302
        assert "/invitations/" in _post(client, "/people/invite/", invited).text


def _post(client: httpx.Client, path: str, form: dict[str, str]) -> httpx.Response:
    token = client.cookies["csrftoken"]
    return client.post(
        path, data=form | {"csrfmiddlewaretoken": token}, headers={"Referer": str(client.base_url)}
    )


async def _ask(
    app: Admission, *, path: str = "/", headers: Any = (), body: Any = None, client: str = "10.0.0.1"
) -> int:
    statuses: list[int] = []

    async def receive() -> Any:
        if body is not None:
            return await body()
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {"type": "http", "path": path, "headers": list(headers), "client": (client, 1)}
    await app(scope, receive, send)
    return statuses[0]


async def _reads_all(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})


def test_a_body_that_does_not_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "BODY_S", 0.3)

    async def drip() -> Any:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"x", "more_body": True}

    assert asyncio.run(_ask(Admission(_reads_all), path=EVENTS, body=drip)) == 408


def test_who_is_turned_away_is_told_under_which_request(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whether the same may be sent again."""
    settings.REQUESTS_A_SECOND = 0.001
    monkeypatch.setattr(admission, "BODY_S", 0.05)
    told: list[Any] = []

    async def never() -> Any:
        await asyncio.sleep(5)

    async def send(message: Any) -> None:
        told.append(message)

    async def scene() -> None:
        large = [(b"content-length", b"9" * 9), (b"x-request-id", b"from-a-proxy-7")]
        for client, headers in (("10.0.0.1", []), ("10.0.0.2", large), ("10.0.0.2", [])):
            scope = {"type": "http", "path": EVENTS, "headers": headers, "client": (client, 1)}
            app.by_token = admission.Allowance(1)
            app.terminals_by_address.most = 1
            await app(scope, never, send)

    app = Admission(_reads_all)
    asyncio.run(scene())
    starts = [message for message in told if message["type"] == "http.response.start"]
    problems = [json.loads(message["body"]) for message in told if message["type"] == "http.response.body"]
    ids = [dict(start["headers"])[b"x-request-id"].decode() for start in starts]
    assert [(each["status"], each["retry"]) for each in problems] == [(408, True), (413, False), (429, True)]
    assert ids[1] == "from-a-proxy-7"
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in (ids[0], ids[2]))


def test_a_caller_who_asks_too_often_waits_and_no_other(settings: Any) -> None:
    settings.REQUESTS_A_SECOND = 2

    async def scene() -> tuple[list[int], int, list[int]]:
        app = Admission(_reads_all)
        many = [await _ask(app, path="/login/") for _ in range(12)]
        other = await _ask(app, path="/login/", client="10.0.0.2")
        token = [(b"authorization", b"Bearer one")]
        beats = [await _ask(app, path=EVENTS, headers=token) for _ in range(12)]
        return many, other, beats

    many, other, beats = asyncio.run(scene())
    assert many == [200] * 10 + [429] * 2
    assert other == 200
    assert beats == [200] * 10 + [429] * 2


def test_made_up_tokens_share_the_allowance_of_their_address(settings: Any) -> None:
    settings.REQUESTS_A_SECOND = 1

    async def scene() -> list[int]:
        app = Admission(_reads_all)
        made_up = [[(b"authorization", f"Bearer {number}".encode())] for number in range(120)]
        return [await _ask(app, path=EVENTS, headers=headers) for headers in made_up]

    assert asyncio.run(scene()).count(429) >= 18


def test_an_allowance_comes_back_and_forgets_nobody_it_should_not() -> None:
    allowance = Allowance(10)
    for _ in range(50):
        allowance.take("one", 0.0)
    with pytest.raises(TooOften):
        allowance.take("one", 0.0)
    allowance.take("one", 0.2)
    allowance.take("one", 0.2)
    with pytest.raises(TooOften):
        allowance.take("one", 0.2)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/login/", "/", "/api/v1/alerts", "/nowhere/", "/api/nowhere", "/healthz"])
def test_nothing_is_kept_by_a_cache(path: str) -> None:
    assert "no-store" in Client().get(path).headers["Cache-Control"]


def test_a_socket_in_the_clear_is_refused_where_pages_are_https(settings: Any) -> None:
    reached: list[str] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["scheme"])

    async def scene(scheme: str) -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await only_encrypted(inner)({"type": "websocket", "scheme": scheme}, receive, send)
        return sent

    settings.HTTPS = True
    assert asyncio.run(scene("ws")) == ["websocket.close"]
    assert asyncio.run(scene("wss")) == []
    settings.HTTPS = False
    assert asyncio.run(scene("ws")) == []
    assert reached == ["wss", "ws"]


def test_the_bundled_redis_does_no_more_than_it_must(own_redis: Redis) -> None:
    client = redis.from_url(own_redis.url)
    for command in (
        ["DEBUG", "SLEEP", "0"],
        ["MODULE", "LIST"],
        ["REPLICAOF", "10.0.0.1", "6379"],
        ["BGSAVE"],
    ):
        with pytest.raises(redis.ResponseError, match="unknown command"):
            client.execute_command(*command)  # type: ignore[no-untyped-call]
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert client.config_get("maxmemory") != {"maxmemory": "0"}
    assert own_redis.socket.stat().st_mode & 0o077 == 0
