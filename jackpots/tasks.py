"""The jackpots room's jobs: fold, and send the meters to the signs. The rows are the queue."""

from __future__ import annotations

import structlog

from config.celery import job, periodic
from jackpots.folding import fold
from jackpots.frames import publish
from jackpots.models import Progressive

log = structlog.get_logger(__name__)


@job
def fold_progressive(progressive_id: int) -> None:
    """Takes the final meters as far as the order is final, then tells the signs."""
    fold(progressive_id)
    publish(progressive_id)


@periodic(seconds=1)
def sweep_progressives() -> None:
    """Finds what a lost wake-up call missed, and gives every sign its second's frame."""
    for progressive_id in Progressive.objects.values_list("pk", flat=True):
        try:
            fold_progressive(progressive_id)
        except Exception:  # one that fails must not freeze the signs of the others
            log.exception("progressive_not_folded", progressive=progressive_id)
