"""Small fixed prizes handed out at once. nz-1996 VIII 12.1: a flush has 100.00, a straight flush a tenth."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.close_checks import open_advances
from jackpots.fold.folding import fold
from jackpots.models import Advance, Share, TableLog, Win
from jackpots.order.server_clock import ServerTime
from jackpots.set_up.configure import store_config
from jackpots.wins import advances, hand_pay
from ledger.books.balances import balance
from ledger.models import GamingDay
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Fixed
from rules.progressive.advances import certain_prizes
from tests import log_verbs as event_log
from tests.acts import on_record
from tests.floor import fill, new_round_id, stud_rules
from tests.jackpots.test_corrections import CHECKED, Night, money
from tests.server_time import told_by

HELD, BANK = "harbour/jackpots/stud/advances", "harbour/tables/CS-01/bank"


@pytest.fixture
def night(db: None, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    return Night(pay_alone_limit_micros=dollars(150))


def filled(night: Night, code: str) -> None:
    """The tray has the chips of a flush."""
    fill(night.floor.tables[code], dollars(100))


def dealt(night: Night, hand: str, code: str = "CS-01") -> Share:
    """A hand that waits: CS-02 has not vouched beyond it."""
    log, round_id, wager = night.log(code), new_round_id(), Wager("w", "jackpot", dollars(1), 1)
    with transaction.atomic():
        event_log.record_stakes(log, round_id, [wager], timezone.now())
        event_log.decide(log, round_id, [Hit(wager, hand, "test")], {}, timezone.now(), entered=[wager])
    fold(night.progressive.pk)
    return Share.objects.get(event__round_id=round_id, event__kind="hits")


def vouch(night: Night) -> None:
    with transaction.atomic():
        for each in TableLog.objects.all():
            event_log.beat(each, timezone.now())
    fold(night.progressive.pk)


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand is public by now."""
    now = timezone.now() + timedelta(seconds=5)
    told_by(monkeypatch, lambda: ServerTime(now, None))
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)


def hand_out(night: Night, share: Share, hand: str = "flush", who: str = "sefa") -> Advance:
    return advances.hand_out(
        share.pk, night.floor.people[who], wager="w", trigger=hand, confirmations=CHECKED
    )


