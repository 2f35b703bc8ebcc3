"""`make run`: opens the whole house in one window and closes it again.

    python -m config.house run          servers, migrations, demo, then the Procfile under honcho
    python -m config.house manage ...   one manage.py command on the embedded servers

A lock on var/run.lock says whether a house is open; the kernel lets go of it however we end.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

import psutil

from config.embedded import EmbeddedError, Postgres, Redis, die_with_parent

ROOT = Path(__file__).resolve().parent.parent
# In the environment of every process of a house, so that orphans of a killed one are recognised.
MARK = "POTLINE_HOME"
APP_ROLE = "potline_app"
STOP_TIMEOUT_S = 20


class HouseError(Exception):
    """Why the house cannot open, in a sentence for the person at the terminal."""


def say(text: str) -> None:
    print(text, flush=True)


@contextmanager
def _only_one(home: Path) -> Iterator[None]:
    home.mkdir(parents=True, exist_ok=True)
    with (home / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            who = lock.read().strip()
            raise HouseError(
                f"Potline already runs here: {who}. Stop that one first (Ctrl-C in its window)."
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {_address()}")
        lock.flush()
        yield


def _address() -> str:
    return f"http://{os.environ['HOST']}:{os.environ['PORT']}/".replace("127.0.0.1", "localhost")


def _end_orphans(home: Path) -> None:
    """Ends what a killed house left running: processes that carry our mark and are not our own kin."""
    kin = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    orphans = []
    for process in psutil.process_iter():
        try:
            if process.pid not in kin and process.environ().get(MARK) == str(home):
                process.terminate()
                orphans.append(process)
        except psutil.Error:
            continue
    _, alive = psutil.wait_procs(orphans, timeout=10)
    for process in alive:
        process.kill()
    if orphans:
        say(f"Ended {len(orphans)} processes that an earlier run had left behind.")


def _check_port() -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((os.environ["HOST"], int(os.environ["PORT"])))
        except (OSError, ValueError, OverflowError) as error:
            port = os.environ["PORT"]
            raise HouseError(
                f"Port {port} cannot be used ({error}). Choose another: PORT=8123 make run"
            ) from None


def _secret_key(home: Path) -> str:
    path = home / "secret-key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(64))
    return path.read_text().strip()


def _manage(*arguments: str, **environment: str) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    result = subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False)
    if result.returncode:
        raise HouseError(f"`manage.py {' '.join(arguments)}` failed (code {result.returncode}); see above.")


def _start_servers(home: Path, stack: ExitStack) -> tuple[str, list[Postgres | Redis]]:
    """Starts what the environment does not name, sets DATABASE_URL and REDIS_URL; the owner's URL, and the servers."""
    servers: list[Postgres | Redis] = []
    owner_url = os.environ.get("DATABASE_OWNER_URL") or os.environ.get("DATABASE_URL")
    if owner_url is None:
        postgres = Postgres(home)
        say(f"Starting PostgreSQL in {postgres.data_dir} ...")
        stack.callback(postgres.stop)
        postgres.start()
        servers.append(postgres)
        postgres.ensure_database("potline")
        owner_url = postgres.url("potline")
        os.environ["DATABASE_URL"] = postgres.url("potline", APP_ROLE)
    if "REDIS_URL" not in os.environ:
        redis = Redis(home)
        say("Starting Redis ...")
        stack.callback(redis.stop)
        redis.start()
        servers.append(redis)
        os.environ["REDIS_URL"] = redis.url
    return owner_url, servers


def _prepare(owner_url: str) -> None:
    say("Migrating ...")
    _manage("migrate", "--verbosity", "0", DATABASE_URL=owner_url)
    if owner_url != os.environ["DATABASE_URL"]:
        from psycopg.conninfo import conninfo_to_dict

        role = str(conninfo_to_dict(os.environ["DATABASE_URL"])["user"])
        _manage("grant_app_role", "--create", role, DATABASE_URL=owner_url)


def _announce_when_ready(ended: threading.Event) -> None:
    """Waits for /readyz and prints where to go; runs beside honcho, whose lines go on meanwhile."""
    url = f"http://{os.environ['HOST']}:{os.environ['PORT']}/readyz"
    while not ended.wait(0.5):
        try:
            with urllib.request.urlopen(url, timeout=2):
                break
        except (urllib.error.URLError, OSError):
            continue
    else:
        return
    address = _address()
    lines = ["", f"  Potline is open:  {address}", f"  API and its docs: {address}api/docs/"]
    lines += [f"  Fit to work?      {address}readyz", "  Ctrl-C closes it.", ""]
    say("\n".join(lines))


