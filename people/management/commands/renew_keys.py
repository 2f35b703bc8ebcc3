"""`manage.py renew_keys`: encrypts and signs anew by the key in use, after POTLINE_SECRET_KEY was changed."""

from typing import Any

from django.core.management.base import BaseCommand

from config.kit import keys
from people.log_ins import second_factor


class Command(BaseCommand):
    help = (
        "Encrypts second factors, signs watermarks, and puts passwords, roles and tokens on record anew by the first"
        " key, so that an earlier one can be taken out of the fallbacks of web and workers."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        renewed, lost = second_factor.renew_keys()
        self.stdout.write(f"{renewed} second factors are under the key in use.")
        if lost:
            self.stdout.write(
                f"{lost} were encrypted by a key that is not given: these people need a new link (see People)."
            )
        for renew_all in keys.renewals():
            self.stdout.write(renew_all())
