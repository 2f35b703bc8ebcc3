"""What PostgreSQL refuses about the books, attacked with raw SQL as the tables' owner: no code of ours in between."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from ledger.books.journal import NewEntry, post
from ledger.models import Account, Entry, GamingDay, Posting
from people.models import Premises
from tests.ledger.conftest import make_premises
from tests.on_record import add_user

New = Callable[..., NewEntry]


@pytest.fixture
def booked(new: New) -> int:
    """One lawful entry, with its deferred checks done as at a commit."""
    posted = post(new("round:1"))
    settle()
    return posted.id


def run(*statements: str, commit: bool = False) -> None:
    """Runs SQL in a savepoint; `commit` makes the deferred checks run as a commit would."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        if commit:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def settle() -> None:
    run("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED")


def refused(words: str, *statements: str, commit: bool = False) -> None:
    with pytest.raises(DatabaseError, match=words):
        run(*statements, commit=commit)


NEW_ENTRY = (
    "INSERT INTO ledger_entry (key, premises_id, day_id, kind, reference, currency, source_sha256, content_sha256)"
    " SELECT 'raw', premises_id, day_id, 'round', 'raw', currency, source_sha256, content_sha256 FROM ledger_entry"
    " WHERE key = 'round:1'"
)


POSTING = "INSERT INTO ledger_posting (entry_id, account_id, amount_micros)"


def legs(*amounts: int, key: str = "raw") -> str:
    """Legs on the accounts in the order of their ids; bank first, then win."""
    values = ", ".join(f"({n}, {amount})" for n, amount in enumerate(amounts))
    return (
        f"{POSTING} SELECT e.id, a.id, v.amount"
        f" FROM ledger_entry e, (VALUES {values}) v(n, amount),"
        " (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM ledger_account) a"
        f" WHERE e.key = '{key}' AND a.n = v.n"
    )


def test_a_lawful_entry_passes(booked: int) -> None:
    """The control: the attacks below fail for what they do, not for how they are written."""
    run(NEW_ENTRY, legs(3, -3), commit=True)
    assert Entry.objects.count() == 2
    assert Posting.objects.count() == 4


@pytest.mark.parametrize("table", ["ledger_entry", "ledger_posting", "ledger_account"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET {column} = {column}",
        "DELETE FROM {table}",
        "TRUNCATE {table} CASCADE",
        "TRUNCATE ledger_entry, ledger_posting, ledger_account, ledger_gamingday RESTART IDENTITY CASCADE",
        "MERGE INTO {table} t USING {table} s ON t.{column} = s.{column} WHEN MATCHED THEN DELETE",
        "INSERT INTO {table} SELECT * FROM {table} LIMIT 1 ON CONFLICT ({conflict}) DO UPDATE"
        " SET {column} = EXCLUDED.{column}",
    ],
)
def test_rows_are_never_changed_or_removed(booked: int, table: str, statement: str) -> None:
    column = {"ledger_entry": "memo", "ledger_posting": "amount_micros", "ledger_account": "code"}[table]
    conflict = "entry_id, account_id" if table == "ledger_posting" else "id"
    refused("is refused", statement.format(table=table, column=column, conflict=conflict))


@pytest.mark.parametrize(
    "setting",
    [
        "SELECT set_config('pgtrigger.ignore', (SELECT array_agg(tgname)::text FROM pg_trigger), true)",
        "SET CONSTRAINTS ALL DEFERRED",
    ],
)
def test_no_setting_switches_a_guard_off(booked: int, setting: str) -> None:
    refused("is refused", setting, "DELETE FROM ledger_posting")
    refused("sum to", setting, NEW_ENTRY, legs(3, -4), commit=True)
    refused("is refused", setting, "TRUNCATE ledger_entry CASCADE")


@pytest.mark.parametrize(
    ("amounts", "words"), [((3, -4), "sum to -1"), ((3,), "sum to 3"), ((0, 0), "posting_not_zero")]
)
def test_legs_that_do_not_balance(booked: int, amounts: tuple[int, ...], words: str) -> None:
    refused(words, NEW_ENTRY, legs(*amounts), commit=True)


def test_an_entry_without_legs_fails_at_commit(booked: int) -> None:
    run(NEW_ENTRY.replace("'raw'", "'later'"), legs(1, -1, key="later"))  # allowed until the commit ...
    refused("has 0 legs", NEW_ENTRY, commit=True)  # ... and here it comes


def test_the_sum_is_checked_even_after_an_early_check(booked: int) -> None:
    """The deferred check made to run early, then more legs on the same entry."""
    refused(
        "sum to",
        NEW_ENTRY,
        legs(3, -3),
        "SET CONSTRAINTS ALL IMMEDIATE",
        "INSERT INTO ledger_account (code, kind, premises_id, currency) SELECT 'harbour/tables/CS-01/fees', 'income',"
        " premises_id, currency FROM ledger_account LIMIT 1",
        f"{POSTING} SELECT e.id, a.id, 7 FROM ledger_entry e, ledger_account a"
        " WHERE e.key = 'raw' AND a.code LIKE '%/fees'",
    )


