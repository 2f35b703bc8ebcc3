"""The jackpots room's jobs: fold, and send the meters to the signs. The rows are the queue."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.db import OperationalError

from config.celery import job, periodic
from jackpots.folding import fold
from jackpots.models import Progressive
from jackpots.pokes import poke
from jackpots.signs.boards import publish_boards
from jackpots.signs.frames import publish
from jackpots.signs.watch import raise_dark
from ledger.errors import DayClosed
from people import alerts
from people.models import Role

logger = structlog.get_logger(__name__)
NOT_FOLDED = alerts.declare(
    "jackpots.not_folded",
    "The meters of a progressive stand still",
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.SUPERVISOR],
    again_after=timedelta(minutes=10),
)


@job
def fold_progressive(progressive_id: int) -> None:
    """Takes the final meters as far as the order is final, then tells the signs, and asks those to speak up whom a
    public hit still waits for."""
    fold(progressive_id)
    publish(progressive_id)
    poke(progressive_id)


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
    for progressive in Progressive.objects.select_related("host"):
        try:
            fold_progressive(progressive.pk)
        except (OperationalError, DayClosed) as error:  # nobody's fault: the next second tries again
            logger.warning("progressive_not_folded", progressive=progressive.pk, error=str(error))
        except Exception as error:  # one that fails must not freeze the signs of the others
            logger.exception("progressive_not_folded", progressive=progressive.pk)
            text = f"{progressive}: meters and wins cannot be brought up to date: {type(error).__name__}: {error}"
            alerts.raise_alert(NOT_FOLDED, progressive, text, premises=progressive.host)
