"""Commands in fresh interpreters without their imports: a parent has loaded the libraries, and forks whoever is run.

Neither our settings nor our apps are loaded before the fork: what a command makes of its environment, it makes itself,
as if Python had just been started. tests/forked goes further, for servers whose settings are always the same.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 60
LIBRARIES = (
    *("django.core.management", "django.core.management.commands.check", "django.core.serializers.json"),
    *("django.db.models", "django.db.migrations.executor", "django.forms", "django.http", "django.template"),
    *("django.template.backends.django", "django.test.client", "django.core.handlers.asgi"),
    *("django.contrib.staticfiles.management.commands.collectstatic", "django.contrib.postgres.fields"),
    *("psycopg", "psycopg_pool", "structlog", "requests", "yaml", "jsonschema", "inflection"),
    *("reportlab.platypus", "PIL.Image", "segno", "prometheus_client", "cryptography.fernet"),
    *("celery.app", "celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.concurrency.prefork"),
    *("rules.catalogue", "rules.progressive.places", "rules.edge", "rules.ranking.five", "rules.games.casino_war"),
    *("kombu.transport.redis", "redis.asyncio", "uvicorn.main", "uvicorn.loops.auto"),
)  # fmt: skip
"""What settings and apps import and what asks for no settings itself. None of it reads the environment."""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What `python` would make of `command`, which begins with -c, -m or a file, with only this environment and what
    every program is given."""
    clean = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        request = {"command": command, "env": clean | environment}
        code = _ask(request, output.fileno(), errors.fileno())
        texts = [_whole(file) for file in (output, errors)]
    return subprocess.CompletedProcess(list(command), code, *texts)


def _whole(file: Any) -> str:
    file.seek(0)
    return str(file.read())


@cache
def _channel() -> socket.socket:
    """To the parent of this test run's fresh processes, which ends when we do."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        command = [sys.executable, "-m", "tests.fresh", str(number)]
        clean = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
        subprocess.Popen(command, cwd=ROOT, env=clean, stdin=subprocess.DEVNULL, pass_fds=[number])
    return ours


def _ask(request: dict[str, Any], *files: int) -> int:
    channel = _channel()
    socket.send_fds(channel, [json.dumps(request).encode()], files)
    answer = channel.recv(100)
    if not answer:
        raise AssertionError("The parent of fresh processes has ended; see what the test printed.")
    if answer == b"late":
        raise subprocess.TimeoutExpired(request["command"], TIMEOUT_S)
    return int(answer)


# The parent's side


def main(channel: socket.socket) -> None:
    for name in LIBRARIES:
        import_module(name)
    gc.freeze()  # else each child looks through all of it when it ends
    assert not [name for name in sys.modules if name.startswith("config.")], "settings are the command's own"
    while True:
        asked, files, _, _ = socket.recv_fds(channel, 100_000, 2)
        if not asked:
            return
        request = json.loads(asked)
        if not (pid := os.fork()):
            channel.close()
            become(request["command"], request["env"], files)
        for number in files:
            os.close(number)
        channel.sendall(_end_of(pid))


def _end_of(pid: int) -> bytes:
    end = os.pidfd_open(pid)
    in_time = select.select([end], [], [], TIMEOUT_S)[0]
    if not in_time:
        os.kill(pid, signal.SIGKILL)
    os.close(end)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return str(code).encode() if in_time else b"late"


def become(command: list[str], env: dict[str, str], files: list[int]) -> NoReturn:
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    what, *arguments = command
    if what == "-c":
        code, *arguments = arguments
        sys.argv = ["-c", *arguments]
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    elif what == "-m":
        module, *arguments = arguments
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(command)
        runpy.run_path(what, run_name="__main__")
    sys.exit(0)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
