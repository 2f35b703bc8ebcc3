"""Real processes on a database that really commits: the web server, workers and beat, each killable by its test.

Used through the fixtures of tests/conftest.py: `committed_db`, `processes`. LocalRun is `make run` as a whole.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg
from django.conf import settings

from config.kit import keys
from config.kit.processes import die_with_parent
from config.local.servers import Postgres
from tests import forked

ROOT = Path(__file__).resolve().parent.parent
START_TIMEOUT_S = 120
START_TIMEOUT_S = 120


def free_port() -> int:
    """Below the range that the kernel gives to clients, so that none takes it before the server does."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass
class Running:
    """One process of Potline, its whole family and its log."""

    name: str
    popen: subprocess.Popen[bytes] | forked.Forked
    log: Path

    @property
    def pid(self) -> int:
        return self.popen.pid

    def kill(self) -> None:
        """kill -9 of the process and all its children, as a power cut would."""
        family = [psutil.Process(self.pid)] if psutil.pid_exists(self.pid) else []
        for process in [*family, *(child for parent in family for child in parent.children(recursive=True))]:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        self.popen.wait()

    def ask_to_stop(self) -> list[psutil.Process]:
        """Returns its children, who are to end with it."""
        if self.popen.poll() is not None:
            return []
        children = psutil.Process(self.pid).children(recursive=True)
        self.popen.send_signal(signal.SIGTERM)
        return children

    def await_end(self, children: list[psutil.Process]) -> None:
        try:
            self.popen.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        for child in psutil.wait_procs(children, timeout=5)[1]:
            child.kill()

    def log_text(self) -> str:
        return self.log.read_text(errors="replace")


def options_of(part: str) -> list[str]:
    """Of a part of the Procfile, what stands after its port: tests run what production runs."""
    line = next(line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith(f"{part}: "))
    return line.partition('PORT" ')[2].split()


