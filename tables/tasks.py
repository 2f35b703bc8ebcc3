"""The settlement workers' jobs. The rows are the queue; these only look into it."""

from __future__ import annotations

import structlog

from config.celery import job, periodic
from config.kit.wake_ups import ring
from jackpots.tasks import fold_progressive
from tables.floor import silence_policy
from tables.floor.changes import take_effect_everywhere
from tables.settle import turnover
from tables.settle.settlement import BATCH, Settled, settle_batch, settle_table

logger = structlog.get_logger(__name__)


@job
def settle_closed() -> frozenset[int]:
    """Settles batch after batch until none is left, and wakes the fold of the progressives whose log moved. Tables that
    somebody holds come last, each by itself; gives back those that are still held."""
    settled = 0
    while True:
        done = _tell(settle_batch())
        settled += done.settled
        if done.settled + done.parked < BATCH:
            break
    if settled:  # a job of its own would ask for nothing most of the time
        turnover.add_up()
    return frozenset().union(*(_tell(settle_table(table_id)).held for table_id in sorted(done.held)))


def _tell(done: Settled) -> Settled:
    for progressive_id in done.progressives:
        ring(fold_progressive, progressive_id)
    return done


@periodic(seconds=1)
def look_for_silence() -> None:
    """Progressives whose policy is not to wait for a silent table stop waiting; of the others people are told for which
    table a win waits."""
    silence_policy.enforce()
    silence_policy.tell_of_waiting_wins()


@periodic(seconds=2)
def sweep_closed() -> None:
    """Finds what a lost wake-up call missed."""
    held = settle_closed()
    if held:
        logger.warning(
            "tables_held", tables=sorted(held), about="Closed rounds wait: a session holds their tables."
        )


@periodic(seconds=5)
def changes_take_effect() -> None:
    """Changes whose time has come, at tables whose terminal sends nothing just now."""
    take_effect_everywhere()
