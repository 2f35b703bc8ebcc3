"""The words of terminals' messages, beside their events: written together or not at all, held to the hash under the
seal, kept elsewhere by month and brought back."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from jackpots.evidence import packs
from jackpots.models import Win
from ledger.books import balances
from ledger.models import MonthMove
from ledger.months import month_files, months
from ledger.seals import seals
from ledger.verify import verify, watchdog
from simulator.terminal import Terminal as Client
from tables.door import requests
from tables.models import MessageText, Round, Table, TableEvent
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.ledger.test_exports import load_verifier
from tests.tables.test_attacks import scene
from tests.tables.test_chain import exchange
from tests.tables.test_chain import play as play_by_steps
from tests.tables.test_months import close_all_days, sql
from tests.terminal import PLAIN
from tests.upgrade.evening import ROYAL, play, settle_and_fold, walk_to_paid

BAND = 202609 * 10**9


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    months._turned.clear()
    return committed_floor


def turn(month: int) -> None:
    months._turned.clear()
    assert months.turn(datetime(2026, month, 10, tzinfo=UTC))


def over(floor: Floor) -> None:
    """All that it takes for the months so far to go."""
    close_all_days(floor)
    balances.roll_up()
    assert seals.seal()
    assert watchdog.run() == []


def faults() -> list[str]:
    return [str(fault) for fault in verify.verify().faults]


@contextmanager
def past_the_guards() -> Iterator[Any]:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield cursor
        cursor.execute("SET session_replication_role = DEFAULT")


def texts() -> dict[int, str]:
    return dict(MessageText.objects.values_list("event_id", "text"))


# --- Written together -----------------------------------------------------------------------------------------
def test_every_event_has_its_text_in_the_part_of_its_month(floor: Floor) -> None:
    turn(9)
    play_by_steps(Client(), floor.tables["CS-01"])
    play(floor.tables["CS-02"], {1: PLAIN[0]})
    events = list(TableEvent.objects.order_by("pk"))
    assert [event.pk for event in events] == list(range(BAND + 1, BAND + 8)), (
        "in the order of time, without gaps"
    )
    assert [event.number for event in events] == [1, 2, 3, 4, 5, 6, 1]
    kept = texts()
    assert {event.pk: event.sha256 for event in events} == {
        pk: hashlib.sha256(text.encode()).hexdigest() for pk, text in kept.items()
    }
    parts = sql("SELECT DISTINCT tableoid::regclass::text FROM tables_messagetext")
    assert parts == [("months.tables_messagetext_202609",)]
    assert faults() == []


def test_a_text_takes_no_statement_of_its_own(floor: Floor) -> None:
    client, table = Client(), floor.tables["CS-01"]
    exchange(client, table)
    exchange(client, table)
    client.tell("open", uuid4())
    with CaptureQueriesContext(connection) as asked:
        exchange(client, table)
    (one,) = [query["sql"] for query in asked if "tables_messagetext" in query["sql"]]
    assert "INSERT INTO tables_tableevent" in one


def test_many_events_of_one_request_keep_their_texts(floor: Floor) -> None:
    """Many rows go as arrays (config.kit.fastsql.columns)."""
    client, table = Client(), floor.tables["CS-01"]
    exchange(client, table)
    for _ in range(3):
        round_id = uuid4()
        client.tell("open", round_id)
        client.tell("no-more-bets", round_id)
        client.tell("result", round_id, {"dealt": {"dealer": ["2c", "3c", "4c", "5c", "7d"], "seats": {}}})
    told = [json.loads(json.dumps(event)) for event in client.unanswered]
    exchange(client, table)
    assert client.unanswered == []
    assert [json.loads(text) for _, text in sorted(texts().items())] == told
    assert faults() == []


def test_what_is_refused_leaves_no_text(floor: Floor) -> None:
    client, table = Client(), floor.tables["CS-01"]
    exchange(client, table)
    client.tell("open", uuid4())
    client.tell("no-more-bets", uuid4())  # of a round that there is not
    answered = requests.receive(table.pk, json.loads(json.dumps(client.request())))
    assert answered.refused is not None
    assert answered.refused.code == "round_unknown"
    assert len(texts()) == TableEvent.objects.count() == 1


# --- Guards ---------------------------------------------------------------------------------------------------
EVENT = (
    "INSERT INTO tables_tableevent (id, table_id, session, number, kind, terminal_at, clock, message, sha256, answer,"
    " head) SELECT %(key)s, table_id, session, number + 100, kind, terminal_at, clock, %(message)s,"
    " encode(sha256(convert_to(%(text)s, 'UTF8')), 'hex'), answer, head FROM tables_tableevent LIMIT 1"
)
BESIDE = "WITH beside AS (INSERT INTO tables_messagetext VALUES (%(of)s, %(put)s)) "


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (EVENT, "comes with the text of its message"),
        (EVENT.replace("%(message)s", "'{}'"), "comes with the text of its message"),
        (BESIDE.replace("%(put)s", "'{\"x\": 1}'") + EVENT, "not the message of terminal event"),
        (BESIDE + EVENT.replace("%(message)s", "'{}'"), "not the message of|comes with the text"),
        (BESIDE.replace("%(of)s", "%(of)s + 1") + EVENT, "not the message of|comes with the text"),
        ("INSERT INTO tables_messagetext VALUES (%(of)s, '{}')", "not the message of terminal event"),
        ("INSERT INTO tables_messagetext SELECT * FROM tables_messagetext", "duplicate key"),
        ("UPDATE tables_messagetext SET text = '{}'", "permission denied"),
        ("DELETE FROM tables_messagetext", "permission denied"),
        ("TRUNCATE tables_messagetext", "permission denied"),
    ],
)
def test_the_webs_own_role_cannot_part_an_event_from_its_text(
    floor: Floor, committed_db: str, statement: str, words: str
) -> None:
    """Whoever has the log-in of the web servers: its rights end where the triggers hold."""
    play(floor.tables["CS-01"], {1: PLAIN[0]})
    given = {"key": 900, "of": 900, "text": "{}", "put": "{}", "message": None}
    with (
        psycopg.connect(committed_db, user=PART_ROLES["web"], autocommit=True) as session,
        pytest.raises(psycopg.Error, match=words),
    ):
        session.execute(statement.encode(), given)
    assert len(texts()) == TableEvent.objects.count() == 1


def test_both_in_one_statement_are_taken(floor: Floor, committed_db: str) -> None:
    """The control: what the guards let through is the pair itself; that nobody told it, the chain finds."""
    play(floor.tables["CS-01"], {1: PLAIN[0]})
    given = {"key": 900, "of": 900, "text": "{}", "put": "{}", "message": None}
    with psycopg.connect(committed_db, user=PART_ROLES["web"], autocommit=True) as session:
        session.execute((BESIDE + EVENT).encode(), given)
    assert any(fault.startswith("terminal event 900: ") for fault in faults())


def test_the_owner_meets_the_triggers_too(floor: Floor) -> None:
    play(floor.tables["CS-01"], {1: PLAIN[0]})
    for statement in (
        "UPDATE tables_messagetext SET text = '{}'",
        "DELETE FROM tables_messagetext",
        "TRUNCATE tables_messagetext",
    ):
        with pytest.raises(DatabaseError, match="refused"):
            sql(statement)


def test_messages_from_before_are_read_in_their_events(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the release before wrote them: in the event's own row, as a part of its sealed line."""
    play(floor.tables["CS-01"], {1: PLAIN[0], 2: ROYAL})
    with past_the_guards() as cursor:
        cursor.execute(
            "UPDATE tables_tableevent e SET message = t.text FROM tables_messagetext t WHERE t.event_id = e.id"
        )
        cursor.execute("DELETE FROM tables_messagetext")
    settle_and_fold(floor.progressive)
    win = Win.objects.get()
    walk_to_paid(win, floor.people["sefa"], floor.people["jan"])
    over(floor)
    assert faults() == []
    path = tmp_path / "pack.zip"
    path.write_bytes(packs.make(win.pk, floor.people["jan"]).content)
    assert load_verifier().main([str(path)]) == 0, capsys.readouterr().err
    # The month goes, and they stay.
    turn(10)
    move = month_files.detach("earlier", tmp_path / "out", "To the vault")
    assert (move.rows["tables_messagetext"], TableEvent.objects.filter(message__isnull=False).count()) == (
        0,
        1,
    )
    assert faults() == []
    # Nobody puts another text beside one.
    with pytest.raises(DatabaseError, match="no partition of relation"):
        sql("INSERT INTO tables_messagetext SELECT id, message FROM tables_tableevent")
    with scene():
        sql("UPDATE tables_tableevent SET message = '{}'")
        assert any("its message is not the one that was answered" in fault for fault in faults())


