"""A jackpot wager that a misdeal carries over (nz-1996 VIII 14.10) has contributed: in its next round it may win,
whether or not that round locks within the terminal's lease. `verify` finds one that could not.

The grand begins at 20,000.00 and takes 0.60 of each wager of 1.00; a royal takes all of it.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.log import event_log
from jackpots.models import Event, HeldHand, Meter, Share, TableLog, UndecidedRound, Win
from jackpots.order import vouched
from jackpots.set_up import table_links
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from ledger.verify import verify
from people.approvals import approvals
from rules.money import dollars
from tables.corrections import corrected_hands
from tables.door import jackpot_rounds, requests
from tables.floor import silence_policy
from tables.models import Round, Table, WagerLine
from tables.settle.settlement import settle_batch
from tests import door
from tests.corrections import correct
from tests.floor import Floor, make_floor
from tests.terminal import DEALER, PLAIN, stud_bets, stud_wagers

ROYAL = "Th Jh Qh Kh Ah"
MISDEAL = {"kind": "misdeal", "value": {"cause": "short-deck"}}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


class Line:
    """The terminal of a table, by an exact clock, whose line may be down: then it stamps events and sends them later,
    and the server has given it no lease for them."""

    def __init__(self, floor: Floor, code: str = "CS-01") -> None:
        self.floor, self.table, self.number = floor, floor.tables[code], 0
        door.grant(self.table.pk)

    def event(
        self, kind: str, uid: UUID, body: dict[str, Any] | None = None, at: datetime | None = None
    ) -> Any:
        self.number += 1
        now = (at or timezone.now()).isoformat()
        event = {"number": self.number, "kind": kind, "at": now, "round": str(uid), "body": body or {}}
        answered = requests.receive(self.table.pk, {"events": [door.stamped(event)]})
        if answered.refused is not None:
            raise answered.refused
        return answered.answers[0]

    @transaction.atomic
    def goes_down(self, seconds: float = 20) -> None:
        """As if nothing had been heard for so long; its lease is over."""
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            log = TableLog.objects.get(pk=self.table.table_log_id)
            log.lease_until = timezone.now() - timedelta(seconds=seconds - 15)
            log.watermark = min(log.watermark or timezone.now(), timezone.now() - timedelta(seconds=seconds))
            vouched.sign(log)
            log.save(update_fields=["lease_until", "watermark", "hallmark"])
            cursor.execute("SET LOCAL session_replication_role = origin")

    def misdealt(self, seats: int = 1) -> None:
        wagers = stud_wagers(seats)
        self.event("round", uuid4(), {"wagers": wagers, "irregularities": [MISDEAL]})

    def next_round(
        self, *hands: str, jackpot: bool = False, at: datetime | None = None, step_by_step: bool = False
    ) -> Round:
        wagers = [wager | {"id": f"n{wager['id']}"} for wager in stud_wagers(len(hands), jackpot=jackpot)]
        dealt: dict[str, Any] = {
            "seats": {str(seat): hand.split() for seat, hand in enumerate(hands, 1)},
            "dealer": DEALER.split(),
        }
        uid, bets = uuid4(), stud_bets(wagers)
        if not step_by_step:
            body = {"wagers": [*wagers, *bets], "dealt": dealt}
            self.event("round", uid, body, at)
        else:
            for kind, told in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
                self.event(kind, uid, told, at)
            self.event("result", uid, {"wagers": bets, "dealt": dealt}, at)
        return Round.objects.select_related("table").get(uid=uid)

    def finish(self) -> None:
        finish(self.floor)


def finish(floor: Floor) -> None:
    """All rounds are booked, all tables heard, hits public."""
    while settle_batch().settled:
        pass
    time.sleep(1.05)
    for table in Table.objects.filter(code__startswith="CS-"):
        door.heartbeat(table.pk, table.last_event, timezone.now())
    fold(floor.progressive.pk)
    assert broken_identities(floor.progressive.pk) == []


def the_win() -> Win:
    return Win.objects.get(amount_micros__gt=0)


@pytest.mark.parametrize("step_by_step", [False, True], ids=["whole", "step by step"])
def test_a_carried_wager_wins_where_its_next_round_locks_outside_the_lease(
    floor: Floor, step_by_step: bool
) -> None:
    line = Line(floor)
    line.misdealt()
    line.goes_down()
    round = line.next_round(ROYAL, step_by_step=step_by_step)
    assert not round.jackpots_count, "its lock is outside of the lease"
    line.finish()
    # 20,000.00, and 0.60 of the one wager.
    assert the_win().amount_micros == dollars(20_000) + 600_000
    assert the_win().round_id == round.pk
    assert not UndecidedRound.objects.exists()
    assert verify.verify().faults == []


def test_it_waits_to_be_decided_so_that_nobody_is_paid_before_it(floor: Floor) -> None:
    line, uid = Line(floor), uuid4()
    line.misdealt()
    line.goes_down()
    wagers = [wager | {"id": f"n{wager['id']}"} for wager in stud_wagers(1, jackpot=False)]
    for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
        line.event(kind, uid, body)
    (row,) = UndecidedRound.objects.all()
    assert (row.seats, row.unawaited, row.left_out) == ([1], False, False)
    assert verify.verify().faults == []


def test_new_wagers_of_that_round_still_go_back_and_win_nothing(floor: Floor) -> None:
    line = Line(floor)
    line.misdealt(2)
    line.goes_down()
    uid = uuid4()
    wagers = [wager | {"id": f"n{wager['id']}"} for wager in stud_wagers(3)]
    wagers = [wager for wager in wagers if wager["kind"] == "ante" or wager["seat"] == 3]
    hands = {"1": PLAIN[0].split(), "2": ROYAL.split(), "3": ["5d", "6d", "7d", "8d", "9d"]}
    body = {"wagers": [*wagers, *stud_bets(wagers)], "dealt": {"seats": hands, "dealer": DEALER.split()}}
    line.event("round", uid, body)
    round = Round.objects.get(uid=uid)
    assert [given["wager"]["seat"] for given in round.not_accepted] == [3]
    line.finish()
    # Seat 2's royal by its carried wager; seat 3's straight flush has no wager any more.
    (win,) = Win.objects.filter(amount_micros__gt=0)
    assert (win.seat, win.amount_micros) == (2, dollars(20_000) + 2 * 600_000)
    assert Share.objects.filter(event__kind=Event.Kind.STAKES).count() == 1
    assert verify.verify().faults == []


def test_through_two_misdeals(floor: Floor) -> None:
    line = Line(floor)
    line.misdealt()
    line.goes_down()
    again = [wager | {"id": f"x{wager['id']}"} for wager in stud_wagers(1, jackpot=False)]
    line.event("round", uuid4(), {"wagers": again, "irregularities": [MISDEAL]})
    assert not UndecidedRound.objects.exists(), "a misdeal decides nothing, and waits for nobody"
    line.next_round(ROYAL)
    line.finish()
    assert the_win().amount_micros == dollars(20_000) + 600_000
    assert verify.verify().faults == []


def test_without_an_ante_it_goes_back_out_of_the_pots(floor: Floor) -> None:
    """nz-1996 VIII 11.1."""
    line = Line(floor)
    line.misdealt(2)
    line.goes_down()
    line.next_round(PLAIN[0])
    line.finish()
    back = Event.objects.get(kind=Event.Kind.RETURN)
    assert [wager["seat"] for wager in back.body["wagers"]] == [2]
    assert Meter.objects.get(level="grand").increment_micros == 600_000
    # Seat 1 loses 15.00 and its jackpot wager; seat 2 has its jackpot wager back.
    assert balance("harbour/tables/CS-01/bank") == dollars(16)
    assert verify.verify().faults == []


def test_a_seat_told_as_decided_that_has_a_royal_after_all_is_held(floor: Floor) -> None:
    """Its wager came in with the round before."""
    line, uid = Line(floor), uuid4()
    line.misdealt()
    line.goes_down()
    wagers = [wager | {"id": f"n{wager['id']}"} for wager in stud_wagers(1, jackpot=False)]
    for kind, body in (
        ("open", {}),
        ("wagers", {"wagers": wagers}),
        ("no-more-bets", {}),
        ("decided", {"seats": [1]}),
        (
            "result",
            {"wagers": stud_bets(wagers), "dealt": {"seats": {"1": ROYAL.split()}, "dealer": DEALER.split()}},
        ),
    ):
        line.event(kind, uid, body)
    assert settle_batch().parked == 0
    held, round = HeldHand.objects.get(), Round.objects.get(uid=uid)
    assert held.round_id == round.pk
    assert round.locked_at is not None
    assert held.place >= round.locked_at
    assert verify.verify().faults == []


# --- Where the progressive's policy has done something about the silence ----------------------------------------
@pytest.mark.parametrize("policy", ["hold", "suspend", "play-on"])
def test_under_each_policy_it_wins_or_is_held(db: None, policy: str) -> None:
    """Down for 20 s: under `hold` everybody has waited; otherwise the order has gone on without the table."""
    floor = make_floor(silence=policy)
    line = Line(floor)
    line.misdealt()
    while settle_batch().settled:
        pass
    line.goes_down()
    dealt_at = timezone.now() - timedelta(milliseconds=1)
    time.sleep(0.01)
    assert silence_policy.enforce() == (policy != "hold")
    for code in ("CS-02", "CS-03"):
        table = Table.objects.get(code=code)
        door.heartbeat(table.pk, table.last_event, timezone.now())
    fold(floor.progressive.pk)
    envelope = {"clock": "exact", "sent_at": timezone.now().isoformat()}
    requests.receive(line.table.pk, {"envelope": envelope, "events": []})  # heard again
    round = line.next_round(ROYAL, at=dealt_at)
    line.finish()
    if policy == "hold":
        assert the_win().amount_micros == dollars(20_000) + 600_000
    else:
        assert not Win.objects.filter(amount_micros__gt=0).exists()
        assert HeldHand.objects.get().round_id == round.pk
    assert not UndecidedRound.objects.exists()
    assert verify.verify().faults == []


def test_where_people_have_suspended_the_link_meanwhile_it_is_held(floor: Floor) -> None:
    line = Line(floor)
    line.misdealt()
    line.goes_down()
    asked = table_links.request_suspension(
        "stud", floor.people["jan"], "harbour", "CS-01", "coin slot is jammed"
    )
    approvals.approve(asked, floor.people["sefa"])
    round = line.next_round(ROYAL)
    assert settle_batch().parked == 0
    assert HeldHand.objects.get().round_id == round.pk
    assert verify.verify().faults == []


def test_a_table_that_is_closed_to_jackpots_has_its_hand_held(floor: Floor) -> None:
    """Nobody waits for it; it plays on."""
    line = Line(floor)
    line.misdealt()
    line.goes_down()
    with transaction.atomic():
        event_log.close_log(TableLog.objects.get(pk=line.table.table_log_id))
    round = line.next_round(ROYAL, step_by_step=True)
    assert settle_batch().parked == 0
    assert HeldHand.objects.get().round_id == round.pk
    assert verify.verify().faults == []


def test_a_round_that_an_earlier_release_had_locked_has_its_hand_held(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Upgraded between "no more bets" and the result: nobody waits for the round."""
    line, uid = Line(floor), uuid4()
    line.misdealt()
    line.goes_down()
    wagers = [wager | {"id": f"n{wager['id']}"} for wager in stud_wagers(1, jackpot=False)]
    with monkeypatch.context() as before:
        as_before(before)
        for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
            line.event(kind, uid, body)
    dealt = {"seats": {"1": ROYAL.split()}, "dealer": DEALER.split()}
    line.event("result", uid, {"wagers": stud_bets(wagers), "dealt": dealt})
    assert settle_batch().parked == 0
    assert HeldHand.objects.get().round_id == Round.objects.get(uid=uid).pk
    assert verify.verify().faults == []