class _Floor:
    """The Procfile under honcho, watched until it ends or we are told to stop; then nothing is left running.

    Honcho ends all parts when one ends. We watch what it cannot: the servers, and honcho's own helpers.
    """

    def __init__(self, servers: list[Postgres | Redis]) -> None:
        self.servers = servers
        self.stop_by: float | None = None
        self.asked = False
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        self.honcho = subprocess.Popen(
            [sys.executable, "-m", "honcho", "start"],
            cwd=ROOT,
            env=os.environ | {"PATH": path, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C comes to us alone; honcho is told in its turn
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        self.members: dict[int, psutil.Process] = {}
        self.helpers = 0

    def stop(self, why: str) -> None:
        if self.stop_by is None:
            self.stop_by = time.monotonic() + STOP_TIMEOUT_S
            say(f"\n{why}")
            self.honcho.terminate()

    def asked_to_stop(self, signum: int, frame: FrameType | None) -> None:
        self.asked = True
        self.stop("Closing ...")

    def watch(self) -> int:
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self.asked_to_stop)
        while self.honcho.poll() is None:
            self._look()
            if self.stop_by is not None and time.monotonic() > self.stop_by:
                self.honcho.kill()
            time.sleep(0.3)
        _, alive = psutil.wait_procs(list(self.members.values()), timeout=5)
        for process in alive:
            process.kill()
        return 0 if self.asked else 1

    def _look(self) -> None:
        try:
            family = psutil.Process(self.honcho.pid)
            self.members |= {process.pid: process for process in family.children(recursive=True)}
            helpers = sum(child.status() != psutil.STATUS_ZOMBIE for child in family.children())
        except psutil.Error:
            return
        if helpers < self.helpers:
            self.stop("A part of the house has ended. Closing ...")
        self.helpers = max(self.helpers, helpers)
        for server in self.servers:
            if not server.runs():
                self.stop(f"{type(server).__name__} has ended; its log is {server.log}. Closing ...")


def _supervise(servers: list[Postgres | Redis]) -> int:
    floor = _Floor(servers)
    ended = threading.Event()
    threading.Thread(target=_announce_when_ready, args=[ended], daemon=True).start()
    try:
        return floor.watch()
    finally:
        ended.set()


def _environment(home: Path) -> None:
    os.environ.setdefault("HOST", "127.0.0.1")
    os.environ.setdefault("PORT", "8000")
    os.environ.setdefault("WORKERS", "2")
    os.environ.setdefault("POTLINE_DEMO", "1")
    os.environ.setdefault("POTLINE_COLORS", "1" if sys.stdout.isatty() else "0")
    os.environ.setdefault("POTLINE_SECRET_KEY", _secret_key(home))


def run(home: Path) -> int:
    home.mkdir(parents=True, exist_ok=True)
    _environment(home)
    with _only_one(home), ExitStack() as stack:
        _end_orphans(home)
        os.environ[MARK] = str(home)
        _check_port()
        # Until honcho runs, Ctrl-C is a KeyboardInterrupt, which closes what the stack holds.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        owner_url, servers = _start_servers(home, stack)
        _prepare(owner_url)
        if os.environ["POTLINE_DEMO"] == "1":
            _manage("load_demo")
        return _supervise(servers)


def manage(home: Path, arguments: list[str]) -> int:
    """One command on the embedded servers, as the tables' owner; in an open house, on its servers."""
    home.mkdir(parents=True, exist_ok=True)
    _environment(home)
    try:
        with _only_one(home), ExitStack() as stack:
            _manage(*arguments, DATABASE_URL=_start_servers(home, stack)[0])
    except HouseError as error:
        if "already runs" not in str(error):
            raise
        _manage(*arguments)  # settings find the open house's sockets under var/
    return 0


def main(arguments: list[str]) -> int:
    home = Path(os.environ.get("POTLINE_VAR") or ROOT / "var").resolve()
    try:
        if arguments[:1] == ["manage"]:
            return manage(home, arguments[1:])
        if arguments == ["run"]:
            return run(home)
    except (HouseError, EmbeddedError) as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("\nClosed.")
        return 0
    say(__doc__ or "")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
