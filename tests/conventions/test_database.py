"""What the catalogue says of the installed database: where functions look, what the role may make."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from tests.conftest import APP_ROLE

# Every function that is neither PostgreSQL's own nor of an extension, and whether it has the path of its own, or a body
# that was parsed when it was made and looks for nothing any more.
FUNCTIONS = """
    SELECT p.oid::regprocedure::text,
        'search_path=pg_catalog, public, pg_temp' = ANY(p.proconfig) OR p.prosqlbody IS NOT NULL
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%%'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""


def without_own_path() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(FUNCTIONS)
        found = dict(cursor.fetchall())
    assert any(name.startswith("ledger_post(") for name in found), "the catalogue was not read"
    return sorted(name for name, has_path in found.items() if not has_path)


@pytest.mark.django_db
def test_every_function_has_a_search_path_of_its_own_with_temporary_tables_last() -> None:
    """Else a session's temporary table stands in for the real one: see config.kit.triggers.firm."""
    assert without_own_path() == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "SET search_path = public", "SET search_path = pg_temp, public"])
def test_the_test_finds_one_that_has_none(path: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE FUNCTION careless() RETURNS int LANGUAGE sql {path} AS 'SELECT 1'")
    assert without_own_path() == ["careless()"]


@pytest.mark.django_db
def test_every_trigger_runs_a_function_of_ours() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT t.tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
            " WHERE NOT t.tgisinternal AND p.pronamespace <> 'public'::regnamespace"
        )
        assert cursor.fetchall() == []


def test_the_application_makes_nothing_of_its_own(committed_db: str) -> None:
    """No temporary table, no schema, nothing in a schema that functions look into."""
    with psycopg.connect(committed_db) as owner:
        rights = owner.execute(
            "SELECT has_database_privilege(%(role)s, current_database(), 'TEMPORARY'),"
            " has_database_privilege(%(role)s, current_database(), 'CREATE'),"
            " (SELECT bool_or(has_schema_privilege(%(role)s, oid, 'CREATE')) FROM pg_namespace)",
            {"role": APP_ROLE},
        ).fetchone()
    assert rights == (False, False, False)
