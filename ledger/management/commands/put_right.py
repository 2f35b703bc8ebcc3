"""`manage.py put_right [--reason WHY]`: what somebody wrote past Potline's programs and what stops people, mended."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger.seals.epochs import CannotAdopt
from ledger.verify import put_right


class Command(BaseCommand):
    help = (
        "Lists what cannot be so and stops people: seals, ends of orders and counts of tables that stand ahead. With a"
        " reason it mends them, on record; run that as the tables' owner."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reason", default="", help="why, by whose order; stays on record. Without: only lists"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found, reason = put_right.found(), options["reason"].strip()
        for wrong in found:
            self.stdout.write(f"{wrong.where}: {wrong.what}.")
            if reason:
                try:
                    self.stdout.write(f"  Put right: {put_right.mend(wrong, reason)}.")
                except CannotAdopt as error:
                    raise CommandError(str(error)) from error
        if not found:
            self.stdout.write("Nothing is to be put right.")
        elif not reason:
            self.stdout.write(
                "Nothing was changed. Give a --reason to put it right; then run `manage.py verify`."
            )
        else:
            self.stdout.write("Run `manage.py verify` now, and find out who wrote it.")
