"""A beat in two statements does what the whole way does, and gives way to whoever is faster."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jackpots.models import TableLog
from jackpots.order import vouched
from people.tokens import hash_token
from simulator.terminal.core import Terminal
from tables.door import beats, requests
from tables.door.messages import parse_envelope
from tables.floor.terminals import issue_token
from tables.models import Table
from tables.models import Terminal as Row
from tests.floor import Floor, make_floor
from tests.on_record import vouch

STATEMENTS = 2


def send(table: Table, terminal: Terminal) -> requests.Answered:
    request = terminal.request()
    answered = requests.receive(table.pk, request)
    terminal.answered(request, 200, answered.as_json())
    return answered


def row(table: Table) -> TableLog:
    return TableLog.objects.get(table=table)


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def test_a_beat_is_two_statements_and_what_is_written_holds(floor: Floor) -> None:
    table, terminal = floor.tables["CS-01"], Terminal()
    for _ in range(3):
        send(table, terminal)
    before = row(table)
    with CaptureQueriesContext(connection) as counted:
        answered = send(table, terminal)
    after = row(table)
    assert len(counted) == STATEMENTS
    assert (answered.session, answered.expected, answered.no_lease, answered.lease_ms) == (1, 1, None, 15_000)
    assert vouched.is_genuine(after)
    assert after.hallmark != before.hallmark
    for name in ("watermark", "lease_until", "heard_at"):
        assert getattr(after, name) > getattr(before, name), name
    assert list(after.clocks) == [terminal.clock.id]
    table.refresh_from_db()
    assert table.last_heard_at == after.heard_at


def test_a_beat_tells_of_the_round_under_way(floor: Floor) -> None:
    table, terminal, round_id = floor.tables["CS-01"], Terminal(), uuid4()
    send(table, terminal)
    terminal.tell("open", round_id)
    send(table, terminal)
    assert send(table, terminal).under_way == str(round_id)


def test_a_clock_that_has_echoed_ahead_is_told_to_begin_anew_until_it_does(floor: Floor) -> None:
    """One wrong echo, an hour ahead: every true one after it would be older, and its requests would count for nothing
    for an hour. A terminal that does as it is told has its lease back with its second beat."""
    table, terminal = floor.tables["CS-01"], Terminal()
    for _ in range(2):
        assert send(table, terminal).new_clock is None
    wrong = terminal.request()
    ahead = timezone.now() + timedelta(hours=1)
    wrong["envelope"]["echo"] = ahead.isoformat()
    answered = requests.receive(table.pk, wrong)
    assert answered.new_clock == "echo_ahead"
    assert "begin a new clock id" in str(answered.no_lease)
    watermark = row(table).watermark
    deaf = Terminal(clock=terminal.clock)  # goes on under the same id: by the short way too
    for _ in range(2):
        with patch("tables.door.requests._receive", side_effect=AssertionError("the short way")):
            answered_deaf = send_as_before(table, deaf)
        assert answered_deaf["new_clock"] == "echo_ahead"
        assert row(table).watermark == watermark
    before = terminal.clock.id
    terminal.answered(wrong, 200, answered.as_json())
    assert terminal.clock.id != before
    assert not terminal.may_take_jackpot_wagers()
    assert "echo" not in terminal.request()["envelope"]
    send(table, terminal)
    assert send(table, terminal).new_clock is None
    assert terminal.may_take_jackpot_wagers()
    assert (row(table).watermark or ahead) > (watermark or ahead)


def send_as_before(table: Table, terminal: Terminal) -> dict[str, Any]:
    """By a terminal that does not know `new_clock`."""
    request = terminal.request()
    answered = requests.receive(table.pk, request).as_json()
    terminal.answered(request, 200, {**answered, "new_clock": None})
    return answered


def test_both_ways_say_and_write_the_same(floor: Floor) -> None:
    """Two tables hear the same readings, one by each way; the server's own times differ by how long the two took."""
    said, kept = [], []
    for code, quick in (("CS-01", True), ("CS-02", False)):
        table, terminal = floor.tables[code], Terminal()
        with patch.object(beats, "beat", beats.beat if quick else lambda *_: None):
            answers = [send(table, terminal).as_json() for _ in range(4)]
        log = row(table)
        said.append([{k: v for k, v in answer.items() if k != "at"} for answer in answers])
        (known,) = log.clocks.values()
        kept.append([sorted(known), sorted(known["bounds"]), known["jumps"], log.is_open, log.left_out_at])
        assert vouched.is_genuine(log)
        assert log.watermark is not None
    assert said[0] == said[1]
    assert kept[0] == kept[1]


def somebody_else(change: str) -> Callable[[Any], None]:
    """Between the two statements."""
    sign_it = vouched.sign

    def sign(log: TableLog) -> None:
        with connection.cursor() as cursor:
            cursor.execute(change)
        sign_it(log)

    return sign


