"""`make run` from the outside: opens, says when it is open already, survives kill -9 with its data, closes clean."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.live import RunningHouse


def kill_all(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # backends of PostgreSQL come and go
            process.kill()


@pytest.fixture
def house(servers_home: Path) -> Iterator[RunningHouse]:
    folder = Path(tempfile.mkdtemp(prefix="house-", dir=servers_home))
    folder.chmod(0o711)
    house = RunningHouse(folder / "var")
    yield house
    if house.popen is not None and house.popen.poll() is None:
        kill_all(house.members())
    print(house.log.read_text() if house.log.exists() else "")


def test_house_opens_survives_and_closes(house: RunningHouse) -> None:
    house.open()
    assert house.sql("SELECT count(*) FROM people_premises") == [(2,)]
    audit = "INSERT INTO people_auditrecord (actor_label, action, subject, reason, request_id, details)"
    house.sql(f"{audit} VALUES ('tests', 'tests.kept', '', '', '', '{{}}') RETURNING id")

    second = house.run()
    assert second.wait(60) == 1
    assert "Potline already runs here" in house.log.read_text()

    everyone = house.members()
    assert {"postgres", "redis-server"} <= house.names()
    kill_all(everyone)  # the whole house at once, as a power cut would
    assert house.popen is not None
    house.popen.wait()

    house.open()
    assert house.sql("SELECT count(*) FROM people_auditrecord WHERE action = 'tests.kept'") == [(1,)]
    everyone = house.members()
    assert len(everyone) > 6
    os.killpg(house.popen.pid, signal.SIGINT)  # Ctrl-C
    assert house.popen.wait(60) == 0, house.log.read_text()
    assert [process for process in everyone if process.is_running()] == []
    left = sorted(path.name for path in house.home.iterdir())
    assert left == ["postgres", "postgres.log", "redis.log", "run.lock", "secret-key"]
    assert not (house.home / "postgres" / "postmaster.pid").exists()


def test_port_in_use_is_said_in_a_sentence(house: RunningHouse) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", house.port))
        taken.listen()
        assert house.run().wait(60) == 1
    assert f"Port {house.port} cannot be used" in house.log.read_text()
    assert not (house.home / "postgres").exists()
