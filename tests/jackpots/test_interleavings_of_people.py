"""What people do while a night is played, whenever they do it and whenever anything is folded: other rules armed for
the next win of a whole meter or from a gaming day, contributions that look wrong accepted or returned, small prizes
handed out before their turn. Payments and pots equal a plain replay of what was sent and of what people have said.

The reference folds by `rules.progressive` alone. From the rows it takes only what nobody could know beforehand: where
an arming and an acceptance came to stand, and by whose rates a wager was taken while rules were armed for a win.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from config.kit.refusals import Refused
from jackpots.fold import folding
from jackpots.fold.folding import fold
from jackpots.log import suspects
from jackpots.models import (
    Advance,
    ConfigChange,
    HeldContribution,
    HeldSettlement,
    Meter,
    Progressive,
    Share,
    TableLog,
    Win,
)
from jackpots.order import server_clock
from jackpots.order.by_place import pending_hits
from jackpots.order.server_clock import ServerTime
from jackpots.set_up import changes, drafts
from jackpots.set_up.drafts import Draft, Settings
from jackpots.verify.identities import broken_identities
from jackpots.wins import advances, hand_pay
from ledger.books.balances import balance
from people.approvals import approvals
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import (
    Contribution,
    Hits,
    ProgressiveRules,
    Resolution,
    State,
    opening_state,
    resolve_in_order,
    split,
)
from tests import log_verbs as event_log
from tests.examples import examples
from tests.floor import Floor, fill, make_floor, open_cage, stud_rules
from tests.jackpots.test_interleavings import CODES, DECIDING, Played, Sender, nights

OLD = stud_rules()
NEW = replace(
    OLD, levels=(replace(OLD.levels[0], increment_bp=5_000, seed_micros=dollars(30_000)), OLD.levels[1])
)
"""0.50 to the grand instead of 0.60, and a seed of 30,000."""
BIG = dollars(3)
"""What seat 1 of some rounds wagers: above what looks right."""
CHECKED = {"hand_confirmed": True, "deck_counted": True}
PLACES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside"}
Key = tuple[datetime, str, str, int, int]


def is_big(played: Played) -> bool:
    return played.locked_ms % 3 == 0


class People(Sender):
    """The tables' terminals, and two people beside them."""

    def __init__(self, floor: Floor, rounds: list[Played]) -> None:
        super().__init__(floor.progressive, rounds)
        self.floor = floor
        self.effect: datetime | None = None
        self.sefa, self.jan, self.fiona = (floor.people[name] for name in ("sefa", "jan", "fiona"))
        self.played = dict(zip(self.names, rounds, strict=True))

    def wagers(self, round_id: int, each: Played) -> list[Wager]:
        stakes = {
            seat: BIG if is_big(each) and seat == 1 else dollars(1) for seat in range(1, each.seats + 1)
        }
        return [Wager(f"{round_id}-{seat}", "jackpot", micros, seat) for seat, micros in stakes.items()]

    @transaction.atomic
    def send_next(self, code: str) -> None:
        step, round_id, each = self.queues[code].pop(0)
        wagers = self.wagers(round_id, each)
        if step == "stakes":
            event_log.record_stakes(self.links[code], round_id, wagers, self.at(code, each.locked_ms))
            return
        hits = [Hit(wagers[seat - 1], hand, "test") for seat, hand in each.hands]
        moments = {seat: {DECIDING: self.at(code, each.hit_ms)} for seat, _ in each.hands}
        event_log.decide(self.links[code], round_id, hits, moments, self.at(code, each.hit_ms + 1))

    def now(self) -> datetime:
        """The instant of an act: after all that was told, and all that is final."""
        progressive = Progressive.objects.get(pk=self.floor.progressive.pk)
        told = [log.last_place for log in TableLog.objects.all() if log.last_place]
        return max([self.start, progressive.final_until or self.start, *told])

    def change(self, dated_ms: int | None) -> None:
        """Other rules; with a figure: from an instant so long after the act, as if a gaming day began there."""
        found = Progressive.objects.select_related("host", "config").get(pk=self.floor.progressive.pk)
        if ConfigChange.objects.exists():
            return
        now = self.now()
        effect = None if dated_ms is None else now + timedelta(milliseconds=dated_ms, microseconds=37)
        with (
            patch.object(server_clock, "known", lambda *_: ServerTime(now, None)),
            patch.object(drafts, "day_start", lambda *_: effect),
        ):
            day = None if effect is None else date(2030, 1, 1)
            draft = Draft(found.code, found.host, NEW, Settings.of(found), found, day)
            approvals.approve(changes.request_setup(draft, self.jan, "trial"), self.fiona)
        self.effect = effect

    def accept(self) -> None:
        held = suspects.waiting().first()
        if held is not None:
            suspects.accept(held.pk, self.sefa, reason="seven seats")

    def give_back(self) -> None:
        held = suspects.waiting().first()
        if held is not None:
            with suppress(Refused), transaction.atomic():  # its round may still win, or has won
                asked = suspects.request_return(held.pk, self.sefa, reason="counted twice")
                approvals.approve(asked, self.jan)

    def hand_out(self) -> None:
        for share in pending_hits(self.floor.progressive):
            for offer in advances.offers(advances.waiting_hand(share.pk) or share):
                if not offer.why_not:
                    given = {"wager": offer.payment.wager.id, "trigger": offer.payment.trigger}
                    with suppress(Refused), transaction.atomic():  # its turn has come
                        advances.hand_out(share.pk, self.sefa, **given, confirmations=CHECKED)


