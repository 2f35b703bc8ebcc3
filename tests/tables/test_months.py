"""Lines, postings and sign minutes by month: the turn, the guards of every part, a month in files and back again."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import threading
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.test import Client

from config.kit.refusals import Refused
from ledger.books import balances
from ledger.exports import bundle, service
from ledger.models import Entry, MonthMove, Posting
from ledger.months import month_files, months
from ledger.seals import seals
from ledger.verify import verify, watchdog
from people.models import Alert, AuditRecord
from tables.models import Round, Table, WagerLine
from tables.settle.lines import COLUMNS
from tables.settle.settlement import settle_batch
from tests.conftest import APP_ROLE, PART_ROLES
from tests.floor import Floor
from tests.terminal import PLAIN
from tests.upgrade.evening import play, settle_and_fold

pytestmark = pytest.mark.usefixtures("committed_db", "redis_url")
SEPTEMBER, OCTOBER = 202609 * 10**9, 202610 * 10**9


@pytest.fixture(autouse=True)
def _nothing_turned() -> None:
    months._turned.clear()


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return committed_floor


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def sql(statement: str, *given: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given or None)
        return list(cursor.fetchall()) if cursor.description else []


def played(floor: Floor, code: str = "CS-01") -> Round:
    play(Table.objects.get(pk=floor.tables[code].pk), {1: PLAIN[0], 2: PLAIN[1]})
    settle_and_fold(floor.progressive)
    return Round.objects.order_by("-pk")[0]


def close_all_days(floor: Floor) -> None:
    """As the close does at its end; what it checks first has tests of its own."""
    sql("UPDATE ledger_gamingday SET state = 'closing', closing_at = now() WHERE state = 'open'")
    sql(
        "UPDATE ledger_gamingday SET state = 'closed', closed_at = now(), closed_by_id = %s WHERE state = 'closing'",
        floor.people["fiona"].pk,
    )


def september(floor: Floor) -> Round:
    """A round of September, and all that it takes for September to go."""
    assert months.turn(at("2026-09-10"))
    round = played(floor)
    months._turned.clear()
    assert months.turn(at("2026-10-10"))
    close_all_days(floor)
    balances.roll_up()
    assert seals.seal()
    assert watchdog.run() == []
    return round


# --- The turn -------------------------------------------------------------------------------------------------
def test_a_month_begins_once_every_premises_is_in_it(floor: Floor) -> None:
    """Auckland is thirteen hours ahead, and a gaming day begins at six: both are of the same zone here."""
    assert floor.harbour.time_zone == floor.lakeside.time_zone == "Pacific/Auckland"
    assert months.current_month(at("2026-09-30T16:59")) == date(2026, 9, 1)
    floor.lakeside.__class__.objects.filter(pk=floor.lakeside.pk).update(time_zone="Europe/Berlin")
    assert months.current_month(at("2026-09-30T17:01")) == date(2026, 9, 1)
    assert months.current_month(at("2026-10-01T04:01")) == date(2026, 10, 1)


def test_numbers_go_on_in_the_months_band_and_rows_find_their_part(floor: Floor) -> None:
    before = played(floor)
    assert before.pk < months.FIRST_BAND * months.BAND
    assert months.turn(at("2026-09-10"))
    in_september = played(floor)
    assert in_september.pk == SEPTEMBER + 1
    assert months.month_of(in_september.pk) == "2026-09"
    months._turned.clear()
    assert months.turn(at("2026-10-10"))
    late = played(floor)  # told in October, whatever its gaming day: it is October's
    assert late.pk == OCTOBER + 1
    assert late.gaming_day == in_september.gaming_day

    parts = sql("SELECT tableoid::regclass::text, count(*) FROM tables_wagerline GROUP BY 1 ORDER BY 1")
    lines = WagerLine.objects.filter(round=late).count()
    assert parts == [
        ("months.tables_wagerline_202609", lines),
        ("months.tables_wagerline_202610", lines),
        ("months.tables_wagerline_earlier", lines),
    ]
    entry = Entry.objects.get(key=f"tables:round:{late.pk}")
    assert entry.pk > OCTOBER
    legs = "SELECT DISTINCT tableoid::regclass::text FROM ledger_posting WHERE entry_id = %s"
    assert sql(legs, entry.pk) == [("months.ledger_posting_202610",)]
    seals.seal()
    assert verify.verify().faults == []


def test_parts_are_there_for_three_months_to_come(floor: Floor) -> None:
    months.turn(at("2026-09-10"))
    assert [months.lacking(date(2026, month, 1)) for month in (9, 10, 11, 12)] == [[], [], [], []]
    every = [
        "jackpots_displayminute",
        "jackpots_frametext",
        "ledger_posting",
        "tables_messagetext",
        "tables_wagerline",
    ]
    assert months.lacking(date(2027, 1, 1)) == every


def test_a_turn_is_not_undone_and_does_not_go_back(floor: Floor) -> None:
    months.turn(at("2026-10-10"))
    sql("SELECT nextval('tables_round_id_seq')")
    for month in ("2026-10-01", "2026-09-01"):
        sql("SELECT potline_turn_month(%s)", month)
    assert sql("SELECT last_value FROM tables_round_id_seq") == [(OCTOBER + 1,)]


def test_numbers_follow_only_parts_that_are_committed() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT potline_turn_month('2026-09-01')")
        assert cursor.fetchone() == (False,)
        cursor.execute("SELECT last_value < 10 ^ 9 FROM tables_round_id_seq")
        assert cursor.fetchone() == (True,)
        cursor.execute("SELECT potline_turn_month('2026-09-01')")
        assert cursor.fetchone() == (True,)


def test_a_month_that_is_still_to_come_is_refused() -> None:
    with pytest.raises(DatabaseError, match="still to come"):
        sql("SELECT potline_turn_month((now() + interval '40 days')::date)")


def test_where_parts_cannot_be_made_somebody_is_told_and_play_goes_on(floor: Floor) -> None:
    sql("ALTER TABLE months.divided RENAME TO gone")
    assert not months.turn(at("2026-09-10"))
    alert = Alert.objects.get(kind="ledger.month_not_made")
    assert "2026-09" in alert.text
    assert played(floor).pk < SEPTEMBER


def test_rounds_that_are_told_while_a_month_turns_are_all_settled(floor: Floor, committed_db: str) -> None:
    """Turns by several at once, again and again, between the rounds."""
    stop = threading.Event()
    faults: list[Exception] = []

    def keep_turning() -> None:
        try:
            with psycopg.connect(committed_db, autocommit=True) as session:
                month = 1
                while not stop.is_set():
                    session.execute("SELECT potline_turn_month(make_date(2026, %s, 1))", [month])
                    month = month % 10 + 1
        except Exception as error:
            faults.append(error)

    others = [threading.Thread(target=keep_turning) for _ in range(2)]
    for thread in others:
        thread.start()
    try:
        for _ in range(12):
            play(Table.objects.get(pk=floor.tables["CS-01"].pk), {1: PLAIN[0]})
            while settle_batch().settled:
                pass
    finally:
        stop.set()
        for thread in others:
            thread.join()
    assert faults == []
    assert Round.objects.exclude(state="settled").count() == 0
    numbers = list(Round.objects.order_by("number").values_list("pk", flat=True))
    assert len(numbers) == 12
    assert numbers == sorted(numbers)
    assert all(round.lines.exists() for round in Round.objects.all())


# --- Guards ---------------------------------------------------------------------------------------------------
ATTACKS = {
    "months.tables_wagerline_202609": [
        "UPDATE {} SET winnings_micros = winnings_micros + 1",
        "DELETE FROM {}",
        "TRUNCATE {}",
        f"INSERT INTO {{}} (round_id, {', '.join(COLUMNS)}) SELECT round_id + 5, {', '.join(COLUMNS)} FROM {{}}",
    ],
    "months.tables_messagetext_202609": [
        "UPDATE {} SET text = text || ' '",
        "DELETE FROM {}",
        "TRUNCATE {}",
        "INSERT INTO {} SELECT event_id + 5, text FROM {}",
    ],
    "months.ledger_posting_202609": [
        "UPDATE {} SET amount_micros = amount_micros + 1",
        "DELETE FROM {}",
        "TRUNCATE {}",
        "INSERT INTO {} (entry_id, account_id, amount_micros) SELECT min(entry_id),"
        " (SELECT max(id) FROM ledger_account), 1 FROM {}",
    ],
}


@pytest.mark.parametrize("part", ATTACKS)
def test_guards_hold_for_who_names_a_part(floor: Floor, part: str) -> None:
    """As the tables' owner, whom no right stops: what refuses is the trigger on the part."""
    months.turn(at("2026-09-10"))
    played(floor)
    assert sql(f"SELECT count(*) > 0 FROM {part}") == [(True,)]
    for attack in ATTACKS[part]:
        with pytest.raises(
            DatabaseError, match=r"refused|which there is not|must be of this transaction|not the message"
        ):
            sql(attack.replace("{}", part))


