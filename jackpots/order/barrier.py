"""Up to where the order is final, and for whom it waits.

Nothing can still be appended before the lowest watermark of the open linked tables, nor before the earliest bound of
the locks of undecided rounds: below that instant the order is final. Tables and rounds that two people or a policy have
left out hold up nobody, nor does a table that is suspended and has vouched up to there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from config.kit.moments import MOMENT, told
from config.kit.refusals import NOT_NOW, Refused
from jackpots.models import Link, Progressive, Share, TableLog, UndecidedRound
from jackpots.models.progressives import AWAITED, VOUCHED_UNTIL
from jackpots.order import server_clock

# One statement, so that watermarks and undecided rounds are of the same instant. It never goes back: a table that opens
# or returns begins with what is final as its watermark.
_LIMIT = f"""
    SELECT GREATEST(p.final_until, LEAST({VOUCHED_UNTIL.format(progressive="p.id")}, %s::timestamptz))
    FROM jackpots_progressive p WHERE p.id = %s
"""  # noqa: S608 (only the part above is interpolated)


def final_limit(progressive: Progressive) -> datetime:
    """Everything placed before this is final. With no table open and nothing undecided: everything up to now."""
    now = server_clock.read().now
    with connection.cursor() as cursor:
        cursor.execute(_LIMIT, [now, progressive.pk])
        found: datetime = cursor.fetchone()[0]
    return found


def stands_ahead(progressive: Progressive) -> bool:
    """Whether it is said to be final up to an instant that is still to come, which no fold says."""
    until = progressive.final_until
    return until is not None and until > timezone.now() and until > server_clock.read().now


def settled(progressive: Progressive) -> datetime | None:
    """How far the order is final, for whoever puts something behind it: nothing may go to where it is said to be by
    somebody else."""
    if stands_ahead(progressive):
        raise order_ahead(f"{progressive} is said to be final up to {said_until(progressive)}")
    return progressive.final_until


def said_until(progressive: Progressive) -> str:
    """In UTC: at the end of time, where a forged one may lie, no zone can be counted."""
    return told(progressive.final_until, UTC, MOMENT) if progressive.final_until else "nothing"


def order_ahead(why: str) -> Refused:
    text = f"{why}, which no fold has found. Run `manage.py put_right`; then send the same again."
    return Refused("order_ahead", text, status=NOT_NOW, retry=True)


NEARLY = 3
"""Where a hit waits only for so many tables more. Not exactly for none: two that vouch in the same moment do not see
each other. Whatever is missed here a sweeper finds."""
PASSED = f"""
    SELECT DISTINCT p.id FROM jackpots_link k JOIN jackpots_progressive p ON p.id = k.progressive_id
    JOIN jackpots_share s ON s.progressive_id = p.id AND s.place >= COALESCE(p.folded_until, '-infinity')
    WHERE k.table_log_id = %s AND s.public_at IS NOT NULL AND s.latest >= %s AND s.latest < %s AND %s >= (
        SELECT count(*) FROM jackpots_link l JOIN jackpots_tablelog t ON t.id = l.table_log_id
        WHERE l.progressive_id = p.id AND t.id <> k.table_log_id AND {AWAITED} AND t.watermark <= s.latest)
"""  # noqa: S608
"""SQL for the progressives with a hit that a table has vouched beyond by now, and that nearly all others have: it may
be final. Given: the table's log, its watermark before and after, NEARLY. All other beats of all tables wake nobody."""


def awaited_tables(progressive_id: int) -> QuerySet[TableLog]:
    """The tables that have to vouch before anything of the progressive is final: AWAITED as a query."""
    links = Link.objects.filter(progressive=progressive_id, table_log=OuterRef("pk"))
    waits = Q(suspended_at__isnull=True) | Q(resumed_at__isnull=False)
    waits |= Q(suspended_at__gt=F("table_log__watermark"))
    links = links.filter(left_out_at__isnull=True)
    return TableLog.objects.filter(Exists(links.filter(waits)), is_open=True, left_out_at__isnull=True)


