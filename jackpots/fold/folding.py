"""The fold: in one transaction a progressive's final meters go forward as far as the order is final.

Contributions reach the pots, wins are resolved in their order and become payable, levels restart, the ledger gets an
entry a run. Whoever calls it, how often and from how many workers makes no difference: it locks the progressive's
row and goes on from where the last one stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Q, Sum
from django.utils.translation import gettext_noop

from config.kit.gaming_day import day_start, gaming_day
from config.kit.moments import told
from jackpots.fold import adjusting, finality, ledger_entries
from jackpots.fold.decided_order import FoldProgress, Tail, WaitingCluster, armed_of, fold_through
from jackpots.fold.replay import Stretch
from jackpots.models import Event, FoldRun, Meter, Progressive, ProgressiveConfig, Share, Win, state_of
from jackpots.order import barrier
from jackpots.order.barrier import final_limit, not_beyond, stands_ahead, vouched_by
from jackpots.order.by_place import in_order, placed_of
from jackpots.order.instants import instant_of
from ledger.books.journal import post_many
from people.alerts import alerts
from people.audit import audit
from people.models import Role
from rules.codec import hit_to_json
from rules.progressive import decode, encode
from rules.progressive.clusters import ClusterDecision, Kind, Paid

logger = structlog.get_logger(__name__)
ORDER_TO_RULE = alerts.declare(
    "jackpots.order_to_rule",
    gettext_noop("The order of jackpot hits must be ruled"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR],
)

NOT_VOUCHED = alerts.declare(
    "jackpots.not_vouched",
    gettext_noop("How far a table has vouched is not what was signed for it"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR, Role.AUDITOR],
)
TOO_SOON = alerts.declare(
    "jackpots.final_too_soon",
    gettext_noop("Hits were to be final before a table had vouched beyond them"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR, Role.AUDITOR],
)
AHEAD = alerts.declare(
    "jackpots.final_ahead",
    gettext_noop("An order is said to be final up to an instant that is still to come"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR, Role.AUDITOR],
)


@dataclass(frozen=True, slots=True)
class Folded:
    """What one fold did."""

    runs: int = 0
    shares: int = 0
    wins: tuple[Win, ...] = ()
    to_rule: bool = False
    """Hits wait for people to say in which order they fell."""


@transaction.atomic
def fold(progressive_id: int) -> Folded:
    """Folds all that is final and not folded yet."""
    progressive = (
        Progressive.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "armed_config", "host")
        .get(pk=progressive_id)
    )
    before = progressive.runs
    meters = {meter.level: meter for meter in progressive.meters.order_by("position")}
    put_right = adjusting.take_in(progressive, meters)
    if progressive.runs > before:
        _store_meters(meters)
        progressive.save(update_fields=["runs"])
    if stands_ahead(progressive):
        _tell_ahead(progressive)
        return Folded(progressive.runs - before, 0, put_right)
    limit = final_limit(progressive)
    if progressive.folded_until is not None and limit <= progressive.folded_until:
        return Folded(progressive.runs - before, 0, put_right)
    if _doubtful(progressive):
        return Folded(progressive.runs - before, 0, put_right)
    tail = tail_of(progressive, until=limit)
    start = FoldProgress(state_of(list(meters.values())), progressive.config, armed_of(progressive))
    done = fold_through(tail, start, limit)
    told = _told_of(progressive, done.stretches)
    if told is None:
        return Folded(progressive.runs - before, 0, put_right)
    runs: list[FoldRun] = []
    entries = []
    wins: list[Win] = []
    for stretch in done.stretches:
        not_owed = {level: meter.not_owed_micros for level, meter in meters.items()}
        entry, not_owed = ledger_entries.run_entry(progressive, stretch, progressive.runs + 1, not_owed)
        if entry is not None:
            entries.append(entry)
        runs.append(_record(progressive, stretch, entry.key if entry else ""))
        _move(meters, stretch, not_owed)
        wins.extend(wins_of(progressive, stretch, runs[-1]))
    if progressive.armed_config is not None and done.armed is None:
        in_force(progressive, done.config)
    for run in runs:
        if run.is_hits:
            run.vouched = told
            finality.sign(run)
    FoldRun.objects.bulk_create(runs)
    Win.objects.bulk_create(wins)
    if runs:
        post_many(entries)
        _store_meters(meters)
    progressive.final_until = limit
    if done.until is not None:
        progressive.folded_until = max(progressive.folded_until or done.until, done.until)
    progressive.save(
        update_fields=[
            "final_until",
            "folded_until",
            "runs",
            "config",
            "armed_config",
            "armed_at",
            "effect_at",
        ]
    )
    for win in wins:
        logger.info("jackpot_win_resolved", progressive=progressive.code, trigger=win.trigger, seat=win.seat)
    if done.waiting is not None:
        ask_for_ruling(progressive, done.waiting)
    brought = (*put_right, *wins)
    return Folded(
        progressive.runs - before, sum(run.shares for run in runs), brought, done.waiting is not None
    )


def _told_of(progressive: Progressive, stretches: list[Stretch]) -> list[dict[str, Any]] | None:
    """By whose word hits are final, which stands beside them under their seal. None: by nobody's. The limit alone is
    not believed where somebody is paid by it."""
    hits = [stretch.shares[0] for stretch in stretches if stretch.kind == Event.Kind.HITS]
    if not hits:
        return []
    by_table = vouched_by(progressive)
    for share in hits:
        for table in not_beyond(by_table, instant_of(placed_of(share).latest)):
            text = (
                f"{progressive} was to be final beyond the hit of {share.event.table_log} at "
                f"{told(share.place, progressive.host)}, and {table} has not vouched beyond it: nothing becomes "
                "final. Run `manage.py verify`."
            )
            alerts.raise_alert(TOO_SOON, share, text, premises=progressive.host)
            return None
    return by_table


def _store_meters(meters: dict[str, Meter]) -> None:
    pots = ["base_micros", "increment_micros", "reserve_micros", "overflow_micros"]
    Meter.objects.bulk_update(meters.values(), [*pots, "resets", "not_owed_micros"])


def in_force(progressive: Progressive, config: ProgressiveConfig) -> None:
    """Rules that were armed hold now: on record, beside the step of the progressive's row."""
    progressive.config = config
    progressive.armed_config = progressive.armed_at = progressive.effect_at = None
    audit.record(
        "fold",
        "jackpots.rules_in_force",
        premises=progressive.host,
        subject=progressive,
        details={"rules": config.sha256},
    )