def test_it_is_handed_out_takes_its_place_and_is_paid_by_the_advance_alone(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = dealt(night, "flush")
    filled(night, "CS-01")
    before = balance(BANK)
    later(monkeypatch)
    given = hand_out(night, share)
    assert (given.amount_micros, balance(HELD), balance(BANK)) == (
        dollars(100),
        dollars(100),
        before - dollars(100),
    )
    with pytest.raises(Refused, match="has handed it out"):
        hand_out(night, share)
    assert on_record("jackpots.advanced") == 1
    assert not Win.objects.exists()
    night.holds()
    vouch(night)
    win = night.win("flush")
    assert win.amount_micros == dollars(100)
    with pytest.raises(Refused, match="pay it by the advance first"):
        night.ask(win)
    hand_pay.verify(win.pk, night.sefa, CHECKED)
    with pytest.raises(Refused, match=r"has handed out 100\.00"):
        hand_pay.pay(win.pk, night.sefa, "cash")
    hand_pay.pay(win.pk, night.sefa, "advance")
    assert (balance(HELD), balance(BANK)) == (0, before - dollars(100))
    assert not advances.still_open().exists()
    night.holds()
    night.think(night.win("flush"))  # it was no flush: it stands, and is to be recovered
    assert balance("harbour/recoverable") == dollars(100)
    night.holds()


def test_no_more_is_handed_out_than_the_tray_holds(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stake of 1.00 and a fill of 98.99 are not the 100.00 of a flush."""
    share = dealt(night, "flush")
    fill(night.floor.tables["CS-01"], money("98.99"))
    with monkeypatch.context() as then:
        later(then)
        with pytest.raises(
            Refused, match=r"The tray of CS-01 holds 99\.99 by the books, and 100\.00"
        ) as refused:
            hand_out(night, share)
    assert (refused.value.code, balance(BANK), Advance.objects.count()) == ("not_held", money("99.99"), 0)
    fill(night.floor.tables["CS-01"], money("0.01"))
    later(monkeypatch)
    hand_out(night, share)
    assert balance(BANK) == 0


def test_what_may_not_be_handed_out(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    flush, straight, four = (dealt(night, hand) for hand in ("flush", "straight-flush", "four-of-a-kind"))
    assert flush.public_at is not None
    just_before = flush.public_at - timedelta(milliseconds=1)
    with monkeypatch.context() as then:
        told_by(then, lambda: ServerTime(just_before, None))
        with pytest.raises(Refused, match="not public yet"):
            hand_out(night, flush)
    later(monkeypatch)
    with pytest.raises(PermissionDenied):
        hand_out(night, flush, who="fiona")
    with pytest.raises(Refused, match="the meter or other winners decide"):
        hand_out(night, straight, "straight-flush")
    with pytest.raises(Refused, match=r"above the 150\.00"):
        hand_out(night, four, "four-of-a-kind")
    with pytest.raises(Refused, match="has no full-house"):
        hand_out(night, flush, "full-house")
    with pytest.raises(Refused, match="Confirm the hand"):
        advances.hand_out(flush.pk, night.sefa, wager="w", trigger="flush", confirmations={})
    vouch(night)
    with pytest.raises(Refused, match="Its turn has come"):
        hand_out(night, flush)


def test_it_is_offered_by_the_rules_that_hold_when_its_turn_comes(night: Night) -> None:
    """A hand is told, and an earlier royal brings other rules into force before it is handed out: 50.00, not 100.00."""
    share = dealt(night, "flush")
    first, *others = stud_rules().stages
    prizes = (replace(p, amount=Fixed(dollars(50))) if p.trigger == "flush" else p for p in first.prizes)
    rules = replace(stud_rules(), schedule="", stages=(replace(first, prizes=tuple(prizes)), *others))
    waiting = advances.waiting_hand(share.pk)
    assert waiting is not None
    waiting.progressive.config = store_config(rules)
    assert [offer.payment.amount_micros for offer in advances.offers(waiting)] == [dollars(50)]


def test_which_prizes_nothing_else_decides() -> None:
    """nz-1996 VIII 12.1(c)-(e): fixed sums; (a) and (b) are of the meter."""
    assert {trigger for trigger, _ in certain_prizes(stud_rules())} == {
        "four-of-a-kind",
        "full-house",
        "flush",
    }


def test_a_table_elsewhere_is_owed_for_it(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    share = dealt(night, "flush", "CS-03")
    filled(night, "CS-03")
    later(monkeypatch)
    hand_out(night, share)
    assert balance("lakeside/due-from/harbour") == dollars(100)
    vouch(night)
    hand_pay.verify(night.win("flush").pk, night.sefa, CHECKED)
    hand_pay.pay(night.win("flush").pk, night.sefa, "advance")
    assert balance(HELD) == 0
    night.holds()


def test_the_database_holds_it(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    share = dealt(night, "flush")
    filled(night, "CS-01")
    later(monkeypatch)
    hand_out(night, share)
    vouch(night)
    hand_pay.verify(night.win("flush").pk, night.sefa, CHECKED)
    columns = "(share_id, wager_id, trigger, level, seat, player, verification, given_by_id, amount_micros"
    columns += ", paid_micros)"
    again = "SELECT share_id, 'x', trigger, level, seat, player, verification, given_by_id, {}, {}"
    again += " FROM jackpots_advance"
    for sql in (
        "UPDATE jackpots_win SET state = 'paid', paid_by_id = verified_by_id, paid_at = now(), method = 'cash',"
        " paid_micros = amount_micros",
        f"INSERT INTO jackpots_advance {columns} {again.format(1, 1)}",
        f"INSERT INTO jackpots_advance {columns} {again.format(200_000_000, 200_000_000)}",
        "UPDATE jackpots_advance SET amount_micros = 1",
        "DELETE FROM jackpots_advance",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_a_win_without_an_advance_is_not_paid_by_one(night: Night) -> None:
    dealt(night, "flush")
    vouch(night)
    hand_pay.verify(night.win("flush").pk, night.sefa, CHECKED)
    with pytest.raises(Refused, match="Nothing was handed out"):
        hand_pay.pay(night.win("flush").pk, night.sefa, "advance")


def test_pages_rest_and_the_close(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    share, client = dealt(night, "flush"), Client()
    filled(night, "CS-01")
    client.force_login(night.sefa)
    later(monkeypatch)
    assert "Hand out 100.00 from the tray" in client.get(f"/jackpots/advances/{share.pk}/").content.decode()
    given = {"wager": "w", "trigger": "flush", "hand_confirmed": True}
    assert client.post(f"/jackpots/advances/{share.pk}/", given).status_code == 422
    address, whole = f"/api/v1/hands/{share.pk}/advance", given | {"deck_counted": True}
    rest = client.post(address, whole, content_type="application/json")
    assert (rest.status_code, rest.json()["paid"]) == (201, "100.00")
    assert client.post(address, whole, content_type="application/json").status_code == 409
    assert [row["hand"] for row in client.get("/api/v1/advances").json()] == ["flush"]
    assert "100.00" in client.get("/jackpots/advances/").content.decode()
    day = GamingDay.objects.filter(premises=night.floor.harbour).latest("date")
    assert [finding.may_carry for finding in open_advances(day)] == [True]
