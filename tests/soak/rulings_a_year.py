"""How often people must rule, and what the house pays instead: fifty stud tables for simulated years.

`python -m tests.soak.rulings_a_year 3`. Hits are drawn, not dealt: six jackpot wagers of 1.00 a round, a round every
75 s at each table, 16 hours a day, five cards from one deck. Every hit is placed, clustered and decided by the real
functions; the meter is fed and paid as in a night. Only jackpot hands that overlap are of interest, so the line and the
terminals are not played: clocks are known within 30 ms, a shoe within 50 ms.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random
from statistics import mean, stdev

from rules.contract import Hit, Wager
from rules.money import MICROS
from rules.progressive import Contribution, Hits, Level, LevelState, State, preset, split
from rules.progressive.clocks import SECOND, Timing
from rules.progressive.clusters import HitRound, Order, PlacedEvent, clusters
from rules.progressive.fold import Progress, fold
from rules.progressive.places import Other, Placed, place_hit

TABLES, SEATS, ROUND_S, HOURS, DAYS = 50, 6, 75, 16, 365
DEALS = 2_598_960
HANDS = {"flush": 5_108, "full-house": 3_744, "four-of-a-kind": 624, "straight-flush": 36, "royal-flush": 4}
RULES = preset("nz-1996-viii", Level("jackpot", seed_micros=10_000 * MICROS, increment_bp=7_250))
TIMING = Timing()
WIDTH_US, SHOE_US = 30_000, 50_000
STAKES_US = 5 * SECOND
"""Wagers are folded by the five seconds."""
STAKES = split(TABLES * SEATS * 5 // ROUND_S * MICROS, RULES.levels)


@dataclass(frozen=True, slots=True)
class Differs:
    """A cluster whose orders pay differently."""

    late: bool
    too_many: bool
    added_micros: int
    """What the house adds if each winner is to have his best."""

    def needs_ruling(self, limit_micros: int) -> bool:
        return self.late or self.too_many or self.added_micros > limit_micros


def hits_of(chance: Random, shoe: bool) -> Iterator[HitRound]:
    """A year of hits in the order in which the server knows of them, placed with what was public then."""
    wagers_us = ROUND_S * SECOND / (TABLES * SEATS)
    between_us = wagers_us * DEALS / sum(HANDS.values())
    at, recent = 0, list[tuple[str, Other]]()
    for number in count(1):
        at += round(chance.expovariate(1 / between_us))
        if at > DAYS * HOURS * 3_600 * SECOND:
            return
        table = f"{chance.randrange(TABLES):02d}"
        # `at` is the result; the deal began up to a minute before, its first card a few seconds after the lock.
        lock_at = at - chance.randrange(45, 65) * SECOND
        lock = Placed(lock_at, lock_at - WIDTH_US, lock_at + WIDTH_US, lock_at + WIDTH_US)
        card = lock_at + chance.randrange(2 * SECOND, 6 * SECOND)
        error = WIDTH_US + SHOE_US
        mark = Placed(card, card - error, card + error, card + error) if shoe else None
        recent = [other for other in recent if other[1].received > at - 180 * SECOND]
        others = [other for name, other in recent if name != table]
        moment = place_hit(mark, lock, at, others, TIMING)
        recent.append((table, Other(at, moment.latest)))
        trigger = chance.choices(list(HANDS), list(HANDS.values()))[0]
        wager = Wager(f"w{number}", "jackpot", MICROS, chance.randrange(1, SEATS + 1))
        yield HitRound(table, number, moment, lock_at, Hits(str(number), (Hit(wager, trigger, "deal"),)))


def in_clusters(hits: Iterator[HitRound]) -> Iterator[Order]:
    """Clusters one by one. A hit that is known three minutes later overlaps none of them any more."""
    waiting: list[HitRound] = []
    for hit in hits:
        done = [
            cluster for cluster in clusters(waiting) if _end(cluster) < hit.moment.received - 180 * SECOND
        ]
        yield from done
        gone = {other.name for cluster in done for other in cluster}
        waiting = [other for other in waiting if other.name not in gone] + [hit]
    yield from clusters(waiting)


def _end(cluster: Order) -> int:
    return max(hit.moment.latest for hit in cluster)


def year(seed: int, shoe: bool) -> tuple[int, list[Differs]]:
    """The clusters of a year, and those of them whose orders pay differently.

    With no limit each of these asks people. They are paid by place afterwards so that the meter goes on: as pots follow
    the order by place under any limit, one year tells for all limits.
    """
    progress = Progress(RULES, State((LevelState("jackpot", 10_000 * MICROS, 40_000 * MICROS),)), 0)
    several, found, fed_until = 0, list[Differs](), 0
    for cluster in in_clusters(hits_of(Random(seed), shoe)):
        several += len(cluster) > 1
        stakes = [_stakes(at) for at in range(fed_until, _end(cluster), STAKES_US)]
        fed_until += len(stakes) * STAKES_US
        # What comes before the cluster in one sum: nothing looks at the meter there.
        start = cluster[0].moment.place
        before = sum(1 for other in stakes if other.place < start)
        if before:
            total = split(STAKES.stake_micros * before, RULES.levels)
            stakes = [PlacedEvent(start - 1, "-", 0, Contribution(f"until {start}", total)), *stakes[before:]]
        folded = fold(progress, cluster, stakes, _end(cluster) + 1)
        if (asked := folded.waiting) is not None:
            late = any(hit.moment.late for hit in cluster)
            found.append(Differs(late, not asked.options, asked.added_micros))
            alone = [_alone(hit) for hit in cluster]
            left = [other for other in stakes if other.place >= start]
            folded = fold(folded.progress, alone, left, _end(cluster) + 1)
        progress = Progress(RULES, folded.progress.state, 0)
    return several, found


def _alone(hit: HitRound) -> HitRound:
    place = hit.moment.place
    return HitRound(hit.table, hit.number, Placed(place, place, place, place), hit.lock_place, hit.hits)


def _stakes(at: int) -> PlacedEvent:
    return PlacedEvent(at, "-", at // STAKES_US, Contribution(f"c{at}", STAKES))


def main() -> None:
    """By limit: rulings and the house's money a year, with the standard error of the mean over the years."""
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for shoe in (True, False):
        found = [year(seed, shoe) for seed in range(years)]
        several = [clusters for clusters, _ in found]
        print(f"{'shoe' if shoe else 'no moments'}: clusters of several hits {several}", flush=True)
        print(
            f"    orders differ {[len(differ) for _, differ in found]}, late {_count(found, 'late')},",
            end=" ",
        )
        print(f"too many {_count(found, 'too_many')}")
        for limit in (0, 20, 100, 1_000, 10_000):
            micros = limit * MICROS
            asked = [sum(one.needs_ruling(micros) for one in differ) for _, differ in found]
            cost = [
                sum(one.added_micros for one in differ if not one.needs_ruling(micros)) // MICROS
                for _, differ in found
            ]
            print(f"    limit {limit}: rulings {_mean(asked)}, the house adds {_mean(cost)}", flush=True)


def _count(found: list[tuple[int, list[Differs]]], what: str) -> list[int]:
    return [sum(getattr(one, what) for one in differ) for _, differ in found]


def _mean(figures: list[int]) -> str:
    error = stdev(figures) / len(figures) ** 0.5 if len(figures) > 1 else 0
    return f"{mean(figures):.1f} ± {error:.1f}"


if __name__ == "__main__":
    main()
