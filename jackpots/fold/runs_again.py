"""Fold runs once more, for `manage.py verify`: from the pots of the run before and the events that each one took.

`read_ahead` reads what a batch of runs rests on in a few statements; a run that was not read ahead reads its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet

from config.kit.documents import UnreadableDocument
from jackpots.fold.folding import decision_of
from jackpots.fold.replay import Stretch, replay
from jackpots.models import Event, FoldRun, Progressive, ProgressiveConfig, Share, opening_pots
from jackpots.order.by_place import in_order, order_key
from ledger.verify.verify import on_forgetting, remembered
from rules import RuleError
from rules.progressive import decode
from rules.progressive.second_thoughts import PotsAdjustment, adjusted

UNREADABLE = (RuleError, UnreadableDocument, LookupError, ValueError, TypeError, ObjectDoesNotExist)
"""What a document that was written over raises."""
SPARSE = 4
"""A batch whose numbers lie further apart, on the average, is not read ahead."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What a run rests on: the one before it, and the shares that it took."""

    config: ProgressiveConfig
    before: FoldRun | None
    taken: list[Share]


_ahead: dict[int, _Read] = {}
on_forgetting(_ahead.clear)


@remembered
def run_again(run: FoldRun) -> Stretch | str:
    """In words if that cannot be. Remembered by the run's key."""
    try:
        read = _ahead.pop(run.pk, None)
        return _again(run, read if read is not None else _read(run))
    except UNREADABLE as error:
        return f"what it rests on cannot be read: {type(error).__name__}: {error}"


def has_other_pots(run: FoldRun, again: Stretch) -> bool:
    try:
        return again.after != run.state
    except UNREADABLE:
        return True


def _again(run: FoldRun, read: _Read) -> Stretch | str:
    if read.before is None and run.number != 1:
        return f"fold run {run.number - 1} before it is gone"
    if run.adjustment is not None:
        before = read.before.state if read.before is not None else opening_pots(run.progressive)
        after = adjusted(before, decode(PotsAdjustment, run.adjustment.postings))
        return Stretch(run.kind, (), read.config, before, after, (), position=run.adjustment.place)
    if len(read.taken) != run.shares:
        return f"it took {run.shares} events, the log has {len(read.taken)} there"
    state = read.before.state if read.before is not None else opening_pots(run.progressive)
    made = list(replay(read.taken, state, read.config))
    if len(made) != 1:
        return f"its events give {len(made)} stretches, not one"
    return replace(made[0], decision=decision_of(run), position=run.last_place) if run.is_hits else made[0]


# --- One by one -----------------------------------------------------------------------------------------------
def _read(run: FoldRun) -> _Read:
    before = FoldRun.objects.filter(progressive=run.progressive_id, number=run.number - 1).first()
    return _Read(run.config, before, shares_taken(run))


def _share(pk: int | None) -> Share:
    found = with_rules(Share.objects.filter(pk=pk or 0))
    if not found:
        raise Share.DoesNotExist(f"share {pk} is gone")
    return found[0]


def shares_taken(run: FoldRun) -> list[Share]:
    """What a run took. Hits stand where clusters and rulings put them, each in a run of its own; all else by place."""
    if run.is_adjustment:
        return []
    last = _share(run.last_share_id)
    if run.is_hits:
        return [last] if last.event.kind == Event.Kind.HITS else []
    shares = Share.objects.filter(progressive=run.progressive_id, place__lte=last.place)
    before = _plain(run.progressive_id).filter(number__lt=run.number).order_by("-number").first()
    first = _share(before.last_share_id) if before is not None else None
    if first is not None:
        shares = shares.filter(place__gte=first.place)
    plain = in_order(with_rules(shares.exclude(event__kind=Event.Kind.HITS)))
    return [
        share
        for share in plain
        if (first is None or order_key(share) > order_key(first)) and order_key(share) <= order_key(last)
    ]


