"""Meter frames: what the signs are told of a progressive, numbered, logged once when it changes, and sent (wire).

A frame carries its sequence, the server's time and the values; the same values again are the same sequence with a
newer time, so that a sign knows that it is alive. Redis may lose any frame: the next one has everything.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Prefetch, Q, QuerySet
from django.utils import timezone

from config.kit.documents import check_version
from jackpots.fold.decided_order import Armed, FoldProgress, Tail
from jackpots.fold.folding import budget
from jackpots.models import (
    Decommission,
    Doubt,
    Event,
    FoldRun,
    Frame,
    Freeze,
    Link,
    PaidTotal,
    Progressive,
    ProgressiveConfig,
    Ruling,
    Share,
    Win,
    opening_pots,
)
from jackpots.models.signs import FIRST_FRAME_VERSION, FRAME_VERSION
from jackpots.order.by_place import in_order
from jackpots.order.instants import micros_of
from jackpots.signs import wire
from jackpots.signs.frame_texts import add, first_with_text, with_texts
from jackpots.signs.live import Live, as_if_final, live, lowest
from rules.codec import hit_to_json
from rules.money import CENT, format_money, rounded_down

RECENT_WINS, TOGETHER, MAX_WINS = 3, timedelta(seconds=10), 20
"""A ruling lets several go on at once: all of them are in the frame, so that each sign has seen each win."""


def publish(progressive_id: int) -> dict[str, Any]:
    """Logs a frame if anything changed, and sends the newest in any case."""
    frame = snapshot(progressive_id)
    wire.send(wire.meter_channel(frame["progressive"]), frame)
    return frame


def send_again(frame: dict[str, Any]) -> None:
    """The newest, which is still true, with the time of now."""
    wire.send(wire.meter_channel(frame["progressive"]), {**frame, "at": timezone.now().isoformat()})


@transaction.atomic
def snapshot(progressive_id: int) -> dict[str, Any]:
    """The newest frame with the time of now; under the progressive's lock, so that sequences follow the values."""
    progressive = (
        Progressive.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "armed_config", "host")
        .get(pk=progressive_id)
    )
    now = live(progressive)
    body = frame_body(progressive, now)
    last = first_with_text(progressive.frames.filter(sequence=progressive.frame_sequence))
    if last is None or (last.version, last.body) != (FRAME_VERSION, body):
        progressive.frame_sequence += 1
        progressive.save(update_fields=["frame_sequence"])
        add(progressive.pk, progressive.frame_sequence, body, _basis(progressive, now))
    return {
        "progressive": progressive.code,
        "sequence": progressive.frame_sequence,
        "at": timezone.now().isoformat(),
        **body,
    }


def _basis(progressive: Progressive, now: Live) -> dict[str, Any]:
    """What a frame is made of: the pots after a fold run, the events that each table had in the log beyond it, those of
    hits that were not public, and what people and clocks had said by then."""
    return {
        "hidden": [*now.hidden, *_held(progressive)],
        "may_add": budget(progressive, timezone.now()),
        "ruling": Ruling.objects.aggregate(last=Max("pk"))["last"] or 0,
        "doubt": Doubt.objects.aggregate(last=Max("pk"))["last"] or 0,
        "run": progressive.runs,
        "until": progressive.folded_until.isoformat() if progressive.folded_until else None,
        "config": progressive.config_id,
        "armed": progressive.armed_config_id,
        "armed_at": progressive.armed_at.isoformat() if progressive.armed_at else None,
        "effect_at": progressive.effect_at.isoformat() if progressive.effect_at else None,
        "tail": {str(table): numbers for table, numbers in now.tail.items()},
    }


def _held(progressive: Progressive) -> list[int]:
    """Events whose contribution is held, and enters the order later if at all."""
    found = progressive.held_contributions.filter(settlement__isnull=True).order_by("event_id")
    return list(found.values_list("event_id", flat=True))


def figures_from_log(frame: Frame) -> dict[str, int] | None:
    """The figures of a frame by level, exact, computed anew from the log; None for one that does not say its basis."""
    basis = with_texts([frame])[0].basis
    if basis is None:
        return None
    check_frame(frame)
    configs = ProgressiveConfig.objects.in_bulk(
        [i for i in (basis["config"], basis["armed"]) if i is not None]
    )
    config = configs[basis["config"]]
    run = FoldRun.objects.filter(progressive=frame.progressive_id, number=basis["run"]).first()
    state = run.state if run is not None else opening_pots(frame.progressive)
    tail = Q(pk__in=[])
    for table, (first, last) in basis["tail"].items():
        tail |= Q(event__table_log=int(table), event__number__range=(first, last))
    shares = Share.objects.filter(tail, progressive=frame.progressive_id)
    shares = shares.exclude(event__in=basis.get("hidden", []))
    shares = shares.select_related("event__table_log__premises", "config").prefetch_related(
        Prefetch("doubts", Doubt.objects.filter(pk__lte=basis.get("doubt", 0)))
    )
    if basis["until"] is not None:
        shares = shares.filter(place__gte=basis["until"])
    hits = [share for share in shares if share.event.kind == Event.Kind.HITS]
    others = [share for share in in_order(shares) if share.event.kind != Event.Kind.HITS]
    limit = basis.get("may_add", 0)
    made = Tail(others, hits, lambda place, added: limit - added, basis.get("ruling", 0))
    ways = as_if_final(made, FoldProgress(state, config, _armed(basis, configs)))
    return lowest(way.state for way in ways)