def vouched_by(progressive: Progressive) -> list[dict[str, Any]]:
    """How far each linked table has vouched, since when a round of it that others wait for is not decided, and whether
    others waited for the table: kept with the hits that became final by it. Under the progressive's lock nobody opens,
    returns or leaves meanwhile, and watermarks only grow."""
    links = progressive.links.select_related("table_log__premises")
    waiting = progressive.undecided.filter(left_out=False, unawaited=False)
    undecided = dict(waiting.values_list("table_log").annotate(Min("since")).order_by())
    return [
        {
            "premises": log.premises.code,
            "table": log.table_code,
            "until": until.isoformat() if (until := _vouched_until(link)) else None,
            "undecided": since.isoformat() if (since := undecided.get(log.pk)) else None,
            "awaited": not (why := _why_not_awaited(link)),
            "why_not": why,
        }
        for link in links.order_by("table_log__premises__code", "table_log__table_code")
        for log in [link.table_log]
    ]


def _vouched_until(link: Link) -> datetime | None:
    """Nothing of the table can come before: by its word, or because it took no part until it came back, joined or was
    resumed, having vouched for all before its suspension."""
    watermark, since = link.table_log.watermark, link.suspended_at
    resumed = None if watermark is None or since is None or watermark < since else link.resumed_at
    known = [at for at in (watermark, link.returned_at, resumed) if at is not None]
    return max(known, default=None)


def not_beyond(vouched: Iterable[dict[str, Any]], latest: datetime) -> list[str]:
    """Tables that were waited for and, by what was kept, had not vouched beyond a hit when it was resolved, or had a
    round from before it that was not decided: none."""
    return [table["table"] for table in vouched if _is_before(table, latest)]


def _is_before(table: dict[str, Any], latest: datetime) -> bool:
    undecided = table.get("undecided")  # runs from before it was kept say nothing of rounds
    if undecided is not None and datetime.fromisoformat(undecided) <= latest:
        return True
    until = table["until"]
    return table["awaited"] and (until is None or datetime.fromisoformat(until) <= latest)


def _why_not_awaited(link: Link) -> str:
    """AWAITED in words; empty for a table that is waited for."""
    log = link.table_log
    if not log.is_open:
        return "closed"
    if log.left_out_at is not None or link.left_out_at is not None:
        return "left out"
    watermark, since = log.watermark, link.suspended_at
    if link.is_suspended and since is not None and (watermark is None or watermark >= since):
        return "suspended"
    return ""


@dataclass(frozen=True, slots=True)
class WaitingReason:
    """A reason why events at or after an instant are not final yet, in words."""

    table_code: str
    text: str


def waiting_for(share: Share) -> list[WaitingReason]:
    """What an event that is not folded yet waits for: whatever may still come before its latest bound. Empty: the next
    fold takes it, or people have to rule."""
    reasons: list[WaitingReason] = []
    for table in (
        awaited_tables(share.progressive_id).filter(watermark__lte=share.latest).order_by("watermark")
    ):
        vouched = told(table.watermark, share.progressive.host) if table.watermark else "never"
        text = (
            f"waiting for table {table}: nothing heard after event {table.last_number}, "
            f"and it has vouched until {vouched}"
        )
        reasons.append(WaitingReason(table.table_code, text))
    undecided = UndecidedRound.objects.filter(
        progressive=share.progressive_id, left_out=False, unawaited=False, since__lte=share.latest
    ).select_related("table_log")
    for round in undecided.order_by("since"):
        seats = ", ".join(str(seat) for seat in round.seats)
        what = "wagers of seats" if len(round.seats) > 1 else "wager of seat"
        be = "are" if len(round.seats) > 1 else "is"
        text = f"waiting for table {round.table_log}: the jackpot {what} {seats} {be} not decided"
        reasons.append(WaitingReason(round.table_log.table_code, text))
    return reasons
