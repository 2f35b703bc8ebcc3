"""`make run`: starts all of Potline in one window and ends it again.

    python -m config.local run          servers, migrations, demo, then the Procfile's parts, kept running
    python -m config.local manage ...   one manage.py command on the embedded servers
    python -m config.local backup FOLDER | restore FOLDER MOMENT | drill FOLDER
                                        backups, and the proof that they come back (config.local.backup)

A lock on var/run.lock says whether the installation is running; the kernel lets go of it however we end.
"""

from __future__ import annotations

import errno
import fcntl
import getpass
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil
from psycopg.conninfo import conninfo_to_dict

from config.kit import demo, keys, private_files, rights
from config.local import backup, commands, roles
from config.local.servers import EmbeddedError, Passwords, Postgres, Redis
from config.local.supervisor import ProcfilePart, Supervisor, parts_of, say

ROOT = Path(__file__).resolve().parents[2]
# In the environment of every process of an installation, so that orphans of a killed one are recognised.
MARK = "POTLINE_HOME"
PARTS = {"web": rights.WEB, "signs": rights.SIGNS, "worker": rights.WORKER, "beat": rights.WORKER}
"""By line of the Procfile, of which part it is."""
OURS = {part: f"potline_{part}" for part in rights.PARTS}
"""By part, as whom it works in the embedded database."""
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class CannotRun(Exception):
    """Why Potline cannot start, in a sentence for the person at the terminal."""


class AlreadyRuns(CannotRun):
    """Another process runs Potline here."""


@contextmanager
def _only_one(home: Path) -> Iterator[None]:
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "run.lock", "a+", opener=private_files.opener) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            who = lock.read().strip()
            raise AlreadyRuns(
                f"Potline already runs here: {who}. Stop that one first (Ctrl-C in its window)."
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {_address()}")
        lock.flush()
        yield


def _address() -> str:
    return f"http://{os.environ['HOST']}:{os.environ['PORT']}/".replace("127.0.0.1", "localhost")


def _end_orphans(home: Path) -> None:
    """Ends what a killed installation left running: processes that carry our mark and are not our own kin."""
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


def _number(name: str, most: int) -> int:
    given = os.environ[name]
    if not (given.isascii() and given.isdecimal() and 1 <= int(given[:9]) <= most):
        raise CannotRun(f"{name} must be a whole number from 1 to {most}, not {given!r}.")
    return int(given)


def _check_port(name: str) -> None:
    host, port = os.environ["HOST"], _number(name, 65_535)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CannotRun(
                f"Port {port} cannot be used on {host}: {(error.strerror or str(error)).lower()}. "
                f"Choose another: {name}={port + 123} make run"
            ) from None


def _secret_key(home: Path) -> str:
    path = home / "secret-key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(64))
    return path.read_text().strip()


def _manage(*arguments: str, at_terminal: bool = False, **environment: str) -> None:
    """One command; apart from the terminal also several with a + between, and Ctrl-C is for Potline alone, which then
    ends them."""
    several = commands.AND in arguments and not at_terminal
    program = ["-m", "config.local.commands"] if several else [str(ROOT / "manage.py")]
    command = [sys.executable, *program, *arguments]
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, check=False, start_new_session=not at_terminal
    )
    if result.returncode:
        raise CannotRun(f"`manage.py {' '.join(arguments)}` failed (code {result.returncode}); see above.")


def _given_owner_url() -> str | None:
    app_url = os.environ.get("DATABASE_URL")
    owner_url = os.environ.get("DATABASE_OWNER_URL") or app_url
    if owner_url:
        os.environ["DATABASE_URL"] = app_url or owner_url
    return owner_url or None


def _start_servers(home: Path, stack: ExitStack) -> tuple[str, list[Postgres | Redis]]:
    """Starts what the environment does not name, sets DATABASE_URL and REDIS_URL; the owner's URL, and the servers."""
    servers: list[Postgres | Redis] = []
    owner_url = _given_owner_url()
    if owner_url is None:
        postgres = Postgres(home, passwords=True)
        say(f"Starting PostgreSQL in {postgres.data_dir} ...")
        stack.callback(postgres.stop)
        postgres.start()
        servers.append(postgres)
        postgres.ensure_database("potline")
        owner_url = postgres.url("potline")
        os.environ["DATABASE_URL"] = postgres.url("potline", OURS["web"])
    if not os.environ.get("REDIS_URL"):
        redis = Redis(home)
        say("Starting Redis ...")
        stack.callback(redis.stop)
        redis.start()
        servers.append(redis)
        os.environ["REDIS_URL"] = redis.url
    return owner_url, servers


