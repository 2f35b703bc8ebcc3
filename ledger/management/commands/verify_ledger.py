"""`manage.py verify_ledger`: the part of `manage.py verify` that needs no other room: seals, sums and balances."""

from __future__ import annotations

from ledger.management.commands import verify
from ledger.verify.books import BOOKS


class Command(verify.Command):
    help = "Recomputes every seal, the chain, the sums and the balances; exit code 1 if anything is wrong."
    only = BOOKS
    what = "The ledger"
