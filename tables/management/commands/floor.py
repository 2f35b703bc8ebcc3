"""`manage.py floor export|check|diff|apply FILE`: a casino as a document."""

from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.kit.refusals import Refused
from people.models import Premises, User
from tables.floor import apply, document
from tables.floor.document_form import read, text_of


class Command(BaseCommand):
    help = (
        "The floor as a document: `export FILE` writes it, `check FILE` tries it by the rules and takes it back, "
        "`diff FILE` says what it would change, `apply FILE --as USERNAME --premises CODE --reason WHY` files it for "
        "another person to approve. In an empty installation and in a demo `apply FILE` does it at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["export", "check", "diff", "apply"])
        parser.add_argument("file", type=Path)
        parser.add_argument("--as", dest="username", default="", help="the administrator who asks for it")
        parser.add_argument("--premises", default="", help="where another person approves it")
        parser.add_argument("--reason", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            if options["what"] == "export":
                file.write_text(text_of(document.export()), encoding="utf-8")
                return
            self._told(options, read(file.read_text(encoding="utf-8")))
        except Refused as refused:
            lines = [f"{fault.field}: {fault.message}" for fault in refused.faults] or [refused.sentence]
            raise CommandError("\n".join(lines)) from None
        except (PermissionDenied, OSError, UnicodeDecodeError) as refused:
            raise CommandError(str(refused)) from None

    def _told(self, options: dict[str, Any], wanted: dict[str, Any]) -> None:
        if options["what"] == "diff":
            lines = document.differences(wanted)
        elif options["what"] == "check":
            lines = apply.check(wanted)
            lines += ["All of it holds; nothing was changed by this."] if lines else []
        elif not document.differences(wanted):
            lines = []
        elif options["username"]:
            asked = apply.ask(wanted, *self._who(options), options["reason"])
            lines = [*asked.payload["changes"], f"Request {asked.pk} waits for another person (Approvals)."]
        else:
            apply.check(wanted)  # tells all that is refused, not only the first of it
            lines = [*apply.apply_at_once(wanted), "Done."]
        self.stdout.write("\n".join(lines or ["The floor is as the document says: nothing to do."]))

    def _who(self, options: dict[str, Any]) -> tuple[User, Premises]:
        user = User.objects.filter(username__iexact=options["username"], is_active=True).first()
        premises = Premises.objects.filter(code=options["premises"]).first()
        if user is None or premises is None:
            raise CommandError("Name a person (--as) and premises (--premises) that there are.")
        return user, premises