def _plain(progressive_id: int) -> QuerySet[FoldRun]:
    """Runs of stakes and returns."""
    apart = [Event.Kind.HITS, FoldRun.ADJUST]
    return FoldRun.objects.filter(progressive=progressive_id).exclude(kind__in=apart)


def taken_by(runs: list[FoldRun]) -> dict[int, list[Share]]:
    """By number of a run, the shares that it took. The runs follow one another."""
    read = _read_together(runs)
    return {run.number: (read.get(run.pk) or _read(run)).taken for run in runs}


# --- Many at once ---------------------------------------------------------------------------------------------
def read_ahead(runs: Iterable[FoldRun]) -> None:
    """Reads what these runs rest on, by progressive in six statements, however many they are."""
    _ahead.update(_read_together(run for run in runs if run.pk not in _ahead))


def _read_together(runs: Iterable[FoldRun]) -> dict[int, _Read]:
    by_progressive: dict[int, list[FoldRun]] = {}
    for run in runs:
        by_progressive.setdefault(run.progressive_id, []).append(run)
    found: dict[int, _Read] = {}
    for progressive_id, some in by_progressive.items():
        numbers = [run.number for run in some]
        if max(numbers) - min(numbers) <= SPARSE * len(some):
            found |= _read_stretch(progressive_id, some, min(numbers), max(numbers))
    return found


def _read_stretch(progressive_id: int, runs: list[FoldRun], lowest: int, highest: int) -> dict[int, _Read]:
    rows = FoldRun.objects.filter(progressive=progressive_id, number__range=(lowest - 1, highest))
    by_number = {run.number: run for run in rows.order_by("number")}
    plain = [run for run in by_number.values() if run.is_plain and run.number >= lowest]
    earlier = _plain(progressive_id).filter(number__lt=lowest).order_by("-number").first()
    chain: list[FoldRun | None] = [earlier, *plain]
    before = {run.number: chain[position] for position, run in enumerate(plain)}
    ends = [run.last_share_id or 0 for run in (*by_number.values(), *([earlier] if earlier else []))]
    last = {share.pk: share for share in with_rules(Share.objects.filter(pk__in=ends))}
    places = [last[run.last_share_id].place for run in chain if run and run.last_share_id in last]
    between = Share.objects.filter(progressive=progressive_id).exclude(event__kind=Event.Kind.HITS)
    if earlier is not None and places:
        between = between.filter(place__gte=min(places))
    shares = in_order(with_rules(between.filter(place__lte=max(places)))) if places else []
    keys = [order_key(share) for share in shares]
    configs = ProgressiveConfig.objects.in_bulk({run.config_id for run in runs})
    found: dict[int, _Read] = {}
    for run in runs:
        if run.is_adjustment:
            found[run.pk] = _Read(configs[run.config_id], by_number.get(run.number - 1), [])
            continue
        end, previous = last.get(run.last_share_id or 0), before.get(run.number)
        start = last.get(previous.last_share_id or 0) if previous is not None else None
        if end is None or (previous is not None and start is None):
            continue  # something is gone: reading it by itself says what
        if run.is_hits:
            taken = [end] if end.event.kind == Event.Kind.HITS else []
        else:
            begin = 0 if start is None else bisect_right(keys, order_key(start))
            taken = shares[begin : bisect_right(keys, order_key(end))]
        found[run.pk] = _Read(configs[run.config_id], by_number.get(run.number - 1), taken)
    return found


def with_rules(rows: QuerySet[Share]) -> list[Share]:
    """Shares with one object for each progressive and each configuration, so that rules are read once."""
    found = list(rows.select_related("event__table_log__premises"))
    progressives = Progressive.objects.select_related("host").in_bulk({one.progressive_id for one in found})
    configs = ProgressiveConfig.objects.in_bulk(
        {one.config_id for one in found} | {one.config_id for one in progressives.values()}
    )
    for progressive in progressives.values():
        progressive.config = configs[progressive.config_id]
    for share in found:
        share.progressive, share.config = progressives[share.progressive_id], configs[share.config_id]
    return found
