"""Why hits are final: by whose word nothing can come before them any more. The fold keeps it with their run and signs
it, by a key that is not in the database; `pay` and `manage.py verify` ask for it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection

from config.kit import keys
from config.kit.canonical_json import canonical_json
from jackpots.models import FoldRun, Progressive, TableLog, Win
from jackpots.order import vouched
from jackpots.order.barrier import not_beyond
from people.audit import audit
from people.models import AuditRecord

SIGNED = (
    "progressive_id", "number", "kind", "first_place", "last_place", "last_share_id", "shares", "config_id",
    "slice_micros", "house_micros", "rules_version", "version", "meters", "applied", "trace", "decision",
    "added_micros", "entry_key", "vouched",
)  # fmt: skip
LOOKED_BACK = timedelta(hours=1)
"""Older changes of links the watchdog has looked at long ago."""


def sign(run: FoldRun) -> None:
    """Not saved yet."""
    run.hallmark = keys.hallmark(keys.FOLD_RUNS, _content(run))


def is_genuine(run: FoldRun) -> bool:
    """Whether a fold of ours resolved these hits. Runs from before hallmarks have none: a constraint lets nobody add
    another such of hits."""
    return run.hallmark is None or keys.is_signed(keys.FOLD_RUNS, _content(run), run.hallmark)


def _content(run: FoldRun) -> bytes:
    # As PostgreSQL gives it back: lists for tuples.
    said = json.loads(json.dumps([_plain(getattr(run, name)) for name in SIGNED]))
    return canonical_json(said).encode()


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def against_its_run(run: FoldRun, latest: datetime) -> Iterator[str]:
    """A sentence for each way in which a hit, not later than `latest`, was not final when this run resolved it."""
    if not is_genuine(run):
        yield "no process of this installation resolved it"
    for table in not_beyond(run.vouched or (), latest):
        yield f"it was resolved before {table} had vouched beyond it"


def asked_again(win: Win) -> Iterator[str]:
    """Before money moves: what the fold relied on, and whether all of it still stands."""
    if win.share is None or win.run.adjustment_id is not None:
        return  # people let it in, whatever the order was
    yield from against_its_run(win.run, win.share.latest)
    for table_log in not_vouched(win.progressive):
        yield f"how far {table_log} has vouched is not what was signed for it"
    for table in _left_out_by_nobody(win.progressive):
        yield f"nobody has said on record that {table} takes no part, or is not waited for"


def not_vouched(progressive: Progressive) -> Iterable[TableLog]:
    """Its tables whose word, or silence, somebody else has put there; also those for which nobody waits by it."""
    tables = TableLog.objects.filter(links__progressive=progressive).select_related("premises")
    return [table for table in tables.order_by("pk") if not vouched.is_genuine(table)]


_CHANGED = """
    SELECT t.table_code, s.row_id, s.xact_id FROM jackpots_link l JOIN jackpots_tablelog t ON t.id = l.table_log_id
    JOIN ledger_step s ON s.kind = 'jackpots.link' AND s.row_id = l.id
    WHERE l.progressive_id = %s AND s.at > clock_timestamp() - %s::interval
        AND EXISTS (SELECT FROM ledger_step b WHERE b.kind = s.kind AND b.row_id = s.row_id AND b.id < s.id)
    ORDER BY s.id
"""


def _left_out_by_nobody(progressive: Progressive) -> Iterator[str]:
    """Tables whose link was changed of late without a genuine record."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [progressive.pk, f"{LOOKED_BACK.total_seconds()} s"])
        changed = cursor.fetchall()
    for table, link, stamp in changed:
        records = AuditRecord.objects.filter(subject=f"jackpots.link:{link}", xact_id=stamp)
        if audit.genuine(records) is None:
            yield table
