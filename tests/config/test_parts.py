"""Web, workers and signs work as roles of their own: each writes what its work takes, and no part has another's."""

from __future__ import annotations

import json
import time

import httpx
import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from psycopg.errors import InsufficientPrivilege
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from config.kit import rights
from config.kit.rights import Rights
from jackpots.models import Display, DisplayMinute
from jackpots.signs.displays import create_display
from jackpots.signs.frames import snapshot
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.live import LiveProcesses

MONEY_AND_ORDER = [
    ("jackpots_meter", "increment_micros", {"worker"}),
    ("jackpots_meter", "level", set()),
    ("jackpots_progressive", "final_until", {"worker"}),
    (
        "jackpots_progressive",
        "pay_alone_limit_micros",
        {"web"},
    ),  # two people's; `verify` holds it to their approval
    ("jackpots_progressive", "host_id", set()),
    ("jackpots_tablelog", "watermark", {"web"}),
    ("jackpots_tablelog", "last_place", {"web", "worker"}),
    ("jackpots_tablelog", "table_code", set()),
    ("jackpots_win", "amount_micros", set()),
    ("jackpots_win", "paid_micros", {"web"}),
    ("jackpots_win", "state", {"web", "worker"}),  # a second thought's adjustment supersedes
    ("jackpots_share", "place", set()),
    ("people_approvalrequest", "state", {"web"}),
    ("people_approvalrequest", "payload_json", set()),
    ("people_user", "password", {"web"}),
    ("people_user", "is_superuser", set()),
    ("people_rolegrant", "role", set()),
    ("tables_round", "dealt", {"web"}),
    ("tables_round", "settled_at", {"worker"}),
    ("tables_round", "uid", set()),
    ("tables_table", "config_id", {"web", "worker"}),  # by a change in force alone: the trigger asks
    ("tables_table", "code", set()),
    ("tables_tablechange", "state", {"web", "worker"}),
    ("tables_tablechange", "from_at", set()),
    ("people_premises", "time_zone", {"web"}),
    ("people_premises", "code", set()),
    ("tables_terminal", "token_sha256", {"web"}),
    ("jackpots_display", "token_sha256", {"web"}),
    ("jackpots_display", "last_seen_at", {"web", "signs"}),
    ("jackpots_link", "kinds", set()),
    ("ledger_gamingday", "state", {"web"}),
]
ADDED = [
    ("jackpots_win", {"worker"}),
    ("jackpots_foldrun", {"worker"}),
    ("jackpots_doubt", {"web"}),
    ("ledger_seal", {"web", "worker"}),  # only one that follows: ledger.triggers
    ("ledger_epoch", set()),
    ("ledger_verifiedmark", {"worker"}),
    ("jackpots_frame", {"web", "worker"}),
    ("jackpots_frametext", {"web", "worker"}),
    ("tables_wagerline", {"worker"}),
    ("tables_tableevent", {"web"}),
    ("tables_messagetext", {"web"}),
    ("tables_tablechange", {"web"}),
    ("people_rolegrant", {"web"}),
    ("people_approvalrequest", {"web"}),
    ("ledger_entry", {"web", "worker"}),
    ("jackpots_displayminute", {"web", "signs"}),
    ("people_alert", {"web", "worker", "signs"}),
]


@pytest.mark.parametrize(("table", "column", "parts"), MONEY_AND_ORDER)
def test_who_may_change_money_and_order(committed_db: str, table: str, column: str, parts: set[str]) -> None:
    for part, role in PART_ROLES.items():
        with psycopg.connect(committed_db, user=role, autocommit=True) as session:
            statement = f"UPDATE {table} SET {column} = {column} WHERE false".encode()
            if part in parts:
                session.execute(statement)
            else:
                with pytest.raises(InsufficientPrivilege):
                    session.execute(statement)


