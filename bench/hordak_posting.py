"""django-hordak's own posting call, timed for bench_ledger_posting: python -m bench.hordak_posting URL.

Each line of its input, `CALLS TOGETHER`, is a turn: so many calls, in one transaction or with a commit each. It answers
with the seconds that they took.
"""

from __future__ import annotations

import sys
import time

import django
from django.conf import settings


def configure(url: str) -> None:
    from config.settings import _database

    settings.configure(
        DATABASES={"default": _database(url)},
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "mptt", "hordak"],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        CURRENCIES=["NZD"],
        DEFAULT_CURRENCY="NZD",
        HORDAK_INTERNAL_CURRENCY="NZD",
        USE_TZ=True,
    )
    django.setup()


def main(url: str) -> None:
    configure(url)
    from django.core.management import call_command
    from django.db import transaction
    from hordak.models import Account, AccountType
    from moneyed import Money

    call_command("migrate", verbosity=0)
    bank = Account.objects.filter(name="Bank").first() or Account.objects.create(
        name="Bank", type=AccountType.asset, code="1", currencies=["NZD"]
    )
    win = Account.objects.filter(name="Win").first() or Account.objects.create(
        name="Win", type=AccountType.income, code="4", currencies=["NZD"]
    )
    amount = Money("2.50", "NZD")
    for line in sys.stdin:
        calls, together = map(int, line.split())
        began = time.perf_counter()
        for _ in range(1 if together else calls):
            with transaction.atomic():
                for _ in range(calls if together else 1):
                    win.transfer_to(bank, amount)
        print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
