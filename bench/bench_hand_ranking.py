"""How fast hands are ranked, beside the poker libraries of Python, in one run and on the same cards.

Each library gets its own card objects, made before the clock starts, and is called as its manual says. The rounds
of all take turns, processor time is measured and the best round of each counts, so that a busy machine disturbs
little and all alike. treys, phevaluator 0.5.3.1 and pokerkit are pure Python, eval7 is C.

Run: python bench/bench_hand_ranking.py
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eval7
import phevaluator
import pokerkit
import treys

from bench.figures import Figure, tell
from rules.cards import DECK, card_text
from rules.ranking import five_card_tables, rank5, rank7
from rules.ranking.keys import BUCKET, KEYS, SLOTS, SUIT_UNIT

Hands = list[tuple[int, ...]]
Run = Callable[[], int]
"""Rank every hand once and say how many there were."""

GOALS = {5: ("treys", 3.0), 7: ("phevaluator", 8.0)}


def ours(hands: Hands, size: int) -> Run:
    evaluate = rank5 if size == 5 else rank7

    def run() -> int:
        for cards in hands:
            evaluate(cards)
        return len(hands)

    return run


def with_treys(hands: Hands, size: int) -> Run:
    evaluate = treys.Evaluator().evaluate
    prepared = [[treys.Card.new(card_text(card)) for card in hand] for hand in hands]
    split = [(cards[:2], cards[2:]) for cards in prepared]

    def run() -> int:
        for hole, board in split:
            evaluate(hole, board)
        return len(split)

    return run


def with_phevaluator(hands: Hands, size: int) -> Run:
    evaluate = phevaluator.evaluate_cards
    prepared = [tuple(phevaluator.Card.to_id(card_text(card)) for card in hand) for hand in hands]

    def run() -> int:
        for cards in prepared:
            evaluate(*cards)
        return len(prepared)

    return run


def with_pokerkit(hands: Hands, size: int) -> Run:
    evaluate = pokerkit.StandardHighHand if size == 5 else pokerkit.StandardHighHand.from_game
    some = hands[: max(1, len(hands) // 50)]  # it is slow, and its rate does not depend on how many
    prepared = [tuple(pokerkit.Card.parse("".join(map(card_text, hand)))) for hand in some]

    def run() -> int:
        for cards in prepared:
            evaluate(cards)
        return len(prepared)

    return run


def with_eval7(hands: Hands, size: int) -> Run:
    evaluate = eval7.evaluate
    prepared = [[eval7.Card(card_text(card)) for card in hand] for hand in hands]

    def run() -> int:
        for cards in prepared:
            evaluate(cards)
        return len(prepared)

    return run


def partial_sums(hands: Hands, size: int) -> Run:
    """The way of loops over many hands: two cards to be drawn to the rest of the hand, whose sum stays."""
    suits, shifts, values, flushes = five_card_tables(size)
    fixed = hands[0][: size - 2]
    start = sum(KEYS[card] for card in fixed)
    rest = [card for card in DECK if card not in fixed]

    def run() -> int:
        count = 0
        for _ in range(20):
            for one, other in combinations(rest, 2):
                total = start + KEYS[one] + KEYS[other]
                suited = suits[total // SUIT_UNIT]
                if suited is None:
                    values[(total + shifts[total & BUCKET]) % SLOTS]
                else:
                    flushes[sum(suited[card] for card in fixed) | suited[one] | suited[other]]
                count += 1
        return count

    return run


def compare(size: int, count: int, rounds: int, seed: int) -> dict[str, float]:
    """By library the hands that it ranks in a second."""
    source = random.Random(seed)
    hands: Hands = [tuple(source.sample(DECK, size)) for _ in range(count)]
    makers: dict[str, Callable[[Hands, int], Run]] = {
        "potline": ours,
        "potline, partial sums": partial_sums,
        "treys": with_treys,
        "phevaluator": with_phevaluator,
        "pokerkit": with_pokerkit,
        "eval7 (C)": with_eval7,
    }
    runs = {name: make(hands, size) for name, make in makers.items()}
    rates: dict[str, float] = dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, run in runs.items():
            run()  # brings its tables and cards back into the processor's caches
            gc.disable()
            start = time.process_time()
            done = run()
            seconds = time.process_time() - start
            gc.enable()
            rates[name] = max(rates[name], done / seconds)
    return rates


def figures(count: int = 10_000, rounds: int = 15, seed: int = 52) -> list[Figure]:
    found = []
    for size, (peer, goal) in GOALS.items():
        rates = compare(size, count, rounds, seed)
        reached = rates["potline"] / rates[peer]
        others = ", ".join(f"{name} {rate / 1e6:.2f}" for name, rate in rates.items() if name != "potline")
        found += [
            Figure(f"{size} cards, millions of hands a second", f"{rates['potline'] / 1e6:.2f}", others),
            Figure(f"… beside {peer}", f"{reached:.1f} x", "", f"at least {goal:g} x", reached >= goal),
        ]
    return found


def first_use() -> None:
    start = time.process_time()
    rank5(DECK[:5])
    five = time.process_time()
    rank7(DECK[:7])
    seven = time.process_time()
    print(f"first hand of five: {(five - start) * 1e3:.0f} ms, first of seven: {(seven - five) * 1e3:.0f} ms")


def main() -> None:
    options: Any = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--hands", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--seed", type=int, default=52)
    chosen = options.parse_args()
    first_use()
    tell(figures(chosen.hands, chosen.rounds, chosen.seed))


if __name__ == "__main__":
    main()
