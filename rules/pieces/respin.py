"""A spin without a result: the wagers wait for the re-spin, or come back; until then their owners may take them off.

The re-spin is a round of its own, which inherits the standing wagers. Which causes make a spin void is the game's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from rules.contract import EMPTY, Decision, Round
from rules.declare import DecisionKind, IrregularityKind, Option
from rules.errors import RuleError
from rules.play import Play
from rules.shape import Struct, Text

NO_SPIN = "no-spin"
WITHDRAW = "withdraw"


def no_spin(rule: str, causes: Mapping[str, str]) -> IrregularityKind:
    about = "the spin is void: send no result; a re-spin is the next round"
    return IrregularityKind(NO_SPIN, rule, Struct({"cause": Text(tuple(causes))}), about)


def void_spin_option(rule: str, default: Literal["stands", "returned"] = "stands") -> Option:
    about = "what a void spin does with wagers: they stand for the re-spin, or come back"
    return Option("void_spin", Text(("stands", "returned")), default, rule, about)


def withdrawal(rule: str) -> DecisionKind:
    about = (
        "takes a wager that a void spin left standing off the layout, before 'no more bets' of the re-spin"
    )
    return DecisionKind(WITHDRAW, rule, about=about)


def cause_of(round: Round) -> str | None:
    """Why the spin is void; '' where nobody said; None where it is good."""
    for irregularity in round.irregularities:
        if irregularity.kind == NO_SPIN:
            return str((irregularity.value or EMPTY).get("cause", ""))
    return None


def faults(
    round: Round, *, rule: str, off_rule: str, results: Collection[str], bound: Collection[str] = ()
) -> Iterator[RuleError]:
    """A void spin has no result; only what it left standing can be withdrawn; `bound`: kinds that never are."""
    if cause_of(round) is not None:
        text = "a void spin has no result, wherever the ball or wheel came to rest; the re-spin is the next round"
        yield from (
            RuleError(text, field=f"dealt.{name}", rule=rule) for name in results if name in round.dealt
        )
    for index, decision in enumerate(round.decisions):
        fault = withdrawal_fault(round, decision, rule=off_rule, bound=bound, field=f"decisions[{index}]")
        if fault is not None:
            yield fault


def withdrawal_fault(
    round: Round, decision: Decision, *, rule: str, bound: Collection[str] = (), field: str = "decision"
) -> RuleError | None:
    """Why a wager may not be taken off the layout; also the games' `check_decision`."""
    kind = next((s.wager.kind for s in round.carried.wagers if s.wager.id == decision.wager), None)
    if decision.kind != WITHDRAW or (kind is not None and kind not in bound):
        return None
    text = (
        f"a {kind} wager stays until decided" if kind else f"{decision.wager!r} is no wager from a void spin"
    )
    return RuleError(text, field=f"{field}.wager", rule=rule)


def withdraw(play: Play, rule: str) -> None:
    """Gives back what its owner took off before the re-spin."""
    taken = {decision.wager for decision in play.round.decisions if decision.kind == WITHDRAW}
    for wager in play.wagers if taken else ():
        if wager.id in taken:
            play.void(wager, rule)


def settle_void_spin(play: Play, rule: str) -> None:
    """Every wager stands for the re-spin, or comes back where the option says so."""
    for wager in play.wagers:
        if play.options["void_spin"] == "stands":
            play.stand(wager, rule)
        else:
            play.void(wager, rule)
