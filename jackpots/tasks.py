"""The jackpots room's jobs: fold, and send the meters to the signs. The rows are the queue."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import structlog
from django.db import OperationalError
from django.utils.translation import gettext_noop

from config.celery import job, periodic
from config.kit.fastsql.statements import rows_of
from config.kit.wake_ups import ring_at
from jackpots.fold.folding import fold
from jackpots.models import Progressive
from jackpots.order.pokes import poke
from jackpots.signs.boards import publish_boards
from jackpots.signs.frames import publish, send_again
from jackpots.signs.watch import raise_dark
from ledger.books.errors import DayClosed
from people.alerts import alerts
from people.models import Role

logger = structlog.get_logger(__name__)
NOT_FOLDED = alerts.declare(
    "jackpots.not_folded",
    gettext_noop("The meters of a progressive stand still"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR],
    again_after=timedelta(minutes=10),
)


@job
def fold_progressive(progressive_id: int) -> None:
    """Takes the final meters as far as the order is final, then tells the signs, and asks those to speak up whom a
    public hit still waits for."""
    _bring_up_to_date(progressive_id)


@periodic(seconds=1)
def send_boards() -> None:
    """What the tables' signs say of limits and pay tables."""
    publish_boards()


@periodic(seconds=15)
def look_after_signs() -> None:
    """An alert where a wall is dark or stands still."""
    raise_dark()


@periodic(seconds=1)
def sweep_progressives() -> None:
    """Finds what a lost wake-up call missed, and gives every sign its second's frame."""
    for progressive_id, sequence, is_still in rows_of(_STILL, []):
        if is_still and _send_again(progressive_id, sequence):
            continue
        try:
            _bring_up_to_date(progressive_id)
        except (OperationalError, DayClosed) as error:  # nobody's fault: the next second tries again
            logger.warning("progressive_not_folded", progressive=progressive_id, error=str(error))
        except Exception as error:  # one that fails must not freeze the signs of the others
            logger.exception("progressive_not_folded", progressive=progressive_id)
            progressive = Progressive.objects.select_related("host").get(pk=progressive_id)
            text = f"{progressive}: meters and wins cannot be brought up to date: {type(error).__name__}: {error}"
            alerts.raise_alert(NOT_FOLDED, progressive, text, premises=progressive.host)


LOOK_EVERY_NS = 5_000_000_000
"""Where nothing is to be folded a whole look is taken so often: the limit moves on, hallmarks are checked, and a sign
learns what no wake-up call told of."""
_STILL = """
    SELECT p.id, p.frame_sequence, p.armed_config_id IS NULL
        AND NOT EXISTS (SELECT FROM jackpots_share s WHERE s.progressive_id = p.id
            AND s.place >= COALESCE(p.folded_until, '-infinity'))
        AND NOT EXISTS (SELECT FROM jackpots_adjustment a WHERE a.progressive_id = p.id
            AND NOT EXISTS (SELECT FROM jackpots_foldrun r WHERE r.adjustment_id = a.id))
    FROM jackpots_progressive p ORDER BY p.id
"""
JUST_AFTER = timedelta(milliseconds=10)
_PUBLIC_NEXT = """
    SELECT s.public_at FROM jackpots_share s JOIN jackpots_progressive p ON p.id = s.progressive_id
    WHERE p.id = %s AND s.place >= COALESCE(p.folded_until, '-infinity') AND s.public_at > now()
    ORDER BY s.public_at LIMIT 1
"""
"""When the next hit may be shown: signs say PENDING then, not up to a second later."""
_sent: dict[int, tuple[int, dict[str, Any]]] = {}
"""By progressive when this process has looked at the whole of it, in nanoseconds, and the frame that it sent then."""


def _bring_up_to_date(progressive_id: int) -> None:
    _sent.pop(progressive_id, None)
    fold(progressive_id)
    frame = publish(progressive_id)
    poke(progressive_id)
    for (public_at,) in rows_of(_PUBLIC_NEXT, [progressive_id]):
        ring_at(public_at + JUST_AFTER, fold_progressive, progressive_id)
    _sent[progressive_id] = time.monotonic_ns(), frame


def _send_again(progressive_id: int, sequence: int) -> bool:
    """The same frame with a newer time. Not where another has been made since, or the last look was too long ago."""
    looked_ns, frame = _sent.get(progressive_id, (0, {}))
    if frame.get("sequence") != sequence or time.monotonic_ns() - looked_ns > LOOK_EVERY_NS:
        return False
    send_again(frame)
    return True