def key(code: str, place: datetime, round_id: int, kind: int) -> Key:
    return place, PLACES[code], code, round_id, kind


def events(people: People) -> Iterator[tuple[Key, Any]]:
    """What was sent, and what people have said of it."""
    for round_id, each in people.played.items():
        stakes = sum(wager.stake for wager in people.wagers(round_id, each))
        place = people.at(each.table, each.locked_ms)
        held = HeldContribution.objects.filter(event__round_id=round_id).first()
        assert (held is not None) == is_big(each), "a wager above 2.00 looks wrong"
        share = Share.objects.filter(event__round_id=round_id, event__kind="stakes").first()
        row = held or share
        assert row is not None
        levels = row.config.rules.levels
        if people.effect is not None:
            assert levels == (NEW if place >= people.effect else OLD).levels, (
                "dated rules hold by the lock's place"
            )
        if held is not None:
            assert (share is None) == (
                getattr(held, "settlement", None) is None or held.settlement.share is None
            )
        if share is not None:
            assert share.place >= place if held is not None else share.place == place
            yield (
                key(each.table, share.place, round_id, 0),
                Contribution(f"c{round_id}", split(stakes, levels)),
            )
        if each.hands:
            wagers = people.wagers(round_id, each)
            won = tuple(Hit(wagers[seat - 1], hand, "test") for seat, hand in each.hands)
            yield (
                key(each.table, people.at(each.table, each.hit_ms), round_id, 1),
                Hits(people.names[round_id], won),
            )


def reference(people: People) -> tuple[list[tuple[str, int, str, int]], dict[str, int]]:
    change = ConfigChange.objects.first()
    armed_from = change.place if change is not None and people.effect is None else None
    rules: ProgressiveRules = OLD
    state: State = opening_state(OLD)
    paid: list[tuple[str, int, str, int]] = []
    for (place, *_), event in sorted(events(people), key=lambda pair: pair[0]):
        if people.effect is not None and place >= people.effect:
            rules = NEW
        history = resolve_in_order(rules, state, [event])
        state, outcome = history.state, history.outcomes[0]
        if isinstance(outcome, Resolution):
            paid += [(event.name, p.seat, p.trigger, p.amount_micros) for p in outcome.payments]
            if outcome.levels_won and armed_from is not None and place >= armed_from:
                rules, armed_from = NEW, None
    return sorted(paid), {level.name: level.meter_micros for level in state.levels}


def run(people: People, schedule: list[tuple[str, int]]) -> tuple[Any, Any]:
    acts: dict[str, Callable[[int], Any]] = {
        "arm": lambda n: people.change(None),
        "date": people.change,
        "accept": lambda n: people.accept(),
        "return": lambda n: people.give_back(),
        "advance": lambda n: people.hand_out(),
        "fold": lambda n: fold(people.floor.progressive.pk),
        "send": lambda n: people.send_next(CODES[n % 3]) if people.queues[CODES[n % 3]] else None,
        "beat": lambda n: people.beat(CODES[n % 3]),
    }
    for act, number in schedule:
        acts[act](number)
    for code in CODES:
        while people.queues[code]:
            people.send_next(code)
        people.beat(code)
    fold(people.floor.progressive.pk)
    found = Win.objects.filter(progressive=people.floor.progressive)
    paid = sorted((people.names[win.round_id], win.seat, win.trigger, win.amount_micros) for win in found)
    meters = {meter.level: meter.value_micros for meter in Meter.objects.all()}
    return paid, meters


