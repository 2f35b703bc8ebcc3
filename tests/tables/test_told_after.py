"""Marks prove times, not hands: a token locks and marks at once, holds its round, waits until a hit elsewhere is public
and says then that it had a royal. Its win is verified only with a camera reference to the deal.

The grand begins at 20,000.00 and takes 0.60 of each wager of 1.00. A royal takes all of it, a straight flush a tenth.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Progressive, Share, Win
from jackpots.order import told_after
from jackpots.set_up.configure import create_progressive
from jackpots.wins import advances, hand_pay
from jackpots.wins.story import story
from people.models import Alert
from rules.money import dollars
from rules.progressive import Fixed, Level
from tables.floor.opening import link_table
from tables.models import Round
from tables.settle.settlement import settle_batch
from tests.floor import fill, set_alone_limit
from tests.jackpots.test_links import own_rules
from tests.tables.simulated_floor import SimulatedFloor
from tests.terminal import DEALER, stud_bets, stud_wagers

pytestmark = pytest.mark.django_db
ROYAL, STRAIGHT_FLUSH, FLUSH = "Th Jh Qh Kh Ah", "5s 6s 7s 8s 9s", "2d 4d 6d 8d Jd"
SEEN = {"hand_confirmed": True, "deck_counted": True}
KIND = "jackpots.told_after_public"


class Held:
    """A round that is locked and marked at once, and told whenever it suits."""

    def __init__(self, floor: SimulatedFloor, code: str) -> None:
        self.floor, self.code, self.uid, self.wagers = floor, code, uuid4(), stud_wagers(1)
        for kind, body in (
            ("open", {}),
            ("wagers", {"wagers": self.wagers}),
            ("no-more-bets", {}),
            ("mark", {"moment": "first-card"}),
        ):
            self.tell(kind, body)

    def tell(self, kind: str, body: dict[str, Any]) -> None:
        self.floor.terminals[self.code].tell(kind, self.uid, body)
        self.floor.send(self.code)

    def says(self, hand: str) -> Round:
        dealt = {"dealer": DEALER.split(), "seats": {"1": hand.split()}}
        self.tell("result", {"wagers": stud_bets(self.wagers), "dealt": dealt})
        return Round.objects.get(uid=self.uid)


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> SimulatedFloor:
    return SimulatedFloor(monkeypatch)


def begin(floor: SimulatedFloor) -> None:
    for _ in range(3):
        beat(floor)


def beat(floor: SimulatedFloor, seconds: float = 0.03) -> None:
    for code in floor.floor.tables:
        floor.send(code, seconds=seconds / 3)


def all_told(floor: SimulatedFloor) -> dict[str, Win]:
    """By table the win of each, once all have vouched beyond."""
    while settle_batch().settled:
        pass
    for _ in range(4):
        beat(floor, 1)
        for progressive in Progressive.objects.all():
            fold(progressive.pk)
    return {
        win.table_log.table_code: win
        for win in Win.objects.filter(amount_micros__gt=0, progressive__code="stud")
    }


def premarked(floor: SimulatedFloor, seconds: float = 5, hand: str = ROYAL) -> Round:
    """CS-01 marks first; CS-02 has its straight flush; so long after that CS-01 says what it had."""
    begin(floor)
    token = Held(floor, "CS-01")
    beat(floor, 2)
    floor.round_("CS-02", STRAIGHT_FLUSH)
    beat(floor, seconds)
    return token.says(hand)


def told() -> list[Alert]:
    return list(Alert.objects.filter(kind=KIND))


def test_a_royal_that_is_said_once_another_hit_is_public_needs_a_camera(floor: SimulatedFloor) -> None:
    round = premarked(floor)
    found = all_told(floor)
    # By its mark it goes first: 20,000.00 and its own 0.60. Then the straight flush: a tenth of 20,000.00 and 0.60.
    assert {code: win.amount_micros for code, win in found.items()} == {
        "CS-01": dollars(20_000) + 600_000,
        "CS-02": dollars(2_000) + 60_000,
    }
    (alert,) = told()
    assert (alert.subject, alert.premises) == (f"tables.round:{round.pk}", floor.floor.harbour)
    for part in (
        "CS-01 told of its royal flush at seat 1 (at ",
        "the straight flush at seat 1 of CS-02 (at ",
    ):
        assert part in alert.text
    assert alert.text.count("told at ") == 2, "both moments, and when each was told"
    sefa = floor.floor.people["sefa"]
    for without in ({}, {"surveillance_reference": "  "}):
        with pytest.raises(Refused, match="verified only with a camera reference") as refused:
            hand_pay.verify(found["CS-01"].pk, sefa, SEEN | without)
        assert refused.value.faults[0].field == "surveillance_reference"
    assert Win.objects.get(pk=found["CS-01"].pk).state == Win.State.PENDING
    hand_pay.verify(found["CS-01"].pk, sefa, SEEN | {"surveillance_reference": "CAM-7 21:04"})
    hand_pay.verify(found["CS-02"].pk, sefa, SEEN)  # the honest one is asked for nothing more
    assert any("verified only with a camera reference" in sentence for sentence in story(found["CS-01"]))
    assert not any("camera reference" in sentence for sentence in story(found["CS-02"]))


def test_its_page_says_why_and_rest_refuses_it_too(floor: SimulatedFloor) -> None:
    premarked(floor)
    win = all_told(floor)["CS-01"]
    client = Client()
    client.force_login(floor.floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    page = client.get(f"/jackpots/wins/{win.pk}/").content.decode()
    assert page.count("verified only with a camera reference to its deal") == 2, (
        "above the form, and in the story"
    )
    given = {"hand_confirmed": "on", "deck_counted": "on"}
    refused = client.post(f"/jackpots/wins/{win.pk}/verify", given)
    assert (refused.status_code, "camera reference" in refused.content.decode()) == (422, True)
    rest = f"/api/v1/wins/{win.pk}"
    answer = client.post(f"{rest}/verify", SEEN, content_type="application/json")
    assert answer.status_code == 422
    assert "surveillance_reference" in str(answer.json())
    assert any("camera reference" in sentence for sentence in client.get(rest).json()["story"])
    answer = client.post(
        f"{rest}/verify", SEEN | {"surveillance_reference": "CAM-7"}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["state"]) == (200, "verified")


@pytest.mark.parametrize(
    ("seconds", "asked"), [(0.5, False), (0.95, False), (1.1, True)], ids=["0.5 s", "0.95 s", "1.1 s"]
)
def test_told_before_the_other_hit_is_public_it_is_not_bothered(
    floor: SimulatedFloor, seconds: float, asked: bool
) -> None:
    """A hit is public one second after it was told: nobody has seen it before."""
    premarked(floor, seconds)
    found = all_told(floor)
    assert found["CS-01"].amount_micros == dollars(20_000) + 600_000
    assert len(told()) == asked
    if not asked:
        hand_pay.verify(found["CS-01"].pk, floor.floor.people["sefa"], SEEN)


def test_a_mark_after_the_other_hit_goes_behind_it_and_is_not_bothered(floor: SimulatedFloor) -> None:
    begin(floor)
    floor.round_("CS-02", STRAIGHT_FLUSH)
    beat(floor, 5)
    Held(floor, "CS-01").says(ROYAL)
    found = all_told(floor)
    assert found["CS-02"].amount_micros == dollars(2_000) + 60_000
    assert not told()
    hand_pay.verify(found["CS-01"].pk, floor.floor.people["sefa"], SEEN)


def test_two_hits_of_one_table_are_in_its_own_order(floor: SimulatedFloor) -> None:
    begin(floor)
    floor.round_("CS-01", STRAIGHT_FLUSH)
    beat(floor, 5)
    floor.round_("CS-01", ROYAL)
    all_told(floor)
    assert not told()


def test_by_each_progressive_what_was_public_there(floor: SimulatedFloor) -> None:
    """CS-01 and CS-03 are in Mini too. The straight flush of CS-02 was public in Stud alone: of Mini nothing is asked.
    Then a flush of CS-03, in both: it is public in both."""
    level = Level("pot", seed_micros=dollars(500), increment_bp=1_000)
    rules = own_rules(level, flush=Fixed(dollars(20)), royal_flush=Fixed(dollars(70)))
    mini = create_progressive("test", floor.floor.harbour, "mini", "Mini", rules)
    for code in ("CS-01", "CS-03"):
        link_table("test", floor.floor.tables[code], mini, ["jackpot"])
    round = premarked(floor)
    asked = {share.progressive.code: bool(told_after.why(share)) for share in shares(round)}
    assert asked == {"stud": True, "mini": False}
    (alert,) = told()
    assert "CS-02" in alert.text
    beat(floor, 2)
    token = Held(floor, "CS-01")
    beat(floor, 2)
    floor.round_("CS-03", FLUSH)
    beat(floor, 5)
    again = token.says(ROYAL)
    assert {share.progressive.code: bool(told_after.why(share)) for share in shares(again)} == {
        "stud": True,
        "mini": True,
    }
    assert {alert.subject for alert in told()} == {f"tables.round:{each.pk}" for each in (round, again)}


def shares(round: Round) -> Any:
    return Share.objects.filter(event__round_id=round.pk, event__kind="hits").select_related(
        "progressive", "event__table_log__premises", "config"
    )


def test_a_small_prize_is_not_handed_out_before_its_turn_without_the_reference(floor: SimulatedFloor) -> None:
    set_alone_limit(floor.floor, "200.00")
    fill(floor.floor.tables["CS-01"], dollars(1_000))
    round = premarked(floor, hand=FLUSH)
    beat(floor, 1.2)
    (share,) = shares(round)
    (hit,) = share.event.body["hits"]
    sefa = floor.floor.people["sefa"]

    def give(confirmations: dict[str, Any]) -> Any:
        return advances.hand_out(
            share.pk, sefa, wager=hit["wager"]["id"], trigger="flush", confirmations=confirmations
        )

    client = Client()
    client.force_login(sefa, "django.contrib.auth.backends.ModelBackend")
    page = client.get(f"/jackpots/advances/{share.pk}/")
    assert "verified only with a camera reference" in page.content.decode()
    with pytest.raises(Refused, match="camera reference"):
        give(SEEN)
    give(SEEN | {"surveillance_reference": "CAM-7"})


def test_what_is_told_late_is_for_a_ruling_as_before(floor: SimulatedFloor) -> None:
    """Without a mark it may have been at any time since its lock: it proves nothing, and its alert says so."""
    begin(floor)
    code, uid, wagers = "CS-01", uuid4(), stud_wagers(1)
    steps: tuple[tuple[str, dict[str, Any]], ...] = (
        ("open", {}),
        ("wagers", {"wagers": wagers}),
        ("no-more-bets", {}),
    )
    for kind, body in steps:
        floor.terminals[code].tell(kind, uid, body)
        floor.send(code)
    beat(floor, 2)
    floor.round_("CS-02", STRAIGHT_FLUSH)
    beat(floor, 5)
    dealt = {"dealer": DEALER.split(), "seats": {"1": ROYAL.split()}}
    floor.terminals[code].tell("result", uid, {"wagers": stud_bets(wagers), "dealt": dealt})
    floor.send(code)
    assert not told()
    assert Alert.objects.filter(kind="jackpots.told_late").count() == 1
    assert all_told(floor) == {}, "two people rule"
