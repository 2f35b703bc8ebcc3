"""`manage.py add_person`: makes a person and their link, or gives one a further role."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.urls import reverse

from config.kit.refusals import Refused
from people.models import Premises, Role, User
from people.staff import staff


class Command(BaseCommand):
    help = (
        "Makes a person with a role, and a link by which they set their own password; or gives one a further role:"
        " add_person mere 'Mere Tamati' harbour finance"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name")
        parser.add_argument("premises", help="the premises' code")
        parser.add_argument("role", choices=Role.values)

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        premises = Premises.objects.filter(code=options["premises"]).first()
        if premises is None:
            known = ", ".join(Premises.objects.values_list("code", flat=True)) or "none yet"
            raise CommandError(
                f"There are no premises {options['premises']!r}; known: {known}. See add_premises."
            )
        role = Role(options["role"])
        user = User.objects.filter(username__iexact=options["username"]).first()
        try:
            if user is None:
                user, token = staff.add_person("command line", options["username"], options["name"])
                self.stdout.write(
                    f"{user.name} sets a password at {reverse('invitation', args=[token])} within three days (shown"
                    " once; it serves once)."
                )
            staff.grant_role("command line", user, premises, role)
        except Refused as refused:
            raise CommandError(refused.sentence) from None
        self.stdout.write(f"{user.name} is {role.label} at {premises.name}.")