def check_frame(frame: Frame) -> None:
    """Levels and what a frame is made of are spelled alike in both versions."""
    if frame.version != FIRST_FRAME_VERSION:
        check_version(frame.version, FRAME_VERSION, frame)


def _armed(basis: dict[str, Any], configs: dict[int, ProgressiveConfig]) -> Armed | None:
    """What was armed when a frame was made; earlier ones do not say since when."""
    config = configs.get(basis["armed"])
    if config is None:
        return None
    place, effect = (
        micros_of(datetime.fromisoformat(basis[name])) if basis.get(name) else None
        for name in ("armed_at", "effect_at")
    )
    return Armed(config, place or 0, effect)


def frame_body(progressive: Progressive, now: Live) -> dict[str, Any]:
    """Levels, hands that are not final yet with what they would get, the last wins, and what was paid to date."""
    frozen = set(
        Freeze.objects.filter(progressive=progressive, release__isnull=True).values_list("level", flat=True)
    )
    wins = Win.objects.filter(progressive=progressive).select_related("table_log__premises").order_by("-pk")
    # What a second thought takes back is no win, and what it adds to one is not news.
    wins = wins.exclude(state=Win.State.SUPERSEDED).filter(Q(adjustment__isnull=True) | Q(held__isnull=False))
    return {
        "name": progressive.name,
        "currency": progressive.host.currency,
        "levels": [
            # Where its records do not hold nothing is paid from it, and a sign says that it is looked at.
            {"level": level, "value": format_money(micros)} | ({"fault": True} if level in frozen else {})
            for level, micros in now.shown().items()
        ],
        "pending": [
            {
                "premises": pending.share.event.table_log.premises.code,
                "table": pending.share.event.table_log.table_code,
                # As it is spelled everywhere; whose it is a wall does not tell.
                "hit": hit_to_json(payment.hit.without_player()),
                "seat": payment.seat,
                "hand": payment.trigger,
                "cards": hit_to_json(payment.hit)["cards"],
                "level": payment.level,
                # None where people have to say first in which order the hits fell.
                "amount": "" if pending.to_rule else format_money(payment.amount_micros),
            }
            for pending in now.pending
            for payment in pending.payments
        ],
        "wins": [
            {
                "id": win.pk,
                "premises": win.table_log.premises.code,
                "table": win.table_log.table_code,
                "seat": win.seat,
                "hand": win.trigger,
                "cards": win.hit["cards"],
                "level": win.level,
                "amount": format_money(win.amount_micros),
                "resolved_at": win.resolved_at.isoformat(),
            }
            for win in _recent(wins)
        ],
        "paid": _paid(progressive),
        "resets": now.resets,
        **_out(progressive),
        **_ends(progressive),
    }


def _recent(wins: QuerySet[Win]) -> list[Win]:
    """The last three, and those that were resolved with the last. By the rows alone: the same wins, the same frame."""
    found = list(wins[:MAX_WINS])
    return [
        win
        for at, win in enumerate(found)
        if at < RECENT_WINS or found[0].resolved_at - win.resolved_at <= TOGETHER
    ]


def _ends(progressive: Progressive) -> dict[str, str]:
    """The last gaming day on which it is played for, where that is announced."""
    newest = progressive.decommissions.order_by("-pk").values_list("kind", "last_day").first()
    if newest is None or newest[0] != Decommission.Kind.ANNOUNCED:
        return {}
    return {"ends": newest[1].isoformat()}


def _out(progressive: Progressive) -> dict[str, Any]:
    """Open tables that take no part now: it has ended, they are suspended by people, or left out by two people or by
    the policy. Where no other is open, the jackpot as a whole is not played for."""
    links = progressive.links.select_related("table_log", "progressive").filter(table_log__is_open=True)
    codes = sorted((link.table_log.table_code, _takes_part(link)) for link in links)
    out = [code for code, takes_part in codes if not takes_part]
    return {"out": out} | ({"suspended": True} if out and len(out) == len(codes) else {})


def _takes_part(link: Link) -> bool:
    if link.progressive.over_since:
        return False
    return not link.is_suspended and link.left_out_at is None and link.table_log.left_out_at is None


def _paid(progressive: Progressive) -> dict[str, Any]:
    """To date."""
    kept = PaidTotal.objects.filter(progressive=progressive).values_list("wins", "paid_micros").first()
    wins, micros = kept or (0, 0)
    return {"count": wins, "amount": format_money(rounded_down(micros, CENT))}
