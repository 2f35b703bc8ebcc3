"""`manage.py retire_demo`: closes the demo's public passwords and tokens that got into a real database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from config.kit import demo


class Command(BaseCommand):
    help = (
        "Closes what of the demo would let a stranger into a real installation: log-ins with a public password,"
        " terminals and signs with a public token. What they did stays on record."
    )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        with connection.cursor() as cursor:
            kind = demo.kind_of(cursor)
        if kind is not demo.DatabaseKind.REAL:
            raise CommandError(f"This database is {kind.value}; there is nothing to close. Nothing was done.")
        found = demo.public_secrets()
        for secret in found:
            secret.retire()
            self.stdout.write(f"Closed: {secret.label}.")
        if not found:
            self.stdout.write("No public password or token works here.")
