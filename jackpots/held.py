"""Jackpot hands that came too late for the order: kept for people, so that their round, their table and the progressive
go on. What they get is for a jackpot manager to decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from jackpots.models import HeldHand, TableLog, UndecidedRound
from people import audit


def hold_if_late(
    table_log: TableLog, row: UndecidedRound, body: dict[str, Any], terminal_at: datetime
) -> HeldHand | None:
    """Holds the hands of a round if the order is final beyond them, because two people stopped waiting for the table:
    they cannot be slipped in. `body` is what the log would have held of them."""
    progressive, place, until = row.progressive, row.earliest_hit, row.progressive.folded_until
    if place is None or until is None or place >= until:
        return None
    held = HeldHand.objects.create(
        progressive=progressive,
        table_log=table_log,
        round_id=row.round_id,
        body=body,
        place=place,
        terminal_at=terminal_at,
        final_until=until,
        why=f"Two people had stopped waiting for {table_log}, and the order of {progressive} was final beyond these "
        f"hands before they were told. What they get is for a jackpot manager to decide.",
    )
    audit.record(
        "settlement",
        "jackpots.hand_held",
        premises=table_log.premises,
        subject=held,
        reason=held.why,
        details={
            "progressive": progressive.code,
            "table": table_log.table_code,
            "round": str(row.round_id),
            "hands": body["hits"],
            "place": place.isoformat(),
            "final_until": until.isoformat(),
        },
    )
    return held
