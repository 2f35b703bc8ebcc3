"""`manage.py set_up_code`: the code by which an empty installation is set up in the browser."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from people.premises.premises import is_empty, set_up_code


class Command(BaseCommand):
    help = "Prints the code that the set-up page of an empty installation asks for."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_empty():
            raise CommandError("There are people already: they log in, and an administrator invites others.")
        if not (settings.SECRET_KEY_GIVEN or settings.DEMO):
            raise CommandError(
                "POTLINE_SECRET_KEY is not set, and a code made without the secret of the web servers opens nothing: "
                "give this command theirs."
            )
        self.stdout.write(set_up_code())
