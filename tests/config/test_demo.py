"""The demo's public passwords and tokens stay in databases made as a demo; elsewhere nothing starts on them."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from config.kit import demo
from config.local.servers import Postgres
from jackpots.models import Display
from people.models import AuditRecord, Premises, RoleGrant, User
from tables.models import Terminal
from tests import fresh
from tests.config.test_settings import PRODUCTION, manage
from tests.conftest import APP_ROLE, PART_ROLES
from tests.examples import SOAK
from tests.live import LiveProcesses, LocalRun

SERVERS = {
    "web": ["-m", "uvicorn", "config.asgi:application", "--lifespan", "off", "--port", "0"],
    "worker": ["-m", "celery", "-A", "config.workers", "worker", "--concurrency", "1"],
    "beat": ["-m", "celery", "-A", "config.workers", "beat", "-S", "config.beat_clock:BeatClock", "--pidfile="],
}  # fmt: skip


def load_all() -> None:
    for loader in demo.loaders():
        loader.load()


def unmark() -> None:
    """What a database is that was never a demo."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE public.potline_demo")


@pytest.fixture
def polluted(committed_db: str, settings: Any) -> str:
    """A real database into which the demo got, as it could before there was a mark. Of a copy of the demo."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]  # as servers have it
    assert User.objects.exists()
    unmark()
    settings.DEMO, settings.SECRET_KEY_GIVEN = False, True
    return committed_db


def serve(name: str, url: str, redis_url: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Starts a server that is expected to end by itself."""
    production = PRODUCTION | {"PATH": "/usr/bin:/bin", "DATABASE_URL": url, "REDIS_URL": redis_url} | env
    return fresh.run(*SERVERS[name], **production)


# The mark


def test_fresh_database_is_marked_and_the_app_role_cannot_touch_the_mark(committed_db: str) -> None:
    with psycopg.connect(committed_db, user=APP_ROLE, autocommit=True) as role:
        assert demo.kind_of(role.cursor()) is demo.DatabaseKind.DEMO
        for statement in (
            "DROP TABLE public.potline_demo",
            "DELETE FROM public.potline_demo",
            "INSERT INTO public.potline_demo DEFAULT VALUES",
            "UPDATE public.potline_demo SET marked_at = now()",
        ):
            with pytest.raises(InsufficientPrivilege):
                role.execute(statement.encode())


def test_no_other_role_can_pretend_a_mark(committed_db: str) -> None:
    unmark()
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT CREATE ON SCHEMA public TO {APP_ROLE}")  # as old clusters have it
    with psycopg.connect(committed_db, user=APP_ROLE, autocommit=True) as role:
        with suppress(InsufficientPrivilege):
            role.execute("CREATE TEMPORARY TABLE potline_demo (only_row boolean)")
        assert demo.kind_of(role.cursor()) is demo.DatabaseKind.REAL
        role.execute("CREATE TABLE public.potline_demo (only_row boolean)")
        assert demo.kind_of(role.cursor()) is demo.DatabaseKind.REAL


def test_only_an_empty_database_can_be_marked(embedded_postgres: Postgres) -> None:
    name = f"fresh_{uuid4().hex[:8]}"
    embedded_postgres.ensure_database(name)
    url = embedded_postgres.url(name)
    with psycopg.connect(url, autocommit=True) as owner:
        assert demo.kind_of(owner.cursor()) is demo.DatabaseKind.EMPTY
        owner.execute("CREATE TABLE books (entry int)")
        assert demo.kind_of(owner.cursor()) is demo.DatabaseKind.REAL
    refused = manage("migrate", DATABASE_URL=url, POTLINE_DEMO="1")
    assert refused.returncode == 1
    assert "was not made as a demo" in refused.stderr
    assert "Traceback" not in refused.stderr
    with psycopg.connect(url) as owner:
        tables = owner.execute("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
        assert tables.fetchall() == [("books",)], "nothing was migrated"


def test_migrating_without_demo_leaves_an_empty_database_unmarked(settings: Any, committed_db: str) -> None:
    settings.DEMO = False
    with connection.cursor() as cursor:
        cursor.execute(
            "DROP SCHEMA public CASCADE; DROP SCHEMA months CASCADE; DROP SCHEMA parts CASCADE; CREATE SCHEMA public"
        )
        demo.mark_if_empty()
        assert demo.kind_of(cursor) is demo.DatabaseKind.EMPTY
        settings.DEMO = True
        demo.mark_if_empty()
        demo.mark_if_empty()
        assert demo.kind_of(cursor) is demo.DatabaseKind.DEMO


@pytest.mark.parametrize("is_demo", [True, False])
def test_demo_is_loaded_only_where_it_is_marked(committed_db: str, settings: Any, is_demo: bool) -> None:
    unmark()
    settings.DEMO = is_demo
    with pytest.raises(CommandError, match="POTLINE_DEMO"):
        call_command("load_demo")
    assert not User.objects.exists()
    assert not Premises.objects.exists()


# The guard


@pytest.mark.copy_of("demo_template")
def test_refusal_names_each_public_secret(polluted: str) -> None:
    said = demo.refusal() or ""
    # By hand: eight people, three signs, thirteen tables with a terminal each.
    assert said.count("log-in ") == 8
    assert said.count("sign ") == 3
    assert said.count("terminal ") == 13
    assert "retire_demo" in said


def test_a_real_person_with_such_a_name_is_no_demo(committed_db: str, settings: Any) -> None:
    unmark()
    settings.DEMO = False
    User.objects.create_user("manager", name="Mere", password="correct-horse-battery-7")
    assert demo.refusal() is None


def test_setting_and_mark_must_agree(committed_db: str, settings: Any) -> None:
    assert demo.refusal() is None
    settings.DEMO = False
    assert demo.refusal() == demo.IS_DEMO
    unmark()
    assert demo.refusal() is None
    settings.DEMO = True
    assert demo.refusal() == demo.NOT_MARKED


@pytest.mark.parametrize("name", SERVERS if SOAK else ["web", "worker"])  # beat starts as workers do
@pytest.mark.copy_of("demo_template")
def test_server_refuses_to_start_on_public_secrets(polluted: str, redis_url: str, name: str) -> None:
    ended = serve(name, polluted, redis_url)
    assert ended.returncode == demo.EX_CONFIG, ended.stderr
    assert "anyone can get in by the demo's public passwords and tokens: log-in supervisor" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "name", SERVERS if SOAK else ["web"]
)  # the others have the same guard, as seen above
def test_server_refuses_demo_mode_on_a_real_database(committed_db: str, redis_url: str, name: str) -> None:
    unmark()
    ended = serve(name, committed_db, redis_url, POTLINE_DEMO="1")
    assert ended.returncode == demo.EX_CONFIG, ended.stderr
    assert "was not made as a demo" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("name", SERVERS if SOAK else ["web"])
