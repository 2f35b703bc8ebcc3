"""A table in several progressives, a share of ordinary wagers, and modes that look at the whole round: each through the
door of the terminals, with amounts worked out by hand."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Event, Progressive, Share, UndecidedRound, Win
from jackpots.set_up.configure import create_progressive
from jackpots.signs.frames import snapshot
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from rules.contract import Hit, Wager
from rules.money import dollars, format_money
from rules.progressive import (
    Amount,
    ContributionSource,
    Fixed,
    GrowingOdds,
    Level,
    Mode,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Stage,
    preset,
)
from tables.floor.opening import create_table, link_table, open_table
from tables.models import Round, Table
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests import log_verbs as event_log
from tests.floor import Floor, linked_log, new_round_id
from tests.terminal import PLAIN, Terminal, stud_round

DEALER = "As Kc 9c 5s 3s"
FLUSH = "2d 5d 7d 9d Qd"
ROYAL = "Th Jh Qh Kh Ah"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    time.sleep(0.3)  # what follows was locked after the tables opened, and lies in the past
    return made


def own_rules(level: Level, **prizes: Amount) -> ProgressiveRules:
    """An operator's own schedule: these hands alone, by seats, whatever the rulebook gives elsewhere."""
    return on_stages(
        level,
        Stage(
            Mode.LOCK_RESEED,
            tuple(
                Prize(hand.replace("_", "-"), level.name, amount, "house 1")
                for hand, amount in prizes.items()
            ),
            "house 2",
        ),
    )


def on_stages(level: Level, *stages: Stage) -> ProgressiveRules:
    hands = tuple(dict.fromkeys(prize.trigger for stage in stages for prize in stage.prizes))
    return replace(preset("nz-1996-viii", level), schedule="", triggers=hands, stages=stages)


def play(table: Table, body: dict[str, Any]) -> Round:
    table.refresh_from_db()
    terminal = Terminal(
        table.code,
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda n, at: None,
        timezone.now,
        number=table.last_event,
    )
    round_id = uuid4()
    terminal.event("round", round_id, body)
    while settle_batch().settled:
        pass
    return Round.objects.get(uid=round_id)


def fold_all() -> None:
    """Every open table vouches for now; then all that is final is folded, and every identity holds."""
    for table in Table.objects.filter(table_log__is_open=True):
        intake.heartbeat(table.pk, table.last_event, timezone.now())
    for progressive in Progressive.objects.order_by("pk"):
        fold(progressive.pk)
        snapshot(progressive.pk)
        assert broken_identities(progressive.pk) == []


def paid(progressive: Progressive) -> list[tuple[int, str, str]]:
    wins = Win.objects.filter(progressive=progressive).order_by("pk")
    return [(win.seat, win.trigger, format_money(win.amount_micros)) for win in wins]


def meter(progressive: Progressive, level: str = "pot") -> str:
    return format_money(progressive.meters.get(level=level).value_micros)


def stud(hands: dict[int, str]) -> dict[str, Any]:
    return stud_round(hands, first_card=timezone.now() - timedelta(milliseconds=5), dealer=DEALER)


@pytest.fixture
def three(floor: Floor) -> tuple[Progressive, Progressive]:
    """CS-01 in the stud jackpot of all stud tables, in a mini of its own, and in a wide one of both premises."""
    mini = create_progressive(
        "test",
        floor.harbour,
        "mini",
        "Mini",
        own_rules(Level("pot", seed_micros=dollars(100), increment_bp=1_000), flush=Fixed(dollars(20))),
    )
    wide = create_progressive(
        "test",
        floor.lakeside,
        "wide",
        "Wide",
        own_rules(
            Level("pot", seed_micros=dollars(1000), increment_bp=500), royal_flush=PercentOfMeter(10_000)
        ),
    )
    link_table("test", floor.tables["CS-01"], mini, ["jackpot"])
    link_table("test", floor.tables["CS-01"], wide, ["jackpot"])
    link_table("test", floor.tables["CS-03"], wide, ["jackpot"])
    return mini, wide


