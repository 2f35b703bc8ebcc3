"""Parts of Potline without their imports: for each part a parent that has done them, and forks whoever is started.

A start takes two seconds of a processor, nearly all of them imports, and a test run starts a hundred. Between two tests
only the database differs, perhaps the Redis, and where tasks of a test's own lie. A process whose environment differs
in anything else (an option) is started as production starts it; so does tests/config/test_local_run with all of them.
"""

from __future__ import annotations

import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "web": [
        "uvicorn.main",
        "uvicorn.loops.auto",
        "config.kit.http.admission",
        "config.kit.http.slow_clients",
    ],
    "worker": [
        *("celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.concurrency.prefork"),
        *("celery.worker.worker", "celery.worker.consumer", "celery.fixups.django", "kombu.transport.redis"),
    ],
}
"""Beside Potline itself: what its servers import. None of it asks the database or starts a thread."""
OF_ALL = ["config.urls", "config.kit.http.sign_sockets", "channels.routing", "channels.security.websocket"]
OF_ONE_TEST = {"DATABASE_URL", "REDIS_URL", "PYTHONPATH", "PYTEST_CURRENT_TEST", "DJANGO_ALLOW_ASYNC_UNSAFE"}
"""Read after the fork, or set by `become`: they may differ from what the parent was started with."""


class Forked:
    """A process that the parent of its part has forked; to its test what subprocess.Popen is."""

    def __init__(self, parent: Parent, pid: int) -> None:
        self.parent, self.pid = parent, pid
        self.returncode: int | None = None
        self._ends = os.pidfd_open(pid)

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("a part of Potline", timeout or 0)
        return code

    def send_signal(self, signum: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, signum)

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._ends], [], [], timeout)[0]:
            self.returncode = int(self.parent.ask(end_of=self.pid))
            os.close(self._ends)
        return self.returncode


class Parent:
    """The test's side of a parent: one process for each environment that differs in more than the database's name."""

    known: dict[tuple[Any, ...], Parent] = {}
    guard = threading.Lock()

    def __init__(self, part: str, env: dict[str, str]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
            given = env | {"POTLINE_PROCESS": part}
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=given,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self.channel, self.answers, self.lock = ours, ours.makefile("rb"), threading.Lock()

    def ask(self, **request: Any) -> int:
        with self.lock:
            self.channel.sendall(json.dumps(request).encode() + b"\n")
            answer = self.answers.readline()
        if not answer:
            raise AssertionError("The parent of forked processes has ended; see what the test printed.")
        return int(answer)

    @classmethod
    def of(cls, part: str, env: dict[str, str]) -> Parent:
        same = sorted((name, value) for name, value in env.items() if name not in OF_ONE_TEST)
        key = (part, without_name(env["DATABASE_URL"]), *same)
        with cls.guard:
            if key not in cls.known:
                cls.known[key] = cls(part, env)
            return cls.known[key]


def without_name(url: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=""))


def start(part: str, command: list[str], env: dict[str, str], log: Path) -> Forked:
    """`command` is what stands after `python`: -m and a module."""
    parent = Parent.of(part, env)
    return Forked(parent, parent.ask(command=command, env=env, log=str(log)))


# The parent's side


def main(channel: socket.socket) -> None:
    """Until the test run hangs up. Its children are told to go then, as it is their parent that ends."""
    load(os.environ["POTLINE_PROCESS"])
    for line in channel.makefile("rb"):
        request = json.loads(line)
        if "end_of" in request:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["end_of"], 0)[1])
        elif not (answer := os.fork()):
            os.close(channel.detach())
            become(request)
        channel.sendall(f"{answer}\n".encode())


def load(part: str) -> None:
    import django

    django.setup()
    from django.apps import apps
    from django.conf import settings
    from django.db import connections

    from config.kit.processes import all_is_loaded
    from tests.hashers import QUICK

    settings.PASSWORD_HASHERS = [QUICK]

    for name in [*OF_ALL, *PARTS[part]]:
        import_module(name)
    if part == "worker":
        for app in apps.get_app_configs():
            if find_spec(f"{app.name}.tasks"):
                import_module(f"{app.name}.tasks")
    all_is_loaded()
    asked = [each for each in connections.all(initialized_only=True) if each.connection is not None]
    assert not asked, "a child would share its parent's session"
    assert threading.active_count() == 1, "a child would have none of its parent's threads"


def become(request: dict[str, Any]) -> NoReturn:
    from django.conf import settings
    from django.db import connections

    from config.celery import app, broker_url
    from config.kit.processes import die_with_parent

    os.setsid()
    die_with_parent(signal.SIGTERM, os.getppid())()
    output = os.open(request["log"], os.O_WRONLY | os.O_APPEND)
    for number in (1, 2):
        os.dup2(output, number)
    os.environ.clear()
    os.environ.update(request["env"])
    sys.path[:0] = filter(None, request["env"].get("PYTHONPATH", "").split(os.pathsep))
    url = request["env"]["DATABASE_URL"]
    settings.DATABASE_URL, name = url, urlsplit(url).path.lstrip("/")
    settings.DATABASES["default"]["NAME"] = connections["default"].settings_dict["NAME"] = name
    settings.REDIS_URL = request["env"]["REDIS_URL"]
    app.conf.update(broker_url=broker_url())
    flag, module, *arguments = request["command"]
    assert flag == "-m", request["command"]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    sys.exit(0)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
