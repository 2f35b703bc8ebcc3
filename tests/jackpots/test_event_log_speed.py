"""The same messages give the same pots and payments, however late a worker settles and whatever beats meanwhile."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackpots.fold.folding import fold
from jackpots.models import Event, Meter, Progressive, Share, TableLog, Win
from jackpots.verify.identities import broken_identities
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Moment
from tables.models import Round
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests import log_verbs as event_log
from tests.examples import examples
from tests.floor import Floor, new_round_id
from tests.terminal import PLAIN, Terminal, stud_round

CODES = ("CS-01", "CS-02", "CS-03")
ROYAL = "Th Jh Qh Kh Ah"


# ------------------------------------------------------------------------------- through the terminal's own events


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    time.sleep(0.7)  # what follows happened after the tables opened, and lies in the past
    return made


def terminals(floor: Floor) -> dict[str, Terminal]:
    def terminal(code: str) -> Terminal:
        pk = floor.tables[code].pk
        return Terminal(
            code,
            lambda events: [intake.take(pk, event) for event in events],
            lambda number, at: intake.heartbeat(pk, number, datetime.fromisoformat(at)),
            timezone.now,
        )

    return {code: terminal(code) for code in CODES}


def settle_all() -> None:
    while settle_batch().settled:
        pass


SPEEDS = ["at once", "after heartbeats", "after heartbeats and folds", "after all that was played"]


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_void_wager_goes_back_at_the_close_of_its_round(floor: Floor, speed: str) -> None:
    """Three wagers give 60% of 1.00 each to the grand; the first is declared void (nz-1996 I 11.2(a)) and goes back
    before the royal of the second table is dealt: 20,000 and twice 0.60, whenever a worker looks at it."""
    ends = timezone.now()
    one, two, three = (terminals(floor)[code] for code in CODES)

    def at(ms: int) -> datetime:
        return ends - timedelta(milliseconds=600 - ms)

    void = stud_round({1: PLAIN[0]}, first_card=at(210))
    (jackpot,) = (wager["id"] for wager in void["wagers"] if wager["kind"] == "jackpot")
    void["irregularities"] = [{"kind": "device", "wager": jackpot}]
    plain = stud_round({1: PLAIN[0]}, first_card=at(220))
    royal = stud_round({1: ROYAL}, first_card=at(400))
    one.event("round", void_id := uuid4(), void, at=at(300))
    if speed == "at once":
        settle_all()
    one.heartbeat(at(500))
    if speed == "after heartbeats":
        settle_all()
    three.event("round", uuid4(), plain, at=at(310))
    three.heartbeat(at(500))
    if speed == "after heartbeats and folds":
        two.heartbeat(at(190))
        fold(floor.progressive.pk)
        settle_all()
    two.event("round", uuid4(), royal, at=at(450))
    settle_all()
    for terminal in (one, two, three):
        terminal.heartbeat(timezone.now())
    fold(floor.progressive.pk)
    returned = Share.objects.get(event__kind=Event.Kind.RETURN)
    assert (returned.event.round_id, returned.place) == (Round.objects.get(uid=void_id).pk, at(300))
    assert Win.objects.get().amount_micros == dollars(20_000) + 2 * 600_000
    assert broken_identities(floor.progressive.pk) == []


# ------------------------------------------------------------- any night, any speed, rounds settled in any order


@dataclass(frozen=True)
class Played:
    """One round as its terminal tells it: lock and result, a hand, and whether the wager of seat 2 is void."""

    table: str
    locked_ms: int
    closed_ms: int
    hand: str
    void: bool


@st.composite
def nights(draw: st.DrawFn) -> list[Played]:
    """Coarse clocks: a result, the next lock and another table's hand may all have the same time."""
    rounds = []
    for table in CODES:
        clock = draw(st.integers(0, 2))
        for _ in range(draw(st.integers(0, 4))):
            closed = clock + draw(st.integers(0, 2))
            hand = draw(st.sampled_from(["", "", "royal-flush", "straight-flush", "flush"]))
            rounds.append(Played(table, clock, closed, hand, draw(st.booleans())))
            clock = closed + draw(st.integers(0, 2))
    return rounds


Acts = list[tuple[str, str, int]]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["tell", "tell", "settle", "beat", "fold"]), st.sampled_from(CODES), st.integers(0, 3)
    ),
    max_size=60,
)


