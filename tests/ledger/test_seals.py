"""Seals: commit-safe, chained, kept outside; and every kind of tampering as a superuser found and located."""

from __future__ import annotations

import hashlib
import json
import threading
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from ledger.books import balances
from ledger.books.journal import post, post_many
from ledger.models import Entry, Posting, Seal
from ledger.seals import leaves as packed
from ledger.seals import merkle, seals
from ledger.tasks import watch_seals
from ledger.verify import entries
from people.models import Alert, Premises
from tests.ledger.conftest import entry_maker, make_premises, verify_books
from tests.ledger.test_concurrency import WAIT_S, Held, threads

pytestmark = pytest.mark.usefixtures("committed_db")


@pytest.fixture
def house(committed_db: str) -> Premises:
    return make_premises("harbour")


@pytest.fixture
def sealed(house: Premises) -> list[Seal]:
    """Three seals over nine entries, folded."""
    new = entry_maker(house)
    made = []
    for batch in range(3):
        with transaction.atomic():
            post_many([new(f"round:{batch}{n}", memo='odd "memo"\n\t\\ é 中 \x01') for n in range(3)])
        made += seals.seal()
    balances.roll_up()
    return made


def as_superuser(*statements: str) -> None:
    """With every trigger off, as only a superuser can."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement)
            assert cursor.rowcount > 0, f"touched nothing: {statement}"


def faults(*against: Path) -> list[str]:
    return [str(fault) for fault in verify_books(against).faults]


# --- The tree, by hand ----------------------------------------------------------------------------------------
def test_the_tree_is_that_of_rfc_6962() -> None:
    a, b, c = (hashlib.sha256(b"\x00" + line).digest() for line in (b"a", b"b", b"c"))
    ab = hashlib.sha256(b"\x01" + a + b).digest()
    assert merkle.leaf(b"a") == a
    assert merkle.root([a]) == a
    assert merkle.root([a, b]) == ab
    assert merkle.root([a, b, c]) == hashlib.sha256(b"\x01" + ab + c).digest()


def test_seals_cover_all_entries_and_chain(sealed: list[Seal]) -> None:
    assert [seal.number for seal in sealed] == [1, 2, 3]
    assert [seal.entries for seal in sealed] == [3, 3, 3]
    assert bytes(sealed[0].previous_hash) == bytes(32)
    assert [bytes(s.previous_hash) for s in sealed[1:]] == [bytes(s.hash) for s in sealed[:-1]]
    assert seals.seal() == []
    report = verify_books()
    assert (report.seals, report.entries, report.postings, report.unsealed) == (3, 9, 18, 0)
    assert report.sound


def test_the_leaf_is_the_canonical_json_of_the_row(sealed: list[Seal]) -> None:
    """The line that PostgreSQL writes, written again in Python from the ORM's rows."""

    def instant(value: datetime | None) -> str | None:
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if value else None

    leaves = []
    for entry in Entry.objects.filter(xact_id__lt=sealed[0].below_xact).order_by("xact_id", "id"):
        legs = {
            p.account.code: p.amount_micros
            for p in Posting.objects.filter(entry=entry).select_related("account")
        }
        content = {
            "at": instant(entry.occurred_at), "content": bytes(entry.content_sha256).hex(),
            "corrects": entry.corrects_id, "currency": entry.currency,
            "day": entry.day.date.isoformat(), "id": entry.pk, "key": entry.key, "kind": entry.kind, "legs": legs,
            "memo": entry.memo, "own_date": entry.own_date, "posted_at": instant(entry.posted_at),
            "premises": entry.premises_id, "reference": entry.reference,
            "source": bytes(entry.source_sha256).hex(), "xact": entry.xact_id,
        }  # fmt: skip
        line = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        leaves.append(merkle.leaf(line.encode()))
    roots = packed.unpack_roots(bytes(sealed[0].classes))
    assert [(one.name, one.count) for one in roots] == [("ledger.entry", 3), ("ledger.step", 1)]
    assert merkle.root(leaves) == roots[0].root
    over = [merkle.leaf(f"{one.name} {one.count} {one.root.hex()}".encode()) for one in roots]
    assert merkle.root(over) == bytes(sealed[0].root)