def test_a_royal_that_was_told_wrongly_is_found_by_a_correction(floor: Floor) -> None:
    line = Line(floor)
    line.misdealt()
    line.goes_down()
    round = line.next_round(PLAIN[0])
    line.finish()
    dealt = round.dealt | {"seats": {"1": ROYAL.split()}}
    correct(floor, round, {"dealt": dealt})
    asked = corrected_hands.request(round, floor.people["jan"], borne="recoverable", reason="camera 4")
    approvals.approve(asked, floor.people["grace"])
    line.finish()
    assert the_win().amount_micros == dollars(20_000) + 600_000
    assert verify.verify().faults == []


# --- What verify finds ------------------------------------------------------------------------------------------
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of the lease nothing of a round took part, as it was."""
    record, decide = jackpot_rounds.record_stakes, jackpot_rounds.decide_at_door

    def only_counting(function: Any) -> Any:
        return lambda desk, round, *more: function(desk, round, *more) if round.jackpots_count else None

    monkeypatch.setattr(jackpot_rounds, "record_stakes", only_counting(record))
    monkeypatch.setattr(jackpot_rounds, "decide_at_door", only_counting(decide))
    monkeypatch.setattr(jackpot_rounds, "_may_inherit", lambda round: False)


def test_verify_names_a_hand_that_could_not_win(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(floor)
    line.misdealt()
    line.goes_down()
    as_before(monkeypatch)
    round = line.next_round(ROYAL)
    line.finish()
    assert not Win.objects.exists()
    assert not HeldHand.objects.exists()
    assert WagerLine.objects.get(round=round, kind="jackpot").outcome == "win"
    (fault,) = verify.verify().faults
    assert fault.where == f"round {round.pk}"
    assert "royal-flush of seat 1 is neither in the log of Stud Jackpot nor held for people" in fault.what
    assert fault.accounts, "its money is in doubt"


def test_verify_names_a_void_wager_that_stays_in_the_pots(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Line(floor)
    line.misdealt(2)
    line.goes_down()
    as_before(monkeypatch)
    round = line.next_round(PLAIN[0])
    line.finish()
    (fault,) = verify.verify().faults
    assert (fault.where, "has not gone back" in fault.what) == (f"round {round.pk}", True)
