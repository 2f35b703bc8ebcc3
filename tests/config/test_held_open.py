"""What a session of a part's role can hold up, and for how long: seals, jobs, settlement, a step. Each by a second
connection as that role, which takes back every setting that was made for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, connections, transaction

from config.celery import lock_key
from config.kit import turns
from config.kit.database import lock_timeout
from config.kit.rights import PATIENCE, SIGNS, patience_of
from ledger.models import GamingDay, Seal
from ledger.seals import seals
from ledger.tasks import seal_rows, watch_seals
from people import overlong
from people.alerts import alert_marks
from people.models import Alert, Premises
from people.tasks import end_overlong
from tests.conftest import APP_ROLE, PART_ROLES

NO_LIMITS = (
    "SET idle_in_transaction_session_timeout = 0",
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    "SET transaction_timeout = 0",
)


@contextmanager
def thief(url: str, part: str) -> Iterator[psycopg.Connection]:
    session = psycopg.connect(url, user=PART_ROLES[part], autocommit=True)
    for statement in NO_LIMITS:
        session.execute(statement.encode())
    try:
        yield session
    finally:
        session.close()


def is_over(session: psycopg.Connection) -> bool:
    try:
        session.execute("SELECT 1")
    except psycopg.OperationalError:
        return True
    return False


@contextmanager
def as_part(part: str) -> Iterator[None]:
    """Our own session works for a part."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {PART_ROLES[part]}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


def short_limits(**limits: int) -> None:
    with connection.cursor() as cursor:
        for column, seconds in limits.items():
            cursor.execute(f"UPDATE parts.limits SET {column} = %s", [seconds])


@pytest.fixture(autouse=True)
def var_dir(settings: Any, tmp_path: Any) -> None:
    settings.VAR_DIR = tmp_path


def something_happens() -> None:
    house = Premises.objects.create(code="p", name="P", currency="NZD", time_zone="UTC", rollover_hour=6)
    GamingDay.objects.create(premises=house, date=date(2026, 3, 14))


# --- The seals ------------------------------------------------------------------------------------------------
def test_a_transaction_that_signs_leave_open_stops_the_seals_for_a_moment_alone(committed_db: str) -> None:
    """It takes no right at all to have a number, below which nothing is sealed."""
    short_limits(writing_s=1)
    with thief(committed_db, "signs") as signs:
        signs.execute("BEGIN")
        signs.execute("SELECT pg_current_xact_id()")
        something_happens()
        assert seals.seal() == [], "it waits"
        end_overlong()
        assert not is_over(signs), "its time is not over"
        time.sleep(1.1)
        end_overlong()
        assert is_over(signs)
        assert seals.seal() != []
    told = Alert.objects.get(kind=overlong.HELD_OPEN.name)
    assert told.subject == f"role {PART_ROLES['signs']}"
    assert "had written, locked rows or made others wait for 1 seconds. It was ended." in told.text
    assert alert_marks.is_genuine(told)


def test_the_alert_comes_before_the_seals_are_overdue() -> None:
    """By the limit of signs and the rhythm of the job; and by the seals' own watch, whoever holds them up."""
    from people.tasks import end_overlong as job

    rhythm = 5
    assert job.name == "people.tasks.end_overlong"
    assert PATIENCE[SIGNS].writing_s + 2 * rhythm < seals.OVERDUE_S
    assert seals.TELL_AFTER_S + 2 * seals.WATCHED_EVERY_S <= seals.OVERDUE_S