def test_one_wager_feeds_three_progressives_and_its_shares_add_up(
    floor: Floor, three: tuple[Progressive, Progressive]
) -> None:
    mini, wide = three
    play(floor.tables["CS-01"], stud({1: PLAIN[0], 2: PLAIN[1]}))
    event = Event.objects.get()
    # 2.00 wagered: mini 10%, wide 5%; stud takes its 80% and the rest of 5% for the house
    assert {share.progressive.code: share.slice_micros for share in event.shares.all()} == {
        "stud": 1_700_000,
        "mini": 200_000,
        "wide": 100_000,
    }
    assert {share.stake_micros for share in event.shares.all()} == {2_000_000}
    fold_all()
    assert (meter(mini), meter(wide), meter(floor.progressive, "grand")) == ("100.20", "1000.10", "20001.20")
    assert balance("harbour/jackpots/stud/house") == -100_000  # the 5% that no progressive takes
    # wide is hosted at lakeside: harbour owes what its table took for it
    assert balance("harbour/due-to/lakeside") == -100_000
    assert balance("lakeside/due-from/harbour") == 100_000


def test_one_hit_wins_from_each_progressive_that_has_a_prize_for_it(
    floor: Floor, three: tuple[Progressive, Progressive]
) -> None:
    mini, wide = three
    play(floor.tables["CS-01"], stud({1: FLUSH, 2: PLAIN[2]}))
    play(floor.tables["CS-01"], stud({1: PLAIN[0], 3: ROYAL}))
    fold_all()
    # a flush: 100 off stud's minor by 12.1(e) and 20 off the mini; a royal: both whole meters
    assert paid(mini) == [(1, "flush", "20.00")]
    assert paid(wide) == [(3, "royal-flush", "1000.20")]
    assert paid(floor.progressive) == [(1, "flush", "100.00"), (3, "royal-flush", "20002.40")]
    assert (meter(mini), meter(wide)) == ("80.40", "1000.00")
    assert Event.objects.filter(kind="hits").count() == 2, (
        "one event a round, with a share for each that pays"
    )
    assert not UndecidedRound.objects.exists()


def test_a_progressive_waits_for_its_own_tables_only(
    floor: Floor, three: tuple[Progressive, Progressive]
) -> None:
    mini, wide = three
    play(floor.tables["CS-01"], stud({1: FLUSH}))
    play(floor.tables["CS-01"], stud({1: PLAIN[0], 3: ROYAL}))
    intake.heartbeat(floor.tables["CS-01"].pk, 2, timezone.now())
    for progressive in (mini, wide, floor.progressive):
        fold(progressive.pk)
    assert [len(paid(progressive)) for progressive in (mini, wide, floor.progressive)] == [1, 0, 0]
    table = floor.tables["CS-03"]
    intake.heartbeat(table.pk, table.last_event, timezone.now())
    fold(wide.pk)
    fold(floor.progressive.pk)
    assert [len(paid(progressive)) for progressive in (wide, floor.progressive)] == [1, 0]


def test_void_wagers_go_back_from_every_progressive(
    floor: Floor, three: tuple[Progressive, Progressive]
) -> None:
    """nz-1996 I 11: an invalidated round returns its wagers; what they gave goes back out of all three."""
    mini, wide = three
    body = stud({1: PLAIN[0], 2: PLAIN[1]})
    play(floor.tables["CS-01"], {**body, "irregularities": [{"kind": "invalidated"}]})
    fold_all()
    assert (meter(mini), meter(wide), meter(floor.progressive, "grand")) == ("100.00", "1000.00", "20000.00")
    assert balance("harbour/tables/CS-01/bank") == 0
    returned = Share.objects.filter(event__kind="return")
    assert {share.progressive.code: share.slice_micros for share in returned} == {
        "stud": -1_700_000,
        "mini": -200_000,
        "wide": -100_000,
    }


