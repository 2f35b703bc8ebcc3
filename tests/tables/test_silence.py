"""A silent table holds up its jackpot's wins until it is back or two people decide otherwise; never by one alone."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.fastsql.statements import Part, fresh, insertion, together
from config.kit.origin import Origin, acting_from
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Event, HeldHand, Progressive, Share, TableLog, UndecidedRound, Win
from jackpots.order import server_clock, vouched
from jackpots.order.barrier import waiting_for
from jackpots.order.instants import Stamp
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Moment
from tables.door import requests
from tables.floor import silence
from tables.floor.opening import close_table
from tables.models import MessageText, Table, TableEvent
from tests import log_verbs as event_log
from tests.floor import Floor, make_floor, new_round_id


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    """A royal flush on CS-01, while CS-02 has not been heard since a minute before it. CS-03 is closed."""
    made = standing_floor
    closed_by_two(made, "CS-03")
    at, round_id = timezone.now(), new_round_id()
    one = link("CS-01")
    with transaction.atomic():
        event_log.record_stakes(one, round_id, [Wager("w", "jackpot", dollars(1), 1)], at)
        event_log.decide(
            one, round_id, [Hit(Wager("w", "jackpot", dollars(1), 1), "royal-flush", "x")], {}, at
        )
        event_log.beat(one, timezone.now())
    silence_falls("CS-02")
    return made


def link(code: str) -> TableLog:
    return TableLog.objects.get(table_code=code)


def closed_by_two(floor: Floor, code: str) -> None:
    asked = silence.request_close(floor.tables[code].pk, floor.people["sefa"], "no terminal tonight")
    approvals.approve(asked, floor.people["jan"])


def silence_falls(code: str) -> None:
    """As if it had been heard for the last time a minute ago."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_tablelog SET lease_until = now() - interval '1 minute',"
            " watermark = least(watermark, clock_timestamp() - interval '1 minute') WHERE table_code = %s",
            [code],
        )
        log = TableLog.objects.get(table_code=code)
        vouched.sign(log)
        log.save(update_fields=["hallmark"])
        cursor.execute("SET LOCAL session_replication_role = origin")


def wins_after_fold(floor: Floor) -> int:
    fold(floor.progressive.pk)
    return Win.objects.filter(amount_micros__gt=0).count()


def test_one_person_cannot_pass_the_barrier_by_closing_the_silent_table(floor: Floor) -> None:
    for code in ("CS-02", "CS-01"):  # the silent one, and one that is heard: its terminal has said no goodbye
        with pytest.raises(Refused, match=r"no goodbye.*another person"):
            close_table(floor.tables[code].pk, floor.people["sefa"])
        assert link(code).is_open
    assert wins_after_fold(floor) == 0


def test_two_people_stop_waiting_and_the_win_goes_on(floor: Floor) -> None:
    table = floor.tables["CS-02"]
    request = silence.request_leave_out(table.pk, floor.people["sefa"], "terminal on fire")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(request, floor.people["sefa"])
    assert wins_after_fold(floor) == 0
    with acting_from(Origin(ip="10.0.0.2")):
        approvals.approve(request, floor.people["jan"])
    assert request.state == ApprovalRequest.State.USED
    assert wins_after_fold(floor) == 1
    for action in ("tables.table_left_out", "people.approval_used"):
        record = AuditRecord.objects.filter(action=action).latest("pk")
        assert (record.actor, record.ip) == (floor.people["jan"], "10.0.0.2"), "done by the approval"
        assert (record.details["requested_by"], record.reason) == ("Sefa (sefa)", "terminal on fire")
    assert link("CS-02").left_out_at is not None
    with transaction.atomic():
        event_log.come_back(link("CS-02"))
    back, final = link("CS-02"), Progressive.objects.get().final_until
    assert (back.left_out_at, back.returned_at) == (None, final), "others wait for it again, from here on"
    assert back.watermark is not None
    assert final is not None
    assert back.watermark >= final


