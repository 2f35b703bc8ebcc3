"""The demo casino's tables and their terminals. The tokens are public; loaded only with POTLINE_DEMO=1."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from jackpots import log as jackpot_log
from jackpots.models import LinkedTable
from people.models import Premises
from tables.floor import create_table, hash_token
from tables.models import Table, Terminal

STUD: dict[str, Any] = {
    "game": "caribbean-stud",
    "rulebook": "nz-1996",
    "limits": {
        "kinds": {
            "ante": {"minimum": "5.00", "maximum": "500.00"},
            "jackpot": {"minimum": "1.00", "maximum": "1.00"},
        },
        "chip": "0.50",
    },
}
TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "CS-01": ("harbour", "Pit 1", STUD),
    "CS-02": ("harbour", "Pit 1", STUD),
    "CS-03": ("lakeside", "Pit 1", STUD),
    "RO-01": ("harbour", "Pit 2", {"game": "roulette", "rulebook": "nz-1996"}),
    "CR-01": ("harbour", "Pit 2", {"game": "craps", "rulebook": "nz-1996"}),
    "CH-01": ("lakeside", "Pit 2", {"game": "casino-holdem", "rulebook": "gb-2011"}),
}


def terminal_token(code: str) -> str:
    return f"demo-terminal-{code.lower()}"


def load() -> str:
    premises = {place.code: place for place in Premises.objects.filter(code__in=["harbour", "lakeside"])}
    for code, (place, pit, document) in TABLES.items():
        if Table.objects.filter(premises=premises[place], code=code).exists():
            continue
        link = LinkedTable.objects.filter(premises=premises[place], table_code=code).first()
        with transaction.atomic():
            table = create_table("demo", premises[place], code, document, pit=pit, link=link)
            Terminal.objects.create(
                table=table, name=f"{code} demo", token_sha256=hash_token(terminal_token(code))
            )
            table.is_open = True
            table.save(update_fields=["is_open"])
            if link is not None:
                jackpot_log.open_link(link)
    return f"Terminals: Authorization: Bearer {terminal_token('CS-01')} for table CS-01, and so on."
