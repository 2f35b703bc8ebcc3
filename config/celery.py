"""The one place that configures Celery, and the one way to make a periodic job. config.workers loads the jobs.

A message is only a wake-up call: every job finds its work in PostgreSQL, so a lost or doubled message does no harm.
Apps put their jobs into their own tasks.py; config.kit.wake_ups rings for them:

    @job                              # a task with Potline's settings
    @periodic(seconds=5)              # the same, started by beat, one at a time over all machines
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

import structlog
from celery import Celery, signals
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import OperationalError, connection, connections

from config.kit import origin
from config.kit.database import is_lock_timeout
from config.kit.fastsql.statements import rows_of

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SOFT_TIME_LIMIT_S = 120
TIME_LIMIT_S = 150
# Redis hands an unacknowledged message to another worker after this; it must lie above every time limit.
VISIBILITY_TIMEOUT_S = 600

logger = structlog.get_logger(__name__)


class CeleryConfig:
    """Celery's settings; broker_url is read late, so that tests may point it at their own server."""

    task_acks_late = True
    task_reject_on_worker_lost = True
    task_soft_time_limit = SOFT_TIME_LIMIT_S
    task_time_limit = TIME_LIMIT_S
    task_ignore_result = True
    task_serializer = "json"
    accept_content = ["json"]
    result_backend = None
    worker_prefetch_multiplier = 1
    worker_hijack_root_logger = False
    worker_redirect_stdouts = False
    worker_send_task_events = False
    worker_cancel_long_running_tasks_on_connection_loss = True
    broker_connection_retry_on_startup = True
    broker_connection_max_retries = None  # a worker waits for its broker for ever
    broker_channel_error_retry = (
        True  # also for one that answers and refuses: a full Redis is no reason to end
    )
    broker_transport_options = {
        "visibility_timeout": VISIBILITY_TIMEOUT_S,
        "socket_timeout": 30,
        "socket_connect_timeout": 2,
        # Of a publisher that finds no broker: try once more, do not hold up the caller (a worker tries for ever).
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "connect_retries_timeout": 1,
    }
    timezone = "UTC"
    enable_utc = True


def broker_url() -> str:
    """BROKER_URL, else Redis. Kombu spells a Unix socket redis+socket://, redis-py unix://."""
    url: str = settings.BROKER_URL or settings.REDIS_URL
    return url.replace("unix://", "redis+socket://", 1)


app = Celery("potline", config_source=CeleryConfig)
app.set_default()
# A job keeps the session of the one before it: a new one costs PostgreSQL and us several milliseconds, and jobs come
# every second. `_check_session` below throws a broken one away before the next job asks.
app.conf["CELERY_DB_REUSE_MAX"] = 500


@app.on_configure.connect
def _point_at_broker(sender: Celery, **_: Any) -> None:
    sender.conf.update(broker_url=broker_url())


def job(function: Callable[..., Any]) -> Any:
    """Makes a task of a function. Time limits, acknowledgement and retries are set here, not by the caller."""
    return app.task(_giving_way(function))


