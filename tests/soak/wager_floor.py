"""Fills a roulette table with settled rounds, for test_export_soak: python -m tests.soak.wager_floor TABLE ROUNDS.

The rounds are put in as a terminal leaves them, closed with their wagers and the number that came; the settlement that
the workers use does the rest: lines by COPY, ledger entries, states.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

import django

PLAYERS = ("blue", "green", "pink", "white", "yellow")
WAGERS = 20
ROULETTE: dict[str, Any] = {"game": "roulette", "rulebook": "nz-1996"}


def wagers(chance: random.Random, number: int) -> list[dict[str, Any]]:
    made = []
    for position in range(WAGERS):
        kind, selection = ("red", "") if position % 5 == 0 else ("straight-up", str(chance.randrange(37)))
        made.append(
            {
                "id": f"w{number}-{position}",
                "kind": kind,
                "player": PLAYERS[position % len(PLAYERS)],
                "stake": f"{chance.choice((5, 10, 25, 50))}.00",
                **({"selection": selection} if selection else {}),
            }
        )
    return made


def main(code: str, rounds: int) -> None:
    django.setup()
    from django.db import connection, transaction

    from config.kit.gaming_day import gaming_day
    from rules import round_from_json
    from tables.models import Round, Table
    from tables.settle.prepared import prepare
    from tables.settle.settlement import settle_rounds

    table = Table.objects.select_related("premises", "config").get(code=code)
    now = datetime.now(UTC)
    day = gaming_day(table.premises, now)
    chance = random.Random(code)
    made = (
        Round(
            uid=UUID(int=chance.getrandbits(128), version=4),
            table=table,
            number=number,
            config=table.config,
            state=Round.State.CLOSED,
            opened_at=now,
            locked_at=now,
            closed_at=now,
            gaming_day=day,
            wagers=wagers(chance, number),
            dealt={"number": str(chance.randrange(37))},
        )
        for number in range(1, rounds + 1)
    )
    while some := list(islice(made, 500)):
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval('tables_round_id_seq') FROM generate_series(1, %s)", [len(some)])
            numbers = [pk for (pk,) in cursor.fetchall()]
        for pk, round in zip(numbers, some, strict=True):
            round.pk = pk
            prepare(round, round_from_json(round.document()))
        Round.objects.bulk_create(some)
    while True:
        with transaction.atomic():
            done = settle_rounds(table.pk, 200)
        if not done.settled:
            break
    left = (
        Round.objects.filter(table=table)
        .exclude(state=Round.State.SETTLED)
        .values_list("error", flat=True)[:1]
    )
    if left:
        raise SystemExit(f"{code}: not settled: {left[0]}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv[1], int(sys.argv[2]))
