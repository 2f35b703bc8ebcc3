"""`make run` from the outside: opens, says when it is open already, survives kill -9 with its data, closes clean."""

import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from config.health import HEARTBEAT_KEY
from tests.live import HOUSE_TIMEOUT_S, LocalRun


def kill_all(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # backends of PostgreSQL come and go
            process.kill()


@pytest.fixture
def house(servers_home: Path) -> Iterator[LocalRun]:
    folder = Path(tempfile.mkdtemp(prefix="house-", dir=servers_home))
    folder.chmod(0o711)
    house = LocalRun(folder / "var")
    yield house
    if house.popen is not None and house.popen.poll() is None:
        kill_all(house.members())
    print(house.log.read_text() if house.log.exists() else "")


def roles_are_separate(house: LocalRun) -> None:
    """Each part works as its own role, by a password that is in no other part's environment; nobody is trusted."""
    passwords = json.loads((house.home / "database-passwords").read_text())
    assert (house.home / "database-passwords").stat().st_mode & 0o077 == 0
    roles = {
        "config.asgi:": "potline_web",
        "config.asgi_signs:": "potline_signs",
        "worker ": "potline_worker",
    }
    for words, role in roles.items():
        given = "\n".join(part(house, words).environ().values())
        for other, secret in passwords.items():
            assert (secret in given) == (other == role), (words, other)
    for role in passwords:
        with psycopg.connect(house.database_url(role)) as session:
            assert session.execute("SELECT current_user").fetchone() == (role,)
        bare = f"postgresql://{role}@/potline?host={house.home}/sockets"
        with pytest.raises(psycopg.OperationalError, match="no password"):
            psycopg.connect(bare)
    stolen = house.database_url("potline_signs").replace("potline_signs:", "potline_owner:")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(stolen)
    deadline = time.monotonic() + 60
    while True:  # web sends the sign to the process of signs, which may still be starting
        with suppress(OSError):
            assert "Stud Jackpot" in house.get("/signs/demo-sign-main-wall/")
            break
        assert time.monotonic() < deadline, house.log.read_text()
        time.sleep(0.2)


def part(house: LocalRun, words: str) -> psutil.Process:
    """The topmost process of the house whose command line has these words."""
    assert house.popen is not None
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for process in psutil.Process(house.popen.pid).children():
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                if words in " ".join(process.cmdline()):
                    return process
        time.sleep(0.1)
    raise AssertionError(f"no {words}: {house.log.read_text()}")


def heartbeat(house: LocalRun) -> float:
    with suppress(redis.RedisError):
        value = redis.from_url(f"unix://{house.home}/redis-sockets/redis.sock").get(HEARTBEAT_KEY)
        return float(value) if value else 0.0
    return 0.0


def wait_until_fit(house: LocalRun, since: float) -> None:
    """Until /readyz is 200, and beat, broker, worker and database have done a job together since."""
    assert house.popen is not None
    while time.time() < since + HOUSE_TIMEOUT_S:
        assert house.popen.poll() is None, "the house has closed"
        with suppress(OSError):
            if heartbeat(house) > since and '"ready": true' in house.get("/readyz"):
                return
        time.sleep(0.2)
    raise AssertionError("the house is not fit to work again")


VICTIMS = {
    "worker": "config.workers worker",
    "beat": "config.workers beat",
    "web": "config.asgi:",
    "signs": "config.asgi_signs:",
    "Redis": "redis-server",
    "PostgreSQL": "bin/postgres",
}


def kill_one(house: LocalRun, name: str) -> None:
    """kill -9 of a part: it comes back, and the house stays open."""
    process = part(house, VICTIMS[name])
    killed_at = time.time()
    process.kill()
    process.wait()
    wait_until_fit(house, since=part(house, VICTIMS[name]).create_time())
    print(f"{name}: fit again after {time.time() - killed_at:.1f} s")
    said = house.log.read_text()
    assert f"{name} has ended by signal 9. It is started again in 0.5 s; the house stays open." in said


def test_house_opens_survives_and_closes(house: LocalRun) -> None:
    house.open()
    assert house.sql("SELECT count(*) FROM people_premises") == [(2,)]
    audit = (
        "INSERT INTO people_auditrecord (actor_label, action, subject, reason, request_id, details, hallmark)"
    )
    house.sql(f"{audit} VALUES ('tests', 'tests.kept', '', '', '', '{{}}', 'none') RETURNING id")

    roles_are_separate(house)
    second = house.run()
    assert second.wait(60) == 1
    assert "Potline already runs here" in house.log.read_text()

    for name in VICTIMS:
        kill_one(house, name)
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
    left = [name for name in left if name != "seals"]  # there once something was sealed
    assert left == ["database-passwords", "postgres", "postgres.log", "redis.log", "run.lock", "secret-key"]
    assert not (house.home / "postgres" / "postmaster.pid").exists()


def test_port_in_use_is_said_in_a_sentence(house: LocalRun) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", house.port))
        taken.listen()
        assert house.run().wait(60) == 1
    assert f"Port {house.port} cannot be used" in house.log.read_text()
    assert not (house.home / "postgres").exists()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "abc", "PORT must be a whole number from 1 to 65535, not 'abc'."),
        ("PORT", "0", "PORT must be a whole number from 1 to 65535, not '0'."),
        ("PORT", "99999999999", "PORT must be a whole number from 1 to 65535, not '99999999999'."),
        ("WORKERS", "many", "WORKERS must be a whole number from 1 to 1000, not 'many'."),
        ("HOST", "no.such.host.example", "cannot be used on no.such.host.example"),
        ("POTLINE_DEMO", "maybe", "POTLINE_DEMO must be 1 or 0, not 'maybe'."),
    ],
)
def test_wrong_variable_is_said_in_a_sentence(house: LocalRun, name: str, value: str, sentence: str) -> None:
    house.extra_env[name] = value
    assert house.run().wait(60) == 1
    said = house.log.read_text()
    assert sentence in said
    assert "Traceback" not in said
    assert "invalid literal" not in said
