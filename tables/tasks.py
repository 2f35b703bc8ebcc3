"""The settlement workers' jobs. The rows are the queue; these only look into it."""

from __future__ import annotations

from config.celery import job, periodic, ring
from jackpots.tasks import fold_progressive
from tables.settlement import BATCH, settle_batch


@job
def settle_closed() -> None:
    """Settles batch after batch until none is left, and wakes the fold of the progressives whose log moved."""
    while True:
        done = settle_batch()
        for progressive_id in done.progressives:
            ring(fold_progressive, progressive_id)
        if done.settled + done.parked < BATCH:
            return


@periodic(seconds=2)
def sweep_closed() -> None:
    """Finds what a lost wake-up call missed."""
    settle_closed()
