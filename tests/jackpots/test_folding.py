"""The corners of the log and the fold: reused names, prizes of nothing, hits that nobody can pay, late returns."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots import tasks
from jackpots.fold.folding import fold
from jackpots.models import Event, FoldRun, Progressive, TableLog, UndecidedRound, Win
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from jackpots.wins.hand_pay import pay, verify
from ledger.models import Entry
from people.models import Alert, Premises, Role
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import (
    Amount,
    Fixed,
    Level,
    Overflow,
    PercentOfMeter,
    ProgressiveRules,
    Rounding,
    preset,
)
from tests import log_verbs as event_log
from tests.floor import linked_log, new_round_id
from tests.on_record import add_user, give

pytestmark = pytest.mark.django_db


@pytest.fixture
def premises() -> Premises:
    return Premises.objects.create(
        code="strand", name="Strand", currency="GBP", time_zone="Europe/London", rollover_hour=6
    )


class Linked:
    """One progressive with one open table, spoken to through the log's verbs."""

    def __init__(self, premises: Premises, rules: ProgressiveRules, code: str = "pot") -> None:
        self.progressive: Progressive = create_progressive("test", premises, code, code.title(), rules)
        with transaction.atomic():
            self.link: TableLog = linked_log(self.progressive, premises, f"T-{code}")

    @transaction.atomic
    def stake(self, *stakes: Wager, at: datetime | None = None) -> int:
        round_id = new_round_id()
        event_log.record_stakes(self.link, round_id, stakes, at or timezone.now())
        return round_id

    @transaction.atomic
    def decide(self, round_id: int, *hits: Hit) -> None:
        event_log.decide(self.link, round_id, hits, {}, timezone.now())

    @transaction.atomic
    def give_back(self, round_id: int, *stakes: Wager) -> Event:
        (event,) = event_log.return_stakes(self.link, round_id, stakes, timezone.now(), "test")
        return event

    def fold(self) -> None:
        with transaction.atomic():
            event_log.beat(self.link, timezone.now())
        fold(self.progressive.pk)
        assert broken_identities(self.progressive.pk) == []


def stake(name: str, seat: int = 1, player: str = "") -> Wager:
    return Wager(name, "jackpot", dollars(1), seat, player)


def hit(name: str, trigger: str, seat: int = 1, player: str = "") -> Hit:
    return Hit(Wager(name, "jackpot", dollars(1), seat, player), trigger, "test")


def rocket_rules() -> ProgressiveRules:
    return preset("gb-2011-8.34", Level("pot", seed_micros=dollars(500), increment_bp=7_000))


def shares_rules(**level: Any) -> ProgressiveRules:
    """Double Chance: the amounts are the operator's, here a hundredth of the meter for a straight flush."""
    fixed = {name: Fixed(dollars(5)) for name in ("four-of-a-kind", "full-house", "flush", "straight")}
    amounts: dict[str, Amount] = {
        "royal-flush": PercentOfMeter(10_000),
        "straight-flush": PercentOfMeter(100),
        **fixed,
    }
    level = {"increment_bp": 7_000, **level}
    return preset(
        "nsw-double-chance", Level("pot", **level), amounts={**amounts, "dead-hand": fixed["flush"]}
    )


def test_two_players_without_seats_win_with_their_own_wagers(premises: Premises) -> None:
    """At dice nobody has a seat: what tells winners apart is the player."""
    table = Linked(premises, rocket_rules())
    round_id = table.stake(stake("of-a", 0, "A"), stake("of-b", 0, "B"))
    table.decide(round_id, hit("of-a", "two-sevens", 0, "A"), hit("of-b", "two-sevens", 0, "B"))
    table.fold()
    assert {(win.player, win.wager_id) for win in Win.objects.all()} == {("A", "of-a"), ("B", "of-b")}


def test_a_share_below_a_cent_is_a_win_of_nothing_and_stops_nobody(premises: Premises) -> None:
    """A hundredth of 0.70, rounded down to the cent: nothing moves, so nothing is booked; the next run is."""
    table = Linked(premises, replace(shares_rules(), rounding=Rounding.DOWN))
    round_id = table.stake(stake("w"))
    table.decide(round_id, hit("w", "straight-flush"))
    table.stake(stake("x"))
    table.decide(Event.objects.last().round_id)  # type: ignore[union-attr]
    table.fold()
    win = Win.objects.get()
    assert win.amount_micros == 0
    assert [run.entry_key for run in FoldRun.objects.order_by("number")] == [
        "jackpots:pot:run:1",
        "",
        "jackpots:pot:run:3",
    ]
    manager = add_user("jan", name="Jan", password="correct-horse-battery-7")
    give(user=manager, premises=premises, role=Role.JACKPOT_MANAGER)
    verify(win.pk, manager, {"hand_confirmed": True, "deck_counted": True})
    assert pay(win.pk, manager, "cash", 0).state == Win.State.PAID
    assert not Entry.objects.filter(kind="jackpot.paid").exists()


