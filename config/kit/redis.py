"""Connections to Redis by settings.REDIS_URL, read late. What is put there may be lost at any time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import redis
import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

logger = structlog.get_logger(__name__)


@lru_cache(maxsize=8)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=30)


def client() -> redis.Redis:
    """This process's pooled client; values are bytes."""
    return _client(settings.REDIS_URL)


def async_client() -> redis.asyncio.Redis:
    """A client of its own for one event loop, for subscriptions; the caller closes it."""
    return redis.asyncio.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=2, health_check_interval=30
    )


RETRY_S = 1.0


@dataclass
class Subscription:
    """Listens to a pattern of channels until its task is cancelled. Without Redis nothing comes; it tries again until
    Redis is back, and nothing that comes ends it."""

    pattern: str
    take: Callable[[bytes, bytes], None]
    """Called with channel and message."""
    silent_s: float
    """A subscription that hears nothing for so long may hang on a dead connection, and is made anew."""
    chatty: bool = True
    """Something comes all the time, so that silence is worth a line in the log."""

    async def run(self) -> None:
        while not _cancelled():
            try:
                await self._listen()
            except TimeoutError:
                (logger.warning if self.chatty else logger.debug)(
                    "subscription_heard_nothing", pattern=self.pattern, seconds=self.silent_s
                )
                continue  # at once, so that next to nothing is missed
            except (RedisError, OSError) as error:
                logger.warning("subscription_lost_redis", pattern=self.pattern, error=repr(error))
            except Exception:
                logger.exception("subscription_failed", pattern=self.pattern)
            await asyncio.sleep(RETRY_S)

    async def _listen(self) -> None:
        client = async_client()
        try:
            subscription = client.pubsub(ignore_subscribe_messages=True)
            await subscription.psubscribe(self.pattern)
            messages = subscription.listen()
            while not _cancelled():
                async with asyncio.timeout(self.silent_s):
                    message = await anext(messages)
                self.take(message["channel"], message["data"])
        finally:
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()


def _cancelled() -> bool:
    """Asked in each turn, because asyncio.wait_for of Python 3.11, which redis-py calls, can swallow the cancellation:
    a subscription that nobody can end any more would also keep the process from ending."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