def test_two_jackpot_wagers_of_one_table_go_to_two_progressives(floor: Floor) -> None:
    rules = {
        kind: own_rules(
            Level("pot", seed_micros=dollars(50), increment_bp=rate), flush=PercentOfMeter(10_000)
        )
        for kind, rate in (("left", 5_000), ("right", 8_000))
    }
    pots = {
        kind: create_progressive("test", floor.harbour, kind, kind.title(), document)
        for kind, document in rules.items()
    }
    with transaction.atomic():
        linked_log(pots["left"], floor.harbour, "X-1", ("left",))
        table_log = linked_log(pots["right"], floor.harbour, "X-1", ("right",))
        wagers = [Wager("l1", "left", dollars(1), 1), Wager("r1", "right", dollars(2), 1)]
        event_log.record_stakes(table_log, round_id := new_round_id(), wagers, timezone.now())
        hit = Hit(wagers[1], "flush", "test")
        event_log.decide(table_log, round_id, [hit], {}, timezone.now(), entered=wagers)
        event_log.beat(table_log, timezone.now())
    for progressive in pots.values():
        fold(progressive.pk)
        assert broken_identities(progressive.pk) == []
    assert paid(pots["left"]) == []
    assert paid(pots["right"]) == [(1, "flush", "51.60")]  # 50 + 80% of 2.00
    assert meter(pots["left"]) == "50.50"


def test_the_house_share_goes_one_way_and_no_wager_is_given_twice(floor: Floor) -> None:
    greedy = create_progressive(
        "test", floor.harbour, "greedy", "Greedy",
        own_rules(Level("pot", seed_micros=dollars(1), increment_bp=2_001), flush=Fixed(dollars(1))),
    )  # fmt: skip
    with pytest.raises(Refused, match=r"100\.01% of a jackpot wager"):
        link_table("test", floor.tables["CS-01"], greedy, ["jackpot"])
    modest = create_progressive(
        "test", floor.harbour, "modest", "Modest",
        own_rules(Level("pot", seed_micros=dollars(1), increment_bp=1_000), flush=Fixed(dollars(1))),
    )  # fmt: skip
    with pytest.raises(Refused, match="exactly one of them"):
        link_table("test", floor.tables["CS-01"], modest, ["jackpot"], takes_rest=True)
    assert link_table("test", floor.tables["CS-01"], modest, ["jackpot"]).takes_rest is False


def test_the_house_share_goes_with_a_jackpot_whichever_is_linked_first(floor: Floor) -> None:
    """A fund of all wagers takes its share and no rest, so that a jackpot of the same wager can come after it."""
    fund = create_progressive(
        "test", floor.harbour, "fund", "Fund",
        preset("gb-2011-16.28", Level("pot", seed_micros=dollars(500), increment_bp=100)),
    )  # fmt: skip
    jackpot = create_progressive(
        "test", floor.harbour, "late", "Late",
        own_rules(Level("pot", seed_micros=dollars(50), increment_bp=8_000), flush=Fixed(dollars(1))),
    )  # fmt: skip
    with transaction.atomic():
        linked_log(fund, floor.harbour, "X-1", ("side",))
        table_log = linked_log(jackpot, floor.harbour, "X-1", ("side",))
        wager = Wager("s1", "side", dollars(2), 1)
        event = event_log.record_stakes(table_log, new_round_id(), [wager], timezone.now())
    assert event is not None
    # 1% of 2.00, and all the rest of it
    assert {share.progressive.code: share.slice_micros for share in event.shares.all()} == {
        "fund": 20_000,
        "late": 1_980_000,
    }


# ------------------------------------------------------------------------------- modes that look at the whole round


