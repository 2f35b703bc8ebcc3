"""The harness itself and the running installation: real web server, worker and beat on a database that commits."""

import json
import os
import signal
import threading
import time
import urllib.error
import urllib.request

import psutil
import psycopg
import pytest
import redis
from django.db import connection

from config.celery import app
from config.kit.http.health import HEARTBEAT_KEY, HEARTBEAT_STALE_S
from config.local.servers import Redis
from people.audit import audit
from people.models import AuditRecord, Premises
from tests.live import LiveProcesses, Running


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


def test_house_becomes_ready_and_says_why_not(processes: LiveProcesses) -> None:
    address, web = processes.start_web()
    assert get(address + "/healthz") == (200, "ok\n")
    status, text = get(address + "/readyz")
    assert status == 503
    state = json.loads(text)
    assert (state["database"], state["redis"]) == ("ok", "ok")
    assert "no worker" in state["worker"]
    processes.start_worker(concurrency=1)
    processes.wait_for(address + "/readyz", web)
    status, text = get(address + "/metrics")
    assert status == 200
    age = next(line for line in text.splitlines() if line.startswith("potline_worker_heartbeat_age_seconds"))
    assert 0 <= float(age.split()[1]) < 30


def test_heartbeat_stays_young_and_survives_the_loss_of_redis(
    processes: LiveProcesses, own_redis: Redis
) -> None:
    processes.redis_url = own_redis.url
    worker = processes.start_worker(concurrency=1)
    beat = processes.start_beat()
    first = wait_for_heartbeat(own_redis.url, after=0.0)
    second = wait_for_heartbeat(own_redis.url, after=first)
    assert second - first < HEARTBEAT_STALE_S
    own_redis.stop()  # and everything in it
    own_redis.start()
    assert wait_for_heartbeat(own_redis.url, after=second) > second
    assert (worker.popen.poll(), beat.popen.poll()) == (None, None)


def refuse_writes(url: str) -> redis.Redis:
    """As a Redis that is full does: reads are answered, whatever may add is not."""
    client = redis.from_url(url)
    client.config_set("maxmemory-policy", "noeviction")
    client.config_set("maxmemory", 1)
    return client


def test_worker_outlives_a_redis_that_refuses_while_it_works(
    processes: LiveProcesses, own_redis: Redis
) -> None:
    """The job ends, its acknowledgement is refused, so is the return of the message to its queue; then all is well."""
    processes.redis_url = own_redis.url
    worker, beat = start_slow_worker(processes), processes.start_beat()
    for _ in range(3):
        client = refuse_writes(own_redis.url)
        time.sleep(4)  # longer than the job
        refused_at = time.time()
        client.config_set("maxmemory", 0)
        assert wait_for_heartbeat(own_redis.url, after=refused_at) > refused_at
        (processes.folder / "begun").unlink()
        begin_slow_job(processes, worker)
    assert "OutOfMemoryError" in worker.log_text()
    assert (worker.popen.poll(), beat.popen.poll()) == (None, None)
    # Celery tells of an interrupted refresh by two tracebacks. Refused for twelve seconds: one a second at most.
    told = worker.log_text() + beat.log_text()
    assert told.count("Traceback") <= 12, "a flood of tracebacks"
    assert len([line for line in told.splitlines() if not line.startswith("  ")]) < 400, "a flood of lines"


def test_worker_outlives_a_redis_that_dies_while_it_works(processes: LiveProcesses, own_redis: Redis) -> None:
    processes.redis_url = own_redis.url
    worker, beat = start_slow_worker(processes), processes.start_beat()
    assert own_redis._process is not None
    own_redis._process.kill()
    own_redis._process.wait()
    time.sleep(4)
    own_redis.start()
    back_at = time.time()
    assert wait_for_heartbeat(own_redis.url, after=back_at) > back_at
    assert (worker.popen.poll(), beat.popen.poll()) == (None, None)


