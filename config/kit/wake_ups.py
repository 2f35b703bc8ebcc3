"""Wake-up calls: after a commit, a worker is told that there is work. The rows are the work; this is only the bell.

ring(settle_closed)               # after commit, wake a worker; never fails the caller
ring_at(moment, fold, 7)          # the same, for work that is there from a moment on
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

import structlog
from celery import signals
from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError

from config.kit.redis import client

logger = structlog.get_logger(__name__)


class _Bell:
    """Remembers that the broker was away, so that each request does not wait for it anew."""

    SILENT_S = 5.0
    silent_until: float = 0.0


QUEUED_MS = 3_000
"""For so long a call that waits in the queue keeps others of its kind out; after that it counts as lost."""


def ring(task: Any, *args: Any) -> None:
    """After the commit, wakes a worker. The caller's work is safe without it: a sweeper finds what was missed.

    One call of a kind waits in the queue at a time: it has not begun, so it will see this commit too. Without that,
    many small commits (heartbeats) would fill the queue, and what waits behind them would expire unseen.
    """
    transaction.on_commit(lambda: _ring_now(task, args), robust=True)


def ring_at(moment: datetime, task: Any, *args: Any) -> None:
    """After the commit, asks a worker to wake up then; once for the same moment, however often it is asked for."""
    transaction.on_commit(lambda: _ring_now(task, args, moment), robust=True)


def _ring_now(task: Any, args: tuple[Any, ...], moment: datetime | None = None) -> None:
    if time.monotonic() < _Bell.silent_until:
        return
    key, kept_ms = _queued_key(task.name, args), QUEUED_MS
    if moment is not None:
        key = f"{key}@{moment.isoformat()}"
        kept_ms += max(0, round(1000 * (moment - timezone.now()).total_seconds()))
    try:
        if client().set(key, b"1", nx=True, px=kept_ms):
            task.apply_async(args=args, eta=moment, retry=False)
    except Exception as error:  # whatever the transport raises: the bell must never fail the work
        _Bell.silent_until = time.monotonic() + _Bell.SILENT_S
        logger.warning("wake_up_not_sent", task=task.name, error=str(error))


def _queued_key(name: str, args: Iterable[Any]) -> str:
    return f"potline:queued:{name}:{','.join(map(str, args))}"


@signals.task_prerun.connect
def _leave_the_queue(task: Any, args: Iterable[Any] | None = None, **_: Any) -> None:
    """From here on a new commit needs a new call."""
    with suppress(RedisError):
        client().delete(_queued_key(task.name, args or ()))
