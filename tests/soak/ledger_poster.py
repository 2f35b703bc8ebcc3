"""Posts entries without end, for test_ledger_soak: python -m tests.soak.ledger_poster SEED ACKNOWLEDGED [COUNT].

After each commit the keys go to the file ACKNOWLEDGED, flushed to disk: what stands there must stay in the books.
Started again with the same seed it begins with the same keys, as a terminal that retries does.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import date
from pathlib import Path
from typing import Any

import django

TABLES = 50
DAY = date(2026, 3, 14)


def entries(seed: int, start: int, count: int, premises: Any) -> list[Any]:
    """The entries of a seed are the same in every run: key, legs and all."""
    from ledger.books.journal import NewEntry

    made = []
    for number in range(start, start + count):
        chance = random.Random(f"{seed}:{number}")
        table = f"soak/tables/T{chance.randrange(TABLES):02d}"
        stake, fee, rounding = chance.randrange(1, 400) * 2_500_000, chance.randrange(1, 9) * 10_000, 5_000
        legs = {
            f"{table}/bank": stake,
            f"{table}/win": fee - stake - rounding,
            f"{table}/fees": -fee,
            f"{table}/rounding": rounding,
        }
        key = f"soak:{seed}:{number}"
        made.append(
            NewEntry(
                key=key,
                premises=premises,
                kind="round",
                reference=key,
                source_hash="ab" * 32,
                day=DAY,
                legs=legs,
            )
        )
    return made


def main(seed: int, acknowledged: Path, count: int) -> None:
    django.setup()
    from django.db import transaction

    from ledger.books.journal import post_many
    from people.models import Premises

    premises = Premises.objects.get(code="soak")
    # Goes back a little on purpose: the last batches before a kill are sent again.
    done = sum(1 for _ in acknowledged.open()) if acknowledged.exists() else 0
    number = max(0, done - 600)
    with acknowledged.open("a") as file:
        while number < count:
            batch = entries(seed, number, 200, premises)
            with transaction.atomic():
                answers = post_many(batch)
            file.writelines(f"{answer.key}\n" for answer in answers if answer.created)
            file.flush()
            os.fsync(file.fileno())
            number += 200


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else sys.maxsize)
