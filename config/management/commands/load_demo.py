"""`manage.py load_demo`: makes the demo casino, or what is missing of it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from config.kit import demo


class Command(BaseCommand):
    help = (
        "Makes the demo casino, or what is missing of it. Only with POTLINE_DEMO=1 and in a database that was made as a"
        " demo: its passwords are public."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "The demo's passwords are public, so it is loaded only with POTLINE_DEMO=1. Nothing was done."
            )
        with connection.cursor() as cursor:
            if demo.kind_of(cursor) is not demo.DatabaseKind.DEMO:
                raise CommandError(demo.NOT_MARKED)
        for loader in demo.loaders():
            with transaction.atomic():
                said = loader.load()
            if said:
                self.stdout.write(said)
