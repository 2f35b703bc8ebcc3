"""A throw-away installation for benchmarks: real PostgreSQL with fsync on, real Redis, stud tables in one meter."""

from __future__ import annotations

import io
import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from config.local.servers import Postgres

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def folder() -> Iterator[Path]:
    """A temporary one; `BENCH_INSTALLATION` names one that is kept, so that the next run goes on where this one
    ends."""
    kept = os.environ.get("BENCH_INSTALLATION")
    if kept:
        Path(kept).mkdir(parents=True, exist_ok=True)
        yield Path(kept)
        return
    with tempfile.TemporaryDirectory(prefix="potline-bench-") as made:
        yield Path(made)


def _secret(home: Path) -> str:
    """As long as Potline stands: its hallmarks are made with it."""
    path = home / "secret"
    if not path.exists():
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


@contextmanager
def installation() -> Iterator[Postgres]:
    """PostgreSQL and Redis in a folder of their own, Django set up on them, all migrations applied."""
    from config.local.servers import Postgres, Redis

    with folder() as home:
        home.chmod(0o711)
        postgres, redis = Postgres(home), Redis(home)
        postgres.start()
        redis.start()
        try:
            postgres.ensure_database("bench")
            os.environ |= {
                "DATABASE_URL": postgres.url("bench"),
                "REDIS_URL": redis.url,
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "POTLINE_LOG_LEVEL": "ERROR",
                "POTLINE_DEMO": "1",
                "POTLINE_SECRET_KEY": _secret(home),
                "POTLINE_VAR": str(home / "var"),
            }
            import django

            django.setup()
            from django.core.management import call_command

            from config.kit.processes import all_is_loaded

            call_command("migrate", verbosity=0, skip_checks=False)  # a kept one may be of before
            call_command(
                "vouch", "--break-glass", "all", "--reason", "kept for benchmarks", stdout=io.StringIO()
            )
            all_is_loaded()  # as every server says of itself
            yield postgres
        finally:
            redis.stop()
            postgres.stop()


def add_tables(floor: Any, *codes: str, rules: dict[str, Any] | None = None) -> dict[str, tuple[Any, str]]:
    """Tables at harbour by a document: by code the open table and the token of its terminal. Linked stud tables as in
    tests/floors/small.json, or tables of these rules that feed nothing."""
    from tests.floor import add_to, like_stud

    own = {} if rules is None else {"rules": rules, "links": {}}
    return add_to(
        floor, {"version": 1, "tables": {f"harbour/{code}": like_stud(code, **own) for code in codes}}
    )


@contextmanager
def worker(*arguments: str) -> Iterator[None]:
    """A process of Potline: `worker("worker", "--concurrency", "2")` or `worker("beat")`."""
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "config.workers", *arguments]
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=told)
        try:
            time.sleep(1)
            if process.poll() is not None:
                told.seek(0)
                raise SystemExit(f"{arguments[0]} does not start: {told.read()}")
            yield
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def web(port: int) -> Iterator[str]:
    """A web server of Potline; its address, once it answers."""
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--lifespan", "off"]
    command += ["--port", str(port), "--ws", "config.kit.http.sign_sockets:Sockets", "--no-access-log"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                with urllib.request.urlopen(f"{address}/healthz", timeout=5):
                    break
            except OSError:
                if process.poll() is not None:
                    raise RuntimeError("the web server has ended") from None
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
