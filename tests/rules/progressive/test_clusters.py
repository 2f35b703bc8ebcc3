"""Clusters, admissible orders and what they pay, worked by hand. One meter of 20,000 with a seed of 10,000, by the
nz-1996 schedule: a royal takes it all (at least 10,000), a straight flush a tenth (at least 1,000), a flush 100."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rules.contract import Hit, Wager
from rules.errors import RuleError
from rules.money import format_money
from rules.progressive import Contribution, Hits, Level, ProgressiveRules, Reseed, Return, preset, split
from rules.progressive.clusters import (
    ClusterDecision,
    HitRound,
    Kind,
    Order,
    PlacedEvent,
    Ruling,
    admissible_orders,
    clusters,
    decide,
    is_complete,
    positions,
    refuse_ruling,
)
from rules.progressive.fold import NO_RULINGS, Progress, RulingLimits, Rulings, fold
from rules.progressive.places import Placed
from rules.progressive.pools import Movement
from rules.progressive.resolve import Resolution
from tests.rules.progressive.cases import m, meter, pots

RULES = preset("nz-1996-viii", Level("jackpot", seed_micros=m("10000.00"), increment_bp=7_000))
STATE = pots(RULES, "20000.00")
HANDS = {"r": "royal-flush", "s": "straight-flush", "f": "flush"}


def hit(text: str) -> HitRound:
    """'s1 10 15 20' is a straight flush of table 1 at place 15, between 10 and 20; '... late', '... lock=12'."""
    name, earliest, place, latest, *flags = text.split()
    lock = next((int(flag.removeprefix("lock=")) for flag in flags if "=" in flag), int(earliest))
    moment = Placed(int(place), int(earliest), int(latest), int(latest), "late" in flags)
    wager = Wager(f"w-{name}", "jackpot", m("1.00"), 1, f"p-{name}")
    hits = Hits(name, (Hit(wager, HANDS[name[0]], "test"),))
    return HitRound(name[1], int(name[2:] or 1), moment, lock, hits)


def wager(place: int, stake: str = "100.00", table: str = "9") -> PlacedEvent:
    """A contribution: 70% of it reaches the meter."""
    return PlacedEvent(place, table, place, Contribution(f"c{place}", split(m(stake), RULES.levels)))


def names(order: Order) -> str:
    return " ".join(hit.name for hit in order)


# ---------------------------------------------------------------------------------------------------- clusters


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["s1 10 15 20", "s2 15 16 30", "s3 31 35 40"], ["s1 s2", "s3"]),
        # they touch: nobody knows
        (["s1 10 15 20", "s2 20 21 30"], ["s1 s2"]),
        # 1 and 3 are certain, but each overlaps 2
        (["s1 10 15 20", "s2 15 16 30", "s3 25 35 40"], ["s1 s2 s3"]),
        # a wide one reaches over several
        (["s1 10 90 100", "s2 15 16 17", "s3 95 96 97"], ["s2 s1 s3"]),
        ([], []),
    ],
)
def test_clusters(given: list[str], expected: list[str]) -> None:
    assert [names(cluster) for cluster in clusters(map(hit, given))] == expected


def test_a_cluster_is_complete_when_the_limit_has_passed_its_last_bound() -> None:
    (cluster,) = clusters(map(hit, ["s1 10 15 20", "s2 15 16 30"]))
    assert not is_complete(cluster, 30)
    assert is_complete(cluster, 31)


THREE = ["s1 10 15 20", "s2 15 16 30", "s3 25 35 40"]


@pytest.mark.parametrize(
    ("given", "rulings", "expected"),
    [
        # 1 before 3 by their intervals
        (THREE, [], ["s1 s2 s3", "s1 s3 s2", "s2 s1 s3"]),
        (THREE, [("s3", "s2")], ["s1 s3 s2"]),
        (THREE, [("s2", "s1")], ["s2 s1 s3"]),
        # rounds of one table in their order
        (["s1 10 15 20", "s12 10 15 20"], [], ["s1 s12"]),
        # they touch: either may have been first
        (["s1 10 15 20", "s2 20 21 30"], [], ["s1 s2", "s2 s1"]),
        # through a third: 2 before 1 before 3
        (["s1 10 15 20", "s2 10 15 20", "s3 10 15 20"], [("s2", "s1"), ("s1", "s3")], ["s2 s1 s3"]),
        # a circle has no order
        (THREE, [("s3", "s2"), ("s2", "s1")], []),
    ],
)
def test_admissible_orders(given: list[str], rulings: list[tuple[str, str]], expected: list[str]) -> None:
    (cluster,) = clusters(map(hit, given))
    found = admissible_orders(cluster, [Ruling(*pair) for pair in rulings])
    assert [names(order) for order in found] == expected


def test_a_ruling_against_what_is_certain_is_refused() -> None:
    (cluster,) = clusters(map(hit, THREE))
    refuse_ruling(cluster, [], [Ruling("s2", "s1")])
    for pairs in ([("s3", "s1")], [("s2", "s1"), ("s3", "s2")]):
        with pytest.raises(RuleError, match="certain"):
            refuse_ruling(cluster, [], [Ruling(*pair) for pair in pairs])
    with pytest.raises(RuleError, match="one cluster"):
        refuse_ruling(cluster, [], [Ruling("s1", "s7")])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        # by place: each at its own
        (["s1 10 15 20", "s2 12 16 30"], (15, 16)),
        # 2 first: at its own place 16, which 1 may still follow; 1 right behind it
        (["s2 12 16 30", "s1 10 15 20"], (16, 16)),
        # 2 first, but 1 was at 20 at the latest: 2 is drawn forward to 20
        (["s2 12 25 30", "s1 10 15 20"], (20, 20)),
        # never before its own lock, not even to the bound of the one behind it
        (["s2 12 25 30 lock=22", "s1 10 15 20"], (22, 22)),
        # drawn to the earliest bound of all behind it, not of the next one only
        (["s3 10 40 50", "s2 12 25 30", "s1 10 15 20"], (20, 20, 20)),
        # never before the hit it follows
        (["s2 12 25 30 lock=22", "s1 10 15 20", "s3 10 21 50"], (22, 22, 22)),
    ],
)
def test_positions(order: list[str], expected: tuple[int, ...]) -> None:
    assert positions(tuple(map(hit, order))) == expected


# -------------------------------------------------------------------------------------------------- comparison


def run(
    given: Sequence[str], others: Sequence[PlacedEvent] = (), rules: ProgressiveRules = RULES, **more: object
) -> ClusterDecision:
    (cluster,) = clusters(map(hit, given))
    return decide(rules, pots(rules, "20000.00"), cluster, others, **more)  # type: ignore[arg-type]


def paid(decision: ClusterDecision) -> dict[str, str]:
    assert decision.history is not None
    return {p.wager.id.removeprefix("w-"): format_money(p.amount_micros) for p in decision.history.payments}


def added(decision: ClusterDecision) -> dict[str, str]:
    return {p.round: format_money(p.amount_micros) for p in decision.added}


# Straight flush first: 2,000 and 18,000. Royal first: 20,000, and a tenth of the new 10,000.
SF_FIRST = ["s1 10 15 20", "r2 10 16 20"]
ROYAL_FIRST = ["r1 10 15 20", "s2 10 16 20"]


def test_best_admissible_within_the_limit() -> None:
    decision = run(SF_FIRST, limit_micros=m("2000.00"))
    assert decision.kind is Kind.BEST
    assert paid(decision) == {"s1": "2000.00", "r2": "18000.00"}
    assert added(decision) == {"r2": "2000.00"}
    decision = run(ROYAL_FIRST, limit_micros=m("1000.00"))
    assert decision.kind is Kind.BEST
    assert paid(decision) == {"r1": "20000.00", "s2": "1000.00"}
    assert added(decision) == {"s2": "1000.00"}


@pytest.mark.parametrize(("given", "limit"), [(SF_FIRST, "1999.99"), (ROYAL_FIRST, "999.99")])
def test_above_the_limit_people_rule(given: list[str], limit: str) -> None:
    decision = run(given, limit_micros=m(limit))
    assert (decision.kind, decision.history, decision.events) == (Kind.RULING, None, ())
    tell = {
        option.order: {p.round: format_money(p.amount_micros) for p in option.paid}
        for option in decision.options
    }
    royal = next(text.split()[0] for text in given if text[0] == "r")
    straight = next(text.split()[0] for text in given if text[0] == "s")
    assert tell == {
        (straight, royal): {straight: "2000.00", royal: "18000.00"},
        (royal, straight): {straight: "1000.00", royal: "20000.00"},
    }


def test_a_late_hit_is_for_people_whatever_the_limit() -> None:
    late = [SF_FIRST[0], SF_FIRST[1] + " late"]
    assert run(late, limit_micros=m("2000.00")).kind is Kind.RULING
    best = run(late, pay_best=True)
    assert (best.kind, added(best)) == (Kind.BEST, {"r2": "2000.00"})


def test_a_ruling_decides() -> None:
    decision = run(SF_FIRST, rulings=[Ruling("r2", "s1")])
    assert decision.kind is Kind.BY_PLACE
    assert paid(decision) == {"r2": "20000.00", "s1": "1000.00"}
    decision = run(SF_FIRST, rulings=[Ruling("s1", "r2")])
    assert paid(decision) == {"s1": "2000.00", "r2": "18000.00"}


def test_where_orders_pay_the_same_nobody_is_asked() -> None:
    # 100 each and 19,800 left, late or not
    decision = run(["f1 10 15 20 late", "f2 10 16 20"])
    assert (decision.kind, paid(decision)) == (Kind.BY_PLACE, {"f1": "100.00", "f2": "100.00"})


def test_two_straight_flushes_differ_by_who_is_first() -> None:
    # 2,000 and a tenth of 18,000: the second one lacks 200
    decision = run(["s1 10 15 20", "s2 10 16 20"], limit_micros=m("200.00"))
    assert (decision.kind, added(decision)) == (Kind.BEST, {"s2": "200.00"})


def test_contributions_keep_their_places_in_a_ruled_order() -> None:
    """70 come at 17 and at 25. By place the royal at 15 has 20,000. Ruled behind the straight flush, that is drawn from
    18 to 16, the royal's last bound, it has 18,000 at 16. The 70 of 17 come after both, as do those of 25."""
    given = ["r1 10 15 16", "s2 10 18 20"]
    others = [wager(17), wager(25)]
    by_place = run(given, others, limit_micros=m("2000.00"))
    # at 18 the straight flush finds 10,000 + 70
    assert paid(by_place) == {"r1": "20000.00", "s2": "1007.00"}
    # its best is 2,000 before the royal, without the 70
    assert added(by_place) == {"s2": "993.00"}
    ruled = run(given, others, rulings=[Ruling("s2", "r1")])
    assert paid(ruled) == {"s2": "2000.00", "r1": "18000.00"}
    assert ruled.history is not None
    assert meter(ruled.history.state) == "10140.00"
    assert [type(event).__name__ for event in ruled.events] == [
        "Hits",
        "Hits",
        "Contribution",
        "Contribution",
    ]


