"""Boards: what a table's sign says beside its jackpots. The room of the tables knows it (`register`); here it is
numbered, logged once when it changes, and sent like a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.kit.fastsql.statements import rows_of
from jackpots.models import Board, Display, TableLog
from jackpots.signs import wire

Source = Callable[[list[int]], dict[int, dict[str, Any]]]
"""By the keys of table logs, what their signs say now."""
_sources: list[Source] = []


def register(source: Source) -> None:
    _sources.append(source)


def bodies(logs: Iterable[TableLog]) -> dict[int, dict[str, Any]]:
    keys = [log.pk for log in logs]
    found: dict[int, dict[str, Any]] = {}
    for source in _sources:
        found |= source(keys)
    return found


def publish_boards() -> int:
    """Of every table that has a sign; called every second. Returns how many there are."""
    if not rows_of(_ANY_SIGN, []):
        return 0
    signs = Display.objects.filter(revoked_at__isnull=True, table_log__isnull=False)
    logs = list(TableLog.objects.filter(pk__in=signs.values("table_log")).select_related("premises"))
    said = bodies(logs)
    for log in logs:
        if log.pk in said:
            wire.send(wire.board_channel(_place(log)), _numbered(log, said[log.pk]))
    return len(logs)


_ANY_SIGN = "SELECT 1 FROM jackpots_display WHERE revoked_at IS NULL AND table_log_id IS NOT NULL LIMIT 1"


def _place(log: TableLog) -> str:
    return f"{log.premises.code}/{log.table_code}"


@transaction.atomic
def _numbered(log: TableLog, body: dict[str, Any]) -> dict[str, Any]:
    """Beat runs it once at a time; the unique number refuses whoever does it all the same."""
    last = log.boards.order_by("-sequence").first()
    if last is None or last.body != body:
        number = last.sequence + 1 if last is not None else 1
        last = Board.objects.create(table_log=log, sequence=number, body=body)
    return as_frame(_place(log), last.sequence, body)


def as_frame(place: str, sequence: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"board": place, "sequence": sequence, "at": timezone.now().isoformat(), **body}
