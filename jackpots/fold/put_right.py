"""What the jackpots room hands to `manage.py put_right`: progressives whose order is said to be final, or folded,
beyond where it is. The log and the fold runs say where that is; nothing of them is touched."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import connection
from django.db.models import Exists, Max, OuterRef

from config.kit.moments import WHOLE, told
from jackpots.models import Event, FoldRun, GivenHour, Progressive, Share
from jackpots.models.progressives import GIVEN
from jackpots.order.barrier import said_until, stands_ahead
from ledger.verify.put_right import Wrong, register, without_triggers

LOOKED_BACK = timedelta(hours=1)
"""Before the end of what is folded: of what is older, meters and books tell."""


@register
def ends_of_orders() -> Iterator[Wrong]:
    for progressive in Progressive.objects.order_by("pk"):
        what = wrong_end(progressive)
        if what:
            yield Wrong(
                f"jackpots.progressive:{progressive.pk}",
                f"{progressive}: {what}",
                partial(_lower, progressive.pk),
            )


def wrong_end(progressive: Progressive) -> str:
    """In words; empty where it is as it can be."""
    if stands_ahead(progressive):
        return f"it is said to be final up to {said_until(progressive)}, which is still to come"
    passed = passed_over(progressive)
    return f"its fold is said to have passed share {passed.pk}, which no run took" if passed else ""


def passed_over(progressive: Progressive) -> Share | None:
    """A share of late that the fold is said to have passed and has not taken: hits without a run, and contributions
    behind the last one that was taken."""
    until = progressive.folded_until
    if until is None:
        return None
    shares = Share.objects.filter(progressive=progressive, place__lt=until, place__gte=until - LOOKED_BACK)
    taken = FoldRun.objects.filter(last_share=OuterRef("pk"))
    lost = shares.filter(~Exists(taken), event__kind=Event.Kind.HITS).order_by("place").first()
    if lost is not None:
        return lost
    behind = shares.exclude(event__kind=Event.Kind.HITS)
    last = _last_taken(progressive, plain=True)
    return (
        behind.filter(place__gt=last).order_by("place").first() if last else behind.order_by("place").first()
    )


def _last_taken(progressive: Progressive, *, plain: bool = False) -> datetime | None:
    """Nothing that was taken stands beyond it, nothing else before or at it."""
    runs = FoldRun.objects.filter(progressive=progressive, number__lte=progressive.runs)
    if plain:  # they go in order
        last = runs.filter(kind__in=[Event.Kind.STAKES, Event.Kind.RETURN]).order_by("-number").first()
        return None if last is None or last.last_share is None else last.last_share.place
    found: datetime | None = runs.aggregate(last=Max("last_share__place"))["last"]
    return found


def _lower(progressive_id: int) -> str:
    """To just behind the last that was taken; the fold goes on from there, by what the tables have vouched for."""
    progressive = Progressive.objects.select_for_update(no_key=True).get(pk=progressive_id)
    last = _last_taken(progressive)
    until = None if last is None else last + timedelta(microseconds=1)
    with without_triggers(Progressive, "progressive_only_forward"):
        Progressive.objects.filter(pk=progressive_id).update(final_until=until, folded_until=until)
    with without_triggers(GivenHour, "given_hour_by_shares_alone"):
        _count_anew(progressive_id, until)
    where = "its beginning" if until is None else f"{told(until, UTC, WHOLE)}, the last that was taken"
    return f"final and folded up to {where}"


def _count_anew(progressive_id: int, until: datetime | None) -> None:
    """What tables gave by the hour, from the hour in which the order ends now."""
    hour = None if until is None else until.replace(minute=0, second=0, microsecond=0)
    later = GivenHour.objects.filter(progressive=progressive_id)
    (later if hour is None else later.filter(hour__gte=hour)).update(micros=0)
    if until is not None:
        with connection.cursor() as cursor:
            cursor.execute(_COUNTED, {"progressive": progressive_id, "hour": hour, "until": until})


_COUNTED = f"""
    INSERT INTO jackpots_givenhour AS g (progressive_id, hour, table_log_id, micros)
        {GIVEN.format(progressive="%(progressive)s", since="%(hour)s")} AND s.place < %(until)s GROUP BY 1, 2, 3
        ON CONFLICT (progressive_id, hour, table_log_id) DO UPDATE SET micros = EXCLUDED.micros
"""
