"""The ledger's jobs: fold balances, seal what is final. Both find their work in PostgreSQL and may run anywhere."""

from __future__ import annotations

from config.celery import periodic
from ledger import balances, seals


@periodic(seconds=2)
def fold_balances() -> None:
    """Keeps the tail short that every balance adds up."""
    balances.fold()


@periodic(seconds=5)
def seal_entries() -> None:
    """Chains a new root and writes it to the file outside the database."""
    seals.seal()
