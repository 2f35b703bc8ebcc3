"""`manage.py unlock_person`: lifts the lock of failed log-ins, or makes a new link; for whoever runs the machine."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from config.kit.refusals import Refused
from people.models import User
from people.staff import staff


class Command(BaseCommand):
    help = (
        "Unlocks a user name after failed log-ins; with --new-link also voids its password and second factor."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--new-link", action="store_true", help="and make a link to set a new password by"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username__iexact=options["username"]).first()
        if user is None:
            raise CommandError(f"Nobody has the user name {options['username']!r}.")
        staff.unlock("command line", user)
        self.stdout.write(f"{user.username} is unlocked.")
        if options["new_link"]:
            try:
                token = staff.make_link("command line", user, "made at the command line")
            except Refused as refused:
                raise CommandError(refused.sentence) from None
            self.stdout.write(
                f"{user.name} sets a password at {reverse('invitation', args=[token])} (shown once)."
            )