def long_job(*, time_limit_s: int, claims_its_work: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """A job with a longer limit, for work that can be taken up again. It must end before Redis redelivers, unless it
    claims its work in PostgreSQL and keeps the claim alive: then a second delivery finds nothing to do."""
    if time_limit_s >= VISIBILITY_TIMEOUT_S and not claims_its_work:
        raise ValueError(f"{time_limit_s} s is not below the visibility timeout of {VISIBILITY_TIMEOUT_S} s.")
    soft_limit_s = time_limit_s - (TIME_LIMIT_S - SOFT_TIME_LIMIT_S)

    def decorate(function: Callable[..., Any]) -> Any:
        return app.task(time_limit=time_limit_s, soft_time_limit=soft_limit_s)(_giving_way(function))

    return decorate


def _giving_way(function: Callable[..., Any]) -> Callable[..., Any]:
    """A job that did not get a lock in time ends without a fault: it finds the same work the next time."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except OperationalError as error:
            if not is_lock_timeout(error):
                raise
            name = f"{function.__module__}.{function.__qualname__}"
            logger.warning("job_gave_way", job=name, error=" ".join(str(error).split()))

    return run


def periodic(*, seconds: float) -> Callable[[Callable[[], Any]], Any]:
    """A job that beat starts every so many seconds; while one runs anywhere, others of its name give way.

    A tick that no worker took in time expires, so that a stopped worker does not come back to a queue of old ones.
    """

    def decorate(function: Callable[[], Any]) -> Any:
        name = f"{function.__module__}.{function.__qualname__}"

        def locked() -> None:
            with advisory_lock(name) as held:
                if held or not _another_worker_has(name):
                    _giving_way(function)()
                else:
                    logger.debug("periodic_job_gave_way", job=name)

        locked.__doc__ = function.__doc__
        task = app.task(name=name)(locked)
        _rhythm(seconds).append(task)
        return task

    return decorate


_rhythms: dict[float, list[Any]] = {}


def _rhythm(seconds: float) -> list[Any]:
    """The jobs that come every so many seconds. They share one message: its way through the queue takes longer than
    most of them do where there is nothing to do."""
    if seconds not in _rhythms:
        jobs = _rhythms[seconds] = []
        name = f"config.celery.every_{seconds:g}_s"

        def together() -> None:
            _one_by_one(jobs)

        app.task(name=name)(together)
        app.conf.beat_schedule[name] = {
            "task": name,
            "schedule": seconds,
            "options": {"expires": max(seconds, 1.0)},
        }
    return _rhythms[seconds]


@app.task(name="config.celery.at_once")
def at_once(names: list[str]) -> None:
    """Several rhythms that are due in the same moment, in one message (config.beat_clock); the quickest first, so that
    none waits for jobs that are seldom and take longer."""
    found = {app.conf.beat_schedule[name]["schedule"] for name in names if name in app.conf.beat_schedule}
    for seconds in sorted(found):
        _one_by_one(_rhythms[seconds])


def _one_by_one(jobs: list[Any]) -> None:
    """One that fails holds up none of the others; one that takes long is passed by the next message's, by its lock."""
    message = origin.current()
    for task in jobs:
        origin.begin(origin.Origin(request_id=message.request_id, job=task.name))
        _check_session()
        try:
            task()
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("periodic_job_failed", job=task.name)


@cache
def lock_key(name: str) -> int:
    """PostgreSQL's advisory locks are numbers: the first eight bytes of the name's SHA-256."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


@contextmanager
def advisory_lock(name: str) -> Iterator[bool]:
    """Tries for a session-level advisory lock: True while held. A lost connection gives it back by itself."""
    ((held,),) = rows_of("SELECT pg_try_advisory_lock(%s::bigint)", [lock_key(name)])
    session = connection.connection
    try:
        yield held
    finally:
        if held and connection.connection is session and not session.closed:
            rows_of("SELECT pg_advisory_unlock(%s::bigint)", [lock_key(name)])
        elif held and settings.DATABASE_POOL:
            # The job closed its connection, which put it back into the pool with the lock: end the pool's sessions.
            _close_connections()


_HELD_BY_OUR_ROLE = """
    SELECT EXISTS (
        SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (l.classid::bigint << 32 | l.objid::bigint) = %s AND a.usename = current_user)
"""


def _another_worker_has(name: str) -> bool:
    """Any role may take any advisory lock; one that no worker has stops no job. Jobs are safe to run beside each
    other, wherever they run: the lock only spares work."""
    ((ours,),) = rows_of(_HELD_BY_OUR_ROLE, [lock_key(name)])
    if not ours:
        logger.warning("periodic_job_passed_a_lock", job=name, about="No worker holds it: see who does.")
    return bool(ours)


@signals.worker_before_create_process.connect
def _close_connections(**_: Any) -> None:
    """Before a fork: a connection or pool opened by the parent would be shared by its children."""
    for alias in connections:
        wrapper = connections[alias]
        wrapper.close()
        if hasattr(wrapper, "close_pool"):
            wrapper.close_pool()


@signals.task_prerun.connect
def _check_session(**_: Any) -> None:
    """One that has failed, or was left inside of a transaction, is closed; the next statement opens another."""
    for wrapper in connections.all(initialized_only=True):
        wrapper.close_if_unusable_or_obsolete()


@signals.task_prerun.connect
def _name_the_job_in_log_lines(task_id: str, task: Any, **_: Any) -> None:
    origin.begin(origin.Origin(request_id=task_id, job=task.name))


@signals.setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Being connected is enough: Celery then leaves logging as settings.LOGGING has it."""