def test_what_comes_late_from_a_table_that_nobody_waited_for(floor: Floor) -> None:
    """It took wagers in three rounds, fell silent, and is back after a win of another table: wagers that go back do so
    now, a round without a jackpot hand ends, and a hand from before that win is held for people."""
    two, rounds = link("CS-02"), [new_round_id() for _ in range(3)]
    before = timezone.now()
    for round_id in rounds:
        with transaction.atomic():
            event_log.record_stakes(two, round_id, [Wager(f"w{round_id}", "jackpot", dollars(1), 1)], before)
    silence_falls("CS-02")
    approvals.approve(
        silence.request_leave_out(floor.tables["CS-02"].pk, floor.people["sefa"], "fire"), floor.people["jan"]
    )
    time.sleep(0.01)
    with transaction.atomic():
        event_log.beat(link("CS-01"), timezone.now())
    assert wins_after_fold(floor) == 1
    void, lost, hit = rounds
    with transaction.atomic():
        stake = Wager(f"w{void}", "jackpot", dollars(1), 1)
        (event,) = event_log.return_stakes(two, void, [stake], before, "nz-1996 VIII 14.9")
        event_log.decide(two, void, [], {}, before)
    assert event.shares.get().place >= Progressive.objects.get().final_until  # type: ignore[operator]
    with transaction.atomic():
        event_log.decide_plain([lost])
    royal = Hit(Wager(f"w{hit}", "jackpot", dollars(1), 1), "royal-flush", "x")
    with transaction.atomic():
        assert event_log.decide(two, hit, [royal], {1: {Moment.DECIDING.value: before}}, before) is None
    held = HeldHand.objects.get()
    assert held.round_id == hit
    assert held.place < held.final_until
    assert "Nobody waited for CS-02 any more" in held.why
    assert not UndecidedRound.objects.exists()
    assert wins_after_fold(floor) == 1


def test_a_round_that_the_fold_has_passed_holds_up_nobody_when_its_table_is_open_again(floor: Floor) -> None:
    two = link("CS-02")
    with transaction.atomic():
        event_log.record_stakes(
            two, new_round_id(), [Wager("late", "jackpot", dollars(1), 1)], timezone.now()
        )
    silence_falls("CS-02")
    table = floor.tables["CS-02"]
    approvals.approve(silence.request_leave_out(table.pk, floor.people["sefa"], "fire"), floor.people["jan"])
    time.sleep(0.01)
    with transaction.atomic():
        event_log.beat(link("CS-01"), timezone.now())
    assert wins_after_fold(floor) == 1
    with transaction.atomic():
        event_log.come_back(link("CS-02"))
    one, at, round_id = link("CS-01"), timezone.now(), new_round_id()
    with transaction.atomic():
        event_log.record_stakes(one, round_id, [Wager("w", "jackpot", dollars(1), 1)], at)
        event_log.decide(
            one, round_id, [Hit(Wager("w", "jackpot", dollars(1), 1), "royal-flush", "x")], {}, at
        )
    time.sleep(0.01)
    for code in ("CS-01", "CS-02"):
        with transaction.atomic():
            event_log.beat(link(code), timezone.now())
    (hits,) = Share.objects.filter(event__round_id=round_id, event__kind=Event.Kind.HITS)
    assert waiting_for(hits) == []
    assert wins_after_fold(floor) == 2