def _find_servers(home: Path) -> tuple[str, list[Postgres | Redis]]:
    """The same for the servers of a running installation."""
    servers: list[Postgres | Redis] = []
    owner_url = _given_owner_url()
    if owner_url is None:
        postgres = Postgres(home, passwords=True)
        postgres.find()
        servers.append(postgres)
        owner_url = postgres.url("potline")
    if not os.environ.get("REDIS_URL"):
        redis = Redis(home)
        redis.find()
        servers.append(redis)
        os.environ["REDIS_URL"] = redis.url
    return owner_url, servers


def _own_database(servers: list[Postgres | Redis]) -> Postgres | None:
    return next((server for server in servers if isinstance(server, Postgres)), None)


NOBODYS = ("DATABASE_OWNER_URL", "POTLINE_KEYS")
"""Variables that no part is given."""
OF_THE_GIVEN_LOGIN = ("PGUSER", "PGPASSWORD", "PGPASSFILE")
"""By which libpq may find who connects; no part is given them that has a login of its own."""
NOT_FOR_SIGNS = (
    *("POTLINE_SECRET_KEY", "POTLINE_SECRET_KEY_FALLBACKS", "POTLINE_SMTP"),
    *("POTLINE_ALERT_WEBHOOK", "POTLINE_ALERT_WEBHOOK_SECRET", "BROKER_URL"),
)
NOT_FOR_THE_FLOOR = (*NOBODYS, *OF_THE_GIVEN_LOGIN, *NOT_FOR_SIGNS, "DATABASE_URL", "REDIS_URL")
"""It plays through the public API, as terminals do."""


def _part_environments(urls: Mapping[str, str], *, apart: bool) -> dict[str, dict[str, str | None]]:
    """By line of the Procfile, what differs from our own environment: only its part's address of the database, and of
    keys only what it needs."""
    kept_back = dict.fromkeys([*NOBODYS, *(OF_THE_GIVEN_LOGIN if apart else ())])
    found = {line: {**kept_back, "DATABASE_URL": urls[part]} for line, part in PARTS.items()}
    secrets_in_use = [os.environ["POTLINE_SECRET_KEY"], *_fallbacks()]
    found["signs"] |= dict.fromkeys(NOT_FOR_SIGNS)
    found["signs"]["POTLINE_KEYS"] = keys.handed_out("signs", secrets_in_use)
    return found


def _fallbacks() -> list[str]:
    given = os.environ.get("POTLINE_SECRET_KEY_FALLBACKS", "").split(",")
    return [each.strip() for each in given if each.strip()]


def _demo_flag() -> bool | None:
    """What POTLINE_DEMO says, None if nothing; also finds any other flag that is none."""
    try:
        from config.settings import _flag
    except ValueError as error:
        raise CannotRun(str(error)) from None
    return _flag("POTLINE_DEMO") if os.environ.get("POTLINE_DEMO", "").strip() else None


def _demo_or_real(owner_url: str, *, ours: bool) -> bool:
    """Whether Potline is a demo: what the database was made as; an empty one of our own becomes a demo."""
    import psycopg

    given = _demo_flag()
    try:
        with psycopg.connect(owner_url, autocommit=True, connect_timeout=10) as connection:
            kind = demo.kind_of(connection.cursor())
    except psycopg.Error as error:
        raise CannotRun(f"The database cannot be reached: {' '.join(str(error).split())}") from None
    if given is None:
        return kind is demo.DatabaseKind.DEMO or (kind is demo.DatabaseKind.EMPTY and ours)
    if given and kind is demo.DatabaseKind.REAL:
        raise CannotRun(demo.NOT_MARKED)
    if not given and kind is demo.DatabaseKind.DEMO:
        raise CannotRun(demo.IS_DEMO)
    return given


