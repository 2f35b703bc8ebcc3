"""How the meters of a progressive have stood over time, with wins marked, and what each table gave by the hour.

The chart looks the meters up at a fixed number of moments, each by an index: a year costs as much as an hour. What was
given by the hour is kept (jackpots.models.given), but for the little that is not final yet."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext_noop

from jackpots.models import Progressive, Win, opening_pots
from jackpots.models.progressives import GIVEN
from rules.progressive import State, decode

SPANS = {
    "hour": (gettext_noop("last hour"), timedelta(hours=1)),
    "day": (gettext_noop("last day"), timedelta(days=1)),
    "week": (gettext_noop("last week"), timedelta(days=7)),
    "month": (gettext_noop("last month"), timedelta(days=30)),
    "year": (gettext_noop("last year"), timedelta(days=365)),
}
MOMENTS = 120
WIDTH, HEIGHT = 1_000, 240
MAX_WINS = 100
_NOT_FINAL = """AND s.place >= coalesce(
    (SELECT p.final_until FROM jackpots_progressive p WHERE p.id = %(progressive)s), '-infinity')"""
_AT = """
    SELECT looked_at, (
        SELECT meters FROM jackpots_foldrun WHERE progressive_id = %s AND last_place <= looked_at
        ORDER BY last_place DESC, number DESC LIMIT 1
    ) FROM generate_series(%s::timestamptz, %s::timestamptz, %s::interval) AS looked_at
"""

_GIVEN = f"""
    SELECT given.hour, t.table_code, sum(given.micros) FROM (
        SELECT g.progressive_id, g.hour, g.table_log_id, g.micros FROM jackpots_givenhour g
        WHERE g.progressive_id = %(progressive)s AND g.hour >= %(since)s
        UNION ALL
        ({GIVEN.format(progressive="%(progressive)s", since="%(not_before)s")} {_NOT_FINAL} GROUP BY 1, 2, 3)
    ) given JOIN jackpots_tablelog t ON t.id = given.table_log_id
    GROUP BY given.hour, t.table_code ORDER BY given.hour, t.table_code
"""  # noqa: S608 (no value is interpolated)
"""What is final is kept by the hour; what is not yet is summed here, of one moment with it. `not_before`: until where
all was final when the progressive was read. By that the planner knows how little is left to look at; else it takes a
third of all shares for it, and reads every event."""


_EACH_HOUR = """
    SELECT p.id, hours.back, (
        SELECT meters FROM jackpots_foldrun WHERE progressive_id = p.id
            AND last_place <= %(now)s::timestamptz - hours.back * interval '1 hour'
        ORDER BY last_place DESC, number DESC LIMIT 1
    ) FROM unnest(%(progressives)s::bigint[]) AS p(id), generate_series(24, 0, -1) AS hours(back)
