"""What may still be said of a round after its wagers were settled: where a rulebook lets a completed result stand, no
irregularity takes its place. Pure data with the rules; who says it, and how it is booked, is the floor's business."""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract import Irregularity
from rules.declare import Game
from rules.errors import RuleError
from rules.rulebooks import INVALIDATED

STANDS: dict[tuple[str, str], tuple[str, str]] = {
    ("nsw-double-chance", "deck-fault"): (
        "nsw-double-chance 12.8.1",
        "the result of a round that is completed stands; void is the round in which the card is found missing",
    ),
    ("nsw-double-chance", "shuffler-failed"): (
        "nsw-double-chance 13.2.2",
        "the result of a round that is completed stands; void is the round in which the device fails",
    ),
    ("nz-1996", "wrong-entry"): (
        "nz-1996 VI 6.7",
        "numbers that were entered wrongly are amended before the settlement of wagers; afterwards put the dice right, "
        "by nz-1996 I 15.1",
    ),
}
"""By rulebook and irregularity: the rule by which it is too late once the round is settled."""
GROUNDS = {
    "nz-1996 I 12.2": ("nz-1996 I 12.1", "12.1(a)", "12.1(b)"),
    "nsw-double-chance 14.5": ("nsw-double-chance 14.4", "14.4.1", "14.4.2"),
}
"""By the rule of invalidation: where its grounds stand, disruption and fraud."""
CORRECTED_BY = {
    "nz-1996": "nz-1996 I 15.1",
    "nz-consultation": "nz-1996 I 15.1",
    "gb-2011": "gb-2011 1.5",
    "nsw-double-chance": "nsw-double-chance 14.12",
}
"""The rule by which a wrong result is put right, where the game has none of its own."""


def rule_of(game: Game) -> str:
    """Cited where nobody says another; "" where the rulebook is silent."""
    if game.name == "electronic-tai-sai":
        return "nz-consultation 9A 7.3"
    return CORRECTED_BY.get(game.rulebook, "")


def faults(
    game: Game, said: tuple[Irregularity, ...], before: tuple[Irregularity, ...], *, settled: bool = True
) -> Iterator[RuleError]:
    """Why what is now said of a round may not be said; `before`: what was said of it so far. Of one that is not settled
    yet everything may be said that the rulebook knows, and a game is invalidated for the same grounds alone."""
    for index, irregularity in enumerate(said):
        if irregularity in before:
            continue
        where = f"irregularities[{index}]"
        if settled and (game.rulebook, irregularity.kind) in STANDS:
            rule, text = STANDS[game.rulebook, irregularity.kind]
            yield RuleError(text, field=where, rule=rule)
        if irregularity.kind == INVALIDATED:
            yield from _invalidation(game, irregularity, where)


def _invalidation(game: Game, irregularity: Irregularity, where: str) -> Iterator[RuleError]:
    """Only disruption and fraud invalidate a game, where a rulebook says so: a wrong result is corrected, not
    voided."""
    grounds = GROUNDS.get(game.provisions.invalidation_rule)
    if grounds is None:
        return
    rule, disruption, fraud = grounds
    value = irregularity.value or {}
    reason = str(value.get("reason", ""))
    if disruption not in reason and fraud not in reason:
        text = (
            f"a game is invalidated for disruption ({disruption}) or fraud ({fraud}); say which in its reason. A wrong "
            "result is corrected, and what the rulebook settles otherwise is settled so"
        )
        yield RuleError(text, field=f"{where}.value.reason", rule=rule)
    elif value.get("forfeit") and fraud not in reason:
        text = f"wagers are forfeited for fraud alone ({fraud})"
        yield RuleError(text, field=f"{where}.value.forfeit", rule=game.provisions.invalidation_rule)
