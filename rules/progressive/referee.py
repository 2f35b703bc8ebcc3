"""A round under every way of paying several winners, side by side: the answer to a dispute, and the argument for a
choice. Levels, prizes and stages stay as they are declared; only how winners of one stage are paid changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.errors import RuleError
from rules.progressive.config import Fixed, Mode, ProgressiveRules
from rules.progressive.pools import State
from rules.progressive.resolve import Hits, Resolution, resolve_round


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a round pays under one mode; or why it pays nothing under it."""

    mode: Mode
    declared: bool
    """Is it how the progressive pays?"""
    resolution: Resolution | None
    why_not: str = ""


def under(rules: ProgressiveRules, mode: Mode) -> ProgressiveRules:
    """The same rules with every stage that pays winners in this mode. An envy stage stays what it is."""
    stages = [stage for stage in rules.stages if stage.mode is not Mode.ENVY]
    if mode is Mode.ENVY and any(
        not isinstance(prize.amount, Fixed) for stage in stages for prize in stage.prizes
    ):
        raise RuleError("an envy bonus is a fixed sum, and these prizes are not", field="mode")
    return replace(
        rules,
        stages=tuple(
            stage if stage.mode is Mode.ENVY else replace(stage, mode=mode) for stage in rules.stages
        ),
    )


def is_declared(rules: ProgressiveRules, mode: Mode) -> bool:
    return {stage.mode for stage in rules.stages if stage.mode is not Mode.ENVY} == {mode}


def judge_round(rules: ProgressiveRules, state: State, round_: Hits) -> tuple[Verdict, ...]:
    """All six modes, in the order of the documentation."""
    found = []
    for mode in Mode:
        try:
            resolution = resolve_round(under(rules, mode), state, round_)
        except RuleError as fault:
            found.append(Verdict(mode, is_declared(rules, mode), None, str(fault)))
        else:
            found.append(Verdict(mode, is_declared(rules, mode), resolution))
    return tuple(found)
