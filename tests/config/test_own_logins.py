"""Each part of Potline works as itself, in a given database too, and holds only its keys; else it is said so."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection

from config.kit import keys, logins
from config.local import roles, run
from config.local.servers import Passwords, Postgres
from people.models import Role
from tests.config.test_local_run import VICTIMS, part
from tests.config.test_settings import PRODUCTION, manage
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.live import LiveProcesses, LocalRun
from tests.on_record import add_user, give
from tests.people.test_console import page

PARTS = ("web", "worker", "beat", "signs")
OWNERS_PASSWORD = "of the landlord alone: 'quoted' 100%"


# The keys of a part


def test_signs_hold_three_keys_and_no_other(settings: Any) -> None:
    """By hand of RFC 2104: a key is the HMAC-SHA256 of its purpose by the secret, as web and workers make it."""
    frames, alerts = keys.signature(keys.FRAMES, b"4711"), keys.signature(keys.ALERTS_OF_SIGNS, b"dark")
    given = keys.handed_out("signs", [settings.SECRET_KEY, "an earlier one"])
    assert settings.SECRET_KEY not in given
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"key:{settings.SECRET_KEY}"]
    told = subprocess.run(command, input=b"potline key for frames", capture_output=True, check=True).stdout
    assert json.loads(given)["frames"][0] == told.decode().split()[-1]

    settings.HELD_KEYS = {
        name: [bytes.fromhex(key) for key in both] for name, both in json.loads(given).items()
    }
    settings.SECRET_KEY, settings.SECRET_KEY_GIVEN, settings.DEMO = "made up by the process", False, False
    assert keys.signature(keys.FRAMES, b"4711") == frames
    assert keys.hallmark(keys.ALERTS_OF_SIGNS, b"dark") == alerts, "by a key that is kept"
    for purpose in (keys.ALERTS, keys.AUDIT_TRAIL, keys.LOG_INS, keys.SET_UP, keys.WATERMARKS):
        with pytest.raises(ImproperlyConfigured, match=f"holds no key for {purpose}"):
            keys.hallmark(purpose, b"forged")


def test_keys_are_handed_out_by_whoever_has_the_secret(settings: Any, capsys: Any) -> None:
    settings.SECRET_KEY_GIVEN, settings.SECRET_KEY_FALLBACKS = True, ["an earlier one"]
    call_command("hand_out_keys", "signs")
    assert capsys.readouterr().out.strip() == keys.handed_out(
        "signs", [settings.SECRET_KEY, "an earlier one"]
    )
    settings.SECRET_KEY_GIVEN = False
    with pytest.raises(CommandError, match="POTLINE_SECRET_KEY is not set"):
        call_command("hand_out_keys", "signs")


@pytest.mark.parametrize("text", ["frames", "[1]", '{"frames": ["not hex"]}', '{"frames": 7}'])
def test_keys_that_are_none_are_said_so(text: str) -> None:
    wrong = manage("check", POTLINE_KEYS=text)
    assert wrong.returncode != 0
    assert "POTLINE_KEYS must be what" in wrong.stderr


def test_web_does_not_start_on_the_keys_of_signs(settings: Any) -> None:
    from config.kit import demo

    settings.SECRET_KEY_GIVEN, settings.HELD_KEYS, settings.PROCESS = False, {keys.FRAMES: [b"k" * 32]}, "web"
    with pytest.raises(SystemExit) as ended:
        demo.guard_server()
    assert ended.value.code == demo.EX_CONFIG


# A given database


@contextmanager
def server_of_somebody_else(home: Path) -> Iterator[tuple[Postgres, str]]:
    """It asks everybody for a password; the address of a login that owns a database there and is no superuser."""
    server = Postgres(home, durable=False, passwords=True)
    server.start()
    try:
        with psycopg.connect(server.url("postgres"), autocommit=True) as owner:
            owner.execute("CREATE ROLE landlord LOGIN")
            owner.execute(
                f"ALTER ROLE landlord PASSWORD '{OWNERS_PASSWORD.replace(chr(39), chr(39) * 2)}'".encode()
            )
            owner.execute("CREATE DATABASE casino OWNER landlord")
        yield server, roles.as_role(server.url("casino"), "landlord", OWNERS_PASSWORD)
    finally:
        server.stop()


def ask(server: Postgres, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(server.url("casino"), autocommit=True) as owner:
        return owner.execute(statement.encode()).fetchall()


def who_works(server: Postgres, local: LocalRun) -> dict[str, set[str]]:
    """By part, as whom; once each has a session."""
    deadline = time.monotonic() + 60
    while True:
        with suppress(OSError):
            local.get("/login/")  # asks whether there is anybody
            local.get("/signs/of-nobody/")  # a 404 of the process of signs, which has asked the database
        found: dict[str, set[str]] = {}
        for name, login in ask(
            server,
            "SELECT DISTINCT application_name, usename FROM pg_stat_activity WHERE application_name LIKE 'potline %'",
        ):
            found.setdefault(name.removeprefix("potline "), set()).add(login)
        if len(found) == 3:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.2)


def environment_of(local: LocalRun, name: str) -> dict[str, str]:
    """As the kernel keeps it, of the process and whatever it has started."""
    process = part(local, VICTIMS[name])
    found: dict[str, str] = {}
    for each in [process, *process.children(recursive=True)]:
        with suppress(psutil.Error, OSError):
            raw = Path(f"/proc/{each.pid}/environ").read_bytes()
            found |= dict(item.split("=", 1) for item in os.fsdecode(raw).split("\0") if "=" in item)
    return found


def test_parts_share_the_given_login_where_it_may_make_no_other(
    servers_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """And the window and `check --deploy` say so."""
    with server_of_somebody_else(servers_home / "poor") as (server, url):
        monkeypatch.setenv("DATABASE_URL", url)
        made = run._make_logins(tmp_path, url, None)
        assert made.urls == dict.fromkeys(("web", "worker", "signs"), url)
        assert made.shared
        said = capsys.readouterr().out
        assert (
            "Web, workers and signs share one login to the database, landlord: landlord may not make roles"
            in said
        )
        assert ask(server, "SELECT 1 FROM pg_roles WHERE rolname LIKE 'casino%'") == []
        assert not (tmp_path / "given-database-passwords").exists()
        checked = manage("check", "--deploy", **PRODUCTION | {"DATABASE_URL": url})
        assert "DATABASE_URL is the login of the database's owner" in checked.stderr
        with (
            psycopg.connect(url, application_name="potline web"),
            psycopg.connect(url, application_name="potline worker"),
        ):
            checked = manage("check", "--deploy", **PRODUCTION | {"DATABASE_URL": url})
        assert checked.stderr.count("potline.W002") == 3
        assert "web and worker share one login to the database, landlord" in checked.stderr


@pytest.mark.timeout(300)
def test_parts_work_as_themselves_in_a_given_database(servers_home: Path) -> None:
    """Web, workers and signs each by a password that no other has, and none by the login that was given."""
    home = servers_home / "given"
    home.mkdir()
    with server_of_somebody_else(home / "server") as (server, url), ExitStack() as stack:
        with psycopg.connect(server.url("postgres"), autocommit=True) as superuser:
            superuser.execute("ALTER ROLE landlord CREATEROLE")
        local = LocalRun(home / "var", DATABASE_URL=url, POTLINE_ALERT_WEBHOOK_SECRET="x" * 20)
        stack.callback(lambda: print(local.log.read_text()))
        local.start()
        assert who_works(server, local) == {
            "web": {"casino_web"},
            "worker": {"casino_worker"},
            "signs": {"casino_signs"},
        }
        secret = (local.home / "secret-key").read_text().strip()
        passwords = json.loads((local.home / "given-database-passwords").read_text())
        assert sorted(passwords) == ["casino_signs", "casino_web", "casino_worker"]
        assert len(set(passwords.values())) == 3
        for name in PARTS:
            given = environment_of(local, name)
            told = "\n".join(given.values())
            assert "landlord" not in told, name
            assert "of the landlord" not in told, name
            mine = f"casino_{'worker' if name == 'beat' else name}"
            assert {role for role, word in passwords.items() if word in told} == {mine}
            assert (secret in told) == (name != "signs"), name
            assert ("POTLINE_KEYS" in given) == (name == "signs")
        signs = environment_of(local, "signs")
        assert set(json.loads(signs["POTLINE_KEYS"])) == {keys.FRAMES, keys.SIGN_TOKENS, keys.ALERTS_OF_SIGNS}
        assert not {"POTLINE_SECRET_KEY", "POTLINE_ALERT_WEBHOOK_SECRET", "DATABASE_OWNER_URL"} & set(signs)
        checked = manage("check", "--deploy", **PRODUCTION | {"DATABASE_URL": url})
        assert "potline.W002" not in checked.stderr
        local.close()


def test_a_password_is_not_taken_from_under_another_installation(servers_home: Path, tmp_path: Path) -> None:
    """As long as somebody works by it. Afterwards, say because the file is lost, there is a new one."""
    with server_of_somebody_else(servers_home / "shared") as (server, url):
        with psycopg.connect(server.url("postgres"), autocommit=True) as superuser:
            superuser.execute("ALTER ROLE landlord CREATEROLE")
        plan = roles.planned(url)
        assert plan.roles == {part: f"casino_{part}" for part in ("web", "worker", "signs")}
        with psycopg.connect(url, autocommit=True) as landlord:
            for role in plan.roles.values():
                landlord.execute(f"CREATE ROLE {role} LOGIN".encode())
        first = roles.urls(url, plan.roles, Passwords(tmp_path / "first"))
        assert roles.urls(url, plan.roles, Passwords(tmp_path / "first")) == first
        with psycopg.connect(first["worker"]) as works:
            with pytest.raises(roles.InUse, match="casino_worker works in this database now"):
                roles.urls(url, plan.roles, Passwords(tmp_path / "second"))
            assert works.execute("SELECT current_user").fetchone() == ("casino_worker",)
            psycopg.connect(first["worker"]).close()
        for _ in range(100):
            if not ask(server, "SELECT 1 FROM pg_stat_activity WHERE usename = 'casino_worker'"):
                break
            time.sleep(0.05)
        again = roles.urls(url, plan.roles, Passwords(tmp_path / "third"))
        psycopg.connect(again["signs"]).close()
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(first["signs"])
        with psycopg.connect(server.url("postgres"), autocommit=True) as superuser:
            superuser.execute("ALTER DATABASE casino OWNER TO potline_owner")
        assert "does not own the database casino" in roles.planned(url).why_not


def test_nothing_of_the_given_login_stays_in_an_address() -> None:
    url = (
        "postgresql://landlord:pw@db.example:6432/casino?sslmode=verify-full&sslkey=/k&passfile=/p&sslcert=/c"
    )
    assert roles.as_role(url, "casino_web", "a 'b'") == (
        "dbname=casino host=db.example port=6432 sslmode=verify-full user=casino_web password='a \\'b\\''"
    )


# Where it is said


def test_signs_start_in_a_database_that_is_no_demo(processes: LiveProcesses) -> None:
    """As their own role, which may not read whose passwords there are."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE public.potline_demo")
    processes.extra_env |= {"POTLINE_DEMO": "0", "POTLINE_HTTPS": "0"}
    processes.start_signs()


