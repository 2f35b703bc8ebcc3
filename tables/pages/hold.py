"""What a table won and held over some days, beside what it should have won, and whether the difference could be luck.

Expected win: each stake times its wager's house edge. One standard deviation: the root of the sum of stake squared
times the variance of one unit, as if every wager were decided for itself; and, as a bound, of wagers that all win and
lose together in a round. Jackpot wagers are the progressives' business and are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from math import isqrt
from typing import Any

from django.db import connection
from django.utils.translation import gettext_noop

from config.kit.canonical_json import canonical_json
from ledger.months import months
from rules.edge.luck import Expected, Luck, Summed, expected, luck
from tables.models import Table, TableConfig
from tables.rules_room.chances import chances

SPANS = {
    "day": (gettext_noop("today"), 1),
    "week": (gettext_noop("the last 7 days"), 7),
    "month": (gettext_noop("the last 31 days"), 31),
}
WIDTH, HEIGHT = 1_000, 240
USUAL = Fraction(19, 20)
FAR = 2
"""Standard deviations that chance reaches often enough."""
_SCALE = 10**6

_AMOUNTS = (
    "kind, selection, is_jackpot, is_fee, is_new, stake_micros, winnings_micros, returned_micros, standing_micros,"
    " commission_micros"
)
# A round's lines as they are in force: those of its last version, where it was corrected.
_LINES = f"""
    FROM tables_round r CROSS JOIN LATERAL (
        SELECT {_AMOUNTS} FROM tables_wagerline w WHERE w.round_id = r.id
            AND NOT EXISTS (SELECT FROM tables_roundversion v WHERE v.round_id = r.id)
        UNION ALL
        SELECT {_AMOUNTS} FROM tables_versionline w WHERE w.version_id = (
            SELECT v.id FROM tables_roundversion v WHERE v.round_id = r.id ORDER BY v.number DESC LIMIT 1)
    ) l
"""  # noqa: S608 (no value is interpolated)
_OF_TABLE = """
    WHERE r.table_id = %(table)s AND r.gaming_day BETWEEN %(first)s AND %(last)s AND r.state = 'settled'
        AND NOT l.is_jackpot
"""
_SUMS = f"""
    SELECT r.gaming_day, r.config_id, l.kind, l.selection, l.is_fee, count(*) FILTER (WHERE l.is_new),
        coalesce(sum(l.stake_micros) FILTER (WHERE l.is_new), 0),
        coalesce(sum(l.stake_micros::numeric ^ 2) FILTER (WHERE l.is_new), 0),
        coalesce(sum(l.stake_micros::numeric ^ 3) FILTER (WHERE l.is_new), 0),
        sum(l.stake_micros - l.returned_micros - l.standing_micros - l.winnings_micros + l.commission_micros)
    {_LINES} {_OF_TABLE} GROUP BY 1, 2, 3, 4, 5
"""
_TOGETHER = f"""
    SELECT coalesce(sum(w * w), 0) FROM (
        SELECT sum(l.stake_micros * k.sigma) AS w {_LINES}
        JOIN unnest(%(configs)s::bigint[], %(kinds)s::text[], %(selections)s::text[], %(sigmas)s::bigint[])
            AS k(config, kind, selection, sigma)
            ON k.config = r.config_id AND k.kind = l.kind AND k.selection = l.selection
        {_OF_TABLE} AND l.is_new
        GROUP BY r.id
    ) rounds
"""  # noqa: S608 (no value is interpolated)


@dataclass(frozen=True)
class Day:
    """Of all wagers but jackpots'. `expected_micros`: of those whose house edge is known."""

    day: date
    rounds: int
    staked_micros: int
    win_micros: int
    expected_micros: int

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win_micros, self.staked_micros) if self.staked_micros else None


@dataclass(frozen=True)
class SpanHold:
    """Over all days of the span."""

    days: list[Day]
    staked_micros: int
    win_micros: int
    left_out: list[tuple[str, int]]
    """Wagers without a known house edge, and what was staked on them: they are no part of the answer."""
    exact: bool
    of: Expected | None = None
    known_win_micros: int = 0
    found: Luck | None = None
    together: Luck | None = None
    """The same if all wagers of a round won and lost together."""

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win_micros, self.staked_micros) if self.staked_micros else None

    @property
    def usual(self) -> tuple[int, int] | None:
        """Between which the win lies in 19 of 20 cases, by the wider of the two deviations."""
        if self.of is None or self.found is None:
            return None
        return (self.together or self.found).expected.bounds_micros(USUAL)

    @property
    def verdict(self) -> str:
        if self.found is None:
            return "Nothing was left to chance yet." if not self.staked_micros else "No house edge is known."
        if self.together is not None and abs(self.together.distance) < FAR <= abs(self.found.distance):
            return "This could well be luck: the wagers of a round win and lose together at this table."
        return self.found.verdict


