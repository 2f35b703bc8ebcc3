"""One kind of wager and the progressives that it feeds: how a wager is sliced, and what a rulebook asks of the whole.

Rates are fractions of the whole wager. Each progressive gets the slice that its rates take, and one of them the rest,
so that the slices of a wager add up to it. A share of an ordinary wager (gb-2011 16.29) has no rest: it stays in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.errors import RuleError
from rules.progressive.config import WHOLE_BP, ContributionSource, Level, ProgressiveRules, percent

FLOOR_BP = 7_000
FLOOR_RULE = "gb-2011 2.4"


def taken_bp(rules: ProgressiveRules) -> int:
    """The most that a progressive's levels take of a wager; what a meter at its cap does not take is the house's."""
    return sum(max(level.increment_bp, level.secondary_bp or 0) + level.reserve_bp for level in rules.levels)


def slices_bp(fed: Mapping[str, ProgressiveRules], rest: str | None) -> dict[str, int]:
    """By progressive, the basis points of a wager that go there. `rest` names the one that takes what is left."""
    slices = {name: taken_bp(rules) for name, rules in fed.items()}
    if rest is not None:
        slices[rest] += WHOLE_BP - sum(slices.values())
    return slices


def check_feeds(kind: str, fed: Iterable[ProgressiveRules]) -> tuple[RuleError, ...]:
    """Every reason why one kind of wager may not feed these progressives together."""
    documents = list(fed)
    faults: list[RuleError] = []
    most = sum(taken_bp(rules) for rules in documents)
    if most > WHOLE_BP:
        text = f"the progressives take {percent(most)} of a {kind} wager; there is only 100%"
        faults.append(RuleError(text, field="links"))
    if any(floor_applies(rules) for rules in documents):
        least = sum(metered_bp(rules) for rules in documents)
        if least < FLOOR_BP:
            reaches = f"{percent(least)} of a {kind} wager reaches the meters"
            text = f"{reaches} (a reserve is not a meter); at least 70% must"
            faults.append(RuleError(text, field="links", rule=FLOOR_RULE))
    return tuple(faults)


def floor_applies(rules: ProgressiveRules) -> bool:
    """Section 2.4 is about progressive wagers; the fund of 16.29 is a part of every wager instead."""
    return rules.rulebook == "gb-2011" and rules.source is ContributionSource.JACKPOT_WAGER


def metered_bp(rules: ProgressiveRules) -> int:
    """What of a wager reaches the meters at least, whether they stand at their caps or not."""
    return sum(min(level.increment_bp, _after_cap(level)) for level in rules.levels)


def _after_cap(level: Level) -> int:
    if level.cap_micros is None or level.secondary_bp is None:
        return level.increment_bp
    return level.secondary_bp
