"""Second thoughts about jackpot hands: what each changes of wins, pots and books. Amounts by hand.

nz-1996 VIII 12 with the demo's rates (60% of 1.00 to the grand, 5% to its reserve). A: 1.00 and a royal at CS-01,
which takes 20,000.60; the reserve's 0.05 and 19,999.95 of the house are the new seed. B: 1.00 at CS-02, grand
20,000.60, and a straight flush has a tenth, 2,000.06; 18,000.54 are left, all of it base, and 0.05 in the reserve.

Without A the second 1.00 makes 20,001.20: B is due 2,000.12, and 18,001.08 are left, with 0.10 in the reserve."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.documents import UnreadableDocument
from config.kit.refusals import Refused
from jackpots.fold import adjusting
from jackpots.fold.folding import fold
from jackpots.fold.hindsight import Seen
from jackpots.models import (
    Adjustment,
    Dismissal,
    HandPayRules,
    HeldHand,
    Meter,
    Overpaid,
    Progressive,
    TableLog,
    Win,
)
from jackpots.second_thoughts import corrections
from jackpots.second_thoughts.second_look import plan
from jackpots.set_up.configure import create_progressive, link_table
from jackpots.signs.frames import figures_from_log, snapshot
from jackpots.verify.identities import broken_identities
from jackpots.wins import hand_pay
from ledger.books.balances import balance
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.codec import hit_from_json
from rules.contract import Hit, Wager
from rules.money import dollars, format_money, parse_money
from rules.progressive import Hits
from tests import log_verbs as event_log
from tests.floor import FUNDED, Floor, make_floor, new_round_id, open_cage, stud_rules

CHECKED = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-7"}
NOT_OF_THE_LOG = re.compile(r"log event \d+: \S+ played no round \d+$")
"""These tests write the log without the tables room."""
GRAND = "harbour/jackpots/stud/levels/grand"


def money(text: str) -> int:
    return parse_money(text)


class Night:
    def __init__(self, floor: Floor | None = None, **settings: Any) -> None:
        self.floor = floor or make_floor(**settings)
        self.progressive = self.floor.progressive
        self.sefa, self.jan, self.grace = (self.floor.people[name] for name in ("sefa", "jan", "grace"))

    def log(self, code: str) -> TableLog:
        return TableLog.objects.get(table_code=code)

    def play(self, code: str, hand: str = "", at: datetime | None = None) -> int:
        """A round with one jackpot wager of 1.00 at seat 1, and perhaps its hand; folded."""
        log, round_id, wager = self.log(code), new_round_id(), Wager("w", "jackpot", dollars(1), 1)
        hits = [Hit(wager, hand, "test")] if hand else []
        with transaction.atomic():
            event_log.record_stakes(log, round_id, [wager], at or timezone.now())
            event_log.decide(log, round_id, hits, {}, at or timezone.now(), entered=[wager])
            for each in TableLog.objects.filter(left_out_at__isnull=True):
                event_log.beat(each, timezone.now())
        fold(self.progressive.pk)
        return round_id

    def win(self, hand: str, state: str = "") -> Win:
        found = Win.objects.filter(trigger=hand).exclude(state="superseded").order_by("pk")
        return (found.filter(state=state) if state else found).get()

    def pay(self, win: Win) -> Win:
        hand_pay.verify(win.pk, self.sefa, CHECKED)
        hand_pay.approve(win.pk, self.jan)
        open_cage(win.table_log.premises)
        return hand_pay.pay(win.pk, self.sefa, "cash")

    def ask(
        self, win: Win, kind: str = "reject", borne: str = "recoverable", hand: str = ""
    ) -> ApprovalRequest:
        return corrections.request_second_thought(
            win.pk, self.sefa, kind, borne=borne, reason="The deck was short a card.", hand=hand
        )

    def think(self, win: Win, kind: str = "reject", borne: str = "recoverable", hand: str = "") -> None:
        approvals.approve(self.ask(win, kind, borne, hand), self.jan)
        fold(self.progressive.pk)

    def rows(self) -> list[tuple[str, str, str]]:
        return [
            (win.trigger, win.state, format_money(win.amount_micros)) for win in Win.objects.order_by("pk")
        ]

    def pots(self, level: str = "grand") -> dict[str, str]:
        meter = Meter.objects.get(level=level, progressive=self.progressive)
        return {
            name: format_money(getattr(meter, f"{name}_micros")) for name in ("base", "increment", "reserve")
        }

    def holds(self) -> None:
        assert broken_identities(self.progressive.pk) == []
        span = verify.Span(0, verify.end_of_stamps(), whole=False)
        checks = [each for each in verify.checks() if each.name.startswith(("jackpots", "ledger.entries"))]
        found = [str(fault) for each in checks for fault in each.check(span)]
        assert [fault for fault in found if not NOT_OF_THE_LOG.match(fault)] == []


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(standing_floor)


@pytest.fixture
def both(night: Night) -> Night:
    night.play("CS-01", "royal-flush")
    night.play("CS-02", "straight-flush")
    return night


def test_as_it_was(both: Night) -> None:
    assert both.rows() == [
        ("royal-flush", "pending", "20000.60"),
        ("straight-flush", "pending", "2000.06"),
    ]
    assert both.pots() == {"base": "18000.54", "increment": "0.00", "reserve": "0.05"}


def test_a_is_rejected_after_b_was_resolved(both: Night) -> None:
    both.think(both.win("royal-flush"))
    assert both.rows() == [
        ("royal-flush", "superseded", "20000.60"),
        ("straight-flush", "pending", "2000.06"),
        ("straight-flush", "pending", "0.06"),
    ]
    assert both.pots() == {"base": "18001.08", "increment": "0.00", "reserve": "0.10"}
    assert balance(f"{GRAND}/payable") == -money("2000.12")
    assert balance(f"{GRAND}/base-not-owed") == money("18001.08")
    # As if A had never been: of the 20,000 of the house's seed 1,998.92 went to B.
    assert balance(f"{GRAND}/top-up") == money("1998.92")
    both.holds()
    supplementary = Win.objects.get(amount_micros=money("0.06"))
    told = " ".join(step["text"] for step in supplementary.run.trace)
    assert "10% of the meter, the meter being 20,001.20. Paid 2,000.12" in told
    both.pay(supplementary)
    assert balance(f"{GRAND}/payable") == -money("2000.06")
    both.holds()


def test_a_is_rejected_after_b_was_paid(both: Night) -> None:
    both.pay(both.win("straight-flush"))
    both.think(both.win("royal-flush"))
    assert both.rows()[1:] == [("straight-flush", "paid", "2000.06"), ("straight-flush", "pending", "0.06")]
    assert both.pots() == {"base": "18001.08", "increment": "0.00", "reserve": "0.10"}
    assert balance(f"{GRAND}/payable") == -money("0.06")
    both.holds()


@pytest.mark.parametrize(
    ("borne", "recoverable", "cost"), [("recoverable", "20000.60", "0.00"), ("house", "0.00", "20000.60")]
)
def test_a_is_rejected_after_it_was_paid(both: Night, borne: str, recoverable: str, cost: str) -> None:
    """It stands. The seed that it cost comes back to the house, 20,000.60 stay out until they are recovered."""
    both.pay(both.win("royal-flush"))
    both.think(both.win("royal-flush"), borne=borne)
    assert both.rows()[0] == ("royal-flush", "paid", "20000.60")
    assert both.pots() == {"base": "18001.08", "increment": "0.00", "reserve": "0.10"}
    assert balance("harbour/recoverable") == money(recoverable)
    assert balance(f"{GRAND}/adjustments") == money(cost)
    assert balance(f"{GRAND}/top-up") == money("1998.92")
    assert balance("harbour/cage/cash") == FUNDED - money("20000.60")
    stands = Overpaid.objects.get()
    assert (stands.win.trigger, stands.amount_micros, stands.borne) == (
        "royal-flush",
        money("20000.60"),
        borne,
    )
    both.holds()


@pytest.mark.parametrize("b_is_paid", [False, True])
def test_a_is_corrected_away(both: Night, b_is_paid: bool) -> None:
    """The royal was a straight flush: a tenth of 20,000.60 is 2,000.06, and 18,000.54 are left. With B's 0.60 a tenth
    of 18,001.14 is 1,800.114, and a tenth is a minimum: 1,800.12, 0.006 of it of the house. B has had 199.94 too much,
    and 16,201.026 are left."""
    if b_is_paid:
        both.pay(both.win("straight-flush"))
    both.think(both.win("royal-flush"), "corrected", hand="straight-flush")
    paid = [("straight-flush", "paid", "2000.06"), ("straight-flush", "pending", "2000.06")]
    unpaid = [
        ("straight-flush", "superseded", "2000.06"),
        ("straight-flush", "pending", "2000.06"),
        ("straight-flush", "pending", "1800.12"),
    ]
    assert both.rows() == [("royal-flush", "superseded", "20000.60"), *(paid if b_is_paid else unpaid)]
    assert both.pots() == {"base": "16201.026", "increment": "0.00", "reserve": "0.10"}
    assert balance("harbour/recoverable") == (money("199.94") if b_is_paid else 0)
    both.holds()
    if not b_is_paid:
        new = Win.objects.get(amount_micros=money("1800.12"))
        assert new.replaces is not None
        assert new.replaces.amount_micros == money("2000.06")


def late_hand(night: Night) -> tuple[HeldHand, datetime]:
    """CS-03 locks, is left out, and tells of a straight flush after the royal of CS-01 was folded."""
    log, round_id, wager = night.log("CS-03"), new_round_id(), Wager("w", "jackpot", dollars(1), 1)
    dealt = timezone.now()
    with transaction.atomic():
        event_log.record_stakes(log, round_id, [wager], dealt)
        event_log.leave_out(log)
    night.play("CS-01", "royal-flush")
    with transaction.atomic():
        hit = Hit(wager, "straight-flush", "test")
        moments = {1: {"deciding-card-or-throw": dealt, "first-card": dealt}}
        event_log.decide(log, round_id, [hit], moments, timezone.now(), entered=[wager])
    return HeldHand.objects.get(), dealt


@pytest.mark.parametrize("a_is_paid", [False, True])
def test_a_hand_that_came_late_is_let_in_at_its_place(night: Night, a_is_paid: bool) -> None:
    """The royal took 20,001.20, of which 0.60 are the late table's. Before it the straight flush has a tenth of
    20,000.60, 2,000.06; with the 0.60 of CS-01 the royal has 18,001.14. The pots are as they were."""
    held, _ = late_hand(night)
    assert night.rows() == [("royal-flush", "pending", "20001.20")]
    before = night.pots()
    if a_is_paid:
        night.pay(night.win("royal-flush"))
    request = corrections.request_let_in(held.pk, night.sefa, borne="recoverable", reason="Seen on camera 7.")
    approvals.approve(request, night.jan)
    fold(night.progressive.pk)
    new = [("straight-flush", "pending", "2000.06"), ("royal-flush", "pending", "18001.14")]
    if a_is_paid:
        assert night.rows() == [("royal-flush", "paid", "20001.20"), new[0]]
        assert balance("harbour/recoverable") == money("2000.06")
    else:
        assert night.rows() == [("royal-flush", "superseded", "20001.20"), *new]
    assert night.pots() == before == {"base": "20000.00", "increment": "0.00", "reserve": "0.00"}
    late = night.win("straight-flush")
    assert (late.held, late.share, late.place) == (held, None, held.place)
    night.pay(late)
    night.holds()
    with pytest.raises(Refused, match="let in already"):
        corrections.request_dismissal(held.pk, night.sefa, reason="no")


def test_a_late_hand_waits_until_the_fold_has_come_to_its_place(night: Night) -> None:
    """What came before it may still wait: it would be paid before its turn."""
    held, _ = late_hand(night)
    hits = Hits(str(held.round_id), tuple(hit_from_json(hit) for hit in held.body["hits"]))
    seen = Seen(held.table_log, held.round_id, hits, timezone.now() + timedelta(hours=1))
    with pytest.raises(Refused, match="not folded up to that hand"):
        plan(Progressive.objects.get(pk=night.progressive.pk), seen, "house", house_only=False)


def test_a_held_hand_of_an_unknown_version_is_not_guessed_at(night: Night) -> None:
    held, _ = late_hand(night)
    assert corrections.seen_late(held, None).hits is not None
    held.body["version"] += 1
    with pytest.raises(UnreadableDocument, match="version 3; this program reads 2"):
        corrections.preview_late(held, "house")


def test_a_wager_that_goes_back_later_leaves_the_meter_that_it_is_in(night: Night) -> None:
    """The royal takes 20,000.60 and the grand restarts; CS-03 brings 0.60 and is left out, CS-01 brings 0.60. Without
    the royal all of it is in one meter, 20,001.80; then the round of CS-03 is void, and its 0.60 go back."""
    night.play("CS-01", "royal-flush")
    log, round_id, wager = night.log("CS-03"), new_round_id(), Wager("w", "jackpot", dollars(1), 1)
    with transaction.atomic():
        event_log.record_stakes(log, round_id, [wager], timezone.now())
        event_log.leave_out(log)
    night.play("CS-01", "")
    assert night.pots() == {"base": "20000.00", "increment": "1.20", "reserve": "0.10"}
    night.think(night.win("royal-flush"))
    assert night.pots() == {"base": "20000.00", "increment": "1.80", "reserve": "0.15"}
    with transaction.atomic():
        event_log.return_stakes(log, round_id, [wager], timezone.now(), "void")
        event_log.decide(log, round_id, [], {}, timezone.now())
    night.play("CS-02", "")
    assert night.pots() == {"base": "20000.00", "increment": "1.80", "reserve": "0.15"}
    night.holds()


def test_a_late_hand_is_dismissed_by_two(night: Night) -> None:
    held, _ = late_hand(night)
    request = corrections.request_dismissal(held.pk, night.sefa, reason="No such hand on any camera.")
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(request, night.sefa)
    approvals.approve(request, night.jan)
    assert Dismissal.objects.get().held == held
    assert night.rows() == [("royal-flush", "pending", "20001.20")]
    with pytest.raises(Refused, match="dismissed already"):
        corrections.request_let_in(held.pk, night.sefa, borne="house", reason="Seen after all.")
    night.holds()


@pytest.mark.parametrize("a_is_paid", [False, True])
def test_a_void_round_after_its_pot_was_won(both: Night, a_is_paid: bool) -> None:
    """Without A's wager and its royal B finds 20,000.60 as well, and 18,000.54 are left. The wager goes back over the
    table: 0.60 and 0.05 of it had gone to the grand, 0.15 to the minor, 0.20 to the house."""
    both.holds()
    if a_is_paid:
        both.pay(both.win("royal-flush"))
    bank = balance("harbour/tables/CS-01/bank")
    both.think(both.win("royal-flush"), "void", borne="house")
    state = "paid" if a_is_paid else "superseded"
    assert both.rows() == [("royal-flush", state, "20000.60"), ("straight-flush", "pending", "2000.06")]
    assert both.pots() == {"base": "18000.54", "increment": "0.00", "reserve": "0.05"}
    assert both.pots("minor") == {"base": "2000.00", "increment": "0.15", "reserve": "0.00"}
    assert balance("harbour/tables/CS-01/bank") == bank - dollars(1)
    assert balance("harbour/jackpots/stud/house") == -money("0.20")
    assert balance(f"{GRAND}/top-up") == money("1999.46"), (
        "of the first seed, what B's tenth took beyond its 0.60"
    )
    assert balance(f"{GRAND}/adjustments") == (money("20000.60") if a_is_paid else 0)
    both.holds()
    with pytest.raises(Refused, match=r"void already|taken its place|not count"):
        both.ask(both.win("royal-flush") if a_is_paid else Win.objects.get(trigger="royal-flush"))


def test_earlier_corrections_are_given_again(both: Night) -> None:
    """First B is rejected: 20,000.60 are left of it. Then A: the grand is 20,001.20 with 0.10 in the reserve, and the
    house has its seed again."""
    both.think(both.win("straight-flush"))
    assert both.pots() == {"base": "20000.00", "increment": "0.60", "reserve": "0.05"}
    both.holds()
    both.think(both.win("royal-flush"))
    assert both.pots() == {"base": "20000.00", "increment": "1.20", "reserve": "0.10"}
    assert [state for _, state, _ in both.rows()] == ["superseded", "superseded"]
    assert balance(f"{GRAND}/payable") == balance(f"{GRAND}/top-up") == 0
    both.play("CS-02", "straight-flush")
    assert both.rows()[-1] == ("straight-flush", "pending", "2000.18"), "a tenth of 20,001.80"
    both.holds()


def test_beyond_the_limit_in_days_the_pots_stay(both: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """B has its 0.06 from the house, and what A would have had stays with the house, too."""
    monkeypatch.setattr(HandPayRules._meta.get_field("second_thought_days"), "default", 0)
    both.think(both.win("royal-flush"))
    assert both.rows()[2] == ("straight-flush", "pending", "0.06")
    assert both.rows()[0] == ("royal-flush", "superseded", "20000.60")
    assert both.pots() == {"base": "18000.54", "increment": "0.00", "reserve": "0.05"}
    both.holds()


def test_one_round_hits_two_progressives(night: Night) -> None:
    """15% and 3% of the wager go to a second jackpot beside the demo's 80%. The royal takes 20,000.60 of one and
    20,000.15 of the other; rejected, it is gone from both, by one word of two people."""
    grand, minor = stud_rules().levels
    levels = (replace(grand, increment_bp=1_500, reserve_bp=0), replace(minor, increment_bp=300))
    rules = replace(stud_rules(), levels=levels)
    twin = create_progressive("test", night.floor.harbour, "twin", "Twin", rules)
    with transaction.atomic():
        link_table("test", twin, night.log("CS-02"), ["jackpot"], takes_rest=False)
    night.play("CS-02", "royal-flush")
    fold(twin.pk)
    assert sorted(night.rows()) == [
        ("royal-flush", "pending", "20000.15"),
        ("royal-flush", "pending", "20000.60"),
    ]
    request = night.ask(Win.objects.get(progressive=twin))
    assert {one["progressive"] for one in request.payload["changes"]} == {"stud", "twin"}
    approvals.approve(request, night.jan)
    for progressive in (night.progressive, twin):
        fold(progressive.pk)
        assert broken_identities(progressive.pk) == []
    assert {state for _, state, _ in night.rows()} == {"superseded"}
    assert night.pots() == {"base": "20000.00", "increment": "0.60", "reserve": "0.05"}
    assert Meter.objects.get(progressive=twin, level="grand").increment_micros == money("0.15")
    assert Adjustment.objects.count() == 2
    night.holds()


def test_a_reject_that_was_wrong_is_taken_back(both: Night) -> None:
    """The royal is a royal after all: paid, rejected, and good again: what stood as recoverable is due."""
    both.pay(both.win("royal-flush"))
    paid = both.win("royal-flush")
    both.think(paid, "corrected", hand="straight-flush")
    assert balance("harbour/recoverable") == money("20000.60")
    new = Win.objects.filter(trigger="straight-flush", adjustment__isnull=False, replaces__isnull=True).get()
    both.think(new, "corrected", hand="royal-flush")
    assert balance("harbour/recoverable") == 0
    assert both.pots() == {"base": "18000.54", "increment": "0.00", "reserve": "0.05"}
    live = [row for row in both.rows() if row[1] != "superseded"]
    assert sorted(live) == [
        ("royal-flush", "paid", "20000.60"),
        ("straight-flush", "pending", "1800.12"),
        ("straight-flush", "pending", "199.94"),
    ]
    both.holds()


def test_a_sign_s_frame_is_made_again_across_a_second_thought(both: Night) -> None:
    before = both.progressive.frames.get(sequence=snapshot(both.progressive.pk)["sequence"])
    both.think(both.win("royal-flush"))
    after = both.progressive.frames.get(sequence=snapshot(both.progressive.pk)["sequence"])
    assert figures_from_log(before)["grand"] == money("18000.54")  # type: ignore[index]
    assert figures_from_log(after)["grand"] == money("18001.08")  # type: ignore[index]


def test_play_between_the_asking_and_the_word_changes_nothing_of_it(both: Night) -> None:
    """Plain wagers raise both replays alike; another hit makes it another question."""
    request = both.ask(both.win("royal-flush"))
    both.play("CS-01")
    approvals.approve(request, both.jan)
    fold(both.progressive.pk)
    assert both.pots() == {"base": "18001.08", "increment": "0.60", "reserve": "0.15"}
    both.holds()
    both.play("CS-01", "straight-flush")
    request = both.ask(Win.objects.get(amount_micros=money("2000.06")))
    both.play("CS-02", "royal-flush")
    with pytest.raises(Refused, match="no longer what was asked for"):
        approvals.approve(request, both.jan)


def test_while_it_is_on_its_way_nobody_pays(both: Night) -> None:
    hand_pay.verify(both.win("royal-flush").pk, both.sefa, CHECKED)
    hand_pay.approve(both.win("royal-flush").pk, both.jan)
    approvals.approve(both.ask(both.win("royal-flush")), both.jan)
    with pytest.raises(Refused, match="being folded"):
        hand_pay.pay(both.win("royal-flush").pk, both.sefa, "cash")
    with pytest.raises(Refused, match="being folded"):
        both.ask(both.win("straight-flush"))
    fold(both.progressive.pk)
    with pytest.raises(Refused, match="taken its place"):
        hand_pay.pay(Win.objects.get(trigger="royal-flush").pk, both.sefa, "cash")


RAW = [
    "UPDATE jackpots_win SET state = 'superseded' WHERE trigger = 'straight-flush' AND amount_micros > 100000",
    "UPDATE jackpots_win SET state = 'pending' WHERE state = 'superseded'",
    "INSERT INTO jackpots_adjustment (progressive_id, kind, place, rule, reason, postings, effect, approval_id, cause,"
    " house_only) SELECT progressive_id, 'meter', place, '', '', '{}', '{}', approval_id, 'x', false"
    " FROM jackpots_adjustment",
    "UPDATE jackpots_adjustment SET effect = '{}'",
    "TRUNCATE jackpots_overpaid",
    "INSERT INTO jackpots_win (progressive_id, run_id, share_id, adjustment_id, table_log_id, round_id, hit,"
    " hand_wager_id, wager_id, seat, player, trigger, level, amount_micros, from_pool_micros, from_house_micros, rule,"
    " state, verification, method) SELECT progressive_id, run_id, share_id, (SELECT id FROM jackpots_adjustment),"
    " table_log_id, round_id, hit, hand_wager_id, wager_id, seat, player, trigger, level, 7, 7, 0, rule, 'pending',"
    " '{}', '' FROM jackpots_win WHERE trigger = 'royal-flush'",
]


@pytest.mark.parametrize("statement", RAW)
def test_no_statement_goes_past_it(both: Night, statement: str) -> None:
    both.think(both.win("royal-flush"))
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "UPDATE jackpots_adjustment SET effect = jsonb_set(effect, '{due,0,after_micros}', '5')",
            "other wins",
        ),
        (
            "UPDATE jackpots_adjustment SET postings = jsonb_set(postings, '{postings,0,amount}', '\"5.00\"')",
            "other pots",
        ),
    ],
)
def test_a_forged_adjustment_is_found(both: Night, statement: str, told: str) -> None:
    both.think(both.win("royal-flush"))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")
    with pytest.raises(AssertionError, match=told):
        both.holds()


# ------------------------------------------------------------------------------------------------------- races


def at_once(*works: Callable[[], object]) -> list[BaseException]:
    errors: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait(60)
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return errors


@pytest.fixture
def committed(committed_db: str, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    night = Night()
    night.play("CS-01", "royal-flush")
    night.play("CS-02", "straight-flush")
    return night


def two_rejects(night: Night) -> list[BaseException]:
    a, b = night.ask(night.win("royal-flush")), night.ask(night.win("straight-flush"))
    errors = at_once(lambda: approvals.approve(a, night.jan), lambda: approvals.approve(b, night.grace))
    fold(night.progressive.pk)
    return errors


def test_of_two_rejects_at_once_the_second_is_asked_again(committed: Night) -> None:
    (refused,) = two_rejects(committed)
    assert isinstance(refused, Refused)
    assert Adjustment.objects.count() == 1
    assert broken_identities(committed.progressive.pk) == []


def test_without_the_check_both_go_through_and_the_books_break(
    committed: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: each is computed as if the other were not, and together they move too much."""
    monkeypatch.setattr(adjusting, "refuse_pending", lambda progressive: None)
    assert two_rejects(committed) == []
    assert Adjustment.objects.count() == 2
    span = verify.Span(0, verify.end_of_stamps(), whole=False)
    (check,) = (each for each in verify.checks() if each.name == "jackpots.adjustments")
    assert any("other pots" in str(fault) for fault in check.check(span))


