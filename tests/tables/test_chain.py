"""The chain of a table's events: what a terminal holds of it, what Potline says to a head that it never gave, and how
`verify` finds a broken link and a round that is not what its terminal told."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from config.kit.refusals import Refused
from ledger.verify import verify
from people.approvals import approvals
from people.models import Alert
from simulator.terminal import Terminal as Client
from tables.door import requests
from tables.door.message_texts import with_texts
from tables.floor import silence
from tables.models import MessageText, Round, Table, TableEvent
from tests.floor import Floor
from tests.tables.test_attacks import scene, sql
from tests.terminal import DEALER, PLAIN, stud_bets, stud_wagers

DEALT = {"dealer": DEALER.split(), "seats": {"1": PLAIN[0].split()}}


def exchange(client: Client, table: Table, *, lost: bool = False) -> dict[str, Any]:
    """One request through Potline's own door, as JSON both ways."""
    request = json.loads(json.dumps(client.request()))
    try:
        answered = requests.receive(table.pk, request)
        status, body = 200, answered.as_json()
    except Refused as refused:
        status = refused.status
        body = {"code": refused.code, "detail": refused.sentence, "retry": refused.retry, "answers": []}
    body = json.loads(json.dumps(body))
    if not lost:
        client.verdict(request, client.answered(request, status, body))
    return body


def play(client: Client, table: Table, **more: Any) -> None:
    """A round step by step, with every kind of message that leaves something in it."""
    exchange(client, table)
    exchange(client, table)
    round_id, wagers = uuid4(), stud_wagers(1)
    client.tell("open", round_id)
    client.tell("wagers", round_id, {"wagers": wagers})
    client.tell("no-more-bets", round_id)
    client.mark(round_id, "first-card", [1])
    client.tell("cards", round_id, {"dealt": {"dealer": DEALT["dealer"]}})
    client.tell("result", round_id, {"wagers": stud_bets(wagers), "dealt": {"seats": DEALT["seats"]}} | more)
    exchange(client, table)
    assert client.unanswered == []


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    return committed_floor


@pytest.fixture
def table(floor: Floor) -> Table:
    return floor.tables["CS-01"]


def faults() -> list[str]:
    return [str(fault) for fault in verify.verify().faults]


def test_both_sides_make_the_same_chain_and_the_head_comes_back(table: Table) -> None:
    client = Client()
    assert exchange(client, table)["head"] == "0:" == client.head
    play(client, table)
    table.refresh_from_db()
    assert (client.head, client.stopped) == (f"6:{bytes(table.head or b'').hex()}", None)
    assert client.request()["envelope"]["head"] == client.head
    # By hand, as docs/api.md spells it.
    head = ""
    for event in with_texts(TableEvent.objects.order_by("number")):
        assert event.message is not None
        told = hashlib.sha256(event.message.encode()).hexdigest()
        text = json.dumps(
            {"answer": event.answer, "before": head, "event": told, "session": 1},
            sort_keys=True,
            separators=(",", ":"),
        )
        head = hashlib.sha256(text.encode()).hexdigest()
    assert client.head == f"6:{head}"
    assert faults() == []


def test_the_message_is_kept_as_it_was_told(table: Table) -> None:
    client = Client()
    exchange(client, table)
    event = client.tell("open", uuid4())
    exchange(client, table)
    kept, text = TableEvent.objects.get(), MessageText.objects.get()
    assert (text.event_id, json.loads(text.text)) == (kept.pk, event)
    assert kept.message is None, "it is kept once"


def test_a_lost_answer_is_normal_and_the_chain_is_followed_after_it(table: Table) -> None:
    client = Client()
    exchange(client, table)
    client.tell("open", uuid4())
    exchange(client, table, lost=True)
    assert client.head == "0:"
    client.tell("wagers", client.unanswered[0]["round"], {"wagers": stud_wagers(1)})
    client.batch = 1
    body = exchange(client, table)
    assert (body["head"][:2], body["answers"][0]["new"], (client.head or "")[:2]) == ("1:", False, "1:")
    exchange(client, table)
    assert ((client.head or "")[:2], client.stopped) == ("2:", None)
    older = client.request()
    exchange(client, table)
    requests.receive(table.pk, json.loads(json.dumps(older)))
    assert not Alert.objects.filter(kind="tables.head_unknown").exists()


