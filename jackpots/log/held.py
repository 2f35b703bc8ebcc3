"""Jackpot hands for which nobody waited: kept for people, so that their round, their table and the progressive go on.
What they get is for two people to decide: `jackpots.second_thoughts.corrections`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from jackpots.models import HeldHand, TableLog, UndecidedRound
from jackpots.order.instants import instant_of
from people.audit import audit
from rules.progressive.places import Placed


def hold(
    table_log: TableLog,
    row: UndecidedRound,
    placed: Placed,
    body: dict[str, Any],
    terminal_at: datetime,
    *,
    decided_before: bool = False,
) -> HeldHand:
    """They cannot be slipped into an order that others relied on. `body` is what the log would have held of them."""
    progressive = row.progressive
    place = instant_of(placed.place)
    until = progressive.final_until or place
    held = HeldHand.objects.create(
        progressive=progressive,
        table_log=table_log,
        round_id=row.round_id,
        body=body,
        place=place,
        earliest=instant_of(placed.earliest),
        latest=instant_of(placed.latest),
        terminal_at=terminal_at,
        final_until=until,
        why=_why(table_log, row, decided_before),
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


def undecided() -> QuerySet[HeldHand]:
    """Those that two people have neither let in nor dismissed."""
    return HeldHand.objects.filter(adjustments__isnull=True, dismissal__isnull=True)


def _why(table_log: TableLog, row: UndecidedRound, decided_before: bool) -> str:
    if decided_before:
        why = (
            f"{table_log} had told that this seat has no jackpot hand, or told of its round when it locked as one that "
            f"takes no part, so nobody waited for it."
        )
    elif row.left_out:
        why = (
            f"Nobody waited for {table_log} any more, by two people's word or by the policy of {row.progressive}, and "
            f"its order was final beyond these hands before they were told."
        )
    else:
        why = (
            f"The round may have locked before {table_log} was open to {row.progressive}, so nobody waited for it, and "
            f"the order was final."
        )
    return f"{why} What they get is for a jackpot manager to decide."