@pytest.mark.parametrize(("table", "parts"), ADDED)
def test_who_may_add(committed_db: str, table: str, parts: set[str]) -> None:
    with psycopg.connect(committed_db, autocommit=True) as owner:
        for part, role in PART_ROLES.items():
            found = owner.execute("SELECT has_table_privilege(%s, %s, 'INSERT')", [role, table]).fetchone()
            assert found == (part in parts,), (part, table)


def test_signs_read_no_secret_and_write_only_what_they_showed(committed_db: str) -> None:
    role = PART_ROLES["signs"]
    with psycopg.connect(committed_db, user=role, autocommit=True) as signs:
        for table in (
            "people_user",
            "django_session",
            "people_secondfactor",
            "tables_terminal",
            "ledger_entry",
        ):
            with pytest.raises(InsufficientPrivilege):
                signs.execute(f"SELECT 1 FROM {table}".encode())
    with psycopg.connect(committed_db, autocommit=True) as owner:
        written = owner.execute(
            "SELECT DISTINCT table_name FROM information_schema.column_privileges WHERE grantee = %s"
            " AND privilege_type IN ('INSERT', 'UPDATE') ORDER BY 1",
            [role],
        ).fetchall()
    assert [name for (name,) in written] == ["jackpots_display", "jackpots_displayminute", "people_alert"]


def test_what_is_registered_is_there() -> None:
    columns = {
        model._meta.db_table: {field.column for field in model._meta.concrete_fields}
        for model in apps.get_models(include_auto_created=True)
    }
    for table in rights.registered():
        assert table in columns, table
        assert (rights.on(table, rights.PARTS).columns or set()) <= columns[table], table


def test_rights_of_several_parts_add_up() -> None:
    some, all_of_it = Rights(update=True, columns=frozenset("a")), Rights(update=True)
    assert (some | Rights(update=True, columns=frozenset("b"))).columns == frozenset("ab")
    assert (some | all_of_it).columns is None
    assert (Rights(insert=True) | some) == Rights(True, True, frozenset("a"), False)
    assert (some | Rights(delete=True)).columns == frozenset("a")


def test_signs_are_served_by_a_process_of_their_own(processes: LiveProcesses, committed_floor: Floor) -> None:
    """As its own role: page, files, socket, snapshot and report; and not a page more."""
    floor = committed_floor
    display, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    snapshot(floor.progressive.pk)
    address, _ = processes.start_signs()
    page = httpx.get(f"{address}/signs/{token}/")
    assert page.status_code == 200
    # Whoever is logged in on the same host sends that cookie along, and it says nothing here.
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={'a' * 32}"}
    assert httpx.get(f"{address}/signs/{token}/", headers=cookie).status_code == 200
    assert httpx.get(f"{address}/signs/wrong/").status_code == 404
    for path in ("/login/", "/", "/api/v1/alerts", "/metrics", "/readyz"):
        answer = httpx.get(address + path)
        assert (answer.status_code, answer.text) == (404, "Only signs are served here."), path
    socket = address.replace("http", "ws")
    with connect(f"{socket}/ws/signs/{token}/", origin=Origin(address)) as line:
        frame = json.loads(line.recv(timeout=20))
        assert [level["level"] for level in frame["levels"]] == ["grand", "minor"]
        line.send(json.dumps({"shown": [[frame["sequence"], int(time.time() * 1000)]], "figures": {}}))
        _wait_until_reported(display.pk)
    with pytest.raises(InvalidStatus), connect(f"{socket}/ws/tables/harbour/CS-01/"):
        pass


def _wait_until_reported(pk: int) -> None:
    deadline = time.monotonic() + 20
    while not DisplayMinute.objects.filter(display=pk).exists():
        assert time.monotonic() < deadline, "the report was not kept"
        time.sleep(0.1)
    assert Display.objects.get(pk=pk).last_seen_at is not None


def test_web_sends_signs_to_their_own_process(processes: LiveProcesses) -> None:
    address, _ = processes.start_web(SIGNS_PORT="4711")
    answer = httpx.get(f"{address}/signs/some-token/")
    assert answer.status_code == 302
    assert answer.headers["location"] == "http://127.0.0.1:4711/signs/some-token/"