@dataclass
class LiveProcesses:
    """Starts parts of Potline against `redis_url` and the database, each as its own role: `database_urls`."""

    database_urls: dict[str, str]
    redis_url: str
    folder: Path
    extra_env: dict[str, str] = field(default_factory=dict)
    processes: list[Running] = field(default_factory=list)

    @property
    def env(self) -> dict[str, str]:
        return os.environ | {
            "DATABASE_URL": self.database_urls["web"],
            "REDIS_URL": self.redis_url,
            "POTLINE_DEMO": "1",
            "POTLINE_SECRET_KEY": settings.SECRET_KEY,  # signs believe what this process publishes
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONUNBUFFERED": "1",
            **self.extra_env,
        }

    def start(self, name: str, *command: str, **env: str) -> Running:
        """Any command with Potline's environment; `python` stands for this interpreter."""
        arguments = [sys.executable if part == "python" else part for part in command]
        log = self._new_log(name)
        with log.open("wb") as output:
            popen = subprocess.Popen(
                arguments,
                cwd=ROOT,
                env=self.env | env,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # as a supervisor would, so that a test may signal its group
                preexec_fn=die_with_parent(signal.SIGTERM),
            )
        return self._started(name, popen, log)

    def start_part(self, part: str, name: str, *command: str, **env: str) -> Running:
        """A part as its own role: forked from a parent that has loaded it, unless this test wants it otherwise."""
        role = {"DATABASE_URL": self.database_urls[part]}
        if part == "signs":  # by its keys alone; an empty secret is none
            given = keys.handed_out(part, [settings.SECRET_KEY])
            role |= {"POTLINE_SECRET_KEY": "", "POTLINE_KEYS": given}
        if part not in forked.PARTS or (env | self.extra_env).keys() - forked.OF_ONE_TEST:
            return self.start(name, "python", *command, **role | env)
        log = self._new_log(name)
        return self._started(name, forked.start(part, list(command), self.env | role | env, log), log)

    def _new_log(self, name: str) -> Path:
        log = self.folder / f"{len(self.processes)}-{name}.log"
        log.touch()
        return log

    def _started(self, name: str, popen: subprocess.Popen[bytes] | forked.Forked, log: Path) -> Running:
        running = Running(name, popen, log)
        self.processes.append(running)
        return running

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        result = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)
        if result.returncode:
            raise AssertionError(f"manage.py {' '.join(arguments)} failed:\n{result.stdout}{result.stderr}")
        return result.stdout

    def start_signs(self) -> tuple[str, Running]:
        """The server of signs alone; returns its address once it answers."""
        return self.start_web(part="signs")

    def start_web(self, port: int | None = None, part: str = "web", **env: str) -> tuple[str, Running]:
        """The ASGI server; returns its address once it answers."""
        port = port or free_port()
        module = "config.asgi:application" if part == "web" else "config.asgi_signs:application"
        command = ["-m", "uvicorn", module, "--host", "127.0.0.1", "--port", str(port), *options_of(part)]
        running = self.start_part(part, part, *command, **env)
        address = f"http://127.0.0.1:{port}"
        self.wait_for(address + "/healthz", running)
        return address, running

    def start_worker(self, concurrency: int = 2, **env: str) -> Running:
        """A Celery worker; returns once it takes work."""
        name = f"worker{len(self.processes)}"
        command = ["-m", "celery", "-A", "config.workers", "worker", "--pool", "prefork"]
        command += [
            "--concurrency",
            str(concurrency),
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
        running = self.start_part("worker", name, *command, "-n", f"{name}@%h", **env)
        deadline = time.monotonic() + START_TIMEOUT_S
        while " ready." not in running.log_text():
            self._still_there(running, deadline)
        return running

    def start_beat(self) -> Running:
        command = ["-m", "celery", "-A", "config.workers", "beat"]
        command += ["--scheduler", "config.beat_clock:BeatClock", "--pidfile="]
        return self.start_part("worker", "beat", *command)

    def wait_for(self, url: str, running: Running, status: int = 200) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            self._still_there(running, deadline)
            try:
                with urllib.request.urlopen(url, timeout=5) as answer:
                    if answer.status == status:
                        return
            except urllib.error.HTTPError as error:
                if error.code == status:
                    return
            except (urllib.error.URLError, OSError):
                continue

    def _still_there(self, running: Running, deadline: float) -> None:
        if running.popen.poll() is not None:
            raise AssertionError(
                f"{running.name} ended with {running.popen.returncode}:\n{running.log_text()}"
            )
        if time.monotonic() > deadline:
            raise AssertionError(f"{running.name} was not ready in time:\n{running.log_text()}")
        time.sleep(0.05)

    def close(self) -> None:
        """All are asked first, then waited for: each takes a second or two to go."""
        families = [(running, running.ask_to_stop()) for running in reversed(self.processes)]
        for running, children in families:
            running.await_end(children)

    def logs(self) -> str:
        return "\n".join(f"--- {running.name}\n{running.log_text()[-4000:]}" for running in self.processes)


class LocalRun:
    """One `python -m config.local run` with its own var folder and port, in a process group of its own."""

    root = ROOT
    """The clone that it runs from."""

    def __init__(self, home: Path, **extra_env: str) -> None:
        self.home = home
        self.extra_env = extra_env
        self.port = free_port()
        self.log = home.parent / "run.log"
        self.popen: subprocess.Popen[bytes] | None = None

    def run(self) -> subprocess.Popen[bytes]:
        names = {"PATH", "HOME", "LANG", "PYTHONPATH"}
        clean = {name: value for name, value in os.environ.items() if name in names}
        env = (
            clean
            | {"POTLINE_VAR": str(self.home), "PORT": str(self.port), "WORKERS": "1", "FLOOR": "quiet"}
            | self.extra_env
        )
        with self.log.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "config.local", "run"],
                cwd=self.root, env=env, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def start(self) -> None:
        self.popen = self.run()
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            assert self.popen.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return str(answer.read().decode())

    def close(self) -> None:
        """Ctrl-C."""
        assert self.popen is not None
        os.killpg(self.popen.pid, signal.SIGINT)
        assert self.popen.wait(60) == 0, self.log.read_text()

    def members(self) -> list[psutil.Process]:
        assert self.popen is not None
        return [psutil.Process(self.popen.pid), *psutil.Process(self.popen.pid).children(recursive=True)]

    def names(self) -> set[str]:
        """The programs that run, by name; a process that ends meanwhile is left out."""
        found = set()
        for process in self.members():
            with suppress(psutil.NoSuchProcess):
                found.add(process.name())
        return found

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.database_url("potline_owner")) as connection:
            return connection.execute(statement.encode()).fetchall()

    def database_url(self, role: str) -> str:
        """By the password that Potline has made for it."""
        server = Postgres(self.home, passwords=True)
        server.find()
        return server.url("potline", role)
