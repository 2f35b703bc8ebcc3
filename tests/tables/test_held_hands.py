"""A jackpot hand of a table that two people stopped waiting for: its round settles, the hand is held for people, and
nothing waits for it. Played through the terminal's door, with the real settlement, fold and day close."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Event, HeldHand, Meter, Progressive, Share, TableLog, UndecidedRound, Win
from jackpots.order.barrier import final_limit
from jackpots.verify.identities import broken_identities
from jackpots.wins import hand_pay
from ledger.books.balances import balance
from ledger.close import closing
from ledger.models import GamingDay, OpenItem
from people.approvals import approvals
from people.models import AuditRecord
from rules.money import dollars
from tables.floor import silence
from tables.models import Round, WagerLine
from tables.settle import parked
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests import log_verbs as event_log
from tests.floor import Floor, open_cage
from tests.tables.test_events_api import Door
from tests.tables.test_silence import silence_falls
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_round, stud_wagers

ROYAL = "Th Jh Qh Kh Ah"


@pytest.fixture
def floor(standing_floor: Floor, tmp_path: Any, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = standing_floor
    time.sleep(0.5)  # what follows happened after the tables opened, and lies in the past
    return made


@pytest.fixture
def terminals(floor: Floor) -> dict[str, Terminal]:
    def terminal(code: str) -> Terminal:
        door = Door(floor, code)

        def send(events: list[dict[str, Any]]) -> Any:
            status, answer = door.events(*events)
            assert status == 201, answer
            intake.vouch(pk, datetime.fromisoformat(events[-1]["at"]))
            return answer

        def beat(number: int, at: str) -> Any:
            return intake.heartbeat(pk, number, datetime.fromisoformat(at))

        pk = floor.tables[code].pk
        return Terminal(code, send, beat, timezone.now)

    return {code: terminal(code) for code in floor.tables}


def back_again(code: str) -> None:
    """Its terminal is heard: others wait for the table again."""
    with transaction.atomic():
        event_log.come_back(TableLog.objects.get(table_code=code))


class Night:
    """CS-02 locks a round and falls silent; CS-01 has a royal, which two people let go on without CS-02."""

    def __init__(self, floor: Floor, terminals: dict[str, Terminal]) -> None:
        self.floor, self.terminals = floor, terminals
        self.silent = terminals["CS-02"]
        self.uid, self.wagers = uuid4(), stud_wagers(2)
        self.dealt_at = timezone.now() - timedelta(milliseconds=300)
        steps: tuple[tuple[str, dict[str, Any]], ...] = (
            ("open", {}),
            ("wagers", {"wagers": self.wagers}),
            ("no-more-bets", {}),
        )
        for kind, body in steps:
            self.silent.event(kind, self.uid, body, at=self.dealt_at - timedelta(milliseconds=50))
        silence_falls("CS-02")
        royal = stud_round({1: ROYAL}, first_card=timezone.now() - timedelta(milliseconds=20))
        terminals["CS-01"].event("round", uuid4(), royal)
        settle_batch()
        self.beat("CS-01", "CS-03")
        assert fold(floor.progressive.pk).wins == (), "it waits for CS-02"
        asked = silence.request_leave_out(floor.tables["CS-02"].pk, floor.people["sefa"], "terminal on fire")
        approvals.approve(asked, floor.people["jan"])
        (self.win,) = fold(floor.progressive.pk).wins

    def beat(self, *codes: str) -> None:
        for code in codes:
            self.terminals[code].heartbeat()

    def tell_the_royal(self) -> None:
        """The terminal is back and says what was dealt before the other table's win."""
        seats = {"1": ROYAL.split(), "2": PLAIN[1].split()}
        body = {
            "wagers": stud_bets(self.wagers),
            "dealt": {"seats": seats, "dealer": DEALER.split()},
            "moments": {"1": {"first-card": self.dealt_at.isoformat()}},
        }
        self.silent.event("result", self.uid, body)

    def tell_nothing_won(self) -> None:
        seats = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
        body = {"wagers": stud_bets(self.wagers), "dealt": {"seats": seats, "dealer": DEALER.split()}}
        self.silent.event("result", self.uid, body)

    def round(self) -> Round:
        return Round.objects.get(uid=self.uid)

    @property
    def round_id(self) -> int:
        return self.round().pk


