"""The application's role: reads and writes, adds where rows are only added, changes no shape."""

from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.errors import InsufficientPrivilege

from config.kit.triggers import append_only
from people.audit import audit
from people.models import Premises
from tests.conftest import APP_ROLE


@pytest.fixture
def app_connection(committed_db: str) -> Iterator[psycopg.Connection]:
    audit.record("tests", "tests.act")
    Premises.objects.create(code="p", name="P", currency="NZD", time_zone="UTC", rollover_hour=6)
    with psycopg.connect(committed_db, user=APP_ROLE, autocommit=True) as role:
        yield role


def test_people_hands_in_its_tables() -> None:
    guarded = {entry.table: entry.may_update for entry in append_only.guarded_tables()}
    assert guarded["people_auditrecord"] is False
    assert guarded["people_approvalrequest"] is True


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people_auditrecord SET reason = 'x'",
        "DELETE FROM people_auditrecord",
        "TRUNCATE people_auditrecord CASCADE",
        "DELETE FROM people_approvalrequest",
        "UPDATE people_alert SET text = 'x'",
        "DELETE FROM people_alertacknowledgement",
        "TRUNCATE people_premises CASCADE",
        "ALTER TABLE people_auditrecord DISABLE TRIGGER ALL",
        "CREATE TABLE mine (id int)",
        "CREATE TEMPORARY TABLE people_approvalrequest (id int)",
        "CREATE SCHEMA mine",
        "CREATE TYPE public.mine AS (id int)",
        "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION pg_temp.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DELETE FROM django_migrations",
        "SET session_replication_role = replica",
    ],
)
def test_app_role_is_refused_by_its_rights(app_connection: psycopg.Connection, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        app_connection.execute(statement.encode())


def test_app_role_may_do_its_work(app_connection: psycopg.Connection) -> None:
    assert app_connection.execute("UPDATE people_user SET last_login = now()").rowcount == 0
    insert = (
        "INSERT INTO people_auditrecord (actor_label, action, subject, reason, request_id, details, hallmark)"
    )
    assert (
        app_connection.execute(f"{insert} VALUES ('a', 'b', '', '', '', '{{}}', 'none')".encode()).rowcount
        == 1
    )


def test_every_guarded_table_exists_and_has_refusing_triggers(committed_db: str) -> None:
    with psycopg.connect(committed_db) as owner:
        for guarded in append_only.guarded_tables():
            triggers = owner.execute(
                "SELECT bit_or(tgtype::int) FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
                [guarded.table],
            ).fetchone()
            assert triggers is not None
            delete, truncate = 8, 32  # bits of pg_trigger.tgtype
            assert triggers[0] is not None, f"{guarded.table} has no trigger"
            assert triggers[0] & delete, f"{guarded.table} lets rows be deleted"
            assert triggers[0] & truncate, f"{guarded.table} lets itself be emptied"


def test_command_says_what_is_wrong(committed_db: str) -> None:
    with pytest.raises(CommandError, match="no part 'cage'; parts are web, worker, signs"):
        call_command("grant_app_role", f"{APP_ROLE}=cage")
    with pytest.raises(CommandError, match="--create"):
        call_command("grant_app_role", "nobody_such")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        owner = cursor.fetchone()[0]
    with pytest.raises(CommandError, match="owner"):
        call_command("grant_app_role", owner)


def may_make() -> tuple[bool, bool]:
    """A temporary table; something in the schema of ours."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_database_privilege(%(role)s, current_database(), 'TEMPORARY'),"
            " has_schema_privilege(%(role)s, 'public', 'CREATE')",
            {"role": APP_ROLE},
        )
        temporary, in_public = cursor.fetchone()
    return temporary, in_public


def test_command_takes_what_everybody_may_in_an_old_database(committed_db: str) -> None:
    with connection.cursor() as cursor:
        name = connection.settings_dict["NAME"]
        cursor.execute(f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC, {APP_ROLE}")
        cursor.execute(f"GRANT CREATE ON SCHEMA public TO PUBLIC, {APP_ROLE}")
    assert may_make() == (True, True)
    call_command("grant_app_role", APP_ROLE)
    assert may_make() == (False, False)


def test_command_fails_where_it_cannot_take_it(committed_db: str) -> None:
    """Whoever owns the tables but not the database: PostgreSQL would only warn."""
    with psycopg.connect(committed_db, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS tables_owner")
        owner.execute("CREATE ROLE tables_owner")
        try:
            name = owner.info.dbname
            owner.execute(f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC".encode())
            owner.execute("GRANT CREATE ON SCHEMA public TO tables_owner")
            for (table,) in owner.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
                " UNION ALL SELECT viewname FROM pg_views WHERE schemaname = 'public'"
            ).fetchall():
                owner.execute(f"ALTER TABLE {table} OWNER TO tables_owner".encode())
            with connection.cursor() as cursor:
                cursor.execute("SET ROLE tables_owner")
                with pytest.raises(CommandError, match="tables of its own"):
                    call_command("grant_app_role", APP_ROLE)
                cursor.execute("RESET ROLE")
        finally:
            owner.execute("REASSIGN OWNED BY tables_owner TO potline_owner")
            owner.execute("DROP OWNED BY tables_owner")
            owner.execute("DROP ROLE tables_owner")


def test_a_transaction_forgotten_in_a_console_ends(committed_db: str) -> None:
    call_command("grant_app_role", APP_ROLE, verbosity=0)
    with psycopg.connect(committed_db, user=APP_ROLE) as console:
        shown = console.execute("SELECT current_setting('idle_in_transaction_session_timeout')").fetchone()
    assert shown == ("10min",)