def test_a_house_that_was_restored_says_so_once_and_the_terminal_stops(table: Table) -> None:
    client = Client()
    play(client, table)
    held = client.head
    with connection.cursor() as cursor:  # as a copy from before the last two events would be
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("DELETE FROM tables_tableevent WHERE number > 4")
        cursor.execute(
            "UPDATE tables_table SET last_event = 4, head = (SELECT head FROM tables_tableevent WHERE number = 4)"
            " WHERE id = %s",
            [table.pk],
        )
        cursor.execute("SET session_replication_role = origin")
    body = exchange(client, table)
    assert (body["code"], body["retry"]) == ("head_unknown", False)
    assert client.stopped is not None
    assert not client.may_take_jackpot_wagers()
    exchange(client, table)
    (alert,) = Alert.objects.filter(kind="tables.head_unknown")
    assert held is not None
    assert held[2:18] in alert.text
    assert "the last event of session 1 is 4" in alert.text


def test_who_rewrites_an_event_with_all_links_after_it_meets_the_terminal(table: Table) -> None:
    from tables.door.chain import link

    client = Client()
    play(client, table)
    with scene():
        head = ""
        for event in with_texts(TableEvent.objects.order_by("number")):
            message = (event.message or "").replace(PLAIN[0].split()[0], "Ah")
            told = hashlib.sha256(message.encode()).hexdigest()
            head = link(head, 1, told, event.answer)
            sql("UPDATE tables_messagetext SET text = %s WHERE event_id = %s", message, event.pk)
            sql(
                "UPDATE tables_tableevent SET sha256 = %s, head = decode(%s, 'hex') WHERE id = %s",
                told,
                head,
                event.pk,
            )
        sql("UPDATE tables_table SET head = decode(%s, 'hex') WHERE id = %s", head, table.pk)
        assert not any("link" in fault for fault in faults()), "within the database the chain is whole"
        assert exchange(client, table)["code"] == "head_unknown"


def test_a_house_whose_answer_does_not_follow_stops_the_client(table: Table) -> None:
    client = Client()
    play(client, table)
    request = client.request()
    body = requests.receive(table.pk, json.loads(json.dumps(request))).as_json()
    client.answered(request, 200, body | {"head": "6:" + "0" * 64})
    assert (client.stopped or {})["code"] == "head_differs"


def test_the_chain_goes_on_when_another_terminal_takes_over(floor: Floor, table: Table) -> None:
    old, new = Client(), Client()
    play(old, table)
    asked = silence.request_take_over(table.pk, floor.people["sefa"], "It is broken.")
    approvals.approve(asked, floor.people["grace"])
    assert exchange(new, table)["head"] == "0:" + (old.head or "").partition(":")[2]
    lost = new.head
    play(new, table)
    assert (new.session, (new.head or "")[:2], new.stopped) == (2, "6:", None)
    new.head = lost
    assert "code" not in exchange(new, table), "the head before the session's first event is known"
    assert exchange(old, table)["code"] == "session_over"
    assert faults() == []


def test_a_head_comes_with_its_session(table: Table) -> None:
    """Another session's numbers are of other events: who says none would be taken for one that knows better."""
    client = Client()
    play(client, table)
    envelope = client.envelope()
    del envelope["session"]
    with pytest.raises(Refused, match="the session that it is of"):
        requests.receive(table.pk, {"envelope": envelope})
    assert not Alert.objects.filter(kind="tables.head_unknown").exists()


@pytest.mark.parametrize("head", ["", "x", "1", "1:zz", 7, "1:" + "A" * 64, "9" * 30 + ":", "-1:"])
def test_a_head_of_another_form_is_refused(table: Table, head: object) -> None:
    envelope = Client().envelope() | {"session": 1, "head": head}
    with pytest.raises(Refused) as refused:
        requests.receive(table.pk, {"envelope": envelope})
    assert refused.value.code == "form"


