"""`manage.py add_premises`: makes a premises."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from people import staff


class Command(BaseCommand):
    help = "Makes a premises: add_premises harbour 'Harbour Casino' NZD Pacific/Auckland 6"

    def add_arguments(self, parser: CommandParser) -> None:
        for name in ("code", "name", "currency", "time_zone"):
            parser.add_argument(name)
        parser.add_argument("rollover_hour", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("code", "name", "currency", "time_zone", "rollover_hour")
        try:
            premises = staff.add_premises("command line", *(options[name] for name in names))
        except ValidationError as error:
            raise CommandError(
                " ".join(f"{k}: {' '.join(v)}" for k, v in error.message_dict.items())
            ) from None
        self.stdout.write(f"{premises.name} is there, as {premises.code}.")
