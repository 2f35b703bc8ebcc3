"""How many rounds a second are settled, for each game at a full table, in one process; the slowest is named.

`settle` is measured on parsed rounds, reading a round (`round_from_json`) and writing the answer
(`settlement_to_json`) apart. Each game gets several rounds of `full_tables`, which take turns; processor time is
measured and the best pass counts, so that a busy machine disturbs little.

Run: python -m bench.bench_games [--only blackjack] [--seconds 0.3]
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.full_tables import full_table
from rules import all_games, round_from_json, settle, settlement_to_json
from rules.declare import Game

GOAL = 2000
"""Full-table rounds a second."""
ROUNDS = 24


@dataclass(frozen=True, slots=True)
class Figures:
    """Microseconds of one round, and the wagers on it."""

    game: Game
    wagers: float
    parse: float
    settle: float
    write: float

    @property
    def rate(self) -> float:
        return 1e6 / self.settle


def best_microseconds(work: Callable[[Any], object], items: Sequence[Any], seconds: float) -> float:
    """Of one item: the best of many passes over all of them, within so much processor time."""
    best, until = float("inf"), time.process_time() + seconds
    while (start := time.process_time()) < until:
        for item in items:
            work(item)
        best = min(best, time.process_time() - start)
    return best / len(items) * 1e6


def measure(game: Game, seconds: float) -> Figures:
    documents = [full_table(game, seed) for seed in range(ROUNDS)]
    rounds = [round_from_json(document) for document in documents]
    answers = [settle(round) for round in rounds]
    gc.collect()
    gc.disable()
    try:
        return Figures(
            game,
            sum(len(answer.lines) for answer in answers) / ROUNDS,
            best_microseconds(round_from_json, documents, seconds),
            best_microseconds(settle, rounds, seconds),
            best_microseconds(settlement_to_json, answers, seconds),
        )
    finally:
        gc.enable()


def show(figures: list[Figures]) -> None:
    figures.sort(key=lambda one: one.rate)
    print(f"{'game':28}{'rulebook':20}{'wagers':>7}{'µs/round':>10}{'µs/wager':>10}{'rounds/s':>10}", end="")
    print(f"{'read µs':>9}{'write µs':>10}")
    for one in figures:
        print(
            f"{one.game.name:28}{one.game.rulebook:20}{one.wagers:7.1f}{one.settle:10.0f}"
            f"{one.settle / one.wagers:10.2f}{one.rate:10,.0f}{one.parse:9.0f}{one.write:10.0f}"
        )
    slowest = figures[0]
    print(f"\nslowest: {slowest.game.name} ({slowest.game.rulebook}), {slowest.rate:,.0f} rounds a second")
    below = [one.game.name for one in figures if one.rate < GOAL]
    print(f"goal: {GOAL:,} a second for each; {'NOT MET by ' + ', '.join(below) if below else 'met by all'}")


def main() -> None:
    options: Any = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--only", default="", help="games whose name contains this")
    options.add_argument("--seconds", type=float, default=0.15, help="processor time a figure")
    chosen = options.parse_args()
    show([measure(game, chosen.seconds) for game in all_games() if chosen.only in game.name])


if __name__ == "__main__":
    main()
