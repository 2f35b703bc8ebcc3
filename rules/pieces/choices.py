"""What the players of a poker table chose: each choice once, in the order of the game, and none that is missing.

Money that a seat laid on the table says what it chose. That a seat gave its hand up, nothing but a decision says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rules.contract import Decision, Round
from rules.errors import RuleError
from rules.play import Play


def already_chosen(round: Round, decision: Decision, choices: Collection[str], rule: str) -> RuleError | None:
    """For a choice that a seat makes once."""
    return _chosen_before(round.decisions, decision, choices, rule, "decision")


def once_faults(round: Round, choices: Collection[str], rule: str) -> Iterator[RuleError]:
    """Seats that made one choice twice, or two that exclude each other."""
    for index, decision in enumerate(round.decisions):
        before = round.decisions[:index]
        fault = _chosen_before(before, decision, choices, rule, f"decisions[{index}]")
        if fault is not None:
            yield fault


def _chosen_before(
    before: Sequence[Decision], decision: Decision, choices: Collection[str], rule: str, field: str
) -> RuleError | None:
    if decision.kind in choices:
        for earlier in before:
            if earlier.seat == decision.seat and earlier.kind in choices:
                text = f"seat {decision.seat} has already chosen: {earlier.kind}"
                return RuleError(text, field=field, rule=rule)
    return None


def order_faults(
    round: Round, steps: Sequence[Collection[str]], rule: str, *, ends: Collection[str] = ("fold",)
) -> Iterator[RuleError]:
    """Choices that come twice, too late, or after the hand was given up. `steps`: what can be chosen at each moment of
    the game, one of them; a moment may be passed over where the wagers say enough. `ends`: nothing comes after it."""
    reached: dict[int, int] = {}
    known = {kind for step in steps for kind in step}
    for index, decision in enumerate(round.decisions):
        if decision.kind not in known:
            continue
        at = reached.get(decision.seat, 0)
        step = next((n for n in range(at, len(steps)) if decision.kind in steps[n]), None)
        if step is None:
            text = f"seat {decision.seat} is past the moment for {decision.kind}"
            yield RuleError(text, field=f"decisions[{index}]", rule=rule)
        else:
            reached[decision.seat] = len(steps) if decision.kind in ends else step + 1


def has_chosen(round: Round, seat: int, *kinds: str) -> bool:
    return any(decision.seat == seat and decision.kind in kinds for decision in round.decisions)


def has_placed(round: Round, seat: int, *kinds: str) -> bool:
    """Also a wager that the limits or staff made void: its player did not fold."""
    return any(wager.seat == seat and wager.kind in kinds for wager in round.wagers)


def expect_fold(
    play: Play, seat: int, later: Collection[str], rule: str, folds: Collection[str] = ("fold",)
) -> None:
    """Raises where a seat placed none of the wagers (`later`) that keep it in the game and did not fold either: what
    it decided is not known."""
    if not has_placed(play.round, seat, *later) and not has_chosen(play.round, seat, *folds):
        text = f"seat {seat} placed no {' or '.join(later)} wager: say that it folded"
        raise RuleError(text, field=f"decisions.{seat}", rule=rule)