def answer(table: Table, first: date, last: date) -> SpanHold:
    """Three statements, whatever the span. Refused where lines of it are kept elsewhere."""
    months.require_days(table.premises, first, last)
    asked: dict[str, Any] = {"table": table.pk, "first": first, "last": last}
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, asked)
        rows = cursor.fetchall()
    texts = _texts({config for _, config, *_ in rows})
    sums: list[Summed] = []
    days: dict[date, list[int]] = defaultdict(lambda: [0, 0, 0])
    missing: dict[str, int] = defaultdict(int)
    sigmas: dict[tuple[int, str, str], int] = {}
    known_win, exact = 0, True
    for day, config, kind, selection, is_fee, number, staked, squares, cubes, win in rows:
        figures = days[day]
        figures[0] += int(0 if is_fee else staked)
        figures[1] += int(win)
        known = chances(*texts[config][:2], kind, selection, texts[config][2])
        if known is None:
            missing[kind] += int(staked)
            continue
        known_win, exact = known_win + int(win), exact and known.exact
        if known.wager != kind or is_fee:  # its money is a part of the first wager's figure
            continue
        sums.append(
            Summed(
                int(number),
                int(staked),
                int(squares),
                int(cubes),
                known.house_edge,
                known.variance,
                known.third,
            )
        )
        figures[2] += int(int(staked) * known.house_edge)
        sigmas[config, kind, selection] = isqrt(int(known.variance * _SCALE**2)) + 1
    made = _days(table, first, last, days)
    whole = SpanHold(
        made,
        sum(day.staked_micros for day in made),
        sum(day.win_micros for day in made),
        sorted(missing.items()),
        exact,
    )
    return _judged(whole, sums, known_win, _together(asked, sigmas) if sums else 0)


def _judged(whole: SpanHold, sums: Iterable[Summed], known_win: int, together_micros: int) -> SpanHold:
    of = expected(sums)
    if not of.deviation_micros:
        return whole
    wide = replace(of, deviation_micros=max(together_micros, of.deviation_micros), off_by=Fraction(1))
    return replace(
        whole,
        of=of,
        known_win_micros=known_win,
        found=luck(of, known_win),
        together=luck(wide, known_win),
    )


def _texts(configs: set[int]) -> dict[int, tuple[str, str, str]]:
    """Game, rulebook, and options and pay tables as text, of every set of rules that was in force."""
    return {
        row.pk: (
            row.document["game"],
            row.document["rulebook"],
            canonical_json({name: row.document[name] for name in ("options", "paytables")}),
        )
        for row in TableConfig.objects.filter(pk__in=configs)
    }


def _together(asked: dict[str, Any], sigmas: dict[tuple[int, str, str], int]) -> int:
    """One standard deviation at the very most: within a round, deviations add up (they do where all wagers win and
    lose together, and never to more); between rounds, variances."""
    arrays = {
        "configs": [config for config, _, _ in sigmas],
        "kinds": [kind for _, kind, _ in sigmas],
        "selections": [selection for _, _, selection in sigmas],
        "sigmas": list(sigmas.values()),
    }
    with connection.cursor() as cursor:
        cursor.execute(_TOGETHER, asked | arrays)
        return isqrt(int(cursor.fetchone()[0])) // _SCALE


def _days(table: Table, first: date, last: date, figures: dict[date, list[int]]) -> list[Day]:
    """Every day of the span on which something was played; its rounds come from the books of the floor."""
    counted: dict[date, int] = defaultdict(int)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT gaming_day, count(*) FROM tables_round WHERE table_id = %s AND gaming_day BETWEEN %s AND %s"
            " AND state = 'settled' GROUP BY 1",
            [table.pk, first, last],
        )
        counted.update(cursor.fetchall())
    return [Day(day, counted[day], staked, win, due) for day, (staked, win, due) in sorted(figures.items())]


@dataclass(frozen=True)
class Bar:
    """A day of the chart: its win from the line of nothing, and what it should have won."""

    day: Day
    x: int
    width: int
    y: int
    height: int
    expected_y: int


def chart(days: list[Day], first: date, last: date) -> tuple[list[Bar], int]:
    """Bars by day, and the height at which nothing lies."""
    number = (last - first).days + 1
    figures = [figure for day in days for figure in (day.win_micros, day.expected_micros)]
    high, low = max([0, *figures]), min([0, *figures])
    span = max(high - low, 1)

    def y(micros: int) -> int:
        return HEIGHT * (high - micros) // span

    width = WIDTH // number
    bars = [
        Bar(
            day,
            (day.day - first).days * width,
            max(width - 4, 2),
            min(y(day.win_micros), y(0)),
            max(abs(y(day.win_micros) - y(0)), 1),
            y(day.expected_micros),
        )
        for day in days
    ]
    return bars, y(0)


def span_of(name: str, today: date) -> tuple[date, date]:
    return today - timedelta(days=SPANS[name][1] - 1), today