def test_no_leg_is_added_to_an_entry_that_stands(committed_db: str) -> None:
    from tests.ledger.conftest import entry_maker

    with transaction.atomic():
        post(entry_maker(make_premises("harbour"))("round:1"))
    run(
        "INSERT INTO ledger_account (code, kind, premises_id, currency) SELECT 'harbour/tables/CS-0' || n || '/fees',"
        " 'income', premises_id, currency FROM ledger_account, generate_series(1, 2) n WHERE code LIKE '%/bank'"
    )
    refused(
        "must be of this transaction",
        f"{POSTING} SELECT e.id, a.id, CASE WHEN a.code LIKE '%-01/fees' THEN 1 ELSE -1 END"
        " FROM ledger_entry e, ledger_account a WHERE a.code LIKE '%/fees'",
    )


def test_a_posting_names_an_entry_and_an_account_that_exist(booked: int) -> None:
    refused(
        "must be of this transaction",
        f"{POSTING} SELECT 0, id, 1 FROM ledger_account",
    )
    refused(
        "of its premises",
        NEW_ENTRY,
        f"{POSTING} SELECT id, 0, 1 FROM ledger_entry WHERE key = 'raw'",
    )


def test_legs_stay_in_the_books_of_one_premises_and_currency(booked: int) -> None:
    lakeside = make_premises("lakeside")
    bank = Account.objects.get(code__endswith="/bank")
    for code, premises_id, currency in [
        ("lakeside/x/bank", lakeside.pk, "NZD"),
        ("harbour/x/bank", bank.premises_id, "GBP"),
    ]:
        refused(
            "its premises and currency",
            "INSERT INTO ledger_account (code, kind, premises_id, currency)"
            f" VALUES ('{code}', 'asset', {premises_id}, '{currency}')",
            NEW_ENTRY,
            f"{POSTING} SELECT e.id, a.id, CASE WHEN a.code LIKE '%/x/%' THEN 1 ELSE -1 END"
            f" FROM ledger_entry e, ledger_account a WHERE e.key = 'raw' AND a.code IN ('{code}', '{bank.code}')",
        )


def test_the_transaction_number_cannot_be_chosen(booked: int) -> None:
    forged = NEW_ENTRY.replace("content_sha256)", "content_sha256, xact_id)").replace(
        "content_sha256 FROM", "content_sha256, 7 FROM"
    )
    refused("number of the transaction", forged)


def test_what_it_corrects_must_be_in_the_same_books(booked: int) -> None:
    forged = NEW_ENTRY.replace("content_sha256)", "content_sha256, corrects_id)")
    refused("not in the books", forged.replace("content_sha256 FROM", "content_sha256, 999999 FROM"))
    lakeside = make_premises("lakeside")
    run(f"INSERT INTO ledger_gamingday (premises_id, date) VALUES ({lakeside.pk}, '2026-03-14')")
    day = GamingDay.objects.get(premises=lakeside)
    elsewhere = forged.replace("premises_id, day_id, 'round'", f"{lakeside.pk}, {day.pk}, 'round'")
    refused("not in the books", elsewhere.replace("content_sha256 FROM", f"content_sha256, {booked} FROM"))


def test_no_entry_corrects_itself_or_one_that_comes_with_it(booked: int) -> None:
    """What is corrected stood in the books before; two entries that correct each other explain nothing."""
    with_ids = NEW_ENTRY.replace("(key,", "(id, corrects_id, key,")
    refused("before it", with_ids.replace("SELECT 'raw',", "SELECT 900001, 900001, 'raw',"), legs(3, -3))
    both = with_ids.replace("SELECT 'raw',", "SELECT v.id, v.corrects, v.key,").replace(
        "FROM ledger_entry",
        "FROM ledger_entry e, (VALUES (900001, 900002, 'a'), (900002, 900001, 'b')) v(id, corrects, key)",
    ).replace("WHERE key", "WHERE e.key")  # fmt: skip
    refused("before it", both)
    run(with_ids.replace("SELECT 'raw',", f"SELECT 900001, {booked}, 'raw',"), legs(3, -3), commit=True)


@pytest.mark.parametrize("column", ["source_sha256", "content_sha256"])
def test_an_entry_has_the_hash_of_its_source_and_content(booked: int, column: str) -> None:
    selected = NEW_ENTRY.index("SELECT")
    refused("entry_hashes_whole", NEW_ENTRY[:selected] + NEW_ENTRY[selected:].replace(column, "''::bytea"))