def test_an_approval_is_for_one_silence_only(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table came back and fell silent again: what was asked is no longer what would be done."""
    request = silence.request_leave_out(floor.tables["CS-02"].pk, floor.people["sefa"], "cable")
    with transaction.atomic():
        event_log.beat(link("CS-02"), timezone.now())
    for minutes in (0, 1):
        later(monkeypatch, timedelta(minutes=minutes))
        with pytest.raises(Refused, match="was heard meanwhile"):
            approvals.approve(request, floor.people["jan"])
    request.refresh_from_db()
    assert request.state == ApprovalRequest.State.REQUESTED
    assert link("CS-02").left_out_at is None
    assert silence.request_leave_out(floor.tables["CS-02"].pk, floor.people["sefa"], "cable") != request


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """The people look at the table so much later."""
    now = server_clock.read()
    monkeypatch.setattr(server_clock, "read", lambda: replace(now, now=now.now + by))


class Creeping:
    """A terminal at CS-02 that is heard with every beat, numbers events, and vouches for 20 ms more each time: more
    than the drift of its clock takes off while a busy machine comes from one beat to the next."""

    def __init__(self, floor: Floor) -> None:
        self.table, self.number = floor.tables["CS-02"], 0
        watermark = link("CS-02").watermark
        assert watermark is not None
        self.until = watermark + timedelta(milliseconds=200)  # beyond what the drift of a minute takes off

    def beat(self, *kinds: str) -> Any:
        self.until += timedelta(milliseconds=20)
        events = []
        for kind in kinds:
            self.number += 1
            events.append(
                {
                    "number": self.number,
                    "kind": kind,
                    "at": timezone.now().isoformat(),
                    "clock": "creeps",
                    "round": str(uuid4()),
                    "body": {},
                }
            )
        now = timezone.now().isoformat()
        envelope = {
            "clock": "creeps", "sent_at": now, "session": 1, "last_number": self.number, "echo": now,
            "echo_received_at": now, "told_until": self.until.isoformat(),
        }  # fmt: skip
        return requests.receive(self.table.pk, {"envelope": envelope, "events": events})


def test_a_creeping_watermark_is_silence_and_no_beat_makes_the_request_void(floor: Floor) -> None:
    """Heard all the time: 20 ms a beat, and a round opened meanwhile."""
    terminal = Creeping(floor)
    terminal.beat()
    request = silence.request_leave_out(terminal.table.pk, floor.people["sefa"], "it creeps")
    seen = [link("CS-02").watermark]
    for kinds in ((), ("open",), ()):
        assert terminal.beat(*kinds).no_lease, "it gets no lease either"
        seen.append(link("CS-02").watermark)
    assert all(one is not None and two is not None and one < two for one, two in pairwise(seen))
    with pytest.raises(Refused, match="asked for it already"):
        silence.request_leave_out(terminal.table.pk, floor.people["grace"], "it creeps")
    assert wins_after_fold(floor) == 0
    approvals.approve(request, floor.people["jan"])
    assert link("CS-02").left_out_at is not None
    # Its next beat is faster than any fold: the others wait for it again, but not for what was final without it.
    terminal.beat()
    back = link("CS-02")
    assert back.left_out_at is None
    assert back.watermark is not None
    assert back.watermark == back.returned_at == link("CS-01").watermark
    assert wins_after_fold(floor) == 1


def test_a_lease_that_it_got_meanwhile_is_waited_for(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """It vouches up to the moment of asking, not beyond: it has a lease again, and may have taken wagers in it."""
    table = floor.tables["CS-02"]
    request = silence.request_leave_out(table.pk, floor.people["sefa"], "cable")
    asked_at = datetime.fromisoformat(request.payload["asked_at"])
    with transaction.atomic():  # its lease is of its last beat
        event_log.beat(link("CS-02"), asked_at)
        log = link("CS-02")
        log.lease_until = asked_at + timedelta(seconds=16)
        vouched.save(log)
    for seconds, refusal in ((10, "was heard meanwhile"), (16.5, "may still take jackpot wagers")):
        with monkeypatch.context() as patch:
            later(patch, timedelta(seconds=seconds))
            with pytest.raises(Refused, match=refusal):
                approvals.approve(request, floor.people["jan"])
    later(monkeypatch, timedelta(seconds=20))
    approvals.approve(request, floor.people["jan"])
    assert link("CS-02").left_out_at is not None


def test_it_cannot_keep_two_people_from_closing_its_table_or_replacing_it(floor: Floor) -> None:
    terminal = Creeping(floor)
    replaced = silence.request_take_over(terminal.table.pk, floor.people["sefa"], "it creeps")
    closed = silence.request_close(terminal.table.pk, floor.people["sefa"], "it creeps")
    terminal.beat()
    approvals.approve(closed, floor.people["jan"])
    assert not link("CS-02").is_open
    with pytest.raises(Refused, match="was heard meanwhile"):
        approvals.approve(replaced, floor.people["jan"])  # of the same moment: the table is another now


def test_what_was_asked_about_a_table_that_no_jackpot_waits_for_names_its_last_event(floor: Floor) -> None:
    closed_by_two(floor, "CS-02")
    table = Table.objects.get(code="CS-02")
    request = silence.request_take_over(table.pk, floor.people["sefa"], "new terminal")
    Table.objects.filter(pk=table.pk).update(last_event=1)
    with pytest.raises(Refused, match="was heard meanwhile"):
        approvals.approve(request, floor.people["jan"])


def test_to_ask_takes_a_role_a_reason_and_a_silent_table(floor: Floor) -> None:
    two, one = floor.tables["CS-02"].pk, floor.tables["CS-01"].pk
    with pytest.raises(PermissionDenied):
        silence.request_leave_out(two, floor.people["fiona"], "cable")
    with pytest.raises(Refused, match="Say why"):
        silence.request_leave_out(two, floor.people["sefa"], " ")
    with pytest.raises(Refused, match="is heard"):
        silence.request_leave_out(one, floor.people["sefa"], "cable")
    silence.request_leave_out(two, floor.people["sefa"], "cable")
    with pytest.raises(Refused, match="asked for it already"):
        silence.request_leave_out(two, floor.people["grace"], "cable")
    assert ApprovalRequest.objects.filter(action="tables.leave_out").count() == 1


def test_two_people_stop_waiting_for_a_round_that_lasts_longer_than_any_of_its_game(db: None) -> None:
    """Caribbean Stud: three minutes for the cards, half a minute for each of nine seats that decide once."""
    floor = make_floor()
    table = floor.tables["CS-02"]
    assert table.config.game.longest_round_s == 450
    round_id = table.rounds.create(
        uid=uuid4(), number=1, config=table.config, gaming_day=date(2026, 3, 1), opened_at=timezone.now()
    ).pk
    stake = [Wager("w", "jackpot", dollars(1), 1)]
    with transaction.atomic():
        event_log.record_stakes(link("CS-02"), round_id, stake, timezone.now())
        event = fresh(
            TableEvent,
            id=1,
            table=table,
            number=1,
            kind="no-more-bets",
            round_id=round_id,
            terminal_at=timezone.now(),
            sha256=hashlib.sha256(b"{}").hexdigest(),
            answer={},
        )
        text = fresh(MessageText, event_id=1, text="{}")
        together([insertion([event]), insertion([text])], Part("SELECT 1", []))
    for since_s, stuck in ((449, False), (451, True)):
        began(round_id, timezone.now() - timedelta(seconds=since_s))
        assert [row.round_id for row in silence.stuck_rounds(table)] == [round_id] * stuck
        if not stuck:
            with pytest.raises(Refused, match="may still end by itself"):
                silence.request_leave_out_round(round_id, floor.people["sefa"], "nobody there")
    request = silence.request_leave_out_round(round_id, floor.people["sefa"], "nobody there")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(request, floor.people["sefa"])
    assert not UndecidedRound.objects.get().left_out
    approvals.approve(request, floor.people["jan"])
    assert UndecidedRound.objects.get().left_out
    assert silence.stuck_rounds(table) == []


def began(round_id: int, at: datetime) -> None:
    """As if its no more bets had been then."""
    row = UndecidedRound.objects.get(round_id=round_id)
    row.lock, row.since = Stamp.exactly(at).as_json(), at
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        row.save(update_fields=["lock", "since"])
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_the_pages_lead_two_people_through_it(floor: Floor) -> None:
    def page(who: str, **form: Any) -> str:
        client = Client()
        client.force_login(floor.people[who], "django.contrib.auth.backends.ModelBackend")
        where = "/floor/harbour/tables/CS-02/"
        answer = client.post(where + "leave-out", form, follow=True) if form else client.get(where)
        assert answer.status_code == 200
        return answer.content.decode()

    assert "CS-02 is silent" in page("arne")
    assert "wins of Stud Jackpot wait for it" in page("arne")
    assert "Ask to leave it out" not in page("arne")
    assert "sefa asks to leave it out: cable" in page("sefa", reason="cable").lower()
    approvals.approve(ApprovalRequest.objects.get(action="tables.leave_out"), floor.people["jan"])
    assert "is silent" not in page("grace")
    assert "is left out" in page("grace")
    assert Table.objects.get(code="CS-02").table_log.left_out_at is not None