class Night:
    """Terminals that tell and a worker that settles, each at its own speed."""

    def __init__(self, progressive: Progressive, rounds: list[Played], *, at_once: bool) -> None:
        self.progressive, self.at_once = progressive, at_once
        self.links = {
            link.table_code: link for link in TableLog.objects.filter(links__progressive=progressive)
        }
        opened = max(link.watermark for link in self.links.values() if link.watermark)
        self.start = opened + timedelta(milliseconds=1)
        self.names: dict[int, str] = {}
        self.untold: dict[str, list[tuple[str, int, Played]]] = {code: [] for code in CODES}
        self.told: list[tuple[int, Played]] = []
        for index, each in enumerate(rounds):
            round_id = new_round_id()
            self.names[round_id] = str(index)
            self.untold[each.table] += [("lock", round_id, each), ("result", round_id, each)]

    def at(self, ms: int) -> datetime:
        return self.start + timedelta(milliseconds=ms)

    @transaction.atomic
    def tell(self, code: str) -> None:
        step, round_id, each = self.untold[code].pop(0)
        link = self.links[code]
        if step == "lock":
            stakes = [Wager(f"{round_id}-{seat}", "jackpot", dollars(1), seat) for seat in (1, 2)]
            event_log.record_stakes(link, round_id, stakes, self.at(each.locked_ms))
            event_log.step(link, self.at(each.locked_ms))
        else:
            event_log.step(link, self.at(each.closed_ms))
            self.told.append((round_id, each))
            if self.at_once:
                self.settle(0)

    @transaction.atomic
    def settle(self, which: int) -> None:
        round_id, each = self.told.pop(which % len(self.told))
        link, closed_at = self.links[each.table], self.at(each.closed_ms)
        if each.void:
            stake = Wager(f"{round_id}-2", "jackpot", dollars(1), 2)
            event_log.return_stakes(link, round_id, [stake], closed_at, "test")
        hits = [Hit(Wager(f"{round_id}-1", "jackpot", dollars(1), 1), each.hand, "test")] if each.hand else []
        event_log.decide(
            link, round_id, hits, {1: {Moment.DECIDING.value: self.at(each.locked_ms)}}, closed_at
        )

    @transaction.atomic
    def beat(self, code: str) -> None:
        waits = self.untold[code]
        ms = (waits[0][2].locked_ms if waits[0][0] == "lock" else waits[0][2].closed_ms) if waits else 1_000
        event_log.beat(self.links[code], self.at(ms))

    def act(self, what: str, code: str, which: int) -> None:
        if what == "tell" and self.untold[code]:
            self.tell(code)
        elif what == "beat":
            self.beat(code)
        elif what == "settle" and self.told:
            self.settle(which)
        elif what == "fold" and not self.at_once:
            fold(self.progressive.pk)

    def end(self) -> tuple[Any, Any]:
        for code in CODES:
            while self.untold[code]:
                self.tell(code)
            self.beat(code)
        while self.told:
            self.settle(-1)
        fold(self.progressive.pk)
        assert broken_identities(self.progressive.pk) == []
        wins = Win.objects.filter(progressive=self.progressive)
        paid = sorted((self.names[w.round_id], w.seat, w.trigger, w.amount_micros) for w in wins)
        pots = sorted(Meter.objects.values_list("level", "base_micros", "increment_micros", "reserve_micros"))
        return paid, pots


@pytest.fixture
def progressive(standing_floor: Floor) -> Progressive:
    made = standing_floor.progressive
    time.sleep(1.1)  # the nights below end a second after the tables opened
    return made


def played(progressive: Progressive, rounds: list[Played], acts: Acts, *, at_once: bool) -> Any:
    with transaction.atomic():
        night = Night(progressive, rounds, at_once=at_once)
        for act in acts:
            night.act(*act)
        ended = night.end()
        transaction.set_rollback(True)
    return ended


@settings(
    max_examples=examples(6, soak=240),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rounds=nights(), acts=ACTS)
def test_the_speed_of_workers_moves_no_money(
    progressive: Progressive, rounds: list[Played], acts: Acts
) -> None:
    """Against a worker that settles each round as soon as it is told, and one fold at the end."""
    assert played(progressive, rounds, acts, at_once=False) == played(progressive, rounds, acts, at_once=True)
