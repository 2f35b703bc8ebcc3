"""Whatever the order of arrival, retries and pauses: payouts and meters equal a plain replay of the log in its order.

The reference is `rules.progressive.resolve_in_order`, fed by this test from what it sent, not from what was stored.
The control switches the barrier off and must pay wrongly.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from jackpots.fold import folding
from jackpots.fold.folding import fold
from jackpots.models import Meter, Progressive, TableLog, Win
from jackpots.verify.identities import broken_identities
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Contribution, Hits, Moment, Payment, opening_state, resolve_in_order, split
from tests import log_verbs as event_log
from tests.examples import examples
from tests.floor import Floor, new_round_id, stud_rules

DECIDING = Moment.DECIDING.value


CODES = ("CS-01", "CS-02", "CS-03")


@dataclass(frozen=True)
class Played:
    """One round of a table as it was: when it was locked and which seat holds what from when."""

    table: str
    locked_ms: int
    seats: int
    hands: tuple[tuple[int, str], ...]

    @property
    def hit_ms(self) -> int:
        return self.locked_ms + 1


HAND = st.sampled_from(["royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush"])


@st.composite
def nights(draw: st.DrawFn) -> list[Played]:
    """Rounds of three tables, each table's own one after the other; hits now and then."""
    rounds = []
    for table in CODES:
        clock = draw(st.integers(0, 5))
        for _ in range(draw(st.integers(0, 4))):
            seats = draw(st.integers(1, 5))
            winners = draw(
                st.lists(st.tuples(st.integers(1, seats), HAND), max_size=2, unique_by=lambda w: w[0])
            )
            rounds.append(Played(table, clock, seats, tuple(winners)))
            clock += draw(st.integers(3, 12))
    return rounds


def reference(rounds: list[Played]) -> tuple[list[tuple[str, int, str, int]], dict[str, int]]:
    """The log in its order, folded by the rules alone."""
    rules = stud_rules()
    events: list[tuple[tuple[int, str, str, int], Any]] = []
    places = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside"}
    numbers = {code: itertools.count() for code in CODES}
    for index, each in enumerate(rounds):
        stake = Contribution(f"c{index}", split(dollars(each.seats), rules.levels))
        events.append(((each.locked_ms, places[each.table], each.table, next(numbers[each.table])), stake))
        if each.hands:
            won = tuple(
                Hit(Wager(f"{seat}", "jackpot", dollars(1), seat), hand, "test") for seat, hand in each.hands
            )
            hits = Hits(f"{each.table}@{each.locked_ms}", won)
            events.append(((each.hit_ms, places[each.table], each.table, next(numbers[each.table])), hits))
    ordered = [event for _, event in sorted(events, key=lambda pair: pair[0])]
    history = resolve_in_order(rules, opening_state(rules), ordered)
    paid: list[tuple[str, int, str, int]] = []
    for event, outcome in zip(ordered, history.outcomes, strict=True):
        payments: tuple[Payment, ...] = getattr(outcome, "payments", ())
        paid += [(event.name, p.seat, p.trigger, p.amount_micros) for p in payments]
    return sorted(paid), {level.name: level.meter_micros for level in history.state.levels}


class Sender:
    """Speaks for the tables through the log's verbs; what each table sends stays in its own order."""

    def __init__(self, progressive: Progressive, rounds: list[Played]) -> None:
        self.links = {
            link.table_code: link for link in TableLog.objects.filter(links__progressive=progressive)
        }
        # Terminals' clocks: a second after the tables opened, and all of it in the past by now.
        opened = max(link.watermark for link in self.links.values() if link.watermark)
        self.start = opened + timedelta(milliseconds=1)
        self.names: dict[int, str] = {}
        self.queues: dict[str, list[Any]] = {code: [] for code in CODES}
        for each in rounds:
            round_id = new_round_id()
            self.names[round_id] = f"{each.table}@{each.locked_ms}"
            self.queues[each.table] += [("stakes", round_id, each), ("decide", round_id, each)]

    def at(self, code: str, ms: int) -> datetime:
        """Tables are some microseconds apart: hits of one instant would be for people to rule on."""
        return self.start + timedelta(milliseconds=ms, microseconds=100 * CODES.index(code))

    @transaction.atomic
    def send_next(self, code: str) -> None:
        step, round_id, each = self.queues[code].pop(0)
        link = self.links[code]
        if step == "stakes":
            stakes = [
                Wager(f"{round_id}-{seat}", "jackpot", dollars(1), seat) for seat in range(1, each.seats + 1)
            ]
            event_log.record_stakes(link, round_id, stakes, self.at(code, each.locked_ms))
            return
        hits = [
            Hit(Wager(f"{round_id}-{seat}", "jackpot", dollars(1), seat), hand, "test")
            for seat, hand in each.hands
        ]
        moments = {seat: {DECIDING: self.at(code, each.hit_ms)} for seat, _ in each.hands}
        event_log.decide(link, round_id, hits, moments, self.at(code, each.hit_ms + 1))

    @transaction.atomic
    def beat(self, code: str) -> None:
        """Vouches for all before its next event: the terminal's clock has come that far."""
        if self.queues[code]:
            step, _, each = self.queues[code][0]
            at = self.at(code, each.locked_ms if step == "stakes" else each.hit_ms)
            event_log.beat(self.links[code], at)
        else:
            event_log.beat(self.links[code], timezone.now())


