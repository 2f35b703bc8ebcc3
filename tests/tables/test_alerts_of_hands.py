"""Alerts name each jackpot hand that is in doubt or waits: one that is open does not swallow the next of its table."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from jackpots.fold.folding import fold
from jackpots.models import Share, Win
from people.alerts import alerts
from people.models import Alert
from tables.floor import silence_policy
from tables.models import Round
from tests.tables.simulated_floor import SimulatedFloor
from tests.terminal import PLAIN, stud_round

pytestmark = pytest.mark.django_db
FLUSH, ROYAL = "2d 4d 6d 8d Jd", "Th Jh Qh Kh Ah"


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> SimulatedFloor:
    made = SimulatedFloor(monkeypatch)
    for _ in range(3):
        for code in made.floor.tables:
            made.send(code)
    return made


def told(kind: str, of: str) -> list[Alert]:
    return list(Alert.objects.filter(kind=f"jackpots.{kind}", subject__startswith=of).order_by("pk"))


def late_round(floor: SimulatedFloor, hand: str) -> Round:
    """Dealt, and told five seconds later."""
    uid, at = uuid4(), floor.now
    body = stud_round({1: hand}, first_card=at) | {"locked_at": at.isoformat()}
    floor.terminals["CS-01"].tell("round", uid, body)
    floor.send("CS-01", seconds=5)
    return Round.objects.get(uid=uid)


def test_each_late_hand_has_its_alert_while_the_first_is_open(floor: SimulatedFloor) -> None:
    rounds = [late_round(floor, FLUSH), late_round(floor, ROYAL)]
    late_round(floor, PLAIN[0])
    found = told("told_late", "tables.round:")
    assert [alert.subject for alert in found] == [f"tables.round:{round.pk}" for round in rounds]
    assert [alert.premises for alert in found] == [floor.floor.harbour] * 2
    assert "CS-01 told of a flush at seat 1 on Stud Jackpot at" in found[0].text
    assert "CS-01 told of a royal flush at seat 1 on Stud Jackpot at" in found[1].text
    zone = "NZDT" if "NZDT" in found[0].text else "NZST"
    assert f" {zone}, too late to prove" in found[0].text, "by the clock of the premises, named"


def test_each_hand_that_a_jump_makes_doubtful_has_its_alert(floor: SimulatedFloor) -> None:
    for number, hand in enumerate((FLUSH, ROYAL), 1):
        floor.round_("CS-01", hand)
        floor.clocks["CS-01"].wrong_by -= timedelta(seconds=25)
        floor.send("CS-01")
        assert len(told("clock_trouble", "jackpots.share:")) == number
        for _ in range(3):  # measured anew
            floor.send("CS-01")
    shares = Share.objects.filter(event__kind="hits").order_by("pk")
    found = told("clock_trouble", "jackpots.share:")
    assert [alert.subject for alert in found] == [f"jackpots.share:{share.pk}" for share in shares]
    assert "went back by 24990 ms" in found[1].text
    assert "royal flush at seat 1 on Stud Jackpot, which may have been at any time from" in found[1].text
    assert len(told("clock_trouble", "jackpots.tablelog:")) == 1, "the clock itself, once while it is open"


def others_beat(floor: SimulatedFloor, silent: str, seconds: float) -> None:
    for code in floor.floor.tables:
        if code != silent:
            floor.send(code, seconds=seconds / 2)
    fold(floor.floor.progressive.pk)


@pytest.mark.parametrize("silent", ["CS-02", "CS-03"], ids=["the host's table", "of other premises"])
def test_a_win_that_is_held_for_a_silent_table_is_told_with_whom_it_waits_for(
    floor: SimulatedFloor, silent: str
) -> None:
    """Lease 15 s and skew 1 s."""
    floor.round_("CS-01", ROYAL)
    for _ in range(5):
        others_beat(floor, silent, 3)
        assert silence_policy.tell_of_waiting_wins() == 0
    others_beat(floor, silent, 1.2)
    assert silence_policy.tell_of_waiting_wins() == 1
    share = Share.objects.get(event__kind="hits")
    found = list(Alert.objects.filter(kind="tables.win_waits").order_by("pk"))
    subjects = [(f"jackpots.share:{share.pk}", "harbour")]
    if silent == "CS-03":
        link = share.progressive.links.get(table_log__table_code=silent)
        subjects.append((f"jackpots.link:{link.pk}", "lakeside"))
    assert [(alert.subject, alert.premises and alert.premises.code) for alert in found] == subjects
    assert f"CS-01: royal flush at seat 1 on Stud Jackpot waits to be paid for {silent} at" in found[0].text
    assert {alert.severity for alert in found} == {alerts.Severity.URGENT}
    # Another win while that alert is open has its own; each is told once.
    floor.round_("CS-01", FLUSH)
    others_beat(floor, silent, 3)
    for _ in range(2):
        assert silence_policy.tell_of_waiting_wins() == 2
    assert Alert.objects.filter(kind="tables.win_waits", subject__startswith="jackpots.share:").count() == 2
    # Heard again: nothing waits.
    for _ in range(3):
        floor.send(silent)
        others_beat(floor, silent, 0.01)
    assert Win.objects.filter(amount_micros__gt=0).exists()
    assert silence_policy.tell_of_waiting_wins() == 0


def test_a_hit_is_told_of_once_it_is_public_and_not_before(floor: SimulatedFloor) -> None:
    for _ in range(6):
        others_beat(floor, "CS-02", 3)
    floor.round_("CS-01", ROYAL)
    assert silence_policy.tell_of_waiting_wins() == 0
    others_beat(floor, "CS-02", 1.1)
    assert silence_policy.tell_of_waiting_wins() == 1


def test_other_policies_have_their_own_alert(floor: SimulatedFloor) -> None:
    progressive = floor.floor.progressive
    progressive.silence = "play-on"
    progressive.save(update_fields=["silence"])
    floor.round_("CS-01", ROYAL)
    for _ in range(6):
        others_beat(floor, "CS-02", 3)
    assert silence_policy.tell_of_waiting_wins() == 0
    assert silence_policy.enforce() == 1