def reject_while_paid(night: Night) -> list[BaseException]:
    win = night.win("royal-flush")
    open_cage(night.floor.harbour)
    hand_pay.verify(win.pk, night.sefa, CHECKED)
    hand_pay.approve(win.pk, night.jan)
    asked = night.ask(win)
    errors = at_once(
        lambda: approvals.approve(asked, night.jan), lambda: hand_pay.pay(win.pk, night.grace, "cash")
    )
    fold(night.progressive.pk)
    return errors


def test_a_win_is_paid_or_rejected_never_both(committed: Night) -> None:
    (refused,) = reject_while_paid(committed)
    assert isinstance(refused, Refused)
    win = Win.objects.get(trigger="royal-flush")
    assert (win.state == "paid") == (not Adjustment.objects.exists())
    assert broken_identities(committed.progressive.pk) == []


def test_without_the_check_a_rejected_win_is_paid_and_nothing_folds_any_more(
    committed: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: the reject waits for its fold, the money goes out, and the fold cannot take it back."""
    win = committed.win("royal-flush")
    open_cage(committed.floor.harbour)
    hand_pay.verify(win.pk, committed.sefa, CHECKED)
    hand_pay.approve(win.pk, committed.jan)
    asked = committed.ask(win)
    monkeypatch.setattr(adjusting, "refuse_pending", lambda progressive: None)
    approvals.approve(asked, committed.jan)
    hand_pay.pay(win.pk, committed.grace, "cash")
    with pytest.raises(DatabaseError):
        fold(committed.progressive.pk)


# ------------------------------------------------------------------------------------------------ pages and REST


def client_of(night: Night, name: str) -> Client:
    client = Client()
    client.force_login(night.floor.people[name])
    return client


def test_the_page_shows_what_it_changes_before_anybody_is_asked(both: Night) -> None:
    win, client = both.win("royal-flush"), client_of(both, "sefa")
    address = f"/jackpots/wins/{win.pk}/second-thought/"
    page = " ".join(client.post(address, {"do": "look", "kind": "reject"}).content.decode().split())
    assert "not paid yet: nothing is owed any more" in page
    assert "more is due: a win of its own" in page
    assert "The base of grand rises by <b>0.54</b>." in page
    for figure in ("20,000.60", "0.06", "0.54", "The house gets <b>19,999.95 NZD</b> back."):
        assert figure in page
    assert not ApprovalRequest.objects.exists()
    assert client.post(address, {"do": "ask", "kind": "reject"}).status_code == 422, (
        "a reason is needed to ask"
    )
    assert client.post(address, {"do": "ask", "kind": "corrected", "reason": "x"}).status_code == 422
    assert client.post(address, {"do": "ask", "kind": "reject", "reason": "51 cards"}).status_code == 302
    seen = client_of(both, "arne").get(address).content.decode()
    assert "has asked for it" in seen
    assert "20,000.60" in seen
    approvals.approve(ApprovalRequest.objects.get(), both.jan)
    fold(both.progressive.pk)
    story = " ".join(client.get(f"/jackpots/wins/{win.pk}/").content.decode().split())
    assert "It was not paid, and nothing of it is owed any more" in story
    assert "Sefa asked: “51 cards”; Jan approved it" in story


def test_over_rest_it_is_the_same(both: Night) -> None:
    win, client = both.win("royal-flush"), client_of(both, "sefa")
    address, given = f"/api/v1/wins/{win.pk}/second-thought", {"kind": "reject", "reason": "51 cards"}
    looked = client.post(f"{address}/look", {"kind": "reject"}, content_type="application/json").json()
    asked = client.post(address, given, content_type="application/json")
    assert asked.status_code == 202
    assert asked.json()["document"]["changes"] == looked["changes"]
    again = client.post(address, given, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "already_asked")


def test_a_held_hand_has_its_page(night: Night) -> None:
    held, _ = late_hand(night)
    client = client_of(night, "sefa")
    assert f"/jackpots/held/{held.pk}/" in client.get("/jackpots/").content.decode()
    page = client.post(f"/jackpots/held/{held.pk}/", {"do": "look"}).content.decode()
    assert "18,001.14" in page
    far = {"do": "ask", "reason": "x", "place": "2020-01-01 00:00:00"}
    assert client.post(f"/jackpots/held/{held.pk}/", far).status_code == 422
    listed = client.get("/api/v1/held-hands").json()
    assert [each["id"] for each in listed] == [held.pk]
    asked = client.post(f"/jackpots/held/{held.pk}/", {"do": "ask", "reason": "camera 7"})
    assert asked.status_code == 302