@pytest.mark.parametrize(
    "change", ["UPDATE tables_table SET pit = pit", "UPDATE jackpots_tablelog SET last_number = last_number"]
)
def test_a_beat_that_was_overtaken_writes_nothing_of_its_own(committed_db: None, change: str) -> None:
    """Another request has changed the table or its log, if only by a new version of the row: the whole way."""
    floor = make_floor()
    table, terminal = floor.tables["CS-01"], Terminal()
    send(table, terminal)
    before = row(table)
    with patch.object(vouched, "sign", somebody_else(change)):
        given = parse_envelope(terminal.request()["envelope"])
        assert given is not None
        assert beats.beat(table.pk, given) is None
    assert row(table).heard_at == before.heard_at
    assert row(table).hallmark == before.hallmark
    assert send(table, terminal).no_lease is None


@pytest.mark.parametrize("what", ["session", "head", "hallmark", "left out", "clock"])
def test_what_is_not_everyday_takes_the_whole_way(floor: Floor, what: str) -> None:
    table, terminal = floor.tables["CS-01"], Terminal()
    for _ in range(2):
        send(table, terminal)
    request = terminal.request()
    if what == "session":
        request["envelope"]["session"] = 7
    elif what == "head":
        request["envelope"]["head"] = "3:" + "ab" * 32
    elif what == "hallmark":
        TableLog.objects.filter(table=table).update(hallmark="of nobody")
    elif what == "left out":
        log = row(table)
        log.left_out_at = timezone.now()
        vouched.save(log)
    else:
        request["envelope"]["sent_at"] = "2031-01-01T00:00:00+00:00"
    before = row(table)
    envelope = parse_envelope(request["envelope"])
    assert envelope is not None
    assert beats.beat(table.pk, envelope) is None
    after = row(table)
    assert (after.heard_at, after.watermark, after.hallmark) == (
        before.heard_at,
        before.watermark,
        before.hallmark,
    )


# ------------------------------------------------------------------------------- over a line, with its bearer's token


def _bearer(table: Table) -> beats.Bearer:
    token_sha256 = hash_token(issue_token("test", table, "line"))
    return beats.Bearer(Row.objects.get(token_sha256=token_sha256).pk, token_sha256)


def test_a_beat_of_a_bearer_looks_at_the_token_along_with_the_table(floor: Floor) -> None:
    table, terminal = floor.tables["CS-01"], Terminal()
    bearer = _bearer(table)
    for _ in range(2):
        send(table, terminal)
    before = row(table)
    with CaptureQueriesContext(connection) as counted:
        answered = requests.receive_beat(table.pk, terminal.request(), bearer)
    assert answered is not None
    assert (len(counted), answered.lease_ms) == (STATEMENTS, 15_000)
    heard_at = row(table).heard_at
    assert heard_at is not None
    assert before.heard_at is not None
    assert heard_at > before.heard_at


@pytest.mark.parametrize(
    "why", ["revoked", "over", "must sign", "not on record", "another token", "another table"]
)
def test_a_beat_whose_token_does_not_hold_writes_nothing_and_takes_the_whole_way(
    floor: Floor, why: str
) -> None:
    table, terminal = floor.tables["CS-01"], Terminal()
    bearer = _bearer(table)
    credential = Row.objects.filter(pk=bearer.terminal_id)
    for _ in range(2):
        send(table, terminal)
    if why == "revoked":
        credential.update(revoked_at=timezone.now())
    elif why == "over":
        credential.update(expires_at=timezone.now())
    elif why == "must sign":
        credential.update(must_sign=True)
    elif why == "not on record":
        credential.update(networks=["10.0.0.0/8"])
    elif why == "another token":
        bearer = beats.Bearer(bearer.terminal_id, hash_token("another"))
    else:
        bearer = _bearer(floor.tables["CS-02"])
    if why in ("revoked", "over", "must sign"):
        vouch(credential.get())
    before = row(table)
    assert requests.receive_beat(table.pk, terminal.request(), bearer) is None
    assert (row(table).heard_at, row(table).hallmark) == (before.heard_at, before.hallmark)


@pytest.mark.parametrize(
    "changed", [{"events": [{}]}, {"events": None}, {"envelope": None}, {"envelope": {"clock": 5}}]
)
def test_what_is_no_beat_is_none_for_a_bearer_too(floor: Floor, changed: dict[str, Any]) -> None:
    """Whether its form is right is said after the token was looked at."""
    table, terminal = floor.tables["CS-01"], Terminal()
    bearer = _bearer(table)
    assert requests.receive_beat(table.pk, {**terminal.request(), **changed}, bearer) is None
