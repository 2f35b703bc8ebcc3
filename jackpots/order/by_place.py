"""The one order of a progressive's events: by place, then premises, table, round and number. For Python and for the
database; and how surely a hit has its place, for whoever compares hits.

Codes are compared byte by byte on both sides, whatever the database's language. A round's stakes stand before its hits,
and a table's rounds in the order in which they were played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Collate

from jackpots.models import Doubt, Event, Progressive, Share
from jackpots.order import doubts
from jackpots.order.instants import WHOLE_DEAL, Stamp, micros_of
from rules.progressive.clusters import HitRound
from rules.progressive.places import Placed
from rules.progressive.resolve import Hits

BY_PLACE = (
    "place",
    Collate("event__table_log__premises__code", "C"),
    Collate("event__table_log__table_code", "C"),
    "event__round_id",
    "event__number",
)
"""For `order_by` of shares."""
BY_PLACE_SQL = 's.place, m.code COLLATE "C", t.table_code COLLATE "C", e.round_id, e.number'
"""The same where a statement names share s, premises m, table log t and event e."""


def order_key(share: Share) -> tuple[datetime, str, str, int, int]:
    table_log, event = share.event.table_log, share.event
    return (share.place, table_log.premises.code, table_log.table_code, event.round_id, event.number)


def in_order(shares: Iterable[Share]) -> list[Share]:
    return sorted(shares, key=order_key)


def table_name(share: Share) -> str:
    """A table as `rules.progressive` compares tables: the same order as `order_key`'s."""
    table_log = share.event.table_log
    return f"{table_log.premises.code}\0{table_log.table_code}"


def pending_hits(progressive: Progressive) -> QuerySet[Share]:
    """Hits that are in no final meter yet, with all that their order takes."""
    found = Share.objects.filter(progressive=progressive, event__kind=Event.Kind.HITS)
    if progressive.folded_until is not None:
        found = found.filter(place__gte=progressive.folded_until)
    return found.select_related("event__table_log__premises", "config").prefetch_related("doubts")


def placed_of(share: Share) -> Placed:
    """Where a share stands and how surely, as far as it is known by now."""
    return placed_by(share, share.doubts.all())


def placed_by(share: Share, found: Iterable[Doubt]) -> Placed:
    """As far as these doubts tell. One that no process of Potline has signed tells nothing."""
    told_at, error_us = told(share)
    placed = Placed(
        micros_of(share.place),
        micros_of(share.earliest),
        micros_of(share.latest),
        told_at,
        share.late,
        error_us,
    )
    for doubt in doubts.genuine(found):
        earliest, latest = doubts.interval_of(doubt)
        placed = replace(placed, earliest=earliest, latest=latest, late=True)
    return placed


def told(share: Share) -> tuple[int, int]:
    """When the moments of a hit were told: by themselves perhaps, before the result with which it came; with it, where
    one of them was not. And how far their sources may be wrong."""
    body, received = share.event.body, micros_of(share.event.received_at)
    if not share.moment or "lock" not in body:
        return received, 0
    found, errors = [], [0]
    for hit in hits_won(share):
        moments = body["moments"]
        stamp = moments.get(str(hit["wager"].get("seat", 0)), moments.get(str(WHOLE_DEAL), {})).get(
            share.moment
        )
        if stamp is None:
            found.append(received)
        else:
            placed = Stamp.from_json(stamp).placed
            found.append(placed.received)
            errors.append(placed.error_us)
    return max(found, default=received), max(errors)


def hits_won(share: Share) -> list[dict[str, Any]]:
    """Of a round's hits, as they are stored, those that win from this progressive: by hand and by kind of wager."""
    triggers, kinds = share.config.rules.triggers, share.slices
    return [
        hit
        for hit in share.event.body["hits"]
        if hit["trigger"] in triggers and hit["wager"]["kind"] in kinds
    ]


def hit_round(share: Share, hits: Hits) -> HitRound:
    """A share of hits as the comparison of orders takes it."""
    lock = lock_of(share).placed.place
    return HitRound(table_name(share), share.event.round_id, placed_of(share), lock, hits)


def lock_of(share: Share) -> Stamp:
    """The lock of a hit's round; in the first version of the log nothing but the place was known."""
    kept = share.event.body.get("lock")
    return Stamp.exactly(share.place) if kept is None else Stamp.from_json(kept)
