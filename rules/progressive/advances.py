"""Prizes that may be handed out before their turn in the order: what nothing that comes before them can change."""

from __future__ import annotations

from rules.progressive.config import Fixed, Mode, ProgressiveRules, TimesWager

OF_ONES_OWN = (Mode.EACH_IN_FULL, Mode.IN_TURN, Mode.LOCK_RESEED)
"""Ways to pay several winners in which a fixed sum is each winner's own."""


def certain_prizes(rules: ProgressiveRules) -> frozenset[tuple[str, str]]:
    """By hand and level: sums that no meter and no other winner decides. What a pool cannot cover the house does."""
    found: dict[tuple[str, str], bool] = {}
    for stage in rules.stages:
        for prize in stage.prizes:
            key = prize.trigger, prize.level
            certain = stage.mode in OF_ONES_OWN and isinstance(prize.amount, Fixed | TimesWager)
            found[key] = found.get(key, True) and certain
    return frozenset(key for key, certain in found.items() if certain)
