"""Hits and wins to date, and how often each hand came beside how often it should: by level and hand, with the exact
chance that luck alone is as far off. Read only.

Wagers are counted in the log as they took part: accepted, less what went back. A wager's chance is that of its table's
game as it is set up now (`jackpots.log.games`); of tables whose odds are not known neither wagers nor hits are
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction

from django.db import connection
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from config.kit.gaming_day import day_start
from config.kit.refusals import wrong
from jackpots.fold.hindsight import seen_by
from jackpots.fold.replay import hits_in
from jackpots.log import games
from jackpots.models import Adjustment, Event, Link, Progressive, Share, Win
from rules.edge.core import chances_of_hits
from rules.edge.counts import Counted, count_luck
from rules.odds import say_chance
from rules.progressive import Mode, ProgressiveRules
from rules.progressive.resolve import Hits

NEWEST = 50_000
"""So many of the newest events a page looks at by itself, about a week of fifty tables."""
MAX_EVENTS = 1_000_000
"""And so many where days are given."""

_WAGERS = """
    SELECT e.table_log_id, w.value ->> 'kind', sum(CASE e.kind WHEN 'return' THEN -1 ELSE 1 END)
    FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id
    CROSS JOIN jsonb_array_elements(e.body -> 'wagers') w
    WHERE s.progressive_id = %s AND s.place >= %s AND s.place < %s AND e.kind IN ('stakes', 'return')
        AND jsonb_exists(s.slices, w.value ->> 'kind')
    GROUP BY 1, 2
"""
Tried = list[tuple[int, Fraction]]


@dataclass(frozen=True)
class Compared:
    """A hand, or all hands of a level together."""

    trigger: str
    """Empty: all of the level."""
    counted: Counted
    chance: Fraction | None
    """Of one wager, where it is the same at all tables."""
    wins: int
    """To date, superseded ones left out."""
    won_micros: int
    last_won: datetime | None

    @property
    def one_in(self) -> str:
        """Of so many wagers one should have it."""
        return f"{round(1 / self.chance):,}" if self.chance else ""

    @property
    def came_one_in(self) -> str:
        return f"{round(Fraction(self.counted.tries, self.counted.hits)):,}" if self.counted.hits else ""

    @property
    def expected(self) -> str:
        """How many hits, to two decimals."""
        hundredths = round(self.counted.expected * 100)
        return f"{hundredths // 100:,}.{hundredths % 100:02d}"

    @property
    def luck(self) -> str:
        """The chance of so large a difference."""
        return say_chance(self.counted.chance)


@dataclass(frozen=True)
class LevelHits:
    level: str
    resets: int
    """How often its whole meter was won, to date."""
    all: Compared
    hands: tuple[Compared, ...]


@dataclass(frozen=True)
class Frequency:
    progressive: Progressive
    begin: datetime
    end: datetime
    from_opening: bool
    wagers: int
    not_compared: int
    """Wagers at tables whose odds are not known."""
    levels: tuple[LevelHits, ...]


def frequency(progressive: Progressive, first: date | None = None, last: date | None = None) -> Frequency:
    """Of gaming days of the host, as far as the order is final; without days of the newest events."""
    begin, end, from_opening = _span(progressive, first, last)
    wagers, unknown = _wagers(progressive, begin, end)
    rules = progressive.config.rules
    known = {table for table, _, _ in wagers}
    hits = Counter(
        hit.trigger
        for table, round_hits in _hits(progressive, begin, end)
        if table in known
        for hit in round_hits.hits
    )
    won = _won(progressive)
    resets = {meter.level: meter.resets for meter in progressive.meters.all()}
    levels = []
    for level in rules.levels:
        hands = triggers_of(rules, level.name)
        rows = [_compared(name, [name], wagers, hits, won, level.name) for name in hands]
        rows.sort(key=lambda row: row.counted.expected)  # the rarest first
        whole = _compared("", hands, wagers, hits, won, level.name)
        levels.append(LevelHits(level.name, resets.get(level.name, 0), whole, tuple(rows)))
    return Frequency(
        progressive, begin, end, from_opening, sum(many for _, many, _ in wagers), unknown, tuple(levels)
    )


def triggers_of(rules: ProgressiveRules, level: str) -> list[str]:
    """The hands that win from a level; an envy bonus is for another's hand."""
    stages = [stage for stage in rules.stages if stage.mode is not Mode.ENVY]
    found = [prize.trigger for stage in stages for prize in stage.prizes if prize.level == level]
    return list(dict.fromkeys(found))


