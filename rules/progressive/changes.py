"""A progressive's document in words, what another one would change, and what may not change while people play for it.

Nothing is decided here of when a change takes effect: see `jackpots.changes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import RuleError
from rules.money import say
from rules.progressive.check import not_less
from rules.progressive.config import Level, Overflow, ProgressiveRules, Provision, percent


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two documents say differently. Empty words: the one document says nothing of it."""

    what: str
    before: str
    after: str


def differences(before: ProgressiveRules | None, after: ProgressiveRules) -> tuple[Difference, ...]:
    """Everything that changes, in the order of the document; without one before: all that it says."""
    old = {} if before is None else in_words(before)
    new = in_words(after)
    names = [*new, *(name for name in old if name not in new)]
    return tuple(
        Difference(name, old.get(name, ""), new.get(name, ""))
        for name in names
        if old.get(name) != new.get(name)
    )


def in_words(rules: ProgressiveRules) -> dict[str, str]:
    """The whole document: by what it is about, a sentence's worth of words."""
    words = {
        "rulebook": rules.rulebook,
        "schedule": rules.schedule or "the operator's own",
        "name of the rules": rules.name,
        "fed by": f"{rules.source.value.replace('-', ' ')} ({rules.contribution_rule})",
        "seed by": rules.seed_rule,
        "levels in order": ", ".join(level.name for level in rules.levels),
        "hands that win": ", ".join(rules.triggers),
    }
    for level in rules.levels:
        words |= {f"{level.name}: {name}": value for name, value in _level(level)}
    for number, stage in enumerate(rules.stages, start=1):
        by_player = ", counted by player" if stage.by_player else ""
        words[f"stage {number}: several winners"] = f"{stage.mode.value}{by_player} ({stage.rule})"
        for prize in stage.prizes:
            payer = "" if prize.from_pool else ", paid by the house"
            payer += ", from the pool with others" if prize.from_pool_with_others else ""
            words[f"stage {number}: {prize.trigger} from {prize.level}"] = (
                f"{prize.amount}{payer} ({prize.rule})"
            )
    moments = rules.priority
    words |= {
        "order between tables": f"shoe: {moments.shoe}, shuffler: {moments.shuffler}, other: {moments.other}"
        f" ({moments.rule})",
        "folded hand wins": _provision(rules.folded_hand_wins),
        "misdeal carries the wager": _provision(rules.misdeal_carries_wager),
        "shared board": _provision(rules.shared_board) if rules.shared_board else "no board",
        "rounding": f"{rules.rounding.value} to {say(rules.round_to_micros)}",
        "smallest chip": say(rules.chip_micros) if rules.chip_micros else "any cent",
    }
    return words


def _level(level: Level) -> Iterator[tuple[str, str]]:
    yield "seed", say(level.seed_micros)
    yield "of a wager to the meter", percent(level.increment_bp)
    yield "of a wager to the reserve", percent(level.reserve_bp)
    yield "cap", "none" if level.cap_micros is None else say(level.cap_micros)
    if level.cap_micros is not None:
        at_cap = level.increment_bp if level.secondary_bp is None else level.secondary_bp
        to = f"level {level.overflow_to}" if level.overflow is Overflow.LEVEL else level.overflow.value
        yield "at the cap", f"{percent(at_cap)} of a wager, to {to.replace('-', ' ')}"
    yield "seed restored", "when the meter is won" if level.reseed == "won" else "whenever it falls below"


def _provision(provision: Provision) -> str:
    return f"{'yes' if provision.holds else 'no'} ({provision.rule})"


# --- What may change -------------------------------------------------------------------------------------------


def check_change(before: ProgressiveRules, after: ProgressiveRules) -> tuple[RuleError, ...]:
    """Meters, hands and whose money feeds them stay: other ones are another progressive."""
    faults = []
    for field, word in (("levels", "the same levels in the same order"), ("triggers", "the same hands")):
        old, new = _names(before, field), _names(after, field)
        if field == "triggers":
            old, new = sorted(old), sorted(new)
        if old != new:
            text = f"people play for {word}: {', '.join(old)}. Other ones are another progressive"
            faults.append(RuleError(text, field=field))
    if before.source is not after.source:
        text = f"it is fed by: {before.source.value}. Another source is another progressive"
        faults.append(RuleError(text, field="source"))
    return tuple(faults)


UNTIL_WON = {
    "rounding": "how amounts are rounded",
    "round_to_micros": "to what amounts are rounded",
    "chip_micros": "the smallest chip",
    "folded_hand_wins": "whether a folded hand wins",
    "misdeal_carries_wager": "what becomes of wagers after a misdeal",
    "shared_board": "what a shared board wins",
    "priority": "which moment decides the order between tables",
}
"""What else decides how much is won, and by whom."""


def check_dated(before: ProgressiveRules, after: ProgressiveRules) -> tuple[RuleError, ...]:
    """While a meter stands that players have fed, no prize becomes worse by a date (gb-2011 2.5: only more may be given
    at any time): that waits for the meter to be won."""
    faults = []
    given = {(prize.trigger, prize.level): prize.amount for prize in after.prizes}
    for prize in before.prizes:
        new = given.get((prize.trigger, prize.level))
        if new is None or not (new == prize.amount or not_less(new, prize.amount)):
            now = "nothing" if new is None else str(new)
            text = (
                f"{prize.trigger} would win {now} instead of {prize.amount} from {prize.level} on that day; less may "
                "only be armed for the next win of the meter"
            )
            faults.append(RuleError(text, field=f"prizes.{prize.trigger}"))
    modes = [(stage.mode, stage.by_player) for stage in before.stages]
    if modes != [(stage.mode, stage.by_player) for stage in after.stages]:
        text = "how several winners are paid changes with the next win of the meter, not on a day"
        faults.append(RuleError(text, field="stages"))
    for field, word in UNTIL_WON.items():
        if getattr(before, field) != getattr(after, field):
            text = f"{word} changes with the next win of the meter, not on a day"
            faults.append(RuleError(text, field=field))
    return tuple(faults)


def _names(rules: ProgressiveRules, field: str) -> list[str]:
    return [level.name for level in rules.levels] if field == "levels" else list(rules.triggers)
