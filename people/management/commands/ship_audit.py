"""`manage.py ship_audit --since ID`: sends records of the audit trail to the sinks again, after one was away."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from people.audit import shipping
from people.models import AuditRecord


class Command(BaseCommand):
    help = "Sends the audit records from ID on to POTLINE_AUDIT_FILE and POTLINE_AUDIT_SYSLOG again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", type=int, required=True, help="the first record to send, by its id")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.AUDIT_FILE or settings.AUDIT_SYSLOG):
            raise CommandError("Neither POTLINE_AUDIT_FILE nor POTLINE_AUDIT_SYSLOG is set.")
        rows = AuditRecord.objects.filter(pk__gte=options["since"]).select_related("premises").order_by("pk")
        sent = 0
        for record in rows.iterator():
            shipping.ship(record)
            sent += 1
        self.stdout.write(f"{sent} records were sent.")
