"""`make run` from the outside: opens, says when it is open already, survives kill -9 with its data, closes clean."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import RunningHouse


@pytest.fixture
def house(servers_home: Path) -> Iterator[RunningHouse]:
    folder = Path(tempfile.mkdtemp(prefix="house-", dir=servers_home))
    folder.chmod(0o711)
    house = RunningHouse(folder / "var")
    yield house
    if house.popen is not None and house.popen.poll() is None:
        for process in house.members():
            process.kill()
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
    names = {process.name() for process in everyone}
    assert {"postgres", "redis-server"} <= names
    for process in everyone:  # the whole house at once, as a power cut would
        process.kill()
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
