"""`manage.py vouch`: puts passwords, roles and tokens on record, after an upgrade or where the secret was lost."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.kit import keys
from people.models import User
from people.on_record import standing, vouching


class Command(BaseCommand):
    help = (
        "Once after an upgrade: puts on record each password, role and token whose changes the audit trail bears out."
        " What is on no record opens nothing. --break-glass vouches for rows as the database has them, where the secret"
        " was lost or a row was changed: on record, and with an urgent alert to administrators and auditors."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--break-glass",
            nargs="+",
            metavar="WHAT",
            help="all, or rows such as person:sefa terminal:12 sign:3",
        )
        parser.add_argument("--reason", default="", help="why the glass is broken; it stays on record")

    def handle(self, *args: Any, **options: Any) -> None:
        keys.demand_a_kept_one()
        if options["break_glass"]:
            self._break(options["break_glass"], options["reason"].strip())
            return
        done, left = vouching.all_that_is_borne_out()
        if done or left:
            self.stdout.write(f"{done} people, tokens and second factors were put on record.")
        for words in left:
            self.stdout.write(
                f"The {words} was left out: the audit trail does not bear out how it stands. It opens nothing."
            )
        if left:
            self.stdout.write(
                "Look at each; then `vouch --break-glass` those that are right, with a --reason."
            )

    def _break(self, given: list[str], reason: str) -> None:
        if not reason:
            raise CommandError("Say why, with --reason: it stays on record.")
        told = vouching.break_the_glass([one for text in given for one in _meant(text)], reason)
        for words in told:
            self.stdout.write(f"The {words} is on record as the database has it.")
        self.stdout.write(f"{len(told)} were not as on record. An urgent alert tells it.")


def _meant(text: str) -> list[tuple[standing.Rows, int]]:
    known = {rows.word: rows for rows in standing.registered()}
    if text == "all":
        return [(rows, pk) for rows in known.values() for pk in rows.numbers()]
    word, _, name = text.partition(":")
    if word not in known or not name:
        raise CommandError(f"{text!r} is none of: all, {', '.join(f'{each}:…' for each in known)}.")
    if word == "person":
        found = User.objects.filter(username__iexact=name).values_list("pk", flat=True).first()
    else:
        found = int(name) if name.isdecimal() else None
    if found is None:
        raise CommandError(f"There is no {word} {name!r}.")
    return [(known[word], found)]
