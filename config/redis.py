"""Connections to Redis by settings.REDIS_URL, read late. What is put there may be lost at any time."""

from __future__ import annotations

from functools import lru_cache

import redis
import redis.asyncio
from django.conf import settings


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
