"""Hands that were told after another hit was public, and that go before it all the same, by a mark told in time.

A mark proves a time, not a hand. Whoever locks and marks at once, holds the round and waits until a hit elsewhere is
public could say then that the hand was a royal. So such a hand is verified only with a camera reference to its deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop

from config.kit.refusals import wrong
from jackpots.models import Event, FoldRun, Share, TableLog
from jackpots.models.log import round_label
from jackpots.order.by_place import placed_of
from jackpots.order.instants import clock_of, instant_of, micros_of
from people.alerts import alerts
from people.models import Role
from rules.progressive.places import Placed

TOLD_AFTER = alerts.declare(
    "jackpots.told_after_public",
    gettext_noop("A jackpot hand goes before a hit that was public when it was told"),
    severity=alerts.Severity.WARNING,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
)
REFERENCE = "surveillance_reference"
LONGEST_WAIT = timedelta(days=1)
"""No hit is told so long after its place and waited for all the while."""


def behind(placed: Placed, received: int, others: Iterable[Share]) -> list[Share]:
    """Of other tables' hits those that were public when one that stands so was told, and that it goes before or may."""
    return [
        other
        for other in others
        if other.public_at is not None
        and micros_of(other.public_at) <= received
        and placed.earliest <= placed_of(other).latest
    ]


def overtaken_by(share: Share) -> list[Share]:
    """The same of hits in the log. Not those that the order has put before it since: by place, or by a ruling."""
    placed, told_at = placed_of(share), share.event.received_at
    earliest = instant_of(placed.earliest)
    others = Share.objects.filter(
        Q(latest__gte=earliest) | Q(doubts__latest__gte=earliest),
        progressive=share.progressive_id,
        event__kind=Event.Kind.HITS,
        place__gte=earliest - LONGEST_WAIT,
        public_at__lte=told_at,
    ).exclude(event__table_log=share.event.table_log_id)
    others = others.select_related("event__table_log__premises", "config").prefetch_related("doubts")
    found = behind(placed, micros_of(told_at), others.order_by("place", "pk").distinct())
    runs = FoldRun.objects.filter(progressive=share.progressive_id)
    mine = runs.filter(last_share=share).order_by("number").values_list("number", flat=True).first()
    if not found or mine is None:
        return found
    before = set(runs.filter(last_share__in=found, number__lt=mine).values_list("last_share", flat=True))
    return [other for other in found if other.pk not in before]


def tell(table_log: TableLog, round_id: int, sentences: Iterable[str]) -> None:
    """One alert a round, whichever progressives its hands win from."""
    alerts.raise_alert(TOLD_AFTER, round_label(round_id), " ".join(sentences), premises=table_log.premises)


def why(share: Share | None) -> str:
    """Why its hands are verified only with a camera reference; empty: nothing of the kind is asked."""
    others = [] if share is None else overtaken_by(share)
    if share is None or not others:
        return ""
    event = share.event
    return sentence(
        event.table_log, event.hands, micros_of(share.place), micros_of(event.received_at), others
    )


def refuse_without_camera(share: Share | None, confirmations: Mapping[str, Any]) -> None:
    if str(confirmations.get(REFERENCE, "")).strip():
        return
    found = why(share)
    if found:
        raise wrong(REFERENCE, found)


def sentence(table_log: TableLog, hands: str, place: int, received: int, others: Iterable[Share]) -> str:
    """Names both hits, and of each when it was by its mark and when it was told."""

    def moment(place: int, received: int) -> str:
        at, told_at = (clock_of(each, table_log.premises) for each in (place, received))
        return f"at {at}, told at {told_at}"

    names = " and ".join(
        f"the {other.event.hands} of {other.event.table_log} "
        f"({moment(micros_of(other.place), micros_of(other.event.received_at))})"
        for other in others
    )
    return (
        f"{table_log} told of its {hands} ({moment(place, received)}) when {names} was public, and it goes before "
        f"that, or may. A mark proves a time, not a hand: it is verified only with a camera reference to its deal."
    )
