"""The one order of a progressive's events: by place, then premises, table and number. For Python and for the database.

Codes are compared byte by byte on both sides, whatever the database's language.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models.functions import Collate

from jackpots.models import Share

BY_PLACE = (
    "place",
    Collate("event__table_log__premises__code", "C"),
    Collate("event__table_log__table_code", "C"),
    "event__number",
)
"""For `order_by` of shares."""
BY_PLACE_SQL = 's.place, m.code COLLATE "C", t.table_code COLLATE "C", e.number'
"""The same where a statement names share s, premises m, table log t and event e."""


def order_key(share: Share) -> tuple[datetime, str, str, int]:
    table_log = share.event.table_log
    return (share.place, table_log.premises.code, table_log.table_code, share.event.number)


def in_order(shares: Iterable[Share]) -> list[Share]:
    return sorted(shares, key=order_key)
