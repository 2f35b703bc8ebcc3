"""The terminal's door: numbered events over REST, safe to send again, refused precisely when something is wrong."""

from __future__ import annotations

from datetime import timedelta
from datetime import timezone as dt_timezone
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from jackpots.models import Event, Share
from simulator.terminal import Terminal as Numbering
from tables.models import Round, Table, TableEvent, WagerLine
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import SMALL, Floor, add_to
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_wagers


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


class Door:
    """One table's door, with its answers as (status, body)."""

    def __init__(self, floor: Floor, code: str, token: str | None = None) -> None:
        table = floor.tables[code]
        self.pk = table.pk
        self.client = Client(headers={"Authorization": f"Bearer {token or floor.tokens[code]}"})
        self.root = f"/api/v1/tables/{table.premises.code}/{code}"

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(f"{self.root}/{path}", body, content_type="application/json")
        return answer.status_code, answer.json()

    def events(self, *events: dict[str, Any]) -> tuple[int, Any]:
        """As from a terminal whose clock is exact and that has a lease."""
        intake.grant(self.pk)
        return self.post("events", {"events": [intake.stamped(event) for event in events]})


@pytest.fixture
def door(floor: Floor) -> Door:
    return Door(floor, "CS-01")


@pytest.fixture
def terminal(door: Door) -> Terminal:
    return Terminal("CS-01", lambda events: door.events(*events), lambda n, at: None, timezone.now)


BOTH_FOLD = [{"kind": "fold", "seat": 1}, {"kind": "fold", "seat": 2}]


def staged(terminal: Terminal) -> tuple[Any, list[dict[str, Any]]]:
    """Open, two seats with jackpot, no more bets."""
    round_id, wagers = uuid4(), stud_wagers(2)
    for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
        status, answer = terminal.event(kind, round_id, body)
        assert status == 201, answer
    return round_id, wagers


def test_a_round_step_by_step(floor: Floor, door: Door, terminal: Terminal) -> None:
    round_id, wagers = staged(terminal)
    assert Share.objects.get().stake_micros == 2_000_000, "the jackpot stakes are in the log at no more bets"
    hands = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
    terminal.event("cards", round_id, {"dealt": {"seats": hands}})
    bet = stud_bets(wagers)[0]
    terminal.event(
        "decision", round_id, {"decision": {"kind": "bet", "seat": 1, "wager": bet["id"]}, "wager": bet}
    )
    terminal.event("decision", round_id, {"decision": {"kind": "fold", "seat": 2}})
    status, answer = terminal.event("result", round_id, {"dealt": {"dealer": DEALER.split()}})
    assert (status, answer["answers"][0]["state"]) == (201, "closed")
    settle_batch()
    body = door.client.get(f"{door.root}/rounds/{round_id}").json()
    assert body["state"] == "settled"
    assert {(line["kind"], line["seat"]): (line["outcome"], line["rule"]) for line in body["lines"]} == {
        ("ante", 1): ("lose", "nz-1996 VIII 9.7(b)"),
        ("jackpot", 1): ("lose", "nz-1996 VIII 11.6"),
        ("bet", 1): ("lose", "nz-1996 VIII 9.7(b)"),
        ("ante", 2): ("lose", "nz-1996 VIII 8.2"),
        ("jackpot", 2): ("lose", "nz-1996 VIII 8.2"),
    }


def test_the_same_event_again_changes_nothing_and_says_so(door: Door, terminal: Terminal) -> None:
    staged(terminal)
    before = (Round.objects.count(), Event.objects.count(), TableEvent.objects.count())
    status, answer = door.events(*terminal.sent)
    assert status == 200
    assert [each["new"] for each in answer["answers"]] == [False, False, False]
    assert (Round.objects.count(), Event.objects.count(), TableEvent.objects.count()) == before


def test_the_same_number_with_other_content_is_refused(door: Door, terminal: Terminal) -> None:
    staged(terminal)
    status, answer = door.events({**terminal.sent[2], "at": "2020-01-01T00:00:00+00:00"})
    assert (status, answer["code"], answer["retry"]) == (409, "number_taken", False)


def test_a_gap_is_refused_until_it_is_filled(door: Door, terminal: Terminal) -> None:
    first = terminal.make("open", uuid4())
    second = terminal.make("wagers", first["round"], {"wagers": stud_wagers(1)})
    status, answer = door.events(second)
    assert (status, answer["code"], answer["retry"]) == (409, "out_of_turn", True)
    assert door.events(first, second)[0] == 201