def _set_mode(home: Path, is_demo: bool) -> None:
    os.environ["POTLINE_DEMO"] = "1" if is_demo else "0"
    os.environ.setdefault("POTLINE_STATIC_ROOT", str(home / "static"))
    if os.environ["HOST"] in LOOPBACK:  # plain HTTP, which no other machine can reach
        os.environ.setdefault("POTLINE_HTTPS", "0")


@dataclass(frozen=True)
class _Logins:
    """By part, its address of the database. `shared`: why they have no logins of their own."""

    urls: dict[str, str]
    shared: str = ""


SHARED = (
    "Web, workers and signs share one login to the database, {login}: {why}. Whoever takes one of them over can do what"
    " all can do. docs/operations.md says how to give each its own."
)


def _make_logins(home: Path, owner_url: str, postgres: Postgres | None) -> _Logins:
    """After the tables: the rights of each part, to a role of its own wherever there can be one."""
    if postgres is not None:
        for role in OURS.values():
            postgres.set_password(role)
        return _Logins({part: postgres.url("potline", role) for part, role in OURS.items()})
    plan = roles.planned(owner_url)
    why = plan.why_not
    if plan.roles:
        try:
            _manage(*_grant(plan.roles), DATABASE_URL=owner_url)
            return _Logins(roles.urls(owner_url, plan.roles, Passwords(home / "given-database-passwords")))
        except roles.InUse:
            raise
        except (CannotRun, EmbeddedError) as error:
            why = str(error).rstrip(".")
    login = str(conninfo_to_dict(os.environ["DATABASE_URL"]).get("user") or getpass.getuser())
    if owner_url != os.environ["DATABASE_URL"]:
        _manage("grant_app_role", "--create", login, DATABASE_URL=owner_url)
    say(SHARED.format(login=login, why=why))
    return _Logins(dict.fromkeys(rights.PARTS, os.environ["DATABASE_URL"]), why)


def _grant(names: Mapping[str, str]) -> list[str]:
    return ["grant_app_role", "--create", *(f"{role}={part}" for part, role in names.items())]


def _prepare(home: Path, owner_url: str, servers: list[Postgres | Redis], *, is_demo: bool) -> _Logins:
    say("Migrating ...")
    postgres = _own_database(servers)
    grants = [commands.AND, *_grant(OURS)] if postgres is not None else []
    # `vouch` says something after an update alone.
    _manage("migrate", "--verbosity", "0", *grants, commands.AND, "vouch", DATABASE_URL=owner_url)
    logins = _make_logins(home, owner_url, postgres)
    os.environ["DATABASE_URL"] = logins.urls["web"]
    if is_demo:
        _manage("load_demo")
    else:
        say(
            "This is a real installation: no demo people."
            " Its first page says how to make premises and an administrator."
        )
        _manage("collectstatic", "--no-input", "--verbosity", "0")
    return logins


def _announce_when_ready(up: threading.Event, ended: threading.Event) -> None:
    """Waits for /readyz and prints where to go, beside the parts' lines."""
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
    lines = ["", f"  Potline is up:    {address}", f"  API and its docs: {address}api/docs/"]
    lines += [f"  Fit to work?      {address}readyz", "  Ctrl-C ends it.", ""]
    up.set()
    say("\n".join(lines))


FLOOR = (
    'exec python -m simulator floor --patient --people --faults some --url "http://$HOST:$PORT"'
    ' --home "$POTLINE_HOME/simulator"'
)


def _floor_lives() -> bool:
    """A demo's tables play by themselves, through the public API, unless FLOOR=quiet."""
    wanted = os.environ.get("FLOOR", "").strip() or "living"
    if wanted not in ("living", "quiet"):
        raise CannotRun(f"FLOOR is 'quiet', or 'living' (which is the default), not {wanted!r}.")
    return wanted == "living"


def _supervise(servers: list[Postgres | Redis], logins: _Logins, more: list[ProcfilePart]) -> int:
    up, ended = threading.Event(), threading.Event()
    threading.Thread(target=_announce_when_ready, args=[up, ended], daemon=True).start()
    try:
        parts = parts_of(ROOT / "Procfile", _part_environments(logins.urls, apart=not logins.shared))
        return Supervisor([*parts, *more], servers, up).run()
    finally:
        ended.set()


