"""The fold: in one transaction a progressive's final meters go forward as far as the order is final.

Contributions reach the pots, wins are resolved in their order and become payable, levels restart, the ledger gets an
entry a run. Whoever calls it, how often and from how many workers makes no difference: it locks the progressive's
row and goes on from where the last one stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from config.gaming_day import day_start, gaming_day
from jackpots import ledger_entries
from jackpots.barrier import final_limit
from jackpots.models import FoldRun, Meter, Progressive, Share, Win, state_of
from jackpots.order import in_order
from jackpots.replay import Stretch, replay
from ledger.journal import post_many
from rules.codec import hit_to_json
from rules.progressive import encode

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Folded:
    """What one fold did."""

    runs: int = 0
    shares: int = 0
    wins: tuple[Win, ...] = ()


@transaction.atomic
def fold(progressive_id: int) -> Folded:
    """Folds all that is final and not folded yet."""
    progressive = (
        Progressive.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "armed_config", "host")
        .get(pk=progressive_id)
    )
    limit = final_limit(progressive)
    if progressive.folded_until is not None and limit <= progressive.folded_until:
        return Folded()
    shares = unfolded(progressive, until=limit)
    meters = {meter.level: meter for meter in progressive.meters.order_by("position")}
    edges = _day_edges(progressive, shares)
    runs: list[FoldRun] = []
    entries = []
    wins: list[Win] = []
    for run in replay(
        shares, state_of(list(meters.values())), progressive.config, progressive.armed_config, edges
    ):
        not_owed = {level: meter.not_owed_micros for level, meter in meters.items()}
        entry, not_owed = ledger_entries.run_entry(progressive, run, progressive.runs + 1, not_owed)
        if entry is not None:
            entries.append(entry)
        runs.append(_record(progressive, run, entry.key if entry else ""))
        _move(meters, run, not_owed)
        wins.extend(wins_of(progressive, run, runs[-1]))
        if run.resolution and run.resolution.levels_won and progressive.armed_config is not None:
            progressive.config, progressive.armed_config = progressive.armed_config, None
    FoldRun.objects.bulk_create(runs)
    Win.objects.bulk_create(wins)
    if runs:
        post_many(entries)
        Meter.objects.bulk_update(
            meters.values(),
            [
                "base_micros",
                "increment_micros",
                "reserve_micros",
                "overflow_micros",
                "resets",
                "not_owed_micros",
            ],
        )
    progressive.folded_until = limit
    progressive.save(update_fields=["folded_until", "runs", "config", "armed_config"])
    for win in wins:
        logger.info("jackpot_win_resolved", progressive=progressive.code, trigger=win.trigger, seat=win.seat)
    return Folded(len(runs), len(shares), tuple(wins))


def unfolded(progressive: Progressive, *, until: datetime | None = None) -> list[Share]:
    """The tail of the log in its order; `until`: only what lies before."""
    shares = Share.objects.filter(progressive=progressive)
    shares = shares.select_related("event__table_log__premises", "config")
    if progressive.folded_until is not None:
        shares = shares.filter(place__gte=progressive.folded_until)
    if until is not None:
        shares = shares.filter(place__lt=until)
    return in_order(shares)


def _day_edges(progressive: Progressive, shares: list[Share]) -> list[datetime]:
    """The starts of the host's gaming days between the first and the last event: an entry belongs to one day."""
    if not shares:
        return []
    day, last = gaming_day(progressive.host, shares[0].place), gaming_day(progressive.host, shares[-1].place)
    edges = []
    while day < last:
        day += timedelta(days=1)
        edges.append(day_start(progressive.host, day))
    return edges


def _record(progressive: Progressive, run: Stretch, entry_key: str) -> FoldRun:
    progressive.runs += 1
    return FoldRun(
        progressive=progressive,
        number=progressive.runs,
        kind=run.kind,
        first_place=run.shares[0].place,
        last_place=run.shares[-1].place,
        last_share=run.shares[-1],
        shares=len(run.shares),
        config=run.config,
        slice_micros=run.slice_micros,
        house_micros=run.house_micros,
        meters=encode(run.after),
        applied=run.applied,
        trace=run.trace(),
        entry_key=entry_key,
    )


def _move(meters: dict[str, Meter], run: Stretch, not_owed: dict[str, int]) -> None:
    for level in run.after.levels:
        meter = meters[level.name]
        meter.base_micros = level.base_micros
        meter.increment_micros = level.increment_micros
        meter.reserve_micros = level.reserve_micros
        meter.overflow_micros = level.overflow_micros
        meter.resets = level.resets
        meter.not_owed_micros = not_owed[level.name]


def wins_of(progressive: Progressive, run: Stretch, record: FoldRun) -> list[Win]:
    """The payments of a run as wins, not saved."""
    if run.resolution is None:
        return []
    share = run.shares[0]
    return [
        Win(
            progressive=progressive,
            run=record,
            share=share,
            table_log=share.event.table_log,
            round_id=share.event.round_id,
            hit=hit_to_json(payment.hit),
            hand_wager_id=payment.hit.wager.id,
            wager_id=payment.wager.id,
            seat=payment.wager.seat,
            player=payment.wager.player,
            trigger=payment.trigger,
            level=payment.level,
            amount_micros=payment.amount_micros,
            from_pool_micros=payment.from_pool_micros,
            from_house_micros=payment.from_house_micros,
            rule=payment.rule,
        )
        for payment in run.resolution.payments
    ]