def test_a_transaction_held_open_is_sealed_when_it_ends(house: Premises) -> None:
    with transaction.atomic():
        post(entry_maker(house)("first"))
    held = Held(house, "held")
    with threads(1) as start:
        running = start(held.run)
        assert held.posted.wait(WAIT_S)
        with transaction.atomic():
            post(entry_maker(house)("meanwhile"))
        assert [seal.entries for seal in seals.seal()] == [
            1
        ]  # not what came after the open one: that must wait
        held.end.set()
        running.result(WAIT_S)
    assert [seal.entries for seal in seals.seal()] == [2]
    assert verify_books().sound


def test_two_sealers_at_once_make_one_chain(house: Premises) -> None:
    with transaction.atomic():
        post_many([entry_maker(house)(f"round:{n}") for n in range(20)])
    together = threading.Barrier(4)

    def work() -> int:
        together.wait(WAIT_S)
        return len(seals.seal())

    with threads(4) as start:
        assert sum(f.result(WAIT_S) for f in [start(work) for _ in range(4)]) == 1
    assert verify_books().sound


def test_a_long_pause_ends_in_several_seals(house: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "MAX_ROWS", 4)
    sizes = [3, 3, 9, 1, 1]
    for number, size in enumerate(sizes):
        with transaction.atomic():
            post_many([entry_maker(house)(f"t{number}:{n}") for n in range(size)])
    # A transaction is never cut: 3 | 3 | 9 | 1 + 1
    assert [seal.entries for seal in seals.seal()] == [3, 3, 9, 2]
    assert verify_books().sound


# --- The file outside -----------------------------------------------------------------------------------------
def test_the_file_holds_every_root(sealed: list[Seal], var_dir: Path) -> None:
    (path,) = (var_dir / "seals").iterdir()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["hash"] for line in lines] == [bytes(seal.hash).hex() for seal in sealed]
    assert faults(path) == []


def test_the_file_is_caught_up_after_a_crash(sealed: list[Seal], var_dir: Path) -> None:
    (path,) = (var_dir / "seals").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - 30])  # the last line torn
    seals.catch_up_sink()
    assert path.read_bytes() == whole
    path.unlink()
    seals.catch_up_sink()
    assert path.read_bytes() == whole


def test_a_file_that_disagrees_is_not_written_on(sealed: list[Seal]) -> None:
    as_superuser("UPDATE ledger_seal SET hash = sha256('forged') WHERE number = 3")
    with pytest.raises(seals.SinkDisagrees, match="seal 3"):
        seals.catch_up_sink()


# --- Tampering ------------------------------------------------------------------------------------------------
class Rollback(Exception):
    """Ends a scene without a trace."""


def scene(*statements: str, against: tuple[Path, ...] = ()) -> list[str]:
    """The faults found after a forgery, which is rolled back afterwards."""
    found: list[str] = []
    try:
        with transaction.atomic():
            as_superuser(*statements)
            found = faults(*against)
            raise Rollback
    except Rollback:
        return found


def entry_id(key: str) -> int:
    return Entry.objects.get(key=key).pk


def test_every_changed_field_is_found_and_located(sealed: list[Seal]) -> None:
    pk = entry_id("round:02")
    changes = [
        "memo = 'other'", "reference = 'x'", "key = 'x'", "kind = 'fill'", "occurred_at = now()", "corrects_id = 1",
        "own_date = '2026-01-01'", "posted_at = now()", "source_sha256 = sha256('x')", "currency = 'GBP'",
        "premises_id = 99", "content_sha256 = sha256('x')",
    ]  # fmt: skip
    for change in changes:
        found = scene(f"UPDATE ledger_entry SET {change} WHERE id = {pk}")
        assert f"entry {pk}: it was changed after seal 1" in found, change
    # Without its day an entry has no line at all; and no column is left out above.
    found = scene(f"UPDATE ledger_entry SET day_id = 99 WHERE id = {pk}")
    assert f"entry {pk}: it is missing from under seal 1" in found
    assert f"entry {pk}: its gaming day is gone or of another premises" in found
    tried = {change.partition(" ")[0] for change in changes} | {"id", "day_id", "xact_id"}
    assert tried == {field.column for field in Entry._meta.concrete_fields}
    assert faults() == []


