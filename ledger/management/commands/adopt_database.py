"""`manage.py adopt_database REASON [--sink FILE]`: goes on with a restored dump, a new cluster or a replica."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger.seals import epochs


class Command(BaseCommand):
    help = (
        "Begins a new epoch, so that a copy of the database goes on: run it as the tables' owner after a dump was"
        " restored, on a new cluster, or on a logical replica that takes over. Stop the processes first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("reason", help="what was restored, from when, by whose order; stays on record")
        parser.add_argument(
            "--sink", type=Path, help="the file of seals of the database before, if it lies elsewhere"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            adopted = epochs.adopt(options["reason"], options["sink"])
        except epochs.CannotAdopt as error:
            raise CommandError(str(error)) from error
        epoch = adopted.epoch
        self.stdout.write(
            f"Epoch {epoch.pk}: goes on from seal {epoch.last_seal}; {adopted.sealed} new seals."
        )
        if adopted.raised:
            self.stdout.write(f"Raised to their tables: {', '.join(adopted.raised)}.")
        lost = epoch.last_known_seal - epoch.last_seal
        if lost:
            self.stdout.write(
                f"Seals {epoch.last_seal + 1} to {epoch.last_known_seal} are in the file and not in this copy: what "
                "they sealed is lost, and the epoch says so."
            )