def alone_at(floor: Floor, code: str, *stages: Stage, seed: int = 1_000) -> tuple[Progressive, Table]:
    """A stud table that is linked to one progressive with these stages and to no other."""
    level = Level("pot", seed_micros=dollars(seed), increment_bp=7_000)
    progressive = create_progressive("test", floor.harbour, code.lower(), code, on_stages(level, *stages))
    table = create_table("test", floor.harbour, code, floor.tables["CS-01"].config.document)
    link_table("test", table, progressive, ["jackpot"])
    opened = open_table(table.pk, floor.people["sefa"])
    time.sleep(0.3)
    return progressive, opened


def test_best_hand_compares_hands_of_the_same_name(floor: Floor) -> None:
    tenth = Prize("straight-flush", "pot", PercentOfMeter(1_000), "house 3")
    progressive, table = alone_at(floor, "BH-01", Stage(Mode.BEST_HAND, (tenth,), "house 9"))
    # nine high, king high; then two of the same height divide the one prize
    play(table, stud({1: "9h 8h 7h 6h 5h", 2: "Kd Qd Jd Td 9d"}))
    fold_all()
    # 10% of 1,001.40
    assert sorted(paid(progressive)) == [(1, "straight-flush", "0.00"), (2, "straight-flush", "100.14")]
    play(table, stud({1: "9h 8h 7h 6h 5h", 2: "9d 8d 7d 6d 5d"}))
    fold_all()
    # 1,001.40 - 100.14 + 1.40 = 902.66; a tenth in two halves of 45.133, rounded up to the cent
    assert paid(progressive)[2:] == [(2, "straight-flush", "45.14"), (1, "straight-flush", "45.14")]


def test_envy_pays_everyone_else_who_was_in_the_round(floor: Floor) -> None:
    whole = Prize("royal-flush", "pot", PercentOfMeter(10_000), "house 3")
    bonus = Prize("royal-flush", "pot", Fixed(dollars(25)), "house 4", from_pool=False)
    progressive, table = alone_at(
        floor, "EN-01", Stage(Mode.LOCK_RESEED, (whole,), "house 1"), Stage(Mode.ENVY, (bonus,), "house 5")
    )
    body = stud({1: PLAIN[0], 2: ROYAL, 3: PLAIN[2]})
    body["wagers"] = [w for w in body["wagers"] if not (w["kind"] == "jackpot" and w["seat"] == 3)]
    play(table, body)
    fold_all()
    # seat 3 had no jackpot wager, so it was not in it
    assert paid(progressive) == [(2, "royal-flush", "1001.40"), (1, "royal-flush", "25.00")]
    envy = Win.objects.get(seat=1)
    assert envy.is_envy
    assert envy.hit["wager"]["seat"] == 2
    assert balance("harbour/jackpots/en-01/levels/pot/top-up") == dollars(1_000) + dollars(25)


# --------------------------------------------------------------------------------------- gb-2011 16.26 to 16.30

DRAW = {
    "game": "live-draw-poker",
    "rulebook": "gb-2011",
    "options": {"progressive": True, "growing": ["straight-flush"]},
    "limits": {"kinds": {"bet": {"minimum": "1.00", "maximum": "20.00"}}},
}


@pytest.fixture
def draw(floor: Floor) -> tuple[Table, Progressive, Progressive]:
    """A fund fed by 1% of all wagers, and odds of 100 for 1 that grow until a straight flush wins them."""
    fund = create_progressive(
        "test", floor.harbour, "fund", "Fund",
        preset("gb-2011-16.28", Level("pot", seed_micros=dollars(500), increment_bp=100)),
    )  # fmt: skip
    level = Level("pot", seed_micros=dollars(100))
    odds = Prize("straight-flush", "pot", GrowingOdds(dollars(1)), "gb-2011 16.26")
    growing = replace(
        preset("gb-2011-16.28", level),
        schedule="",
        source=ContributionSource.HOUSE,
        triggers=("straight-flush",),
        stages=(Stage(Mode.EACH_IN_FULL, (odds,), "gb-2011 16.26"),),
    )
    grown = create_progressive("test", floor.harbour, "odds", "Odds", growing)
    table = create_table("test", floor.harbour, "LD-01", DRAW)
    for progressive in (fund, grown):
        link_table("test", table, progressive, ["bet"])
    return open_table(table.pk, floor.people["sefa"]), fund, grown