def test_a_rounds_own_stakes_come_before_its_hits() -> None:
    """All at one instant, as where a whole round is told with one time: 10% of 20,070."""
    own = PlacedEvent(15, "1", 1, wager(15).event)
    assert paid(run(["s1 10 15 20"], [own])) == {"s1": "2007.00"}
    later = PlacedEvent(15, "1", 2, wager(15).event)
    assert paid(run(["s1 10 15 20"], [later])) == {"s1": "2000.00"}


# -------------------------------------------------------------------------------------------------- many hits

MANY = [f"f{n} 10 {10 + n} 20" for n in range(1, 8)]


def test_many_hits_whose_order_does_not_matter_ask_nobody() -> None:
    # seven flushes have 5,040 orders; 700 of an increment of 10,000
    assert run(MANY, [wager(12)]).kind is Kind.BY_PLACE


def test_many_hits_whose_order_matters_are_for_people() -> None:
    decision = run([*MANY[:5], "s6 10 15 20"], limit_micros=m("10000.00"))
    assert (decision.kind, decision.options) == (Kind.RULING, ())


def test_a_ruling_on_some_of_many_leaves_few_enough() -> None:
    # the straight flush first, then five flushes in any order
    pairs = [Ruling("s6", f"f{n}") for n in range(1, 6)]
    decision = run([*MANY[:5], "s6 10 15 20"], rulings=pairs)
    assert decision.kind is Kind.BY_PLACE
    assert paid(decision)["s6"] == "2000.00"


