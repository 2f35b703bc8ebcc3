"""Up to where the order is final, and for whom it waits.

Nothing can still be appended before the lowest watermark of the open linked tables, nor before the stakes of the
earliest undecided round: below that instant the fold may go, and a win below it is resolved. A round that the fold has
passed, because two people stopped waiting for its table, holds up nobody, also when the table is open again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import F, Q
from django.utils import timezone

from jackpots.models import Progressive, Share, TableLog, UndecidedRound

# One statement, so that watermarks and undecided rounds are of the same instant.
_LIMIT = """
    SELECT LEAST(
        (SELECT min(t.watermark) FROM jackpots_link l JOIN jackpots_tablelog t ON t.id = l.table_log_id
          WHERE l.progressive_id = %(id)s AND t.is_open),
        (SELECT min(u.since) FROM jackpots_undecidedround u JOIN jackpots_tablelog t ON t.id = u.table_log_id
            JOIN jackpots_progressive p ON p.id = u.progressive_id
          WHERE p.id = %(id)s AND t.fenced_at IS NULL AND u.since >= coalesce(p.folded_until, '-infinity'))
    )
"""


def final_limit(progressive: Progressive) -> datetime:
    """Everything placed before this is final. With no table open and nothing undecided: everything up to now."""
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_LIMIT, {"id": progressive.pk})
        found: datetime | None = cursor.fetchone()[0]
    return now if found is None else found


@dataclass(frozen=True, slots=True)
class Waiting:
    """A reason why events at or after an instant are not final yet, in words."""

    table_code: str
    text: str


def waiting_for(share: Share) -> list[Waiting]:
    """What an event that is not folded yet waits for; empty: the next fold takes it."""
    reasons: list[Waiting] = []
    tables = TableLog.objects.filter(links__progressive=share.progressive_id)
    for table in tables.filter(is_open=True, watermark__lte=share.place).order_by("watermark"):
        vouched = timezone.localtime(table.watermark).strftime("%H:%M:%S") if table.watermark else "never"
        text = (
            f"waiting for table {table}: nothing heard after event {table.last_number}, "
            f"and its clock has come to {vouched}"
        )
        reasons.append(Waiting(table.table_code, text))
    undecided = UndecidedRound.objects.filter(
        Q(progressive__folded_until__isnull=True) | Q(since__gte=F("progressive__folded_until")),
        progressive=share.progressive_id,
        table_log__fenced_at__isnull=True,
        since__lte=share.place,
    ).select_related("table_log")
    for round in undecided.order_by("since"):
        seats = ", ".join(str(seat) for seat in round.seats)
        what = "wagers of seats" if len(round.seats) > 1 else "wager of seat"
        be = "are" if len(round.seats) > 1 else "is"
        text = f"waiting for table {round.table_log}: the jackpot {what} {seats} {be} not decided"
        reasons.append(Waiting(round.table_log.table_code, text))
    return reasons
