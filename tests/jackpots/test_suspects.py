"""Contributions that look wrong: they wait in transit beside the order, until people accept or return them.

The demo's stud: 60% of 1.00 to the grand, 5% to its reserve; by hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.close_checks import held_contributions
from jackpots.fold.folding import fold
from jackpots.log import suspects
from jackpots.models import (
    Frame,
    HeldContribution,
    HeldHand,
    HeldSettlement,
    Progressive,
    Share,
    TableLog,
)
from jackpots.second_thoughts import corrections
from jackpots.second_thoughts.corrected_rounds import RoundHands, differing
from jackpots.signs.frames import figures_from_log, snapshot
from ledger.books.balances import balance
from ledger.models import GamingDay
from people.approvals import approvals
from people.models import Alert
from rules.contract import Hit, Wager
from rules.money import dollars
from tests import log_verbs as event_log
from tests.floor import new_round_id
from tests.jackpots import test_transfers
from tests.jackpots.test_corrections import Night, money

TRANSIT, BANK = "harbour/jackpots/stud/transit", "harbour/tables/CS-01/bank"


@pytest.fixture
def night(db: None, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(suspect_stake_micros=dollars(50), suspect_rate_micros=dollars(100))


def wager(night: Night, micros: int, hand: str = "", *, decided: bool = True, code: str = "CS-01") -> int:
    """A round with one wager, and perhaps its hand; folded as far as it goes."""
    log, round_id, placed = night.log(code), new_round_id(), Wager("w", "jackpot", micros, 1)
    with transaction.atomic():
        event_log.record_stakes(log, round_id, [placed], timezone.now())
        if decided:
            hits = [Hit(placed, hand, "test")] if hand else []
            event_log.decide(log, round_id, hits, {}, timezone.now(), entered=[placed])
        for each in TableLog.objects.all():
            event_log.beat(each, timezone.now())
    fold(night.progressive.pk)
    return round_id


def give_back(night: Night, held: HeldContribution) -> None:
    asked = suspects.request_return(held.pk, night.sefa, reason="counted twice")
    approvals.approve(asked, night.jan)


def test_it_waits_in_transit_blocks_nothing_and_enters_when_accepted(night: Night) -> None:
    wager(night, dollars(51))
    held = HeldContribution.objects.get()
    assert (held.why, held.slice_micros) == ("a wager of 51.00, above 50.00", dollars(51))
    assert Alert.objects.filter(kind="jackpots.suspect_contribution").count() == 1
    assert balance(TRANSIT) == -dollars(51)
    assert night.pots()["increment"] == "0.00"
    wager(night, dollars(1), "royal-flush", code="CS-02")
    assert night.rows() == [("royal-flush", "pending", "20000.60")]  # it waited for nobody
    night.holds()
    final = Progressive.objects.get(code="stud").final_until
    suspects.accept(held.pk, night.sefa, reason="seven seats, camera 7")
    assert Share.objects.get(event=held.event).place == final
    fold(night.progressive.pk)
    wager(night, dollars(1))
    assert night.pots()["increment"] == "31.20"  # 60% of 51.00 and of 1.00
    assert balance(TRANSIT) == 0
    night.holds()


def test_returned_by_two_it_goes_back_over_its_table(night: Night) -> None:
    before = balance(BANK)
    wager(night, dollars(60))
    assert balance(BANK) == before + dollars(60)
    give_back(night, HeldContribution.objects.get())
    assert (balance(BANK), balance(TRANSIT)) == (before, 0)
    assert not Share.objects.filter(event__kind="stakes").exists()
    with pytest.raises(Refused, match="somebody has decided"):
        suspects.accept(HeldContribution.objects.get().pk, night.sefa, reason="x")
    night.holds()


def test_what_a_table_brings_within_a_minute(night: Night) -> None:
    """40, 40: 80.00. The third makes 120.00 of 100.00. Other tables have minutes of their own."""
    for _ in range(3):
        wager(night, dollars(40))
    wager(night, dollars(40), code="CS-02")
    assert HeldContribution.objects.get().why == "120.00 within a minute, above 100.00"
    assert night.pots()["increment"] == "72.00"  # 60% of three times 40.00
    night.holds()


def test_its_wager_may_win_and_is_not_returned_then(night: Night) -> None:
    """It has not contributed yet: the royal takes the seed alone."""
    wager(night, dollars(51), "royal-flush")
    assert night.rows() == [("royal-flush", "pending", "20000.00")]
    held = HeldContribution.objects.get()
    with pytest.raises(Refused, match="has won"):
        give_back(night, held)
    suspects.accept(held.pk, night.sefa, reason="seen")
    wager(night, dollars(1), code="CS-02")
    assert night.pots()["increment"] == "31.20"
    night.holds()


def test_it_is_not_returned_while_it_may_still_win(night: Night) -> None:
    wager(night, dollars(51), decided=False)
    with pytest.raises(Refused, match="not decided"):
        give_back(night, HeldContribution.objects.get())


def test_it_is_not_returned_while_its_hand_is_held(night: Night) -> None:
    """Whoever has his wager back has no hand: otherwise two people could let it in afterwards."""
    log, round_id, placed = night.log("CS-03"), new_round_id(), Wager("w", "jackpot", dollars(51), 1)
    dealt = timezone.now()
    with transaction.atomic():
        event_log.record_stakes(log, round_id, [placed], dealt)
        event_log.leave_out(log)
    night.play("CS-01", "")
    with transaction.atomic():
        hits = [Hit(placed, "royal-flush", "test")]
        moments = {1: {"deciding-card-or-throw": dealt, "first-card": dealt}}
        event_log.decide(log, round_id, hits, moments, timezone.now(), entered=[placed])
    held = HeldContribution.objects.get()
    with pytest.raises(Refused, match="held for people"):
        give_back(night, held)
    hand = HeldHand.objects.get()
    approvals.approve(corrections.request_dismissal(hand.pk, night.sefa, reason="No such hand."), night.jan)
    give_back(night, held)
    night.holds()


def test_a_wager_that_went_back_wins_nothing_when_its_round_is_corrected(night: Night) -> None:
    """Two people return it, and two people correct the round to a royal: it took no part."""
    round_id = wager(night, dollars(51))
    log, placed = night.log("CS-01"), Wager("w", "jackpot", dollars(51), 1)
    royal = (Hit(placed, "royal-flush", "test"),)
    hands = RoundHands(log, round_id, royal, (placed,), (), {"stud": timezone.now()})
    assert list(differing(hands)) == [night.progressive.pk]
    give_back(night, HeldContribution.objects.get())
    assert differing(hands) == {}


def test_void_wagers_leave_as_they_came(night: Night) -> None:
    before, log = balance(BANK), night.log("CS-01")
    round_id = wager(night, dollars(51), decided=False)
    with transaction.atomic():
        event_log.return_stakes(
            log, round_id, [Wager("w", "jackpot", dollars(51), 1)], timezone.now(), "void"
        )
        event_log.decide(log, round_id, [], {}, timezone.now())
    wager(night, dollars(1), code="CS-02")
    assert HeldSettlement.objects.get().kind == "void"
    assert (balance(BANK), balance(TRANSIT)) == (before, 0)
    assert night.pots()["increment"] == "0.60"
    night.holds()


def test_frames_before_and_after_are_made_again_from_the_log(night: Night) -> None:
    wager(night, dollars(1), decided=False)
    wager(night, dollars(51), decided=False)
    wager(night, dollars(1), decided=False)
    snapshot(night.progressive.pk)
    suspects.accept(HeldContribution.objects.get().pk, night.sefa, reason="seen")
    snapshot(night.progressive.pk)
    figures = [figures_from_log(frame) for frame in Frame.objects.order_by("sequence")]
    assert [each["grand"] for each in figures if each] == [money("20001.20"), money("20031.80")]


def test_a_day_closes_with_one_only_if_it_is_carried(night: Night) -> None:
    wager(night, dollars(51))
    day = GamingDay.objects.filter(premises=night.floor.harbour).latest("date")
    (finding,) = held_contributions(day)
    assert finding.may_carry
    assert "Accept it, or return it" in finding.text


def test_its_progressive_gives_nothing_away_while_it_waits(night: Night) -> None:
    test_transfers.next_one(night)
    wager(night, dollars(1))
    wager(night, dollars(51))
    test_transfers.away(night)
    with pytest.raises(Refused, match="waits in transit"):
        test_transfers.move(night)
    give_back(night, HeldContribution.objects.get())
    test_transfers.move(night)
    assert night.pots()["increment"] == "0.00"
    night.holds()


def test_the_database_settles_once_and_as_it_was(night: Night) -> None:
    wager(night, dollars(51))
    for sql in (
        "INSERT INTO jackpots_heldsettlement (held_id, kind, reason) SELECT id, 'returned', '' FROM"
        " jackpots_heldcontribution",
        "INSERT INTO jackpots_heldsettlement (held_id, kind, reason) SELECT id, 'accepted', '' FROM"
        " jackpots_heldcontribution",
        "UPDATE jackpots_heldcontribution SET slice_micros = 1",
        "DELETE FROM jackpots_heldcontribution",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_who_may(night: Night) -> None:
    wager(night, dollars(51))
    held = HeldContribution.objects.get()
    with pytest.raises(PermissionDenied):
        suspects.accept(held.pk, night.floor.people["fiona"], reason="x")
    asked = suspects.request_return(held.pk, night.sefa, reason="x")
    with pytest.raises(Refused, match="requested it yourself"):
        approvals.approve(asked, night.sefa)
    suspects.accept(held.pk, night.grace, reason="seen")
    with pytest.raises(Refused, match="somebody has decided"):
        approvals.approve(asked, night.jan)


def test_pages_and_rest(night: Night) -> None:
    wager(night, dollars(51))
    client, held = Client(), HeldContribution.objects.get()
    client.force_login(night.sefa)
    assert "a wager of 51.00" in client.get("/jackpots/suspects/").content.decode()
    assert client.post(f"/jackpots/suspects/{held.pk}/accept", {"reason": ""}).status_code == 422
    (row,) = client.get("/api/v1/contributions/held").json()
    assert (row["table"], row["slice"]) == ("CS-01", "51.00")
    address = f"/api/v1/contributions/held/{held.pk}"
    rest = client.post(f"{address}/return", {"reason": "x"}, content_type="application/json")
    assert rest.status_code == 202
    rest = client.post(f"{address}/accept", {"reason": "seen"}, content_type="application/json")
    assert rest.status_code == 200
    assert client.get("/api/v1/contributions/held").json() == []