def test_a_hit_that_the_progressive_has_no_prize_for_is_refused_before_it_is_in_the_log(
    premises: Premises,
) -> None:
    """In the log it would stop every later fold; refused, it stops its own round, where someone sees it."""
    table = Linked(premises, rocket_rules())
    round_id = table.stake(stake("w"))
    with pytest.raises(Refused, match="royal-flush on jackpot, for which Pot has no prize"):
        table.decide(round_id, hit("w", "royal-flush"))
    assert not Event.objects.filter(kind=Event.Kind.HITS).exists()
    assert UndecidedRound.objects.get().round_id == round_id, "still to be decided, by someone"


def test_a_hit_without_a_stake_in_the_log_is_not_lost_in_silence(premises: Premises) -> None:
    table = Linked(premises, rocket_rules())
    with pytest.raises(Refused, match="no jackpot wagers"):
        table.decide(new_round_id(), hit("w", "two-sevens"))
    table.decide(new_round_id())  # nothing to decide is nothing


def test_a_return_finds_its_own_stake_where_every_round_uses_the_same_names(premises: Premises) -> None:
    """Rounds after an outage come before any of them is settled, and a terminal may call each first wager 'j1'. Between
    the two stakes a meter was won: the first one's money went with it, the second's did not."""
    table = Linked(premises, rocket_rules())
    first = table.stake(stake("j1"))
    between = table.stake(stake("k"))
    table.decide(between, hit("k", "six-sevens"))
    second = table.stake(stake("j1"))
    returned = table.give_back(first, stake("j1"))
    assert returned.body["origin"] == Event.objects.get(round_id=first, kind="stakes").number
    table.decide(first)
    table.decide(second)
    table.fold()
    # 500 + 2 x 0.70 were won; the new meter is the seed and the second wager's 0.70: the house gave the first back.
    assert table.progressive.meters.get().value_micros == dollars(500) + 700_000


def test_a_return_finds_its_stake_behind_hundreds_of_others(premises: Premises) -> None:
    table = Linked(premises, rocket_rules())
    first = table.stake(stake("j1"))
    for number in range(210):
        table.stake(stake(f"k{number}"))
    returned = table.give_back(first, stake("j1"))
    assert returned.body["origin"] == 1


def test_a_return_from_a_level_that_only_overflows(premises: Premises) -> None:
    """At its cap the level gives at the secondary rate, all of it to the overflow; a return takes it from there."""
    rules = shares_rules(
        seed_micros=dollars(1), cap_micros=dollars(2), increment_bp=10_000, secondary_bp=5_000,
        overflow=Overflow.NEXT_METER,
    )  # fmt: skip
    table = Linked(premises, rules)
    table.decide(table.stake(stake("fills")))
    table.fold()
    over = table.stake(stake("over"))
    table.give_back(over, stake("over"))
    table.decide(over)
    table.fold()
    meter = table.progressive.meters.get()
    assert (meter.value_micros, meter.overflow_micros) == (dollars(2), 0)


def test_one_progressive_that_cannot_be_folded_does_not_freeze_the_signs_of_the_others(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = Linked(premises, rocket_rules(), "a-broken"), Linked(premises, shares_rules(), "b-sound")
    sound.decide(sound.stake(stake("w")))

    def fold_or_fail(progressive_id: int) -> Any:
        if progressive_id == broken.progressive.pk:
            raise RuntimeError("a fault of ours")
        return fold(progressive_id)

    monkeypatch.setattr(tasks, "fold", fold_or_fail)
    with transaction.atomic():
        event_log.beat(sound.link, timezone.now())
    tasks.sweep_progressives()
    assert sound.progressive.frames.count() == 1
    assert sound.progressive.meters.get().increment_micros == 700_000
    tasks.sweep_progressives()
    alert = Alert.objects.get()  # one, though the sweep comes by every second
    assert (alert.kind, alert.subject, alert.premises) == (
        "jackpots.not_folded",
        f"jackpots.progressive:{broken.progressive.pk}",
        premises,
    )
    assert alert.text.endswith("cannot be brought up to date: RuntimeError: a fault of ours")


def test_a_still_meter_is_looked_at_seldom_and_its_frame_sent_every_second(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = Linked(premises, rocket_rules())
    looked: list[int] = []
    sent: list[dict[str, Any]] = []
    tasks._sent.clear()

    def counted(progressive_id: int) -> Any:
        looked.append(progressive_id)
        return fold(progressive_id)

    monkeypatch.setattr(tasks, "fold", counted)
    monkeypatch.setattr("jackpots.signs.wire.send", lambda channel, frame: sent.append(frame))
    for _ in range(3):
        tasks.sweep_progressives()
    assert len(looked) == 1
    assert [frame["sequence"] for frame in sent] == [1, 1, 1]
    assert sent[0]["at"] < sent[1]["at"] < sent[2]["at"]
    monkeypatch.setattr(tasks, "LOOK_EVERY_NS", 0)
    tasks.sweep_progressives()
    assert len(looked) == 2, "long enough ago"
    monkeypatch.setattr(tasks, "LOOK_EVERY_NS", 10**12)
    linked.stake(stake("w"))
    tasks.sweep_progressives()
    assert len(looked) == 3, "something is to be folded"


def test_a_lost_database_is_tried_again_and_nobody_is_called(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    Linked(premises, rocket_rules())

    def fail(progressive_id: int) -> None:
        raise OperationalError("deadlock detected")

    monkeypatch.setattr(tasks, "fold", fail)
    tasks.sweep_progressives()
    assert not Alert.objects.exists()