# --- Which stretch --------------------------------------------------------------------------------------------
def _span(progressive: Progressive, first: date | None, last: date | None) -> tuple[datetime, datetime, bool]:
    final = progressive.folded_until
    shares = progressive.shares.order_by("place").values_list("place", flat=True)
    opened = shares.first()
    if final is None or opened is None:
        now = timezone.now()
        return now, now, True
    if first is not None and last is not None and last < first:
        raise wrong("last", "The last day is not before the first.")
    if first is None and last is None:
        newest = shares.filter(place__lt=final).reverse()[NEWEST : NEWEST + 1].first()
        return (opened, final, True) if newest is None else (newest, final, False)
    begin = opened if first is None else day_start(progressive.host, first)
    end = final if last is None else min(final, day_start(progressive.host, last + timedelta(days=1)))
    if shares.filter(place__gte=begin, place__lt=end)[: MAX_EVENTS + 1].count() > MAX_EVENTS:
        raise wrong("last", f"That is more than {MAX_EVENTS:,} events: choose fewer days.")
    return begin, end, begin <= opened


# --- What was tried, what came --------------------------------------------------------------------------------
def _wagers(
    progressive: Progressive, begin: datetime, end: datetime
) -> tuple[list[tuple[int, int, dict[str, Fraction]]], int]:
    """By table and kind of wager: how many took part, and how likely each hand is to one. And how many of unknown
    odds."""
    with connection.cursor() as cursor:
        cursor.execute(_WAGERS, [progressive.pk, begin, end])
        rows = cursor.fetchall()
    links = {
        link.table_log_id: link
        for link in progressive.links.select_related("table_log__premises", "progressive")
    }
    found, unknown = [], 0
    for table, kind, many in rows:
        chances = _chances(links.get(table), kind)
        if chances is None:
            unknown += many
        else:
            found.append((table, many, chances))
    return found, unknown


def _chances(link: Link | None, kind: str) -> dict[str, Fraction] | None:
    played = None if link is None else games.game_of(link.table_log)
    edge = None if played is None else games.edge_at(played, kind)
    return None if edge is None else chances_of_hits(edge.distribution)


def _hits(progressive: Progressive, begin: datetime, end: datetime) -> Iterable[tuple[int, Hits]]:
    """By table the hands of each round, as far as is known by now: the last word of two people, or the log's."""
    said: dict[tuple[int | None, int | None], Adjustment] = {}
    for adjustment in (
        progressive.adjustments.filter(hits__isnull=False).select_related("table_log").order_by("pk")
    ):
        said[adjustment.table_log_id, adjustment.round_id] = adjustment
    shares = Share.objects.filter(
        progressive=progressive, event__kind=Event.Kind.HITS, place__gte=begin, place__lt=end
    )
    for share in shares.select_related("event__table_log", "config"):
        adjusted = said.pop((share.event.table_log_id, share.event.round_id), None)
        hits = hits_in(share) if adjusted is None else seen_by(adjusted).hits
        if hits is not None:
            yield share.event.table_log_id, hits
    for adjustment in said.values():  # late hands, of which the log has none
        place, hits = adjustment.hits_place, seen_by(adjustment).hits
        if (
            place is not None
            and begin <= place < end
            and hits is not None
            and adjustment.table_log_id is not None
        ):
            yield adjustment.table_log_id, hits


def _won(progressive: Progressive) -> dict[tuple[str, str], tuple[int, int, datetime | None]]:
    rows = (
        Win.objects.filter(progressive=progressive)
        .exclude(state=Win.State.SUPERSEDED)
        .values("level", "trigger")
        # What a second thought adds to a win is none of its own.
        .annotate(wins=Count("pk", filter=Q(adjustment__isnull=True) | Q(held__isnull=False)))
        .annotate(sum=Sum("amount_micros"), last=Max("resolved_at"))
    )
    return {(row["level"], row["trigger"]): (row["wins"], row["sum"], row["last"]) for row in rows}


def _compared(
    name: str,
    triggers: list[str],
    wagers: list[tuple[int, int, dict[str, Fraction]]],
    hits: Counter[str],
    won: dict[tuple[str, str], tuple[int, int, datetime | None]],
    level: str,
) -> Compared:
    """A wager has at most one of the hands, so that the chances of several add up."""
    tried: Tried = [
        (many, sum((chances.get(each, Fraction(0)) for each in triggers), Fraction(0)))
        for _, many, chances in wagers
    ]
    different = {chance for _, chance in tried}
    counted = count_luck(tried, sum(hits[each] for each in triggers))
    rows = [won[level, each] for each in triggers if (level, each) in won]
    return Compared(
        name,
        counted,
        different.pop() if len(different) == 1 else None,
        sum(row[0] for row in rows),
        sum(row[1] for row in rows),
        max((row[2] for row in rows if row[2] is not None), default=None),
    )
