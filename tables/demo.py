"""The demo casino's tables and their terminals. The tokens are public: see config.demo."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from config.demo import Secret
from jackpots import event_log
from people import audit, tokens
from people.models import Premises
from tables.floor import create_table
from tables.models import Table, Terminal
from tables.terminals import revoke_terminal

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
    premises = {each.code: each for each in Premises.objects.filter(code__in=["harbour", "lakeside"])}
    for code, (where, pit, document) in TABLES.items():
        if Table.objects.filter(premises=premises[where], code=code).exists():
            continue
        with transaction.atomic():
            table = create_table("demo", premises[where], code, document, pit=pit)
            terminal = Terminal.objects.create(
                table=table, name=f"{code} demo", token_sha256=tokens.hash_token(terminal_token(code))
            )
            audit.record("demo", "tables.terminal_token_issued", premises=table.premises, subject=terminal)
            table.is_open = True
            table.save(update_fields=["is_open"])
            if table.progressives:
                event_log.open_log(table.table_log)
    return f"Terminals: Authorization: Bearer {terminal_token('CS-01')} for table CS-01, and so on."


def public_terminals() -> list[Secret]:
    """The terminals for which anyone can speak by a demo's token."""
    hashes = [tokens.hash_token(terminal_token(code)) for code in TABLES]
    found = Terminal.objects.filter(token_sha256__in=hashes, revoked_at__isnull=True).select_related("table")
    return [
        Secret(f"terminal {terminal}", partial(revoke_terminal, "command line", terminal, "public token"))
        for terminal in found.order_by("pk")
    ]
