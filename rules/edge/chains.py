"""Wagers that live from throw to throw or from spin to spin, as Markov chains solved exactly."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

from rules.edge.core import Distribution, Result

State = TypeVar("State", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)


MAX_STATES = 10_000


def solve(
    start: State, weights: Mapping[Outcome, int], step: Callable[[State, Outcome], State | Result]
) -> Distribution:
    """The distribution of results from `start`: each of the weighted outcomes moves a state to another or ends it.

    A state may stay as it is; otherwise states may not come again, which holds for all wagers of the books.
    """
    total = sum(weights.values())
    known: dict[State, dict[Result, Fraction]] = {}
    open_states: list[State] = [start]
    while open_states:
        if len(open_states) > MAX_STATES:
            raise RuntimeError("a state comes again: no chain of this kind")
        state = open_states[-1]
        moves: dict[State | Result, int] = {}
        for outcome, weight in weights.items():
            onward = step(state, outcome)
            moves[onward] = moves.get(onward, 0) + weight
        stays = moves.pop(state, 0)
        waiting = [move for move in moves if not isinstance(move, Result) and move not in known]
        if waiting:
            open_states += waiting
            continue
        mixed: dict[Result, Fraction] = {}
        for move, weight in moves.items():
            chance = Fraction(weight, total - stays)
            ends = {move: Fraction(1)} if isinstance(move, Result) else known[move]
            for result, part in ends.items():
                mixed[result] = mixed.get(result, Fraction(0)) + chance * part
        known[state] = mixed
        open_states.pop()
    return Distribution(known[start])
