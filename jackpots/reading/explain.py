"""Explain this meter: any figure at any past instant as what it was made of. Where it stood, contributions by table and
hour, then every win, return and correction; down to single wagers, with the seals that cover them and what the signs
showed. Read from the log and the fold's runs; nothing is written here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Min, QuerySet, Sum
from django.db.models.functions import TruncHour
from django.utils.translation import gettext_noop

from config.kit.gaming_day import gaming_day
from config.kit.moments import MOMENT, told
from config.kit.refusals import Refused
from jackpots.fold.replay import replay, slice_of, wagers_of
from jackpots.fold.runs_again import shares_taken
from jackpots.models import (
    DisplayMinute,
    Event,
    FoldRun,
    Progressive,
    ProgressiveConfig,
    Share,
    TableLog,
    Win,
    opening_pots,
)
from jackpots.order.by_place import BY_PLACE
from jackpots.signs.frame_texts import with_texts
from jackpots.signs.showed import signs_of
from ledger.models import Seal
from ledger.months import months
from rules.contract import Wager
from rules.money import parse_money
from rules.progressive import Applied, State, decode, split
from rules.progressive.pools import Pot

SHOWN_WITHIN = timedelta(minutes=2)
"""A sign tells every five seconds what it shows: an older word says nothing about the instant."""
WAGERS_A_PAGE = 200


@dataclass(frozen=True)
class Contributed:
    """What the wagers of a table brought to the meter in an hour."""

    table_log: TableLog
    hour: datetime
    """Its beginning, by the host's time."""
    rounds: int
    stake_micros: int
    micros: int


@dataclass(frozen=True)
class Moved:
    """A win, a return or a correction that moved the meter."""

    run: FoldRun
    wins: tuple[Win, ...]
    micros: int


@dataclass(frozen=True)
class OnTheGlass:
    """What a sign said that it showed, last before the instant."""

    sign: str
    at: datetime
    sequence: int
    micros: int


@dataclass(frozen=True)
class Explained:
    progressive: Progressive
    level: str
    since: datetime | None
    """None: from the opening."""
    at: datetime
    begins: str
    """Why it begins there, in words."""
    start_micros: int
    contributed: list[Contributed]
    moved: list[Moved]
    end_micros: int
    first_seal: int | None
    last_seal: int | None
    """None: the newest of it is under no seal yet."""
    on_the_glass: list[OnTheGlass]
    signs_elsewhere: list[str]
    """The month, where what signs told then is kept elsewhere."""

    @property
    def contributed_micros(self) -> int:
        return sum(row.micros for row in self.contributed)

    @property
    def moved_micros(self) -> int:
        return sum(row.micros for row in self.moved)

    @property
    def unexplained_micros(self) -> int:
        """Nothing, unless a row was changed."""
        return self.end_micros - self.start_micros - self.contributed_micros - self.moved_micros


def explain(
    progressive: Progressive, level: str, at: datetime | None = None, since: datetime | None = None
) -> Explained:
    """The meter of a level at an instant (now: as far as the order is final), from an earlier instant on (else from
    where the level last began anew)."""
    _refuse_unknown(progressive, level, at, since)
    final = progressive.folded_until or _opened(progressive)
    at = final if at is None else min(at, final)
    begins, since = (
        (f"at {_clock(progressive, since)}", since)
        if since is not None
        else _last_begin(progressive, level, at)
    )
    start = opening_pots(progressive) if since is None else state_at(progressive, since)
    first_seal, last_seal = _seals(_shares(progressive, since, at))
    return Explained(
        progressive=progressive,
        level=level,
        since=since,
        at=at,
        begins=begins,
        start_micros=start.level(level).meter_micros,
        contributed=_contributed(progressive, level, since, at),
        moved=list(_moved(progressive, level, since, at)),
        end_micros=state_at(progressive, at).level(level).meter_micros,
        first_seal=first_seal,
        last_seal=last_seal,
        on_the_glass=list(_on_the_glass(progressive, level, at)),
        signs_elsewhere=months.minutes_elsewhere(at),
    )


def state_at(progressive: Progressive, at: datetime) -> State:
    """The pots with everything that stands at an instant or before it, as it was folded."""
    last = _runs(progressive).filter(last_place__lte=at).last()
    state = opening_pots(progressive) if last is None else last.state
    following = _runs(progressive).filter(number__gt=0 if last is None else last.number).first()
    if following is None or following.first_place > at or following.kind != Event.Kind.STAKES:
        return state
    here = [share for share in shares_taken(following) if share.place <= at]
    for stretch in replay(here, state, following.config):
        state = stretch.after
    return state