def settle_advances(people: People) -> None:
    """What was handed out is what its win came to, and its win is paid by it alone."""
    assert balance("harbour/jackpots/stud/advances") == sum(
        each.paid_micros for each in Advance.objects.all()
    )
    for advance in Advance.objects.all():
        win = Win.objects.get(share=advance.share, wager_id=advance.wager_id, trigger=advance.trigger)
        assert win.amount_micros == advance.amount_micros
        hand_pay.verify(win.pk, people.sefa, CHECKED)
        with pytest.raises(Refused, match="has handed out"), transaction.atomic():
            hand_pay.pay(win.pk, people.sefa, "cash")
        hand_pay.pay(win.pk, people.sefa, "advance")
    assert balance("harbour/jackpots/stud/advances") == 0


ACTS = ["send"] * 6 + ["beat"] * 3 + ["fold"] * 3 + ["arm", "date", "accept", "accept", "return", "advance"]
SCHEDULE = st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 30)), max_size=60)


@pytest.fixture
def floor(db: None, tmp_path: Any, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = make_floor(suspect_stake_micros=dollars(2), pay_alone_limit_micros=dollars(150))
    open_cage(made.harbour)
    for table in made.tables.values():
        fill(table, dollars(10_000))
    time.sleep(1.2)  # the nights below last up to 60 ms; all of it lies in the past, and every hit is public
    return made


ROYAL_TWICE = [Played("CS-01", 1, 1, ((1, "royal-flush"),)), Played("CS-01", 10, 1, ((1, "royal-flush"),))]
FLUSH_THEN_ROYAL = [Played("CS-01", 1, 1, ((1, "flush"),)), Played("CS-02", 3, 1, ((1, "royal-flush"),))]


@settings(
    max_examples=examples(10, soak=400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rounds=nights(), schedule=SCHEDULE)
@example(  # armed while the first royal waits: the second one brings the new rules, which a third wager is taken by
    rounds=[*ROYAL_TWICE, Played("CS-01", 20, 2, ())],
    schedule=[("send", 0), ("send", 0), ("arm", 0), ("send", 0), ("send", 0)],
)
@example(rounds=ROYAL_TWICE, schedule=[("send", 0), ("send", 0), ("date", 3), ("beat", 1), ("fold", 0)])
@example(  # handed out while CS-02's earlier moment is not told; what CS-02 brings looks wrong and is let in
    rounds=FLUSH_THEN_ROYAL,
    schedule=[("send", 0), ("send", 0), ("advance", 0), ("send", 1), ("accept", 0), ("fold", 0)],
)
@example(  # what looks wrong goes back once its round is decided, and feeds nothing
    rounds=[Played("CS-01", 3, 2, ()), Played("CS-02", 7, 1, ((1, "royal-flush"),))],
    schedule=[("send", 0), ("return", 0), ("send", 0), ("return", 0), ("fold", 0)],
)
def test_whatever_people_do_meanwhile_the_replay_pays_the_same(
    floor: Floor, rounds: list[Played], schedule: list[tuple[str, int]]
) -> None:
    with transaction.atomic():
        people = People(floor, rounds)
        assert run(people, schedule) == reference(people)
        assert broken_identities(floor.progressive.pk) == []
        settle_advances(people)
        assert broken_identities(floor.progressive.pk) == []
        transaction.set_rollback(True)


def test_the_examples_are_not_empty(floor: Floor) -> None:
    """Else the above would compare nights in which nobody did anything."""
    people = People(floor, FLUSH_THEN_ROYAL)
    run(people, [("send", 0), ("send", 0), ("advance", 0), ("send", 1), ("accept", 0), ("fold", 0)])
    assert (Advance.objects.count(), HeldSettlement.objects.filter(kind="accepted").count()) == (1, 1)


def test_a_fold_that_forgot_the_arming_would_be_noticed(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People(floor, [*ROYAL_TWICE, Played("CS-01", 20, 2, ())])
    monkeypatch.setattr(folding, "armed_of", lambda progressive: None)
    schedule = [
        ("send", 0),
        ("send", 0),
        ("arm", 0),
        ("send", 0),
        ("send", 0),
        ("beat", 1),
        ("beat", 2),
        ("beat", 0),
    ]
    found = run(people, [*schedule, ("fold", 0), ("send", 0), ("send", 0)])
    assert found != reference(people)
