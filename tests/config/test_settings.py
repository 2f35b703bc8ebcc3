"""Settings are safe by default: Django's deployment check has nothing to say, and the demo needs no variable."""

import re
import subprocess
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests import fresh
from tests.conftest import PART_ROLES

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "POTLINE_SECRET_KEY": "k3Vt9wqzL0xN7bRj2mYp5sDf8gHc1uEo4iAa6TnQvXyWzKlMrBeUdJhGsPfOiCw",
    "POTLINE_HOSTS": "potline.example",
    "DATABASE_URL": "postgresql://potline_app:secret@db.example/potline?sslmode=verify-full",
    "REDIS_URL": "rediss://cache.example/0",
}
SHOW = "from django.conf import settings as s; print(({expression}))"


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return fresh.run("manage.py", *arguments, **environment)


def shown(expression: str, **environment: str) -> str:
    """Of the settings alone: the apps need not be loaded for it."""
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    result = fresh.run("-c", SHOW.format(expression=expression), **environment)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_deployment_check_is_clean(committed_db: str) -> None:
    with psycopg.connect(committed_db, autocommit=True) as owner:
        owner.execute("DROP TABLE public.potline_demo")  # the tests' databases are demos
    production = PRODUCTION | {"DATABASE_URL": make_conninfo(committed_db, user=PART_ROLES["web"])}
    result = manage("check", "--deploy", "--fail-level", "WARNING", **production)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "no issues" in result.stdout


def test_deployment_check_says_that_it_could_not_ask_the_database() -> None:
    result = manage("check", "--deploy", **PRODUCTION)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "potline.W001" in result.stderr


def test_nothing_set_is_production_not_demo() -> None:
    expression = "s.DEMO, s.DEBUG, s.HTTPS, s.SESSION_COOKIE_SECURE, s.JSON_LOGS, len(s.SECRET_KEY) > 60"
    assert shown(expression) == "(False, False, True, True, True, True)"


def test_demo_needs_no_variable_but_its_own() -> None:
    assert shown("s.DEMO, s.DEBUG, s.HTTPS", POTLINE_DEMO="1") == "(True, False, False)"


def test_database_url_is_taken_apart() -> None:
    expression = "[s.DATABASES['default'][k] for k in ('NAME','USER','PASSWORD','HOST','OPTIONS')]"
    assert (
        shown(expression, **PRODUCTION)
        == "['potline', 'potline_app', 'secret', 'db.example', {'sslmode': 'verify-full', 'options': '"
        f"{PLANNED_ONCE}'}}]"
    )
    pooled = shown(
        "s.DATABASES['default']['OPTIONS']['pool']['max_size']", POTLINE_DATABASE_POOL="1", **PRODUCTION
    )
    assert pooled == "24"


PLANNED_ONCE = "-c plan_cache_mode=force_generic_plan"
"""Of every session."""
LIMITS = "s.DATABASES['default']['OPTIONS'].get('options'), 'pool' in s.DATABASES['default']['OPTIONS']"


def test_each_kind_of_process_has_its_own_limits_in_the_database() -> None:
    web = f"{PLANNED_ONCE} -c lock_timeout=2000 -c statement_timeout=10000 -c idle_in_transaction_session_timeout=15000"
    assert shown(LIMITS, POTLINE_PROCESS="web", **PRODUCTION) == f"('{web}', True)"
    given = PRODUCTION | {"DATABASE_URL": PRODUCTION["DATABASE_URL"] + "&options=-c%20work_mem%3D8MB"}
    worker = (
        f"-c work_mem=8MB {PLANNED_ONCE} -c lock_timeout=250 -c statement_timeout=60000"
        " -c idle_in_transaction_session_timeout=0"
    )
    small = {"POTLINE_PROCESS": "worker", "POTLINE_DATABASE_LIMITS": "worker=0.25/60/0"}
    assert shown(LIMITS, **small, **given) == f"('{worker}', False)"
    assert shown(LIMITS, **PRODUCTION) == f"('{PLANNED_ONCE}', False)", (
        "migrations and verification take their time"
    )


@pytest.mark.parametrize("limits", ["worker=1/2", "worker=1/2/x", "worker=-1/2/3", "waiter=1/2/3"])
def test_limits_that_are_none_are_named(limits: str) -> None:
    result = manage("check", POTLINE_DATABASE_LIMITS=limits)
    assert result.returncode != 0
    assert f"POTLINE_DATABASE_LIMITS: '{limits}'" in result.stderr


def test_sessions_of_a_web_process_are_divided_between_terminals_and_pages() -> None:
    expression = "s.DATABASE_POOL_SIZE, s.TERMINAL_SLOTS, s.PAGE_SLOTS"
    assert shown(expression, POTLINE_PROCESS="web", **PRODUCTION) == "(24, 15, 7)"
    assert manage("check", POTLINE_DATABASE_POOL_SIZE="4").returncode != 0


@pytest.mark.parametrize("variable", ["POTLINE_DEMO", "POTLINE_HTTPS"])
def test_flag_that_is_no_flag_is_named(variable: str) -> None:
    result = manage("check", **{variable: "maybe"})
    assert result.returncode != 0
    assert f"{variable} must be 1 or 0, not 'maybe'" in result.stderr


def test_demo_is_not_loaded_in_production() -> None:
    result = manage("load_demo", **PRODUCTION)
    assert result.returncode == 1
    assert "POTLINE_DEMO=1" in result.stderr


ASK = """
from django.test import Client
answer = Client().get("/login/", secure=True, headers={"Host": "potline.example"})
print(answer.status_code, answer.content.decode())
"""


def test_static_files_are_collected_under_hashed_names(tmp_path: Path, committed_db: str) -> None:
    production = PRODUCTION | {"POTLINE_STATIC_ROOT": str(tmp_path), "DATABASE_URL": committed_db}
    result = manage("collectstatic", "--no-input", "--verbosity", "0", **production)
    assert result.returncode == 0, result.stderr
    page = manage("shell", "--no-imports", "-c", ASK, **production).stdout
    assert page.startswith("200 ")
    style = re.search(r'href="/static/(potline/potline\.[0-9a-f]{12}\.css)"', page)
    assert style, page
    assert (tmp_path / style[1]).is_file()
    assert (tmp_path / f"{style[1]}.gz").is_file()
