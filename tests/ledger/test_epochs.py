"""A database that goes on from a copy: a dump restored into a new cluster, adopted by one command, without a
superuser's tools. Everything before and after still verifies, and what was lost is on record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, connections, transaction

from config.kit.triggers.sealed import EPOCH_BITS, epoch_of
from config.local.servers import Postgres
from config.settings import _database
from ledger.books import balances
from ledger.books.journal import post, post_many
from ledger.models import Entry, Epoch, Seal
from ledger.seals import epochs, seals
from people.audit import audit
from people.models import AuditRecord, Premises
from tests.homes import throw_away_home
from tests.ledger.conftest import entry_maker, make_premises, verify_books
from tests.upgrade.dumps import run


@pytest.fixture
def new_cluster() -> Iterator[Postgres]:
    """A PostgreSQL of this test alone, which counts its transactions from the beginning."""
    with throw_away_home() as home:
        server = Postgres(home, durable=False)
        server.start()
        server.ensure_database("copy")
        with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
            admin.execute("CREATE ROLE keeper LOGIN")  # owns the copy; no superuser
            admin.execute("ALTER DATABASE copy OWNER TO keeper")
        yield server
        server.stop()


@contextmanager
def pointed_at(url: str) -> Iterator[None]:
    default = settings.DATABASES["default"]
    wanted = _database(url)
    before = {name: default.get(name) for name in ("NAME", "USER", "HOST", "PORT", "PASSWORD")}

    def point(values: dict[str, object]) -> None:
        connections.close_all()
        for name in before:
            default[name] = connections["default"].settings_dict[name] = values.get(name) or ""

    point(wanted)
    try:
        yield
    finally:
        point(before)


def far_ahead(url: str) -> None:
    """Many transactions, as a house has after a day: a new cluster begins far below."""
    with psycopg.connect(url, autocommit=True) as session:
        session.execute(
            "DO $$ BEGIN FOR i IN 1 .. 3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
        )


def entries(house: Premises, *keys: str) -> None:
    with transaction.atomic():
        post_many([entry_maker(house)(key) for key in keys])


def test_a_restored_dump_goes_on_with_one_command(
    committed_db: str, new_cluster: Postgres, tmp_path: Path
) -> None:
    house = make_premises("harbour")
    far_ahead(committed_db)
    entries(house, "a", "b")
    audit.record("test", "tests.before")
    seals.seal()
    balances.roll_up()
    entries(house, "c")  # under no seal when the dump is made
    dump = run("pg_dump", "--no-owner", "--no-privileges", committed_db)
    entries(house, "lost")  # after the dump: in the file outside, and nowhere else
    seals.seal()
    last = Seal.objects.latest("number")
    sink = seals.sink_path(last.chain)
    assert len(sink.read_text().splitlines()) == last.number == 2

    copy = new_cluster.url("copy", "keeper")
    run("psql", "--quiet", "--set=ON_ERROR_STOP=1", copy, given=dump)
    with pointed_at(copy):
        for refused in (
            lambda: entries(house, "too soon"),
            lambda: audit.record("test", "tests.too_soon"),
        ):
            with pytest.raises(DatabaseError, match="counts transactions from a lower number"):
                refused()
        out = StringIO()
        call_command("adopt_database", "Dump of 09:00 after a disk died, by order of Mere", stdout=out)
        assert "Epoch 1: goes on from seal 1" in out.getvalue()
        assert "Seals 2 to 2 are in the file and not in this copy" in out.getvalue()
        epoch = Epoch.objects.get()
        assert (epoch.last_seal, epoch.last_known_seal) == (1, 2)
        assert AuditRecord.objects.filter(action="ledger.database_adopted").count() == 1

        entries(house, "d")
        balances.roll_up()
        seals.seal()
        assert epoch_of(Entry.objects.get(key="d").xact_id) == 1
        assert epoch_of(Entry.objects.get(key="c").xact_id) == 0
        assert balances.balance("harbour/tables/CS-01/bank") == 4 * 5_000_000
        own = seals.sink_path(last.chain, 1)
        assert own != sink
        assert [str(fault) for fault in verify_books([sink, own]).faults] == []
        # The seal over the gap between the two counts holds what the dump brought unsealed.
        bridge = Seal.objects.get(number=2)
        assert (epoch_of(bridge.from_xact), epoch_of(bridge.below_xact)) == (0, 1)
        assert bridge.entries == 1

        call_command("adopt_database", "Once more, by mistake", stdout=StringIO())
        entries(house, "e")
        seals.seal()
        assert epoch_of(Entry.objects.get(key="e").xact_id) == 2
        assert verify_books([sink, own]).sound


def test_what_is_missing_and_not_on_record_is_a_fault(committed_db: str) -> None:
    """Whoever drops the last seals and calls it a restore is found by the file that they did not name."""
    house = make_premises("harbour")
    entries(house, "a")
    seals.seal()
    entries(house, "b")
    seals.seal()
    chain = Seal.objects.latest("number").chain
    kept = seals.sink_path(chain).read_text()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "DELETE FROM ledger_posting WHERE entry_id = (SELECT id FROM ledger_entry WHERE key = 'b')"
        )
        cursor.execute("DELETE FROM ledger_entry WHERE key = 'b'")
        cursor.execute("DELETE FROM ledger_seal WHERE number = 2")
    seals.sink_path(chain).write_text(kept.splitlines(keepends=True)[0])
    epochs.adopt("A restore, they say")
    outside = settings.VAR_DIR / "outside.jsonl"
    outside.write_text(kept)
    faults = [str(fault) for fault in verify_books([outside]).faults]
    assert any(fault.startswith("seal 2: ") for fault in faults)


def test_a_sequence_that_lags_is_raised(committed_db: str) -> None:
    """As on a logical replica: the rows are there, their counters are not."""
    house = make_premises("harbour")
    entries(house, "a", "b")
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval('ledger_entry_id_seq', 1, false)")
    adopted = epochs.adopt("The replica took over")
    assert adopted.raised == ["public.ledger_entry_id_seq"]
    with transaction.atomic():
        assert post(entry_maker(house)("c")).created


def test_who_may_not_and_what_is_refused_in_words(committed_db: str, var_dir: Path) -> None:
    with pytest.raises(CommandError, match="Say why"):
        call_command("adopt_database", " ")
    entries(make_premises("harbour"), "a")
    seals.seal()
    with pytest.raises(CommandError, match="nowhere is not there"):
        call_command("adopt_database", "x", "--sink", str(var_dir / "nowhere"))
    sink = seals.sink_path(Seal.objects.get().chain)
    text = sink.read_text()
    other = var_dir / "other.jsonl"
    other.write_text(text.replace(bytes(Seal.objects.get().hash).hex(), "0" * 64))
    with pytest.raises(CommandError, match="one of the two was rewritten"):
        call_command("adopt_database", "x", "--sink", str(other))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE potline_app")
        with pytest.raises(epochs.CannotAdopt, match="owner"):
            epochs.adopt("x")
        transaction.set_rollback(True)
    assert not Epoch.objects.exists()
    assert 1 << EPOCH_BITS > 10_000 * 3600 * 24 * 365 * 890