CAPPED = replace(RULES, levels=(replace(RULES.levels[0], cap_micros=m("20000.00")),))
RESTORED = replace(RULES, levels=(replace(RULES.levels[0], reseed=Reseed.BELOW_SEED),))


@pytest.mark.parametrize(
    ("rules", "meter_before", "others"),
    [
        # an increment of 199.99 for two flushes: the second takes from the base what the 70 would have given
        (RULES, "10199.99", [wager(16)]),
        # 70 find the meter full before the first flush, and room after it
        (CAPPED, "20000.00", [wager(15)]),
        # the base is short: the first hit of all restores it, from the reserve or the house
        (RESTORED, "9000.00", [wager(16)]),
        # a return finds in the increment what it gave, or not
        (RULES, "20000.00", [wager(14), PlacedEvent(16, "9", 99, Return("c14"))]),
    ],
)
def test_the_shortcut_is_not_taken_where_the_meter_is_looked_at(
    rules: ProgressiveRules, meter_before: str, others: list[PlacedEvent]
) -> None:
    """With seven flushes only the shortcut could answer; where it does not hold, people are asked."""
    (cluster,) = clusters(map(hit, MANY))
    assert decide(rules, pots(rules, meter_before), cluster, others).kind is Kind.RULING


def test_armed_rules_take_over_in_every_order() -> None:
    """Rules with a seed of 15,000 from the next win of the meter on."""
    armed = preset("nz-1996-viii", Level("jackpot", seed_micros=m("15000.00"), increment_bp=7_000))
    decision = run(["r1 10 15 20", "r2 10 16 20", "r3 10 17 20"], armed=armed, limit_micros=m("99999.00"))
    # 20,000; the seed of the rules in force when it was won, 10,000; then that of the new ones, 15,000
    assert paid(decision) == {"r1": "20000.00", "r2": "10000.00", "r3": "15000.00"}
    assert added(decision) == {"r2": "10000.00", "r3": "5000.00"}