@pytest.fixture
def night(floor: Floor, terminals: dict[str, Terminal]) -> Night:
    return Night(floor, terminals)


def page(floor: Floor, who: str, where: str) -> str:
    client = Client()
    client.force_login(floor.people[who], "django.contrib.auth.backends.ModelBackend")
    answer = client.get(where)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_the_round_settles_the_hand_is_held_and_the_table_plays_on(floor: Floor, night: Night) -> None:
    # 20,000, and 60% of CS-01's wager and of the two of CS-02, which were in the log already.
    assert night.win.amount_micros == dollars(20_000) + 3 * 600_000
    night.tell_the_royal()
    done = settle_batch()
    assert (done.settled, done.parked) == (1, 0)
    assert night.round().state == Round.State.SETTLED
    # Against ace-king: the ante pays evens, the bet 250 to 1 on a royal; seat 2 loses.
    won = WagerLine.objects.filter(round=night.round_id, seat=1).values_list(
        "kind", "outcome", "winnings_micros"
    )
    assert set(won) == {
        ("ante", "win", dollars(5)),
        ("bet", "win", dollars(2_500)),
        ("jackpot", "win", 0),
    }
    held = HeldHand.objects.get()
    assert (held.table_log.table_code, held.round_id) == ("CS-02", night.round_id)
    assert abs(held.place - night.dealt_at) < timedelta(milliseconds=1)
    assert held.final_until == Progressive.objects.get().final_until
    (hand,) = held.body["hits"]
    wager = hand["wager"]
    assert (wager["seat"], hand["trigger"], wager["stake"]) == (1, "royal-flush", "1.00")
    assert datetime.fromisoformat(held.body["moments"]["1"]["first-card"]["told"]) == night.dealt_at
    assert not UndecidedRound.objects.filter(round_id=night.round_id).exists()
    assert not Event.objects.filter(round_id=night.round_id, kind=Event.Kind.HITS).exists()
    record = AuditRecord.objects.get(action="jackpots.hand_held")
    assert (record.actor_label, record.premises) == ("settlement", floor.harbour)
    assert record.details["round"] == str(night.round_id)
    # Its terminal is heard again, and it plays as usual: nothing of the held hand holds it or others up.
    back_again("CS-02")
    for _ in range(2):
        night.silent.event("round", uuid4(), stud_round({1: PLAIN[0]}, first_card=timezone.now()))
        assert settle_batch().settled == 1
    night.beat("CS-01", "CS-02", "CS-03")
    assert final_limit(floor.progressive) > timezone.now() - timedelta(seconds=5)
    fold(floor.progressive.pk)
    assert Win.objects.count() == 1
    # The grand restarted at its seed and has the 60% of the two wagers since.
    assert Meter.objects.get(level="grand").increment_micros == 2 * 600_000
    assert broken_identities(floor.progressive.pk) == []
    # CS-02's own books: 5.00 + 10.00 lost by seat 2 and by each of two rounds, 2,505.00 paid, and four jackpot wagers.
    assert balance("harbour/tables/CS-02/bank") == 3 * dollars(15) - dollars(2_505) + dollars(4)


def test_pages_say_it_in_words(floor: Floor, night: Night) -> None:
    night.tell_the_royal()
    settle_batch()
    for where in ("/jackpots/", f"/floor/harbour/rounds/{night.round_id}/"):
        text = page(floor, "arne", where)
        assert "held for people" in text.lower(), where
        assert "royal flush at CS-02, seat 1" in text, where
        assert "Nobody waited for CS-02 any more" in text, where
    assert "cannot be settled" not in page(floor, "arne", f"/floor/harbour/rounds/{night.round_id}/")