def test_server_that_cannot_ask_does_not_serve(redis_url: str, name: str) -> None:
    ended = serve(name, "postgresql://nobody@/potline?host=/nowhere", redis_url)
    assert ended.returncode == 1, ended.stderr
    assert "cannot be asked whether it is a demo" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.copy_of("demo_template")
def test_deployment_check_fails_on_public_secrets(polluted: str) -> None:
    result = manage("check", "--deploy", **PRODUCTION | {"DATABASE_URL": polluted})
    assert result.returncode == 1
    assert "potline.E002" in result.stderr
    assert "log-in supervisor" in result.stderr
    call_command("retire_demo", stdout=StringIO())
    as_web = {"DATABASE_URL": make_conninfo(polluted, user=PART_ROLES["web"])}
    result = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION | as_web)
    assert result.returncode == 0, result.stderr


def test_deployment_check_fails_on_a_demo(committed_db: str) -> None:
    production = PRODUCTION | {"DATABASE_URL": committed_db}
    assert "potline.E002" in manage("check", "--deploy", **production).stderr
    assert "potline.E001" in manage("check", "--deploy", **production, POTLINE_DEMO="1").stderr


@pytest.mark.copy_of("demo_template")
def test_retired_demo_lets_nobody_in_and_stays_on_record(
    polluted: str, processes: LiveProcesses, settings: Any
) -> None:
    out = StringIO()
    call_command("retire_demo", stdout=out)
    assert out.getvalue().count("Closed: ") == 24  # eight people, three signs, thirteen terminals
    assert demo.refusal() is None
    assert not User.objects.filter(is_active=True).exists()
    assert not RoleGrant.objects.exists()
    assert not Terminal.objects.filter(revoked_at__isnull=True).exists()
    assert not Display.objects.filter(revoked_at__isnull=True).exists()
    for action, count in {
        "people.log_in_closed": 8,
        "tables.terminal_revoked": 13,
        "jackpots.display_revoked": 3,
    }.items():
        assert AuditRecord.objects.filter(action=action, reason__startswith="public").count() == count
    processes.start_web(POTLINE_DEMO="0", POTLINE_HTTPS="0")
    call_command("retire_demo", stdout=out)
    assert "No public password or token works here." in out.getvalue()


def test_a_demo_is_not_retired(committed_db: str) -> None:
    load_all()
    with pytest.raises(CommandError, match="Nothing was done"):
        call_command("retire_demo")
    assert User.objects.filter(is_active=True).count() == 8


# The installation


@pytest.fixture
def house_on(servers_home: Path) -> Iterator[Any]:
    opened: list[LocalRun] = []

    def make(database: str, **env: str) -> LocalRun:
        folder = Path(tempfile.mkdtemp(prefix="local-", dir=servers_home))
        folder.chmod(0o711)
        opened.append(LocalRun(folder / "var", DATABASE_URL=database, **env))
        return opened[-1]

    yield make
    for local in opened:
        if local.popen is not None and local.popen.poll() is None:
            for process in local.members():
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        print(local.log.read_text() if local.log.exists() else "")


def people_in(url: str) -> int:
    with psycopg.connect(url) as database:
        found = database.execute("SELECT count(*) FROM people_user").fetchone()
    assert found is not None
    return int(found[0])


def opens_without_the_demo(local: LocalRun, database_url: str) -> None:
    local.start()
    assert people_in(database_url) == 0
    page = local.get("/")  # leads to the log-in, which nobody has yet
    assert "Potline is not set up yet" in page
    assert "add_person" in page
    assert "-demo-2468" not in page
    assert "demo casino" not in page
    with psycopg.connect(database_url) as database:
        assert demo.kind_of(database.cursor()) is demo.DatabaseKind.REAL
    assert "no demo people" in local.log.read_text()
    local.close()


@pytest.mark.soak
def test_house_on_a_given_database_is_real(house_on: Any, committed_db: str) -> None:
    """One that is migrated; tests/soak begins with an empty one."""
    unmark()
    opens_without_the_demo(house_on(committed_db), committed_db)


def test_house_on_a_given_database_never_becomes_a_demo(house_on: Any, committed_db: str) -> None:
    unmark()
    refused = house_on(committed_db, POTLINE_DEMO="1")
    assert refused.run().wait(60) == 1
    assert "was not made as a demo" in refused.log.read_text()
    assert people_in(committed_db) == 0
