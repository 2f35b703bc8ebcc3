"""What the stored log of some gaming days would have paid under other rules: a dry run. It writes nothing.

The log is taken as it stands, hits in the order that was certain, decided or ruled; where the new rules would need a
ruling that nobody has made, by place. People might have wagered otherwise: that no log can tell.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Sum

from config.kit.gaming_day import day_start
from config.kit.refusals import Refused, wrong
from jackpots.fold.decided_order import FoldProgress, Tail, fold_through
from jackpots.fold.replay import slice_of, wagers_of
from jackpots.models import Event, Progressive, ProgressiveConfig, Share, Win
from jackpots.order.by_place import in_order
from jackpots.reading.explain import state_at
from rules.progressive import ContributionSource, ProgressiveRules, State, encode, opening_state
from rules.progressive.config import WHOLE_BP
from rules.progressive.feeds import taken_bp

MAX_SHARES = 50_000
BY_PLACE = ("by place",)


@dataclass(frozen=True)
class Paid:
    """One kind of win of the span: what was paid, and what would have been."""

    trigger: str
    level: str
    wins: int
    paid_micros: int
    would_wins: int
    would_micros: int


@dataclass(frozen=True)
class DryRun:
    """A span of the log under other rules, beside what happened."""

    progressive: Progressive
    first: date
    last: date
    wagered_micros: int
    paid: tuple[Paid, ...]
    meters: dict[str, tuple[int | None, int]]
    """By level: at the end of the span as it was (none where there was no such level), and as it would be."""

    @property
    def was_micros(self) -> int:
        return sum(paid.paid_micros for paid in self.paid)

    @property
    def would_micros(self) -> int:
        return sum(paid.would_micros for paid in self.paid)


@dataclass(frozen=True)
class Stored:
    """A span of a progressive's log as far as it is final, with the pots that it found and those that it left."""

    begin: datetime
    end: datetime
    shares: list[Share]
    was: State
    ended: State


def stored(progressive: Progressive, begin: datetime, end: datetime, most: int = MAX_SHARES) -> Stored:
    """Refused where nothing of it is final, or where it is too much for one look."""
    if progressive.folded_until is None or progressive.folded_until <= begin:
        raise Refused("nothing_stored", f"The log of {progressive} has nothing final in this span yet.")
    end = min(end, progressive.folded_until)
    rows = Share.objects.filter(progressive=progressive, place__gte=begin, place__lt=end)
    if rows[: most + 1].count() > most:
        raise wrong("last", f"That is more than {most:,} events: choose a shorter span.")
    shares = in_order(rows.select_related("event__table_log__premises", "config").prefetch_related("doubts"))
    was, ended = (state_at(progressive, at - timedelta(microseconds=1)) for at in (begin, end))
    return Stored(begin, end, shares, was, ended)


def through(span: Stored, rules: ProgressiveRules) -> FoldProgress:
    """The span under these rules, from the pots that it found."""
    config = ProgressiveConfig(pk=0, sha256="0" * 64, document=encode(rules))
    shares = [_under(share, config) for share in span.shares]
    tail = Tail(
        [share for share in shares if share.event.kind != Event.Kind.HITS],
        [share for share in shares if share.event.kind == Event.Kind.HITS],
        supposed=BY_PLACE,
    )
    return fold_through(tail, FoldProgress(_start(rules, span.was), config))


def dry_run(progressive: Progressive, rules: ProgressiveRules, first: date, last: date) -> DryRun:
    """The days must be in the final meters. Other levels than the progressive's begin at their seeds, its own with what
    lay in them."""
    if last < first:
        raise wrong("last", "The last day is not before the first.")
    begin, end = (day_start(progressive.host, day) for day in (first, last + timedelta(days=1)))
    span = stored(progressive, begin, end)
    done = through(span, rules)
    would: dict[tuple[str, str], list[int]] = {}
    for made in done.stretches:
        for payment in made.payments:
            would.setdefault((payment.trigger, payment.level), []).append(payment.amount_micros)
    return DryRun(
        progressive,
        first,
        last,
        sum(share.stake_micros for share in span.shares),
        _beside(progressive, span.begin, span.end, would),
        _meters(span.ended, done.state),
    )


def _start(rules: ProgressiveRules, was: State) -> State:
    known = {level.name: level for level in was.levels}
    return State(tuple(known.get(level.name, level) for level in opening_state(rules).levels))


def _under(share: Share, config: ProgressiveConfig) -> Share:
    """The share as it would have come in: the levels' rates take their part, what they leave is the house's."""
    rules = config.rules
    bp = WHOLE_BP if rules.source is ContributionSource.JACKPOT_WAGER else taken_bp(rules)
    was, share.config, share.slices = share.slices, config, dict.fromkeys(share.slices, bp)
    if share.event.kind != Event.Kind.HITS and was != share.slices:
        staked = sum(wager.stake for wager in wagers_of(share.event) if wager.kind in share.slices)
        sign = -1 if share.stake_micros < 0 else 1
        share.slice_micros = sign * slice_of(staked, bp)
    return share


def _beside(
    progressive: Progressive, begin: object, end: object, would: dict[tuple[str, str], list[int]]
) -> tuple[Paid, ...]:
    wins = Win.objects.filter(progressive=progressive, run__last_place__gte=begin, run__last_place__lt=end)
    was = {
        (row["trigger"], row["level"]): (row["wins"], row["paid"])
        for row in wins.values("trigger", "level").annotate(wins=Count("pk"), paid=Sum("amount_micros"))
    }
    rows = Counter({key: sum(amounts) for key, amounts in would.items()})
    rows.update(dict.fromkeys(was, 0))
    return tuple(
        Paid(
            *key,
            *was.get(key, (0, 0)),
            len(would.get(key, [])),
            sum(would.get(key, [])),
        )
        for key in sorted(rows)
    )


def _meters(was: State, would: State) -> dict[str, tuple[int | None, int]]:
    known = {level.name: level.meter_micros for level in was.levels}
    return {level.name: (known.get(level.name), level.meter_micros) for level in would.levels}