def test_changed_dropped_and_added_legs_are_found_and_located(sealed: list[Seal]) -> None:
    pk = entry_id("round:11")
    for statements in (
        [f"DELETE FROM ledger_posting WHERE entry_id = {pk}"],
        [f"DELETE FROM ledger_posting WHERE entry_id = {pk} AND amount_micros > 0"],
        [
            "INSERT INTO ledger_account (code, kind, premises_id, currency) SELECT replace(code, 'CS-01', 'CS-02'),"
            " kind, premises_id, currency FROM ledger_account",
            f"INSERT INTO ledger_posting (entry_id, account_id, amount_micros) SELECT {pk}, id, CASE WHEN code LIKE"
            " '%/bank' THEN 7 ELSE -7 END FROM ledger_account WHERE code LIKE '%CS-02%'",
        ],
        ["UPDATE ledger_account SET code = replace(code, 'CS-01', 'CS-02')"],
    ):
        found = scene(*statements)
        assert f"entry {pk}: it was changed after seal 2" in found, statements
    assert scene("UPDATE ledger_account SET currency = 'GBP' WHERE code LIKE '%/win'") == [
        f"account harbour/tables/CS-01/win: its premises or currency is not that of entry {entry_id('round:00')} on it"
    ]
    found = scene("UPDATE ledger_daymovement SET postings = 1 WHERE debit_micros > 0")
    assert [fault.partition(" on ")[0] for fault in found] == ["balance of harbour/tables/CS-01/bank"]
    assert found[0].endswith("out by 0 debit and 0 credit micros, 8 postings")
    assert faults() == []


def test_a_changed_amount_is_found_and_located(sealed: list[Seal]) -> None:
    pk = entry_id("round:11")
    found = scene(f"UPDATE ledger_posting SET amount_micros = amount_micros * 2 WHERE entry_id = {pk}")
    assert f"entry {pk}: it was changed after seal 2" in found
    assert any(fault.startswith("balance of harbour/tables/CS-01/bank") for fault in found)
    found = scene(
        "INSERT INTO ledger_account (code, kind, premises_id, currency) SELECT 'harbour/tables/CS-02/bank', kind,"
        " premises_id, currency FROM ledger_account WHERE code LIKE '%/bank'",
        f"UPDATE ledger_posting SET account_id = (SELECT max(id) FROM ledger_account) WHERE entry_id = {pk}"
        " AND amount_micros > 0",
    )
    assert f"entry {pk}: it was changed after seal 2" in found
    found = scene("UPDATE ledger_gamingday SET date = date + 1")
    assert f"entry {pk}: it was changed after seal 2" in found


def test_dropped_added_and_reordered_entries_are_found_and_located(sealed: list[Seal]) -> None:
    first, second, last = entry_id("round:00"), entry_id("round:10"), entry_id("round:20")
    found = scene(
        f"DELETE FROM ledger_posting WHERE entry_id = {second}",
        f"DELETE FROM ledger_entry WHERE id = {second}",
    )
    assert f"entry {second}: it is missing from under seal 2" in found
    found = scene(f"DELETE FROM ledger_entry WHERE id = {second}")
    assert f"entry {second}: it is gone, but 2 of its postings stand" in found
    found = scene(
        "INSERT INTO ledger_entry (id, key, premises_id, day_id, kind, reference, currency, source_sha256,"
        " content_sha256, xact_id) SELECT 99999, 'added', premises_id, day_id, kind, reference, currency,"
        f" source_sha256, content_sha256, xact_id FROM ledger_entry WHERE id = {second}",
        "INSERT INTO ledger_posting (entry_id, account_id, amount_micros) SELECT 99999, account_id, amount_micros"
        f" FROM ledger_posting WHERE entry_id = {second}",
    )
    assert "entry 99999: it was put under seal 2 afterwards" in found
    found = scene(
        f"UPDATE ledger_entry SET xact_id = (SELECT xact_id FROM ledger_entry WHERE id = {last}) WHERE id = {first}"
    )
    assert f"entry {first}: it is missing from under seal 1" in found
    assert f"entry {first}: it was put under seal 3 afterwards" in found
    found = scene(
        f"UPDATE ledger_entry SET id = 0 WHERE id = {second}",
        f"UPDATE ledger_entry SET id = {second} WHERE id = {second + 1}",
        f"UPDATE ledger_entry SET id = {second + 1} WHERE id = 0",
    )
    assert f"entry {second}: it was changed after seal 2" in found