@dataclass(frozen=True)
class OneWager:
    """A wager behind a figure."""

    share: Share
    wager: Wager
    slice_micros: int


def wagers_behind(
    progressive: Progressive, table_log: TableLog, hour: datetime, page: int = 1
) -> tuple[list[OneWager], bool]:
    """The wagers of a table and an hour, in their order, and whether there are more pages."""
    found = _shares(progressive, hour - timedelta(microseconds=1), hour + timedelta(hours=1, microseconds=-1))
    found = found.filter(event__table_log=table_log, event__kind=Event.Kind.STAKES)
    begin = (page - 1) * WAGERS_A_PAGE
    rows = list(found.select_related("event").order_by(*BY_PLACE)[begin : begin + WAGERS_A_PAGE + 1])
    made = [
        OneWager(share, wager, slice_of(wager.stake, share.slices[wager.kind]))
        for share in rows[:WAGERS_A_PAGE]
        for wager in wagers_of(share.event)
        if wager.kind in share.slices
    ]
    return made, len(rows) > WAGERS_A_PAGE


# ------------------------------------------------------------------------------------------------ where it begins


def _refuse_unknown(
    progressive: Progressive, level: str, at: datetime | None, since: datetime | None
) -> None:
    known = [meter.level for meter in progressive.meters.all()]
    if level not in known:
        raise Refused("no_level", f"{progressive} has {', '.join(known)}, no level {level!r}.", status=404)
    if at is not None and since is not None and since > at:
        raise Refused("span", "Explain from an earlier instant to a later one.", status=422)


def _runs(progressive: Progressive) -> QuerySet[FoldRun]:
    return progressive.fold_runs.select_related("config").order_by("number")


def _opened(progressive: Progressive) -> datetime:
    """Nothing is folded yet: before anything that could be."""
    first = progressive.shares.order_by("place").values_list("place", flat=True).first()
    return (first or datetime.now(tz=ZoneInfo(progressive.host.time_zone))) - timedelta(microseconds=1)


def _last_begin(progressive: Progressive, level: str, at: datetime) -> tuple[str, datetime | None]:
    """The win after which the level restarted at its seed: resets only grow, so halving finds it."""
    hits = _runs(progressive).filter(kind=Event.Kind.HITS, last_place__lte=at)
    numbers = list(hits.values_list("number", flat=True))
    last = _runs(progressive).filter(last_place__lte=at).last()
    resets = 0 if last is None else last.state.level(level).resets
    if resets == 0 or not numbers:
        return gettext_noop("with its opening"), None

    def resets_after(number: int) -> int:
        return hits.get(number=number).state.level(level).resets

    run = hits.get(number=numbers[bisect_left(numbers, resets, key=resets_after)])
    return f"with its restart at {_clock(progressive, run.last_place)}", run.last_place


# --------------------------------------------------------------------------------------------------- what moved it


def _shares(progressive: Progressive, since: datetime | None, at: datetime) -> QuerySet[Share]:
    found = Share.objects.filter(progressive=progressive, place__lte=at)
    return found if since is None else found.filter(place__gt=since)


def _contributed(
    progressive: Progressive, level: str, since: datetime | None, at: datetime
) -> list[Contributed]:
    """By sums, for the split of a sum is the sum of the splits; where a cap made each wager's way its own, by wager."""
    shares = _shares(progressive, since, at).filter(event__kind=Event.Kind.STAKES)
    sums = list(
        shares.annotate(hour=TruncHour("place", tzinfo=ZoneInfo(progressive.host.time_zone)))
        .values("event__table_log", "hour", "config")
        .annotate(rounds=Count("pk"), stake=Sum("stake_micros"), slice=Sum("slice_micros"))
        .order_by("hour", "event__table_log")
    )
    rules = {
        pk: c.rules for pk, c in ProgressiveConfig.objects.in_bulk({row["config"] for row in sums}).items()
    }
    logs = TableLog.objects.select_related("premises").in_bulk({row["event__table_log"] for row in sums})
    capped = _capped(progressive, level, since, at)
    found: dict[tuple[int, datetime], Contributed] = {}
    for row in sums:
        key = (row["event__table_log"], row["hour"])
        parts = split(row["stake"], rules[row["config"]].levels, row["slice"])
        micros = sum(part.increment_micros for part in parts.levels if part.level == level)
        before = found.get(key)
        found[key] = Contributed(
            logs[key[0]],
            key[1],
            row["rounds"] + (before.rounds if before else 0),
            row["stake"] + (before.stake_micros if before else 0),
            micros + (before.micros if before else capped[key]),
        )
    return list(found.values())


