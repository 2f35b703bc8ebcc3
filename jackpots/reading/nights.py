"""A stored night under every way of paying several winners, side by side: what each would have paid in every round with
hits, with the traces. Read only.

The log is taken as `jackpots.reading.dry_run` takes it, from the pots that the night found, under the rules in force
when it began; what people have put right since (second thoughts, adjustments, transfers) is left out, in all modes
alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from config.kit.refusals import wrong
from jackpots.fold.decided_order import FoldProgress
from jackpots.fold.replay import Stretch
from jackpots.models import Event, Progressive, Share, Win
from jackpots.reading.dry_run import Stored, stored, through
from rules import RuleError
from rules.progressive import Mode, ProgressiveRules
from rules.progressive.referee import is_declared, under

AS_DECLARED = "as-declared"
"""Each stage in its own mode."""
MAX_EVENTS = 10_000
"""A night of thirty tables; seven times through takes some seconds."""
MAX_ROUNDS = 300
"""With hits, for their traces are shown."""


@dataclass(frozen=True)
class NightVerdict:
    """The night under one mode; or why it cannot be."""

    mode: str
    """One of the six, or AS_DECLARED."""
    declared: bool
    """How the progressive pays."""
    rounds: dict[int, Stretch]
    """By the share of its hits."""
    meters: dict[str, int]
    """At the end, by level."""
    why_not: str = ""

    @property
    def wins(self) -> int:
        return sum(len(made.payments) for made in self.rounds.values())

    @property
    def paid_micros(self) -> int:
        return sum(self.paid_in(share) for share in self.rounds)

    @property
    def from_house_micros(self) -> int:
        return sum(pay.from_house_micros for made in self.rounds.values() for pay in made.payments)

    def paid_in(self, share: int) -> int:
        """In a round."""
        made = self.rounds.get(share)
        return 0 if made is None else sum(payment.amount_micros for payment in made.payments)


@dataclass(frozen=True)
class RoundOfHits:
    """One round of the night, with what each mode pays in it."""

    share: Share
    was_micros: int
    """As the fold paid it."""
    by_mode: tuple[tuple[NightVerdict, int, Stretch | None], ...]

    @property
    def differs(self) -> bool:
        return len({paid for verdict, paid, _ in self.by_mode if not verdict.why_not}) > 1


@dataclass(frozen=True)
class Night:
    progressive: Progressive
    begin: datetime
    end: datetime
    events: int
    wins: int
    paid_micros: int
    meters: dict[str, int]
    """As it was, all three."""
    other_rules: bool
    """Other rules came into force meanwhile: here those of its beginning hold throughout."""
    verdicts: tuple[NightVerdict, ...]
    rounds: tuple[RoundOfHits, ...]


def judge_night(progressive: Progressive, begin: datetime, end: datetime) -> Night:
    """As declared, which is what was paid unless people have put something right; then all six modes."""
    span = stored(progressive, begin, end, MAX_EVENTS)
    hits = [share for share in span.shares if share.event.kind == Event.Kind.HITS]
    if len(hits) > MAX_ROUNDS:
        raise wrong(
            "end", f"{len(hits)} rounds have hits; at most {MAX_ROUNDS} are compared: choose a shorter span."
        )
    configs = {share.config_id for share in span.shares}
    rules = _rules_at(progressive, span)
    verdicts = (_as_declared(span, rules), *(_verdict(span, rules, mode) for mode in Mode))
    wins = list(Win.objects.filter(share__in=hits, adjustment__isnull=True))
    was: Counter[int | None] = Counter()
    for win in wins:
        was[win.share_id] += win.amount_micros
    return Night(
        progressive,
        span.begin,
        span.end,
        len(span.shares),
        len(wins),
        sum(was.values()),
        {level.name: level.meter_micros for level in span.ended.levels},
        len(configs) > 1,
        verdicts,
        tuple(
            RoundOfHits(
                share,
                was[share.pk],
                tuple((each, each.paid_in(share.pk), each.rounds.get(share.pk)) for each in verdicts),
            )
            for share in hits
        ),
    )


def _rules_at(progressive: Progressive, span: Stored) -> ProgressiveRules:
    return (span.shares[0].config if span.shares else progressive.config).rules


def _as_declared(span: Stored, rules: ProgressiveRules) -> NightVerdict:
    return _told(AS_DECLARED, True, through(span, rules))


def _verdict(span: Stored, rules: ProgressiveRules, mode: Mode) -> NightVerdict:
    declared = is_declared(rules, mode)
    try:
        return _told(mode.value, declared, through(span, under(rules, mode)))
    except RuleError as fault:
        return NightVerdict(mode.value, declared, {}, {}, str(fault))


def _told(name: str, declared: bool, done: FoldProgress) -> NightVerdict:
    rounds = {made.shares[0].pk: made for made in done.stretches if made.resolution is not None}
    return NightVerdict(
        name, declared, rounds, {level.name: level.meter_micros for level in done.state.levels}
    )
