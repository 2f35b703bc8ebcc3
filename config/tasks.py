"""Potline's own periodic job: proof that beat, broker and a worker are alive."""

import time
from typing import Any

from celery import signals

from config.celery import periodic
from config.kit import redis
from config.kit.http.health import HEARTBEAT_EVERY_S, HEARTBEAT_KEPT_S, HEARTBEAT_KEY


@periodic(seconds=HEARTBEAT_EVERY_S)
def heartbeat() -> None:
    """Leaves the time at which a worker last did work; /readyz reads it."""
    redis.client().set(HEARTBEAT_KEY, repr(time.time()), ex=HEARTBEAT_KEPT_S)


@signals.worker_ready.connect
def _beat_at_once(**_: Any) -> None:
    # A fresh worker need not wait for beat's first tick to be seen.
    heartbeat.apply_async(retry=False)
