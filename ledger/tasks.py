"""The ledger's jobs: roll up balances, seal what is final, verify it, watch the seals, build exports. All find their
work in PostgreSQL."""

from __future__ import annotations

from config.celery import long_job, periodic
from config.kit.wake_ups import ring
from ledger.books import balances
from ledger.exports import service
from ledger.months import months
from ledger.seals import seals
from ledger.verify import watchdog


@periodic(seconds=2)
def roll_up_balances() -> None:
    """Keeps the tail short that every balance adds up."""
    balances.roll_up()


@periodic(seconds=1)
def seal_rows() -> None:
    """Chains a new root over all that was added and writes it to the file outside the database."""
    seals.seal(at_most=10)  # well within a job's time limit; the next tick goes on


@periodic(seconds=5)
def verify_what_is_new() -> None:
    """Recomputes what was sealed since the last time; what does not fit is an alert, and its level is frozen."""
    watchdog.run()


@periodic(seconds=60)
def turn_month() -> None:
    """Makes parts for the months to come; when a gaming month begins, numbers go on in its band."""
    months.turn()


@periodic(seconds=seals.WATCHED_EVERY_S)
def watch_seals() -> None:
    """The newest seals follow from each other, nothing waits for long, and the file outside agrees; else an alert."""
    seals.watch()


@long_job(time_limit_s=2 * 60 * 60, claims_its_work=True)
def build_export(export_id: str) -> None:
    """About a minute a million wagers. Delivered again meanwhile, it finds the export claimed and gives way."""
    service.build(export_id)


@periodic(seconds=30)
def sweep_exports() -> None:
    """Wakes a worker for exports whose message was lost or whose builder died."""
    for export_id in service.sweep():
        ring(build_export, export_id)
