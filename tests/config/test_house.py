"""`make run` from the outside: opens, says when it is open already, survives kill -9 with its data, closes clean."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.live import ROOT, free_port

READY_TIMEOUT_S = 120


class House:
    """One `python -m config.house run` with its own var folder and port, in a process group of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = free_port()
        self.log = home.parent / "run.log"
        self.popen: subprocess.Popen[bytes] | None = None

    def run(self) -> subprocess.Popen[bytes]:
        names = {"PATH", "HOME", "LANG", "PYTHONPATH"}
        clean = {name: value for name, value in os.environ.items() if name in names}
        env = clean | {"POTLINE_VAR": str(self.home), "PORT": str(self.port), "WORKERS": "1"}
        with self.log.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "config.house", "run"],
                cwd=ROOT, env=env, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def open(self) -> None:
        self.popen = self.run()
        deadline = time.monotonic() + READY_TIMEOUT_S
        while True:
            assert self.popen.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)

    def members(self) -> list[psutil.Process]:
        assert self.popen is not None
        return [psutil.Process(self.popen.pid), *psutil.Process(self.popen.pid).children(recursive=True)]

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        url = f"postgresql://potline_owner@/potline?host={self.home}/sockets"
        with psycopg.connect(url) as connection:
            return connection.execute(statement.encode()).fetchall()


@pytest.fixture
def house(servers_home: Path) -> Iterator[House]:
    folder = Path(tempfile.mkdtemp(prefix="house-", dir=servers_home))
    folder.chmod(0o711)
    house = House(folder / "var")
    yield house
    if house.popen is not None and house.popen.poll() is None:
        for process in house.members():
            process.kill()
    print(house.log.read_text() if house.log.exists() else "")


def test_house_opens_survives_and_closes(house: House) -> None:
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


def test_port_in_use_is_said_in_a_sentence(house: House) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", house.port))
        taken.listen()
        assert house.run().wait(60) == 1
    assert f"Port {house.port} cannot be used" in house.log.read_text()
    assert not (house.home / "postgres").exists()
