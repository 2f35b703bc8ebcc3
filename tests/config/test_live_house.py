"""The harness itself and the running house: real web server, worker and beat on a database that commits."""

import json
import threading
import time
import urllib.error
import urllib.request

import psycopg
import pytest
from django.db import connection

from people import audit
from people.models import AuditRecord, Premises
from tests.live import LiveHouse


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_committed_db_is_seen_by_other_connections(committed_db: str) -> None:
    audit.record("tests", "tests.commit")
    with psycopg.connect(committed_db) as other:
        assert other.execute("SELECT action FROM people_auditrecord").fetchall() == [("tests.commit",)]
    seen: list[int] = []

    def count() -> None:
        seen.append(AuditRecord.objects.count())
        connection.close()

    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    assert seen == [1]


def test_committed_db_is_fresh_each_time(committed_db: str) -> None:
    assert not AuditRecord.objects.exists()


@pytest.mark.django_db
def test_ordinary_tests_are_back_on_their_own_database() -> None:
    assert connection.settings_dict["NAME"] == "test_potline"
    assert not Premises.objects.exists()


def test_house_becomes_ready_and_says_why_not(live_house: LiveHouse) -> None:
    address, web = live_house.start_web()
    assert get(address + "/healthz") == (200, "ok\n")
    status, text = get(address + "/readyz")
    assert status == 503
    state = json.loads(text)
    assert (state["database"], state["redis"]) == ("ok", "ok")
    assert "no worker" in state["worker"]
    live_house.start_worker(concurrency=1)
    live_house.wait_for(address + "/readyz", web)
    status, text = get(address + "/metrics")
    assert status == 200
    age = next(line for line in text.splitlines() if line.startswith("potline_worker_heartbeat_age_seconds"))
    assert 0 <= float(age.split()[1]) < 30


def test_beat_keeps_the_heartbeat_young(live_house: LiveHouse) -> None:
    import redis

    from config.health import HEARTBEAT_EVERY_S, HEARTBEAT_KEY

    client = redis.from_url(live_house.redis_url)
    live_house.start_worker(concurrency=1)
    live_house.start_beat()
    first = wait_for_key(client, HEARTBEAT_KEY, older_than=0.0)
    second = wait_for_key(client, HEARTBEAT_KEY, older_than=first)
    assert second - first <= HEARTBEAT_EVERY_S + 3


def wait_for_key(client: object, key: str, older_than: float) -> float:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        value = client.get(key)  # type: ignore[attr-defined]
        if value is not None and float(value) > older_than:
            return float(value)
        time.sleep(0.1)
    raise AssertionError(f"{key} was not written in time")