# --- A month elsewhere ----------------------------------------------------------------------------------------
def test_messages_go_with_their_month_and_come_back(floor: Floor, tmp_path: Path) -> None:
    table, client = floor.tables["CS-01"], Client()
    turn(9)
    play_by_steps(client, table)
    settle_and_fold(floor.progressive)
    turn(10)
    play(floor.tables["CS-02"], {1: PLAIN[1]})
    settle_and_fold(floor.progressive)
    over(floor)
    before = texts()
    folder = tmp_path / "2026-09"
    move = month_files.detach("2026-09", folder, "To the vault")
    assert move.rows["tables_messagetext"] == 6
    assert [pk // 10**9 for pk in texts()] == [202610]
    assert TableEvent.objects.count() == 7, "events stay, with number, hash, link and answer"
    with gzip.open(folder / "tables_messagetext.tsv.gz", "rt") as file:
        assert file.readline().startswith(f"{BAND + 1}\t")

    # Nothing is a fault, and it is said plainly.
    seals.seal()
    assert faults() == []
    told = io.StringIO()
    call_command("verify", stdout=told)
    assert (
        "2026-09: its settled lines and the texts of its terminals' messages and of signs' frames are kept elsewhere"
        in told.getvalue()
    )
    with scene():  # what is not elsewhere is still missed
        sql("DELETE FROM tables_messagetext")
        assert any("its message or its link is gone" in fault for fault in faults())
    with scene():  # of an event whose text is elsewhere everything else is still held
        sql("UPDATE tables_tableevent SET answer = '{}' WHERE id = %s", BAND + 3)
        assert any(f"terminal event {BAND + 3}: its link does not follow" in fault for fault in faults())
    assert faults() == []

    month_files.attach(folder, "An inspector asks")
    assert texts() == before
    with pytest.raises(DatabaseError, match="refused"):
        sql("UPDATE months.tables_messagetext_202609 SET text = '{}'")


def test_a_message_is_answered_again_after_its_month_has_gone(floor: Floor, tmp_path: Path) -> None:
    table, client = floor.tables["CS-01"], Client()
    turn(9)
    play_by_steps(client, table)
    settle_and_fold(floor.progressive)
    sent = {pk: json.loads(text) for pk, text in texts().items()}
    answers = dict(TableEvent.objects.values_list("pk", "answer"))
    turn(10)
    over(floor)
    month_files.detach("2026-09", tmp_path / "out", "To the vault")
    assert texts() == {}
    for pk, event in sent.items():
        request = client.request() | {"events": [event]}
        (again,) = requests.receive(table.pk, json.loads(json.dumps(request))).as_json()["answers"]
        assert (again["new"], answers[pk].items() <= again.items()) == (False, True)
    other = next(iter(sent.values())) | {"at": "2026-09-10T00:00:00+00:00"}
    refused = requests.receive(table.pk, json.loads(json.dumps(client.request() | {"events": [other]})))
    assert refused.refused is not None
    assert refused.refused.code == "number_taken"


def test_a_month_stays_while_a_message_tells_of_a_round_that_is_not_settled(
    floor: Floor, tmp_path: Path
) -> None:
    """Begun in September, its cards in October: October's messages are needed until it is settled."""
    table, client = Table.objects.get(pk=floor.tables["CS-01"].pk), Client()
    turn(9)
    exchange(client, table)
    round_id = uuid4()
    client.tell("open", round_id)
    exchange(client, table)
    turn(10)
    client.tell("no-more-bets", round_id)
    exchange(client, table)
    turn(11)
    close_all_days(floor)
    (october,) = [one for one in month_files.listed() if one.month == "2026-10"]
    event, round = TableEvent.objects.get(kind="no-more-bets"), Round.objects.get()
    assert months.month_of(round.pk) == "2026-09"
    words = f"terminal event {event.pk} of it tells of round {round.pk}, which is locked"
    assert words in october.stands_in_the_way


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE tables_messagetext SET text = replace(text, 'open', 'closed')",
        "DELETE FROM tables_messagetext",
        "INSERT INTO tables_messagetext VALUES (202609000000777, '{}')",
    ],
)
def test_a_forged_text_does_not_go_unseen(floor: Floor, tmp_path: Path, forgery: str) -> None:
    turn(9)
    play_by_steps(Client(), floor.tables["CS-01"])
    settle_and_fold(floor.progressive)
    turn(10)
    over(floor)
    with past_the_guards() as cursor:
        cursor.execute(forgery)
    assert faults() != []
    with pytest.raises(month_files.CannotMove, match=r"terminal event 202609\d+"):
        month_files.detach("2026-09", tmp_path / "out", "To the vault")