def _tell_ahead(progressive: Progressive) -> None:
    text = (
        f"{progressive} is said to be final up to {barrier.said_until(progressive)}, which is still to come: somebody "
        "wrote that past Potline's programs. Nothing of it is folded, and no table opens to it. "
        "Run `manage.py put_right`."
    )
    alerts.raise_alert(AHEAD, progressive, text, premises=progressive.host)


def _doubtful(progressive: Progressive) -> bool:
    """Whether a table has vouched, or is not waited for, by somebody else's word: then nothing becomes final."""
    found = finality.not_vouched(progressive)
    for table in found:
        text = (
            f"How far {table} has vouched was changed past Potline's own programs: nothing of {progressive} becomes "
            "final. Run `manage.py verify`; then close the table by two people, and open it again."
        )
        alerts.raise_alert(NOT_VOUCHED, table, text, premises=table.premises)
    return bool(found)


def unfolded(progressive: Progressive, *, until: datetime | None = None) -> list[Share]:
    """The tail of the log in its order; `until`: of it what lies before, and all hits."""
    shares = Share.objects.filter(progressive=progressive)
    shares = shares.select_related("event__table_log__premises", "config").prefetch_related("doubts")
    if progressive.folded_until is not None:
        shares = shares.filter(place__gte=progressive.folded_until)
    if until is not None:
        shares = shares.filter(Q(place__lt=until) | Q(event__kind=Event.Kind.HITS))
    return in_order(shares)