def run(progressive: Progressive, rounds: list[Played], schedule: list[tuple[str, str]]) -> tuple[Any, Any]:
    sender = Sender(progressive, rounds)
    for act, code in schedule:
        if act == "send" and sender.queues[code]:
            sender.send_next(code)
        elif act == "beat":
            sender.beat(code)
        elif act == "fold":
            fold(progressive.pk)
    for code in CODES:
        while sender.queues[code]:
            sender.send_next(code)
        sender.beat(code)
    fold(progressive.pk)
    wins = Win.objects.filter(progressive=progressive)
    paid = sorted((sender.names[w.round_id], w.seat, w.trigger, w.amount_micros) for w in wins)
    meters = {meter.level: meter.value_micros for meter in Meter.objects.filter(progressive=progressive)}
    return paid, meters


SCHEDULE = st.lists(
    st.tuples(st.sampled_from(["send", "send", "beat", "fold"]), st.sampled_from(CODES)), max_size=60
)


@pytest.fixture
def progressive(standing_floor: Floor) -> Progressive:
    import time

    made = standing_floor.progressive
    time.sleep(0.15)  # the nights below last up to 60 ms and must lie in the past
    return made


@settings(
    max_examples=examples(12, soak=500),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rounds=nights(), schedule=SCHEDULE)
@example(  # a heartbeat at the very time of the next lock moves the lock nowhere: 20,000 and twice 0.60
    rounds=[Played("CS-01", 1, 1, ()), Played("CS-02", 0, 1, ((1, "royal-flush"),))],
    schedule=[("beat", "CS-01")],
)
def test_every_interleaving_pays_what_the_replay_in_order_pays(
    progressive: Progressive, rounds: list[Played], schedule: list[tuple[str, str]]
) -> None:
    with transaction.atomic():
        assert run(progressive, rounds, schedule) == reference(rounds)
        assert broken_identities(progressive.pk) == []
        transaction.set_rollback(True)


def test_without_the_barrier_the_wrong_order_is_paid(
    progressive: Progressive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CS-02's straight flush came after CS-01's royal, but is to be folded as soon as it is heard of. The fold asks
    each table itself before it pays, and the database asks again."""
    rounds = [Played("CS-01", 0, 1, ((1, "royal-flush"),)), Played("CS-02", 5, 1, ((1, "straight-flush"),))]
    schedule = [("send", "CS-02"), ("send", "CS-02"), ("fold", "CS-02")]
    with transaction.atomic():
        assert run(progressive, rounds, schedule) == reference(rounds)
        transaction.set_rollback(True)

    def everything_sent(progressive: Progressive) -> datetime:
        events = progressive.shares.order_by("-place")
        return events[0].place + timedelta(microseconds=1) if events else timezone.now()

    monkeypatch.setattr(folding, "final_limit", everything_sent)
    with transaction.atomic():
        assert run(progressive, rounds, schedule) == reference(rounds)
        transaction.set_rollback(True)
    monkeypatch.setattr(folding, "not_beyond", lambda told, latest: [])
    with pytest.raises(Exception, match="tables have not vouched until"), transaction.atomic():
        run(progressive, rounds, schedule)


def test_an_append_held_open_while_others_go_on_is_not_overtaken(
    committed_db: str, committed_floor: Floor
) -> None:
    """The stakes' transaction is still open when the other tables' heartbeats commit: the fold must wait for it."""
    import threading
    import time

    from django.db import connection

    floor = committed_floor
    time.sleep(0.05)
    at = timezone.now()
    links = {link.table_code: link for link in TableLog.objects.filter(links__progressive=floor.progressive)}
    appended, release = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            event_log.record_stakes(
                links["CS-01"], new_round_id(), [Wager("w", "jackpot", dollars(1), 1)], at
            )
            appended.set()
            release.wait(20)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert appended.wait(20)
    for code in ("CS-02", "CS-03"):
        with transaction.atomic():
            event_log.beat(links[code], timezone.now())
    fold(floor.progressive.pk)
    floor.progressive.refresh_from_db()
    assert floor.progressive.folded_until is not None
    assert floor.progressive.folded_until <= at, "CS-01 vouched for nothing yet"
    release.set()
    thread.join(20)
    with transaction.atomic():
        event_log.decide(
            links["CS-01"], floor.progressive.shares.get().event.round_id, [], {}, timezone.now()
        )
        event_log.beat(links["CS-01"], timezone.now())
    fold(floor.progressive.pk)
    assert Meter.objects.get(progressive=floor.progressive, level="grand").increment_micros == 600_000
    assert broken_identities(floor.progressive.pk) == []
