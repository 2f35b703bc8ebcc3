"""Fixtures for all tests: throw-away real servers, started only when a test asks for them.

Nothing here imports Django at the top, so that tests/rules runs with a plain interpreter as well.
"""

from __future__ import annotations

import gc
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import SOAK, examples

# A busy machine is no failure: examples are counted, not timed. The seed of a failure is printed.
settings.register_profile(
    "house",
    max_examples=examples(30, soak=1_000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("house")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from config.local.servers import Postgres, Redis
    from tests.floor import Floor
    from tests.live import LiveProcesses


# Minutes of faults and volume: `make soak` asks for them, `make test` does not know them.
collect_ignore = [] if SOAK else ["soak"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without what is for the soak alone; the longest first, the shortest last."""
    from tests import dealt

    if not SOAK:
        items[:] = [item for item in items if item.get_closest_marker("soak") is None]
    items.sort(key=dealt.place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deals units in our order (--dist loadfile)."""
    from tests import dealt

    return dealt.scheduler(config, log)


def pytest_collection_finish() -> None:
    """Ten thousand tests and what they import stay: the collector need not look through them again and again."""
    from config.kit.processes import all_is_loaded

    gc.enable()
    all_is_loaded()


def pytest_sessionfinish() -> None:
    """What fails when an object goes is told at the end. Pytest looks five times for such; one look is enough."""
    gc.collect()
    gc.freeze()


gc.disable()  # until then: nothing that collection makes goes away


@pytest.fixture(scope="session")
def servers_home() -> Iterator[Path]:
    """A folder of this process alone: each process of a test run has servers of its own."""
    from tests.homes import throw_away_home

    with throw_away_home() as home:
        yield home


@pytest.fixture(scope="session")
def embedded_postgres(servers_home: Path) -> Iterator[Postgres]:
    """A throw-away PostgreSQL of this test run, and Django's settings pointed at it."""
    from django.conf import settings

    from config.local.servers import Postgres
    from config.settings import _database
    from tests.hashers import QUICK
    from tests.migrated import copy_cluster

    # Files that Potline keeps (seals, exports), here and in its processes.
    settings.VAR_DIR = servers_home / "var"
    os.environ["POTLINE_VAR"] = str(settings.VAR_DIR)
    copy_cluster(servers_home)
    server = Postgres(servers_home, durable=False)
    server.start()
    options = settings.DATABASES["default"].get("OPTIONS", {})
    settings.DATABASES["default"].update(_database(server.url("potline")))
    settings.DATABASES["default"]["OPTIONS"].update(options)
    settings.PASSWORD_HASHERS = [QUICK]
    yield server
    server.stop()


@pytest.fixture(scope="session")
def django_db_setup(
    embedded_postgres: Postgres, django_test_environment: None, django_db_blocker: Any
) -> None:
    """The migrated test database, which came with the cluster.

    Nothing is torn down: the whole server is thrown away.
    """
    from django.conf import settings
    from django.db import connections

    from tests import acts
    from tests.migrated import DATABASE

    _let_flush_pass_append_only_triggers()
    acts.watch()
    with django_db_blocker.unblock():
        connections.close_all()
        settings.DATABASES["default"]["NAME"] = connections["default"].settings_dict["NAME"] = DATABASE


def _let_flush_pass_append_only_triggers() -> None:
    # After a transaction=True test Django truncates every table, which the append-only triggers refuse, as they
    # should. Only this flush, by the owner of the throw-away database, goes around them.
    from django.db.backends.postgresql.operations import DatabaseOperations

    flush = DatabaseOperations.sql_flush

    def sql_flush(self: Any, style: Any, tables: Any, **kwargs: Any) -> list[str]:
        statements = flush(self, style, tables, **kwargs)
        return ["SET LOCAL session_replication_role = replica", *statements] if statements else []

    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]


FLOOR_DATABASE, FLOOR_TEMPLATE = "test_floor", "potline_floor"


@pytest.fixture(scope="session")
def floor_template(embedded_postgres: Postgres, database_template: str, django_db_blocker: Any) -> Floor:
    """A floor, made as everywhere, in a database that others are copies of."""
    from tests.floor import make_floor

    _clone(embedded_postgres, database_template, FLOOR_TEMPLATE)
    with django_db_blocker.unblock(), _connected_to(FLOOR_TEMPLATE):
        return make_floor()


@pytest.fixture(scope="session")
def floor_database(
    embedded_postgres: Postgres, floor_template: Floor, django_db_blocker: Any
) -> Iterator[tuple[Any, Floor]]:
    """A session on a database in which the floor stands; and that floor."""
    from django.db import connections
    from django.db.utils import load_backend

    _clone(embedded_postgres, FLOOR_TEMPLATE, FLOOR_DATABASE)
    with django_db_blocker.unblock():
        usual = connections["default"]
        backend = load_backend(usual.settings_dict["ENGINE"])
        wrapper = backend.DatabaseWrapper({**usual.settings_dict, "NAME": FLOOR_DATABASE}, "default")
    yield wrapper, floor_template
    wrapper.close()


@pytest.fixture
def on_floor_database(floor_database: tuple[Any, Floor]) -> Iterator[None]:
    from django.db import connections

    usual = connections["default"]
    assert not usual.in_atomic_block, "a test with a standing floor needs no mark of django_db"
    connections["default"] = floor_database[0]
    _forget_rows()
    try:
        yield
    finally:
        connections["default"] = usual
        _forget_rows()


def _forget_rows() -> None:
    """A row of the other database has its key, and is another one."""
    from ledger.verify import verify

    verify.forget()


@pytest.fixture
def standing_floor(on_floor_database: None, db: None, floor_database: tuple[Any, Floor]) -> Floor:
    """What make_floor() makes, for a test in a transaction: made once a process, some minutes ago, because each making
    takes as long as many a test. Where its age matters, or it is to be another one, call make_floor."""
    return deepcopy(floor_database[1])


@pytest.fixture
def committed_floor(committed_db: str, floor_template: Floor) -> Floor:
    """The same in a committed_db of this test, which begins as a copy of the floor's."""
    return deepcopy(floor_template)


@pytest.fixture(scope="session")
def redis_server_url(servers_home: Path) -> Iterator[str]:
    from config.local.servers import Redis

    server = Redis(servers_home)
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def redis_url(redis_server_url: str, settings: Any) -> Iterator[str]:
    """An empty Redis; settings and Celery point at it."""
    import redis

    redis.from_url(redis_server_url).flushall()
    settings.REDIS_URL = redis_server_url
    with celery_on_settings():
        yield redis_server_url


@contextmanager
def celery_on_settings() -> Iterator[None]:
    """Points this process's Celery at settings.REDIS_URL for a while."""
    from config.celery import app, broker_url

    def point_at(url: str) -> None:
        app.conf.update(broker_url=url)
        app._after_fork()  # type: ignore[attr-defined]  # forgets the connections to wherever it pointed before

    before = app.conf.broker_url
    point_at(broker_url())
    try:
        yield
    finally:
        point_at(before)


@pytest.fixture
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """A Redis of this test alone, to stop, kill and start again."""
    from config.local.servers import Redis

    server = Redis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


APP_ROLE = "potline_app"
"""With the rights of all parts together."""
PART_ROLES = {"web": "potline_web", "worker": "potline_worker", "signs": "potline_signs"}


@pytest.fixture(scope="session")
def database_template(embedded_postgres: Postgres, django_db_setup: None, django_db_blocker: Any) -> str:
    """A migrated database with the application role's rights, that committed_db is cloned from."""
    from django.core.management import call_command
    from django.db import connection, connections

    with django_db_blocker.unblock():
        call_command("grant_app_role", APP_ROLE, "--create", verbosity=0)
        given = [f"{role}={part}" for part, role in PART_ROLES.items()]
        call_command("grant_app_role", *given, "--create", verbosity=0)
        source = connection.settings_dict["NAME"]
        connections.close_all()
    _admin(  # a session that a test has left behind
        embedded_postgres,
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{source}'",
    )
    _clone(embedded_postgres, source, "potline_template")
    return "potline_template"


@pytest.fixture(scope="session")
def demo_template(
    embedded_postgres: Postgres,
    database_template: str,
    redis_server_url: str,
    django_db_blocker: Any,
) -> str:
    """The same with the demo casino in it."""
    from django.core.management import call_command
    from django.test import override_settings

    _clone(embedded_postgres, database_template, "potline_demo")
    with (
        django_db_blocker.unblock(),
        _connected_to("potline_demo"),
        override_settings(REDIS_URL=redis_server_url),
        celery_on_settings(),
    ):
        call_command("load_demo", verbosity=0)
    return "potline_demo"


def _admin(server: Postgres, *statements: str) -> None:
    import psycopg

    with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
        for statement in statements:
            admin.execute(statement.encode())


def _clone(server: Postgres, template: str, name: str) -> None:
    """By files: half the work of the other way where nothing has to reach a disk."""
    create = f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"
    # The one right that grant_app_role takes from the database itself; a clone is a new one.
    _admin(server, create, f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")


@pytest.fixture
def committed_db(
    request: pytest.FixtureRequest, embedded_postgres: Postgres, django_db_blocker: Any
) -> Iterator[str]:
    """A fresh database of this test alone, in which everything really commits: for races and real processes.

    Django's connections, in all threads, go to it. Returns its URL as owner. Use it instead of `db`. A test marked
    `copy_of` begins with what that template holds, one with `committed_floor` with the floor.
    """
    name = f"clone_{uuid.uuid4().hex[:12]}"
    _clone(embedded_postgres, _template_of(request), name)
    with django_db_blocker.unblock(), _connected_to(name):
        yield embedded_postgres.url(name)
    _admin(embedded_postgres, f"DROP DATABASE {name} WITH (FORCE)")


def _template_of(request: pytest.FixtureRequest) -> str:
    if "committed_floor" in request.fixturenames:
        request.getfixturevalue("floor_template")
        return FLOOR_TEMPLATE
    marked = request.node.get_closest_marker("copy_of")
    return str(request.getfixturevalue(marked.args[0] if marked else "database_template"))


@contextmanager
def _connected_to(name: str) -> Iterator[None]:
    from django.conf import settings
    from django.db import connections

    default = settings.DATABASES["default"]
    before = default["NAME"]
    connections.close_all()
    default["NAME"] = connections["default"].settings_dict["NAME"] = name
    _forget_rows()
    try:
        yield
    finally:
        _forget_rows()
        connections.close_all()
        default["NAME"] = connections["default"].settings_dict["NAME"] = before


@pytest.fixture
def processes(
    request: pytest.FixtureRequest,
    embedded_postgres: Postgres,
    committed_db: str,
    redis_url: str,
    tmp_path: Path,
) -> Iterator[LiveProcesses]:
    """Real web servers, workers and beat on committed_db and redis_url; all are stopped at the end."""
    from django.db import connection

    from tests.live import LiveProcesses

    name = connection.settings_dict["NAME"]
    urls = {part: embedded_postgres.url(name, role) for part, role in PART_ROLES.items()}
    house = LiveProcesses(urls, redis_url, tmp_path)
    yield house
    house.close()
    print(house.logs())  # pytest shows it where a test failed


def _tool(names: list[str], variable: str, what: str) -> str:
    """The path of an installed program; without it the test skips with a reason, and fails with CI=true."""
    found = os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)
    if found:
        return found
    text = f"{what} is not installed; as root `make test` installs it (Debian package {names[0]})."
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(text)
    pytest.skip(text)


@pytest.fixture(scope="session")
def hledger() -> str:
    return _tool(["hledger"], "POTLINE_HLEDGER", "hledger")


CHROMIUM = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
"""The first is the same without windows that nobody sees: half the work of a page."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium by Playwright. By module, because Playwright's loop bars asyncio tests while it runs."""
    from playwright.sync_api import expect, sync_playwright

    executable = _tool(CHROMIUM, "POTLINE_CHROMIUM", "Chromium")
    flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    flags += " --disable-component-update --disable-sync"
    expect.set_options(timeout=30_000)  # the machine is busy with other tests meanwhile
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # its loop runs in our thread; the ORM is not used from it
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=flags.split())
        yield chromium
        chromium.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A fresh page that fails its test at the end if the console showed an error (a broken script, CSP, a 404)."""
    if "processes" in request.fixturenames:  # they end after the page, which asks them every few seconds
        request.getfixturevalue("processes")
    context = browser.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.console_errors = errors  # type: ignore[attr-defined]
    yield page
    context.close()
    assert not errors, f"the browser's console showed: {errors}"