def test_a_late_entry_is_later_than_its_own_date(booked: int) -> None:
    for own_date in ("2026-03-14", "2026-03-15"):
        forged = NEW_ENTRY.replace("(key,", "(own_date, key,").replace(
            "SELECT 'raw'", f"SELECT '{own_date}'::date, 'raw'"
        )
        refused("not before the gaming day", forged)


def test_posting_under_another_isolation_level_is_refused(committed_db: str) -> None:
    from tests.ledger.conftest import entry_maker

    new = entry_maker(make_premises("harbour"))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        with pytest.raises(DatabaseError, match="READ COMMITTED"), transaction.atomic():
            post(new("round:1"))


class TestClosedDay:
    @pytest.fixture
    def closed(self, booked: int, harbour: Premises) -> GamingDay:

        mere = add_user("mere", name="Mere")
        day = GamingDay.objects.get()
        GamingDay.objects.filter(pk=day.pk).update(
            state="closing", closing_at="2026-03-15T00:00Z", closing_by=mere
        )
        GamingDay.objects.filter(pk=day.pk).update(
            state="closed", closed_at="2026-03-15T00:00Z", closed_by=mere
        )
        settle()
        return day

    def test_takes_no_entry(self, closed: GamingDay) -> None:
        refused("is closed", NEW_ENTRY, legs(3, -3))

    def test_does_not_open_again(self, closed: GamingDay) -> None:
        for statement in (
            "UPDATE ledger_gamingday SET state = 'open', closing_at = NULL, closed_at = NULL, closed_by_id = NULL",
            "UPDATE ledger_gamingday SET state = 'closing', closed_at = NULL",
            "UPDATE ledger_gamingday SET closed_at = now()",
        ):
            refused("Cannot|Invalid", statement)

    @pytest.mark.parametrize(
        "statement", ["DELETE FROM ledger_gamingday", "TRUNCATE ledger_gamingday CASCADE"]
    )
    def test_is_not_removed(self, closed: GamingDay, statement: str) -> None:
        refused("is refused", statement)

    def test_no_day_is_slipped_in_before_it(self, closed: GamingDay) -> None:
        insert = "INSERT INTO ledger_gamingday (premises_id, date) SELECT premises_id, date - 1 FROM ledger_gamingday"
        refused("closed beyond", insert)
        run(insert.replace("- 1", "+ 1"))


def test_days_close_in_order_and_step_by_step(booked: int, harbour: Premises) -> None:
    run("INSERT INTO ledger_gamingday (premises_id, date) SELECT premises_id, date + 1 FROM ledger_gamingday")
    close = "closed_at = now(), closed_by_id = (SELECT id FROM people_user LIMIT 1)"
    refused("Invalid", f"UPDATE ledger_gamingday SET state = 'closed', {close} WHERE date = '2026-03-14'")
    run("UPDATE ledger_gamingday SET state = 'closing', closing_at = now()")
    refused("in order", f"UPDATE ledger_gamingday SET state = 'closed', {close} WHERE date = '2026-03-15'")
    refused(
        "begins open",
        "INSERT INTO ledger_gamingday (premises_id, date, state)"
        " SELECT premises_id, date + 9, 'closed' FROM ledger_gamingday",
    )
    refused("Cannot", "UPDATE ledger_gamingday SET date = date + 30")


@pytest.mark.parametrize(
    "mark",
    [
        "INSERT INTO ledger_rollupmark (id, below_xact) VALUES (1, 1::bigint << 60)",
        # as in a copy: of a role of ours a trigger would refuse it
        "SET LOCAL session_replication_role = replica; INSERT INTO ledger_seal (number, chain, from_xact, below_xact,"
        " entries, postings, root, previous_hash, hash, sealed_at, leaves)"
        " VALUES (1, gen_random_uuid(), 0, 1::bigint << 60, 1, 2, '', '', '', now(), '');"
        " SET LOCAL session_replication_role = origin",
    ],
)
def test_a_server_that_counts_from_lower_than_the_ledger_takes_no_entry(booked: int, mark: str) -> None:
    """A dump restored into a new cluster: folds and seals would pass by what it posts."""
    refused("lower number", mark, NEW_ENTRY)


@pytest.mark.parametrize("table", ["ledger_entry", "ledger_posting", "ledger_account", "ledger_gamingday"])
def test_the_application_role_lacks_the_rights(committed_db: str, table: str) -> None:
    from tests.conftest import APP_ROLE

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_table_privilege(%s, %s, 'INSERT'), has_table_privilege(%s, %s, 'UPDATE'),"
            " has_table_privilege(%s, %s, 'DELETE'), has_table_privilege(%s, %s, 'TRUNCATE')",
            [APP_ROLE, table] * 4,
        )
        assert cursor.fetchone() == (True, False, False, False)
        by_column = "SELECT has_any_column_privilege(%s, %s, 'UPDATE')"
        cursor.execute(by_column, [APP_ROLE, table])
        assert cursor.fetchone() == (table == "ledger_gamingday",)
