"""Hits whose order clocks cannot tell: what is compared, what the house adds, and what two people rule.

By hand, nz-1996 VIII 12 and the demo's rates (60% of 1.00 to the grand, 5% to its reserve). Two wagers of 1.00 are in:
the grand is 20,001.20. Royal first: it takes 20,001.20, the grand restarts at 20,000, the straight flush gets a tenth,
2,000.00, and 18,000.00 stay. Straight flush first: a tenth of 20,001.20 is 2,000.12, the royal takes the rest,
18,001.08, and the grand restarts at 20,000. The best of both: 20,001.20 and 2,000.12."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.log import event_log as verbs
from jackpots.models import FoldRun, Meter, RuledMoment, Ruling, Share, TableLog, Win
from jackpots.order import clocks, doubts
from jackpots.order.by_place import placed_of
from jackpots.order.instants import Stamp, micros_of
from jackpots.order.links import links_of
from jackpots.rulings import rulings
from jackpots.signs.frames import figures_from_log, snapshot
from jackpots.signs.live import live
from jackpots.verify.identities import broken_identities
from jackpots.wins import hand_pay
from jackpots.wins.story import story
from ledger.close import closing
from ledger.models import GamingDay
from ledger.queries import today
from ledger.reports.reports import Scope, source_named
from people.approvals import approvals
from people.models import Alert, ApprovalRequest, AuditRecord, RoleGrant
from rules.contract import Hit, Wager
from rules.money import CENT, dollars
from rules.progressive.clocks import Contradiction, Sample, Way
from rules.progressive.places import Placed
from tests import log_verbs as event_log
from tests.floor import Floor, make_floor, new_round_id, open_cage

WIDTH = timedelta(milliseconds=50)
SET_BACK = doubts.FoundBy(
    "c1",
    Contradiction(Way.BACK, Sample(0, 0), Sample(-900_000, 0)),
    drift_ppm=500,
    since=0,
    vouched=0,
    limit=0,
)
"""A clock that was set back by 0.9 s."""
ROYAL_FIRST = {"royal-flush": 20_001_200_000, "straight-flush": dollars(2_000)}
STRAIGHT_FIRST = {"royal-flush": 18_001_080_000, "straight-flush": 2_000_120_000}
BEST = {"royal-flush": 20_001_200_000, "straight-flush": 2_000_120_000}


class Night:
    """A royal at CS-01 and, 10 ms later and known within 50 ms, a straight flush at CS-02."""

    def __init__(
        self, floor: Floor | None = None, *, late: bool = False, apart_ms: int = 10, **settings: Any
    ) -> None:
        self.floor = floor or make_floor(**settings)
        self.progressive = self.floor.progressive
        self.at = timezone.now()
        self.royal = self.hit("CS-01", "royal-flush", self.at + timedelta(milliseconds=100))
        apart = timedelta(milliseconds=100 + apart_ms)
        self.straight = self.hit("CS-02", "straight-flush", self.at + apart, late=late)
        time.sleep(0.4)  # until all of it lies in the past
        for log in TableLog.objects.all():
            with transaction.atomic():
                event_log.beat(log, timezone.now())

    def hit(self, code: str, hand: str, at: datetime, *, late: bool = False) -> int:
        log, round_id, wager = self.log(code), new_round_id(), Wager("w", "jackpot", dollars(1), 1)
        received = at + timedelta(milliseconds=60)
        place, earliest, latest = (micros_of(each) for each in (at, at - WIDTH, at + WIDTH))
        placed = Placed(place, earliest, latest, micros_of(received), late)
        stamp = Stamp(at, "c1", placed)
        with transaction.atomic():
            event_log.record_stakes(log, round_id, [wager], self.at + timedelta(milliseconds=10))
            timing = clocks.timing_of(links_of(log))
            verbs.decide(
                log,
                round_id,
                [Hit(wager, hand, "test")],
                {1: {"deciding-card-or-throw": stamp, "first-card": stamp}},
                Stamp.exactly(received),
                timing,
                device="shoe",
            )
        return round_id

    def log(self, code: str) -> TableLog:
        return TableLog.objects.get(table_code=code)

    def ask(self, who: str, kind: str, *rounds: int, cameras: str = "cam 7, 01:14:03") -> ApprovalRequest:
        return rulings.request_ruling("stud", self.floor.people[who], kind, rounds, cameras, "Seen twice")

    def rule(self, kind: str, *rounds: int) -> None:
        approvals.approve(self.ask("sefa", kind, *rounds), self.floor.people["jan"])
        fold(self.progressive.pk)

    def paid(self) -> dict[str, int]:
        return {win.trigger: win.amount_micros for win in Win.objects.all()}

    def grand(self) -> int:
        return Meter.objects.get(level="grand").value_micros


AUCKLAND = ZoneInfo("Pacific/Auckland")


@pytest.fixture
def night(standing_floor: Floor) -> Night:
    made = Night(standing_floor)
    fold(made.progressive.pk)
    return made


def test_nobody_is_paid_by_a_guess(night: Night) -> None:
    assert night.paid() == {}
    assert fold(night.progressive.pk).to_rule
    alert = Alert.objects.get(kind="jackpots.order_to_rule")
    # Whoever looks at the cameras finds the hits there: by the host's clock, with its zone.
    for share in Share.objects.filter(event__kind="hits").select_related("event__table_log"):
        assert f"{share.event.table_log} ({share.place.astimezone(AUCKLAND):%H:%M:%S %Z})" in alert.text
    assert "CS-01" in alert.text
    assert "CS-02" in alert.text
    night.progressive.refresh_from_db()
    waiting = rulings.waiting_cluster(night.progressive)
    assert waiting is not None
    assert [
        {paid.trigger: paid.amount_micros for _, paid in outcome.paid}
        for outcome in rulings.outcomes(waiting)
    ] == [ROYAL_FIRST, STRAIGHT_FIRST]
    assert {paid.trigger: paid.amount_micros for _, paid in rulings.best(waiting)} == BEST
    assert broken_identities(night.progressive.pk) == []


def test_a_sign_shows_pending_without_an_amount_and_the_lowest_meter(night: Night) -> None:
    night.progressive.refresh_from_db()
    time.sleep(1)  # nobody is shown a hit within its first second
    shown = live(night.progressive)
    assert shown.shown()["grand"] == dollars(18_000), "royal first leaves less"
    assert [pending.to_rule for pending in shown.pending] == [True, True]
    frame = snapshot(night.progressive.pk)
    assert [(item["hand"], item["amount"]) for item in frame["pending"]] == [
        ("royal-flush", ""),
        ("straight-flush", ""),
    ]
    logged = night.progressive.frames.get(sequence=frame["sequence"])
    night.rule("order", night.straight, night.royal)
    assert figures_from_log(logged) == {"grand": dollars(18_000), "minor": dollars(2_000) + 30 * CENT}, (
        "as it was sent, whatever people have said since"
    )


@pytest.mark.parametrize("straight_first", [False, True])
def test_two_people_of_the_host_rule_and_it_is_paid_so(night: Night, straight_first: bool) -> None:
    order = [night.royal, night.straight][:: -1 if straight_first else 1]
    request = night.ask("sefa", "order", *order)
    with pytest.raises(Refused, match="you requested it yourself"):
        approvals.approve(request, night.floor.people["sefa"])
    fold(night.progressive.pk)
    assert night.paid() == {}
    approvals.approve(request, night.floor.people["jan"])
    fold(night.progressive.pk)
    assert night.paid() == (STRAIGHT_FIRST if straight_first else ROYAL_FIRST)
    assert night.grand() == (dollars(20_000) if straight_first else dollars(18_000))
    assert broken_identities(night.progressive.pk) == []
    assert [moment.round_id for moment in RuledMoment.objects.order_by("position")] == order
    record = AuditRecord.objects.get(action="jackpots.order_ruled")
    assert record.details["cameras"] == "cam 7, 01:14:03"
    names = [f"{'CS-01' if number == night.royal else 'CS-02'} (round {number})" for number in order]
    for win in Win.objects.all():
        assert story(win)[0].startswith(f"Two people put in this order: {', '.join(names)}. Sefa")
    day = today(night.floor.harbour)
    source = source_named("jackpots.wins")
    at = [column.name for column in source.columns].index("decision")
    assert {row[at] for row in source.rows(Scope(night.floor.harbour, day, day))} == {"ruling"}
    night.progressive.refresh_from_db()
    assert rulings.waiting_cluster(night.progressive) is None


def test_where_cameras_cannot_tell_each_is_paid_the_best_and_it_is_owed(night: Night) -> None:
    night.rule("best", night.royal, night.straight)
    assert night.paid() == BEST
    straight = Win.objects.get(trigger="straight-flush")
    assert straight.from_house_micros == 12 * CENT
    assert FoldRun.objects.get(pk=straight.run_id).added_micros == 12 * CENT
    assert broken_identities(night.progressive.pk) == []
    sefa, jan = night.floor.people["sefa"], night.floor.people["jan"]
    hand_pay.verify(straight.pk, sefa, {"hand_confirmed": True, "deck_counted": True})
    hand_pay.approve(straight.pk, jan)
    open_cage(straight.table_log.premises)
    assert hand_pay.pay(straight.pk, sefa, "cash").paid_micros == BEST["straight-flush"]


def test_within_its_limit_the_house_adds_and_nobody_waits(db: None) -> None:
    night = Night(ruling_limit_micros=12 * CENT)
    assert not fold(night.progressive.pk).to_rule
    assert night.paid() == BEST
    assert not Ruling.objects.exists()
    decision = FoldRun.objects.get(added_micros__gt=0).decision
    assert decision is not None
    assert decision["kind"] == "best"


@pytest.mark.parametrize(
    "limits",
    [
        {"ruling_limit_micros": 11 * CENT},
        {"ruling_limit_micros": dollars(1), "ruling_daily_micros": 11 * CENT},
    ],
)
def test_above_its_limit_by_cluster_or_by_day_people_rule(db: None, limits: dict[str, Any]) -> None:
    night = Night(**limits)
    assert fold(night.progressive.pk).to_rule
    assert night.paid() == {}


def test_what_was_told_late_is_for_people_whatever_the_limit(db: None) -> None:
    night = Night(late=True, ruling_limit_micros=dollars(100_000))
    assert fold(night.progressive.pk).to_rule
    assert night.paid() == {}


def test_far_enough_apart_nobody_is_asked(db: None) -> None:
    night = Night(apart_ms=101)
    assert not fold(night.progressive.pk).to_rule
    assert night.paid() == ROYAL_FIRST


def test_what_cannot_be_ruled(night: Night) -> None:
    with pytest.raises(Refused, match="Name each of the rounds"):
        night.ask("sefa", "order", night.royal)
    with pytest.raises(Refused, match="Name each of the rounds"):
        night.ask("sefa", "order", night.royal, night.royal)
    with pytest.raises(Refused, match="Say where the pictures are"):
        night.ask("sefa", "order", night.royal, night.straight, cameras=" ")
    with pytest.raises(Refused, match="One of order, best"):
        night.ask("sefa", "by-chance", night.royal, night.straight)
    with pytest.raises(PermissionDenied):
        night.ask("fiona", "order", night.royal, night.straight)
    night.rule("order", night.royal, night.straight)
    with pytest.raises(Refused, match="No hits of Stud Jackpot wait"):
        night.ask("sefa", "order", night.royal, night.straight)


def test_only_people_of_the_host_rule(night: Night) -> None:
    RoleGrant.objects.filter(user=night.floor.people["sefa"], premises=night.floor.harbour).delete()
    with pytest.raises(PermissionDenied):
        night.ask("sefa", "order", night.royal, night.straight)


def test_an_approval_is_for_the_evidence_as_it_was(night: Night) -> None:
    """A third hand joined the cluster meanwhile: what was approved is not what would be done."""
    request = night.ask("sefa", "order", night.royal, night.straight)
    with pytest.raises(Refused, match="asked for a ruling already"):
        night.ask("grace", "order", night.straight, night.royal)
    share = Share.objects.get(event__round_id=night.royal, event__kind="hits")
    after = replace(
        placed_of(share), earliest=micros_of(night.at), latest=micros_of(share.latest + 20 * WIDTH), late=True
    )
    doubts.add(share, after, SET_BACK)
    with pytest.raises(Refused, match="has changed since"):
        approvals.approve(request, night.floor.people["jan"])


@pytest.mark.parametrize("statement", [
    "UPDATE jackpots_ruling SET kind = 'best'", "DELETE FROM jackpots_ruledmoment",
    "UPDATE jackpots_ruledmoment SET position = 5 - position", "TRUNCATE jackpots_ruling CASCADE",
])  # fmt: skip
def test_a_ruling_is_only_added(night: Night, statement: str) -> None:
    night.rule("order", night.royal, night.straight)
    with (
        pytest.raises(DatabaseError, match="is refused"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SET CONSTRAINTS ALL IMMEDIATE; {statement}")


def test_the_page_leads_two_people_through_it(night: Night) -> None:
    def page(who: str, **form: Any) -> str:
        client = Client()
        client.force_login(night.floor.people[who], "django.contrib.auth.backends.ModelBackend")
        where = "/jackpots/stud/ruling/"
        answer = client.post(where, form, follow=True) if form else client.get(where)
        assert answer.status_code == 200, answer.content.decode()
        return " ".join(answer.content.decode().split())

    text = page("arne")
    for said in ("20,001.20", "2,000.12", "18,001.08", "CS-01", "CS-02", "<svg", "Not before"):
        assert said in text, said
    assert "Ask to rule this order" not in text
    given = {
        "kind": "order",
        "rounds": f"{night.straight},{night.royal}",
        "cameras": "cam 7",
        "reason": "seen",
    }
    ids = re.findall(r' id="(id_[^"]+)"', page("sefa"))
    assert sorted(ids) == sorted(set(ids)), "each label is for its own field"
    assert len([each for each in ids if each.endswith("_reason")]) == 3, "two orders, or the best for each"
    assert re.findall(r'for="(id_[^"]+_reason)"', page("sefa")) == [
        each for each in ids if each.endswith("_reason")
    ]
    assert "asks for a ruling" in page("sefa", **given)
    approvals.approve(ApprovalRequest.objects.get(action="jackpots.rule_order"), night.floor.people["jan"])
    fold(night.progressive.pk)
    text = page("arne")
    assert "No hits wait for a ruling" in text
    assert "Rulings so far" in text


def test_the_day_closes_with_it_carried_over_and_it_is_paid_in_the_next(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    for check in ("ledger.seals", "ledger.verify"):  # the log alone plays here, without rounds and seals
        monkeypatch.delitem(closing._checks, check)
    today = gaming_day(night.floor.harbour, night.at)
    day = GamingDay.objects.select_related("premises").get(premises=night.floor.harbour, date=today)
    finance = night.floor.people["fiona"]
    closing.begin_close(day, finance)
    with pytest.raises(Refused, match="two people must rule in which order"):
        closing.close_day(day, finance)
    asked = closing.request_carry_over(
        day, "jackpots.events", "ruling:stud", finance, "The tape is on its way"
    )
    approvals.approve(asked, night.floor.people["jan"])
    assert closing.close_day(day, finance).state == "closed"
    night.rule("order", night.royal, night.straight)
    assert night.paid() == ROYAL_FIRST
    assert broken_identities(night.progressive.pk) == []
    share = Share.objects.get(event__round_id=night.royal, event__kind="hits")
    assert gaming_day(night.floor.harbour, share.place) == today, "its own place stays"
