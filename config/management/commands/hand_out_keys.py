"""`manage.py hand_out_keys signs`: what POTLINE_KEYS says to a part that does not hold the secret."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.kit import keys


class Command(BaseCommand):
    help = (
        "Prints the keys of a part that does not hold the installation's secret, made from that secret: its"
        " POTLINE_KEYS. Run it again when the secret is changed."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", choices=sorted(keys.HELD_BY))

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SECRET_KEY_GIVEN:
            raise CommandError("POTLINE_SECRET_KEY is not set: the keys are made from it.")
        self.stdout.write(
            keys.handed_out(options["part"], [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])
        )