def test_worker_that_starts_without_a_fit_redis_waits_for_it(
    processes: LiveProcesses, own_redis: Redis
) -> None:
    processes.redis_url = own_redis.url
    client = refuse_writes(own_redis.url)
    command = ["-m", "celery", "-A", "config.workers", "worker", "--concurrency", "1"]
    worker, beat = processes.start_part("worker", "worker", *command), processes.start_beat()
    time.sleep(10)
    assert (worker.popen.poll(), beat.popen.poll()) == (None, None), worker.log_text()
    client.config_set("maxmemory", 0)
    assert wait_for_heartbeat(own_redis.url, after=0.0)


def test_house_is_not_ready_while_redis_refuses_writes(processes: LiveProcesses, own_redis: Redis) -> None:
    processes.redis_url = own_redis.url
    address, web = processes.start_web()
    processes.start_worker(concurrency=1)
    processes.start_beat()
    processes.wait_for(address + "/readyz", web)
    client = refuse_writes(own_redis.url)
    status, text = get(address + "/readyz")
    assert status == 503
    assert "maxmemory" in json.loads(text)["redis"]
    client.config_set("maxmemory", 0)
    processes.wait_for(address + "/readyz", web)


@pytest.mark.soak
def test_house_works_with_a_pool_opened_after_the_fork(processes: LiveProcesses) -> None:
    processes.extra_env["POTLINE_DATABASE_POOL"] = "1"
    address, web = processes.start_web()
    worker = processes.start_worker(concurrency=2)
    processes.wait_for(address + "/readyz", web)
    statuses: list[int] = []

    def ask() -> None:
        statuses.extend(get(address + "/login/")[0] for _ in range(10))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 80
    assert "Traceback" not in web.log_text() + worker.log_text()


def test_worker_finishes_its_job_when_the_group_is_told_to_stop(processes: LiveProcesses) -> None:
    """Some supervisors signal the whole process group, children included."""
    worker = start_slow_worker(processes)
    children = psutil.Process(worker.pid).children(recursive=True)
    os.killpg(worker.pid, signal.SIGTERM)
    assert worker.popen.wait(60) == 0
    assert (processes.folder / "done").exists(), worker.log_text()
    assert "WorkerLostError" not in worker.log_text()
    assert psutil.wait_procs(children, timeout=30)[1] == []


def test_children_go_with_a_killed_worker(processes: LiveProcesses) -> None:
    worker = processes.start_worker(concurrency=2)
    deadline = time.monotonic() + 60
    while len(children := psutil.Process(worker.pid).children(recursive=True)) < 2:
        assert time.monotonic() < deadline, worker.log_text()
        time.sleep(0.05)
    os.kill(worker.pid, signal.SIGKILL)  # the parent alone
    worker.popen.wait()
    assert psutil.wait_procs(children, timeout=30)[1] == []


SLOW = """
import time
from pathlib import Path
from config.workers import app

HERE = Path(__file__).parent

@app.task
def slow():
    (HERE / "begun").touch()
    time.sleep(2)
    (HERE / "done").touch()
"""


def start_slow_worker(processes: LiveProcesses) -> Running:
    """A worker in the midst of a job of two seconds."""
    (processes.folder / "slow_tasks.py").write_text(SLOW)
    processes.extra_env["PYTHONPATH"] = str(processes.folder)
    command = ["-m", "celery", "-A", "slow_tasks", "worker", "--concurrency", "1"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    worker = processes.start_part("worker", "worker", *command)
    begin_slow_job(processes, worker)
    return worker


def begin_slow_job(processes: LiveProcesses, worker: Running) -> None:
    with app.connection_for_write(processes.redis_url.replace("unix://", "redis+socket://", 1)) as broker:
        app.send_task("slow_tasks.slow", connection=broker)
    deadline = time.monotonic() + 60
    while not (processes.folder / "begun").exists():
        assert time.monotonic() < deadline, worker.log_text()
        time.sleep(0.05)


def wait_for_heartbeat(url: str, after: float) -> float:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        value = redis.from_url(url).get(HEARTBEAT_KEY)
        if value is not None and float(value) > after:
            return float(value)
        time.sleep(0.2)
    raise AssertionError("no worker left a heartbeat in time")