def test_home_says_which_parts_are_not_kept_apart(committed_floor: Floor, committed_db: str) -> None:
    ada = add_user("ada", name="Ada", password=None)
    give(ada, committed_floor.harbour, Role.ADMINISTRATOR)
    with ExitStack() as stack:

        def works(name: str, role: str) -> None:
            stack.enter_context(psycopg.connect(committed_db, user=role, application_name=f"potline {name}"))

        for name, role in PART_ROLES.items():
            works(name, role)
        assert logins.faults() == []
        assert "Not kept apart" not in page(ada).get("/").text
        works("signs with the secret", PART_ROLES["signs"])
        works("worker", PART_ROLES["web"])
        works("web", "potline_owner")
        assert logins.faults() == [
            "The process of signs holds the installation's secret: give it POTLINE_KEYS instead.",
            "web works as potline_owner, which owns the database.",
            "worker works as potline_web, which may do what other parts do: add to django_session.",
            "web and worker share one login to the database, potline_web.",
        ]
        shown = page(ada).get("/").text
        assert "Not kept apart" in shown
        for fault in logins.faults():
            assert fault.replace("'", "&#x27;") in shown


def test_signs_with_the_secret_say_so(processes: LiveProcesses, committed_floor: Floor) -> None:
    """They work, as before; with their keys alone they are silent."""
    _, apart = processes.start_signs()
    assert "parts_are_not_apart" not in apart.log_text()
    secret = processes.env["POTLINE_SECRET_KEY"]
    _, holding = processes.start_web(part="signs", POTLINE_SECRET_KEY=secret)
    assert "The process of signs holds the installation's secret" in holding.log_text()
