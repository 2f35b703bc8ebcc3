"""Stakes, returns and hits under caps, overflow, secondary rates and two ways to pay several winners, folded in pieces:
pots and payments equal `rules.progressive.resolve_in_order` over what was sent, wager by wager."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackpots.fold.folding import fold
from jackpots.models import Meter, Progressive, Win
from jackpots.set_up.configure import create_progressive
from jackpots.signs.live import live
from jackpots.verify.identities import broken_identities
from people.models import Premises
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import (
    Contribution,
    Hits,
    Level,
    Overflow,
    ProgressiveRules,
    Reseed,
    Return,
    opening_state,
    preset,
    resolve_in_order,
    split,
)
from tests import log_verbs as event_log
from tests.examples import examples
from tests.floor import linked_log, new_round_id

TRIGGERS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush")


@st.composite
def rule_sets(draw: st.DrawFn) -> ProgressiveRules:
    """Two levels, the first with or without a cap that a few wagers reach; nz-1996 stages, or lock and reseed."""
    name = draw(st.sampled_from(["nz-1996-viii", "gb-2011-7.21"]))
    gb = name.startswith("gb")
    capped = draw(st.booleans())
    choices = [Overflow.NEXT_METER, Overflow.LEVEL] + ([] if gb else [Overflow.RESERVE, Overflow.HOUSE])
    overflow = draw(st.sampled_from(choices)) if capped else Overflow.NEXT_METER
    top = Level(
        "top",
        seed_micros=dollars(20),
        increment_bp=5_000,
        reserve_bp=draw(st.sampled_from([0, 1_000])),
        cap_micros=dollars(draw(st.integers(21, 25))) if capped else None,
        secondary_bp=draw(st.sampled_from([None, 5_000, 6_000])) if capped else None,
        overflow=overflow,
        overflow_to="side" if overflow is Overflow.LEVEL else "",
        reseed=draw(st.sampled_from(list(Reseed))),
    )
    side = Level(
        "side", seed_micros=dollars(10), increment_bp=2_500, reseed=draw(st.sampled_from(list(Reseed)))
    )
    return preset(name, top, side, prize_levels={"flush": "side", "full-house": "side"})


@dataclass(frozen=True)
class Act:
    kind: str
    seats: int = 1
    hands: tuple[tuple[int, str], ...] = ()
    pick: int = 0


@st.composite
def acts(draw: st.DrawFn) -> list[Act]:
    made = []
    for kind in draw(
        st.lists(st.sampled_from(["stakes", "stakes", "stakes", "return", "hits", "fold"]), max_size=14)
    ):
        seats = draw(st.integers(1, 4))
        hand = st.tuples(st.integers(1, seats), st.sampled_from(TRIGGERS))
        hands = draw(st.lists(hand, min_size=1, max_size=3, unique_by=lambda pair: pair[0]))
        made.append(Act(kind, seats, tuple(hands), draw(st.integers(0, 30))))
    return made


class Both:
    """Sends each act to the log and writes it down for the reference."""

    def __init__(self, rules: ProgressiveRules, premises: Premises) -> None:
        self.rules = rules
        self.progressive: Progressive = create_progressive("test", premises, "pot", "Pot", rules)
        self.link = linked_log(self.progressive, premises, "T-1")
        self.events: list[Any] = []
        self.standing: list[Wager] = []

    def stakes(self, act: Act, *, winners: bool) -> None:
        round_id = new_round_id()
        made = [Wager(f"{round_id}-{seat}", "jackpot", dollars(1), seat) for seat in range(1, act.seats + 1)]
        event_log.record_stakes(self.link, round_id, made, timezone.now())
        wager = split(dollars(1), self.rules.levels)
        self.events += [Contribution(stake.id, wager) for stake in made]
        hits: list[Hit] = []
        if winners:
            hits = [
                Hit(Wager(f"{round_id}-{seat}", "jackpot", dollars(1), seat), hand, "test")
                for seat, hand in act.hands
            ]
            self.events.append(Hits(str(round_id), tuple(hits)))
        else:
            self.standing += made
        event_log.decide(self.link, round_id, hits, {}, timezone.now())

    def give_back(self, act: Act) -> None:
        if self.standing:
            stake = self.standing.pop(act.pick % len(self.standing))
            event_log.return_stakes(self.link, new_round_id(), [stake], timezone.now(), "test")
            self.events.append(Return(stake.id, rule="test"))

    def fold(self) -> None:
        event_log.beat(self.link, timezone.now())
        fold(self.progressive.pk)

    def run(self, script: list[Act]) -> None:
        for act in script:
            if act.kind == "fold":
                self.fold()
            elif act.kind == "return":
                self.give_back(act)
            else:
                self.stakes(act, winners=act.kind == "hits")


@pytest.fixture
def premises(db: None) -> Premises:
    return Premises.objects.create(
        code="strand", name="Strand", currency="GBP", time_zone="Europe/London", rollover_hour=6
    )


@settings(
    max_examples=examples(10, soak=300),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rules=rule_sets(), script=acts())
def test_folded_in_pieces_or_at_once_it_is_what_the_rules_say(
    premises: Premises, rules: ProgressiveRules, script: list[Act]
) -> None:
    with transaction.atomic():
        both = Both(rules, premises)
        both.run(script)
        wanted = resolve_in_order(rules, opening_state(rules), both.events)
        shown = live(
            Progressive.objects.select_related("config", "armed_config", "host").get(pk=both.progressive.pk),
            timezone.now() + timedelta(minutes=1),
        )
        meters = {level.name: level.meter_micros for level in wanted.state.levels}
        assert shown.meters == meters, "the live figure is what the fold will come to"
        both.fold()
        pots = tuple(meter.as_state() for meter in Meter.objects.order_by("position"))
        assert pots == wanted.state.levels
        paid = [
            (w.seat, w.trigger, w.level, w.amount_micros, w.from_house_micros)
            for w in Win.objects.order_by("pk")
        ]
        assert paid == [
            (p.seat, p.trigger, p.level, p.amount_micros, p.from_house_micros) for p in wanted.payments
        ]
        assert broken_identities(both.progressive.pk) == []
        transaction.set_rollback(True)