def _capped(
    progressive: Progressive, level: str, since: datetime | None, at: datetime
) -> Counter[tuple[int, datetime]]:
    """By table and hour, how much less than its rate says came to a meter at its cap (more, where it is negative)."""
    zone, less = ZoneInfo(progressive.host.time_zone), Counter[tuple[int, datetime]]()
    runs = _runs(progressive).filter(applied__isnull=False, first_place__lte=at)
    for run in runs if since is None else runs.filter(last_place__gt=since):
        for share in shares_taken(run):
            if share.place > at or (since is not None and share.place <= since):
                continue
            hour = share.place.astimezone(zone).replace(minute=0, second=0, microsecond=0)
            for wager in wagers_of(share.event):
                if wager.kind in share.slices:
                    key = f"{share.event.table_log_id}:{share.event.number}:{wager.id}"
                    less[share.event.table_log_id, hour] += _came(run, key, level) - _rated(
                        share, wager, level
                    )
    return less


def _came(run: FoldRun, key: str, level: str) -> int:
    applied = decode(Applied, (run.applied or {})[key])
    return sum(
        posting.amount_micros
        for posting in applied.postings
        if posting.level == level and posting.pot in (Pot.BASE, Pot.INCREMENT)
    )


def _rated(share: Share, wager: Wager, level: str) -> int:
    parts = split(wager.stake, share.config.rules.levels, slice_of(wager.stake, share.slices[wager.kind]))
    return sum(part.increment_micros for part in parts.levels if part.level == level)


def _moved(progressive: Progressive, level: str, since: datetime | None, at: datetime) -> Iterator[Moved]:
    runs = _runs(progressive).filter(last_place__lte=at).exclude(kind=Event.Kind.STAKES)
    if since is not None:
        runs = runs.filter(last_place__gt=since)
    some = list(runs.prefetch_related("wins__table_log"))
    before = _runs(progressive).filter(number__in=[run.number - 1 for run in some])
    states = {0: opening_pots(progressive)} | {run.number: run.state for run in before}
    for run in some:
        micros = run.state.level(level).meter_micros - states[run.number - 1].level(level).meter_micros
        wins = tuple(win for win in run.wins.all() if win.level == level)
        if micros or wins:
            yield Moved(run, wins, micros)


# ------------------------------------------------------------------------------------------- seals, and the signs


def _seals(shares: QuerySet[Share]) -> tuple[int | None, int | None]:
    stamps = shares.aggregate(first=Min("xact_id"), last=Max("xact_id"))
    if stamps["first"] is None:
        return None, None

    def over(stamp: int) -> int | None:
        found = Seal.objects.filter(below_xact__gt=stamp).order_by("below_xact").first()
        return None if found is None else found.number

    return over(stamps["first"]), over(stamps["last"])


def _on_the_glass(progressive: Progressive, level: str, at: datetime) -> Iterator[OnTheGlass]:
    minutes = DisplayMinute.objects.filter(
        display__in=signs_of(progressive, gaming_day(progressive.host, at)),
        progressive=progressive,
        minute__gt=at - SHOWN_WITHIN - timedelta(minutes=1),
        minute__lte=at,
    ).select_related("display")
    last: dict[str, tuple[datetime, int, dict[str, str]]] = {}
    for row in minutes.order_by("minute"):
        for sequence, offset_ms in row.showed:
            when = row.minute + timedelta(milliseconds=offset_ms)
            if at - SHOWN_WITHIN < when <= at:
                wrong: list[dict[str, str]] = [
                    told[2] for told in row.wrong if told[:2] == [sequence, offset_ms]
                ]
                last[str(row.display)] = (when, sequence, wrong[-1] if wrong else {})
    sequences = {sequence for _, sequence, _ in last.values()}
    frames = with_texts(progressive.frames.filter(sequence__in=sequences))
    sent = {frame.sequence: frame.figures for frame in frames}
    for sign, (when, sequence, other) in sorted(last.items()):
        if level in (figures := sent.get(sequence, {}) | other):
            yield OnTheGlass(sign, when, sequence, parse_money(figures[level]))


def _clock(progressive: Progressive, at: datetime) -> str:
    return told(at, progressive.host, MOMENT)