def test_whoever_holds_them_up_the_watch_tells_in_time(
    committed_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A superuser is ended by nobody."""
    monkeypatch.setattr(seals, "TELL_AFTER_S", 0)
    with psycopg.connect(committed_db) as owner:
        owner.execute("SELECT pg_current_xact_id()")
        something_happens()
        time.sleep(1.1)
        watch_seals()
        end_overlong()
        assert not is_over(owner)
    assert Alert.objects.get().subject == "ledger.seals:late"


# --- Whose transactions end ------------------------------------------------------------------------------------
@pytest.mark.parametrize("part", ["web", "worker", "signs"])
def test_a_part_is_ended_when_it_writes_too_long_and_may_read_longer(committed_db: str, part: str) -> None:
    short_limits(writing_s=1, open_s=3)
    with thief(committed_db, part) as writes, thief(committed_db, part) as reads:
        writes.execute("BEGIN")
        writes.execute("SELECT pg_current_xact_id()")
        reads.execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")  # as an export does
        reads.execute("SELECT 1 FROM people_premises")
        time.sleep(1.1)
        with as_part("worker"):
            assert overlong.end() == 1
        assert (is_over(writes), is_over(reads)) == (True, False)
        time.sleep(2.1)
        with as_part("worker"):
            assert overlong.end() == 1
        assert is_over(reads)


def test_a_statement_that_does_not_end_is_ended_too(committed_db: str) -> None:
    short_limits(writing_s=1)
    with thief(committed_db, "signs") as signs:
        signs.pgconn.send_query(b"BEGIN; SELECT pg_current_xact_id(); SELECT pg_sleep(60)")
        time.sleep(1.3)
        assert overlong.end() == 1


def test_who_makes_others_wait_without_writing_is_ended_as_who_writes(committed_db: str) -> None:
    """A lock of a whole table takes no number of a transaction."""
    short_limits(writing_s=1, open_s=60)
    with thief(committed_db, "worker") as holds, thief(committed_db, "web") as waits:
        holds.execute("BEGIN")
        holds.execute("LOCK TABLE ledger_rollupmark IN SHARE MODE")
        waits.pgconn.send_query(b"UPDATE ledger_rollupmark SET rolled_up_at = now()")
        time.sleep(1.3)
        assert overlong.end() == 1
        assert is_over(holds)


def test_the_worker_alone_may_have_it_done(committed_db: str) -> None:
    for part in ("web", "signs"):
        with (
            thief(committed_db, part) as session,
            pytest.raises(psycopg.errors.InsufficientPrivilege, match="potline_end_overlong"),
        ):
            session.execute("SELECT * FROM potline_end_overlong()")
    with thief(committed_db, "worker") as session:
        for statement in ("SELECT * FROM parts.limits", "UPDATE parts.limits SET writing_s = 99999"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                session.execute(statement.encode())
        assert session.execute("SELECT * FROM potline_end_overlong()").fetchall() == []


def test_a_role_of_several_parts_has_the_longest_limits(committed_db: str) -> None:
    with psycopg.connect(committed_db) as owner:
        rows = owner.execute("SELECT role, writing_s, open_s, advisory FROM parts.limits").fetchall()
    found = {role: limits for role, *limits in rows}
    for part, role in PART_ROLES.items():
        assert found[role] == [PATIENCE[part].writing_s, PATIENCE[part].open_s, part == "worker"]
    every = patience_of(PART_ROLES)
    assert found[APP_ROLE] == [every.writing_s, every.open_s, True]


def test_an_owner_with_ordinary_rights_ends_them_too(committed_db: str, capfd: Any) -> None:
    """Who owns the tables need not be a superuser: to have made the roles, or to be a member of them, is enough. Where
    it is neither, the command says so, and an alert does."""
    short_limits(writing_s=1)
    with psycopg.connect(committed_db, autocommit=True) as admin:
        admin.execute("CREATE ROLE plain_owner LOGIN")
        name = admin.info.dbname
        try:
            admin.execute("ALTER FUNCTION potline_end_overlong() OWNER TO plain_owner")
            admin.execute("GRANT USAGE ON SCHEMA parts TO plain_owner")
            admin.execute("GRANT SELECT ON parts.limits TO plain_owner")
            with thief(committed_db, "signs") as signs:
                signs.execute("BEGIN")
                signs.execute("SELECT pg_current_xact_id()")
                time.sleep(1.1)
                assert overlong.end() == 0
                assert not is_over(signs)
                blind = Alert.objects.filter(kind=overlong.NOT_BOUNDED.name).values_list("subject", flat=True)
                assert set(blind) >= {f"role {role}" for role in PART_ROLES.values()}
                for role in (*PART_ROLES.values(), APP_ROLE):
                    admin.execute(f"GRANT {role} TO plain_owner WITH INHERIT TRUE, SET FALSE".encode())
                assert overlong.end() == 1
                assert is_over(signs)
        finally:
            admin.execute("ALTER FUNCTION potline_end_overlong() OWNER TO potline_owner")
            admin.execute("DROP OWNED BY plain_owner")
            admin.execute("DROP ROLE plain_owner")
    assert name


def test_the_command_makes_an_owner_with_ordinary_rights_a_member(committed_db: str) -> None:
    """One who made the roles; PostgreSQL gives whoever makes a role the right to give it on."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE plain_owner CREATEROLE")
        try:
            name = connection.settings_dict["NAME"]
            cursor.execute(f"ALTER DATABASE {name} OWNER TO plain_owner")
            cursor.execute("GRANT potline_owner TO plain_owner WITH INHERIT TRUE")
            cursor.execute("ALTER SCHEMA public OWNER TO plain_owner")
            cursor.execute("GRANT ALL ON SCHEMA parts TO plain_owner")
            cursor.execute("SET ROLE plain_owner")
            call_command("grant_app_role", "potline_of_its_own=signs", "--create", verbosity=0)
            cursor.execute("SELECT pg_has_role('plain_owner', 'potline_of_its_own', 'USAGE')")
            assert cursor.fetchone() == (True,)
        finally:
            cursor.execute("RESET ROLE")
            cursor.execute(f"ALTER DATABASE {name} OWNER TO potline_owner")
            cursor.execute("ALTER SCHEMA public OWNER TO potline_owner")
            for role in ("potline_of_its_own", "plain_owner"):
                cursor.execute(f"DROP OWNED BY {role}")
                cursor.execute(f"DROP ROLE {role}")


