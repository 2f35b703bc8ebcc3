"""The day close with every check of Potline: each holds on a sound day, and names what a planted fault broke."""

from __future__ import annotations

import time
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.close_checks import history
from jackpots.fold.folding import fold
from jackpots.models import Meter, Win
from jackpots.wins import hand_pay
from ledger.books.balances import balance
from ledger.close import closing
from ledger.models import Entry, GamingDay
from ledger.seals import seals
from people.approvals import approvals
from people.models import ApprovalRequest
from tables.chips import chips
from tables.floor.opening import create_table, open_table
from tables.models import Round
from tables.settle import parked, settlement
from tests import door as intake
from tests.floor import Floor, fund, make_floor, open_cage
from tests.tables.test_poisoned_rounds import mend, park
from tests.terminal import PLAIN, Terminal, stud_round

CHECKS = {
    "jackpots.advances", "jackpots.events", "jackpots.held", "jackpots.history", "jackpots.identities",
    "jackpots.signs", "jackpots.suspects", "jackpots.wins", "ledger.balance", "ledger.seals", "ledger.verify",
    "tables.cage", "tables.corrected_hands", "tables.counts", "tables.disputes",
    "tables.rounds", "tables.slips", "tables.standing",
}  # fmt: skip

GROW_SHARE = (
    "UPDATE jackpots_share SET stake_micros = stake_micros + 1000000, slice_micros = slice_micros + 1000000"
    " FROM jackpots_event e WHERE e.id = event_id AND e.number = "
)


@pytest.fixture
def floor(db: None, tmp_path: Any, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = make_floor(pay_alone_limit_micros=10**12)
    for code, game in {"CR-01": "craps", "SB-01": "sic-bo"}.items():
        rulebook = "nz-1996" if game == "craps" else "gb-2011"
        table = create_table("test", made.harbour, code, {"game": game, "rulebook": rulebook})
        made.tables[code] = open_table(table.pk, made.people["sefa"])
    time.sleep(0.5)  # the tables opened a moment ago; rounds are locked 0.2 s before "now"
    return made


@pytest.fixture
def terminals(floor: Floor) -> dict[str, Terminal]:
    def terminal(code: str) -> Terminal:
        pk = floor.tables[code].pk
        return Terminal(
            code, lambda events: [intake.take(pk, event) for event in events],
            lambda number, at: intake.heartbeat(pk, number, timezone.now()), timezone.now,
        )  # fmt: skip

    return {code: terminal(code) for code in floor.tables}


def play(terminals: dict[str, Terminal], hands: dict[int, str]) -> None:
    body = stud_round(hands, first_card=timezone.now() - timedelta(milliseconds=20))
    terminals["CS-01"].event("round", uuid4(), body)
    while settlement.settle_batch().settled:
        pass


def settle_down(floor: Floor, terminals: dict[str, Terminal]) -> None:
    for code in ("CS-01", "CS-02", "CS-03"):
        terminals[code].heartbeat()
    fold(floor.progressive.pk)
    seals.seal()


@pytest.fixture
def today(floor: Floor) -> date:
    return gaming_day(floor.harbour, timezone.now())


def day_of(floor: Floor, today: date) -> GamingDay:
    return GamingDay.objects.select_related("premises").get(premises=floor.harbour, date=today)


def findings(day: GamingDay) -> dict[str, list[closing.Finding]]:
    """What blocks, by check. Seals wait for the end of this test's own transaction, so they are left out."""
    return {
        result.name: [line.finding for line in result.lines]
        for result in closing.checklist(day).results
        if result.lines and result.name != "ledger.seals"
    }


def test_every_room_has_its_lines_and_a_sound_day_passes(
    floor: Floor, terminals: dict[str, Terminal], today: date
) -> None:
    play(terminals, {1: PLAIN[0], 2: PLAIN[1]})
    settle_down(floor, terminals)
    assert {item.name for item in closing.registered()} == CHECKS
    assert findings(day_of(floor, today)) == {}


def test_a_round_under_way(floor: Floor, terminals: dict[str, Terminal], today: date) -> None:
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    terminals["CS-02"].event("open", uid := uuid4())
    (finding,) = findings(day_of(floor, today))["tables.rounds"]
    assert finding.text == "Round 1 of CS-02 is open."
    assert finding.url == f"/floor/harbour/rounds/{Round.objects.get(uid=uid).pk}/"
    assert not finding.may_carry


def test_a_slip_that_waits_for_its_second_person(
    floor: Floor, terminals: dict[str, Terminal], today: date
) -> None:
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "A2", 500_000_000, floor.people["sefa"])
    (finding,) = findings(day_of(floor, today))["tables.slips"]
    assert finding.text == "Slip A2 of CS-01, fill of 500.00, waits for a second person."
    approvals.approve(ApprovalRequest.objects.get(), floor.people["grace"])
    assert set(findings(day_of(floor, today))) == {"tables.cage"}, (
        "its chips came out of a cage without an opening"
    )
    fund(floor.harbour, money="chips", kind="opening")
    assert findings(day_of(floor, today)) == {}


