"""What config.celery promises: settings that lose no message, one periodic job at a time, a bell that never hurts."""

import json
import time
from collections.abc import Iterator
from datetime import timedelta

import psycopg
import pytest
import redis
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import celery
from config.celery import advisory_lock, app, job, lock_key, periodic
from config.kit import origin, wake_ups
from config.kit.wake_ups import ring, ring_at
from config.local.servers import Redis
from tests.conftest import celery_on_settings

calls: list[str] = []


@periodic(seconds=7)
def tick_job() -> None:
    calls.append("tick")


@job
def rung_job() -> None:
    calls.append("rung")


@pytest.fixture(autouse=True)
def no_calls_yet() -> Iterator[None]:
    calls.clear()
    wake_ups._Bell.silent_until = 0.0
    yield
    wake_ups._Bell.silent_until = 0.0


def test_messages_are_acknowledged_late_and_come_back_only_after_the_time_limit() -> None:
    conf = app.conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert (
        conf.task_soft_time_limit < conf.task_time_limit < conf.broker_transport_options["visibility_timeout"]
    )


def test_a_job_that_claims_its_work_may_outlast_redelivery() -> None:
    with pytest.raises(ValueError, match="visibility timeout"):
        celery.long_job(time_limit_s=celery.VISIBILITY_TIMEOUT_S)
    assert callable(celery.long_job(time_limit_s=celery.VISIBILITY_TIMEOUT_S, claims_its_work=True))


def test_periodic_job_is_in_beats_schedule_and_its_ticks_expire() -> None:
    name = "config.celery.every_7_s"
    entry = app.conf.beat_schedule[name]
    assert (entry["task"], entry["schedule"], entry["options"]) == (name, 7, {"expires": 7})
    assert {name, tick_job.name} <= set(app.tasks)


@periodic(seconds=7)
def breaking_job() -> None:
    calls.append("broken")
    raise ZeroDivisionError


@periodic(seconds=7)
def later_job() -> None:
    calls.append(f"later, as {origin.current().job.rpartition('.')[2]}")


def test_jobs_of_one_rhythm_share_a_message_and_none_holds_up_the_others(committed_db: str) -> None:
    app.tasks["config.celery.every_7_s"]()
    assert calls == ["tick", "broken", "later, as later_job"]
    with psycopg.connect(committed_db, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [lock_key(tick_job.name)])
        app.tasks["config.celery.every_7_s"]()
    assert calls[3:] == ["broken", "later, as later_job"], "the first is still at it elsewhere"


@periodic(seconds=11)
def seldom_job() -> None:
    calls.append("seldom")


def test_rhythms_that_are_due_together_share_a_message_the_quickest_first(committed_db: str) -> None:
    celery.at_once(["config.celery.every_11_s", "config.celery.every_7_s", "config.celery.of_an_older_beat"])
    assert calls == ["tick", "broken", "later, as later_job", "seldom"]


def test_two_beats_do_no_harm(committed_db: str) -> None:
    with psycopg.connect(committed_db, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [lock_key(tick_job.name)])
        tick_job()
        assert calls == []  # another machine is at it
        other.execute("SELECT pg_advisory_unlock(%s)", [lock_key(tick_job.name)])
        tick_job()
        assert calls == ["tick"]
        held = other.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        assert held == (0,)


def test_lock_is_given_back_after_an_error(committed_db: str) -> None:
    with pytest.raises(ZeroDivisionError), advisory_lock("tests.lock") as held:
        _ = 1 // (0 if held else 1)
    with psycopg.connect(committed_db) as other:
        assert other.execute("SELECT pg_try_advisory_lock(%s)", [lock_key("tests.lock")]).fetchone() == (
            True,
        )


def test_lock_of_a_lost_connection_is_free(committed_db: str) -> None:
    with advisory_lock("tests.lock"):
        connection.close()
    with advisory_lock("tests.lock") as held:
        assert held


def test_bell_rings_after_the_commit_only(committed_db: str, redis_url: str) -> None:
    client = redis.from_url(redis_url)
    with transaction.atomic():
        ring(rung_job)
        assert client.llen("celery") == 0
    assert client.llen("celery") == 1
    with transaction.atomic():
        ring(rung_job)
        transaction.set_rollback(True)
    assert client.llen("celery") == 1


def test_bell_without_broker_neither_fails_nor_waits_and_rings_when_it_is_back(
    committed_db: str, own_redis: Redis, settings: object
) -> None:
    settings.REDIS_URL = own_redis.url  # type: ignore[attr-defined]
    own_redis.stop()
    with celery_on_settings():
        began = time.monotonic()
        ring(rung_job)  # outside of a transaction: at once
        assert wake_ups._Bell.silent_until > time.monotonic()
        assert time.monotonic() - began < 3
        own_redis.start()
        ring(rung_job)  # in the silence after a failure nobody tries
        assert redis.from_url(own_redis.url).llen("celery") == 0
        wake_ups._Bell.silent_until = 0.0
        ring(rung_job)
        assert redis.from_url(own_redis.url).llen("celery") == 1


def test_periodic_job_asks_the_database_twice_only(committed_db: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        tick_job()
    assert len(queries) == 2


def test_one_call_of_a_kind_waits_in_the_queue(committed_db: str, redis_url: str) -> None:
    """Many commits, one message; once a worker has begun it, the next commit needs a new one."""
    from config.kit.wake_ups import _leave_the_queue
    from jackpots.tasks import fold_progressive

    broker = redis.from_url(redis_url)
    for _ in range(20):
        ring(fold_progressive, 1)
    ring(fold_progressive, 2)
    assert broker.llen("celery") == 2
    _leave_the_queue(fold_progressive, args=[1])
    ring(fold_progressive, 1)
    ring(fold_progressive, 1)
    assert broker.llen("celery") == 3


def test_a_call_for_a_moment_waits_once_beside_those_for_now(committed_db: str, redis_url: str) -> None:
    from jackpots.tasks import fold_progressive

    broker, moment = redis.from_url(redis_url), timezone.now() + timedelta(seconds=1)
    for at in (moment, moment, moment + timedelta(milliseconds=1)):
        ring_at(at, fold_progressive, 1)
    ring(fold_progressive, 1)
    told = [json.loads(message)["headers"]["eta"] for message in broker.lrange("celery", 0, -1)]
    later = (moment + timedelta(milliseconds=1)).isoformat()
    assert told == [None, later, moment.isoformat()], "the last first"


def _session() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        found: int = cursor.fetchone()[0]
        return found


def test_a_job_keeps_the_session_of_the_one_before_it_and_throws_a_broken_one_away(
    committed_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert app.conf["CELERY_DB_REUSE_MAX"] > 1
    monkeypatch.setitem(
        connection.settings_dict, "CONN_MAX_AGE", 600
    )  # as config.settings has it for workers
    connection.close()
    first = _session()
    celery._check_session()
    assert _session() == first
    with psycopg.connect(committed_db, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    with pytest.raises(OperationalError):
        _session()
    celery._check_session()
    assert _session() != first