"""
SPARK_WIDTH, SPARK_HEIGHT = 96, 24


@dataclass(frozen=True)
class Spark:
    """A level over the last 24 hours, as a small line beside its figure."""

    path: str
    lowest: int
    highest: int


@dataclass(frozen=True)
class Point:
    at: datetime
    micros: int
    x: int
    y: int


@dataclass(frozen=True)
class Mark:
    """A win on the line of its level."""

    win: Win
    x: int


@dataclass(frozen=True)
class Curve:
    """A level over the span, drawn between its lowest and its highest figure."""

    level: str
    points: list[Point]
    marks: list[Mark]

    @property
    def path(self) -> str:
        """In steps: between two moments a meter stands where it stood."""
        first, *others = self.points
        return f"M{first.x} {first.y}" + "".join(f"H{point.x}V{point.y}" for point in others)

    @property
    def lowest(self) -> int:
        return min(point.micros for point in self.points)

    @property
    def highest(self) -> int:
        return max(point.micros for point in self.points)


def lines(progressive: Progressive, span: str, now: datetime | None = None) -> list[Curve]:
    """A line a level, the first moment on the left."""
    end = now or timezone.now()
    begin = end - SPANS[span][1]
    figures = _figures(progressive, begin, end)
    wins = (
        progressive.wins.filter(resolved_at__gte=begin).select_related("table_log__premises").order_by("-pk")
    )
    by_level: dict[str, list[Win]] = defaultdict(list)
    for win in wins[:MAX_WINS]:
        by_level[win.level].append(win)
    made = []
    for level in progressive.config.rules.levels:
        values = [(at, state[level.name]) for at, state in figures if level.name in state]
        if values:
            marks = [Mark(win, _x(win.resolved_at, begin, end)) for win in by_level[level.name]]
            made.append(Curve(level.name, _drawn(values, begin, end), marks))
    return made


def sparks(progressives: Sequence[Progressive], now: datetime) -> dict[tuple[int, str], Spark]:
    """By progressive and level: from hour to hour, before the first event the seed. One statement that looks up 25
    moments of each."""
    with connection.cursor() as cursor:
        cursor.execute(_EACH_HOUR, {"progressives": [each.pk for each in progressives], "now": now})
        rows = cursor.fetchall()
    young = {progressive for progressive, _, text in rows if text is None}
    seeds = {each.pk: _by_level(opening_pots(each)) for each in progressives if each.pk in young}
    known: dict[str, dict[str, int]] = {}
    figures: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for progressive, back, text in rows:
        if text is not None and text not in known:
            known[text] = _by_level(decode(State, json.loads(text)))
        for level, micros in (seeds[progressive] if text is None else known[text]).items():
            figures[progressive, level].append((SPARK_WIDTH - SPARK_WIDTH * back // 24, micros))
    return {which: _spark(values) for which, values in figures.items()}


def _spark(values: list[tuple[int, int]]) -> Spark:
    low, high = min(micros for _, micros in values), max(micros for _, micros in values)
    drawn = [(x, SPARK_HEIGHT - SPARK_HEIGHT * (micros - low) // max(high - low, 1)) for x, micros in values]
    (first_x, first_y), *others = drawn
    return Spark(f"M{first_x} {first_y}" + "".join(f"H{x}V{y}" for x, y in others), low, high)


def _figures(
    progressive: Progressive, begin: datetime, end: datetime
) -> list[tuple[datetime, dict[str, int]]]:
    with connection.cursor() as cursor:
        step = f"{(end - begin) // MOMENTS // timedelta(microseconds=1)} microseconds"
        cursor.execute(_AT, [progressive.pk, begin, end, step])
        rows = cursor.fetchall()
    seed = _by_level(opening_pots(progressive))  # before its first event
    known: dict[str, dict[str, int]] = {}
    found = []
    for at, text in rows:
        if text is not None and text not in known:
            known[text] = _by_level(decode(State, json.loads(text)))
        found.append((at, known[text] if text is not None else seed))
    return found


def _by_level(state: State) -> dict[str, int]:
    return {level.name: level.meter_micros for level in state.levels}


def _x(at: datetime, begin: datetime, end: datetime) -> int:
    return round(WIDTH * ((at - begin) / (end - begin)))


def _drawn(values: list[tuple[datetime, int]], begin: datetime, end: datetime) -> list[Point]:
    low, high = min(micros for _, micros in values), max(micros for _, micros in values)
    return [
        Point(
            at,
            micros,
            _x(at, begin, end),
            HEIGHT - HEIGHT * (micros - low) // (high - low) if high > low else HEIGHT,
        )
        for at, micros in values
    ]


@dataclass(frozen=True)
class Hour:
    """What came in within an hour, in all and by table; `height` of its bar in per cent of the best hour."""

    at: datetime
    micros: int
    tables: list[tuple[str, int]]
    height: int


def by_hour(progressive: Progressive, now: datetime | None = None) -> list[Hour]:
    """Of the last 24 hours, also those in which nothing came: contributions by the hour of their place in the order."""
    end = now or timezone.now()
    last = end.replace(minute=0, second=0, microsecond=0)
    hours = [last - timedelta(hours=back) for back in reversed(range(24))]
    with connection.cursor() as cursor:
        final = max(hours[0], progressive.final_until or hours[0])
        cursor.execute(_GIVEN, {"progressive": progressive.pk, "since": hours[0], "not_before": final})
        found = cursor.fetchall()
    given: dict[datetime, dict[str, int]] = defaultdict(dict)
    for hour, table, micros in found:
        given[hour][table] = int(micros)
    most = max((sum(tables.values()) for tables in given.values()), default=0)
    return [
        Hour(
            hour,
            total := sum(given[hour].values()),
            sorted(given[hour].items()),
            100 * total // most if most else 0,
        )
        for hour in hours
    ]
