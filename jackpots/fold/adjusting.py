"""Folding what two people have put right: the pots move, wins come and go, the books follow. Called by the fold alone,
under its lock, before it takes anything else."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import ledger_entries
from jackpots.models import Adjustment, FoldRun, Meter, Overpaid, Progressive, Win, is_ended, state_of
from ledger.books.journal import post_many
from rules.money import format_money
from rules.progressive import decode, encode
from rules.progressive.second_thoughts import PotsAdjustment, adjusted


def pending(progressive_id: int) -> QuerySet[Adjustment]:
    """Adjustments that no fold has taken yet, in their order."""
    found = Adjustment.objects.filter(progressive=progressive_id, runs__isnull=True)
    return found.select_related("table_log__premises").order_by("pk")


def refuse_pending(progressive: Progressive) -> None:
    """Nothing of a progressive is verified, paid or put right while an adjustment of it is on its way."""
    if pending(progressive.pk).exists():
        text = f"A second thought or an adjustment of {progressive} is being folded. Try again in a moment."
        raise Refused("being_adjusted", text, status=NOT_NOW)


def refuse_ended(progressive: Progressive) -> None:
    if is_ended(progressive):
        text = f"{progressive} is decommissioned: nothing of it is played, moved or changed any more."
        raise Refused("ended", text, status=NOT_NOW)


def place_of_now(progressive: Progressive) -> datetime:
    """Where an adjustment stands: where the fold has come to; of one that nobody has played yet, before all that can
    come. The caller holds the progressive's row."""
    return progressive.folded_until or progressive.config.created_at


def take_in(progressive: Progressive, meters: dict[str, Meter]) -> tuple[Win, ...]:
    """Folds what waits. The caller holds the progressive's row and stores meters and the count of runs."""
    brought: list[Win] = []
    for adjustment in pending(progressive.pk):
        adjustment.progressive = progressive
        brought += _take(adjustment, progressive, meters)
    return tuple(brought)


def _take(adjustment: Adjustment, progressive: Progressive, meters: dict[str, Meter]) -> list[Win]:
    before = state_of(list(meters.values()))
    after = adjusted(before, decode(PotsAdjustment, adjustment.postings))
    progressive.runs += 1
    entries = ledger_entries.adjustment_entries(adjustment, progressive.runs)
    key = ledger_entries.run_key(progressive, progressive.runs)
    run = FoldRun.objects.create(
        progressive=progressive,
        number=progressive.runs,
        kind=FoldRun.ADJUST,
        first_place=adjustment.place,
        last_place=adjustment.place,
        adjustment=adjustment,
        shares=0,
        config=progressive.config,
        slice_micros=0,
        house_micros=0,
        meters=encode(after),
        trace=_trace(adjustment, meters),
        entry_key=key if any(entry.key == key for entry in entries) else "",
    )
    for level in after.levels:
        meter = meters[level.name]
        meter.base_micros, meter.increment_micros = level.base_micros, level.increment_micros
        meter.reserve_micros, meter.overflow_micros = level.reserve_micros, level.overflow_micros
        meter.resets = level.resets
        meter.not_owed_micros += adjustment.effect["not_owed"].get(level.name, 0)
    gone = [one["win"] for one in adjustment.effect["superseded"]]
    Win.objects.filter(pk__in=gone).update(state=Win.State.SUPERSEDED)
    brought = Win.objects.bulk_create(wins_of(adjustment, run))
    Overpaid.objects.bulk_create(
        Overpaid(
            adjustment=adjustment, win_id=one["win"], amount_micros=one["amount_micros"], borne=one["borne"]
        )
        for one in adjustment.effect["stands"]
    )
    post_many(entries)
    return brought


def wins_of(adjustment: Adjustment, run: FoldRun) -> list[Win]:
    """What it brings as wins, not saved."""
    return [
        Win(
            progressive_id=adjustment.progressive_id,
            run=run,
            adjustment=adjustment,
            share_id=new["share"],
            held_id=new["held"],
            replaces_id=new["replaces"],
            table_log_id=new["table_log"],
            round_id=new["round"],
            hit=new["hit"],
            hand_wager_id=new["hand_wager"],
            wager_id=new["wager"],
            seat=new["seat"],
            player=new["player"],
            trigger=new["trigger"],
            level=new["level"],
            amount_micros=new["amount_micros"],
            from_pool_micros=new["from_pool_micros"],
            from_house_micros=new["from_house_micros"],
            rule=new["rule"],
        )
        for new in adjustment.effect["wins"]
    ]


def _trace(adjustment: Adjustment, meters: dict[str, Meter]) -> list[Any]:
    """How the wins that change come about now, and the movement of each meter, spelled like the steps of the rules."""
    moved: dict[str, int] = {}
    steps: list[Any] = list(adjustment.effect["trace"])
    for posting in decode(PotsAdjustment, adjustment.postings).postings:
        if posting.amount_micros:
            meter = meters[posting.level]
            value = meter.value_micros + moved.get(posting.level, 0)
            if posting.pot.value in ("base", "increment"):
                moved[posting.level] = moved.get(posting.level, 0) + posting.amount_micros
            steps.append(
                {
                    "kind": "adjust",
                    "level": posting.level,
                    "rule": adjustment.rule,
                    "amount": format_money(posting.amount_micros),
                    "meter_before": format_money(value),
                    "meter_after": format_money(meter.value_micros + moved.get(posting.level, 0)),
                    "text": f"{format_money(posting.amount_micros)} to the {posting.pot.value} of {posting.level}: "
                    f"{adjustment.get_kind_display().lower()}. {adjustment.reason}",
                    "seat": None,
                }
            )
    return steps
