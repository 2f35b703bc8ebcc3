"""A migrated PostgreSQL cluster, made once for each state of the migrations and copied by every test run.

Django takes some 4 s of processor time to start and to walk through all migrations, a copy takes a tenth of one. What
they make is tried on its own: tests/upgrade from a filled dump, tests/config/test_local_run from nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from config.local.servers import Postgres
from tests.homes import throw_away_home

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".pytest_cache" / "migrated"
DATABASE = "test_potline"
KEPT = 3


def copy_cluster(home: Path) -> None:
    """Puts a cluster with the migrated DATABASE where a Postgres of this home looks for it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    kept = CACHE / _state_of_migrations()
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # others of this run wait for what they would make themselves
        if not kept.exists():
            _make(kept)
            _forget_old()
        _copy(kept, home / "postgres")


def _state_of_migrations() -> str:
    """Whatever decides what a migration makes: itself, the triggers' and functions' text, and whose versions."""
    files = [ROOT / "requirements.txt", Path(__file__)]
    files += [ROOT / "config" / "settings.py", ROOT / "config" / "kit" / "at_once.py"]
    for pattern in (
        "*/migrations/*.py",
        "config/triggers/*.*",
        "*/sql/*.sql",
        "*/models.py",
        "*/models/*.py",
    ):
        files += ROOT.glob(pattern)
    state = hashlib.sha256()
    for file in sorted(files):
        state.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return state.hexdigest()[:24]


def _make(kept: Path) -> None:
    with throw_away_home() as home:
        server = Postgres(
            home
        )  # a durable one: it ends with a checkpoint, so that the copy needs no recovery
        server.start()
        try:
            server.ensure_database("potline")
            server.ensure_database(DATABASE)
            command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0"]
            env = os.environ | {"DATABASE_URL": server.url(DATABASE)}
            made = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
            assert made.returncode == 0, made.stdout + made.stderr
        finally:
            server.stop()
        fresh = kept.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        _copy(home / "postgres", fresh)
        fresh.rename(kept)


def _copy(source: Path, target: Path) -> None:
    """With its owner, who is not root."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def _forget_old() -> None:
    clusters = sorted(
        (each for each in CACHE.iterdir() if each.is_dir()), key=lambda each: each.stat().st_ctime
    )
    for old in clusters[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