def test_a_round_that_cannot_end_is_carried_over_and_settled_into_the_next_day(
    floor: Floor, terminals: dict[str, Terminal], today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(
        closing._checks, "ledger.seals"
    )  # nothing is sealed before this test's transaction ends
    wager = {"id": "w", "kind": "small", "stake": "1.00", "player": "A"}
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    terminals["SB-01"].event("round", uid := uuid4(), {"wagers": [wager], "dealt": {"dice": [5, 6, 4]}})
    round_id = Round.objects.get(uid=uid).pk
    park(round_id)
    finance, manager = floor.people["fiona"], floor.people["jan"]
    day = day_of(floor, today)
    closing.begin_close(day, finance)
    with pytest.raises(Refused, match=r"tables\.rounds: Round 1 of SB-01 is parked: "):
        closing.close_day(day, finance)
    request = closing.request_carry_over(
        day, "tables.rounds", f"round:{round_id}", finance, "Engineers look at it"
    )
    approvals.approve(request, manager)
    assert closing.close_day(day, finance).state == "closed"
    mend(round_id)
    parked.settle_again(round_id, floor.people["sefa"], "The name fits now")
    assert settlement.settle_batch().settled == 1
    entry = Entry.objects.select_related("day").get(key=f"tables:round:{round_id}")
    assert (entry.day.date, entry.own_date) == (today + timedelta(days=1), today)
    late = Round.objects.get(pk=round_id)
    assert (late.gaming_day, late.late_day) == (today, today + timedelta(days=1))
    assert balance("harbour/tables/SB-01/win") == -1_000_000


def test_a_slip_does_not_run_out_overnight(floor: Floor, terminals: dict[str, Terminal], today: date) -> None:
    """Entered in the evening, looked at by nobody until the close in the morning: it still stands in the way."""
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "A2", 500_000_000, floor.people["sefa"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE people_approvalrequest SET requested_at = requested_at - interval '3 days',"
            " expires_at = expires_at - interval '3 days'"
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
    (finding,) = findings(day_of(floor, today))["tables.slips"]
    assert "fill of 500.00, waits for a second person" in finding.text
    approvals.approve(ApprovalRequest.objects.get(), floor.people["fiona"])
    assert balance("harbour/cage/chips") == -500_000_000


def test_what_comes_after_an_early_close_is_replayed_by_the_next(
    floor: Floor, terminals: dict[str, Terminal], today: date
) -> None:
    """A day that closed before its end by the clock has seen a part of its log; the rest is not passed over."""
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    finance = floor.people["fiona"]
    closing.begin_close(day_of(floor, today), finance)
    closing.close_day(day_of(floor, today), finance)
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    following = day_of(floor, today + timedelta(days=1))
    assert findings(following) == {}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(GROW_SHARE + "2")
        cursor.execute("SET LOCAL session_replication_role = origin")
    (finding,) = findings(following)["jackpots.history"]
    assert "has other pots than the log gives" in finding.text


def test_a_close_that_comes_late_replays_its_own_day(
    floor: Floor, terminals: dict[str, Terminal], today: date
) -> None:
    """What was played since is the next close's: it would take the longer the later somebody closes."""
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_share SET place = place - interval '1 day', earliest = earliest - interval '1 day',"
            " latest = latest - interval '1 day'"
        )
        cursor.execute(
            "UPDATE jackpots_foldrun SET first_place = first_place - interval '1 day',"
            " last_place = last_place - interval '1 day'"
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    days = [GamingDay(premises=floor.harbour, date=today - timedelta(days=n)) for n in (1, 0)]
    assert [list(history(day)) for day in days] == [[], []]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(GROW_SHARE + "2")
        cursor.execute("SET LOCAL session_replication_role = origin")
    yesterdays, todays = (list(history(day)) for day in days)
    assert yesterdays == []
    assert "has other pots than the log gives" in todays[0].text


def test_a_wager_that_stands(floor: Floor, terminals: dict[str, Terminal], today: date) -> None:
    line = {"id": "p", "kind": "pass", "stake": "10.00", "player": "A"}
    terminals["CR-01"].event("round", uuid4(), {"wagers": [line], "dealt": {"dice": [4, 2]}})
    settlement.settle_batch()
    settle_down(floor, terminals)
    (finding,) = findings(day_of(floor, today))["tables.standing"]
    assert finding.text == "CR-01: 1 wagers of 10.00 in all stand for the next round."
    assert finding.may_carry


def test_events_that_are_not_final_say_whom_they_wait_for(
    floor: Floor, terminals: dict[str, Terminal], today: date
) -> None:
    play(terminals, {1: PLAIN[0]})
    found = findings(day_of(floor, today))
    (finding,) = found["jackpots.events"]
    assert finding.text.startswith("1 event of Stud Jackpot not final: waiting for table CS-0")
    assert not finding.may_carry
    settle_down(floor, terminals)
    assert findings(day_of(floor, today)) == {}


def test_a_win_until_it_is_paid(floor: Floor, terminals: dict[str, Terminal], today: date) -> None:
    play(terminals, {3: "2d 4d 6d 8d Jd"})
    settle_down(floor, terminals)
    (finding,) = findings(day_of(floor, today))["jackpots.wins"]
    assert finding.text == "flush at CS-01, seat 3: 100.00 NZD is pending, not paid."
    win = Win.objects.get()
    assert finding.url == f"/jackpots/wins/{win.pk}/"
    hand_pay.verify(win.pk, floor.people["grace"], {"hand_confirmed": True, "deck_counted": True})
    open_cage(floor.harbour)
    hand_pay.pay(win.pk, floor.people["grace"], "cash")
    assert findings(day_of(floor, today)) == {}


def test_a_spoiled_meter(floor: Floor, terminals: dict[str, Terminal], today: date) -> None:
    play(terminals, {1: PLAIN[0]})
    settle_down(floor, terminals)
    Meter.objects.filter(level="minor").update(increment_micros=7)
    found = findings(day_of(floor, today))
    assert found.keys() == {"jackpots.history", "jackpots.identities"}
    assert not any(finding.may_carry for every in found.values() for finding in every)
    (books,) = found["jackpots.identities"]
    assert books.text == "Stud Jackpot: increment of minor is 0.000007, by the books it is 0.15."


def test_another_premises_does_not_wait_for_it(
    floor: Floor, terminals: dict[str, Terminal], today: date
) -> None:
    """A progressive's day is that of its host; a linked table elsewhere has its own rounds and nothing else to end."""
    body = stud_round({1: "2d 4d 6d 8d Jd"}, first_card=timezone.now() - timedelta(milliseconds=20))
    terminals["CS-03"].event("round", uuid4(), body)
    settlement.settle_batch()
    settle_down(floor, terminals)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM jackpots_win")
        assert cursor.fetchone()[0] == 1
    lakeside = GamingDay.objects.select_related("premises").get(premises=floor.lakeside)
    assert findings(lakeside) == {}
    assert findings(day_of(floor, today)).keys() == {"jackpots.wins"}