def test_events_before_a_refused_one_stand_and_those_after_it_wait(door: Door, terminal: Terminal) -> None:
    opened = terminal.make("open", uuid4())
    wrong = terminal.make(
        "wagers", opened["round"], {"wagers": [{"id": "x", "kind": "jackpot", "stake": "1.00", "seat": 1}]}
    )
    after = terminal.make("no-more-bets", opened["round"])
    status, answer = door.events(opened, wrong, after)
    assert status == 422
    assert len(answer["answers"]) == 1
    assert answer["faults"] == [
        {
            "field": "wagers[0]",
            "message": "jackpot needs an ante at the same spot",
            "rule": "nz-1996 VIII 11.1",
        }
    ]
    assert Table.objects.get(code="CS-01").last_event == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"number": 0}, "form"),
        ({"number": "1"}, "form"),
        ({"kind": "shuffle"}, "form"),
        ({"round": "x"}, "form"),
        ({"at": "2026-03-01T10:00:00"}, "form"),
        ({"body": []}, "form"),
        ({"kind": "no-more-bets"}, "round_unknown"),
    ],
)
def test_bad_events_name_what_is_wrong(
    door: Door, terminal: Terminal, change: dict[str, Any], code: str
) -> None:
    status, answer = door.events({**terminal.make("open", uuid4()), **change})
    assert status in (409, 422)
    assert answer["code"] == code
    assert not Round.objects.exists()


@pytest.mark.parametrize("offset", [timedelta(hours=23, minutes=59), timedelta(hours=-16)])
def test_an_offset_that_no_clock_shows_is_refused_by_field(door: Door, offset: timedelta) -> None:
    """The same instant, told in a way that Python reads and PostgreSQL does not."""
    at = timezone.now().astimezone(dt_timezone(offset)).isoformat()
    round_id = str(uuid4())
    event = {"number": 1, "kind": "open", "at": at, "round": round_id}
    status, answer = door.post("events", {"events": [event]})
    assert (status, answer["faults"][0]["field"]) == (422, "at")
    event["at"] = timezone.now().astimezone(dt_timezone(timedelta(hours=15, minutes=59))).isoformat()
    status, answer = door.post("events", {"events": [event]})
    assert status == 201
    assert Round.objects.get().opened_at.utcoffset() == timedelta(0)
    body = {"locked_at": at, "irregularities": [{"kind": "invalidated"}]}
    event = {"number": 2, "kind": "result", "at": event["at"], "round": round_id, "body": body}
    status, answer = door.post("events", {"events": [event]})
    assert (status, answer["faults"][0]["field"]) == (422, "body.locked_at")
    envelope = {"clock": "c", "sent_at": at}
    status, answer = door.post("events", {"envelope": envelope, "events": []})
    assert (status, answer["faults"][0]["field"]) == (422, "envelope.sent_at")


def test_steps_out_of_order_are_refused(door: Door, terminal: Terminal) -> None:
    round_id, _ = staged(terminal)
    status, answer = terminal.event("wagers", round_id, {"wagers": stud_wagers(3)})
    assert (status, answer["code"]) == (409, "wrong_step")
    status, answer = door.events({**terminal.make("open", uuid4()), "number": 4})
    assert (status, answer["code"]) == (409, "round_under_way")


def test_a_result_that_the_rules_refuse_leaves_the_round_open_to_be_mended(
    door: Door, terminal: Terminal
) -> None:
    round_id, _ = staged(terminal)
    hands = {"1": PLAIN[0].split(), "2": PLAIN[0].split()}
    dealt = {"dealer": DEALER.split(), "seats": hands}
    event = terminal.make("result", round_id, {"dealt": dealt, "decisions": BOTH_FOLD})
    status, answer = door.events(event)
    assert (status, answer["faults"][0]["rule"]) == (422, "nz-1996 VIII 3.1")
    assert Round.objects.get().state == "locked"
    hands["2"] = PLAIN[1].split()
    assert door.events(event)[0] == 201


WAR = {"rules": {"game": "casino-war", "rulebook": "gb-2011"}, "terminals": {"terminal": {}}}
"""Seat 1 ties with the dealer and gives up: half of the wager is lost (gb-2011 17.5)."""


