"""Fixtures for all tests: throw-away real servers, started only when a test asks for them.

Nothing here imports Django at the top, so that tests/rules runs with a plain interpreter as well.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from config.embedded import Postgres


@pytest.fixture(scope="session")
def servers_home() -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="potline-tests-"))
    home.chmod(0o711)  # PostgreSQL runs as another user when the tests run as root
    yield home
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def embedded_postgres(servers_home: Path) -> Iterator[Postgres]:
    """A throw-away PostgreSQL of this test run, and Django's settings pointed at it."""
    from django.conf import settings

    from config.embedded import Postgres
    from config.settings import _database

    server = Postgres(servers_home, durable=False)
    server.start()
    server.ensure_database("potline")
    options = settings.DATABASES["default"].get("OPTIONS", {})
    settings.DATABASES["default"].update(_database(server.url("potline")))
    settings.DATABASES["default"]["OPTIONS"].update(options)
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher"
    ]  # a real one takes a second each
    yield server
    server.stop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(embedded_postgres: Postgres) -> None:
    """pytest-django's hook before it makes the test database."""
    _let_flush_pass_append_only_triggers()


def _let_flush_pass_append_only_triggers() -> None:
    # After a transaction=True test Django truncates every table, which the append-only triggers refuse, as they
    # should. Only this flush, by the owner of the throw-away database, goes around them.
    from django.db.backends.postgresql.operations import DatabaseOperations

    flush = DatabaseOperations.sql_flush

    def sql_flush(self: Any, style: Any, tables: Any, **kwargs: Any) -> list[str]:
        statements = flush(self, style, tables, **kwargs)
        return ["SET LOCAL session_replication_role = replica", *statements] if statements else []

    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def redis_server_url(servers_home: Path) -> Iterator[str]:
    from config.embedded import Redis

    server = Redis(servers_home)
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def redis_url(redis_server_url: str, settings: Any) -> str:
    """An empty Redis; settings and Celery point at it."""
    import redis

    redis.from_url(redis_server_url).flushall()
    settings.REDIS_URL = redis_server_url
    return redis_server_url


CI = os.environ.get("CI", "").lower() in {"1", "true"}
