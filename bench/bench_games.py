"""How many rounds a second are settled, for each game at a full table, in one process; the slowest is named.

`settle` is measured on parsed rounds, reading a round (`round_from_json`) and writing the answer
(`settlement_to_json`) apart. Each game gets several rounds of `full_tables`; games and rounds take turns, processor
time is measured and the best turn of each round counts, so that a busy machine disturbs little.

Run: python -m bench.bench_games [--only blackjack] [--sweeps 20]
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.full_tables import full_table
from rules import all_games, round_from_json, settle, settlement_to_json
from rules.declare import Game

GOAL = 2000
"""Full-table rounds a second."""
ROUNDS = 24
SECONDS = 0.04


Work = Callable[[Any], object]


class Bench:
    """One game with its rounds, and the least time that each of them has taken so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        documents = [full_table(game, seed) for seed in range(ROUNDS)]
        rounds = [round_from_json(document) for document in documents]
        answers = [settle(round) for round in rounds]
        self.wagers = sum(len(answer.lines) for answer in answers) / ROUNDS
        self.work: dict[str, tuple[Work, Sequence[Any]]] = {
            "settle": (settle, rounds),
            "read": (round_from_json, documents),
            "write": (settlement_to_json, answers),
        }
        self.best = {name: [float("inf")] * ROUNDS for name in self.work}

    def measure(self, seconds: float) -> None:
        """Each kind of work for so much processor time."""
        clock = time.process_time
        for name, (work, items) in self.work.items():
            best, until = self.best[name], clock() + seconds
            while clock() < until:
                for place, item in enumerate(items):
                    start = clock()
                    work(item)
                    best[place] = min(best[place], clock() - start)

    def microseconds(self, name: str) -> float:
        """Of one round on average."""
        return sum(self.best[name]) / ROUNDS * 1e6

    @property
    def rate(self) -> float:
        return 1e6 / self.microseconds("settle")


def show(benches: list[Bench]) -> None:
    benches.sort(key=lambda bench: bench.rate)
    print(f"{'game':28}{'rulebook':18}{'wagers':>7}{'µs/round':>10}{'µs/wager':>10}{'rounds/s':>10}", end="")
    print(f"{'read µs':>10}{'write µs':>10}")
    for bench in benches:
        took = bench.microseconds("settle")
        print(
            f"{bench.game.name:28}{bench.game.rulebook:18}{bench.wagers:7.1f}{took:10.0f}"
            f"{took / bench.wagers:10.2f}{bench.rate:10,.0f}"
            f"{bench.microseconds('read'):10.0f}{bench.microseconds('write'):10.0f}"
        )
    slowest = benches[0]
    print(f"\nslowest: {slowest.game.name} ({slowest.game.rulebook}), {slowest.rate:,.0f} rounds a second")
    below = [bench.game.name for bench in benches if bench.rate < GOAL]
    print(f"goal: {GOAL:,} a second for each; {'NOT MET by ' + ', '.join(below) if below else 'met by all'}")


def main() -> None:
    options: Any = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--only", default="", help="games whose name contains this")
    options.add_argument("--sweeps", type=int, default=5, help="how often all games take their turn")
    chosen = options.parse_args()
    benches = [Bench(game) for game in all_games() if chosen.only in game.name]
    gc.collect()
    gc.disable()
    for _ in range(chosen.sweeps):
        for bench in benches:
            bench.measure(SECONDS)
    show(benches)


if __name__ == "__main__":
    main()