def test_the_day_closes_with_the_held_hand_carried_over_by_two_people(
    floor: Floor, night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(
        closing._checks, "ledger.seals"
    )  # nothing is sealed before this test's transaction ends
    night.tell_the_royal()
    settle_batch()
    win, sefa, jan = night.win, floor.people["sefa"], floor.people["jan"]
    hand_pay.verify(win.pk, sefa, {"hand_confirmed": True, "deck_counted": True})
    hand_pay.approve(win.pk, jan)
    open_cage(floor.harbour)
    hand_pay.pay(win.pk, sefa, "cash")
    night.beat("CS-01", "CS-03")
    fold(floor.progressive.pk)
    today = gaming_day(floor.harbour, timezone.now())
    day = GamingDay.objects.select_related("premises").get(premises=floor.harbour, date=today)
    finance = floor.people["fiona"]
    closing.begin_close(day, finance)
    with pytest.raises(Refused, match=r"jackpots\.held: royal flush at CS-02, seat 1, is held for people"):
        closing.close_day(day, finance)
    held = HeldHand.objects.get()
    asked = closing.request_carry_over(
        day, "jackpots.held", f"held:{held.pk}", finance, "Cameras are looked at"
    )
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, finance)
    approvals.approve(asked, jan)
    assert closing.close_day(day, finance).state == "closed"
    item = OpenItem.objects.get(day=day)
    assert (item.check_name, item.item_key) == ("jackpots.held", f"held:{held.pk}")
    used = AuditRecord.objects.filter(
        action="people.approval_used", subject=f"people.approvalrequest:{asked.pk}"
    )
    assert used.count() == 1
    assert broken_identities(floor.progressive.pk) == []


def test_another_premises_does_not_list_it(floor: Floor, night: Night) -> None:
    """A held hand is the host's to decide on, like a win."""
    night.tell_the_royal()
    settle_batch()
    night.terminals["CS-03"].event("round", uuid4(), stud_round({1: PLAIN[0]}, first_card=timezone.now()))
    settle_batch()
    lakeside = GamingDay.objects.select_related("premises").get(premises=floor.lakeside)
    results = {result.name: result.lines for result in closing.checklist(lakeside).results}
    assert results["jackpots.held"] == []


def test_a_round_that_was_parked_for_it_ends_when_it_is_settled_again(floor: Floor, night: Night) -> None:
    """As it stands in a house that was closed with such a round on its hands."""
    night.tell_the_royal()
    Round.objects.filter(pk=night.round_id).update(state=Round.State.PARKED, error="late hit", attempts=3)
    parked.settle_again(night.round_id, floor.people["sefa"], "Held hands have a place now")
    assert settle_batch().settled == 1
    assert HeldHand.objects.get().round_id == night.round_id


def test_a_round_without_a_jackpot_hand_just_ends(floor: Floor, night: Night) -> None:
    night.tell_nothing_won()
    assert settle_batch().settled == 1
    assert not HeldHand.objects.exists()


def test_a_round_locked_unheard_gives_its_stake_where_its_table_came_back_and_its_hand_is_for_people(
    floor: Floor, night: Night
) -> None:
    """Nobody waited for it: a hand from before the other table's win cannot take the meter after it, or before."""
    night.tell_nothing_won()
    settle_batch()
    silence_falls("CS-02")
    back_again("CS-02")
    back = TableLog.objects.get(table_code="CS-02").watermark
    assert back is not None
    late = uuid4()
    night.silent.event("round", late, stud_round({1: ROYAL}, first_card=night.dealt_at))
    assert settle_batch().settled == 1
    held, round_id = HeldHand.objects.get(), Round.objects.get(uid=late).pk
    assert (held.round_id, held.table_log.table_code) == (round_id, "CS-02")
    assert "may have locked before CS-02 was open" in held.why
    (stakes,) = Share.objects.filter(event__round_id=round_id)
    assert stakes.place >= back
    night.beat("CS-01", "CS-02", "CS-03")
    assert fold(floor.progressive.pk).wins == ()
    # The meter restarted at its seed and has 60% of its wager.
    assert Meter.objects.get(level="grand").value_micros == dollars(20_000) + 600_000


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE jackpots_heldhand SET body = '[]'",
        "DELETE FROM jackpots_heldhand",
        "TRUNCATE jackpots_heldhand CASCADE",
    ],
)
def test_a_held_hand_is_only_added(floor: Floor, night: Night, attack: str) -> None:
    night.tell_the_royal()
    settle_batch()
    with (
        pytest.raises(DatabaseError, match="is refused"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SET CONSTRAINTS ALL IMMEDIATE; {attack}")
    assert HeldHand.objects.get().round_id == night.round_id
