"""Void wagers at a table in several progressives: each takes back what it gave, where it gave it, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Event, Progressive
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from rules.contract import Wager
from rules.money import dollars, format_money
from rules.progressive import ContributionSource, Fixed, GrowingOdds, Level, Mode, Prize, Stage, preset
from tables.floor.opening import create_table, link_table, open_table
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests import log_verbs as event_log
from tests.floor import Floor, linked_log, new_round_id
from tests.terminal import Terminal


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def meter(progressive: Progressive) -> str:
    return format_money(progressive.meters.get().value_micros)


def test_a_void_wager_leaves_the_progressives_of_other_wagers_alone(floor: Floor) -> None:
    """Left feeds harbour's progressive, right lakeside's; only the left wager is void."""
    prize = Stage(Mode.LOCK_RESEED, (Prize("flush", "pot", Fixed(dollars(1)), "house 1"),), "house 2")
    rules = replace(
        preset("nz-1996-viii", Level("pot", seed_micros=dollars(50), increment_bp=8_000)),
        schedule="",
        triggers=("flush",),
        stages=(prize,),
    )
    left = create_progressive("test", floor.harbour, "left", "Left", rules)
    right = create_progressive("test", floor.lakeside, "right", "Right", rules)
    wagers = [Wager("l1", "left", dollars(1), 1), Wager("r1", "right", dollars(2), 1)]
    with transaction.atomic():
        linked_log(left, floor.harbour, "X-1", ("left",))
        table_log = linked_log(right, floor.harbour, "X-1", ("right",))
        event_log.record_stakes(table_log, round_id := new_round_id(), wagers, timezone.now())
        event_log.return_stakes(table_log, round_id, wagers[:1], timezone.now(), "void")
        event_log.decide(table_log, round_id, [], {}, timezone.now())
        event_log.beat(table_log, timezone.now())
    returned = Event.objects.get(kind=Event.Kind.RETURN)
    assert {share.progressive.code: share.slice_micros for share in returned.shares.all()} == {
        "left": -dollars(1)
    }
    for progressive in (left, right):
        fold(progressive.pk)
        assert broken_identities(progressive.pk) == []
    assert (meter(left), meter(right)) == ("50.00", "51.60")
    assert balance("harbour/tables/X-1/bank") == dollars(2)
    assert balance("lakeside/due-from/harbour") == dollars(2)


def drawn(stake: str, **more: Any) -> dict[str, Any]:
    """A round of Live Draw with one wager that wins nothing."""
    return {
        "wagers": [{"id": "w1", "kind": "bet", "stake": stake, "seat": 1}],
        "dealt": {"deal": ["As", "Ks", "Qs", "9d", "3h"], "draw": ["2c", "4d", "7h", "8c", "Tc"]},
        "decisions": [],
        **more,
    }


def test_a_void_wager_is_not_looked_for_in_a_later_round(floor: Floor) -> None:
    """Terminals may name wagers alike in every round, and Live Draw's next round does not wait for a settlement. The
    odds that grow are fed by the house alone: of them the log holds no stakes to be found by."""
    draw = preset("gb-2011-16.28", Level("pot", seed_micros=dollars(500), increment_bp=100))
    grown = Prize("straight-flush", "pot", GrowingOdds(dollars(1)), "gb-2011 16.26")
    odds = create_progressive(
        "test",
        floor.harbour,
        "odds",
        "Odds",
        replace(
            draw,
            schedule="",
            source=ContributionSource.HOUSE,
            levels=(Level("pot", seed_micros=dollars(100)),),
            triggers=("straight-flush",),
            stages=(Stage(Mode.EACH_IN_FULL, (grown,), "gb-2011 16.26"),),
        ),
    )
    fund = create_progressive("test", floor.harbour, "fund", "Fund", draw)
    document = {
        "game": "live-draw-poker",
        "rulebook": "gb-2011",
        "options": {"progressive": True, "growing": ["straight-flush"]},
        "limits": {"kinds": {"bet": {"minimum": "1.00", "maximum": "20.00"}}},
    }
    table = create_table("test", floor.harbour, "LD-01", document)
    for progressive in (odds, fund):
        link_table("test", table, progressive, ["bet"])
    open_table(table.pk, floor.people["sefa"])
    terminal = Terminal(
        "LD-01",
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda n, at: None,
        timezone.now,
    )
    rounds: list[UUID] = [uuid4(), uuid4()]
    terminal.event("round", rounds[0], drawn("5.00", irregularities=[{"kind": "void-hand", "seat": 1}]))
    terminal.event("round", rounds[1], drawn("10.00"))
    while settle_batch().settled:
        pass
    intake.heartbeat(table.pk, terminal.number, timezone.now())
    fold(fund.pk)
    assert Event.objects.get(kind=Event.Kind.RETURN).body["wagers"][0]["stake"] == "5.00"
    # 0.05 came and went; 1% of the 10.00 is there to stay
    assert meter(fund) == "500.10"
    assert broken_identities(fund.pk) == []
