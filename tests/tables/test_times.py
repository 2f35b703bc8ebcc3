"""What a terminal's clock may do to the order: nothing is vouched for beyond the event that says so."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.models import Event, Share, TableLog
from tables.floor import set_up
from tables.models import Round, Table
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor
from tests.terminal import PLAIN, Terminal, stud_round

FLUSH = "2d 4d 6d 8d Jd"


def terminal_of(table: Table) -> Terminal:
    def send(events: list[dict[str, Any]]) -> Any:
        return [intake.take(table.pk, event) for event in events]

    return Terminal(table.code, send, lambda n, at: None, timezone.now)


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    time.sleep(0.8)  # what follows happened after the tables opened, and lies in the past
    return made


@pytest.mark.parametrize("wrong", ["locked_at", "moments"])
def test_a_time_after_its_own_event_does_not_move_the_watermark_past_the_event(
    floor: Floor, wrong: str
) -> None:
    """After an outage rounds come one by one; a wrong time in the first must not push back the place of the others."""
    now = timezone.now()
    sent_at, future = now - timedelta(milliseconds=100), now + timedelta(hours=1)
    body = stud_round({1: FLUSH}, first_card=sent_at - timedelta(milliseconds=50))
    if wrong == "locked_at":
        body["locked_at"] = future.isoformat()
    else:
        body["moments"] = {"1": {"first-card": future.isoformat()}}
    terminal_of(floor.tables["CS-01"]).event("round", uuid4(), body, at=sent_at)
    settle_batch()
    assert TableLog.objects.get(table_code="CS-01").watermark == sent_at
    assert set(Event.objects.values_list("kind", flat=True)) == {"stakes", "hits"}
    for share in Share.objects.select_related("event"):
        # A moment from the future may have been at any time until it was told; it proves nothing.
        told_wrongly = share.event.kind == Event.Kind.HITS and wrong == "moments"
        assert share.place <= (share.event.received_at if told_wrongly else sent_at)
        assert share.late == told_wrongly


def test_two_tables_with_the_same_round_id_at_the_same_moment(
    committed_db: str, committed_floor: Floor
) -> None:
    """One is first; the other is told, as if it had come a minute later."""
    floor = committed_floor
    round_id, opened, release = uuid4(), threading.Event(), threading.Event()

    def first() -> None:
        with transaction.atomic():
            terminal_of(floor.tables["CS-01"]).event("open", round_id)
            opened.set()
            release.wait(20)
        connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    assert opened.wait(20)
    threading.Timer(0.5, release.set).start()
    body = stud_round({1: PLAIN[0]}, first_card=timezone.now())
    with pytest.raises(Refused, match="exists already") as refused:
        terminal_of(floor.tables["CS-02"]).event("round", round_id, body)
    thread.join(20)
    assert (refused.value.code, refused.value.status) == ("round_known", 409)


def test_the_declared_error_of_a_shoe_is_the_interval_of_its_cards(floor: Floor) -> None:
    """50 ms where nothing is declared, 20 ms of a shoe that is declared so; a worse word of the terminal's stands, and
    a finger is no shoe: it may have been at any time since the lock."""
    found = []
    for code, declared, body in (
        ("CS-01", None, {}),
        ("CS-02", 20, {}),
        ("CS-02", 20, {"error_ms": 80}),
        ("CS-02", 20, {"source": "tap"}),
    ):
        table = Table.objects.get(pk=floor.tables[code].pk)
        if table.device_error_ms != declared:
            sefa = floor.people["sefa"]
            arranged = {"pit": "P1", "seats": None, "reserved_for": "", "reason": "as its maker says"}
            set_up.arrange(table.pk, sefa, **arranged, device_error_ms=declared)  # type: ignore[arg-type]
        terminal, uid = terminal_of(table), uuid4()
        terminal.number = table.last_event
        terminal.event("open", uid)
        terminal.event("no-more-bets", uid)
        time.sleep(0.15)  # the moment lies well after the lock
        terminal.event("mark", uid, {"moment": "first-card", "seats": [1], **body})
        round = Round.objects.get(uid=uid)
        kept, lock = round.moments["1"]["first-card"], round.lock or {}
        since = datetime.fromisoformat(kept["told"]) - datetime.fromisoformat(kept["earliest"])
        found.append(since // timedelta(milliseconds=1))
        terminal.event("result", uid, {"irregularities": [{"kind": "invalidated"}]})
    assert found[:3] == [50, 20, 80]
    assert kept["earliest"] == lock["earliest"]