def test_seals_taken_out_or_changed_are_found(sealed: list[Seal], var_dir: Path) -> None:
    (kept,) = (var_dir / "seals").iterdir()
    found = scene("UPDATE ledger_seal SET entries = 4 WHERE number = 2")
    assert "seal 2: its own fields were changed: its counts are not its classes'" in found
    found = scene("UPDATE ledger_seal SET sealed_at = now() WHERE number = 2")
    assert "seal 2: its own fields were changed: they do not give its hash" in found
    found = scene("UPDATE ledger_seal SET classes = set_byte(classes, 40, 7) WHERE number = 2")
    assert "seal 2: the roots of its classes do not give its root" in found
    found = scene("DELETE FROM ledger_seal WHERE number = 2")
    assert "seal 3: seal 2 is missing before it" in found
    assert "seal 3: it does not follow from the seal before it" in found
    assert scene("DELETE FROM ledger_seal WHERE number = 3") == []  # looks like not yet sealed ...
    found = scene("DELETE FROM ledger_seal WHERE number = 3", against=(kept,))
    assert any(
        "seal 3" in fault and "the database does not" in fault for fault in found
    )  # ... but the file knows
    assert scene("UPDATE ledger_account SET kind = 'expense' WHERE code LIKE '%/win'") == [
        "account harbour/tables/CS-01/win: it is booked as expense, the chart says income"
    ]


def forge(key: str, change: str) -> None:
    """By someone who knows how an entry's content is hashed."""
    as_superuser(f"UPDATE ledger_entry SET {change} WHERE key = '{key}'")
    entry = Entry.objects.select_related("premises", "day", "corrects").get(key=key)
    entries.with_legs([entry])
    content = next(entries._contents(entry))
    as_superuser(f"UPDATE ledger_entry SET content_sha256 = '\\x{content.hex()}' WHERE key = '{key}'")


def test_a_change_hidden_in_the_list_of_leaves_as_well(sealed: list[Seal]) -> None:
    """Whoever also rewrites the list that locates is found all the same, at the seal."""
    forge("round:11", "memo = 'other'")
    seal = Seal.objects.get(number=2)
    _, marks = seals.roots_and_marks(seals.rows_between(seal.from_xact, seal.below_xact))
    as_superuser(f"UPDATE ledger_seal SET leaves = '\\x{marks.hex()}' WHERE number = 2")
    (fault,) = faults()
    assert fault.startswith("seal 2: entry")


def test_a_rewritten_chain_is_found_by_any_earlier_root(sealed: list[Seal], var_dir: Path) -> None:
    """All rows consistent again after the forgery; only a root kept elsewhere knows better."""
    (kept,) = (var_dir / "seals").iterdir()
    as_superuser(
        f"UPDATE ledger_posting SET amount_micros = amount_micros * 3 WHERE entry_id = {entry_id('round:01')}"
    )
    forge("round:01", "memo = memo")
    as_superuser("DELETE FROM ledger_seal")
    seals.seal()
    as_superuser("DELETE FROM ledger_daymovement", "UPDATE ledger_rollupmark SET below_xact = 0")
    balances.roll_up()
    assert faults() == []
    found = faults(kept)
    assert found[0].startswith("seal 1: ")
    assert "the chain was rewritten" in found[0]
    # One root will do, written down anywhere.
    one = var_dir / "one.jsonl"
    one.write_text(kept.read_text().splitlines(keepends=True)[1])
    assert faults(one)[0].startswith("seal 2: ")