# ----------------------------------------------------------------------------------------------------- the fold

START = Progress(RULES, STATE, until=0)


def test_the_fold_stops_at_an_incomplete_cluster_and_goes_on_when_it_is_complete() -> None:
    hits, others = [hit("s1 10 15 20")], [wager(14), wager(16), wager(30)]
    first = fold(START, hits, others, limit=18)
    assert (first.progress.until, meter(first.progress.state)) == (15, "20070.00")
    rest = [other for other in others if other.place >= 15]
    second = fold(first.progress, hits, rest, limit=25)
    # a tenth of 20,070, then 70
    assert (second.progress.until, meter(second.progress.state)) == (25, "18133.00")
    whole = fold(START, hits, others, limit=25)
    assert whole.progress == second.progress


def test_the_fold_waits_for_people_and_later_wins_with_it() -> None:
    hits = [*map(hit, SF_FIRST), hit("f3 40 41 42")]
    waits = fold(START, hits, [wager(5)], limit=100)
    assert waits.waiting is not None
    assert (waits.progress.until, len(waits.stretches)) == (15, 1)
    goes_on = fold(waits.progress, hits, [], 100, Rulings((Ruling("r2", "s1"),)))
    assert (goes_on.waiting, goes_on.progress.until) == (None, 100)
    # 10,000 - 1,000 - 100
    assert meter(goes_on.progress.state) == "8900.00"


