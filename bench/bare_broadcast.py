"""What `websockets` alone takes to send a frame from Redis to all sockets: the mark for the signs' hub. Also, with
`group`, what Channels' own way takes: a consumer for each socket, and `group_send` over Redis."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

CHANNEL = "bench:bare"
MAX_CONNECTIONS = 10_000
"""To Redis, of Channels' own way: redis-py's own limit of 100 refuses the rest of a crowd that comes at once."""


async def bare(port: int) -> None:
    import redis.asyncio
    from websockets.asyncio.server import broadcast, serve

    sockets: set[Any] = set()

    async def keep(socket: Any) -> None:
        sockets.add(socket)
        try:
            await socket.wait_closed()
        finally:
            sockets.discard(socket)

    heard = redis.asyncio.Redis.from_url(os.environ["REDIS_URL"]).pubsub(ignore_subscribe_messages=True)
    await heard.subscribe(CHANNEL)
    async with serve(keep, "127.0.0.1", port, compression=None, ping_interval=None):
        async for message in heard.listen():
            broadcast(sockets, message["data"].decode())


def group_app() -> Any:
    """An ASGI application for uvicorn."""
    from channels.generic.websocket import AsyncWebsocketConsumer
    from channels.layers import get_channel_layer

    class Member(AsyncWebsocketConsumer):  # type: ignore[misc]
        async def connect(self) -> None:
            await get_channel_layer().group_add("bench", self.channel_name)
            await self.accept()

        async def frame(self, event: dict[str, str]) -> None:
            await self.send(text_data=event["text"])

    return Member.as_asgi()


def host_of_group() -> dict[str, Any]:
    return {"address": os.environ["REDIS_URL"], "max_connections": MAX_CONNECTIONS}


def set_up_group() -> None:
    from django.conf import settings

    layer = {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [host_of_group()]},
    }
    if not settings.configured:
        settings.configure(CHANNEL_LAYERS={"default": layer})


def main() -> None:
    kind, port = sys.argv[1], int(sys.argv[2])
    if kind == "bare":
        asyncio.run(bare(port))
        return
    set_up_group()
    import uvicorn

    uvicorn.run(group_app(), port=port, log_level="critical", lifespan="off", ws="websockets-sansio")


if __name__ == "__main__":
    main()