def test_every_part_has_the_triggers_of_its_parent(floor: Floor) -> None:
    months.turn(at("2026-09-10"))
    found = sql(
        "SELECT p.relname, c.relname, (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = p.oid AND NOT t.tgisinternal"
        " AND NOT EXISTS (SELECT FROM pg_trigger o WHERE o.tgrelid = c.oid AND o.tgname = t.tgname"
        " AND o.tgfoid = t.tgfoid AND o.tgtype = t.tgtype AND o.tgenabled = 'O'))"
        " FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid"
        " WHERE p.relkind = 'p'"
    )
    assert len(found) >= 20
    assert [row for row in found if row[2]] == []


@pytest.mark.parametrize("role", [APP_ROLE, *PART_ROLES.values()])
def test_no_role_of_the_application_reaches_a_part(floor: Floor, committed_db: str, role: str) -> None:
    months.turn(at("2026-09-10"))
    played(floor)
    with psycopg.connect(committed_db, user=role, autocommit=True) as session:
        for part in (*ATTACKS, "months.jackpots_displayminute_202609", "months.divided"):
            for attack in (
                "SELECT FROM {}",
                "INSERT INTO {} DEFAULT VALUES",
                "DELETE FROM {}",
                "TRUNCATE {}",
                "DROP TABLE {}",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    session.execute(attack.format(part).encode())
        for function in (
            "months.divide('x', 'y', 'z')",
            "months.shape('ledger_posting', 'mine')",
            "months.guard('x', 'y')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                session.execute(f"SELECT {function}".encode())
        for sequence in ("tables_round_id_seq", "ledger_entry_id_seq", "tables_tableevent_id_seq"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                session.execute(f"SELECT setval('{sequence}', 1)".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            session.execute("INSERT INTO ledger_monthmove (month, kind) VALUES ('2026-09', 'detached')")
        if role in (APP_ROLE, PART_ROLES["worker"]):
            assert session.execute("SELECT potline_turn_month('2026-09-01')").fetchone() == (True,)
        else:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                session.execute("SELECT potline_turn_month('2026-09-01')")


# --- A month in files -----------------------------------------------------------------------------------------
def run_months(*arguments: str) -> str:
    told = io.StringIO()
    call_command("months", *arguments, stdout=told)
    return told.getvalue()


def test_a_month_goes_and_comes_back(floor: Floor, tmp_path: Path) -> None:
    round = september(floor)
    lines = list(WagerLine.objects.filter(round=round).values())
    assert lines
    listed = run_months("list")
    assert "2026-09: 0 rows of jackpots_displayminute" in listed
    assert f"{len(lines)} rows of tables_wagerline" in listed
    assert "can be taken out" in listed

    folder = tmp_path / "2026-09"
    told = run_months("detach", "2026-09", str(folder), "Kept in the vault, by order of Fiona")
    assert f"{len(lines)} rows of tables_wagerline" in told
    assert not WagerLine.objects.exists()
    assert Posting.objects.exists(), "what the books rest on stays"
    done = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    record = AuditRecord.objects.get(action="ledger.month_detached")
    assert record.reason == "Kept in the vault, by order of Fiona"
    assert "kept elsewhere, manifest" in run_months("list").lower()
    seals.seal()
    report = verify.verify()
    assert report.faults == []
    assert report.elsewhere == ["2026-09"]

    told = run_months("attach", str(folder), "An inspector asks")
    assert "are here again, as they were sealed" in told
    assert list(WagerLine.objects.filter(round=round).values()) == lines
    assert [move.kind for move in MonthMove.objects.order_by("pk")] == ["detached", "attached"]
    assert months.elsewhere() == []
    seals.seal()
    assert verify.verify().faults == []
    for attack in ATTACKS["months.tables_wagerline_202609"]:  # it is guarded as before
        with pytest.raises(DatabaseError):
            sql(attack.replace("{}", "months.tables_wagerline_202609"))


def test_what_a_month_elsewhere_says_of_itself(floor: Floor, tmp_path: Path) -> None:
    round = september(floor)
    day, away = round.gaming_day, "The settled lines of 2026-09 are kept elsewhere."
    assert day is not None
    stakes = sorted(WagerLine.objects.filter(round=round).values_list("stake_micros", flat=True))
    month_files.detach("2026-09", tmp_path / "out", "to the vault")

    fiona, sefa = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    fiona.force_login(floor.people["fiona"])
    sefa.force_login(floor.people["sefa"])
    page = sefa.get(f"/floor/harbour/rounds/{round.pk}/")
    assert page.status_code == 200
    assert "2026-09 are kept elsewhere" in page.content.decode()
    assert sorted(line.stake_micros for line in page.context["lines"]) == stakes
    told = sefa.get(f"/api/v1/rounds/{round.pk}").json()
    assert (told["lines"], told["lines_kept_elsewhere"]) == ([], "2026-09")
    days = f"first={day}&last={day}"
    report = fiona.get(f"/finance/reports/tables.results/?{days}")
    assert report.status_code == 409
    assert away in report.content.decode()
    with pytest.raises(Refused, match="kept elsewhere") as refused:
        service.request_export(floor.people["fiona"], floor.harbour, bundle.Request("harbour", day, day))
    assert refused.value.code == "kept_elsewhere"
    told_by_replay = io.StringIO()
    call_command("replay", stdout=told_by_replay)
    assert "Not compared: 1 rounds whose lines are kept elsewhere" in told_by_replay.getvalue()


def test_a_month_stays_until_it_is_over_closed_sealed_and_verified(floor: Floor, tmp_path: Path) -> None:
    def refused(words: str, month: str = "2026-09") -> None:
        with pytest.raises(CommandError, match=words):
            run_months("detach", month, str(tmp_path / "out"), "to the vault")

    months.turn(at("2026-09-10"))
    round = played(floor)
    refused("not over")
    refused("no month 2027-05", "2027-05")
    months._turned.clear()
    months.turn(at("2026-10-10"))
    refused(f"in the books of {round.gaming_day}, which is not closed")
    close_all_days(floor)
    refused("not under a seal")
    seals.seal()
    refused("watchdog has not verified")
    watchdog.run()
    with pytest.raises(CommandError, match="Say why"):
        run_months("detach", "2026-09", str(tmp_path / "out"), " ")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("b")
    with pytest.raises(CommandError, match="not empty"):
        run_months("detach", "2026-09", str(tmp_path / "full"), "to the vault")
    # A line that somebody changed past the guards does not go unseen.
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE tables_wagerline SET stake_micros = stake_micros + 1 WHERE position = 0")
        cursor.execute("SET session_replication_role = DEFAULT")
    refused(f"lines of round {round.pk} do not give the hash in its step")
    assert WagerLine.objects.exists()


def test_changed_files_are_refused_with_their_place(floor: Floor, tmp_path: Path) -> None:
    september(floor)
    folder = tmp_path / "out"
    month_files.detach("2026-09", folder, "to the vault")
    path, manifest = folder / "tables_wagerline.tsv.gz", folder / "manifest.json"
    as_it_was, said = path.read_bytes(), manifest.read_text()

    def refused(words: str) -> None:
        with pytest.raises(month_files.CannotMove, match=words):
            month_files.attach(folder, "back")
        assert not WagerLine.objects.exists()
        assert not MonthMove.objects.filter(kind="attached").exists()

    content = gzip.decompress(as_it_was)
    path.write_bytes(gzip.compress(content.replace(b"\tante\t", b"\tpair\t", 1)))
    refused(r"tables_wagerline.tsv.gz was changed: lines 1 to \d+, from '202609000000001")
    path.write_bytes(gzip.compress(content + content.splitlines(keepends=True)[-1]))
    refused("goes on after its")
    path.write_bytes(as_it_was[:40])
    refused("cannot be read after line 0")
    path.unlink()
    refused("is not there")
    # Whoever changes the manifest with the file is met by the hash on record, which is under a seal.
    changed = content.replace(b"\tante\t", b"\tpair\t", 1)
    path.write_bytes(gzip.compress(changed))
    document = json.loads(said)
    document["files"][-1]["sha256"] = "0" * 64
    manifest.write_text(json.dumps(document))
    refused("is not the one of 2026-09")
    path.write_bytes(as_it_was)
    manifest.write_text(said)
    month_files.attach(folder, "back")
    assert WagerLine.objects.exists()
    with pytest.raises(month_files.CannotMove, match="is here, or never was"):
        month_files.attach(folder, "again")


def test_a_month_that_left_without_a_record_is_found(floor: Floor) -> None:
    september(floor)
    sql(
        "INSERT INTO ledger_monthmove (month, kind, manifest_sha256, rows, days, reason)"
        " VALUES ('2026-09', 'detached', 'x', '{}', '{}', 'nobody knows')"
    )
    assert any("which the audit trail does not know" in str(fault) for fault in verify.verify().faults)


def test_the_application_cannot_take_a_month_out(
    floor: Floor, tmp_path: Path, committed_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    september(floor)
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {APP_ROLE}")
        try:
            with pytest.raises(month_files.CannotMove, match="owner of the tables"):
                month_files.detach("2026-09", tmp_path / "out", "to the vault")
        finally:
            cursor.execute("RESET ROLE")
