"""`manage.py add_person`: makes a person, or gives one a further role."""

import secrets
import sys
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from people import staff
from people.models import Premises, Role, User


class Command(BaseCommand):
    help = "Makes a person with a role, or gives one a further role: add_person mere 'Mere Tamati' harbour finance"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name")
        parser.add_argument("premises", help="the premises' code")
        parser.add_argument("role", choices=Role.values)
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password instead of making one"
        )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        premises = Premises.objects.filter(code=options["premises"]).first()
        if premises is None:
            known = ", ".join(Premises.objects.values_list("code", flat=True)) or "none yet"
            raise CommandError(
                f"There are no premises {options['premises']!r}; known: {known}. See add_premises."
            )
        user = User.objects.filter(username__iexact=options["username"]).first()
        if user is None:
            password = (
                sys.stdin.readline().rstrip("\n") if options["password_stdin"] else secrets.token_urlsafe(12)
            )
            try:
                user = staff.add_person("command line", options["username"], options["name"], password)
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
            if not options["password_stdin"]:
                self.stdout.write(f"The password of {user.username} is {password} (shown once).")
        role = Role(options["role"])
        staff.grant_role("command line", user, premises, role)
        self.stdout.write(f"{user.name} is {role.label} at {premises.name}.")