# --- The command ----------------------------------------------------------------------------------------------
def test_the_command_says_so(sealed: list[Seal], var_dir: Path) -> None:
    (path,) = (var_dir / "seals").iterdir()
    out = StringIO()
    call_command("verify_ledger", "--against", str(path), stdout=out)
    assert "3 seals over 10 rows, 0 not yet sealed; 9 sealed entries with 18 postings" in out.getvalue()
    assert "The ledger is sound." in out.getvalue()
    as_superuser("UPDATE ledger_entry SET memo = 'other' WHERE key = 'round:00'")
    errors = StringIO()
    with pytest.raises(CommandError, match="2 faults"):
        call_command("verify_ledger", stdout=out, stderr=errors)
    assert "was changed after seal 1" in errors.getvalue()
    assert "does not give its content hash" in errors.getvalue()
    with pytest.raises(CommandError, match="is not there"):
        call_command("verify_ledger", "--against", "/nowhere")


def test_the_command_shows_a_bar_on_a_terminal(sealed: list[Seal], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    call_command("verify_ledger", stdout=StringIO())
    assert "100%" in terminal.getvalue()
    assert "seals: " in terminal.getvalue()


def test_a_file_that_holds_no_roots_is_told_in_words(sealed: list[Seal], tmp_path: Path) -> None:
    for content, words in [
        (b"scribbled over\n", "cannot be read as a file of roots"),
        (b'{"number": 1}\n', "cannot be read as a file of roots"),
        (b"", "holds no root of this ledger"),
    ]:
        (tmp_path / "kept").write_bytes(content)
        (fault,) = faults(tmp_path / "kept")
        assert words in fault


def test_troubles_are_told_in_words(sealed: list[Seal], var_dir: Path) -> None:
    assert list(seals.troubles()) == []
    as_superuser("UPDATE ledger_seal SET previous_hash = sha256('x') WHERE number = 2")
    found = list(seals.troubles())
    assert any("Seal 2 does not follow from seal 1" in text for _, text in found)
    assert any("Seal 2 was changed" in text for _, text in found)
    (path,) = (var_dir / "seals").iterdir()
    path.write_text(path.read_text().replace('"number":3', '"number":9'))
    assert any("holds seal 9" in text for _, text in seals.troubles())
    path.write_text("no seal at all\n")
    assert any("is not a seal: b'no seal at all'" in text for _, text in seals.troubles())


def test_the_watch_tells_each_sort_of_trouble_once(sealed: list[Seal], var_dir: Path) -> None:
    watch_seals()
    assert not Alert.objects.exists()
    as_superuser("UPDATE ledger_seal SET previous_hash = sha256('x') WHERE number = 2")
    (path,) = (var_dir / "seals").iterdir()
    path.write_text("no seal at all\n")
    for _ in range(2):
        watch_seals()
    found = Alert.objects.order_by("subject")
    assert [(alert.kind, alert.subject, alert.premises) for alert in found] == [
        ("ledger.seals_doubtful", "ledger.seals:chain", None),
        ("ledger.seals_doubtful", "ledger.seals:file", None),
    ]
    assert "does not follow from seal 1" in found[0].text


def test_sealing_in_arrears_goes_on_in_pieces(house: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "MAX_ROWS", 1)
    for number in range(5):
        with transaction.atomic():
            post(entry_maker(house)(f"t{number}"))
    assert [len(seals.seal(at_most=2)) for _ in range(4)] == [2, 2, 1, 0]
    assert verify_books().sound


def test_a_seal_that_is_overdue_is_told(house: Premises) -> None:
    with transaction.atomic():
        post(entry_maker(house)("old"))
    as_superuser("UPDATE ledger_entry SET posted_at = now() - interval '10 minutes'")
    assert any("Nothing was sealed for 600 seconds" in text for _, text in seals.troubles())