def tail_of(progressive: Progressive, *, until: datetime | None = None) -> Tail:
    """What is not folded yet, and what decides the order of its hits."""
    shares = unfolded(progressive, until=until)
    hits = [share for share in shares if share.event.kind == Event.Kind.HITS]
    others = [share for share in shares if share.event.kind != Event.Kind.HITS]
    return Tail(
        others,
        hits,
        budget=lambda place, added: budget(progressive, place) - added,
        edges=_day_edges(progressive, others),
    )


def budget(progressive: Progressive, place: datetime) -> int:
    """What the house may add so that winners of an uncertain order have their best: by cluster and by gaming day."""
    day = gaming_day(progressive.host, place)
    begin, end = (day_start(progressive.host, each) for each in (day, day + timedelta(days=1)))
    runs = progressive.fold_runs.filter(last_place__gte=begin, last_place__lt=end, added_micros__gt=0)
    spent = runs.aggregate(spent=Sum("added_micros"))["spent"] or 0
    limit, daily = ruling_limits(progressive)
    return min(limit, daily - spent)


def ruling_limits(progressive: Progressive) -> tuple[int, int]:
    """What the house adds at most for one cluster of hits, and in a gaming day."""
    limit, daily = progressive.ruling_limit_micros, progressive.ruling_daily_micros
    limit = progressive.pay_alone_limit_micros if limit is None else limit
    return limit, 2 * limit if daily is None else daily


def ask_for_ruling(progressive: Progressive, waiting: WaitingCluster) -> None:
    """The alert that calls two people: nobody is paid before they have said which hit came first."""
    tables = " and ".join(
        f"{share.event.table_log} ({told(share.place, progressive.host)})" for share in waiting.shares
    )
    alerts.raise_alert(
        ORDER_TO_RULE,
        waiting.shares[0],
        f"{progressive}: clocks cannot tell in which order the hits of {tables} fell, and it decides what they are "
        f"paid. Look at the cameras and rule.",
        premises=progressive.host,
    )


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


def _record(progressive: Progressive, stretch: Stretch, entry_key: str) -> FoldRun:
    progressive.runs += 1
    return FoldRun(
        progressive=progressive,
        number=progressive.runs,
        kind=stretch.kind,
        first_place=stretch.shares[0].place,
        last_place=stretch.last_place,
        last_share=stretch.shares[-1],
        shares=len(stretch.shares),
        config=stretch.config,
        slice_micros=stretch.slice_micros,
        house_micros=stretch.house_micros,
        meters=encode(stretch.after),
        applied=stretch.applied,
        trace=stretch.trace(),
        decision=decision_document(stretch),
        added_micros=stretch.added_micros,
        entry_key=entry_key,
    )


def decision_document(stretch: Stretch) -> dict[str, Any] | None:
    """How the order of hits that may have come otherwise was decided, and what the house added to this one's."""
    decision = stretch.decision
    if decision is None:
        return None
    return {
        "kind": decision.kind.value,
        "order": [hit.name for hit in decision.order],
        "options": [
            {"order": list(option.order), "paid": [encode(paid) for paid in option.paid]}
            for option in decision.options
        ],
        "added": [encode(paid) for paid in decision.added],
    }


def decision_of(record: FoldRun) -> ClusterDecision | None:
    """What was written down of a decided order: enough to resolve its wins again."""
    if record.decision is None:
        return None
    added = tuple(decode(Paid, paid) for paid in record.decision["added"])
    return ClusterDecision(Kind(record.decision["kind"]), (), added=added)


def _move(meters: dict[str, Meter], stretch: Stretch, not_owed: dict[str, int]) -> None:
    for level in stretch.after.levels:
        meter = meters[level.name]
        meter.base_micros = level.base_micros
        meter.increment_micros = level.increment_micros
        meter.reserve_micros = level.reserve_micros
        meter.overflow_micros = level.overflow_micros
        meter.resets = level.resets
        meter.not_owed_micros = not_owed[level.name]


def wins_of(progressive: Progressive, stretch: Stretch, record: FoldRun) -> list[Win]:
    """The payments of a stretch as wins, not saved."""
    share = stretch.shares[0]
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
        for payment in stretch.payments
    ]
