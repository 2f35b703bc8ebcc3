"""`manage.py add_premises`: makes a premises."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.kit.refusals import Refused
from people.premises.premises import add_premises


class Command(BaseCommand):
    help = "Makes a premises: add_premises harbour 'Harbour Casino' NZD Pacific/Auckland 6"

    def add_arguments(self, parser: CommandParser) -> None:
        for name in ("code", "name", "currency", "time_zone"):
            parser.add_argument(name)
        parser.add_argument("rollover_hour", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("code", "name", "currency", "time_zone", "rollover_hour")
        try:
            premises = add_premises("command line", *(options[name] for name in names))
        except Refused as refused:
            raise CommandError("; ".join(f"{f.field}: {f.message}" for f in refused.faults)) from None
        self.stdout.write(f"{premises.name} is there, as {premises.code}.")