def _environment(home: Path) -> None:
    os.environ.setdefault("HOST", "127.0.0.1")
    os.environ.setdefault("PORT", "8000")
    os.environ.setdefault("WORKERS", "2")
    if os.environ["PORT"].isdecimal():
        os.environ.setdefault("SIGNS_PORT", str(int(os.environ["PORT"][:9]) + 1))
    os.environ.setdefault("POTLINE_JSON_LOGS", "0")  # someone reads them in this window
    os.environ.setdefault("POTLINE_COLORS", "1" if sys.stdout.isatty() else "0")
    os.environ.setdefault("POTLINE_SECRET_KEY", _secret_key(home))


def run(home: Path) -> int:
    home.mkdir(parents=True, exist_ok=True)
    _environment(home)
    _number("PORT", 65_535)
    _number("WORKERS", 1_000)
    _demo_flag()
    _floor_lives()
    with _only_one(home), ExitStack() as stack:
        _end_orphans(home)
        _check_port("PORT")
        _check_port("SIGNS_PORT")
        os.environ[MARK] = str(home)
        # Until the supervisor runs, Ctrl-C is a KeyboardInterrupt, which closes what the stack holds.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        owner_url, servers = _start_servers(home, stack)
        is_demo = _demo_or_real(owner_url, ours=_own_database(servers) is not None)
        _set_mode(home, is_demo)
        floor = (
            [ProcfilePart("floor", FLOOR, ROOT, dict.fromkeys(NOT_FOR_THE_FLOOR))]
            if is_demo and _floor_lives()
            else []
        )
        if floor:  # some requests a second that nobody reads; what is wrong is still said
            os.environ.setdefault("POTLINE_LOG_LEVEL", "WARNING")
        logins = _prepare(home, owner_url, servers, is_demo=is_demo)
        return _supervise(servers, logins, floor)


def manage(home: Path, arguments: list[str]) -> int:
    """One command on the embedded servers, as the tables' owner; in a running installation, on its servers."""
    home.mkdir(parents=True, exist_ok=True)
    _environment(home)
    with ExitStack() as stack:
        try:
            stack.enter_context(_only_one(home))
            owner_url, servers = _start_servers(home, stack)
        except AlreadyRuns:
            owner_url, servers = _find_servers(home)
        _set_mode(home, _demo_or_real(owner_url, ours=_own_database(servers) is not None))
        _manage(*arguments, at_terminal=True, DATABASE_URL=owner_url)
    return 0


def _backups(home: Path, verb: str, folder: Path, more: list[str]) -> int:
    if verb == "backup":
        backup.backup(home, folder, say)
    elif verb == "drill":
        backup.drill(home, folder, say)
    else:
        try:
            moment = datetime.fromisoformat(more[0])
        except (IndexError, ValueError):
            raise CannotRun("Say to which moment, with its offset: 2026-03-01T21:14:03+13:00.") from None
        if moment.tzinfo is None:
            raise CannotRun(f"{more[0]} may be anywhere: give it an offset, such as {more[0]}+00:00.")
        backup.restore(home, folder, moment, say)
    return 0


_OF_THE_MACHINE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT}


def _what_the_machine_lacks(error: OSError, home: Path) -> str:
    where = Path(os.fsdecode(error.filename)) if error.filename else home
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{where} cannot be written: the disk is full. Make room and start again."
    mine = f"user {os.geteuid()}"
    if home.exists() and home.stat().st_uid != os.geteuid():
        mine += f", and {home} belongs to user {home.stat().st_uid}"
    return (
        f"{where} cannot be written or opened: {error.strerror or error}. This is {mine}: start Potline as whoever"
        f" started it before, or set POTLINE_VAR to a folder of your own; without {home} it starts afresh."
    )


def main(arguments: list[str]) -> int:
    home = Path(os.environ.get("POTLINE_VAR") or ROOT / "var").resolve()
    try:
        if arguments[:1] == ["manage"]:
            return manage(home, arguments[1:])
        if arguments == ["run"]:
            return run(home)
        if arguments[:1] in (["backup"], ["restore"], ["drill"]) and len(arguments) > 1:
            return _backups(home, arguments[0], Path(arguments[1]), arguments[2:])
    except (CannotRun, EmbeddedError) as error:
        say(str(error))
        return 1
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        say(_what_the_machine_lacks(error, home))
        return 1
    except KeyboardInterrupt:
        say("\nClosed.")
        return 0
    say(__doc__ or "")
    return 2