def test_texts_that_are_not_those_under_the_seals_are_not_brought_back(floor: Floor, tmp_path: Path) -> None:
    """Past the manifest, too: as if whoever took the month out had written other words, with all hashes."""
    turn(9)
    play_by_steps(Client(), floor.tables["CS-01"])
    settle_and_fold(floor.progressive)
    turn(10)
    over(floor)
    folder = tmp_path / "out"
    month_files.detach("2026-09", folder, "To the vault")
    path, manifest = folder / "tables_messagetext.tsv.gz", json.loads((folder / "manifest.json").read_text())
    content = gzip.decompress(path.read_bytes()).replace(b"first-card", b"other-card", 1)
    path.write_bytes(gzip.compress(content))
    (one,) = [each for each in manifest["files"] if each["table"] == "tables_messagetext"]
    one["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    one["stretches"][0]["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    digest = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    with past_the_guards() as cursor:
        cursor.execute("UPDATE ledger_monthmove SET manifest_sha256 = %s", [digest])
    with pytest.raises(month_files.CannotMove, match="does not give the hash in its row"):
        month_files.attach(folder, "back")
    assert texts() == {}


def test_a_pack_says_which_messages_are_elsewhere(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn(9)
    play(floor.tables["CS-01"], {1: PLAIN[0], 2: ROYAL})
    settle_and_fold(floor.progressive)
    win = Win.objects.get()
    walk_to_paid(win, floor.people["sefa"], floor.people["jan"])
    turn(10)
    over(floor)
    month_files.detach("2026-09", tmp_path / "out", "To the vault")
    path = tmp_path / "pack.zip"
    path.write_bytes(packs.make(win.pk, floor.people["jan"]).content)
    assert load_verifier().main([str(path)]) == 0, capsys.readouterr().err
    assert "messages of 2026-09 are kept elsewhere, and not in it" in capsys.readouterr().out


def test_a_month_that_went_before_texts_were_divided_took_none(floor: Floor) -> None:
    turn(9)
    play(floor.tables["CS-01"], {1: PLAIN[0]})
    MonthMove.objects.create(
        month="2026-09",
        kind="detached",
        manifest_sha256="0" * 64,
        rows={months.LINES: 4},
        days={},
        reason="vault",
    )
    assert months.elsewhere_of([BAND + 1]) == {BAND + 1: "2026-09"}
    assert months.elsewhere_of([BAND + 1], months.MESSAGES) == {}
    with scene():
        sql("DELETE FROM tables_messagetext")
        assert any("its message or its link is gone" in fault for fault in faults())


def test_a_month_goes_once(floor: Floor, tmp_path: Path) -> None:
    """A second folder would leave the first one's manifest on record as nobody's."""
    turn(9)
    play(floor.tables["CS-01"], {1: PLAIN[0]})
    settle_and_fold(floor.progressive)
    turn(10)
    over(floor)
    month_files.detach("2026-09", tmp_path / "out", "To the vault")
    with pytest.raises(month_files.CannotMove, match="kept elsewhere already"):
        month_files.detach("2026-09", tmp_path / "again", "To the vault")