def test_verify_names_the_event_whose_link_is_broken(table: Table) -> None:
    client = Client()
    play(client, table)
    first, second, *_, last = TableEvent.objects.order_by("number")
    attacks = {
        f"UPDATE tables_tableevent SET answer = '{{}}' WHERE id = {second.pk}": (
            second,
            "its link does not follow",
        ),
        f"UPDATE tables_messagetext SET text = '{{}}' WHERE event_id = {second.pk}": (
            second,
            "its message is not the one",
        ),
        f"DELETE FROM tables_messagetext WHERE event_id = {second.pk}": (
            second,
            "its message or its link is",
        ),
        f"UPDATE tables_tableevent SET head = NULL WHERE id = {second.pk}": (
            second,
            "its message or its link is",
        ),
        f"UPDATE tables_tableevent SET head = sha256('') WHERE id = {first.pk}": (
            second,
            "its link does not follow",
        ),
        f"DELETE FROM tables_tableevent WHERE id = {first.pk}": (
            second,
            "event 2 of session 1 does not follow",
        ),
    }
    for statement, (event, words) in attacks.items():
        with scene():
            sql(statement)
            told = faults()
            assert any(each.startswith(f"terminal event {event.pk}: {words}") for each in told), (
                statement,
                told,
            )
    for statement in (
        f"INSERT INTO tables_messagetext VALUES ({last.pk + 9}, '{{}}')",
        f"UPDATE tables_tableevent SET message = '{{}}' WHERE id = {last.pk}",
    ):
        with scene():
            sql(statement)
            told = faults()
            assert any(each.startswith("text of terminal event") for each in told), (statement, told)
    for statement in (
        f"DELETE FROM tables_tableevent WHERE id = {last.pk}",
        f"UPDATE tables_table SET head = NULL WHERE id = {table.pk}",
        f"UPDATE tables_table SET last_event = 9 WHERE id = {table.pk}",
    ):
        with scene():
            sql(statement)
            told = faults()
            assert any(each.startswith(f"table {table.pk} (CS-01): it stands at") for each in told), (
                statement,
                told,
            )
    assert faults() == []


def test_verify_makes_the_round_again_from_its_messages(table: Table) -> None:
    client = Client()
    play(client, table)
    played = Round.objects.get()
    assert (played.jackpots_count, set(played.moments)) == (True, {"1"}), "all of it is told by messages"
    for column, value, words in (
        ("dealt", "jsonb_set(dealt, '{seats,1,0}', '\"Ah\"')", "its dealt are"),
        ("wagers", "wagers || '[{}]'", "its wagers are"),
        ("decisions", "'[{}]'", "its decisions are"),
        ("irregularities", "'[{}]'", "its irregularities are"),
        ("moments", "'{}'", "its moments are"),
        ("lock", "jsonb_set(lock, '{told}', '\"2026-01-01T00:00:00+00:00\"')", "its no more bets is"),
        ("result_told", "jsonb_set(result_told, '{clock}', '\"other\"')", "its result is"),
    ):
        with scene():
            sql(f"UPDATE tables_round SET {column} = {value}")
            told = faults()
            assert any(each.startswith(f"round {played.pk}: {words}") for each in told), (column, told)
    with scene():
        sql("UPDATE tables_tableevent SET round_id = NULL")
        assert f"round {played.pk}: no message of a terminal told it" in faults()


def test_jackpot_wagers_that_went_back_are_no_difference(table: Table) -> None:
    client = Client()
    exchange(client, table)  # without an echo there is no lease: its jackpot wagers do not count
    round_id, wagers = uuid4(), stud_wagers(1)
    client.tell("open", round_id)
    client.tell("wagers", round_id, {"wagers": wagers})
    client.tell("no-more-bets", round_id)
    client.tell("result", round_id, {"wagers": stud_bets(wagers), "dealt": DEALT})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE jackpots_tablelog SET lease_until = NULL")
    exchange(client, table)
    played = Round.objects.get()
    assert played.not_accepted, "the scene is not what it should be"
    assert faults() == []