def test_the_house_adds_no_more_than_its_daily_sum() -> None:
    # two straight flushes on 20,000 lack 200; two more on 16,200: 1,620 and 1,458 lack 162
    hits = [hit("s1 10 15 20"), hit("s2 10 16 20"), hit("s3 50 55 60"), hit("s4 50 56 60")]
    limits = RulingLimits(m("200.00"), m("361.99"))
    first = fold(START, hits, [], 100, limits=limits)
    assert first.progress.added_micros == m("200.00")
    assert first.waiting is not None
    assert first.waiting.kind is Kind.RULING
    enough = fold(START, hits, [], 100, limits=replace(limits, daily_micros=m("362.00")))
    assert (enough.waiting, enough.progress.added_micros) == (None, m("362.00"))
    # a new day at 50
    next_day = fold(START, hits, [], 100, limits=replace(limits, day_of=lambda place: place // 50))
    assert (next_day.waiting, next_day.progress.added_micros) == (None, m("162.00"))


def test_the_fold_takes_a_cluster_with_what_stands_among_its_hits() -> None:
    """70 between two straight flushes: 2,000, then a tenth of 18,070. The other way round both stand at 17: s2 has a
    tenth of 20,070, which is 200 more."""
    folded = fold(
        START,
        [hit("s1 10 15 20"), hit("s2 10 17 20")],
        [wager(16)],
        limit=100,
        limits=RulingLimits(m("200.00"), m("200.00")),
    )
    (stretch,) = folded.stretches
    assert stretch.decision is not None
    assert paid(stretch.decision) == {"s1": "2000.00", "s2": "1807.00"}
    # s1 would have a tenth of 18,063 there: its best is what it has
    assert added(stretch.decision) == {"s2": "200.00"}
    assert meter(folded.progress.state) == "16263.00"


def test_people_may_pay_each_his_best() -> None:
    best = Rulings(best=frozenset({"s1", "r2"}))
    folded = fold(START, map(hit, SF_FIRST), [], 100, best)
    assert folded.waiting is None
    assert folded.stretches[0].decision is not None
    assert added(folded.stretches[0].decision) == {"r2": "2000.00"}


def test_a_return_finds_what_an_earlier_fold_put() -> None:
    others = [wager(5), PlacedEvent(30, "9", 30, Return("c5"))]
    first = fold(START, [], others, limit=10)
    second = fold(first.progress, [], others[1:], limit=40)
    assert meter(first.progress.state) == "20070.00"
    assert meter(second.progress.state) == "20000.00"


# ------------------------------------------------------------------------------------------- rules that change
LATER = preset("nz-1996-viii", Level("jackpot", seed_micros=m("15000.00"), increment_bp=7_000))
"""As RULES, with a seed of 15,000 instead of 10,000."""


def _paid(outcome: Movement | Resolution) -> int:
    return sum(each.amount_micros for each in outcome.payments) if isinstance(outcome, Resolution) else 0


def payments(
    progress: Progress, hits: list[str], *cuts: int, rulings: Rulings = NO_RULINGS
) -> tuple[dict[str, str], str]:
    """By round what was paid, folding up to each cut in turn and then to the end; and the meter at the end."""
    found: dict[str, str] = {}
    left = [hit(each) for each in hits]
    for limit in (*cuts, 1_000):
        done = fold(progress, left, [], limit, rulings)
        for stretch in done.stretches:
            for event, outcome in zip(stretch.events, stretch.history.outcomes, strict=True):
                if isinstance(event, Hits):
                    found[event.name] = format_money(_paid(outcome))
        progress = done.progress
        left = [each for each in left if each.moment.place >= progress.until]
    return found, meter(progress.state)


def test_dated_rules_hold_from_their_instant_on_however_it_is_folded() -> None:
    """20,000 to the first royal; the second, after the instant, finds the old seed; it restarts at the new."""
    dated = replace(START, armed=LATER, effect=30)
    hits = ["r1 14 15 16", "r2 39 40 41"]
    whole = payments(dated, hits)
    assert whole == ({"r1": "20000.00", "r2": "10000.00"}, "15000.00")
    for cut in range(1, 60):
        assert payments(dated, hits, cut) == whole, cut
        assert payments(dated, hits, cut, cut + 3) == whole, cut


def test_hits_that_are_compared_across_the_instant_are_all_paid_by_the_old_rules() -> None:
    dated = replace(START, armed=LATER, effect=30)
    hits, first = ["r1 25 29 35", "r2 25 31 35", "r3 50 51 52"], Rulings((Ruling("r1", "r2"),))
    whole = payments(dated, hits, rulings=first)
    # r1 and r2 by the old rules, a seed of 10,000 after each; r3 by the new
    assert whole == ({"r1": "20000.00", "r2": "10000.00", "r3": "10000.00"}, "15000.00")
    for cut in range(1, 60):
        assert payments(dated, hits, cut, rulings=first) == whole, cut


def test_a_hit_that_began_before_the_arming_brings_nothing_into_force() -> None:
    armed = replace(START, armed=LATER, armed_from=20)
    hits = ["r1 14 15 16", "r2 39 40 41", "r3 59 60 61"]
    whole = payments(armed, hits)
    # r2 is won by the old rules and restarts at their seed; then the new ones hold
    assert whole == ({"r1": "20000.00", "r2": "10000.00", "r3": "10000.00"}, "15000.00")
    for cut in range(1, 70):
        assert payments(armed, hits, cut) == whole, cut