def drawn(
    stakes: dict[int, list[str]], hold: dict[int, list[str]], cards: list[str], more: list[str]
) -> dict[str, Any]:
    return {
        "wagers": [
            {"id": f"w{seat}-{number}", "kind": "bet", "stake": stake, "seat": seat}
            for seat, each in stakes.items()
            for number, stake in enumerate(each)
        ],
        "dealt": {"deal": cards, "draw": more},
        "decisions": [{"kind": "hold", "seat": seat, "value": held} for seat, held in hold.items()],
    }


SPADES = ["As", "Ks", "Qs", "9d", "3h"]


def test_16_29_every_wager_feeds_the_fund_and_16_28_a_royal_wins_it(
    floor: Floor, draw: tuple[Table, Progressive, Progressive]
) -> None:
    table, fund, _ = draw
    body = drawn(
        {1: ["5.00"], 2: ["10.00"]}, {1: SPADES[:3], 2: ["As"]}, SPADES, ["Js", "Ts", "2c", "4d", "7h"]
    )
    round = play(table, body)
    assert round.state == Round.State.SETTLED, round.error
    fold_all()
    # 1% of 15.00; the royal of seat 1 is paid by its odds too (table-1: 250 for 1 of 5.00)
    assert paid(fund) == [(1, "royal-flush", "500.15")]
    assert format_money(round.lines.get(seat=1).winnings_micros) == "1245.00"
    assert balance("harbour/tables/LD-01/jackpot-share") == 150_000


def test_16_21_two_wagers_of_one_seat_and_16_30_one_share_a_player(
    floor: Floor, draw: tuple[Table, Progressive, Progressive]
) -> None:
    table, fund, _ = draw
    body = drawn({1: ["5.00", "2.00"], 4: ["3.00"]}, {1: SPADES[:3], 4: SPADES[:3]}, SPADES, ["Js", "Ts"])
    assert play(table, body).state == Round.State.SETTLED
    fold_all()
    # 500.10 for two players; the second wager of seat 1 adds no share
    assert paid(fund) == [
        (4, "royal-flush", "250.05"),
        (1, "royal-flush", "250.05"),
        (1, "royal-flush", "0.00"),
    ]


def test_16_26_grown_odds_are_paid_by_their_meter(
    floor: Floor, draw: tuple[Table, Progressive, Progressive]
) -> None:
    table, fund, grown = draw
    cards = ["9s", "8s", "7s", "2d", "2h"]
    body = drawn({1: ["2.00"]}, {1: cards[:3]}, cards, ["6s", "5s"])
    round = play(table, body)
    fold_all()
    # 100 for 1 on 2.00; the fund got its 1% and pays nothing
    assert paid(grown) == [(1, "straight-flush", "200.00")]
    assert paid(fund) == []
    assert meter(fund) == "500.02"
    line = round.lines.get()
    assert (line.outcome, line.winnings_micros, line.returned_micros) == ("win", 0, 0)


def test_a_void_bet_and_a_part_above_the_maximum_feed_nothing(
    floor: Floor, draw: tuple[Table, Progressive, Progressive]
) -> None:
    table, fund, _ = draw
    # 30.00 at a maximum of 20.00 counts as 20.00
    body = drawn({1: ["30.00"], 2: ["4.00"]}, {}, SPADES, ["2c", "4d", "7h", "8c", "Tc"])
    play(table, body)
    fold_all()
    assert meter(fund) == "500.24"
    # declared void, it takes back what it gave: 0.20, not a share of the 10.00 that never came in
    void = [{"kind": "void-hand", "seat": 1}]
    assert play(table, {**body, "irregularities": void}).state == Round.State.SETTLED
    fold_all()
    assert meter(fund) == "500.28"
    assert balance("harbour/tables/LD-01/jackpot-share") == 280_000