@pytest.mark.parametrize("step_by_step", [True, False])
def test_a_decision_told_twice_is_refused_and_the_round_is_mended(floor: Floor, step_by_step: bool) -> None:
    [(_, token)] = add_to(floor, SMALL | {"tables": {"harbour/WR-01": WAR}}).values()
    floor.tables["WR-01"] = Table.objects.get(code="WR-01")
    door = Door(floor, "WR-01", token)
    terminal = Terminal("WR-01", lambda events: door.events(*events), lambda n, at: None, timezone.now)
    round_id, dealt = uuid4(), {"dealer": ["9c"], "seats": {"1": ["9h"]}}
    wagers = [{"id": "w", "kind": "bet", "stake": "10.00", "seat": 1}]
    surrender = {"kind": "surrender", "seat": 1}
    for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
        assert terminal.event(kind, round_id, body)[0] == 201
    if step_by_step:
        terminal.event("cards", round_id, {"dealt": dealt})
        assert terminal.event("decision", round_id, {"decision": surrender})[0] == 201
        status, answer = terminal.event("decision", round_id, {"decision": surrender})
    else:
        twice = {"dealt": dealt, "decisions": [surrender, surrender]}
        status, answer = terminal.event("result", round_id, twice)
    assert (status, answer["code"]) == (422, "rule")
    assert "surrender" in answer["detail"]
    assert [fault["rule"] for fault in answer["faults"]] == ["gb-2011 17.5"]
    assert Round.objects.get(uid=round_id).state == Round.State.LOCKED
    terminal.number -= 1
    once = {} if step_by_step else {"dealt": dealt, "decisions": [surrender]}
    assert terminal.event("result", round_id, once)[0] == 201
    settle_batch()
    assert WagerLine.objects.get().returned_micros == 5_000_000


def test_a_terminal_acts_for_its_own_table_only(floor: Floor, door: Door, terminal: Terminal) -> None:
    event = terminal.make("open", uuid4())
    assert Door(floor, "CS-01", floor.tokens["CS-02"]).events(event)[0] == 403
    assert Door(floor, "CS-01", "not-a-token").events(event)[0] == 401
    assert Client().post(f"{door.root}/events", {}, content_type="application/json").status_code == 401


def test_a_closed_table_takes_no_round(floor: Floor, door: Door, terminal: Terminal) -> None:
    terminal.event("goodbye", uuid4())
    table = Table.objects.get(code="CS-01")
    assert (table.is_open, table.table_log.is_open) == (False, False)
    status, answer = terminal.event("open", uuid4())
    assert (status, answer["code"]) == (409, "table_closed")


def test_a_beat_tells_what_is_missing_and_does_not_move_the_watermark(floor: Floor, door: Door) -> None:
    """A beat is a request without events. Only once an answer was echoed and all that was numbered is here, the table
    has vouched, and only then it has a lease."""
    link = floor.tables["CS-01"].table_log
    link.refresh_from_db()
    before, terminal = link.watermark, Numbering()
    assert before is not None
    first = terminal.request()
    status, answer = door.post("events", first)
    assert (status, answer["expected"], answer["lease_ms"]) == (200, 1, None)
    assert "echoes no answer" in answer["no_lease"]
    terminal.answered(first, status, answer)
    missing = terminal.request()
    missing["envelope"]["last_number"] = 3
    status, answer = door.post("events", missing)
    link.refresh_from_db()
    assert (status, answer["expected"], link.watermark) == (200, 1, before)
    terminal.answered(missing, status, answer)
    beat = terminal.request()
    status, answer = door.post("events", beat)
    terminal.answered(beat, status, answer)
    link.refresh_from_db()
    assert (answer["lease_ms"], answer["no_lease"]) == (15_000, None)
    assert link.watermark is not None
    assert link.watermark > before
    assert terminal.may_take_jackpot_wagers()


def test_settled_lines_cannot_be_changed_by_sql(door: Door, terminal: Terminal) -> None:
    from django.db import DatabaseError, connection, transaction

    round_id, _ = staged(terminal)
    hands = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
    dealt = {"dealer": DEALER.split(), "seats": hands}
    terminal.event("result", round_id, {"dealt": dealt, "decisions": BOTH_FOLD})
    settle_batch()
    assert WagerLine.objects.count() == 4
    for statement in (
        "UPDATE tables_wagerline SET winnings_micros = 1",
        "DELETE FROM tables_wagerline",
        "UPDATE tables_round SET result = '{}'",
        "DELETE FROM tables_round",
        "UPDATE jackpots_share SET stake_micros = 1",
        "DELETE FROM jackpots_event",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_a_line_is_of_a_round_that_there_is(door: Door, terminal: Terminal) -> None:
    from django.db import IntegrityError, connection, transaction

    round_id, _ = staged(terminal)
    hands = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
    dealt = {"dealer": DEALER.split(), "seats": hands}
    terminal.event("result", round_id, {"dealt": dealt, "decisions": BOTH_FOLD})
    settle_batch()
    columns = ", ".join(
        each.attname for each in WagerLine._meta.concrete_fields if each.attname not in ("id", "round_id")
    )
    copied = f"INSERT INTO tables_wagerline (round_id, {columns}) SELECT round_id + 77, {columns} FROM tables_wagerline"
    with pytest.raises(IntegrityError, match="which there is not"), transaction.atomic():
        connection.cursor().execute(copied)
    assert WagerLine.objects.count() == 4