# --- Advisory locks -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("part", ["web", "signs"])
def test_no_advisory_lock_of_another_role_stops_a_job(committed_db: str, part: str) -> None:
    """Held by a session that has no transaction open; and the job that ends it comes all the same."""
    with thief(committed_db, part) as session:
        for job in (seal_rows, end_overlong):
            session.execute("SELECT pg_advisory_lock(%s)", [lock_key(job.name)])
        something_happens()
        seal_rows()
        assert Seal.objects.exists()
        end_overlong()
        assert is_over(session)
    assert "held an advisory lock" in Alert.objects.get(kind=overlong.HELD_OPEN.name).text


def test_a_turn_takes_a_right(committed_db: str) -> None:
    with thief(committed_db, "signs") as signs:
        for statement in (
            "SELECT potline_take_turn('ledger.seals.seals.seal')",
            "SELECT 1 FROM people_turn FOR UPDATE",
            "LOCK TABLE people_turn IN SHARE MODE",
            "SELECT 1 FROM ledger_gamingday FOR SHARE",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), signs.transaction():
                signs.execute(statement.encode())


def test_turns_are_taken_one_after_another(committed_db: str) -> None:
    with thief(committed_db, "worker") as other, transaction.atomic():
        turns.take("tests.one")
        assert other.execute("SELECT potline_take_turn('tests.two', false)").fetchone() == (True,)
    with thief(committed_db, "worker") as other:
        other.execute("BEGIN")
        assert other.execute("SELECT potline_take_turn('tests.one', false)").fetchone() == (True,)
        with transaction.atomic():
            assert not turns.try_take("tests.one")
            assert turns.try_take("tests.two")
        with pytest.raises(OperationalError), transaction.atomic(), lock_timeout(100):
            turns.take("tests.one")
        other.execute("COMMIT")
        with transaction.atomic():
            assert turns.try_take("tests.one")
    with pytest.raises(RuntimeError, match="of a transaction"):
        turns.take("tests.one")
    connections.close_all()


def test_no_part_of_the_code_takes_an_advisory_lock_but_the_rhythms(committed_db: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
            " WHERE n.nspname IN ('public', 'months', 'parts') AND prosrc LIKE '%pg_advisory%'"
        )
        assert cursor.fetchall() == []
