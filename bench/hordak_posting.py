"""django-hordak's own posting call, timed for bench_ledger_posting: python -m bench.hordak_posting URL SECONDS."""

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


def main(url: str, seconds: float) -> None:
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
    for name, size in (("hordak_single", 1), ("hordak_batch", 200)):
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            with transaction.atomic():
                for _ in range(size):
                    win.transfer_to(bank, amount)
            done += size
        print(name, done / (time.perf_counter() - began))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
